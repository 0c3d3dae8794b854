"""Count what a migration changes without need: `python -m benchmarks.minimal FILE...`.

Puts back each changed line by itself: the text must then hold other data or be no document at all.
Prints one line for each file that migrates and the totals; exits 1 when a line changes without need
or a comment is lost.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from migrate_spec.migrate import MIGRATED, Outcome, run
from transforms.document import Document, parse
from transforms.edits import Edit, splice
from transforms.layout import Layout
from transforms.migration import comment_texts
from transforms.nodes import plain


class Count(NamedTuple):
    """Figures for one migrated file: changed lines, those without need, comments before and lost."""

    changed: int
    needless: list[int]
    comments: int
    lost: int


def needless(document: Document, edits: list[Edit]) -> Iterator[int]:
    """Yield the numbers, from 1, of old lines whose change could be put back without a change in meaning.

    Lines that hold data count; blank lines, a missing final line break, a key that moves to the column
    of its dash and a comma that goes with its pair have rules of their own (`migration.md` 11).
    """
    wanted = _data(splice(document.text, edits))
    layout = Layout(document)
    by_line: dict[int, list[Edit]] = defaultdict(list)
    edits = [edit for edit in edits if edit.why not in ("M9", "M12")]
    for edit in edits:
        by_line[layout.line(edit.start)].append(edit)
    for line, own in sorted(by_line.items()):
        rest = [edit for edit in edits if edit not in own]
        moved = all(
            document.text[edit.start : edit.end].strip() in ("", ",") and not edit.new.strip() for edit in own
        )
        if not moved and not layout.is_blank(line) and _data(splice(document.text, rest)) == wanted:
            yield line + 1


def _data(text: str) -> object:
    document = parse(text.encode())
    if document.root is None or document.faults:
        return object()
    return plain(document.root)


def count(outcome: Outcome) -> Count:
    """Return the figures of a migrated file."""
    document, edits = outcome.document, list(outcome.edits)
    assert outcome.text is not None
    before, after = comment_texts(document), comment_texts(parse(outcome.text.encode()))
    layout = Layout(document)
    lines = {layout.line(edit.start) for edit in edits}
    lost = len(before) - len(after) if before != after else 0
    return Count(len(lines), list(needless(document, edits)), len(before), lost)


def main(paths: list[str]) -> int:
    """Print the figures of every file that migrates and return the exit code."""
    totals = [0, 0, 0, 0, 0]
    for path in paths:
        outcome = run(parse(Path(path).read_bytes()), from_v0=True)
        if outcome.outcome != MIGRATED:
            continue
        found = count(outcome)
        for i, value in enumerate((1, found.changed, len(found.needless), found.comments, found.lost)):
            totals[i] += value
        if found.needless or found.lost:
            print(f"{path}: needless lines {found.needless}, comments lost {found.lost}")
    files, changed, wasted, comments, lost = totals
    print(
        f"{files} files migrate: {changed} lines change, {wasted} of them without need;"
        f" {comments} comments, {lost} lost"
    )
    return 1 if wasted or lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

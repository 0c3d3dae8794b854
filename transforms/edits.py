"""Edits of a text: collected, checked for overlap, applied and shown in one place."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Edit(NamedTuple):
    """Put `new` where the text between two offsets stands; `why` names the rule that asks for it."""

    start: int
    end: int
    new: str
    why: str


class Overlap(ValueError):
    """Two different edits ask for the same characters."""

    def __init__(self, first: Edit, second: Edit) -> None:
        super().__init__("two places that share this text through an anchor would need it in different words")
        self.first = first
        self.second = second

    @property
    def at(self) -> int:
        """The offset at which they meet."""
        return self.second.start


def collect(edits: Iterable[Edit]) -> list[Edit]:
    """Return `edits` in the order of the text, equal ones once; Overlap when two cannot both be done."""
    ordered = sorted({(edit.start, edit.end, edit.new): edit for edit in edits}.values())
    for first, second in itertools.pairwise(ordered):
        same_place = first.start == second.start and first.end == second.end
        if second.start < first.end or same_place:
            raise Overlap(first, second)
    return ordered


def splice(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with `edits` done; they must be collected."""
    parts = []
    at = 0
    for start, end, new, _why in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


class Hunk(NamedTuple):
    """Lines that change: the first old line counted from 0, the old lines and the new ones."""

    at: int
    old: list[str]
    new: list[str]


def hunks(text: str, edits: Iterable[Edit]) -> list[Hunk]:
    """Return the lines that `edits`, collected, change in `text`; only LF ends a line, as in a diff."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: list[Hunk] = []
    for first, last, group in _groups(starts, list(edits)):
        begin = starts[first]
        end = starts[last] if last < len(starts) else len(text)
        moved = [edit._replace(start=edit.start - begin, end=edit.end - begin) for edit in group]
        old = text[begin:end]
        found.append(_trimmed(Hunk(first, _lines(old), _lines(splice(old, moved)))))
    return [hunk for hunk in found if hunk.old or hunk.new]


def _groups(starts: list[int], edits: list[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Yield runs of edits on neighbouring lines with the lines they touch, the last one exclusive."""
    group: list[Edit] = []
    first = last = 0
    for edit in edits:
        begin = bisect.bisect_right(starts, edit.start) - 1
        end = bisect.bisect_right(starts, edit.end)
        if starts[end - 1] == edit.end and _ends_a_line(edit, starts[begin]):
            end -= 1
        if group and begin > last:
            yield first, last, group
            group = []
        if not group:
            first = begin
        group.append(edit)
        last = max(last, end)
    if group:
        yield first, last, group


def _ends_a_line(edit: Edit, begin: int) -> bool:
    """Tell whether what follows `edit`, which ends where a line does, begins a line afterwards too."""
    return edit.new.endswith("\n") if edit.new else begin == edit.start


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _trimmed(hunk: Hunk) -> Hunk:
    at, old, new = hunk
    while old and new and old[0] == new[0]:
        at, old, new = at + 1, old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return Hunk(at, old, new)


CONTEXT = 3
"""How many unchanged lines a diff shows around a change."""


def unified(text: str, edits: Iterable[Edit], old_name: str, new_name: str) -> str:
    """Return the unified diff of `edits`, collected, against `text`, empty when nothing changes."""
    changes = hunks(text, edits)
    if not changes:
        return ""
    lines = _lines(text)
    parts = [f"--- {old_name}\n+++ {new_name}\n"]
    shift = 0
    for group in _near(changes):
        part, grown = _section(lines, group, shift)
        parts.append(part)
        shift += grown
    return "".join(parts)


def _near(changes: list[Hunk]) -> Iterator[list[Hunk]]:
    group = [changes[0]]
    for change in changes[1:]:
        last = group[-1]
        if change.at - (last.at + len(last.old)) > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    yield group


def _section(lines: list[str], group: list[Hunk], shift: int) -> tuple[str, int]:
    begin = max(0, group[0].at - CONTEXT)
    body: list[str] = []
    at = begin
    for hunk in group:
        body += [_shown(" ", line) for line in lines[at : hunk.at]]
        body += [_shown("-", line) for line in hunk.old]
        body += [_shown("+", line) for line in hunk.new]
        at = hunk.at + len(hunk.old)
    end = min(len(lines), at + CONTEXT)
    body += [_shown(" ", line) for line in lines[at:end]]
    grown = sum(len(hunk.new) - len(hunk.old) for hunk in group)
    old, new = _range(begin, end - begin), _range(begin + shift, end - begin + grown)
    return f"@@ -{old} +{new} @@\n" + "".join(body), grown


def _range(begin: int, count: int) -> str:
    first = begin + 1 if count else begin
    return str(first) if count == 1 else f"{first},{count}"


def _shown(mark: str, line: str) -> str:
    return mark + (line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")

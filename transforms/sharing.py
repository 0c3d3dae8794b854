"""Anchors and aliases under edits: rule M13 of `migration.md` 11.

An anchored value is edited once, where it is written. If one of its uses needs another translation,
or if the anchor goes, the value is written out where the alias stands.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from transforms.edits import Edit
from transforms.flow import written_out
from transforms.layout import Layout
from transforms.nodes import Mapping, Node, Sequence, walk
from transforms.proposals import Proposal

Span = tuple[int, int]
WHY = "M13"
_ALIAS = re.compile(r"\*[A-Za-z0-9_-]")


def settle(layout: Layout, root: Node, proposals: Iterable[Proposal]) -> list[Edit]:
    """Return the edits of `proposals` with every alias written out that cannot stay.

    Raises flow.Stuck when a value that must be written out cannot be.
    """
    edits = list(proposals)
    if _ALIAS.search(layout.text) is None:
        return [proposal.edit for proposal in edits]
    uses = [node for node in walk(root) if node.alias is not None]
    if not uses and not _has_merges(root):
        return [proposal.edit for proposal in edits]
    return _uncovered(_unanchored(layout, root, _diverging(layout, root, uses, edits)))


def _uncovered(edits: list[Edit]) -> list[Edit]:
    """Return `edits` without values written out where the alias itself goes."""
    spans = sorted((edit.start, edit.end) for edit in edits if edit.end > edit.start and edit.why != WHY)
    return [edit for edit in edits if edit.why != WHY or not _covers(spans, edit.start)]


def _has_merges(root: Node) -> bool:
    return any(True for _ in _tokens(root))


def _diverging(layout: Layout, root: Node, uses: list[Node], proposals: list[Proposal]) -> list[Edit]:
    """Write out the uses whose edits are not those of the anchored value, the innermost first."""
    wanted: dict[int, set[Edit]] = defaultdict(set)
    free: list[Edit] = []
    for edit, owner, own in proposals:
        chain = _chain(owner, own)
        for use in chain:
            wanted[id(use)].add(edit)
        if not chain:
            free.append(edit)
    anchored = {(node.outer, node.end): node for node in walk(root) if node.anchor and node.alias is None}
    within = _within(root, proposals, anchored)
    for use in sorted(uses, key=lambda node: -len(node.steps())):
        span = (use.outer, use.end)
        if wanted[id(use)] != within.get(span, set()):
            assert use.alias is not None
            new = written_out(layout.text, use, wanted[id(use)])
            edit = Edit(use.alias.start, use.alias.end, new, WHY)
            outer = _chain(use, False)
            for each in outer:
                wanted[id(each)] = {kept for kept in wanted[id(each)] if kept not in wanted[id(use)]} | {edit}
            if not outer:
                free.append(edit)
    return free


def _chain(node: Node, own: bool) -> list[Node]:
    """Return the alias uses that `node` is part of; its own alias counts only with `own`."""
    found = [node] if own and node.alias is not None else []
    walked = node.parent
    while walked is not None:
        if walked.alias is not None:
            found.append(walked)
        walked = walked.parent
    return found


def _within(root: Node, proposals: list[Proposal], anchored: dict[Span, Node]) -> dict[Span, set[Edit]]:
    """Return the edits inside each anchored value at the place where it is written."""
    found: dict[Span, set[Edit]] = defaultdict(set)
    for edit, owner, own in proposals:
        walked: Node | None = owner if own else owner.parent
        while walked is not None:
            if walked.anchor and walked.alias is None:
                found[(walked.outer, walked.end)].add(edit)
            walked = walked.parent
    return found


def _unanchored(layout: Layout, root: Node, edits: list[Edit]) -> list[Edit]:
    """Write out the aliases whose anchor goes with the text around it."""
    spans = sorted((edit.start, edit.end) for edit in edits if edit.end > edit.start)
    done = list(edits)
    for token, node in _tokens(root):
        if not _covers(spans, token[0]) and _covers(spans, node.outer):
            done.append(Edit(*token, written_out(layout.text, node), WHY))
    return done


def _covers(spans: list[Span], offset: int) -> bool:
    at = bisect.bisect_right(spans, (offset, len(spans) + offset + 10**12)) - 1
    return at >= 0 and spans[at][0] <= offset < spans[at][1]


def _tokens(root: Node) -> Iterator[tuple[Span, Node]]:
    """Yield every alias token in the text with the use it stands for, merge keys included."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.alias is not None:
            yield (node.alias.start, node.alias.end), node
        elif isinstance(node, Mapping):
            stack.extend(value for _key, value in node.written)
        elif isinstance(node, Sequence):
            stack.extend(node.items)

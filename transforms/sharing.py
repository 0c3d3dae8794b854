"""Anchors and aliases under edits: rule M13 of `migration.md` 11.

An anchored value is edited once, where it is written. If one of its uses needs another translation,
or if the anchor goes, the value is written out where the alias stands.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
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
    return _uncovered(_unanchored(layout, root, _diverging(layout, uses, edits)))


def _uncovered(edits: list[Edit]) -> list[Edit]:
    """Return `edits` without values written out where the alias itself goes."""
    spans = sorted((edit.start, edit.end) for edit in edits if edit.why != WHY)
    return [edit for edit in edits if edit.why != WHY or not _covers(spans, edit.start)]


def _diverging(layout: Layout, uses: list[Node], proposals: list[Proposal]) -> list[Edit]:
    """Write out the uses whose edits are not those of the anchored value, the innermost first."""
    wanted: dict[int, set[Edit]] = defaultdict(set)
    given: dict[Span, set[Edit]] = defaultdict(set)
    free: list[Edit] = []
    for edit, owner, own in proposals:
        through, anchored = _chains(owner if own else owner.parent)
        for use in through:
            wanted[id(use)].add(edit)
        for span in anchored:
            given[span].add(edit)
        if not through:
            free.append(edit)
    for use in _inside_out(uses):
        gone = wanted[id(use)]
        if gone == given[(use.outer, use.end)]:
            continue
        assert use.alias is not None
        edit = Edit(use.alias.start, use.alias.end, written_out(layout.text, use, gone), WHY)
        through, anchored = _chains(use.parent)
        for each in through:
            wanted[id(each)] = (wanted[id(each)] - gone) | {edit}
        for span in anchored:
            given[span] = (given[span] - gone) | {edit}
        if not through:
            free.append(edit)
    return free


def _inside_out(uses: list[Node]) -> list[Node]:
    """Return `uses` so that each stands behind those inside it and inside the value that it repeats."""
    inside = Counter(id(outer) for use in uses for outer in _chains(use.parent)[0])
    return sorted(uses, key=lambda use: inside[id(use)])


def _chains(node: Node | None) -> tuple[list[Node], list[Span]]:
    """Return the alias uses and the spans of the anchored values that `node` is or is part of."""
    through: list[Node] = []
    anchored: list[Span] = []
    while node is not None:
        if node.alias is not None:
            through.append(node)
        elif node.anchor:
            anchored.append((node.outer, node.end))
        node = node.parent
    return through, anchored


def _unanchored(layout: Layout, root: Node, edits: list[Edit]) -> list[Edit]:
    """Write out the aliases whose anchor goes with the text around it."""
    spans = sorted((edit.start, edit.end) for edit in edits)
    done = list(edits)
    for token, node in _tokens(root):
        if not _covers(spans, token[0]) and _covers(spans, node.outer):
            done.append(Edit(*token, written_out(layout.text, node), WHY))
    return done


def _covers(spans: list[Span], offset: int) -> bool:
    at = bisect.bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return at >= 0 and offset < spans[at][1]


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

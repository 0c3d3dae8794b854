"""Merge keys written out, where what they bring and what overrides it would need two translations (M13)."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.cuts import cut_pairs, key_start
from transforms.edits import Edit, splice
from transforms.flow import written_out
from transforms.layout import Layout
from transforms.nodes import Mapping, Node, Pair, written

WHY = "M13"


def merges(root: Node) -> list[Mapping]:
    """Return the mappings of a document that have a merge key, in the order of the text."""
    return [node for node in written(root) if isinstance(node, Mapping) and _merge(node) is not None]


def _merge(node: Mapping) -> Pair | None:
    own = {id(pair.key) for pair in node.entries.values()}
    return next((pair for pair in node.written if pair.key.step == "<<" and id(pair.key) not in own), None)


def unmerged(layout: Layout, mappings: list[Mapping]) -> list[Edit]:
    """Return the edits that put, in the place of the merge keys of `mappings`, the pairs they bring."""
    edits = [edit for mapping in mappings for edit in _expanded(layout, mapping)]
    return sorted(edits)


def _expanded(layout: Layout, mapping: Mapping) -> Iterator[Edit]:
    merge = _merge(mapping)
    assert merge is not None
    own = {id(pair.key) for pair in mapping.written}
    brought = [pair for pair in mapping.entries.values() if id(pair.key) not in own]
    if not brought:
        yield from cut_pairs(layout, mapping, {"<<"}, WHY)
        return
    start = key_start(layout, merge.key.first)
    gap = ", " if mapping.flow else layout.newline(start) + " " * layout.column(start)
    yield Edit(start, merge.value.last, gap.join(_text(layout, pair) for pair in brought), WHY)


def _text(layout: Layout, pair: Pair) -> str:
    return f"{layout.text[pair.key.start : pair.key.end]}: {written_out(layout.text, pair.value)}"


def composed(text: str, first: list[Edit], second: list[Edit]) -> list[Edit]:
    """Return the edits of `text` that do what `first` does and then `second` to its outcome."""
    middle = splice(text, first)
    spans: list[tuple[int, int, Edit | None]] = []
    shift = 0
    for edit in first:
        spans.append((edit.start + shift, edit.start + shift + len(edit.new), None))
        shift += len(edit.new) - (edit.end - edit.start)
    spans += [(edit.start, edit.end, edit) for edit in second]
    return [_joined(middle, first, group) for group in _touching(sorted(spans, key=lambda span: span[:2]))]


Group = list[tuple[int, int, Edit | None]]


def _touching(spans: Group) -> Iterator[Group]:
    group: Group = []
    end = 0
    for span in spans:
        if group and (span[0] > end or (span[0] == end and None not in (span[2], group[-1][2]))):
            yield group
            group = []
        group.append(span)
        end = max(end, span[1])
    if group:
        yield group


def _joined(middle: str, first: list[Edit], group: Group) -> Edit:
    low, high = group[0][0], max(span[1] for span in group)
    done = [edit for _start, _end, edit in group if edit is not None]
    moved = [edit._replace(start=edit.start - low, end=edit.end - low) for edit in done]
    new = splice(middle[low:high], sorted(moved))
    why = done[0].why if done else WHY
    return Edit(_origin(first, low, False), _origin(first, high, True), new, why)


def _origin(first: list[Edit], offset: int, after: bool) -> int:
    """Return the place before `first` of an offset that stands behind it, `after` an edit that ends there."""
    shift = 0
    for edit in first:
        start = edit.start + shift
        if offset < start or (offset == start and not (after and not edit.new)):
            break
        shift += len(edit.new) - (edit.end - edit.start)
    return offset - shift

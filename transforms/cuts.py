"""Taking data out of a text while every comment stays: rules M8, M9 and M12 of `migration.md` 11."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from transforms.edits import Edit
from transforms.layout import Layout
from transforms.nodes import Mapping, Pair, Scalar, Sequence


def cut(layout: Layout, start: int, end: int, why: str) -> Iterator[Edit]:
    """Yield the edits that take the data between two offsets out.

    A line with nothing else on it goes; where a comment stands behind the data, it becomes a comment
    line with the line's indentation; comment lines and blank lines in between stay.
    """
    while start < end:
        line = layout.line(start)
        stop = _data_end(layout, line, end)
        if layout.text[start:stop].strip():
            yield _cut_line(layout, line, start, stop, why)
        start = layout.begin(line + 1)


def put(layout: Layout, start: int, end: int, new: str, why: str) -> Iterator[Edit]:
    """Yield the edits that put `new` in the place of the data between two offsets, comments left where they are."""
    line = layout.line(start)
    stop = _data_end(layout, line, end)
    yield Edit(start, start + len(layout.text[start:stop].rstrip()), new, why)
    yield from cut(layout, layout.begin(line + 1), end, why)


def _data_end(layout: Layout, line: int, end: int) -> int:
    """Return where the data on `line` ends as far as it stands before `end`; a comment is none."""
    comment = layout.comment(line)
    return min(end, layout.end(line) if comment is None else comment.start)


def _cut_line(layout: Layout, line: int, begin: int, stop: int, why: str) -> Edit:
    text = layout.text
    left, right = text[layout.begin(line) : begin], text[stop : layout.end(line)]
    if right.strip():
        if right.startswith("#") and left.strip():
            stop = begin + len(text[begin:stop].rstrip())
        elif not left.strip():
            begin += len(text[begin:stop]) - len(text[begin:stop].lstrip())
            stop += len(right) - len(right.lstrip())
        return Edit(begin, stop, "", why)
    if left.strip():
        return Edit(layout.begin(line) + len(left.rstrip()), layout.end(line), "", why)
    return Edit(layout.begin(line), layout.begin(line + 1), "", why)


def cut_pairs(layout: Layout, mapping: Mapping, names: Collection[str], why: str) -> Iterator[Edit]:
    """Yield the edits that take the pairs under `names` out of `mapping`, as far as it writes them itself."""
    pairs = [i for i, pair in enumerate(mapping.written) if pair.key.step in names]
    if mapping.flow:
        spans = [(key_start(layout, pair.key.first), _end(pair)) for pair in mapping.written]
        yield from _cut_flow(layout, spans, pairs, why)
        return
    for at in pairs:
        pair = mapping.written[at]
        yield from cut(layout, key_start(layout, pair.key.first), _end(pair), why)


def cut_items(layout: Layout, sequence: Sequence, indexes: Collection[int], why: str) -> Iterator[Edit]:
    """Yield the edits that take items out of a list."""
    if sequence.flow:
        spans = [(item.first, item.last) for item in sequence.items]
        yield from _cut_flow(layout, spans, indexes, why)
        return
    dashes = layout.dashes(sequence)
    for at in indexes:
        yield from cut(layout, dashes[at], sequence.items[at].last, why)


def _end(pair: Pair) -> int:
    return max(pair.key.last, pair.value.last)


def key_start(layout: Layout, start: int) -> int:
    """Return the place of an explicit key's question mark before the key at `start`, else `start`."""
    before = layout.text[layout.begin(layout.line(start)) : start]
    return start - len(before) + before.rindex("?") if before.rstrip().endswith("?") else start


Span = tuple[int, int]


def _cut_flow(layout: Layout, spans: list[Span], indexes: Collection[int], why: str) -> Iterator[Edit]:
    """Yield the edits that take entries, each with one comma, out of a flow collection."""
    merged: list[tuple[Span, bool]] = []
    for i, span in enumerate(spans):
        if i in indexes and merged and merged[-1][1]:
            merged[-1] = ((merged[-1][0][0], span[1]), True)
        else:
            merged.append((span, i in indexes))
    for i, (span, goes) in enumerate(merged):
        if goes:
            before = merged[i - 1][0] if i else None
            after = merged[i + 1][0] if i + 1 < len(merged) else None
            yield from _cut_run(layout, span, before, after, why)


def _cut_run(layout: Layout, span: Span, before: Span | None, after: Span | None, why: str) -> Iterator[Edit]:
    start, end = span
    comma = layout.comma(end)
    if comma is not None:
        near = after is not None and layout.line(after[0]) == layout.line(end)
        yield from cut(layout, start, after[0] if after is not None and near else comma + 1, why)
    elif before is None:
        yield from cut(layout, start, end, why)
    elif layout.line(before[1]) == layout.line(start):
        yield from cut(layout, before[1], end, why)
    else:
        last = layout.comma(before[1])
        assert last is not None
        yield Edit(last, last + 1, "", why)
        yield from cut(layout, start, end, why)


def close_gaps(layout: Layout, edits: Iterable[Edit]) -> list[Edit]:
    """Return `edits` and what removed lines ask for around them.

    Of runs of blank lines that would touch, the longest stays; at the start and end of the file none
    does, and a file that ends without a line break still does, unless the break is text of a block
    scalar. What comes to stand below a block scalar must not become part of its text.
    """
    asked = list(edits)
    gone = {layout.line(edit.start) for edit in asked if not edit.new and _is_whole(layout, edit)}
    if not gone:
        return asked
    done = list(asked)
    tails = [_tail(layout, node) for node in layout.block_scalars()]
    texts = {line for tail in tails for line in tail.lines}
    keeps = {tail.last for tail in tails if tail.keeps}
    breaks = {tail.last for tail in tails if tail.breaks}
    for first, last in _stretches(layout, gone, texts):
        done += _close(layout, gone, first, last, first - 1 in keeps)
        if first - 1 not in breaks:
            done += _unbroken(layout, first, last)
    for tail in tails:
        done += _held_apart(layout, gone, asked, tail)
    return done


def _is_whole(layout: Layout, edit: Edit) -> bool:
    line = layout.line(edit.start)
    return edit.start == layout.begin(line) and edit.end == layout.begin(line + 1)


def _total(layout: Layout) -> int:
    """Return how many lines there are; what follows a final line break is none."""
    return layout.line(len(layout.text) - 1) + 1


class _Tail(NamedTuple):
    """The end of a block scalar: its last line and whether that line's break is its text, then whether blank
    lines below are its text, and those lines.
    """

    last: int
    breaks: bool
    keeps: bool
    lines: list[int]
    column: int


def _tail(layout: Layout, node: Scalar) -> _Tail:
    header = layout.text[node.start : node.start + 3]
    first, last = layout.line(node.start), layout.line(node.end)
    keeps = "+" in header
    below = range(last + 1, _total(layout))
    lines = list(itertools.takewhile(layout.is_blank, below)) if keeps else []
    return _Tail(max([last, *lines]), "-" not in header, keeps, lines, layout.indentation(first))


def _held_apart(layout: Layout, gone: set[int], edits: Iterable[Edit], tail: _Tail) -> Iterator[Edit]:
    """Move a comment line that comes to stand right below a block scalar out of its indentation."""
    below = range(tail.last + 1, _total(layout))
    between = list(itertools.takewhile(lambda line: line in gone or layout.is_blank(line), below))
    line = tail.last + 1 + len(between)
    comment = layout.comment(line)
    if comment is None or tail.last in gone:
        return
    begin, indent = layout.begin(line), layout.indentation(line)
    bared = any(edit.start == begin + indent and edit.end == comment.start for edit in edits)
    own = comment.start == begin + indent
    if indent > tail.column and (bared or (own and not gone.isdisjoint(between))):
        yield Edit(begin, begin + indent, " " * tail.column, "M8")


def _stretches(layout: Layout, gone: set[int], texts: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines that are gone or blank around lines that are gone, last exclusive."""

    def is_open(line: int) -> bool:
        return layout.is_blank(line) and line not in texts

    seen = range(0)
    for line in sorted(gone):
        if line in seen:
            continue
        first, last = line, line + 1
        while first > 0 and is_open(first - 1):
            first -= 1
        while last < _total(layout) and (last in gone or is_open(last)):
            last += 1
        seen = range(last)
        yield first, last


def _close(layout: Layout, gone: set[int], first: int, last: int, tight: bool) -> Iterator[Edit]:
    """Yield the edits that leave at most one run of blank lines in a stretch, none when it must be tight."""
    runs: list[list[int]] = [[]]
    for line in range(first, last):
        if line in gone:
            runs.append([])
        else:
            runs[-1].append(line)
    at_edge = first == 0 or last == _total(layout)
    kept = [] if at_edge or tight else max(runs, key=len)
    for run in runs:
        if run is not kept:
            for line in run:
                yield Edit(layout.begin(line), layout.begin(line + 1), "", "M9")


def _unbroken(layout: Layout, first: int, last: int) -> Iterator[Edit]:
    """Yield the edit by which a file that ends without a line break still does."""
    if last == _total(layout) and first > 0 and layout.end(last - 1) == len(layout.text):
        yield Edit(layout.end(first - 1), layout.begin(first), "", "M12")

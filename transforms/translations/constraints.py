"""A list of constraints becomes one mapping: rules M4, M5 and M10 of `migration.md` 11."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.cuts import cut, cut_pairs, key_start, put
from transforms.edits import Edit
from transforms.flow import written_out
from transforms.layout import Layout
from transforms.nodes import Mapping, Pair, Sequence, pair_of
from transforms.proposals import Proposal, inside, tag

WHY = "constraints"


def constraints(layout: Layout, stage: Mapping) -> Iterator[Proposal]:
    """Yield the edits that turn the stage's list of constraints into a mapping."""
    pair = stage.entries.get("constraints")
    if pair is None or not isinstance(pair.value, Sequence):
        return
    sequence = pair.value
    found = tag(layout.text, sequence)
    if found is not None and sequence.items:
        new = found.group().replace("seq", "map")
        yield Proposal(Edit(found.start(), found.end(), new, WHY), sequence)
    if not sequence.items:
        yield from inside(stage, cut_pairs(layout, stage, {"constraints"}, WHY))
    elif sequence.flow:
        yield from inside(sequence, _flow(layout, sequence))
    else:
        yield from inside(sequence, _block(layout, sequence))


def _flow(layout: Layout, sequence: Sequence) -> Iterator[Edit]:
    yield Edit(sequence.start, sequence.start + 1, "{", WHY)
    for item in sequence.items:
        assert isinstance(item, Mapping)
        entry = _only(item)
        if _is_indirect(item):
            yield from put(layout, item.first, item.last, _text(layout, entry), WHY)
        else:
            yield from _unwrap(layout, item, item.first, entry)
    yield Edit(sequence.end - 1, sequence.end, "}", WHY)


def _unwrap(layout: Layout, item: Mapping, start: int, pair: Pair) -> Iterator[Edit]:
    """Yield the edits that take what stands from `start` to the key and behind the value of an entry."""
    key = key_start(layout, pair.key.first)
    if layout.same_line(start, key):
        yield Edit(start, key, "", WHY)
    else:
        yield from cut(layout, start, key, WHY)
    yield from _close(layout, item, pair)


def _close(layout: Layout, item: Mapping, pair: Pair) -> Iterator[Edit]:
    """Yield the edits that take the closing brace of an entry, if it has one."""
    yield from cut(layout, pair.value.last, item.end, WHY)


def _only(item: Mapping) -> Pair:
    [pair] = item.entries.values()
    return pair


def _is_indirect(item: Mapping) -> bool:
    """Tell whether the entry's key and value stand elsewhere: behind an alias or a merge key."""
    return item.alias is not None or [pair.key for pair in item.written] != [_only(item).key]


def _text(layout: Layout, pair: Pair) -> str:
    return f"{layout.text[pair.key.start : pair.key.end]}: {written_out(layout.text, pair.value)}"


def _block(layout: Layout, sequence: Sequence) -> Iterator[Edit]:
    dashes = layout.dashes(sequence)
    column = _column(layout, sequence, layout.column(dashes[0]))
    for item, dash in zip(sequence.items, dashes, strict=True):
        assert isinstance(item, Mapping)
        yield from _entry(layout, item, dash, column)


def _column(layout: Layout, sequence: Sequence, dash: int) -> int:
    """Return the column of the new keys: that of the dashes, or behind them if the list's key stands there."""
    pair = pair_of(layout.definition(sequence))
    if pair is None or dash > layout.column(pair.key.first):
        return dash
    starts = (key_start(layout, item.start) for item in sequence.items if item.alias is None)
    return min(map(layout.column, starts), default=dash + 2)


def _entry(layout: Layout, item: Mapping, dash: int, column: int) -> Iterator[Edit]:
    pair = _only(item)
    margin = " " * (column - layout.column(dash))
    if _is_indirect(item):
        yield from put(layout, dash, item.last, margin + _text(layout, pair), WHY)
        return
    colon = layout.colon(pair.key)
    marked = not layout.same_line(pair.key.first, colon) and not _hangs(layout, pair, colon)
    key = key_start(layout, pair.key.first) if marked else pair.key.first
    if layout.same_line(dash, key):
        yield Edit(dash, key, margin, WHY)
    else:
        begin = layout.begin(layout.line(key))
        yield from cut(layout, dash, begin, WHY)
        yield Edit(begin, key, " " * column, WHY)
    yield from _close(layout, item, pair)
    if key < pair.key.first:  # an explicit key, whose colon goes along below it
        yield Edit(layout.begin(layout.line(colon)), colon, " " * column, WHY)
    elif _hangs(layout, pair, colon):  # the colon joins its key, and the lines below it stay
        yield Edit(pair.key.last, pair.key.last, ":", WHY)
        yield Edit(colon, colon + 1, " ", WHY)
    if item.flow and not layout.text[colon + 1].isspace():  # as braces allow behind a quoted key
        yield Edit(colon + 1, colon + 1, " ", WHY)


def _hangs(layout: Layout, pair: Pair, colon: int) -> bool:
    """Tell whether the value is a block that begins behind the colon of an explicit key, so that its lines
    are as far in as the colon is.
    """
    value = pair.value
    return (
        isinstance(value, (Mapping, Sequence))
        and not (value.flow or value.alias)
        and not layout.same_line(pair.key.first, colon)
        and layout.same_line(colon, value.start)
    )

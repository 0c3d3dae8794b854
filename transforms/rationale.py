"""Comments that give reasons for a delegation, which a tier could not carry (`migration.md` 5)."""

from __future__ import annotations

from transforms.delegation import KNOBS, PAGE
from transforms.layout import Layout
from transforms.nodes import Mapping, Pair, Sequence, pair_of


def has_rationale(layout: Layout, pair: Pair) -> bool:
    """Tell whether the block under the key of `pair` holds a comment that keeps its matrix written out."""
    block = pair.value
    assert isinstance(block, Mapping)
    own = [each for each in block.written if each.key.step in KNOBS or each.key.step == PAGE]
    return any(_above(layout, block, each) or _behind(layout, block, each) for each in own) or _below(
        layout, pair, block
    )


def _above(layout: Layout, block: Mapping, pair: Pair) -> bool:
    at = block.written.index(pair)
    if at == 0:
        return bool(layout.own_lines(_opening(layout, block), pair.key.first))
    before = block.written[at - 1]
    found = layout.own_lines(before.value.last, pair.key.first)
    if before.key.step == PAGE and _is_block_list(before):
        column = layout.column(pair.key.first)
        return any(layout.column(comment.start) == column for comment in found)
    return bool(found)


def _opening(layout: Layout, block: Mapping) -> int:
    """Return where the block begins in the text: behind its key, its anchor or its brace."""
    first = block.written[0].key.first
    return block.start if block.flow else _back(layout, first)


def _back(layout: Layout, offset: int) -> int:
    """Return the offset behind the last line above `offset`, which there is, that is neither blank nor a comment."""
    line = layout.line(offset)
    while layout.text[layout.begin(line - 1) : layout.end(line - 1)].strip()[:1] in ("", "#"):
        line -= 1
    return layout.begin(line)


def _behind(layout: Layout, block: Mapping, pair: Pair) -> bool:
    if pair.key.step == PAGE:
        return _is_block_list(pair) and layout.comment(layout.line(pair.key.start)) is not None
    first, last = layout.line(pair.key.first), layout.line(max(pair.key.last, pair.value.last))
    found = [comment for line in range(first, last + 1) if (comment := layout.comment(line)) is not None]
    # Behind the brace that closes a block, a comment belongs to the line of the block's own key.
    return any(not block.flow or comment.start < block.end for comment in found)


def _is_block_list(pair: Pair) -> bool:
    return isinstance(pair.value, Sequence) and not pair.value.flow and pair.value.alias is None


def _below(layout: Layout, pair: Pair, block: Mapping) -> bool:
    if not block.written or block.written[-1].key.step not in KNOBS:
        return False
    last = block.written[-1].value.last
    home = pair_of(layout.definition(block)) or pair
    column = layout.column(home.key.first)
    found = layout.own_lines(last, layout.skip(last))
    return any(layout.column(comment.start) > column for comment in found)

"""`operator_agent` becomes `actions` or an `autonomy` tier: rule M7 of `migration.md` 11."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.cuts import cut, cut_items, cut_pairs, key_start, put
from transforms.delegation import KNOBS, PAGE, RENAMED_EVENTS, SEVERITY, matrix, tier
from transforms.edits import Edit
from transforms.flow import scalar
from transforms.layout import Layout
from transforms.nodes import Mapping, Pair, Scalar, Sequence, plain
from transforms.proposals import Proposal, beside, inside, is_quoted, rename, retoken, tag
from transforms.rationale import has_rationale

WHY = "operator_agent"


def spelled_out(layout: Layout, holder: Mapping) -> str | None:
    """Return the pointer of the holder's block if it keeps its matrix although a tier equals it."""
    pair = holder.entries.get("operator_agent")
    if pair is None or not isinstance(pair.value, Mapping) or tier(plain(pair.value)) is None:
        return None
    return pair.value.pointer if has_rationale(layout, pair) else None


def delegation(layout: Layout, holder: Mapping, kept: frozenset[str]) -> Iterator[Proposal]:
    """Yield the edits for the block of a workflow or gate; `kept` holds the blocks that stay matrices."""
    pair = holder.entries.get("operator_agent")
    if pair is None or not isinstance(pair.value, Mapping):
        return
    block = pair.value
    data = plain(block)
    name = None if block.pointer in kept else tier(data)
    yield rename(layout.text, pair, "actions" if name is None else "autonomy", WHY)
    if name is None and matrix(data):
        yield from _matrix(layout, block)
    else:
        yield from _collapse(layout, pair, block, "{}" if name is None else beside(layout.text, pair, name))


def _collapse(layout: Layout, pair: Pair, block: Mapping, word: str) -> Iterator[Proposal]:
    """Put one word in the place of a whole block; comments stay as comment lines."""
    found = tag(layout.text, block)
    if found is not None:
        blanks = len(layout.text[: found.start()]) - len(layout.text[: found.start()].rstrip(" \t"))
        yield Proposal(Edit(found.start() - blanks, found.end(), "", WHY), block)
    if block.flow:
        yield from inside(block, put(layout, block.start, block.end, word, WHY))
        return
    if block.alias is None:
        behind = layout.colon(pair.key) + 1
        if block.anchor:
            behind = layout.text.index(f"&{block.anchor}", block.outer) + 1 + len(block.anchor)
        yield Proposal(Edit(behind, behind, f" {word}", WHY), block, False)
    yield from inside(block, cut(layout, key_start(layout, block.start), block.end, WHY))


def _matrix(layout: Layout, block: Mapping) -> Iterator[Proposal]:
    gone = {SEVERITY}
    for name, pair in block.entries.items():
        if name in KNOBS:
            yield from _knob(layout, block, pair)
        elif name == PAGE and isinstance(pair.value, Sequence):
            if pair.value.items:
                yield rename(layout.text, pair, "page_human_on", WHY)
                yield from _events(layout, pair.value)
            else:
                gone.add(PAGE)
    yield from inside(block, cut_pairs(layout, block, gone, WHY))


def _knob(layout: Layout, block: Mapping, pair: Pair) -> Iterator[Proposal]:
    knob = KNOBS[str(pair.key.step)]
    value = pair.value
    assert isinstance(value, Scalar)
    yield rename(layout.text, pair, knob.action, WHY)
    mode, auto, when = (beside(layout.text, pair, word) for word in ("mode", "auto", "when"))
    lead = f"{{{mode}: {auto}, {when}: "
    tail = _severity(layout, block, pair) if knob.action == "fixup" else ""
    if value.style in ("|", ">"):
        new = f"{lead}{beside(layout.text, pair, knob.condition)}{tail}}}"
        yield from inside(value, put(layout, value.start, value.end, new, WHY))
        return
    yield Proposal(Edit(value.first, value.first, lead, WHY), value, False)
    yield Proposal(Edit(value.last, value.last, f"{tail}}}", WHY), value, False)


def _severity(layout: Layout, block: Mapping, pair: Pair) -> str:
    severity = block.get(SEVERITY)
    if not isinstance(severity, Scalar):
        return ""
    value = f'"{severity.text}"' if is_quoted(layout.text, pair) else scalar(severity)
    return f", {beside(layout.text, pair, 'min_severity')}: {value}"


def _events(layout: Layout, sequence: Sequence) -> Iterator[Proposal]:
    seen: set[str] = set()
    again = []
    for at, item in enumerate(sequence.items):
        assert isinstance(item, Scalar)
        name = RENAMED_EVENTS.get(item.text, item.text)
        if name in seen:
            again.append(at)
        elif name != item.text:
            yield Proposal(retoken(layout.text, item, name, WHY), item)
        seen.add(name)
    yield from inside(sequence, cut_items(layout, sequence, again, WHY))

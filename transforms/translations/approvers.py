"""`approvers` over roles become `approvals` over people: rule M6 of `migration.md` 11."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.cuts import cut_items, key_start
from transforms.edits import Edit
from transforms.gates import Approvers, Gate, Roles, people, translated
from transforms.layout import Layout
from transforms.nodes import Node, Scalar, Sequence
from transforms.proposals import Proposal, beside, inside, rename, retoken, token

WHY = "approvers"


def approvers(layout: Layout, gate: Gate, known: Roles) -> Iterator[Proposal]:
    """Yield the edits that turn the gate's `approvers` into `approvals`."""
    found = gate.approvers
    approvals = translated(found, known) if found is not None and gate.old else None
    if found is None or approvals is None:
        return
    yield rename(layout.text, gate.node.entries["approvers"], "approvals", WHY)
    yield from _count(layout, found, approvals["count"])
    yield from _names(layout, found.names, known)


def _count(layout: Layout, found: Approvers, count: int) -> Iterator[Proposal]:
    pair = found.node.entries[found.form]
    yield rename(layout.text, pair, "members", WHY)
    start = key_start(layout, pair.key.first)
    entry = f"{beside(layout.text, pair, 'count')}: {count}"
    if found.node.flow:
        entry += ", "
    else:
        entry += layout.newline(start) + " " * layout.column(start)
    yield Proposal(Edit(start, start, entry, WHY), pair.value, False)


def _names(layout: Layout, names: Sequence, known: Roles) -> Iterator[Proposal]:
    listed: set[str] = set()
    idle = []
    dashes = layout.dashes(names)
    for at, item in enumerate(names.items):
        assert isinstance(item, Scalar)
        fresh = [name for name in dict.fromkeys(people(known[item.text])) if name not in listed]
        listed.update(fresh)
        if not fresh:
            idle.append(at)
            continue
        others = [token(layout.text, item, name) for name in fresh[1:]]
        yield Proposal(retoken(layout.text, item, fresh[0], WHY), item)
        if others and names.flow:
            new = "".join(f", {name}" for name in others)
            yield Proposal(Edit(item.last, item.last, new, WHY), names)
        elif others:
            yield Proposal(_lines(layout, dashes[at], item, others), names)
    yield from inside(names, cut_items(layout, names, idle, WHY))


def _lines(layout: Layout, dash: int, item: Node, names: list[str]) -> Edit:
    """Put further names on lines of their own below the role's line."""
    newline = layout.newline(dash)
    gap = layout.text[dash + 1 : item.first]
    lead = " " * layout.column(dash) + "-" + (gap if set(gap) == {" "} else " ")
    lines = [lead + name for name in names]
    line = layout.line(item.last)
    at = layout.begin(line + 1)
    if layout.end(line) == at:
        return Edit(at, at, "".join(newline + each for each in lines), WHY)
    return Edit(at, at, "".join(each + newline for each in lines), WHY)

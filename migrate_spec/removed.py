"""Spellings that major 2 removed or renamed (`resolution.md` 3), looked for where the old grammar had them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.messages import listed, show
from transforms import delegation
from transforms.finding import Finding, at_key, at_value, error
from transforms.nodes import Mapping, Node, Pair, Scalar, Sequence, plain
from transforms.wording import printable

SETTINGS = {
    **{name: f"actions.{knob.action}" for name, knob in delegation.KNOBS.items()},
    delegation.SEVERITY: "actions.fixup.min_severity",
    delegation.PAGE: "actions.page_human_on",
    delegation.POLICY: "actions.model_policy",
}
"""Where each setting of `operator_agent` went."""

PAGE_EVENTS = ("gating_reviewer_reject", "advisory_reviewer_reject")
"""What takes the place of the page event `reviewer_reject`."""


def forms(root: Mapping) -> list[Finding]:
    """Return the removed and renamed spellings in `root`, each at its pointer, no block searched twice."""
    return list(_root(root))


def _root(root: Mapping) -> Iterator[Finding]:
    pair = root.entries.get("roles")
    if pair is not None and isinstance(pair.value, Mapping):
        yield _roles(pair)
    yield from _blocks(root.get("defaults"))
    for workflow in _mappings(root.get("workflows")):
        yield from _workflow(workflow)


def _workflow(workflow: Mapping) -> Iterator[Finding]:
    pair = workflow.entries.get("drive")
    if pair is not None:
        yield _drive(pair)
    yield from _delegation(workflow)
    yield from _blocks(workflow.get("defaults"))
    for stage in workflow.items("stages"):
        if isinstance(stage, Mapping):
            yield from _stage(stage)


def _stage(stage: Mapping) -> Iterator[Finding]:
    yield from _blocks(stage)
    pair = stage.entries.get("constraints")
    if pair is not None and isinstance(pair.value, Sequence):
        yield _constraints(pair.value)
    for gate in stage.items("gates"):
        if isinstance(gate, Mapping):
            yield from _gate(gate)


def _gate(gate: Mapping) -> Iterator[Finding]:
    pair = gate.entries.get("approvers")
    if pair is not None and isinstance(pair.value, Mapping):
        yield _approvers(pair)
    yield from _delegation(gate)


def _blocks(holder: Node | None) -> Iterator[Finding]:
    """Search the reviewers and the budget of a stage or of a `defaults` block."""
    if not isinstance(holder, Mapping):
        return
    for block, name, found in (
        ("reviewers", "agent", _reviewers_agent),
        ("budget", "max_runtime_minutes", _runtime_minutes),
    ):
        mapping = holder.mapping(block)
        pair = mapping.entries.get(name) if mapping is not None else None
        if pair is not None:
            yield found(pair)


def _delegation(holder: Mapping) -> Iterator[Finding]:
    """Search what a workflow or gate says about delegation."""
    pair = holder.entries.get("operator_agent")
    if pair is not None:
        yield _operator_agent(pair)
    actions = holder.mapping("actions")
    for event in actions.items("must_page_human") if actions is not None else ():
        if isinstance(event, Scalar) and event.value == "reviewer_reject":
            yield _page_event(event)


def _mappings(node: Node | None) -> Iterator[Mapping]:
    if isinstance(node, Mapping):
        yield from (pair.value for pair in node.entries.values() if isinstance(pair.value, Mapping))


def _at_key(rule: str, pair: Pair, message: str, hint: str) -> Finding:
    return error(rule, pair.value.pointer, at_key(pair), message, hint)


# -- what each of them is told -------------------------------------------------


def _roles(pair: Pair) -> Finding:
    message = "version 2 has no roles; each gate says itself who may approve"
    hint = "name a group in approvals.member_of, or people in approvals.members, and remove roles"
    return _at_key("v2-removed-roles", pair, message, hint)


def _approvers(pair: Pair) -> Finding:
    assert isinstance(pair.value, Mapping)
    named = [_short(f"{printable(str(kind))}: ", entry.value) for kind, entry in pair.value.entries.items()]
    found = f" ({'; '.join(named)})" if named else ""
    message = f"version 2 has no approvers{found}; a gate counts approvals"
    hint = (
        "there is no mechanical swap: decide how many must approve and out of whom, "
        "then write approvals: with count and one of members, member_of, min_permission"
    )
    return _at_key("v2-removed-approvers", pair, message, hint)


def _operator_agent(pair: Pair) -> Finding:
    message = (
        "version 2 has no operator_agent; autonomy (a tier) and actions (a mode for each class) "
        "say what is delegated"
    )
    moves = listed(f"{old} is {new}" for old, new in SETTINGS.items())
    hint = f"{moves}; a setting that was left out is mode: gated"
    return _at_key("v2-removed-operator-agent", pair, message, hint)


def _drive(pair: Pair) -> Finding:
    value = pair.value.value if isinstance(pair.value, Scalar) else True
    written = f"write auto_advance: {show(value)}" if isinstance(value, bool) else "rename it to auto_advance"
    holder = pair.value.parent
    if isinstance(holder, Mapping) and "auto_advance" in holder.entries:
        written = "remove drive, since auto_advance is written too"
    return _at_key("v2-renamed-drive", pair, "drive is called auto_advance in version 2", written)


def _constraints(value: Sequence) -> Finding:
    kinds = [
        _short(f"{printable(str(kind))}: ", pair.value) for item in value.items for kind, pair in _pairs(item)
    ]
    example = ", ".join(kinds[:_SHOWN]) or "max_files_changed: 20"
    more = ", …" if len(kinds) > _SHOWN else ""
    message = "constraints is a list; version 2 takes one object with a key for each kind"
    hint = f"write constraints: {{{example}{more}}}, each kind at most once"
    return error("v2-reshaped-constraints", value.pointer, at_value(value), message, hint)


def _pairs(item: Node) -> Iterator[tuple[object, Pair]]:
    if isinstance(item, Mapping):
        yield from item.entries.items()


def _reviewers_agent(pair: Pair) -> Finding:
    count = _whole(pair.value)
    message = "version 2 has no count of agent reviewers; reviewers.agents lists them"
    if count == 0:
        return _at_key("v2-removed-reviewers-agent", pair, message, "remove it: none is what no agents means")
    times = f", with {count} entries" if count is not None and count > 1 else ""
    hint = f"write agents: [{{provider: claudecode}}]{times}"
    return _at_key("v2-removed-reviewers-agent", pair, message, hint)


def _runtime_minutes(pair: Pair) -> Finding:
    minutes = _whole(pair.value)
    message = "max_runtime_minutes is called max_runtime in version 2 and takes a duration"
    hint = f"write max_runtime: {minutes}m" if minutes else "write a duration: 15 becomes max_runtime: 15m"
    return _at_key("v2-renamed-max-runtime-minutes", pair, message, hint)


def _whole(node: Node) -> int | None:
    """Return the whole number that `node` is, None when it is none or below zero."""
    value = node.value if isinstance(node, Scalar) else None
    return value if type(value) is int and value >= 0 else None


def _page_event(event: Scalar) -> Finding:
    gating, advisory = PAGE_EVENTS
    message = f"version 2 has no page event reviewer_reject; it is {gating} or {advisory} now"
    hint = f"write page_human_on with {gating}, {advisory} or both"
    return error("v2-removed-page-event", event.pointer, at_value(event), message, hint)


_SHOWN = 4


def _short(before: str, node: Node) -> str:
    """Return a value the author wrote, short enough for a message, behind `before`."""
    if isinstance(node, Mapping):
        return f"{before}{{…}}"
    if isinstance(node, Sequence):
        items = [item.value for item in node.items[:_SHOWN] if isinstance(item, Scalar)]
        more = ", …" if len(items) < len(node.items) else ""
        return f"{before}[{', '.join(map(show, items))}{more}]"
    return before + show(plain(node))

"""What has no faithful translation: refusals R1 to R6 and R8 of `migration.md` 7, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from transforms import delegation
from transforms.finding import Finding, Place, at_value, error
from transforms.gates import Gate, Roles, approval_gates, flaw, is_team, roles, stages, workflows
from transforms.nodes import Mapping, Node, Scalar, Sequence
from transforms.pointer import join

BY_HAND = "write the approvals block by hand and run this again"


def refusals(root: Mapping) -> list[Finding]:
    """Return all refusals of a valid document; the rule of each finding is the code."""
    known = roles(root)
    found = list(_teams(root))
    for workflow in workflows(root):
        found += _delegation(workflow.get("operator_agent"))
        for stage in stages(workflow):
            found += _stage(stage)
            for gate in approval_gates(stage):
                found += _gate(gate, known)
    return found


def _teams(root: Mapping) -> Iterator[Finding]:
    block = root.mapping("roles")
    for name, pair in block.entries.items() if block is not None else ():
        members = pair.value.items("members") if isinstance(pair.value, Mapping) else []
        for member in members:
            if isinstance(member, Scalar) and is_team(member.text):
                team = member.text.removeprefix("@")
                yield error(
                    "R3_team_member_ref",
                    join("/roles", name),
                    at_value(member),
                    f"the role {name} holds the team {member.text}; approvals.members lists single"
                    " people and approvals.member_of is one group, so the role has no translation",
                    f"write member_of: {team} on the gate by hand, or list the team's people in the role",
                )


def _stage(stage: Mapping) -> Iterator[Finding]:
    name = stage.text("id") or "(no id)"
    reviewers = stage.mapping("reviewers")
    count = reviewers.get("agent") if reviewers is not None else None
    if isinstance(count, Scalar):
        yield error(
            "R4_reviewers_agent_count",
            count.pointer,
            at_value(count),
            f"stage {name} asks for a bare number of agent reviewers ({count.text});"
            " each reviewer of major 2 needs a provider, and none is written here",
            "name them: agents: [{provider: claudecode}, {provider: codex}]",
        )
    yield from _constraints(stage, name)


def _constraints(stage: Mapping, name: str) -> Iterator[Finding]:
    node = stage.get("constraints")
    seen: set[str] = set()
    for entry in node.items if isinstance(node, Sequence) else ():
        for kind, pair in entry.entries.items() if isinstance(entry, Mapping) else ():
            if str(kind) in seen:
                assert node is not None
                yield error(
                    "R5_duplicate_constraint_kind",
                    node.pointer,
                    Place(pair.key.start, pair.key.end),
                    f"stage {name} has the constraint {kind} more than once; at major 2 constraints are"
                    " one mapping, in which a key stands once, so a rule would be lost",
                    "merge the entries by hand",
                )
            seen.add(str(kind))


def _gate(gate: Gate, known: Roles) -> Iterator[Finding]:
    yield from _delegation(gate.node.get("operator_agent"))
    approvers = gate.approvers
    found = flaw(approvers, known) if approvers is not None and gate.old else None
    if approvers is None or found is None:
        return
    names = approvers.names
    item = next(item for item in names.items if isinstance(item, Scalar) and item.text == found.role)
    if found.code == "R2_undefined_role":
        message = f"the role {found.role} is not defined under roles"
        hint = f"define it, or {BY_HAND}"
    else:
        people = f"{found.number} people" if found.number else "no person"
        message = (
            f"all_of asks every role for an approval, and the role {found.role} has {people};"
            " major 2 has one count over one list and no quorum per role, so a count of all people"
            " would ask for too many and a smaller one would not ask every role"
        )
        hint = BY_HAND
    yield error(found.code, names.pointer, at_value(item), message, hint)


def _delegation(block: Node | None) -> Iterator[Finding]:
    """Yield R6 and R8: words that major 2 does not know. No valid source has any today."""
    if not isinstance(block, Mapping):
        return
    for name, pair in block.entries.items():
        if name == delegation.PAGE:
            yield from _events(pair.value)
        elif name == delegation.POLICY:
            yield from _policy(pair.value)
        elif name in delegation.KNOBS:
            yield from _condition(str(name), pair.value)
        elif name != delegation.SEVERITY:
            message = f"the delegation setting {name} has no counterpart at major 2"
            yield error("R8_unknown_delegation_knob", pair.value.pointer, at_value(pair.value), message)


def _condition(name: str, value: Node) -> Iterator[Finding]:
    knob = delegation.KNOBS[name]
    if isinstance(value, Scalar) and value.text != knob.condition:
        message = f"{name} has the condition {value.text}; {knob.action} takes {knob.condition} and no other"
        yield error("R8_unknown_delegation_knob", value.pointer, at_value(value), message)


def _policy(value: Node) -> Iterator[Finding]:
    for name, pair in value.entries.items() if isinstance(value, Mapping) else ():
        if name not in delegation.POLICY_FIELDS:
            message = f"model_policy has the field {name}, which major 2 does not know"
            yield error("R8_unknown_delegation_knob", pair.value.pointer, at_value(pair.value), message)


def _events(value: Node) -> Iterator[Finding]:
    for item in value.items if isinstance(value, Sequence) else ():
        if isinstance(item, Scalar):
            event = delegation.RENAMED_EVENTS.get(item.text, item.text)
            if event not in delegation.EVENTS:
                message = f"{item.text} is no event that major 2 pages a human on"
                yield error("R6_unknown_page_event", item.pointer, at_value(item), message)

"""Who may approve what, before and after: one predicate for each approval gate (`migration.md` 4, 8).

Works on any tree that has a mapping at its root, so that a refused file still gets its report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from transforms.nodes import Mapping, Node, Scalar, Sequence, plain

FORMS = ("any_of", "all_of")
APPROVAL_FIELDS = ("count", "not", "min_permission", "member_of", "members")


class Gate(NamedTuple):
    """An approval gate as it is reached from its stage."""

    stage: Mapping
    node: Mapping

    @property
    def approvers(self) -> Approvers | None:
        """The old predicate, None when the gate has none or it is none."""
        node = self.node.get("approvers")
        if not isinstance(node, Mapping):
            return None
        return next((Approvers(node, form, names) for form, names in _forms(node)), None)

    @property
    def old(self) -> bool:
        """Whether the gate rests on `approvers` alone; beside them `approvals` are looked at first."""
        return "approvers" in self.node.entries and "approvals" not in self.node.entries


class Approvers(NamedTuple):
    """An `approvers` block: its form key and the list of role names."""

    node: Mapping
    form: str
    names: Sequence

    @property
    def roles(self) -> list[str]:
        """The role names in the order written."""
        return [item.text for item in self.names.items if isinstance(item, Scalar)]


def _forms(node: Mapping) -> Iterator[tuple[str, Sequence]]:
    for form in FORMS:
        names = node.get(form)
        if isinstance(names, Sequence):
            yield form, names


def workflows(root: Mapping) -> Iterator[Mapping]:
    """Yield the workflows of a document in the order written."""
    node = root.mapping("workflows")
    for pair in node.entries.values() if node is not None else ():
        if isinstance(pair.value, Mapping):
            yield pair.value


def stages(workflow: Mapping) -> Iterator[Mapping]:
    """Yield the stages of a workflow in the order written."""
    return (node for node in workflow.items("stages") if isinstance(node, Mapping))


def approval_gates(stage: Mapping) -> Iterator[Gate]:
    """Yield the approval gates of a stage in the order written."""
    for node in stage.items("gates"):
        if isinstance(node, Mapping) and node.text("type") == "approval":
            yield Gate(stage, node)


def all_stages(root: Mapping) -> Iterator[Mapping]:
    """Yield the stages of a document in the order written."""
    return (stage for workflow in workflows(root) for stage in stages(workflow))


def all_gates(root: Mapping) -> Iterator[Gate]:
    """Yield the approval gates of a document in the order written."""
    return (gate for stage in all_stages(root) for gate in approval_gates(stage))


Roles = dict[str, list[Scalar]]


def roles(root: Mapping) -> Roles:
    """Return the members of each role as they are written."""
    found: Roles = {}
    block = root.mapping("roles")
    for name, pair in block.entries.items() if block is not None else ():
        members = pair.value.items("members") if isinstance(pair.value, Mapping) else []
        found[str(name)] = [item for item in members if isinstance(item, Scalar)]
    return found


def is_team(member: str) -> bool:
    """Tell whether a role's member is a team reference (`@org/team`)."""
    return "/" in member


def people(members: list[Scalar]) -> list[str]:
    """Return the people among a role's members, without the at sign, in the order written."""
    return [member.text.removeprefix("@") for member in members if not is_team(member.text)]


def union(names: list[str], known: Roles) -> list[str]:
    """Return the people of several roles, each once, in first-seen order; unknown roles give nobody."""
    return list(dict.fromkeys(person for name in names for person in people(known.get(name, []))))


class Flaw(NamedTuple):
    """Why an old predicate has no translation: the refusal's code, the role and its number of people."""

    code: str
    role: str
    number: int = 0


def flaw(approvers: Approvers, known: Roles) -> Flaw | None:
    """Return the first role, in the order written, that keeps the predicate from being translated."""
    for name in approvers.roles:
        if name not in known:
            return Flaw("R2_undefined_role", name)
        count = len(people(known[name]))
        if approvers.form == "all_of" and count != 1:
            return Flaw("R1_all_of_multi_member_role", name, count)
    return None


def translated(approvers: Approvers, known: Roles) -> dict[str, Any] | None:
    """Return the `approvals` that say what `approvers` say, None when a flaw or a team forbids it."""
    teams = any(is_team(member.text) for name in approvers.roles for member in known.get(name, ()))
    if teams or flaw(approvers, known) is not None:
        return None
    members = union(approvers.roles, known)
    return {"count": len(members) if approvers.form == "all_of" else 1, "members": members}


class Eligibility(NamedTuple):
    """What the report says of one gate (`migration.md` 8); `after` is None where it is refused."""

    pointer: str
    stage: str | None
    before: dict[str, Any]
    after: dict[str, Any] | None
    enumerable: list[str]
    unresolved: list[str]
    change: str


def eligibility(root: Mapping, attempted: bool) -> list[Eligibility]:
    """Return what can be said of every approval gate; `attempted` is whether a translation ran."""
    known = roles(root)
    return [_eligibility(gate, known, attempted) for gate in all_gates(root)]


def _eligibility(gate: Gate, known: Roles, attempted: bool) -> Eligibility:
    pointer, stage = gate.node.pointer, gate.stage.text("id")
    if not gate.old:
        before = _approvals(gate.node.get("approvals"))
        return Eligibility(pointer, stage, before, before, _members(before), _unresolved(before), "none")
    approvers = gate.approvers
    if approvers is None:
        return Eligibility(pointer, stage, {}, None, [], [], "refused")
    before = {approvers.form: approvers.roles}
    after = translated(approvers, known) if attempted else None
    change = "refused" if after is None else "widened"
    return Eligibility(pointer, stage, before, after, union(approvers.roles, known), [], change)


def _approvals(node: Node | None) -> dict[str, Any]:
    found = plain(node) if isinstance(node, Mapping) else {}
    return {field: found[field] for field in APPROVAL_FIELDS if field in found}


def _members(approvals: dict[str, Any]) -> list[str]:
    members = approvals.get("members")
    if not isinstance(members, list):
        return []
    return list(dict.fromkeys(name.removeprefix("@") for name in members if isinstance(name, str)))


def _unresolved(approvals: dict[str, Any]) -> list[str]:
    signs = {"min_permission": ">=", "member_of": "="}
    return [f"{key} {sign} {approvals[key]}" for key, sign in signs.items() if key in approvals]


def budget_stages(root: Mapping) -> list[str]:
    """Return the ids of the stages that have a budget, in the order of the document."""
    return [stage.text("id") or "" for stage in all_stages(root) if "budget" in stage.entries]

"""What a workflow-v1 (or -v0) document means at workflow-v2, on plain data: `migration.md` 3 to 5.

This is the specification that the edits of `migration` are proved against, so it shares nothing
with them but the delegation vocabulary and the choice of a tier.
"""

from __future__ import annotations

from typing import Any

from transforms import delegation
from transforms.pointer import join

Data = dict[str, Any]


def translate(data: Data, spelled_out: frozenset[str] = frozenset()) -> Data:
    """Return what the valid v1 document `data` says, as a v2 document.

    `spelled_out` holds pointers of delegation blocks that keep their matrix although a tier equals
    it, because a comment gives reasons. Every named role must be defined and hold people only, no
    stage may have a bare reviewer count or a constraint kind twice: the refusals come before.
    """
    roles = {name: role["members"] for name, role in data.get("roles", {}).items()}
    result = {key: value for key, value in data.items() if key != "roles"}
    result["version"] = "2"
    result["workflows"] = {
        name: _workflow(workflow, join("/workflows", name), roles, spelled_out)
        for name, workflow in data["workflows"].items()
    }
    return result


def _workflow(workflow: Data, at: str, roles: dict[str, list[str]], spelled_out: frozenset[str]) -> Data:
    result: Data = {}
    for key, value in workflow.items():
        if key == "drive":
            result["auto_advance"] = value
        elif key == "operator_agent":
            result.update(_delegation(value, f"{at}/operator_agent", spelled_out))
        elif key == "stages":
            result["stages"] = [
                _stage(stage, f"{at}/stages/{i}", roles, spelled_out) for i, stage in enumerate(value)
            ]
        else:
            result[key] = value
    return result


def _stage(stage: Data, at: str, roles: dict[str, list[str]], spelled_out: frozenset[str]) -> Data:
    result: Data = {}
    for key, value in stage.items():
        if key == "constraints":
            if value:
                result[key] = {kind: rule for entry in value for kind, rule in entry.items()}
        elif key == "budget":
            result[key] = _budget(value)
        elif key == "gates":
            result[key] = [_gate(gate, f"{at}/gates/{i}", roles, spelled_out) for i, gate in enumerate(value)]
        else:
            result[key] = value
    return result


def _budget(budget: Data) -> Data:
    return {
        "max_runtime" if key == "max_runtime_minutes" else key: f"{int(value)}m"
        if key == "max_runtime_minutes"
        else value
        for key, value in budget.items()
    }


def _gate(gate: Data, at: str, roles: dict[str, list[str]], spelled_out: frozenset[str]) -> Data:
    result: Data = {}
    for key, value in gate.items():
        if key == "approvers":
            result["approvals"] = _approvals(value, roles)
        elif key == "operator_agent":
            result.update(_delegation(value, f"{at}/operator_agent", spelled_out))
        else:
            result[key] = value
    return result


def _approvals(approvers: Data, roles: dict[str, list[str]]) -> Data:
    [(form, names)] = approvers.items()
    people = list(dict.fromkeys(member.removeprefix("@") for name in names for member in roles[name]))
    return {"count": len(people) if form == "all_of" else 1, "members": people}


def _delegation(block: Data, at: str, spelled_out: frozenset[str]) -> Data:
    tier = delegation.tier(block)
    if tier is not None and at not in spelled_out:
        return {"autonomy": tier}
    return {"actions": delegation.matrix(block)}

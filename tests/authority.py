"""Who clears a gate and what an operator agent may do alone: a model of its own, for v1 and for v2.

It reads documents as plain data and shares no code with the migration. People are names; `author`
is who wrote the change, `agent` an automated identity.
"""

from __future__ import annotations

from typing import Any

STRANGER, AUTHOR, AGENT = "(a stranger)", "(the author)", "(an agent)"

CLASSES = ("approve", "fixup", "waive", "retry", "merge")
_KNOBS = {
    "approve": "may_approve",
    "fixup": "may_route_fixup",
    "waive": "may_waive",
    "retry": "may_retry",
    "merge": "may_merge",
}
_SEVEN = {
    "gating_reviewer_reject",
    "plan_rejection",
    "scope_amendment",
    "budget_override",
    "policy_override",
    "exception_request",
    "requirement_arbitration",
}
_TIERS = {
    "low": (set(), set()),
    "medium": ({"approve", "fixup", "retry"}, _SEVEN),
    "high": (set(CLASSES), _SEVEN),
}


def clears_old(gate: dict[str, Any], roles: dict[str, Any], signers: set[str]) -> bool:
    """Tell whether `signers` clear a v1 gate with `approvers`: one of any role, or one of every role."""
    people = signers - {AGENT, AUTHOR}
    held: dict[str, set[str]] = {
        name: people & {member.lstrip("@") for member in role["members"]} for name, role in roles.items()
    }
    approvers: dict[str, list[str]] = gate["approvers"]
    if "any_of" in approvers:
        return any(bool(held[name]) for name in approvers["any_of"])
    return all(bool(held[name]) for name in approvers["all_of"])


def clears_new(gate: dict[str, Any], signers: set[str]) -> bool:
    """Tell whether `signers` clear a v2 gate that counts approvals over listed members."""
    approvals = gate["approvals"]
    kept_out = {"author": AUTHOR, "agent": AGENT}
    people = signers - {AGENT} - {kept_out[word] for word in approvals.get("not", [])}
    if "members" in approvals:
        people &= set(approvals["members"])
    wanted: int = approvals["count"]
    return len(people) >= wanted


def alone_old(block: dict[str, Any] | None) -> tuple[dict[str, tuple[str, str | None]], set[str]]:
    """Return what the agent may do alone under a v1 block, class by class, and what pages a human."""
    if block is None:
        return {}, set()
    may = {
        name: (block[knob], block.get("route_fixup_min_severity", "medium") if name == "fixup" else None)
        for name, knob in _KNOBS.items()
        if knob in block
    }
    pages = {
        "gating_reviewer_reject" if e == "reviewer_reject" else e for e in block.get("must_page_human", [])
    }
    return may, pages


def alone_new(holder: dict[str, Any]) -> tuple[dict[str, tuple[str, str | None]], set[str]]:
    """Return the same for a v2 workflow or gate."""
    conditions = {
        "approve": "clean_dual_approval",
        "fixup": "convergent_concerns",
        "waive": "solo_low",
        "retry": "infra_flake",
        "merge": "gates_resolved_ci_green",
    }
    auto, pages = _TIERS[holder.get("autonomy", "low")]
    may: dict[str, tuple[str, str | None]] = {
        name: (conditions[name], "medium" if name == "fixup" else None) for name in auto
    }
    actions = holder.get("actions", {})
    for name in CLASSES:
        if name in actions:
            may.pop(name, None)
            if actions[name]["mode"] == "auto":
                severity = actions[name].get("min_severity", "medium") if name == "fixup" else None
                may[name] = (actions[name]["when"], severity)
    return may, set(actions["page_human_on"]) if "page_human_on" in actions else set(pages)

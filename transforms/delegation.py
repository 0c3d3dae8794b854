"""What an operator agent may do alone, before and after: `migration.md` 3 and 5, on plain data."""

from __future__ import annotations

from typing import Any, NamedTuple


class Knob(NamedTuple):
    """An old delegation setting: the action class it became and the one condition it takes."""

    action: str
    condition: str


KNOBS = {
    "may_approve": Knob("approve", "clean_dual_approval"),
    "may_route_fixup": Knob("fixup", "convergent_concerns"),
    "may_waive": Knob("waive", "solo_low"),
    "may_retry": Knob("retry", "infra_flake"),
    "may_merge": Knob("merge", "gates_resolved_ci_green"),
}
SEVERITY = "route_fixup_min_severity"
PAGE = "must_page_human"
POLICY = "model_policy"

RENAMED_EVENTS = {"reviewer_reject": "gating_reviewer_reject"}
TIER_EVENTS = (
    "gating_reviewer_reject",
    "plan_rejection",
    "scope_amendment",
    "budget_override",
    "policy_override",
    "exception_request",
    "requirement_arbitration",
)
EVENTS = frozenset({*TIER_EVENTS, "advisory_reviewer_reject", "clarification_request"})
POLICY_FIELDS = ("strategy", "defaults", "allowed")

TIERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "low": (frozenset(), frozenset()),
    "medium": (frozenset({"approve", "fixup", "retry"}), frozenset(TIER_EVENTS)),
    "high": (frozenset(knob.action for knob in KNOBS.values()), frozenset(TIER_EVENTS)),
}
"""Each tier: the classes it lets the agent do alone, and the events that page a human."""


def events(block: dict[str, Any]) -> list[str]:
    """Return the page events of an old block under their new names, each once, in order."""
    return list(dict.fromkeys(RENAMED_EVENTS.get(event, event) for event in block.get(PAGE, ())))


def tier(block: dict[str, Any]) -> str | None:
    """Return the tier that equals the old block exactly, or None; comments are not looked at."""
    if POLICY in block or (SEVERITY in block and "may_route_fixup" in block):
        return None
    have = frozenset(knob.action for name, knob in KNOBS.items() if name in block)
    page = frozenset(events(block))
    return next((name for name, wants in TIERS.items() if wants == (have, page)), None)


def matrix(block: dict[str, Any]) -> dict[str, Any]:
    """Return the `actions` matrix that says what the old block says."""
    actions: dict[str, Any] = {}
    for name, knob in KNOBS.items():
        if name in block:
            actions[knob.action] = {"mode": "auto", "when": block[name]}
    if SEVERITY in block and "fixup" in actions:
        actions["fixup"]["min_severity"] = block[SEVERITY]
    page = events(block)
    if page:
        actions["page_human_on"] = page
    if POLICY in block:
        actions[POLICY] = block[POLICY]
    return actions

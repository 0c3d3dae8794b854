"""What an operator agent may do alone, before and after: `migration.md` 3 and 5, on plain data."""

from __future__ import annotations

from typing import Any, NamedTuple

from transforms.autonomy import RUN_CLASSES, TIER_PAGES, TIERS


class Knob(NamedTuple):
    """An old delegation setting: the action class it became and the one condition it takes."""

    action: str
    condition: str


KNOBS = {
    name: Knob(action, RUN_CLASSES[action])
    for name, action in (
        ("may_approve", "approve"),
        ("may_route_fixup", "fixup"),
        ("may_waive", "waive"),
        ("may_retry", "retry"),
        ("may_merge", "merge"),
    )
}
SEVERITY = "route_fixup_min_severity"
PAGE = "must_page_human"
POLICY = "model_policy"

RENAMED_EVENTS = {"reviewer_reject": "gating_reviewer_reject"}
EVENTS = frozenset({*TIER_PAGES["high"], "advisory_reviewer_reject", "clarification_request"})
POLICY_FIELDS = ("strategy", "defaults", "allowed")


def events(block: dict[str, Any]) -> list[str]:
    """Return the page events of an old block under their new names, each once, in order."""
    return list(dict.fromkeys(RENAMED_EVENTS.get(event, event) for event in block.get(PAGE, ())))


def tier(block: dict[str, Any]) -> str | None:
    """Return the tier that equals the old block exactly, or None; comments are not looked at."""
    if POLICY in block or (SEVERITY in block and "may_route_fixup" in block):
        return None
    have = frozenset(knob.action for name, knob in KNOBS.items() if name in block)
    page = set(events(block))
    return next(
        (name for name, auto in TIERS.items() if auto == have and set(TIER_PAGES[name]) == page), None
    )


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

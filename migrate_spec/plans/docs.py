"""The documentation of the rules of plans, read from the text that stands beside each of them."""

from __future__ import annotations

from migrate_spec.plans import critic, standard
from migrate_spec.rules.docs import Page, page


def pages() -> dict[str, Page]:
    """Return the page of every rule of `standard_v1` by its id, then those of service plans as `critic-N`."""
    found = {
        rule.id: page(rule.id, (), "warning" if rule.advisory else "error", rule.check.__doc__ or "")
        for rule in standard.RULES
    }
    for number, check in critic.RULES:
        found[f"critic-{number}"] = page(f"critic-{number}", (), "error", check.__doc__ or "")
    return found

"""The two kinds of plan that workflows execute: `standard_v1` (JSON) and service plans (Markdown).

Pure functions for a program that drives them, values in and values out:

    checked = plans.check(data, plans.Limits(max_files_changed=12))
    checked.valid, checked.diagnostics, checked.advisories, checked.data

    plan = plans.read_service_plan(data)
    violations = plans.criticize(plan) if plan.fault is None else []
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from migrate_spec.plans.critic import check as criticize
    from migrate_spec.plans.ledger import look_up as look_up_admission
    from migrate_spec.plans.remarks import Limits
    from migrate_spec.plans.service_plan import read as read_service_plan
    from migrate_spec.plans.standard import check

__all__ = ["Limits", "check", "criticize", "look_up_admission", "read_service_plan"]

_HOMES = {
    "Limits": ("remarks", "Limits"),
    "check": ("standard", "check"),
    "criticize": ("critic", "check"),
    "look_up_admission": ("ledger", "look_up"),
    "read_service_plan": ("service_plan", "read"),
}


def __getattr__(name: str) -> Any:
    """Return a public name of this package, imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), attribute)

"""The two kinds of plan that workflows execute: `standard_v1` (JSON) and service plans (Markdown).

Pure functions for a program that drives them, values in and values out:

    checked = plans.check(data, plans.Limits(max_files_changed=12))
    checked.valid, checked.diagnostics, checked.advisories, checked.data

    plan = plans.read_service_plan(data)
    violations = plans.criticize(plan) if plan.fault is None else []
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from migrate_spec import _lazily

if TYPE_CHECKING:
    from migrate_spec.files import FileProblem
    from migrate_spec.plans.critic import check as criticize
    from migrate_spec.plans.ledger import look_up as look_up_admission
    from migrate_spec.plans.remarks import Limits
    from migrate_spec.plans.service_plan import read as read_service_plan
    from migrate_spec.plans.standard import check

__all__ = ["FileProblem", "Limits", "check", "criticize", "look_up_admission", "read_service_plan"]

__getattr__ = _lazily(
    __name__,
    {
        "FileProblem": "migrate_spec.files:FileProblem",
        "Limits": "migrate_spec.plans.remarks:Limits",
        "check": "migrate_spec.plans.standard:check",
        "criticize": "migrate_spec.plans.critic:check",
        "look_up_admission": "migrate_spec.plans.ledger:look_up",
        "read_service_plan": "migrate_spec.plans.service_plan:read",
    },
)

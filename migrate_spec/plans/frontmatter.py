"""The critic's rules about a plan as a whole: 1, 7 and 11 (`service-plan.md`, Frontmatter and The rules)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate_spec.plans.service_plan import ServicePlan
from migrate_spec.plans.violation import Said, number
from transforms.wording import listed, show, suggestion

STATUSES = ("proposed", "approved", "running", "completed", "halted")
_PENDING = ("autonomy_level", "spend_ceiling_usd")
_DECIDES = re.compile(r"\b[SR][0-9]+\b")
_FORMS: dict[str, tuple[re.Pattern[str], str]] = {
    "type": (re.compile(r"service-plan\Z"), "type: service-plan"),
    "spec_sha256": (re.compile(r"[0-9a-f]{64}\Z"), "the 64 small hex digits that the ledger records"),
    "spec_max_sessions": (re.compile(r"(?:[0-9]+|none-declared)\Z"), "a whole number, or none-declared"),
    "status": (re.compile("(?:" + "|".join(STATUSES) + r")\Z"), f"one of {listed(STATUSES)}"),
}
_REQUIRED = {
    "type": "service-plan",
    "plan_id": "a name for this plan",
    "service": "the name of the service",
    "department": "the department that owns it",
    "spec_service": "the service whose specification was admitted",
    "spec_version": "the version that was admitted",
    "spec_admitted_at": "repository:path of the admitted copy",
    "spec_sha256": "64 small hex digits",
    "spec_max_sessions": "a number, or none-declared",
    "status": "proposed",
    "autonomy_level": "a level, or unset  # R1 decides",
    "spend_ceiling_usd": "an amount, or unset  # R1 decides",
    "sessions_total": "the number of session blocks",
}
"""Each key that must be there with a value, and what to write behind it."""


def citation_and_keys(plan: ServicePlan) -> Iterator[Said]:
    """The frontmatter lacks a key, holds a value outside its form, or cites what the ledger does not confirm.

    Passes:
        spend_ceiling_usd: unset  # R2 decides
    Fails:
        spend_ceiling_usd: unset  # later
    """
    for key in _REQUIRED:
        yield from _key(plan, key)
    if plan.admission is not None and not any(_is_faulty(plan, key) for key in _CITATION):
        yield from _ledger(plan)


_CITATION = ("spec_service", "spec_version", "spec_sha256")


def _key(plan: ServicePlan, key: str) -> Iterator[Said]:
    value, line = plan.value(key), plan.place(key)
    if not value:
        state = "has no value" if key in plan.front else "is missing from the frontmatter"
        yield Said(None, line, f"{key} {state}", f"write {key}: {_REQUIRED[key]}")
    elif key in _FORMS and not _FORMS[key][0].match(value):
        advice = f"write {_FORMS[key][1]}"
        hint = suggestion(value, STATUSES) if key == "status" else advice
        yield Said(None, line, f"{key} cannot be {show(value)}", hint)
    elif key in _PENDING and value == "unset" and not _DECIDES.search(plan.front[key].text):
        message = f"{key} is unset and its line does not name who decides"
        yield Said(None, line, message, f"write {key}: unset  # R1, the ruling or session that decides")


def _is_faulty(plan: ServicePlan, key: str) -> bool:
    return any(True for _ in _key(plan, key))


def _ledger(plan: ServicePlan) -> Iterator[Said]:
    assert plan.admission is not None
    digest, copy, place, known = plan.admission
    service, version = plan.value("spec_service"), plan.value("spec_version")
    cited, line = plan.value("spec_sha256"), plan.place("spec_sha256")
    if digest is None:
        versions = f"it knows {listed(known)}" if known else "it knows no version of this service"
        message = f"the ledger has no record of {show(service)} at version {show(version)}; {versions}"
        yield Said(None, plan.place("spec_version"), message, "cite a version that was admitted")
    elif digest != cited:
        message = f"spec_sha256 is {cited}, but the ledger records {digest}"
        yield Said(None, line, message, "cite the digest of the ledger, after reading what was admitted")
    elif copy is not None and copy != digest:
        message = (
            f"the copy {place} was changed after admission: its digest is {copy}, the record says {digest}"
        )
        yield Said(None, line, message, "restore the copy as it was admitted")


def session_count(plan: ServicePlan) -> Iterator[Said]:
    """`sessions_total` is no positive whole number, differs from the blocks, or exceeds what the spec allows.

    Passes:
        sessions_total: 1
    Fails:
        sessions_total: 2
    """
    written, line = plan.value("sessions_total"), plan.place("sessions_total")
    if not written:
        return
    total, count = number(written), len(plan.sessions)
    most = number(plan.value("spec_max_sessions"))
    if not total:
        yield Said(
            None,
            line,
            f"sessions_total is {show(written)}, no positive whole number",
            f"write sessions_total: {count}",
        )
    elif total != count:
        blocks = "there is 1 session block" if count == 1 else f"there are {count} session blocks"
        yield Said(
            None, line, f"sessions_total is {show(written)}, but {blocks}", f"write sessions_total: {count}"
        )
    elif most is not None and total > most:
        message = (
            f"the plan has {count} sessions; the specification allows {show(plan.value('spec_max_sessions'))}"
        )
        yield Said(None, line, message, "cut the work into fewer sessions")


def approval(plan: ServicePlan) -> Iterator[Said]:
    """An approved plan does not name who approved it and when.

    Passes:
        status: proposed
    Fails:
        status: approved
    """
    if plan.value("status") != "approved":
        return
    for key, wanted in (("approved_by", "the person"), ("approved_on", "the day")):
        if not plan.value(key):
            line = plan.place(key) if key in plan.front else plan.place("status")
            yield Said(None, line, f"the plan is approved, but {key} is empty", f"write {key}: and {wanted}")

"""Rules about acceptance criteria (`plan-rules.md`, Meaning and Advisories)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from migrate_spec.plans.remarks import Plan, Remark, blank
from transforms.wording import show

_HOLDER = ("verification",)
_LIST = ("verification", "acceptance_criteria")


def skipped(criterion: dict[str, Any]) -> bool:
    """Tell whether `criterion` is an expected skip whose basis is not blank."""
    return criterion.get("skip_expected") is True and not blank(criterion.get("expectation_basis", ""))


def criterion_id_duplicate(plan: Plan) -> Iterator[Remark]:
    """A criterion has the id of an earlier one.

    Passes:
        {"verification": {"acceptance_criteria": [{"id": "due-date"}, {"id": "due-time"}]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "due-date"}, {"id": "due-date"}]}}
    """
    seen: dict[str, int] = {}
    for at, criterion in enumerate(plan.criteria):
        first = seen.setdefault(criterion["id"], at)
        if first != at:
            message = f"criterion {at} has the id {show(criterion['id'])} of criterion {first}"
            before = ((*_LIST, first, "id"), "it stands here first")
            yield Remark((*_LIST, at, "id"), message, "give one of them another id", related=(before,))


def acceptance_surface_drivable(plan: Plan) -> Iterator[Remark]:
    """A criterion could be checked although the plan declares that there is no surface to check it at.

    Passes:
        {"verification": {"acceptance_surface": "none", "acceptance_criteria": []}}
    Fails:
        {"verification": {"acceptance_surface": "none", "acceptance_criteria": [{"id": "answers-on-time"}]}}
    """
    if plan.data["verification"].get("acceptance_surface") != "none":
        return
    for at, criterion in enumerate(plan.criteria):
        if not skipped(criterion):
            yield Remark(
                (*_LIST, at),
                f"acceptance_surface is none, but the criterion {show(criterion['id'])} is no expected skip",
                "mark it skip_expected with an expectation_basis, or remove acceptance_surface",
            )


def no_blocking_criterion(plan: Plan) -> Iterator[Remark]:
    """No criterion blocks acceptance and nothing is declared out of scope.

    Passes:
        {"verification": {"acceptance_criteria": [], "out_of_scope": ["the archive of past years"]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "looks-nice", "blocking": false}], "out_of_scope": []}}
    """
    blocks = any(criterion.get("blocking", True) for criterion in plan.criteria)
    if not blocks and not plan.data["verification"].get("out_of_scope"):
        message = "no criterion blocks the acceptance, and out_of_scope names nothing either"
        hint = "write a criterion that blocks, or say in out_of_scope what is left out"
        yield Remark(_HOLDER, message, hint, (), "holder")


def criterion_source_ref_missing(plan: Plan) -> Iterator[Remark]:
    """A criterion taken from the ticket does not say from where.

    Passes:
        {"verification": {"acceptance_criteria": [{"id": "a", "source": "explicit", "source_ref": "ticket 12"}]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "a", "source": "explicit", "source_ref": ""}]}}
    """
    for at, criterion in enumerate(plan.criteria):
        if criterion.get("source") == "explicit" and not criterion.get("source_ref"):
            message = f"the criterion {show(criterion['id'])} is explicit and has no source_ref"
            yield _about(
                at, criterion, "source_ref", message, "say where the ticket or specification asks for it"
            )


def criterion_rationale_empty(plan: Plan) -> Iterator[Remark]:
    """A criterion that was inferred has an empty rationale.

    Passes:
        {"verification": {"acceptance_criteria": [{"id": "a", "source": "inferred", "rationale": "old links exist"}]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "a", "source": "inferred", "rationale": ""}]}}
    """
    for at, criterion in enumerate(plan.criteria):
        if criterion.get("source") == "inferred" and not criterion.get("rationale"):
            message = f"the criterion {show(criterion['id'])} is inferred and its rationale is empty"
            yield _about(at, criterion, "rationale", message, "say why it follows from the ticket")


def criterion_live_not_skipped(plan: Plan) -> Iterator[Remark]:
    """A criterion needs a live target, which the sandbox lacks, and is not marked as an expected skip.

    Passes:
        {"verification": {"acceptance_criteria": [{"id": "a", "requires_live_validation": false}]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "a", "requires_live_validation": true}]}}
    """
    for at, criterion in enumerate(plan.criteria):
        if criterion.get("requires_live_validation") is not True or skipped(criterion):
            continue
        missing = "skip_expected" if criterion.get("skip_expected") is not True else "expectation_basis"
        if missing == "skip_expected" and blank(criterion.get("expectation_basis", "")):
            missing += " and expectation_basis"
        message = f"the criterion {show(criterion['id'])} requires a live target but lacks {missing}"
        hint = "add skip_expected: true and say in expectation_basis where the expectation is validated"
        yield Remark((*_LIST, at), message, hint, (), "holder")


def all_criteria_skip_expected(plan: Plan) -> Iterator[Remark]:
    """Every criterion is an expected skip and no surface is declared absent, so nothing is verified.

    Passes:
        {"verification": {"acceptance_criteria": [{"id": "a"}]}}
    Fails:
        {"verification": {"acceptance_criteria": [{"id": "a", "skip_expected": true, "expectation_basis": "unit tests"}]}}
    """
    declared = plan.data["verification"].get("acceptance_surface") == "none"
    if plan.criteria and not declared and all(map(skipped, plan.criteria)):
        message = "every criterion is an expected skip: nothing would be verified, which is no pass"
        hint = 'write a criterion that can be checked, or declare "acceptance_surface": "none"'
        yield Remark(_LIST, message, hint)


def _about(at: int, criterion: dict[str, Any], key: str, message: str, hint: str) -> Remark:
    """Return a remark at a criterion that marks the empty text, or the criterion that lacks it."""
    if key in criterion:
        return Remark((*_LIST, at), message, hint, (key,))
    return Remark((*_LIST, at), message, hint, (), "holder")

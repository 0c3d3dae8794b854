"""Rules about counts and minutes, most of which need a number from outside the plan.

(`plan-rules.md`, Errors that need an outside number, and Advisories.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate_spec.plans.remarks import Plan, Remark, blank
from transforms.wording import show

ROOM = 3
"""How many more files make a plan one that is near the cap."""
SHORT = 20
"""Below how many predicted minutes expensive tests are doubted."""
MANY = 50
"""From how many repetitions on a test run is expensive."""

_FILES = ("scope", "files")
_COUNT = re.compile(r"-count(?:=|\s+)0*([0-9]+)", re.IGNORECASE)


def over_cap_without_split(plan: Plan) -> Iterator[Remark]:
    """The plan lists more files than the cap and neither proposes a split nor declines one with a reason.

    Passes:
        --max-files-changed 2
        {"scope": {"files": [{}, {}]}}
    Fails:
        --max-files-changed 1
        {"scope": {"files": [{}, {}]}}
    """
    if not _is_over(plan) or "split_proposal" in plan.data:
        return
    if blank(plan.data.get("irreducible", {}).get("rationale", "")):
        message = f"{_counted(plan)}, and no split_proposal says how it lands in parts"
        hint = "add split_proposal with phases under the cap, or irreducible with a rationale"
        yield Remark(_FILES, message, hint)


def runtime_over_budget(plan: Plan) -> Iterator[Remark]:
    """Both estimates were looked at, the higher one is over the budget, and the plan has no slices.

    Passes:
        --budget-minutes 30
        {"predicted_runtime_minutes": 30}
    Fails:
        --budget-minutes 30
        {"predicted_runtime_minutes": 20, "raw_predicted_runtime_minutes": 31}
    """
    budget = plan.limits.budget_minutes
    predicted = plan.data["predicted_runtime_minutes"]
    raw = plan.data.get("raw_predicted_runtime_minutes")
    larger = predicted if raw is None else max(raw, predicted)
    if budget is None or larger <= budget or "decomposition" in plan.data:
        return
    key = "predicted_runtime_minutes" if larger == predicted else "raw_predicted_runtime_minutes"
    estimates = f"predicted {show(predicted)} minutes, " + (
        "no raw estimate" if raw is None else f"raw {show(raw)}"
    )
    message = f"the estimates ({estimates}) exceed the budget of {show(budget)} minutes"
    yield Remark((key,), message, "add a decomposition into slices that fit the budget")


def over_cap(plan: Plan) -> Iterator[Remark]:
    """The plan lists more files than the cap, split or not.

    Passes:
        --max-files-changed 2
        {"scope": {"files": [{}, {}]}}
    Fails:
        --max-files-changed 1
        {"scope": {"files": [{}, {}]}}
    """
    if _is_over(plan):
        yield Remark(_FILES, _counted(plan), "approve it only if the split, or the reason against one, holds")


def near_cap(plan: Plan) -> Iterator[Remark]:
    """The plan is not over the cap, but few more files would make it so.

    Passes:
        --max-files-changed 6
        {"scope": {"files": [{}, {}]}}
    Fails:
        --max-files-changed 5
        {"scope": {"files": [{}, {}]}}
    """
    cap = plan.limits.cap
    if cap is not None and 0 <= cap - len(plan.files) <= ROOM:
        message = f"scope.files has {len(plan.files)} entries and the cap is {show(cap)}"
        yield Remark(_FILES, message, "expect the work to touch a file more than planned, or raise the cap")


def phase_over_cap(plan: Plan) -> Iterator[Remark]:
    """One phase of the split lists more files than the cap.

    Passes:
        --max-files-changed 1
        {"split_proposal": {"phases": [{"title": "A", "scope": {"files": [{}]}}]}}
    Fails:
        --max-files-changed 1
        {"split_proposal": {"phases": [{"title": "A", "scope": {"files": [{}, {}]}}]}}
    """
    cap = plan.limits.cap
    for at, phase in enumerate(plan.phases):
        count = len(phase["scope"]["files"])
        if cap is not None and count > cap:
            message = f"phase {at} ({show(phase['title'])}) alone has {count} files; the cap is {show(cap)}"
            yield Remark(
                ("split_proposal", "phases", at, "scope", "files"), message, "cut the phase up further"
            )


def raw_runtime_unreported(plan: Plan) -> Iterator[Remark]:
    """The author was shown a correction factor and does not report the uncorrected estimate.

    Passes:
        --calibration-hint
        {"raw_predicted_runtime_minutes": 30}
    Fails:
        --calibration-hint
        {}
    """
    if plan.limits.calibration_hint and "raw_predicted_runtime_minutes" not in plan.data:
        message = (
            "the estimate was corrected by a factor and raw_predicted_runtime_minutes is absent, "
            "so it stays unknown whether the plan fits the budget without the correction"
        )
        yield Remark(("predicted_runtime_minutes",), message, "report the uncorrected estimate too")


def expensive_tests_short_runtime(plan: Plan) -> Iterator[Remark]:
    """The test strategy repeats tests often, or races them all, and the estimate is short.

    Passes:
        {"predicted_runtime_minutes": 19, "verification": {"test_strategy": "go test -count=49 ./tide"}}
    Fails:
        {"predicted_runtime_minutes": 19, "verification": {"test_strategy": "go test -count=50 ./tide"}}
    """
    minutes = plan.data["predicted_runtime_minutes"]
    strategy = plan.data["verification"]["test_strategy"]
    costly = _costly(strategy)
    if minutes < SHORT and costly is not None:
        message = f"the test strategy asks for {costly}, but {minutes} minutes are predicted"
        yield Remark(("verification", "test_strategy"), message, "check that the estimate includes the tests")


def _costly(strategy: str) -> str | None:
    for match in _COUNT.finditer(strategy):
        if len(match[1]) > 9 or int(match[1]) >= MANY:
            return show(match[0])
    return "-race over ./..." if "-race" in strategy and "./..." in strategy else None


def _is_over(plan: Plan) -> bool:
    return plan.limits.cap is not None and len(plan.files) > plan.limits.cap


def _counted(plan: Plan) -> str:
    return f"scope.files has {len(plan.files)} entries; the cap is {show(plan.limits.cap)}"

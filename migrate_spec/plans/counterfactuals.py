"""Rules about counterfactuals: a control, a mutation of it, the tests that must notice (`plan-rules.md`, Meaning)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from migrate_spec.plans.json_text import Path
from migrate_spec.plans.remarks import Mark, Plan, Remark, blank
from transforms.wording import show

MOST = 8
"""How many counterfactuals a plan may declare."""


def counterfactuals_too_many(plan: Plan) -> Iterator[Remark]:
    """The plan declares more counterfactuals than are executed.

    Passes:
        {"counterfactuals": [{}, {}, {}, {}, {}, {}, {}, {}]}
    Fails:
        {"counterfactuals": [{}, {}, {}, {}, {}, {}, {}, {}, {}]}
    """
    count = len(_entries(plan))
    if count > MOST:
        message = f"the plan declares {count} counterfactuals; at most {MOST} are executed"
        yield Remark(("counterfactuals",), message, f"keep the {MOST} that matter most")


def counterfactual_control_path(plan: Plan) -> Iterator[Remark]:
    """The control of a counterfactual is no path inside the repository.

    Passes:
        {"counterfactuals": [{"control_path": "tide/expression..v2.go"}]}
    Fails:
        {"counterfactuals": [{"control_path": "tide/../../secret.go"}]}
    """
    for at, entry in enumerate(_entries(plan)):
        flaw = _flaw(entry["control_path"])
        if flaw is not None:
            message = f"control_path {show(entry['control_path'])} {flaw}"
            hint = "write a path inside the repository, with forward slashes"
            yield Remark(("counterfactuals", at, "control_path"), message, hint)


def counterfactual_control_test_file(plan: Plan) -> Iterator[Remark]:
    """The control of a counterfactual is a test file, which its own tests cannot vouch for.

    Passes:
        {"counterfactuals": [{"control_path": "tide/latest.go"}]}
    Fails:
        {"counterfactuals": [{"control_path": "tide/gauge_test.go"}]}
    """
    for at, entry in enumerate(_entries(plan)):
        path = entry["control_path"]
        if _flaw(path) is None and path.endswith("_test.go"):
            message = f"control_path {show(path)} is a test file"
            hint = "name the production file that holds the control"
            yield Remark(("counterfactuals", at, "control_path"), message, hint)


def counterfactual_mutation_form(plan: Plan) -> Iterator[Remark]:
    """A mutation is not exactly one form: `find` with a different `replace`, or `patch` alone.

    Passes:
        {"counterfactuals": [{"mutation": {"find": "if late {", "replace": ""}}]}
    Fails:
        {"counterfactuals": [{"mutation": {"find": "if late {"}}]}
    """
    for at, entry in enumerate(_entries(plan)):
        found = _malformed(entry["mutation"])
        if found is not None:
            message, near, mark = found
            hint = "write find and replace, or patch alone"
            yield Remark(("counterfactuals", at, "mutation"), message, hint, near, mark)


def counterfactual_package_path(plan: Plan) -> Iterator[Remark]:
    """The package of the tests is absolute or climbs out of the repository.

    Passes:
        {"counterfactuals": [{"tests": {"package": "./tide/..."}}]}
    Fails:
        {"counterfactuals": [{"tests": {"package": "/srv/tide"}}]}
    """
    for at, entry in enumerate(_entries(plan)):
        package = entry["tests"]["package"]
        flaw = _outside(package)
        if flaw is not None:
            message = f"package {show(package)} {flaw}"
            hint = "write a package inside the repository, such as ./store or ./store/..."
            yield Remark(("counterfactuals", at, "tests", "package"), message, hint)


def counterfactuals_not_executed(plan: Plan) -> Iterator[Remark]:
    """The plan is decomposed, so its counterfactuals are not executed.

    Passes:
        {"counterfactuals": [], "decomposition": {"sub_plans": []}}
    Fails:
        {"counterfactuals": [{}], "decomposition": {"sub_plans": []}}
    """
    count = len(_entries(plan))
    if count and "decomposition" in plan.data:
        each = (
            "the counterfactual will not run"
            if count == 1
            else f"none of the {count} counterfactuals will run"
        )
        message = f"{each}: the plan has a decomposition"
        yield Remark(
            ("counterfactuals",),
            message,
            "check the controls by hand, or declare them where the work is one run",
        )


def _entries(plan: Plan) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = plan.data.get("counterfactuals", [])
    return entries


def _flaw(path: str) -> str | None:
    """Return why `path` is no path inside the repository, or None."""
    if blank(path):
        return "is blank"
    return _outside(path) or ("has a backslash" if "\\" in path else None)


def _outside(path: str) -> str | None:
    if path.startswith("/"):
        return "starts with a slash"
    return 'has ".." as a segment' if ".." in path.split("/") else None


def _malformed(mutation: dict[str, Any]) -> tuple[str, Path, Mark] | None:
    """Return what is wrong with the form of `mutation` and where, or None."""
    find, replace = mutation.get("find"), mutation.get("replace")
    if "patch" in mutation:
        beside = [key for key in ("find", "replace") if key in mutation]
        return (
            (f"the mutation has {' and '.join(beside)} beside patch", (beside[0],), "key") if beside else None
        )
    if find is None and replace is None:
        return "the mutation is empty: find and replace are missing, or patch", (), "holder"
    if find is None or replace is None:
        there, missing = ("find", "replace") if replace is None else ("replace", "find")
        return f"the mutation has {there} and lacks {missing}", (), "holder"
    return (
        ("the mutation changes nothing: replace equals find", ("replace",), "value")
        if find == replace
        else None
    )

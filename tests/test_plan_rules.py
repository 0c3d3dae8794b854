from __future__ import annotations

import copy
import inspect
import json
import re
from textwrap import dedent
from typing import Any

import pytest
from conftest import GOLDEN

from migrate_spec.plans import critic, service_plan, standard
from migrate_spec.plans.remarks import UNKNOWN, Limits, Plan

PARTS = re.compile(r"^(Passes|Fails):\n", re.MULTILINE)
SMALLEST: dict[str, Any] = json.loads((GOLDEN / "plan" / "clean-smallest" / "plan.json").read_text())
CLEAN = (GOLDEN / "service-plan" / "clean" / "plan.md").read_text()
ONE_SESSION = CLEAN[: CLEAN.index("## Session S2")].replace("sessions_total: 3", "sessions_total: 1")


def merged(base: Any, change: Any) -> Any:
    if isinstance(base, dict) and isinstance(change, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in change.items()}}
    return copy.deepcopy(change)


def examples(check: Any) -> list[tuple[str, list[str]]]:
    """The lines of the example that passes and of the one that fails, from the docstring of a check."""
    _, *parts = PARTS.split(inspect.getdoc(check) or "")
    return [
        (verdict, dedent(text).splitlines()) for verdict, text in zip(parts[::2], parts[1::2], strict=True)
    ]


def limits(options: list[str]) -> Limits:
    given = dict([*option.split(), ""][:2] for option in options)
    cap, budget = given.get("--max-files-changed"), given.get("--budget-minutes")
    return Limits(int(cap) if cap else None, int(budget) if budget else None, "--calibration-hint" in given)


@pytest.mark.parametrize("rule", standard.RULES, ids=lambda rule: rule.id)
def test_the_examples_of_a_rule_do_what_they_say(rule: standard.Rule) -> None:
    found = examples(rule.check)
    assert [verdict for verdict, _ in found] == ["Passes", "Fails"]
    for verdict, (*options, change) in found:
        plan = Plan(merged(SMALLEST, json.loads(change)), limits(options))
        assert bool(list(rule.check(plan))) == (verdict == "Fails")


def test_rule_ids_are_named_as_their_checks() -> None:
    for rule in standard.RULES:
        assert rule.id.replace("-", "_") == rule.check.__name__


def written(lines: list[str]) -> str:
    """The plan with one session in which `lines` replace the key that the first of them writes."""
    key = lines[0].split(":")[0]
    return re.sub(
        rf"^{key}:.*\n(?:  .*\n)*", "\n".join(lines) + "\n", ONE_SESSION, count=1, flags=re.MULTILINE
    )


@pytest.mark.parametrize("rule", critic.RULES, ids=lambda rule: str(rule.number))
def test_the_examples_of_a_critic_rule_do_what_they_say(rule: critic.Rule) -> None:
    found = examples(rule.check)
    assert [verdict for verdict, _ in found] == ["Passes", "Fails"]
    for verdict, lines in found:
        plan = service_plan.read(written(lines).encode())
        assert plan.fault is None
        assert bool(list(rule.check(plan))) == (verdict == "Fails")


def said(rule: str, change: Any, limits: Limits = UNKNOWN) -> list[str]:
    (check,) = (each.check for each in standard.RULES if each.id == rule)
    return [remark.message for remark in check(Plan(merged(SMALLEST, change), limits))]


@pytest.mark.parametrize(
    ("mutation", "message"),
    [
        ({"find": "a", "replace": "b"}, None),
        ({"find": "a", "replace": ""}, None),
        ({"patch": "p"}, None),
        ({}, "the mutation is empty: find and replace are missing, or patch"),
        ({"find": "a"}, "the mutation has find and lacks replace"),
        ({"replace": ""}, "the mutation has replace and lacks find"),
        ({"find": "a", "replace": "a"}, "the mutation changes nothing: replace equals find"),
        ({"find": "a", "patch": "p"}, "the mutation has find beside patch"),
        ({"replace": "", "patch": "p"}, "the mutation has replace beside patch"),
        ({"find": "a", "replace": "b", "patch": "p"}, "the mutation has find and replace beside patch"),
    ],
)
def test_a_mutation_has_exactly_one_form(mutation: dict[str, str], message: str | None) -> None:
    found = said("counterfactual-mutation-form", {"counterfactuals": [{"mutation": mutation}]})
    assert found == ([message] if message else [])


@pytest.mark.parametrize(
    ("path", "flaw", "is_test"),
    [
        ("deck/space.go", None, False),
        ("deck/..hidden/a..go", None, False),
        ("_test.go", None, True),
        ("deck/a_test.go", None, True),
        ("deck/a_test.go/b.go", None, False),
        ("contest.go", None, False),
        (" ", "is blank", False),
        ("/deck/a_test.go", "starts with a slash", False),
        ("deck/..", 'has ".." as a segment', False),
        ("../deck.go", 'has ".." as a segment', False),
        ("deck\\a_test.go", "has a backslash", False),
    ],
)
def test_a_control_is_a_production_file_of_the_repository(path: str, flaw: str | None, is_test: bool) -> None:
    change = {"counterfactuals": [{"control_path": path}]}
    shown = json.dumps(path)
    assert said("counterfactual-control-path", change) == ([f"control_path {shown} {flaw}"] if flaw else [])
    assert bool(said("counterfactual-control-test-file", change)) is is_test


@pytest.mark.parametrize("package", ["./deck/...", "deck..x", "...", "./deck"])
def test_a_package_of_the_repository_is_fine(package: str) -> None:
    assert said("counterfactual-package-path", {"counterfactuals": [{"tests": {"package": package}}]}) == []


def test_each_blank_text_of_a_decision_is_reported() -> None:
    decision = {"rationale": " ", "decision_summary": "\t", "related_adrs": ["a", "", "\u00a0"]}
    assert said("architectural-decision-blank", {"new_architectural_decision": decision}) == [
        "rationale of new_architectural_decision is blank",
        "decision_summary of new_architectural_decision is blank",
        "related_adrs[1] of new_architectural_decision is blank",
        "related_adrs[2] of new_architectural_decision is blank",
    ]


def test_a_decision_is_told_with_summary_reason_and_records() -> None:
    decision = {"rationale": "because\nof it", "decision_summary": "s", "related_adrs": []}
    assert said("architectural-decision-declared", {"new_architectural_decision": decision}) == [
        "new architectural direction: s; because: because of it; there are no related records"
    ]


@pytest.mark.parametrize(
    ("mark", "missing"),
    [
        ({}, "skip_expected and expectation_basis"),
        ({"skip_expected": False, "expectation_basis": "b"}, "skip_expected"),
        ({"skip_expected": True, "expectation_basis": " "}, "expectation_basis"),
        ({"skip_expected": True, "expectation_basis": "b"}, None),
    ],
)
def test_a_live_check_names_the_mark_that_is_missing(mark: dict[str, Any], missing: str | None) -> None:
    criterion = {"id": "live", "requires_live_validation": True, **mark}
    message = f'the criterion "live" requires a live target but lacks {missing}'
    found = said("criterion-live-not-skipped", {"verification": {"acceptance_criteria": [criterion]}})
    assert found == ([message] if missing else [])


@pytest.mark.parametrize(
    ("strategy", "costly"),
    [
        ("go test -count=1 ./... then -count=50", True),
        ("go test -count 050 ./deck", True),
        ("go test -COUNT=99999999999999999999", True),
        ("go test -count=49 -race ./deck", False),
        ("go test -race ./...", True),
        ("go test ./...", False),
        ("count=500", False),
    ],
)
def test_expensive_tests_are_told_from_cheap_ones(strategy: str, costly: bool) -> None:
    change = {"predicted_runtime_minutes": 19, "verification": {"test_strategy": strategy}}
    assert bool(said("expensive-tests-short-runtime", change)) is costly
    assert said("expensive-tests-short-runtime", {**change, "predicted_runtime_minutes": 20}) == []


@pytest.mark.parametrize(
    ("predicted", "raw", "over"),
    [(30, None, False), (31, None, True), (30, 31, True), (31, 30, True), (30, 30, False), (31, 31, True)],
)
def test_the_larger_estimate_is_held_against_the_budget(predicted: int, raw: int | None, over: bool) -> None:
    change: dict[str, int] = {"predicted_runtime_minutes": predicted}
    if raw is not None:
        change["raw_predicted_runtime_minutes"] = raw
    (rule,) = (each for each in standard.RULES if each.id == "runtime-over-budget")
    paths = [remark.path for remark in rule.check(Plan(merged(SMALLEST, change), Limits(budget_minutes=30)))]
    larger = (
        "raw_predicted_runtime_minutes"
        if raw is not None and raw > predicted
        else "predicted_runtime_minutes"
    )
    assert paths == ([(larger,)] if over else [])


@pytest.mark.parametrize(
    ("cap", "rules"), [(0, []), (-5, []), (1, ["over-cap"]), (2, ["near-cap"]), (5, ["near-cap"]), (6, [])]
)
def test_a_cap_is_known_from_one_on(cap: int, rules: list[str]) -> None:
    change: dict[str, Any] = {"scope": {"files": [{}, {}]}}
    fired = [rule for rule in ("over-cap", "near-cap") if said(rule, change, Limits(cap))]
    assert fired == rules


def test_a_shared_file_names_all_its_slices_once_each() -> None:
    slices = [
        {"title": title, "scope": {"files": [{"path": "a"}, {"path": "b" + title}, {"path": "a"}]}}
        for title in "xyz"
    ]
    (rule,) = (each for each in standard.RULES if each.id == "subplan-file-shared")
    found = list(rule.check(Plan(merged(SMALLEST, {"decomposition": {"sub_plans": slices}}))))
    assert [remark.path[2:] for remark in found] == [
        (1, "scope", "files", 0, "path"),
        (2, "scope", "files", 0, "path"),
    ]
    assert {remark.message for remark in found} == {'the file "a" is listed by the slices "x", "y", "z"'}


def test_what_waits_for_a_ring_is_named_with_it() -> None:
    phases = [
        {"title": "a", "depends_on": [1]},
        {"title": "b", "depends_on": [0, 1, 9]},
        {"title": "c", "depends_on": [1]},
    ]
    assert said("depends-on-cycle", {"split_proposal": {"phases": phases}}) == [
        "the phases 0, 1, 2 cannot be put in order: they wait in a ring, or for one"
    ]

from __future__ import annotations

import copy
import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import GOLDEN

from migrate_spec.plans import critic, service_plan, standard
from migrate_spec.plans.remarks import Limits, Plan

EXAMPLE = re.compile(r"^(Passes|Fails): (\{.*\})(?: with (\w+) (\w+))?$", re.MULTILINE)
SMALLEST: dict[str, Any] = json.loads((GOLDEN / "plan" / "clean-smallest" / "plan.json").read_text())
CLEAN = (GOLDEN / "service-plan" / "clean" / "plan.md").read_text()
ONE_SESSION = CLEAN[: CLEAN.index("## Session S2")].replace("sessions_total: 3", "sessions_total: 1")


def merged(base: Any, change: Any) -> Any:
    if isinstance(base, dict) and isinstance(change, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in change.items()}}
    return copy.deepcopy(change)


def examples(check: Any) -> Iterator[tuple[bool, Plan]]:
    for verdict, change, key, value in EXAMPLE.findall(inspect.getdoc(check) or ""):
        limits = Limits(**{key: json.loads(value)}) if key else Limits()
        yield verdict == "Passes", Plan(merged(SMALLEST, json.loads(change)), limits)


@pytest.mark.parametrize("rule", standard.RULES, ids=lambda rule: rule.id)
def test_the_examples_of_a_rule_do_what_they_say(rule: standard.Rule) -> None:
    found = list(examples(rule.check))
    assert {passes for passes, _ in found} == {True, False}
    for passes, plan in found:
        assert bool(list(rule.check(plan))) != passes


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
    found = re.findall(r"^(Passes|Fails): (.*)$", inspect.getdoc(rule.check) or "", re.MULTILINE)
    assert [verdict for verdict, _ in found] == ["Passes", "Fails"]
    for verdict, example in found:
        plan = service_plan.read(written(re.findall("`([^`]*)`", example)).encode())
        assert plan.fault is None
        assert bool(list(rule.check(plan))) == (verdict == "Fails")

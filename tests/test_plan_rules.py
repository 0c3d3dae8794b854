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
from migrate_spec.plans.remarks import Limits, Plan

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
    given = [option.removeprefix("--").split() for option in options]
    return Limits(**{name.replace("-", "_"): int(*number) if number else True for name, *number in given})


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

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import GOLDEN
from support import Result, run

from migrate_spec.plans.critic import RULES

CASES = {path.name: path for path in sorted((GOLDEN / "service-plan").iterdir())}


def named(*starts: str) -> list[str]:
    found = [name for name in CASES if name.removeprefix("ledger-").startswith(starts)]
    assert found
    return found


def criticize(name: str, *options: str) -> Result:
    folder, before = CASES[name], Path.cwd()
    given = (folder / "args").read_text().split() if (folder / "args").exists() else []
    os.chdir(folder)
    try:
        return run("plan", "critic", "--plan", "plan.md", *given, *options)
    finally:
        os.chdir(before)


def fired(name: str) -> set[int]:
    return {violation["rule"] for violation in criticize(name, "--format", "json").json["violations"]}


@pytest.mark.parametrize("name", CASES)
def test_answer_is_the_golden_one(name: str, golden: Callable[[Path, bytes], None]) -> None:
    text, data = criticize(name), criticize(name, "--format", "json")
    assert text.code == data.code
    golden(CASES[name] / "report.txt", text.out + text.err)
    if text.code != 2:
        golden(CASES[name] / "report.json", data.out)


def test_every_rule_has_a_fixture() -> None:
    numbers = {int(name.split("-")[1]) for name in CASES if name.startswith("rule-")}
    assert numbers == {rule.number for rule in RULES} == set(range(1, 12))


@pytest.mark.parametrize("name", named("rule-"))
def test_one_fault_sets_off_its_rule_and_no_other(name: str) -> None:
    assert fired(name) == {int(name.removeprefix("ledger-").split("-")[1])}
    assert criticize(name).code == 1


@pytest.mark.parametrize("name", named("clean", "alike-", "lines-", "tabs-", "json-", "folder-", "copies-"))
def test_what_only_looks_wrong_passes(name: str) -> None:
    result = criticize(name)
    assert (result.code, result.text) == (0, "plan.md: every rule is satisfied\n")
    assert fired(name) == set()


@pytest.mark.parametrize("name", named("cannot-run-"))
def test_what_is_not_understood_exits_2_with_one_line(name: str) -> None:
    for form in ("text", "json"):
        result = criticize(name, "--format", form)
        assert result.code == 2
        assert result.out == b""
        assert result.error.count("\n") == 1

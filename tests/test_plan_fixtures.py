from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import GOLDEN
from support import Result, run

from migrate_spec.plans.standard import RULES

CASES = {path.name: path for path in sorted((GOLDEN / "plan").iterdir())}
ERRORS = [rule.id for rule in RULES if not rule.advisory]
ADVISORIES = [*(rule.id for rule in RULES if rule.advisory), "duplicate-key"]

INSEPARABLE = {
    "over-cap-without-split": {"over-cap"},
    "remaining-scope-blank": {"partial-delivery"},
    "architectural-decision-blank": {"architectural-decision-declared"},
    "irreducible-over-cap": {"over-cap"},
}
"""The advisories that cannot but accompany a rule: what sets it off is what they are about."""


def named(start: str) -> list[str]:
    found = [name for name in CASES if name.startswith(start)]
    assert found
    return found


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def validate(name: str, *options: str) -> Result:
    folder = CASES[name]
    given = (folder / "args").read_text().split() if (folder / "args").exists() else []
    with inside(folder):
        return run("plan", "validate", *given, *options, "plan.json")


def answer(name: str) -> dict[str, Any]:
    (document,) = validate(name, "--format", "json").json["documents"]
    assert isinstance(document, dict)
    return document


def rules(findings: list[dict[str, Any]]) -> set[str]:
    return {finding["rule"] for finding in findings}


@pytest.mark.parametrize("name", CASES)
def test_answer_is_the_golden_one(name: str, golden: Callable[[Path, bytes], None]) -> None:
    text, data = validate(name), validate(name, "--format", "json")
    golden(CASES[name] / "report.txt", text.out)
    golden(CASES[name] / "report.json", data.out)
    assert text.code == data.code == (0 if data.json["documents"][0]["valid"] else 1)
    assert text.err == data.err == b""


def test_every_rule_has_a_fixture() -> None:
    wanted = {f"error-{rule}" for rule in ERRORS} | {f"advisory-{rule}" for rule in ADVISORIES}
    assert wanted <= set(CASES)
    assert {name for name in CASES if name.startswith(("error-", "advisory-"))} <= wanted


@pytest.mark.parametrize("rule", ERRORS)
def test_one_fault_sets_off_its_rule_and_no_other(rule: str) -> None:
    found = answer(f"error-{rule}")
    assert rules(found["diagnostics"]) == {rule}
    assert rules(found["advisories"]) == INSEPARABLE.get(rule, set())
    assert not found["valid"]


@pytest.mark.parametrize("rule", ADVISORIES)
def test_an_advisory_stands_alone_and_leaves_the_plan_valid(rule: str) -> None:
    found = answer(f"advisory-{rule}")
    assert found["diagnostics"] == []
    assert rules(found["advisories"]) == {rule} | INSEPARABLE.get(rule, set())
    assert found["valid"]


@pytest.mark.parametrize("name", [*named("clean-"), *named("alike-")])
def test_what_only_looks_wrong_passes(name: str) -> None:
    found = answer(name)
    assert found["valid"]
    assert found["diagnostics"] == found["advisories"] == found["coercions"] == []


@pytest.mark.parametrize("name", named("unreadable-"))
def test_unreadable_text_is_one_finding(name: str) -> None:
    found = answer(name)
    assert [each["rule"] for each in found["diagnostics"]] == ["parse"]
    assert found["advisories"] == []


@pytest.mark.parametrize("name", named("shape-"))
def test_a_broken_shape_stops_everything_else(name: str) -> None:
    found = answer(name)
    assert rules(found["diagnostics"]) == {"schema"}
    assert found["advisories"] == []


@pytest.mark.parametrize("name", [*named("error-"), *named("advisory-")])
def test_every_position_is_that_of_the_text(name: str) -> None:
    """What is marked reads as the value of the pointer, or as a key or value right inside, or its own key."""
    text = (CASES[name] / "plan.json").read_text()
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
    found = answer(name)
    for finding in found["diagnostics"] + found["advisories"]:
        start = starts[finding["line"] - 1] + finding["column"] - 1
        end = starts[finding["end_line"] - 1] + finding["end_column"] - 1
        steps = finding["pointer"].split("/")[1:]
        value: Any = json.loads(text)
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
        near = [*value, *value.values()] if isinstance(value, dict) else []
        assert json.loads(text[start:end]) in [value, *steps[-1:], *near]


@pytest.mark.parametrize("name", named("repair-"))
def test_repaired_plan_is_written_byte_for_byte(
    name: str, tmp_path: Path, golden: Callable[[Path, bytes], None]
) -> None:
    out = tmp_path / "repaired.json"
    result = validate(name, "--out", str(out))
    if result.code:
        assert not out.exists()
        assert "not valid, so nothing was written" in result.error
        return
    golden(CASES[name] / "repaired.json", out.read_bytes())
    assert result.error == f"plan.json: written to {out}\n"
    with inside(tmp_path):
        assert run("plan", "validate", "repaired.json").code == 0


def test_a_sound_plan_is_not_touched_by_a_repair(tmp_path: Path) -> None:
    out = tmp_path / "same.json"
    validate("repair-nothing-to-do", "--out", str(out))
    assert out.read_bytes() == (CASES["repair-nothing-to-do"] / "plan.json").read_bytes()

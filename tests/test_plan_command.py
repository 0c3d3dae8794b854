from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import GOLDEN
from support import process, run

from migrate_spec import plans
from migrate_spec.findings import as_json

CLEAN = GOLDEN / "plan" / "clean-split" / "plan.json"
BROKEN = GOLDEN / "plan" / "error-depends-on-self" / "plan.json"
STRINGS = GOLDEN / "plan" / "repair-strings" / "plan.json"
SERVICE = GOLDEN / "service-plan" / "clean" / "plan.md"
FAULTY = GOLDEN / "service-plan" / "rule-06-exhaustion" / "plan.md"


def test_every_plan_is_checked_and_the_highest_code_wins(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    result = run("plan", "validate", "--format", "json", BROKEN, missing, CLEAN)
    assert result.code == 2
    assert [(d["path"], d["valid"]) for d in result.json["documents"]] == [
        (str(BROKEN), False),
        (str(missing), False),
        (str(CLEAN), True),
    ]
    (unread,) = result.json["documents"][1]["diagnostics"]
    assert (unread["rule"], unread["line"], unread["message"]) == ("file-unreadable", None, "no such file")
    assert run("plan", "validate", BROKEN, CLEAN).code == 1


def test_a_folder_is_no_plan(tmp_path: Path) -> None:
    result = run("plan", "validate", tmp_path)
    assert (result.code, result.error) == (2, "")
    assert "this is a folder" in result.text


def test_a_plan_comes_from_standard_input() -> None:
    result = run("plan", "validate", "-", stdin=CLEAN.read_bytes())
    assert (result.code, result.text) == (0, "<stdin>: valid\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-", "-"],
        ["--out", "x.json", "plan.json"],
        ["--coerce", "--out", "x.json", "a.json", "b.json"],
        ["--coerce", "--out", "-", "plan.json"],
        ["--budget-minutes", "soon", "plan.json"],
        ["--budget-minutes", "-1", "plan.json"],
        ["--format", "xml", "plan.json"],
        ["--max-files-changed", "9" * 5000, "plan.json"],
    ],
)
def test_wrong_calls_of_validate_are_usage_errors(arguments: list[str]) -> None:
    result = run("plan", "validate", *arguments)
    assert (result.code, result.out) == (2, b"")
    assert result.error.startswith("Usage: ")


def test_the_repaired_plan_is_never_written_over_a_file(tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("mine")
    result = run("plan", "validate", "--coerce", "--out", there, STRINGS)
    assert (result.code, there.read_text()) == (1, "mine")
    assert result.error == f"{there}: already exists; nothing was written\n"
    dangling = tmp_path / "dangling.json"
    dangling.symlink_to(tmp_path / "nothing")
    assert run("plan", "validate", "--coerce", "--out", dangling, STRINGS).code == 1
    assert not (tmp_path / "nothing").exists()


def test_the_repaired_plan_is_private_and_the_source_untouched(tmp_path: Path) -> None:
    source, out = tmp_path / "plan.json", tmp_path / "fixed.json"
    source.write_bytes(STRINGS.read_bytes())
    assert run("plan", "validate", "--coerce", "--out", out, source).code == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert source.read_bytes() == STRINGS.read_bytes()
    assert run("plan", "validate", source).code == 1


def test_a_folder_that_is_not_there_is_a_path_problem(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "fixed.json"
    result = run("plan", "validate", "--coerce", "--out", out, STRINGS)
    assert result.code == 2
    assert result.error.startswith(f"{out}: ")
    assert not out.parent.exists()


def test_a_missing_moment_is_the_present_one(tmp_path: Path) -> None:
    plan = json.loads(CLEAN.read_text())
    plan["generated_by"] = "planning-agent"
    source, out = tmp_path / "plan.json", tmp_path / "fixed.json"
    source.write_text(json.dumps(plan))
    assert run("plan", "validate", "--coerce", "--out", out, source).code == 0
    assert run("plan", "validate", out).code == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_lone_surrogates_are_printed_as_escapes(form: str, tmp_path: Path) -> None:
    source = tmp_path / "plan.json"
    source.write_text('{"\\ud800/~": 1, "delivery": "\\udc80", "\\udfff": 0, "\\udfff": 0}')
    result = process("plan", "validate", "--format", form, source)
    assert result.code == 1
    assert result.err == b""
    assert b"\\ud800" in result.out
    result.out.decode("utf-8")


def test_colours_are_there_only_when_asked_for() -> None:
    assert b"\x1b[" in run("plan", "validate", "--color", "always", BROKEN).out
    assert b"\x1b[" not in run("plan", "validate", BROKEN).out
    assert b"\x1b[" in run("plan", "critic", "--color", "always", "--plan", FAULTY).out


def test_the_critic_finds_the_plan_of_a_repository(tmp_path: Path) -> None:
    place = tmp_path / "docs" / "plan" / "plan.md"
    place.parent.mkdir(parents=True)
    place.write_bytes(FAULTY.read_bytes())
    result = run("plan", "critic", "--root", tmp_path, "--format", "json")
    assert result.code == 1
    assert result.json == {
        "plan": str(place),
        "violations": [
            {
                "rule": 6,
                "session": "S2",
                "line": 58,
                "message": 'on_exhaustion cannot be "carry on"; write "- on_exhaustion: escalate"',
            }
        ],
    }
    inside = process("plan", "critic", cwd=tmp_path)
    assert inside.text.startswith("docs/plan/plan.md:58:1: critic-6: session S2: ")


def test_a_service_plan_comes_from_standard_input() -> None:
    result = run("plan", "critic", "--plan", "-", stdin=SERVICE.read_bytes())
    assert (result.code, result.text) == (0, "<stdin>: every rule is satisfied\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plan"],
        ["--plan", "a.md", "--root", "."],
        ["a.md"],
        ["--plan", "-", "--ledger", "-"],
        ["--strict"],
    ],
)
def test_wrong_calls_of_the_critic_are_usage_errors(arguments: list[str]) -> None:
    result = run("plan", "critic", *arguments)
    assert (result.code, result.out) == (2, b"")
    assert result.error.splitlines()[-1].startswith("Error: ")


def test_the_critic_says_which_path_it_cannot_read(tmp_path: Path) -> None:
    assert (
        run("plan", "critic", "--plan", tmp_path).error
        == f"{tmp_path}: this is a folder; name the file in it\n"
    )
    missing = tmp_path / "docs" / "plan" / "plan.md"
    assert run("plan", "critic", "--root", tmp_path).error == f"{missing}: no such file\n"


@pytest.mark.parametrize("arguments", [["plan"], ["plan", "validate"], ["plan", "critic"]])
def test_help_fits_a_screen_and_holds_an_example(arguments: list[str]) -> None:
    result = run(*arguments, "--help")
    assert result.code == 0
    assert "Example" in result.text
    assert result.text.count("\n") <= 32


def test_a_driver_gets_plain_values_without_the_command_line() -> None:
    checked = plans.check(BROKEN.read_bytes(), plans.Limits(max_files_changed=2))
    assert not checked.valid
    shown = as_json(checked.document, checked.diagnostics[0])
    assert (shown["rule"], shown["pointer"]) == ("depends-on-self", "/split_proposal/phases/1/depends_on/1")
    assert [finding.rule for finding in checked.advisories] == ["over-cap"]
    plan = plans.read_service_plan(FAULTY.read_bytes())
    assert plan.fault is None
    assert [(each.rule, each.session, each.line) for each in plans.criticize(plan)] == [(6, "S2", 58)]
    assert plans.look_up_admission(
        str(GOLDEN / "service-plan" / "ledger-lines-agree" / "ledger"), "berth", "1.3.0"
    ).known


def test_the_door_opens_only_to_what_it_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = plans.nothing
    code = "import sys, migrate_spec.plans as plans; print(sorted(m for m in sys.modules if m.startswith('migrate_spec')))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout == "['migrate_spec', 'migrate_spec.plans']\n"


def test_other_formats_come_from_the_registry_of_findings() -> None:
    place = "line=73,endLine=73,col=27,endColumn=28"
    result = run("plan", "validate", "--format", "github", BROKEN)
    assert result.text.startswith(f"::error file={BROKEN},{place},title=depends-on-self::phase 1 ")
    critic = run("plan", "critic", "--format", "sarif", "--plan", FAULTY)
    (found,) = critic.json["runs"][0]["results"]
    assert (found["ruleId"], critic.code) == ("critic-6", 1)

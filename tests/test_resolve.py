from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import GOLDEN
from support import Result, process, run

from migrate_spec import resolution
from migrate_spec.validation import check
from transforms.document import parse
from transforms.nodes import plain

Golden = Callable[[Path, bytes], None]

CASES = sorted(path.parent for path in (GOLDEN / "resolve").glob("*/source.yaml"))

VIEWS = {
    "summary.txt": (),
    "resolved.yaml": ("--print",),
    "resolved.json": ("--print", "--format", "json"),
    "normalized.json": ("--phase", "normalized", "--format", "json"),
    "autonomy.json": ("--phase", "autonomy", "--format", "json"),
    "explain.txt": ("--explain",),
}

SMALL = b"""\
version: "2"
defaults:
  executor: {agent: codex, timeout: 30m}
workflows:
  base:
    stages:
      - {id: build, type: implement}
  derived:
    extends: base
    defaults: {budget: {max_runtime: 5m}}
    stages:
      - {id: build, executor: {timeout: 1h}}
      - {id: look, type: review, executor: {human: true}}
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("small.yaml")
    path.write_bytes(SMALL)
    return path


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("broken.yaml")
    path.write_bytes(SMALL.replace(b"5m", b""))
    return path


# -- golden documents ------------------------------------------------------------


def views(findings: Result) -> dict[str, bytes]:
    """The golden files of the document in the current folder."""
    found = {name: run("resolve", *options, "source.yaml").out for name, options in VIEWS.items()}
    found["findings.txt"] = findings.out if findings.code else b""
    return {name: data for name, data in found.items() if data}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    findings = run("validate", "source.yaml")
    shown = views(findings)
    for name, data in shown.items():
        golden(case / name, data)
    assert {path.name for path in case.iterdir()} == {"source.yaml", *shown}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_documents_pass_their_own_check(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    valid = run("validate", "source.yaml").code == 0
    checks = [("resolved", "resolved.yaml"), ("resolved", "resolved.json")]
    checks += [("normalized", "normalized.json"), ("autonomy", "autonomy.json")]
    for phase, name in checks:
        if (case / name).is_file():
            done = run("resolve", "--phase", phase, "--check", name, "source.yaml")
            assert done.text == f"source.yaml: the same as {name}\n"
            assert done.code == (0 if valid else 1)


def test_golden_documents_cover_every_view() -> None:
    names = {path.name for case in CASES for path in case.iterdir()}
    assert names == {"source.yaml", "findings.txt", *VIEWS}


# -- the summary -----------------------------------------------------------------


def test_summary(small: Path) -> None:
    done = run("resolve", small)
    assert done.text == (
        "base: 1 stage; executor from file defaults\n"
        "derived: 2 stages, extends base (1 changed, 1 new); "
        "executor from file defaults; budget from workflow defaults\n"
    )
    assert (done.code, done.error) == (0, "")


def test_summary_as_json(small: Path) -> None:
    (document,) = run("resolve", "--format", "json", small).json["documents"]
    assert (document["path"], document["valid"], document["version"]) == ("small.yaml", True, "2")
    assert document["diagnostics"] == []
    assert document["workflows"][1] == {
        "name": "derived",
        "stages": 2,
        "base": "base",
        "inherited": [],
        "changed": ["build"],
        "new": ["look"],
        "blocks": {"executor": ["file defaults"], "budget": ["workflow defaults"]},
    }


def test_summary_as_yaml_is_the_same_data(small: Path) -> None:
    root = parse(run("resolve", "--format", "yaml", small).out).root
    assert root is not None
    assert plain(root) == run("resolve", "--format", "json", small).json


def test_findings_of_the_summary_go_to_stderr_and_into_json(broken: Path) -> None:
    done = run("resolve", broken)
    assert done.code == 1
    assert done.text.startswith("base: 1 stage")
    assert done.error.startswith("broken.yaml:10:25: schema: max_runtime is empty")
    asked = run("resolve", "--format", "json", broken)
    assert (asked.code, asked.error) == (1, "")
    assert [found["rule"] for found in asked.json["documents"][0]["diagnostics"]] == ["schema"]


def test_default_path_and_standard_input(small: Path, tmp_path: Path) -> None:
    (tmp_path / ".fishhawk").mkdir()
    (tmp_path / ".fishhawk/workflows.yaml").write_bytes(SMALL)
    assert run("resolve").out == run("resolve", small).out == run("resolve", "-", stdin=SMALL).out


# -- printing --------------------------------------------------------------------


def test_print_shows_the_document_although_later_findings_come(broken: Path) -> None:
    done = run("resolve", "--print", "--format", "json", broken)
    assert done.code == 1
    assert done.json["workflows"]["derived"]["stages"][0]["budget"] == {"max_runtime": None}
    assert "schema" in done.error


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"- a\n", id="no mapping"),
        pytest.param(SMALL.replace(b'"2"', b"2"), id="version"),
        pytest.param(SMALL.replace(b"extends: base", b"drive: true"), id="removed form"),
        pytest.param(SMALL.replace(b"extends: base", b"extends: bass"), id="unknown base"),
        pytest.param(SMALL + b"version: '2'\n", id="duplicate key"),
        pytest.param(SMALL.replace(b"type: review", b"1: review"), id="a key that is no string"),
    ],
)
@pytest.mark.parametrize("view", [("--print",), ("--phase", "normalized"), ("--check", "small.json")])
def test_nothing_is_printed_that_is_not_resolved(small: Path, text: bytes, view: tuple[str, ...]) -> None:
    Path("small.json").write_text("{}")
    done = run("resolve", *view, "-", stdin=text)
    assert (done.code, done.out) == (1, b"")
    assert "<stdin>:" in done.error


def test_explain_of_what_is_not_resolved(small: Path) -> None:
    text = SMALL.replace(b"extends: base", b"extends: bass")
    assert run("resolve", "--explain", "-", stdin=text).out == b""
    done = run("resolve", "--explain", "--format", "json", "-", stdin=text)
    assert (done.code, done.json) == (1, [])


@pytest.mark.parametrize("phase", ["normalized", "autonomy"])
def test_later_phases_need_a_valid_file(broken: Path, phase: str) -> None:
    done = run("resolve", "--phase", phase, broken)
    assert (done.code, done.out) == (1, b"")
    assert done.error.startswith(f"broken.yaml: the phase {phase} needs a valid file\nbroken.yaml:10:25: ")


def test_phase_implies_print(small: Path) -> None:
    assert run("resolve", "--phase", "resolved", small).out == run("resolve", "--print", small).out != b""


def test_explain_as_json(small: Path) -> None:
    rows = run("resolve", "--explain", "--format", "json", small).json
    found = {row["pointer"]: (row["value"], row["rung"], row["path"], row["line"]) for row in rows}
    stage = "/workflows/derived/stages/0"
    assert found[f"{stage}/executor/timeout"] == ("1h", "own", "small.yaml", 12)
    assert found[f"{stage}/executor/agent"] == ("codex", "file defaults", "small.yaml", 3)
    assert found[f"{stage}/budget/max_runtime"] == ("5m", "workflow defaults", "small.yaml", 10)
    assert found[f"{stage}/type"] == ("implement", "base base", "small.yaml", 7)


@pytest.mark.parametrize(("version", "shown"), [(b"1.3", "1.3"), (b"0.4", "0.4")])
def test_older_majors_print_as_loaded_with_a_note(version: bytes, shown: str) -> None:
    text = b'version: "' + version + b'"\nworkflows:\n  a:\n    drive: true\n    stages:\n'
    text += b"      - {id: b, type: plan, executor: {agent: codex}}\n"
    for view in (("--print",), ("--phase", "normalized")):
        done = run("resolve", *view, "--format", "json", "-", stdin=text)
        assert done.code == 0
        assert done.json["workflows"]["a"]["drive"] is True
        assert done.error == "note: <stdin>: only version 2 has defaults and extends; shown as written\n"
    done = run("resolve", "--phase", "autonomy", "-", stdin=text)
    assert (done.code, done.out) == (1, b"")
    assert done.error == f"<stdin>: version {shown} has no autonomy; only version 2 has\n"


def test_numbers_and_dates_that_json_cannot_say() -> None:
    text = b'version: "2"\nworkflows: {a: {stages: [.inf, .nan, -.inf, 2024-01-31, 1e400]}}\n'
    done = run("resolve", "--print", "--format", "json", "-", stdin=text)
    assert done.json["workflows"]["a"]["stages"] == [".inf", ".nan", "-.inf", "2024-01-31", ".inf"]
    assert done.code == 1


def test_names_that_do_not_print_are_escaped(small: Path) -> None:
    text = SMALL.replace(b"derived:", b'"de\\e[31m\\nrived":')
    assert "/workflows/de\\u001b[31m\\nrived/extends " in run("resolve", "--explain", "-", stdin=text).text
    assert "\nde\\u001b[31m\\nrived: 2 stages" in run("resolve", "-", stdin=text).text
    Path("golden.json").write_bytes(run("resolve", "--print", "-", stdin=text).out.replace(b"1h", b"2h"))
    done = run("resolve", "--check", "golden.json", "-", stdin=text)
    assert done.text.startswith("/workflows/de\\u001b[31m\\nrived/stages/0/executor/timeout: expected")


# -- writing ---------------------------------------------------------------------


def test_out_writes_what_print_prints(small: Path) -> None:
    done = run("resolve", "--out", "new.yaml", small)
    assert (done.code, done.text, done.error) == (0, "small.yaml: written to new.yaml\n", "")
    assert Path("new.yaml").read_bytes() == run("resolve", "--print", small).out
    assert stat.S_IMODE(Path("new.yaml").stat().st_mode) == 0o600
    assert run("resolve", "--print", "--format", "json", "--out", "new.json", small).code == 0
    assert Path("new.json").read_bytes() == run("resolve", "--print", "--format", "json", small).out


def test_out_left_empty_counts_as_not_given(small: Path) -> None:
    assert run("resolve", "--out", "", small).out == run("resolve", small).out


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_out_never_writes_over_anything(small: Path, kind: str) -> None:
    path = Path("there")
    if kind == "file":
        path.write_bytes(b"mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    before = path.lstat()
    done = run("resolve", "--out", path, small)
    assert (done.code, done.text) == (1, "")
    assert done.error == "there: already exists; nothing was written\n"
    assert path.lstat() == before
    assert not Path("nowhere").exists()


def test_out_makes_no_folders(small: Path) -> None:
    done = run("resolve", "--out", "no/such/new.yaml", small)
    assert (done.code, done.error) == (2, "no/such/new.yaml: its folder does not exist and is not made\n")
    assert not Path("no").exists()


def test_out_that_cannot_be_a_path(small: Path) -> None:
    done = run("resolve", "--out", "a\0b", small)
    assert done.code == 2
    assert "null byte" in done.error


# -- comparing -------------------------------------------------------------------


def test_check_says_what_differs(small: Path) -> None:
    Path("golden.yaml").write_text(
        run("resolve", "--print", small)
        .text.replace("timeout: 1h", "timeout: 2h")
        .replace("    extends: base\n", "    extends: base\n    description: more\n")
        .replace("human: true", "human: 1")
    )
    done = run("resolve", "--check", "golden.yaml", small)
    assert done.code == 1
    assert done.text == (
        '/workflows/derived/description: expected "more", found no such key or entry\n'
        '/workflows/derived/stages/0/executor/timeout: expected "2h", found "1h"\n'
        "/workflows/derived/stages/1/executor/human: expected 1, found true\n"
    )
    (document,) = run("resolve", "--check", "golden.yaml", "--format", "json", small).json["documents"]
    assert (document["path"], document["golden"], document["same"]) == ("small.yaml", "golden.yaml", False)
    assert document["differences"][0] == {"pointer": "/workflows/derived/description", "expected": "more"}


def test_check_ignores_the_order_of_keys_and_how_numbers_are_written(small: Path) -> None:
    text = SMALL.replace(b"5m}", b"5m, limit_usd: 3.0}")
    written = run("resolve", "--print", "--format", "json", "-", stdin=text).text
    Path("golden.json").write_text(written.replace("3.0", "3"))
    assert run("resolve", "--check", "golden.json", "-", stdin=text).code == 0


def test_check_of_another_phase(small: Path) -> None:
    Path("golden.json").write_text(run("resolve", "--phase", "autonomy", "--format", "json", small).text)
    assert run("resolve", "--phase", "autonomy", "--check", "golden.json", small).code == 0
    done = run("resolve", "--check", "golden.json", small)
    assert done.code == 1
    assert "/version: expected no such key or entry, found" in done.text


def test_check_against_what_cannot_be_read(small: Path) -> None:
    done = run("resolve", "--check", "no.yaml", small)
    assert (done.code, done.error) == (2, "no.yaml: no such file\n")
    Path("bad.yaml").write_text("a: [")
    done = run("resolve", "--check", "bad.yaml", small)
    assert done.code == 1
    assert done.error.startswith("bad.yaml:1:5: yaml-invalid: not YAML")


def test_check_against_a_list(small: Path) -> None:
    Path("golden.yaml").write_text("- a\n")
    done = run("resolve", "--check", "golden.yaml", small)
    assert (done.code, done.text) == (1, "the whole document: expected a list, found a mapping\n")


# -- usage -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ("--explain", "--print"),
        ("--explain", "--out", "x"),
        ("--explain", "--phase", "resolved"),
        ("--check", "x", "--print"),
        ("--check", "x", "--explain"),
        ("--check", "x", "--out", "y"),
        ("--check", "-", "-"),
        ("--out", "-"),
        ("--phase", "none"),
        ("--format", "sarif"),
        ("a", "b"),
    ],
)
def test_contradictions_are_usage_errors(small: Path, options: tuple[str, ...]) -> None:
    done = run("resolve", *options)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith("Usage: fishhawk resolve")
    assert not Path("x").exists()


def test_a_path_that_cannot_be_read() -> None:
    done = run("resolve", "no/such.yaml")
    assert (done.code, done.text) == (2, "")
    assert done.error.startswith("no/such.yaml: file-unreadable: no such file")
    asked = run("resolve", "--format", "json", "no/such.yaml")
    assert asked.code == 2
    assert asked.json["documents"][0]["diagnostics"][0]["rule"] == "file-unreadable"
    for view in ("--print", "--explain"):
        assert run("resolve", view, "no/such.yaml").code == 2


def test_findings_are_coloured_for_their_own_stream(broken: Path) -> None:
    done = run("resolve", "--print", "--color", "always", broken)
    assert b"\x1b[" in done.err
    assert b"\x1b[" not in done.out


def test_deepdiff_is_imported_for_the_check_alone(small: Path) -> None:
    code = (
        "import sys; from migrate_spec.cli import main; main(['resolve', '--print', 'small.yaml']);"
        "assert 'deepdiff' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_the_command_as_a_process(small: Path) -> None:
    assert process("resolve", "--print", "small.yaml").out == run("resolve", "--print", small).out


# -- documents printed elsewhere ---------------------------------------------------


def examples(page: Path) -> Iterator[str]:
    """The example documents of the page: from a comment line at the left margin to the next heading."""
    lines = page.read_text().split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith("Example — ")]
    for at, start in enumerate(starts):
        end = starts[at + 1] if at + 1 < len(starts) else len(lines)
        yield "\n".join(lines[start + 1 : end]).strip() + "\n"


def test_the_published_examples(shared: Path, tmp_path: Path) -> None:
    (page,) = (shared / "seeds").glob("003_*.txt")
    reuse, grooming = examples(page)
    stages = _stages(reuse, "feature_change")
    assert [stage["id"] for stage in stages] == ["propose", "apply", "gate", "verify", "ship"]
    propose, apply, gate, _, ship = stages
    assert propose["executor"] == {"agent": "codex", "timeout": "30m"}
    assert apply["executor"] == {"agent": "codex", "timeout": "60m"}
    assert apply["reviewers"] == {"agents": [{"provider": "codex"}]}
    assert apply["budget"] == {"max_runtime": "90m"}
    assert gate["executor"] == {"human": True}
    assert ship["executor"] == {"delegate": {"target": "github_actions", "workflow_ref": "deploy.yml"}}
    hotfix = _stages(reuse, "hotfix_change")
    assert hotfix[2] == {**gate, "budget": {"max_runtime": "10m"}}
    assert [hotfix[i] for i in (0, 1, 3, 4)] == [stages[i] for i in (0, 1, 3, 4)]

    done = run("resolve", "--phase", "autonomy", "--format", "json", "-", stdin=grooming.encode())
    classes = done.json["/workflows/backlog_grooming"]["classes"]
    assert {name: entry["mode"] for name, entry in classes.items() if entry["mode"] != "gated"} == {
        "hygiene": "auto",
        "scoping": "report",
    }


def _stages(text: str, workflow: str) -> Any:
    done = run("resolve", "--print", "--format", "json", "-", stdin=text.encode())
    assert done.code == 0
    return done.json["workflows"][workflow]["stages"]


def test_strings_that_an_older_reader_misreads_are_quoted(shared: Path) -> None:
    text = (shared / "bugs/inputs/07-quotes-yaml11.yaml").read_bytes()
    lines = run("resolve", "--print", "-", stdin=text).text.split("\n")
    for line in ('"on":', 'description: "n"', '- id: "no"', '- "off"', '- "~"', '- "null"', '- "1e3"'):
        assert line in [written.strip() for written in lines]
    assert '- "2024-01-31"' in [line.strip() for line in lines]


def test_a_derived_list_replaces_and_says_where_it_is_from(shared: Path) -> None:
    path = shared / "bugs/inputs/23-extends-array-null.yaml"
    rows = {
        row["pointer"].removeprefix("/workflows/strict/stages/0/"): (row["value"], row["rung"], row["line"])
        for row in run("resolve", "--explain", "--format", "json", path).json
        if row["pointer"].startswith("/workflows/strict/stages/0/")
    }
    assert rows["constraints/forbidden_paths/0"] == ("secrets/**", "own", 32)
    assert "constraints/forbidden_paths/1" not in rows
    assert rows["constraints/max_files_changed"] == (20, "base base", 17)
    assert rows["reviewers/agents/0/provider"] == ("claudecode", "base base", 21)
    assert "reviewers/human" not in rows
    assert rows["budget"] == (None, "own", 33)
    assert rows["executor/agent"] == ("claude-code", "file defaults", 4)
    assert ":33:9: schema: budget is empty" in run("resolve", path).error


def test_a_phase_that_there_is_not(small: Path) -> None:
    found = check(parse(small.read_bytes()))
    with pytest.raises(ValueError, match='no phase "autonomi"; did you mean "autonomy"'):
        resolution.phase(found, "autonomi")

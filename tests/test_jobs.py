from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import pytest
from conftest import GOLDEN
from support import run

from migrate_spec.cli.jobs import answers

VALID = (GOLDEN / "migrate" / "already-v2" / "source.yaml").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    names = [f"f{number:03}.yaml" for number in range(70)]
    for number, name in enumerate(names):
        Path(name).write_bytes(VALID if number % 7 else VALID.replace(b"type: plan", b"type: paln"))
    return names


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_answers_do_not_depend_on_jobs(folder: list[str], form: str) -> None:
    one = run("validate", "--format", form, *folder)
    assert one.code == 1
    assert run("validate", "--format", form, "--jobs", 3, *folder) == one


def test_standard_input_stays_with_the_first_process(folder: list[str]) -> None:
    given = ["-", *folder]
    one = run("validate", *given, stdin=VALID)
    assert "<stdin>: valid" in one.text
    assert run("validate", "--jobs", 2, *given, stdin=VALID) == one


def test_a_path_that_cannot_be_read_costs_no_other(folder: list[str]) -> None:
    result = run("validate", "--jobs", 2, "missing.yaml", *folder)
    assert result.code == 2
    assert "missing.yaml: file-unreadable: no such file" in result.text
    assert result.text.count(": valid\n") == 60


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal() -> None:
    with mock.patch("sys.stderr", Terminal()) as err:
        found = answers([str(n) for n in range(60)], lambda paths: [int(path) for path in paths], 1)
    assert found == list(range(60))
    assert "files" in err.getvalue()
    assert "100%" in err.getvalue()


def test_jobs_must_be_positive() -> None:
    result = run("validate", "--jobs", 0)
    assert result.code == 2
    assert "--jobs" in result.error

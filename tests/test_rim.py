"""The rim of the command line: outputs that cannot be written, faults of our own, commands that are none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from support import run

CALL = [sys.executable, "-c", "from migrate_spec.cli import run; run()"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_no_fault_of_ours() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*CALL, "rules"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"fishhawk: the output cannot be written: No space left on device\n"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with subprocess.Popen(
        [*CALL, "schema", "workflow-v2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as call:
        assert call.stdout is not None
        assert call.stderr is not None
        call.stdout.read(10)
        call.stdout.close()
        assert call.stderr.read() == b""
    assert call.returncode == 0


def test_a_fault_of_ours_is_one_line() -> None:
    with mock.patch("migrate_spec.files.read", side_effect=ZeroDivisionError("by\nzero")):
        result = run("validate", "x.yaml")
        traced = run("validate", "x.yaml", "--traceback")
    assert result.code == traced.code == 3
    assert result.out == b""
    assert result.error.startswith(
        "fishhawk: a fault of this program (ZeroDivisionError: by); please report it"
    )
    assert result.error.count("\n") == 1
    assert "Traceback (most recent call last)" in traced.error


def test_a_command_that_is_none_is_guessed() -> None:
    result = run("valdate")
    assert result.code == 2
    assert 'no command "valdate"; did you mean "validate"?' in result.error


@pytest.mark.parametrize("command", ["validate", "resolve", "migrate-spec", "graph"])
def test_the_file_that_is_not_here_may_be_further_up(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "docs" / "notes"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert "no such file; fishhawk init writes one\n" in _said(command)
    (tmp_path / ".fishhawk").mkdir()
    (tmp_path / ".fishhawk" / "workflows.yaml").touch()
    assert "no such file; the nearest is ../../.fishhawk/workflows.yaml\n" in _said(command)
    assert "other.yaml" in _said(command, "other.yaml")
    assert "nearest" not in _said(command, "other.yaml")


def _said(*arguments: str) -> str:
    result = run(*arguments)
    assert result.code == 2
    return result.text + result.error

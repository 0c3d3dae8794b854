"""Completion in shells: what is offered, and that real shells take it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import documents
import pytest
from support import run

from migrate_spec.plans import docs
from migrate_spec.rules.docs import pages

SHELLS = ("bash", "zsh", "fish")


def offered(line: str, cwd: Path) -> list[str]:
    """Return what bash is offered for the last word of `line`, each with its kind before a comma."""
    words = line.split(" ")
    request = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    env = documents.environment(cwd) | request | {"_FISHHAWK_COMPLETE": "bash_complete"}
    done = subprocess.run(["fishhawk"], env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fishhawk re", ["plain,resolve", "plain,reference"]),
        ("fishhawk plan ", ["plain,critic", "plain,validate"]),
        ("fishhawk rules schedule-ne", ["plain,schedule-never-fires"]),
        ("fishhawk rules sched-", []),
        ("fishhawk schema workflow-v", ["plain,workflow-v0", "plain,workflow-v1", "plain,workflow-v2"]),
        ("fishhawk validate --format s", ["plain,sarif"]),
        ("fishhawk migrate-spec --i", ["plain,--in-place"]),
        ("fishhawk reference --delta workflow-v1 workflow-v2", ["plain,workflow-v2"]),
        ("fishhawk validate .fish", ["file,.fish"]),
        ("fishhawk validate one.yaml tw", ["file,tw"]),
        ("fishhawk migrate-spec ", ["file,"]),
        ("fishhawk migrate-spec --out n", ["file,n"]),
        ("fishhawk resolve --check g", ["file,g"]),
        ("fishhawk resolve w", ["file,w"]),
        ("fishhawk graph w", ["file,w"]),
        ("fishhawk reference --write p", ["file,p"]),
        ("fishhawk plan validate p", ["file,p"]),
        ("fishhawk plan critic --plan p", ["file,p"]),
        ("fishhawk plan critic --ledger l", ["file,l"]),
        ("fishhawk plan critic --root r", ["dir,r"]),
        ("fishhawk init d", ["dir,d"]),
    ],
)
def test_what_is_offered(line: str, answer: list[str], tmp_path: Path) -> None:
    assert offered(line, tmp_path) == answer


def test_every_rule_is_offered(tmp_path: Path) -> None:
    assert offered("fishhawk rules ", tmp_path) == [f"plain,{name}" for name in {**pages(), **docs.pages()}]
    assert offered("fishhawk ", tmp_path)[0] == "plain,migrate-spec"


# -- real shells -----------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".fishhawk").mkdir()
    (tmp_path / ".fishhawk" / "workflows.yaml").touch()
    return tmp_path


LINES = [
    ("fishhawk rules schedule-ne", ["fishhawk", "rules", "schedule-never-fires"]),
    ("fishhawk validate .fishhawk/w", ["fishhawk", "validate", ".fishhawk/workflows.yaml"]),
    ("fishhawk plan crit", ["fishhawk", "plan", "critic"]),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(_FISHHAWK_COMPLETE=bash_source fishhawk)"'),
    "zsh": (
        ["zsh", "-f", "-i"],
        'autoload -Uz compinit && compinit -D && eval "$(_FISHHAWK_COMPLETE=zsh_source fishhawk)"; bindkey -e',
    ),
}


@pytest.mark.parametrize(("line", "words"), LINES)
@pytest.mark.parametrize("shell", START)
def test_a_shell_completes(shell: str, line: str, words: list[str], folder: Path) -> None:
    needed(shell)
    command, start = START[shell]
    # The completed line is printed rather than run: control-A goes to its beginning.
    typed = f"{start}\n{line}\t\x01printf '<%s>\\n' \n"
    shown = terminal(command, typed, f"<{words[-1]}>", folder)
    assert "\n".join(f"<{word}>" for word in words) in shown.replace("\r", "")


@pytest.mark.parametrize(("line", "words"), LINES)
def test_fish_completes(line: str, words: list[str], folder: Path) -> None:
    needed("fish")
    script = f"_FISHHAWK_COMPLETE=fish_source fishhawk | source; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        env=documents.environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert [offer.split("\t")[0] for offer in done.stdout.splitlines()] == [words[-1]]


def needed(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")


def terminal(command: list[str], typed: str, awaited: str, folder: Path) -> str:
    """Return what a terminal shows after `typed`, up to `awaited` or half a minute."""
    ours, theirs = pty.openpty()
    env = documents.environment(folder) | {"TERM": "dumb", "PS1": "$ "}
    shell = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=folder, start_new_session=True
    )
    os.close(theirs)
    try:
        os.write(ours, typed.encode())
        shown, end = b"", time.monotonic() + 30
        while awaited.encode() not in shown and time.monotonic() < end:
            if select.select([ours], [], [], 0.2)[0]:
                shown += os.read(ours, 4096)
        return shown.decode(errors="replace")
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def test_the_page_says_how_each_shell_learns_it() -> None:
    text = (documents.ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    for shell in SHELLS:
        assert f"_FISHHAWK_COMPLETE={shell}_source fishhawk" in text


def test_help_shows_what_kind_of_path_is_meant() -> None:
    assert "--root DIR" in run("plan", "critic", "--help").text
    assert "--ledger PATH" in run("plan", "critic", "--help").text
    assert "--out FILE" in run("migrate-spec", "--help").text

"""What a hostile file may cause: each sentence of `docs/security.md` that no other module of tests holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT
from fuzz.bombs import OLD, stage
from support import run

WATCHED = """
import json, os, sys
sys.path.remove("")  # the current folder, where "python -c" would look for modules
from migrate_spec.cli import main

seen = []
CONCERNED = ("open", "os.", "socket.", "subprocess.", "shutil.", "ctypes.", "glob.", "tempfile.", "urllib.", "pty.")

def watch(event, arguments):
    if event.startswith(CONCERNED) and event not in ("os.putenv", "os.unsetenv"):
        seen.append([event, *[str(each) for each in arguments[:3]]])

sys.addaudithook(watch)
code = main()
answer = json.dumps([code, seen])
sys.stdout.flush()
os.write(2, b"\\n" + answer.encode())
"""

SPEC = (
    'version: "2"\nreview_conventions: {a: {path: secret.md}}\nworkflows:\n  w:\n'
    "    applies_to: {trigger: [scheduled], paths: [/etc/passwd]}\n"
    "    schedule: {cron: '0 0 * * *', timezone: ../../../etc/passwd}\n"
    "    stages: [{id: s, type: implement, executor: {agent: codex, verify: {command: touch ran}},"
    " reviewers: {agents: [{provider: codex}], conventions: [a]}}]\n"
)
MIGRATABLE = OLD + stage(rest=", budget: {max_runtime_minutes: 1}")
SERVICE_PLAN = (ROOT / "golden/service-plan").glob("*/plan.md")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("spec.yaml").write_text(SPEC)
    Path("old.yaml").write_text(MIGRATABLE)
    Path("secret.md").write_text("secret\n")
    Path("plan.json").write_text('{"path": "secret.md", "title": "/etc/passwd"}\n')
    Path("docs/plan").mkdir(parents=True)
    plan = "---\nspec_service: ../../secret\nspec_version: md\n---\n## Session S1: a\n- gate:\n  - command: touch ran\n"
    Path("docs/plan/plan.md").write_text(plan)
    Path("ledger/admitted/secret").mkdir(parents=True)
    Path("ledger/admitted/secret/1.md").write_text("x\n")
    return tmp_path


def watched(*arguments: str) -> tuple[int, list[list[str]]]:
    """Run a command line as a process; return its exit code and what it asked of the system."""
    done = subprocess.run([sys.executable, "-c", WATCHED, *arguments], capture_output=True, check=True)
    code, seen = json.loads(done.stderr.decode().rsplit("\n", 1)[1])
    return code, seen


OWN = tuple(
    {
        *(
            os.path.realpath(sysconfig.get_path(name))
            for name in ("stdlib", "platstdlib", "purelib", "platlib")
        ),
        *(os.path.realpath(path) for path in sys.path if path.endswith(("lib-dynload", "site-packages"))),
        str(ROOT / "transforms"),
        str(ROOT / "migrate_spec"),
    }
)
ZONES = tuple(
    [path for path in (sysconfig.get_config_var("TZPATH") or "").split(os.pathsep) if path]
    + ["/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
)


def foreign(seen: list[list[str]]) -> set[tuple[str, ...]]:
    """Return what was asked for beyond reading Python, the package and the time zones: event and name."""
    found: set[tuple[str, ...]] = set()
    for event, *arguments in seen:
        name = arguments[0] if arguments else ""
        path = os.path.realpath(name) if name else ""
        reading = event in ("os.listdir", "os.scandir", "glob.glob", "glob.glob/2")
        if event == "open":
            reading = not int(arguments[2]) & (os.O_WRONLY | os.O_RDWR)
        if reading and path.startswith((*OWN, *ZONES)):
            continue
        shown = re.sub(r"fishhawk-[0-9a-f]{16}", "fishhawk-*", os.path.relpath(name) if name else "")
        event = {"os.listdir": "list", "os.scandir": "list"}.get(event, event)
        found.add((event, shown, "" if reading else "write"))
    return found


READ = ""
CALLS: dict[str, tuple[int, set[tuple[str, ...]]]] = {
    "validate spec.yaml": (1, {("open", "spec.yaml", READ)}),
    "validate --format sarif spec.yaml": (1, {("open", "spec.yaml", READ)}),
    "resolve --print spec.yaml": (1, {("open", "spec.yaml", READ)}),
    "resolve --explain old.yaml": (0, {("open", "old.yaml", READ)}),
    "resolve --check spec.yaml old.yaml": (1, {("open", "old.yaml", READ), ("open", "spec.yaml", READ)}),
    "migrate-spec old.yaml": (0, {("open", "old.yaml", READ)}),
    "migrate-spec --diff old.yaml spec.yaml": (1, {("open", "old.yaml", READ), ("open", "spec.yaml", READ)}),
    "migrate-spec --in-place old.yaml": (
        0,
        {
            ("open", "old.yaml", READ),
            ("list", ".", READ),
            ("open", ".old.yaml.fishhawk-*", "write"),
            ("os.chmod", ".old.yaml.fishhawk-*", "write"),
            ("os.rename", ".old.yaml.fishhawk-*", "write"),
            ("os.remove", ".old.yaml.fishhawk-*", "write"),
        },
    ),
    "migrate-spec --out new.yaml old.yaml": (
        0,
        {
            ("open", "old.yaml", READ),
            ("list", ".", READ),
            ("open", ".new.yaml.fishhawk-*", "write"),
            ("os.link", ".new.yaml.fishhawk-*", "write"),
            ("os.remove", ".new.yaml.fishhawk-*", "write"),
        },
    ),
    "graph spec.yaml": (1, {("open", "spec.yaml", READ)}),
    "plan validate --coerce plan.json": (1, {("open", "plan.json", READ)}),
    "plan critic": (1, {("open", "docs/plan/plan.md", READ)}),
    "plan critic --ledger ledger": (
        1,
        {
            ("open", "docs/plan/plan.md", READ),
            ("list", "ledger/admitted", READ),
            ("list", "ledger/admitted/secret", READ),
        },
    ),
    "rules": (0, set()),
    "schema workflow-v2": (0, set()),
    "reference workflow-v2": (0, set()),
}


@pytest.mark.parametrize("call", CALLS)
def test_only_the_given_paths_are_opened(call: str) -> None:
    code, seen = watched(*call.split())
    asked = {entry for entry in foreign(seen) if entry[0] not in ("fcntl.flock", "os.fork")}
    assert (code, asked) == CALLS[call]
    assert not Path("ran").exists()


TAGS = [
    "!!python/object/apply:os.system ['touch ran']",
    "!!python/name:os.system",
    "!!python/module:os",
    "!<tag:yaml.org,2002:python/object/new:os.system> [touch ran]",
    "!ENV ${HOME}",
    "!include secret.md",
]


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_makes_nothing(tag: str) -> None:
    Path("spec.yaml").write_text(SPEC + f"a: {tag}\n")
    result = run("validate", "spec.yaml")
    assert result.code == 1
    assert "yaml-invalid: the tag !" in result.text
    assert "has no meaning for this value" in result.text
    assert "secret\n" not in result.text.replace("secret.md", "")
    assert not Path("ran").exists()


STEERING = ["\\e[2J", "\\x1b]0;title\\a", "\\x9b31m", "\\r", "\\n::error::x", "\\u2028", "\\u202e"]


@pytest.mark.parametrize("sequence", STEERING)
@pytest.mark.parametrize("command", ["validate", "resolve", "resolve --explain", "migrate-spec", "graph"])
def test_words_of_a_file_cannot_steer_a_terminal(sequence: str, command: str) -> None:
    name = f'"a{sequence}b"'
    for text in (
        f'version: "2"\n{name}: {name}\nworkflows: {{}}\n',
        f"version: {name}\nworkflows: {{}}\n",
        f'version: "2"\nworkflows: {{{name}: {{extends: {name}}}}}\n',
        SPEC.replace("id: s", f"id: {name}, {name}: 1"),
        MIGRATABLE.replace("id: s", f"id: {name}"),
        MIGRATABLE.replace("w:", f"{name}:"),
    ):
        Path("spec.yaml").write_text(text)
        result: Any = run(*command.split(), "spec.yaml")
        shown = (result.out + result.err).decode()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", shown)
        assert "\n::" not in shown


def test_a_line_of_a_file_cannot_steer_a_terminal_either() -> None:
    Path("spec.yaml").write_text('version: "2"\nworkflows: {}\nx: "a\x85b\u202ec\u2028d"\n', encoding="utf-8")
    result = run("validate", "spec.yaml")
    assert '\n  x: "a\ufffdb\ufffdc\ufffdd"\n  ^\n' in result.text

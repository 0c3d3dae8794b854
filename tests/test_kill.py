"""Whole processes that are killed, or refused, at each system call of a write."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support import run
from test_files import NEW, OLD

COMMAND = [sys.executable, "-c", "from migrate_spec.cli import run; run()", "migrate-spec"]
WAYS = {"in place": ["--in-place", "spec.yaml"], "out": ["--out", "new.yaml", "spec.yaml"]}
STRACE = shutil.which("strace")


def traced(folder: Path, way: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    assert STRACE is not None
    call = [STRACE, "-f", "-qq", "-o", str(folder.parent / "trace"), *options, *COMMAND, *WAYS[way]]
    return subprocess.run(call, cwd=folder, capture_output=True, check=False, timeout=120)


def lay(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for each in folder.iterdir():
        each.unlink()
    (folder / "spec.yaml").write_bytes(OLD)


def can_trace() -> bool:
    if STRACE is None:
        return False
    return (
        subprocess.run(
            [STRACE, "-qq", "-o", "/dev/null", "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


_CALL = re.compile(r"[0-9]+ +([a-z0-9_]+)\((.*)")
_BESIDE = re.compile(r"/?\.(spec|new)\.yaml\.fishhawk-")


def calls(folder: Path, way: str) -> list[tuple[str, int]]:
    """Return each system call from the making of the file beside to its end, with its number among its like."""
    lay(folder)
    assert traced(folder, way).returncode == 0
    counts: Counter[str] = Counter()
    found: list[tuple[str, int]] = []
    last = 0
    for match in map(_CALL.match, (folder.parent / "trace").read_text(errors="replace").splitlines()):
        if match is None:
            continue
        counts[match[1]] += 1
        if _BESIDE.search(match[2]):
            last = len(found) + 1
        if last:
            found.append((match[1], counts[match[1]]))
    return found[: last + 1]


pytestmark = pytest.mark.skipif(not can_trace(), reason="needs strace, and to be allowed to trace")


def judge(folder: Path, way: str, killed: bool) -> None:
    """Check what a run left: the file old or new, the other absent or whole, at most one file beside."""
    names = {each.name for each in folder.iterdir()}
    left = {name for name in names if ".fishhawk-" in name}
    assert len(left) <= (1 if killed else 0), names
    assert (folder / "spec.yaml").read_bytes() in ((OLD, NEW) if way == "in place" else (OLD,))
    assert names - left <= {"spec.yaml", "new.yaml"}
    if "new.yaml" in names:
        assert way == "out"
        assert (folder / "new.yaml").read_bytes() == NEW


NEEDED = {
    "in place": {"openat", "flock", "write", "fsync", "rename", "unlink"},
    "out": {"openat", "flock", "write", "fsync", "linkat", "unlink"},
}


@pytest.mark.parametrize("way", WAYS)
def test_killed_at_each_system_call(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    steps = calls(folder, way)
    monkeypatch.chdir(folder)
    assert NEEDED[way] <= {name.replace("link", "linkat") if name == "link" else name for name, _ in steps}
    for name, number in steps:
        lay(folder)
        done = traced(folder, way, "-e", f"inject={name}:signal=KILL:when={number}")
        assert done.returncode != 0
        judge(folder, way, killed=True)
        # What was left is not in the way of the next run, which sweeps it.
        ready = (folder / "spec.yaml").read_bytes() == NEW or (folder / "new.yaml").exists()
        result = run("migrate-spec", *WAYS[way])
        assert result.code == (1 if ready and way == "out" else 0)
        assert (folder / WAYS[way][1]).read_bytes() == NEW
        judge(folder, way, killed=False)


@pytest.mark.parametrize("way", WAYS)
def test_refused_at_each_system_call(way: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    for name, number in calls(folder, way):
        if name in ("unlink", "unlinkat", "close", "mmap", "munmap", "brk"):
            continue  # what tidies up, and what Python lives on
        lay(folder)
        done = traced(folder, way, "-e", f"inject={name}:error=ENOSPC:when={number}")
        assert done.returncode in (0, 2), (name, number, done.stderr)
        assert done.returncode == 0 or done.stderr.count(b"\n") == 1
        judge(folder, way, killed=False)

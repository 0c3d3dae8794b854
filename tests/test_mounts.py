"""Writing where the system itself says no: a disk that is full, a disk that is read-only."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_files import NEW, OLD

UNSHARE = shutil.which("unshare")

_MOUNTED = """
mount -t tmpfs -o size=64k none disk && cp spec.yaml disk && cd disk || exit 99
{prepare}
"{python}" -c "from migrate_spec.cli import run; run()" migrate-spec {options} spec.yaml > ../said 2>&1
echo $? > ../code
ls -A > ../names
cp spec.yaml ../after
"""
"""Runs in a mount namespace of its own, which ends with it."""

FULL = "head -c 100000 /dev/zero > filler 2> /dev/null"
READ_ONLY = "mount -o remount,ro . "


def can_mount() -> bool:
    if UNSHARE is None:
        return False
    probe = [UNSHARE, "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not can_mount(), reason="needs unshare, and to be allowed to mount")


@pytest.mark.parametrize("options", ["--in-place", "--out new.yaml"])
@pytest.mark.parametrize(
    ("prepare", "reason"), [(FULL, "no space left on device"), (READ_ONLY, "read-only file system")]
)
def test_a_disk_that_takes_nothing(prepare: str, reason: str, options: str, tmp_path: Path) -> None:
    assert UNSHARE is not None
    (tmp_path / "spec.yaml").write_bytes(OLD)
    (tmp_path / "disk").mkdir()
    script = _MOUNTED.format(prepare=prepare, python=sys.executable, options=options)
    subprocess.run([UNSHARE, "-rm", "sh", "-c", script], cwd=tmp_path, check=True, timeout=60)
    said = (tmp_path / "said").read_text().splitlines()
    assert (tmp_path / "code").read_text() == "2\n"
    assert [line for line in said if reason in line] == said[-1:]
    assert (tmp_path / "after").read_bytes() == OLD
    assert [name for name in (tmp_path / "names").read_text().split() if name != "filler"] == ["spec.yaml"]


def test_the_same_disk_with_room(tmp_path: Path) -> None:
    assert UNSHARE is not None
    (tmp_path / "spec.yaml").write_bytes(OLD)
    (tmp_path / "disk").mkdir()
    script = _MOUNTED.format(prepare="", python=sys.executable, options="--in-place")
    subprocess.run([UNSHARE, "-rm", "sh", "-c", script], cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / "code").read_text() == "0\n"
    assert (tmp_path / "after").read_bytes() == NEW

from __future__ import annotations

import subprocess
import sys

from support import process, run

import migrate_spec


def test_version_is_printed() -> None:
    assert run("--version").text == f"fishhawk {migrate_spec.__version__}\n"
    assert process("--version").out == run("--version").out


def test_version_imports_nothing_heavy() -> None:
    code = "import sys, migrate_spec.cli; migrate_spec.cli.main(['--version']); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for name in ("ruamel.yaml", "jsonschema", "deepdiff", "importlib.metadata"):
        assert name not in modules.split()

"""Programs of the npm registry that tests run, installed once into a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

FOLDER = Path(tempfile.gettempdir()) / f"fishhawk-npm-{os.getuid()}"


def installed(*packages: str) -> Path:
    """Return the `node_modules` with `packages`, each as name@version; skip where they cannot be had."""
    home = FOLDER / "+".join(package.replace("/", "-") for package in packages)
    done = home / "installed"
    if not done.exists():
        if shutil.which("npm") is None or shutil.which("node") is None:
            pytest.skip("npm is not here")
        home.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--silent", "--fetch-retries=0", "--fetch-timeout=30000"]
        command = ["npm", "install", *quiet, *packages]
        if subprocess.run(command, cwd=home, capture_output=True, timeout=300, check=False).returncode != 0:
            pytest.skip("the npm registry cannot be reached")
        done.touch()
    return home / "node_modules"

"""Programs of the npm registry that tests run, installed once into a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

FOLDER = Path(tempfile.gettempdir()) / f"fishhawk-npm-{os.getuid()}"


def installed(package: str, version: str) -> Path:
    """Return the folder of `package` in that version; skip the test where it cannot be had."""
    home = FOLDER / f"{package.replace('/', '-')}-{version}"
    folder = home / "node_modules" / package
    if not (folder / "package.json").is_file():
        if shutil.which("npm") is None or shutil.which("node") is None:
            pytest.skip("npm is not here")
        home.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--silent", "--fetch-retries=0", "--fetch-timeout=30000"]
        command = ["npm", "install", *quiet, f"{package}@{version}"]
        done = subprocess.run(command, cwd=home, capture_output=True, timeout=300, check=False)
        if done.returncode != 0:
            pytest.skip("the npm registry cannot be reached")
    return folder

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent.parent / "golden"
SHARED = Path(__file__).parent.parent.parent / "shared"

# A busy machine is no reason to fail; time is measured elsewhere.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files anew (never in CI)")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, bytes], None]:
    """Compare bytes with a golden file; with --update, write them there instead."""
    update = bool(request.config.getoption("--update"))
    if update and os.environ.get("CI"):
        pytest.exit("golden files are never written in CI", returncode=2)

    def check(path: Path, data: bytes) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        assert path.is_file(), f"{path} is missing; write it with: pytest --update"
        assert data.decode() == path.read_bytes().decode()

    return check


@pytest.fixture
def shared() -> Path:
    """The folder with the facts, for tests that are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the facts are not here")
    return SHARED

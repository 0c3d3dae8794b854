from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import documents
import pytest


@pytest.mark.parametrize("page", documents.pages(), ids=lambda page: page.name)
def test_every_example_says_what_the_page_shows(
    page: Path, tmp_path: Path, golden: Callable[[Path, bytes], None]
) -> None:
    golden(page, documents.rendered(page, tmp_path).encode())

"""Print the lowest version of each dependency that pyproject.toml allows, one pin a line, for pip."""

from __future__ import annotations

import re
from pathlib import Path

TEXT = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
LISTS = re.findall(r"^(?:dependencies|test) = \[(.*?)\]$", TEXT, re.M | re.S)

for name, version in re.findall(r'"([A-Za-z0-9_.-]+)>=([0-9.]+)', " ".join(LISTS)):
    print(f"{name}=={version}")

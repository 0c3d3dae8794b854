"""The JSON Schemas of the four grammars, as package data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES = ("workflow-v0", "workflow-v1", "workflow-v2", "plan-standard-v1")
"""Every schema that is shipped, by the name under which commands take it."""


def read(name: str) -> str:
    """Return the text of the schema `name`, one of `NAMES`."""
    return (Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")


def load(name: str) -> dict[str, Any]:
    """Return the schema `name`, one of `NAMES`, as data."""
    loaded: dict[str, Any] = json.loads(read(name))
    return loaded

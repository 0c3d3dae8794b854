"""Spellings that major 2 removed or renamed (`validation-rules.md` 3)."""

from __future__ import annotations

from transforms.finding import Finding
from transforms.nodes import Mapping


def forms(root: Mapping) -> list[Finding]:
    """Return the removed and renamed spellings in `root`, each at its pointer."""
    return []

"""The starting files that `init` writes: one workflow at three degrees of autonomy (`presets.md`)."""

from __future__ import annotations

from pathlib import Path

TIERS = ("low", "medium", "high")
"""The presets, each named as the autonomy tier it sets."""


def read(tier: str) -> bytes:
    """Return the preset of `tier`, one of `TIERS`, as it is written to disk."""
    return (Path(__file__).parent / f"{tier}.yaml").read_bytes()

"""`defaults` and `extends`, over Nodes, so that the author's place comes along with every value."""

from __future__ import annotations

from typing import NamedTuple

from transforms.finding import Finding
from transforms.nodes import Mapping


class Resolved(NamedTuple):
    """The tree with reuse resolved, and what stood in the way."""

    root: Mapping
    findings: list[Finding]


def resolve(root: Mapping) -> Resolved:
    """Return `root` with `defaults` and `extends` worked into its stages."""
    return Resolved(root, [])

"""What a rule of the critic says."""

from __future__ import annotations

import re
from typing import NamedTuple

_DIGITS = re.compile(r"[0-9]+\Z")
_HUGE = 10**18


class Said(NamedTuple):
    """A violation before it has its rule's number: session (None for the plan), line, message, what to write."""

    session: str | None
    line: int
    message: str
    hint: str


def number(text: str) -> int | None:
    """Return the whole number that `text` writes in decimal digits, at most 10^18, or None."""
    if not _DIGITS.match(text):
        return None
    return int(text) if len(text.lstrip("0")) <= 18 else _HUGE

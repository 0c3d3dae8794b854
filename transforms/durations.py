"""Durations such as 1h30m: how long they are (`validation-rules.md` 4)."""

from __future__ import annotations

import re

LONGEST = 2**63 - 1
"""The longest duration, in nanoseconds."""

_PART = re.compile(r"([0-9]+)(ns|us|ms|s|m|h)")
_UNITS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}


def too_long(text: str) -> bool:
    """Tell whether the duration `text`, which fits the pattern of the schemas, exceeds `LONGEST`."""
    total = 0
    for digits, unit in _PART.findall(text):
        # Twenty digits exceed the limit in any unit, and Python refuses to read very long numbers.
        total += int(digits.lstrip("0")[:20] or "0") * _UNITS[unit]
    return total > LONGEST

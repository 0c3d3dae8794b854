"""Words that messages are made of: values as a reader writes them, lists, what was probably meant."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from transforms.scalars import Date

LONGEST = 60
"""How many characters of a value a message shows."""


def show(value: Any) -> str:
    """Return `value` as a reader of YAML or JSON would write it, shortened to `LONGEST` characters."""
    if isinstance(value, Date):
        return value.text
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 2] + '…"'[: 2 if text[0] == '"' else 1]


def printable(text: str) -> str:
    """Return `text` on one line, with what does not print as an escape."""
    return text if text.isprintable() else json.dumps(text)[1:-1]


def listed(names: Iterable[Any]) -> str:
    """Return names as a list in words, in the order given."""
    return ", ".join(str(name) for name in names)


def nearest(name: str, known: Iterable[Any]) -> str | None:
    """Return the name out of `known` that `name` was probably meant to be."""
    import difflib

    found = difflib.get_close_matches(name.casefold()[:200], [str(k) for k in known], 1, 0.6)
    return found[0] if found else None


def suggestion(name: str, known: Iterable[Any]) -> str:
    """Return a hint that names what was probably meant, or all that is allowed."""
    known = list(known)
    close = nearest(name, known)
    return f'did you mean "{close}"? Allowed: {listed(known)}' if close else f"allowed: {listed(known)}"

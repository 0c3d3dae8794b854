"""Words that messages are made of: values as a reader writes them, lists, what was probably meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

from transforms.scalars import Date

LONGEST = 60
"""How many characters of a value a message shows."""

_LISTED = 24
_COMPARED = 250


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
    if len(text) > LONGEST:
        text = text[: LONGEST - 2] + ('…"' if text[0] == '"' else "…")
    return printable(text)


_HIDDEN = r"\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNPRINTABLE = re.compile(f"[\\x00-\\x1f{_HIDDEN}]")
_UNSEEN = re.compile(f"[\\x00-\\x08\\x0b-\\x1f{_HIDDEN}]")


_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    """Return `text` with control characters and lone surrogates as escapes, fit for any terminal."""
    return _UNPRINTABLE.sub(lambda match: _NAMED.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def visible(line: str) -> str:
    """Return a line of a file with a stand-in for each character that a terminal obeys instead of showing it."""
    return _UNSEEN.sub("\ufffd", line)


def plainly(name: str) -> str:
    """Return `name` without quotes, on one line and shortened to `LONGEST` characters."""
    return printable(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")


def listed(names: Iterable[Any]) -> str:
    """Return names as a list in words, in the order given; a long list ends with how many are left out."""
    known = list(names)
    shown = [plainly(str(name)) for name in known[:_LISTED]]
    more = [f"and {len(known) - _LISTED:,} more"] if len(known) > _LISTED else []
    return ", ".join([*shown, *more])


def suggestion(name: str, known: Iterable[Any]) -> str:
    """Return a hint that names what was probably meant, or all that is allowed."""
    known = list(known)
    if not known:
        return "nothing is allowed here"
    close = " or ".join(f'"{other}"' for other in _meant(name, known))
    return f"did you mean {close}? Allowed: {listed(known)}" if close else f"allowed: {listed(known)}"


def nearest(name: str, known: Iterable[Any]) -> str | None:
    """Return the name out of `known` that `name` was probably meant to be, None when none or several are near."""
    close = _meant(name, known)
    return close[0] if len(close) == 1 else None


def _meant(name: str, known: Iterable[Any]) -> list[str]:
    """Return the known name with the fewest slips, or else the two at most that begin or end with `name`.

    Letter case and what joins words do not count. Long names and known ones behind the first 250 are not
    compared, so that a document full of wrong names is answered in time linear in its length.
    """
    if len(name) > LONGEST:
        return []
    others = [other for other in map(str, islice(known, _COMPARED)) if len(other) <= 2 * LONGEST]
    wanted = _fold(name)
    letters, least, best = set(wanted), min(len(wanted) // 4, 3) + 1, ""
    for other in others:
        folded = _fold(other)
        if abs(len(folded) - len(wanted)) < least and len(letters.symmetric_difference(folded)) < 2 * least:
            slips = _slips(wanted, folded)
            if slips < least:
                least, best = slips, other
    if best:
        return [best]
    longer = [other for other in others if _holds(other, name)]
    return longer if len(longer) <= 2 else []


_JOINTS = str.maketrans("", "", "-_ .")


def _fold(name: str) -> str:
    return name.casefold().translate(_JOINTS)


def _holds(one: str, other: str) -> bool:
    """Tell whether one of two names begins with the other, or ends with it as a word of its own."""
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    return len(short) > 2 and (long.startswith(short) or long.endswith(("_" + short, "-" + short)))


def _slips(one: str, other: str) -> int:
    """Return how many letters must be put in, left out, changed or swapped with the next to make `other`."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        row = [i + 1]
        for j, wanted in enumerate(other):
            slips = min(above[j] + (letter != wanted), above[j + 1] + 1, row[j] + 1)
            if i and j and letter == other[j - 1] and wanted == one[i - 1]:
                slips = min(slips, before[j - 1] + 1)
            row.append(slips)
        before, above = above, row
    return above[-1]

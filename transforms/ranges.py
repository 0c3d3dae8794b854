"""Version ranges of agents: lists of comparators (`validation-rules.md` 5)."""

from __future__ import annotations

import re

_BLANKS = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_WORD = re.compile(_BLANKS.replace("[", "[^") + "+")
_TERM = re.compile(r"(?:>=|<=|==|>|<|=)[0-9]+(?:\.[0-9]+){0,2}")


def words(text: str) -> list[str]:
    """Return what stands between white space in `text`: the characters that Unicode calls so, no others."""
    return _WORD.findall(text)


def bad_term(text: str) -> str | None:
    """Return the first term that makes `text` no list of comparators, "" when it is blank, None when it is fine."""
    terms = words(text)
    return next((term for term in terms if not _TERM.fullmatch(term)), None if terms else "")

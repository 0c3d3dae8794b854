"""Five-field cron expressions: their grammar, and whether any date can match (`validation-rules.md` 5)."""

from __future__ import annotations

import re
from typing import NamedTuple

from transforms.ranges import words


class Field(NamedTuple):
    """One of the five fields: its name and its least and greatest value."""

    name: str
    least: int
    greatest: int


FIELDS = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day-of-month", 1, 31),
    Field("month", 1, 12),
    Field("day-of-week", 0, 7),
)
"""The fields in the order in which they are written."""

_LONGEST_MONTH = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ITEM = re.compile(r"(?:(\*)|([0-9]+)(?:-([0-9]+))?)(?:/([0-9]+))?")


class Defect(NamedTuple):
    """What is wrong with an expression: the field (None if their number is wrong), the item, the reason."""

    field: Field | None
    item: str
    reason: str


def defect(expression: str) -> Defect | None:
    """Return what puts `expression` outside the grammar, None when it is well formed."""
    texts = words(expression)
    if expression.lstrip().startswith("@"):
        return Defect(None, texts[0], "macros are not known")
    if len(texts) != len(FIELDS):
        return Defect(None, expression, f"it has {len(texts)} fields instead of {len(FIELDS)}")
    for field, text in zip(FIELDS, texts, strict=True):
        for item in text.split(","):
            reason = _item_defect(field, item)
            if reason is not None:
                return Defect(field, item, reason)
    return None


def _item_defect(field: Field, item: str) -> str | None:
    match = _ITEM.fullmatch(item)
    if match is None:
        return _malformed(item)
    star, first, last, step = match.groups()
    if step is not None and number(step) < 1:
        return "a step is at least 1"
    if star:
        return None
    if step is not None and last is None:
        return "a step stands behind * or behind a range"
    if any(not field.least <= number(text) <= field.greatest for text in (first, last or first)):
        return f"the values go from {field.least} to {field.greatest}"
    if last is not None and number(first) > number(last):
        return "the range runs backwards"
    return None


def _malformed(item: str) -> str:
    if not item:
        return "an item of the list is empty"
    if any(char.isalpha() for char in item):
        return "names and letters are not known, only numbers"
    return "an item is *, a number or a range, with /STEP behind * or a range"


def number(digits: str) -> int:
    """Return the value of ASCII `digits`, of which three are read: no field reaches that far."""
    return int(digits.lstrip("0")[:3] or "0")


def never_fires(expression: str) -> bool:
    """Tell whether no calendar date matches the well-formed `expression`.

    Only when the day of the week begins with a star can that be: otherwise a listed weekday is enough, or
    the days of the month begin with a star and so with the first, which comes on each weekday.
    """
    _, _, days, months, weekdays = words(expression)
    if not weekdays.startswith("*"):
        return False
    longest = max(_LONGEST_MONTH[month] for month in _values(FIELDS[3], months))
    return min(_values(FIELDS[2], days)) > longest


def _values(field: Field, text: str) -> set[int]:
    values: set[int] = set()
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        assert match is not None, item
        star, first, last, step = match.groups()
        low = field.least if star else number(first)
        high = field.greatest if star else number(last or first)
        values.update(range(low, high + 1, number(step or "1")))
    return values

"""Strict JSON: bytes to a value, and the places of its parts, looked up only when something names them.

Python's own parser judges the text; places come from walking text that it has accepted, so what no
finding names costs nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from migrate_spec.plans import json_faults
from transforms.document import Document, utf8
from transforms.finding import Finding
from transforms.pointer import Step
from transforms.scalars import MAX_DIGITS

Path = tuple[Step, ...]
"""The steps from the root of a plan to a value: keys and positions, counted from 0."""

_SPACE = re.compile(r"[ \t\n\r]*")
_value = json.JSONDecoder().raw_decode


class Text(NamedTuple):
    """A JSON text: its value, or the fault that says why it has none.

    `repeated` holds the path of every key that stands more than once in its object.
    """

    document: Document
    value: Any = None
    fault: Finding | None = None
    repeated: tuple[Path, ...] = ()


class Fraction(float):
    """A number written with a point or an exponent: never a whole one, whatever its value."""

    def __new__(cls, literal: str) -> Fraction:
        """Return the number, or raise `json_faults.Refused` when it is too large."""
        number = super().__new__(cls, literal)
        if number in (float("inf"), float("-inf")):
            raise json_faults.Refused(literal)
        return number

    def __init__(self, literal: str) -> None:
        self.literal = literal

    def is_integer(self) -> bool:
        """Return False: a reader of whole numbers refuses this spelling."""
        return False


class Span(NamedTuple):
    """Two offsets into a text."""

    start: int
    end: int


class Entry(NamedTuple):
    """One entry of an object or a list as it is written; `key` is None in a list."""

    step: str | int
    key: Span | None
    value: Span


class Spot(NamedTuple):
    """Where a value is written, where its key is, and where its object holds the same key first."""

    value: Span
    key: Span | None = None
    before: Span | None = None


def read(data: bytes) -> Text:
    """Return the JSON text in `data`; what makes it unreadable is one finding of rule `parse`."""
    decoded = utf8(data, "parse")
    document = Document(decoded.text, decoded.mark)
    fault = decoded.fault or json_faults.at_a_glance(document)
    return Text(document, None, fault) if fault is not None else _load(document)


def _load(document: Document) -> Text:
    repeats: list[tuple[dict[str, Any], list[str]]] = []

    def pairs(written: list[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(written)
        if len(mapping) < len(written):
            times = Counter(key for key, _ in written)
            repeats.append((mapping, [key for key in mapping if times[key] > 1]))
        return mapping

    try:
        value = json.loads(
            document.text,
            object_pairs_hook=pairs,
            parse_int=_integer,
            parse_float=Fraction,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as problem:
        return Text(document, None, json_faults.syntax(document.text, problem))
    except json_faults.Refused as problem:
        return Text(document, None, json_faults.literal(document.text, problem.literal))
    return Text(document, value, None, tuple(_repeated(value, repeats)) if repeats else ())


def _integer(literal: str) -> int:
    if len(literal) > MAX_DIGITS:
        raise json_faults.Refused(literal)
    return int(literal)


def _constant(literal: str) -> None:
    raise json_faults.Refused(literal)


def _repeated(value: Any, repeats: list[tuple[dict[str, Any], list[str]]]) -> Iterator[Path]:
    names = {id(mapping): keys for mapping, keys in repeats}
    for path, part in walk(value):
        yield from ((*path, key) for key in names.get(id(part), ()))


def walk(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield every value of JSON data with its path, each before what it holds."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, part = stack.pop()
        yield path, part
        if isinstance(part, dict):
            stack.extend(((*path, key), inner) for key, inner in part.items())
        elif isinstance(part, list):
            stack.extend(((*path, at), inner) for at, inner in enumerate(part))


def entries(text: str, at: int) -> Iterator[Entry]:
    """Yield the entries of the object or list that begins at offset `at` of a sound JSON text."""
    is_object = text[at] == "{"
    at, count = _skip(text, at + 1), 0
    while text[at] not in "}]":
        step: str | int = count
        key = None
        if is_object:
            step, end = _value(text, at)
            key = Span(at, end)
            at = _skip(text, _skip(text, end) + 1)
        start, end = at, _value(text, at)[1]
        yield Entry(step, key, Span(start, end))
        at, count = _skip(text, end), count + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def first_key(text: str, spot: Spot) -> Span | None:
    """Return the place of the first key of the object at `spot`, None when there is none."""
    if text[spot.value.start] != "{":
        return None
    first = next(entries(text, spot.value.start), None)
    return None if first is None else first.key


def locate(text: str, wanted: Iterable[Path]) -> dict[Path, Spot]:
    """Return the spots of the `wanted` paths, and of every path that leads to one, in a sound JSON text.

    A path that the text does not hold is left out. Of a key that is repeated the last entry counts.
    """
    start = _skip(text, 0)
    spots: dict[Path, Spot] = {}
    stack: list[tuple[Path, Spot, Any]] = [((), Spot(Span(start, _value(text, start)[1])), _tree(wanted))]
    while stack:
        path, spot, branches = stack.pop()
        spots[path] = spot
        if branches and text[spot.value.start] in "{[":
            for step, child in _children(text, spot.value.start, branches).items():
                stack.append(((*path, step), child, branches[step]))
    return spots


def _tree(paths: Iterable[Path]) -> dict[Step, Any]:
    root: dict[Step, Any] = {}
    for path in paths:
        branch = root
        for step in path:
            branch = branch.setdefault(step, {})
    return root


def _children(text: str, at: int, wanted: dict[Step, Any]) -> dict[Step, Spot]:
    found: dict[Step, Spot] = {}
    last = max((step for step in wanted if isinstance(step, int)), default=None)
    for entry in entries(text, at):
        if entry.step in wanted:
            held = found.get(entry.step)
            found[entry.step] = Spot(entry.value, entry.key, (held.before or held.key) if held else None)
        if entry.step == last:
            break
    return found

"""Repairs of a few malformed shapes, each recorded (`plan-rules.md`, Repairs).

A repair is decided on plain data and written into the author's text: what it does not touch stays
byte for byte as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from migrate_spec import schemas
from migrate_spec.plans.json_text import Entry, Path, Span, Spot, entries, first_key, locate, read
from migrate_spec.plans.shape import SCHEMA
from transforms.edits import Edit, collect, splice
from transforms.pointer import Step, dump

_TICKET_TYPE = "github_issue"
_NOW = "<<runtime:now>>"
_STRINGS: tuple[tuple[Path, str], ...] = (
    (("ticket_reference",), "ticket-reference"),
    (("generated_by",), "generated-by"),
    (("scope", "files"), "scope-file"),
    (("decomposition", "sub_plans"), "sub-plan-summary"),
)
"""Where a string becomes an object, and the definition of that object; in a list, each entry."""


class Repair(NamedTuple):
    """One repair: the path, the old kind of value, the old and the new value (None when it is dropped)."""

    path: Path
    kind: str
    old: Any
    new: Any

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the repaired place."""
        return dump(self.path)


def repair(plan: Any, now: str) -> tuple[Any, tuple[Repair, ...]]:
    """Return `plan` with the repairs made and the repairs, none when there is nothing to repair.

    `now` is the moment that a plan without one gets. The value given stays as it is.
    """
    if not isinstance(plan, dict):
        return plan, ()
    schema = schemas.load(SCHEMA)
    made = (*_nulls(plan, schema), *_strings(plan, schema["$defs"], now), *_ticket_type(plan))
    return (_apply(plan, made), made) if made else (plan, ())


def _nulls(plan: dict[str, Any], schema: dict[str, Any]) -> Iterator[Repair]:
    for key, value in plan.items():
        if value is None and key in schema["properties"] and key not in schema["required"]:
            yield Repair((key,), "null", None, None)


def _strings(plan: dict[str, Any], definitions: dict[str, Any], now: str) -> Iterator[Repair]:
    for path, name in _STRINGS:
        value: Any = plan
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        places: list[tuple[Path, Any]] = [(path, value)] if len(path) == 1 else []
        if len(path) > 1 and isinstance(value, list):
            places = [((*path, at), item) for at, item in enumerate(value)]
        for place, text in places:
            if isinstance(text, str):
                yield Repair(place, "string", text, _object(text, definitions[name], now))


def _object(text: str, definition: dict[str, Any], now: str) -> dict[str, Any]:
    """Return the object that `text` stands for, as the annotations of its definition say."""
    given = {**definition["x-coerce-defaults"], definition["x-coerce-principal"]: text}
    keys = [key for key in definition["properties"] if key in given]
    return {key: now if given[key] == _NOW and key == "timestamp" else given[key] for key in keys}


def _ticket_type(plan: dict[str, Any]) -> Iterator[Repair]:
    ticket = plan.get("ticket_reference")
    if isinstance(ticket, dict) and ticket.get("type") != _TICKET_TYPE:
        old = ticket.get("type")
        kind = _kind(old) if "type" in ticket else "absent"
        yield Repair(("ticket_reference", "type"), kind, old, _TICKET_TYPE)


def _kind(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "object" if isinstance(value, dict) else "list"
    if value is None or isinstance(value, (bool, str)):
        return "null" if value is None else "string" if isinstance(value, str) else "boolean"
    return "number"


def _apply(plan: dict[str, Any], made: tuple[Repair, ...]) -> dict[str, Any]:
    fixed: dict[str, Any] = _copy(plan)
    for path, _, _, new in made:
        holder: Any = fixed
        for step in path[:-1]:
            holder = holder[step]
        if new is None:
            del holder[path[-1]]
        else:
            holder[path[-1]] = new
    return fixed


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(inner) for inner in value] if isinstance(value, list) else value


_DROP = "an empty optional key is dropped"
_WRITE = "a value gets its full shape"


def rewrite(text: str, plan: Any, made: tuple[Repair, ...]) -> str:
    """Return the JSON `text` with the repairs written into it; it then reads as `plan`."""
    spots = locate(text, [repair.path for repair in made])
    edits = [*_drops(text, spots[()].value.start, {r.path[-1] for r in made if r.new is None})]
    edits += [_edit(text, spots, repair) for repair in made if repair.new is not None]
    written = splice(text, collect(edits))
    if read(written.encode()).value != plan:
        raise AssertionError("the repaired text does not read as the repaired plan")
    return written


def _drops(text: str, root: int, keys: set[Step]) -> Iterator[Edit]:
    """Yield the edits that take all entries of `keys` out of the root, each with one comma."""
    kept: Entry | None = None
    dropped: Entry | None = None
    for entry in entries(text, root) if keys else ():
        if dropped is not None and kept is None:
            yield Edit(_start(dropped), _start(entry), "", _DROP)
        if entry.step not in keys:
            kept, dropped = entry, None
            continue
        if kept is not None:
            yield Edit((dropped or kept).value.end, entry.value.end, "", _DROP)
        dropped = entry
    if dropped is not None and kept is None:
        yield Edit(_start(dropped), dropped.value.end, "", _DROP)


def _start(entry: Entry) -> int:
    return (entry.key or entry.value).start


def _edit(text: str, spots: dict[Path, Spot], repair: Repair) -> Edit:
    spot = spots.get(repair.path)
    if spot is None:
        return _insertion(text, spots[repair.path[:-1]], f'"{repair.path[-1]}": {json.dumps(repair.new)}')
    start, end = spot.value
    if not isinstance(repair.new, dict):
        return Edit(start, end, json.dumps(repair.new), _WRITE)
    # The author's own spelling of the string, escapes and all, goes into the object.
    parts = (
        f'"{key}": {text[start:end] if value is repair.old else json.dumps(value)}'
        for key, value in repair.new.items()
    )
    return Edit(start, end, "{" + ", ".join(parts) + "}", _WRITE)


def _insertion(text: str, holder: Spot, entry: str) -> Edit:
    first: Span | None = first_key(text, holder)
    at = holder.value.start + 1
    if first is None:
        return Edit(at, at, entry, _WRITE)
    return Edit(first.start, first.start, f"{entry},{text[at : first.start] or ' '}", _WRITE)

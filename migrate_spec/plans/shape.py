"""The shape of a plan: what the JSON Schema refuses, and what it cannot say about moments and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from migrate_spec import messages
from migrate_spec.messages import Words, subject
from migrate_spec.plans.json_text import Fraction, Path
from migrate_spec.plans.remarks import Remark
from transforms.wording import listed, show

if TYPE_CHECKING:
    from migrate_spec.schema_check import Fault

SCHEMA = "plan-standard-v1"

_MOMENT = re.compile(
    r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(?:\.[0-9]+)?(?:Z|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])\Z"
)


def remarks(plan: Any) -> list[Remark]:
    """Return what is wrong with the shape of `plan`, JSON data: one remark for every broken place.

    The moment of `generated_by` counts as shape (`plan-rules.md`, Reading the text).
    """
    from migrate_spec.schema_check import faults

    found: list[Remark] = []
    lacking: dict[Path, list[Fault]] = {}
    for fault in faults(plan, SCHEMA):
        if fault.keyword == "required":
            lacking.setdefault(fault.path, []).append(fault)
        else:
            found.append(_remark(fault))
    found += [_lacking(path, missing) for path, missing in lacking.items()]
    return [*found, *_moment(plan)]


def _remark(fault: Fault) -> Remark:
    message, hint = _WORDS.get(fault.keyword, messages.words)(fault)
    if fault.keyword == "additionalProperties":
        return Remark(fault.path, message, hint, (str(fault.key),), "key")
    return Remark(fault.path, message, hint)


def _lacking(path: Path, faults: list[Fault]) -> Remark:
    """Return one remark on all keys that an object lacks: they share its pointer and its place."""
    keys = [str(fault.key) for fault in faults]
    what = f'the key "{keys[0]}"' if len(keys) == 1 else f"the keys {listed(map(show, keys))}"
    because = next((_BECAUSE[key] for key in keys if _is_conditional(faults, key)), "")
    samples = [f'"{fault.key}": {_sample(_schema_of(fault))}' for fault in faults]
    return Remark(path, f"{subject(path)} lacks {what}{because}", f"add {listed(samples)}", (), "holder")


_BECAUSE = {
    "remaining_scope": ", which a partial delivery must have",
    "expectation_basis": ", which an expected skip must have",
    "rationale": ", which an inferred criterion must have",
}


def _is_conditional(faults: list[Fault], key: str) -> bool:
    return any(fault.key == key and "properties" not in fault.schema for fault in faults)


def _schema_of(fault: Fault) -> dict[str, Any]:
    found: dict[str, Any] = fault.schema.get("properties", {}).get(fault.key, {})
    return found


def _sample(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(map(show, schema["enum"]))
    return {"integer": "1", "array": "[…]", "object": "{…}"}.get(schema.get("type", ""), '"…"')


def _type(fault: Fault) -> Words:
    wanted = _TYPES[fault.value]
    message = f"{subject(fault.path)} takes {wanted}, not {_kind(fault.instance)}"
    if isinstance(fault.instance, Fraction) and fault.value == "integer":
        whole = float(fault.instance).is_integer() and abs(fault.instance) < 1e15
        return message, f"write {fault.instance:.0f}" if whole else "write it without point and exponent"
    if fault.instance is None:
        return message, "write a value, or leave the key out if it is optional"
    if fault.value == "string" and isinstance(fault.instance, (bool, int, float)):
        return message, f'write it in quotes: "{show(fault.instance)}"'
    if fault.value == "array" and isinstance(fault.instance, str):
        return message, f"write a list: [{show(fault.instance)}]"
    if fault.schema.get("required"):
        samples = ", ".join(
            f'"{key}": {_sample(fault.schema["properties"][key])}' for key in fault.schema["required"]
        )
        return message, f"write {{{samples}}}"
    return message, f"write {wanted}"


_WORDS = {"type": _type}
_TYPES = {
    "string": "a string",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def _kind(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool):
        return "null" if value is None else show(value)
    if isinstance(value, str):
        return f"the string {show(value)}"
    return f"the number {value.literal if isinstance(value, Fraction) else show(value)}"


def _moment(plan: Any) -> Iterator[Remark]:
    author = plan.get("generated_by") if isinstance(plan, dict) else None
    moment = author.get("timestamp") if isinstance(author, dict) else None
    if isinstance(moment, str) and not is_moment(moment):
        message = f"timestamp is no moment of RFC 3339: {show(moment)}"
        yield Remark(
            ("generated_by", "timestamp"), message, "write date, T, time and zone, as in 2026-06-02T17:05:30Z"
        )


def is_moment(text: str) -> bool:
    """Tell whether `text` is a real moment of RFC 3339, its seconds and its zone included."""
    match = _MOMENT.match(text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (_SHORT.get(month, 31) if month != 2 else 29 if leap else 28)


_SHORT = dict.fromkeys((4, 6, 9, 11), 30)

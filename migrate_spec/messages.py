"""Words for what a schema refuses: made from keyword, value and path, never from the library's text."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from transforms.pointer import Foreign, Step
from transforms.scalars import Date
from transforms.wording import LONGEST
from transforms.wording import listed as listed
from transforms.wording import nearest as nearest
from transforms.wording import plainly as plainly
from transforms.wording import show as show
from transforms.wording import suggestion as suggestion

if TYPE_CHECKING:
    from migrate_spec.schema_check import Fault

Words = tuple[str, str | None]


class Mark(NamedTuple):
    """What picks a branch of a union: a key that must be there and, if not None, the value it must have."""

    key: str
    value: Any = None

    def picked_by(self, instance: dict[str, Any]) -> bool:
        """Tell whether the keys of `instance` pick this branch."""
        if self.key not in instance:
            return False
        value = instance[self.key]
        return self.value is None or (type(value) is type(self.value) and value == self.value)


def branch_mark(branch: Any) -> Mark | None:
    """Return the mark of one branch of a union, None when the branch is no variant of an object."""
    properties = branch.get("properties")
    required = branch.get("required")
    if not properties or not required:
        return None
    return Mark(required[0], properties[required[0]].get("const"))


def branch_title(schema: dict[str, Any]) -> str | None:
    """Return the title of a branch of a union, which is what picks it; None for any other object."""
    mark, title = branch_mark(schema), schema.get("title")
    return title if mark is not None and title in (mark.key, mark.value) else None


def foreign_key(name: Foreign) -> Words:
    """Return the words for a mapping key that is no string."""
    if name.kind == "collection":
        return "a list or mapping cannot be a key", "write a name"
    return (
        f"the key {plainly(name.text) or '(empty)'} is not a string",
        f"write it in quotes: {show(name.text)}",
    )


def words(fault: Fault) -> Words:
    """Return message and hint for `fault`."""
    return _WORDS.get(fault.keyword, _other)(fault)


def subject(path: tuple[Step, ...]) -> str:
    """Return the name of what stands at `path`, for use in a message."""
    if not path:
        return "the document"
    last = path[-1]
    if not isinstance(last, int):
        return plainly(str(last))
    holder = next((plainly(str(step)) for step in reversed(path) if not isinstance(step, int)), "the list")
    return f"{holder}[{last}]"


def _unknown(fault: Fault) -> Words:
    name, known = str(fault.key), list(fault.schema.get("properties", {}))
    patterns = list(fault.schema.get("patternProperties", {}))
    where = subject(fault.path)
    if patterns and not known:
        return f"{show(name)} cannot be a name in {where}", _advice(patterns[0], name)
    if not known:
        return f"{where} takes no key {show(name)}", None
    branch = branch_title(fault.schema)
    kind = f" ({branch})" if branch and fault.path else ""
    return f"{where}{kind} has no key {show(name)}", suggestion(name, known)


def _required(fault: Fault) -> Words:
    keys, properties = (str(fault.key), *fault.more), fault.schema.get("properties", {})
    what = "the key" if len(keys) == 1 else "the keys"
    samples = (f"{key}: {_sample(properties.get(key, {}))}" for key in keys)
    return f"{subject(fault.path)} lacks {what} {listed(map(show, keys))}", f"add {', '.join(samples)}"


def _sample(schema: dict[str, Any]) -> str:
    """Return what a value of `schema` could look like, with the choices where there are any."""
    if "const" in schema:
        return str(json.dumps(schema["const"])).strip('"')
    if "enum" in schema:
        return " | ".join(schema["enum"])
    if "minimum" in schema:
        return str(schema["minimum"])
    properties, required = schema.get("properties", {}), schema.get("required", ())
    if required:
        return "{" + ", ".join(f"{key}: {_sample(properties[key])}" for key in required) + "}"
    return _SAMPLES.get(schema.get("type", ""), "…")


_SAMPLES = {"integer": "1", "number": "1.0", "boolean": "true", "array": "[…]", "object": "{…}"}

_TYPES = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _type(fault: Fault) -> Words:
    wanted, found, name = _TYPES[fault.value], fault.instance, subject(fault.path)
    if found is None:
        return f"{name} is empty; it takes {wanted}", "write a value or remove the key"
    message = f"{name} takes {wanted}, not {_found(fault)}"
    if fault.value == "object" and fault.schema.get("required"):
        return message, f"write {_sample(fault.schema)}"
    if isinstance(found, (dict, list)):
        return message, _SHAPES.get(fault.value, f"write {wanted}")
    written = fault.written if fault.written is not None else str(found)
    if fault.value == "string":
        pattern = fault.schema.get("pattern", "")
        fits = re.search(pattern, written)
        return message, f"write it in quotes: {show(written)}" if fits else _advice(pattern, written)
    if fault.value == "boolean" and found in ("yes", "no", "on", "off"):
        return message, "write true" if found in ("yes", "on") else "write false"
    if fault.value == "array":
        return message, f"write a list: [{plainly(written)}]"
    return message, _SHAPES.get(fault.value, f"write {wanted}")


_SHAPES = {"array": "write each entry behind a dash", "object": "write keys, each with its value"}


def _found(fault: Fault) -> str:
    value = fault.instance
    if isinstance(value, (dict, list)):
        return show(value)
    if isinstance(value, str):
        return f"the text {show(value)}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{plainly(fault.written or str(value))}, which is no finite number"
    kind = "date" if isinstance(value, Date) else "boolean" if isinstance(value, bool) else "number"
    return f"the {kind} {plainly(fault.written) if fault.written is not None else show(value)}"


def _enum(fault: Fault) -> Words:
    if isinstance(fault.instance, (dict, list)) or fault.instance is None:
        found = "nothing" if fault.instance is None else show(fault.instance)
        return f"{subject(fault.path)} is {found}; it takes one word", f"allowed: {listed(fault.value)}"
    message = f"{subject(fault.path)} cannot be {show(fault.instance)}"
    return message, suggestion(_name_of(fault.instance), fault.value)


def _name_of(value: Any) -> str:
    return value if isinstance(value, str) else show(value)


def _const(fault: Fault) -> Words:
    return f"{subject(fault.path)} can only be {show(fault.value)}", f"write {show(fault.value)}"


_PATTERNS = {
    "^([0-9]+(ns|us|ms|s|m|h))+$": ("a duration", "a duration such as 30m or 1h30m"),
    "^[a-z][a-z0-9_]*$": ("a name", "small letters, digits and underscores, a letter first"),
    "^[a-z0-9][a-z0-9-]*$": ("an identifier", "small letters, digits and hyphens"),
    "^@[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)?$": ("a handle", "a handle such as @name or @org/team"),
    "^[a-z0-9][a-z0-9._-]{0,62}$": (
        "a group name",
        "up to 63 small letters, digits, dots, hyphens and underscores",
    ),
    "^[A-Za-z_][A-Za-z0-9_]*$": ("a variable name", "letters, digits and underscores, no digit first"),
}
_BY_START = {
    "^[a-zA-Z0-9]([a-zA-Z0-9.-]*": ("a host", "a bare host or host:port, no URL and no wildcard"),
    "^[A-Za-z0-9][A-Za-z0-9._/:-]*(@sha256": (
        "an image name",
        "an image name, with a digest as @sha256: and 64 small hex digits",
    ),
    "^[A-Za-z0-9._][A-Za-z0-9._/-]*$": ("a path", "a path inside the repository, no leading slash"),
}


def _pattern_words(pattern: str) -> tuple[str, str]:
    if pattern in _PATTERNS:
        return _PATTERNS[pattern]
    for start, found in _BY_START.items():
        if pattern.startswith(start):
            return found
    return "a fitting text", f"text that matches {pattern}"


_NAME = "^[a-z][a-z0-9_]*$"


def _advice(pattern: str, text: str) -> str:
    """Return what to write instead of `text`, which does not match `pattern`."""
    meant = (
        re.sub("[^a-z0-9_]+", "_", text.lower()).strip("_")
        if pattern == _NAME and len(text) < LONGEST
        else ""
    )
    if re.match("[a-z]", meant):
        return f"write {meant}: {_pattern_words(pattern)[1]}"
    return f"write {_pattern_words(pattern)[1]}"


def _pattern(fault: Fault) -> Words:
    message = f"{subject(fault.path)} is not {_pattern_words(fault.value)[0]}: {show(fault.instance)}"
    if fault.instance.strip() != fault.instance:
        message += " has blanks or line breaks around it"
    return message, _advice(fault.value, fault.instance)


def _bounds(fault: Fault) -> Words:
    below = "at least" if fault.keyword == "minimum" else "at most"
    bound = "above" if fault.keyword == "exclusiveMinimum" else below
    message = f"{subject(fault.path)} is {show(fault.instance)}; it must be {bound} {fault.value}"
    least, most = fault.schema.get("minimum"), fault.schema.get("maximum")
    if least is not None and most is not None:
        return message, f"write a number from {least} to {most}"
    return message, f"write a number {bound.replace('at least', 'not below')} {fault.value}"


def _length(fault: Fault) -> Words:
    name, text = subject(fault.path), fault.keyword.endswith("Length")
    if not fault.instance:
        empty = f"{name} is empty text" if text else f"{name} is an empty list; it takes at least one entry"
        return empty, "write a value or remove the key" if text else "write an entry or remove the key"
    kind, unit = (
        "at least" if fault.keyword.startswith("min") else "at most",
        "characters" if text else "entries",
    )
    message = f"{name} has {len(fault.instance):,} {unit}; it takes {kind} {fault.value:,}"
    return message, "shorten it" if kind == "at most" else "write more"


def _properties(fault: Fault) -> Words:
    known = list(fault.schema.get("properties", {}))
    allowed = f"allowed: {listed(known)}" if known else None
    if not fault.instance:
        return f"{subject(fault.path)} is empty; it must hold something", allowed or "remove the key"
    own = "write each as an entry of its own" if isinstance(fault.path[-1], int) else "keep one of them"
    return f"{subject(fault.path)} takes exactly {fault.value} key, found {listed(fault.instance)}", own


def _unique(fault: Fault) -> Words:
    item = fault.instance[int((fault.key or "0").split(",")[0])]
    return f"{subject(fault.path)} holds {show(item)} twice", "remove one of the two"


def _union(fault: Fault) -> Words:
    marks = [branch_mark(branch) for branch in fault.value]
    name = subject(fault.path)
    if None in marks or not isinstance(fault.instance, dict):
        return _alternatives(fault)
    keys = [mark.key for mark in marks if mark is not None]
    if len(set(keys)) == 1:
        return _discriminated(name, keys[0], [m.value for m in marks if m is not None], fault.instance)
    written = [key for key in keys if key in fault.instance]
    choice = f"{name} takes exactly one of {listed(keys)}"
    if not written:
        return f"{choice}; none of them is set", f"add one of them, such as {keys[0]}"
    if len(written) == 1:
        mark = next(mark for mark in marks if mark is not None and mark.key == written[0])
        return (
            f"{choice}; {mark.key} can only be {show(mark.value)}, not {show(fault.instance[mark.key])}",
            f"write {mark.key}: {show(mark.value)} or another of them",
        )
    both = "both" if len(written) == 2 else "all"
    return f"{choice}; {' and '.join(written)} are {both} set", "keep one of them"


def _discriminated(name: str, key: str, values: list[Any], instance: dict[str, Any]) -> Words:
    if key not in instance:
        return f'{name} lacks the key "{key}"', f"add {key}: {' | '.join(values)}"
    found = instance[key]
    return f"{key} cannot be {show(found)}", suggestion(_name_of(found), values)


def _alternatives(fault: Fault) -> Words:
    wanted = [" with ".join(branch.get("required", ())) for branch in fault.value]
    written = [key for branch in fault.value for key in branch.get("required", ()) if key in fault.instance]
    found = (
        f"{' and '.join(dict.fromkeys(written))} are set"
        if len(set(written)) > 1
        else (f"only {written[0]} is set" if written else "none is set")
    )
    return f"{subject(fault.path)} takes either {' or '.join(wanted)}; {found}", "write exactly one form"


def _dependent(fault: Fault) -> Words:
    for key, needs in fault.value.items():
        missing = [need for need in needs if need not in fault.instance]
        if key in fault.instance and missing:
            return f"{key} needs {listed(missing)} beside it", f"add {missing[0]}"
    return f"{subject(fault.path)} lacks a key", None


def _not(fault: Fault) -> Words:
    names = fault.value.get("required")
    if names:
        return f"{' and '.join(names)} cannot stand together", "keep one of them"
    return (
        f"{subject(fault.path)} leaves its folder: {show(fault.instance)}",
        "write a path without .. segments",
    )


def _name(fault: Fault) -> Words:
    key = str(fault.key)
    return f"{show(key)} cannot be a name in {subject(fault.path)}", _advice(fault.value["pattern"], key)


def _other(fault: Fault) -> Words:
    return f"{subject(fault.path)} does not fit the grammar", None


_WORDS = {
    "additionalProperties": _unknown,
    "required": _required,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minimum": _bounds,
    "maximum": _bounds,
    "exclusiveMinimum": _bounds,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _length,
    "maxItems": _length,
    "minProperties": _properties,
    "maxProperties": _properties,
    "uniqueItems": _unique,
    "oneOf": _union,
    "dependentRequired": _dependent,
    "not": _not,
    "propertyNames": _name,
}

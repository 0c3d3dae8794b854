"""One extended JSON Schema validator: what `jsonschema` checks, with the readings these grammars need.

`$` in a pattern means the end of the text, `uniqueItems` is checked in linear time, only finite
numbers are numbers. References are inlined once when a schema is compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.validators import Draft202012Validator, extend

from migrate_spec import schemas
from migrate_spec.acceptance import identity, is_number, matches

_PREFIX = "#/$defs/"


@functools.cache
def compiled(name: str) -> Any:
    """Return the validator of the schema `name`, one of `schemas.NAMES`."""
    return Validator(inlined(schemas.load(name)))


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return `schema` with every reference to a definition replaced by the definition itself."""
    definitions = schema.pop("$defs", {})
    done: dict[str, Any] = {}

    def inline(part: Any) -> Any:
        if isinstance(part, list):
            return [inline(item) for item in part]
        if not isinstance(part, dict):
            return part
        reference = part.get("$ref")
        if not isinstance(reference, str):
            return {key: inline(value) for key, value in part.items()}
        name = reference.removeprefix(_PREFIX)
        if name not in done:
            done[name] = inline(definitions[name])
        return done[name]

    result: dict[str, Any] = inline(schema)
    return result


def _pattern(
    validator: Any, pattern: str, instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError("pattern")


def _pattern_properties(
    validator: Any, patterns: dict[str, Any], instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, part in patterns.items():
        for key, value in instance.items():
            if matches(pattern, key):
                yield from validator.descend(value, part, path=key, schema_path=pattern)


def _additional(
    validator: Any, wanted: Any, instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for key in unknown_keys(instance, schema):
        if wanted is False:
            yield ValidationError(key)
        elif wanted is not True:
            yield from validator.descend(instance[key], wanted, path=key)


def _required(
    validator: Any, wanted: list[str], instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        yield from (ValidationError(key) for key in wanted if key not in instance)


def _property_names(
    validator: Any, wanted: dict[str, Any], instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        yield from (ValidationError(key) for key in instance if not matches(wanted["pattern"], key))


def unknown_keys(instance: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Return the keys of `instance` that neither a property nor a name pattern of `schema` covers."""
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", ())
    return [k for k in instance if k not in known and not any(matches(p, k) for p in patterns)]


def _unique(
    validator: Any, wanted: bool, instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if not wanted or not isinstance(instance, list):
        return
    seen: dict[Any, list[int]] = {}
    for at, item in enumerate(instance):
        seen.setdefault(identity(item), []).append(at)
    for first, *again in seen.values():
        if again:
            yield ValidationError(f"{first},{again[0]}")


_BASE: Any = Draft202012Validator
Validator: Any = extend(
    _BASE,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "propertyNames": _property_names,
        "required": _required,
        "uniqueItems": _unique,
    },
    type_checker=_BASE.TYPE_CHECKER.redefine("number", lambda _checker, value: is_number(value)),
)

"""Whether a schema accepts a value, answered without the schema library and without reasons.

Most documents are valid, and yes is all that anybody asks of them. Each schema is compiled into one
predicate; a document that it turns away goes to `validator`, which knows why. A test holds the two
together on valid documents and on mutations of them.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any

from migrate_spec import schemas

Check = Callable[[Any], bool]
Schema = dict[str, Any]


@functools.cache
def accepts(name: str) -> Check:
    """Return the predicate of the schema `name`, one of `schemas.NAMES`."""
    return predicate(schemas.load(name))


def predicate(schema: Schema) -> Check:
    """Return the predicate of `schema`; NotImplementedError for a keyword that is not known here."""
    return _Compiler(schema.get("$defs", {})).compile(schema)


def matches(pattern: str, text: str) -> bool:
    """Tell whether `text` fits a schema's pattern, whose `$` is the end of the text."""
    return regex(pattern).search(text) is not None


@functools.cache
def regex(pattern: str) -> re.Pattern[str]:
    """Return a schema's pattern compiled, its `$` read as the end of the text."""
    return re.compile(re.sub(r"(?<!\\)\$", r"\\Z", pattern))


def identity(value: Any) -> Any:
    """Return a hashable value that is equal for equal JSON values: 1 is 1.0, true is not 1."""
    if isinstance(value, dict):
        return ("mapping", frozenset((key, identity(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("list", tuple(identity(item) for item in value))
    return (isinstance(value, bool), value)


def is_number(value: object) -> bool:
    """Tell whether `value` is a finite number; a boolean is none."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _is_integer(value: object) -> bool:
    return is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


_TYPES: dict[str, Check] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": is_number,
}

_SILENT = frozenset(
    {"$schema", "$id", "$defs", "title", "description", "default", "format", "examples", "then", "else"}
)
"""Keywords that refuse nothing, or that another keyword reads."""


class _Compiler:
    """Compiles the parts of one schema; a definition is compiled once."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self.definitions = definitions
        self.done: dict[str, Check] = {}

    def compile(self, schema: Schema) -> Check:
        if "$ref" in schema:
            return self._definition(schema["$ref"].removeprefix("#/$defs/"))
        checks = [*self._object(schema), *(self._keyword(schema, key) for key in schema if _is_plain(key))]
        if len(checks) == 1:
            return checks[0]
        if len(checks) == 2:
            first, second = checks
            return lambda value: first(value) and second(value)
        return lambda value: all(check(value) for check in checks)

    def _definition(self, name: str) -> Check:
        if name not in self.done:
            self.done[name] = self.compile(self.definitions[name])
        return self.done[name]

    def _object(self, schema: Schema) -> list[Check]:
        """Return one check for all keywords about the keys of an object, none when there are none."""
        if not schema.keys() & _KEYS:
            return []
        required = tuple(schema.get("required", ()))
        known = {key: self.compile(part) for key, part in schema.get("properties", {}).items()}
        patterns = [(regex(k), self.compile(v)) for k, v in schema.get("patternProperties", {}).items()]
        rest = schema.get("additionalProperties", True)
        other = (lambda _value: rest) if isinstance(rest, bool) else self.compile(rest)

        def check(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            for key in required:
                if key not in value:
                    return False
            for key, item in value.items():
                found = known.get(key)
                fitting = [part for pattern, part in patterns if pattern.search(key)]
                if found is not None:
                    fitting.append(found)
                for part in fitting or (other,):
                    if not part(item):
                        return False
            return True

        return [check]

    def _keyword(self, schema: Schema, key: str) -> Check:
        value = schema[key]
        simple = _SIMPLE.get(key)
        if simple is not None:
            return simple(value)
        nested = getattr(self, "_" + key.lower(), None)
        if nested is None:
            raise NotImplementedError(f"schema keyword {key}")
        made: Check = nested(value, schema)
        return made

    def _items(self, value: Schema, _schema: Schema) -> Check:
        check = self.compile(value)
        return lambda given: not isinstance(given, list) or all(map(check, given))

    def _propertynames(self, value: Schema, _schema: Schema) -> Check:
        check = self.compile(value)
        return lambda given: not isinstance(given, dict) or all(map(check, given))

    def _oneof(self, value: list[Schema], _schema: Schema) -> Check:
        checks = [self.compile(part) for part in value]
        return lambda given: sum(check(given) for check in checks) == 1

    def _anyof(self, value: list[Schema], _schema: Schema) -> Check:
        checks = [self.compile(part) for part in value]
        return lambda given: any(check(given) for check in checks)

    def _allof(self, value: list[Schema], _schema: Schema) -> Check:
        checks = [self.compile(part) for part in value]
        return lambda given: all(check(given) for check in checks)

    def _not(self, value: Schema, _schema: Schema) -> Check:
        check = self.compile(value)
        return lambda given: not check(given)

    def _if(self, value: Schema, schema: Schema) -> Check:
        asked, then, other = (
            self.compile(part) for part in (value, schema.get("then", {}), schema.get("else", {}))
        )
        return lambda given: then(given) if asked(given) else other(given)


_KEYS = {"required", "properties", "patternProperties", "additionalProperties"}


def _is_plain(key: str) -> bool:
    return key not in _SILENT and key not in _KEYS and not key.startswith("x-")


def _enum(allowed: list[Any]) -> Check:
    wanted = frozenset(map(identity, allowed))
    return lambda value: identity(value) in wanted


def _pattern(pattern: str) -> Check:
    search = regex(pattern).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _size(kind: type[Any], fits: Callable[[int], bool]) -> Check:
    return lambda value: not isinstance(value, kind) or fits(len(value))


def _bound(fits: Callable[[Any], bool]) -> Check:
    return lambda value: not is_number(value) or fits(value)


def _unique(wanted: bool) -> Check:
    def check(value: Any) -> bool:
        return not isinstance(value, list) or len({identity(item) for item in value}) == len(value)

    return check if wanted else lambda _value: True


def _dependent(needs: dict[str, list[str]]) -> Check:
    def check(value: Any) -> bool:
        return not isinstance(value, dict) or all(
            need in value for key, wanted in needs.items() if key in value for need in wanted
        )

    return check


_SIMPLE: dict[str, Callable[[Any], Check]] = {
    "type": lambda name: _TYPES[name],
    "enum": _enum,
    "const": lambda wanted: _enum([wanted]),
    "pattern": _pattern,
    "minLength": lambda low: _size(str, lambda size: size >= low),
    "maxLength": lambda high: _size(str, lambda size: size <= high),
    "minItems": lambda low: _size(list, lambda size: size >= low),
    "maxItems": lambda high: _size(list, lambda size: size <= high),
    "minProperties": lambda low: _size(dict, lambda size: size >= low),
    "maxProperties": lambda high: _size(dict, lambda size: size <= high),
    "minimum": lambda low: _bound(lambda value: value >= low),
    "maximum": lambda high: _bound(lambda value: value <= high),
    "exclusiveMinimum": lambda low: _bound(lambda value: value > low),
    "uniqueItems": _unique,
    "dependentRequired": _dependent,
}

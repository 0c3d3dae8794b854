"""Field tables and delta tables, made from the schemas alone (`grammar-notes.md` 2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from migrate_spec import schemas
from transforms.pointer import dump

Schema = dict[str, Any]


class Field(NamedTuple):
    """One row of a field table; `required` is `required` or `optional`."""

    section: str
    field: str
    type: str
    required: str
    constraints: str
    description: str


class Section(NamedTuple):
    """One table: an object, or a definition without keys of its own, which has the one row `-`.

    `path` says where the object stands in the schema, which is its name unless it is the root; `inline`
    marks the objects and branches of unions that stand inside another one.
    """

    name: str
    path: str
    description: str
    rows: tuple[Field, ...]
    inline: bool = False


class Delta(NamedTuple):
    """One difference in shape between two majors: a pointer into the schema, and what became of it."""

    field: str
    change: str
    detail: str


class Primitive(NamedTuple):
    """One of the six things workflows are made of: its definition, the key that writes it, a golden."""

    name: str
    definition: str
    key: str
    golden: str


_SHARED, _GUARDED = "golden/reference/shared-stages", "golden/reference/guarded-release"
PRIMITIVES = (
    Primitive("workflow", "workflow", "workflows", _SHARED),
    Primitive("stage", "stage", "stages", _SHARED),
    Primitive("gate", "gate", "gates", _GUARDED),
    Primitive("constraint", "constraint", "constraints", _SHARED),
    Primitive("approver", "approvals", "approvals", _GUARDED),
    Primitive("artifact", "produces", "produces", _SHARED),
)
"""The six primitives of a workflow, in the order of the page that explains them."""


def sections(name: str) -> list[Section]:
    """Return the tables of the schema `name`: the root, then each definition and what is inline in it."""
    schema = schemas.load(name)
    found = [_section(f"{schema['title']} — top-level fields", "(root)", schema), *_inline(schema, "(root)")]
    for definition, part in schema["$defs"].items():
        found += [_section(definition, definition, part), *_inline(part, definition)]
    return found


def _section(name: str, path: str, part: Schema, inline: bool = False) -> Section:
    rows = _rows(name, part) or (_bare(name, part),)
    return Section(name, path, part["description"], rows, inline)


def fields(name: str) -> list[Field]:
    """Return the rows of all tables of the schema `name` but the inline ones."""
    return [row for section in sections(name) if not section.inline for row in section.rows]


def inline_fields(name: str) -> list[Field]:
    """Return the rows of inline objects and union branches, which no definition of their own describes."""
    return [row for section in sections(name) if section.inline for row in section.rows]


def _inline(schema: Schema, path: str) -> Iterator[Section]:
    for step, part in _parts(schema):
        if "properties" in part or _branches(part):
            yield _section(path + step, path + step, part, inline=True)
        yield from _inline(part, path + step)


def _parts(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for key, part in schema.get("properties", {}).items():
        yield f".{key}", part
    for branch in _branches(schema):
        yield f"[{branch['title']}]", branch
    if "properties" in schema.get("items", {}):
        yield "[]", schema["items"]


def _branches(schema: Schema) -> list[Schema]:
    return [branch for branch in schema.get("oneOf", ()) if "title" in branch]


def _rows(section: str, schema: Schema) -> tuple[Field, ...]:
    """Return the fields of an object: required ones in their listed order, then the others as declared."""
    properties = schema.get("properties", {})
    required = [key for key in schema.get("required", ()) if key in properties]
    optional = [key for key in properties if key not in required]
    return tuple(_row(section, key, properties[key], key in required) for key in required + optional)


def _row(section: str, key: str, part: Schema, required: bool) -> Field:
    need = "required" if required else "optional"
    return Field(section, key, type_of(part), need, _constraints(part), part["description"])


def _bare(section: str, part: Schema) -> Field:
    rest = _constraints(part)
    line = f"Type: {type_of(part)}." + (f" {rest}" if rest else "")
    return Field(section, "-", line, "", "", part["description"])


def type_of(part: Schema) -> str:
    """Return the type of a field as the tables print it: a JSON type, a definition, `array of` either."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if part["type"] == "array":
        return f"array of {type_of(part['items'])}"
    return str(part["type"])


_LABELS = {
    "enum": "enum",
    "minimum": "min",
    "maximum": "max",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "pattern": "pattern",
    "minItems": "minItems",
    "format": "format",
    "default": "default",
}
"""The keywords that the tables show, in the order in which they show them, and their names there."""


def _constraints(part: Schema) -> str:
    return "; ".join(f"{label}: {_value(part[key])}" for key, label in _LABELS.items() if key in part)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_value(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value)


def deltas(old: str, new: str) -> list[Delta]:
    """Return how the shape of schema `new` differs from that of `old`: type, need, choices, default."""
    before, after = _shapes(schemas.load(old)), _shapes(schemas.load(new))
    pointers = sorted(before.keys() | after.keys(), key=str.encode)
    found = (_delta(pointer, before.get(pointer), after.get(pointer)) for pointer in pointers)
    return [delta for delta in found if delta is not None]


class _Shape(NamedTuple):
    type: str
    required: str
    enum: frozenset[str]
    default: str


def _shapes(schema: Schema) -> dict[str, _Shape]:
    shapes = dict(_field_shapes(schema, ()))
    for name, part in schema["$defs"].items():
        shapes[dump(("$defs", name))] = _shape(part, "")
        shapes.update(_field_shapes(part, ("$defs", name)))
    return shapes


def _field_shapes(schema: Schema, path: tuple[str, ...]) -> Iterator[tuple[str, _Shape]]:
    for key, part in schema.get("properties", {}).items():
        need = "required" if key in schema.get("required", ()) else "optional"
        yield dump((*path, "properties", key)), _shape(part, need)


def _shape(part: Schema, required: str) -> _Shape:
    default = _value(part["default"]) if "default" in part else ""
    return _Shape(type_of(part), required, frozenset(part.get("enum", ())), default)


def _delta(pointer: str, before: _Shape | None, after: _Shape | None) -> Delta | None:
    if before is None:
        return Delta(pointer, "added", "new at the newer major")
    if after is None:
        return Delta(pointer, "removed", "present in the older major, absent at the newer")
    details = [
        f"{what} “{old}”→“{new}”"
        for what, old, new in (
            ("type", before.type, after.type),
            ("need", before.required, after.required),
            ("default", before.default, after.default),
        )
        if old != new
    ]
    if before.enum != after.enum:
        details.append("enum members differ")
    return Delta(pointer, "changed", "; ".join(details)) if details else None

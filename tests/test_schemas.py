from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import run

from migrate_spec import authoring, schemas

Schema = dict[str, Any]


def described(schema: Schema, path: str = "(root)") -> Iterator[tuple[str, Schema]]:
    """Yield every part of a schema that owes its reader words: objects, keys, definitions, branches."""
    yield path, schema
    for key, part in schema.get("properties", {}).items():
        yield from described(part, f"{path}.{key}")
    for branch in schema.get("oneOf", ()):
        if "properties" in branch:
            yield from described(branch, f"{path}[{branch.get('title')}]")
    if "properties" in schema.get("items", {}):
        yield from described(schema["items"], f"{path}[]")
    for name, part in schema.get("$defs", {}).items():
        yield from described(part, name)


PARTS = [
    pytest.param(part, id=f"{name} {path}")
    for name in schemas.NAMES
    for path, part in described(schemas.load(name))
]


@pytest.mark.parametrize("name", schemas.NAMES)
def test_schemas_meet_the_metaschema(name: str) -> None:
    Draft202012Validator.check_schema(schemas.load(name))
    Draft202012Validator.check_schema(authoring.schema(name))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_explained(part: Schema) -> None:
    assert re.fullmatch(r"[^\s.][^.\n]{1,30}|standard_v1", part["title"])
    assert re.fullmatch(r"[^\s].{18,420}\.", part["description"])
    assert not re.search(r"(?<!\w)#\d|https?://|TODO|\bADR-", part["description"])
    assert part["description"].count("`") % 2 == 0


@pytest.mark.parametrize("name", schemas.NAMES)
def test_a_branch_is_titled_by_what_picks_it(name: str) -> None:
    for _path, part in described(schemas.load(name)):
        for branch in (b for b in part.get("oneOf", ()) if "properties" in b):
            mark = branch["required"][0]
            assert branch["title"] in (mark, branch["properties"][mark].get("const"))


@pytest.mark.parametrize("name", schemas.NAMES)
def test_annotations_come_first_and_every_definition_is_used(name: str) -> None:
    schema = schemas.load(name)
    for path, part in described(schema):
        first = [key for key in part if not key.startswith("$")]
        assert first[:2] == ["title", "description"], path
    text = schemas.read(name)
    for definition in schema["$defs"]:
        assert f'"#/$defs/{definition}"' in text


@pytest.mark.parametrize("name", schemas.NAMES)
def test_no_two_keys_of_an_object_are_explained_alike(name: str) -> None:
    for path, part in described(schemas.load(name)):
        texts = [sub["description"] for sub in part.get("properties", {}).values()]
        assert len(set(texts)) == len(texts), path


# -- against the facts -----------------------------------------------------------


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


def at(schema: Schema, definition: str) -> Schema:
    """Return the part of `schema` that the facts call `definition`."""
    name, rest = re.fullmatch(r"(\(root\)|[\w-]+)(.*)", definition).groups()  # type: ignore[union-attr]
    part: Schema = schema if name == "(root)" else schema["$defs"][name]
    for key, branch, _items in re.findall(r"\.(\w+)|\[(\w+)\]|(\[\])", rest):
        if key:
            part = part["properties"][key]
        elif branch:
            part = next(b for b in part["oneOf"] if b.get("title") == branch)
        else:
            part = part["items"]
    return part


def type_of(part: Schema) -> str:
    if "$ref" in part:
        return str(part["$ref"]).removeprefix("#/$defs/")
    many = f"array of {type_of(part['items'])}" if part["type"] == "array" else part["type"]
    return str(many)


SHOWN = {
    "enum": "enum",
    "minimum": "min",
    "maximum": "max",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "pattern": "pattern",
    "minItems": "minItems",
    "format": "format",
    "const": "const",
    "default": "default",
}


def shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def field_facts(schema: Schema, row: dict[str, str]) -> None:
    holder = at(schema, row["definition"])
    part = holder["properties"][row["field"]]
    assert type_of(part) == row["type"]
    assert (row["field"] in holder.get("required", ())) is (row["required"] == "required")
    assert cell(part) == row["constraints"]
    notes = row["notes"]
    items = part.get("items", {})
    words = {
        "uniqueItems": part.get("uniqueItems", False),
        "x-intended-required: true": part.get("x-intended-required", False),
        "exclusiveMin: 0": part.get("exclusiveMinimum") == 0,
        "items: minLength 1": items.get("minLength") == 1,
        "items: min 0": items.get("minimum") == 0,
    }
    for word, there in words.items():
        said = bool(re.search(rf"(?<!no ){re.escape(word)}\b(?! are)", notes)) and f"no {word}" not in notes
        assert there is said, (word, notes)
    enum = re.search(r"items: enum ([\w, ]+?)(?:;| --|$)", notes)
    assert items.get("enum") == (enum[1].split(", ") if enum else None)
    pattern = re.search(r"items: pattern (\S+?)(?:;| |$)", notes)
    assert items.get("pattern") == (pattern[1] if pattern else None)


def cell(part: Schema) -> str:
    return "; ".join(f"{label}: {shown(part[key])}" for key, label in SHOWN.items() if key in part)


def coercion(part: Schema) -> str:
    """Return what a repair would put where, in the words of the facts."""
    if "x-coerce-principal" not in part:
        return ""
    defaults = part["x-coerce-defaults"].items()
    put = ", ".join(f"{key} empty" if value == "" else f"{key}={value}" for key, value in defaults)
    return f"x-coerce-principal {part['x-coerce-principal']}; x-coerce-defaults {put}"


def object_facts(schema: Schema, row: dict[str, str]) -> None:
    part = at(schema, row["definition"])
    assert part["type"] == row["type"]
    assert coercion(part) == row["notes"].partition("annotations: ")[2]
    said = row["constraints"]
    for key in ("minProperties", "maxProperties"):
        bound = re.search(rf"{key}: (\d+)", said)
        assert part.get(key) == (int(bound[1]) if bound else None)
    names = re.search(r"keys: (\S+) -> (\w+)", said)
    if names:
        assert part["patternProperties"] == {names[1]: {"$ref": f"#/$defs/{names[2]}"}}
    if "propertyNames" in said:
        assert part["propertyNames"] == {"pattern": said.rpartition("propertyNames: ")[2]}
    if "additionalProperties" in said:
        wanted = re.search(r"additionalProperties: ([\w]+)", said)[1]  # type: ignore[index]
        closed = {"false": False, "true": True}
        assert part["additionalProperties"] == closed.get(wanted, {"$ref": f"#/$defs/{wanted}"})
    if "unevaluatedProperties: false" in said:
        assert all(
            branch["additionalProperties"] is False for branch in part["oneOf"] if "properties" in branch
        )


@pytest.mark.parametrize("name", schemas.NAMES)
def test_keywords_are_those_of_the_facts(name: str, shared: Path) -> None:
    schema = schemas.load(name)
    table = rows(shared / f"facts/{name}.tsv")
    for row in table:
        if row["field"] == "*":
            object_facts(schema, row)
        elif row["field"] == "-":
            part = schema["$defs"][row["definition"]]
            assert (type_of(part), cell(part)) == (row["type"], row["constraints"])
        else:
            field_facts(schema, row)
    known = {(row["definition"], row["field"]) for row in table}
    for definition in {definition for definition, _field in known}:
        for key in at(schema, definition).get("properties", {}):
            assert (definition, key) in known


DELEGATE = "executor[delegate].delegate"
HOOK = {"target": "webhook", "url": "https://ci.acme.dev"}
CRITERION = {"id": "a", "statement": "It holds.", "source": "explicit"}
ONE_OF_TWO = [
    ("workflow-v1", "gate[approval]", {"type": "approval"}, False),
    ("workflow-v1", "gate[approval]", {"type": "approval", "approvals": {"count": 1}}, True),
    ("workflow-v1", "gate[approval]", {"type": "approval", "approvers": {"any_of": ["a"]}}, True),
    (
        "workflow-v1",
        "gate[approval]",
        {"type": "approval", "approvals": {"count": 1}, "approvers": {"any_of": ["a"]}},
        False,
    ),
    ("workflow-v2", "gate_container", {}, False),
    ("workflow-v2", "gate_container", {"image": "a"}, True),
    ("workflow-v2", "gate_container", {"dockerfile": "a", "context": "."}, True),
    ("workflow-v2", "gate_container", {"dockerfile": "a"}, False),
    ("workflow-v2", "gate_container", {"context": "a"}, False),
    ("workflow-v2", "gate_container", {"image": "a", "dockerfile": "a"}, False),
    ("workflow-v2", "gate_container", {"image": "a", "context": "a"}, False),
    ("workflow-v2", "gate_container", {"image": "a", "dockerfile": "a", "context": "a"}, False),
    ("workflow-v2", "gate_container", {"dockerfile": "a/../b", "context": "."}, False),
    ("workflow-v2", "gate_container", {"dockerfile": "..a/b..", "context": "."}, True),
    ("workflow-v2", "gate_container", {"dockerfile": "a", "context": "a/.."}, False),
    ("workflow-v2", "constraint.agent_instruction_paths", {}, False),
    ("workflow-v2", "constraint.agent_instruction_paths", {"enforce": False}, True),
    ("workflow-v2", "constraint.agent_instruction_paths", {"writable": ["AGENTS.md"]}, True),
    (
        "workflow-v2",
        "constraint.agent_instruction_paths",
        {"enforce": False, "writable": ["AGENTS.md"]},
        False,
    ),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_header": "X"}, False),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_field": "x"}, False),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_env": "E"}, True),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_env": "E", "secret_header": "X"}, True),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_env": "E", "secret_field": "x"}, True),
    ("workflow-v2", DELEGATE, {**HOOK, "secret_env": "E", "secret_header": "X", "secret_field": "x"}, False),
    ("plan-standard-v1", "acceptance-criterion", CRITERION, True),
    ("plan-standard-v1", "acceptance-criterion", {**CRITERION, "source": "inferred"}, False),
    ("plan-standard-v1", "acceptance-criterion", {**CRITERION, "source": "inferred", "rationale": ""}, True),
    ("plan-standard-v1", "acceptance-criterion", {**CRITERION, "skip_expected": False}, True),
    ("plan-standard-v1", "acceptance-criterion", {**CRITERION, "skip_expected": True}, False),
    (
        "plan-standard-v1",
        "acceptance-criterion",
        {**CRITERION, "skip_expected": True, "expectation_basis": "a"},
        True,
    ),
]
"""What the facts say in words about keys that need or exclude each other."""


@pytest.mark.parametrize(("name", "definition", "value", "valid"), ONE_OF_TWO)
def test_keys_that_need_or_exclude_each_other(
    name: str, definition: str, value: dict[str, Any], valid: bool
) -> None:
    schema = schemas.load(name)
    part = {**at(schema, definition), "$defs": schema["$defs"]}
    assert Draft202012Validator(part).is_valid(value) is valid


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({}, True),
        ({"delivery": "full"}, True),
        ({"delivery": "partial"}, False),
        ({"delivery": "partial", "remaining_scope": "The rest."}, True),
        ({"remaining_scope": "The rest."}, True),
    ],
)
def test_a_partial_delivery_says_what_remains(value: dict[str, Any], valid: bool) -> None:
    schema = {**schemas.load("plan-standard-v1"), "required": []}
    assert Draft202012Validator(schema).is_valid(value) is valid


def prose(text: str) -> list[str]:
    """Return the words of a text without what stands in code spans."""
    return re.findall(r"[a-z_]+", re.sub(r"`[^`]*`", " ; ", text).lower().replace("’", "'").replace("'", ""))


LONGEST_SHARED = 6
"""How many words in a row a description may have in common with the facts."""


@pytest.mark.parametrize("name", schemas.NAMES)
def test_no_description_is_copied_from_the_facts(name: str, shared: Path) -> None:
    runs: set[tuple[str, ...]] = set()
    for page in [*(shared / "seeds").glob("*.txt"), *(shared / "facts").glob("*.md")]:
        words = prose(page.read_text(encoding="utf-8"))
        runs.update(tuple(words[i : i + LONGEST_SHARED + 1]) for i in range(len(words) - LONGEST_SHARED))
    for path, part in described(schemas.load(name)):
        words = prose(part["description"])
        for i in range(len(words) - LONGEST_SHARED):
            assert tuple(words[i : i + LONGEST_SHARED + 1]) not in runs, path


def test_messages_name_the_branch_of_a_union_and_no_other_title() -> None:
    text = b"""\
version: "2"
workflows:
  a:
    policy: {limit: 5m}
    stages:
      - id: x
        type: plan
        executor: {agent: codex, effort: high}
"""
    result = run("validate", "-", stdin=text).text
    assert '4:14: schema: policy has no key "limit"\n' in result
    assert '8:34: schema: executor (agent) has no key "effort"\n' in result

"""The schemas as editors need them, derived from those that documents are judged by.

Editors know nothing of `defaults` and `extends`. So what a v2 text may leave to them is not required
here: whatever is valid once it is resolved passes as it is written, and a text without reuse is
judged by both schemas alike.
"""

from __future__ import annotations

from typing import Any

from migrate_spec import schemas

Schema = dict[str, Any]

FRAGMENT = "_fragment"
"""Ends the name of a definition for a mapping that is merged with one from elsewhere."""

_NEEDS = ("required", "minProperties", "dependentRequired")
_EXTENDS: Schema = {"required": ["extends"]}
_DEFAULT_EXECUTOR: Schema = {
    "required": ["defaults"],
    "properties": {"defaults": {"type": "object", "required": ["executor"]}},
}


def schema(name: str) -> Schema:
    """Return the schema `name`, one of `schemas.NAMES`, for an editor that shows and checks texts."""
    loaded = schemas.load(name)
    shown: Schema = _marked(_workflow_text(loaded) if name == "workflow-v2" else loaded)
    return shown


def _marked(part: Any) -> Any:
    """Return `part` with each description repeated under the keyword that editors take Markdown from."""
    if isinstance(part, list):
        return [_marked(item) for item in part]
    if not isinstance(part, dict):
        return part
    marked = {key: _marked(value) for key, value in part.items()}
    description = part.get("description")
    return {**marked, "markdownDescription": description} if isinstance(description, str) else marked


def _workflow_text(root: Schema) -> Schema:
    definitions: Schema = root["$defs"]
    workflow, stage = definitions["workflow"], definitions["stage"]
    stages = workflow["properties"]["stages"]
    _name_default_keys([root, workflow], definitions["executor"])
    definitions["stage_override"] = {**_loosened(stage, definitions), "required": ["id"]}
    definitions["stage_under_defaults"] = {
        **stage,
        "required": ["id", "type"],
        "properties": {
            **stage["properties"],
            "executor": _loosened(stage["properties"]["executor"], definitions),
        },
    }
    plain = _own_stages(stages, "stage")
    defaulted = _own_stages(stages, "stage_under_defaults")
    definitions["stages_under_defaults"] = _choice(_EXTENDS, _inherited_stages(), defaulted)
    definitions["stages_alone"] = _choice(
        _EXTENDS, _inherited_stages(), _choice(_DEFAULT_EXECUTOR, defaulted, plain)
    )
    del workflow["required"], stages["items"], stages["minItems"]
    names = root["properties"]["workflows"]["patternProperties"]
    each = {
        way: {"properties": {"workflows": {"patternProperties": {name: _to(way) for name in names}}}}
        for way in ("stages_under_defaults", "stages_alone")
    }
    return {
        **root,
        "$id": f"{root['$id']}:text",
        "description": f"{root['description'].partition('. ')[0]}. For the text as it is written: what "
        "`defaults` or `extends` can supply may be left out.",
        **_choice(_DEFAULT_EXECUTOR, each["stages_under_defaults"], each["stages_alone"]),
    }


def _to(definition: str) -> Schema:
    return {"$ref": f"#/$defs/{definition}"}


def _choice(condition: Schema, then: Schema, otherwise: Schema) -> Schema:
    return {"if": condition, "then": then, "else": otherwise}


def _own_stages(stages: Schema, definition: str) -> Schema:
    """Return what a workflow owes that inherits no stages: some, each of them a `definition`."""
    some = {"minItems": stages["minItems"], "items": _to(definition)}
    return {"required": ["stages"], "properties": {"stages": some}}


def _inherited_stages() -> Schema:
    return {"properties": {"stages": {"items": _to("stage_override")}}}


def _name_default_keys(holders: list[Schema], executor: Schema) -> None:
    """Name the keys of an executor in both kinds of `defaults`, for completion; their values stay free."""
    keys = {
        key: {word: part[word] for word in ("title", "description")}
        for branch in executor["oneOf"]
        for key, part in branch["properties"].items()
    }
    for holder in holders:
        holder["properties"]["defaults"]["properties"]["executor"]["properties"] = keys


def _loosened(part: Schema, definitions: Schema) -> Schema:
    """Return `part` as a mapping that is merged with another: no key of it has to be there.

    Lists and scalars replace what they meet and stay strict. Definitions that `part` refers to get a
    twin in `definitions`, named with FRAGMENT behind.
    """
    if "$ref" in part:
        return {**part, "$ref": _fragment(part["$ref"], definitions)}
    if part["type"] != "object":
        return part
    loose = {key: value for key, value in part.items() if key not in (*_NEEDS, "oneOf")}
    if "properties" in part:
        properties = part["properties"].items()
        loose["properties"] = {key: _loosened(value, definitions) for key, value in properties}
    branches = [branch for branch in part.get("oneOf", ()) if "title" in branch]
    return {**loose, "oneOf": _branches(branches, definitions)} if branches else loose


def _fragment(reference: str, definitions: Schema) -> str:
    name = reference.rpartition("/")[2]
    if name + FRAGMENT not in definitions:
        loose = _loosened(definitions[name], definitions)
        if loose == definitions[name]:
            return reference
        definitions[name + FRAGMENT] = loose
    return reference + FRAGMENT


def _branches(branches: list[Schema], definitions: Schema) -> list[Schema]:
    """Return the branches of a union that its mark still picks, and one for texts without a mark."""
    marks = {branch["required"][0] for branch in branches}
    loose = [{**_loosened(branch, definitions), "required": branch["required"][:1]} for branch in branches]
    others = {key: part for branch in loose for key, part in branch["properties"].items() if key not in marks}
    inherited = {
        "title": "inherited",
        "description": "Of which kind it is, is inherited; what stands here adds to that or overrules it.",
        "type": "object",
        "properties": others,
        "additionalProperties": False,
    }
    return [*loose, inherited]

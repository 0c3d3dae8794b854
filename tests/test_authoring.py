from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML
from support import run

from migrate_spec import authoring, schemas
from migrate_spec.schema_check import faults
from transforms import reuse
from transforms.document import parse
from transforms.nodes import Mapping, plain, walk
from transforms.pointer import Foreign

ROOT = Path(__file__).parent.parent
EDITOR = Draft202012Validator(authoring.schema("workflow-v2"))


def workflow(body: str, defaults: str = "") -> Any:
    """Return a v2 document with one workflow, written in flow style."""
    return YAML(typ="safe", pure=True).load(f'{{version: "2", {defaults} workflows: {{a: {body}}}}}')


STAGE = "{id: x, type: plan, executor: {agent: claude-code}}"
CASES = {
    "plain stage": (f"{{stages: [{STAGE}]}}", "", True),
    "no stages": ("{}", "", False),
    "empty stages": ("{stages: []}", "", False),
    "no executor": ("{stages: [{id: x, type: plan}]}", "", False),
    "no type": ("{stages: [{id: x, executor: {human: true}}]}", "", False),
    "executor without a kind": ("{stages: [{id: x, type: plan, executor: {timeout: 5m}}]}", "", False),
    "empty constraints": (
        "{stages: [{id: x, type: plan, executor: {human: true}, constraints: {}}]}",
        "",
        False,
    ),
    "file default": ("{stages: [{id: x, type: plan}]}", "defaults: {executor: {agent: c}},", True),
    "file default of another block": ("{stages: [{id: x, type: plan}]}", "defaults: {budget: {}},", False),
    "workflow default": ("{defaults: {executor: {agent: c}}, stages: [{id: x, type: plan}]}", "", True),
    "workflow default of another block": (
        "{defaults: {budget: {}}, stages: [{id: x, type: plan}]}",
        "",
        False,
    ),
    "fragment under a default": (
        "{stages: [{id: x, type: plan, executor: {timeout: 5m, verify: {timeout: 1m}}}]}",
        "defaults: {executor: {agent: c, verify: {command: make}}},",
        True,
    ),
    "type under a default": ("{stages: [{id: x}]}", "defaults: {executor: {agent: c}},", False),
    "empty stages under a default": ("{stages: []}", "defaults: {executor: {agent: c}},", False),
    "two kinds under a default": (
        "{stages: [{id: x, type: plan, executor: {agent: c, human: true}}]}",
        "defaults: {executor: {agent: c}},",
        False,
    ),
    "unknown key under a default": (
        "{stages: [{id: x, type: plan, executor: {timeot: 5m}}]}",
        "defaults: {executor: {agent: c}},",
        False,
    ),
    "free keys in a default": (
        f"{{stages: [{STAGE}]}}",
        "defaults: {executor: {timeout: 5, more: 1}},",
        True,
    ),
    "extends alone": ("{extends: b}", "", True),
    "override": ("{extends: b, stages: [{id: x, executor: {timeout: 5m}, constraints: {}}]}", "", True),
    "override of a pipeline": (
        "{extends: b, stages: [{id: x, executor: {delegate: {git_ref: next}}}]}",
        "",
        True,
    ),
    "override of a target": (
        "{extends: b, stages: [{id: x, executor: {delegate: {target: webhook, url: 'https://a'}}}]}",
        "",
        True,
    ),
    "override without an id": ("{extends: b, stages: [{type: plan}]}", "", False),
    "override with an unknown key": ("{extends: b, stages: [{id: x, exeutor: {}}]}", "", False),
    "override with a bad value": ("{extends: b, stages: [{id: x, budget: {limit_usd: 0}}]}", "", False),
    "override with half a list": ("{extends: b, stages: [{id: x, gates: [{type: approval}]}]}", "", False),
    "override with null": ("{extends: b, stages: [{id: x, budget: null}]}", "", False),
    "old key": (f"{{drive: true, stages: [{STAGE}]}}", "", False),
}


@pytest.mark.parametrize("name", CASES)
def test_what_an_editor_accepts(name: str) -> None:
    body, defaults, valid = CASES[name]
    assert EDITOR.is_valid(workflow(body, defaults)) is valid


def judged(text: bytes) -> Iterator[tuple[bool, bool, bool]]:
    """Yield for a v2 text: whether it uses reuse, what is right once resolved, what an editor says."""
    document = parse(text)
    root = document.mapping
    if document.faults or root is None or root.scalar("version") != "2" or foreign_keys(root):
        return
    resolved, findings = reuse.resolve(root)
    if findings:
        return
    data = plain(root)
    yield uses_reuse(data), not list(faults(plain(resolved), "workflow-v2")), EDITOR.is_valid(data)


def foreign_keys(root: Mapping) -> bool:
    mappings = [node for node in walk(root) if isinstance(node, Mapping)]
    return any(isinstance(key, Foreign) for mapping in mappings for key in mapping.entries)


def uses_reuse(data: Any) -> bool:
    workflows = data.get("workflows")
    blocks = list(workflows.values()) if isinstance(workflows, dict) else []
    own = any(isinstance(block, dict) and block.keys() & {"extends", "defaults"} for block in blocks)
    return "defaults" in data or own


def agree(texts: list[bytes]) -> int:
    """Check that an editor marks no valid text, and judges texts without reuse rightly; count them."""
    count = 0
    for text in texts:
        for reused, right, said in judged(text):
            count += 1
            assert said or not right, text.decode()
            assert reused or said is right, text.decode()
    return count


def test_an_editor_accepts_the_golden_documents() -> None:
    assert agree([path.read_bytes() for path in (ROOT / "golden").rglob("*.yaml")]) >= 2


def test_an_editor_agrees_with_the_validator_on_texts_without_reuse(shared: Path) -> None:
    texts = [path.read_bytes() for path in (shared / "corpus").rglob("*.yaml")]
    for path in (shared / "cases").glob("*/*.yaml"):
        texts += [case["source"].encode() for case in YAML(typ="safe", pure=True).load(path)["cases"]]
    assert agree(texts) > 400


def test_the_command_prints_either_schema() -> None:
    assert run("schema", "workflow-v2").json == authoring.schema("workflow-v2")
    assert run("schema", "workflow-v2", "--resolved").text == schemas.read("workflow-v2")
    assert json.loads(schemas.read("workflow-v2"))["$id"] != EDITOR.schema["$id"]
    for name in schemas.NAMES:
        printed = run("schema", name).json
        assert printed["markdownDescription"] == printed["description"]
    result = run("schema", "workflow-v3")
    assert result.code == 2
    assert "'workflow-v3' is not one of" in result.error


@pytest.mark.parametrize("name", schemas.NAMES)
def test_a_printed_schema_refers_to_nothing_outside(name: str) -> None:
    printed = run("schema", name).json
    found: list[Any] = [printed]
    while found:
        part = found.pop()
        if isinstance(part, dict):
            if isinstance(reference := part.get("$ref"), str):
                assert reference.removeprefix("#/$defs/") in printed["$defs"]
            found.extend(part.values())
        elif isinstance(part, list):
            found.extend(part)

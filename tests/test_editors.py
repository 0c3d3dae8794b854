"""What people see in an editor, asked of the language server that the editors use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import npm
import pytest
from language_server import Server, serve
from support import run

from migrate_spec import schemas

ROOT = Path(__file__).parent.parent
SCHEMA = ".fishhawk/workflow-v2.schema.json"
FILE = ".fishhawk/workflows.yaml"
MODELINE = "# yaml-language-server: $schema=workflow-v2.schema.json\n"


@pytest.fixture(scope="module")
def program() -> Path:
    return npm.installed("yaml-language-server@1.25.0") / "yaml-language-server"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".fishhawk").mkdir()
    (tmp_path / SCHEMA).write_bytes(run("schema", "workflow-v2").out)
    return tmp_path


@pytest.fixture
def server(program: Path, repository: Path) -> Iterator[Server]:
    with serve(program, repository, settings()) as started:
        yield started


def settings(**more: Any) -> dict[str, Any]:
    return {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}, **more}


def place(text: str, mark: str) -> tuple[int, int]:
    """Return the line and character, both from 0, at which `mark` begins in `text`."""
    before = text[: text.index(mark)]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


def described(definition: str, key: str) -> str:
    return str(schemas.load("workflow-v2")["$defs"][definition]["properties"][key]["description"])


FAULTY = f"""{MODELINE}
version: "2"
workflows:
  first:
    stages:
      - id: outline
        type: plan
      - id: build
        type: implementation
        executor:
          agent: claude-code
          timeot: 30m
        constraints: {{}}
  second:
    extends: first
    stages:
      - id: outline
        constrants: {{}}
  third: {{}}
"""
PROBLEMS = {
    ("- id: outline\n        type: plan", 2): 'Missing property "executor".',
    ("implementation", 0): "Value is not accepted.",
    ("timeot", 0): "Property timeot is not allowed.",
    ("{}\n  second", 0): "Object has fewer properties than the required number of 1",
    ("constrants", 0): "Property constrants is not allowed.",
    ("third", 0): 'Missing property "stages".',
}


def test_faults_are_marked_where_they_are(server: Server) -> None:
    problems = server.problems(FILE, FAULTY)
    found = {(p["range"]["start"]["line"], p["message"].partition(" Valid values")[0]) for p in problems}
    assert found == {(place(FAULTY, mark)[0], message) for (mark, _shift), message in PROBLEMS.items()}
    starts = {(p["range"]["start"]["line"], p["range"]["start"]["character"]) for p in problems}
    for mark, shift in PROBLEMS:
        line, character = place(FAULTY, mark)
        assert (line, character + shift) in starts


@pytest.mark.parametrize("golden", sorted((ROOT / "golden/reference").iterdir()), ids=lambda path: path.name)
def test_what_is_inherited_is_not_missed(server: Server, golden: Path) -> None:
    text = MODELINE + (golden / "workflows.yaml").read_text(encoding="utf-8")
    assert server.problems(FILE, text) == []


def test_keys_are_explained(server: Server) -> None:
    text = MODELINE + (ROOT / "golden/reference/shared-stages/workflows.yaml").read_text(encoding="utf-8")
    uri = server.open(FILE, text)
    for mark, definition, key in [
        ("auto_advance", "workflow", "auto_advance"),
        ("extends", "workflow", "extends"),
        ('forbidden_paths:\n            - "mig', "constraint", "forbidden_paths"),
        ('forbidden_paths:\n            - ".fish', "constraint", "forbidden_paths"),
        ("not: [author", "approvals", "not"),
    ]:
        line, character = place(text, mark)
        shown = server.at("hover", uri, line, character + 1)["contents"]["value"]
        title = schemas.load("workflow-v2")["$defs"][definition]["properties"][key]["title"]
        assert shown.startswith(f"#### {title}\n\n{described(definition, key)}\n")
    line, character = place(text, "timeout: 40m")
    shown = server.at("hover", uri, line, character + 1)["contents"]["value"]
    assert shown.startswith("#### Time limit\n")


def test_keys_and_values_are_completed(server: Server) -> None:
    text = f'{MODELINE}version: "2"\nworkflows:\n  first:\n    stages:\n      - id: outline\n        \n'
    uri = server.open(FILE, text)
    items = server.at("completion", uri, 6, 8)["items"]
    texts = {item["label"]: item.get("documentation") for item in items}
    for key in schemas.load("workflow-v2")["$defs"]["stage"]["properties"].keys() - {"id"}:
        shown = texts[key]
        assert (shown["value"] if isinstance(shown, dict) else shown) == described("stage", key)
    text = f'{MODELINE}version: "2"\nworkflows:\n  first:\n    autonomy: \n'
    uri = server.open(".fishhawk/other.yaml", text)
    items = server.at("completion", uri, 4, 14)["items"]
    assert [item["label"] for item in items] == ["low", "medium", "high"]


def documented(block: str) -> Any:
    """Return the settings that the page on editors shows."""
    text = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    found = re.search(r"^ {7}\{\n(?:^ {7}.*\n)+", text, re.M)
    assert found is not None
    return json.loads(found[0])[block]


def test_the_documented_settings_and_first_line_work(program: Path, repository: Path) -> None:
    text = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    assert f"    {MODELINE}" in text
    assert f"fishhawk schema workflow-v2 > {SCHEMA}\n" in text
    schemas_setting = documented("yaml.schemas")
    assert schemas_setting == {SCHEMA: FILE}
    with serve(program, repository, settings(schemas=schemas_setting)) as started:
        uri = started.open(FILE, 'version: "2"\nworkflows: {}\n')
        assert "#### Grammar version" in started.at("hover", uri, 0, 1)["contents"]["value"]

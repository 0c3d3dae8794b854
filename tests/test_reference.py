from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support import run

from migrate_spec import pages, reference, schemas
from migrate_spec.reference import PRIMITIVES, Delta

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs/reference").glob("*.md"))


def call_of(page: Path) -> list[str]:
    """Return the arguments that print the table of a page, as its own markers name them."""
    found = re.findall(r"<!-- begin: fishhawk (.+) -->", page.read_text(encoding="utf-8"))
    assert len(found) == 1
    return str(found[0]).split()


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)


def test_there_is_a_page_for_each_table() -> None:
    names = [f"reference {name}" for name in (*schemas.NAMES, "primitives")]
    steps = [f"reference --delta {old} workflow-v2" for old in ("workflow-v0", "workflow-v1")]
    assert sorted(" ".join(call_of(page)) for page in PAGES) == sorted(names + steps)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages_hold_what_the_schemas_say(page: Path) -> None:
    result = run(*call_of(page), "--check", page)
    assert (result.code, result.text, result.error) == (0, f"{page}: up to date\n", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _hash, fragment = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.is_file(), target
        if fragment:
            assert fragment in [pages.anchor(heading) for heading in headings(other)], target


@pytest.mark.parametrize("name", schemas.NAMES)
def test_field_rows_are_those_of_the_facts(name: str, shared: Path) -> None:
    answer = run("reference", name, "--format", "json").json
    assert answer["schema"] == "fishhawk.reference/1"
    columns = ("section", "field", "type", "required", "constraints")
    rows = [tuple(row[column] for column in columns) for row in answer["fields"]]
    assert rows == table(shared / f"facts/reference-tables/{name}.tsv")
    assert all(row["description"] for row in answer["fields"] + answer["inline"])


@pytest.mark.parametrize("old", ["workflow-v0", "workflow-v1"])
def test_delta_rows_are_those_of_the_facts(old: str, shared: Path) -> None:
    answer = run("reference", "--delta", old, "workflow-v2", "--format", "json").json
    rows = [(row["field"], row["change"], row["detail"]) for row in answer["deltas"]]
    assert rows == table(shared / f"facts/reference-tables/deltas-{old[-2:]}-v2.tsv")


def table(path: Path) -> list[tuple[str, ...]]:
    with path.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [tuple(row) for row in rows[1:]]


def test_inline_objects_and_branches_are_told_apart_from_definitions() -> None:
    answer = run("reference", "workflow-v2", "--format", "json").json
    inline = {(row["section"], row["field"]): row for row in answer["inline"]}
    assert inline["executor[agent]", "agent"]["required"] == "required"
    assert inline["executor[agent].verify", "max_iterations"]["constraints"] == "min: 0; default: 0"
    assert inline["executor[delegate].delegate", "-"]["type"] == "Type: object."
    assert inline["(root).defaults", "reviewers"]["type"] == "reviewers_config"
    assert not {section for section, _field in inline} & set(schemas.load("workflow-v2")["$defs"])
    old = run("reference", "workflow-v1", "--format", "json").json
    assert ("reviewers_config.agents[]", "provider") in {(r["section"], r["field"]) for r in old["inline"]}


def test_a_cell_is_one_cell() -> None:
    lines = run("reference", "workflow-v2").text.splitlines()
    policy = next(line for line in lines if line.startswith("| `max_stage_runtime`"))
    assert r"`pattern: ^([0-9]+(ns\|us\|ms\|s\|m\|h))+$`" in policy
    for line in lines:
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 6


def test_unions_list_their_branches() -> None:
    text = run("reference", "workflow-v0").text
    assert "Type: object. One of: [agent](#executoragent), [human](#executorhuman)." in text
    assert "Type: string. `pattern: ^@[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)?$`" in text


def test_other_changes_of_shape_are_told_as_well() -> None:
    def schema(part: dict[str, Any], required: list[str]) -> dict[str, Any]:
        return {"properties": {"a/b": part}, "required": required, "$defs": {}}

    old = schema({"type": "string", "enum": ["x", "y"]}, [])
    new = schema({"type": "string", "enum": ["y", "x"], "default": "x"}, ["a/b"])
    with mock.patch.object(schemas, "load", {"old": old, "new": new}.__getitem__):
        assert reference.deltas("old", "old") == []
        found = reference.deltas("old", "new")
    detail = "need “optional”→“required”; default “”→“x”"
    assert found == [Delta("/properties/a~1b", "changed", detail)]


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: str(primitive.name))
def test_primitives_are_defined_and_shown(primitive: reference.Primitive) -> None:
    assert primitive.definition in schemas.load("workflow-v2")["$defs"]
    golden = ROOT / primitive.golden / "workflows.yaml"
    assert re.search(rf"^ *{primitive.key}:", golden.read_text(encoding="utf-8"), re.M)
    assert run("validate", golden).code == 0


def test_primitives_as_data() -> None:
    rows = run("reference", "primitives", "--format", "json").json["primitives"]
    assert [row["name"] for row in rows] == [
        "workflow",
        "stage",
        "gate",
        "constraint",
        "approver",
        "artifact",
    ]


# -- pages --------------------------------------------------------------------

BEGIN, END = pages.markers("fishhawk reference --delta workflow-v0 workflow-v1")
CALL = ("reference", "--delta", "workflow-v0", "workflow-v1")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_bytes(f"# Moving\n\nBefore – text.\n{BEGIN}\nold\n{END}\nAfter.".encode())
    return path


def test_write_fills_the_block_and_nothing_else(page: Path) -> None:
    page.chmod(0o640)
    result = run(*CALL, "--write", page)
    assert (result.code, result.text) == (0, f"{page}: written\n")
    text = page.read_bytes().decode()
    assert text.startswith(f"# Moving\n\nBefore – text.\n{BEGIN}\n\n| Field |")
    assert text.endswith(f" |\n\n{END}\nAfter.")
    assert run(*CALL).text in text
    assert page.stat().st_mode & 0o777 == 0o640
    before = page.stat().st_mtime_ns
    assert run(*CALL, "--write", page).text == f"{page}: up to date\n"
    assert page.stat().st_mtime_ns == before
    assert [path.name for path in page.parent.iterdir()] == ["page.md"]


def test_check_names_the_first_line_that_differs_and_the_remedy(page: Path) -> None:
    data = page.read_bytes()
    result = run(*CALL, "--check", page)
    command = f"fishhawk {' '.join(CALL)}"
    assert result.code == 1
    assert result.error == f"{page}:5: differs from the schemas; run {command} --write {page}\n"
    assert page.read_bytes() == data
    run(*CALL, "--write", page)
    page.write_bytes(page.read_bytes().replace(b"/$defs/stage/properties/egress", b"/$defs/stage/egress"))
    text = page.read_text(encoding="utf-8").splitlines()
    line = next(i for i, each in enumerate(text, 1) if "/$defs/stage/egress" in each)
    assert f"{page}:{line}: " in run(*CALL, "--check", page).error


def test_line_ends_of_the_page_are_kept(page: Path) -> None:
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    assert run(*CALL, "--write", page).code == 0
    assert not re.search(rb"(?<!\r)\n", page.read_bytes())
    assert run(*CALL, "--check", page).code == 0


@pytest.mark.parametrize(
    "text",
    ["no markers\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"],
    ids=["none", "one", "turned", "two pairs"],
)
def test_a_page_without_a_place_for_the_table_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    for option in ("--write", "--check"):
        result = run(*CALL, option, path)
        assert result.code == 1
        assert result.error == f"{path}: needs one pair of marker lines: {BEGIN} and, below it, {END}\n"
    assert path.read_text(encoding="utf-8") == text


def test_a_page_that_cannot_be_read(tmp_path: Path) -> None:
    result = run(*CALL, "--check", tmp_path / "no.md")
    assert (result.code, result.error) == (2, f"fishhawk: {tmp_path / 'no.md'}: no such file\n")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9\n")
    result = run(*CALL, "--write", tmp_path / "latin.md")
    assert (result.code, result.error) == (
        1,
        f"{tmp_path / 'latin.md'}: not UTF-8 at byte 3; save the page as UTF-8\n",
    )
    result = run(*CALL, "--check", "-", stdin=b"nothing\n")
    assert result.code == 1
    assert result.error.startswith("<stdin>: needs one pair")
    result = run(*CALL, "--write", "-", stdin=f"{BEGIN}\n{END}\n".encode())
    assert (result.code, result.error) == (2, "fishhawk: <stdin>: only a regular file can be rewritten\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give a NAME or --delta OLD NEW, and not both"),
        (["workflow-v2", "--delta", "workflow-v0", "workflow-v1"], "and not both"),
        (["--delta", "workflow-v2", "workflow-v1"], "takes the older major first"),
        (["--delta", "workflow-v1", "workflow-v1"], "takes the older major first"),
        (["workflow-v3"], "'workflow-v3' is not one of"),
        (["workflow-v2", "--write", "a", "--check", "b"], "exclude each other"),
        (["workflow-v2", "--check", "b", "--format", "json"], "leave out --format json"),
    ],
)
def test_usage_errors(arguments: list[str], words: str) -> None:
    result = run("reference", *arguments)
    assert result.code == 2
    assert words in result.error


def test_the_tables_need_no_validator() -> None:
    code = "import sys; from migrate_spec.cli import main; main(['reference', 'workflow-v2']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"jsonschema", "deepdiff"} & set(loaded.split())

"""Help texts and the manual made of them: they fit a screen, and every example in them runs."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import documents
import pytest
from support import run

from docs import generate

HELPS = list(generate.helps())
MANUAL = generate.manual()
EXAMPLES = [(each.name, example) for each in HELPS for example in each.examples]

SPECIFICATION = b"# Watering, version 1.0.0\n"


@pytest.mark.parametrize("name", [each.name for each in HELPS])
def test_help_fits_a_screen(name: str) -> None:
    result = run(*name.split()[1:], "--help", env={"COLUMNS": "80"})
    lines = result.text.splitlines()
    assert (result.code, result.error) == (0, "")
    assert len(lines) <= 40
    assert [line for line in lines if len(line) > 80] == []
    assert run(*name.split()[1:], "-h", env={"COLUMNS": "80"}) == result


@pytest.mark.parametrize("each", HELPS, ids=lambda each: each.name)
def test_every_command_has_an_example_of_itself(each: generate.Help) -> None:
    assert each.examples
    for example in each.examples:
        assert example.startswith(each.name + " ")


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A repository in which every example makes sense."""
    place, examples = tmp_path / "place", documents.EXAMPLES
    for folder in (".fishhawk", "docs/plan"):
        (place / folder).mkdir(parents=True)
    shutil.copy(examples / "change.yaml", place / ".fishhawk" / "workflows.yaml")
    shutil.copy(examples / "plan.json", place / "plan.json")
    shutil.copytree(documents.ROOT / "docs" / "reference", place / "docs" / "reference")
    admitted = tmp_path / "ops" / "specs" / "admitted" / "watering"
    admitted.mkdir(parents=True)
    (admitted / "1.0.0.md").write_bytes(SPECIFICATION)
    text = (examples / "service-plan.md").read_text(encoding="utf-8")
    cited = next(line for line in text.splitlines() if line.startswith("spec_sha256"))
    digest = f"spec_sha256: {hashlib.sha256(SPECIFICATION).hexdigest()}"
    (place / "docs/plan/plan.md").write_text(text.replace(cited, digest), encoding="utf-8")
    return place


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[example for _name, example in EXAMPLES])
def test_an_example_runs(name: str, example: str, workplace: Path) -> None:
    if name == "fishhawk init":
        shutil.rmtree(workplace / ".fishhawk")
    # Where there is no Graphviz, the picture is written all the same, and looked at elsewhere.
    call = example if shutil.which("dot") else example.replace("dot -Tsvg", "cat")
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", call],
        cwd=workplace,
        env=documents.environment(workplace.parent),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    if "git apply" in example:
        assert run("validate", workplace / ".fishhawk" / "workflows.yaml").code == 0
        assert (workplace / ".fishhawk" / "workflows.yaml").read_bytes().count(b'version: "2"') == 1
    elif ">" in example:
        assert (workplace / example.split("> ")[1]).stat().st_size > 100
    elif name != "fishhawk init":
        assert done.stdout


# -- the manual --------------------------------------------------------------------


@pytest.mark.parametrize("name", MANUAL)
def test_the_manual_is_made_of_the_help(name: str, golden: Callable[[Path, bytes], None]) -> None:
    golden(documents.ROOT / "docs" / "man" / name, MANUAL[name].encode())


def test_the_manual_has_no_other_pages() -> None:
    assert sorted(path.name for path in (documents.ROOT / "docs" / "man").iterdir()) == sorted(MANUAL)


@pytest.mark.parametrize("each", HELPS, ids=lambda each: each.name)
def test_roff_shows_what_the_help_says(each: generate.Help) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not here")
    page = MANUAL[each.name.replace(" ", "-") + ".1"]
    command = ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=400n"]
    done = subprocess.run(command, input=page.encode(), capture_output=True, check=False)
    assert done.stderr == b""
    shown = even(done.stdout.decode())
    for text in (*each.paragraphs, *(word for option in each.options for word in option)):
        assert even(text) in shown
    assert f"{each.name} {each.usage}" in shown


def even(text: str) -> str:
    """Return `text` on one line, with the signs that a terminal shows for quotes and minus."""
    for typeset, plain in (
        ("\N{MINUS SIGN}", "-"),
        ("\N{HYPHEN}", "-"),
        ("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    ):
        text = text.replace(typeset, plain)
    return " ".join(text.split())

"""The documentation as a whole: links lead somewhere, what is named exists, the site builds without the network."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import documents
import pytest
from support import run
from test_graph import expected, texts

from docs import generate
from migrate_spec import rules, validation
from migrate_spec.rules import docs, spec
from transforms.document import parse

ROOT = documents.ROOT
PAGES = documents.pages()
MAINTAINING = (ROOT / "docs" / "maintaining.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^( *)```.*?^\1```$", re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links, as code hosts do it."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return (link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_leads_to_every_page() -> None:
    first = {(ROOT / link.partition("#")[0]).resolve() for link in links(ROOT / "README.md")}
    second = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in first
        if page.suffix == ".md"
        for link in links(page)
    }
    assert {page for page in PAGES if page.name not in ("README.md", "index.md")} <= first | second


def test_no_page_says_what_is_not_for_it() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/(work|root|home|tmp)/", text), page
        assert "Traceback" not in text, page


# -- the picture of a release ---------------------------------------------------------


def test_the_picture_on_the_first_page_is_that_of_its_file() -> None:
    picture = (ROOT / "docs" / "release.svg").read_text(encoding="utf-8")
    assert texts(picture) == expected(documents.EXAMPLES / "release.yaml")


# -- the page for maintainers ---------------------------------------------------------


def test_what_the_page_for_maintainers_names_exists() -> None:
    named = re.findall(r"`([\w./-]+(?:\.(?:py|md|json|yaml)|/))`", MAINTAINING)
    assert len(named) > 25
    for path in named:
        if path not in ("source.yaml", "output.yaml"):
            assert (ROOT / path).exists(), path


def test_the_picture_of_the_architecture_names_what_exists() -> None:
    picture = ET.parse(ROOT / "docs" / "architecture.svg")
    named = [
        name
        for node in picture.iter("{http://www.w3.org/2000/svg}text")
        if node.get("class") == "file"
        for name in (node.text or "").split(", ")
    ]
    assert len(named) > 25
    for name in named:
        assert any((ROOT / package / name).exists() for package in ("migrate_spec", "transforms")), name


def test_the_rule_that_the_page_adds_works(monkeypatch: pytest.MonkeyPatch) -> None:
    fence = re.search(r"^( *)```python\n(.*?)^\1```$", MAINTAINING, re.M | re.S)
    assert fence is not None
    code = textwrap.dedent(fence[2])
    scope = {"Stage": spec.Stage, "Flaw": spec.Flaw, "Iterator": Iterator}
    exec(compile(ast.parse(code), "maintaining.md", "exec"), scope)
    check = scope["review_by_agent"]
    page = docs.page("review-by-agent", (2,), "error", str(check.__doc__))
    theme = rules.Theme(spec.stages, rules._full("review-by-agent", rules.V2, check))
    monkeypatch.setattr(rules, "THEMES", (*rules.THEMES, theme))
    rules._active.cache_clear()
    try:
        assert validation.check(parse(page.passes.encode())).findings == []
        found = validation.check(parse(page.fails.encode())).findings
    finally:
        rules._active.cache_clear()
    message = 'stage "look" of workflow "feature" is left to an agent'
    assert [(each.rule, each.message) for each in found] == [("review-by-agent", message)]


# -- the site -----------------------------------------------------------------------


def test_there_is_a_page_for_every_rule() -> None:
    pages = generate.rule_pages()
    listed = [line.split()[0] for line in run("rules").text.splitlines()]
    assert list(pages) == ["index.md", *(f"{name}.md" for name in listed)]
    for name in listed:
        assert f"[{name}]({name}.md)" in pages["index.md"]
        assert "Passes:\n\n```yaml" in pages[f"{name}.md"]


def test_the_site_builds_without_warnings_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    folders = ["-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run([*command, *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    built = list((tmp_path / "site").rglob("*.html"))
    assert len(built) > 80
    for page in built:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(script|img|iframe)[^>]* src=\"https?:|<link[^>]* href=\"https?:", text), page

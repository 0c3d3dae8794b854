"""The documentation: every example in it is run and says what the page shows."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path

import documents
import pytest

import migrate_spec
from migrate_spec import plans

API = documents.ROOT / "docs" / "api.md"
GUIDE = documents.ROOT / "docs" / "migrating.md"


@pytest.mark.parametrize("page", documents.pages(), ids=lambda page: page.name)
def test_every_example_says_what_the_page_shows(
    page: Path, tmp_path: Path, golden: Callable[[Path, bytes], None]
) -> None:
    golden(page, documents.rendered(page, tmp_path).encode())


# -- the guide for a legacy file ----------------------------------------------

CODES = [
    "R0_source_invalid",
    "R1_all_of_multi_member_role",
    "R2_undefined_role",
    "R3_team_member_ref",
    "R4_reviewers_agent_count",
    "R5_duplicate_constraint_kind",
    "R6_unknown_page_event",
    "R7_output_invalid",
    "R8_unknown_delegation_knob",
    "R9_source_version_major_0",
]
FIRST_REFUSED_AS = {"R6_unknown_page_event": CODES[0], "R8_unknown_delegation_knob": CODES[0]}


def test_the_guide_has_every_refusal_before_and_after() -> None:
    _, *sections = re.split(r"^### (R\d_\w+)$", GUIDE.read_text(encoding="utf-8"), flags=re.M)
    assert sections[::2] == CODES
    for code, text in zip(sections[::2], sections[1::2], strict=True):
        before, after = text.index(f"[{FIRST_REFUSED_AS.get(code, code)}]"), text.index("would migrate")
        assert before < after, code
        assert "**" in text[:before], f"{code}: what to do stands before the example"


# -- the Python interface -------------------------------------------------------


def test_the_examples_of_the_interface_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(documents.ROOT)
    fences = re.findall(r"^```pycon\n(.*?)^```$", API.read_text(encoding="utf-8"), re.M | re.S)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest("\n".join(fences), {}, "api.md", str(API), 0)
    runner.run(test, out=said.append)
    assert len(test.examples) > 20
    assert "".join(said) == ""


def test_every_public_name_is_documented_and_there() -> None:
    text = API.read_text(encoding="utf-8")
    for module in (migrate_spec, plans):
        assert sorted(module.__all__) == module.__all__
        for name in module.__all__:
            assert getattr(module, name).__doc__, name
            assert re.search(rf"`(plans\.)?{name}\b", text), f"{name} is not in docs/api.md"
        with pytest.raises(AttributeError, match="nonsense"):
            module.nonsense  # noqa: B018


def test_the_interface_lists_its_names_only() -> None:
    assert dir(migrate_spec) == migrate_spec.__all__

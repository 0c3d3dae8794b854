"""The report tells an author's words as words, whatever they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import run

from migrate_spec.eligibility import code, plainly

FORGED = (
    'version: "2"\n'
    "workflows:\n"
    "  a:\n"
    "    stages:\n"
    "      - id: review\n"
    "        type: review\n"
    "        executor: {human: true}\n"
    "        gates:\n"
    "          - type: approval\n"
    '            approvals: {count: 1, members: ["x\\e[2K\\n  change: none, all fine", "`|`", "</b>"]}\n'
)


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("spec.yaml")
    path.write_text(FORGED)
    return path


def test_no_word_passes_for_a_line_of_the_report(spec: Path) -> None:
    text = run("migrate-spec", spec).text
    assert "\x1b" not in text
    assert [line for line in text.splitlines() if line.startswith("  change:")] == [
        "  change: none, carried through as it is"
    ]
    assert "  enumerable from this document: x\\u001b[2K\\n  change: none, all fine, `|`, </b>" in text


def test_no_word_leaves_its_cell(spec: Path) -> None:
    text = run("migrate-spec", "--format", "markdown", spec).text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    (row,) = rows
    assert row.replace("\\|", "").count("|") == 7
    assert "\\<" in row


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "`a`"), ("`a", "`` `a ``"), ("a``b", "```a``b```"), ("a\nb", "`a\\nb`")],
)
def test_code(text: str, shown: str) -> None:
    assert code(text) == shown


def test_prose() -> None:
    assert plainly("*a* [b](c) <d> snake_case") == r"\*a\* \[b\](c) \<d> snake_case"
    assert plainly("| \\ `e`\n") == r"\| \\ \`e\`\\n"

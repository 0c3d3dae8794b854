"""Edits: collected, done, shown as a diff."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transforms.edits import Edit, Hunk, Overlap, collect, hunks, splice, unified

TEXT = "".join(f"line {number}\n" for number in range(1, 21))


def edit(old: str, new: str, text: str = TEXT, why: str = "w") -> Edit:
    """Put `new` in the place of `old`, which stands in `text` once."""
    assert text.count(old) == 1
    return Edit(text.index(old), text.index(old) + len(old), new, why)


def test_edits_are_ordered_and_equal_ones_done_once() -> None:
    later, sooner, insertion = Edit(5, 7, "b", "x"), Edit(0, 2, "a", "y"), Edit(2, 2, "c", "z")
    assert collect([later, sooner, insertion, sooner]) == [sooner, insertion, later]
    assert collect([Edit(0, 2, "", "x"), Edit(2, 4, "", "y")]) == [Edit(0, 2, "", "x"), Edit(2, 4, "", "y")]
    assert collect([Edit(0, 2, "a", "x"), Edit(0, 2, "a", "y")]) == [Edit(0, 2, "a", "y")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Edit(0, 3, "a", "x"), Edit(2, 4, "b", "y")),
        (Edit(0, 3, "a", "x"), Edit(0, 3, "b", "y")),
        (Edit(2, 2, "a", "x"), Edit(2, 2, "b", "y")),
        (Edit(0, 4, "a", "x"), Edit(1, 1, "b", "y")),
        (Edit(0, 1, "a", "x"), Edit(0, 2, "b", "y")),
    ],
)
def test_two_edits_of_the_same_characters(first: Edit, second: Edit) -> None:
    with pytest.raises(Overlap) as caught:
        collect([second, first])
    assert (caught.value.first, caught.value.second) == (first, second)
    assert str(caught.value).startswith("two places that share this text")
    assert caught.value.at == second.start


def test_edits_are_done() -> None:
    assert splice("abcdef", [Edit(0, 1, "X", ""), Edit(2, 2, "Y", ""), Edit(4, 6, "", "")]) == "XbYcd"
    assert splice("abc", []) == "abc"


HUNKS = [
    ("a\nb\nc\n", [Edit(2, 3, "x", "")], [Hunk(1, ["b\n"], ["x\n"])]),
    ("a\nb\nc\n", [Edit(2, 4, "", "")], [Hunk(1, ["b\n"], [])]),
    ("a\nb\nc\n", [Edit(2, 2, "x\n", "")], [Hunk(1, [], ["x\n"])]),
    ("a\nb\nc\n", [Edit(0, 1, "x", ""), Edit(4, 5, "y", "")], [Hunk(0, ["a\n"], ["x\n"]), Hunk(2, ["c\n"], ["y\n"])]),
    ("a\nb\nc\n", [Edit(0, 1, "x", ""), Edit(2, 3, "y", "")], [Hunk(0, ["a\n", "b\n"], ["x\n", "y\n"])]),
    ("a\nb\nc\n", [Edit(1, 2, "", "")], [Hunk(0, ["a\n", "b\n"], ["ab\n"])]),
    ("a\nb\nc", [Edit(4, 5, "x", "")], [Hunk(2, ["c"], ["x"])]),
    ("a\nb\nc", [Edit(5, 5, "\n", "")], [Hunk(2, ["c"], ["c\n"])]),
    ("a\nb\n", [Edit(4, 4, "c\n", "")], [Hunk(2, [], ["c\n"])]),
    ("a\nb\nc\nd\n", [Edit(1, 7, "\nb\nx\nd", "")], [Hunk(2, ["c\n"], ["x\n"])]),
    ("a\nb\nc\n", [Edit(0, 5, "a\nb\nc", "")], []),
    ("a\r\nb\r\n", [Edit(3, 4, "x", "")], [Hunk(1, ["b\r\n"], ["x\r\n"])]),
    ("a\rb\u2028c\x0cd\n", [Edit(2, 3, "x", "")], [Hunk(0, ["a\rb\u2028c\x0cd\n"], ["a\rx\u2028c\x0cd\n"])]),
    ("", [Edit(0, 0, "a\n", "")], [Hunk(0, [], ["a\n"])]),
    ("a\nb\nc\n", [Edit(2, 4, "x", "")], [Hunk(1, ["b\n", "c\n"], ["xc\n"])]),
    ("a\nb\nc\n", [Edit(0, 2, "", ""), Edit(4, 5, "y", "")], [Hunk(0, ["a\n"], []), Hunk(2, ["c\n"], ["y\n"])]),
    ("a\na\nb\n", [Edit(0, 0, "a\n", "")], [Hunk(0, [], ["a\n"])]),
    ("a\nb\n", [Edit(0, 0, "x\n", ""), Edit(2, 3, "y", "")], [Hunk(0, [], ["x\n"]), Hunk(1, ["b\n"], ["y\n"])]),
    ("a\nb\nc\nd\n", [Edit(2, 7, "x\nc\nd", "")], [Hunk(1, ["b\n"], ["x\n"])]),
    ("a\n", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "edits", "expected"), HUNKS)
def test_the_lines_that_change(text: str, edits: list[Edit], expected: list[Hunk]) -> None:
    assert hunks(text, edits) == expected


def test_nothing_changed_is_no_diff() -> None:
    assert unified(TEXT, [], "a/x", "b/x") == ""
    assert unified(TEXT, [edit("line 5\n", "line 5\n")], "a/x", "b/x") == ""


def test_a_diff() -> None:
    edits = [
        edit("line 2\n", ""),
        edit("line 8\n", "line 8\nand more\n"),
        edit("line 17", "LINE 17"),
        edit("line 20\n", "line 20"),
    ]
    assert unified(TEXT, collect(edits), "a/x", "b/x") == (
        "--- a/x\n+++ b/x\n"
        "@@ -1,11 +1,11 @@\n line 1\n-line 2\n line 3\n line 4\n line 5\n line 6\n line 7\n line 8\n"
        "+and more\n line 9\n line 10\n line 11\n"
        "@@ -14,7 +14,7 @@\n line 14\n line 15\n line 16\n-line 17\n+LINE 17\n line 18\n line 19\n"
        "-line 20\n+line 20\n\\ No newline at end of file\n"
    )


def test_changes_far_apart_have_sections_of_their_own() -> None:
    near = [edit("line 3\n", ""), edit("line 10\n", "")]
    far = [edit("line 3\n", ""), edit("line 11\n", "")]
    assert [line for line in unified(TEXT, near, "o", "n").split("\n") if line[:2] == "@@"] == [
        "@@ -1,13 +1,11 @@"
    ]
    assert [line for line in unified(TEXT, far, "o", "n").split("\n") if line[:2] == "@@"] == [
        "@@ -1,6 +1,5 @@",
        "@@ -8,7 +7,6 @@",
    ]


def test_a_diff_of_a_text_of_one_line() -> None:
    assert unified("a", [Edit(0, 1, "b", "")], "o", "n") == (
        "--- o\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    )
    assert unified("a\n", [Edit(0, 2, "", "")], "o", "n") == "--- o\n+++ n\n@@ -1 +0,0 @@\n-a\n"
    assert unified("", [Edit(0, 0, "a\n", "")], "o", "n") == "--- o\n+++ n\n@@ -0,0 +1 @@\n+a\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(("text", "edits", "_expected"), [case for case in HUNKS if case[2]])
def test_git_applies_the_diff(text: str, edits: list[Edit], _expected: object, tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.write_bytes(text.encode())
    diff = unified(text, edits, "a/x", "b/x").encode()
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(command, input=diff, cwd=tmp_path, check=True)
    assert target.read_bytes() == splice(text, edits).encode()

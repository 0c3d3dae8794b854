"""Questions about the layout of a text."""

from __future__ import annotations

import pytest
from trees import layout, sequence, tree

from transforms.comments import Comment, break_in_comment, comments
from transforms.document import parse
from transforms.layout import Layout

TEXT = "a: 1   # one\r\n# two\r\n\r\n  \r\nb:\r\n  # three\r\n  - x\r\n  -   # four\r\n    y\r\nc: {d: [e ,f], g: h}"


def shown(found: Layout, comment: Comment | None) -> str | None:
    return None if comment is None else found.text[comment.start : comment.end]


def test_lines() -> None:
    found = layout(TEXT)
    assert [found.line(offset) for offset in (0, 13, 14, 21, len(TEXT))] == [0, 0, 1, 2, 9]
    assert [found.begin(line) for line in (0, 1, 2, 9, 10, 11)] == [0, 14, 21, 70, 90, 90]
    assert [found.end(line) for line in (0, 1, 2, 3, 9, 10)] == [12, 19, 21, 25, 90, 90]
    assert [found.column(offset) for offset in (0, 5, 14, 33)] == [0, 5, 0, 2]
    assert [found.is_blank(line) for line in range(10)] == [line in (2, 3) for line in range(10)]
    assert [found.indentation(line) for line in (0, 3, 5, 8)] == [0, 2, 2, 4]
    assert found.same_line(0, 13)
    assert not found.same_line(13, 14)


def test_line_breaks() -> None:
    assert [layout(TEXT).newline(offset) for offset in (0, 85)] == ["\r\n", "\r\n"]
    assert layout("a: 1").newline(0) == "\n"
    assert layout("a: 1\rb: 2\n").newline(0) == "\r"
    assert layout("a: 1\n\nb: 2").newline(6) == "\n"


def test_comments_on_lines() -> None:
    found = layout(TEXT)
    assert [shown(found, found.comment(line)) for line in range(10)] == [
        "# one", "# two", None, None, None, "# three", None, "# four", None, None
    ]  # fmt: skip
    assert [shown(found, each) for each in found.own_lines(0, len(TEXT))] == ["# two", "# three"]
    assert found.own_lines(0, 14) == []
    assert layout("a: 1\n# below\n").comment(0) is None
    assert [shown(found, each) for each in found.own_lines(14, 15)] == ["# two"]


def test_marks_between_values() -> None:
    found = layout(TEXT)
    root = tree(TEXT)
    assert TEXT[found.colon(root.entries["a"].key) :][:4] == ": 1 "
    assert found.skip(4) == TEXT.index("b:")
    assert [TEXT[at:][:3] for at in found.dashes(sequence(root.get("b")))] == ["- x", "-  "]
    behind_e = TEXT.index("e") + 1
    assert TEXT.index("e ,f") == TEXT.index("[e") + 1
    at = found.comma(TEXT.index("[e") + 2)
    assert at == TEXT.index(",f")
    assert found.comma(behind_e) is None


def test_block_scalars_once_each() -> None:
    found = layout("a: &a |\n  x\nb: *a\nc: >-\n  y\nd: z\n")
    assert [node.text for node in found.block_scalars()] == ["x\n", "y"]


def test_where_a_node_is_written() -> None:
    text = "a: &a [1]\nb: *a\n"
    root = tree(text)
    found = layout(text)
    use = sequence(root.get("b"))
    written = sequence(found.definition(use))
    assert (written.pointer, written.alias) == ("/a", None)
    assert found.definition(written).pointer == "/a"
    nowhere = use.like([])
    nowhere.outer = 99
    assert found.definition(nowhere) is nowhere


COMMENTS = [
    ("a: b # c", ["# c"]),
    ("# a\nb: c", ["# a"]),
    ("a: b# c", []),
    ("a: 'b # c'", []),
    ('a: "b # c" # d', ["# d"]),
    ("a: b\n#c", ["#c"]),
    ("a: |  # head\n  # text\n# end", ["# head", "# end"]),
    ("a: >\n  # text\n", []),
    ("a: > # head\n  # text\n", ["# head"]),
    ("a: |2-\n  # text\n", []),
    ("a: !!str # z\n  b\n", ["# z"]),
    ("a: &x # z\n  b: c # d\n", ["# z", "# d"]),
    ("a: &x [b, # c\n  *x] # d", ["# c", "# d"]),
    ("a: &y 'b # c'\nd: *y # e\n", ["# e"]),
    ("a: {b: c} #d#e", ["#d#e"]),
    ("--- # a\na: 1\n... # b\n", ["# a", "# b"]),
    ("a: 1 #\n", ["#"]),
    ("a: 1 #\t\u3000 x \r\nb: 2", ["#\t\u3000 x "]),
    ("? a # b\n: c # d\n", ["# b", "# d"]),
]


@pytest.mark.parametrize(("text", "expected"), COMMENTS)
def test_comments(text: str, expected: list[str]) -> None:
    found = comments(text, layout(text.replace("*x", "xx")).root)
    assert [text[start:end] for start, end in found] == expected


@pytest.mark.parametrize("text", ["a: &x#y b", "a: !x#y b", "a: !<x#y> b", "z: &x b\na: *x#y"])
def test_no_hash_stands_in_an_anchor_a_tag_or_an_alias(text: str) -> None:
    (fault,) = parse(text.encode()).faults
    assert fault.message.startswith("not YAML: ")


def test_a_separator_in_a_comment() -> None:
    root = tree("a: 'b c' # d")
    assert break_in_comment("a: 'b c' # d", root) is None
    for char in "\x85\u2028\u2029":
        assert break_in_comment(f"a: 'b{char}c' # d", root) is None
        assert break_in_comment(f"a: 'b c' #{char}d", root) == 10
    root = tree("# d\na: 'b c'")
    assert break_in_comment("# d\na: 'b\u2028c'", root) is None

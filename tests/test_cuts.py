"""Taking data out of a text: what goes, what stays, and what is closed around it."""

from __future__ import annotations

import pytest
from trees import dedented, layout, mapping, sequence, tree

from transforms.cuts import close_gaps, cut, cut_items, cut_pairs, key_start
from transforms.edits import Edit, collect, splice


def without_pairs(text: str, *names: str, at: str = "") -> str:
    found = layout(text)
    holder = mapping(found.root)
    node = mapping(holder.get(at)) if at else holder
    return splice(text, collect(close_gaps(found, cut_pairs(found, node, names, "w"))))


def without_items(text: str, *indexes: int) -> str:
    found = layout(text)
    node = sequence(mapping(found.root).get("a"))
    return splice(text, collect(close_gaps(found, cut_items(found, node, indexes, "w"))))


PAIRS = [
    ("a: 1\nb: 2\nc: 3\n", "b", "a: 1\nc: 3\n"),
    ("a: 1\nb: 2 # two\nc: 3\n", "b", "a: 1\n# two\nc: 3\n"),
    ("a: 1\nb:\n  # why\n  - 2\n\n  - 3 # three\n\n\nc: 3\n", "b", "a: 1\n  # why\n\n  # three\n\n\nc: 3\n"),
    ("a: 1\nb: 2", "b", "a: 1"),
    ("a: 1\n\nb: 2\n", "b", "a: 1\n"),
    ("a: 1\nb: 2\n\n", "b", "a: 1\n"),
    ("a: 1\nb:\n  - 2\nc: 3\n\nd: 4\n\ne: 5\n", "bd", "a: 1\nc: 3\n\ne: 5\n"),
    ("\nb: 2\n\na: 1\n", "b", "a: 1\n"),
    ("a: 1\n\nb: 2\n\n\nc: 3\n", "b", "a: 1\n\n\nc: 3\n"),
    ("a: 1\n\n\nb: 2\n\nc: 3\n", "b", "a: 1\n\n\nc: 3\n"),
    ("a: 1\n\nb: 2\n\nc: 3\n\nd: 4\n", "bc", "a: 1\n\nd: 4\n"),
    ("a: 1\n\nb: 2\nc: 3\n", "b", "a: 1\n\nc: 3\n"),
    ("? b\n: 2\na: 1\n", "b", "a: 1\n"),
    ("a: 1\n? b # two\n:\n  - 2\n", "b", "a: 1\n# two\n"),
    ("a: 1\nb: &x\n  c: 2\nd: 3\n", "b", "a: 1\nd: 3\n"),
    ("a: 1\nb:\nc: 3\n", "b", "a: 1\nc: 3\n"),
    ("a: &x {b: 1}\n<<: *x\nc: 3\n", "b", "a: &x {b: 1}\n<<: *x\nc: 3\n"),
    ("{a: 1, b: 2, c: 3}", "b", "{a: 1, c: 3}"),
    ("{a: 1, b: 2, c: 3}", "a", "{b: 2, c: 3}"),
    ("{a: 1, b: 2, c: 3}", "c", "{a: 1, b: 2}"),
    ("{a: 1, b: 2, c: 3}", "bc", "{a: 1}"),
    ("{a: 1, b: 2, c: 3}", "abc", "{}"),
    ("{a: 1, b: 2, c: 3, }", "c", "{a: 1, b: 2,  }"),
    ("{a: 1, b: 2, c: 3, d: 4}", "ac", "{b: 2, d: 4}"),
    ("{a: 1,\n b: 2,\n c: 3}", "b", "{a: 1,\n c: 3}"),
    ("{a: 1,\n b: 2,\n c: 3}", "c", "{a: 1,\n b: 2\n }"),
    ("{a: 1,\n b: 2,\n c: 3\n}", "c", "{a: 1,\n b: 2\n}"),
    ("{\n a: 1, # one\n b: 2, # two\n c: 3 # three\n}", "b", "{\n a: 1, # one\n # two\n c: 3 # three\n}"),
    ("{\n a: 1, # one\n b: 2, # two\n c: 3 # three\n}", "c", "{\n a: 1, # one\n b: 2 # two\n # three\n}"),
    ("{a: 1,\n\n b: 2,\n\n c: 3}", "b", "{a: 1,\n\n c: 3}"),
    ("{a: 1 , b, c: 3}", "b", "{a: 1 , c: 3}"),
    ("{a: 1, b: {\n c: 2}}", "a", "{b: {\n c: 2}}"),
    ("{? b : 2, ? a : 1}", "b", "{? a : 1}"),
    ("{? a : 1, ? b : 2, }", "b", "{? a : 1,  }"),
    ("b: 2\n\na: 1\n", "b", "a: 1\n"),
    ("a: 1\nb:\n# why\n  c: 2\n", "b", "a: 1\n# why\n"),
    ("b: 2", "b", ""),
]


@pytest.mark.parametrize(("text", "names", "expected"), PAIRS)
def test_pairs_go(text: str, names: str, expected: str) -> None:
    assert without_pairs(text, *names) == expected


ITEMS = [
    ("a:\n  - 1\n  - 2\n  - 3\n", (1,), "a:\n  - 1\n  - 3\n"),
    ("a:\n- 1\n-\n  2\n- 3\n", (1, 2), "a:\n- 1\n"),
    ("a:\n  - - 1\n  - b: 2 # two\n    c: 3\n", (1,), "a:\n  - - 1\n  # two\n"),
    ("a: [1, 2, 3]", (0, 1), "a: [3]"),
    ("a: [1]", (0,), "a: []"),
    ("a: [1 # one\n ]", (0,), "a: [ # one\n ]"),
    ("a: [1,\n  2]", (1,), "a: [1\n  ]"),
    ("a: [1,\n  2\n]", (1,), "a: [1\n]"),
    ("a: [1, 2]", (), "a: [1, 2]"),
]


@pytest.mark.parametrize(("text", "indexes", "expected"), ITEMS)
def test_items_go(text: str, indexes: tuple[int, ...], expected: str) -> None:
    assert without_items(text, *indexes) == expected


BLOCK_SCALARS = [
    # What comes to stand right below a block scalar must not become its text.
    ("a: |\n  x\nb:\n    # why\n    c: 1\n", "b", "a: |\n  x\n# why\n"),
    ("a: |\n  x\nb:\n  c: 1 # one\n", "b", "a: |\n  x\n# one\n"),
    ("a: |\n  x\nb: 1 # one\n  # two\nc: 3\n", "b", "a: |\n  x\n# one\n  # two\nc: 3\n"),
    ("a: |\n  x\n# zero\nb:\n  # one\n  c: 1\n", "b", "a: |\n  x\n# zero\n  # one\n"),
    ("a: |\n  x\nb:\n\n  # one\n  c: 1\nd: 2\n", "b", "a: |\n  x\n\n# one\nd: 2\n"),
    ("a: |+\n  x\n\n\nb: 1\n\nc: 2\n", "b", "a: |+\n  x\n\n\nc: 2\n"),
    ("a: |+\n  x\nb: 1\n\nc: 2\n", "b", "a: |+\n  x\nc: 2\n"),
    ("a: |\n  x\n\nb: 1\n\n\nc: 2\n", "b", "a: |\n  x\n\n\nc: 2\n"),
    ("a: |\n  x\n  # text\nb: 1\n", "b", "a: |\n  x\n  # text\n"),
    ("a: |\n  x\nb: 1\n# one\n", "b", "a: |\n  x\n# one\n"),
    ("l:\n- a: |\n    x\n  # one\n  c: 2\nb: 1\n", "b", "l:\n- a: |\n    x\n  # one\n  c: 2\n"),
    ("a: |+\n  x\n\nb: 1\n", "b", "a: |+\n  x\n\n"),
    ("a: 1\nb: |\n  x\n  # text\nc: 2\n", "b", "a: 1\nc: 2\n"),
    # The last break of the text is text too, unless it is stripped, even in a file that ends without one.
    ("a: |\n  x\nb: 1", "b", "a: |\n  x\n"),
    ("a: >2\n  x\n\nb: 1", "b", "a: >2\n  x\n"),
    ("a: |+\n  x\n\nb: 1", "b", "a: |+\n  x\n\n"),
    ("a: |-\n  x\nb: 1", "b", "a: |-\n  x"),
    ("a: |\n  x\n# c\nb: 1", "b", "a: |\n  x\n# c"),
    ("a: |\n +x\n\nb: 1\n\n\nc: 2\n", "b", "a: |\n +x\n\n\nc: 2\n"),
]


@pytest.mark.parametrize(("text", "names", "expected"), BLOCK_SCALARS)
def test_pairs_go_below_block_scalars(text: str, names: str, expected: str) -> None:
    before, after = tree(text), tree(without_pairs(text, *names))
    assert without_pairs(text, *names) == expected
    if "a" not in names:
        assert after.text("a") == before.text("a")


def test_a_nested_block_scalar_pushes_comments_to_its_own_column() -> None:
    text = dedented(
        """
        top:
          a: |
            x
          b:
            # why
            c: 1
        """
    )
    assert without_pairs(text, "b", at="top") == "top:\n  a: |\n    x\n  # why\n"


def test_a_cut_inside_a_line() -> None:
    text = "a: {b: 1}   # c\n"
    found = layout(text)
    assert splice(text, list(cut(found, 3, 9, "w"))) == "a:    # c\n"
    assert [each.why for each in cut(found, 3, 9, "why")] == ["why"]
    assert list(cut(found, 9, 12, "w")) == []


def test_nothing_cut_leaves_nothing_to_close() -> None:
    assert close_gaps(layout("\n\na: 1\n"), []) == []


@pytest.mark.parametrize("text", ["a: |\n  x\nb:\n# why\n  c: 1\n", "b: 1"])
def test_no_more_is_asked_for_than_the_cut_needs(text: str) -> None:
    found = layout(text)
    cuts = list(cut_pairs(found, mapping(found.root), "b", "w"))
    assert close_gaps(found, cuts) == cuts


def test_each_edit_around_a_cut_names_its_rule() -> None:
    text = "a: |\n  x\nb: 1\n  # one\nc: 2\n\nd: 3\n\n\ne: 4\nf: 5"
    found = layout(text)
    asked = collect(close_gaps(found, cut_pairs(found, mapping(found.root), "bdf", "w")))
    assert [(text[edit.start : edit.end], edit.new, edit.why) for edit in asked] == [
        ("b: 1\n", "", "w"),
        ("  ", "", "M8"),
        ("\n", "", "M9"),
        ("d: 3\n", "", "w"),
        ("\n", "", "M12"),
        ("f: 5", "", "w"),
    ]


def test_a_line_that_is_only_changed_keeps_its_indentation_below_a_block_scalar() -> None:
    text = "l:\n- a: |\n    x\n  b: 1 # one\nc: 2\n"
    found = layout(text)
    renamed = Edit(text.index("b"), text.index("b") + 1, "bee", "w")
    edits = close_gaps(found, [renamed, *cut_pairs(found, mapping(found.root), "c", "w")])
    assert splice(text, collect(edits)) == "l:\n- a: |\n    x\n  bee: 1 # one\n"


def test_where_an_explicit_key_begins() -> None:
    text = "a: 1\n?   b\n: 2\n? c\n"
    found = layout(text)
    assert [key_start(found, text.index(name)) for name in "abc"] == [0, 5, 15]
    assert key_start(layout('{"?": 1}'), 1) == 1

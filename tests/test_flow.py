"""Values written out on one line, where an alias stood."""

from __future__ import annotations

import pytest
from trees import layout, mapping, scalar, spans, tree

from transforms import flow
from transforms.edits import Edit, collect, splice
from transforms.flow import Stuck, written_out
from transforms.nodes import lookup
from transforms.proposals import Proposal
from transforms.sharing import settle

WRITTEN = [
    ("a: word", "word"),
    ("a: 'it''s'", "'it''s'"),
    ('a: "x\\ty"', '"x\\ty"'),
    ("a: &x word", "word"),
    ("a: 017", "017"),
    ("a: ~", "~"),
    ("a:", "null"),
    ("a: ''", "''"),
    ("a: on", '"on"'),
    ("a: a b", "a b"),
    ("a: b?", '"b?"'),
    ("a: one\n  two", "one two"),
    ("a: 'one\n  two'", "one two"),
    ("a: >-\n  one\n  two\n\n  three", '"one two\\nthree"'),
    ("a: |\n  text\n", '"text\\n"'),
    ("a: [b, {c: d}]", "[b, {c: d}]"),
    ("a: [b, # c\n  d]", "[b, d]"),
    ("a:\n  b: c\n  d:\n    - e\n    - f: g\n", "{b: c, d: [e, {f: g}]}"),
    ("a:\n  'b': |-\n    c\n", "{'b': c}"),
    ("a: [&x b, *x]", "[b, b]"),
    ("z: &z {y: 1}\na: {x: 2, <<: *z}", '{x: 2, "y": 1}'),
    ("a: [b: c]", "[b: c]"),
    ("a: [b: c, d\n  ]", "[{b: c}, d]"),
    ('a: "\\x41"', '"\\x41"'),
    ("a: [b,\r  c]", "[b, c]"),
    ("a: [&x b]", "[b]"),
    ("a: !!str 1", '"1"'),
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_values_on_one_line(text: str, expected: str) -> None:
    node = tree(text).get("a")
    assert node is not None
    assert written_out(text, node) == expected


def test_a_pair_in_a_flow_list_gets_braces() -> None:
    text = "a: [X: c]"
    assert written_out(text, tree(text).items("a")[0]) == "{X: c}"


def test_edits_inside_are_done() -> None:
    text = "a: {b: [c, 'd']}\n"
    node = mapping(tree(text).get("a"))
    edits = [Edit(8, 9, "x", ""), Edit(12, 13, "yy", "")]
    assert written_out(text, node, edits) == "{b: [x, 'yy']}"
    text = "a:\n  b: c\n  'd': e\n"
    node = mapping(tree(text).get("a"))
    edits = [Edit(13, 14, "x", ""), Edit(17, 18, "y", "")]
    assert written_out(text, node, edits) == "{b: c, 'x': y}"


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: {b: c}\n", Edit(0, 1, "x", "")),
        ("a: {b: c}\n", Edit(8, 10, "x", "")),
        ("a:\n  b: c\n", Edit(3, 5, "", "")),
        ("a:\n  b: |\n    c\n", Edit(14, 15, "x", "")),
        ("a:\n  b: on\n", Edit(8, 9, "i", "")),
    ],
)
def test_edits_that_cannot_be_done(text: str, edit: Edit) -> None:
    node = mapping(tree(text).get("a"))
    with pytest.raises(Stuck, match=r"^the value at /a(/b)? would have to be"):
        written_out(text, node, [edit])


def test_a_value_that_is_stuck_is_named_by_its_alias() -> None:
    text = "a: &a {b: c}\nd: *a\n"
    stuck = r"^the alias \*a at /d would have to be written out in other words, and cannot be$"
    with pytest.raises(Stuck, match=stuck) as raised:
        written_out(text, mapping(tree(text).get("d")), [Edit(0, 1, "x", "")])
    assert raised.value.at == text.index("*a")


def test_scalars_that_stay_the_same_value() -> None:
    root = tree("a: 1\nb: 'on'\nc: word\nd:\ne: 'a b'\nf: '1'\n")
    assert [flow.scalar(scalar(root.get(name))) for name in "abcdef"] == [
        "1", '"on"', "word", "null", "a b", '"1"'
    ]  # fmt: skip


# -- anchors and aliases under edits ------------------------------------------------


def settled(text: str, *changes: tuple[str, str]) -> str:
    """Put words in the place of values, given by their pointers, and settle what that means for aliases."""
    found = layout(text)
    proposals = []
    for pointer, new in changes:
        node = lookup(found.root, tuple(int(s) if s.isdigit() else s for s in pointer.split("/")))
        assert node is not None
        proposals.append(Proposal(Edit(node.start, node.end, new, "w"), node))
    return splice(text, collect(settle(found, found.root, proposals)))


SETTLED = [
    ("a: b\n", [("a", "x")], "a: x\n"),
    ("a: &a b\nc: *a\n", [("a", "x"), ("c", "x")], "a: &a x\nc: *a\n"),
    ("a: &a b\nc: *a\n", [("a", "x")], "a: &a x\nc: b\n"),
    ("a: &a b\nc: *a\n", [("c", "x")], "a: &a b\nc: x\n"),
    ("a: &a b\nc: *a\n", [("a", "x"), ("c", "y")], "a: &a x\nc: y\n"),
    ("a: &a {b: c}\nd: *a\ne: *a\n", [("d/b", "x")], "a: &a {b: c}\nd: {b: x}\ne: *a\n"),
    ("a: &a [b]\nc: &c [*a]\nd: *c\n", [("a/0", "x"), ("c/0/0", "x"), ("d/0/0", "x")], "a: &a [x]\nc: &c [*a]\nd: *c\n"),
    ("a: &a [b]\nc: &c [*a]\nd: *c\n", [("c/0/0", "x"), ("d/0/0", "x")], "a: &a [b]\nc: &c [[x]]\nd: *c\n"),
    ("a: &a [b]\nc: &c [*a]\nd: *c\n", [("d/0/0", "x")], "a: &a [b]\nc: &c [*a]\nd: [[x]]\n"),
    # The anchored value stands less deep than its use, and so does the alias in it.
    ("a: &a [b]\nc: &c [*a]\nd: [[[*c]]]\n", [("c/0/0", "x"), ("d/0/0/0/0/0", "x")], "a: &a [b]\nc: &c [[x]]\nd: [[[*c]]]\n"),
    ("a: &a {b: c}\nd: {<<: *a}\n", [("a/b", "x"), ("d/b", "x")], "a: &a {b: x}\nd: {<<: *a}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "expected"), SETTLED)
def test_aliases_that_cannot_stay_are_written_out(
    text: str, changes: list[tuple[str, str]], expected: str
) -> None:
    assert settled(text, *changes) == expected


def test_an_alias_whose_anchor_goes_is_written_out() -> None:
    text = "a: &a [b]\nc: *a\nd: {<<: &m {e: f}}\ng: {<<: *m}\n"
    found = layout(text)
    anchors = [Proposal(Edit(0, 10, "", "w"), found.root), Proposal(Edit(16, 35, "", "w"), found.root)]
    edits = settle(found, found.root, anchors)
    assert spans(text, edits) == [
        ("a: &a [b]\n", ""),
        ("d: {<<: &m {e: f}}\n", ""),
        ("*m", "{e: f}"),
        ("*a", "[b]"),
    ]
    assert {edit.why for edit in edits} == {"w", "M13"}
    both = [*anchors, Proposal(Edit(10, 16, "", "w"), found.root)]
    assert ("*a", "[b]") not in spans(text, settle(found, found.root, both))


@pytest.mark.parametrize(
    ("words", "new", "expected"),
    [("!!int &x 5", "5m", "5m"), ("!!int", "!!str", "5"), ("&x 5", "6", "6"), ("5", "7", "7")],
)
@pytest.mark.parametrize("outside", [False, True])
def test_edits_of_anchor_and_tag_end_where_these_are_left_out(
    words: str, new: str, expected: str, outside: bool
) -> None:
    text = "a: [\n  !!int &x 5 ]\n" if outside else "a: !!int &x 5\n"
    value = tree(text).items("a")[0] if outside else tree(text).get("a")
    assert value is not None
    node = mapping(tree(text)).entries["a"].value if outside else value
    start = text.index(words)
    edits = [Edit(start, start + len(words), new, "")]
    assert written_out(text, node, edits) == (f"[{expected}]" if outside else expected)

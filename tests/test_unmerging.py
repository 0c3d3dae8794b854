from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from trees import document

from transforms.edits import Edit, splice
from transforms.layout import Layout
from transforms.nodes import Mapping
from transforms.unmerging import composed, merges, unmerged

SOURCE = """\
a: &a {x: 1, y: [1, 2]}
b: &b
  x: &x |
    text
  z: *x
c:
  <<: [*a, *b]   # both
  y: own
d: {<<: *a, y: own}
e:
  <<: *a
  x: 0
  y: 0
f: {"<<": *a}
"""


def test_merge_keys_are_written_out_with_what_they_bring() -> None:
    found = document(SOURCE)
    assert isinstance(found.root, Mapping)
    mappings = merges(found.root)
    assert [mapping.pointer for mapping in mappings] == ["/c", "/d", "/e"]
    edits = unmerged(Layout(found), mappings)
    assert splice(SOURCE, edits) == SOURCE.replace(
        "  <<: [*a, *b]   # both\n", '  x: 1\n  z: "text\\n"   # both\n'
    ).replace("{<<: *a, y", "{x: 1, y").replace("e:\n  <<: *a\n", "e:\n")


def test_a_merge_key_in_braces_becomes_what_it_brings_in_braces() -> None:
    text = "a: &a {x: 1, y: [1, 2]}\nb: {z: 0, <<: *a}\n"
    found = document(text)
    assert isinstance(found.root, Mapping)
    edits = unmerged(Layout(found), merges(found.root))
    assert splice(text, edits) == "a: &a {x: 1, y: [1, 2]}\nb: {z: 0, x: 1, y: [1, 2]}\n"


TEXT = "0123456789" * 3


@st.composite
def edits(draw: st.DrawFn, length: int) -> list[Edit]:
    places = sorted(draw(st.lists(st.integers(0, length), max_size=8, unique=True)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return [Edit(start, end, draw(st.sampled_from(("", "x", "yyy"))), "test") for start, end in pairs]


@given(st.data())
def test_composed_edits_do_what_one_after_the_other_does(data: st.DataObject) -> None:
    first = data.draw(edits(len(TEXT)))
    middle = splice(TEXT, first)
    second = data.draw(edits(len(middle)))
    found = composed(TEXT, first, second)
    assert splice(TEXT, found) == splice(middle, second)
    assert found == sorted(found)


def test_an_insertion_beside_an_edit_joins_it() -> None:
    first = [Edit(2, 4, "ab", "one")]
    assert composed("0123456", first, [Edit(4, 4, "!", "two")]) == [Edit(2, 4, "ab!", "two")]
    assert composed("0123456", first, [Edit(2, 2, "!", "two")]) == [Edit(2, 4, "!ab", "two")]
    assert composed("0123456", first, []) == [Edit(2, 4, "ab", "M13")]


def test_edits_side_by_side_stay_edits_of_their_own() -> None:
    second = [Edit(0, 0, "a", "two"), Edit(1, 2, "b", "two"), Edit(2, 4, "c", "two"), Edit(6, 7, "d", "two")]
    assert composed("0123456", [], second) == second
    first = [Edit(0, 1, "", "one"), Edit(4, 5, "z", "one")]
    assert composed("0123456", first, [Edit(1, 2, "b", "two"), Edit(5, 6, "d", "two")]) == [
        Edit(0, 1, "", "M13"),
        Edit(2, 3, "b", "two"),
        Edit(4, 5, "z", "M13"),
        Edit(6, 7, "d", "two"),
    ]

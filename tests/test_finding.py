"""Findings and the places they name."""

from __future__ import annotations

import pytest
from trees import document, tree

from transforms.finding import (
    Finding,
    Place,
    Related,
    aliases,
    at_holder,
    at_key,
    at_value,
    error,
    sort_of,
    unique,
)
from transforms.nodes import Node, lookup
from transforms.pointer import Step


def node(text: str, *steps: Step) -> Node:
    found = lookup(tree(text), steps)
    assert found is not None
    return found


PLACES = [
    ("a: b", ("a",), "b", "a"),
    ("a: &x !!str b", ("a",), "b", "a"),
    ("a:\n", ("a",), "a", "a"),
    ("'a': ~", ("a",), "~", "'a'"),
    ("a: {b: }", ("a", "b"), "b", "b"),
    ("a: [{b: c, d: e}]", ("a", 0), "{b: c, d: e}", "b"),
    ("a:\n  - b: c\n", ("a", 0), "b: c", "b"),
    ("a: [{}]", ("a", 0), "{}", "{}"),
    ("a: [[x, y]]", ("a", 0), "[x, y]", "[x, y]"),
    ("a:\n  -\n  - b", ("a", 0), "a", ""),
    ("a:\n  - \n", ("a",), "-", "a"),
]


@pytest.mark.parametrize(("text", "steps", "value", "holder"), PLACES)
def test_the_place_of_a_value_and_of_what_holds_it(
    text: str, steps: tuple[Step, ...], value: str, holder: str
) -> None:
    found = node(text, *steps)
    at, around = at_value(found), at_holder(found)
    assert (text[at.start : at.end], text[around.start : around.end]) == (value, holder)


def test_the_place_of_an_empty_item_in_a_list_of_lists() -> None:
    text = "a:\n  - - b\n    -\n"
    at = at_value(node(text, "a", 0, 1))
    assert text[at.start : at.end] == "- b\n    -"


def test_the_root_lacks_something_at_its_start() -> None:
    assert at_holder(tree("# above\na: 1\n")) == Place(0, 0)
    root = document("# above\nword").root
    assert root is not None
    assert at_value(root) == Place(8, 12)


def test_an_alias_on_the_way_is_named() -> None:
    text = "a: &a {b: &b {c: 1}}\nd: *a\ne: {<<: *b}\n"
    assert aliases(node(text, "a", "b", "c")) == ()
    inherited = at_value(node(text, "d", "b", "c"))
    assert inherited == Place(17, 18, (Related(24, 26, "reached through the alias *a"),))
    merged = node(text, "e", "c")
    assert at_value(merged) == Place(17, 18, (Related(35, 37, "reached through the alias *b"),))
    assert at_holder(node(text, "d")) == Place(21, 22, (Related(24, 26, "reached through the alias *a"),))


def test_an_alias_on_the_way_to_a_collection_in_a_list_is_named() -> None:
    text = "a: &a [{b: c}, [d]]\ne: *a\n"
    reached = (Related(23, 25, "reached through the alias *a"),)
    assert at_holder(node(text, "e", 0)) == Place(8, 9, reached)
    assert at_holder(node(text, "e", 1)) == Place(15, 18, reached)


def test_a_key_that_should_not_be_there() -> None:
    text = "d: &d 1\na: *d\n"
    assert at_key(tree(text).entries["a"]) == Place(8, 9, (Related(11, 13, "reached through the alias *d"),))


def test_the_related_places_of_an_error() -> None:
    first, second = Related(1, 2, "first"), Related(3, 4, "second")
    found = error("r", "/p", Place(5, 6, (second,)), "what", "hint", [first], severity="warning")
    assert found == Finding("r", "warning", "/p", 5, 6, "what", "hint", (first, second))
    assert error("r", "/p", Place(5, 6), "what") == Finding("r", "error", "/p", 5, 6, "what")


def test_findings_in_the_order_of_the_text_each_once() -> None:
    one = Finding("r", "error", "/a", 5, 6, "through a workflow", None, (Related(1, 2, "x"),))
    two = one._replace(message="where it is written", related=())
    others = [
        one._replace(end=7),
        one._replace(pointer="/0"),
        one._replace(rule="q"),
        one._replace(start=4),
    ]
    assert unique([one, *others, two]) == [others[3], others[1], others[2], two, others[0]]
    assert unique([two, one]) == [two]
    assert unique([one, one._replace(message="later")]) == [one]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "a mapping"),
        ("[]", "a list"),
        ("~", "empty"),
        ("", "empty"),
        ("true", "a boolean"),
        ("1", "a number"),
        ("1.5", "a number"),
        ("2024-05-06", "a date"),
        ("x", "a string"),
        ("'1'", "a string"),
    ],
)
def test_kinds_of_value_in_words(text: str, words: str) -> None:
    assert sort_of(node(f"a: {text}", "a")) == words

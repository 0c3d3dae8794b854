"""Plain data as YAML and JSON: what is quoted, what reads back."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from transforms.document import parse
from transforms.emit import canonical_json, yaml
from transforms.nodes import plain
from transforms.scalars import Date, is_bare

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
WORDS = st.sampled_from(
    [
        "y",
        "No",
        "ON",
        "off",
        "null",
        "~",
        "1e3",
        "0x1f",
        "017",
        "08",
        "0b1",
        "1_0",
        "12:30",
        "2024-01-31",
        "2024-1-1t1:1:1",
        "=",
        "<<",
        ".5",
        "+.inf",
        "-",
        "---",
        "...",
        "a:",
        "#",
        "#a",
        "%a",
        "@a",
        "`",
        "'",
        '"',
        "\\n",
        "",
        "a: b",
        "a #b",
        ": a",
        "? a",
        "- a",
        "a\nb",
        "a\n\n b\n",
        "a\n\n",
        " a\nb",
        "\ta\nb",
        "a \nb",
        "a\n \nb",
        "a\u2028b",
        "a\x85",
        "\ufeff",
    ]
)
SIGNS = st.text(st.sampled_from("ab01 ?:#-,[]{}&*!|>'\"%@`=~.<\t\n_+eExo\\\u00a0\u0085\u2028"), max_size=8)
STRINGS = TEXT | SIGNS | WORDS
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=20,
)


def read(text: str) -> Any:
    document = parse(text.encode())
    assert document.faults == ()
    assert document.root is not None
    return plain(document.root)


def other_reader(version: tuple[int, int]) -> YAML:
    reader = YAML(typ="safe", pure=True)
    reader.version = version
    return reader


def test_the_other_reader_reads_yaml_1_1() -> None:
    assert other_reader((1, 1)).load("[no, 1_0, 017]") == [False, 10, 15]


def typed(data: Any) -> Any:
    """The data with the type of each scalar beside it, since True is 1 and 1 is 1.0 to Python."""
    if isinstance(data, dict):
        return {key: typed(value) for key, value in data.items()}
    if isinstance(data, list):
        return [typed(item) for item in data]
    return type(data).__name__, repr(data)


@given(st.dictionaries(STRINGS, DATA, min_size=1, max_size=4))
@example({"a": {"b": [[], {}, [[1, [2]], {"c": {"d": "x\ny\n"}}], "x\ny"]}})
@example({"x" * 1200: {"y" * 1100: 1}, "n": ["a\nb\n\n", {"o" * 1100: "p"}]})
def test_yaml_reads_back_to_the_same_data(data: dict[str, Any]) -> None:
    text = yaml(data)
    assert typed(read(text)) == typed(data)
    assert list(read(text)) == list(data)


@given(
    st.dictionaries(STRINGS, STRINGS | st.booleans() | st.integers() | st.floats(allow_nan=False), max_size=4)
)
@settings(max_examples=200)
def test_a_reader_of_yaml_1_1_reads_the_same(data: dict[str, Any]) -> None:
    assert typed(other_reader((1, 1)).load(yaml(data))) == typed(data)


@given(DATA)
def test_json_reads_back_and_is_yaml_too(data: Any) -> None:
    text = canonical_json({"data": data})
    assert typed(json.loads(text)) == typed({"data": data})
    assert typed(read(text)) == typed({"data": data})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (16, "16"),
        (1.5, "1.5"),
        (1e16, "1.0e+16"),
        (1e-7, "1.0e-07"),
        (1.5e300, "1.5e+300"),
        (-0.0, "-0.0"),
        (math.inf, ".inf"),
        (-math.inf, "-.inf"),
        (math.nan, ".nan"),
        (Date("2024-01-31"), "2024-01-31"),
        ("2024-01-31", '"2024-01-31"'),
        ("plain text, no: quotes", '"plain text, no: quotes"'),
        ("plain text, [no] quotes}", "plain text, [no] quotes}"),
        ("[a]", '"[a]"'),
        (", a", '", a"'),
        ("30m", "30m"),
        ("on", '"on"'),
        ("", '""'),
        ("a\tb", '"a\\tb"'),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_values(value: Any, text: str) -> None:
    assert yaml({"key": value}) == f"key: {text}\n"
    assert yaml([value]) == f"- {text}\n"
    assert yaml(value) == f"{text}\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb", "|-\n  a\n  b"),
        ("a\n\n  b\n", "|\n  a\n\n    b"),
        ("a\nb\n\n", "|+\n  a\n  b\n"),
        ("a\n", '"a\\n"'),
        ("a \nb", '"a \\nb"'),
        (" a\nb", '" a\\nb"'),
        ("a\n\tb", '"a\\n\\tb"'),
        ("# a\nb", "|-\n  # a\n  b"),
        ("a\nX", "|-\n  a\n  X"),
        ("a\n\u3000", "|-\n  a\n  \u3000"),
    ],
)
def test_several_lines(value: str, text: str) -> None:
    assert yaml({"key": value}) == f"key: {text}\n"
    assert yaml([value]) == f"- {text}\n"
    assert read(yaml({"key": value})) == {"key": value}


def test_collections_in_collections() -> None:
    data = {"a": {"b": [1, [2, [3]], {"c": 4, "d": []}], "on": {}}, "e": [{"f": {"g": "h\ni"}}]}
    assert (
        yaml(data)
        == """\
a:
  b:
    - 1
    - - 2
      - - 3
    - c: 4
      d: []
  "on": {}
e:
  - f:
      g: |-
        h
        i
"""
    )


def test_a_key_too_long_for_a_colon_is_marked() -> None:
    key = "k" * 1_001
    assert yaml({"a": {key: 1}}) == f"a:\n  ? {key}\n  : 1\n"
    assert yaml({"a": {key[1:]: 1}}) == f"a:\n  {key[1:]}: 1\n"


@pytest.mark.parametrize(
    ("key", "text"), [("a, b [c]?", "a, b [c]?"), ("on", '"on"'), ("a: b", '"a: b"'), ("", '""')]
)
def test_keys_have_quotes_where_a_reader_needs_them(key: str, text: str) -> None:
    assert yaml({key: 1}) == f"{text}: 1\n"


def test_json_is_sorted_and_ends_in_a_newline() -> None:
    assert (
        canonical_json({"b": [1], "ä": "ö", "a": {}})
        == '{\n  "a": {},\n  "b": [\n    1\n  ],\n  "ä": "ö"\n}\n'
    )


def test_json_says_dates_and_endless_numbers_as_text() -> None:
    data = [Date("2024-01-31"), math.inf, {"x": -math.inf}, 1.5]
    assert json.loads(canonical_json(data)) == ["2024-01-31", ".inf", {"x": "-.inf"}, 1.5]


@given(STRINGS)
def test_bare_text_is_a_string_to_every_reader(text: str) -> None:
    for version in ((1, 1), (1, 2)):
        if is_bare(text):
            assert other_reader(version).load(f"[{text}]") == [text]
            assert is_bare(text, flow=False)
        if is_bare(text, flow=False):
            assert other_reader(version).load(f"- {text}\n- {text}: b") == [text, {text: "b"}]

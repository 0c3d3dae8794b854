"""What scalars mean, and when a word may stand without quotes."""

from __future__ import annotations

import math

import pytest

from transforms.scalars import MAX_DIGITS, Date, TooLong, is_bare, quote, resolve

MEANINGS = [
    *[(text, None) for text in ("", "~", "null", "Null", "NULL")],
    *[(text, True) for text in ("true", "True", "TRUE")],
    *[(text, False) for text in ("false", "False", "FALSE")],
    *[
        (text, text)
        for text in ("nULL", "tRUE", "yes", "on", "y", "~~", "word", "-", "+", ".", "1_000", "0b1")
    ],
    *[
        (text, text)
        for text in ("0o8", "0x", "0xG", "1e", ".e1", "--1", "1.2.3", "+0o7", ".Nan", "+.nan", "-.iNF")
    ],
    *[(text, text) for text in ("２", "1２", "12:30:45", "2024-5-6", "2024-05-06x", "x1", "0x1 ")],
    ("0", 0),
    ("017", 17),
    ("+12", 12),
    ("-12", -12),
    ("0o17", 15),
    ("0x1F", 31),
    ("-0x1f", "-0x1f"),
    ("+0xa", "+0xa"),
    ("1.5", 1.5),
    ("-.5", -0.5),
    ("1.", 1.0),
    ("1e3", 1000.0),
    ("1.5E-1", 0.15),
    ("+1e+2", 100.0),
    (".inf", math.inf),
    ("+.INF", math.inf),
    ("-.Inf", -math.inf),
    ("1e999", math.inf),
    *[
        (text, Date(text))
        for text in (
            "2024-05-06",
            "2024-05-06T07:08:09Z",
            "2024-5-6 7:08:09",
            "2024-05-06t07:08:09.25 +01:30",
            "2024-05-06\t7:08:09-1",
        )
    ],
]


@pytest.mark.parametrize(("text", "value"), MEANINGS)
def test_meaning(text: str, value: object) -> None:
    found = resolve(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text: str) -> None:
    found = resolve(text)
    assert isinstance(found, float)
    assert math.isnan(found)


def test_the_longest_integer() -> None:
    assert resolve("9" * MAX_DIGITS) == int("9" * MAX_DIGITS)
    assert MAX_DIGITS == 4_300
    for text in ("9" * 4301, "-" + "9" * 4300, "0o" + "7" * 4301, "0x" + "f" * 4301):
        with pytest.raises(TooLong, match=r"^an integer of 4,301 digits$"):
            resolve(text)


def test_an_integer_is_measured_in_decimal_digits() -> None:
    longest = 10**MAX_DIGITS - 1
    assert resolve(hex(longest)) == longest
    with pytest.raises(TooLong, match=r"^an integer of more than 4,300 digits$"):
        resolve(hex(longest + 1))


BARE = [
    "a",
    "a b",
    "a:b",
    "a#b",
    "a-b",
    "x?",
    "größer",
    "a/b",
    "v2",
    "a_",
    "a.b",
    "(",
    "^x",
    "+",
    ";",
    "a'b",
    'a"b',
]
QUOTED = [
    *(
        "",
        " a",
        "a ",
        "a:",
        "a: b",
        "a #b",
        "-",
        "- a",
        "?",
        "? a",
        ":a",
        "#a",
        "&a",
        "*a",
        "!a",
        "|a",
        ">a",
    ),
    *(
        "'a",
        '"a',
        "%a",
        "@a",
        "`a",
        "=",
        "=a",
        "y",
        "N",
        "yes",
        "On",
        "off",
        "true",
        "null",
        "~",
        "<<",
        "\ta",
    ),
    *(
        "1",
        "-1",
        "017",
        "0o17",
        "0x1F",
        "1_000",
        "0b1",
        "1.5",
        "12:30",
        "12:30:45",
        ".5",
        "1e3",
        "12e4",
        ".inf",
    ),
    *(".NaN", "2024-05-06", "2024-5-6", "2024-1-1 1:2:3", "a\nb", "a\tb", "a\u2028b", "a\ufeffb", "a\x7fb"),
    "\ud800",
]
NOT_IN_FLOW = ["a,b", "a]", "a}", "a[", "a{b", "a?b", "x?y"]


@pytest.mark.parametrize("text", BARE)
def test_text_that_stands_without_quotes(text: str) -> None:
    assert is_bare(text, flow=False)
    assert is_bare(text) is ("?" not in text)


@pytest.mark.parametrize("text", QUOTED)
def test_text_that_takes_quotes(text: str) -> None:
    assert not is_bare(text)
    assert not is_bare(text, flow=False)


@pytest.mark.parametrize("text", NOT_IN_FLOW)
def test_text_that_takes_quotes_in_flow_style_alone(text: str) -> None:
    assert not is_bare(text)
    assert is_bare(text, flow=False)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ("a'b", '"a\'b"'),
        ('a"b\\', '"a\\"b\\\\"'),
        ("a\nb\tc\rd", '"a\\nb\\tc\\rd"'),
        ("\x00\x1f\x7f\x9f\u2028\u2029\ufeff", '"\\u0000\\u001f\\u007f\\u009f\\u2028\\u2029\\ufeff"'),
        ("\ud800", '"\\ud800"'),
        ("größer 🛳", '"größer 🛳"'),
    ],
)
def test_quotes(text: str, quoted: str) -> None:
    assert quote(text) == quoted

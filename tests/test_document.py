"""Bytes to documents: decoding, lines and positions."""

from __future__ import annotations

import pytest

from transforms.document import MAX_BYTES, decode, parse, utf8
from transforms.finding import Finding
from transforms.nodes import Mapping


def test_text_with_a_byte_order_mark() -> None:
    document = parse("\ufeffa: 1\n".encode())
    assert (document.text, document.mark, document.faults) == ("a: 1\n", True, ())
    assert document.encode("b: 2\n") == b"\xef\xbb\xbfb: 2\n"


def test_text_without_one() -> None:
    document = parse(b"a: 1\n")
    assert (document.text, document.mark) == ("a: 1\n", False)
    assert document.encode("größer\n") == b"gr\xc3\xb6\xc3\x9fer\n"


def test_only_the_first_byte_order_mark_is_one() -> None:
    document = parse("\ufeff\ufeffa: 1\n".encode())
    assert (document.text, document.mark) == ("\ufeffa: 1\n", True)


@pytest.mark.parametrize(
    ("data", "text", "mark", "at", "message", "hint"),
    [
        (
            b"a: \xff\n",
            "a: \ufffd\n",
            False,
            3,
            "byte 0xFF is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            b"a: \xff\x00\n",
            "a: \ufffd\x00\n",
            False,
            3,
            "byte 0xFF is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            "\ufeffü: ".encode() + b"\xc3",
            "ü: \ufffd",
            True,
            3,
            "byte 0xC3 is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            b"\xed\xa0\x80",  # a surrogate has no UTF-8
            "\ufffd\ufffd\ufffd",
            False,
            0,
            "byte 0xED is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            b"a: 1\n\x00",
            "a: 1\n\x00",
            False,
            5,
            "the control character U+0000 is not allowed",
            "remove it, or write it as an escape",
        ),
        (
            "a: \x9f".encode(),
            "a: \x9f",
            False,
            3,
            "the control character U+009F is not allowed",
            "remove it, or write it as an escape",
        ),
    ],
)
def test_bytes_that_are_no_text(data: bytes, text: str, mark: bool, at: int, message: str, hint: str) -> None:
    expected = Finding("yaml-invalid", "error", "", at, at + 1, message, hint)
    assert decode(data) == (text, mark, expected)
    document = parse(data)
    assert (document.text, document.mark, document.root, document.faults) == (text, mark, None, (expected,))


@pytest.mark.parametrize("char", ["\t", "\n", "\r", " ", "~", "\x85", "\xa0", "\ud7ff", "\ue000", "\ufffd", "\U00010000", "\U0010ffff"])  # fmt: skip
def test_characters_that_a_file_may_hold(char: str) -> None:
    assert decode(f"a{char}b".encode()) == (f"a{char}b", False, None)


@pytest.mark.parametrize("char", ["\x00", "\x08", "\x0b", "\x1f", "\x7f", "\x84", "\x86", "\x9f", "\ufffe", "\uffff"])  # fmt: skip
def test_characters_that_a_file_may_not_hold(char: str) -> None:
    fault = decode(f"a{char}b".encode(), "plan").fault
    assert fault is not None
    assert (fault.rule, fault.start, fault.end) == ("plan", 1, 2)
    assert utf8(f"a{char}b".encode(), "plan").fault is None


def test_a_file_that_is_too_long() -> None:
    assert decode(b"#" * MAX_BYTES).fault is None
    message = "the file has 67,108,865 bytes, the limit is 67,108,864"
    expected = Finding("yaml-invalid", "error", "", 0, 0, message, "split the file")
    assert decode(b"#" * (MAX_BYTES + 1)) == ("", False, expected)


def test_lines_end_with_lf_crlf_and_cr_alone() -> None:
    document = parse("a: 1\r\nb: 2\rc: \u2028\n\nd: 4".encode())
    assert document.line_starts == [0, 6, 11, 16, 17]
    assert [document.line(number) for number in range(1, 6)] == ["a: 1", "b: 2", "c: \u2028", "", "d: 4"]
    assert [document.position(offset) for offset in (0, 5, 6, 14, 16, 17, 21)] == [
        (1, 1),
        (1, 6),
        (2, 1),
        (3, 4),
        (4, 1),
        (5, 1),
        (5, 5),
    ]


def test_the_root_of_a_governance_file_is_a_mapping() -> None:
    root = parse(b"a: 1\n")
    assert isinstance(root.mapping, Mapping)
    assert root.mapping is root.root
    listed = parse(b"- 1\n")
    assert listed.root is not None
    assert listed.mapping is None

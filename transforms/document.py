"""Bytes to a `Document`: text, byte-order mark, line ends, a tree of nodes with their offsets.

Built from the C parser's events rather than from its tree, so that alias tokens keep their places
and depth and size are checked on the way. There is no second parser to fall back on: two parsers
accept different inputs.
"""

from __future__ import annotations

import bisect
import re
from typing import NamedTuple

from transforms.comments import Comment, comments
from transforms.finding import Finding, Place, error
from transforms.nodes import Mapping, Node

MAX_BYTES = 64 * 1024 * 1024
"""The longest file that is read, in bytes."""

BYTE_ORDER_MARK = "\ufeff"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class Document:
    """One governance file: its text without the byte-order mark, its tree and what is wrong with it.

    `root` is None when the file yields no tree at all. `faults` are findings of rule `yaml-invalid`:
    with a root they say why the tree cannot be taken at face value (a duplicate key, say).
    Offsets everywhere are code points of `text`.
    """

    def __init__(
        self, text: str, mark: bool = False, root: Node | None = None, faults: tuple[Finding, ...] = ()
    ) -> None:
        self.text = text
        self.mark = mark
        self.root = root
        self.faults = faults
        self._starts: list[int] | None = None
        self._comments: list[Comment] | None = None

    @property
    def mapping(self) -> Mapping | None:
        """The root if it is a mapping, as that of every governance file is."""
        return self.root if isinstance(self.root, Mapping) else None

    @property
    def line_starts(self) -> list[int]:
        """The offsets at which lines begin; LF, CRLF and CR end a line, nothing else does."""
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]
        return self._starts

    @property
    def comments(self) -> list[Comment]:
        """The comments of a document that has a tree, in order."""
        if self._comments is None:
            assert self.root is not None
            self._comments = comments(self.text, self.root)
        return self._comments

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of `offset`, both 1-based, the column in code points."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return line `number`, 1-based, without its line break."""
        start = self.line_starts[number - 1]
        match = _LINE_BREAK.search(self.text, start)
        return self.text[start : match.start() if match else len(self.text)]

    def encode(self, text: str) -> bytes:
        """Return `text` as the bytes of a file like this one, byte-order mark included."""
        return ((BYTE_ORDER_MARK if self.mark else "") + text).encode()


class Decoded(NamedTuple):
    """The text of a file, or the finding that says why it has none."""

    text: str
    mark: bool
    fault: Finding | None = None


def decode(data: bytes, rule: str = "yaml-invalid") -> Decoded:
    """Return the text of `data`, which is UTF-8 with or without a byte-order mark.

    A file that is too long, is not UTF-8 or holds a control character has a fault of `rule` at the
    first such byte; its text is what could be read.
    """
    decoded = utf8(data, rule)
    match = _UNPRINTABLE.search(decoded.text) if decoded.fault is None else None
    if match is None:
        return decoded
    message = f"the control character U+{ord(match.group()):04X} is not allowed"
    place = Place(match.start(), match.end())
    fault = error(rule, "", place, message, "remove it, or write it as an escape")
    return Decoded(decoded.text, decoded.mark, fault)


def utf8(data: bytes, rule: str) -> Decoded:
    """Return the text of `data` as `decode` does, whatever its characters are."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes, the limit is {MAX_BYTES:,}"
        return Decoded("", False, error(rule, "", Place(0, 0), message, "split the file"))
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        return _undecodable(data, problem, rule)
    mark = text.startswith(BYTE_ORDER_MARK)
    return Decoded(text[1:] if mark else text, mark)


def _undecodable(data: bytes, problem: UnicodeDecodeError, rule: str) -> Decoded:
    before = data[: problem.start].decode()
    mark = before.startswith(BYTE_ORDER_MARK)
    before = before[1:] if mark else before
    message = f"byte 0x{data[problem.start]:02X} is not UTF-8"
    # The rest only serves to show the line, so a stand-in for each bad byte will do.
    text = before + data[problem.start :].decode(errors="replace")
    place = Place(len(before), len(before) + 1)
    return Decoded(text, mark, error(rule, "", place, message, "save the file as UTF-8"))


def parse(data: bytes) -> Document:
    """Return the document in `data`. What is wrong is in its `faults`; nothing is raised."""
    text, mark, fault = decode(data)
    if fault is not None:
        return Document(text, mark, None, (fault,))
    from transforms.loading import load  # plans have text and places too, and need no YAML parser

    root, faults = load(text)
    return Document(text, mark, root, tuple(faults))

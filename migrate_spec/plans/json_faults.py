"""Why a text is no plan at all, in words of our own: everything the rule `parse` says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from transforms.document import Document
from transforms.finding import Finding, Place, error
from transforms.loading import MAX_DEPTH
from transforms.scalars import MAX_DIGITS
from transforms.wording import LONGEST, listed, show

_ESCAPE = re.compile(r"\\.", re.DOTALL)
_BRACKET = re.compile(r'[\[\]{}]|"[^"]*"?')
_LITERAL = re.compile(r'-?(?:[0-9][-+.0-9eE]*|Infinity|NaN)|"[^"]*"?')
_WORD = re.compile(r"[^\s,:\[\]{}]+")
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_COMMENTS = ("//", "/*", "#")
_CONVERT = "a plan is one JSON object; convert it if it is written in another format"


class Refused(ValueError):
    """A number that is no JSON or too long to be read; carries it as written."""

    def __init__(self, literal: str) -> None:
        super().__init__(literal)
        self.literal = literal


def at_a_glance(document: Document) -> Finding | None:
    """Return what is wrong with a text before it is parsed: a mark, no content, too deep nesting."""
    if document.mark:
        return _fault(0, 0, "the file begins with a byte-order mark", "save it as UTF-8 without the mark")
    text = document.text
    if not text or text.isspace():
        return _fault(0, 0, "the file is empty", _CONVERT)
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return None
    depth = 0
    for match in _tokens(_BRACKET, text):
        if match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                at = match.start()
                return _fault(at, at + 1, f"the text nests more than {MAX_DEPTH} levels deep", "flatten it")
        elif match[0] in "]}":
            depth -= 1
    return None


def _tokens(token: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what `token` finds, strings whole: escapes are blanked first, which keeps the search linear."""
    return token.finditer(_ESCAPE.sub("__", text))


def literal(text: str, written: str) -> Finding:
    """Return the finding on the number or word `written`, which is read by no one."""
    at = next((m.start() for m in _tokens(_LITERAL, text) if m[0] == written), 0)
    if written.lstrip("-") in ("NaN", "Infinity"):
        message, hint = f"{written} is no JSON value", "write a finite number"
    elif len(written) > MAX_DIGITS:
        message = f"a number of {len(written):,} digits is not read; the limit is {MAX_DIGITS:,}"
        hint = "write a smaller number"
    else:
        message, hint = f"the number {_shortened(written)} is too large", "write a smaller number"
    return _fault(at, at + len(written), message, hint)


def syntax(text: str, problem: json.JSONDecodeError) -> Finding:
    """Return the finding on what the parser stumbled over."""
    at = problem.pos
    comma = _stray_comma(text, at)
    if comma is not None:
        return _fault(comma, comma + 1, "a comma stands before the closing bracket", "remove the comma")
    if problem.msg.startswith("Invalid \\"):
        at = text.rfind("\\", 0, at + 1)  # parsers differ in which character of the escape they name
    if at >= len(text):
        return _fault(at, at, "the text ends before its last value is complete", _missing(text))
    if text.startswith(_COMMENTS, at) and not problem.msg.startswith("Invalid"):
        return _fault(at, at + 1, "JSON has no comments", "remove the comment")
    for start, told in _TOLD:
        if problem.msg.startswith(start):
            message, hint = told
            return _fault(at, at + 1, message, hint)
    return _value(text, at, problem.msg)


_TOLD = (
    ("Unterminated string", ("this string is never closed", 'put a double quote " behind it')),
    ("Extra data", ("text stands behind the end of the value", "remove it; a file holds one value")),
    (
        "Invalid control character",
        ("a string holds a raw control character", "write it as an escape, such as \\n"),
    ),
    ("Invalid \\", ("a backslash begins no escape that JSON knows", "write \\\\ for a backslash")),
    ("Expecting ':'", ("a colon should stand here, behind the key", "write a colon")),
    ("Expecting ','", ("a comma or a closing bracket should stand here", "separate the entries with commas")),
)


def _value(text: str, at: int, told: str) -> Finding:
    match = _WORD.match(text, at)
    word = match[0] if match else text[at]
    end = at + len(word)
    if word.startswith("'"):
        return _fault(at, end, "strings take double quotes in JSON", 'write "…"')
    if word in _WORDS:
        return _fault(at, end, f"{word} is no JSON value", f"write {_WORDS[word]}")
    if told.startswith("Expecting property name"):
        return _fault(at, end, f"{show(word)} is no key", "write each key in double quotes")
    hint = (
        _CONVERT
        if not text[:at].strip()
        else "write a string in double quotes, a number, or true, false, null"
    )
    return _fault(at, end, f"{show(word)} is no JSON value", hint)


def _stray_comma(text: str, at: int) -> int | None:
    """Return the offset of a comma before a closing bracket at or before `at`, where parsers differ."""
    if text[at : at + 1] == ",":
        return at if text[at + 1 :].lstrip(" \t\r\n")[:1] in ("]", "}") else None
    if text[at : at + 1] not in ("]", "}"):
        return None
    before = text[:at].rstrip(" \t\r\n")
    return len(before) - 1 if before.endswith(",") else None


def _missing(text: str) -> str:
    opened: list[str] = []
    for match in _tokens(_BRACKET, text):
        if match[0] in "[{":
            opened.append("]" if match[0] == "[" else "}")
        elif match[0] in "]}" and opened:
            opened.pop()
    return f"close what is open: {listed(reversed(opened))}" if opened else "write the rest"


def _shortened(written: str) -> str:
    return written if len(written) <= LONGEST else written[: LONGEST - 1] + "…"


def _fault(start: int, end: int, message: str, hint: str) -> Finding:
    return error("parse", "", Place(start, end), message, hint)

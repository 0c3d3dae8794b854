"""What a scalar means: the YAML 1.2 core schema, and what a YAML 1.1 reader would make of it."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_DIGITS = 4_300
"""The longest integer that is read, in digits; Python itself refuses longer ones."""

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_SPECIAL = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?\Z"
)
_YAML_1_1 = re.compile(
    r"(?:[yYnN~=-]|<<|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF"
    r"|true|True|TRUE|false|False|FALSE|null|Null|NULL)\Z"
    r"|[-+]?0b[0-1_]+\Z"
    r"|[-+]?0o?[0-7_]+\Z"
    r"|[-+]?0x[0-9a-fA-F_]+\Z"
    r"|[-+][0-9_]+\Z"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?\Z"
    r"|[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?\Z"
    r"|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:\Z|[Tt \t])"
)
_BARE = re.compile(
    r"(?!(?:---|\.\.\.)(?:\s|\Z))"
    r"(?:[^\s\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff,\[\]{}#&*!|>'\"%@`?:=-]|-(?=[^\s,\[\]{}]))"
    r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff,\[\]{}]*\Z"
)

_FLOW = re.compile(r"[,\[\]{}]")


class Date(NamedTuple):
    """A plain scalar that other readers take for a date; here it is neither that nor a string."""

    text: str


class TooLong(ValueError):
    """An integer of more than `MAX_DIGITS` digits."""


def resolve(text: str) -> object:
    """Return the value of the plain scalar `text`: None, bool, int, float, `Date` or str.

    Raises TooLong for an integer over `MAX_DIGITS` digits.
    """
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INT.match(text):
        return _integer(text, 10)
    if _OCTAL.match(text):
        return _integer(text[2:], 8)
    if _HEX.match(text):
        return _integer(text[2:], 16)
    if _FLOAT.match(text):
        return float(text)
    if _SPECIAL.match(text):
        return float(text.replace(".", ""))
    return Date(text) if _DATE.match(text) else text


def _integer(digits: str, base: int) -> int:
    if len(digits) > MAX_DIGITS:
        raise TooLong(f"an integer of {len(digits):,} digits")
    value = int(digits, base)
    if value >= _TOO_LONG:
        raise TooLong(f"an integer of more than {MAX_DIGITS:,} digits")
    return value


_TOO_LONG = 10**MAX_DIGITS


def is_bare(text: str, flow: bool = True) -> bool:
    """Tell whether `text`, written without quotes, is a string to every reader, in flow style too if `flow`."""
    return bool(
        _BARE.match(text if flow else text[:1] + _FLOW.sub("_", text[1:]))
        and not text.endswith((" ", ":"))
        and not (flow and "?" in text)  # older readers end the text there
        and ": " not in text
        and " #" not in text
        and not _YAML_1_1.match(text)
        and isinstance(resolve(text), str)
    )


def quote(text: str) -> str:
    """Return `text` in double quotes, escaped so that YAML and JSON readers agree on it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _UNPRINTABLE.sub(_escape, escaped) + '"'


_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _NAMED.get(char) or f"\\u{ord(char):04x}"

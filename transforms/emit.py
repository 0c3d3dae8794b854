"""Plain data as YAML that every reader reads alike, and as canonical JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from transforms.scalars import Date, is_bare, quote

_LONGEST_KEY = 1_000
"""How long a key may be that stands before a colon, in characters; YAML readers stop at 1,024."""

_LITERAL = re.compile(
    r"[^\s\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff]"
    r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]*\Z"
)
_BLANK_ENDS = re.compile(r" (?:\n|\Z)")


def yaml(data: Any) -> str:
    """Return `data` (dicts, lists, scalars) as YAML text in block style, keys in the order given.

    No anchors, no comments; what a reader of YAML 1.1 would take for something else is quoted, so
    reading the text back yields the same data.
    """
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Any, depth: int) -> Iterator[str]:
    """Yield the lines of a value that stands on lines of its own, indented by `depth`."""
    margin = " " * depth
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _entry(margin + _key(key, margin), value, depth)
    elif isinstance(data, list) and data:
        for item in data:
            if isinstance(item, (dict, list)) and item:
                first, *rest = _lines(item, depth + 2)
                yield f"{margin}- {first[depth + 2 :]}"
                yield from rest
            else:
                yield from _entry(f"{margin}-", item, depth)
    else:
        yield from _entry("", data, depth)


def _entry(before: str, value: Any, depth: int) -> Iterator[str]:
    """Yield `before`, a key or a dash, with `value` behind or below it."""
    gap = " " if before else ""
    if isinstance(value, (dict, list)):
        if value:
            yield before
            yield from _lines(value, depth + 2)
        else:
            yield f"{before}{gap}{'{}' if isinstance(value, dict) else '[]'}"
    elif isinstance(value, str) and before and _is_literal(value):
        yield from _literal(before, value, " " * (depth + 2))
    else:
        yield before + gap + _scalar(value)


def _key(key: str, margin: str) -> str:
    text = key if is_bare(key, flow=False) else quote(key)
    return f"{text}:" if len(text) <= _LONGEST_KEY else f"? {text}\n{margin}:"


def _is_literal(text: str) -> bool:
    """Tell whether `text` has several lines that can stand in the file as they are."""
    return "\n" in text.rstrip("\n") and bool(_LITERAL.match(text)) and not _BLANK_ENDS.search(text)


def _literal(before: str, text: str, margin: str) -> Iterator[str]:
    body = text.rstrip("\n")
    breaks = len(text) - len(body)
    yield f"{before} |{'-' if breaks == 0 else '+' if breaks > 1 else ''}"
    yield from (margin + line if line else "" for line in body.split("\n"))
    yield from [""] * (breaks - 1)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Date):
        return value.text
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        return value if is_bare(value, flow=False) else quote(value)
    return str(value)


def _float(value: float) -> str:
    text = repr(value)
    if not math.isfinite(value):
        return text.replace("nan", ".nan").replace("inf", ".inf")
    # A reader of YAML 1.1 takes 1e+16 for text and 1.0e+16 for a number.
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


def json_data(data: Any) -> Any:
    """Return `data` with what JSON cannot say, dates and numbers that are not finite, as text."""
    if isinstance(data, dict):
        return {key: json_data(value) for key, value in data.items()}
    if isinstance(data, Date):
        return data.text
    if isinstance(data, list):
        return [json_data(item) for item in data]
    return _float(data) if isinstance(data, float) and not math.isfinite(data) else data


def canonical_json(data: Any) -> str:
    """Return `data` as canonical JSON: keys sorted, indented by two, letters as they are, a final newline."""
    text = json.dumps(json_data(data), sort_keys=True, indent=2, ensure_ascii=False)
    # No letters, and a YAML reader of the same text would break lines at some of them.
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"

"""Path globs: what makes one invalid (`validation-rules.md` 5)."""

from __future__ import annotations

from typing import NamedTuple


class Defect(NamedTuple):
    """What is wrong with a glob and the character, counted from 0, at which it begins."""

    at: int
    reason: str


def defect(glob: str) -> Defect | None:
    """Return what makes `glob` invalid, None when it is fine; takes time linear in its length."""
    if not glob:
        return Defect(0, "it is empty")
    open_braces: list[int] = []
    at = 0
    while at < len(glob):
        char, begin = glob[at], at
        at += 1
        if char == "\\":
            if at == len(glob):
                return Defect(begin, "a backslash ends it, with nothing to escape")
            at += 1
        elif char == "[":
            end = _class_end(glob, at)
            if isinstance(end, str):
                return Defect(begin, end)
            at = end
        elif char == "{":
            open_braces.append(begin)
        elif char == "}":
            if not open_braces:
                return Defect(begin, "} closes no {")
            open_braces.pop()
    return Defect(open_braces[-1], "{ is never closed") if open_braces else None


def _class_end(glob: str, at: int) -> int | str:
    """Return the offset behind the character class whose content begins at `at`, or its defect."""
    if glob[at : at + 1] in ("^", "!"):
        at += 1
    if glob[at : at + 1] == "]":
        return "the class is empty"
    while at < len(glob):
        if glob[at] == "]":
            return at + 1
        at += 2 if glob[at] == "\\" else 1
    return "the class is never closed"

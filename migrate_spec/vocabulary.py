"""The words of each grammar, to tell a key or value of another version from one of none."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from migrate_spec import schemas

Words = frozenset[str]

_MAJORS = (0, 1, 2)


@functools.cache
def groups(name: str, keyword: str) -> tuple[Words, ...]:
    """Return the words that stand together in the schema `name`: under `properties` keys, under `enum` values."""
    return tuple(_groups(schemas.load(name), keyword))


def _groups(schema: Any, keyword: str) -> Iterator[Words]:
    if isinstance(schema, list):
        for part in schema:
            yield from _groups(part, keyword)
    elif isinstance(schema, dict):
        if keyword in schema:
            yield frozenset(map(str, schema[keyword]))
        for part in schema.values():
            yield from _groups(part, keyword)


def key_of(word: str, known: Words, name: str) -> str | None:
    """Return a remark if the key `word` stands beside `known`, keys of the schema `name`, in another version.

    The object that is most alike is its counterpart there, with a third of all keys in common at least.
    """
    for major in _others(name):
        counterpart = max(groups(f"workflow-v{major}", "properties"), key=lambda group: _alike(group, known))
        if word in counterpart and _alike(counterpart, known) > 1 / 3:
            return _remark(word, major, name)
    return None


def _alike(one: Words, other: Words) -> float:
    return len(one & other) / max(1, len(one | other))


def value_of(word: str, known: Words, name: str) -> str | None:
    """Return a remark if another version lists the value `word` with all of `known`.

    Where one such list has it and another has not, nothing is said: which is meant is not known here.
    """
    for major in _others(name):
        having = [word in group for group in groups(f"workflow-v{major}", "enum") if known <= group]
        if any(having):
            return _remark(word, major, name) if all(having) else None
    return None


def _others(name: str) -> list[int]:
    """Return the majors other than that of the schema `name`, newer ones first; none for a plan."""
    match = re.fullmatch("workflow-v([0-9])", name)
    if match is None:
        return []
    own = int(match[1])
    return sorted(set(_MAJORS) - {own}, key=lambda major: (major < own, abs(major - own)))


def _remark(word: str, major: int, name: str) -> str:
    newer = f"workflow-v{major}" > name
    return f"{word} came with version {major}" if newer else f"{word} is of version {major}"

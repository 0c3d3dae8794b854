"""The words of each grammar, to tell a key or value of another version from one of none."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from migrate_spec import schemas

_MAJORS = (0, 1, 2)


@functools.cache
def words(name: str) -> frozenset[str]:
    """Return every key and every enumerated value of the schema `name`."""
    return frozenset(_words(schemas.load(name)))


def _words(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _words(part)
    elif isinstance(schema, dict):
        yield from schema.get("properties", ())
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        for part in schema.values():
            yield from _words(part)


def version_of(word: str, name: str) -> str | None:
    """Return a remark on the version that `word` belongs to, None when it is none but that of schema `name`."""
    match = re.fullmatch("workflow-v([0-9])", name)
    if match is None or word in words(name):
        return None
    own = int(match[1])
    for major in sorted(_MAJORS, key=lambda major: (major < own, abs(major - own))):
        if major != own and word in words(f"workflow-v{major}"):
            return f"{word} came with version {major}" if major > own else f"{word} is of version {major}"
    return None

"""JSON Pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Foreign(NamedTuple):
    """A step through a mapping key that is no string: its kind and its text."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


Step = str | int | Foreign


def dump(steps: Iterable[Step]) -> str:
    """Return the pointer that `steps` spell, the empty string for none."""
    return "".join("/" + escape(str(step)) for step in steps)


def escape(step: str) -> str:
    """Return one step as it is written inside a pointer."""
    return step.replace("~", "~0").replace("/", "~1")


def parse(pointer: str) -> tuple[str, ...]:
    """Return the steps of `pointer`; ValueError when it is neither empty nor begins with a slash."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a pointer begins with a slash: {pointer!r}")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))


def join(pointer: str, *steps: Step) -> str:
    """Return `pointer` with `steps` put behind it."""
    return pointer + dump(steps)

"""JSON Pointers."""

from __future__ import annotations

import pytest

from transforms.pointer import Foreign, dump, join, parse


@pytest.mark.parametrize(
    ("steps", "pointer"),
    [
        ((), ""),
        (("",), "/"),
        (("a", 0, "b"), "/a/0/b"),
        (("a/b", "c~d", "~1"), "/a~1b/c~0d/~01"),
        ((Foreign("int", "7"), "x"), "/7/x"),
    ],
)
def test_steps_as_a_pointer_and_back(steps: tuple[str | int | Foreign, ...], pointer: str) -> None:
    assert dump(steps) == pointer
    assert parse(pointer) == tuple(map(str, steps))


def test_what_begins_without_a_slash_is_no_pointer() -> None:
    with pytest.raises(ValueError, match=r"^a pointer begins with a slash: 'a/b'$"):
        parse("a/b")


def test_steps_are_put_behind_a_pointer() -> None:
    assert join("/workflows", "a/b", 3) == "/workflows/a~1b/3"
    assert join("/workflows") == "/workflows"

from __future__ import annotations

from typing import Any

import pytest

from transforms.scalars import Date
from transforms.wording import LONGEST, listed, nearest, show, suggestion


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("on", '"on"'),
        (True, "true"),
        (1.5, "1.5"),
        (None, "nothing"),
        ({"a": 1}, "a mapping"),
        ([1], "a list"),
        (Date("2024-01-31"), "2024-01-31"),
        ("x" * 80, '"' + "x" * (LONGEST - 3) + '…"'),
        (10**70, "1" + "0" * (LONGEST - 3) + "…"),
    ],
)
def test_values_are_shown_as_they_are_written(value: Any, shown: str) -> None:
    assert show(value) == shown
    assert len(shown) <= LONGEST


def test_the_nearest_name() -> None:
    assert nearest("Implementt", ["plan", "implement"]) == "implement"
    assert nearest("zzz", ["plan", "implement"]) is None
    assert suggestion("plam", ["plan", "look"]) == 'did you mean "plan"? Allowed: plan, look'
    assert suggestion("zzz", ["plan", "look"]) == "allowed: plan, look"
    assert listed([1, "a"]) == "1, a"
    assert suggestion("x", []) == "nothing is allowed here"


def test_long_names_are_not_compared() -> None:
    name = "x" * LONGEST
    assert nearest(name + "x", [name + "x"]) is None
    assert nearest(name, [name]) == name

from __future__ import annotations

from typing import Any

import pytest

from transforms.scalars import Date
from transforms.wording import LONGEST, listed, nearest, show, suggestion, visible


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
        ("x" * (LONGEST - 2), '"' + "x" * (LONGEST - 2) + '"'),
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


def test_what_was_meant_when_several_are_near() -> None:
    events = ["advisory_reviewer_reject", "gating_reviewer_reject", "plan_rejection"]
    assert nearest("reviewer_reject", events) is None
    assert suggestion("reviewer_reject", events) == (
        'did you mean "advisory_reviewer_reject" or "gating_reviewer_reject"? '
        "Allowed: advisory_reviewer_reject, gating_reviewer_reject, plan_rejection"
    )


def test_a_name_that_begins_more_than_two_others_means_none_of_them() -> None:
    assert (
        suggestion("max_", ["max_files", "max_lines", "max_cost"])
        == "allowed: max_files, max_lines, max_cost"
    )


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("claude-code", ["anthropic", "claudecode"], "claudecode"),
        ("america/chigaco", ["America/Caracas", "America/Chicago"], "America/Chicago"),
        ("effort", ["agent", "reasoning_effort"], "reasoning_effort"),
        ("perm", ["permissions", "produces"], "permissions"),
        ("a", ["b"], None),
        ("design", ["sign", "build"], None),
        ("xplan", ["plan"], "plan"),
        ("plaan", ["plan"], "plan"),
        ("lpna", ["plan"], None),
        ("ximplmnt", ["implement"], None),
        ("modal", ["model", "medal"], "model"),
        ("getting_reviever_reject", ["gating_reviewer_reject"], "gating_reviewer_reject"),
        ("getting_reviever_rejekt", ["gating_reviewer_reject"], None),
        ("--", ["__"], "__"),
        ("x" * 59 + "y", ["x" * 60], "x" * 60),
        ("x" * 61, ["x" * 60], None),
        ("abcd", ["abcd" * 30], "abcd" * 30),
        ("abcd", ["abcd" * 30 + "a"], None),
        ("plam", [*(f"{i:09}" for i in range(249)), "plan"], "plan"),
        ("plam", [*(f"{i:09}" for i in range(250)), "plan"], None),
    ],
)
def test_what_was_meant(name: str, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant


def test_long_lists_and_names_are_cut() -> None:
    assert listed(f"n{number}" for number in range(1026)).endswith(", n23, and 1,002 more")
    assert listed(map(str, range(24))).endswith(", 22, 23")
    assert listed(["x" * 100]) == "x" * (LONGEST - 1) + "…"
    assert listed(["x" * LONGEST]) == "x" * LONGEST
    assert suggestion("x", []) == "nothing is allowed here"


def test_three_letters_are_enough_for_a_guess_and_two_are_not() -> None:
    assert nearest("per", ["permissions", "x"]) == "permissions"
    assert nearest("pe", ["permissions", "x"]) is None
    assert nearest("effort", ["reasoning-effort", "x"]) == "reasoning-effort"


def test_what_a_terminal_obeys_has_a_stand_in() -> None:
    assert visible("a\x1bb\tc\u202ed") == "a\ufffdb\tc\ufffdd"

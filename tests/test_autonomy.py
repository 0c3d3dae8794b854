"""Tiers, matrices and ceilings (`resolution.md` 9)."""

from __future__ import annotations

from typing import Any

import pytest
from support import run

from transforms import autonomy
from transforms.autonomy import CONDITIONS, NONDELEGABLE, RUN_CLASSES, TIERS, Entry, Matrix
from transforms.document import parse
from transforms.nodes import Mapping

SEVEN = (
    "gating_reviewer_reject",
    "plan_rejection",
    "scope_amendment",
    "budget_override",
    "policy_override",
    "exception_request",
    "requirement_arbitration",
)


def holder(inside: str) -> Mapping:
    root = parse(f"{{{inside}}}".encode()).mapping
    assert root is not None
    return root


def matrix(inside: str) -> Matrix:
    found = autonomy.matrix(holder(inside))
    assert found is not None
    return found


def modes(given: Matrix) -> dict[str, tuple[str, str | None, str]]:
    return {name: (entry.mode, entry.when, entry.source) for name, entry in given.classes.items()}


@pytest.mark.parametrize(
    ("tier", "auto", "pages"),
    [
        ("low", (), ()),
        ("medium", ("approve", "fixup", "retry"), SEVEN),
        ("high", ("approve", "fixup", "waive", "retry", "merge"), SEVEN),
    ],
)
def test_tiers(tier: str, auto: tuple[str, ...], pages: tuple[str, ...]) -> None:
    found = matrix(f"autonomy: {tier}")
    assert modes(found) == {
        name: ("auto", CONDITIONS[name], "tier") if name in auto else ("gated", None, "tier")
        for name in ("approve", "fixup", "waive", "retry", "merge")
    }
    assert (found.tier, found.page_human_on, found.model_policy) == (tier, pages, None)


def test_a_level_that_declares_neither_key_has_no_block() -> None:
    assert autonomy.matrix(holder("description: d")) is None


def test_empty_actions_declare_a_block_in_which_nothing_is_delegated() -> None:
    found = matrix("actions: {}")
    assert modes(found) == dict.fromkeys(RUN_CLASSES, ("gated", None, "default"))
    assert (found.tier, found.page_human_on) == (None, ())


def test_a_written_class_replaces_the_entry_of_the_tier_as_a_whole() -> None:
    found = matrix(
        "autonomy: high, actions: {approve: {mode: gated, when: clean_dual_approval}, fixup: {mode: report},"
        " merge: {mode: auto, when: gates_resolved_ci_green}, waive: {mode: report, when: solo_low}}"
    )
    assert modes(found) == {
        "approve": ("gated", None, "explicit"),
        "fixup": ("report", None, "explicit"),
        "waive": ("report", "solo_low", "explicit"),
        "retry": ("auto", "infra_flake", "tier"),
        "merge": ("auto", "gates_resolved_ci_green", "explicit"),
    }


def test_other_classes_stand_behind_the_five_in_order() -> None:
    found = matrix("actions: {zap: {mode: gated}, hygiene: {mode: report}, merge: {mode: report}}")
    assert list(found.classes) == [*RUN_CLASSES, "hygiene", "zap"]


def test_severity_is_kept_as_written() -> None:
    found = matrix("actions: {fixup: {mode: gated, min_severity: high}}")
    assert found.classes["fixup"] == Entry("gated", "explicit", None, "high")


@pytest.mark.parametrize(
    ("actions", "pages", "policy"),
    [
        ("{page_human_on: []}", (), None),
        ("{page_human_on: [scope_amendment]}", ("scope_amendment",), None),
        ("{model_policy: {}}", SEVEN, {}),
        ("{model_policy: {allowed: [m]}}", SEVEN, {"allowed": ["m"]}),
    ],
)
def test_page_list_and_model_policy(actions: str, pages: tuple[str, ...], policy: Any) -> None:
    found = matrix(f"autonomy: medium, actions: {actions}")
    assert (found.page_human_on, found.model_policy) == (pages, policy)
    assert list(found.classes) == list(RUN_CLASSES)


def test_entries_are_the_classes_alone() -> None:
    actions = holder("page_human_on: [], model_policy: {}, merge: {mode: gated}, odd: 1, 7: {mode: gated}")
    assert [name for name, _ in autonomy.entries(actions)] == ["merge"]
    assert list(autonomy.entries(None)) == []


# -- ceilings ----------------------------------------------------------------------


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("ceiling", TIERS)
def test_a_ceiling_leaves_auto_what_is_auto_in_both(tier: str, ceiling: str) -> None:
    given = matrix(f"autonomy: {tier}")
    found = autonomy.clamp(given, ceiling)
    auto = {name for name, entry in found.classes.items() if entry.mode == "auto"}
    assert auto == TIERS[tier] & TIERS[ceiling]
    assert (found == given) == (TIERS[tier] <= TIERS[ceiling])
    assert (found.tier, found.page_human_on) == (given.tier, given.page_human_on)
    assert given == matrix(f"autonomy: {tier}")


def test_a_ceiling_touches_nothing_but_what_is_auto() -> None:
    given = matrix(
        "actions: {fixup: {mode: auto, when: convergent_concerns, min_severity: low},"
        " hygiene: {mode: auto, when: objective_reversible}, waive: {mode: report, when: solo_low}}"
    )
    found = autonomy.clamp(given, "high")
    assert found.classes["fixup"] == given.classes["fixup"]
    assert found.classes["hygiene"] == Entry("gated", "escalation")
    lower = autonomy.clamp(given, "low")
    assert lower.classes["fixup"] == Entry("gated", "escalation", None, "low")
    assert lower.classes["waive"] == given.classes["waive"]


@pytest.mark.parametrize(
    ("tiers", "lowest"),
    [(["high"], "high"), (["high", "low", "medium"], "low"), (["medium", "high"], "medium")],
)
def test_the_lowest_of_several_ceilings_holds(tiers: list[str], lowest: str) -> None:
    assert autonomy.lowest(tiers) == lowest


def test_nondelegable_classes_have_no_condition() -> None:
    assert not set(NONDELEGABLE) & set(CONDITIONS)
    assert set(CONDITIONS) - set(RUN_CLASSES) == {"hygiene"}


# -- the whole document --------------------------------------------------------------

DOCUMENT = """\
version: "2"
workflows:
  base:
    autonomy: medium
    escalations:
      - {match: {labels: [a]}, require: {max_autonomy: high}}
      - {match: {labels: [b]}, require: {approvals: {count: 9}}}
      - {match: {labels: [c]}, require: {max_autonomy: low}}
    stages:
      - id: s
        type: plan
        executor: {human: true}
        gates:
          - {type: check}
          - {type: approval, approvals: {count: 1}}
          - {type: approval, approvals: {count: 1}, actions: {hygiene: {mode: auto, when: objective_reversible}}}
  derived:
    extends: base
    escalations: [{match: {labels: [a]}, require: {max_autonomy: high}}]
  quiet:
    stages: [{id: s, type: plan, executor: {human: true}}]
"""


def autonomy_of(text: str) -> Any:
    return run("resolve", "--phase", "autonomy", "--format", "json", "-", stdin=text.encode()).json


def test_every_matrix_by_its_pointer() -> None:
    found = autonomy_of(DOCUMENT)
    assert set(found) == {
        "/workflows/base",
        "/workflows/base/stages/0/gates/2",
        "/workflows/base/escalations/0",
        "/workflows/base/escalations/2",
        "/workflows/base/escalations",
        "/workflows/derived",
        "/workflows/derived/stages/0/gates/2",
        "/workflows/derived/escalations/0",
        "/workflows/quiet",
    }
    assert found["/workflows/base/escalations"] == found["/workflows/base/escalations/2"]
    assert found["/workflows/derived"] is None
    assert found["/workflows/derived/escalations/0"] is None
    gate = found["/workflows/derived/stages/0/gates/2"]
    assert gate["tier"] is None
    assert gate["classes"]["hygiene"] == {
        "mode": "auto",
        "when": "objective_reversible",
        "source": "explicit",
    }
    assert "model_policy" not in gate


def test_several_ceilings_over_no_block() -> None:
    text = DOCUMENT.replace("    autonomy: medium\n", "")
    found = autonomy_of(text)
    assert found["/workflows/base/escalations"] is None


def test_positions_of_ceilings_and_gates_skip_what_is_no_mapping() -> None:
    root = holder(
        "escalations: [1, {require: 1}, {require: {max_autonomy: low}}, {require: {max_autonomy: []}}],"
        " stages: [1, {gates: [1, {}]}]"
    )
    assert [(at, tier.text) for at, tier in autonomy.ceilings(root)] == [(2, "low")]
    assert [(i, j) for i, j, _ in autonomy.gates(root)] == [(1, 1)]


def test_a_document_without_workflows_has_no_matrices() -> None:
    assert autonomy.matrices(holder("version: x")) == {}
    assert autonomy.matrices(holder("workflows: {a: , b: {}}")) == {"/workflows/b": None}

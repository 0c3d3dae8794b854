"""What has no faithful translation: each refusal with its pointer, place and words, in the order of the text."""

from __future__ import annotations

import pytest
from trees import dedented, tree

from transforms.finding import Finding, Related
from transforms.refusals import BY_HAND, refusals


def found(text: str) -> list[tuple[str, str, str]]:
    """Return code, pointer and the text meant of each refusal."""
    return [(each.rule, each.pointer, text[each.start : each.end]) for each in refusals(tree(text))]


def workflow(inside: str, roles: str = "{}") -> str:
    return f"roles: {roles}\nworkflows: {{w: {{{inside}}}}}\n"


def gate(inside: str, roles: str = "{}") -> str:
    return workflow(f"stages: [{{id: s, gates: [{{type: approval, {inside}}}]}}]", roles)


def test_in_the_order_of_the_text() -> None:
    text = dedented(
        """
        roles:
          crowd: {members: ["@a", '@org/team', "@b", "org/other"]}
        workflows:
          second:
            operator_agent: {may_fly: x}
            stages:
              - id: s
                reviewers: {agent: 2, agents: []}
                constraints: [{a: 1}, {b: 1}, {a: 2, b: 2}]
                gates:
                  - {type: check, approvers: {any_of: [nobody]}}
                  - {type: approval, operator_agent: {may_waive: x}, approvers: {all_of: [crowd]}}
          first:
            stages:
              - reviewers: {agent: 0}
                gates: [{type: approval, approvers: {any_of: [crowd, nobody, crowd]}}]
        """
    )
    assert found(text) == [
        ("R3_team_member_ref", "/roles/crowd", "'@org/team'"),
        ("R3_team_member_ref", "/roles/crowd", '"org/other"'),
        ("R8_unknown_delegation_knob", "/workflows/second/operator_agent/may_fly", "x"),
        ("R4_reviewers_agent_count", "/workflows/second/stages/0/reviewers/agent", "2"),
        ("R5_duplicate_constraint_kind", "/workflows/second/stages/0/constraints", "a"),
        ("R5_duplicate_constraint_kind", "/workflows/second/stages/0/constraints", "b"),
        ("R8_unknown_delegation_knob", "/workflows/second/stages/0/gates/1/operator_agent/may_waive", "x"),
        ("R1_all_of_multi_member_role", "/workflows/second/stages/0/gates/1/approvers/all_of", "crowd"),
        ("R4_reviewers_agent_count", "/workflows/first/stages/0/reviewers/agent", "0"),
        ("R2_undefined_role", "/workflows/first/stages/0/gates/0/approvers/any_of", "nobody"),
    ]


R3 = (
    "the role a holds the team @org/team; approvals.members lists single people and approvals.member_of is"
    " one group, so the role has no translation"
)
R1 = (
    "all_of asks every role for an approval, and the role a has {}; major 2 has one count over one list and"
    " no quorum per role, so a count of all people would ask for too many and a smaller one would not ask"
    " every role"
)
MESSAGES = [
    (
        gate("approvals: {}", '{a: {members: ["@org/team"]}}'),
        R3,
        "write member_of: org/team on the gate by hand, or list the team's people in the role",
    ),
    (
        workflow("stages: [{id: s, reviewers: {agent: 2}}]"),
        "stage s asks for a bare number of agent reviewers (2); each reviewer of major 2 needs a provider, and"
        " none is written here",
        "name them: agents: [{provider: claudecode}, {provider: codex}]",
    ),
    (
        workflow("stages: [{constraints: [{a: 1}, {a: 2}]}]"),
        "stage (no id) has the constraint a more than once; at major 2 constraints are one mapping, in which"
        " a key stands once, so a rule would be lost",
        "merge the entries by hand",
    ),
    (gate("approvers: {any_of: [b]}"), "the role b is not defined under roles", f"define it, or {BY_HAND}"),
    (gate("approvers: {all_of: [a]}", "{a: {members: ['@a', '@a']}}"), R1.format("2 people"), BY_HAND),
    (gate("approvers: {all_of: [a]}", "{a: {members: []}}"), R1.format("no person"), BY_HAND),
    (
        workflow("operator_agent: {may_fly: x}"),
        "the delegation setting may_fly has no counterpart at major 2",
        None,
    ),
    (
        workflow("operator_agent: {may_waive: clean_dual_approval}"),
        "may_waive has the condition clean_dual_approval; waive takes solo_low and no other",
        None,
    ),
    (
        workflow("operator_agent: {model_policy: {strategy: x, budget: 1}}"),
        "model_policy has the field budget, which major 2 does not know",
        None,
    ),
    (
        workflow("operator_agent: {must_page_human: [reviewer_reject, thunder, clarification_request]}"),
        "thunder is no event that major 2 pages a human on",
        None,
    ),
]


@pytest.mark.parametrize(("text", "message", "hint"), MESSAGES)
def test_words(text: str, message: str, hint: str | None) -> None:
    [refusal] = refusals(tree(text))
    assert (refusal.message, refusal.hint, refusal.severity) == (message, hint, "error")


DELEGATION = [
    ("{may_approve: clean_dual_approval, route_fixup_min_severity: low, must_page_human: []}", []),
    ("{model_policy: {strategy: a, defaults: {}, allowed: []}}", []),
    ("{may_approve: []}", []),
    ("{must_page_human: word, model_policy: word}", []),
    ("word", []),
    (
        "{must_page_human: [a, [b], plan_rejection, c]}",
        [("R6_unknown_page_event", "/must_page_human/0", "a"), ("R6_unknown_page_event", "/must_page_human/3", "c")],
    ),
    (
        "{model_policy: {a: 1, strategy: b, c: }}",
        [
            ("R8_unknown_delegation_knob", "/model_policy/a", "1"),
            ("R8_unknown_delegation_knob", "/model_policy/c", "c"),
        ],
    ),
    ("{may_approve: }", [("R8_unknown_delegation_knob", "/may_approve", "may_approve")]),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), DELEGATION)
def test_words_of_delegation_that_major_2_does_not_know(
    block: str, expected: list[tuple[str, str, str]]
) -> None:
    at = "/workflows/w/operator_agent"
    assert found(workflow(f"operator_agent: {block}")) == [(c, at + p, t) for c, p, t in expected]
    at = "/workflows/w/stages/0/gates/0/operator_agent"
    assert found(gate(f"operator_agent: {block}")) == [(c, at + p, t) for c, p, t in expected]


UNSHAPED = [
    "a: 1",
    "workflows: []",
    "workflows: {w: 1, x: {stages: 1}, y: {stages: [1, {gates: 1}, {gates: [1]}]}}",
    "roles: []\nworkflows: {}",
    "roles: {a: 1, b: {members: 1}, c: {members: [[1]]}}",
    "workflows: {w: {stages: [{reviewers: 1}, {reviewers: {agent: []}}, {constraints: 1}, {constraints: [1]}]}}",
    "workflows: {w: {stages: [{gates: [{type: approval}, {type: approval, approvers: 1}]}]}}",
    "workflows: {w: {stages: [{gates: [{type: approval, approvers: {any_of: 1}}]}]}}",
    "workflows: {w: {stages: [{gates: [{type: approval, approvers: {any_of: [a]}, approvals: {}}]}]}}",
    "workflows: {w: {stages: [{gates: [{type: approval, approvers: {any_of: []}}]}]}}",
]


@pytest.mark.parametrize("text", UNSHAPED)
def test_shapes_that_say_nothing_are_refused_nothing(text: str) -> None:
    assert refusals(tree(text)) == []


def test_one_refusal_a_gate_and_the_first_role_decides() -> None:
    roles = "{two: {members: ['@a', '@b']}, one: {members: ['@a']}}"
    assert found(gate("approvers: {all_of: [one, two, none]}", roles)) == [
        ("R1_all_of_multi_member_role", "/workflows/w/stages/0/gates/0/approvers/all_of", "two")
    ]
    assert found(gate("approvers: {all_of: [one, none, two]}", roles)) == [
        ("R2_undefined_role", "/workflows/w/stages/0/gates/0/approvers/all_of", "none")
    ]
    assert found(gate("approvers: {any_of: [two]}", roles)) == []


def test_a_refusal_through_an_alias_names_it() -> None:
    text = "workflows: {v: {stages: [{reviewers: &r {agent: 1}}, {reviewers: *r}]}}"
    first, second = refusals(tree(text))
    assert first.related == ()
    assert second == Finding(
        "R4_reviewers_agent_count",
        "error",
        "/workflows/v/stages/1/reviewers/agent",
        first.start,
        first.end,
        first.message,
        first.hint,
        (Related(65, 67, "reached through the alias *r"),),
    )

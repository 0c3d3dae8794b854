"""Approval gates: their predicates before and after, and what the report says of each."""

from __future__ import annotations

import pytest
from trees import dedented, tree

from transforms.gates import Eligibility, all_gates, budget_stages, eligibility, roles, union, workflows

ROLES = "roles: {a: {members: ['@ada', '@brook', '@org/team']}, b: {members: ['@brook', cleo]}, c: {members: ['@dan']}}"


def report(gate: str, attempted: bool = True, known: str = ROLES) -> Eligibility:
    text = f"{known}\nworkflows: {{w: {{stages: [{{id: s, gates: [{{type: approval, {gate}}}]}}]}}}}"
    [found] = eligibility(tree(text), attempted)
    assert (found.pointer, found.stage) == ("/workflows/w/stages/0/gates/0", "s")
    return found


REPORTS = [
    (
        "approvers: {any_of: [b, c]}",
        ({"any_of": ["b", "c"]}, {"count": 1, "members": ["brook", "cleo", "dan"]}, ["brook", "cleo", "dan"], [], "widened"),
    ),
    (
        "approvers: {all_of: [c, c]}",
        ({"all_of": ["c", "c"]}, {"count": 1, "members": ["dan"]}, ["dan"], [], "widened"),
    ),
    ("approvers: {any_of: [a]}", ({"any_of": ["a"]}, None, ["ada", "brook"], [], "refused")),
    ("approvers: {all_of: [b]}", ({"all_of": ["b"]}, None, ["brook", "cleo"], [], "refused")),
    ("approvers: {any_of: [x, b]}", ({"any_of": ["x", "b"]}, None, ["brook", "cleo"], [], "refused")),
    ("approvers: {any_of: [[b], c]}", ({"any_of": ["c"]}, {"count": 1, "members": ["dan"]}, ["dan"], [], "widened")),
    ("approvers: {any_of: b}", ({}, None, [], [], "refused")),
    ("approvers: b", ({}, None, [], [], "refused")),
    (
        "approvals: {members: ['@ada', brook, ada, 1], count: 2, member_of: org/x, min_permission: write, not: [author], other: 1}",
        (
            {"count": 2, "not": ["author"], "min_permission": "write", "member_of": "org/x", "members": ["@ada", "brook", "ada", 1]},
            ...,
            ["ada", "brook"],
            ["min_permission >= write", "member_of = org/x"],
            "none",
        ),
    ),
    ("approvals: {members: ada}", ({"members": "ada"}, ..., [], [], "none")),
    ("approvals: 1", ({}, ..., [], [], "none")),
    ("sla: 1h", ({}, ..., [], [], "none")),
    ("approvers: {any_of: [b]}, approvals: {count: 1}", ({"count": 1}, ..., [], [], "none")),
]  # fmt: skip


@pytest.mark.parametrize(("gate", "expected"), REPORTS)
def test_reports(gate: str, expected: tuple[object, ...]) -> None:
    before, after, *rest = expected
    assert report(gate)[2:] == (before, before if after is ... else after, *rest)


def test_without_a_translation_nothing_is_computed() -> None:
    found = report("approvers: {any_of: [c]}", attempted=False)
    assert found[2:] == ({"any_of": ["c"]}, None, ["dan"], [], "refused")
    assert report("approvals: {count: 1}", attempted=False).change == "none"


def test_all_of_is_looked_at_when_any_of_is_no_list() -> None:
    assert report("approvers: {any_of: 1, all_of: [c]}").before == {"all_of": ["c"]}


def test_members_of_roles_as_they_are_written() -> None:
    found = roles(tree("roles: {a: {members: ['@x', [1], y]}, b: 1, 3: {members: 1}}"))
    assert {name: [node.text for node in nodes] for name, nodes in found.items()} == {
        "a": ["@x", "y"],
        "b": [],
        "3": [],
    }
    assert roles(tree("a: 1")) == {}
    assert roles(tree("roles: [a]")) == {}


def test_people_of_several_roles_each_once() -> None:
    known = roles(tree(ROLES))
    assert union(["b", "none", "a", "c"], known) == ["brook", "cleo", "ada", "dan"]
    assert union([], known) == []


def test_only_what_has_the_shape_of_a_gate_is_one() -> None:
    text = dedented(
        """
        workflows:
          v: 1
          w: {stages: 1}
          x:
            stages:
              - 1
              - {gates: 1}
              - {gates: [1, {type: check}, {type: [approval]}, {type: approval}]}
          y: {stages: [{gates: [{type: approval}]}]}
        """
    )
    root = tree(text)
    assert [gate.node.pointer for gate in all_gates(root)] == [
        "/workflows/x/stages/2/gates/3",
        "/workflows/y/stages/0/gates/0",
    ]
    assert len(list(workflows(root))) == 3
    assert list(workflows(tree("workflows: 1"))) == []
    assert [found.stage for found in eligibility(root, True)] == [None, None]


def test_stages_with_a_budget() -> None:
    stages = "[{id: a, budget: {}}, {id: b}, {budget: }, {id: 1, budget: 1}]"
    assert budget_stages(tree(f"workflows: {{w: {{stages: {stages}}}, x: {{stages: {stages}}}}}")) == [
        "a", "", "", "a", "", ""
    ]  # fmt: skip

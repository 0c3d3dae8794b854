"""Spellings that version 2 removed or renamed (`resolution.md` 3)."""

from __future__ import annotations

import pytest
from support import run

from migrate_spec.removed import SETTINGS, forms
from transforms.document import parse

STAGE = "{id: s, type: plan, executor: {agent: codex}, %s}"


def found(text: str) -> list[tuple[str, str]]:
    root = parse(text.encode()).mapping
    assert root is not None
    return [(finding.rule, finding.pointer) for finding in forms(root)]


def workflow(inside: str, stage: str = "budget: {}", file: str = "") -> str:
    return f'version: "2"\n{file}\nworkflows:\n  w: {{{inside}, stages: [{STAGE % stage}]}}\n'


FOUND = [
    pytest.param(workflow("policy: {}", file="roles: {}"), "v2-removed-roles", "/roles", id="roles, empty"),
    pytest.param(workflow("drive: "), "v2-renamed-drive", "/workflows/w/drive", id="drive, null"),
    pytest.param(workflow("drive: {}"), "v2-renamed-drive", "/workflows/w/drive", id="drive, a mapping"),
    pytest.param(
        workflow("operator_agent: "),
        "v2-removed-operator-agent",
        "/workflows/w/operator_agent",
        id="delegation",
    ),
    pytest.param(
        workflow("policy: {}", "gates: [7, {operator_agent: x}]"),
        "v2-removed-operator-agent",
        "/workflows/w/stages/0/gates/1/operator_agent",
        id="delegation on a gate",
    ),
    pytest.param(
        workflow("policy: {}", "gates: [{approvers: {}}]"),
        "v2-removed-approvers",
        "/workflows/w/stages/0/gates/0/approvers",
        id="approvers",
    ),
    pytest.param(
        workflow("policy: {}", "constraints: []"),
        "v2-reshaped-constraints",
        "/workflows/w/stages/0/constraints",
        id="constraints, an empty list",
    ),
    pytest.param(
        workflow("policy: {}", "reviewers: {agent: }"),
        "v2-removed-reviewers-agent",
        "/workflows/w/stages/0/reviewers/agent",
        id="reviewers, null",
    ),
    pytest.param(
        workflow("policy: {}", file="defaults: {reviewers: {agent: 1}}"),
        "v2-removed-reviewers-agent",
        "/defaults/reviewers/agent",
        id="reviewers in the file's defaults",
    ),
    pytest.param(
        workflow("defaults: {reviewers: {agent: 1}}"),
        "v2-removed-reviewers-agent",
        "/workflows/w/defaults/reviewers/agent",
        id="reviewers in a workflow's defaults",
    ),
    pytest.param(
        workflow("policy: {}", "budget: {max_runtime_minutes: [15]}"),
        "v2-renamed-max-runtime-minutes",
        "/workflows/w/stages/0/budget/max_runtime_minutes",
        id="minutes",
    ),
    pytest.param(
        workflow("defaults: {budget: {max_runtime_minutes: 1}}"),
        "v2-renamed-max-runtime-minutes",
        "/workflows/w/defaults/budget/max_runtime_minutes",
        id="minutes in a workflow's defaults",
    ),
    pytest.param(
        workflow("policy: {}", file="defaults: {budget: {max_runtime_minutes: 1}}"),
        "v2-renamed-max-runtime-minutes",
        "/defaults/budget/max_runtime_minutes",
        id="minutes in the file's defaults",
    ),
    pytest.param(
        workflow("actions: {must_page_human: [a, reviewer_reject]}"),
        "v2-removed-page-event",
        "/workflows/w/actions/must_page_human/1",
        id="page event",
    ),
    pytest.param(
        workflow("policy: {}", "gates: [{actions: {must_page_human: [reviewer_reject]}}]"),
        "v2-removed-page-event",
        "/workflows/w/stages/0/gates/0/actions/must_page_human/0",
        id="page event on a gate",
    ),
]


@pytest.mark.parametrize(("text", "rule", "pointer"), FOUND)
def test_found(text: str, rule: str, pointer: str) -> None:
    assert found(text) == [(rule, pointer)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(workflow("policy: {}", file="roles: [leads]"), id="roles, a list"),
        pytest.param(workflow("policy: {}", "gates: [{approvers: [leads]}]"), id="approvers, a list"),
        pytest.param(workflow("policy: {}", "constraints: {a: 1}"), id="constraints, an object"),
        pytest.param(workflow("policy: {}", "reviewers: agent"), id="reviewers, a word"),
        pytest.param(workflow("policy: {}", "gates: {approvers: {}}"), id="gates, a mapping"),
        pytest.param(
            workflow("actions: {page_human_on: [reviewer_reject]}"), id="the token under the new key"
        ),
        pytest.param(workflow("actions: {must_page_human: reviewer_reject}"), id="the token alone"),
        pytest.param(workflow("actions: {must_page_human: [plan_rejection]}"), id="another token"),
        pytest.param(workflow("actions: [must_page_human]"), id="actions, a list"),
        pytest.param(
            workflow("actions: {roles: {mode: gated}, operator_agent: {mode: gated}}"), id="classes"
        ),
        pytest.param(workflow("policy: {drive: true}"), id="drive, elsewhere"),
        pytest.param(
            'version: "2"\nworkflows: {drive: {stages: []}, operator_agent: }\n', id="workflow names"
        ),
        pytest.param(
            'version: "2"\nreviewer_personas: {reviewers: {agent: {provider: x}}}\n', id="a persona"
        ),
        pytest.param('version: "2"\nworkflows: [{drive: true}]\ndefaults: [reviewers]\n', id="odd shapes"),
    ],
)
def test_what_looks_like_one_and_is_none(text: str) -> None:
    assert found(text) == []


def test_a_reported_block_is_not_searched() -> None:
    text = workflow("operator_agent: {actions: {must_page_human: [reviewer_reject]}, drive: true}")
    assert [rule for rule, _ in found(text)] == ["v2-removed-operator-agent"]


def test_removed_forms_come_before_a_cycle_and_behind_a_wrong_version() -> None:
    text = 'version: "2"\nworkflows:\n  w: {extends: w, drive: true}\n'
    done = run("validate", "--format", "json", "-", stdin=text.encode())
    assert [found["rule"] for found in done.json["documents"][0]["diagnostics"]] == ["v2-renamed-drive"]
    done = run("validate", "--format", "json", "-", stdin=text.replace('"2"', '"2.1"').encode())
    assert [found["rule"] for found in done.json["documents"][0]["diagnostics"]] == ["version-unknown-minor"]


def test_older_majors_keep_their_spellings() -> None:
    text = workflow("drive: true, operator_agent: {}", "reviewers: {agent: 1}").replace('"2"', '"1.6"')
    assert run("validate", "-", stdin=text.encode()).code == 0


WORDS = [
    (workflow("policy: {}", file="roles: {}"), ["approvals.member_of", "approvals.members"]),
    (
        workflow("policy: {}", "gates: [{approvers: {all_of: [leads, ops]}}]"),
        [
            'all_of: ["leads", "ops"]',
            "approvals",
            "count",
            "members",
            "member_of",
            "min_permission",
            "mechanical",
        ],
    ),
    (
        workflow("operator_agent: {}"),
        ["actions", "autonomy", "mode: gated", *SETTINGS, *SETTINGS.values()],
    ),
    (workflow("drive: true"), ["write auto_advance: true"]),
    (workflow("drive: maybe"), ["rename it to auto_advance"]),
    (workflow("drive: false, auto_advance: true"), ["remove drive"]),
    (
        workflow("policy: {}", 'constraints: [{max_files_changed: 7}, {allowed_paths: ["a/**"]}, x]'),
        ['write constraints: {max_files_changed: 7, allowed_paths: ["a/**"]}, each'],
    ),
    (
        workflow("policy: {}", "constraints: [{a: {b: 1}, c: [1, 2, 3, 4, 5], d: [[]], e: , f: 6}]"),
        ["write constraints: {a: {…}, c: [1, 2, 3, 4, …], d: [, …], e: nothing, …}"],
    ),
    (workflow("policy: {}", "constraints: []"), ["write constraints: {max_files_changed: 20}"]),
    (workflow("policy: {}", "reviewers: {agent: 1}"), ["reviewers.agents", "[{provider: claudecode}]"]),
    (workflow("policy: {}", "reviewers: {agent: 3}"), ["with 3 entries"]),
    (workflow("policy: {}", "reviewers: {agent: 0}"), ["remove it"]),
    (workflow("policy: {}", "budget: {max_runtime_minutes: 90}"), ["write max_runtime: 90m"]),
    (
        workflow("policy: {}", "budget: {max_runtime_minutes: 1.5}"),
        ["max_runtime", "15 becomes max_runtime: 15m"],
    ),
    (
        workflow("actions: {must_page_human: [reviewer_reject]}"),
        ["gating_reviewer_reject", "advisory_reviewer_reject", "page_human_on"],
    ),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_the_message_says_what_to_write(text: str, words: list[str]) -> None:
    root = parse(text.encode()).mapping
    assert root is not None
    (finding,) = forms(root)
    told = f"{finding.message}\n{finding.hint}"
    assert [word for word in words if word not in told] == []
    assert told.count("\n") == 1


def test_the_place_is_the_key_or_the_value_that_changed_its_shape() -> None:
    text = workflow("drive: true", "constraints: [{a: 1}]")
    root = parse(text.encode()).mapping
    assert root is not None
    assert [text[found.start : found.end] for found in forms(root)] == ["drive", "[{a: 1}]"]

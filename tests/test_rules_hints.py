"""What rules advise, and what they measure against when several things could be meant."""

from __future__ import annotations

import pytest

from migrate_spec.rules.docs import Page
from migrate_spec.validation import check
from transforms.document import parse

REVIEWED = "reviewers: {agents: [{provider: codex}], personas: [%s]}"
PERSONA = "{remit: {path: a.md}, agent: {provider: codex}}"


def spec(inside: str, *stages: str, top: str = "") -> str:
    listed = ", ".join(
        f"{{id: s{at}, type: plan, executor: {{agent: codex}}{', ' if stage else ''}{stage}}}"
        for at, stage in enumerate(stages or ("",))
    )
    return f'version: "2"\n{top}workflows: {{w: {{{inside}{", " if inside else ""}stages: [{listed}]}}}}\n'


def said(text: str, rule: str) -> list[tuple[str, str | None]]:
    return [
        (found.message, found.hint) for found in check(parse(text.encode())).findings if found.rule == rule
    ]


def hints(text: str, rule: str) -> list[str | None]:
    return [hint for _, hint in said(text, rule)]


def escalation(require: str) -> str:
    return f"escalations: [{{match: {{labels: [x]}}, require: {{{require}}}}}]"


@pytest.mark.parametrize(
    ("zone", "hint"),
    [
        ("lisbon", 'did you mean "Europe/Lisbon"? Without a zone it is UTC'),
        ("New York", 'did you mean "America/New_York"? Without a zone it is UTC'),
        ("europe/lisbon", 'did you mean "Europe/Lisbon"? Without a zone it is UTC'),
        ("qqqqqqqq", "write a name such as Europe/Lisbon or America/Chicago. Without a zone it is UTC"),
    ],
)
def test_time_zones(zone: str, hint: str) -> None:
    text = spec(f"applies_to: {{trigger: [scheduled]}}, schedule: {{cron: 0 0 * * *, timezone: {zone}}}")
    assert hints(text, "schedule-timezone-unknown") == [hint]


GATES = "gates: [{type: approval, approvals: {count: 1, min_permission: %s}}, {type: approval, approvals: {count: 1, min_permission: %s}}]"


@pytest.mark.parametrize(
    ("gates", "required", "expected"),
    [
        (("read", "write"), "triage", ["write maintain or admin, or remove it"]),
        (("write", "read"), "write", ["write maintain or admin, or remove it"]),
        (("maintain", "read"), "write", ["write admin, or remove it"]),
        (("admin", "write"), "admin", ["remove it: nothing is stricter than admin"]),
        (("read", "write"), "maintain", []),
    ],
)
def test_a_permission_is_measured_against_the_strictest_gate(
    gates: tuple[str, str], required: str, expected: list[str]
) -> None:
    text = spec(escalation(f"approvals: {{min_permission: {required}}}"), GATES % gates)
    assert hints(text, "escalation-min-permission-not-raised") == expected


def test_a_persona_adds_nothing_only_where_every_stage_has_it() -> None:
    top = f"reviewer_personas: {{a: {PERSONA}, b: {PERSONA}}}\n"
    stages = (REVIEWED % "a, b", REVIEWED % "a", "")
    for persona, count in (("a", 1), ("b", 0)):
        text = spec(escalation(f"reviewers: [{persona}]"), *stages, top=top)
        assert len(said(text, "escalation-reviewer-no-op")) == count


def test_names_that_are_declared_nowhere() -> None:
    text = spec(escalation("reviewers: [a]"), "reviewers: {agents: [{provider: codex}], personas: [b]}")
    assert hints(text, "escalation-reviewer-unknown") == ["declare it in reviewer_personas"]
    assert hints(text, "persona-unknown") == ["declare it in reviewer_personas"]
    top = f"reviewer_personas: {{about: {PERSONA}}}\n"
    text = spec(
        escalation("reviewers: [abot]"), "reviewers: {agents: [{provider: codex}], personas: [abut]}", top=top
    )
    wanted = 'did you mean "about"? Allowed: about'
    assert hints(text, "escalation-reviewer-unknown") == [wanted]
    assert hints(text, "persona-unknown") == [wanted]


@pytest.mark.parametrize("event", ["advisory_reviewer_reject", "gating_reviewer_reject", "reviewer_reject"])
def test_page_events_that_came_later(event: str) -> None:
    text = (
        'version: "0.6"\nworkflows: {w: {operator_agent: {must_page_human: [%s]},'
        " stages: [{id: s, type: plan, executor: {agent: codex}}]}}\n"
    )
    found = [message for message, _ in said(text % event, "minor-below-field")]
    assert len(found) == (0 if event == "reviewer_reject" else 1)
    assert all(f"the page event {event}" in message for message in found)


@pytest.mark.parametrize(("text", "prose"), [("", ""), ("Why.", "Why.\n\n")])
def test_pages_with_and_without_prose(text: str, prose: str) -> None:
    page = Page("r", (2,), "error", "S.", text, "a: 1\n", "b: 2\n")
    assert page.plain() == f"{prose}Passes:\n\n    a: 1\n\nFails:\n\n    b: 2\n"
    assert page.markdown() == f"{prose}Passes:\n\n```yaml\na: 1\n```\n\nFails:\n\n```yaml\nb: 2\n```\n"


def test_only_stages_that_stand_before_are_proposed_to_read_from() -> None:
    assert hints(spec("", "", "needs: [s2]", ""), "from-stage-unknown") == []
    text = spec("", "needs: [s]", "needs: [t1]", "")
    assert hints(text, "from-stage-unknown") == ["no stage stands before this one", "allowed: s0"]

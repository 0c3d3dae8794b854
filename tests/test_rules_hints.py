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
    both, one = REVIEWED % "a, b", REVIEWED % "a"
    for stages in ((both, one, ""), ("", one, both)):
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


def stage(rest: str, kind: str = "plan", executor: str = "agent: codex") -> str:
    return f"{{id: s, type: {kind}, executor: {{{executor}}}{', ' if rest else ''}{rest}}}"


PUSH = "{id: %s, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: a.yml}}, %s}"
PROBE = "{id: probe, type: acceptance, executor: {agent: codex}, egress: {target_hosts: [a.example]}, %s}"


def flow(*stages: str, top: str = "") -> str:
    return f'version: "2"\n{top}workflows: {{w: {{stages: [{", ".join(stages)}]}}}}\n'


def test_a_class_that_is_nearly_one_with_a_condition() -> None:
    known = "only approve, fixup, waive, retry, merge, hygiene have a condition to be auto under"
    rest = "write mode: gated, or mode: report to have it proposed"
    for name, expected in (("fixpu", f'did you mean "fixup"? Otherwise {rest}'), ("polish", rest)):
        ((message, hint),) = said(spec(f"actions: {{{name}: {{mode: auto}}}}"), "action-auto-extension-class")
        assert message.endswith(f"cannot be auto: {known}")
        assert hint == expected


def test_a_condition_that_belongs_to_another_class() -> None:
    text = spec("actions: {approve: {mode: auto, when: infra_flake}}")
    ((message, hint),) = said(text, "action-when-wrong-condition")
    assert message.endswith(" has when: infra_flake, the condition of retry")
    assert hint == "write when: clean_dual_approval"


def test_a_member_loses_its_sign_and_no_letter() -> None:
    gate = "gates: [{type: approval, approvals: {count: 1, members: ['@Xenia']}}]"
    assert hints(spec("", gate), "member-with-at") == ['write "Xenia"']


def test_a_pin_that_is_blank() -> None:
    ((message, _),) = said(
        spec("", "reviewers: {agents: [{provider: codex, agent_version: ' '}]}"), "agent-version-range"
    )
    assert message == "agent_version is blank"


def test_a_stage_that_proposes_two_things() -> None:
    produces = "{artifact: plan, schema: standard_v1}, {artifact: upkeep_report, schema: upkeep_report_v1}"
    text = spec("", f"produces: [{produces}]")
    (finding,) = check(parse(text.encode())).findings
    assert finding.message.endswith(" produces an upkeep_report and a plan; it may propose one thing")
    assert finding.hint is not None
    assert finding.hint.startswith("give each a stage of its own; beside an upkeep_report there is no ")
    assert [(text[start:end], why) for start, end, why in finding.related] == [
        ("plan", "the other one stands here")
    ]


@pytest.mark.parametrize(
    ("pushes", "hint"),
    [
        ("", "the workflow has no deploy stage"),
        ("ab", "name a deploy stage: a, b"),
        ("abcdefg", "name a deploy stage: a, b, c, d, e"),
    ],
)
def test_the_deploy_stages_that_a_deployment_can_come_from(pushes: str, hint: str) -> None:
    stages = [PUSH % (name, "gates: []") for name in pushes]
    stages += ["{id: build, type: implement, executor: {agent: codex}}"]
    text = flow(*stages, PROBE % "inputs: [{artifact: deployment, from_stage: build}]")
    assert hints(text, "input-deployment-producer") == [hint]


def test_what_is_no_deployment_may_come_from_a_stage_for_production() -> None:
    push = PUSH % ("push", "constraints: {allowed_environments: [production]}")
    for artifact, count in (("deployment", 1), ("pull_request", 0)):
        text = flow(push, PROBE % f"inputs: [{{artifact: {artifact}, from_stage: push}}]")
        assert len(said(text, "input-deployment-production-target")) == count


def test_roles_that_are_defined_nowhere() -> None:
    gate = "gates: [{type: approval, approvers: {any_of: [bord]}}]"
    stage = f"{{id: s, type: plan, executor: {{agent: codex}}, {gate}}}"
    for roles, hint in (
        ("", "define it in the top-level roles, with its members"),
        ('roles: {board: {members: ["@ines"]}}\n', 'did you mean "board"? Allowed: board'),
    ):
        text = flow(stage, top=roles).replace('"2"', '"1.6"')
        assert hints(text, "approver-role-undefined") == [hint]


@pytest.mark.parametrize(
    ("inside", "written"),
    [
        ("policy: {max_stage_runtime: %s}, ", stage("")),
        ("", stage("", executor="agent: codex, timeout: %s")),
        ("", stage("budget: {max_runtime: %s}")),
        ("", stage("", "implement", "agent: codex, verify: {command: make check, timeout: %s}")),
    ],
)
def test_every_duration_is_measured(inside: str, written: str) -> None:
    text = f'version: "2"\nworkflows: {{w: {{{inside}stages: [{written}]}}}}\n'
    told = [len(said(text % time, "duration-out-of-range")) for time in ("9h", "9999999999h")]
    assert told == [0, 1], check(parse((text % "9h").encode())).findings


def test_every_pin_is_read() -> None:
    for stages in (
        stage("", executor="agent: codex, agent_version: '%s'"),
        stage("reviewers: {agents: [{provider: codex, agent_version: '%s'}]}"),
    ):
        assert [len(said(flow(stages % pin), "agent-version-range")) for pin in (">=1", "~1")] == [0, 1]


@pytest.mark.parametrize(
    ("minor", "written"),
    [
        ("1.1", stage("", "acceptance")),
        ("1.2", stage("produces: [{artifact: acceptance}]", "acceptance")),
        ("1.3", stage("egress: {target_hosts: [a.example]}", "acceptance")),
        ("1.4", stage("", executor="agent: codex, agent_version: '>=1'")),
        ("1.4", stage("reviewers: {agent: 1, agents: [{provider: codex, agent_version: '>=1'}]}")),
        ("1.5", stage("constraints: [{required_outcomes: [verification_reported]}]", "implement")),
        (
            "1.6",
            stage(
                "constraints: [{diff_coverage: {command: a, report_path: b, min_new_line_coverage: 80}}]",
                "implement",
            ),
        ),
    ],
)
def test_a_field_is_told_below_the_minor_that_brought_it(minor: str, written: str) -> None:
    major, _, number = minor.partition(".")
    for declared, count in ((f"{major}.{int(number) - 1}", 1), (minor, 0)):
        text = flow(written).replace('"2"', f'"{declared}"')
        told = [message for message, _ in said(text, "minor-below-field") if minor in message]
        assert len(told) == count, (declared, check(parse(text.encode())).findings)


def test_what_belongs_to_agents_alone() -> None:
    person = "human: true"
    egress, permissions = "egress: {target_hosts: [a.example]}", 'permissions: {write: ["a/**"]}'
    for written, names in (
        (egress, "egress"),
        (permissions, "permissions"),
        (f"{egress}, {permissions}", "permissions and egress"),
    ):
        ((message, _),) = said(flow(stage(written, "review", person)), "permissions-agent-only")
        assert f" declares {names}, and " in message


def test_the_secret_of_a_webhook_counts_where_it_is_sent() -> None:
    webhook = "delegate: {target: webhook, url: 'https://a.example', secret_env: FISHHAWK_TOKEN}"
    for kind, count in (("deploy", 1), ("implement", 0)):
        text = flow(stage("", kind, webhook))
        assert len(said(text, "webhook-secret-env-reserved")) == count


def test_a_deploy_stage_of_the_base_is_proposed_where_another_stage_has_a_new_type() -> None:
    base = f"{PUSH % ('push', 'gates: []')}, {stage('')}"
    probe = PROBE % "inputs: [{artifact: deployment, from_stage: s}]"
    text = (
        'version: "2"\nworkflows:\n'
        f"  base: {{stages: [{base}]}}\n"
        f"  derived: {{extends: base, stages: [{stage('', 'implement')}, {probe}]}}\n"
    )
    assert hints(text, "input-deployment-producer") == ["name a deploy stage: push"]


@pytest.mark.parametrize(
    ("produces", "hint"),
    [
        (
            "produces: [{artifact: deployment}]",
            'write it out: inputs: [{artifact: deployment, from_stage: "push"}]',
        ),
        ("gates: []", 'remove it, or let "push" produce what is read and name that in inputs'),
    ],
)
def test_what_a_stage_without_an_artifact_of_its_own_hands_on(produces: str, hint: str) -> None:
    text = flow(PUSH % ("push", produces), PROBE % "needs: [push]")
    assert hints(text, "needs-no-default-artifact") == [hint]

"""Documents that are long, odd or made to be slow: the right finding or verdict in bounded time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from migrate_spec.validation import check
from transforms.document import parse

MANY = 10_000
LONG = "n" * 100_000


def findings(text: str) -> list[tuple[str, str]]:
    return [(finding.rule, finding.pointer) for finding in check(parse(text.encode())).findings]


def within(seconds: float, text: str) -> list[tuple[str, str]]:
    start = time.process_time()
    found = findings(text)
    assert time.process_time() - start < seconds
    return found


def workflow(rest: str, stages: str, top: str = "") -> str:
    return f'version: "2"\n{top}workflows:\n  w: {{{rest}stages: [{stages}]}}\n'


def stage(rest: str, kind: str = "implement") -> str:
    return f"{{id: s, type: {kind}, executor: {{agent: codex}}, {rest}}}"


def names(count: int = MANY) -> str:
    return ", ".join(f"a{number}" for number in range(count))


AGENTS = "agents: [{provider: codex}]"
AT = "/workflows/w/stages/0"

UNIQUE: dict[str, tuple[Callable[[str], str], str]] = {
    "needs": (lambda items: workflow("", stage(f"needs: [{items}]")), f"{AT}/needs"),
    "conventions": (
        lambda items: workflow("", stage(f"reviewers: {{{AGENTS}, conventions: [{items}]}}")),
        f"{AT}/reviewers/conventions",
    ),
    "personas": (
        lambda items: workflow("", stage(f"reviewers: {{{AGENTS}, personas: [{items}]}}")),
        f"{AT}/reviewers/personas",
    ),
    "require.reviewers": (
        lambda items: workflow(
            f"escalations: [{{match: {{labels: [x]}}, require: {{reviewers: [{items}]}}}}], ",
            stage("needs: [s]"),
        ),
        "/workflows/w/escalations/0/require/reviewers",
    ),
    "model_policy.allowed": (
        lambda items: workflow(f"actions: {{model_policy: {{allowed: [{items}]}}}}, ", stage("inputs: []")),
        "/workflows/w/actions/model_policy/allowed",
    ),
    "writable": (
        lambda items: workflow(
            "",
            stage(
                "produces: [{artifact: pull_request}], "
                f"constraints: {{agent_instruction_paths: {{writable: [{items}]}}}}"
            ),
        ),
        f"{AT}/constraints/agent_instruction_paths/writable",
    ),
}


@pytest.mark.parametrize("name", UNIQUE)
def test_long_list_with_one_entry_twice(name: str) -> None:
    build, pointer = UNIQUE[name]
    assert within(4, build(names() + ", a7")) == [("schema", pointer)]


@pytest.mark.parametrize("name", UNIQUE)
def test_long_list_with_every_entry_twice(name: str) -> None:
    build, pointer = UNIQUE[name]
    assert set(within(6, build(f"{names(5000)}, {names(5000)}"))) == {("schema", pointer)}


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ("gates: [{type: approval, approvals: {count: 1, not: [%s]}}]", f"{AT}/gates/0/approvals/not"),
        ("constraints: {required_outcomes: [%s]}", f"{AT}/constraints/required_outcomes"),
        ("constraints: {required_upstream: [%s]}", f"{AT}/constraints/required_upstream"),
    ],
)
def test_long_list_of_words_that_are_not_known(field: str, pointer: str) -> None:
    found = within(8, workflow("", stage(field % names())))
    assert len(found) == MANY
    assert found[0] == ("schema", f"{pointer}/0")


def test_long_list_of_roles_that_are_not_defined() -> None:
    text = (
        'version: "1.6"\nroles: {lead: {members: ["@x"]}}\nworkflows: {w: {stages: [{id: s, type: plan, '
        f"executor: {{agent: codex}}, gates: [{{type: approval, approvers: {{any_of: [{names()}]}}}}]}}]}}}}\n"
    )
    found = within(6, text)
    assert len(found) == MANY
    assert {rule for rule, _ in found} == {"approver-role-undefined"}


def test_many_stages_that_need_what_is_not_there() -> None:
    stages = ", ".join(
        f"{{id: s{number}, type: plan, executor: {{agent: codex}}, needs: [t{number}]}}"
        for number in range(3000)
    )
    found = within(8, workflow("", stages))
    assert len(found) == 3000
    assert {rule for rule, _ in found} == {"from-stage-unknown"}


def test_many_stages_that_need_each_the_one_before() -> None:
    stages = ", ".join(
        f"{{id: s{number}, type: plan, executor: {{agent: codex}}"
        + (f", needs: [s{number - 1}]}}" if number else "}")
        for number in range(5000)
    )
    assert within(8, workflow("", stages)) == []


def test_many_escalations_over_many_gates() -> None:
    gates = ", ".join(["{type: approval, approvals: {count: 2}}"] * 3000)
    entries = ", ".join(
        f"{{match: {{labels: [l{number}]}}, require: {{approvals: {{count: 1}}}}}}" for number in range(3000)
    )
    found = within(8, workflow(f"escalations: [{entries}], ", stage(f"gates: [{gates}]")))
    assert len(found) == 3000
    assert {rule for rule, _ in found} == {"escalation-count-not-raised"}


def test_many_deployment_inputs_of_many_environments() -> None:
    environments = ", ".join(f"e{number}" for number in range(MANY))
    inputs = ", ".join(["{artifact: deployment, from_stage: d}"] * MANY)
    deploy = (
        "{id: d, type: deploy, executor: {delegate: {target: webhook, url: u}}, "
        f"constraints: {{allowed_environments: [{environments}, production]}}}}"
    )
    probe = f"{{id: p, type: acceptance, executor: {{agent: codex}}, inputs: [{inputs}]}}"
    found = within(10, workflow("", f"{deploy}, {probe}"))
    assert len(found) == MANY
    assert {rule for rule, _ in found} == {"input-deployment-production-target"}


def test_long_chain_of_workflows() -> None:
    links = "\n".join(
        f"  w{number}: {{extends: w{number - 1}, stages: [{{id: s{number}, type: plan, needs: [s{number - 1}]}}]}}"
        for number in range(1, 300)
    )
    text = (
        'version: "2"\ndefaults: {executor: {agent: codex}}\n'
        f"workflows:\n  w0: {{stages: [{{id: s0, type: plan}}]}}\n{links}\n"
    )
    assert within(8, text) == []


@pytest.mark.parametrize("glob", ["{a," * 25_000, "[" * 100_000, "*?" * 50_000 + "\\\\", "{" * 100_000])
def test_globs_built_to_be_slow(glob: str) -> None:
    text = workflow(f'applies_to: {{paths: ["{glob}"]}}, ', stage("inputs: []", "plan"))
    assert within(3, text) == [("predicate-path-glob", "/workflows/w/applies_to/paths/0")]


def test_braces_that_double_with_every_step_are_valid() -> None:
    text = workflow(f'applies_to: {{paths: ["{"{a,b}" * 20_000}"]}}, ', stage("inputs: []", "plan"))
    assert within(3, text) == []


def test_names_of_any_length() -> None:
    assert within(3, f'version: "2"\nworkflows:\n  ? {LONG}\n  : {{stages: [{stage("inputs: []")}]}}\n') == []
    unknown = workflow("", stage(f"needs: [{LONG}]"))
    assert within(3, unknown) == [("from-stage-unknown", f"{AT}/needs/0")]
    (finding,) = check(parse(unknown.encode())).findings
    assert len(finding.message) < 300


def test_version_range_and_cron_of_any_length() -> None:
    ranged = workflow("", stage("inputs: []").replace("codex", f'codex, agent_version: "{">=1 " * 50_000}x"'))
    assert within(3, ranged) == [("agent-version-range", f"{AT}/executor/agent_version")]
    items = ",".join(["0-59/7"] * 30_000)
    timed = workflow(
        f'applies_to: {{trigger: [scheduled]}}, schedule: {{cron: "{items} 0 * * *"}}, ', stage("inputs: []")
    )
    assert within(5, timed) == []


@pytest.mark.parametrize(
    ("top", "pointer"),
    [
        ("defaults: words\n", "/defaults"),
        ("defaults: [a]\n", "/defaults"),
        ("defaults:\n", "/defaults"),
        ("defaults: {1: a}\n", "/defaults"),
        ("2024-01-01: a\n", ""),
        ("true: a\n", ""),
        ("? [a, b]\n: c\n", ""),
        (".nan: a\n", ""),
    ],
)
def test_odd_blocks_at_the_top(top: str, pointer: str) -> None:
    assert set(findings(workflow("", stage("inputs: []"), top))) == {("schema", pointer)}


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1e999", "2024-01-01", "null", "{}"])
def test_numbers_that_are_none(value: str) -> None:
    found = findings(workflow("", stage(f"budget: {{limit_usd: {value}}}")))
    assert found == [("schema", f"{AT}/budget/limit_usd")]


def test_whole_numbers_by_value() -> None:
    assert findings(workflow("on_ci_failure: {max_retries: 3.0}, ", stage("inputs: []"))) == []
    assert findings(workflow("on_ci_failure: {max_retries: true}, ", stage("inputs: []"))) == [
        ("schema", "/workflows/w/on_ci_failure/max_retries")
    ]


def test_a_file_100_times_as_long_takes_not_much_more_than_100_times_the_time() -> None:
    def document(count: int) -> bytes:
        body = "\n".join(
            f"  w{number}:\n    stages:\n      - {{id: a, type: plan, executor: {{agent: codex}}}}\n"
            "      - {id: b, type: implement, executor: {agent: codex}, needs: [a], "
            "produces: [{artifact: pull_request}], constraints: {max_files_changed: 3}}"
            for number in range(count)
        )
        return f'version: "2"\nworkflows:\n{body}\n'.encode()

    def seconds(count: int) -> float:
        data, best = document(count), float("inf")
        for _ in range(3):
            start = time.process_time()
            assert check(parse(data)).findings == []
            best = min(best, time.process_time() - start)
        return best

    seconds(20)
    # The bar is 130; a machine under load is given room, a quadratic step is not: it would be 10,000.
    assert seconds(2000) < 400 * seconds(20)

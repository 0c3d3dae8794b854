from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate_spec.rules.docs import pages
from migrate_spec.validation import check
from transforms.document import parse
from transforms.finding import Finding

GOLDEN = Path(__file__).parent.parent / "golden" / "validate"

RAW = re.compile(
    r"\{'|\['|Traceback|unevaluatedProperties|additionalProperties|anyOf|oneOf|allOf|minItems|minLength"
    r"|\bNone\b|\bTrue\b|\bFalse\b|\^\[|\\Z|is not valid under"
)


def found(text: str) -> list[Finding]:
    return check(parse(text.encode())).findings


def words(text: str) -> list[tuple[str, str | None]]:
    return [(finding.message, finding.hint) for finding in found(text)]


def stage(rest: str) -> str:
    """Return a document with one stage that ends with `rest`."""
    return f'version: "2"\nworkflows:\n  w:\n    stages:\n      - {{id: s, type: plan, executor: {{agent: codex}}, {rest}}}\n'


def document(rest: str) -> str:
    """Return a document whose one workflow ends with `rest`."""
    return f'version: "2"\nworkflows:\n  w: {{stages: [{{id: s, type: plan, executor: {{agent: codex}}}}], {rest}}}\n'


EXPECTED = [
    (
        stage("gates: [{type: approval, approvals: {cuont: 1}}]"),
        [
            ('approvals lacks the key "count"', "add count: 1"),
            (
                'approvals has no key "cuont"',
                'did you mean "count"? Allowed: count, not, min_permission, member_of, members',
            ),
        ],
    ),
    (
        "version: '2'\nworkflows: {w: {stages: [{}]}}\n",
        [
            (
                'stages[0] lacks the keys "id", "type", "executor"',
                "add id: …, type: plan | implement | review | deploy | acceptance, executor: {…}",
            )
        ],
    ),
    (
        stage("budget: {limit_usd: 3.10.1}"),
        [('limit_usd takes a number, not the text "3.10.1"', "write a number")],
    ),
    (
        stage("budget: {limit_usd: -.inf}"),
        [("limit_usd takes a number, not -.inf, which is no finite number", "write a number")],
    ),
    (
        document("auto_advance: off"),
        [('auto_advance takes true or false, not the text "off"', "write false")],
    ),
    (
        document("description: 2024-01-02"),
        [("description takes a string, not the date 2024-01-02", 'write it in quotes: "2024-01-02"')],
    ),
    (
        document("description: 1.10"),
        [("description takes a string, not the number 1.10", 'write it in quotes: "1.10"')],
    ),
    (
        document("policy: {max_stage_runtime: 90}"),
        [
            (
                "max_stage_runtime takes a string, not the number 90",
                "write a duration such as 30m or 1h30m",
            )
        ],
    ),
    (
        document("policy: {max_stage_runtime: '10m\n\n'}"),
        [
            (
                'max_stage_runtime is not a duration: "10m\\n" has blanks or line breaks around it',
                "write a duration such as 30m or 1h30m",
            )
        ],
    ),
    (document("policy: "), [("policy is empty; it takes a mapping", "write a value or remove the key")]),
    (
        document("policy: 10m"),
        [('policy takes a mapping, not the text "10m"', "write keys, each with its value")],
    ),
    (
        document("on_ci_failure: {max_retries: 9}"),
        [("max_retries is 9; it must be at most 5", "write a number from 0 to 5")],
    ),
    (
        document("budgets: {}"),
        [("budgets takes a list, not a mapping", "write each entry behind a dash")],
    ),
    (
        document("escalations: []"),
        [("escalations is an empty list; it takes at least one entry", "write an entry or remove the key")],
    ),
    (
        document("extends: 'Big Base'"),
        [
            (
                'w extends "Big Base", which is no workflow of this file',
                "leave it out: no other workflow can be the base",
            )
        ],
    ),
    (
        document("gate_container: {image: " + "a" * 513 + "}"),
        [("image has 513 characters; it takes at most 512", "shorten it")],
    ),
    (
        document("gate_container: {dockerfile: D}"),
        [
            (
                "gate_container takes either image or dockerfile with context; only dockerfile is set",
                "write exactly one form",
            )
        ],
    ),
    (
        document("actions: {Merge: {mode: gated}}"),
        [
            (
                '"Merge" cannot be a name in actions',
                "write merge: small letters, digits and underscores, a letter first",
            )
        ],
    ),
    (
        document("actions: {page_human_on: [reviewer_reject]}"),
        [
            (
                'page_human_on[0] cannot be "reviewer_reject"',
                'reviewer_reject is of version 1; did you mean "advisory_reviewer_reject" or "gating_reviewer_reject"? Allowed: '
                "advisory_reviewer_reject, gating_reviewer_reject, plan_rejection, scope_amendment, "
                "budget_override, policy_override, exception_request, requirement_arbitration, "
                "clarification_request",
            )
        ],
    ),
    (
        document("schedule: {cron: '0 0 * * *', timezone: lisbon}, applies_to: {trigger: [scheduled]}"),
        [
            (
                '"lisbon" is no zone of the IANA database',
                'did you mean "Europe/Lisbon"? Without a zone it is UTC',
            )
        ],
    ),
    (
        'version: "2"\nworkflows: {w: {stages: [{id: s, type: plan, executor: {agent: codex}}]}}\n2024-01-01: x\n',
        [("the key 2024-01-01 is not a string", 'write it in quotes: "2024-01-01"')],
    ),
    (
        'version: "2"\nworkflows: {w: {stages: [{id: s, type: plan, executor: {agent: codex}}]}}\n[a]: x\n',
        [("a list or mapping cannot be a key", "write a name")],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), EXPECTED, ids=[expected[0][0][:50] for _, expected in EXPECTED]
)
def test_words(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("version", "key", "remark"),
    [
        ("0.7", "egress", "egress came with version 1; "),
        ("0.7", "permissions", "permissions came with version 2; "),
        ("1.6", "needs", "needs came with version 2; "),
        ("2", "drives", ""),
        ("1.6", "timeout", ""),
    ],
)
def test_key_of_another_version_is_told(version: str, key: str, remark: str) -> None:
    text = f'version: "{version}"\nworkflows: {{w: {{stages: [{{id: s, type: plan, executor: {{agent: a}}, {key}: 1}}]}}}}\n'
    ((message, hint),) = words(text)
    assert message == f'stages[0] has no key "{key}"'
    assert (hint or "").startswith(f"{remark}allowed: id, type, executor, ")


def test_key_of_another_version_is_told_although_the_word_stands_elsewhere() -> None:
    text = 'version: "1.6"\ndefaults: {}\nworkflows: {w: {stages: [{id: s, type: plan, executor: {agent: a}}]}}\n'
    assert words(text) == [
        (
            'the document has no key "defaults"',
            "defaults came with version 2; allowed: version, workflows, roles, test_conventions",
        )
    ]


def test_value_of_another_version_is_told() -> None:
    text = 'version: "0.7"\nworkflows: {w: {stages: [{id: s, type: deploy, executor: {agent: a}}]}}\n'
    assert words(text) == [
        ('type cannot be "deploy"', "deploy came with version 1; allowed: plan, implement, review")
    ]


def test_every_repeated_entry_is_told_with_the_place_of_the_first() -> None:
    text = stage("reviewers: {agents: [{provider: codex}], personas: [a, b, a, b, a]}")
    got = parse(text.encode())
    findings = check(got).findings
    assert [finding.message for finding in findings] == [
        'personas holds "a" twice',
        'personas holds "b" twice',
    ]
    firsts = [finding.related[0].start for finding in findings]
    assert [got.text[start] for start in firsts] == ["a", "b"]
    assert all(first < finding.start for first, finding in zip(firsts, findings, strict=True))


def everything(shared: Path) -> Iterator[str]:
    from ruamel.yaml import YAML

    for area in ("validate", "resolve", "migrate"):
        for file in sorted((shared / "cases" / area).glob("*.yaml")):
            for case in YAML(typ="safe", pure=True).load(file)["cases"]:
                yield case["source"]
    for path in GOLDEN.glob("*/source.yaml"):
        yield path.read_bytes().decode(errors="replace")
    for page in pages().values():
        yield page.fails


def test_messages_are_short_and_plain(shared: Path) -> None:
    seen = 0
    for text in everything(shared):
        for finding in found(text):
            seen += 1
            said = f"{finding.message}\n{finding.hint}"
            assert finding.hint
            assert finding.message.strip() == finding.message
            assert len(said.splitlines()) == 2, finding
            assert not RAW.search(said), finding
            assert len(said) < 700, finding
    assert seen > 700


def test_values_of_any_length_are_cut() -> None:
    long = "x" * 100_000
    for rest in (
        f"stages2: {long}",
        f"{long}: 1",
        f"autonomy: {long}",
        f"auto_advance: {long}",
        f"budgets: {long}",
    ):
        for message, hint in words(document(rest)):
            assert len(message) < 300
            assert len(hint or "") < 700

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import process, run

from migrate_spec.rules import RULES
from migrate_spec.rules.docs import page, pages
from migrate_spec.validation import check
from transforms.document import parse
from transforms.finding import Finding

PAGES = pages()


def found(text: str, source: bool = False) -> list[Finding]:
    return check(parse(text.encode()), source).findings


def rules(text: str, source: bool = False) -> set[tuple[str, str]]:
    return {(finding.rule, finding.pointer) for finding in found(text, source)}


@pytest.mark.parametrize("name", PAGES)
def test_documented_document_passes(name: str) -> None:
    assert found(PAGES[name].passes) == []


@pytest.mark.parametrize("name", PAGES)
def test_documented_document_fails_by_its_rule(name: str) -> None:
    findings = found(PAGES[name].fails)
    assert {finding.rule for finding in findings} == {name}
    assert {finding.severity for finding in findings} == {PAGES[name].severity}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A summary alone.",
        "A summary.\n\nPasses:\n\n    a: 1\n",
        "Passes:\n\n    a: 1\n\nFails:\n\n    a: 2\n",
    ],
)
def test_rule_without_both_documents_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs a summary"):
        page("some-rule", (2,), "error", text)


def test_ids_are_unique_and_named_as_their_functions() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.check.__name__ == rule.id.replace("-", "_")


def facts(shared: Path) -> dict[str, tuple[set[int], str]]:
    """Return the rules of the facts: their majors and who enforces them."""
    text = (shared / "facts" / "validation-rules.md").read_text()
    text = text[text.index("## 4. ") : text.index("## 5. ")]
    found = {}
    for section in text.split("\n### ")[1:]:
        title = section.splitlines()[0]
        header: list[str] = []
        for line in section.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if line.startswith("| rule "):
                header = cells
            elif line.startswith("| `") and header:
                row = dict(zip(header, cells, strict=True))
                majors = {"all": {0, 1, 2}}.get(row.get("majors", "2")) or {
                    int(major) for major in row.get("majors", "2").split(",")
                }
                enforced = row.get("enforced by", "backend" if "matrix" in title else "both")
                found[row["rule"].strip("`")] = (majors, enforced)
    return found


def test_table_is_that_of_the_facts(shared: Path) -> None:
    wanted = facts(shared)
    table = {rule.id: rule for rule in RULES if rule.severity == "error"}
    assert table.keys() - {"stage-id-duplicate"} == wanted.keys()
    for name, (majors, enforced) in wanted.items():
        assert set(table[name].majors) == majors, name
        assert table[name].source == enforced.startswith("both"), name


def test_warnings_are_those_of_the_facts(shared: Path) -> None:
    text = (shared / "facts" / "validation-rules.md").read_text()
    text = text[text.index("### Warnings") : text.index("## 7. ")]
    wanted = set(re.findall(r"^\| `([a-z-]+)`", text, re.M))
    assert {rule.id for rule in RULES if rule.severity == "warning"} == wanted


# -- which finding silences which ----------------------------------------------

HEAD = 'version: "2"\ndefaults: {executor: {agent: codex}}\nworkflows:\n'


def test_rule_that_is_not_run_silences_none() -> None:
    text = HEAD + (
        "  schema:\n    escalations: [{match: {paths: [db]}, require: {max_autonomy: low}}]\n"
        "    stages: [{id: build, type: implement}]\n"
    )
    at = "/workflows/schema/escalations/0"
    assert rules(text) == {("escalation-max-autonomy-no-op", f"{at}/require/max_autonomy")}
    assert rules(text, source=True) == {("escalation-paths-no-plan-stage", f"{at}/match/paths")}


def test_source_check_leaves_out_what_only_the_full_check_knows() -> None:
    text = HEAD + (
        "  a:\n    actions: {retry: {mode: auto}}\n    stages:\n"
        "      - {id: ship, type: deploy}\n"
        "      - {id: build, type: implement, produces: [{artifact: plan}], needs: [nowhere]}\n"
    )
    assert {rule for rule, _ in rules(text)} == {
        "action-auto-requires-when",
        "deploy-requires-delegate",
        "plan-schema-required",
        "from-stage-unknown",
    }
    assert {rule for rule, _ in rules(text, source=True)} == {"from-stage-unknown"}


def test_warnings_stay_out_of_the_source_check() -> None:
    assert {finding.severity for finding in found(PAGES["member-with-at"].fails)} == {"warning"}
    assert found(PAGES["member-with-at"].fails, source=True) == []


def test_unknown_persona_and_one_that_raises_nothing_are_both_told() -> None:
    text = (
        'version: "2"\nreviewer_personas: {a: {agent: {provider: codex}, remit: {path: a.md}}}\nworkflows:\n'
        "  w:\n    escalations: [{match: {labels: [x]}, require: {reviewers: [a, b]}}]\n    stages:\n"
        "      - {id: s, type: plan, executor: {agent: codex},"
        " reviewers: {agents: [{provider: codex}], personas: [a]}}\n"
    )
    at = "/workflows/w/escalations/0/require/reviewers"
    assert rules(text) == {
        ("escalation-reviewer-no-op", f"{at}/0"),
        ("escalation-reviewer-unknown", f"{at}/1"),
    }


def test_first_conflicting_report_that_lacks_its_schema_gets_the_schema_finding_alone() -> None:
    text = HEAD + (
        "  w:\n    stages:\n      - {id: s, type: plan, produces: [{artifact: upkeep_report},"
        " {artifact: comms_report, schema: comms_report_v1}]}\n"
    )
    assert rules(text) == {("report-schema-required", "/workflows/w/stages/0/produces/0")}


def test_two_deployment_inputs_lack_the_hosts_once() -> None:
    text = HEAD + (
        "  w:\n    stages:\n"
        "      - {id: a, type: deploy, executor: {delegate: {target: webhook, url: u}}}\n"
        "      - {id: b, type: acceptance, inputs: [{artifact: deployment, from_stage: a},"
        " {artifact: deployment, from_stage: a}]}\n"
    )
    assert [(finding.rule, finding.pointer) for finding in found(text)] == [
        ("input-deployment-egress", "/workflows/w/stages/1")
    ]


# -- where a fault is written, and who fails by it -----------------------------


def test_fault_in_a_base_is_told_once_by_its_own_workflow() -> None:
    text = HEAD + (
        "  a: {extends: b}\n  c: {extends: b}\n"
        "  b: {stages: [{id: s, type: plan, produces: [{artifact: plan}]}]}\n"
    )
    (only,) = found(text)
    assert (only.rule, only.pointer) == ("plan-schema-required", "/workflows/b/stages/0/produces/0")
    assert 'workflow "b"' in only.message
    assert only.related == ()


def test_fault_that_a_deriver_makes_names_the_deriver_and_its_place() -> None:
    text = HEAD + (
        "  base: {stages: [{id: s, type: plan, produces: [{artifact: plan, schema: standard_v1}]}]}\n"
        "  deriver:\n    extends: base\n    stages: [{id: s, type: review, produces: [{artifact: pull_request}],"
        " constraints: {max_files_changed: 1}}]\n"
        "  other:\n    extends: base\n    stages: [{id: s, type: deploy}]\n"
    )
    document = parse(text.encode())
    (only,) = check(document).findings
    assert (only.rule, only.pointer) == ("deploy-requires-delegate", "/defaults/executor")
    assert 'workflow "other"' in only.message
    assert [(document.position(start), words) for start, _, words in only.related] == [
        ((8, 3), 'workflow "other" inherits it')
    ]


def test_retyped_stage_is_looked_at_by_what_reads_from_it() -> None:
    text = HEAD + (
        "  top: {extends: middle}\n"
        "  middle: {extends: base, stages: [{id: outline, type: review}]}\n"
        "  base: {stages: [{id: outline, type: plan}, {id: build, type: implement, needs: [outline]}]}\n"
    )
    (only,) = found(text)
    assert (only.rule, only.pointer) == (
        "needs-no-default-artifact",
        "/workflows/base/stages/1/needs/0",
    )
    assert 'workflow "middle"' in only.message


def test_inherited_gates_and_plan_stages_count_for_escalations() -> None:
    text = HEAD + (
        "  top:\n    extends: base\n    escalations:\n"
        "      - {match: {paths: [db]}, require: {approvals: {count: 2}}}\n"
        "      - {match: {labels: [x]}, require: {approvals: {count: 3}}}\n"
        "  base: {stages: [{id: s, type: plan, gates: [{type: approval, approvals: {count: 2}}]}]}\n"
    )
    assert rules(text) == {
        ("escalation-count-not-raised", "/workflows/top/escalations/0/require/approvals/count")
    }


def test_message_shows_the_word_that_the_author_wrote() -> None:
    text = HEAD + "  w:\n    stages: [{id: outlin, type: plan}, {id: b, type: implement, needs: [outline]}]\n"
    (only,) = found(text)
    assert '"outline"' in only.message
    assert only.hint == 'did you mean "outlin"? Allowed: outlin'


# -- the command ----------------------------------------------------------------


def test_rules_lists_every_rule() -> None:
    result = run("rules")
    assert result.code == 0
    listed = [line.split()[0] for line in result.text.splitlines()]
    assert listed[: len(PAGES)] == list(PAGES)  # those of plans follow
    assert "member-with-at                        warning" in result.text


def test_rules_explains_one() -> None:
    result = run("rules", "schedule-never-fires")
    page = PAGES["schedule-never-fires"]
    assert result.code == 0
    assert result.text.startswith(f"schedule-never-fires: {page.summary}\n\n{page.text}\n\nPasses:\n\n")
    assert '    schedule: {cron: "0 0 30 2 *"}\n' in result.text.split("Fails:")[1]
    assert result.text.endswith("It is an error; major 2.\n")


def test_rules_explains_a_warning() -> None:
    assert run("rules", "minor-below-field").text.endswith(
        "It is a warning, which changes no verdict; majors 0,1.\n"
    )


def test_rules_guesses_what_was_meant() -> None:
    result = run("rules", "schedule-never-fire")
    assert result.code == 2
    assert 'did you mean "schedule-never-fires"?' in result.error
    assert result.out == b""


def test_rules_runs_as_a_process() -> None:
    assert process("rules").out == run("rules").out

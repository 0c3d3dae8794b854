"""The promises of a migration over documents that are valid by construction, in any layout."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from authority import AGENT, AUTHOR, STRANGER, alone_new, alone_old, clears_new, clears_old
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from layouts import Style, render
from strategies import SEEDS, STYLES, old_documents

from benchmarks.minimal import count
from migrate_spec.migrate import MIGRATED, NO_OP, REFUSED, Outcome, run
from transforms.document import Document, parse
from transforms.edits import unified
from transforms.nodes import plain

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
documents = st.one_of(old_documents(1), old_documents(0))
laid_out = st.builds(lambda data, style, seed: (data, render(data, style, seed)), documents, STYLES, SEEDS)


def data_of(document: Document) -> Any:
    assert document.root is not None
    assert not document.faults
    return plain(document.root)


def migrated(source: bytes) -> Outcome:
    outcome = run(parse(source), from_v0=True)
    refusals = [(r.finding, r.diagnostics) for r in outcome.refusals]
    assert outcome.outcome == MIGRATED, refusals
    assert outcome.text is not None
    return outcome


@given(laid_out)
@relaxed
def test_layouts_hold_their_data(both: tuple[Any, bytes]) -> None:
    data, source = both
    assert data_of(parse(source)) == data


@given(laid_out)
@relaxed
def test_every_document_without_refusals_migrates_minimally(both: tuple[Any, bytes]) -> None:
    outcome = migrated(both[1])
    found = count(outcome)
    assert found.needless == []
    assert found.lost == 0
    output = outcome.document.encode(outcome.text or "")
    again = run(parse(output))
    assert again.outcome == NO_OP
    assert output.startswith(b"\xef\xbb\xbf") == both[1].startswith(b"\xef\xbb\xbf")
    assert output.endswith(b"\n") == both[1].endswith(b"\n") or ends_in_its_break(output)
    assert glued(parse(output)) <= glued(outcome.document)


def ends_in_its_break(source: bytes) -> bool:
    """Tell whether the last line break of `source` is text, of a block scalar."""
    return bool(data_of(parse(source)) != data_of(parse(source[:-1])))


def glued(document: Document) -> int:
    """Return how many comments follow a token at once, which strict readers refuse."""
    return sum(1 for start, _end in document.comments if start and not document.text[start - 1].isspace())


@given(laid_out)
@relaxed
def test_diff_applied_is_the_output(both: tuple[Any, bytes]) -> None:
    outcome = migrated(both[1])
    diff = unified(outcome.document.text, outcome.edits, "a/x", "b/x")
    assert applied(outcome.document.text, diff) == outcome.text


def applied(text: str, diff: str) -> str:
    """Apply a unified diff by its line numbers, checking every line it names."""
    old = re.findall(r"[^\n]*\n|[^\n]+", text)
    new: list[str] = []
    at = 0
    lines = re.findall(r"[^\n]*\n|[^\n]+", diff)[2:]
    for line, following in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        body = line[1:-1] if following.startswith("\\") else line[1:]
        if line.startswith("@@"):
            match = re.match(r"@@ -(\d+)(?:,(\d+))? ", line)
            assert match is not None
            begin = int(match[1]) - (match[2] != "0")
            new += old[at:begin]
            at = begin
        elif line[0] in " -":
            assert old[at] == body
            at += 1
            new += [body] if line[0] == " " else []
        elif line[0] == "+":
            new.append(body)
    return "".join(new + old[at:])


@given(documents, STYLES, SEEDS)
@relaxed
def test_line_end_twins_agree(data: Any, style: Style, seed: int) -> None:
    unix = migrated(render(data, style._replace(newline="\n"), seed))
    windows = migrated(render(data, style._replace(newline="\r\n"), seed))
    assert windows.text == (unix.text or "").replace("\n", "\r\n")


@given(documents, SEEDS)
@relaxed
def test_block_flow_and_json_spellings_mean_the_same(data: Any, seed: int) -> None:
    spellings = [
        render(data),
        render(data, Style(0, 0, 1, 0, 0, 0, 0), seed),
        render(data, Style(0, 0.2, 0.3, 1, 0.5, 0.3, 0.05), seed),
        json.dumps(data, ensure_ascii=False).encode(),
    ]
    outputs = [data_of(parse((migrated(source).text or "").encode())) for source in spellings]
    assert outputs == [outputs[0]] * len(spellings)
    json.loads(migrated(spellings[-1]).text or "")


@given(old_documents(1, migratable=False), STYLES, SEEDS)
@relaxed
def test_a_refusal_names_a_code_that_a_valid_file_can_reach(data: Any, style: Style, seed: int) -> None:
    outcome = run(parse(render(data, style, seed)))
    assume(outcome.outcome == REFUSED)
    assert outcome.text is None
    codes = {refusal.finding.rule[:2] for refusal in outcome.refusals}
    assert codes <= {"R1", "R2", "R3", "R4", "R5"}


def gates(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, workflow in data["workflows"].items():
        for i, stage in enumerate(workflow["stages"]):
            for j, gate in enumerate(stage.get("gates", [])):
                if gate["type"] == "approval":
                    yield f"/workflows/{name}/stages/{i}/gates/{j}", gate


def assert_same_authority(outcome: Outcome) -> None:
    """Old and new agree on every subset of the people named, a stranger, the author and an agent.

    The one difference is the one that the report names: a person named who is also the author.
    """
    old = data_of(outcome.document)
    new = data_of(parse((outcome.text or "").encode()))
    reported = {gate.pointer: gate for gate in outcome.gates}
    after = dict(gates(new))
    assert list(reported) == [pointer for pointer, _gate in gates(old)]
    for pointer, gate in gates(old):
        report = reported[pointer]
        assert report.after == {**after[pointer]["approvals"]}
        assert_same_block(gate, after[pointer])
        if "approvers" not in gate:
            assert report.change == "none"
            assert gate["approvals"] == after[pointer]["approvals"]
            continue
        assert report.change == "widened"
        assert "not" not in after[pointer]["approvals"]
        crowd = [*report.enumerable[:7], STRANGER, AUTHOR, AGENT]
        for size in range(len(crowd) + 1):
            for signers in map(set, itertools.combinations(crowd, size)):
                assert clears_old(gate, old.get("roles", {}), signers) == clears_new(after[pointer], signers)
    for name, workflow in old["workflows"].items():
        assert_same_block(workflow, new["workflows"][name])


def assert_same_block(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert alone_old(before.get("operator_agent")) == alone_new(after)
    if "operator_agent" not in before:
        assert "autonomy" not in after
        assert "actions" not in after


@given(laid_out)
@relaxed
def test_nobody_may_do_more_or_less_than_the_report_says(both: tuple[Any, bytes]) -> None:
    assert_same_authority(migrated(both[1]))


@pytest.mark.parametrize("name", ["full-governance", "anchors-and-merges", "comments-everywhere", "json"])
def test_authority_of_golden_documents(name: str) -> None:
    from conftest import GOLDEN

    assert_same_authority(migrated((GOLDEN / "migrate" / name / "source.yaml").read_bytes()))


def test_authority_of_shared_documents(shared: Any) -> None:
    from ruamel.yaml import YAML

    seen = 0
    for path in sorted((shared / "cases" / "migrate").glob("*.yaml")):
        for case in YAML(typ="safe", pure=True).load(path)["cases"]:
            outcome = run(parse(case["source"].encode()), from_v0=bool(case.get("options")))
            if outcome.outcome == MIGRATED:
                assert_same_authority(outcome)
                seen += 1
    assert seen > 40


def test_the_model_tells_authority_apart() -> None:
    """The model must be able to say no, or agreeing with it would mean nothing."""
    roles = {"leads": {"members": ["@a", "@b"]}, "security": {"members": ["@c"]}}
    both = {"approvers": {"all_of": ["leads", "security"]}}
    assert clears_old(both, roles, {"a", "c"})
    assert not clears_old(both, roles, {"a", "b"})
    assert clears_new({"approvals": {"count": 2, "members": ["a", "b", "c"]}}, {"a", "b"})
    assert not clears_new({"approvals": {"count": 1, "members": ["a"]}}, {STRANGER, AUTHOR, AGENT})
    assert alone_new({"autonomy": "medium"}) != alone_new({"autonomy": "high"})

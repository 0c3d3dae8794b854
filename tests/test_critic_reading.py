from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from conftest import GOLDEN
from hypothesis import given
from hypothesis import strategies as st

from migrate_spec import files
from migrate_spec.plans import critic, ledger, service_plan
from migrate_spec.plans.ordering import unplaced
from migrate_spec.plans.service_plan import read

CLEAN = (GOLDEN / "service-plan" / "clean" / "plan.md").read_text()
FRONT = CLEAN[: CLEAN.index("# Berth")]


def front(line: str) -> str:
    return read(f"---\n{line}\n---\n## Session S1: one\n".encode()).value("key")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("key: a", "a"),
        ("key:a", "a"),
        ("key: \t a \t", "a"),
        ("key: a # b", "a"),
        ("key: a\t# b", "a"),
        ("key: a#b", "a#b"),
        ("key: # b", ""),
        ("key: #b", ""),
        ("key:", ""),
        ("key: 'a b'", "a b"),
        ('key: "a" # b', "a"),
        ('key: "a', "a"),
        ('key: ""a""', '"a"'),
        ("key: ' a '", "a"),
        ("key: a: b", "a: b"),
        (" key: a", ""),
        ("key : a", ""),
        ("key: a\nkey: b", "a"),
        ("key:\nkey: b", ""),
        ("- key: a", ""),
        ("x: 1\n\nkey: a", "a"),
    ],
)
def test_a_frontmatter_value_is_read_as_written(line: str, value: str) -> None:
    assert front("other: x\n" + line) == value


def session(*lines: str) -> service_plan.Session:
    plan = read((FRONT + "\n## Session S1: one\n" + "\n".join(lines) + "\n").encode())
    assert plan.fault is None
    return plan.sessions[0]


def test_fields_are_read_line_by_line() -> None:
    read_back = session(
        "- status:   two words # kept  ",
        "  continued",
        "-\tevidence:\tx",
        "- status: later",
        "-no_blank: x",
        " - indented: x",
        "- Upper: x",
        "- with-hyphen: x",
        "- retry_cap : 2",
    )
    assert {key: field.value for key, field in read_back.fields.items()} == {
        "status": "two words # kept",
        "evidence": "x",
    }


def test_lists_belong_to_the_key_above_them() -> None:
    read_back = session(
        "- artifacts:",
        "  - a.go",
        "",
        "text in between",
        "- no field",
        "\t-\tb.go  ",
        "  -",
        "  - ",
        "    - deep.go",
        "- other:",
        "  - ignored.go",
        "- artifacts:",
        "  - second.go",
        "- gate:",
        "  - command: a: b",
        "  - command: later",
        "  - no colon",
        "  -  must_not :  x ",
        "- gate:",
        "  - more: x",
    )
    assert [item.value for item in read_back.artifacts] == ["a.go", "b.go", "deep.go"]
    assert {key: field.value for key, field in read_back.gate.items()} == {"command": "a: b", "must_not": "x"}


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["- prompt: |", "x"], True),
        (["- prompt: |", "", "  - risk_class: x"], True),
        (["- prompt:   |  ", "### heading"], True),
        (["- prompt: |", "-x"], True),
        (["- prompt: |", " ", "\t", "- note", "  text"], False),
        (["- prompt: |", "- retry_cap: 1", "text"], False),
        (["- prompt: |-", "  text"], False),
        (["- prompt: | text", "  text"], False),
        (["- prompt:", "  text"], False),
        (["- prompt: |", "- prompt: |", "  text"], False),
    ],
)
def test_a_prompt_has_text_or_not(lines: list[str], text: bool) -> None:
    assert session(*lines).has_prompt is text


def test_text_of_a_second_prompt_is_no_field() -> None:
    read_back = session("- prompt: |", "  one", "- prompt: |", "  - retry_cap: 9", "- status: x")
    assert set(read_back.fields) == {"prompt", "status"}
    assert read_back.has_prompt


@pytest.mark.parametrize(
    "heading",
    [
        "## Session S1 one",
        "## Session s1: one",
        "##  Session S1: one",
        " ## Session S1: one",
        "### Session S1: one",
        "## Session S: one",
        "## session S1: one",
        "## Session S１: one",
    ],
)
def test_other_headings_open_no_session(heading: str) -> None:
    plan = read((FRONT + "\n" + heading + "\n- status: x\n").encode())
    assert plan.fault is not None
    assert "no session block" in plan.fault.message


def test_a_block_ends_at_any_second_level_heading() -> None:
    text = (
        FRONT
        + "## Session S1: one\n- prompt: |\n  x\n## \n- status: x\n## Session S2: two\n### part\n- evidence: y\n"
    )
    first, second = read(text.encode()).sessions
    assert (set(first.fields), set(second.fields)) == ({"prompt"}, {"evidence"})
    assert (first.line, second.line) == (17, 22)


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("unset  # R1", False),
        ("unset  # the ruling R12 decides", False),
        ("'unset'  # S3", False),
        ("unset  # S3's gate", False),
        ("unset", True),
        ("unset  # later", True),
        ("unset  # Ingrid", True),
        ("unset  # r1", True),
        ("unset  # RS1", True),
        ("unset  # R1a", True),
        ("unset  # R", True),
        ("unset S4", False),
        ("0", False),
    ],
)
def test_unset_names_who_decides(text: str, fires: bool) -> None:
    plan = read(CLEAN.replace("unset       # R1, before the first merge", text).encode())
    assert [each.rule for each in critic.check(plan)] == ([1] if fires else [])


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("sessions_total: 3", "sessions_total: 0003", []),
        ("sessions_total: 3", "sessions_total: +3", [7]),
        ("sessions_total: 3", "sessions_total: ３", [7]),
        ("sessions_total: 3", "sessions_total: " + "9" * 5000, [7]),
        ("sessions_total: 3", "sessions_total:", [1]),
        ("spec_max_sessions: 5 ", "spec_max_sessions: " + "9" * 5000, []),
        ("spec_max_sessions: 5 ", "spec_max_sessions: 3 ", []),
        ("spec_max_sessions: 5 ", "spec_max_sessions: 0 ", [7]),
        ("- retry_cap: 1", "- retry_cap: " + "1" * 5000, []),
        ("- retry_cap: 1", "- retry_cap: １", [6]),
        (
            "- on_exhaustion: escalate\n- human_only_actions_before: [create",
            "- on_exhaustion: Escalate\n- human_only_actions_before: [create",
            [6],
        ),
        ("status: proposed", "status: Approved", [1]),
        ("- depends_on: [S1, S2]", "- depends_on: [S1,,S2 , ]", []),
        ("- depends_on: [S1, S2]", '- depends_on: ["S1"]', [8]),
        ("- depends_on: [S1, S2]", "- depends_on: S01", [8]),
        ("- depends_on: [S1, S2]", "- depends_on:\n  - S9", []),
        ("  - booking/store.go", "  - a/../b", []),
        ("  - booking/store.go", "  - `a`", [4]),
        ("  - booking/store.go", "  - a/*.go", [4]),
        ("  - booking/store.go", "  - -a", [4]),
        ("  - booking/store.go", "  - é.go", [4]),
    ],
)
def test_one_changed_line_sets_off_what_it_should(old: str, new: str, rules: list[int]) -> None:
    assert CLEAN.count(old) == 1
    assert [each.rule for each in critic.check(read(CLEAN.replace(old, new).encode()))] == rules


def test_two_blocks_with_one_number_are_one_fault() -> None:
    text = CLEAN.replace("## Session S3", "## Session S2").replace("[S1, S2]", "[S1, S2]")
    found = critic.check(read(text.encode()))
    assert [(each.rule, each.session, each.line) for each in found] == [(10, "S2", 63)]


def test_every_fault_is_listed() -> None:
    text = (
        CLEAN.replace("- retry_cap", "- retries")
        .replace("department", "team")
        .replace("[S1, S2]", "[S8, S9]")
    )
    found = [(each.rule, each.session) for each in critic.check(read(text.encode()))]
    assert found == [(1, None), (6, "S1"), (6, "S2"), (6, "S3"), (8, "S3"), (8, "S3")]


@given(st.text(alphabet="-#: \nSession1|abgate\r\t", max_size=120))
def test_any_text_is_read_without_a_stumble(text: str) -> None:
    plan = read((FRONT + "## Session S1: x\n" + text).encode())
    assert plan.fault is None
    for violation in critic.check(plan):
        assert 1 <= violation.line <= len(plan.document.line_starts)
        assert critic.as_finding(plan, violation).end <= len(plan.document.text)


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    )
)
def test_what_is_not_placed_waits_in_a_ring_or_for_one(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    stuck = set(range(count))
    while free := {
        at for at in stuck if not any(waiting == at and other in stuck for waiting, other in edges)
    }:
        stuck -= free
    assert unplaced(count, edges) == sorted(stuck)


# -- ledgers -------------------------------------------------------------------

DIGEST = hashlib.sha256(b"x").hexdigest()


def test_records_are_found_by_service_and_version() -> None:
    text = f"# kept\r\na|1|{DIGEST.upper()}|2026-01-01|x\r\n\r\na\t2\t{DIGEST}\t\tsource | with bars\r\n"
    assert [(r.service, r.version, r.sha256, r.line) for r in ledger.records(text.encode())] == [
        ("a", "1", DIGEST, 2),
        ("a", "2", DIGEST, 4),
    ]


@pytest.mark.parametrize(
    ("data", "message", "line", "column"),
    [
        (b"a|1|2\n", "no record", 1, 1),
        (f"a|1|{DIGEST}|d|s|more\n".encode(), "no record", 1, 1),
        (f"\n|1|{DIGEST}|d|s\n".encode(), "names a service and a version", 2, 1),
        (b"a|1|" + b"g" * 64 + b"|d|s\n", "is no digest", 1, 1),
        (b"a|1|\xff", "not UTF-8", 1, 5),
        (b'[{"service": "a"}]', 'lacks "version"', 1, 2),
        (b"[\n [], {}]", "is an object", 2, 2),
        (b'[{"service": "a", "version": "1", "sha256": 5}]', "sha256 of a record is no string", 1, 2),
        (
            f'[{{"service": "a", "version": "1", "sha256": "{DIGEST}", "source": 5}}]'.encode(),
            "source of a record",
            1,
            2,
        ),
        (b'{"records": []}', "is a list of records", 1, 1),
        (b"[1", "ends before", 1, 3),
        (b"[NaN]", "NaN is no JSON value", 1, 2),
    ],
)
def test_a_malformed_ledger_names_its_place(data: bytes, message: str, line: int, column: int) -> None:
    with pytest.raises(ledger.Malformed, match=message) as caught:
        ledger.records(data)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_null_says_nothing_about_day_and_origin() -> None:
    data = f'[{{"service": "a", "version": "1", "sha256": "{DIGEST}", "admitted": null}}]'.encode()
    assert ledger.records(data)[0].sha256 == DIGEST


def test_what_a_plan_names_is_never_made_a_path(tmp_path: Path) -> None:
    (tmp_path / "specs" / "admitted" / "a").mkdir(parents=True)
    (tmp_path / "specs" / "admitted" / "a" / "1.md").write_bytes(b"x")
    (tmp_path / "secret.md").write_bytes(b"x")
    assert ledger.look_up(str(tmp_path / "specs"), "a", "1").digest == DIGEST
    assert ledger.look_up(str(tmp_path / "specs"), "../..", "secret") == (None, None, None, ())
    assert ledger.look_up(str(tmp_path / "specs"), "a", "9").known == ("1",)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_copy_that_cannot_be_read_is_a_path_problem(tmp_path: Path) -> None:
    copy = tmp_path / "admitted" / "a" / "1.md"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"x")
    copy.chmod(0)
    with pytest.raises(files.FileProblem, match="permission denied"):
        ledger.look_up(str(tmp_path), "a", "1")


def test_a_plan_of_many_sessions_takes_linear_work() -> None:
    block = CLEAN[CLEAN.index("## Session S2") : CLEAN.index("## Session S3")]
    many = "".join(block.replace("S2:", f"S{n}:").replace("[S1]", f"[S{n - 1}]") for n in range(2, 2001))
    text = CLEAN[: CLEAN.index("## Session S2")] + many
    text = text.replace("sessions_total: 3", "sessions_total: 2000").replace(
        "spec_max_sessions: 5", "spec_max_sessions: 2000"
    )
    assert critic.check(read(text.encode())) == []
    ring = text.replace("- depends_on: []", "- depends_on: [S2000]")
    (found,) = critic.check(read(ring.encode()))
    assert found.rule == 9
    assert found.message.count(",") == 1999

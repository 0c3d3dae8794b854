from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import GOLDEN
from hypothesis import given
from hypothesis import strategies as st

from migrate_spec.plans import repairs, standard
from migrate_spec.plans.json_text import Span, locate, read, walk
from migrate_spec.plans.shape import is_moment
from transforms.document import MAX_BYTES

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)
MINUTES = b'{"predicted_runtime_minutes": %s}'


def refuse(name: str) -> None:
    raise ValueError(name)


def reason(data: bytes) -> tuple[str, int, int]:
    text = read(data)
    assert text.fault is not None
    assert (text.fault.rule, text.fault.pointer) == ("parse", "")
    return text.fault.message, *text.document.position(text.fault.start)


@given(DATA, st.sampled_from([None, 0, 3]), st.booleans())
def test_every_value_is_found_where_it_is_written(data: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    found = read(text.encode("utf-8", "surrogatepass") if ascii_only else text.encode("utf-8", "replace"))
    assert found.fault is None
    whole = found.document.text
    spots = locate(whole, (path for path, _ in walk(found.value)))
    for path, value in walk(found.value):
        assert json.loads(whole[slice(*spots[path].value)]) == value
        key = spots[path].key
        assert (key is None) == (not path or isinstance(path[-1], int))
        assert key is None or json.loads(whole[slice(*key)]) == path[-1]


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\\ntrue0.eE-/ \n', max_size=60).map(str.encode))
def test_odd_bytes_are_one_finding_or_a_value(data: bytes) -> None:
    checked = standard.check(data, repair_at="2026-01-01T00:00:00Z")
    assert not checked.valid
    assert all(finding.message and finding.hint for finding in checked.diagnostics)
    parsed = [finding for finding in checked.diagnostics if finding.rule == "parse"]
    try:
        json.loads(data.decode("utf-8"), parse_constant=refuse)
    except ValueError:
        assert checked.diagnostics == parsed
        assert len(parsed) == 1
    else:
        assert parsed == [] or b"e" in data.lower()


def test_a_path_that_is_not_there_is_left_out() -> None:
    spots = locate(
        ' {"a": [1, {"b": 2}], "c": 3}', [("a", 1, "b", "x"), ("a", 7), ("c", 0), ("d",), ("a", "b")]
    )
    assert set(spots) == {(), ("a",), ("a", 1), ("a", 1, "b"), ("c",)}
    assert spots["a", 1, "b"].value == Span(17, 18)


def test_of_a_repeated_key_the_last_entry_counts() -> None:
    text = '{"a": {"b": 1}, "a": 2, "a": {"c": 3, "c": [4]}}'
    found = read(text.encode())
    assert found.value == {"a": {"c": [4]}}
    assert set(found.repeated) == {("a",), ("a", "c")}
    spots = locate(text, [("a",), ("a", "c", 0), ("a", "b")])
    assert ("a", "b") not in spots
    assert spots["a",].before == Span(1, 4)
    assert text[slice(*spots["a", "c"].key or (0, 0))] == '"c"'
    assert text[slice(*spots["a", "c", 0].value)] == "4"


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("{'a': 1}", "strings take double quotes in JSON", 2),
        ('{"a": True}', "True is no JSON value", 7),
        ('{"a": 1} x', "text stands behind the end of the value", 10),
        ('{"a" 1}', "a colon should stand here, behind the key", 6),
        ('{"a": 1 "b": 2}', "a comma or a closing bracket should stand here", 9),
        ('{"a": 1,}', "a comma stands before the closing bracket", 8),
        ('{"a": [1, ] }', "a comma stands before the closing bracket", 9),
        ("{a: 1}", '"a" is no key', 2),
        ('{"a": "\\q"}', "a backslash begins no escape that JSON knows", 8),
        ('{"a": "\\u12"}', "a backslash begins no escape that JSON knows", 8),
        ('{"a": "\t"}', "a string holds a raw control character", 8),
        ('{"a": "', "this string is never closed", 7),
        ('{"a": [[1], {}, [', "the text ends before its last value is complete", 18),
        ('{"a": [', "the text ends before its last value is complete", 8),
        ("{", "the text ends before its last value is complete", 2),
        ('# note\n{"a": 1}', "JSON has no comments", 1),
        ('{"a": 1 /* note */}', "JSON has no comments", 9),
        ('{"a": 1} // note', "JSON has no comments", 10),
        ('{"a": "#\n"}', "a string holds a raw control character", 9),
        ('{"a": -Infinity}', "-Infinity is no JSON value", 7),
        ('{"NaN": NaN}', "NaN is no JSON value", 9),
        ('{"a": -1e400}', "the number -1e400 is too large", 7),
        ('{"a": 01}', "a comma or a closing bracket should stand here", 8),
        ('{"a": .5}', '".5" is no JSON value', 7),
        (" \t", "the file is empty", 1),
        ("\u00a0", "the file is empty", 1),
        (",", '"," is no JSON value', 1),
    ],
)
def test_what_is_no_json_is_told_in_words(text: str, message: str, column: int) -> None:
    assert reason(text.encode()) == (message, 1, column)


def test_depth_is_bounded_wherever_it_is() -> None:
    assert read(b"[" * 100 + b"]" * 100).fault is None
    assert reason(b"[" * 101 + b"]" * 101) == ("the text nests more than 100 levels deep", 1, 101)
    assert reason(b'{"a":\n' * 100_000)[1:] == (101, 1)
    assert read(json.dumps({"a": "[" * 5000, "b": '\\"{{' * 5000}).encode()).fault is None


def test_a_file_that_is_too_long_is_not_parsed() -> None:
    told, line, column = reason(b" " * (MAX_BYTES + 1))
    assert (told, line, column) == ("the file has 67,108,865 bytes, the limit is 67,108,864", 1, 1)


def test_long_numbers_are_read_up_to_the_limit() -> None:
    assert read(b"[-" + b"9" * 4299 + b"]").fault is None
    assert reason(b"[1, " + b"9" * 4301 + b"]")[0].startswith("a number of 4,301 digits")


def test_a_fraction_is_no_whole_number() -> None:
    fraction = read(b"[1e1]").value[0]
    assert fraction == 10
    assert not fraction.is_integer()


@pytest.mark.parametrize(
    ("moment", "real"),
    [
        ("2026-06-02T17:05:30Z", True),
        ("2026-06-02T17:05:30.000000001+00:00", True),
        ("2000-02-29T00:00:00-23:59", True),
        ("0000-01-01T00:00:00Z", True),
        ("1900-02-29T00:00:00Z", False),
        ("2026-04-31T00:00:00Z", False),
        ("2026-13-01T00:00:00Z", False),
        ("2026-06-02T24:00:00Z", False),
        ("2026-06-02T23:59:60Z", False),
        ("2026-06-02t17:05:30Z", False),
        ("2026-06-02T17:05:30z", False),
        ("2026-06-02 17:05:30Z", False),
        ("2026-06-02T17:05Z", False),
        ("2026-06-02T17:05:30", False),
        ("2026-06-02T17:05:30+0200", False),
        ("2026-06-02T17:05:30+24:00", False),
        ("2026-06-02T17:05:30.Z", False),
        ("2026-06-02T17:05:30,5Z", False),
        ("2026-06-02T17:05:30Z\n", False),
        ("２０２６-06-02T17:05:30Z", False),
        ("", False),
    ],
)
def test_moments_are_those_of_rfc_3339(moment: str, real: bool) -> None:
    assert is_moment(moment) is real


def test_author_named_by_a_string_gets_the_moment_of_the_check() -> None:
    plan = json.loads((GOLDEN / "plan" / "clean-split" / "plan.json").read_text())
    author = plan["generated_by"]
    plan["generated_by"] = author["agent"]
    checked = standard.check(json.dumps(plan).encode(), repair_at="2026-05-01T10:00:00Z")
    assert checked.valid
    assert [repair.pointer for repair in checked.repairs] == ["/generated_by"]
    assert json.loads(checked.data)["generated_by"] == {
        "agent": author["agent"],
        "model": "unknown",
        "timestamp": "2026-05-01T10:00:00Z",
    }
    assert not standard.check(json.dumps(plan).encode()).valid


@given(
    st.lists(st.sampled_from(["irreducible", "delivery", "over_cap", "counterfactuals", "scope_removals"])),
    st.sampled_from(["{}", "null", '"x"', "[null]"]),
    st.sampled_from([" ", "\n  "]),
)
def test_dropped_keys_take_their_commas_along(keys: list[str], other: str, gap: str) -> None:
    entries = [f'"{key}":{gap}null' for key in keys]
    entries.insert(len(entries) // 2, f'"scope":{gap}{other}')
    text = "{" + f",{gap}".join(entries) + gap + "}"
    checked = standard.check(text.encode(), repair_at="2026-05-01T10:00:00Z")
    assert json.loads(checked.data) == {"scope": json.loads(other)}
    assert f'"scope":{gap}{other}' in checked.data.decode()


def test_what_is_repaired_leaves_the_given_plan_alone() -> None:
    plan = {
        "ticket_reference": {"type": 1.5},
        "scope": {"files": ["a"]},
        "delivery": None,
        "approach": [None],
    }
    before = json.dumps(plan)
    fixed, made = repairs.repair(plan, "2026-05-01T10:00:00Z")
    assert json.dumps(plan) == before
    assert fixed == {
        "ticket_reference": {"type": "github_issue"},
        "scope": {"files": [{"path": "a", "operation": "modify"}]},
        "approach": [None],
    }
    assert {repair.pointer: repair.kind for repair in made} == {
        "/delivery": "null",
        "/scope/files/0": "string",
        "/ticket_reference/type": "number",
    }


@pytest.mark.parametrize(
    "ticket", ["{}", "{ }", '{"type": null}', '{"id": "1", "type": []}', '{"type": "a", "type": "b"}']
)
def test_the_type_of_a_ticket_is_written_into_its_text(ticket: str) -> None:
    text = '{"ticket_reference": ' + ticket + ', "summary": "caf\\u00e9"}'
    checked = standard.check(text.encode(), repair_at="2026-05-01T10:00:00Z")
    assert json.loads(checked.data)["ticket_reference"]["type"] == "github_issue"
    assert checked.data.decode().endswith(', "summary": "caf\\u00e9"}')


@pytest.mark.parametrize(
    "data", [b"[]", b"null", b'"x"', b"{}", b'{"scope": {"files": "a"}}', b'{"approach": ["a"]}']
)
def test_what_has_no_known_repair_stays_as_it_is(data: bytes) -> None:
    checked = standard.check(data, repair_at="2026-05-01T10:00:00Z")
    assert (checked.repairs, checked.data) == ((), data)


def test_a_plan_of_empty_keys_alone_becomes_empty() -> None:
    checked = standard.check(
        b' { "delivery" : null , "irreducible":null } ', repair_at="2026-05-01T10:00:00Z"
    )
    assert checked.data == b" {  } "

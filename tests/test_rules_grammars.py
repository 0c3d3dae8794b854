"""The grammars of `validation-rules.md` 5, each against a statement of it that shares no code with it."""

from __future__ import annotations

import datetime
import posixpath
import re
import string
import time
import unicodedata
import zoneinfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from migrate_spec.rules.schedules import zones
from transforms import cron, durations, glob, paths, ranges

# -- globs ----------------------------------------------------------------------

_GLOB = re.compile(
    r"""(?: \\.                                               # an escape
          | \[ (?: [\^!] (?: \\. | [^\]\\] )+ | (?! [\^!] ) (?: \\. | [^\]\\] )+ ) \]   # a class
          | [^\\\[{}] )*""",
    re.X | re.S,
)


def is_glob(text: str) -> bool:
    """Tell by rewriting whether `text` is a glob: innermost braces go until none is left."""
    if not text:
        return False
    # Classes and escapes may hold braces that mean nothing; they become a letter first.
    parts = re.split(r"(\\.|\[(?:[\^!])?(?:\\.|[^\]\\])+\])", text, flags=re.S)
    flat = "".join("x" if index % 2 and _GLOB.fullmatch(part) else part for index, part in enumerate(parts))
    while True:
        less = re.sub(r"\{[^{}\[\\]*\}", "x", flat)
        if less == flat:
            break
        flat = less
    return not re.search(r"[\\\[{}]", flat)


@given(st.text(alphabet="ab/*?[]{}^!-,\\", max_size=12))
@example("")
@example("a\\")
@example("[]a]")
@example("[^]")
@example("[!]")
@example("[^^]")
@example("{[}]}")
@example("a[\\]")
@example("{{a,b},{c}}")
@example("}{")
def test_globs(text: str) -> None:
    defect = glob.defect(text)
    assert (defect is None) is is_glob(text)
    if defect is not None:
        assert 0 <= defect.at <= max(len(text) - 1, 0)


@pytest.mark.parametrize(
    "text", ["***", "{}", "[z-a]", "a,b", "[{,*}]", "\\{", "[\\]]", "**", "{a,{b,}}", "]", "[]]"]
)
def test_globs_that_look_wrong(text: str) -> None:
    assert (glob.defect(text) is None) is (text != "[]]")


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("", 0, "it is empty"),
        ("src/[]", 4, "the class is empty"),
        ("src/[^]", 4, "the class is empty"),
        ("src/[a-z", 4, "the class is never closed"),
        ("src/[a\\]", 4, "the class is never closed"),
        ("src/*\\", 5, "a backslash ends it, with nothing to escape"),
        ("[a]/{b,{c}", 4, "{ is never closed"),
        ("{a}/b}", 5, "} closes no {"),
    ],
)
def test_what_is_wrong_with_a_glob_and_where(text: str, at: int, reason: str) -> None:
    assert glob.defect(text) == glob.Defect(at, reason)


@pytest.mark.parametrize(
    "text", ["{" * 100_000, "[" * 100_000, "{a," * 50_000 + "}" * 50_000, "*?" * 200_000]
)
def test_slow_globs_take_no_time(text: str) -> None:
    start = time.perf_counter()
    glob.defect(text)
    assert time.perf_counter() - start < 1


# -- cron -----------------------------------------------------------------------

_RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
_SPACES = "".join(c for c in map(chr, range(0x3100)) if c.isspace() and not "\x1c" <= c <= "\x1f")


def cron_values(text: str) -> list[set[int]] | None:
    """Return the values of the five fields by the letter of the grammar, None when it is malformed."""
    fields = re.split(f"[{_SPACES}]+", text.strip(_SPACES))
    if len(fields) != 5:
        return None
    found = []
    for field, (least, most) in zip(fields, _RANGES, strict=True):
        values: set[int] = set()
        for item in field.split(","):
            body, slash, step = item.partition("/")
            low, dash, high = body.partition("-")
            numbers = [part for part in (low, high if dash else "0", step if slash else "1") if part != "*"]
            if step == "*" or any(not part or part.strip(string.digits) for part in numbers):
                return None
            if body != "*" and ("*" in item or (slash and not dash)):
                return None
            first, last = (least, most) if body == "*" else (int(low), int(high if dash else low))
            if not least <= first <= last <= most or (slash and int(step) < 1):
                return None
            values |= set(range(first, last + 1)[:: int(step) if slash else 1])
        found.append(values)
    return found


def fires(fields: list[str], values: list[set[int]]) -> bool:
    """Tell whether any day of 28 years, in which every date meets every weekday, matches."""
    days, months, weekdays = values[2:]
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    for offset in range(28 * 366):
        date = datetime.date(2001, 1, 1) + datetime.timedelta(offset)
        day, weekday = date.day in days, date.isoweekday() % 7 in {value % 7 for value in weekdays}
        if date.month in months and ((day or weekday) if either else (day and weekday)):
            return True
    return False


_NUMBERS = st.sampled_from(
    ["*", "0", "1", "7", "8", "12", "13", "23", "24", "29", "30", "31", "59", "60", "007", "x", ""]
)
_ITEMS = st.builds(
    lambda low, dash, high, slash, step: low + dash + high * bool(dash) + slash + step * bool(slash),
    _NUMBERS,
    st.sampled_from(["", "", "-"]),
    _NUMBERS,
    st.sampled_from(["", "", "/"]),
    _NUMBERS,
)
_FIELDS = st.one_of(st.just("*"), st.lists(_ITEMS, min_size=1, max_size=2).map(",".join))


@given(st.lists(_FIELDS, min_size=4, max_size=6).map(" ".join))
@example("0 0 30 2 *")
@example("0 0 30 2 1")
@example("0 0 */40 2 *")
@example("0 0 31 4,6 */7")
@example("0 0 29 2 0")
@example("*/1 5-5 31 */2 *")
@example("0 0 31 4-5 *")
@example("0 0 31 4-6/2 *")
@example("@daily")
@example("5/15 3 * * *")
@example("+5 3 * * *")
@example("** 3 * * *")
@example("1 1 1 1 ١")
def test_cron(text: str) -> None:
    values = cron_values(text)
    assert (cron.defect(text) is None) is (values is not None)
    if values is not None:
        assert cron.never_fires(text) is not fires(text.split(), values)


@given(st.text(alphabet="01*-/,5 \t\n", max_size=20))
def test_cron_of_any_signs(text: str) -> None:
    assert (cron.defect(text) is None) is (cron_values(text) is not None)


def test_cron_numbers_of_any_length() -> None:
    zeros = "0" * 100_000
    assert cron.defect(f"{zeros}59 0-23/{'9' * 100_000} 1 1 1") is None
    defect = cron.defect(f"{'9' * 100_000} 0 1 1 1")
    assert defect is not None
    assert defect.reason == "the values go from 0 to 59"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 3 * *", "it has 4 fields instead of 5"),
        ("@daily", "macros are not known"),
        (" @every 5m", "macros are not known"),
        ("0,,5 3 * * *", "an item of the list is empty"),
        ("*/0 3 * * *", "a step is at least 1"),
        ("5/15 3 * * *", "a step stands behind * or behind a range"),
        ("0 3 * JAN *", "names and letters are not known, only numbers"),
        ("0 3 ? * *", "an item is *, a number or a range, with /STEP behind * or a range"),
        ("0 3 * * 6-1", "the range runs backwards"),
        ("0 3 0 * *", "the values go from 1 to 31"),
        ("100 3 * * *", "the values go from 0 to 59"),
    ],
)
def test_cron_says_what_is_wrong(text: str, reason: str) -> None:
    defect = cron.defect(text)
    assert defect is not None
    assert defect.reason == reason


# -- ranges of versions ----------------------------------------------------------


def is_range(text: str) -> bool:
    """Tell by taking terms apart from the left whether `text` is a list of comparators."""
    terms = [term for term in re.split(f"[{_SPACES}]+", text) if term]
    for term in terms:
        rest = next(
            (term[len(op) :] for op in (">=", "<=", "==", ">", "<", "=") if term.startswith(op)), None
        )
        parts = (rest or "").split(".")
        if (
            rest is None
            or len(parts) > 3
            or not all(set(part) <= set(string.digits) and part for part in parts)
        ):
            return False
    return bool(terms)


@given(
    st.one_of(
        st.text(alphabet="<>=0123.v^~|, \t\u3000", max_size=10),
        st.lists(
            st.builds(
                lambda op, parts: op + ".".join(parts),
                st.sampled_from([">=", "<=", "==", ">", "<", "=", "~", "", "===", "=>"]),
                st.lists(st.sampled_from(["0", "12", "007", "x", "", "1-rc"]), min_size=1, max_size=4),
            ),
            max_size=3,
        ).map(" ".join),
    )
)
@example(">= 2.1")
@example("2.1")
@example("")
@example(">=1.2.3.4")
@example(" \u00a0>=2 ")
@example(">=٣")
def test_ranges(text: str) -> None:
    bad = ranges.bad_term(text)
    assert (bad is None) is is_range(text)
    assert bad is None or bad in text


# -- paths -----------------------------------------------------------------------

_SEGMENTS = st.sampled_from(
    ["a", "b.md", ".", "..", "", "...", "..x", "~", "C:", "ü b", "a\\b", "\t", "\u2028", "\x85"]
)


@given(st.lists(_SEGMENTS, max_size=5).map("/".join))
@example("/a")
@example("a/")
def test_canonical_paths(text: str) -> None:
    controls = any(unicodedata.category(char) == "Cc" or char in "\u2028\u2029" for char in text)
    canonical = (
        text not in ("", ".", "..")
        and not text.startswith(("/", "../"))
        and "\\" not in text
        and not controls
        and posixpath.normpath(text) == text
    )
    assert (paths.defect(text) is None) is canonical


@given(st.lists(_SEGMENTS, max_size=6).map("/".join))
@example("/a")
@example("d:/a")
@example("a/./../..")
@example("a//../..")
def test_paths_that_stay_inside(text: str) -> None:
    cleaned = posixpath.normpath(text or ".")
    inside = not (
        text.startswith("/")
        or "\\" in text
        or text[1:2] == ":"
        or cleaned == ".."
        or cleaned.startswith("../")
    )
    assert (paths.outside(text) is None) is inside


@pytest.mark.parametrize(
    ("path", "defect"),
    [
        ("", "it is empty"),
        ("/\\", "it begins with /"),
        ("a\\\t", "it holds a backslash"),
        ("a//\x07", "it holds the control character U+0007"),
        ("a//..", "it holds //"),
        ("a//", "it holds //"),
        ("../a/", "it ends with /"),
        ("a/./..", "it has a segment that is ."),
        ("a/..", "it has a segment that is .."),
    ],
)
def test_first_defect_of_a_path_wins(path: str, defect: str) -> None:
    assert paths.defect(path) == defect


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/\\", "it begins with /"),
        ("c:\\a", "it holds a backslash"),
        ("c:/../..", "it names a drive"),
        ("a/../../b", "its .. segments lead out of the repository"),
    ],
)
def test_why_a_path_does_not_stay_inside(path: str, reason: str) -> None:
    assert paths.outside(path) == reason


@pytest.mark.parametrize(
    ("path", "instructs"),
    [
        ("AGENTS.md", True),
        ("a/b/claude.LOCAL.md", True),
        ("a/AGENTS.override.md", True),
        (".Codex/x/y.txt", True),
        ("a/.agents/b", True),
        (".claude", False),
        ("AGENTS.md/x", False),
        ("x.AGENTS.md", False),
        ("agents/x", False),
    ],
)
def test_paths_that_instruct_agents(path: str, instructs: bool) -> None:
    assert paths.instructs_agents(path) is instructs


# -- durations and zones -----------------------------------------------------------

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 6 * 10**10, "h": 36 * 10**11}


@given(
    st.lists(
        st.tuples(
            st.one_of(st.integers(0, 2**64), st.sampled_from([2**63 - 1, 2**63, 2562047, 2562048])),
            st.sampled_from(list(_UNITS)),
        ),
        min_size=1,
        max_size=4,
    )
)
@example([(2562047, "h"), (47, "m"), (16, "s"), (854775807, "ns")])
@example([(2562047, "h"), (47, "m"), (16, "s"), (854775808, "ns")])
@example([(2**63 - 1, "ns"), (0, "h")])
def test_durations(parts: list[tuple[int, str]]) -> None:
    text = "".join(f"00{number}{unit}" for number, unit in parts)
    assert durations.too_long(text) is (sum(number * _UNITS[unit] for number, unit in parts) > 2**63 - 1)


def test_duration_of_any_length() -> None:
    assert durations.too_long("9" * 100_000 + "ns")
    assert not durations.too_long("0" * 100_000 + "ns")


def test_zones_are_those_of_the_package_and_of_no_host() -> None:
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath(())
    try:
        assert zones() == zoneinfo.available_timezones()
    finally:
        zoneinfo.reset_tzpath(before)


@pytest.mark.parametrize(
    "name", ["UTC", "Etc/GMT+5", "EST5EDT", "US/Pacific", "America/Argentina/Buenos_Aires"]
)
def test_zone_is_known(name: str) -> None:
    assert name in zones()


@pytest.mark.parametrize("name", ["Local", "utc", "europe/lisbon", "", "posixrules", "zone.tab"])
def test_zone_is_not_known(name: str) -> None:
    assert name not in zones()

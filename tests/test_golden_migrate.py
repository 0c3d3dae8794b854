"""Each golden document of `golden/migrate`: its outputs to the byte, and every promise that concerns one file."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import GOLDEN
from support import Result
from support import run as fishhawk

from benchmarks.minimal import count
from migrate_spec.migrate import MIGRATED, run
from transforms.document import Document, parse
from transforms.edits import Overlap
from transforms.migration import migrate
from transforms.nodes import plain

CASES = sorted(path for path in (GOLDEN / "migrate").iterdir() if path.is_dir())
NAMES = [path.name for path in CASES]
LAYOUT = sorted(path for path in (GOLDEN / "layout").iterdir() if path.is_dir())
MIGRATING = [path for path in [*CASES, *LAYOUT] if (path / "output.yaml").exists()]
SPEC = "workflows.yaml"
LINE_ENDS = (b"\r\n", b"\n", b"\r")


def flags(case: Path) -> list[str]:
    options = case / "options.json"
    found = json.loads(options.read_text()) if options.exists() else {}
    return ["--" + name.replace("_", "-") for name, wanted in found.items() if wanted]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    return lambda case, *arguments: fishhawk("migrate-spec", *flags(case), *arguments, SPEC)


def lay(case: Path) -> bytes:
    source = (case / "source.yaml").read_bytes()
    Path(SPEC).write_bytes(source)
    return source


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_outputs(case: Path, call: Callable[..., Result], golden: Callable[[Path, bytes], None]) -> None:
    source = lay(case)
    report = call(case)
    golden(case / "report.txt", report.out)
    golden(case / "report.json", call(case, "--format", "json").out)
    golden(case / "report.md", call(case, "--format", "markdown").out)
    if report.err:
        golden(case / "refusals.txt", report.err)
    assert call(case, "--report-only") == report
    assert Path(SPEC).read_bytes() == source
    outcome = json.loads((case / "report.json").read_bytes())["documents"][0]["outcome"]
    assert report.code == (1 if outcome == "refused" else 0)
    if outcome == MIGRATED:
        golden(case / "change.diff", call(case, "--diff").out)
        written = call(case, "--in-place")
        assert written.code == 0
        golden(case / "output.yaml", Path(SPEC).read_bytes())
    else:
        assert call(case, "--in-place").code == report.code
        assert Path(SPEC).read_bytes() == source


@pytest.mark.parametrize("case", LAYOUT, ids=[path.name for path in LAYOUT])
def test_layout(case: Path, call: Callable[..., Result], golden: Callable[[Path, bytes], None]) -> None:
    source = lay(case)
    done = call(case, "--in-place")
    if done.code == 0:
        golden(case / "output.yaml", Path(SPEC).read_bytes())
    else:
        golden(case / "refusals.txt", done.err)
        assert Path(SPEC).read_bytes() == source


def decided_by_comments(source: Document) -> bool:
    """Tell whether a comment decides between a matrix and a tier."""
    try:
        return bool(migrate(source).spelled_out)
    except Overlap:  # a merge key has to be written out first; none of these documents has reasons too
        return False


@pytest.mark.parametrize("case", MIGRATING, ids=[path.name for path in MIGRATING])
class TestPromises:
    def test_second_run_changes_nothing(self, case: Path, call: Callable[..., Result]) -> None:
        lay(case)
        call(case, "--in-place")
        first = Path(SPEC).read_bytes()
        again = call(case, "--in-place", "--format", "json")
        assert again.json["documents"][0]["outcome"] == "no-op"
        assert Path(SPEC).read_bytes() == first

    def test_applied_diff_is_what_in_place_writes(self, case: Path, call: Callable[..., Result]) -> None:
        lay(case)
        Path("change.diff").write_bytes(call(case, "--diff").out)
        subprocess.run(["git", "apply", "--whitespace=nowarn", "change.diff"], check=True)
        assert Path(SPEC).read_bytes() == (case / "output.yaml").read_bytes()

    def test_line_end_twins_migrate_alike(self, case: Path, call: Callable[..., Result]) -> None:
        source, output = lay(case), (case / "output.yaml").read_bytes()
        old = next(each for each in LINE_ENDS if each in source)
        for new in LINE_ENDS:
            Path(SPEC).write_bytes(source.replace(old, new))
            call(case, "--in-place")
            assert Path(SPEC).read_bytes() == output.replace(old, new)

    def test_edit_is_minimal_and_keeps_every_comment(self, case: Path) -> None:
        outcome = run(parse((case / "source.yaml").read_bytes()), from_v0=True)
        found = count(outcome)
        assert found.changed > 0
        assert found.needless == []
        assert found.lost == 0

    def test_json_twin_migrates_to_the_same_data(self, case: Path) -> None:
        source = parse((case / "source.yaml").read_bytes())
        assert source.root is not None
        twin = run(parse(json.dumps(plain(source.root)).encode()), from_v0=True)
        assert twin.text is not None
        output = parse((case / "output.yaml").read_bytes())
        assert output.root is not None
        if not decided_by_comments(source):
            assert json.loads(twin.text) == plain(output.root)


def test_the_large_document_has_every_translated_form() -> None:
    source = (GOLDEN / "migrate" / "full-governance" / "source.yaml").read_text()
    assert source.count("\n") >= 350
    forms = ["drive:", "roles:", "may_approve:", "may_route_fixup:", "route_fixup_min_severity:"]
    forms += ["may_waive:", "may_retry:", "may_merge:", "must_page_human:", "model_policy:", "any_of:"]
    forms += ["all_of:", "max_runtime_minutes:", "- max_files_changed:", "constraints: []", "constraints: [{"]
    assert [form for form in forms if form not in source] == []

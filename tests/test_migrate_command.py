"""`fishhawk migrate-spec` as it is called: options, exit codes, files, and every kind of bad input."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from pathlib import Path
from unittest import mock

import pytest
from support import Result, process, run

OLD = """\
version: "1.6"   # pinned
roles:
  leads: {members: ["@ada"]}
workflows:
  change:
    drive: true
    stages:
      - id: review
        type: review
        executor: {human: true}
        gates:
          - type: approval
            approvers: {any_of: [leads]}
"""
NEW = """\
version: "2"   # pinned
workflows:
  change:
    auto_advance: true
    stages:
      - id: review
        type: review
        executor: {human: true}
        gates:
          - type: approval
            approvals: {count: 1, members: [ada]}
"""
REFUSED = OLD.replace("[leads]", "[ghosts]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spec(text: str = OLD, name: str = "spec.yaml") -> Path:
    path = Path(name)
    path.write_bytes(text.encode())
    return path


def migrate(*arguments: object, stdin: bytes = b"") -> Result:
    return run("migrate-spec", *arguments, stdin=stdin)


def last(result: Result) -> str:
    return result.text.splitlines()[-1]


class TestOutputs:
    def test_default_path(self) -> None:
        Path(".fishhawk").mkdir()
        spec(OLD, ".fishhawk/workflows.yaml")
        result = migrate()
        assert result.code == 0
        assert last(result).startswith(".fishhawk/workflows.yaml: would migrate to version 2")

    def test_report_alone_writes_nothing(self) -> None:
        path = spec()
        assert migrate(path) == migrate("--report-only", path)
        assert path.read_text() == OLD
        assert os.listdir() == ["spec.yaml"]

    def test_in_place_rewrites_and_keeps_the_mode(self) -> None:
        path = spec()
        path.chmod(0o640)
        result = migrate(path, "--in-place")
        assert (result.code, last(result)) == (0, "spec.yaml: rewritten")
        assert path.read_text() == NEW
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert os.listdir() == ["spec.yaml"]

    def test_out_creates_a_private_file(self) -> None:
        path = spec()
        result = migrate("--out", "new.yaml", path)
        assert (result.code, last(result)) == (0, "spec.yaml: written to new.yaml")
        assert Path("new.yaml").read_text() == NEW
        assert stat.S_IMODE(Path("new.yaml").stat().st_mode) == 0o600
        assert path.read_text() == OLD

    @pytest.mark.parametrize("make", [lambda p: p.write_text("mine"), lambda p: p.symlink_to("nowhere")])
    def test_out_never_overwrites(self, make: object) -> None:
        path, there = spec(), Path("new.yaml")
        make(there)  # type: ignore[operator]
        before = os.readlink(there) if there.is_symlink() else there.read_text()
        result = migrate("--out", there, path)
        assert result.code == 1
        assert "new.yaml: already exists" in result.error
        assert before == (os.readlink(there) if there.is_symlink() else there.read_text())

    def test_out_makes_no_folders(self) -> None:
        result = migrate("--out", "missing/new.yaml", spec())
        assert result.code == 2
        assert "missing/new.yaml" in result.error
        assert not Path("missing").exists()

    def test_empty_out_counts_as_not_given(self) -> None:
        result = migrate("--out", "", spec(), "--in-place")
        assert result.code == 0

    @pytest.mark.parametrize("flags", [["--in-place"], ["--out", "new.yaml"]])
    @pytest.mark.parametrize("text", [NEW, REFUSED])
    def test_nothing_is_written_on_no_op_and_refusal(self, flags: list[str], text: str) -> None:
        path = spec(text)
        result = migrate(path, *flags)
        assert result.code == (0 if text == NEW else 1)
        assert path.read_text() == text
        assert os.listdir() == ["spec.yaml"]

    def test_refusals_come_after_the_report_on_stderr(self) -> None:
        result = migrate(spec(REFUSED))
        assert last(result) == "spec.yaml: refused, nothing was written"
        lines = result.error.splitlines()
        assert lines[0] == "spec.yaml: nothing was written"
        pointer = "/workflows/change/stages/0/gates/0/approvers/any_of"
        words = "the role ghosts is not defined under roles; define it, or write the approvals block by hand"
        assert lines[1] == f"[R2_undefined_role] {pointer}: {words} and run this again (spec.yaml:13:34)"
        assert len(lines) == 2

    def test_standard_input(self) -> None:
        result = migrate("-", "--out", "new.yaml", stdin=OLD.encode())
        assert last(result) == "<stdin>: written to new.yaml"
        assert Path("new.yaml").read_text() == NEW

    def test_json(self) -> None:
        document = migrate("--format", "json", "--in-place", spec()).json["documents"][0]
        assert document == {
            "path": "spec.yaml",
            "outcome": "migrated",
            "source_version": "1.6",
            "refusals": [],
            "report": {
                "gates": [
                    {
                        "pointer": "/workflows/change/stages/0/gates/0",
                        "stage": "review",
                        "before": {"any_of": ["leads"]},
                        "after": {"count": 1, "members": ["ada"]},
                        "enumerable": ["ada"],
                        "unresolved": [],
                        "change": "widened",
                    }
                ],
                "budget_stages": [],
                "notes": [],
            },
            "changed_lines": 3,
            "written": "spec.yaml",
            "error": None,
        }

    def test_json_of_a_source_that_is_invalid_carries_the_diagnostics(self) -> None:
        text = OLD.replace("type: review", "type: revue")
        refusal = migrate("--format", "json", spec(text)).json["documents"][0]["refusals"][0]
        assert (refusal["code"], refusal["pointer"]) == ("R0_source_invalid", "/")
        (diagnostic,) = refusal["diagnostics"]
        assert (diagnostic["rule"], diagnostic["line"], diagnostic["column"]) == ("schema", 9, 15)


class TestCheckAndDiff:
    def test_check(self) -> None:
        old, new, refused = spec(), spec(NEW, "new.yaml"), spec(REFUSED, "refused.yaml")
        assert migrate("--check", new).code == 0
        assert migrate("--check", old).code == 1
        assert migrate("--check", refused, new).code == 1
        assert old.read_text() == OLD

    def test_diff_stands_alone_on_stdout(self) -> None:
        path = spec()
        result = migrate("--diff", path)
        assert result.text.startswith("--- a/spec.yaml\n+++ b/spec.yaml\n@@ ")
        assert "Approval eligibility" in result.error
        Path("change.diff").write_bytes(result.out)
        subprocess.run(["git", "apply", "change.diff"], check=True)
        assert path.read_text() == NEW

    def test_diff_of_several_files_applies_at_once(self) -> None:
        Path("a folder").mkdir()
        paths = [spec(OLD, "one.yaml"), spec(OLD, "a folder/zwei ü.yaml"), spec(NEW, "new.yaml")]
        Path("change.diff").write_bytes(migrate("--diff", *paths).out)
        subprocess.run(["git", "apply", "change.diff"], check=True)
        assert [path.read_text() for path in paths] == [NEW] * 3

    def test_diff_outside_the_current_folder_names_the_real_path(self, tmp_path: Path) -> None:
        path = spec()
        (tmp_path / "elsewhere").mkdir()
        os.chdir("elsewhere")
        result = migrate("--diff", tmp_path / path)
        real = (tmp_path / path).resolve()
        assert result.text.startswith(f"--- {real}\n+++ {real}\n")
        assert "outside the current folder" in result.error

    def test_diff_and_check_go_together(self) -> None:
        assert migrate("--diff", "--check", spec()).code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--in-place", "--out", "x"],
        ["--report-only", "--in-place"],
        ["--report-only", "--out", "x"],
        ["--check", "--in-place"],
        ["--diff", "--in-place"],
        ["--diff", "--out", "x"],
        ["--diff", "--format", "json"],
        ["--out", "x", "one.yaml", "two.yaml"],
        ["--out", "-"],
        ["-", "--in-place"],
        ["-", "-"],
        ["--format", "xml"],
        ["--nonsense"],
    ],
)
def test_contradictions_are_refused_before_anything_is_read(arguments: list[str]) -> None:
    with mock.patch("migrate_spec.files.read", side_effect=AssertionError("read")):
        result = migrate(*arguments)
    assert result.code == 2
    assert result.out == b""
    assert result.error.startswith("Usage: fishhawk migrate-spec ")


class TestSeveralFiles:
    def test_every_one_is_handled_and_the_highest_code_wins(self) -> None:
        old, refused = spec(), spec(REFUSED, "refused.yaml")
        result = migrate("--in-place", "missing.yaml", refused, old)
        assert result.code == 2
        assert old.read_text() == NEW
        assert "missing.yaml: no such file" in result.error
        assert "== refused.yaml ==" in result.text

    def test_json_has_one_document_for_each_path(self) -> None:
        spec()
        spec("[", "broken.yaml")
        result = migrate("--format", "json", "spec.yaml", "missing.yaml", "broken.yaml")
        documents = result.json["documents"]
        assert [d["path"] for d in documents] == ["spec.yaml", "missing.yaml", "broken.yaml"]
        assert [d["outcome"] for d in documents] == ["migrated", "unreadable", "unreadable"]
        assert [d["report"] is None for d in documents] == [False, True, True]
        assert documents[1]["error"] == "missing.yaml: no such file"
        assert documents[2]["error"].startswith("broken.yaml:1:")


class TestLinks:
    def test_a_chain_of_links_stays_and_the_real_file_is_migrated(self) -> None:
        Path("real").mkdir()
        Path("a").mkdir()
        real = spec(OLD, "real/spec.yaml")
        Path("link2.yaml").symlink_to("real/spec.yaml")
        Path("a/workflows.yaml").symlink_to("../link2.yaml")
        result = migrate("--in-place", "a/workflows.yaml")
        assert (result.code, last(result)) == (0, "a/workflows.yaml: rewritten")
        assert real.read_text() == NEW
        assert not real.is_symlink()
        assert os.readlink("a/workflows.yaml") == "../link2.yaml"
        assert os.readlink("link2.yaml") == "real/spec.yaml"
        assert sorted(os.listdir("real")) == ["spec.yaml"]

    def test_a_dangling_link_is_one_error(self) -> None:
        Path("workflows.yaml").symlink_to("nowhere.yaml")
        result = migrate("--in-place", "workflows.yaml")
        assert result.code == 2
        assert result.error == "workflows.yaml: no such file\n"
        assert os.listdir() == ["workflows.yaml"]


UNREADABLE = {
    "empty": (b"", 1, 1, "the file is empty"),
    "blank": (b"  \n\n", 1, 1, "the file is empty"),
    "comments only": (b"# nothing\n", 1, 1, "the file is empty"),
    "not YAML": (b'version: "1.6\nworkflows: {\n', 3, 1, "not YAML"),
    "brackets": (b"[" * 20_000, 1, 101, "nested more than 100 levels deep"),
    "long number": (b"a: " + b"1" * 5_000, 1, 4, "5,000 digits"),
    "not UTF-8": (b"a: caf\xe9\n", 1, 7, "byte 0xE9 is not UTF-8"),
    "UTF-16": ("version: 1".encode("utf-16"), 1, 1, "is not UTF-8"),
    "NUL": (b"a: \0\n", 1, 4, "control character U+0000"),
    "unknown alias": (b"a: *b\n", 1, 4, "no anchor &b"),
    "alias bomb": (
        b"a: &a [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(b"%c: &%c [%s]\n" % (c, c, b",".join([b"*%c" % (c - 1)] * 9)) for c in range(98, 110)),
        6,
        8,
        "blows the document up",
    ),
    "separator in a comment": ("a: 1 # x\u2028b: 2\n".encode(), 1, 9, "U+2028"),
    "old directive": (b"%YAML 1.1\n---\na: 1\n", 1, 1, "YAML 1.1"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_content(name: str) -> None:
    data, line, column, words = UNREADABLE[name]
    path = Path("spec.yaml")
    path.write_bytes(data)
    start = time.process_time()
    result = migrate(path, "--in-place")
    assert time.process_time() - start < 1
    assert result.code == 1
    assert result.out == b""
    assert result.error.startswith(f"spec.yaml:{line}:{column}: yaml-invalid: ")
    first, second = result.error.splitlines()
    assert words in first
    assert second.startswith("  hint: ")
    assert path.read_bytes() == data
    assert os.listdir() == ["spec.yaml"]


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n", "42\n"])
def test_a_root_that_is_no_mapping(text: str) -> None:
    result = migrate(spec(text))
    assert result.code == 1
    assert result.out == b""
    message = "spec.yaml:1:1: version-missing: the document is no mapping, so it has no version"
    assert result.error.splitlines() == [message, "  hint: write version and workflows at the left margin"]


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("drive: true", "drive: true\n    drive: false"), 7, "stands in this mapping already"),
        (("[leads]", "&x [*x]"), 13, "stands inside the value that it repeats"),
        (("drive: true", "<<: 3"), 6, "<< takes a mapping"),
        (("    drive: true\n", ""), None, None),
        (('version: "1.6"   # pinned', "version: 1.6"), 1, 'write version: "1.6"'),
        (('version: "1.6"   # pinned', 'version: "1.9"'), 1, "no version of major 1"),
        (('version: "1.6"   # pinned\n', ""), 1, 'the key "version" is missing'),
    ],
)
def test_sources_that_cannot_be_taken_at_face_value(
    change: tuple[str, str], line: int | None, words: str | None
) -> None:
    text = OLD.replace(*change)
    result = migrate(spec(text), "--in-place")
    if words is None:
        assert result.code == 0
        return
    assert result.code == 1
    assert "[R0_source_invalid] /: " in result.error
    assert f"spec.yaml:{line}:" in result.error
    assert words in result.error
    assert Path("spec.yaml").read_text() == text


def test_a_second_document_is_refused_at_its_start() -> None:
    result = migrate(spec(OLD + "---\na: 1\n"))
    assert result.code == 1
    assert "spec.yaml:14:1: yaml-invalid: a second document starts here" in result.error


def test_paths_that_cannot_be_read() -> None:
    Path("folder").mkdir()
    locked = spec(OLD, "locked.yaml")
    result = migrate("folder")
    assert (result.code, result.out) == (2, b"")
    assert result.error == "folder: this is a folder; name the file in it\n"
    locked.chmod(0)
    if os.geteuid() != 0:
        result = migrate(locked)
        assert (result.code, result.error) == (2, "locked.yaml: permission denied\n")
    result = migrate("missing.yaml")
    assert (result.code, result.error) == (2, "missing.yaml: no such file\n")


def test_major_0_names_the_option_and_lifts_with_it() -> None:
    path = spec(OLD.replace('"1.6"', '"0.7"'))
    result = migrate(path)
    assert result.code == 1
    assert "[R9_source_version_major_0] /version: " in result.error
    assert "--from-v0" in result.error
    result = migrate(path, "--from-v0", "--in-place")
    assert result.code == 0
    assert path.read_text() == NEW
    assert "- the source is of major 0; it was lifted because --from-v0 was given" in result.text


@pytest.mark.parametrize("text", [OLD, NEW])
def test_from_v0_changes_nothing_for_newer_files(text: str) -> None:
    path = spec(text)
    assert migrate("--from-v0", path) == migrate(path)


def test_a_file_that_changed_since_it_was_read_is_not_overwritten() -> None:
    path = spec()
    from migrate_spec import migrate as module

    real = module.run

    def meanwhile(*arguments: object) -> object:
        path.write_text("somebody else was here\n")
        return real(*arguments)  # type: ignore[arg-type]

    with mock.patch.object(module, "run", meanwhile):
        result = migrate(path, "--in-place")
    assert result.code == 2
    assert "spec.yaml: changed on disk since it was read" in result.error
    assert path.read_text() == "somebody else was here\n"
    assert os.listdir() == ["spec.yaml"]


def test_as_a_process() -> None:
    path = spec()
    done = process("migrate-spec", "--in-place", path)
    assert (done.code, done.err) == (0, b"")
    assert path.read_text() == NEW
    assert process("migrate-spec", "--check", path).code == 0

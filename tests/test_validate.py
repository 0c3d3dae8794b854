from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import Result, process, run

from migrate_spec.validation import check
from transforms.document import Document, parse
from transforms.finding import Finding
from transforms.nodes import Mapping, Node, Scalar, lookup
from transforms.pointer import parse as steps_of

GOLDEN = Path(__file__).parent.parent / "golden" / "validate"
CASES = sorted(path.name for path in GOLDEN.iterdir())
VALID = [
    "frozen-v0",
    "frozen-v1",
    "largest-v2",
    "warnings-v0",
    "warnings-v1",
    "warnings-v2",
]

GOOD = b'version: "2"\nworkflows: {a: {stages: [{id: s, type: plan, executor: {agent: codex}}]}}\n'
BAD = GOOD.replace(b"type: plan", b"type: plans")


def validate(path: Path, *arguments: str) -> Result:
    """Run `validate` beside the file, so that it is named without folders."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        return run("validate", *arguments, path.name)
    finally:
        os.chdir(before)


# -- golden documents ---------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_golden_text(name: str, golden: Callable[[Path, bytes], None]) -> None:
    result = validate(GOLDEN / name / "source.yaml")
    golden(GOLDEN / name / "findings.txt", result.out)
    assert result.code == (0 if name in VALID else 1)
    assert result.err == b""


@pytest.mark.parametrize("name", CASES)
def test_golden_json(name: str, golden: Callable[[Path, bytes], None]) -> None:
    result = validate(GOLDEN / name / "source.yaml", "--format", "json")
    golden(GOLDEN / name / "findings.json", result.out)
    (document,) = result.json["documents"]
    assert document["valid"] is (name in VALID)
    assert result.code == (0 if name in VALID else 1)


def test_every_golden_of_a_frozen_major_validates() -> None:
    """Majors 0 and 1 promise that existing documents keep working."""
    for name in ("frozen-v0", "frozen-v1"):
        document = parse((GOLDEN / name / "source.yaml").read_bytes())
        assert check(document).findings == []
    for folder in ("warnings-v0", "warnings-v1"):
        document = parse((GOLDEN / folder / "source.yaml").read_bytes())
        assert {finding.severity for finding in check(document).findings} == {"warning"}


def test_largest_golden_is_long() -> None:
    assert len((GOLDEN / "largest-v2" / "source.yaml").read_text().splitlines()) >= 400


@pytest.mark.parametrize(
    ("version", "rule"),
    [
        ('"3"', "version-unsupported-major"),
        ('"3.0"', "version-unsupported-major"),
        ('"10.6"', "version-unsupported-major"),
        ('"99999999999999999999999999"', "version-unsupported-major"),
        ('"2.0"', "version-unknown-minor"),
        ('"1.7"', "version-unknown-minor"),
        ('"0.2"', "version-unknown-minor"),
        ('"latest"', "version-unparseable"),
    ],
)
def test_unknown_version_fails_closed(version: str, rule: str) -> None:
    document = parse(GOOD.replace(b'"2"', version.encode()))
    (only,) = check(document).findings
    assert (only.rule, only.pointer) == (rule, "/version")


# -- formats ---------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good and a bad file, which is the current one."""
    (tmp_path / "good.yaml").write_bytes(GOOD)
    (tmp_path / "bad file.yaml").write_bytes(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_text_of_several_files(two: Path) -> None:
    result = run("validate", "bad file.yaml", "good.yaml")
    assert result.code == 1
    assert result.text == (
        'bad file.yaml:2:40: schema: type cannot be "plans"\n'
        "  workflows: {a: {stages: [{id: s, type: plans, executor: {agent: codex}}]}}\n"
        "                                         ^^^^^\n"
        '  hint: did you mean "plan"? Allowed: plan, implement, review, deploy, acceptance\n'
        "good.yaml: valid\n"
    )


def test_github_annotations(two: Path) -> None:
    (two / "a,b%.yaml").write_bytes(BAD + b"x: 1\n")
    result = run("validate", "--format", "github", "a,b%.yaml", "good.yaml", "missing.yaml")
    assert result.code == 2
    assert result.text.splitlines() == [
        "::error file=a%2Cb%25.yaml,line=2,endLine=2,col=40,endColumn=45,title=schema::"
        'type cannot be "plans"%0Adid you mean "plan"? Allowed: plan, implement, review, deploy, acceptance',
        "::error file=a%2Cb%25.yaml,line=3,endLine=3,col=1,endColumn=2,title=schema::"
        'the document has no key "x"%0Aallowed: version, workflows, defaults, test_conventions, '
        "review_conventions, reviewer_personas",
        "::error file=missing.yaml,title=file-unreadable::no such file%0Acheck the path and its permissions",
    ]


def test_github_warning_over_several_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(
        'version: "2"\nworkflows:\n  a:\n    stages:\n      - id: s\n        type: plan\n'
        "        executor: {agent: codex}\n        permissions:\n          shell: none\n          write: [a]\n"
    )
    result = run("validate", "--format", "github", "a.yaml")
    assert result.code == 0
    assert result.text.startswith(
        "::warning file=a.yaml,line=9,endLine=10,title=declared-not-enforced::stage"
    )


def sarif(schema: Path, *paths: str) -> Any:
    import jsonschema

    log = json.loads(run("validate", "--format", "sarif", *paths).out)
    jsonschema.Draft4Validator(json.loads(schema.read_text())).validate(log)
    return log


SARIF = Path(__file__).parent / "data" / "sarif-2.1.0.json"


def test_sarif_of_every_golden_fits_its_schema() -> None:
    log = sarif(SARIF, *(str(GOLDEN / name / "source.yaml") for name in CASES))
    (only,) = log["runs"]
    used = {result["ruleId"] for result in only["results"]}
    described = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    assert described == sorted(used)
    for result in only["results"]:
        assert described[result["ruleIndex"]] == result["ruleId"]
    assert all(
        "shortDescription" in rule and "```yaml" in rule["help"]["markdown"]
        for rule in only["tool"]["driver"]["rules"]
    )


def test_sarif_says_where(two: Path) -> None:
    (two / "twice.yaml").write_bytes(GOOD + b"workflows: {}\n")
    log = sarif(SARIF, "bad file.yaml", "twice.yaml", "missing.yaml")
    (only,) = log["runs"]
    first, second, third = only["results"]
    assert only["columnKind"] == "unicodeCodePoints"
    assert first["level"] == "error"
    assert first["message"]["text"].splitlines()[0] == 'type cannot be "plans"'
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "bad%20file.yaml"},
                "region": {"startLine": 2, "startColumn": 40, "endLine": 2, "endColumn": 45},
            },
            "logicalLocations": [{"fullyQualifiedName": "/workflows/a/stages/0/type"}],
        }
    ]
    assert second["relatedLocations"] == [
        {
            "id": 1,
            "physicalLocation": {
                "artifactLocation": {"uri": "twice.yaml"},
                "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 10},
            },
            "message": {"text": "it stands here first"},
        }
    ]
    assert third["ruleId"] == "file-unreadable"
    assert third["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "missing.yaml"}}}]


def test_sarif_of_an_absolute_path_and_of_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "ä.yaml"
    path.write_bytes((GOLDEN / "warnings-v2" / "source.yaml").read_bytes())
    log = sarif(SARIF, str(path))
    (only,) = log["runs"]
    assert {result["level"] for result in only["results"]} == {"warning"}
    assert only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()


def test_json_of_what_cannot_be_read(two: Path) -> None:
    result = run("validate", "--format", "json", "missing.yaml", "good.yaml")
    assert result.code == 2
    missing, good = result.json["documents"]
    assert missing == {
        "path": "missing.yaml",
        "valid": False,
        "version": None,
        "diagnostics": [
            {
                "rule": "file-unreadable",
                "severity": "error",
                "pointer": "",
                "line": None,
                "column": None,
                "end_line": None,
                "end_column": None,
                "message": "no such file",
                "hint": "check the path and its permissions",
                "related": [],
            }
        ],
    }
    assert good == {"path": "good.yaml", "valid": True, "version": "2", "diagnostics": []}


def test_standard_input() -> None:
    result = run("validate", "-", stdin=BAD)
    assert result.code == 1
    assert result.text.startswith('<stdin>:2:40: schema: type cannot be "plans"\n')


def test_colours_only_on_demand(two: Path) -> None:
    assert b"\x1b[" not in run("validate", "bad file.yaml").out
    coloured = run("validate", "--color", "always", "bad file.yaml").text
    assert "\x1b[32m\x1b[1m^^^^^\x1b[0m" in coloured


def test_unknown_format_is_a_usage_error(two: Path) -> None:
    result = run("validate", "--format", "xml", "good.yaml")
    assert result.code == 2
    assert "'text', 'json', 'sarif', 'github'" in result.error


def test_warnings_change_neither_verdict_nor_exit_code(two: Path) -> None:
    (two / "warned.yaml").write_bytes((GOLDEN / "warnings-v0" / "source.yaml").read_bytes())
    result = process("validate", "--format", "json", "warned.yaml", cwd=two)
    assert result.code == 0
    assert result.json["documents"][0]["valid"] is True
    assert len(result.json["documents"][0]["diagnostics"]) == 5


def test_lines_end_with_crlf_or_lf_alike(tmp_path: Path) -> None:
    def places(name: str) -> list[tuple[object, ...]]:
        found = validate(GOLDEN / name / "source.yaml", "--format", "json").json["documents"][0][
            "diagnostics"
        ]
        return [(d["rule"], d["line"], d["column"], d["end_line"], d["end_column"]) for d in found]

    assert b"\r\n" in (GOLDEN / "crlf" / "source.yaml").read_bytes()
    assert places("crlf") == places("misspelt")


# -- the place of every finding -----------------------------------------------------------


def documents(shared: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the invalid documents of the shared folder and the golden ones, each with its name."""
    from ruamel.yaml import YAML

    for area in ("validate", "resolve", "migrate"):
        for file in sorted((shared / "cases" / area).glob("*.yaml")):
            for case in YAML(typ="safe", pure=True).load(file)["cases"]:
                yield f"{file.stem}--{case['name']}", case["source"].encode()
    for file in sorted((shared / "corpus").glob("*/*.yaml")):
        yield file.name, file.read_bytes()
    for file in sorted((shared / "bugs" / "inputs").glob("*.yaml")):
        yield file.name, file.read_bytes()
    for name in CASES:
        yield name, (GOLDEN / name / "source.yaml").read_bytes()


def test_every_finding_marks_the_text_it_means(shared: Path) -> None:
    seen = 0
    for name, data in documents(shared):
        document = parse(data)
        for finding in check(document).findings:
            seen += 1
            line, column = document.position(finding.start)
            marked = document.text[finding.start : finding.end]
            assert document.line(line)[column - 1 :].startswith(marked.split("\n")[0].rstrip("\r")), name
            if finding.rule != "yaml-invalid":
                assert means(document, finding, marked), (name, finding, marked)
    assert seen > 900


def means(document: Document, finding: Finding, marked: str) -> bool:
    """Tell whether `marked` is the text that `finding` is about, read from its pointer and its words."""
    assert document.root is not None
    node = lookup(document.root, tuple(int(s) if s.isdigit() else s for s in steps_of(finding.pointer)))
    if node is None:
        node = lookup(document.root, steps_of(finding.pointer))
    assert node is not None, finding.pointer
    words = finding.message
    if "has no key" in words or "cannot be a name" in words or "is not a string" in words:
        return marked.strip("'\"") in words
    if finding.rule == "version-missing":
        return (finding.start, finding.end) == (0, 0)
    if finding.rule.startswith("v2-") and marked == str(node.step):
        return True
    if any(sign in words for sign in (" lacks ", " takes exactly one of ", " takes either ", " is empty")):
        return marked in holders(document, node) or marked == value(document, node) or inside(node, marked)
    if finding.rule == "schema" and " twice" in words:
        return marked.strip("'\"") in words
    if finding.rule == "schema" and "cannot be" in words and isinstance(node, Mapping):
        return inside(node, marked)
    return marked == value(document, node) or marked in holders(document, node)


def value(document: Document, node: Node) -> str:
    return document.text[node.start : node.end]


def holders(document: Document, node: Node) -> set[str]:
    """Return what stands for a collection that lacks something: its key, its first key in a list, nothing."""
    found = {str(node.step)}
    if isinstance(node, Mapping) and node.written:
        found.add(value(document, node.written[0].key))
    return found | ({""} if node.parent is None else set())


def inside(node: Node, marked: str) -> bool:
    """Tell whether `marked` is a key or a scalar directly inside `node` or inside its delegate."""
    below = [node]
    if isinstance(node, Mapping) and isinstance(node.get("delegate"), Mapping):
        below.append(node.entries["delegate"].value)
    texts = set()
    for mapping in below:
        for pair in mapping.entries.values() if isinstance(mapping, Mapping) else ():
            texts |= {node.text for node in pair if isinstance(node, Scalar)}
    return marked.strip("'\"") in texts


# -- inputs that break tools of this kind -----------------------------------------------


def test_version_number_is_shown_as_written(shared: Path) -> None:
    result = run("validate", shared / "bugs" / "inputs" / "15-version-number.yaml")
    assert ":1:10: version-not-string: the version must be a quoted string, found 1.10\n" in result.text
    assert 'hint: write version: "1.10"\n' in result.text
    assert result.text.count("hint") == 1


def test_both_duplicate_keys_are_told(shared: Path) -> None:
    path = shared / "bugs" / "inputs" / "16-duplicate-key.yaml"
    found = run("validate", "--format", "json", path).json["documents"][0]["diagnostics"]
    places = [((d["line"], d["column"]), [(r["line"], r["column"]) for r in d["related"]]) for d in found]
    assert places == [((13, 3), [(3, 3)]), ((21, 11), [(20, 11)])]


def test_file_after_one_that_is_no_text_is_checked(shared: Path, two: Path) -> None:
    path = shared / "bugs" / "inputs" / "18-not-utf8.yaml"
    result = run("validate", path, "good.yaml")
    assert result.code == 1
    assert result.text.startswith(f"{path}:4:21: yaml-invalid: byte 0xE9 is not UTF-8\n")
    assert result.text.endswith("good.yaml: valid\n")


def test_unions_say_which_branch_and_what_does_not_fit(shared: Path) -> None:
    path = shared / "bugs" / "inputs" / "20-oneof-message.yaml"
    first, second = run("validate", "--format", "json", path).json["documents"][0]["diagnostics"]
    assert first["line"] == 7
    assert first["message"] == (
        "executor takes exactly one of agent, human, delegate; agent and human are both set"
    )
    assert (second["line"], second["column"]) == (14, 21)
    assert second["message"] == 'target cannot be "github_action"'
    assert second["hint"] == 'did you mean "github_actions"? Allowed: github_actions, webhook'


def test_inherited_null_is_told_at_its_own_line(shared: Path) -> None:
    path = shared / "bugs" / "inputs" / "23-extends-array-null.yaml"
    found = run("validate", "--format", "json", path).json["documents"][0]["diagnostics"]
    assert [(d["rule"], d["line"], d["column"]) for d in found] == [("schema", 33, 9)]


def test_quoted_words_are_strings(shared: Path) -> None:
    for name in ("07-quotes-yaml11.yaml", "08-crlf.yaml"):
        assert run("validate", shared / "bugs" / "inputs" / name).code == 0


def test_a_plan_is_sent_to_its_own_command() -> None:
    (finding,) = check(parse(b'{"plan_version": "standard_v1"}')).findings
    assert (finding.rule, finding.hint) == (
        "version-missing",
        "a plan is checked with: fishhawk plan validate",
    )

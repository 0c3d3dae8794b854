"""What must hold of every document, however hostile: findings and readable outputs, in bounded time, and no more."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support import run

from fuzz.seeds import LEDGER, PLAN, SERVICE_PLAN, WORKFLOW
from migrate_spec import drawing, eligibility, findings, graph, resolution, views
from migrate_spec.findings import Report
from migrate_spec.migrate import MIGRATED, NO_OP, UNREADABLE, Outcome
from migrate_spec.migrate import run as migrate
from migrate_spec.plans import ledger, standard
from migrate_spec.plans.remarks import Limits
from migrate_spec.validation import Checked, check
from transforms.document import Document, parse
from transforms.edits import unified
from transforms.emit import json_data
from transforms.finding import Finding
from transforms.nodes import lookup, plain
from transforms.pointer import parse as steps_of

LONGEST = 1.0
"""How many seconds of the processor any one step may take."""

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_MACHINERY = re.compile(r"\b(anyOf|oneOf|additionalProperties|Traceback|NoneType|None|True|False)\b|\{'|\['")


class Broken(AssertionError):
    """A promise that was not kept."""


@contextmanager
def swiftly(step: str) -> Iterator[None]:
    """Measure what stands inside; Broken when it takes longer than `LONGEST`."""
    start = time.process_time()
    yield
    took = time.process_time() - start
    if took > LONGEST:
        raise Broken(f"{step} took {took:.2f} s")


def hold(kind: str, data: bytes, rng: random.Random, folder: Path) -> None:
    """Put one document through everything that concerns its kind; any exception is a promise broken."""
    _HOLD[kind](data, rng, folder)


# -- workflow files -----------------------------------------------------------------


def _workflow(data: bytes, rng: random.Random, folder: Path) -> None:
    with swiftly("parse"):
        document = parse(data)
    text = document.text
    with swiftly("check"):
        checked = check(document)
    report = Report("w.yaml", document, checked.findings)
    with swiftly("findings"):
        _findings(report)
        _pointers(document, checked)
    with swiftly("resolve"):
        _resolve(report, checked)
    with swiftly("migrate"):
        outcome = migrate(document, from_v0=rng.random() < 0.5)
    with swiftly("report"):
        _migration(outcome)
    if document.text is not text:
        raise Broken("the text of the document was changed")
    _command(rng.choice(_COMMANDS), data, folder)


def _findings(report: Report) -> None:
    length = len(report.document.text) if report.document is not None else 0
    for finding in report.findings:
        if not 0 <= finding.start <= finding.end <= length:
            raise Broken(f"{finding} is not inside the text")
        _words(finding, report.document.text if report.document is not None else "")
        json.dumps(findings.as_json(report.document, finding))
    findings.text(report)


def _words(finding: Finding, text: str) -> None:
    """What is said is printable, short, and speaks of nothing inside the program."""
    for words in (finding.message, finding.hint or "-", *(each.message for each in finding.related)):
        if not words or _UNPRINTABLE.search(words) or len(words) > 2_500:
            raise Broken(f"odd words: {words[:300]!r}")
        inner = _MACHINERY.search(words)
        if inner is not None and inner.group() not in text:
            raise Broken(f"words of the machinery: {words[:300]!r}")


def _pointers(document: Document, checked: Checked) -> None:
    """Each pointer names a node that is there, in the document as its author wrote it."""
    if document.root is None or document.faults:
        return
    for finding in checked.findings:
        steps = tuple(int(step) if step.isdigit() else step for step in steps_of(finding.pointer))
        if not _reached(document, finding.pointer) and lookup(document.root, steps) is None:
            raise Broken(f"{finding.rule} points nowhere: {finding.pointer}")


def _reached(document: Document, pointer: str) -> bool:
    assert document.root is not None
    node: Any = document.root
    for step in steps_of(pointer):
        if hasattr(node, "entries"):
            found = [pair.value for name, pair in node.entries.items() if str(name) == step]
        else:
            items = getattr(node, "items", [])
            found = [items[int(step)]] if step.isdigit() and int(step) < len(items) else []
        if not found:
            return False
        node = found[0]
    return True


def _resolve(report: Report, checked: Checked) -> None:
    for name in resolution.PHASES:
        found = resolution.phase(checked, name)
        if found is None:
            continue
        view = views.document(found)
        again = parse(view.text.encode("utf-8", "surrogatepass"))
        wanted = json_data(found)
        if again.faults or again.root is None or json_data(plain(again.root)) != wanted:
            raise Broken(f"the YAML of {name} does not read back: {again.faults}")
        if json.loads(views.FORMATS["json"](view)) != wanted:
            raise Broken(f"the JSON of {name} does not read back")
    for form in ("text", "json"):
        views.FORMATS[form](views.explained(report, checked.resolved))
        views.FORMATS[form](views.summary(report, checked.resolved))
    if checked.resolved is not None and report.valid:
        _draw(checked)


def _draw(checked: Checked) -> None:
    assert checked.resolved is not None
    drawn = graph.pictures(checked.resolved)
    drawing.mermaid(drawn)
    drawing.dot(drawn)


def _migration(outcome: Outcome) -> None:
    for refusal in outcome.refusals:
        for finding in (refusal.finding, *refusal.diagnostics):
            _words(finding, outcome.document.text)
    if outcome.outcome == UNREADABLE:
        return
    json.dumps(eligibility.as_json(outcome))
    eligibility.text(outcome)
    eligibility.markdown(outcome, "w.yaml")
    if outcome.outcome == MIGRATED:
        assert outcome.text is not None
        unified(outcome.document.text, outcome.edits, "a/w.yaml", "b/w.yaml")
        again = migrate(parse(outcome.document.encode(outcome.text)))
        if again.outcome != NO_OP:
            raise Broken("the second run is no no-op")


_COMMANDS = (
    *([("validate", "--format", form) for form in ("text", "json", "sarif", "github")]),
    *([("migrate-spec", "--from-v0", "--format", form) for form in ("text", "json", "markdown")]),
    *([("migrate-spec", flag) for flag in ("--diff", "--check", "--in-place")]),
    *([("resolve", "--phase", name, "--format", form) for name in resolution.PHASES for form in ("text", "json")]),
    *([("resolve", flag, "--format", form) for flag in ("--print", "--explain") for form in ("text", "yaml", "json")]),
    ("resolve",),
    ("graph",),
    ("graph", "--format", "dot"),
)  # fmt: skip


def _command(command: tuple[str, ...], data: bytes, folder: Path) -> None:
    """Run one command line on the file; only --in-place may change it."""
    path = folder / "document"
    path.write_bytes(data)
    with swiftly(" ".join(command)):
        result = run(*command, path)
    _answered(command, result.code, result.out, result.err)
    if "--in-place" not in command and path.read_bytes() != data:
        raise Broken(f"{command} changed the file")
    if [*folder.iterdir()] != [path]:
        raise Broken(f"{command} left something behind")


def _answered(command: tuple[str, ...], code: int, out: bytes, err: bytes) -> None:
    if code not in (0, 1, 2) or b"Traceback" in err:
        raise Broken(f"{command} ended with {code}: {err.decode()[-300:]}")
    text = out.decode()
    err.decode()
    if "json" in command and (out or code == 0):
        json.loads(text)


# -- plans ---------------------------------------------------------------------------


def _plan(data: bytes, rng: random.Random, folder: Path) -> None:
    limits = Limits(rng.choice((None, 0, 3)), rng.choice((None, 0, 60)), rng.random() < 0.5)
    moment = rng.choice((None, "2026-01-02T03:04:05Z"))
    with swiftly("plan validate"):
        checked = standard.check(data, limits, moment)
    with swiftly("findings"):
        _findings(Report("p.json", checked.document, [*checked.diagnostics, *checked.advisories]))
    if checked.repairs and checked.valid and not standard.check(checked.data).valid:
        raise Broken("the repaired plan is not valid")
    if not checked.repairs and checked.data != data:
        raise Broken("a plan without repairs was changed")
    form = rng.choice(("text", "json", "sarif", "github"))
    _command(("plan", "validate", *rng.choice(((), ("--coerce",))), "--format", form), data, folder)


def _service_plan(data: bytes, rng: random.Random, folder: Path) -> None:
    form = rng.choice(("text", "json", "sarif", "github"))
    _command(("plan", "critic", "--format", form, "--plan"), data, folder)


def _ledger(data: bytes, _rng: random.Random, folder: Path) -> None:
    with swiftly("ledger"):
        try:
            ledger.records(data)
        except ledger.Malformed as problem:
            if problem.line < 1 or problem.column < 1 or _UNPRINTABLE.search(str(problem)):
                raise Broken(f"odd words: {problem}") from problem


_HOLD: dict[str, Callable[[bytes, random.Random, Path], None]] = {
    WORKFLOW: _workflow,
    PLAN: _plan,
    SERVICE_PLAN: _service_plan,
    LEDGER: _ledger,
}

"""Source check, transform, proof: one governance file on its way to major 2 (`migration.md` 2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from migrate_spec import notes, versions
from migrate_spec.validation import check
from transforms.document import Document, parse
from transforms.edits import Edit, Overlap
from transforms.finding import Finding, Place, error
from transforms.flow import Stuck
from transforms.gates import Eligibility, budget_stages, eligibility
from transforms.migration import Migration, comment_texts, migrate
from transforms.nodes import Mapping, plain
from transforms.refusals import refusals
from transforms.translate import translate

MIGRATED, NO_OP, REFUSED, UNREADABLE = "migrated", "no-op", "refused", "unreadable"


class Refusal(NamedTuple):
    """Why a file is not migrated; `diagnostics` are the validator's complaints behind R0 and R7."""

    finding: Finding
    diagnostics: tuple[Finding, ...] = ()
    document: Document | None = None


class Outcome(NamedTuple):
    """What became of one file: outcome, refusals, report, and the new text with its edits if migrated."""

    document: Document
    outcome: str
    refusals: tuple[Refusal, ...] = ()
    gates: tuple[Eligibility, ...] = ()
    budget_stages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    text: str | None = None
    attempted: bool = False


def run(document: Document, from_v0: bool = False) -> Outcome:
    """Return what becomes of `document`; nothing is written. `from_v0` lifts major 0 too (`migration.md` 10)."""
    root = document.mapping
    if root is None:
        return Outcome(document, UNREADABLE)
    major = versions.written_major(document)
    if major == 0 and not from_v0 and not document.faults:
        return _refused(document, root, [Refusal(_from_major_0(document, root))])
    checked = check(document, source=True)
    if checked.findings or checked.major is None or checked.resolved is None:
        return _refused(document, root, [_invalid(checked.findings, major)])
    found = notes.Checked(document, checked.major, checked.resolved)
    return _no_op(found) if checked.major == 2 else _translated(found, root)


def _from_major_0(document: Document, root: Mapping) -> Finding:
    version = root.entries["version"].value
    message = "only files of major 1 are migrated, and this one is of major 0"
    hint = "lift it with --from-v0, or move it to major 1 first"
    return error("R9_source_version_major_0", "/version", Place(version.start, version.end), message, hint)


def _invalid(findings: list[Finding], major: int | None) -> Refusal:
    message = "only a valid file is migrated, and this one is not valid"
    if major == 2:
        message = "this file says that it is at major 2 already, but it is not valid there"
    first = findings[0]
    place = Place(first.start, first.end)
    return Refusal(
        error("R0_source_invalid", "/", place, message, "correct what the validator names"), tuple(findings)
    )


def _refused(document: Document, root: Mapping, found: list[Refusal]) -> Outcome:
    return Outcome(document, REFUSED, tuple(found), tuple(eligibility(root, False)))


def _no_op(found: notes.Checked) -> Outcome:
    gates = tuple(eligibility(found.resolved, True))
    return Outcome(found.document, NO_OP, gates=gates, notes=tuple(notes.of_no_op(found)))


def _translated(found: notes.Checked, root: Mapping) -> Outcome:
    document = found.document
    against = [Refusal(finding) for finding in refusals(root)]
    done: Migration | None = None
    output: notes.Checked | None = None
    if not against:
        try:
            done = migrate(document)
            output = prove(document, root, done)
        except (Overlap, Stuck) as problem:
            against = [_unprovable(str(problem))]
        except Unproven as problem:
            against = [problem.refusal]
    return Outcome(
        document,
        REFUSED if against else MIGRATED,
        tuple(against),
        tuple(eligibility(root, True)),
        tuple(budget_stages(root)),
        tuple(notes.of_migration(found, output)),
        tuple(done.edits) if done is not None and not against else (),
        done.text if done is not None and not against else None,
        True,
    )


class Unproven(Exception):
    """The new text does not hold what it must; carries the refusal R7."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.finding.message)
        self.refusal = refusal


def prove(document: Document, root: Mapping, done: Migration) -> notes.Checked:
    """Return the new text, read and checked; Unproven when it does not hold what it must.

    It must parse to the data that `translate` gives, hold every comment, and pass the output check.
    """
    output = parse(document.encode(done.text))
    if output.faults or output.mapping is None:
        raise Unproven(Refusal(_r7("the output cannot be read"), output.faults, output))
    wanted = translate(plain(root), done.spelled_out)
    got = plain(output.mapping)
    if got != wanted or _kinds(got) != _kinds(wanted):
        raise Unproven(_unprovable(f"the output says something else: {difference(wanted, got)}"))
    if comment_texts(output) != comment_texts(document):
        raise Unproven(_unprovable("a comment would be lost or moved past another"))
    checked = check(output, source=True)
    if checked.findings or checked.resolved is None:
        message = "the output does not pass the check of major 2"
        raise Unproven(Refusal(_r7(message), tuple(checked.findings), output))
    return notes.Checked(output, 2, checked.resolved)


def _kinds(value: Any) -> Any:
    """Return what `==` does not tell apart: booleans and numbers."""
    if isinstance(value, dict):
        return {key: _kinds(item) for key, item in value.items()}
    return [_kinds(item) for item in value] if isinstance(value, list) else type(value)


def difference(wanted: Any, got: Any) -> str:
    """Return in words the first place at which two documents differ."""
    from migrate_spec.compare import differences

    for place in differences(wanted, got):
        what = "is missing" if not place.found else "is there" if not place.expected else "is another value"
        return f"{place.pointer or 'the document'} {what}"
    return "a number was written as another kind of number"


def _r7(message: str) -> Finding:
    hint = "nothing was written; migrate this place by hand"
    return error("R7_output_invalid", "/", Place(0, 0), message, hint)


def _unprovable(message: str) -> Refusal:
    return Refusal(_r7(message))

"""Source check, transform, proof: one governance file on its way to major 2 (`migration.md` 2)."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from migrate_spec import notes, versions
from migrate_spec.validation import check
from transforms.document import Document, parse
from transforms.edits import Edit, Overlap, splice
from transforms.finding import Finding, Place, at_holder, error
from transforms.flow import Stuck
from transforms.gates import Eligibility, budget_stages, eligibility
from transforms.layout import Layout
from transforms.migration import Migration, comment_texts, migrate
from transforms.nodes import Mapping, Node, lookup, plain
from transforms.pointer import parse as pointer_steps
from transforms.refusals import refusals
from transforms.translate import translate
from transforms.unmerging import composed, merges, unmerged

Verdict = Literal["migrated", "no-op", "refused", "unreadable"]
MIGRATED: Final = "migrated"
NO_OP: Final = "no-op"
REFUSED: Final = "refused"
UNREADABLE: Final = "unreadable"


class Refusal(NamedTuple):
    """Why a file is not migrated; `diagnostics` are the validator's complaints behind R0 and R7."""

    finding: Finding
    diagnostics: tuple[Finding, ...] = ()
    document: Document | None = None

    @property
    def words(self) -> str:
        """What is told of it in one line: why, and what to do."""
        return "; ".join(filter(None, (self.finding.message, self.finding.hint)))


class Outcome(NamedTuple):
    """What became of one file: outcome, refusals, report, and the new text with its edits if migrated."""

    document: Document
    outcome: Verdict
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
        return _refused(document, root, [Refusal(_from_major_0(root))])
    checked = check(document, source=True)
    if checked.findings or checked.major is None or checked.resolved is None:
        return _refused(document, root, [_invalid(checked.findings, major)])
    found = notes.Checked(document, checked.major, checked.resolved)
    return _no_op(found, root) if checked.major == 2 else _translated(found, root)


def _from_major_0(root: Mapping) -> Finding:
    version = root.entries["version"].value
    message = "only files of major 1 are migrated, and this one is of major 0"
    hint = "lift it with --from-v0, or move it to major 1 first"
    return error("R9_source_version_major_0", "/version", Place(version.start, version.end), message, hint)


def _invalid(findings: list[Finding], major: int | None) -> Refusal:
    message, hint = (
        "only a valid file is migrated, and this one is not valid",
        "correct what the validator names",
    )
    if major == 2:
        message = "this file says that it is at major 2 already, but it is not valid there"
    if any(finding.rule.startswith("v2-") for finding in findings):
        hint = "it has words of version 1: give it the version that it was written for and migrate it again"
    first = findings[0]
    place = Place(first.start, first.end)
    return Refusal(error("R0_source_invalid", "/", place, message, hint), tuple(findings))


def _refused(document: Document, root: Mapping, found: list[Refusal]) -> Outcome:
    return Outcome(document, REFUSED, tuple(found), tuple(eligibility(root, False)))


def _no_op(found: notes.Checked, root: Mapping) -> Outcome:
    gates = tuple(eligibility(root, True))
    return Outcome(found.document, NO_OP, gates=gates, notes=tuple(notes.of_no_op(found)))


def _translated(found: notes.Checked, root: Mapping) -> Outcome:
    document = found.document
    against = [Refusal(finding) for finding in refusals(root)]
    done: Proven | None = None
    if not against:
        try:
            done = _proven(document, root)
        except Unproven as problem:
            against = [problem.refusal]
    return Outcome(
        document,
        MIGRATED if done is not None else REFUSED,
        tuple(against),
        tuple(eligibility(root, True)),
        tuple(budget_stages(root)),
        tuple(notes.of_migration(found, done.output if done is not None else None)),
        tuple(done.edits) if done is not None else (),
        done.text if done is not None else None,
        True,
    )


class Proven(NamedTuple):
    """A migration that holds: its edits, the new text, and the new document with its check."""

    edits: list[Edit]
    text: str
    output: notes.Checked


def _proven(document: Document, root: Mapping) -> Proven:
    """Return the migration of `document`; Unproven when there is none.

    Merge keys stay as written if they can. Where what one brings and what overrides it would need
    different translations, as few of them as possible are written out (M13).
    """
    try:
        return _attempt(document, root, [])
    except Unproven:
        chosen = merges(root)
        if not chosen:
            raise
        try:
            best = _attempt(document, root, chosen)
        except Unproven:
            chosen = []
    if not chosen:
        return _attempt(document, root, [])
    for mapping in chosen[:_TRIED] if len(chosen) > 1 else ():
        fewer = [each for each in chosen if each is not mapping]
        try:
            best, chosen = _attempt(document, root, fewer), fewer
        except Unproven:
            continue
    return best


_TRIED = 50
"""How many merge keys are tried to be left as written."""


def _attempt(document: Document, root: Mapping, written_out: list[Mapping]) -> Proven:
    """Return the migration with some merge keys written out first; Unproven when it does not hold."""
    try:
        first = unmerged(Layout(document), written_out)
        middle = parse(document.encode(splice(document.text, first))) if first else document
        if middle.mapping is None or middle.faults or plain(middle.mapping) != plain(root):
            raise Unproven(_unprovable("a merge key cannot be written out"))
        done = migrate(middle)
    except (Overlap, Stuck) as problem:
        raise Unproven(_unprovable(str(problem), problem.at)) from problem
    edits = composed(document.text, first, done.edits) if first else done.edits
    return Proven(edits, done.text, prove(document, root, done))


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
        pointer, what = difference(wanted, got)
        message = f"the output would say something else: {pointer or 'the document'} {what}"
        raise Unproven(_unprovable(message, _nearest(root, pointer)))
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


def difference(wanted: Any, got: Any) -> tuple[str, str]:
    """Return the pointer of the first place at which two documents differ, and in words how."""
    from migrate_spec.compare import differences

    for place in differences(wanted, got):
        what = "is missing" if not place.found else "is there" if not place.expected else "is another value"
        return place.pointer, what
    return "", "has a number of another kind"


def _nearest(root: Mapping, pointer: str) -> int:
    """Return where in the source the place begins that `pointer` leads to in the output, as far as it goes."""
    node: Node = root
    for step in pointer_steps(pointer):
        inner = lookup(node, (int(step) if step.isdigit() else step,))
        if inner is None:
            break
        node = inner
    return at_holder(node).start


def _r7(message: str, at: int = 0) -> Finding:
    hint = "nothing was written; migrate this place by hand"
    return error("R7_output_invalid", "/", Place(at, at), message, hint)


def _unprovable(message: str, at: int = 0) -> Refusal:
    return Refusal(_r7(message, at))

"""What a careful reviewer would want to know before committing a migration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from migrate_spec import rules
from transforms.document import Document
from transforms.finding import Finding, unique
from transforms.gates import all_gates, is_team, roles, union
from transforms.layout import Layout
from transforms.nodes import Mapping


class Checked(NamedTuple):
    """A document that passed the source check, its major, and its tree with reuse resolved."""

    document: Document
    major: int
    resolved: Mapping


def of_migration(before: Checked, after: Checked | None) -> Iterator[str]:
    """Yield the notes on a file that was translated, or on a refused one (`after` None)."""
    document, root = before.document, before.document.mapping
    assert root is not None
    if before.major == 0:
        yield "the source is of major 0; it was lifted because --from-v0 was given"
    found = beyond(before)
    yield from (_line(document, finding) for finding in found)
    if after is None:
        yield from _unused_teams(root)
        return
    known = {finding.rule for finding in found}
    fresh = [finding for finding in beyond(after) if finding.rule not in known]
    yield from (f"in the new text, {_line(after.document, finding)}" for finding in fresh)
    yield from _stranded(document, root, after.document)
    yield from _unused(root)
    yield from _twins(root)


def of_no_op(found: Checked) -> list[str]:
    """Return the notes on a file that is at major 2 already."""
    return [_line(found.document, finding) for finding in beyond(found)]


def beyond(found: Checked) -> list[Finding]:
    """Return what the full validator finds in a document in which the source check finds nothing."""
    return unique(rules.findings(found.resolved, found.major))


def _line(document: Document, finding: Finding) -> str:
    line, column = document.position(finding.start)
    kind = " (warning)" if finding.severity == "warning" else ""
    return f"line {line}:{column}: {finding.rule}{kind}: {finding.message}"


def _stranded(document: Document, root: Mapping, output: Document) -> Iterator[str]:
    """Comments that stand alone now, since what they stood behind or among is gone: they may be out of date."""
    layout, after = Layout(document), Layout(output)
    pair = root.entries.get("roles")
    gone = (0, 0) if pair is None else (pair.key.first, max(pair.key.last, pair.value.last))
    for old, new in zip(document.comments, output.comments, strict=True):
        among = gone[0] <= old.start < gone[1]
        behind = _lead(layout, old.start).strip(" -") and not _lead(after, new.start).strip()
        if among or behind:
            words = document.text[old.start : old.end].rstrip()
            line = layout.line(old.start) + 1
            yield f"line {line}: the comment {words} stands alone now, what it belonged to is gone"


def _lead(layout: Layout, offset: int) -> str:
    return layout.text[layout.begin(layout.line(offset)) : offset]


def _twins(root: Mapping) -> Iterator[str]:
    """Handles of one gate that differ by letter case only: one person to a forge that ignores case."""
    known = roles(root)
    for gate in all_gates(root):
        approvers = gate.approvers
        people = union(approvers.roles, known) if approvers is not None and gate.old else []
        for group in _same_ignoring_case(people):
            names = " and ".join(group)
            yield (
                f"{gate.node.pointer}: {names} differ by letter case only; where the forge ignores"
                " case they are one person, and a count over both may be out of reach"
            )


def _same_ignoring_case(names: Iterable[str]) -> Iterator[list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.casefold(), []).append(name)
    return (group for group in groups.values() if len(group) > 1)


def _unused(root: Mapping) -> Iterator[str]:
    """Roles that no gate uses, whose people the new text does not name on their account."""
    used = _used(root)
    for name, members in roles(root).items():
        if name not in used:
            people = ", ".join(member.text for member in members)
            yield f"/roles/{name}: no gate uses the role {name} ({people}), so nothing is left of it"


def _used(root: Mapping) -> set[str]:
    return {name for gate in all_gates(root) if gate.approvers for name in gate.approvers.roles}


def _unused_teams(root: Mapping) -> Iterator[str]:
    """Roles that are refused for a team although no gate uses them."""
    used = _used(root)
    for name, members in roles(root).items():
        if name not in used and any(is_team(member.text) for member in members):
            yield f"/roles/{name}: no gate uses the role {name}; deleting it would lift its refusal"

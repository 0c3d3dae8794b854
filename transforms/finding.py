"""One value for everything that is wrong with a document, and the places it names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from transforms.nodes import Mapping, Node, Pair, Scalar, Sequence, pair_of
from transforms.wording import plainly

Severity = Literal["error", "warning"]
"""An error makes a document invalid; a warning changes no verdict. SARIF and annotations have the same words."""


class Related(NamedTuple):
    """Another place that belongs to a finding: offsets and what stands there."""

    start: int
    end: int
    message: str


class Place(NamedTuple):
    """Offsets of the text that is meant, and the aliases that lead there."""

    start: int
    end: int
    related: tuple[Related, ...] = ()


class Finding(NamedTuple):
    """Something that is wrong, where, and what to write instead.

    `pointer` leads into the author's document, `start` and `end` are offsets into its text. Two
    findings are the same when rule, pointer and position are: see `unique`.
    """

    rule: str
    severity: Severity
    pointer: str
    start: int
    end: int
    message: str
    hint: str | None = None
    related: tuple[Related, ...] = ()


def error(
    rule: str,
    pointer: str,
    place: Place,
    message: str,
    hint: str | None = None,
    related: Iterable[Related] = (),
    severity: Severity = "error",
) -> Finding:
    """Return a finding at `place`; the aliases that lead there join `related`."""
    places = (*related, *place.related)
    return Finding(rule, severity, pointer, place.start, place.end, message, hint, places)


def unique(findings: Iterable[Finding]) -> list[Finding]:
    """Return `findings` in the order of the text, one for each rule, pointer and position.

    Of equal ones the one with the fewest related places stays: it is told from where it is written,
    not through a workflow that inherits it.
    """
    found: dict[tuple[str, str, int, int], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.pointer, finding.start, finding.end)
        if key not in found or len(finding.related) < len(found[key].related):
            found[key] = finding
    return sorted(found.values(), key=lambda finding: (finding.start, finding.pointer, finding.rule))


def at_value(node: Node) -> Place:
    """Return the place of a bad value: the value behind anchor and tag, or the key of an empty one."""
    pair = pair_of(node)
    if node.start == node.end and pair is not None:
        return at_key(pair)
    if node.start == node.end and node.parent is not None:
        return at_holder(node.parent)
    return Place(node.start, node.end, aliases(node))


def at_holder(node: Node) -> Place:
    """Return the place of a collection that lacks something: its key, its first key in a list, or 1:1."""
    pair = pair_of(node)
    if pair is not None:
        return Place(pair.key.start, pair.key.end, aliases(node))
    if node.parent is None:
        return Place(0, 0)
    if isinstance(node, Mapping) and node.written:
        return Place(node.written[0].key.start, node.written[0].key.end, aliases(node))
    return Place(node.start, node.end, aliases(node))


def at_key(pair: Pair) -> Place:
    """Return the place of a key that should not be there."""
    return Place(pair.key.start, pair.key.end, aliases(pair.value))


def aliases(node: Node) -> tuple[Related, ...]:
    """Return the alias tokens through which `node` is reached, the nearest first."""
    found = []
    walked: Node | None = node
    while walked is not None:
        for alias in (walked.alias, walked.via):
            if alias is not None:
                found.append(
                    Related(alias.start, alias.end, f"reached through the alias *{plainly(alias.name)}")
                )
        walked = walked.parent
    return tuple(found)


def sort_of(node: Node) -> str:
    """Return in plain words what kind of value `node` is, for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    assert isinstance(node, Scalar)
    return _SORTS.get(type(node.value).__name__, "a string")


_SORTS = {
    "NoneType": "empty",
    "bool": "a boolean",
    "int": "a number",
    "float": "a number",
    "Date": "a date",
}

"""The edits that write a v1 (or v0) document as v2 (`migration.md` 3 and 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from transforms.cuts import close_gaps
from transforms.document import Document
from transforms.edits import Edit, collect, splice
from transforms.gates import all_stages, approval_gates, roles, workflows
from transforms.layout import Layout
from transforms.nodes import Mapping
from transforms.proposals import Proposal
from transforms.sharing import settle
from transforms.translations.approvers import approvers
from transforms.translations.constraints import constraints
from transforms.translations.delegation import delegation, spelled_out
from transforms.translations.tokens import drive, minutes, version
from transforms.translations.tokens import roles as drop_roles


class Migration(NamedTuple):
    """The edits in the order of the text, the text with them done, and the blocks that stay matrices."""

    edits: list[Edit]
    text: str
    spelled_out: frozenset[str]


def migrate(document: Document) -> Migration:
    """Return how `document`, valid and without refusals, is written at v2.

    Raises edits.Overlap or flow.Stuck where one text would have to become two different things.
    """
    root = document.mapping
    assert root is not None
    layout = Layout(document)
    kept = frozenset(_spelled_out(layout, root))
    edits = settle(layout, root, _proposals(layout, root, kept))
    done = collect(edit for edit in close_gaps(layout, edits) if _changes(document.text, edit))
    return Migration(done, splice(document.text, done), kept)


def _changes(text: str, edit: Edit) -> bool:
    return text[edit.start : edit.end] != edit.new


def _holders(root: Mapping) -> Iterator[Mapping]:
    """Yield what may hold a delegation block: workflows and approval gates."""
    yield from workflows(root)
    for stage in all_stages(root):
        yield from (gate.node for gate in approval_gates(stage))


def _spelled_out(layout: Layout, root: Mapping) -> Iterator[str]:
    for holder in _holders(root):
        pointer = spelled_out(layout, holder)
        if pointer is not None:
            yield pointer


def _proposals(layout: Layout, root: Mapping, kept: frozenset[str]) -> Iterator[Proposal]:
    known = roles(root)
    yield from version(layout, root)
    yield from drop_roles(layout, root)
    for workflow in workflows(root):
        yield from drive(layout, workflow)
    for holder in _holders(root):
        yield from delegation(layout, holder, kept)
    for stage in all_stages(root):
        yield from minutes(layout, stage)
        yield from constraints(layout, stage)
        for gate in approval_gates(stage):
            yield from approvers(layout, gate, known)


def comment_texts(document: Document) -> list[str]:
    """Return the comments of a document that has a tree, as written, in order."""
    return [document.text[start:end] for start, end in document.comments]

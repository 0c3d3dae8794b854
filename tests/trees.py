"""Documents for tests of the transforms: the tree of a text, and a whole v1 file around a fragment."""

from __future__ import annotations

import textwrap

from transforms.document import Document, parse
from transforms.edits import Edit
from transforms.layout import Layout
from transforms.migration import migrate
from transforms.nodes import Mapping, Node, Scalar, Sequence


def document(text: str) -> Document:
    """Return the document in `text`, which must be readable."""
    found = parse(text.encode())
    assert not found.faults, found.faults
    return found


def tree(text: str) -> Mapping:
    """Return the root of `text`, a mapping."""
    root = document(text).mapping
    assert root is not None
    return root


def layout(text: str) -> Layout:
    """Return the layout of `text`."""
    return Layout(document(text))


def mapping(node: Node | None) -> Mapping:
    """Return `node`, which is a mapping."""
    assert isinstance(node, Mapping)
    return node


def sequence(node: Node | None) -> Sequence:
    """Return `node`, which is a sequence."""
    assert isinstance(node, Sequence)
    return node


def scalar(node: Node | None) -> Scalar:
    """Return `node`, which is a scalar."""
    assert isinstance(node, Scalar)
    return node


def spans(text: str, edits: list[Edit]) -> list[tuple[str, str]]:
    """Return what each edit takes out of `text` and what it puts there."""
    return [(text[edit.start : edit.end], edit.new) for edit in edits]


def migrated(text: str) -> str:
    """Return `text`, a valid v1 document, as it is written at v2."""
    return migrate(document(text)).text


def dedented(text: str) -> str:
    """Return an indented literal as the text of a file; its first line is empty."""
    return textwrap.dedent(text).removeprefix("\n")

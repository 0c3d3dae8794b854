"""Proposed edits: what a translation wants to change, and the node whose text that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from transforms.edits import Edit
from transforms.nodes import Node, Pair, Scalar
from transforms.scalars import is_bare, quote


class Proposal(NamedTuple):
    """An edit and its owner; `inside` says that it changes the owner's own text, not what is around it.

    Where the owner is reached through an alias, the proposal counts for that use of the anchor alone.
    """

    edit: Edit
    owner: Node
    inside: bool = True


def inside(owner: Node, edits: Iterable[Edit]) -> Iterator[Proposal]:
    """Yield `edits` as proposals that change the text of `owner`."""
    return (Proposal(edit, owner) for edit in edits)


def token(text: str, node: Node, new: str) -> str:
    """Return `new` in the quotes of the token `node` of `text`; a bare word where every reader takes it as text."""
    mark = text[node.start : node.start + 1]
    if mark == "'":
        return "'" + new.replace("'", "''") + "'"
    return quote(new) if mark == '"' or not is_bare(new) else new


def retoken(text: str, node: Node, new: str, why: str) -> Edit:
    """Return the edit that lets the scalar `node` read `new`: its own characters alone change (M1)."""
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        return Edit(content(text, node), node.end, new, why)
    return Edit(node.start, node.end, token(text, node, new), why)


def content(text: str, node: Scalar) -> int:
    """Return where the text of a block scalar begins, behind its header line."""
    match = _HEADER_LINE.match(text, node.start)
    assert match is not None
    return match.end()


_HEADER_LINE = re.compile(r"[^\r\n]*\s*")


def tag(text: str, node: Node) -> re.Match[str] | None:
    """Return the tag that stands before `node`."""
    return _TAG.search(text, node.outer, node.start)


_TAG = re.compile(r"!\S*")


def rename(text: str, pair: Pair, new: str, why: str) -> Proposal:
    """Return the proposal that gives `pair` the key `new`, in the quotes of the old one."""
    return Proposal(retoken(text, pair.key, new, why), pair.value, False)


def beside(text: str, pair: Pair, new: str) -> str:
    """Return `new` as a key or text that is put in beside the key of `pair`: quoted if that is (M2)."""
    return f'"{new}"' if is_quoted(text, pair) else new


def is_quoted(text: str, pair: Pair) -> bool:
    """Tell whether the key of `pair` stands in double quotes."""
    return text[pair.key.start : pair.key.start + 1] == '"'

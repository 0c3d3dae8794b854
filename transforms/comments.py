"""Comments, found in the text between the scalars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from transforms.nodes import Mapping, Node, Scalar, Sequence

_COMMENT = re.compile(r"#[^\r\n]*")
SEPARATORS = "\x85\u2028\u2029"
"""The characters at which a line ends for YAML readers and for nobody else."""

_SEPARATOR = re.compile(f"[{SEPARATORS}]")
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*")


class Comment(NamedTuple):
    """One comment: the offsets from its hash to the end of its line."""

    start: int
    end: int


def comments(text: str, root: Node) -> list[Comment]:
    """Return the comments of `text`, whose tree is `root`, in order."""
    found: list[Comment] = []
    at = 0
    for start, end in [*_opaque(text, root), (len(text), len(text))]:
        match = _COMMENT.search(text, at, start)
        while match is not None:
            stop = _line_end(text, match.start())
            found.append(Comment(match.start(), stop))
            at = stop
            match = _COMMENT.search(text, at, start)
        at = max(at, end)
    return found


def _line_end(text: str, start: int) -> int:
    match = _COMMENT.match(text, start)
    assert match is not None
    return match.end()


def break_in_comment(text: str, root: Node) -> int | None:
    """Return the offset of a line or paragraph separator inside a comment, or None.

    The parser ends the comment there and reads on; every editor shows one comment line.
    """
    if _SEPARATOR.search(text) is None:
        return None
    for start, end in comments(text, root):
        match = _SEPARATOR.search(text, start, end)
        if match is not None:
            return match.start()
    return None


def _opaque(text: str, root: Node) -> list[tuple[int, int]]:
    """Return the spans in which a hash is no comment: the scalars; anchors, tags and aliases hold none."""
    return sorted(_spans(text, root))


def _spans(text: str, root: Node) -> Iterator[tuple[int, int]]:
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if node.alias is not None:
            continue
        if isinstance(node, Scalar):
            yield from _scalar(text, node)
        elif isinstance(node, Mapping):
            for pair in node.written:
                stack.extend(pair)
        else:
            assert isinstance(node, Sequence)
            stack.extend(node.items)


def _scalar(text: str, node: Scalar) -> Iterator[tuple[int, int]]:
    if node.style not in ("|", ">"):
        yield node.start, node.end
        return
    header = _HEADER.match(text, node.start)
    assert header is not None
    content = _COMMENT.match(text, header.end())
    yield content.end() if content else header.end(), node.end

"""How a document is laid out: its lines, their ends, its comments, the marks between values."""

from __future__ import annotations

import bisect
import re

from transforms.comments import Comment
from transforms.document import Document
from transforms.nodes import Node, Scalar, Sequence, walk, written

_GAP = re.compile(r"(?:\s+|#[^\r\n]*)*")
_BREAKS = "\r\n"


class Layout:
    """Questions about the text of one document that has a tree; offsets are those of its text."""

    def __init__(self, document: Document) -> None:
        assert document.root is not None
        self.root = document.root
        self.text = document.text
        self.starts = document.line_starts
        self._definitions: dict[tuple[int, int], Node] | None = None
        self.comments: list[Comment] = document.comments
        self._hashes = [comment.start for comment in self.comments]

    def definition(self, node: Node) -> Node:
        """Return the node that is written where `node` is, which may be one of its uses through aliases."""
        if self._definitions is None:
            self._definitions = {}
            for each in written(self.root):
                self._definitions.setdefault((each.outer, each.end), each)
        return self._definitions.get((node.outer, node.end), node)

    def line(self, offset: int) -> int:
        """Return the number of the line at `offset`, counted from 0."""
        return bisect.bisect_right(self.starts, offset) - 1

    def begin(self, line: int) -> int:
        """Return the offset at which `line` begins; the length of the text behind the last line."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def end(self, line: int) -> int:
        """Return the offset at which `line` ends, its line break left out."""
        begin, end = self.begin(line), self.begin(line + 1)
        while end > begin and self.text[end - 1] in _BREAKS:
            end -= 1
        return end

    def column(self, offset: int) -> int:
        """Return the column of `offset`, counted from 0."""
        return offset - self.begin(self.line(offset))

    def newline(self, offset: int) -> str:
        """Return the line break that lines around `offset` end with."""
        line = self.line(offset)
        here = self.text[self.end(line) : self.begin(line + 1)]
        if here or line == 0:
            return here or "\n"
        return self.text[self.end(line - 1) : self.begin(line)]

    def is_blank(self, line: int) -> bool:
        """Tell whether `line` holds nothing but blanks."""
        return not self.text[self.begin(line) : self.end(line)].strip()

    def comment(self, line: int) -> Comment | None:
        """Return the comment on `line`, wherever it stands on it."""
        at = bisect.bisect_left(self._hashes, self.begin(line))
        if at < len(self.comments) and self.comments[at].start < self.begin(line + 1):
            return self.comments[at]
        return None

    def own_lines(self, start: int, end: int) -> list[Comment]:
        """Return the comments between two offsets that have a line to themselves."""
        low, high = bisect.bisect_left(self._hashes, start), bisect.bisect_left(self._hashes, end)
        return [
            found
            for found in self.comments[low:high]
            if not self.text[self.begin(self.line(found.start)) : found.start].strip()
        ]

    def block_scalars(self) -> list[Scalar]:
        """Return the scalars written in literal or folded style."""
        found = {
            (node.start, node.end): node
            for node in walk(self.root)
            if isinstance(node, Scalar) and node.style in ("|", ">")
        }
        return list(found.values())

    def indentation(self, line: int) -> int:
        """Return how many blanks `line` begins with."""
        text = self.text[self.begin(line) : self.end(line)]
        return len(text) - len(text.lstrip(" "))

    def skip(self, offset: int) -> int:
        """Return the first offset from `offset` on that holds neither a blank nor a comment."""
        match = _GAP.match(self.text, offset)
        assert match is not None
        return match.end()

    def colon(self, key: Node) -> int:
        """Return the offset of the colon behind `key`."""
        return self.skip(key.last)

    def comma(self, offset: int) -> int | None:
        """Return the offset of a comma that comes next from `offset` on, None when none does."""
        found = self.skip(offset)
        return found if self.text[found : found + 1] == "," else None

    def dashes(self, sequence: Sequence) -> list[int]:
        """Return the offset of each item's dash in a block list."""
        found = []
        at = sequence.start
        for item in sequence.items:
            found.append(self.skip(at))
            at = item.last
        return found

    def same_line(self, first: int, second: int) -> bool:
        """Tell whether two offsets stand on one line."""
        return self.line(first) == self.line(second)

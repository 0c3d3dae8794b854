"""How large a document may become through reuse: a short file could ask for millions of stages."""

from __future__ import annotations

from transforms.finding import Finding, at_value, error
from transforms.nodes import Mapping, Node, walk, written
from transforms.wording import plainly

GROWTH = 10
SPARE = 400_000
"""How many values reuse may add to any document; a long one may grow to ten times its own."""


class Extent:
    """What is left of the room that the stages of deriving workflows share."""

    def __init__(self, root: Mapping) -> None:
        self._root = root
        self._room: int | None = None
        self._left = 0
        self._sizes: dict[int, int] = {}

    def takes(self, stages: list[Node]) -> bool:
        """Tell whether there is room for the stages of one more deriving workflow, and take it."""
        if self._room is None:
            self._left = self._room = max(GROWTH * sum(1 for _ in written(self._root)), SPARE)
        for stage in stages:
            if self._left < 0:
                break
            size = self._sizes.get(id(stage))
            if size is None:
                size = self._sizes[id(stage)] = sum(1 for _ in walk(stage))
            self._left -= size
        return self._left >= 0

    def exceeded(self, name: str, workflow: Mapping) -> Finding:
        """Return the finding that the document becomes too large with the workflow `name`."""
        base = workflow.entries["extends"].value
        message = (
            f"with {plainly(name)}, what workflows inherit comes to more than {self._room:,} values,"
            f" ten times the file or {SPARE:,}, whichever is more"
        )
        hint = "extend one short base instead of chaining long workflows"
        return error("extends-too-large", base.pointer, at_value(base), message, hint)

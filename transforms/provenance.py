"""Where each value of a resolved document comes from: its rung and the node that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from transforms.nodes import Mapping, Node, Sequence
from transforms.pointer import Step, dump

OWN, WORKFLOW_DEFAULTS, FILE_DEFAULTS = "own", "workflow defaults", "file defaults"


class Origin(NamedTuple):
    """A value of the resolved document: its pointer there, the rung that gave it, the author's node."""

    pointer: str
    rung: str
    node: Node


def origins(root: Mapping) -> Iterator[Origin]:
    """Yield every scalar and every empty collection of the resolved tree `root`, in its order."""
    stack: list[tuple[tuple[Step, ...], Node]] = [((), root)]
    while stack:
        steps, node = stack.pop()
        below = _below(node)
        if below:
            stack.extend(((*steps, step), child) for step, child in reversed(below))
        else:
            yield Origin(dump(steps), rung(node, _workflow(steps)), node)


def _below(node: Node) -> list[tuple[Step, Node]]:
    if isinstance(node, Mapping):
        return [(name, pair.value) for name, pair in node.entries.items()]
    return list(enumerate(node.items)) if isinstance(node, Sequence) else []


def _workflow(steps: tuple[Step, ...]) -> str | None:
    """Return the workflow that the path `steps` leads into, None when it leads elsewhere."""
    return str(steps[1]) if len(steps) > 1 and steps[0] == "workflows" else None


def rung(node: Node, workflow: str | None) -> str:
    """Return which rung gave `node` to `workflow`: own, workflow defaults, base NAME or file defaults."""
    steps = node.steps()
    if steps[:1] == ("defaults",):
        return FILE_DEFAULTS
    writer = _workflow(steps)
    if writer is not None and workflow is not None and writer != workflow:
        return f"base {writer}"
    return WORKFLOW_DEFAULTS if writer is not None and steps[2:3] == ("defaults",) else OWN

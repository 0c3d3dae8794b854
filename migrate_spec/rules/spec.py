"""What rules look at: workflows and stages of a resolved document whose schema holds."""

from __future__ import annotations

from typing import NamedTuple

from transforms.nodes import Mapping


class Stage(NamedTuple):
    """One resolved stage and its position in its workflow, counted from 0."""

    at: int
    node: Mapping
    id: str
    type: str


class Workflow(NamedTuple):
    """One workflow with its resolved stages."""

    name: str
    node: Mapping
    stages: tuple[Stage, ...]


class Spec:
    """A resolved document as rules see it; `written` is the tree before reuse was resolved."""

    def __init__(self, root: Mapping, written: Mapping, major: int) -> None:
        self.root = root
        self.written = written
        self.major = major
        self.workflows = tuple(_workflows(root))


def _workflows(root: Mapping) -> list[Workflow]:
    workflows = root.mapping("workflows")
    assert workflows is not None
    found = []
    for name, pair in workflows.entries.items():
        if isinstance(pair.value, Mapping):
            found.append(Workflow(str(name), pair.value, tuple(_stages(pair.value))))
    return found


def _stages(workflow: Mapping) -> list[Stage]:
    return [
        Stage(index, node, node.text("id") or "", node.text("type") or "")
        for index, node in enumerate(workflow.items("stages"))
        if isinstance(node, Mapping)
    ]

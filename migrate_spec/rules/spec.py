"""What rules look at: workflows, stages and gates of a resolved document whose schema holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from migrate_spec.messages import show
from transforms.finding import Related
from transforms.nodes import Mapping, Node, Scalar, Sequence


class Flaw(NamedTuple):
    """What a rule finds: the node that is wrong, why, and what to write instead.

    With `lacks` the node is a collection from which something is missing.
    """

    node: Node
    message: str
    hint: str | None = None
    lacks: bool = False
    related: tuple[Related, ...] = ()


class Workflow(NamedTuple):
    """One workflow with its resolved stages: in order, by id and by type."""

    name: str
    node: Mapping
    stages: list[Stage]
    by_id: dict[str, Stage]
    by_type: dict[str, list[Stage]]

    def __str__(self) -> str:
        """Name the workflow in a message."""
        return f"workflow {show(self.name)}"

    @property
    def workflow(self) -> Workflow:
        """The workflow itself, as what every rule looks at names the one it belongs to."""
        return self

    def gates(self) -> Iterator[Gate]:
        """Yield the approval gates of all resolved stages."""
        for stage in self.stages:
            yield from stage.gates()


class Stage(NamedTuple):
    """One resolved stage and its position in its workflow, counted from 0."""

    workflow: Workflow
    at: int
    node: Mapping
    id: str
    type: str

    def __str__(self) -> str:
        """Name the stage in a message."""
        return f"stage {show(self.id)} of {self.workflow}"

    @property
    def executor(self) -> Mapping:
        """The resolved executor."""
        node = self.node.get("executor")
        assert isinstance(node, Mapping)
        return node

    @property
    def branch(self) -> str:
        """The branch of the executor: agent, human or delegate."""
        return next(name for name in ("agent", "human", "delegate") if name in self.executor.entries)

    @property
    def reviewers(self) -> Mapping | None:
        """The resolved `reviewers` block."""
        return self.node.mapping("reviewers")

    @property
    def has_agents(self) -> bool:
        """Whether agents review what the stage does."""
        reviewers = self.reviewers
        return reviewers is not None and bool(reviewers.items("agents"))

    def artifacts(self) -> set[str]:
        """Return the artifacts that the stage produces."""
        return {item.text("artifact") or "" for item in mappings(self.node.get("produces"))}

    def gates(self) -> Iterator[Gate]:
        """Yield the approval gates of the stage."""
        for node in mappings(self.node.get("gates")):
            if node.text("type") == "approval":
                yield Gate(self, node)


class Gate(NamedTuple):
    """An approval gate and the stage that it closes."""

    stage: Stage
    node: Mapping

    def __str__(self) -> str:
        """Name the gate in a message."""
        return f"a gate of {self.stage}"

    @property
    def workflow(self) -> Workflow:
        """The workflow of the stage."""
        return self.stage.workflow

    @property
    def approvals(self) -> Mapping | None:
        """The `approvals` of the gate, None when it counts by `approvers`."""
        return self.node.mapping("approvals")


class Spec:
    """A resolved document as rules see it."""

    def __init__(self, root: Mapping, major: int) -> None:
        self.root = root
        self.major = major
        self.workflows = [_workflow(name, node) for name, node in named(root.get("workflows"))]
        self.stages = [stage for workflow in self.workflows for stage in workflow.stages]

    @property
    def workflow(self) -> None:
        """None: what belongs to the file belongs to no workflow."""
        return None


def workflows(spec: Spec) -> list[Workflow]:
    """Return the workflows of `spec`."""
    return spec.workflows


def stages(spec: Spec) -> list[Stage]:
    """Return the stages of `spec`, those of all workflows."""
    return spec.stages


def gates(spec: Spec) -> Iterator[Gate]:
    """Yield the approval gates of all stages."""
    for stage in spec.stages:
        yield from stage.gates()


def document(spec: Spec) -> tuple[Spec]:
    """Return the whole document as the one thing to look at."""
    return (spec,)


def _workflow(name: str, node: Mapping) -> Workflow:
    workflow = Workflow(name, node, [], {}, {})
    for at, stage in enumerate(mappings(node.get("stages"))):
        found = Stage(workflow, at, stage, stage.text("id") or "", stage.text("type") or "")
        workflow.stages.append(found)
        workflow.by_id.setdefault(found.id, found)
        workflow.by_type.setdefault(found.type, []).append(found)
    return workflow


def named(node: Node | None) -> Iterator[tuple[str, Mapping]]:
    """Yield the entries of a map of author-chosen names."""
    for name, pair in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(pair.value, Mapping):
            yield str(name), pair.value


def mappings(node: Node | None) -> Iterator[Mapping]:
    """Yield the mappings in a list."""
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            yield item


def texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the scalars in a list."""
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            yield item


def scalar(holder: Node | None, name: str) -> Scalar | None:
    """Return the scalar under `name`, None when there is none or `holder` is no mapping."""
    node = holder.get(name) if isinstance(holder, Mapping) else None
    return node if isinstance(node, Scalar) else None


Check = Callable[..., Iterator[Flaw]]
"""A rule: takes what it looks at, yields what is wrong with it; its docstring is the documentation."""

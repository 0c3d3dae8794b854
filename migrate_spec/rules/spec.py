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


class Workflow:
    """One workflow with its resolved stages.

    `stages` are those that are not shared as they are with the base: what is true of a stage by itself
    need not be found again in every link of a chain. `by_id` has all of them. `retyped` tells whether an
    inherited stage has another type here.
    """

    __slots__ = ("by_id", "name", "node", "retyped", "stages", "types")

    def __init__(self, name: str, node: Mapping, by_id: dict[str, Stage]) -> None:
        self.name = name
        self.node = node
        self.by_id = by_id
        self.stages: list[Stage] = []
        self.retyped = False
        self.types: frozenset[str] = frozenset()

    def __str__(self) -> str:
        """Name the workflow in a message."""
        return f"workflow {show(self.name)}"

    @property
    def workflow(self) -> Workflow:
        """The workflow itself, as what every rule looks at names the one it belongs to."""
        return self

    def all_stages(self) -> Iterator[Stage]:
        """Yield the stages of the workflow in order, inherited ones included."""
        for at, node in enumerate(mappings(self.node.get("stages"))):
            yield _stage(self, at, node)


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
    """A resolved document as rules see it; `stages` has each stage once, under the workflow that it is new in."""

    def __init__(self, root: Mapping, major: int) -> None:
        self.root = root
        self.major = major
        self.workflows = _workflows(dict(named(root.get("workflows"))))
        self.stages = [stage for workflow in self.workflows for stage in workflow.stages]


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


def _workflows(nodes: dict[str, Mapping]) -> list[Workflow]:
    """Return the workflows, each behind its base."""
    built: dict[str, Workflow] = {}
    seen: set[int] = set()
    for name in nodes:
        chain: list[str] = []
        step: str | None = name
        while step is not None and step not in built:
            chain.append(step)
            step = nodes[step].text("extends")
        for link in reversed(chain):
            base = built.get(nodes[link].text("extends") or "")
            built[link] = _workflow(link, nodes[link], base, seen)
    return list(built.values())


def _workflow(name: str, node: Mapping, base: Workflow | None, seen: set[int]) -> Workflow:
    """Return a workflow; `seen` has the identities of the stages that a workflow before it has."""
    workflow = Workflow(name, node, {} if base is None else dict(base.by_id))
    for at, item in enumerate(mappings(node.get("stages"))):
        if id(item) not in seen:
            seen.add(id(item))
            stage = _stage(workflow, at, item)
            workflow.stages.append(stage)
            inherited = workflow.by_id.setdefault(stage.id, stage)
            if base is not None and inherited is not stage:
                workflow.by_id[stage.id] = stage
                workflow.retyped = workflow.retyped or stage.type != inherited.type
    inherits = frozenset() if base is None or workflow.retyped else base.types
    fresh = workflow.all_stages() if workflow.retyped else workflow.stages
    workflow.types = inherits.union(stage.type for stage in fresh)
    return workflow


def _stage(workflow: Workflow, at: int, node: Mapping) -> Stage:
    return Stage(workflow, at, node, node.text("id") or "", node.text("type") or "")


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

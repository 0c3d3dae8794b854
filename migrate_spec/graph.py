"""Resolved workflows as pictures: stages in order, their gates, who governs and who tightens them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec import captions
from migrate_spec.captions import Data, Lines
from migrate_spec.messages import listed
from transforms import autonomy, shape
from transforms.nodes import Mapping, plain


class Node(NamedTuple):
    """One box: its name in the picture, what it stands for, and the lines of text in it.

    `kind` is one of source, stage, gate, agent and escalation.
    """

    name: str
    kind: str
    lines: Lines


class Edge(NamedTuple):
    """A line between two boxes.

    `kind` is order (the way of a run), input (what else a stage works from), rule (the block of the
    workflow that governs a gate) or escalation.
    """

    start: str
    end: str
    kind: str
    label: str = ""


class Picture(NamedTuple):
    """One workflow; the names of its boxes begin with `name` and occur in no other picture."""

    name: str
    title: str
    nodes: list[Node]
    edges: list[Edge]


class _Gate(NamedTuple):
    name: str
    node: Mapping

    @property
    def approval(self) -> bool:
        return self.node.text("type") == "approval"


class _Workflow(NamedTuple):
    """A resolved workflow: its stages, and for each its inputs with `needs` written out and its gates."""

    name: str
    node: Mapping
    stages: list[Data]
    inputs: list[list[Data]]
    gates: list[list[_Gate]]
    escalations: list[Data]

    def stage(self, at: int) -> str:
        return f"{self.name}s{at}"

    def approvals(self) -> list[_Gate]:
        return [gate for gates in self.gates for gate in gates if gate.approval]


def pictures(root: Mapping) -> list[Picture]:
    """Return a picture of each workflow below `root`, a valid document of any major, reuse resolved."""
    workflows = root.mapping("workflows")
    roles = plain(root).get("roles", {})
    found = []
    for at, (title, pair) in enumerate(workflows.entries.items() if workflows is not None else ()):
        assert isinstance(pair.value, Mapping)
        workflow = _read(f"w{at}", pair.value)
        nodes = [*_sources(workflow), *_boxes(workflow, roles), *_agent(workflow), *_escalations(workflow)]
        edges = [*_order(workflow), *_others(workflow), *_governed(workflow), *_raised(workflow)]
        found.append(Picture(workflow.name, str(title), nodes, edges))
    return found


def _read(name: str, node: Mapping) -> _Workflow:
    data = plain(node)
    stages: list[Data] = data["stages"]
    types = {stage["id"]: stage["type"] for stage in stages}
    inputs = [_inputs(stage, types) for stage in stages]
    gates: list[list[_Gate]] = [[] for _stage in stages]
    for i, j, gate in autonomy.gates(node):
        gates[i].append(_Gate(f"{name}s{i}g{j}", gate))
    return _Workflow(name, node, stages, inputs, gates, data.get("escalations", []))


def _inputs(stage: Data, types: dict[str, str]) -> list[Data]:
    declared: list[Data] = stage.get("inputs", [])
    return [*declared, *shape.derived(stage.get("needs", ()), declared, types)]


# -- boxes ---------------------------------------------------------------------


def _sources(workflow: _Workflow) -> Iterator[Node]:
    named = (item["source"] for items in workflow.inputs for item in items if "source" in item)
    for source in dict.fromkeys(named):
        yield Node(f"{workflow.name}_{source}", "source", (source,))


def _boxes(workflow: _Workflow, roles: Data) -> Iterator[Node]:
    taken = {(item.get("from_stage"), item.get("artifact")) for items in workflow.inputs for item in items}
    for at, stage in enumerate(workflow.stages):
        made = (item["artifact"] for item in stage.get("produces", ()))
        kept = [artifact for artifact in made if (stage["id"], artifact) not in taken]
        yield Node(workflow.stage(at), "stage", captions.stage(stage, kept))
        for gate in workflow.gates[at]:
            lines = captions.gate(plain(gate.node), roles, captions.alone(gate.node))
            yield Node(gate.name, "gate", lines)


def _agent(workflow: _Workflow) -> Iterator[Node]:
    lines = captions.alone(workflow.node)
    if lines is not None:
        yield Node(f"{workflow.name}a", "agent", captions.headed("operator agent alone", lines))


def _escalations(workflow: _Workflow) -> Iterator[Node]:
    for at, escalation in enumerate(workflow.escalations):
        yield Node(f"{workflow.name}e{at}", "escalation", captions.escalation(escalation))


# -- lines ---------------------------------------------------------------------


def _order(workflow: _Workflow) -> Iterator[Edge]:
    """Yield the way of a run: from a stage through its gates to the next, with what that one takes over."""
    last = None
    for at in range(len(workflow.stages)):
        if last is not None:
            before = workflow.stages[at - 1]["id"]
            carried = [item["artifact"] for item in workflow.inputs[at] if item.get("from_stage") == before]
            yield Edge(last, workflow.stage(at), "order", listed(carried))
        last = workflow.stage(at)
        for gate in workflow.gates[at]:
            yield Edge(last, gate.name, "order")
            last = gate.name


def _others(workflow: _Workflow) -> Iterator[Edge]:
    """Yield what stages take from elsewhere than the stage before them."""
    at = {stage["id"]: i for i, stage in enumerate(workflow.stages)}
    for here, items in enumerate(workflow.inputs):
        for item in items:
            if "source" in item:
                need = "required" if item.get("required") else ""
                yield Edge(f"{workflow.name}_{item['source']}", workflow.stage(here), "input", need)
            elif at[item["from_stage"]] != here - 1:
                start = workflow.stage(at[item["from_stage"]])
                yield Edge(start, workflow.stage(here), "input", item["artifact"])


def _governed(workflow: _Workflow) -> Iterator[Edge]:
    if captions.alone(workflow.node) is not None:
        for gate in workflow.approvals():
            if captions.alone(gate.node) is None:
                yield Edge(f"{workflow.name}a", gate.name, "rule")


def _raised(workflow: _Workflow) -> Iterator[Edge]:
    for at, escalation in enumerate(workflow.escalations):
        require = escalation["require"]
        targets = []
        if "approvals" in require or "max_autonomy" in require:
            targets += [gate.name for gate in workflow.approvals()]
        if "reviewers" in require:
            targets += [workflow.stage(i) for i, stage in enumerate(workflow.stages) if _reviewed(stage)]
        for target in targets:
            yield Edge(f"{workflow.name}e{at}", target, "escalation")


def _reviewed(stage: Data) -> bool:
    return stage["type"] in ("plan", "implement") and "agents" in stage.get("reviewers", {})

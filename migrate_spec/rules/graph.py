"""Rules about the order of stages and what they read from each other."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.messages import show, suggestion
from migrate_spec.rules.spec import Spec, Stage, Workflow
from transforms.finding import Finding, Related, at_value, error
from transforms.nodes import Mapping, Node, Scalar


def stage_id_duplicate(spec: Spec) -> Iterator[Finding]:
    """Two stages of one workflow share an id."""
    for workflow in spec.workflows:
        seen: dict[str, Stage] = {}
        for stage in workflow.stages:
            first = seen.setdefault(stage.id, stage)
            if first is not stage:
                node, other = stage.node.get("id"), first.node.get("id")
                assert node is not None
                assert other is not None
                yield error(
                    "stage-id-duplicate",
                    node.pointer,
                    at_value(node),
                    f"the stages {first.at} and {stage.at} of {workflow.name} both have the id {show(stage.id)}",
                    "give one of them another id",
                    [Related(other.start, other.end, "it stands here first")],
                )


def from_stage_unknown(spec: Spec) -> Iterator[Finding]:
    """An input reads from a stage that its workflow does not have."""
    for workflow, _stage, node, name in _references(spec):
        known = [stage.id for stage in workflow.stages]
        if name not in known:
            message = f"{workflow.name} has no stage {show(name)}"
            yield error("from-stage-unknown", node.pointer, at_value(node), message, suggestion(name, known))


def from_stage_not_earlier(spec: Spec) -> Iterator[Finding]:
    """An input reads from its own or a later stage."""
    for workflow, stage, node, name in _references(spec):
        at = next((other.at for other in workflow.stages if other.id == name), -1)
        if at >= stage.at:
            which = "itself" if at == stage.at else f"the later stage {at}"
            message = f"stage {stage.at} ({stage.id}) of {workflow.name} reads from {which} ({name})"
            yield error(
                "from-stage-not-earlier",
                node.pointer,
                at_value(node),
                message,
                "read from an earlier stage or move the stages",
            )


def _references(spec: Spec) -> Iterator[tuple[Workflow, Stage, Node, str]]:
    for workflow in spec.workflows:
        for stage in workflow.stages:
            for item in stage.node.items("inputs"):
                node = item.get("from_stage") if isinstance(item, Mapping) else None
                if isinstance(node, Scalar):
                    yield workflow, stage, node, node.text

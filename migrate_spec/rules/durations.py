"""The rule about durations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import show
from migrate_spec.rules.spec import Flaw, Spec, Workflow, scalar
from transforms.durations import too_long
from transforms.nodes import Scalar


class Duration(NamedTuple):
    """One duration that a server reads."""

    workflow: Workflow
    node: Scalar


def durations(spec: Spec) -> Iterator[Duration]:
    """Yield the durations of all workflows and stages but review timeouts, which have a default to fall back on."""
    for workflow in spec.workflows:
        holders = [(workflow.node.get("policy"), "max_stage_runtime")]
        for stage in workflow.stages:
            holders.append((stage.node.get("executor"), "timeout"))
            holders.append((stage.executor.get("verify"), "timeout"))
            holders.append((stage.node.get("budget"), "max_runtime"))
        for holder, name in holders:
            node = scalar(holder, name)
            if node is not None:
                yield Duration(workflow, node)


def duration_out_of_range(duration: Duration) -> Iterator[Flaw]:
    """A duration is longer than can be counted.

    The longest is 2562047h47m16.854775807s, or 2^63-1 nanoseconds: about 292 years.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: codex, timeout: 1h30m}}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: codex, timeout: 2600000h}}
    """
    node = duration.node
    if too_long(node.text):
        message = f"{node.step} is {show(node.text)}, which exceeds 2562047h47m16.854775807s (2^63-1 ns)"
        yield Flaw(node, message, "write a shorter duration, such as 30m")

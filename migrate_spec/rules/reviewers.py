"""Rules about reviewers and the versions of agents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate_spec.messages import show
from migrate_spec.rules.spec import Spec
from transforms.finding import Finding, at_value, error
from transforms.nodes import Mapping, Node, Scalar

_TERM = re.compile(r"(?:>=|<=|==|>|<|=)[0-9]+(?:\.[0-9]+){0,2}\Z")


def agent_version_range(spec: Spec) -> Iterator[Finding]:
    """An `agent_version` is no list of comparators."""
    for node in _ranges(spec):
        terms = node.text.split()
        bad = next((term for term in terms if not _TERM.match(term)), None if terms else "")
        if bad is not None:
            message = (
                f"agent_version holds {show(bad)}, which is no comparator"
                if bad
                else "agent_version is blank"
            )
            hint = "write >=, <=, ==, >, < or = and one to three numbers, such as >=2.1 <3"
            yield error("agent-version-range", node.pointer, at_value(node), message, hint)


def _ranges(spec: Spec) -> Iterator[Scalar]:
    for workflow in spec.workflows:
        for stage in workflow.stages:
            yield from _range(stage.node.get("executor"))
            reviewers = stage.node.mapping("reviewers")
            for item in reviewers.items("agents") if reviewers is not None else ():
                yield from _range(item)


def _range(holder: Node | None) -> Iterator[Scalar]:
    node = holder.get("agent_version") if isinstance(holder, Mapping) else None
    if isinstance(node, Scalar):
        yield node

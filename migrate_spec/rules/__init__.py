"""The semantic rules (`validation-rules.md` 4), listed by hand in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from migrate_spec.rules import graph, reviewers
from migrate_spec.rules.spec import Spec
from transforms.finding import Finding
from transforms.nodes import Mapping

ALL = (0, 1, 2)


class Rule(NamedTuple):
    """A semantic rule: its id, the majors it holds for, and whether `migrate-spec` checks it too.

    The docstring of `check` is the rule's documentation.
    """

    id: str
    majors: tuple[int, ...]
    source: bool
    check: Callable[[Spec], Iterable[Finding]]


RULES: tuple[Rule, ...] = (
    Rule("stage-id-duplicate", (0, 1), True, graph.stage_id_duplicate),
    Rule("from-stage-unknown", ALL, True, graph.from_stage_unknown),
    Rule("from-stage-not-earlier", ALL, True, graph.from_stage_not_earlier),
    Rule("agent-version-range", (1, 2), True, reviewers.agent_version_range),
)


def findings(resolved: Mapping, written: Mapping, major: int, source: bool = False) -> Iterator[Finding]:
    """Yield what the rules find in the tree `resolved`, whose schema holds; `written` is the author's.

    With `source`, only the rules that the check of `migrate-spec` runs.
    """
    spec = Spec(resolved, written, major)
    for rule in RULES:
        if major in rule.majors and (rule.source or not source):
            yield from rule.check(spec)

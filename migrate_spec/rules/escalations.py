"""Rules about escalations: what one requires must raise something (`validation-rules.md` 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import show
from migrate_spec.rules.selections import REVIEWED
from migrate_spec.rules.spec import Flaw, Spec, Workflow, mappings, named, scalar, texts
from transforms.autonomy import TIERS as CEILINGS
from transforms.autonomy import matrix
from transforms.finding import Related
from transforms.nodes import Mapping, Scalar, Sequence

TIERS = ("read", "triage", "write", "maintain", "admin")
"""The permission tiers from the weakest to the strictest."""


class Baseline(NamedTuple):
    """What holds in a workflow before any escalation, over all its resolved stages.

    `most` and `tier` are where the highest count and the strictest tier stand, `groups` has the group of
    each approval gate (None for a gate without one), `auto` the classes that are auto in some matrix (None
    when there is no matrix), `attached` the personas that every stage which agents review has (None when
    there is no such stage), `personas` the declared ones.
    """

    most: Scalar | None
    tier: Scalar | None
    groups: frozenset[str | None]
    auto: frozenset[str] | None
    attached: frozenset[str] | None
    personas: dict[str, None]


class Escalation(NamedTuple):
    """One entry of a workflow's `escalations`."""

    workflow: Workflow
    at: int
    predicate: Mapping
    require: Mapping
    base: Baseline

    def __str__(self) -> str:
        """Name the entry in a message."""
        return f"escalation {self.at} of {self.workflow}"

    @property
    def approvals(self) -> Mapping | None:
        """What the entry asks of approval gates."""
        return self.require.mapping("approvals")

    @property
    def reviewers(self) -> list[Scalar]:
        """The personas that the entry attaches."""
        return list(texts(self.require.get("reviewers")))


def escalations(spec: Spec) -> Iterator[Escalation]:
    """Yield the escalations of all workflows."""
    personas = dict.fromkeys(name for name, _ in named(spec.root.get("reviewer_personas")))
    for workflow in spec.workflows:
        written = workflow.node.get("escalations")
        base = _baseline(workflow, personas) if isinstance(written, Sequence) else None
        for at, node in enumerate(mappings(written)):
            predicate, require = node.mapping("match"), node.mapping("require")
            if base is not None and predicate is not None and require is not None:
                yield Escalation(workflow, at, predicate, require, base)


def _baseline(workflow: Workflow, personas: dict[str, None]) -> Baseline:
    gates = [gate for stage in workflow.all_stages() for gate in stage.gates()]
    approvals = [gate.approvals for gate in gates if gate.approvals is not None]
    counts = [node for block in approvals if (node := scalar(block, "count")) is not None]
    tiers = [node for block in approvals if (node := scalar(block, "min_permission")) is not None]
    return Baseline(
        max(counts, key=lambda node: node.value, default=None),
        max(tiers, key=lambda node: TIERS.index(node.text), default=None),
        frozenset(block.text("member_of") for block in approvals),
        _auto([workflow.node, *(gate.node for gate in gates)]),
        _attached(workflow),
        personas,
    )


def _auto(holders: list[Mapping]) -> frozenset[str] | None:
    blocks = [block for holder in holders if (block := matrix(holder)) is not None]
    auto = (name for block in blocks for name, entry in block.classes.items() if entry.mode == "auto")
    return frozenset(auto) if blocks else None


def _attached(workflow: Workflow) -> frozenset[str] | None:
    found: frozenset[str] | None = None
    for stage in workflow.all_stages():
        if stage.type in REVIEWED and stage.reviewers is not None and stage.has_agents:
            own = frozenset(node.text for node in texts(stage.reviewers.get("personas")))
            found = own if found is None else found & own
    return found


def _there(node: Scalar) -> tuple[Related, ...]:
    return (Related(node.start, node.end, "this is what holds already"),)


def escalation_approvals_no_gate(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation raises approvals in a workflow without an approval gate.

    Passes:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {count: 2}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1}}]

    Fails:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {count: 2}}}]
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    approvals = escalation.approvals
    if approvals is not None and not escalation.base.groups:
        message = f"{escalation} requires approvals, and the workflow has no approval gate to raise"
        yield Flaw(approvals, message, "add a gate of type approval to a stage, or remove require.approvals")


def escalation_count_not_raised(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation asks for no more approvals than a gate asks for already.

    It is compared with the highest `count` of all approval gates, inherited ones included.

    Passes:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {count: 2}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1}}]

    Fails:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {count: 1}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1}}]
    """
    node, base = scalar(escalation.approvals, "count"), escalation.base.most
    if node is not None and base is not None and node.value <= base.value:
        message = (
            f"{escalation} requires count {show(node.value)}; a gate asks for {show(base.value)} already"
        )
        yield Flaw(node, message, f"write more than {show(base.value)}, or remove it", related=_there(base))


def escalation_min_permission_not_raised(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation asks for a permission that is no stricter than that of a gate.

    From weak to strict: read, triage, write, maintain, admin. It is compared with the strictest tier of
    all approval gates; a gate without one is weaker than read.

    Passes:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {min_permission: maintain}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1, min_permission: write}}]

    Fails:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {min_permission: write}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1, min_permission: write}}]
    """
    node, base = scalar(escalation.approvals, "min_permission"), escalation.base.tier
    if node is None or base is None or TIERS.index(node.text) > TIERS.index(base.text):
        return
    stricter = TIERS[TIERS.index(base.text) + 1 :]
    hint = (
        f"write {' or '.join(stricter)}, or remove it"
        if stricter
        else "remove it: nothing is stricter than admin"
    )
    message = f"{escalation} requires min_permission {node.text}; a gate asks for {base.text} already"
    yield Flaw(node, message, hint, related=_there(base))


def escalation_member_of_no_op(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation asks for a group that every approval gate asks for already.

    Passes:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {member_of: acme/dba}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1}}]

    Fails:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {approvals: {member_of: acme/dba}}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1, member_of: acme/dba}}]
    """
    node = scalar(escalation.approvals, "member_of")
    if node is not None and escalation.base.groups == {node.text}:
        message = (
            f"{escalation} requires the group {show(node.text)}, which every approval gate asks for already"
        )
        yield Flaw(node, message, "name another group, or remove it")


def escalation_max_autonomy_no_op(escalation: Escalation) -> Iterator[Flaw]:
    """A ceiling takes nothing away.

    A ceiling turns every class gated that is auto in the workflow's matrix, or in that of a gate with its
    own, and not auto in the tier that the ceiling names. If there is no such class, or no matrix at all,
    the ceiling does nothing.

    Passes:

        version: "2"
        workflows:
          schema:
            autonomy: high
            escalations: [{match: {labels: [data]}, require: {max_autonomy: medium}}]
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          schema:
            autonomy: medium
            escalations: [{match: {labels: [data]}, require: {max_autonomy: medium}}]
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    node, auto = scalar(escalation.require, "max_autonomy"), escalation.base.auto
    if node is not None and (auto is None or auto <= CEILINGS[node.text]):
        what = "nothing is delegated here" if auto is None else "no class is auto that it would gate"
        message = f"{escalation} has the ceiling max_autonomy: {node.text}, which changes nothing: {what}"
        yield Flaw(node, message, "write a lower tier, or remove it")


def escalation_paths_no_plan_stage(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation matches paths in a workflow that never plans.

    `paths` is compared with the plan; an inherited plan stage counts. This is said only of an entry with
    which nothing else is wrong.

    Passes:

        version: "2"
        workflows:
          schema:
            autonomy: high
            escalations: [{match: {paths: ["db/**"]}, require: {max_autonomy: low}}]
            stages: [{id: outline, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          schema:
            autonomy: high
            escalations: [{match: {paths: ["db/**"]}, require: {max_autonomy: low}}]
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    node = escalation.predicate.get("paths")
    if node is not None and "plan" not in escalation.workflow.types:
        message = (
            f"{escalation} matches paths, which are compared with a plan, and the workflow has no plan stage"
        )
        yield Flaw(node, message, "add a plan stage, or match labels or trigger")

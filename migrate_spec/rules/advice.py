"""What is worth a warning and changes no verdict (`validation-rules.md` 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import show
from migrate_spec.rules.constraints import Constraint, constraints
from migrate_spec.rules.spec import Flaw, Gate, Spec, Stage, Workflow, mappings, texts
from transforms.finding import Related
from transforms.nodes import Mapping, Node, Scalar


class Later(NamedTuple):
    """A field that came with a minor of its major, and what to call it."""

    workflow: Workflow
    node: Node
    what: str
    minor: str


def later_fields(spec: Spec) -> Iterator[Later]:
    """Yield the fields of `spec`, a document below major 2, that came with a minor above the declared one."""
    declared = spec.root.text("version") or ""
    for field in _since_0(spec) if spec.major == 0 else _since_1(spec):
        if int(field.minor.split(".")[1]) > int(declared.split(".")[1]):
            yield field


def _since_0(spec: Spec) -> Iterator[Later]:
    for workflow in spec.workflows:
        for name, minor in (("budgets", "0.4"), ("decomposition", "0.6")):
            yield from _field(workflow, workflow.node, name, minor)
        gates = (gate.node for stage in workflow.stages for gate in stage.gates())
        for holder in (workflow.node, *gates):
            yield from _field(workflow, holder, "operator_agent", "0.5")
            agent = holder.mapping("operator_agent")
            for event in texts(agent.get("must_page_human")) if agent is not None else ():
                if event.text in ("advisory_reviewer_reject", "gating_reviewer_reject"):
                    yield Later(workflow, event, f"the page event {event.text}", "0.7")


def _since_1(spec: Spec) -> Iterator[Later]:
    for stage in spec.stages:
        workflow, kind = stage.workflow, stage.node.get("type")
        if stage.type == "acceptance" and kind is not None:
            yield Later(workflow, kind, "the stage type acceptance", "1.1")
        for product in mappings(stage.node.get("produces")):
            artifact = product.get("artifact")
            if product.text("artifact") == "acceptance" and artifact is not None:
                yield Later(workflow, artifact, "the artifact acceptance", "1.2")
        yield from _field(workflow, stage.node, "egress", "1.3")
        agents = mappings(stage.reviewers.get("agents")) if stage.reviewers is not None else ()
        for holder in (stage.executor, *agents):
            yield from _field(workflow, holder, "agent_version", "1.4")
    for constraint in constraints(spec):
        for outcome in _verification(constraint):
            yield Later(constraint.workflow, outcome, "the outcome verification_reported", "1.5")
        if constraint.kind == "diff_coverage":
            yield Later(constraint.workflow, constraint.value, "diff_coverage", "1.6")


def _field(workflow: Workflow, holder: Mapping, name: str, minor: str) -> Iterator[Later]:
    node = holder.get(name)
    if node is not None:
        yield Later(workflow, node, name, minor)


def _verification(constraint: Constraint) -> Iterator[Scalar]:
    """Yield the outcome verification_reported out of a list of required outcomes."""
    if constraint.kind == "required_outcomes":
        yield from (node for node in texts(constraint.value) if node.text == "verification_reported")


def minor_below_field(field: Later) -> Iterator[Flaw]:
    """A field came with a later minor than the file declares.

    It is accepted all the same: no minor of a frozen major is told apart from another. The file reads
    more honestly with the minor that has the field.

    Passes:

        version: "0.6"
        workflows:
          feature:
            decomposition: {max_parallel: 2}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "0.5"
        workflows:
          feature:
            decomposition: {max_parallel: 2}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    message = f"{field.what} came with version {field.minor}, and the file declares an earlier one"
    yield Flaw(field.node, message, f'write version: "{field.minor}" or later; it is accepted as it is')


def outcome_needs_verify(constraint: Constraint) -> Iterator[Flaw]:
    """`verification_reported` is required of a stage that verifies nothing.

    The outcome is met by what `executor.verify` reports. Without it the stage can never meet it.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex, verify: {command: make test}}
                produces: [{artifact: pull_request}]
                constraints: {required_outcomes: [verification_reported]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {required_outcomes: [verification_reported]}
    """
    stage = constraint.stage
    if "verify" not in stage.executor.entries:
        for node in _verification(constraint):
            message = f"{stage} requires verification_reported, and its executor verifies nothing"
            yield Flaw(node, message, "add executor.verify: {command: …}, or remove the outcome")


def schedule_labels_unreachable(workflow: Workflow) -> Iterator[Flaw]:
    """A scheduled workflow asks for labels that its runs do not have.

    A scheduled run has the labels of the issue that `schedule.issue` names, and none without it.

    Passes:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled], labels: [upkeep]}
            schedule: {cron: "0 3 * * 1", issue: 12}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled], labels: [upkeep]}
            schedule: {cron: "0 3 * * 1"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]
    """
    schedule, applies_to = workflow.node.mapping("schedule"), workflow.node.mapping("applies_to")
    labels = applies_to.get("labels") if applies_to is not None else None
    if schedule is not None and labels is not None and "issue" not in schedule.entries:
        message = f"{workflow} asks for labels, and a scheduled run without an issue has none"
        yield Flaw(labels, message, "add schedule.issue, or remove labels")


def member_with_at(gate: Gate) -> Iterator[Flaw]:
    """A member is written with an `@` in front.

    `approvals.members` takes plain names; a name with an `@` is nobody's.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1, members: [dana]}}]

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvals: {count: 1, members: ["@dana"]}}]
    """
    approvals = gate.approvals
    for node in texts(approvals.get("members")) if approvals is not None else ():
        if node.text.startswith("@"):
            message = f"{gate} lists the member {show(node.text)}; members are plain names"
            yield Flaw(node, message, f"write {show(node.text.lstrip('@'))}")


def repeated_constraint_kind(stage: Stage) -> Iterator[Flaw]:
    """A list of constraints holds one kind twice.

    Both entries hold. Version 2 writes constraints as one object, which has each kind once, so such a
    list cannot be migrated before it is merged by hand.

    Passes:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                constraints: [{forbidden_paths: ["infra/**", "secrets/**"]}]

    Fails:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                constraints: [{forbidden_paths: ["infra/**"]}, {forbidden_paths: ["secrets/**"]}]
    """
    seen: dict[str, Node] = {}
    for entry in mappings(stage.node.get("constraints")):
        for kind in entry.entries:
            first = seen.setdefault(str(kind), entry)
            if first is not entry:
                message = f"{stage} has the constraint {kind} twice"
                related = (Related(first.start, first.end, "it stands here first"),)
                yield Flaw(entry, message, "merge the two; version 2 has each kind once", related=related)


def declared_not_enforced(stage: Stage) -> Iterator[Flaw]:
    """A stage declares `egress` or `permissions`, and nothing enforces it there.

    Only on an acceptance stage are the hosts enforced. Anywhere else the declaration is recorded and
    shown, and no more.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}
    """
    if stage.type == "acceptance" or stage.branch != "agent":
        return
    for name in ("egress", "permissions"):
        node = stage.node.get(name)
        if node is not None:
            message = f"{stage} declares {name}, which nothing enforces on a stage of type {stage.type}"
            yield Flaw(node, message, "it is recorded and shown only; do not rely on it")

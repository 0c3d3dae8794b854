"""Rules about what a stage produces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import listed, show
from migrate_spec.rules.spec import Flaw, Spec, Stage, Workflow, mappings
from transforms.finding import Related
from transforms.nodes import Mapping, Node

CONFLICTS = {
    "grooming_report": ("plan",),
    "upkeep_report": ("plan", "grooming_report", "comms_report"),
    "comms_report": ("plan", "grooming_report", "upkeep_report"),
}
"""The reports, each with the proposals that its stage may not produce beside it."""


class Product(NamedTuple):
    """One entry of `produces`.

    `rival` is the entry that cannot stand beside it, given at the first entry of a stage that has one.
    """

    stage: Stage
    node: Mapping
    artifact: str
    rival: Mapping | None = None

    @property
    def workflow(self) -> Workflow:
        """The workflow of the stage."""
        return self.stage.workflow

    @property
    def named(self) -> Node:
        """The value of `artifact`."""
        node = self.node.get("artifact")
        assert node is not None
        return node


def products(spec: Spec) -> Iterator[Product]:
    """Yield what all stages produce."""
    for stage in spec.stages:
        written: dict[str, Mapping] = {}
        for node in mappings(stage.node.get("produces")):
            written.setdefault(node.text("artifact") or "", node)
        said = False
        for node in mappings(stage.node.get("produces")):
            artifact = node.text("artifact") or ""
            rival = None if said else _rival(artifact, written)
            said = said or rival is not None
            yield Product(stage, node, artifact, rival)


def _rival(artifact: str, written: dict[str, Mapping]) -> Mapping | None:
    return next((written[other] for other in CONFLICTS.get(artifact, ()) if other in written), None)


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _wrong_schema(product: Product, wanted: str) -> Iterator[Flaw]:
    schema = product.node.get("schema")
    if schema is None:
        message = f"{product.stage} produces {_a(product.artifact)} without a schema"
        yield Flaw(product.node, message, f"add schema: {wanted}", lacks=True)
    elif product.node.text("schema") != wanted:
        found = show(product.node.text("schema"))
        message = (
            f"{product.stage} produces {_a(product.artifact)} with the schema {found} instead of {wanted}"
        )
        yield Flaw(schema, message, f"write schema: {wanted}")


def plan_schema_required(product: Product) -> Iterator[Flaw]:
    """A plan is produced without the schema that plans have.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: outline
                type: plan
                executor: {agent: codex}
                produces: [{artifact: plan, schema: standard_v1}]

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: outline
                type: plan
                executor: {agent: codex}
                produces: [{artifact: plan}]
    """
    if product.artifact == "plan":
        yield from _wrong_schema(product, "standard_v1")


def _elsewhere(product: Product, kind: str) -> Iterator[Flaw]:
    if product.stage.type != kind:
        message = f"{product.stage} is of type {product.stage.type}; only {_a(kind)} stage produces {_a(product.artifact)}"
        yield Flaw(product.named, message, f"move the entry to {_a(kind)} stage, or remove it")


def deployment_artifact_deploy_only(product: Product) -> Iterator[Flaw]:
    """A stage that does not deploy produces a deployment.

    Passes:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                produces: [{artifact: deployment}]

    Fails:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: deployment}]
    """
    if product.artifact == "deployment":
        yield from _elsewhere(product, "deploy")


def acceptance_artifact_acceptance_only(product: Product) -> Iterator[Flaw]:
    """A stage that is no acceptance stage produces an acceptance record.

    Passes:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                produces: [{artifact: acceptance}]

    Fails:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: check
                type: review
                executor: {human: true}
                produces: [{artifact: acceptance}]
    """
    if product.artifact == "acceptance":
        yield from _elsewhere(product, "acceptance")


def report_artifact_plan_only(product: Product) -> Iterator[Flaw]:
    """A stage that is no plan stage produces a report.

    `grooming_report`, `upkeep_report` and `comms_report` are proposals, as a plan is one.

    Passes:

        version: "2"
        workflows:
          upkeep:
            stages:
              - id: scan
                type: plan
                executor: {agent: codex}
                produces: [{artifact: upkeep_report, schema: upkeep_report_v1}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            stages:
              - id: scan
                type: implement
                executor: {agent: codex}
                produces: [{artifact: upkeep_report, schema: upkeep_report_v1}]
    """
    if product.artifact in CONFLICTS:
        yield from _elsewhere(product, "plan")


def report_schema_required(product: Product) -> Iterator[Flaw]:
    """A report is produced without the schema that belongs to it.

    The schema is called as the artifact, with `_v1` behind it.

    Passes:

        version: "2"
        workflows:
          grooming:
            stages:
              - id: sort
                type: plan
                executor: {agent: codex}
                produces: [{artifact: grooming_report, schema: grooming_report_v1}]

    Fails:

        version: "2"
        workflows:
          grooming:
            stages:
              - id: sort
                type: plan
                executor: {agent: codex}
                produces: [{artifact: grooming_report, schema: standard_v1}]
    """
    if product.artifact in CONFLICTS:
        yield from _wrong_schema(product, f"{product.artifact}_v1")


def report_artifact_exclusive(product: Product) -> Iterator[Flaw]:
    """One stage produces two proposals.

    A plan and the three reports are proposals; a stage makes one of them. A pull request may stand
    beside a report.

    Passes:

        version: "2"
        workflows:
          upkeep:
            stages:
              - id: scan
                type: plan
                executor: {agent: codex}
                produces: [{artifact: upkeep_report, schema: upkeep_report_v1}, {artifact: pull_request}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            stages:
              - id: scan
                type: plan
                executor: {agent: codex}
                produces:
                  - {artifact: plan, schema: standard_v1}
                  - {artifact: upkeep_report, schema: upkeep_report_v1}
    """
    if product.rival is not None:
        artifact, other = product.artifact, product.rival.text("artifact") or ""
        beside = product.rival.get("artifact") or product.rival
        yield Flaw(
            product.named,
            f"{product.stage} produces {_a(artifact)} and {_a(other)}; it may propose one thing",
            f"give each a stage of its own; beside {_a(artifact)} there is no {listed(CONFLICTS[artifact])}",
            related=(Related(beside.start, beside.end, "the other one stands here"),),
        )

"""Rules about the order of stages and what they read from each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from migrate_spec.messages import listed, show, suggestion
from migrate_spec.rules.spec import Flaw, Spec, Stage, Workflow, mappings, scalar, texts
from transforms.finding import Related
from transforms.nodes import Mapping, Scalar
from transforms.shape import ARTIFACTS


class Reference(NamedTuple):
    """One stage that another reads from: by `needs`, or by `input` when that is not None.

    `known` is where the stages of the workflow allow production, as far as that was asked.
    """

    stage: Stage
    node: Scalar
    input: Mapping | None
    known: dict[str, Scalar | None]

    @property
    def workflow(self) -> Workflow:
        """The workflow of the reading stage."""
        return self.stage.workflow

    @property
    def referent(self) -> Stage | None:
        """The stage that is read from."""
        return self.workflow.by_id.get(self.node.text)

    @property
    def deployment(self) -> bool:
        """Whether it is the deployment that is read."""
        return self.input is not None and self.input.text("artifact") == "deployment"

    @property
    def production(self) -> Scalar | None:
        """Where the referent allows the environment production, None when it does not."""
        referent = self.referent
        if referent is None:
            return None
        if referent.id not in self.known:
            self.known[referent.id] = _production(referent)
        return self.known[referent.id]


def references(spec: Spec) -> Iterator[Reference]:
    """Yield what every stage reads from other stages."""
    for workflow in spec.workflows:
        production: dict[str, Scalar | None] = {}
        for stage in workflow.all_stages() if workflow.retyped else workflow.stages:
            for item in mappings(stage.node.get("inputs")):
                node = scalar(item, "from_stage")
                if node is not None:
                    yield Reference(stage, node, item, production)
            for node in texts(stage.node.get("needs")):
                yield Reference(stage, node, None, production)


def _production(stage: Stage) -> Scalar | None:
    constraints = stage.node.mapping("constraints")
    allowed = texts(constraints.get("allowed_environments")) if constraints is not None else ()
    return next((entry for entry in allowed if entry.text.lower() == "production"), None)


def stage_id_duplicate(workflow: Workflow) -> Iterator[Flaw]:
    """Two stages of one workflow share an id.

    Inputs name stages by their id, so an id may stand only once in a workflow's own list. A workflow
    that extends another overrides a stage by writing its id again; that is no repetition. Other
    workflows may use the same id.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}
              - {id: sign, type: review, executor: {human: true}}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}
              - {id: build, type: review, executor: {human: true}}
    """
    for stage in workflow.stages:
        first = workflow.by_id[stage.id]
        node, other = stage.node.get("id"), first.node.get("id")
        if first is not stage and node is not None and other is not None:
            yield Flaw(
                node,
                f"the stages {first.at} and {stage.at} of {workflow} both have the id {show(stage.id)}",
                "give one of them another id",
                related=(Related(other.start, other.end, "it stands here first"),),
            )


def from_stage_unknown(reference: Reference) -> Iterator[Flaw]:
    """A stage reads from a stage that its workflow does not have.

    `needs` and `from_stage` name a stage of the same workflow, inherited ones included.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: outline, type: plan, executor: {agent: codex}}
              - {id: build, type: implement, executor: {agent: codex}, needs: [outline]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: outline, type: plan, executor: {agent: codex}}
              - {id: build, type: implement, executor: {agent: codex}, needs: [design]}
    """
    if reference.referent is None:
        name = reference.node.text
        message = f"{reference.workflow} has no stage {show(name)}, which stage {show(reference.stage.id)} reads from"
        earlier = list(islice(reference.workflow.by_id, reference.stage.at))
        yield Flaw(
            reference.node,
            message,
            suggestion(name, earlier) if earlier else "no stage stands before this one",
        )


def needs_no_default_artifact(reference: Reference) -> Iterator[Flaw]:
    """`needs` names a stage that hands on nothing by itself.

    A plan stage stands for its plan and an implement stage for its pull request. What a review, deploy
    or acceptance stage hands on has to be written out in `inputs`.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}
              - {id: check, type: review, executor: {human: true}, needs: [build]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: check, type: review, executor: {human: true}}
              - {id: build, type: implement, executor: {agent: codex}, needs: [check]}
    """
    referent = reference.referent
    if reference.input is None and referent is not None and referent.type not in ARTIFACTS:
        handed = sorted(filter(None, referent.artifacts()))
        hint = (
            f"write it out: inputs: [{{artifact: {' | '.join(handed)}, from_stage: {show(referent.id)}}}]"
            if handed
            else f"remove it, or let {show(referent.id)} produce what is read and name that in inputs"
        )
        yield Flaw(
            reference.node,
            f"{reference.stage} needs {show(referent.id)}, a {referent.type} stage, which hands on "
            f"nothing by itself; only {' and '.join(ARTIFACTS)} stages do",
            hint,
        )


def from_stage_not_earlier(reference: Reference) -> Iterator[Flaw]:
    """A stage reads from itself or from a later stage.

    Stages run in the order of the list; inherited stages come first, in the order of the base.

    Passes:

        version: "1.6"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}
              - id: check
                type: review
                executor: {human: true}
                inputs: [{artifact: pull_request, from_stage: build}]

    Fails:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: check
                type: review
                executor: {human: true}
                inputs: [{artifact: pull_request, from_stage: build}]
              - {id: build, type: implement, executor: {agent: codex}}
    """
    stage, referent = reference.stage, reference.referent
    if referent is not None and referent.at >= stage.at:
        which = "itself" if referent.at == stage.at else f"the later stage {show(referent.id)}"
        positions = (
            f"(positions {stage.at} and {referent.at})"
            if referent.at > stage.at
            else f"(position {stage.at})"
        )
        yield Flaw(
            reference.node,
            f"{stage} reads from {which} {positions}",
            "read from an earlier stage, or move the stages",
        )


def input_deployment_consumer(reference: Reference) -> Iterator[Flaw]:
    """A stage that is no acceptance stage takes a deployment as input.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - {id: push, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
                egress: {target_hosts: [staging.example]}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - {id: push, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}}
              - id: probe
                type: review
                executor: {human: true}
                inputs: [{artifact: deployment, from_stage: push}]
    """
    if reference.deployment and reference.stage.type != "acceptance":
        assert reference.input is not None
        artifact = reference.input.get("artifact")
        assert artifact is not None
        yield Flaw(
            artifact,
            f"{reference.stage} is a {reference.stage.type} stage; only an acceptance stage takes a deployment",
            "read another artifact, or make the stage an acceptance stage",
        )


def input_deployment_producer(reference: Reference) -> Iterator[Flaw]:
    """A deployment is read from a stage that deploys nothing.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - {id: push, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
                egress: {target_hosts: [staging.example]}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: build}]
                egress: {target_hosts: [staging.example]}
    """
    referent = reference.referent
    if reference.deployment and referent is not None and referent.type != "deploy":
        stages = reference.workflow.by_id.values() if "deploy" in reference.workflow.types else ()
        names = listed(islice((stage.id for stage in stages if stage.type == "deploy"), 5))
        known = f"name a deploy stage: {names}" if names else "the workflow has no deploy stage"
        yield Flaw(
            reference.node,
            f"{reference.stage} takes a deployment from {show(referent.id)}, which is of type {referent.type}",
            known,
        )


def input_deployment_production_target(reference: Reference) -> Iterator[Flaw]:
    """An acceptance stage would probe a deployment that may have gone to production.

    The deploy stage it reads from must not list `production`, in any letter case, among its
    `allowed_environments`.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                constraints: {allowed_environments: [staging]}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
                egress: {target_hosts: [staging.example]}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                constraints: {allowed_environments: [staging, Production]}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
                egress: {target_hosts: [staging.example]}
    """
    referent = reference.referent
    entry = reference.production if reference.deployment else None
    if entry is not None and referent is not None:
        yield Flaw(
            reference.node,
            f"{reference.stage} would probe what {show(referent.id)} deployed, which may be {show(entry.text)}",
            f"take {show(entry.text)} out of the allowed_environments of {show(referent.id)}, "
            "or deploy to production in a stage of its own",
            related=(Related(entry.start, entry.end, "this environment is allowed here"),),
        )


def input_deployment_egress(reference: Reference) -> Iterator[Flaw]:
    """An acceptance stage takes a deployment and does not say which hosts it will reach.

    It has to declare `egress`, or `permissions.network`, which is the same under another name.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - {id: push, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
                permissions: {network: {target_hosts: [staging.example]}}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - {id: push, type: deploy, executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}}
              - id: probe
                type: acceptance
                executor: {agent: codex}
                inputs: [{artifact: deployment, from_stage: push}]
    """
    stage = reference.stage
    permissions = stage.node.mapping("permissions")
    network = permissions is not None and "network" in permissions.entries
    if reference.deployment and "egress" not in stage.node.entries and not network:
        yield Flaw(
            stage.node,
            f"{stage} takes a deployment and names no host to reach",
            "add egress: {target_hosts: [HOST]}",
            lacks=True,
        )

"""Rules about which constraints a stage may carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import listed, show
from migrate_spec.rules.spec import Flaw, Spec, Stage, Workflow, mappings, scalar, texts
from transforms import paths
from transforms.nodes import Mapping, Node

PREFLIGHT = ("allowed_environments", "change_freeze", "required_upstream")
"""The kinds that are looked at before a deploy stage starts; all other kinds look at a diff."""


class Constraint(NamedTuple):
    """One kind of constraint on one stage.

    `node` is what findings name: below major 2 the entry of the list, at 2 the value; `value` is the
    value at every major.
    """

    stage: Stage
    kind: str
    node: Node
    value: Node

    @property
    def workflow(self) -> Workflow:
        """The workflow of the stage."""
        return self.stage.workflow

    @property
    def preflight(self) -> bool:
        """Whether the kind is looked at before the stage starts."""
        return self.kind in PREFLIGHT


def constraints(spec: Spec) -> Iterator[Constraint]:
    """Yield the constraints of all stages."""
    for stage in spec.stages:
        written = stage.node.get("constraints")
        for holder in [written] if isinstance(written, Mapping) else mappings(written):
            for kind, pair in holder.entries.items():
                node = pair.value if holder is written else holder
                yield Constraint(stage, str(kind), node, pair.value)


def preflight_only_on_deploy(constraint: Constraint) -> Iterator[Flaw]:
    """A stage that does not deploy carries a constraint on deploying.

    `allowed_environments`, `change_freeze` and `required_upstream` are looked at before a deploy stage
    starts. Writing one is what counts: `change_freeze: false` is refused as well.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                constraints: {allowed_environments: [staging]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                constraints: {change_freeze: false}
    """
    stage = constraint.stage
    if constraint.preflight and stage.type != "deploy":
        message = (
            f"{constraint.kind} stands on {stage}, which is of type {stage.type}; it belongs to deploy stages"
        )
        yield Flaw(constraint.node, message, "move it to the deploy stage, or remove it")


def posthoc_not_on_deploy(constraint: Constraint) -> Iterator[Flaw]:
    """A deploy stage carries a constraint on a diff.

    A delegated deploy changes no files here, so there is no diff to look at.

    Passes:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                constraints: [{required_upstream: [ci_green]}]

    Fails:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: github_actions, workflow_ref: ship.yml}}
                constraints: [{max_files_changed: 10}]
    """
    stage = constraint.stage
    if not constraint.preflight and stage.type == "deploy":
        message = f"{constraint.kind} looks at a diff, and {stage} has none: it delegates"
        hint = f"move it to the stage that makes the change; a deploy stage takes {listed(PREFLIGHT)}"
        yield Flaw(constraint.node, message, hint)


def posthoc_requires_pull_request(constraint: Constraint) -> Iterator[Flaw]:
    """A constraint on a diff stands on a stage that produces no pull request.

    At major 2 it is not the type of a stage but what it `produces` that says whether there is a diff.
    A list that is absent or empty says that there is none.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {forbidden_paths: ["infra/**"]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                constraints: {forbidden_paths: ["infra/**"]}
    """
    stage = constraint.stage
    if not constraint.preflight and "pull_request" not in stage.artifacts():
        message = f"{constraint.kind} looks at a diff, and {stage} produces no pull_request"
        yield Flaw(
            constraint.node, message, "add produces: [{artifact: pull_request}], or remove the constraint"
        )


def _implement_only(constraint: Constraint, kind: str) -> Iterator[Flaw]:
    stage = constraint.stage
    if constraint.kind == kind and stage.type != "implement":
        node = constraint.value
        message = f"{kind} stands on {stage}, which is of type {stage.type}; it belongs to implement stages"
        yield Flaw(node, message, "move it to the implement stage, or remove it")


def diff_coverage_implement_only(constraint: Constraint) -> Iterator[Flaw]:
    """`diff_coverage` stands on a stage that is no implement stage.

    Only an implement stage is measured, and what is not measured counts as missed.

    Passes:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                constraints:
                  - diff_coverage: {command: make cover, report_path: lcov.info, min_new_line_coverage: 80}

    Fails:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: check
                type: review
                executor: {agent: codex}
                constraints:
                  - diff_coverage: {command: make cover, report_path: lcov.info, min_new_line_coverage: 80}
    """
    yield from _implement_only(constraint, "diff_coverage")


def diff_coverage_report_path(constraint: Constraint) -> Iterator[Flaw]:
    """The coverage report lies outside the repository.

    `report_path` is relative to the repository and stays inside it once `.` and `..` are worked out.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints:
                  diff_coverage: {command: make cover, report_path: ./out/lcov.info, min_new_line_coverage: 80}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints:
                  diff_coverage: {command: make cover, report_path: ../lcov.info, min_new_line_coverage: 80}
    """
    node = scalar(constraint.value, "report_path")
    reason = paths.outside(node.text) if node is not None else None
    if node is not None and reason is not None:
        message = f"the report_path {show(node.text)} of {constraint.stage} must stay inside the repository: {reason}"
        yield Flaw(node, message, "write a path relative to the repository, such as coverage/lcov.info")


def agent_instruction_implement_only(constraint: Constraint) -> Iterator[Flaw]:
    """`agent_instruction_paths` stands on a stage that is no implement stage.

    Passes:

        version: "2"
        workflows:
          docs:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [AGENTS.md]}}

    Fails:

        version: "2"
        workflows:
          docs:
            stages:
              - id: check
                type: review
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [AGENTS.md]}}
    """
    yield from _implement_only(constraint, "agent_instruction_paths")


def _writable(constraint: Constraint) -> Iterator[tuple[Node, str, str | None]]:
    """Yield the writable entries, each with its text and why it is not canonical."""
    value = constraint.value
    if constraint.kind == "agent_instruction_paths" and isinstance(value, Mapping):
        for node in texts(value.get("writable")):
            yield node, node.text, paths.defect(node.text)


def agent_instruction_writable_path(constraint: Constraint) -> Iterator[Flaw]:
    """A writable entry is not spelled as the repository spells its paths.

    An entry is compared with the paths of the diff letter by letter, so it has to be canonical: relative,
    with single slashes and without `.` and `..`.

    Passes:

        version: "2"
        workflows:
          docs:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [services/api/AGENTS.md]}}

    Fails:

        version: "2"
        workflows:
          docs:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [./AGENTS.md]}}
    """
    for node, path, defect in _writable(constraint):
        if defect is not None:
            message = f"{show(path)} on {constraint.stage} is no path of the repository: {defect}"
            yield Flaw(node, message, "write it as the repository does, such as docs/AGENTS.md")


def agent_instruction_writable_target(constraint: Constraint) -> Iterator[Flaw]:
    """A writable entry names a file that no agent reads as instructions.

    Files called `AGENTS.md`, `AGENTS.override.md`, `CLAUDE.md` or `CLAUDE.local.md` instruct agents, and
    everything below a folder `.agents`, `.claude` or `.codex`; letter case is ignored. Any other path is
    writable already.

    Passes:

        version: "2"
        workflows:
          docs:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [.codex/prompts/review.md]}}

    Fails:

        version: "2"
        workflows:
          docs:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                produces: [{artifact: pull_request}]
                constraints: {agent_instruction_paths: {writable: [README.md]}}
    """
    for node, path, defect in _writable(constraint):
        if defect is None and not paths.instructs_agents(path):
            message = f"{show(path)} on {constraint.stage} is no file that instructs agents"
            names, folders = listed(paths.INSTRUCTION_FILES), listed(paths.INSTRUCTION_FOLDERS)
            yield Flaw(node, message, f"remove it; such files are {names}, and all below a folder {folders}")

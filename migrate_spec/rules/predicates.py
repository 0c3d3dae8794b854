"""Rules about predicates: `applies_to` of workflows and conventions, `match` of escalations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from migrate_spec.messages import show
from migrate_spec.rules.spec import Flaw, Spec, Workflow, named, texts
from transforms import glob
from transforms.nodes import Mapping, Scalar


class HasPredicate(Protocol):
    """What owns a predicate: a workflow's or a convention's `applies_to`, or an escalation."""

    @property
    def predicate(self) -> Mapping:
        """The criteria."""

    def __str__(self) -> str:
        """Name the owner in a message."""


class Route(NamedTuple):
    """The `applies_to` of a workflow, or of a convention when `workflow` is None."""

    owner: str
    predicate: Mapping
    workflow: Workflow | None

    def __str__(self) -> str:
        """Name the predicate in a message."""
        return f"applies_to of {self.owner}"


def routes(spec: Spec) -> Iterator[Route]:
    """Yield the `applies_to` of all workflows and conventions."""
    for workflow in spec.workflows:
        predicate = workflow.node.mapping("applies_to")
        if predicate is not None:
            yield Route(str(workflow), predicate, workflow)
    for name, convention in named(spec.root.get("review_conventions")):
        predicate = convention.mapping("applies_to")
        if predicate is not None:
            yield Route(f"convention {show(name)}", predicate, None)


def predicate_change_kind_unsupported(owner: HasPredicate) -> Iterator[Flaw]:
    """A predicate asks for a kind of change.

    Nothing states the kind of a change today, so such a predicate could never hold. `paths`, `labels` and
    `trigger` work.

    Passes:

        version: "2"
        workflows:
          docs:
            applies_to: {labels: [documentation]}
            stages: [{id: outline, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          docs:
            applies_to: {change_kind: [docs]}
            stages: [{id: outline, type: plan, executor: {agent: codex}}]
    """
    node = owner.predicate.get("change_kind")
    if node is not None:
        message = f"{owner} asks for a change_kind, which nothing produces, so it could never hold"
        yield Flaw(node, message, "ask for paths, labels or trigger instead")


def glob_flaws(nodes: Iterator[Scalar], owner: object) -> Iterator[Flaw]:
    """Yield the globs that are invalid, each with its defect."""
    for node in nodes:
        defect = glob.defect(node.text)
        if defect is not None:
            message = f"the glob {show(node.text)} of {owner} is invalid: {defect.reason} (character {defect.at + 1})"
            yield Flaw(
                node, message, "close what is open, or put a backslash in front to mean the character itself"
            )


def predicate_path_glob(owner: HasPredicate) -> Iterator[Flaw]:
    r"""A path glob of a predicate is invalid.

    `*` and `?` stay inside a segment, `**` as a segment of its own crosses slashes, `{a,b}` lists
    alternatives, `[a-z]` and `[!a-z]` are classes, and a backslash makes the next character ordinary. A
    glob is invalid when a class or brace is never closed, a class is empty, a brace closes nothing, or a
    backslash ends it.

    Passes:

        version: "2"
        workflows:
          docs:
            applies_to: {paths: ["docs/**/*.{md,rst}"]}
            stages: [{id: outline, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          docs:
            applies_to: {paths: ["docs/**/*.{md,rst"]}
            stages: [{id: outline, type: plan, executor: {agent: codex}}]
    """
    yield from glob_flaws(texts(owner.predicate.get("paths")), owner)


def applies_to_paths_no_plan_stage(route: Route) -> Iterator[Flaw]:
    """A workflow is routed by paths and never plans.

    `paths` is compared with the plan, so a workflow whose `applies_to` has it needs a plan stage; an
    inherited one counts. Labels and trigger are known before.

    Passes:

        version: "2"
        workflows:
          docs:
            applies_to: {paths: ["docs/**"]}
            stages: [{id: outline, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          docs:
            applies_to: {paths: ["docs/**"]}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    node = route.predicate.get("paths")
    if node is not None and route.workflow is not None and "plan" not in route.workflow.types:
        message = (
            f"{route} asks for paths, which are compared with a plan, and the workflow has no plan stage"
        )
        yield Flaw(node, message, "add a plan stage, or route by labels or trigger")

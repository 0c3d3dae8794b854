"""Rules about review conventions: documents that agent reviewers are handed."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.messages import show
from migrate_spec.rules.selections import (
    Entry,
    Family,
    Selection,
    bad_path,
    entries,
    no_agents,
    selections,
    unknown,
    wrong_stage,
)
from migrate_spec.rules.spec import Flaw, Spec

CONVENTIONS = Family("review_conventions", "conventions", "convention")


def conventions(spec: Spec) -> Iterator[Entry]:
    """Yield the declared conventions."""
    return entries(spec, CONVENTIONS, set())


def convention_selections(spec: Spec) -> Iterator[Selection]:
    """Yield what stages select of the conventions."""
    return selections(spec, CONVENTIONS)


def review_convention_path(entry: Entry) -> Iterator[Flaw]:
    """The document of a convention is not named by a path of the repository.

    The path is relative, with single slashes; it has no backslash, no control character, and no segment
    that is empty, `.` or `..`.

    Passes:

        version: "2"
        review_conventions:
          api: {path: docs/conventions/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}

    Fails:

        version: "2"
        review_conventions:
          api: {path: ./docs/conventions/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}
    """
    yield from bad_path(entry, entry.node, "path")


def review_conventions_stage_type(selection: Selection) -> Iterator[Flaw]:
    """A stage that agents do not review selects conventions.

    Only plan and implement stages are reviewed by agents. A selection that comes from `defaults` counts
    for every stage that takes it.

    Passes:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}

    Fails:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: check
                type: review
                executor: {human: true}
                reviewers: {agents: [{provider: codex}], conventions: [api]}
    """
    yield from wrong_stage(selection)


def review_convention_unknown(selection: Selection) -> Iterator[Flaw]:
    """A stage selects a convention that is not declared.

    Passes:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}
    """
    yield from unknown(selection)


def review_conventions_no_agents(selection: Selection) -> Iterator[Flaw]:
    """A stage selects conventions and has no agents to follow them.

    Passes:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}

    Fails:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {human: 1, conventions: [api]}
    """
    yield from no_agents(selection)


def review_convention_unused(entry: Entry) -> Iterator[Flaw]:
    """A convention is declared and no stage selects it.

    A name in `defaults` counts once a stage takes it.

    Passes:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], conventions: [api]}

    Fails:

        version: "2"
        review_conventions:
          api: {path: docs/api.md}
        workflows:
          feature:
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    if not entry.used:
        message = f"the convention {show(entry.name)} is declared, and no stage selects it"
        yield Flaw(entry.node, message, "select it in reviewers.conventions of a stage, or remove it")

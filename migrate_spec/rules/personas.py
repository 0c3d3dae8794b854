"""Rules about reviewer personas: reviewers of their own, each with a remit."""

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
from migrate_spec.rules.spec import Flaw, Spec, mappings, texts

PERSONAS = Family("reviewer_personas", "personas", "persona")


def personas(spec: Spec) -> Iterator[Entry]:
    """Yield the declared personas; one that an escalation requires is in use."""
    required: set[str] = set()
    for workflow in spec.workflows:
        for escalation in mappings(workflow.node.get("escalations")):
            require = escalation.mapping("require")
            if require is not None:
                required.update(node.text for node in texts(require.get("reviewers")))
    return entries(spec, PERSONAS, required)


def persona_selections(spec: Spec) -> Iterator[Selection]:
    """Yield what stages select of the personas."""
    return selections(spec, PERSONAS)


def persona_remit_path(entry: Entry) -> Iterator[Flaw]:
    """The remit of a persona is not named by a path of the repository.

    The same is asked of it as of the path of a convention; see `review-convention-path`.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/review/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: /docs/review/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}
    """
    yield from bad_path(entry, entry.node.get("remit"), "path")


def persona_decision_record_path(entry: Entry) -> Iterator[Flaw]:
    """The index of a persona's decision records is not named by a path of the repository.

    The same is asked of it as of the path of a convention; see `review-convention-path`.

    Passes:

        version: "2"
        reviewer_personas:
          privacy:
            agent: {provider: codex}
            remit: {path: docs/review/privacy.md}
            decision_record: {index: docs/adr/index.json}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}

    Fails:

        version: "2"
        reviewer_personas:
          privacy:
            agent: {provider: codex}
            remit: {path: docs/review/privacy.md}
            decision_record: {index: docs/adr/../index.json}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}
    """
    yield from bad_path(entry, entry.node.get("decision_record"), "index")


def personas_stage_type(selection: Selection) -> Iterator[Flaw]:
    """A stage that agents do not review attaches personas.

    Only plan and implement stages are reviewed by agents. A selection that comes from `defaults` counts
    for every stage that takes it.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}
    """
    yield from wrong_stage(selection)


def persona_unknown(selection: Selection) -> Iterator[Flaw]:
    """A stage attaches a persona that is not declared.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}
    """
    yield from unknown(selection)


def personas_no_agents(selection: Selection) -> Iterator[Flaw]:
    """A stage attaches personas and has no agents to review beside them.

    A persona comes on top of the standard reviewers and shares their authority.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {human: 1, personas: [privacy]}
    """
    yield from no_agents(selection, "; a persona comes on top of the standard reviewers")


def persona_unused(entry: Entry) -> Iterator[Flaw]:
    """A persona is declared, and no stage attaches it and no escalation requires it.

    A name in `defaults` counts once a stage takes it.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            escalations: [{match: {labels: [personal]}, require: {reviewers: [privacy]}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}]}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          feature:
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    if not entry.used:
        message = f"the persona {show(entry.name)} is declared, and no stage attaches it and no escalation requires it"
        yield Flaw(entry.node, message, "attach it in reviewers.personas of a stage, or remove it")

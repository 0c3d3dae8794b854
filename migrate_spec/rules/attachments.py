"""Rules about the reviewer personas that escalations attach (`validation-rules.md` 4)."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.messages import show, suggestion
from migrate_spec.rules.escalations import Escalation
from migrate_spec.rules.spec import Flaw


def escalation_reviewer_unknown(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation requires a persona that is not declared.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - {id: build, type: implement, executor: {agent: codex}, reviewers: {agents: [{provider: codex}]}}

    Fails:

        version: "2"
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - {id: build, type: implement, executor: {agent: codex}, reviewers: {agents: [{provider: codex}]}}
    """
    personas = escalation.base.personas
    for node in escalation.reviewers:
        if node.text not in personas:
            message = f"{escalation} requires the persona {show(node.text)}, which reviewer_personas does not declare"
            yield Flaw(
                node,
                message,
                suggestion(node.text, personas) if personas else "declare it in reviewer_personas",
            )


def escalation_reviewers_no_agent_review(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation attaches personas in a workflow that agents do not review.

    A persona joins the review of a plan or implement stage that has `reviewers.agents`.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - {id: build, type: implement, executor: {agent: codex}, reviewers: {agents: [{provider: codex}]}}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - {id: build, type: implement, executor: {agent: codex}, reviewers: {human: 1}}
    """
    node = escalation.require.get("reviewers")
    if node is not None and escalation.base.attached is None:
        message = (
            f"{escalation} requires reviewers, and agents review no plan or implement stage of the workflow"
        )
        yield Flaw(node, message, "add reviewers.agents to such a stage, or remove require.reviewers")


def escalation_reviewer_no_op(escalation: Escalation) -> Iterator[Flaw]:
    """An escalation attaches a persona that is attached everywhere already.

    Passes:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - {id: build, type: implement, executor: {agent: codex}, reviewers: {agents: [{provider: codex}]}}

    Fails:

        version: "2"
        reviewer_personas:
          privacy: {agent: {provider: codex}, remit: {path: docs/privacy.md}}
        workflows:
          schema:
            escalations: [{match: {labels: [data]}, require: {reviewers: [privacy]}}]
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                reviewers: {agents: [{provider: codex}], personas: [privacy]}
    """
    for node in escalation.reviewers:
        if node.text in (escalation.base.attached or ()):
            message = f"{escalation} requires the persona {show(node.text)}, which every stage that agents review has already"
            yield Flaw(node, message, "remove it here, or take it from a stage")

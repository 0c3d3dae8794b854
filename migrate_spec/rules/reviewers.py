"""Rules about who reviews, with which versions, and who approves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import show, suggestion
from migrate_spec.rules.spec import Flaw, Gate, Spec, Stage, Workflow, gates, mappings, named, scalar, texts
from transforms import ranges
from transforms.nodes import Scalar


class Approver(NamedTuple):
    """One role that a gate asks for, and the roles that the file defines."""

    gate: Gate
    node: Scalar
    roles: dict[str, None]

    @property
    def workflow(self) -> Workflow:
        """The workflow of the gate."""
        return self.gate.workflow


def approvers(spec: Spec) -> Iterator[Approver]:
    """Yield the roles that approval gates ask for."""
    roles = dict.fromkeys(name for name, _ in named(spec.root.get("roles")))
    for gate in gates(spec):
        asked = gate.node.mapping("approvers")
        for form in ("any_of", "all_of"):
            for node in texts(asked.get(form) if asked is not None else None):
                yield Approver(gate, node, roles)


class Pin(NamedTuple):
    """One `agent_version` and the workflow it holds in, None for a persona's."""

    workflow: Workflow | None
    node: Scalar


def pins(spec: Spec) -> Iterator[Pin]:
    """Yield the `agent_version` of every executor, reviewer and persona."""
    holders = [(stage.workflow, stage.node.get("executor")) for stage in spec.stages]
    for stage in spec.stages:
        reviewers = stage.reviewers
        agents = mappings(reviewers.get("agents")) if reviewers is not None else ()
        holders += [(stage.workflow, agent) for agent in agents]
    for workflow, holder in holders:
        node = scalar(holder, "agent_version")
        if node is not None:
            yield Pin(workflow, node)
    for _, persona in named(spec.root.get("reviewer_personas")):
        node = scalar(persona.get("agent"), "agent_version")
        if node is not None:
            yield Pin(None, node)


def reviewers_authority_without_agents(stage: Stage) -> Iterator[Flaw]:
    """`authority` is declared where no agent reviews.

    `authority` says whether agent reviewers can block a stage. Without `agents` there is nobody to have
    it, whatever its value and however many people review.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: claude-code}
                reviewers: {authority: gating, agents: [{provider: codex}], human: 1}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: claude-code}
                reviewers: {authority: gating, human: 1}
    """
    reviewers = stage.reviewers
    authority = reviewers.get("authority") if reviewers is not None else None
    if authority is not None and not stage.has_agents:
        message = f"{stage} declares an authority of agent reviewers and has none"
        yield Flaw(authority, message, "add agents: [{provider: …}], or remove authority")


def agent_version_range(pin: Pin) -> Iterator[Flaw]:
    """An `agent_version` is no list of comparators.

    It holds one or more terms with blanks between them, all of which must hold: an operator (`>=`, `<=`,
    `==`, `>`, `<` or `=`) and at once a version of one to three numbers. There are no wildcards, carets,
    alternatives or pre-releases.

    Passes:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: claude-code, agent_version: ">=2.1 <3"}}

    Fails:

        version: "2"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: claude-code, agent_version: "^2.1"}}
    """
    bad = ranges.bad_term(pin.node.text)
    if bad is not None:
        message = (
            f"agent_version holds {show(bad)}, which is no comparator" if bad else "agent_version is blank"
        )
        hint = "write >=, <=, ==, >, < or = and at once one to three numbers, such as >=2.1 <3"
        yield Flaw(pin.node, message, hint)


def approver_role_undefined(approver: Approver) -> Iterator[Flaw]:
    """A gate asks for a role that the file does not define.

    The names in `any_of` and `all_of` are keys of the top-level `roles`.

    Passes:

        version: "1.6"
        roles:
          leads: {members: ["@dana"]}
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvers: {any_of: [leads]}}]

    Fails:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                gates: [{type: approval, approvers: {any_of: [leads]}}]
    """
    name = approver.node.text
    if name not in approver.roles:
        message = f"{approver.gate} asks for the role {show(name)}, which roles does not define"
        hint = (
            suggestion(name, approver.roles)
            if approver.roles
            else "define it in the top-level roles, with its members"
        )
        yield Flaw(approver.node, message, hint)

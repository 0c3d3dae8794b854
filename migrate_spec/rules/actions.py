"""Rules about action matrices: which class may be auto, and under which condition (`resolution.md` 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import listed, nearest, show
from migrate_spec.rules.spec import Flaw, Gate, Spec, Workflow, gates, scalar
from transforms.autonomy import CONDITIONS, NONDELEGABLE, entries
from transforms.nodes import Mapping, Scalar


class Entry(NamedTuple):
    """One class in the matrix of a workflow or gate."""

    holder: Workflow | Gate
    name: str
    node: Mapping

    @property
    def workflow(self) -> Workflow:
        """The workflow that the matrix belongs to."""
        return self.holder.workflow

    @property
    def mode(self) -> str | None:
        """The mode as written."""
        return self.node.text("mode")

    @property
    def when(self) -> Scalar | None:
        """The condition as written."""
        return scalar(self.node, "when")

    @property
    def condition(self) -> str | None:
        """The one condition of the class, None when it has none."""
        return CONDITIONS.get(self.name)

    def __str__(self) -> str:
        """Name the entry in a message."""
        return f"{show(self.name)} of {self.holder}"


def matrix_entries(spec: Spec) -> Iterator[Entry]:
    """Yield the classes in the matrices of all workflows and approval gates."""
    for workflow in spec.workflows:
        for name, node in entries(workflow.node.get("actions")):
            yield Entry(workflow, name, node)
    for gate in gates(spec):
        for name, node in entries(gate.node.get("actions")):
            yield Entry(gate, name, node)


def action_min_severity_not_fixup(entry: Entry) -> Iterator[Flaw]:
    """`min_severity` stands on a class other than `fixup`.

    Passes:

        version: "2"
        workflows:
          feature:
            actions:
              fixup: {mode: auto, when: convergent_concerns, min_severity: low}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          feature:
            actions:
              waive: {mode: auto, when: solo_low, min_severity: low}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    node = entry.node.get("min_severity")
    if node is not None and entry.name != "fixup":
        yield Flaw(node, f"{entry} takes no min_severity; only fixup does", "remove it, or move it to fixup")


_GATED = "write mode: gated, or mode: report to have it proposed"


def action_auto_nondelegable(entry: Entry) -> Iterator[Flaw]:
    """A grooming class that can never be delegated is `auto`.

    What `ordering`, `dedup`, `scoping` and `milestone` do to a backlog cannot objectively be taken back,
    so they have no condition under which an agent may act. Of the grooming classes only `hygiene` may be
    auto.

    Passes:

        version: "2"
        workflows:
          grooming:
            actions:
              ordering: {mode: report}
              hygiene: {mode: auto, when: objective_reversible}
            stages: [{id: sort, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          grooming:
            actions:
              ordering: {mode: auto}
            stages: [{id: sort, type: plan, executor: {agent: codex}}]
    """
    mode = entry.node.get("mode")
    if entry.mode == "auto" and entry.name in NONDELEGABLE and mode is not None:
        message = (
            f"{entry} cannot be auto: what it does cannot objectively be taken back, so it has no condition; "
            "of the grooming classes only hygiene may be auto"
        )
        yield Flaw(mode, message, _GATED)


def action_auto_extension_class(entry: Entry) -> Iterator[Flaw]:
    """A class of the author's own is `auto`.

    Class names are open, but only classes with a condition may be auto: `approve`, `fixup`, `waive`,
    `retry`, `merge` and `hygiene`.

    Passes:

        version: "2"
        workflows:
          release:
            actions:
              rollback: {mode: report}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          release:
            actions:
              rollback: {mode: auto}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    mode = entry.node.get("mode")
    if (
        entry.mode == "auto"
        and entry.condition is None
        and entry.name not in NONDELEGABLE
        and mode is not None
    ):
        close = nearest(entry.name, CONDITIONS)
        meant = f'did you mean "{close}"? Otherwise ' if close else ""
        message = f"{entry} cannot be auto: only {listed(CONDITIONS)} have a condition to be auto under"
        yield Flaw(mode, message, meant + _GATED)


def action_auto_requires_when(entry: Entry) -> Iterator[Flaw]:
    """A class is `auto` without its condition.

    Each class has one condition: approve `clean_dual_approval`, fixup `convergent_concerns`, waive
    `solo_low`, retry `infra_flake`, merge `gates_resolved_ci_green`, hygiene `objective_reversible`.

    Passes:

        version: "2"
        workflows:
          feature:
            actions:
              retry: {mode: auto, when: infra_flake}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          feature:
            actions:
              retry: {mode: auto}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    if entry.mode == "auto" and entry.when is None and entry.condition is not None:
        message = f"{entry} is auto without a condition"
        yield Flaw(entry.node, message, f"add when: {entry.condition}", lacks=True)


def action_when_wrong_condition(entry: Entry) -> Iterator[Flaw]:
    """A class is given the condition of another class.

    A condition is asked for under `auto` and may be given under `report`; it is always the class's own.
    Beside `gated` it means nothing and is not looked at.

    Passes:

        version: "2"
        workflows:
          feature:
            actions:
              merge: {mode: report, when: gates_resolved_ci_green}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          feature:
            actions:
              merge: {mode: report, when: solo_low}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    when, condition = entry.when, entry.condition
    if entry.mode in ("auto", "report") and when is not None and condition not in (None, when.text):
        owner = next(name for name, own in CONDITIONS.items() if own == when.text)
        message = f"{entry} has when: {when.text}, the condition of {owner}"
        yield Flaw(when, message, f"write when: {condition}")


def action_when_no_condition(entry: Entry) -> Iterator[Flaw]:
    """A class that has no condition is given one.

    Passes:

        version: "2"
        workflows:
          release:
            actions:
              promote: {mode: report}
            stages: [{id: build, type: implement, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          release:
            actions:
              promote: {mode: report, when: infra_flake}
            stages: [{id: build, type: implement, executor: {agent: codex}}]
    """
    when = entry.when
    if entry.mode == "report" and when is not None and entry.condition is None:
        message = f"{entry} has no condition, so it takes no when ({when.text})"
        yield Flaw(when, message, "remove when: a report is then made whenever the gate is open")

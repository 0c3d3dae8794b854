"""The critic's rules about sessions: 2 to 6 and 8 to 10 (`service-plan.md`, The rules)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate_spec.plans.ordering import unplaced
from migrate_spec.plans.service_plan import ServicePlan, Session
from migrate_spec.plans.violation import Said, number
from transforms.wording import listed, show, suggestion

RISKS = ("code-only", "infra", "secrets", "public-surface", "data-migration", "billing", "delete")
NAMED = 20
"""How many declared sessions a hint names at most."""

_PATH = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._/-]*\Z")
_PRESENT = ("status", "evidence", "depends_on", "human_only_actions_before")


def gate_command(plan: ServicePlan) -> Iterator[Said]:
    """A session has no gate command.

    Passes:
        - gate:
          - command: make check
    Fails:
        - gate:
          - command:
    """
    return _gate(plan, "command", "the command that must succeed, such as make check")


def gate_limits(plan: ServicePlan) -> Iterator[Said]:
    """A session has no limits that its gate enforces.

    Passes:
        - gate:
          - must_not: rename a column
    Fails:
        - gate:
          - must_not:
    """
    return _gate(plan, "must_not", "what the session must not do")


def _gate(plan: ServicePlan, key: str, wanted: str) -> Iterator[Said]:
    for session in plan.sessions:
        entry = session.gate.get(key)
        if entry is None or not entry.value:
            line = entry.line if entry else session.place("gate")
            message = f"the gate has an empty {key}" if entry else f"the gate has no {key}"
            hint = f'below "- gate:", indented, write "- {key}: " and {wanted}'
            yield Said(session.name, line, message, hint)


def artifacts(plan: ServicePlan) -> Iterator[Said]:
    """A session lists no artifacts, or one that is no path.

    Passes:
        - artifacts:
          - LICENSE
    Fails:
        - artifacts:
          - the reader and its tests
    """
    for session in plan.sessions:
        if not session.artifacts:
            hint = 'below "- artifacts:", indented, write one path a line, such as "- cmd/main.go"'
            yield Said(session.name, session.place("artifacts"), "no artifact is listed", hint)
        for artifact in session.artifacts:
            if not _PATH.match(artifact.value):
                message = f"the artifact {show(artifact.value)} is no path"
                hint = (
                    "use letters, digits, dot, underscore, hyphen and slash only, no slash first, no comment"
                )
                yield Said(session.name, artifact.line, message, hint)


def boundaries(plan: ServicePlan) -> Iterator[Said]:
    """A session lacks a boundary: what is in its scope, or what is not.

    Passes:
        - scope_out: the door controller
    Fails:
        - scope_out:
    """
    for session in plan.sessions:
        for key, wanted in (("scope_in", "what belongs to it"), ("scope_out", "what does not belong to it")):
            if not session.value(key):
                hint = f'write "- {key}: " and {wanted}, on the same line'
                yield Said(session.name, session.place(key), _lack(session, key), hint)


def retry_and_its_end(plan: ServicePlan) -> Iterator[Said]:
    """A session has no whole number of retries, or does not escalate when they are used up.

    Passes:
        - retry_cap: 0
    Fails:
        - retry_cap: 2  # then stop
    """
    for session in plan.sessions:
        cap, end = session.value("retry_cap"), session.value("on_exhaustion")
        if number(cap) is None:
            message = f"retry_cap is no whole number: {show(cap)}" if cap else _lack(session, "retry_cap")
            hint = 'write "- retry_cap: 2", digits and nothing behind them'
            yield Said(session.name, session.place("retry_cap"), message, hint)
        if end != "escalate":
            message = f"on_exhaustion cannot be {show(end)}" if end else _lack(session, "on_exhaustion")
            yield Said(
                session.name, session.place("on_exhaustion"), message, 'write "- on_exhaustion: escalate"'
            )


def dependencies(plan: ServicePlan) -> Iterator[Said]:
    """A session depends on a name that no session of the plan has.

    Passes:
        - depends_on: []
    Fails:
        - depends_on: [S7]
    """
    declared = dict.fromkeys(session.name for session in plan.sessions)
    hint = _declared(list(declared))
    for session in plan.sessions:
        for name in dict.fromkeys(_names(session)):
            if name not in declared:
                message = f"depends_on names {show(name)}, which is no session of this plan"
                yield Said(session.name, session.place("depends_on"), message, hint)


def _declared(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"write [] for none; declared: {listed(names[:NAMED])}{more}"


def order(plan: ServicePlan) -> Iterator[Said]:
    """The sessions wait for each other in a ring, so they cannot be put in order.

    Only edges between declared sessions count; of two blocks with one name the first.

    Passes:
        - depends_on:
    Fails:
        - depends_on: [S1]
    """
    first = {session.name: session for session in reversed(plan.sessions)}
    blocks = [session for session in plan.sessions if first[session.name] is session]
    at = {session.name: position for position, session in enumerate(blocks)}
    edges = [(at[s.name], at[name]) for s in blocks for name in _names(s) if name in at]
    stuck = unplaced(len(blocks), edges)
    if stuck:
        names = [blocks[position].name for position in stuck]
        together = ", ".join(names)
        alone = f"{names[0]} waits for itself" if len(names) == 1 else f"{together} cannot be put in order"
        line = blocks[stuck[0]].place("depends_on")
        yield Said(None, line, f"the sessions wait in a ring: {alone}", "remove one dependency of the ring")


def driver_keys_and_identity(plan: ServicePlan) -> Iterator[Said]:
    """A session has the number of an earlier one, or lacks something that the driver reads.

    Passes:
        - risk_class: infra
    Fails:
        - risk_class: harmless
    """
    seen: dict[str, int] = {}
    for session in plan.sessions:
        first = seen.setdefault(session.name, session.line)
        if first != session.line:
            message = f"the number of this session stands on the block at line {first} already"
            yield Said(session.name, session.line, message, "give it a number of its own")
        yield from _risk(session)
        for key in _PRESENT:
            if key not in session.fields:
                hint = f'add "- {key}:", the value may be empty'
                yield Said(session.name, session.line, _lack(session, key), hint)
        if not session.has_prompt:
            message = _lack(session, "prompt") if "prompt" not in session.fields else "the prompt has no text"
            hint = 'write "- prompt: |" and the text in the lines below it'
            yield Said(session.name, session.place("prompt"), message, hint)


def _risk(session: Session) -> Iterator[Said]:
    risk, line = session.value("risk_class"), session.place("risk_class")
    if not risk:
        yield Said(session.name, line, _lack(session, "risk_class"), f"write one of {listed(RISKS)}")
    elif risk not in RISKS:
        yield Said(session.name, line, f"risk_class cannot be {show(risk)}", suggestion(risk, RISKS))


def _lack(session: Session, key: str) -> str:
    return f"{key} is empty" if key in session.fields else f"{key} is missing"


def _names(session: Session) -> list[str]:
    return re.sub(r"[\[\],]", " ", session.value("depends_on")).split()

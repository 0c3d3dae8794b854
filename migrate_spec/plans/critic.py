"""The mechanical critic of service plans: eleven rules, each decided by itself (`service-plan.md`, The rules)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from migrate_spec.plans import frontmatter, session_rules
from migrate_spec.plans.service_plan import ServicePlan
from migrate_spec.plans.violation import Said
from transforms.finding import Finding, Place, error


class Rule(NamedTuple):
    """A rule of the critic: its number and the check, whose docstring explains it."""

    number: int
    check: Callable[[ServicePlan], Iterator[Said]]


RULES: tuple[Rule, ...] = (
    Rule(1, frontmatter.citation_and_keys),
    Rule(2, session_rules.gate_command),
    Rule(3, session_rules.gate_limits),
    Rule(4, session_rules.artifacts),
    Rule(5, session_rules.boundaries),
    Rule(6, session_rules.retry_and_its_end),
    Rule(7, frontmatter.session_count),
    Rule(8, session_rules.dependencies),
    Rule(9, session_rules.order),
    Rule(10, session_rules.driver_keys_and_identity),
    Rule(11, frontmatter.approval),
)


class Violation(NamedTuple):
    """One violation: the rule, the session (None for the plan as a whole), the line, what is wrong, what to write."""

    rule: int
    session: str | None
    line: int
    message: str
    hint: str


def check(plan: ServicePlan) -> list[Violation]:
    """Return what violates the rules in `plan`, which was understood; all rules run, none stops another."""
    return [Violation(rule.number, *said) for rule in RULES for said in rule.check(plan)]


def as_json(violation: Violation) -> dict[str, Any]:
    """Return one violation in the JSON shape of the command line."""
    return {
        "rule": violation.rule,
        "session": violation.session,
        "line": violation.line,
        "message": f"{violation.message}; {violation.hint}",
    }


def as_finding(plan: ServicePlan, violation: Violation) -> Finding:
    """Return one violation as a finding at the text of its line."""
    begin, line = plan.document.line_starts[violation.line - 1], plan.document.line(violation.line)
    start, end = begin + len(line) - len(line.lstrip()), begin + len(line.rstrip())
    about = f"session {violation.session}: " if violation.session else ""
    rule, message = f"critic-{violation.rule}", about + violation.message
    return error(rule, "", Place(start, end), message, violation.hint)

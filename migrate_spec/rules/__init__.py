"""The semantic rules (`validation-rules.md` 4 and 6), listed by hand in one table."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from migrate_spec.rules import (
    actions,
    advice,
    artifacts,
    attachments,
    constraints,
    conventions,
    durations,
    escalations,
    executors,
    graph,
    permissions,
    personas,
    predicates,
    reviewers,
    schedules,
    spec,
)
from migrate_spec.rules.spec import Check, Flaw, Spec, Workflow
from transforms.finding import Finding, Related, Severity, at_holder, at_value, error
from transforms.nodes import Mapping, Node

ALL = (0, 1, 2)
V1_V2 = (1, 2)
V2 = (2,)


class Rule(NamedTuple):
    """A semantic rule: its id, the majors it holds for, whether `migrate-spec` checks it too, the check.

    `source` is true for the rules that the facts mark as enforced by both. The docstring of `check` is
    the rule's documentation.
    """

    id: str
    majors: tuple[int, ...]
    source: bool
    check: Check
    severity: Severity = "error"


class First(NamedTuple):
    """Parts of which, for one thing looked at, the first that finds anything silences the rest."""

    parts: tuple[Part, ...]


class Every(NamedTuple):
    """Parts that are all asked."""

    parts: tuple[Part, ...]


Part = Rule | First | Every


class Theme(NamedTuple):
    """What is looked at, and what is asked of each."""

    subjects: Callable[[Spec], Iterable[Any]]
    part: Part


def first(*parts: Part) -> First:
    """Return `parts` with the first that finds anything silencing the rest."""
    return First(parts)


def every(*parts: Part) -> Every:
    """Return `parts`, all asked."""
    return Every(parts)


def _both(name: str, majors: tuple[int, ...], check: Check) -> Rule:
    return Rule(name, majors, True, check)


def _full(name: str, majors: tuple[int, ...], check: Check) -> Rule:
    return Rule(name, majors, False, check)


def _warning(name: str, majors: tuple[int, ...], check: Check) -> Rule:
    return Rule(name, majors, False, check, "warning")


_CHANGE_KIND = _both("predicate-change-kind-unsupported", V2, predicates.predicate_change_kind_unsupported)
_PATH_GLOB = _both("predicate-path-glob", V2, predicates.predicate_path_glob)

THEMES: tuple[Theme, ...] = (
    Theme(
        spec.workflows,
        every(
            _both("stage-id-duplicate", ALL, graph.stage_id_duplicate),
            _warning("schedule-labels-unreachable", V2, advice.schedule_labels_unreachable),
        ),
    ),
    Theme(
        graph.references,
        first(
            _both("from-stage-unknown", ALL, graph.from_stage_unknown),
            _both("needs-no-default-artifact", V2, graph.needs_no_default_artifact),
            _both("from-stage-not-earlier", ALL, graph.from_stage_not_earlier),
            _full("input-deployment-consumer", V2, graph.input_deployment_consumer),
            _full("input-deployment-producer", V2, graph.input_deployment_producer),
            _full("input-deployment-production-target", V2, graph.input_deployment_production_target),
            _full("input-deployment-egress", V2, graph.input_deployment_egress),
        ),
    ),
    Theme(
        spec.stages,
        every(
            _full("deploy-requires-delegate", V1_V2, executors.deploy_requires_delegate),
            _full("delegate-only-on-deploy", V1_V2, executors.delegate_only_on_deploy),
            _full("webhook-secret-env-reserved", V2, executors.webhook_secret_env_reserved),
            _full("webhook-secret-field-reserved", V2, executors.webhook_secret_field_reserved),
            _both("reviewers-authority-without-agents", V2, reviewers.reviewers_authority_without_agents),
            _full("egress-acceptance-only", (1,), permissions.egress_acceptance_only),
            first(
                _both("egress-permissions-conflict", V2, permissions.egress_permissions_conflict),
                _full("permissions-agent-only", V2, permissions.permissions_agent_only),
            ),
            _both("permissions-write-glob", V2, permissions.permissions_write_glob),
            _warning("repeated-constraint-kind", (0, 1), advice.repeated_constraint_kind),
            _warning("declared-not-enforced", V2, advice.declared_not_enforced),
        ),
    ),
    Theme(
        constraints.constraints,
        every(
            first(
                _full("preflight-only-on-deploy", V1_V2, constraints.preflight_only_on_deploy),
                _full("posthoc-not-on-deploy", V1_V2, constraints.posthoc_not_on_deploy),
                _full("posthoc-requires-pull-request", V2, constraints.posthoc_requires_pull_request),
                _full("diff-coverage-implement-only", V1_V2, constraints.diff_coverage_implement_only),
                _full("diff-coverage-report-path", V1_V2, constraints.diff_coverage_report_path),
                _full("agent-instruction-implement-only", V2, constraints.agent_instruction_implement_only),
                every(
                    _full("agent-instruction-writable-path", V2, constraints.agent_instruction_writable_path),
                    _full(
                        "agent-instruction-writable-target", V2, constraints.agent_instruction_writable_target
                    ),
                ),
            ),
            _warning("outcome-needs-verify", V1_V2, advice.outcome_needs_verify),
        ),
    ),
    Theme(
        artifacts.products,
        first(
            _full("plan-schema-required", ALL, artifacts.plan_schema_required),
            _full("deployment-artifact-deploy-only", V1_V2, artifacts.deployment_artifact_deploy_only),
            _full(
                "acceptance-artifact-acceptance-only", V1_V2, artifacts.acceptance_artifact_acceptance_only
            ),
            _full("report-artifact-plan-only", V2, artifacts.report_artifact_plan_only),
            _full("report-schema-required", V2, artifacts.report_schema_required),
            _full("report-artifact-exclusive", V2, artifacts.report_artifact_exclusive),
        ),
    ),
    Theme(reviewers.pins, _both("agent-version-range", V1_V2, reviewers.agent_version_range)),
    Theme(reviewers.approvers, _full("approver-role-undefined", (0, 1), reviewers.approver_role_undefined)),
    Theme(
        actions.matrix_entries,
        first(
            _full("action-min-severity-not-fixup", V2, actions.action_min_severity_not_fixup),
            _full("action-auto-nondelegable", V2, actions.action_auto_nondelegable),
            _full("action-auto-extension-class", V2, actions.action_auto_extension_class),
            _full("action-auto-requires-when", V2, actions.action_auto_requires_when),
            _full("action-when-wrong-condition", V2, actions.action_when_wrong_condition),
            _full("action-when-no-condition", V2, actions.action_when_no_condition),
        ),
    ),
    Theme(
        predicates.routes,
        first(
            _CHANGE_KIND,
            _PATH_GLOB,
            _both("applies-to-paths-no-plan-stage", V2, predicates.applies_to_paths_no_plan_stage),
        ),
    ),
    Theme(
        schedules.schedules,
        first(
            _both("schedule-requires-scheduled-trigger", V2, schedules.schedule_requires_scheduled_trigger),
            _both("schedule-cron-invalid", V2, schedules.schedule_cron_invalid),
            _both("schedule-timezone-unknown", V2, schedules.schedule_timezone_unknown),
            _both("schedule-never-fires", V2, schedules.schedule_never_fires),
        ),
    ),
    Theme(
        escalations.escalations,
        first(
            _CHANGE_KIND,
            _PATH_GLOB,
            every(
                _both("escalation-approvals-no-gate", V2, escalations.escalation_approvals_no_gate),
                _both("escalation-count-not-raised", V2, escalations.escalation_count_not_raised),
                _both(
                    "escalation-min-permission-not-raised",
                    V2,
                    escalations.escalation_min_permission_not_raised,
                ),
                _both("escalation-member-of-no-op", V2, escalations.escalation_member_of_no_op),
                _full("escalation-max-autonomy-no-op", V2, escalations.escalation_max_autonomy_no_op),
                first(
                    _both("escalation-reviewer-unknown", V2, attachments.escalation_reviewer_unknown),
                    _both(
                        "escalation-reviewers-no-agent-review",
                        V2,
                        attachments.escalation_reviewers_no_agent_review,
                    ),
                ),
                _both("escalation-reviewer-no-op", V2, attachments.escalation_reviewer_no_op),
            ),
            _both("escalation-paths-no-plan-stage", V2, escalations.escalation_paths_no_plan_stage),
        ),
    ),
    Theme(
        conventions.conventions,
        every(
            _both("review-convention-path", V2, conventions.review_convention_path),
            _both("review-convention-unused", V2, conventions.review_convention_unused),
        ),
    ),
    Theme(
        conventions.convention_selections,
        first(
            _both("review-conventions-stage-type", V2, conventions.review_conventions_stage_type),
            _both("review-convention-unknown", V2, conventions.review_convention_unknown),
            _both("review-conventions-no-agents", V2, conventions.review_conventions_no_agents),
        ),
    ),
    Theme(
        personas.personas,
        every(
            _both("persona-remit-path", V2, personas.persona_remit_path),
            _both("persona-decision-record-path", V2, personas.persona_decision_record_path),
            _both("persona-unused", V2, personas.persona_unused),
        ),
    ),
    Theme(
        personas.persona_selections,
        first(
            _both("personas-stage-type", V2, personas.personas_stage_type),
            _both("persona-unknown", V2, personas.persona_unknown),
            _both("personas-no-agents", V2, personas.personas_no_agents),
        ),
    ),
    Theme(durations.durations, _full("duration-out-of-range", ALL, durations.duration_out_of_range)),
    Theme(spec.gates, _warning("member-with-at", V1_V2, advice.member_with_at)),
    Theme(advice.later_fields, _warning("minor-below-field", (0, 1), advice.minor_below_field)),
)
"""Every rule under what it looks at, and which silences which."""


def _rules(part: Part) -> Iterator[Rule]:
    if isinstance(part, Rule):
        yield part
    else:
        for inner in part.parts:
            yield from _rules(inner)


RULES: tuple[Rule, ...] = tuple(dict.fromkeys(rule for theme in THEMES for rule in _rules(theme.part)))
"""Every rule once, in the order of `THEMES`."""


def findings(resolved: Mapping, major: int, source: bool = False) -> Iterator[Finding]:
    """Yield what the rules find in the tree `resolved`, whose schema holds.

    With `source`, only the rules that the check of `migrate-spec` runs; one that is not run silences none.
    """
    given = Spec(resolved, major)
    for subjects, ask in _active(major, source):
        for subject in subjects(given):
            yield from ask(subject)


Ask = Callable[[Any], Sequence[Finding]]


@functools.cache
def _active(major: int, source: bool) -> tuple[tuple[Callable[[Spec], Iterable[Any]], Ask], ...]:
    pruned = ((theme.subjects, _prune(theme.part, major, source)) for theme in THEMES)
    return tuple((subjects, _asking(part)) for subjects, part in pruned if part is not None)


def _prune(part: Part, major: int, source: bool) -> Part | None:
    if isinstance(part, Rule):
        return part if major in part.majors and (part.source or not source) else None
    parts = tuple(kept for inner in part.parts if (kept := _prune(inner, major, source)) is not None)
    return type(part)(parts) if parts else None


def _asking(part: Part) -> Ask:
    """Return the function that asks `part` about one subject."""
    if isinstance(part, Rule):
        rule, check = part, part.check
        return lambda subject: [_finding(rule, flaw, subject.workflow) for flaw in check(subject)]
    asks, only_first = [_asking(inner) for inner in part.parts], isinstance(part, First)

    def ask(subject: Any) -> list[Finding]:
        found: list[Finding] = []
        for inner in asks:
            found += inner(subject)
            if found and only_first:
                break
        return found

    return ask


def _finding(rule: Rule, flaw: Flaw, workflow: Workflow | None) -> Finding:
    place = at_holder(flaw.node) if flaw.lacks else at_value(flaw.node)
    pointer, severity = flaw.node.pointer, rule.severity
    found = error(rule.id, pointer, place, flaw.message, flaw.hint, flaw.related, severity)
    return found if workflow is None else _inherited(found, flaw.node, workflow)


def _inherited(found: Finding, node: Node, workflow: Workflow) -> Finding:
    """Return `found` with the workflow that fails by it, if `node` is written outside that workflow."""
    if node.steps()[:2] == ("workflows", workflow.name):
        return found
    start, end, _ = at_holder(workflow.node)
    named = "" if str(workflow) in found.message else f" (in {workflow})"
    related = (*found.related, Related(start, end, f"{workflow} inherits it"))
    return found._replace(message=found.message + named, related=related)

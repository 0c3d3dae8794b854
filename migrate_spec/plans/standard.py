"""Plans of `standard_v1`: from bytes to everything that is wrong with one, and what is worth knowing.

Unreadable text stops everything, a broken shape stops the rules; otherwise every finding is reported
(`plan-rules.md`, Result and cases).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from migrate_spec.plans import counterfactuals, criteria, direction, parts, repairs, shape, sizes
from migrate_spec.plans.json_text import Text, read
from migrate_spec.plans.remarks import UNKNOWN, Limits, Plan, Remark, place
from migrate_spec.plans.repairs import Repair
from transforms.document import Document
from transforms.finding import Finding, Severity, unique


class Rule(NamedTuple):
    """A rule of meaning: its id, whether it only advises, and the check whose docstring explains it."""

    id: str
    advisory: bool
    check: Callable[[Plan], Iterator[Remark]]


RULES: tuple[Rule, ...] = (
    Rule("criterion-id-duplicate", False, criteria.criterion_id_duplicate),
    Rule("acceptance-surface-drivable", False, criteria.acceptance_surface_drivable),
    Rule("phase-title-duplicate", False, parts.phase_title_duplicate),
    Rule("irreducible-with-split", False, direction.irreducible_with_split),
    Rule("irreducible-rationale-blank", False, direction.irreducible_rationale_blank),
    Rule("subplan-title-duplicate", False, parts.subplan_title_duplicate),
    Rule("subplan-scope-missing", False, parts.subplan_scope_missing),
    Rule("subplan-file-shared", False, parts.subplan_file_shared),
    Rule("depends-on-out-of-range", False, parts.depends_on_out_of_range),
    Rule("depends-on-self", False, parts.depends_on_self),
    Rule("depends-on-cycle", False, parts.depends_on_cycle),
    Rule("remaining-scope-without-partial", False, direction.remaining_scope_without_partial),
    Rule("remaining-scope-blank", False, direction.remaining_scope_blank),
    Rule("architectural-decision-blank", False, direction.architectural_decision_blank),
    Rule("counterfactuals-too-many", False, counterfactuals.counterfactuals_too_many),
    Rule("counterfactual-control-path", False, counterfactuals.counterfactual_control_path),
    Rule("counterfactual-control-test-file", False, counterfactuals.counterfactual_control_test_file),
    Rule("counterfactual-mutation-form", False, counterfactuals.counterfactual_mutation_form),
    Rule("counterfactual-package-path", False, counterfactuals.counterfactual_package_path),
    Rule("over-cap-without-split", False, sizes.over_cap_without_split),
    Rule("runtime-over-budget", False, sizes.runtime_over_budget),
    Rule("subplan-runtime-sum-low", True, parts.subplan_runtime_sum_low),
    Rule("subplans-no-depends-on", True, parts.subplans_no_depends_on),
    Rule("expensive-tests-short-runtime", True, sizes.expensive_tests_short_runtime),
    Rule("partial-delivery", True, direction.partial_delivery),
    Rule("architectural-decision-declared", True, direction.architectural_decision_declared),
    Rule("counterfactuals-not-executed", True, counterfactuals.counterfactuals_not_executed),
    Rule("over-cap", True, sizes.over_cap),
    Rule("irreducible-over-cap", True, direction.irreducible_over_cap),
    Rule("near-cap", True, sizes.near_cap),
    Rule("phase-over-cap", True, sizes.phase_over_cap),
    Rule("raw-runtime-unreported", True, sizes.raw_runtime_unreported),
    Rule("no-blocking-criterion", True, criteria.no_blocking_criterion),
    Rule("criterion-source-ref-missing", True, criteria.criterion_source_ref_missing),
    Rule("criterion-rationale-empty", True, criteria.criterion_rationale_empty),
    Rule("criterion-live-not-skipped", True, criteria.criterion_live_not_skipped),
    Rule("all-criteria-skip-expected", True, criteria.all_criteria_skip_expected),
)
"""Every rule of meaning, advisories in the order in which they are shown."""


class Checked(NamedTuple):
    """The outcome of a check: what is wrong, what a person should know, what was repaired.

    `document` is the author's text and positions are in it; `data` are its bytes after the repairs.
    """

    document: Document
    diagnostics: list[Finding]
    advisories: list[Finding]
    repairs: tuple[Repair, ...]
    data: bytes

    @property
    def valid(self) -> bool:
        """Whether the plan is valid: advisories never make it invalid."""
        return not self.diagnostics


def check(data: bytes, limits: Limits = UNKNOWN, repair_at: str | None = None) -> Checked:
    """Return what is wrong with the plan in `data`.

    With `repair_at`, the present moment as RFC 3339 writes it, a plan whose shape is refused is
    repaired first where `plan-rules.md` knows how; the moment stands in for one that is missing.
    """
    text = read(data)
    if text.fault is not None:
        return Checked(text.document, [text.fault], [], (), data)
    plan: Any = text.value
    made: tuple[Repair, ...] = ()
    refused = shape.remarks(plan)
    if refused and repair_at is not None:
        plan, made = repairs.repair(plan, repair_at)
        refused = shape.remarks(plan) if made else refused
    if made:
        data = repairs.rewrite(text.document.text, plan, made).encode()
    if refused:
        found = place(text.document, (("schema", "error", remark) for remark in refused))
        return Checked(text.document, unique(found), [], made, data)
    errors, advisories = _judge(text, Plan(plan, limits))
    return Checked(text.document, errors, advisories, made, data)


def remarks(plan: Plan, advisory: bool) -> Iterator[tuple[str, Remark]]:
    """Yield what the rules say about `plan`, whose shape holds: rule and remark, errors or advisories."""
    for rule in RULES:
        if rule.advisory == advisory:
            yield from ((rule.id, remark) for remark in rule.check(plan))


def _judge(text: Text, plan: Plan) -> tuple[list[Finding], list[Finding]]:
    said: list[tuple[str, Severity, Remark]]
    said = [(rule, "error", remark) for rule, remark in remarks(plan, advisory=False)]
    said += [(rule, "warning", remark) for rule, remark in _advice(text, plan)]
    found = place(text.document, said)
    errors = (finding for finding in found if finding.severity == "error")
    return unique(errors), [finding for finding in found if finding.severity != "error"]


def _advice(text: Text, plan: Plan) -> Iterable[tuple[str, Remark]]:
    yield from (("duplicate-key", _repeated(path)) for path in text.repeated)
    yield from remarks(plan, advisory=True)


def _repeated(path: tuple[Any, ...]) -> Remark:
    from transforms.wording import show

    message = f"the key {show(path[-1])} stands in its object more than once; the last one counts"
    return Remark(path, message, "remove all but one of them", (), "key")

"""Rules about what a plan declares: partial delivery, an irreducible change, new architectural direction.

(`plan-rules.md`, Meaning and Advisories.)
"""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.plans.remarks import Plan, Remark, blank, prose
from transforms.wording import show


def irreducible_with_split(plan: Plan) -> Iterator[Remark]:
    """The plan declares itself irreducible and proposes a split as well.

    Passes:
        {"irreducible": {"rationale": "one type, one package"}}
    Fails:
        {"irreducible": {"rationale": "one type, one package"}, "split_proposal": {"phases": []}}
    """
    if "irreducible" in plan.data and "split_proposal" in plan.data:
        message = "irreducible and split_proposal cannot stand together: one declines what the other proposes"
        other = (("split_proposal",), "split_proposal stands here")
        yield Remark(("irreducible",), message, "keep one of them", related=(other,))


def irreducible_rationale_blank(plan: Plan) -> Iterator[Remark]:
    """The declaration that a change is irreducible gives no reason.

    Passes:
        {"irreducible": {"rationale": "one type, one package"}}
    Fails:
        {"irreducible": {"rationale": "  "}}
    """
    if "irreducible" in plan.data and blank(plan.data["irreducible"]["rationale"]):
        hint = "say why the change cannot land in parts, or remove irreducible"
        yield Remark(("irreducible", "rationale"), "the rationale of irreducible is blank", hint)


def remaining_scope_without_partial(plan: Plan) -> Iterator[Remark]:
    """The plan names remaining scope although its delivery is full, or not stated.

    Passes:
        {"delivery": "partial", "remaining_scope": "the return leg"}
    Fails:
        {"delivery": "full", "remaining_scope": "the return leg"}
    """
    if "remaining_scope" in plan.data and plan.data.get("delivery") != "partial":
        state = "full" if "delivery" in plan.data else "absent, which means full"
        message = f"remaining_scope is set, but delivery is {state}"
        yield Remark(("remaining_scope",), message, 'remove it, or write "delivery": "partial"')


def remaining_scope_blank(plan: Plan) -> Iterator[Remark]:
    """A partial delivery does not say what remains.

    Passes:
        {"delivery": "partial", "remaining_scope": "the return leg"}
    Fails:
        {"delivery": "partial", "remaining_scope": " "}
    """
    if plan.data.get("delivery") == "partial" and blank(plan.data["remaining_scope"]):
        message = "delivery is partial, but remaining_scope is blank"
        yield Remark(("remaining_scope",), message, "say what the ticket still needs after this plan")


def architectural_decision_blank(plan: Plan) -> Iterator[Remark]:
    """A text of the declared architectural direction is blank.

    Passes:
        {"new_architectural_decision": {"rationale": "r", "decision_summary": "s", "related_adrs": []}}
    Fails:
        {"new_architectural_decision": {"rationale": "r", "decision_summary": "s", "related_adrs": [" "]}}
    """
    decision = plan.data.get("new_architectural_decision")
    if decision is None:
        return
    for key in ("rationale", "decision_summary"):
        if blank(decision[key]):
            message = f"{key} of new_architectural_decision is blank"
            yield Remark(("new_architectural_decision", key), message, "write it, or remove the declaration")
    for at, record in enumerate(decision["related_adrs"]):
        if blank(record):
            message = f"related_adrs[{at}] of new_architectural_decision is blank"
            hint = "name the record, or remove the entry; an empty list is fine"
            yield Remark(("new_architectural_decision", "related_adrs", at), message, hint)


def partial_delivery(plan: Plan) -> Iterator[Remark]:
    """The plan delivers a part of its ticket only.

    Passes:
        {"delivery": "full"}
    Fails:
        {"delivery": "partial", "remaining_scope": "the return leg"}
    """
    if plan.data.get("delivery") == "partial":
        message = (
            f"a partial delivery; the ticket stays open. What remains: {prose(plan.data['remaining_scope'])}"
        )
        yield Remark(("delivery",), message, "approve it only if the rest may wait for a later run")


def architectural_decision_declared(plan: Plan) -> Iterator[Remark]:
    """The plan declares that it sets new architectural direction.

    Passes:
        {}
    Fails:
        {"new_architectural_decision": {"rationale": "r", "decision_summary": "s", "related_adrs": ["record 7"]}}
    """
    decision = plan.data.get("new_architectural_decision")
    if decision is None:
        return
    related = decision["related_adrs"]
    named = ", ".join(map(prose, related))
    records = f"related records: {named}" if related else "there are no related records"
    message = (
        f"new architectural direction: {prose(decision['decision_summary'])}; "
        f"because: {prose(decision['rationale'])}; {records}"
    )
    yield Remark(
        ("new_architectural_decision",), message, "decide whether the direction needs a record of its own"
    )


def irreducible_over_cap(plan: Plan) -> Iterator[Remark]:
    """A plan over the cap claims to be irreducible; approving it lifts no cap.

    Passes:
        --max-files-changed 2
        {"irreducible": {"rationale": "one type"}, "scope": {"files": [{}, {}]}}
    Fails:
        --max-files-changed 1
        {"irreducible": {"rationale": "one type"}, "scope": {"files": [{}, {}]}}
    """
    declared = plan.data.get("irreducible")
    cap = plan.limits.cap
    if declared is None or cap is None or len(plan.files) <= cap or blank(declared["rationale"]):
        return
    basis = declared.get("atomicity_basis", "")
    claim = prose(declared["rationale"]) + (f" (basis: {prose(basis)})" if not blank(basis) else "")
    message = (
        f"the plan claims to be irreducible, which may be doubted: {claim}; "
        f"an approval does not raise the cap, under which the finished diff must fall, "
        f"so the cap of {show(cap)} itself has to be raised"
    )
    hint = "raise the cap if the claim holds, else ask for a split"
    yield Remark(("irreducible",), message, hint)

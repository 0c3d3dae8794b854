"""The approval-eligibility report: who may approve what, before and after (`migration.md` 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from migrate_spec.migrate import MIGRATED, NO_OP, REFUSED, Outcome
from transforms.gates import APPROVAL_FIELDS, Eligibility

TITLE = "Approval eligibility, before and after"

CLOSING = (
    "Not checked here: this report covers the document (schema, reuse, stage references). Whether a"
    " stage's type fits its executor, constraints and artifacts is checked by the server when a run is created."
)

WIDTH = 100
"""How wide the plain text is, in characters."""

WIDENED = (
    "widened relative to the presets' not: [author, agent], since nothing in the old form says who is kept"
    " out; an author whose run says who wrote it can now approve, agents still never count."
    " Add not: [author, agent] by hand if that is not wanted"
)

VERDICTS = {
    "none": "none, carried through as it is",
    "widened": WIDENED,
    "refused": "not computed, this gate was not translated",
}

BUDGETS = (
    "No dollar ceiling could be derived from tokens or minutes, and none was made up. Add limit_usd by"
    " hand where one is wanted, to the budget of: "
)


def predicate(fields: dict[str, Any]) -> str:
    """Return a predicate in one line: `approvers: {...}` or `approvals: {...}`, fields in fixed order."""
    if not fields:
        return "(none that can be read)"
    old = "any_of" in fields or "all_of" in fields
    names = list(fields) if old else [name for name in APPROVAL_FIELDS if name in fields]
    inner = ", ".join(f"{name}: {_value(fields[name])}" for name in names)
    return f"{'approvers' if old else 'approvals'}: {{{inner}}}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)


def text(outcome: Outcome) -> str:
    """Return the report on one file as plain text."""
    parts = [TITLE]
    parts += ["\n".join(_gate(outcome, gate)) for gate in outcome.gates]
    if not outcome.gates:
        parts.append("There are no approval gates in this file.")
    if outcome.budget_stages:
        parts.append(_wrapped(BUDGETS + ", ".join(outcome.budget_stages)))
    if outcome.notes:
        lines = [_wrapped(note, "- ", "  ") for note in outcome.notes]
        parts.append("\n".join(["Worth a look before you commit:", *lines]))
    return "\n\n".join([*parts, _wrapped(CLOSING)]) + "\n"


def _wrapped(text: str, first: str = "", other: str = "") -> str:
    """Return `text` in lines of at most `WIDTH` characters, words left whole."""
    import textwrap

    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _gate(outcome: Outcome, gate: Eligibility) -> Iterator[str]:
    yield f"{gate.pointer} (stage {gate.stage or 'without id'})"
    yield f"  before: {predicate(gate.before)}"
    yield f"  after:  {_after(outcome, gate)}"
    yield f"  enumerable from this document: {', '.join(gate.enumerable) or 'none'}"
    run_time = ", ".join(f"{item} (resolved at run time)" for item in gate.unresolved)
    yield f"  not resolvable from this document: {run_time or 'none'}"
    if not gate.enumerable and not gate.unresolved and gate.change != "refused":
        yield "  no constraint on approvers beyond count and exclusion"
    yield _wrapped(f"change: {VERDICTS[gate.change]}", "  ", "    ")


def _after(outcome: Outcome, gate: Eligibility) -> str:
    if gate.after is not None:
        return predicate(gate.after)
    return "refused, see below" if outcome.attempted else "no translation was tried on this file"


def markdown(outcome: Outcome, path: str) -> str:
    """Return the report on one file as a Markdown table that reads well in a pull request."""
    lines = [f"### {TITLE}", "", f"`{path}`: {_MARKDOWN[outcome.outcome]}", ""]
    if outcome.gates:
        lines += ["| gate | before | after | people named | at run time | change |", "|" + " --- |" * 6]
        lines += [_row(gate) for gate in outcome.gates]
    else:
        lines.append("There are no approval gates in this file.")
    if any(gate.change == "widened" for gate in outcome.gates):
        lines += ["", f"**{WIDENED[:7]}**{WIDENED[7:]}."]
    if outcome.budget_stages:
        lines += ["", BUDGETS + ", ".join(f"`{name}`" for name in outcome.budget_stages)]
    lines += ["", *(f"- {note}" for note in outcome.notes)] if outcome.notes else []
    for refusal in outcome.refusals:
        code, pointer = refusal.finding.rule, refusal.finding.pointer
        lines += ["", f"**{code}** at `{pointer}`: {refusal.finding.message}"]
    return "\n".join([*lines, "", CLOSING]) + "\n"


_MARKDOWN = {MIGRATED: "version 1 to version 2", NO_OP: "at version 2 already", REFUSED: "refused"}


def _row(gate: Eligibility) -> str:
    after = "-" if gate.after is None else f"`{predicate(gate.after)}`"
    cells = [
        f"`{gate.pointer}` ({gate.stage or 'without id'})",
        f"`{predicate(gate.before)}`",
        after,
        ", ".join(gate.enumerable) or "none",
        ", ".join(gate.unresolved) or "none",
        gate.change,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the report in the JSON shape of the command line (`design.md` 2)."""
    return {
        "gates": [gate._asdict() for gate in outcome.gates],
        "budget_stages": list(outcome.budget_stages),
        "notes": list(outcome.notes),
    }

"""The approval-eligibility report: who may approve what, before and after (`migration.md` 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from migrate_spec.migrate import MIGRATED, NO_OP, Outcome
from migrate_spec.versions import written_major
from transforms.gates import APPROVAL_FIELDS, Eligibility
from transforms.wording import printable

TITLE = "Approval eligibility, before and after"

CLOSING = (
    "Not checked here: this report covers the document (schema, reuse, stage references). Whether a"
    " stage's type fits its executor, constraints and artifacts is checked by the server when a run is created."
)

UNBOUND = "no constraint on approvers beyond count and exclusion"

WIDTH = 100
"""How wide the plain text is, in characters."""

WIDENED = (
    "widened relative to the presets of `fishhawk init`, which say not: [author, agent]. The old form"
    " does not say who is kept out, so a person named here who is also the author counts; agents count"
    " in neither case. To keep the author out, add not: [author, agent] by hand"
)

VERDICTS = {
    "none": "none, carried through as it is",
    "widened": WIDENED,
    "refused": "not computed, this gate was not translated",
}

BUDGETS = (
    "Tokens and minutes have no price in dollars, so no stage was given a limit_usd. Where you want a"
    " ceiling, write one by hand into the budget of: "
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
        return "[" + ", ".join(printable(str(item)) for item in value) + "]"
    return printable(str(value))


def text(outcome: Outcome) -> str:
    """Return the report on one file as plain text."""
    parts = [TITLE]
    parts += ["\n".join(_gate(outcome, _told(gate))) for gate in outcome.gates]
    if not outcome.gates:
        parts.append("There are no approval gates in this file.")
    if outcome.budget_stages:
        parts.append(_wrapped(BUDGETS + ", ".join(map(printable, outcome.budget_stages))))
    if outcome.notes:
        lines = [_wrapped(printable(note), "- ", "  ") for note in outcome.notes]
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


def _told(gate: Eligibility) -> Eligibility:
    """Return `gate` with the author's words on one line each, so that none passes for a line of the report."""
    return gate._replace(
        pointer=printable(gate.pointer),
        stage=None if gate.stage is None else printable(gate.stage),
        enumerable=[printable(name) for name in gate.enumerable],
        unresolved=[printable(item) for item in gate.unresolved],
    )


def _gate(outcome: Outcome, gate: Eligibility) -> Iterator[str]:
    yield f"{gate.pointer} (stage {gate.stage or 'without id'})"
    yield f"  before: {predicate(gate.before)}"
    yield f"  after:  {_after(outcome, gate)}"
    yield f"  enumerable from this document: {', '.join(gate.enumerable) or 'none'}"
    run_time = ", ".join(f"{item} (resolved at run time)" for item in gate.unresolved)
    yield f"  not resolvable from this document: {run_time or 'none'}"
    if _is_unbound(gate):
        yield f"  {UNBOUND}"
    yield _wrapped(f"change: {VERDICTS[gate.change]}", "  ", "    ")


def _is_unbound(gate: Eligibility) -> bool:
    return not gate.enumerable and not gate.unresolved and gate.change != "refused"


def _after(outcome: Outcome, gate: Eligibility) -> str:
    if gate.after is not None:
        return predicate(gate.after)
    return (
        "refused, for the reason given with the refusals"
        if outcome.attempted
        else "no translation was tried on this file"
    )


def markdown(outcome: Outcome, path: str) -> str:
    """Return the report on one file as a Markdown table that reads well in a pull request."""
    lines = [f"### {TITLE}", "", f"{code(path)}: {_verdict(outcome)}", ""]
    if outcome.gates:
        lines += ["| gate | before | after | people named | at run time | change |", "|" + " --- |" * 6]
        lines += [_row(_told(gate)) for gate in outcome.gates]
    else:
        lines.append("There are no approval gates in this file.")
    if any(gate.change == "widened" for gate in outcome.gates):
        lines += ["", f"**{WIDENED[:7]}**{WIDENED[7:]}."]
    if outcome.budget_stages:
        lines += ["", BUDGETS + ", ".join(map(code, outcome.budget_stages))]
    lines += ["", *(f"- {plainly(note)}" for note in outcome.notes)] if outcome.notes else []
    for refusal in outcome.refusals:
        finding = refusal.finding
        lines += ["", f"**{finding.rule}** at {code(finding.pointer)}: {plainly(refusal.words)}"]
    return "\n".join([*lines, "", CLOSING]) + "\n"


def _verdict(outcome: Outcome) -> str:
    if outcome.outcome == MIGRATED:
        return f"version {written_major(outcome.document)} to version 2"
    return "at version 2 already" if outcome.outcome == NO_OP else "refused"


def code(text: str) -> str:
    """Return `text` as code in Markdown, whatever it holds."""
    shown = printable(text)
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def plainly(text: str) -> str:
    """Return `text` as prose in Markdown, in which it formats nothing."""
    return re.sub(r"([\\`*<|\[\]])", r"\\\1", printable(text))


def _row(gate: Eligibility) -> str:
    cells = [
        f"{code(gate.pointer)} ({plainly(gate.stage or 'without id')})",
        code(predicate(gate.before)),
        "-" if gate.after is None else code(predicate(gate.after)),
        plainly(", ".join(gate.enumerable) or "none"),
        plainly(", ".join(gate.unresolved) or "none"),
        f"{gate.change}; {UNBOUND}" if _is_unbound(gate) else gate.change,
    ]
    # In a table a bar ends the cell even inside code, unless it is escaped; prose has that already.
    return "| " + " | ".join(re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in cells) + " |"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the report in the JSON shape of the command line (`design.md` 2)."""
    return {
        "gates": [gate._asdict() for gate in outcome.gates],
        "budget_stages": list(outcome.budget_stages),
        "notes": list(outcome.notes),
    }

"""`fishhawk plan validate` and `fishhawk plan critic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from migrate_spec import files, findings
from migrate_spec.cli import FAULTY, FINE, UNUSABLE, common
from migrate_spec.cli.formats import FORMATS
from migrate_spec.findings import Paint, Report
from transforms.wording import show

if TYPE_CHECKING:
    from migrate_spec.plans.critic import Violation
    from migrate_spec.plans.remarks import Limits
    from migrate_spec.plans.repairs import Repair
    from migrate_spec.plans.service_plan import ServicePlan


@click.group("plan")
def command() -> None:
    """Say whether a plan is fit to be executed.

    \b
    Examples: fishhawk plan validate plan.json
              fishhawk plan critic --root .
    """


class Answer(NamedTuple):
    """What is said about one plan: the report, advisories included, the repairs and the bytes after them."""

    report: Report
    repairs: tuple[Repair, ...] = ()
    data: bytes = b""


@command.command("validate", short_help="Check plans of standard_v1, which are JSON.")
@common.required_paths
@click.option("--max-files-changed", type=int, metavar="N", help="File cap of the stage; 0: unknown.")
@click.option(
    "--budget-minutes", type=click.IntRange(min=0), metavar="N", help="Runtime budget of the stage."
)
@click.option("--calibration-hint", is_flag=True, help="The author was shown a runtime correction factor.")
@click.option("--coerce", is_flag=True, help="Repair what is known to be repairable; each repair is listed.")
@common.new_file("With --coerce: write the repaired plan, once valid, to a new FILE.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@common.options
def validate(
    paths: tuple[str, ...], coerce: bool, out: str | None, form: str, color: str, **limits: Any
) -> int:
    """Check plans of standard_v1, which are JSON, and say what a person who approves one should know.

    PATH - is standard input. Advisories are shown as warnings and never make a plan invalid. Exit
    code 0 when every plan is valid, 1 when one is not, 2 when a path cannot be read or written.

    \b
    Example: fishhawk plan validate --max-files-changed 12 plan.json
    """
    from migrate_spec.plans.remarks import Limits

    if out and not coerce:
        raise click.UsageError("--out writes the repaired plan; add --coerce")
    if out and len(paths) > 1:
        raise click.UsageError("--out takes one PATH")
    known = Limits(**limits)
    answers = [_answer(path, source, known, coerce) for path, source in common.sources(paths)]
    paint = common.painter(color)
    if form in _OWN_FORMATS:
        _OWN_FORMATS[form](answers, paint)
    else:
        FORMATS[form]([answer.report for answer in answers], paint)
    code = common.exit_code([answer.report for answer in answers])
    return max(code, _write(out, answers[0])) if out else code


def _answer(path: str, source: files.Source | files.FileProblem, limits: Limits, coerce: bool) -> Answer:
    if isinstance(source, files.FileProblem):
        return Answer(common.unreadable(path, source))
    from migrate_spec.plans import standard

    checked = standard.check(source.data, limits, _now() if coerce else None)
    found = [*checked.diagnostics, *checked.advisories]
    return Answer(Report(path, checked.document, found), checked.repairs, checked.data)


def _now() -> str:
    from datetime import datetime, timezone

    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _write(out: str, answer: Answer) -> int:
    if not answer.report.valid:
        common.warn(f"{answer.report.path}: not valid, so nothing was written to {out}")
        return FAULTY
    try:
        files.create(out, answer.data)
    except files.FileProblem as problem:
        common.warn(str(problem))
        return FAULTY if isinstance(problem, files.AlreadyThere) else UNUSABLE
    common.warn(f"{answer.report.path}: written to {out}")
    return FINE


def _text(answers: list[Answer], paint: Paint) -> None:
    for report, repairs, _ in answers:
        common.write(findings.text(report, paint), paint)
        for repair in repairs:
            common.write(paint("place", f"{report.path}: repaired {_told(repair)}") + "\n", paint)
        if report.valid:
            common.write(paint("good", f"{report.path}: valid") + "\n", paint)


def _told(repair: Repair) -> str:
    if repair.new is None:
        return f"{repair.pointer}: null, dropped"
    was = (
        repair.kind
        if repair.kind in ("absent", "null", "list", "object")
        else f"{repair.kind} {show(repair.old)}"
    )
    if isinstance(repair.new, dict):
        entries = ", ".join(f'"{key}": {show(value)}' for key, value in repair.new.items())
        return f"{repair.pointer}: {was}, now {{{entries}}}"
    return f"{repair.pointer}: {was}, now {show(repair.new)}"


def _json(answers: list[Answer], _paint: Paint) -> None:
    documents = [_document(answer) for answer in answers]
    common.write_json({"schema": "fishhawk.plan-validate/1", "documents": documents})


def _document(answer: Answer) -> dict[str, Any]:
    report = answer.report
    shown = [findings.as_json(report.document, finding) for finding in report.findings]
    return {
        "path": report.path,
        "valid": report.valid,
        "diagnostics": [each for each in shown if each["severity"] == "error"],
        "advisories": [each for each in shown if each["severity"] != "error"],
        "coercions": [repair.pointer for repair in answer.repairs],
    }


_OWN_FORMATS = {"text": _text, "json": _json}


@command.command("critic", short_help="Check a service plan, which is Markdown, by its eleven rules.")
@click.option("--plan", "plan_path", type=common.FILE, help="The service plan; - is standard input.")
@click.option(
    "--root", type=common.FOLDER, help="The repository whose docs/plan/plan.md is read.  [default: .]"
)
@click.option(
    "--ledger", "ledger_path", type=common.PATH, help="Compare the cited specification with this ledger."
)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@common.options
def criticize(plan_path: str | None, root: str | None, ledger_path: str | None, form: str, color: str) -> int:
    """Check a service plan, which is Markdown, against the eleven mechanical rules.

    A ledger is a file of records (JSON or lines), or a folder with a ledger file and admitted copies.
    Exit code 0 when every rule is satisfied, 1 when one is violated, 2 when the critic could not run.

    \b
    Example: fishhawk plan critic --plan docs/plan/plan.md --ledger ../ops/specs
    """
    from migrate_spec.plans import critic, ledger, service_plan

    if plan_path is not None and root is not None:
        raise click.UsageError("--plan and --root exclude each other")
    if plan_path == ledger_path == files.STDIN:
        raise click.UsageError("standard input (-) can be read only once")
    path = plan_path if plan_path is not None else service_plan.place_in(root or ".")
    try:
        plan = service_plan.read(files.read(path).data)
        if ledger_path is not None and plan.fault is None:
            plan = plan._replace(admission=ledger.look_up(ledger_path, *plan.citation))
    except files.FileProblem as problem:
        common.warn(str(problem))
        return UNUSABLE
    if plan.fault is not None:
        advice = f"; {plan.fault.hint}" if plan.fault.hint else ""
        common.warn(findings.headline(Report(files.shown(path), plan.document, []), plan.fault) + advice)
        return UNUSABLE
    violations = critic.check(plan)
    _show(files.shown(path), plan, violations, form, color)
    return FAULTY if violations else FINE


def _show(path: str, plan: ServicePlan, violations: list[Violation], form: str, color: str) -> None:
    from migrate_spec.plans import critic

    if form == "json":
        common.write_json({"plan": path, "violations": [critic.as_json(each) for each in violations]})
        return
    paint = common.painter(color)
    report = Report(path, plan.document, [critic.as_finding(plan, each) for each in violations])
    if form != "text":
        FORMATS[form]([report], paint)
        return
    common.write(findings.text(report, paint), paint)
    if not violations:
        common.write(paint("good", f"{path}: every rule is satisfied") + "\n", paint)

"""`fishhawk resolve`."""

from __future__ import annotations

from typing import NamedTuple

import click

from migrate_spec import compare, files, findings, resolution, views
from migrate_spec.cli import FAULTY, FINE, UNUSABLE, common
from migrate_spec.cli.checking import checked, complain
from migrate_spec.findings import Report
from migrate_spec.validation import Checked
from transforms.document import Document


class Request(NamedTuple):
    """What was asked for on the command line."""

    path: str
    printed: bool
    explained: bool
    phase: str
    form: str
    out: str | None
    golden: str | None


@click.command("resolve")
@click.argument("path", type=common.PATH, default=common.DEFAULT_PATH, metavar="[PATH]")
@click.option(
    "--print", "printed", is_flag=True, help="Print the resolved document, as YAML unless --format json."
)
@click.option("--explain", "explained", is_flag=True, help="Print each value with its rung and its line.")
@click.option(
    "--phase", type=click.Choice(resolution.PHASES), help="Which document to print; implies --print."
)
@click.option("--format", "form", type=click.Choice(list(views.FORMATS)), default="text", show_default=True)
@common.new_file("Write the document to FILE, which must not exist yet.")
@click.option(
    "--check", "golden", type=common.FILE, help="Compare the document with FILE; exit 1 if they differ."
)
@common.options
def command(
    path: str,
    printed: bool,
    explained: bool,
    phase: str | None,
    form: str,
    out: str | None,
    golden: str | None,
    color: str,
) -> int:
    """Say what a workflow file means once `defaults` and `extends` are resolved.

    Without an option: one line for each workflow, and what is wrong. PATH is
    .fishhawk/workflows.yaml unless given; - is standard input. Exit code 0 when the file is valid,
    1 when it is not or differs from FILE, 2 when a path cannot be read or written.

    \b
    --phase resolved    after reuse, its keys still in place (the default)
    --phase normalized  in the older shape too, reuse keys removed
    --phase autonomy    who may do what: each action matrix by its pointer
    Example: fishhawk resolve --explain
    """
    printed = printed or bool(out) or (phase is not None and golden is None)
    _refuse_contradictions(path, printed, explained, phase, golden)
    request = Request(path, printed, explained, phase or "resolved", form, out, golden)
    with common.collector_at_rest():
        report, found = checked(*common.source(path))
        return _finish(request, report, found, color)


def _refuse_contradictions(
    path: str, printed: bool, explained: bool, phase: str | None, golden: str | None
) -> None:
    if golden is not None and (printed or explained):
        raise click.UsageError("--check goes with --phase only")
    if explained and (printed or phase is not None):
        raise click.UsageError("--explain goes with neither --print, --out nor --phase")
    if golden == path == files.STDIN:
        raise click.UsageError("standard input (-) can be read only once")


def _finish(request: Request, report: Report, found: Checked, color: str) -> int:
    """Show what was asked for and then what is wrong; return the exit code."""
    code = max(common.exit_code([report]), _answer(request, report, found))
    summary = not (request.printed or request.explained or request.golden is not None)
    if found.major in (0, 1) and found.resolved is not None and request.phase != "autonomy":
        common.warn(f"note: {report.path}: only version 2 has defaults and extends; shown as written")
    if report.findings and not (summary and request.form != "text"):
        complain(report, color)
    return code


def _answer(request: Request, report: Report, found: Checked) -> int:
    if request.golden is not None:
        return _compare(request, request.golden, report, found)
    if request.printed:
        return _print(request, report, found)
    show = views.explained if request.explained else views.summary
    common.write(views.FORMATS[request.form](show(report, found.resolved)))
    return FINE


def _print(request: Request, report: Report, found: Checked) -> int:
    data = resolution.phase(found, request.phase)
    if data is None:
        return _nothing(request, report, found)
    text = views.FORMATS[request.form](views.document(data))
    if request.out is None:
        common.write(text)
        return FINE
    try:
        files.create(request.out, text.encode())
    except files.FileProblem as problem:
        common.warn(str(problem))
        return FAULTY if isinstance(problem, files.AlreadyThere) else UNUSABLE
    common.write(f"{report.path}: written to {request.out}\n")
    return FINE


def _nothing(request: Request, report: Report, found: Checked) -> int:
    if report.valid:
        common.warn(f"{report.path}: version {report.version} has no {request.phase}; only version 2 has")
    elif found.resolved is not None and request.phase != "resolved":
        common.warn(f"{report.path}: the phase {request.phase} needs a valid file")
    return FAULTY


def _compare(request: Request, golden: str, report: Report, found: Checked) -> int:
    try:
        source = files.read(golden)
    except files.FileProblem as problem:
        common.warn(str(problem))
        return UNUSABLE
    data = resolution.phase(found, request.phase)
    if data is None:
        return _nothing(request, report, found)
    name = files.shown(golden)
    expected = compare.read(source.data)
    if isinstance(expected, Document):
        common.warn(findings.text(Report(name, expected, expected.faults)).rstrip())
        return FAULTY
    differing = compare.differences(expected[0], data)
    common.write(views.FORMATS[request.form](views.differences(report.path, name, differing)))
    return FAULTY if differing else FINE

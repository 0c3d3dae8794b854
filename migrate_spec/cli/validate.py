"""`fishhawk validate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from migrate_spec import files, findings, versions
from migrate_spec.cli import common
from migrate_spec.findings import Paint, Report
from migrate_spec.validation import check
from transforms.document import parse


def _text(reports: list[Report], paint: Paint) -> None:
    for report in reports:
        common.write(findings.text(report, paint), paint)
        if report.valid:
            common.write(paint("good", f"{report.path}: valid") + "\n", paint)


def _json(reports: list[Report], _paint: Paint) -> None:
    common.write_json({"schema": "fishhawk.validate/1", "documents": [_document(r) for r in reports]})


def _document(report: Report) -> dict[str, Any]:
    return {
        "path": report.path,
        "valid": report.valid,
        "version": report.version,
        "diagnostics": [findings.as_json(report.document, finding) for finding in report.findings],
    }


FORMATS: dict[str, Callable[[list[Report], Paint], None]] = {"text": _text, "json": _json}


@click.command("validate")
@common.paths
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@common.options
def command(paths: tuple[str, ...], form: str, color: str) -> int:
    """Say what is wrong with workflow files, where, and what to write instead.

    PATH is .fishhawk/workflows.yaml unless given; - is standard input. Exit code 0 when every
    file is valid, 1 when one is not, 2 when one cannot be read.

    \b
    Example: fishhawk validate .fishhawk/workflows.yaml
    """
    reports = [_report(path, source) for path, source in common.sources(paths)]
    FORMATS[form](reports, common.painter(color))
    return common.exit_code(reports)


def _report(path: str, source: files.Source | files.FileProblem) -> Report:
    if isinstance(source, files.FileProblem):
        return common.unreadable(path, source)
    document = parse(source.data)
    return Report(path, document, check(document).findings, versions.written_version(document))

"""`fishhawk validate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from migrate_spec import files, findings, versions
from migrate_spec.cli import common
from migrate_spec.findings import Paint, Report
from migrate_spec.validation import check
from transforms.document import Document, parse


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


def _sarif(reports: list[Report], _paint: Paint) -> None:
    from migrate_spec import sarif

    common.write(sarif.render(reports))


def _github(reports: list[Report], _paint: Paint) -> None:
    from migrate_spec import github

    common.write(github.render(reports))


FORMATS: dict[str, Callable[[list[Report], Paint], None]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}
"""The formats in which findings are written, each with what writes the reports on all files."""


@click.command("validate")
@common.paths
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@common.options
def command(paths: tuple[str, ...], form: str, color: str) -> int:
    """Say what is wrong with workflow files, where, and what to write instead.

    PATH is .fishhawk/workflows.yaml unless given; - is standard input. Exit code 0 when every
    file is valid, 1 when one is not, 2 when one cannot be read; warnings change neither. The rules
    are explained by `fishhawk rules`.

    \b
    Example: fishhawk validate --format sarif .fishhawk/workflows.yaml
    """
    reports = [_report(path, source) for path, source in common.sources(paths)]
    FORMATS[form](reports, common.painter(color))
    return common.exit_code(reports)


def _report(path: str, source: files.Source | files.FileProblem) -> Report:
    if isinstance(source, files.FileProblem):
        return common.unreadable(path, source)
    document = parse(source.data)
    found, version = check(document).findings, versions.written_version(document)
    # The tree has done its work; many files in one call would pile theirs up.
    return Report(path, Document(document.text, document.mark), found, version)

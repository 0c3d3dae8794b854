"""The registry of formats in which findings are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from migrate_spec import findings
from migrate_spec.cli import common
from migrate_spec.findings import Paint, Report


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

"""Findings as annotations of a GitHub workflow run."""

from __future__ import annotations

from collections.abc import Sequence

from migrate_spec.findings import Report
from transforms.finding import Finding

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(reports: Sequence[Report]) -> str:
    """Return one workflow command for each finding in `reports`."""
    return "".join(_command(report, finding) for report in reports for finding in report.findings)


def _command(report: Report, finding: Finding) -> str:
    properties = {"file": report.path, **_place(report, finding), "title": finding.rule}
    written = ",".join(f"{name}={str(value).translate(_PROPERTY)}" for name, value in properties.items())
    hint = f"\n{finding.hint}" if finding.hint else ""
    message = (finding.message + hint).translate(_DATA)
    return f"::{finding.severity} {written}::{message}\n"


def _place(report: Report, finding: Finding) -> dict[str, int]:
    """Return lines and columns; columns only within one line, as GitHub takes them."""
    if report.document is None:
        return {}
    line, column = report.document.position(finding.start)
    end_line, end_column = report.document.position(max(finding.start, finding.end))
    if end_line != line:
        return {"line": line, "endLine": end_line}
    return {"line": line, "endLine": line, "col": column, "endColumn": end_column}

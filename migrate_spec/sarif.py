"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from migrate_spec import __version__
from migrate_spec.findings import Report
from migrate_spec.rules.docs import Page, pages
from transforms.document import Document
from transforms.finding import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(reports: Sequence[Report]) -> str:
    """Return one SARIF log with the findings of all `reports` and what is known about their rules."""
    from migrate_spec.plans import docs

    known = {**pages(), **docs.pages()}
    ids = sorted({finding.rule for report in reports for finding in report.findings})
    driver = {
        "name": "fishhawk",
        "version": __version__,
        "rules": [_rule(name, known.get(name)) for name in ids],
    }
    numbers = {name: number for number, name in enumerate(ids)}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, finding, numbers) for report in reports for finding in report.findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(name: str, page: Page | None) -> dict[str, Any]:
    if page is None:
        return {"id": name}
    return {
        "id": name,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": " ".join((page.summary + "\n" + page.text).split())},
        "help": {"text": page.plain(), "markdown": page.markdown()},
        "defaultConfiguration": {"level": page.severity},
        "properties": {"majors": list(page.majors)},
    }


def _result(report: Report, finding: Finding, numbers: Mapping[str, int]) -> dict[str, Any]:
    hint = f"\n{finding.hint}" if finding.hint else ""
    place = _physical(report, finding.start, finding.end)
    logical = [{"fullyQualifiedName": finding.pointer}] if finding.pointer else []
    result = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.severity,
        "message": {"text": finding.message + hint},
        "locations": [{"physicalLocation": place, **({"logicalLocations": logical} if logical else {})}],
    }
    related = [
        {"id": number, "physicalLocation": _physical(report, start, end), "message": {"text": message}}
        for number, (start, end, message) in enumerate(finding.related, 1)
    ]
    return {**result, "relatedLocations": related} if related else result


def _physical(report: Report, start: int, end: int) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": uri(report.path)}}
    if report.document is not None:
        location["region"] = _region(report.document, start, end)
    return location


def _region(document: Document, start: int, end: int) -> dict[str, int]:
    line, column = document.position(start)
    end_line, end_column = document.position(max(start, end))
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def uri(path: str) -> str:
    """Return `path` as a URI: relative as it is given, or with the scheme `file` when it is absolute."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())

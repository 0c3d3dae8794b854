"""Findings as a reader gets them: text with a caret, and the JSON shape of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from transforms.document import Document
from transforms.finding import Finding
from transforms.wording import visible

Paint = Callable[[str, str], str]
"""Takes a role (`rule`, `error`, `warning`, `place`, `hint`) and a text, gives the text coloured."""


class Report(NamedTuple):
    """What is wrong with one file: its path as given, its document (None if unread), its findings."""

    path: str
    document: Document | None
    findings: Sequence[Finding]
    version: str | None = None

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)


def bare(_role: str, text: str) -> str:
    """Return `text` without colour."""
    return text


def position(document: Document | None, offset: int) -> tuple[int | None, int | None]:
    """Return line and column of `offset`, both None when there is no document to count in."""
    return document.position(offset) if document is not None else (None, None)


def headline(report: Report, finding: Finding) -> str:
    """Return `path:line:column: rule: message`, without the place when the file was never read."""
    if report.document is None:
        return f"{report.path}: {finding.rule}: {finding.message}"
    line, column = report.document.position(finding.start)
    kind = f"warning: {finding.rule}" if finding.severity == "warning" else finding.rule
    return f"{report.path}:{line}:{column}: {kind}: {finding.message}"


def text(report: Report, paint: Paint = bare) -> str:
    """Return the findings of one file as text, each with its source line, a caret and a hint."""
    return "".join(_entry(report, finding, paint) for finding in report.findings)


def _entry(report: Report, finding: Finding, paint: Paint) -> str:
    lines = [paint(finding.severity, headline(report, finding))]
    document = report.document
    if document is not None:
        lines += _excerpt(document, finding, paint)
    if finding.hint:
        lines.append(paint("hint", f"  hint: {finding.hint}"))
    if document is not None:
        for start, _end, message in finding.related:
            line, column = document.position(start)
            lines.append(paint("place", f"  {line}:{column}: {message}"))
    return "\n".join(lines) + "\n"


WIDEST = 160
"""How many characters of a source line are shown."""


def _excerpt(document: Document, finding: Finding, paint: Paint) -> list[str]:
    line, column = document.position(finding.start)
    begin, end = finding.start - column + 1, _line_end(document, line)
    cut = max(0, column - 1 - WIDEST // 2) if end - begin > WIDEST else 0
    shown = visible(document.text[begin + cut : min(begin + cut + WIDEST, end)])
    if not shown.strip():
        return []
    end_line, end_column = document.position(max(finding.end, finding.start))
    width = (end_column if end_line == line else end - begin + 1) - column
    margin = "".join("\t" if char == "\t" else " " for char in shown[: column - 1 - cut])
    mark = "^" * max(1, min(width, len(shown) - (column - 1 - cut)))
    return ["  " + shown, "  " + margin + paint("caret", mark)]


def _line_end(document: Document, line: int) -> int:
    """Return the offset behind the last character of a line; the line itself may be too long to copy."""
    starts, text = document.line_starts, document.text
    end = starts[line] if line < len(starts) else len(text)
    while end > starts[line - 1] and text[end - 1] in "\r\n":
        end -= 1
    return end


def as_json(document: Document | None, finding: Finding) -> dict[str, Any]:
    """Return one finding in the JSON shape of the command line (`design.md` 2)."""
    line, column = position(document, finding.start)
    end_line, end_column = position(document, finding.end)
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "pointer": finding.pointer,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "message": finding.message,
        "hint": finding.hint,
        "related": [_related(document, *related) for related in finding.related],
    }


def _related(document: Document | None, start: int, _end: int, message: str) -> dict[str, Any]:
    line, column = position(document, start)
    return {"line": line, "column": column, "message": message}

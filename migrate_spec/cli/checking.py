"""One file read, checked and complained about, for the commands that judge workflow files."""

from __future__ import annotations

import sys

import click

from migrate_spec import files, findings, versions
from migrate_spec.cli import common
from migrate_spec.findings import Report
from migrate_spec.validation import Checked, check
from transforms.document import parse


def checked(path: str, source: files.Source | files.FileProblem) -> tuple[Report, Checked]:
    """Return the report on one file and the outcome of its check, an empty one when it cannot be read."""
    if isinstance(source, files.FileProblem):
        return common.unreadable(path, source), Checked(None, [])
    document = parse(source.data)
    found = check(document)
    return Report(path, document, found.findings, versions.written_version(document)), found


def complain(report: Report, color: str) -> None:
    """Write the findings of one file to standard error."""
    paint = common.painter(color, sys.stderr)
    click.echo(findings.text(report, paint), nl=False, err=True, color=paint is not findings.bare)

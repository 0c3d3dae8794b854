"""`fishhawk validate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from migrate_spec import files
from migrate_spec.cli import common, jobs
from migrate_spec.cli.checking import checked
from migrate_spec.cli.formats import FORMATS
from migrate_spec.cli.jobs import answers
from migrate_spec.findings import Report
from transforms.document import Document


@click.command("validate")
@common.paths
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@jobs.option
@common.options
def command(paths: tuple[str, ...], form: str, jobs: int, color: str) -> int:
    """Say what is wrong with workflow files, where, and what to write instead.

    PATH is .fishhawk/workflows.yaml unless given; - is standard input. Exit code 0 when every
    file is valid, 1 when one is not, 2 when one cannot be read; warnings change neither. The rules
    are explained by `fishhawk rules`.

    \b
    Example: fishhawk validate --format sarif .fishhawk/workflows.yaml
    """
    reports = answers(paths, _reports, jobs)
    FORMATS[form](reports, common.painter(color))
    return common.exit_code(reports)


def _reports(paths: Sequence[str]) -> list[Report]:
    return [_report(path, source) for path, source in common.sources(paths)]


def _report(path: str, source: files.Source | files.FileProblem) -> Report:
    report, _found = checked(path, source)
    if report.document is None:
        return report
    # The tree has done its work; many files in one call would pile theirs up.
    return report._replace(document=Document(report.document.text, report.document.mark))

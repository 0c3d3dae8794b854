"""`fishhawk graph`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

from migrate_spec import drawing, files, findings, graph, versions
from migrate_spec.cli import FINE, common
from migrate_spec.findings import Report
from migrate_spec.validation import check
from transforms.document import parse

FORMATS: dict[str, Callable[[Sequence[graph.Picture]], str]] = {
    "mermaid": drawing.mermaid,
    "dot": drawing.dot,
}


@click.command("graph")
@click.argument("path", type=common.PATH, default=common.DEFAULT_PATH, metavar="[PATH]")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="mermaid", show_default=True)
@common.options
def command(path: str, form: str, color: str) -> int:
    """Draw the workflows of a valid file, with defaults and extends worked in.

    Stages in order with their executor, artifacts on the arrows, gates with who opens them, what the
    operator agent may do alone, escalations dashed. Code hosts draw Mermaid in a fenced block; DOT
    is for Graphviz. PATH is .fishhawk/workflows.yaml unless given; - is standard input. A file that
    is not valid is not drawn (exit code 1).

    \b
    Example: fishhawk graph --format dot | dot -Tsvg > workflows.svg
    """
    ((shown, source),) = common.sources([path])
    if isinstance(source, files.FileProblem):
        return _refuse(common.unreadable(shown, source), color)
    document = parse(source.data)
    checked = check(document)
    report = Report(shown, document, checked.findings, versions.written_version(document))
    if not report.valid or checked.resolved is None:
        return _refuse(report, color)
    common.write(FORMATS[form](graph.pictures(checked.resolved)))
    return FINE


def _refuse(report: Report, color: str) -> int:
    paint = common.painter(color, sys.stderr)
    click.echo(findings.text(report, paint), nl=False, err=True, color=paint is not findings.bare)
    return common.exit_code([report])

"""`fishhawk graph`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from migrate_spec import drawing, graph
from migrate_spec.cli import FINE, common
from migrate_spec.cli.checking import checked, complain

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
    with common.collector_at_rest():
        report, found = checked(*common.source(path))
        if not report.valid or found.resolved is None:
            complain(report, color)
            return common.exit_code([report])
        common.write(FORMATS[form](graph.pictures(found.resolved)))
        return FINE

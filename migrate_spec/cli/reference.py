"""`fishhawk reference`."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from migrate_spec import files, pages, reference, schemas
from migrate_spec.cli import FAULTY, FINE, UNUSABLE, common

PRIMITIVES = "primitives"
MAJORS = ("workflow-v0", "workflow-v1", "workflow-v2")
"""The grammars that can be compared, the older first."""


class Asked(NamedTuple):
    """Which table is wanted: of one grammar, of the primitives, or of the step between two majors."""

    name: str | None
    delta: tuple[str, str] | None

    @property
    def call(self) -> str:
        """The command that prints this table."""
        return "fishhawk reference " + (f"--delta {' '.join(self.delta)}" if self.delta else str(self.name))

    def markdown(self) -> str:
        """Return the table as Markdown."""
        if self.delta is not None:
            return pages.delta_table(*self.delta)
        assert self.name is not None
        return pages.primitive_table() if self.name == PRIMITIVES else pages.field_tables(self.name)

    def data(self) -> dict[str, Any]:
        """Return the table in the JSON shape of the command line (`design.md` 2)."""
        answer: dict[str, Any] = {"schema": "fishhawk.reference/1"}
        if self.delta is not None:
            return {**answer, "deltas": [row._asdict() for row in reference.deltas(*self.delta)]}
        assert self.name is not None
        if self.name == PRIMITIVES:
            return {**answer, "primitives": [row._asdict() for row in reference.PRIMITIVES]}
        return {
            **answer,
            "fields": [row._asdict() for row in reference.fields(self.name)],
            "inline": [row._asdict() for row in reference.inline_fields(self.name)],
        }


@click.command("reference")
@click.argument("name", type=click.Choice([*schemas.NAMES, PRIMITIVES]), metavar="[NAME]", required=False)
@click.option("--delta", nargs=2, type=click.Choice(MAJORS), metavar="OLD NEW", help="Compare two majors.")
@click.option(
    "--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True
)
@click.option("--write", type=common.FILE, help="Put the table between its markers in FILE.")
@click.option("--check", type=common.FILE, help="Exit with 1 unless FILE holds this very table.")
@common.options
def command(
    name: str | None,
    delta: tuple[str, str] | None,
    form: str,
    write: str | None,
    check: str | None,
    color: str,
) -> int:
    """Print the fields of a grammar as tables, made from its schema.

    \b
    NAME: workflow-v2, workflow-v1, workflow-v0, plan-standard-v1
          or primitives, the six things workflows are made of
    Examples: fishhawk reference workflow-v2
              fishhawk reference --delta workflow-v1 workflow-v2
              fishhawk reference workflow-v2 --check docs/reference/workflow-v2.md

    In FILE the table stands between the lines <!-- begin: COMMAND --> and <!-- end: COMMAND -->,
    COMMAND being the one that prints it, such as: fishhawk reference workflow-v2
    """
    asked = _asked(name, delta)
    if write is not None or check is not None:
        if write is not None and check is not None:
            raise click.UsageError("--write and --check exclude each other")
        if form == "json":
            raise click.UsageError("pages hold Markdown; leave out --format json")
        return _page(asked, check if write is None else write, write is not None)
    if form == "json":
        common.write_json(asked.data())
    else:
        common.write(asked.markdown())
    return FINE


def _asked(name: str | None, delta: tuple[str, str] | None) -> Asked:
    if (name is None) == (delta is None):
        raise click.UsageError("give a NAME or --delta OLD NEW, and not both")
    if delta is not None and MAJORS.index(delta[0]) >= MAJORS.index(delta[1]):
        raise click.UsageError("--delta takes the older major first")
    return Asked(name, delta)


def _page(asked: Asked, path: str | None, write: bool) -> int:
    assert path is not None
    shown = files.shown(path)
    try:
        source = files.read(path)
        page = source.data.decode()
        wanted = pages.filled(page, asked.call, asked.markdown())
        if wanted == page:
            common.write(f"{shown}: up to date\n")
        elif write:
            files.replace(source, wanted.encode())
            common.write(f"{shown}: written\n")
        else:
            line = pages.first_difference(page, wanted)
            common.warn(f"{shown}:{line}: differs from the schemas; run {asked.call} --write {path}")
            return FAULTY
    except files.FileProblem as problem:
        common.warn(f"fishhawk: {problem}")
        return UNUSABLE
    except UnicodeDecodeError as problem:
        common.warn(f"{shown}: not UTF-8 at byte {problem.start}; save the page as UTF-8")
        return FAULTY
    except pages.Unmarked as problem:
        common.warn(f"{shown}: {problem}")
        return FAULTY
    return FINE

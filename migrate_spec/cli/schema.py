"""`fishhawk schema`."""

from __future__ import annotations

import click

from migrate_spec import authoring, schemas
from migrate_spec.cli import common


@click.command("schema")
@click.argument("name", type=click.Choice(schemas.NAMES), metavar="NAME")
@click.option("--resolved", is_flag=True, help="Print the schema that fishhawk validate itself goes by.")
@common.options
def command(name: str, resolved: bool, color: str) -> int:
    """Print the JSON Schema NAME, for an editor to check and complete a file by.

    What defaults or extends can supply may be left out of a v2 file. With --resolved nothing may:
    that schema is for the document that fishhawk resolve --print shows.

    \b
    NAME: workflow-v2, workflow-v1, workflow-v0 or plan-standard-v1
    Example: fishhawk schema workflow-v2 > .fishhawk/workflow-v2.schema.json
    """
    if resolved:
        common.write(schemas.read(name))
    else:
        common.write_json(authoring.schema(name))
    return 0

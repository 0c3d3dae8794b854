"""`fishhawk schema`."""

from __future__ import annotations

import click

from migrate_spec import schemas
from migrate_spec.cli import common


@click.command("schema")
@click.argument("name", type=click.Choice(schemas.NAMES), metavar="NAME")
@common.options
def command(name: str, color: str) -> int:
    """Print the JSON Schema NAME, for an editor to check and complete a file by.

    \b
    NAME: workflow-v2, workflow-v1, workflow-v0 or plan-standard-v1
    Example: fishhawk schema workflow-v2 > workflow-v2.json
    """
    common.write(schemas.read(name))
    return 0

"""The command line: parsing, colours and exit codes live here and nowhere else."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from migrate_spec import __version__

ISSUES = "the project's issue tracker"

FINE, FAULTY, UNUSABLE, BROKEN = range(4)
"""Exit codes: fine; the document is at fault; usage or a path; a fault of this program."""

COMMANDS = {
    "migrate-spec": "migrate",
    "resolve": "resolve",
    "validate": "validate",
    "rules": "rules",
    "plan": "plan",
    "reference": "reference",
    "schema": "schema",
    "init": "init",
    "graph": "graph",
}
"""Each command and the module of this package that holds it, imported when it is called."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, imported now."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(f"migrate_spec.cli.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` name; a usage error says which one was probably meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from transforms.wording import show, suggestion

            ctx.fail(f"no command {show(args[0])}; {suggestion(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands into the help."""
        rows = [(name, _summary(self.get_command(ctx, name))) for name in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _summary(command: click.Command | None) -> str:
    return command.get_short_help_str(100) if command is not None else ""


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fishhawk", message="%(prog)s %(version)s")
def command() -> None:
    """Check, resolve and migrate the files that govern agent workflows.

    \b
    Exit codes: 0  fine
                1  the document is at fault, or a file would be overwritten
                2  the call is at fault, or a path cannot be read or written
                3  fishhawk is at fault; --traceback shows where

    \b
    Example: fishhawk migrate-spec --diff
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments` (those of the process if None) and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        click.echo("fishhawk: standard output is closed", err=True)
        return UNUSABLE
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        code = command.main(given, prog_name="fishhawk", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else FINE
    except click.exceptions.Abort:
        return 130
    except click.ClickException as problem:
        problem.show()
        return UNUSABLE
    except SystemExit:
        return FINE  # click's answer to a reader that went away
    except OSError as problem:
        return _unwritable(problem)
    except Exception as problem:  # the rim: nobody ever sees a traceback unasked
        return _broken(problem, given)


def _unwritable(problem: OSError) -> int:
    """Answer an output that cannot be written; a pipe whose reader went away is no fault."""
    if isinstance(problem, BrokenPipeError):
        # The interpreter flushes once more at its end and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    click.echo(f"fishhawk: the output cannot be written: {problem.strerror or problem}", err=True)
    return UNUSABLE


def _broken(problem: Exception, given: Sequence[str]) -> int:
    if "--traceback" in given:
        import traceback

        traceback.print_exception(problem)
    what = f"{type(problem).__name__}: {problem}".splitlines()[0][:200]
    click.echo(f"fishhawk: a fault of this program ({what}); please report it to {ISSUES}", err=True)
    return BROKEN


def run() -> None:
    """Run the command line as a program."""
    sys.exit(main())

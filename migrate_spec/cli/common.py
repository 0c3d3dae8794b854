"""What the commands share: options, colours, reading files."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from migrate_spec import files
from migrate_spec.cli import FAULTY, FINE, UNUSABLE
from migrate_spec.findings import Paint, Report, bare
from transforms.finding import Finding

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

DEFAULT_PATH = ".fishhawk/workflows.yaml"

_Command = TypeVar("_Command", bound=Callable[..., Any])

_COLOURS: dict[str, dict[str, Any]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "caret": {"fg": "green", "bold": True},
    "hint": {"fg": "cyan"},
    "place": {"dim": True},
    "good": {"fg": "green"},
}


def options(function: _Command) -> _Command:
    """Add the options that every command has."""
    color = click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="When to colour text.",
    )
    trace = click.option(
        "--traceback", is_flag=True, expose_value=False, help="Show where a fault of fishhawk happened."
    )
    return color(trace(function))


class _Path(click.types.StringParamType):
    """A path, taken as given; shells complete it. In the help it has the name `name`."""

    def __init__(self, name: str, kind: str = "file") -> None:
        self.name = name
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return what tells the shell to offer files, or folders only."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=self.kind)]


FILE, PATH, FOLDER = _Path("file"), _Path("path"), _Path("dir", "dir")


def paths(function: _Command) -> _Command:
    """Add the argument PATH..., which falls back to the default path."""
    argument = click.argument("paths", type=PATH, nargs=-1, metavar="[PATH]...", callback=_paths)
    return argument(function)


def required_paths(function: _Command) -> _Command:
    """Add the argument PATH..., which has no default."""
    argument = click.argument("paths", type=PATH, nargs=-1, required=True, metavar="PATH...", callback=_paths)
    return argument(function)


def _paths(_ctx: click.Context, _param: click.Parameter, value: Sequence[str]) -> tuple[str, ...]:
    if value.count(files.STDIN) > 1:
        raise click.UsageError("standard input (-) can be read only once")
    return tuple(value) or (DEFAULT_PATH,)


def new_file(text: str) -> Callable[[_Command], _Command]:
    """Return what adds the option --out FILE with the help `text`; an empty FILE counts as none."""
    return click.option("--out", type=FILE, callback=_new_file, help=text)


def _new_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value == files.STDIN:
        raise click.UsageError("--out takes the name of a file, not - for standard output")
    return value or None


def painter(color: str, stream: Any = None) -> Paint:
    """Return the function that colours text for `stream`, standard output if None."""
    stream = sys.stdout if stream is None else stream
    auto = stream.isatty() and not os.environ.get("NO_COLOR")
    if color == "never" or (color == "auto" and not auto):
        return bare
    return lambda role, text: click.style(text, **_COLOURS.get(role, {}))


def write(text: str, paint: Paint | None = None) -> None:
    """Write a result to standard output; colours stay in when `paint` put them there."""
    click.echo(text, nl=False, color=paint is not None and paint is not bare)


def write_json(value: Any) -> None:
    """Write `value` to standard output as JSON; lone surrogates, which have no UTF-8, as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    write(re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


def warn(text: str) -> None:
    """Write a line to standard error."""
    click.echo(text, err=True)


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let the garbage collector rest: trees of nodes are cycles, and it would look for them amid the work."""
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def sources(given: Sequence[str]) -> Iterator[tuple[str, files.Source | files.FileProblem]]:
    """Yield each path as it is shown, with the file there or why it cannot be read.

    The garbage collector rests until a few files are done.
    """
    with collector_at_rest():
        for number, path in enumerate(given, 1):
            yield source(path)
            if number % _COLLECTED == 0:
                gc.collect()


def source(path: str) -> tuple[str, files.Source | files.FileProblem]:
    """Return a path as it is shown, with the file there or why it cannot be read."""
    try:
        return files.shown(path), files.read(path)
    except files.FileProblem as problem:
        lacking = path == DEFAULT_PATH and isinstance(problem.__cause__, FileNotFoundError)
        return files.shown(path), files.FileProblem(f"{problem}; {_elsewhere()}") if lacking else problem


def _elsewhere() -> str:
    """Say where the file is that was looked for in this folder, or how to come by one."""
    above = ("../" * levels + DEFAULT_PATH for levels in range(1, _HIGHEST))
    found = next(filter(os.path.isfile, above), None)
    return f"the nearest is {found}" if found else "fishhawk init writes one"


_HIGHEST = 32
"""How many folders up the default file is looked for."""


_COLLECTED = 16


def unreadable(path: str, problem: files.FileProblem) -> Report:
    """Return the report on a path that cannot be read: one finding of rule `file-unreadable`."""
    message = str(problem).removeprefix(f"{path}: ")
    hint = "check the path and its permissions"
    return Report(path, None, [Finding("file-unreadable", "error", "", 0, 0, message, hint)])


def exit_code(reports: Sequence[Report]) -> int:
    """Return the exit code for `reports`: the highest of their codes."""
    return max((_code(report) for report in reports), default=FINE)


def _code(report: Report) -> int:
    if any(finding.rule == "file-unreadable" for finding in report.findings):
        return UNUSABLE
    return FINE if report.valid else FAULTY

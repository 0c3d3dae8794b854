"""`fishhawk init`."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import click

from migrate_spec import files, presets
from migrate_spec.cli import FAULTY, FINE, UNUSABLE, common

NEXT = (
    ("command:", "verify.command: how this repository runs its tests, or no verify at all"),
    ("autonomy:", "autonomy: how much agents may decide without you"),
    ("limit_usd: 50", "budgets: what a week may cost"),
    ("count: 1", "approvals: who signs the plan, and further down the pull request"),
    ("forbidden_paths:", "forbidden_paths: what agents must keep away from"),
)
"""What to look at in a new file: how the line begins, and what there is to decide."""


@click.command("init")
@click.argument("directory", type=common.FOLDER, metavar="[DIR]", default=".")
@click.option("--preset", type=click.Choice(presets.TIERS), default="medium", show_default=True)
@common.options
def command(directory: str, preset: str, color: str) -> int:
    """Write a first .fishhawk/workflows.yaml, commented and valid, and say what to edit next.

    It goes to the root of the repository that DIR is in, or to DIR if that is in none. An existing
    file is left alone (exit code 1), and nothing else is written. The presets differ in how much
    agents may decide alone: low nothing, medium the routine, high clean work as well.

    \b
    Example: fishhawk init --preset low
    """
    start = Path(directory)
    if not start.is_dir():
        common.warn(f"fishhawk: {directory}: {'not a folder' if start.exists() else 'no such folder'}")
        return UNUSABLE
    path = root_above(start) / common.DEFAULT_PATH
    shown = _shown(path)
    data = presets.read(preset)
    try:
        _create(path, data)
    except files.AlreadyThere:
        common.warn(f"{shown}: is there already and was left as it is; remove it first to start afresh")
        return FAULTY
    except files.FileProblem as problem:
        common.warn(f"fishhawk: {problem}")
        return UNUSABLE
    common.write(_report(shown, preset, data.decode()))
    return FINE


def root_above(start: Path) -> Path:
    """Return the nearest folder from `start` upwards that is the root of a repository, else `start`."""
    here = start.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _create(path: Path, data: bytes) -> None:
    folder = path.parent
    made = False
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
            made = True
        files.create(str(path), data, mode=0o644)
    except OSError as problem:
        raise files.FileProblem(f"{_shown(folder)}: {files.reason(problem)}") from problem
    except files.FileProblem:
        if made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _shown(path: Path) -> str:
    """Return `path` as seen from here, or in full where no path leads there."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)


def _report(shown: str, preset: str, text: str) -> str:
    lines = [f"{shown}: created from the preset {preset}", "", "Edit next:"]
    lines += [f"  {shown}:{_line(text, mark)}: {what}" for mark, what in NEXT]
    return "\n".join([*lines, "", f"Then check it: fishhawk validate {shown}", ""])


def _line(text: str, mark: str) -> int:
    lines = text.splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.lstrip().startswith(mark))

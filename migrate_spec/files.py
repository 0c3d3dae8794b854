"""Reading and writing files: the only place that meets a disk."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

STDIN = "-"
LONGEST = 64 * 1024 * 1024 + 1


class FileProblem(Exception):
    """A path that cannot be read or written; the message says which and why."""


class AlreadyThere(FileProblem):
    """Something stands at a path that was to be created; it was left as it is."""


class Source(NamedTuple):
    """A file as it was read: its path as given, the file itself behind all links, bytes and state."""

    path: str
    real: Path | None
    data: bytes
    state: os.stat_result | None


def shown(path: str) -> str:
    """Return `path` as messages name it."""
    return "<stdin>" if path == STDIN else path


def read(path: str) -> Source:
    """Return the file at `path`, or standard input for `-`; FileProblem when it cannot be read."""
    if path == STDIN:
        return Source(shown(path), None, sys.stdin.buffer.read(LONGEST), None)
    try:
        real = Path(path).resolve(strict=True)
        if real.is_dir():
            raise FileProblem(f"{path}: this is a folder; name the file in it")
        with real.open("rb") as handle:
            return Source(path, real, handle.read(LONGEST), os.fstat(handle.fileno()))
    except (OSError, RuntimeError, ValueError) as problem:
        raise FileProblem(f"{path}: {reason(problem)}") from problem


def create(path: str, data: bytes) -> None:
    """Write `data` to a new file at `path`, in one step with its creation, readable by its owner alone.

    AlreadyThere when anything is there, be it a link to nothing; FileProblem when it cannot be
    written, and then no fragment stays behind. Missing folders are not made (`migration.md` 9).
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except FileExistsError:
        raise AlreadyThere(f"{path}: already exists; nothing was written") from None
    except (OSError, ValueError) as problem:
        raise FileProblem(f"{path}: {reason(problem)}") from problem
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            Path(path).unlink()
        if isinstance(problem, OSError):
            raise FileProblem(f"{path}: {reason(problem)}") from problem
        raise


def reason(problem: BaseException) -> str:
    """Return in plain words why the system refused."""
    if isinstance(problem, FileNotFoundError):
        return "no such file"
    if isinstance(problem, PermissionError):
        return "permission denied"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror[0].lower() + problem.strerror[1:]
    return str(problem) or type(problem).__name__

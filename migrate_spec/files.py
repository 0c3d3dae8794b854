"""Reading and writing files: the only place that meets a disk."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO, NamedTuple

STDIN = "-"
LONGEST = 64 * 1024 * 1024 + 1
_BINARY = getattr(os, "O_BINARY", 0)


class FileProblem(Exception):
    """A path that cannot be read or written; the message says which and why."""


class AlreadyThere(FileProblem):
    """Something stands at a path that was to be created; it was left as it is."""


class Source(NamedTuple):
    """A file as it was read: its path as given, the regular file behind all links (None for standard
    input and pipes), bytes and state.
    """

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
        if sys.stdin is None:
            raise FileProblem(f"{shown(path)}: standard input is closed")
        return Source(shown(path), None, sys.stdin.buffer.read(LONGEST), None)
    if not path:
        raise FileProblem("the path is empty")
    try:
        with Path(path).open("rb") as handle:
            state = os.fstat(handle.fileno())
            regular = stat.S_ISREG(state.st_mode)
            return Source(path, Path(path).resolve() if regular else None, handle.read(LONGEST), state)
    except IsADirectoryError as problem:
        raise FileProblem(f"{path}: this is a folder; name the file in it") from problem
    except (OSError, RuntimeError, ValueError) as problem:
        raise FileProblem(f"{path}: {reason(problem)}") from problem


def create(path: str, data: bytes, mode: int = 0o600) -> None:
    """Write `data` to a new file at `path`, in one step with its creation, by default for its owner alone.

    AlreadyThere when anything is there, be it a link to nothing; FileProblem when it cannot be
    written, and then no fragment stays behind. Missing folders are not made (`migration.md` 9).
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    except FileExistsError:
        raise AlreadyThere(f"{path}: already exists; nothing was written") from None
    except FileNotFoundError:
        raise FileProblem(f"{path}: its folder does not exist and is not made") from None
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


def replace(source: Source, data: bytes) -> None:
    """Put `data` in the place of the file that `source` was read from, in one atomic step.

    The new bytes are written beside the real file, so links stay links; permission bits are kept.
    FileProblem when the file changed since it was read or cannot be written: it is untouched then
    and nothing is left beside it.
    """
    if source.real is None or source.state is None:
        raise FileProblem(f"{source.path}: only a regular file can be rewritten")
    beside = source.real.with_name(f".{source.real.name}.fishhawk-{os.getpid()}")
    try:
        with _fresh(beside, stat.S_IMODE(source.state.st_mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _ensure_unchanged(source)
        beside.replace(source.real)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            beside.unlink()
        if isinstance(problem, OSError):
            raise FileProblem(f"{source.path}: {reason(problem)}; the file is as it was") from problem
        raise


def _fresh(path: Path, mode: int) -> BinaryIO:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
    file = os.fdopen(handle, "wb")
    path.chmod(mode)
    return file


def _ensure_unchanged(source: Source) -> None:
    assert source.real is not None
    if source.real.read_bytes() != source.data:
        raise FileProblem(f"{source.path}: changed on disk since it was read; the file is as it was")


def reason(problem: BaseException) -> str:
    """Return in plain words why the system refused."""
    if isinstance(problem, FileNotFoundError):
        return "no such file"
    if isinstance(problem, PermissionError):
        return "permission denied"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror[0].lower() + problem.strerror[1:]
    return str(problem) or type(problem).__name__

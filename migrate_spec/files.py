"""Reading and writing files: the only place that meets a disk."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path
from typing import NamedTuple

from migrate_spec.beside import beside, new, sweep

STDIN = "-"
LONGEST = 64 * 1024 * 1024 + 1


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
    """Write `data` to a new file at `path`, which appears whole, by default for its owner alone.

    AlreadyThere when anything is there, be it a link to nothing; FileProblem when it cannot be
    written, and then no fragment stays behind. Missing folders are not made (`migration.md` 9).
    """
    sweep(Path(path))
    try:
        if os.path.lexists(path):
            raise FileExistsError
        with beside(Path(path), mode) as (fresh, file):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            _appear(fresh, path, data, mode)
    except FileExistsError:
        raise AlreadyThere(f"{path}: already exists; nothing was written") from None
    except FileNotFoundError:
        raise FileProblem(f"{path}: its folder does not exist and is not made") from None
    except (OSError, ValueError) as problem:
        raise FileProblem(f"{path}: {reason(problem)}") from problem


def _appear(fresh: Path, path: str, data: bytes, mode: int) -> None:
    """Let the finished file `fresh` stand at `path` too, in one step that never overwrites."""
    try:
        os.link(fresh, path)
    except (AttributeError, NotImplementedError):
        _exclusively(path, data, mode)
    except OSError as problem:
        if problem.errno not in _NO_LINKS:
            raise
        _exclusively(path, data, mode)


_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""What file systems without hard links answer."""


def _exclusively(path: str, data: bytes, mode: int) -> None:
    file = new(path, mode)
    try:
        with file:
            file.write(data)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(path).unlink()
        raise


def replace(source: Source, data: bytes) -> None:
    """Put `data` in the place of the file that `source` was read from, in one atomic step.

    The new bytes are written beside the real file, so links stay links; owner and permission bits are
    kept. FileProblem when the file changed since it was read or cannot be written: it is untouched
    then and nothing is left beside it.
    """
    if source.real is None or source.state is None:
        raise FileProblem(f"{source.path}: only a regular file can be rewritten")
    sweep(source.real)
    try:
        with beside(source.real, 0o600) as (fresh, file):
            _dress(fresh, source.state)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            _ensure_unchanged(source)
            if os.name == "nt":
                file.close()  # what is open cannot be moved there
            fresh.replace(source.real)
    except OSError as problem:
        raise FileProblem(f"{source.path}: {reason(problem)}; the file is as it was") from problem


def _dress(path: Path, state: os.stat_result) -> None:
    """Give the file at `path` the owner, as far as may be, and the permission bits of `state`."""
    mine = path.stat()
    if (mine.st_uid, mine.st_gid) != (state.st_uid, state.st_gid):
        with contextlib.suppress(OSError):
            os.chown(path, state.st_uid, state.st_gid)
    path.chmod(stat.S_IMODE(state.st_mode))


def _ensure_unchanged(source: Source) -> None:
    assert source.real is not None
    try:
        same = stat.S_ISREG(source.real.lstat().st_mode) and source.real.read_bytes() == source.data
    except FileNotFoundError:
        raise FileProblem(f"{source.path}: gone since it was read; nothing was written") from None
    if not same:
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

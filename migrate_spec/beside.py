"""Temporary files beside the file that they are to become, so that a move or a link is one step.

Each is named `.NAME.fishhawk-` and sixteen digits, and locked by its writer for as long as that lives. What
a killed run left behind has no lock any more, and the next run that writes to NAME removes it.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

_DIGITS = re.compile(r"[0-9a-f]{16}")
_LONGEST = 180
"""How many bytes of a name its temporary files carry; file systems take 255 in all."""


@contextlib.contextmanager
def beside(target: Path, mode: int) -> Iterator[tuple[Path, BinaryIO]]:
    """Yield the path of a new file beside `target` and the file, open for bytes; remove it in the end.

    Whoever wants to keep it moves or links it while it is open. OSError when it cannot be made.
    """
    while True:
        path = target.parent / (_prefix(target) + os.urandom(8).hex())
        with contextlib.ExitStack() as stack:
            stack.callback(_quietly, path.unlink)
            file = new(path, mode)
            # What is worth keeping was brought to the disk before; closing adds nothing that may fail.
            stack.callback(_quietly, file.close)
            if _lock(file.fileno()):
                yield path, file
                return
            # Another run took it for one that was left behind, and removes it.


def _quietly(tidy: Callable[[], None]) -> None:
    with contextlib.suppress(OSError, ValueError):
        tidy()


def new(path: Path | str, mode: int) -> BinaryIO:
    """Return a new file at `path`, open for bytes; OSError when it cannot be made or anything is there."""
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))


def _lock(handle: int) -> bool:
    """Lock the file behind `handle` unless another run has it; tell whether it is still ours to write."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks, where nothing is ever swept
        return True
    return os.fstat(handle).st_nlink > 0


def _prefix(target: Path) -> str:
    return f".{os.fsdecode(os.fsencode(target.name)[:_LONGEST])}.fishhawk-"


def sweep(target: Path) -> None:
    """Remove what runs that were killed left beside `target`; what cannot be removed stays."""
    if sys.platform == "win32":
        return
    prefix = _prefix(target)
    with contextlib.suppress(OSError, ValueError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and _DIGITS.fullmatch(entry.name[len(prefix) :]):
                _remove(entry.path)


def _remove(path: str) -> None:
    """Remove the file at `path` unless its writer is alive: then it has the lock."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)  # noqa: PTH108  (a string)
        finally:
            os.close(handle)

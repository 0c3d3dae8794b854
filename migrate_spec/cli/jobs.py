"""Many files in one call: spread over processes, with a bar that shows how far they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from migrate_spec import files

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Answer = TypeVar("_Answer")

MANY = 50
"""From how many files on a terminal is shown a bar."""

_BATCH = 16


def option(function: _Command) -> _Command:
    """Add the option --jobs."""
    return click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="How many processes share the files.",
    )(function)


def answers(paths: Sequence[str], work: Callable[[Sequence[str]], list[_Answer]], jobs: int) -> list[_Answer]:
    """Return what `work` answers for each path, in their order, `jobs` processes sharing the paths.

    `work` takes a few paths and gives an answer for each; it and its answers cross process borders.
    """
    batches = [paths[start : start + _BATCH] for start in range(0, len(paths), _BATCH)]
    done = _spread(batches, work, jobs) if jobs > 1 and len(batches) > 1 else map(work, batches)
    if len(paths) < MANY or not sys.stderr.isatty():
        return [answer for batch in done for answer in batch]
    found: list[_Answer] = []
    with click.progressbar(length=len(paths), label="files", file=sys.stderr) as bar:
        for batch in done:
            found += batch
            bar.update(len(batch))
    return found


def _spread(
    batches: list[Sequence[str]], work: Callable[[Sequence[str]], list[_Answer]], jobs: int
) -> Iterator[list[_Answer]]:
    from concurrent.futures import Future, ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(batches))) as pool:
        waiting: list[Future[list[_Answer]] | list[_Answer]] = [
            # Standard input belongs to this process alone.
            work(batch) if files.STDIN in batch else pool.submit(work, batch)
            for batch in batches
        ]
        for each in waiting:
            yield each if isinstance(each, list) else each.result()

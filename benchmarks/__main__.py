"""`python -m benchmarks`: one table of ratios, each pair taken in turn in one run.

Whole processes run as the installed command with compiled bytecode. A ratio that is worse than its
bound by a quarter or more fails the run; `--quick` takes fewer pairs, `--long` adds documents 1,000 times as long.
"""

from __future__ import annotations

import gc
import io
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML

from migrate_spec import migrate
from migrate_spec.validation import check
from transforms.document import parse

ROOT = Path(__file__).parent.parent
LEGACY = ROOT / "golden" / "migrate" / "full-governance" / "source.yaml"
MODERN = ROOT / "golden" / "migrate" / "full-governance" / "output.yaml"
FLOOR = "import click, ruamel.yaml, jsonschema"
SLACK = 1.25


class Row(NamedTuple):
    """One measurement: the median of the ratios of its pairs, and the bound it is held to."""

    name: str
    ratio: float
    bound: float


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes, in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratio(work: Callable[[], object], against: Callable[[], object], pairs: int) -> float:
    """Return the median ratio of the times of two pieces of work, taken in turn."""
    work()
    against()
    return statistics.median(seconds(work) / seconds(against) for _ in range(pairs))


def process(*command: str) -> Callable[[], object]:
    """Return the work of running one command to its end."""
    return lambda: subprocess.run(command, capture_output=True, check=False)


def python(code: str) -> Callable[[], object]:
    """Return the work of one interpreter that runs `code`."""
    return process(sys.executable, "-c", code)


def whole_processes(fishhawk: str, pairs: int) -> Iterator[Row]:
    """Yield the rows that are about whole processes."""
    report = process(fishhawk, "migrate-spec", str(LEGACY))
    yield Row("migrate-spec / import of its libraries", ratio(report, python(FLOOR), pairs), 1.35)
    valid = process(fishhawk, "validate", str(MODERN))
    yield Row("validate / import of its libraries", ratio(valid, python(FLOOR), pairs), 1.35)
    version = process(fishhawk, "--version")
    yield Row("--version / import of click", ratio(version, python("import click"), pairs), 1.3)
    peer = shutil.which("check-jsonschema", path=str(Path(fishhawk).parent)) or shutil.which(
        "check-jsonschema"
    )
    if peer is None:
        print("check-jsonschema is not installed: its row is left out")
        return
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.json"
        schema.write_bytes(
            subprocess.run([fishhawk, "schema", "workflow-v1"], capture_output=True, check=True).stdout
        )
        other = process(peer, "--schemafile", str(schema), str(LEGACY))
        yield Row("migrate-spec / check-jsonschema on the file", ratio(report, other, pairs), 0.55)


def in_process(pairs: int) -> Iterator[Row]:
    """Yield the rows that are about one process that is warm."""
    data = LEGACY.read_bytes()

    def migration() -> None:
        assert migrate.run(parse(data)).text is not None

    def round_trip() -> None:
        yaml = YAML()
        yaml.dump(yaml.load(data.decode()), io.StringIO())

    yield Row("bytes to proven bytes / round trip", ratio(migration, round_trip, pairs), 0.3)


def grown(data: bytes, times: int) -> bytes:
    """Return a document with every workflow written `times` times under other names."""
    head, tail = data.decode().split("\nworkflows:\n", 1)
    copies = []
    for number in range(times):
        lines = tail.splitlines(keepends=True)
        copies += [f"  w{number}_{line[2:]}" if _is_name(line) else line for line in lines]
    return (head + "\nworkflows:\n" + "".join(copies)).encode()


def _is_name(line: str) -> bool:
    return line.startswith("  ") and line[2:3].isalpha() and line.rstrip().endswith(":")


def many_files(fishhawk: str, files: int, pairs: int) -> Iterator[Row]:
    """Yield the rows about many files in one call."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.yaml" for number in range(files)]
        for path in paths:
            path.write_bytes(MODERN.read_bytes())
        names = [str(path) for path in paths]
        one = process(fishhawk, "validate", *names)
        two = process(fishhawk, "validate", "--jobs", "2", *names)
        alone = process(fishhawk, "validate", names[0])
        yield Row(f"{files:,} files in a call / that many calls", ratio(one, alone, pairs) / files, 0.2)
        yield Row(f"{files:,} files with --jobs 2 / with one", ratio(two, one, pairs), 0.8)


def growth(times: int, pairs: int) -> Iterator[Row]:
    """Yield how time and memory grow with a document that many times as long."""
    for name, path, work in (
        ("migrate", LEGACY, lambda data: migrate.run(parse(data))),
        ("validate", MODERN, lambda data: check(parse(data))),
    ):
        yield from _growth(name, path.read_bytes(), times, work, pairs)


def _growth(
    name: str, small: bytes, times: int, work: Callable[[bytes], object], pairs: int
) -> Iterator[Row]:
    large = grown(small, times)
    time = statistics.median(_paused(work, large) / _paused(work, small) for _ in range(pairs))
    memory = _peak(work, large) / _peak(work, small)
    yield Row(f"{name}, {times} times as long: time", time, 1.3 * times)
    yield Row(f"{name}, {times} times as long: memory", memory, 1.3 * times)


def _paused(work: Callable[[bytes], object], data: bytes) -> float:
    """Return how long `work` on `data` takes while the garbage collector rests, the best of three for short work."""
    best = float("inf")
    for _ in range(3 if len(data) < 100_000 else 1):
        gc.collect()
        gc.disable()
        best = min(best, seconds(lambda: work(data)))
        gc.enable()
    return best


def _peak(work: Callable[[bytes], object], data: bytes) -> int:
    tracemalloc.start()
    work(data)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def main(arguments: list[str]) -> int:
    """Print the table and return 1 when a ratio is worse than its bound by a quarter."""
    quick = "--quick" in arguments
    fishhawk = shutil.which("fishhawk", path=str(Path(sys.executable).parent)) or "fishhawk"
    rows = [
        *whole_processes(fishhawk, 5 if quick else 21),
        *in_process(5 if quick else 21),
        *many_files(fishhawk, 100 if quick else 1000, 1 if quick else 3),
        *growth(100, 1 if quick else 3),
        *(growth(1000, 1) if "--long" in arguments else ()),
    ]
    print(f"{'measurement':46} {'ratio':>7} {'bound':>7}")
    for name, found, bound in rows:
        remark = "" if found <= bound else "  over the bound"
        print(f"{name:46} {found:7.2f} {bound:7.2f}{remark}")
    return 1 if any(row.ratio > row.bound * SLACK for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

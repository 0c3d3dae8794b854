"""Mutate documents for some seconds and say which of them broke a promise: `make fuzz SECONDS=60`."""

from __future__ import annotations

import argparse
import gc
import hashlib
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from fuzz.mutations import mutate
from fuzz.promises import hold
from fuzz.seeds import seeds

MEMORY = 300
"""How many MiB a run may take."""


def main() -> int:
    """Return 0 when every promise was kept, 1 when not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="begin with this seed instead of a fresh one")
    parser.add_argument(
        "--keep", type=Path, default=Path("fuzz-found"), help="folder for what broke a promise"
    )
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    found = fuzz(seed, given.seconds, given.keep)
    return 1 if found else 0


def fuzz(seed: int, seconds: float, keep: Path) -> int:
    """Mutate for `seconds` from `seed`; return how many kinds of fault were found, one file kept for each."""
    rng = random.Random(seed)
    pool = seeds()
    known: set[str] = set()
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            kind, data = rng.choice(pool)
            other = rng.choice(pool).data
            data = mutate(rng, data, other)
            counts[kind] += 1
            _say(counts, known)
            try:
                hold(kind, data, rng, Path(folder))
            except Exception as problem:
                _keep(kind, data, problem, keep, known)
            if sum(counts.values()) % 100 == 0:
                gc.collect()  # the command line puts it off, since a process handles few files
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    total = sum(counts.values())
    shown = ", ".join(f"{number:,} {kind}s" for kind, number in counts.most_common())
    sys.stdout.write(f"\n{total:,} documents ({shown}), seed {seed}, {len(known)} faults, peak {peak} MiB\n")
    return len(known) + (peak > MEMORY)


def _say(counts: Counter[str], known: set[str]) -> None:
    total = sum(counts.values())
    if sys.stdout.isatty() and total % 100 == 0:
        sys.stdout.write(f"\r{total:,} documents, {len(known)} faults")
        sys.stdout.flush()


def _keep(kind: str, data: bytes, problem: Exception, keep: Path, known: set[str]) -> None:
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    words = str(problem)[:50] if isinstance(problem, AssertionError) else ""
    what = f"{type(problem).__name__} {Path(frame.filename).name}:{frame.lineno} {words}"
    if what in known:
        return
    known.add(what)
    keep.mkdir(parents=True, exist_ok=True)
    name = f"{kind.replace(' ', '-')}-{hashlib.sha256(data).hexdigest()[:12]}"
    (keep / name).write_bytes(data)
    (keep / f"{name}.txt").write_text("".join(traceback.format_exception(problem)), errors="backslashreplace")
    sys.stdout.write(f"\n{what}: {str(problem)[:300]!r}\n  kept as {keep / name}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""Measure what checking large plans costs: `python -m benchmarks.plans`.

A plan of 5 MB against reading its JSON and validating it with the compiled schema, as the median
ratio of pairs run in turn, and its peak memory; ten times as many findings and sessions against one
time as many. Prints a line for each figure; exits 1 when one is above its bar.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

from migrate_spec.plans import Limits, check, criticize, read_service_plan
from migrate_spec.validator import compiled

PAIRS = 5
MOST_TIME, MOST_GROWTH, MOST_MEMORY = 2.0, 15.0, 15.0


def plan_of(files: int, operation: str = "modify") -> bytes:
    """Return a plan of standard_v1 with that many files."""
    plan = {
        "plan_version": "standard_v1",
        "ticket_reference": {"type": "github_issue", "url": "https://example.org/1", "id": "1"},
        "generated_by": {"agent": "planner", "model": "large", "timestamp": "2026-03-11T08:15:00Z"},
        "summary": "Rename one package everywhere.",
        "scope": {
            "files": [{"path": f"part{n % 97}/file{n}.go", "operation": operation} for n in range(files)]
        },
        "approach": [{"step": 1, "description": "Rename it."}],
        "verification": {
            "test_strategy": "The build.",
            "rollback_plan": "Revert.",
            "acceptance_criteria": [
                {"id": "builds", "statement": "It builds.", "source": "explicit", "source_ref": "1"}
            ],
        },
        "predicted_runtime_minutes": 30,
        "predicted_runtime_confidence": "low",
    }
    return json.dumps(plan, indent=2).encode()


def service_plan_of(sessions: int) -> bytes:
    """Return a service plan with that many sessions, each with faults and waiting for the one before it."""
    front = "---\ntype: service-plan\nstatus: proposed\n---\n"
    block = "\n## Session S{0}: part\n\n- depends_on: [S{1}, T{0}]\n- risk_class: code\n- prompt: |\n    Write it.\n"
    return (front + "".join(block.format(n, n - 1) for n in range(sessions))).encode()


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes while the garbage collector rests."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    work()
    spent = time.perf_counter() - start
    gc.enable()
    return spent


def peak(work: Callable[[], object]) -> int:
    """Return how many bytes `work` has in use at most."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def criticized(data: bytes) -> object:
    """Return what the critic says about the service plan in `data`."""
    return criticize(read_service_plan(data))


def main() -> int:
    """Print every figure with its bar and return the exit code."""
    schema = compiled("plan-standard-v1")
    large = plan_of(50_000)
    capped = Limits(max_files_changed=10)
    pairs = [
        (seconds(lambda: check(large, capped)), seconds(lambda: list(schema.iter_errors(json.loads(large)))))
        for _ in range(PAIRS)
    ]
    broken, more_broken = plan_of(1_000, "rename"), plan_of(10_000, "rename")
    few, many = service_plan_of(2_000), service_plan_of(20_000)
    figures = (
        (
            f"a plan of {len(large):,} bytes, against JSON and schema",
            statistics.median(a / b for a, b in pairs),
            MOST_TIME,
        ),
        (
            "ten times as many findings, time",
            seconds(lambda: check(more_broken)) / seconds(lambda: check(broken)),
            MOST_GROWTH,
        ),
        (
            "ten times as many findings, memory",
            peak(lambda: check(more_broken)) / peak(lambda: check(broken)),
            MOST_MEMORY,
        ),
        (
            "20,000 sessions against 2,000, time",
            seconds(lambda: criticized(many)) / seconds(lambda: criticized(few)),
            MOST_GROWTH,
        ),
        (
            "20,000 sessions against 2,000, memory",
            peak(lambda: criticized(many)) / peak(lambda: criticized(few)),
            MOST_MEMORY,
        ),
    )
    for name, figure, bar in figures:
        print(f"{name}: {figure:.2f} (at most {bar:g})")
    return 1 if any(figure > bar for _, figure, bar in figures) else 0


if __name__ == "__main__":
    sys.exit(main())

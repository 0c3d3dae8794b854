"""The documents that are mutated: golden ones, generated ones, and the inputs of the facts where they are."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from layouts import render
from strategies import SEEDS, STYLES, old_documents

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"

WORKFLOW, PLAN, SERVICE_PLAN, LEDGER = "workflow", "plan", "service plan", "ledger"
KINDS = (WORKFLOW, PLAN, SERVICE_PLAN, LEDGER)


class Seed(NamedTuple):
    """A document and what kind it is."""

    kind: str
    data: bytes


def seeds() -> list[Seed]:
    """Return all seeds that are at hand, short ones only, each once and always in the same order."""
    found = dict.fromkeys([*_golden(), *_generated(), *_shared()])
    return [seed for seed in found if len(seed.data) < 20_000]


_AREAS = {"plan": PLAN, "service-plan": SERVICE_PLAN}


def _golden() -> Iterator[Seed]:
    for path in sorted((ROOT / "golden").rglob("*")):
        area = path.relative_to(ROOT / "golden").parts[0]
        if path.suffix in (".yaml", ".json", ".md") and path.stem in ("source", "output", "plan"):
            yield Seed(_AREAS.get(area, WORKFLOW), path.read_bytes())
        elif path.name.startswith("ledger"):
            yield Seed(LEDGER, path.read_bytes()) if path.is_file() else Seed(LEDGER, b"")


_PATIENT = settings(
    max_examples=120,
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@functools.cache
def _generated() -> tuple[Seed, ...]:
    found: list[Seed] = []

    @given(st.one_of(old_documents(1), old_documents(0), old_documents(1, migratable=False)), STYLES, SEEDS)
    @_PATIENT
    def collect(data: Any, style: Any, seed: int) -> None:
        found.append(Seed(WORKFLOW, render(data, style, seed)))

    collect()
    return tuple(found)


_FOLDERS = {
    "corpus/real": WORKFLOW,
    "corpus/peer": WORKFLOW,
    "bugs/inputs": WORKFLOW,
    "corpus/plans": PLAN,
}


def _shared() -> Iterator[Seed]:
    for folder, kind in _FOLDERS.items():
        for path in sorted((SHARED / folder).glob("*.*")):
            yield Seed(kind, path.read_bytes())
    for area, kind in (("migrate", WORKFLOW), ("validate", WORKFLOW), ("resolve", WORKFLOW)):
        for path in sorted((SHARED / "cases" / area).glob("*.yaml")):
            yield from (Seed(kind, text.encode()) for text in _sources(path))
    for path in sorted((SHARED / "cases" / "service-plan").glob("*.yaml")):
        yield from (Seed(SERVICE_PLAN, text.encode()) for text in _sources(path))
    for path in sorted((SHARED / "cases" / "plan").glob("*.yaml")):
        yield from (Seed(PLAN, text.encode()) for text in _sources(path))


def _sources(path: Path) -> Iterator[str]:
    """Yield every text of several lines, or of JSON, in a file of cases."""
    from ruamel.yaml import YAML

    stack: list[Any] = [YAML(typ="safe").load(path.read_bytes())]
    while stack:
        value = stack.pop()
        if isinstance(value, str) and (value.count("\n") > 2 or value.startswith("{")):
            yield value
        stack.extend(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())

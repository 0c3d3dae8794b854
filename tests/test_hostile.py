"""Hostile documents: a short run of the fuzzer, and what is made to hurt, in time and memory too."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import promises
from fuzz.bombs import BOMBS, PLANS, SERVICE_PLANS
from fuzz.mutations import mutate
from fuzz.promises import hold
from fuzz.seeds import PLAN, SERVICE_PLAN, WORKFLOW, seeds
from support import run

CASES = [
    *[pytest.param(WORKFLOW, data, id=name) for name, data in BOMBS.items()],
    *[pytest.param(PLAN, data, id=f"plan: {name}") for name, data in PLANS.items()],
    *[pytest.param(SERVICE_PLAN, data, id=f"service plan: {name}") for name, data in SERVICE_PLANS.items()],
]


@pytest.mark.parametrize(("kind", "data"), CASES)
def test_bombs(kind: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "LONGEST", 4.0)  # a second on a machine that does nothing else
    hold(kind, data, random.Random(1), tmp_path)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_documents(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    pool = [each for each in seeds(shared=False) if len(each.data) < 4_000]
    for _ in range(100):
        kind, data = rng.choice(pool)
        hold(kind, mutate(rng, data, rng.choice(pool).data), rng, tmp_path)


MEASURED = """
import resource, sys
from migrate_spec.cli import main
code = main()
usage = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(code, peak, usage.ru_utime + usage.ru_stime, file=sys.stderr)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the peak of one process")
@pytest.mark.parametrize("name", ["a chain that fits", "a chain of workflows", "many anchors", "deep flow"])
@pytest.mark.parametrize(
    "command", ["validate", "resolve --print", "resolve --explain --format json", "migrate-spec"]
)
def test_memory_and_time_of_a_process(name: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_bytes(BOMBS[name])
    call = [sys.executable, "-c", MEASURED, *command.split(), str(path)]
    done = subprocess.run(call, capture_output=True, check=True, timeout=60)
    code, peak, took = done.stderr.split()[-3:]
    assert code in (b"0", b"1")
    assert int(peak) < 300 * 1024
    assert float(took) < 3


# -- what is said of them -----------------------------------------------------------

SAID = {
    "aliases of aliases": "w.yaml:11:20: yaml-invalid: the alias *a4 blows the document up to more than",
    "an alias in itself": "w.yaml:5:67: yaml-invalid: the alias *x stands inside the value that it repeats",
    "deep flow": "w.yaml:5:158: yaml-invalid: nested more than 100 levels deep",
    "deep block": "w.yaml:5:201: yaml-invalid: nested more than 100 levels deep",
    "a long number": "w.yaml:5:75: yaml-invalid: an integer of 5,000 digits is longer than any reader takes",
    "a long hexadecimal number": "w.yaml:5:75: yaml-invalid: an integer of more than 4,300 digits is longer",
    "a long alias": f"w.yaml:7:4: yaml-invalid: no anchor &{'n' * 59}… stands above this alias",
    "a long tag": f"w.yaml:6:4: yaml-invalid: the tag !{'n' * 58}… has no meaning for this value",
    "separators in a comment": "w.yaml:6:6: yaml-invalid: the character U+2028 ends a comment for YAML readers",
    "separators in a comment, no key behind them": "w.yaml:7:1: yaml-invalid: not YAML: could not find expected ':'",
    "two documents": "w.yaml:6:1: yaml-invalid: a second document starts here; a governance file holds one",
    "NUL": "w.yaml:5:1: yaml-invalid: the control character U+0000 is not allowed",
    "not UTF-8": "w.yaml:5:1: yaml-invalid: byte 0xFF is not UTF-8",
    "UTF-16": "w.yaml:1:1: yaml-invalid: byte 0xFF is not UTF-8",
    "tabs": "w.yaml:5:1: yaml-invalid: not YAML: found character that cannot start any token",
    "empty": "w.yaml:1:1: yaml-invalid: the file is empty",
    "a list": "w.yaml:1:1: version-missing: the document is no mapping, so it has no version",
    "a chain of workflows": "w.yaml:148:20: extends-too-large: with w0145, what workflows inherit comes to more",
}


@pytest.mark.parametrize("name", SAID)
def test_one_clear_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.yaml").write_bytes(BOMBS[name])
    result = run("validate", "w.yaml")
    assert result.code == 1
    assert result.text.startswith(SAID[name])
    assert result.text.count(": yaml-invalid: ") <= 2

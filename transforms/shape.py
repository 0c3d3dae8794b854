"""The shapes of version 2 in the older representation (`resolution.md` 8), on plain data alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Data = dict[str, Any]

ARTIFACTS = {"plan": "plan", "implement": "pull_request"}
"""What a stage named in `needs` hands on, by its type; a type that is not here hands on nothing by itself."""


def normalize(document: Data) -> Data:
    """Return a resolved document that is valid as what stands behind it reads it, the reuse keys removed."""
    workflows = {name: _workflow(workflow) for name, workflow in document["workflows"].items()}
    rest = {key: value for key, value in document.items() if key != "defaults"}
    return {**rest, "workflows": workflows}


def _workflow(workflow: Data) -> Data:
    types = {stage["id"]: stage["type"] for stage in workflow["stages"]}
    result: Data = {}
    for key, value in workflow.items():
        if key == "stages":
            result[key] = [_stage(stage, types) for stage in value]
        elif key not in ("defaults", "extends"):
            result["drive" if key == "auto_advance" else key] = value
    return result


def _stage(stage: Data, types: dict[str, str]) -> Data:
    declared = stage.get("inputs", [])
    inputs = [*declared, *derived(stage.get("needs", ()), declared, types)]
    result: Data = {}
    for key, value in stage.items():
        if key in ("needs", "inputs"):
            result.update({"inputs": inputs} if inputs or "inputs" in stage else {})
        else:
            result[key] = [value] if key == "constraints" else value
    return result


def derived(needs: Any, declared: list[Data], types: dict[str, str]) -> Iterator[Data]:
    """Yield the inputs that `needs` stands for, without those that are declared (`resolution.md` 8.3).

    `types` has the type of each stage of the resolved workflow by its id. What has no artifact of its
    own derives nothing.
    """
    pairs = {(item.get("artifact"), item.get("from_stage")) for item in declared}
    for name in needs:
        artifact = ARTIFACTS.get(types.get(name, ""))
        if artifact is not None and (artifact, name) not in pairs:
            yield {"artifact": artifact, "from_stage": name}

"""What a checked document says once reuse is resolved: its phases, a summary, where each value is from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from migrate_spec.messages import listed, show
from migrate_spec.validation import Checked
from transforms import autonomy, shape
from transforms.document import Document
from transforms.emit import json_data
from transforms.finding import at_value
from transforms.merge import BLOCKS
from transforms.nodes import Mapping, children, plain, walk
from transforms.pointer import Foreign
from transforms.provenance import OWN, Origin, origins, rung
from transforms.wording import printable, suggestion

PHASES = ("resolved", "normalized", "autonomy")


def readable(root: Mapping) -> bool:
    """Tell whether all keys below `root` are strings, so that the document can be written as data."""
    return not any(
        isinstance(name, Foreign) for node in walk(root) if isinstance(node, Mapping) for name in node.entries
    )


def phase(checked: Checked, name: str) -> Any:
    """Return the data of one of `PHASES`, None when the document does not get there.

    Only `resolved` is there for a document that is not valid; documents below major 2 have no
    autonomy and are normalized as they stand. ValueError for any other name.
    """
    if name not in PHASES:
        raise ValueError(f"no phase {show(name)}; {suggestion(name, PHASES)}")
    root = checked.resolved
    if root is None or not readable(root):
        return None
    if name == "resolved":
        return plain(root)
    if any(finding.severity == "error" for finding in checked.findings):
        return None
    if name == "normalized":
        return shape.normalize(plain(root)) if checked.major == 2 else plain(root)
    if checked.major != 2:
        return None
    return {at: autonomy.as_data(matrix) for at, matrix in autonomy.matrices(root).items()}


class Row(NamedTuple):
    """One value of the resolved document and where it comes from."""

    pointer: str
    value: Any
    rung: str
    line: int


def explain(document: Document, root: Mapping | None) -> list[Row]:
    """Return a row for each scalar and each empty collection of the resolved tree `root`, none without one."""
    return [] if root is None else [_row(document, origin) for origin in origins(root)]


def _row(document: Document, origin: Origin) -> Row:
    line, _ = document.position(at_value(origin.node).start)
    return Row(origin.pointer, json_data(plain(origin.node)), origin.rung, line)


def table(path: str, rows: list[Row]) -> str:
    """Return `rows` as text in columns: pointer, value, rung, and path:line."""
    cells = [(printable(row.pointer), _shown(row.value), printable(row.rung)) for row in rows]
    widths = [min(WIDEST, max(map(len, column))) for column in zip(*cells, strict=True)]
    return "".join(
        "  ".join(
            [*(text.ljust(width) for text, width in zip(cell, widths, strict=True)), f"{path}:{row.line}\n"]
        )
        for cell, row in zip(cells, rows, strict=True)
    )


WIDEST = 60
"""How wide a column of the table is made; what is longer sticks out."""


def _shown(value: Any) -> str:
    return json.dumps(value) if value is None or isinstance(value, (dict, list)) else show(value)


class Summary(NamedTuple):
    """One workflow in short: how many stages it has, its base, which stages came from there and how.

    `blocks` has the rungs other than its own that gave something to executor, reviewers or budget.
    """

    name: str
    stages: int
    base: str | None
    inherited: list[str]
    changed: list[str]
    new: list[str]
    blocks: dict[str, list[str]]


def summaries(root: Mapping) -> Iterator[Summary]:
    """Yield a summary of each workflow of the resolved tree `root`."""
    workflows = root.mapping("workflows")
    for name, pair in workflows.entries.items() if workflows is not None else ():
        if isinstance(pair.value, Mapping):
            yield _summary(str(name), pair.value, root)


def _summary(name: str, workflow: Mapping, root: Mapping) -> Summary:
    base = workflow.text("extends")
    stages = [stage for stage in workflow.items("stages") if isinstance(stage, Mapping)]
    known = {stage.text("id") for stage in _stages_of(root, base)}
    kinds: dict[str, list[str]] = {"inherited": [], "changed": [], "new": []}
    for stage in stages:
        own = stage.steps()[1] == name
        kind = "inherited" if not own else "changed" if stage.text("id") in known else "new"
        kinds[kind].append(stage.text("id") or "")
    blocks = {block: rungs for block in BLOCKS if (rungs := _rungs(name, stages, block))}
    return Summary(name, len(workflow.items("stages")), base, **kinds, blocks=blocks)


def sentence(summary: Summary) -> str:
    """Return one line of text that says what `summary` does."""
    text = f"{printable(summary.name)}: {summary.stages} {'stage' if summary.stages == 1 else 'stages'}"
    if summary.base is not None:
        kinds = (summary.inherited, "inherited"), (summary.changed, "changed"), (summary.new, "new")
        counts = listed(f"{len(ids)} {kind}" for ids, kind in kinds if ids)
        text += f", extends {printable(summary.base)}" + (f" ({counts})" if counts else "")
    givers: dict[str, list[str]] = {}
    for block, rungs in summary.blocks.items():
        for giver in rungs:
            givers.setdefault(giver, []).append(block)
    return "; ".join([text, *(f"{listed(given)} from {printable(giver)}" for giver, given in givers.items())])


def _stages_of(root: Mapping, base: str | None) -> list[Mapping]:
    workflows = root.mapping("workflows")
    workflow = workflows.mapping(base) if workflows is not None and base is not None else None
    items = workflow.items("stages") if workflow is not None else []
    return [item for item in items if isinstance(item, Mapping) and item.text("id") is not None]


def _rungs(name: str, stages: list[Mapping], block: str) -> list[str]:
    values = [value for stage in stages if (value := stage.get(block)) is not None]
    rungs = (rung(leaf, name) for value in values for leaf in walk(value) if not children(leaf))
    return [found for found in dict.fromkeys(rungs) if found != OWN]

"""What `fishhawk resolve` shows, each as text and as data, and the formats that it can be shown in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from migrate_spec import findings, resolution
from migrate_spec.compare import Difference
from migrate_spec.findings import Report
from migrate_spec.messages import show
from transforms.emit import canonical_json, json_data, yaml
from transforms.nodes import Mapping
from transforms.wording import printable


class View(NamedTuple):
    """Something to show: as text, as data, and whether its JSON is canonical."""

    text: str
    data: Any
    canonical: bool = False


def _json(view: View) -> str:
    if view.canonical:
        return canonical_json(view.data)
    return json.dumps(json_data(view.data), ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[View], str]] = {
    "text": lambda view: view.text,
    "yaml": lambda view: yaml(view.data),
    "json": _json,
}


def document(data: Any) -> View:
    """Return the view of a document: YAML as text."""
    return View(yaml(data), data, canonical=True)


def explained(report: Report, root: Mapping | None) -> View:
    """Return the view of where each value of the resolved tree `root` comes from."""
    rows = resolution.explain(report.document, root) if report.document is not None else []
    data = [
        {"pointer": row.pointer, "value": row.value, "rung": row.rung, "path": report.path, "line": row.line}
        for row in rows
    ]
    return View(resolution.table(report.path, rows), data)


def summary(report: Report, root: Mapping | None) -> View:
    """Return the view of the workflows of the resolved tree `root` in short; the findings are in its data."""
    summaries = [] if root is None else list(resolution.summaries(root))
    text = "".join(resolution.sentence(summary) + "\n" for summary in summaries)
    answer = {
        "path": report.path,
        "valid": report.valid,
        "version": report.version,
        "workflows": [summary._asdict() for summary in summaries],
        "diagnostics": [findings.as_json(report.document, finding) for finding in report.findings],
    }
    return View(text, {"schema": "fishhawk.resolve/1", "documents": [answer]})


def differences(path: str, golden: str, found: list[Difference]) -> View:
    """Return the view of what differs between `golden` and the document at `path`."""
    lines = [f"{_where(difference)}: {_what(difference)}\n" for difference in found]
    text = "".join(lines) if found else f"{path}: the same as {golden}\n"
    rows = [_as_json(difference) for difference in found]
    answer = {"path": path, "golden": golden, "same": not found, "differences": rows}
    return View(text, {"schema": "fishhawk.resolve-check/1", "documents": [answer]})


def _as_json(difference: Difference) -> dict[str, Any]:
    sides = {"expected": difference.expected, "found": difference.found}
    held = {name: side[0] for name, side in sides.items() if side}
    return {"pointer": difference.pointer, **held}


def _where(difference: Difference) -> str:
    return printable(difference.pointer) or "the whole document"


def _what(difference: Difference) -> str:
    return f"expected {_side(difference.expected)}, found {_side(difference.found)}"


def _side(value: tuple[Any, ...]) -> str:
    return "no such key or entry" if not value else "null" if value[0] is None else show(value[0])

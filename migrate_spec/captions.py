"""What stands in the boxes of a picture: a stage, who opens a gate, what an agent may do alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from migrate_spec.messages import listed
from transforms import autonomy
from transforms.delegation import KNOBS
from transforms.nodes import Mapping

Data = dict[str, Any]
Lines = tuple[str, ...]


def stage(data: Data, kept: Iterable[str]) -> Lines:
    """Return the lines of a stage: id, type, executor, and the artifacts that no other stage takes."""
    lines = (data["id"], data["type"], executor(data["executor"]), _some("hands over", kept))
    return tuple(line for line in dict.fromkeys(lines) if line)


def executor(data: Data) -> str:
    """Return in words who takes a stage."""
    if "agent" in data:
        return f"agent {data['agent']}"
    if "human" in data:
        return "human"
    delegate = data["delegate"]
    if delegate["target"] == "github_actions":
        return f"pipeline {delegate['workflow_ref']} on GitHub Actions"
    return "pipeline behind a webhook"


def gate(data: Data, roles: Data, own: Lines | None) -> Lines:
    """Return the lines of a gate: who opens it, how soon, and what its own block leaves to an agent."""
    if data["type"] != "approval":
        return ("checks pass",)
    who = _approvals(data["approvals"]) if "approvals" in data else _approvers(data["approvers"], roles)
    return (*who, *_lines("answer within", data.get("sla")), *headed("agent alone here", own or ()))


def headed(head: str, lines: Lines) -> Lines:
    """Return `lines` under a heading, on one line if there is only one of them."""
    return (f"{head}:", *lines) if len(lines) > 1 else tuple(f"{head}: {line}" for line in lines)


def _approvals(data: Data) -> Iterator[str]:
    count = data["count"]
    yield f"approval by {count} {'person' if count == 1 else 'people'}"
    yield from qualities(data)


def qualities(data: Data) -> Iterator[str]:
    """Yield what is asked of approvers beyond their number, a line each."""
    yield from _lines("member of", data.get("member_of"))
    if "min_permission" in data:
        yield f"permission {data['min_permission']} or more"
    yield from _lines("one of", listed(data.get("members", ())))
    yield from _lines("not the", " or ".join(data.get("not", ())))


def _approvers(data: Data, roles: Data) -> Iterator[str]:
    ((form, names),) = data.items()
    yield f"approval by {'one' if form == 'any_of' else 'each'} of"
    for name in names:
        yield f"{name}: {listed(roles[name]['members'])}" if name in roles else name


def alone(holder: Mapping) -> Lines | None:
    """Return what the block of a workflow or gate leaves to the operator agent, None without a block."""
    old = holder.mapping("operator_agent")
    if old is not None:
        auto = {knob.action: knob.condition for name, knob in KNOBS.items() if name in old.entries}
        return _settings(auto, ())
    block = autonomy.matrix(holder)
    if block is None:
        return None
    auto = {name: entry.when or "" for name, entry in block.classes.items() if entry.mode == "auto"}
    return _settings(auto, [name for name, entry in block.classes.items() if entry.mode == "report"])


def _settings(auto: dict[str, str], proposed: Iterable[str]) -> Lines:
    lines = [f"{name} if {condition}" for name, condition in auto.items()] or ["nothing"]
    return (*lines, *_lines("proposes", listed(proposed)))


def escalation(data: Data) -> Lines:
    """Return the lines of an escalation: what it matches and what it demands."""
    match = [f"{criterion}: {listed(entries)}" for criterion, entries in data["match"].items()]
    require = data["require"]
    approvals = require.get("approvals", {})
    demands = [
        *_lines("approvals:", approvals.get("count")),
        *qualities(approvals),
        *_lines("autonomy at most", require.get("max_autonomy")),
        *_lines("reviewed by", listed(require.get("reviewers", ()))),
    ]
    return ("if " + " and ".join(match), "then", *demands)


def _lines(label: str, value: Any) -> list[str]:
    return [f"{label} {value}"] if value else []


def _some(label: str, values: Iterable[str]) -> str:
    return "".join(_lines(label, listed(values)))

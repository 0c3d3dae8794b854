"""What stands in the way of reuse: repeated stage ids, unknown bases, cycles (`resolution.md` 4 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.finding import Finding, Related, at_value, error
from transforms.nodes import Mapping, Node
from transforms.wording import plainly, printable, show, suggestion


def named(workflows: Mapping) -> Iterator[tuple[str, Mapping]]:
    """Yield the workflows that are mappings under a name that is a string."""
    for name, pair in workflows.entries.items():
        if isinstance(name, str) and isinstance(pair.value, Mapping):
            yield name, pair.value


def repeated_ids(workflow: str, node: Mapping) -> Iterator[Finding]:
    """Yield a finding for each stage in the own list of a workflow whose id stands there already."""
    seen: dict[str, tuple[int, Node]] = {}
    for at, stage in enumerate(node.items("stages")):
        name = stage.text("id") if isinstance(stage, Mapping) else None
        if name is None:
            continue
        assert isinstance(stage, Mapping)
        written = stage.entries["id"].value
        first, other = seen.setdefault(name, (at, written))
        if other is not written:
            yield error(
                "stage-id-duplicate",
                written.pointer,
                at_value(written),
                f"the stages {first} and {at} of {plainly(workflow)} both have the id {show(name)}",
                "give one of them another id",
                [Related(other.start, other.end, "it stands here first")],
            )


def order(workflows: Mapping) -> tuple[list[str], Finding | None]:
    """Return the names of the workflows, each behind its base, or the finding that forbids an order."""
    done: dict[str, None] = {}
    for name in sorted(name for name in workflows.entries if isinstance(name, str)):
        path: dict[str, Node | None] = {}
        step: str | None = name
        while step is not None and step not in done:
            if step in path:
                return [], _cycle(step, path)
            path[step], base = _extends(workflows.mapping(step))
            if base is not None and base not in workflows.entries:
                return [], _unknown(step, path[step], base, workflows)
            step = base
        done.update(dict.fromkeys(reversed(path)))
    return list(done), None


def _extends(workflow: Mapping | None) -> tuple[Node | None, str | None]:
    """Return the `extends` of a workflow as it is written, and the name there if it is a string."""
    return (None, None) if workflow is None else (workflow.get("extends"), workflow.text("extends"))


def _unknown(workflow: str, written: Node | None, base: str, workflows: Mapping) -> Finding:
    assert written is not None
    names = sorted(printable(name) for name in _fit_to_extend(workflow, workflows))
    message = f"{plainly(workflow)} extends {show(base)}, which is no workflow of this file"
    hint = suggestion(base, names) if names else "leave it out: no other workflow can be the base"
    return error("extends-unknown-workflow", written.pointer, at_value(written), message, hint)


def _fit_to_extend(workflow: str, workflows: Mapping) -> Iterator[str]:
    """Yield the workflows that `workflow` can extend: not itself, and none that has it for a base."""
    derivers: dict[str | None, list[str]] = {}
    names = [name for name in workflows.entries if isinstance(name, str)]
    for name in names:
        derivers.setdefault(_extends(workflows.mapping(name))[1], []).append(name)
    unfit, waiting = {workflow}, [workflow]
    while waiting:
        found = derivers.pop(waiting.pop(), [])
        unfit.update(found)
        waiting += found
    return (name for name in names if name not in unfit)


_NAMES = 100
"""How many members of a cycle a message names; `related` has all of them, each in its place."""


def _cycle(workflow: str, path: dict[str, Node | None]) -> Finding:
    names = list(path)
    loop = [
        (plainly(name), node) for name in names[names.index(workflow) :] if (node := path[name]) is not None
    ]
    shown = [name for name, _ in loop[:_NAMES]]
    if len(loop) > _NAMES:
        shown.append(f"{len(loop) - _NAMES:,} more")
    message = f"{shown[0]} extends itself, in the end: {', '.join([*shown, shown[0]])}"
    others = [Related(node.start, node.end, f"{name} extends its base here") for name, node in loop[1:]]
    written, hint = loop[0][1], "let one of them stand without extends"
    return error("extends-cycle", written.pointer, at_value(written), message, hint, others)

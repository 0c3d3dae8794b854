"""`defaults` and `extends` over Nodes (`resolution.md` 4 and 6), so that the author's place comes along."""

from __future__ import annotations

from typing import NamedTuple

from transforms.chains import named, order, repeated_ids
from transforms.extent import Extent
from transforms.finding import Finding
from transforms.merge import Entries, blocks, combine, fold_over, fold_under, override
from transforms.nodes import Mapping, Node, Pair, Scalar, Sequence


class Resolved(NamedTuple):
    """The tree with reuse resolved, and what stood in the way."""

    root: Mapping
    findings: list[Finding]


def resolve(root: Mapping) -> Resolved:
    """Return `root` with `defaults` and `extends` worked into its stages, both keys still in place.

    With findings the tree is as it was: repeated stage ids, all of them, or else the first base that
    is unknown or never ends, or else the workflow that makes the document too large. Shapes that make
    no sense are left as they are written.
    """
    workflows = root.mapping("workflows")
    if workflows is None:
        return Resolved(root, [])
    found = [finding for name, node in named(workflows) for finding in repeated_ids(name, node)]
    if found:
        return Resolved(root, found)
    names, problem = order(workflows)
    if problem is not None:
        return Resolved(root, [problem])
    return _replaced(root, workflows, names)


class _Stages(NamedTuple):
    """The resolved stages of a workflow: the list as written (None if nobody wrote one), its items,
    and where in them each id stands."""

    written: Sequence | None
    items: list[Node]
    at: dict[str, int]


_NONE = _Stages(None, [], {})


def _replaced(root: Mapping, workflows: Mapping, names: list[str]) -> Resolved:
    file = blocks(root.get("defaults"))
    entries = dict(workflows.entries)
    done: dict[str, _Stages] = {}
    extent = Extent(root)
    for name in names:
        key, node = entries[name]
        if isinstance(node, Mapping):
            base = node.text("extends")
            found = _stages(node, file, None if base is None else done.get(base, _NONE))
            if found is not None:
                done[name] = found
                if base is not None and not extent.takes(found.items):
                    return Resolved(root, [extent.exceeded(name, node)])
                written = _nowhere(node) if found.written is None else found.written.like(found.items)
                entries[name] = Pair(key, _with_stages(node, written))
    return Resolved(_with_workflows(root, workflows.like(entries)), [])


def _stages(workflow: Mapping, file: Entries, base: _Stages | None) -> _Stages | None:
    """Return the stages of a workflow, those of its base first; None where nothing can be resolved."""
    stages = workflow.get("stages")
    own = blocks(workflow.get("defaults"))
    if isinstance(stages, Sequence):
        found = _inherited(base or _NONE, own)._replace(written=stages)
        _add(found, stages.items, combine(file, own))
        return found
    return _inherited(base, own) if stages is None and base is not None else None


def _inherited(base: _Stages, defaults: Entries) -> _Stages:
    items = list(base.items)
    if defaults:
        items = [fold_over(item, defaults) if isinstance(item, Mapping) else item for item in items]
    return _Stages(base.written, items, dict(base.at))


def _add(found: _Stages, own: list[Node], defaults: Entries) -> None:
    """Work a workflow's own stages into `found`, the inherited ones: by id in place, others behind."""
    items, at = found.items, found.at
    for stage in own:
        name = stage.text("id") if isinstance(stage, Mapping) else None
        if name in at:
            base = items[at[name]]
            assert isinstance(base, Mapping)
            assert isinstance(stage, Mapping)
            items[at[name]] = override(base, stage)
            continue
        if name is not None:
            at[name] = len(items)
        items.append(fold_under(stage, defaults) if isinstance(stage, Mapping) else stage)


def _with_workflows(root: Mapping, workflows: Mapping) -> Mapping:
    return root.like({**root.entries, "workflows": Pair(root.entries["workflows"].key, workflows)})


def _with_stages(workflow: Mapping, stages: Sequence) -> Mapping:
    pair = workflow.entries.get("stages")
    start = stages.start
    key = Scalar(start, start, start, None, "stages", "stages") if pair is None else pair.key
    return workflow.like({**workflow.entries, "stages": Pair(key, stages)})


def _nowhere(workflow: Mapping) -> Sequence:
    """Return the empty list of a workflow that neither writes nor inherits one: its place is the workflow."""
    empty = Sequence(workflow.start, workflow.start, workflow.start)
    empty.parent, empty.step, empty.alias = workflow.parent, workflow.step, workflow.alias
    return empty


def shared_once(root: Mapping) -> Mapping:
    """Return a resolved tree in which a stage that several workflows share as it is stands in one alone.

    What is wrong with such a stage by itself need not be found again in every link of a long chain.
    A list that would be left empty keeps one.
    """
    workflows = root.mapping("workflows")
    if workflows is None or not any("extends" in node.entries for _, node in named(workflows)):
        return root
    seen: set[int] = set()
    entries = dict(workflows.entries)
    for name, node in named(workflows):
        stages = node.get("stages")
        if isinstance(stages, Sequence):
            kept = [stage for stage in stages.items if id(stage) not in seen]
            seen.update(map(id, kept))
            once = stages.like(kept or stages.items[:1])
            entries[name] = Pair(entries[name].key, _with_stages(node, once))
    return _with_workflows(root, workflows.like(entries))

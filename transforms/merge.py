"""How two rungs of reuse become one block (`resolution.md` 5).

Everywhere `under` is the weaker side and `over` the stronger one. A merged mapping stands where the
stronger side is written; its values keep their own places.
"""

from __future__ import annotations

from collections.abc import Callable

from transforms.nodes import Mapping, Node, Pair, Scalar
from transforms.pointer import Foreign

Entries = dict[str | Foreign, Pair]

BLOCKS = ("executor", "reviewers", "budget")
"""What a `defaults` block can supply, in the order in which inherited blocks are listed."""

BRANCHES = ("agent", "human", "delegate")
_SOURCES = ("image", "dockerfile", "context")


def is_null(node: Node) -> bool:
    """Tell whether `node` is written and empty, or spelled null."""
    return isinstance(node, Scalar) and node.value is None


def merge(under: Node, over: Node) -> Node:
    """Return two mappings joined key by key, anything else as `over` has it (`resolution.md` 5.1)."""
    if not isinstance(under, Mapping) or not isinstance(over, Mapping):
        return over
    entries = dict(over.entries)
    for name, pair in under.entries.items():
        mine = entries.get(name)
        entries[name] = pair if mine is None else Pair(mine.key, merge(pair.value, mine.value))
    return over.like(entries)


def branch(executor: Mapping) -> str | None:
    """Return which of the branches of an executor `executor` names first, None when it names none."""
    return next((name for name in BRANCHES if name in executor.entries), None)


def merge_executor(under: Node, over: Node, keep: Node) -> Node:
    """Return two executors merged, or `keep`, one of them, where their branches do not mix (5.3)."""
    if not isinstance(under, Mapping) or not isinstance(over, Mapping):
        return over
    weaker, stronger = branch(under), branch(over)
    if weaker and stronger and weaker != stronger:
        return keep
    kept = stronger if keep is over else weaker
    if kept in ("human", "delegate") and {*under.entries, *over.entries} != {kept}:
        return keep
    return merge(under, over)


def merge_container(under: Node, over: Node) -> Node:
    """Return two gate containers merged, never with the sources of both (5.5)."""
    if (
        isinstance(under, Mapping)
        and isinstance(over, Mapping)
        and any(name in over.entries for name in _SOURCES)
    ):
        under = under.like({name: pair for name, pair in under.entries.items() if name not in _SOURCES})
    return merge(under, over)


def blocks(defaults: Node | None) -> Entries:
    """Return the blocks that a `defaults` value supplies, none unless it is a mapping."""
    if not isinstance(defaults, Mapping):
        return {}
    return {name: defaults.entries[name] for name in BLOCKS if name in defaults.entries}


def combine(file: Entries, workflow: Entries) -> Entries:
    """Return the effective defaults of a workflow out of those of both rungs (5.6)."""
    combined = {**file, **workflow}
    for name in file.keys() & workflow.keys():
        under, over = file[name].value, workflow[name].value
        if name == "executor":
            over = merge_executor(under, over, over)
        elif name == "budget":
            over = merge(under, over)
        combined[name] = Pair(workflow[name].key, over)
    return combined


def fold_under(stage: Mapping, defaults: Entries) -> Mapping:
    """Return `stage` with `defaults` filling what it leaves open (5.7)."""
    return _fold(stage, defaults, _UNDER)


def fold_over(stage: Mapping, defaults: Entries) -> Mapping:
    """Return `stage` with `defaults` prevailing over what it says (5.7)."""
    return _fold(stage, defaults, _OVER)


Fold = Callable[[Node, Node], Node]
"""Takes a stage's block and a default's block, gives the block that results."""

_UNDER: dict[str, Fold] = {
    "executor": lambda mine, given: merge_executor(given, mine, mine),
    "reviewers": lambda mine, given: mine,
    "budget": lambda mine, given: merge(given, mine),
}
_OVER: dict[str, Fold] = {
    "executor": lambda mine, given: merge_executor(mine, given, mine),
    "reviewers": lambda mine, given: given,
    "budget": lambda mine, given: merge(mine, given),
}


def _fold(stage: Mapping, defaults: Entries, folds: dict[str, Fold]) -> Mapping:
    changed: Entries = {}
    for name, fold in folds.items():
        given, mine = defaults.get(name), stage.entries.get(name)
        if given is None or is_null(given.value):
            continue
        if mine is None:
            changed[name] = given
        elif not is_null(mine.value):
            changed[name] = Pair(mine.key, fold(mine.value, given.value))
    return stage.like({**stage.entries, **changed}) if changed else stage


_OVERRIDES: dict[str | Foreign, Fold] = {
    "executor": lambda under, over: merge_executor(under, over, over),
    "gate_container": merge_container,
    **dict.fromkeys(("constraints", "budget", "egress", "permissions", "concurrency"), merge),
}


def override(base: Mapping, own: Mapping) -> Mapping:
    """Return the inherited stage `base` as the stage `own` of a deriving workflow changes it (5.8).

    Keys stand as in the base, then those that only `own` has; blocks that `own` leaves out come last.
    """
    inherited = [name for name in BLOCKS if name in base.entries and name not in own.entries]
    entries: Entries = {name: pair for name, pair in base.entries.items() if name not in inherited}
    for name, pair in own.entries.items():
        under, fold = entries.get(name), _OVERRIDES.get(name)
        entries[name] = (
            pair if under is None or fold is None else Pair(pair.key, fold(under.value, pair.value))
        )
    entries.update((name, base.entries[name]) for name in inherited)
    return own.like(entries)

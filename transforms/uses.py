"""Uses of an anchored value: each has nodes, and so pointers, of its own."""

from __future__ import annotations

from transforms.nodes import Alias, Mapping, Node, Pair, Scalar, Sequence


def adopt(node: Mapping, source: Mapping, alias: Alias | None) -> None:
    """Copy into `node` the entries of `source` that it does not write itself."""
    for name, pair in source.entries.items():
        if name in node.entries:
            continue
        pair.value.parent = node
        pair.value.via = alias or pair.value.via
        node.entries[name] = pair


def use(node: Node) -> Node:
    """Return a copy of `node` and all below it: each use of an alias has pointers of its own."""
    if isinstance(node, Scalar):
        return node.copy()
    if isinstance(node, Sequence):
        copy = Sequence(node.outer, node.start, node.end, node.anchor, node.flow)
        for item in node.items:
            copy.items.append(_child(copy, item))
        return copy
    assert isinstance(node, Mapping)
    twin = Mapping(node.outer, node.start, node.end, node.anchor, node.flow)
    twin.written = node.written
    for name, pair in node.entries.items():
        twin.entries[name] = Pair(pair.key, _child(twin, pair.value))
    return twin


def _child(parent: Mapping | Sequence, node: Node) -> Node:
    copy = use(node)
    copy.parent = parent
    copy.step = node.step
    copy.alias = node.alias
    copy.via = node.via
    return copy

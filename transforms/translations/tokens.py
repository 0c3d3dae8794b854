"""Single tokens: the version, renamed keys, minutes, and the roles that go."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.cuts import cut_pairs
from transforms.edits import Edit
from transforms.layout import Layout
from transforms.nodes import Mapping, Pair, Scalar
from transforms.proposals import Proposal, beside, inside, rename, retoken, tag


def version(layout: Layout, root: Mapping) -> Iterator[Proposal]:
    """`version: "1.x"` becomes `version: "2"`; quotes and tag stay (M1)."""
    node = root.entries["version"].value
    assert isinstance(node, Scalar)
    edit = retoken(layout.text, node, "2", "version")
    yield Proposal(edit if node.style else edit._replace(new="2"), node)


def roles(layout: Layout, root: Mapping) -> Iterator[Proposal]:
    """The `roles` map goes as a whole (M11)."""
    return inside(root, cut_pairs(layout, root, {"roles"}, "roles"))


def drive(layout: Layout, workflow: Mapping) -> Iterator[Proposal]:
    """`drive` becomes `auto_advance`."""
    pair = workflow.entries.get("drive")
    if pair is not None:
        yield rename(layout.text, pair, "auto_advance", "drive")


def minutes(layout: Layout, stage: Mapping) -> Iterator[Proposal]:
    """`max_runtime_minutes: N` becomes `max_runtime: Nm` (M3)."""
    budget = stage.mapping("budget")
    pair = budget.entries.get("max_runtime_minutes") if budget is not None else None
    if pair is not None:
        yield rename(layout.text, pair, "max_runtime", "minutes")
        yield Proposal(_duration(layout, pair), pair.value)


def _duration(layout: Layout, pair: Pair) -> Edit:
    node = pair.value
    assert isinstance(node, Scalar)
    new = beside(layout.text, pair, f"{int(node.value)}m")
    found = tag(layout.text, node)
    return Edit(found.start() if found else node.start, node.end, new, "minutes")

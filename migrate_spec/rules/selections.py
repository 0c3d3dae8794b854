"""What conventions and personas share: both are declared at the top of a file and selected by stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from migrate_spec.messages import show, suggestion
from migrate_spec.rules.spec import Flaw, Spec, Stage, Workflow, named, scalar, texts
from transforms import paths
from transforms.nodes import Mapping, Node

REVIEWED = ("plan", "implement")
"""The types of the stages that agents review."""


class Family(NamedTuple):
    """The names of a family: the map that declares it, the list that selects from it, what one is called."""

    map: str
    list: str
    one: str


class Entry(NamedTuple):
    """One declared convention or persona, and whether a stage selects it."""

    family: Family
    name: str
    node: Mapping
    used: bool

    @property
    def workflow(self) -> None:
        """None: it belongs to no workflow."""
        return None


class Selection(NamedTuple):
    """What one stage selects from a family."""

    stage: Stage
    family: Family
    node: Node
    declared: dict[str, None]

    @property
    def workflow(self) -> Workflow:
        """The workflow of the stage."""
        return self.stage.workflow


def entries(spec: Spec, family: Family, used: set[str]) -> Iterator[Entry]:
    """Yield what is declared; names in `used` are in use beside those that stages select."""
    selected = {node.text for item in selections(spec, family) for node in texts(item.node)}
    for name, node in named(spec.root.get(family.map)):
        yield Entry(family, name, node, name in selected or name in used)


def selections(spec: Spec, family: Family) -> Iterator[Selection]:
    """Yield what all stages select."""
    declared = dict.fromkeys(name for name, _ in named(spec.root.get(family.map)))
    for stage in spec.stages:
        node = stage.reviewers.get(family.list) if stage.reviewers is not None else None
        if node is not None:
            yield Selection(stage, family, node, declared)


def bad_path(entry: Entry, holder: Node | None, key: str) -> Iterator[Flaw]:
    """Yield the path under `key` if it is not canonical."""
    node = scalar(holder, key)
    defect = paths.defect(node.text) if node is not None else None
    if node is not None and defect is not None:
        owner = f"{entry.family.one} {show(entry.name)}"
        message = f"the {key} {show(node.text)} of {owner} is no path of the repository: {defect}"
        yield Flaw(
            node,
            message,
            "write it relative to the repository and as it is spelled there, such as docs/api.md",
        )


def wrong_stage(selection: Selection) -> Iterator[Flaw]:
    """Yield the selection if no agents review a stage of that type."""
    stage, one = selection.stage, selection.family.one
    if stage.type not in REVIEWED:
        message = f"{stage} is of type {stage.type}; {one}s are for {' and '.join(REVIEWED)} stages"
        yield Flaw(selection.node, message, "remove the list, or give the stage a reviewers block of its own")


def unknown(selection: Selection) -> Iterator[Flaw]:
    """Yield the selected names that are not declared."""
    family, declared = selection.family, selection.declared
    for node in texts(selection.node):
        if node.text not in declared:
            message = f"{selection.stage} selects the {family.one} {show(node.text)}, which {family.map} does not declare"
            yield Flaw(
                node, message, suggestion(node.text, declared) if declared else f"declare it in {family.map}"
            )


def no_agents(selection: Selection, remark: str = "") -> Iterator[Flaw]:
    """Yield the selection if the stage has no agent reviewers; `remark` is added to the message."""
    if not selection.stage.has_agents:
        message = f"{selection.stage} selects {selection.family.one}s and has no agent reviewers{remark}"
        yield Flaw(
            selection.node, message, "add agents: [{provider: …}] to its reviewers, or remove the list"
        )

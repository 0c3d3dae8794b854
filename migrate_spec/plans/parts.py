"""Rules about the slices of a decomposition and the phases of a split (`plan-rules.md`, Meaning and Advisories)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from migrate_spec.plans.json_text import Path
from migrate_spec.plans.ordering import unplaced
from migrate_spec.plans.remarks import Plan, Remark
from transforms.wording import listed, show

NAMED = 20
"""How many titles a message names at most."""


class Parts(NamedTuple):
    """The slices or the phases of a plan: where they stand, what they are called, the parts."""

    path: Path
    noun: str
    plural: str
    items: list[dict[str, Any]]


def _slices(plan: Plan) -> Parts:
    return Parts(("decomposition", "sub_plans"), "slice", "slices", plan.slices)


def _phases(plan: Plan) -> Parts:
    return Parts(("split_proposal", "phases"), "phase", "phases", plan.phases)


def subplan_title_duplicate(plan: Plan) -> Iterator[Remark]:
    """A slice has the title of an earlier one.

    Passes:
        {"decomposition": {"sub_plans": [{"title": "Store"}, {"title": "Pages"}]}}
    Fails:
        {"decomposition": {"sub_plans": [{"title": "Store"}, {"title": "Store"}]}}
    """
    return _same_titles(_slices(plan))


def phase_title_duplicate(plan: Plan) -> Iterator[Remark]:
    """A phase has the title of an earlier one.

    Passes:
        {"split_proposal": {"phases": [{"title": "Expand"}, {"title": "Contract"}]}}
    Fails:
        {"split_proposal": {"phases": [{"title": "Expand"}, {"title": "Expand"}]}}
    """
    return _same_titles(_phases(plan))


def _same_titles(parts: Parts) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for at, part in enumerate(parts.items):
        first = seen.setdefault(part["title"], at)
        if first != at:
            message = f"{parts.noun} {at} has the title {show(part['title'])} of {parts.noun} {first}"
            before = ((*parts.path, first, "title"), "it stands here first")
            hint = "give one of them another title"
            yield Remark((*parts.path, at, "title"), message, hint, related=(before,))


def subplan_scope_missing(plan: Plan) -> Iterator[Remark]:
    """A slice does not list the files that it touches.

    Passes:
        {"decomposition": {"sub_plans": [{"title": "Store", "scope": {"files": [{"path": "store.go"}]}}]}}
    Fails:
        {"decomposition": {"sub_plans": [{"title": "Store"}]}}
    """
    parts = _slices(plan)
    for at, part in enumerate(parts.items):
        if "scope" not in part:
            message = f"slice {at} ({show(part['title'])}) has no scope"
            hint = 'add "scope": {"files": […]} with the files of this slice alone'
            yield Remark((*parts.path, at), message, hint, (), "holder")


def subplan_file_shared(plan: Plan) -> Iterator[Remark]:
    """A slice lists a file that an earlier slice lists, so the two cannot run apart.

    Passes:
        {"decomposition": {"sub_plans": [{"title": "A", "scope": {"files": [{"path": "a.go"}, {"path": "a.go"}]}}]}}
    Fails:
        {"decomposition": {"sub_plans": [{"title": "A", "scope": {"files": [{"path": "a.go"}]}}, {"title": "B", "scope": {"files": [{"path": "a.go"}]}}]}}
    """
    parts = _slices(plan)
    mentions = _mentions(parts.items)
    for path, places in mentions.items():
        names = _titles(parts, [at for at, _ in places]) if len(places) > 1 else ""
        first = (*parts.path, places[0][0], "scope", "files", places[0][1], "path")
        for at, file in places[1:]:
            yield Remark(
                (*parts.path, at, "scope", "files", file, "path"),
                f"the file {show(path)} is listed by the slices {names}",
                "leave it to one of the slices",
                related=((first, "an earlier slice lists it here"),),
            )


def _mentions(slices: list[dict[str, Any]]) -> dict[str, list[tuple[int, int]]]:
    """Return for each path the slices that list it, each with its first mention there."""
    found: dict[str, dict[int, int]] = {}
    for at, part in enumerate(slices):
        for file, entry in enumerate(part.get("scope", {}).get("files", ())):
            found.setdefault(entry["path"], {}).setdefault(at, file)
    return {path: list(places.items()) for path, places in found.items()}


def _titles(parts: Parts, positions: list[int]) -> str:
    named = listed(show(parts.items[at]["title"]) for at in positions[:NAMED])
    more = len(positions) - NAMED
    return f"{named} and {more} more" if more > 0 else named


def depends_on_out_of_range(plan: Plan) -> Iterator[Remark]:
    """A slice or phase waits for a position that the list does not have; positions count from 0.

    Passes:
        {"split_proposal": {"phases": [{"title": "Expand"}, {"title": "Contract", "depends_on": [0]}]}}
    Fails:
        {"split_proposal": {"phases": [{"title": "Expand"}, {"title": "Contract", "depends_on": [2]}]}}
    """
    for parts in (_slices(plan), _phases(plan)):
        count = len(parts.items)
        for at, position, other in _edges(parts.items):
            if other >= count:
                yield Remark(
                    (*parts.path, at, "depends_on", position),
                    f"{parts.noun} {at} ({show(parts.items[at]['title'])}) depends on {show(other)}, "
                    f"but there are {count} {parts.plural}",
                    f"write a position from 0 to {count - 1}",
                )


def depends_on_self(plan: Plan) -> Iterator[Remark]:
    """A slice or phase waits for itself.

    Passes:
        {"decomposition": {"sub_plans": [{"title": "Store"}, {"title": "Pages", "depends_on": [0, 0]}]}}
    Fails:
        {"decomposition": {"sub_plans": [{"title": "Store", "depends_on": [0]}, {"title": "Pages"}]}}
    """
    for parts in (_slices(plan), _phases(plan)):
        for at, position, other in _edges(parts.items):
            if other == at:
                message = f"{parts.noun} {at} ({show(parts.items[at]['title'])}) depends on itself"
                hint = "remove the entry; positions count from 0"
                yield Remark((*parts.path, at, "depends_on", position), message, hint)


def depends_on_cycle(plan: Plan) -> Iterator[Remark]:
    """Slices or phases wait for each other in a ring, so they cannot be put in order.

    Only edges that lead to another part of the list count.

    Passes:
        {"split_proposal": {"phases": [{"title": "A", "depends_on": [1]}, {"title": "B"}]}}
    Fails:
        {"split_proposal": {"phases": [{"title": "A", "depends_on": [1]}, {"title": "B", "depends_on": [0]}]}}
    """
    for parts in (_slices(plan), _phases(plan)):
        count = len(parts.items)
        stuck = unplaced(count, [(at, o) for at, _, o in _edges(parts.items) if o < count and o != at])
        if stuck:
            numbers = ", ".join(map(str, stuck))
            message = f"the {parts.plural} {numbers} cannot be put in order: they wait in a ring, or for one"
            yield Remark(parts.path, message, "remove one depends_on entry of the ring")


def _edges(items: list[dict[str, Any]]) -> Iterator[tuple[int, int, int]]:
    """Yield each dependency: the part, the place in its list, the part it waits for."""
    for at, part in enumerate(items):
        for position, other in enumerate(part.get("depends_on", ())):
            yield at, position, other


def subplan_runtime_sum_low(plan: Plan) -> Iterator[Remark]:
    """The minutes of the slices add up to less than those of the plan.

    Passes:
        {"predicted_runtime_minutes": 30, "decomposition": {"sub_plans": [{"predicted_runtime_minutes": 30}]}}
    Fails:
        {"predicted_runtime_minutes": 31, "decomposition": {"sub_plans": [{"predicted_runtime_minutes": 30}]}}
    """
    total = sum(part["predicted_runtime_minutes"] for part in plan.slices)
    whole = plan.data["predicted_runtime_minutes"]
    if plan.slices and total < whole:
        message = f"the slices add up to {show(total)} minutes, the plan to {show(whole)}"
        hint = "check the estimates: cutting work up seldom makes it shorter"
        yield Remark(("decomposition", "sub_plans"), message, hint)


def subplans_no_depends_on(plan: Plan) -> Iterator[Remark]:
    """No slice waits for another, so all of them would start at once.

    Passes:
        {"decomposition": {"sub_plans": [{"title": "A"}, {"title": "B", "depends_on": [0]}]}}
    Fails:
        {"decomposition": {"sub_plans": [{"title": "A"}, {"title": "B", "depends_on": []}]}}
    """
    if plan.slices and not any(part.get("depends_on") for part in plan.slices):
        message = "no slice depends on another, so all of them would start at once"
        hint = "if one needs the work of another, name its position in depends_on"
        yield Remark(("decomposition", "sub_plans"), message, hint)

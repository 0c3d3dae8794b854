"""Rules about schedules of workflows."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from migrate_spec.messages import listed, nearest, show
from migrate_spec.rules.spec import Flaw, Spec, Workflow, scalar, texts
from transforms import cron
from transforms.nodes import Mapping


class Schedule(NamedTuple):
    """The schedule of one workflow."""

    workflow: Workflow
    node: Mapping

    def __str__(self) -> str:
        """Name the schedule in a message."""
        return f"the schedule of {self.workflow}"


def schedules(spec: Spec) -> Iterator[Schedule]:
    """Yield the schedules of all workflows."""
    for workflow in spec.workflows:
        node = workflow.node.mapping("schedule")
        if node is not None:
            yield Schedule(workflow, node)


def schedule_requires_scheduled_trigger(schedule: Schedule) -> Iterator[Flaw]:
    """A workflow has a schedule and does not accept scheduled runs.

    Its own `applies_to.trigger` has to list `scheduled`; `applies_to` is not inherited.

    Passes:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 3 * * 1"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            schedule: {cron: "0 3 * * 1"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]
    """
    applies_to = schedule.workflow.node.mapping("applies_to")
    triggers = [node.text for node in texts(applies_to.get("trigger") if applies_to is not None else None)]
    if "scheduled" not in triggers:
        wanted = listed([*dict.fromkeys(triggers), "scheduled"])
        message = f"{schedule.workflow} has a schedule, and its applies_to does not accept scheduled runs"
        yield Flaw(schedule.node, message, f"write applies_to: {{trigger: [{wanted}]}}")


def schedule_cron_invalid(schedule: Schedule) -> Iterator[Flaw]:
    """A cron expression is malformed.

    Five fields with blanks between them: minute 0-59, hour 0-23, day-of-month 1-31, month 1-12 and
    day-of-week 0-7, where 0 and 7 are Sunday. A field is a list of `*`, `N`, `A-B`, `*/S` and `A-B/S`
    with commas between them. There are no names, macros or other signs.

    Passes:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "*/15 6-20/2 * * 1-5"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 3 * * MON"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]
    """
    node = scalar(schedule.node, "cron")
    defect = cron.defect(node.text) if node is not None else None
    if node is None or defect is None:
        return
    if defect.field is None:
        message = f"the cron expression {show(defect.item)} is malformed: {defect.reason}"
        yield Flaw(node, message, "write minute hour day-of-month month day-of-week, such as 0 3 * * 1")
        return
    field = defect.field
    message = f"the {field.name} {show(defect.item)} of the cron expression is malformed: {defect.reason}"
    hint = f"write *, a number from {field.least} to {field.greatest}, a range, or a step such as */{field.least + 2}"
    yield Flaw(node, message, hint)


@functools.cache
def zones() -> frozenset[str]:
    """Return the names of the IANA database that comes with the program, links included."""
    import tzdata

    assert tzdata.__file__ is not None
    listing = Path(tzdata.__file__).with_name("zones").read_text(encoding="utf-8")
    return frozenset(listing.split())


def schedule_timezone_unknown(schedule: Schedule) -> Iterator[Flaw]:
    """A time zone is not known.

    It is a name of the IANA database, spelled as there. The answer is the same on every host: the
    database comes with the program. Without a zone a schedule is in UTC.

    Passes:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 3 * * 1", timezone: Europe/Lisbon}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 3 * * 1", timezone: Lisbon}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]
    """
    node = scalar(schedule.node, "timezone")
    if node is not None and node.text not in zones():
        close = _meant(node.text)
        meant = (
            f'did you mean "{close}"?' if close else "write a name such as Europe/Lisbon or America/Chicago."
        )
        yield Flaw(
            node, f"{show(node.text)} is no zone of the IANA database", meant + " Without a zone it is UTC"
        )


def _meant(name: str) -> str | None:
    city = name.casefold().replace(" ", "_")
    same = sorted(zone for zone in zones() if zone.casefold().endswith("/" + city))
    alike = sorted(zone for zone in zones() if zone[:1].casefold() == name[:1].casefold())
    return same[0] if same else nearest(name, alike)


def schedule_never_fires(schedule: Schedule) -> Iterator[Flaw]:
    """A cron expression is well formed and no date matches it.

    When a day field begins with `*`, both day fields have to match, and no month that is listed has a
    day that is listed. February counts with 29 days.

    Passes:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 0 29 2 *"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]

    Fails:

        version: "2"
        workflows:
          upkeep:
            applies_to: {trigger: [scheduled]}
            schedule: {cron: "0 0 30 2 *"}
            stages: [{id: scan, type: plan, executor: {agent: codex}}]
    """
    node = scalar(schedule.node, "cron")
    if node is not None and cron.never_fires(node.text):
        days, months = node.text.split()[2:4]
        message = f"{schedule} never fires: no month in {show(months)} has a day in {show(days)} ({show(node.text)})"
        yield Flaw(node, message, "take a day that a listed month has, or list a longer month")

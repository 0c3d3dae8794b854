"""What rules say about a plan, and how it becomes findings at the author's text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from migrate_spec.plans.json_text import Path, Span, Spot, first_key, locate
from transforms.document import Document
from transforms.finding import Finding, Place, Related, Severity, error
from transforms.pointer import dump
from transforms.wording import printable

LONGEST = 2_000
"""How many characters of an author's text an advisory quotes: as many as the longest bounded text has."""

Mark = Literal["value", "key", "holder"]
"""What is marked: a value, its key, or for what lacks something the key that holds it."""


class Remark(NamedTuple):
    """One thing that a rule has to say: the path it is reported at, the words, the text meant.

    `near` leads from `path` to what is marked; `related` holds other paths and what stands there.
    """

    path: Path
    message: str
    hint: str | None = None
    near: Path = ()
    mark: Mark = "value"
    related: tuple[tuple[Path, str], ...] = ()


class Limits(NamedTuple):
    """What a plan does not hold: the file cap and the budget of its implement stage, and the hint.

    A cap below 1 or None is unknown, a budget of None is; `calibration_hint` tells whether the
    author was shown a runtime correction factor.
    """

    max_files_changed: int | None = None
    budget_minutes: int | None = None
    calibration_hint: bool = False

    @property
    def cap(self) -> int | None:
        """The file cap, None when it is unknown."""
        return self.max_files_changed if (self.max_files_changed or 0) >= 1 else None


UNKNOWN = Limits()
"""The limits of a check that knows nothing beyond the plan."""


class Plan(NamedTuple):
    """A plan whose shape holds, as data, and the limits it is judged by: what every rule looks at."""

    data: dict[str, Any]
    limits: Limits = UNKNOWN

    @property
    def files(self) -> list[dict[str, Any]]:
        """The entries of `scope.files`, doubles included."""
        files: list[dict[str, Any]] = self.data["scope"]["files"]
        return files

    @property
    def criteria(self) -> list[dict[str, Any]]:
        """The acceptance criteria, none when the key is absent."""
        criteria: list[dict[str, Any]] = self.data["verification"].get("acceptance_criteria", [])
        return criteria

    @property
    def slices(self) -> list[dict[str, Any]]:
        """The slices of the decomposition, none without one."""
        slices: list[dict[str, Any]] = self.data.get("decomposition", {}).get("sub_plans", [])
        return slices

    @property
    def phases(self) -> list[dict[str, Any]]:
        """The phases of the split proposal, none without one."""
        phases: list[dict[str, Any]] = self.data.get("split_proposal", {}).get("phases", [])
        return phases


def blank(text: str) -> bool:
    """Tell whether nothing is left of `text` after trimming white space."""
    return not text.strip()


def prose(text: str) -> str:
    """Return `text` of an author on one line, for a person to read: blanks joined, cut at `LONGEST`."""
    joined = printable(" ".join(text.split())) or "(blank)"
    return joined if len(joined) <= LONGEST else joined[: LONGEST - 1] + "…"


def place(document: Document, said: Iterable[tuple[str, Severity, Remark]]) -> list[Finding]:
    """Return the findings for rule, severity and remark, located in the JSON text of `document`.

    What is not in the text, because a repair brought it, is placed at the nearest value around it.
    """
    said = list(said)
    if not said:
        return []
    wanted = [(*remark.path, *remark.near) for _, _, remark in said]
    wanted += [path for _, _, remark in said for path, _ in remark.related]
    spots = locate(document.text, wanted)
    return [_finding(document.text, spots, *entry) for entry in said]


def _finding(text: str, spots: dict[Path, Spot], rule: str, severity: Severity, remark: Remark) -> Finding:
    path = (*remark.path, *remark.near)
    span = _marked(text, spots, path, remark.mark)
    related = [Related(*_around(spots, other).value, message) for other, message in remark.related]
    before = spots[path].before if remark.mark == "key" and path in spots else None
    if before is not None:
        related.append(Related(*before, "it stands here first"))
    words = remark.message, remark.hint
    return error(rule, dump(remark.path), Place(*span), *words, related, severity)


def _marked(text: str, spots: dict[Path, Spot], path: Path, mark: Mark) -> Span:
    spot = spots.get(path)
    if spot is None:
        return _around(spots, path).value
    if mark == "value":
        return spot.value
    if mark == "holder" and not path:
        return Span(0, 0)
    return spot.key or first_key(text, spot) or spot.value


def _around(spots: dict[Path, Spot], path: Path) -> Spot:
    while path not in spots:
        path = path[:-1]
    return spots[path]

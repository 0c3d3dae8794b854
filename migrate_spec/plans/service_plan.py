"""Service plans: the frontmatter and the session blocks of a Markdown file (`service-plan.md`).

Read line by line as a driver reads them: neither YAML nor Markdown, code fences have no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from migrate_spec.plans.ledger import Admission
from transforms.document import Document, utf8
from transforms.finding import Finding, Place, error

_BREAK = re.compile(r"\r\n|\r|\n")
_KEY = re.compile(r"([^\s:#][^\s:]*):(.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_HEADER = re.compile(r"## Session (S[0-9]+):")
_FIELD = re.compile(r"-[ \t]+([a-z_]+):(.*)")
_DASH = re.compile(r"-[ \t]")
_ITEM = re.compile(r"[ \t]+-[ \t]+(.*)")


class Field(NamedTuple):
    """A value with the number of its line; `text` is the line behind the key, comment included."""

    value: str
    line: int
    text: str = ""


class Session(NamedTuple):
    """One session block: its name, the line of its header, its fields, and the lists below two of them."""

    name: str
    line: int
    fields: dict[str, Field]
    artifacts: tuple[Field, ...]
    gate: dict[str, Field]
    has_prompt: bool

    def value(self, key: str) -> str:
        """Return the value of the field `key`, empty when it is absent."""
        field = self.fields.get(key)
        return field.value if field else ""

    def place(self, key: str) -> int:
        """Return the line of the field `key`, or of the header when it is absent."""
        field = self.fields.get(key)
        return field.line if field else self.line


class ServicePlan(NamedTuple):
    """A service plan as the rules see it, or the fault that says why it was not understood.

    `admission` is what a ledger says about the specification that the plan cites, None without one.
    """

    document: Document
    front: dict[str, Field]
    sessions: tuple[Session, ...]
    fault: Finding | None = None
    admission: Admission | None = None

    @property
    def citation(self) -> tuple[str, str]:
        """The service and the version of the specification that the plan cites."""
        return self.value("spec_service"), self.value("spec_version")

    def value(self, key: str) -> str:
        """Return the frontmatter value of `key`, empty when it is absent."""
        field = self.front.get(key)
        return field.value if field else ""

    def place(self, key: str) -> int:
        """Return the line of the frontmatter key, or the first line when it is absent."""
        field = self.front.get(key)
        return field.line if field else 1


class _Line(NamedTuple):
    number: int
    text: str


def place_in(root: str) -> str:
    """Return the path of the service plan of the repository at `root`."""
    return str(Path(root) / "docs" / "plan" / "plan.md")


def read(data: bytes) -> ServicePlan:
    """Return the service plan in `data`; without sessions or frontmatter it has a fault."""
    decoded = utf8(data, "not-understood")
    document = Document(decoded.text, decoded.mark)
    lines = [_Line(number, text) for number, text in enumerate(_BREAK.split(decoded.text), 1)]
    sessions = tuple(_session(name, header, block) for name, header, block in _blocks(lines))
    fault = decoded.fault or (None if sessions else _no_session(document))
    if fault is None:
        fault = _no_frontmatter(document, lines)
    return ServicePlan(document, _front(lines) if fault is None else {}, sessions, fault)


# -- frontmatter ---------------------------------------------------------------


def _front(lines: list[_Line]) -> dict[str, Field]:
    found: dict[str, Field] = {}
    for number, text in lines[1:]:
        if text == "---":
            break
        match = _KEY.match(text)
        if match:
            found.setdefault(match[1], Field(_plain(match[2]), number, match[2]))
    return found


def _plain(text: str) -> str:
    """Return the value behind a frontmatter key: comment cut, one quote mark dropped at each end, trimmed."""
    value = _COMMENT.sub("", text.strip(), count=1).strip()
    return re.sub(r"^[\"']|[\"']$", "", value).strip()


def _no_frontmatter(document: Document, lines: list[_Line]) -> Finding | None:
    if document.mark:
        return _fault(document, 1, "the file begins with a byte-order mark, so its first line is not ---")
    if lines[0].text != "---":
        return _fault(document, 1, "there is no frontmatter: the first line must be exactly ---")
    if not any(text == "---" for _, text in lines[1:]):
        return _fault(document, 1, "the frontmatter is never closed: end it with a line that is exactly ---")
    return (
        None
        if _front(lines)
        else _fault(document, 1, "there is nothing in the frontmatter: write key: value")
    )


# -- sessions ------------------------------------------------------------------


def _no_session(document: Document) -> Finding:
    return _fault(document, 1, 'there is no session block: write a heading such as "## Session S1: title"')


def _fault(document: Document, line: int, message: str) -> Finding:
    start = document.line_starts[line - 1]
    return error("not-understood", "", Place(start, start), message)


def _blocks(lines: list[_Line]) -> Iterator[tuple[str, int, list[_Line]]]:
    """Yield name, header line and lines of each session block; any second-level heading ends one."""
    name, header = "", 0
    block: list[_Line] = []
    for line in lines:
        if not line.text.startswith("## "):
            block.append(line)
            continue
        if name:
            yield name, header, block
        match = _HEADER.match(line.text)
        name, header, block = (match[1] if match else ""), line.number, []
    if name:
        yield name, header, block


def _session(name: str, header: int, block: list[_Line]) -> Session:
    fields: dict[str, Field] = {}
    below: dict[str, list[_Line]] = {}
    for key, field, rest in _fields(block):
        if key not in fields:
            fields[key], below[key] = field, rest
    lists = {key: list(_items(below.get(key, []))) if not fields[key].value else [] for key in fields}
    artifacts = tuple(item for item in lists.get("artifacts", []) if item.value)
    prompt = below["prompt"] if "prompt" in fields and fields["prompt"].value == "|" else []
    has_prompt = any(line.text.strip() for line in prompt)
    return Session(name, header, fields, artifacts, _entries(lists.get("gate", [])), has_prompt)


def _fields(block: list[_Line]) -> Iterator[tuple[str, Field, list[_Line]]]:
    """Yield each field of a block with the lines that belong to it.

    A prompt takes every line up to one that starts with a dash and a blank; when that is no field,
    what follows belongs to nothing. Any other field takes what is left of the lines up to the next.
    """
    rest: list[_Line] = []
    in_prompt = False
    for line in block:
        match = _FIELD.match(line.text)
        if match:
            rest = []
            field = Field(match[2].strip(), line.number)
            in_prompt = match[1] == "prompt" and field.value == "|"
            yield match[1], field, rest
        elif in_prompt and _DASH.match(line.text):
            rest, in_prompt = [], False
        else:
            rest.append(line)


def _items(lines: list[_Line]) -> Iterator[Field]:
    for number, text in lines:
        match = _ITEM.match(text)
        if match:
            yield Field(match[1].strip(), number)


def _entries(items: list[Field]) -> dict[str, Field]:
    found: dict[str, Field] = {}
    for item in items:
        key, colon, value = item.value.partition(":")
        if colon:
            found.setdefault(key.strip(), Field(value.strip(), item.line))
    return found

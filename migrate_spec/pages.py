"""The tables of `reference` as Markdown, and the blocks of a page that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from migrate_spec import reference, schemas
from migrate_spec.reference import Delta, Field, Section


def field_tables(name: str) -> str:
    """Return the field tables of the schema `name` as Markdown."""
    found = reference.sections(name)
    headings = {section.path: section.name for section in found}
    return "\n".join(_section(section, headings) for section in found)


def _section(section: Section, headings: dict[str, str]) -> str:
    level = "###" if section.inline else "##"
    lines = [f"{level} {section.name}", "", section.description, ""]
    if section.rows[0].field == "-":
        return "\n".join([*lines, _bare(section.rows[0]) + _branches(section.path, headings), ""])
    rows = [_cells(row, section.path, headings) for row in section.rows]
    return "\n".join([*lines, *_table(("Field", "Type", "Required", "Constraints", "Description"), rows), ""])


def _bare(row: Field) -> str:
    """Return the line that stands for a definition without keys of its own: its type, its constraints."""
    kind, _dot, rest = row.type.partition(". ")
    return f"{kind.removesuffix('.')}." + (f" {_code(rest)}" if rest else "")


def _branches(path: str, headings: dict[str, str]) -> str:
    """Return the sentence that lists the branches of a union, nothing for any other definition."""
    shape = re.compile(re.escape(path) + r"\[(\w+)\]")
    found = [(match[1], heading) for at, heading in headings.items() if (match := shape.fullmatch(at))]
    return f" One of: {', '.join(_link(*branch) for branch in found)}." if found else ""


def _cells(row: Field, path: str, headings: dict[str, str]) -> tuple[str, ...]:
    inline = next((p for p in (f"{path}.{row.field}", f"{path}.{row.field}[]") if p in headings), None)
    _none, many, item = row.type.rpartition("array of ")
    target = headings.get(item if item in headings else inline or "")
    return _code(row.field), many + _link(item, target), row.required, _code(row.constraints), row.description


def _link(text: str, target: str | None) -> str:
    return f"[{text}](#{anchor(target)})" if target else text


def anchor(heading: str) -> str:
    """Return the fragment under which code hosts find a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(head)
    yield _line(["---"] * len(head))
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def delta_table(old: str, new: str) -> str:
    """Return the differences in shape between two majors as a Markdown table."""
    rows = [_delta(delta) for delta in reference.deltas(old, new)]
    return "\n".join([*_table(("Field", "Change", "Detail"), rows), ""])


def _delta(delta: Delta) -> tuple[str, str, str]:
    return _code(delta.field), delta.change, delta.detail


def primitive_table() -> str:
    """Return the six primitives as a Markdown table, for a page two folders below the root."""
    defined = schemas.load("workflow-v2")["$defs"]
    rows = [
        (
            item.name,
            f"[{item.definition}](workflow-v2.md#{anchor(item.definition)})",
            _code(f"{item.key}:"),
            f"[{item.golden.rpartition('/')[2]}](../../{item.golden}/workflows.yaml)",
            defined[item.definition]["description"].partition(". ")[0].rstrip(".") + ".",
        )
        for item in reference.PRIMITIVES
    ]
    return "\n".join(
        [*_table(("Primitive", "Schema anchor", "Example key", "Shown in", "What it is"), rows), ""]
    )


class Unmarked(Exception):
    """A page without the markers of a table, or with only one of the two, or with more than one pair."""


class Block(NamedTuple):
    """The place of a table in a page: offsets of the text between its markers."""

    start: int
    end: int


def markers(call: str) -> tuple[str, str]:
    """Return the two lines of a page between which the answer to `call` stands."""
    return f"<!-- begin: {call} -->", f"<!-- end: {call} -->"


def block(page: str, call: str) -> Block:
    """Return where the answer to `call` stands in `page`; Unmarked when the markers do not say."""
    begin, end = markers(call)
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise Unmarked(f"needs one pair of marker lines: {begin} and, below it, {end}")
    return Block(page.index(begin) + len(begin), page.index(end))


def filled(page: str, call: str, table: str) -> str:
    """Return `page` with `table` between the markers of `call`, in the line ends of the page."""
    place = block(page, call)
    newline = "\r\n" if "\r\n" in page else "\n"
    text = f"\n\n{table}\n".replace("\n", newline)
    return page[: place.start] + text + page[place.end :]


def first_difference(old: str, new: str) -> int:
    """Return the number of the first line in which two different texts differ."""
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    same = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
    return 1 + (min(len(old.splitlines()), len(new.splitlines())) if same is None else same)

"""Any data as YAML text in any layout: indentation, quotes, comments, anchors, merge keys, flow and block."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from transforms.scalars import is_bare, quote


class Style(NamedTuple):
    """How often a text does what, each between 0 and 1, and how its lines end."""

    comments: float = 0.15
    blanks: float = 0.1
    flow: float = 0.25
    aliases: float = 0.5
    merges: float = 0.5
    quotes: float = 0.2
    explicit: float = 0.02
    newline: str = "\n"
    mark: bool = False
    final: bool = True
    markers: bool = False


PLAIN = Style(0, 0, 0, 0, 0, 0, 0)


class Writer:
    """Writes one document; `random` decides, so the same seed gives the same text."""

    def __init__(self, style: Style, seed: int) -> None:
        self.style = style
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.anchors: dict[str, str] = {}
        self.bases: list[tuple[dict[str, Any], str]] = []
        self.count = 0
        self.named = 0
        self.texts: set[str] = set()

    def document(self, data: Any) -> bytes:
        """Return `data` as the bytes of a file."""
        if self.style.markers:
            self.lines.append("---")
        self._mapping(data, 0)
        if self.style.markers:
            self.lines.append("...")
        text = "\n".join(self.lines) + ("\n" if self.style.final else "")
        text = text.replace("\n", self.style.newline)
        return (("\ufeff" if self.style.mark else "") + text).encode()

    def _may(self, chance: float) -> bool:
        return self.random.random() < chance

    def _comment(self) -> str:
        self.count += 1
        words = ("drive: true", "roles:", "größer 🛳", "- x", "[a, b", "", "# again")
        return f"#{self.random.choice((' ', '', chr(9)))}{self.count} {self.random.choice(words)}".rstrip()

    def _between(self, indent: int) -> None:
        """Write what may stand between two lines: blank lines and comments at nearly any column."""
        while self._may(self.style.blanks):
            self.lines.append(self.random.choice(("", "", "  ")))
        while self._may(self.style.comments):
            column = self.random.choice((indent, indent, indent, 0, indent + 2))
            self.lines.append(" " * min(column, self._deepest()) + self._comment())
            while self._may(self.style.blanks):
                self.lines.append("")

    def _deepest(self) -> int:
        """Return the deepest column of a comment line here: below a block scalar it must not be text."""
        last = next((line for line in reversed(self.lines) if line.strip()), "")
        return len(last) - len(last.lstrip()) - 1 if last in self.texts else 99

    def _trailing(self) -> None:
        if self._may(self.style.comments):
            self.lines[-1] += self.random.choice((" ", "  ", "      ")) + self._comment()

    # -- scalars -------------------------------------------------------------

    def _scalar(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        single = "'" + value.replace("'", "''") + "'"
        printable = "\n" not in value and value.isprintable()
        if self._may(self.style.quotes) or not is_bare(value):
            return single if printable and self._may(0.4) else quote(value)
        return value

    def _key(self, name: str) -> str:
        return self._scalar(name)

    # -- anchors -------------------------------------------------------------

    def _alias(self, value: Any) -> str | None:
        name = self.anchors.get(json.dumps(value))
        return f"*{name}" if name is not None and self._may(self.style.aliases) else None

    def _anchor(self, value: Any) -> str:
        """Return the name of an anchor to write before `value`, empty for none; `_define` makes it usable."""
        if not self.style.aliases or not self._may(0.15) or not value:
            return ""
        self.named += 1
        return f"a{self.named}"

    def _define(self, value: Any, name: str) -> None:
        """Let later values use the anchor `name`, now that its value is written."""
        if name:
            self.anchors[json.dumps(value)] = name
            if isinstance(value, dict):
                self.bases.append((value, name))

    # -- block style ---------------------------------------------------------

    def _mapping(self, data: dict[str, Any], indent: int, first: str = "") -> None:
        """Write a block mapping whose first line begins with `first`."""
        rest = data
        base = self._base(data) if self.style.merges else None
        if base is not None:
            under, name = base
            self.lines.append((first or " " * indent) + f"<<: *{name}")
            rest = {
                key: value for key, value in data.items() if key not in under or not _same(under[key], value)
            }
            first = ""
        for key, value in rest.items():
            if not first:
                self._between(indent)
            lead = first or " " * indent
            first = ""
            if self._may(self.style.explicit) and not isinstance(value, (dict, list)):
                self.lines.append(f"{lead}? {self._key(key)}")
                self.lines.append(" " * len(lead) + f": {self._scalar(value)}")
                continue
            self._value(f"{lead}{self._key(key)}:", value, indent)
        if not first:
            self._after(indent)

    def _base(self, data: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
        fitting = [
            (base, name)
            for base, name in self.bases
            if base and base.keys() <= data.keys() and any(_same(data[k], v) for k, v in base.items())
        ]
        return self.random.choice(fitting) if fitting and self._may(self.style.merges) else None

    def _after(self, indent: int) -> None:
        if self._may(self.style.comments / 2):
            self.lines.append(" " * min(indent, self._deepest()) + self._comment())

    def _value(self, lead: str, value: Any, indent: int) -> None:
        """Write `value` behind `lead`, which is a key with its colon or a dash."""
        alias = self._alias(value)
        if alias is not None:
            self.lines.append(f"{lead} {alias}")
            self._trailing()
            return
        if not isinstance(value, (dict, list)):
            self._text(lead, value, indent)
        elif not value or self._may(self.style.flow):
            self._flow_value(lead, value, indent)
        else:
            name = self._anchor(value)
            self.lines.append(f"{lead} &{name}" if name else lead)
            self._trailing()
            if isinstance(value, dict):
                self._mapping(value, indent + self.random.choice((1, 2, 2, 2, 4)))
            else:
                self._sequence(value, indent + self.random.choice((0, 1, 2, 2, 4)))
            self._define(value, name)

    def _text(self, lead: str, value: Any, indent: int) -> None:
        if isinstance(value, str) and value and self._blocky(value):
            self.lines.append(f"{lead} |-" if not value.endswith("\n") else f"{lead} |")
            self._trailing()
            text = [" " * (indent + 2) + line for line in value.splitlines()]
            self.lines += text
            self.texts.update(text)
            return
        name = self._anchor(value)
        self.lines.append(f"{lead} {_mark(name)}{self._scalar(value)}")
        self._define(value, name)
        self._trailing()

    def _blocky(self, value: str) -> bool:
        lines = value.splitlines()
        fits = all(line.isprintable() and line.strip() == line and line for line in lines)
        plain = value.count("\n") in (0, len(lines) - 1, len(lines)) and not value.endswith("\n\n")
        return bool(lines) and fits and plain and self._may(self.style.quotes / 2)

    def _sequence(self, items: list[Any], indent: int) -> None:
        for item in items:
            self._between(indent)
            lead = " " * indent + "-"
            if isinstance(item, dict) and item and not self._may(self.style.flow) and not self._alias(item):
                self._item(lead, item, indent)
            else:
                self._value(lead, item, indent)
        self._after(indent)

    def _item(self, lead: str, item: dict[str, Any], indent: int) -> None:
        name = self._anchor(item)
        if name or self._may(0.1):
            self.lines.append(f"{lead} {_mark(name)}".rstrip())
            self._trailing()
            self._mapping(item, indent + 2)
            self._define(item, name)
            return
        gap = " " * self.random.choice((1, 1, 1, 3))
        self._mapping(item, indent + 1 + len(gap), lead + gap)

    # -- flow style ----------------------------------------------------------

    def _flow_value(self, lead: str, value: Any, indent: int) -> None:
        if value and self._may(0.2):
            name = self._anchor(value)
            self.lines.append(f"{lead} {_mark(name)}{'{' if isinstance(value, dict) else '['}")
            self._trailing()
            for part in self._flow_parts(value):
                self._between(indent + 2)
                self.lines.append(" " * (indent + 2) + part + ",")
                self._trailing()
            self.lines.append(" " * (indent + 1) + ("}" if isinstance(value, dict) else "]"))
            self._define(value, name)
        else:
            self.lines.append(f"{lead} {self._flow(value)}")
        self._trailing()

    def _flow_parts(self, value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, item in value.items():
                yield f"{self._key(key)}: {self._flow(item)}"
        else:
            for item in value:
                yield self._flow(item)

    def _flow(self, value: Any) -> str:
        alias = self._alias(value)
        if alias is not None:
            return alias + " "
        if not isinstance(value, (dict, list)):
            return self._scalar(value)
        parts = self.random.choice((", ", ",  ")).join(self._flow_parts(value))
        gap = self.random.choice(("", " "))
        name = self._anchor(value)
        self._define(value, name)
        inner = f"{gap}{parts}{gap}" if parts else ""
        return _mark(name) + (f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]")


def _same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same data: for Python 1 equals True."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _mark(name: str) -> str:
    return f"&{name} " if name else ""


def render(data: Any, style: Style = PLAIN, seed: int = 0) -> bytes:
    """Return `data` as the bytes of a YAML file in the given style."""
    return Writer(style, seed).document(data)

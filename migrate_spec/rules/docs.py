"""The documentation of rules, read from the text that stands beside each of them."""

from __future__ import annotations

import inspect
import re
from textwrap import indent
from typing import NamedTuple

from migrate_spec.rules import RULES
from migrate_spec.rules.phases import PHASES
from transforms.finding import Severity

_INDENT = "    "


class Page(NamedTuple):
    """What is known about one rule: in a line, in full, and a document that passes and one that fails.

    `majors` are those of the workflow grammar that it holds for, none for a rule of plans.
    """

    id: str
    majors: tuple[int, ...]
    severity: Severity
    summary: str
    text: str
    passes: str
    fails: str

    def plain(self) -> str:
        """Return the page as text, the documents indented."""
        prose = f"{self.text}\n\n" if self.text else ""
        return f"{prose}Passes:\n\n{indent(self.passes, _INDENT)}\nFails:\n\n{indent(self.fails, _INDENT)}"

    def markdown(self) -> str:
        """Return the page as Markdown, the documents as code."""
        prose = f"{self.text}\n\n" if self.text else ""
        return f"{prose}Passes:\n\n```yaml\n{self.passes}```\n\nFails:\n\n```yaml\n{self.fails}```\n"


def pages() -> dict[str, Page]:
    """Return the documentation of every rule by its id, in the order in which rules are checked."""
    found = {name: page(name, majors, "error", text) for name, (majors, text) in PHASES.items()}
    for rule in RULES:
        found[rule.id] = page(rule.id, rule.majors, rule.severity, rule.check.__doc__ or "")
    return found


_PARTS = re.compile(r"^(Passes|Fails):\n", re.M)


def page(name: str, majors: tuple[int, ...], severity: Severity, documentation: str) -> Page:
    """Return the page in `documentation`; ValueError when a part of it is missing."""
    prose, *rest = _PARTS.split(inspect.cleandoc(documentation))
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    summary, _, more = prose.strip().partition("\n")
    if not summary or list(parts) != ["Passes", "Fails"]:
        raise ValueError(f"the rule {name} needs a summary, a document that passes and one that fails")
    passes, fails = (inspect.cleandoc("\n" + part) + "\n" for part in parts.values())
    return Page(name, majors, severity, summary, more.strip(), passes, fails)

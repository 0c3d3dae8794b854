"""What the documentation takes from the code: manual pages from the help texts, pages from the rules."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import NamedTuple

import click

from migrate_spec import __version__
from migrate_spec.cli import command as root
from migrate_spec.plans import docs as plans
from migrate_spec.rules.docs import Page, pages


class Help(NamedTuple):
    """The help of one command, in its parts; a paragraph that is not to be filled keeps its line breaks."""

    name: str
    usage: str
    paragraphs: list[str]
    options: list[tuple[str, str]]
    commands: list[tuple[str, str]]

    @property
    def summary(self) -> str:
        """The first sentence."""
        return self.paragraphs[0]

    @property
    def examples(self) -> list[str]:
        """The calls that the help shows."""
        found = re.search(r"^Examples?: (.*(?:\n {2,}.*)*)", "\n\n".join(self.paragraphs), re.M)
        return [line.strip() for line in found[1].splitlines()] if found else []


def helps() -> Iterator[Help]:
    """Yield the help of the program and of every command, groups before what is in them."""
    yield from _helps(click.Context(root, info_name="fishhawk", **root.context_settings))


def _helps(ctx: click.Context) -> Iterator[Help]:
    inner = _inner(ctx)
    yield Help(
        ctx.command_path,
        " ".join(ctx.command.collect_usage_pieces(ctx)),
        _paragraphs(ctx.command.help or ""),
        [record for param in ctx.command.get_params(ctx) if (record := _record(param, ctx))],
        [(each.command_path, each.command.get_short_help_str(200)) for each in inner],
    )
    for each in inner:
        yield from _helps(each)


def _record(param: click.Parameter, ctx: click.Context) -> tuple[str, str] | None:
    return param.get_help_record(ctx) if isinstance(param, click.Option) else None


def _inner(ctx: click.Context) -> list[click.Context]:
    group = ctx.command
    if not isinstance(group, click.Group):
        return []
    found = ((name, group.get_command(ctx, name)) for name in group.list_commands(ctx))
    return [click.Context(each, info_name=name, parent=ctx) for name, each in found if each is not None]


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text, those marked with a `\\b` line by line, the others on one line."""
    return [
        part.removeprefix("\b\n") if part.startswith("\b") else " ".join(part.split())
        for part in inspect.cleandoc(text).split("\n\n")
    ]


# -- manual pages ------------------------------------------------------------------


def manual() -> dict[str, str]:
    """Return the manual page of every command by the name of its file."""
    program, *others = helps()
    return {
        _file(program.name): _manual(program, [each.name for each in others]),
        **{_file(each.name): _manual(each, [program.name]) for each in others},
    }


def _file(command: str) -> str:
    return _title(command) + ".1"


def _title(command: str) -> str:
    return command.replace(" ", "-")


def _manual(own: Help, related: list[str]) -> str:
    name = _title(own.name)
    parts = [
        f'.TH {_roff(name.upper())} 1 "" "fishhawk {__version__}" "fishhawk"',
        f".SH NAME\n{_roff(name)} \\- {_roff(own.summary)}",
        f".SH SYNOPSIS\n.B {_roff(own.name)}\n{_roff(own.usage)}",
        ".SH DESCRIPTION\n" + "\n.PP\n".join(_filled(text) for text in own.paragraphs),
        *_tagged("COMMANDS", own.commands),
        *_tagged("OPTIONS", own.options),
        ".SH SEE ALSO\n" + ",\n".join(f".BR {_roff(other)} (1)" for other in map(_title, related)),
    ]
    return "\n".join(parts) + "\n"


def _filled(text: str) -> str:
    return f".nf\n{_roff(text)}\n.fi" if "\n" in text or text.startswith("Example") else _roff(text)


def _tagged(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield f".SH {title}\n" + "\n".join(f".TP\n.B {_roff(head)}\n{_roff(text)}" for head, text in rows)


def _roff(text: str) -> str:
    """Return `text` so that roff sets it as it is written."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", escaped, flags=re.M)


# -- rules -------------------------------------------------------------------------


def rule_pages() -> dict[str, str]:
    """Return a Markdown page for every rule and an index of them, by the name of its file."""
    known = {**pages(), **plans.pages()}
    return {"index.md": _index(list(known.values())), **{f"{name}.md": _rule(known[name]) for name in known}}


def _index(known: list[Page]) -> str:
    rows = [
        f"| [{page.id}]({page.id}.md) | {page.severity} | {_grammars(page)} | {page.summary} |"
        for page in known
    ]
    listed = "\n".join(page.id for page in known)
    return f"""# Rules

Every rule by which files are checked, in the order in which they are asked. `fishhawk rules` lists them as well.

| rule | severity | in | finds |
| --- | --- | --- | --- |
{chr(10).join(rows)}

```{{toctree}}
:hidden:

{listed}
```
"""


def _rule(page: Page) -> str:
    kind = "A warning, which changes no verdict" if page.severity == "warning" else "An error"
    return f"# {page.id}\n\n{page.summary}\n\n{kind}; in {_grammars(page)}.\n\n{page.markdown()}"


def _grammars(page: Page) -> str:
    plans_of = "service plans" if page.id.startswith("critic-") else "plan-standard-v1"
    return ", ".join(f"workflow-v{major}" for major in page.majors) or plans_of

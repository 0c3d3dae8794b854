"""`fishhawk rules`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from migrate_spec.cli import common
from migrate_spec.findings import Paint
from migrate_spec.messages import nearest, show
from migrate_spec.rules.docs import Page, pages

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    known = _pages().values()
    return [CompletionItem(page.id, help=page.summary) for page in known if page.id.startswith(incomplete)]


@click.command("rules")
@click.argument("rule", required=False, shell_complete=_complete)
@common.options
def command(rule: str | None, color: str) -> int:
    """List the rules by which files are checked, or explain RULE.

    RULE is an id as it stands in a finding. The explanation has a document that passes and one that
    fails; critic-1 to critic-11 are those of `plan critic`.

    \b
    Example: fishhawk rules schedule-never-fires
    """
    paint = common.painter(color)
    known = _pages()
    if rule is None:
        common.write(_listing(list(known.values()), paint), paint)
        return 0
    page = known.get(re.sub(r"^rule-(?=[0-9]+$)", "critic-", rule))
    if page is None:
        close = nearest(rule, known)
        meant = f'did you mean "{close}"? ' if close else ""
        raise click.UsageError(f"there is no rule {show(rule)}. {meant}`fishhawk rules` lists them all.")
    common.write(_explanation(page, paint), paint)
    return 0


def _pages() -> dict[str, Page]:
    from migrate_spec.plans import docs

    return {**pages(), **docs.pages()}


def _listing(known: list[Page], paint: Paint) -> str:
    width = max(len(page.id) for page in known)
    return "".join(
        f"{paint(page.severity, page.id.ljust(width))}  {page.severity:7}  {_majors(page):5}  {page.summary}\n"
        for page in known
    )


def _explanation(page: Page, paint: Paint) -> str:
    kind = "a warning, which changes no verdict" if page.severity == "warning" else "an error"
    majors = f"{'majors' if len(page.majors) > 1 else 'major'} {_majors(page)}" if page.majors else "of plans"
    return f"{paint(page.severity, page.id)}: {page.summary}\n\n{page.plain()}\nIt is {kind}; {majors}.\n"


def _majors(page: Page) -> str:
    return ",".join(map(str, page.majors)) or "plan"

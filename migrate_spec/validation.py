"""The phases of `validation-rules.md` 1: from a document to everything that is wrong with it."""

from __future__ import annotations

from typing import NamedTuple

from migrate_spec import removed, rules, versions
from migrate_spec.schema_check import schema_findings
from transforms import reuse
from transforms.document import Document
from transforms.finding import Finding, Place, error, unique
from transforms.nodes import Mapping


class Checked(NamedTuple):
    """The outcome of a check: the major judged by, the findings, and the tree with reuse resolved.

    `resolved` is None when the check ended before or in the reuse phase.
    """

    major: int | None
    findings: list[Finding]
    resolved: Mapping | None = None


def check(document: Document, source: bool = False) -> Checked:
    """Return what is wrong with `document`; a phase with findings ends the check.

    With `source`, only the rules that the check of `migrate-spec` runs (`migration.md` 2).
    """
    if document.faults:
        return Checked(versions.written_major(document), unique(document.faults))
    root = document.mapping
    if root is None:
        message = "the document is no mapping, so it has no version"
        hint = "write version and workflows at the left margin"
        return Checked(None, [error("version-missing", "", Place(0, 0), message, hint)])
    return check_tree(root, source)


def check_tree(root: Mapping, source: bool = False) -> Checked:
    """Return what is wrong with the tree of a document that was read without faults."""
    major, finding = versions.route(root)
    if finding is not None or major is None:
        return Checked(major, [finding] if finding is not None else [])
    resolved = root
    if major == 2:
        found = removed.forms(root)
        if found:
            return Checked(major, unique(found))
        resolved, found = reuse.resolve(root)
        if found:
            return Checked(major, unique(found))
    found = schema_findings(resolved, f"workflow-v{major}")
    if found:
        return Checked(major, found, resolved)
    return Checked(major, unique(rules.findings(resolved, major, source)), resolved)

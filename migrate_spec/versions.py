"""Version routing: which major a document is judged by (`validation-rules.md` 2)."""

from __future__ import annotations

from typing import NamedTuple

from transforms.document import Document
from transforms.finding import Finding, Place, at_value, error, sort_of
from transforms.nodes import Mapping, Node, Scalar
from transforms.wording import plainly, show

TOKENS = {
    0: ("0.3", "0.4", "0.5", "0.6", "0.7"),
    1: ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"),
    2: ("2",),
}
"""The version tokens of each major that is alive."""


class Route(NamedTuple):
    """The major that a document names, None when it names none that is known, and what is wrong with it."""

    major: int | None
    finding: Finding | None = None


def written_version(document: Document) -> str | None:
    """Return the version as the author wrote it, without quotes, None when there is none."""
    node = document.mapping.get("version") if document.mapping else None
    return node.text if isinstance(node, Scalar) and (node.text or node.style) else None


def written_major(document: Document) -> int | None:
    """Return the integer before the first dot of the written version, quoted or not (`migration.md` 1)."""
    version = written_version(document)
    return None if version is None else _major(version)


def _major(version: str) -> int | None:
    """Return the number before the first dot, None when there is none; one beyond all majors for a huge one."""
    head = version.split(".", 1)[0]
    if not (head.isascii() and head.isdigit()):
        return None
    return int(head) if len(head) < _HUGE else 10**_HUGE


_HUGE = 20


def route(root: Node) -> Route:
    """Return the major that the version of `root` picks, or the one finding of rule `version-…`."""
    version = root.get("version") if isinstance(root, Mapping) else None
    if version is None:
        message = 'the key "version" is missing'
        plan = isinstance(root, Mapping) and "plan_version" in root.entries
        hint = (
            "a plan is checked with: fishhawk plan validate"
            if plan
            else f'add version: "2" (known: {_all_tokens()})'
        )
        return Route(None, error("version-missing", "", Place(0, 0), message, hint))
    if not isinstance(version, Scalar) or not isinstance(version.value, str):
        return Route(None, _not_string(version))
    major = _major(version.value)
    if major is None:
        message = f"{show(version.value)} is no version"
        return Route(None, _wrong("version-unparseable", version, message, f"known: {_all_tokens()}"))
    if major > max(TOKENS):
        named = plainly(version.value.split(".", 1)[0])
        message = f"major {named} is not known; the supported majors are 0, 1 and 2"
        return Route(None, _wrong("version-unsupported-major", version, message, f"known: {_all_tokens()}"))
    if version.value not in TOKENS[major]:
        message = f"{show(version.value)} is no version of major {major}"
        more = "; 2 has no minors" if major == 2 else ""
        hint = f"known: {_listed(TOKENS[major])}{more}"
        return Route(major, _wrong("version-unknown-minor", version, message, hint))
    return Route(major)


def _not_string(version: Node) -> Finding:
    if isinstance(version, Scalar) and version.text:
        message = f"the version must be a quoted string, found {plainly(version.text)}"
        hint = f'write version: "{plainly(_probable(version.text))}"'
    else:
        message = f"the version must be a quoted string, found {_found(version)}"
        hint = f"known: {_all_tokens()}"
    return _wrong("version-not-string", version, message, hint)


def _found(version: Node) -> str:
    return "nothing" if sort_of(version) == "empty" else sort_of(version)


def _probable(text: str) -> str:
    return "2" if text in ("2.0", "2.") else text


def _wrong(rule: str, node: Node, message: str, hint: str) -> Finding:
    return error(rule, "/version", at_value(node), message, hint)


def _listed(tokens: tuple[str, ...]) -> str:
    return ", ".join(f'"{token}"' for token in tokens)


def _all_tokens() -> str:
    return _listed(tuple(token for tokens in TOKENS.values() for token in tokens))

"""Repository paths: the canonical form, and where a path leads (`validation-rules.md` 4 and 5)."""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

INSTRUCTION_FILES = ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md")
"""The files that instruct agents, wherever they lie."""

INSTRUCTION_FOLDERS = (".agents", ".claude", ".codex")
"""The folders below which everything instructs agents."""

_FILES = frozenset(name.lower() for name in INSTRUCTION_FILES)
_FOLDERS = frozenset(INSTRUCTION_FOLDERS)


def defect(path: str) -> str | None:
    """Return why `path` is not a canonical repository path, None when it is one."""
    if not path:
        return "it is empty"
    if path.startswith("/"):
        return "it begins with /"
    if "\\" in path:
        return "it holds a backslash"
    control = _CONTROL.search(path)
    if control is not None:
        return f"it holds the control character U+{ord(control.group()):04X}"
    segments = path.split("/")
    if "" in segments:
        return "it holds //" if "//" in path else "it ends with /"
    dots = next((segment for segment in segments if segment in (".", "..")), None)
    return f"it has a segment that is {dots}" if dots is not None else None


def outside(path: str) -> str | None:
    """Return why `path` does not stay inside the repository, None when it does."""
    if path.startswith("/"):
        return "it begins with /"
    if "\\" in path:
        return "it holds a backslash"
    if path[1:2] == ":":
        return "it names a drive"
    depth = 0
    for segment in path.split("/"):
        depth += {"": 0, ".": 0, "..": -1}.get(segment, 1)
        if depth < 0:
            return "its .. segments lead out of the repository"
    return None


def instructs_agents(path: str) -> bool:
    """Tell whether agents read the file at `path` as instructions; letter case is ignored."""
    *folders, name = path.lower().split("/")
    return name in _FILES or not _FOLDERS.isdisjoint(folders)

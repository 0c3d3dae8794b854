"""The ledger of admitted specifications: what it says about the one that a plan cites (`service-plan.md`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from migrate_spec import files
from migrate_spec.plans import json_text
from transforms.document import Document, utf8
from transforms.wording import show

_DIGEST = re.compile(r"[0-9a-fA-F]{64}\Z")
_NAMES = ("service", "version", "sha256", "admitted", "source")
_WANTED = "service, version, sha256, day of admission and origin, separated by tabs or bars"


class Record(NamedTuple):
    """One admission: service, version, digest in small letters, and where the record stands."""

    service: str
    version: str
    sha256: str
    line: int


class Admission(NamedTuple):
    """What a ledger says about one service and version.

    `digest` is that of its record, `copy` that of the archived copy at `place` (each None without
    one), `known` are the versions of the service that have a record.
    """

    digest: str | None
    copy: str | None
    place: str | None
    known: tuple[str, ...]


class Malformed(Exception):
    """A ledger that cannot be used; carries the place and why."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def look_up(path: str, service: str, version: str) -> Admission:
    """Return what the ledger at `path`, a file or a folder, says about `service` at `version`.

    FileProblem when there is none, it cannot be read, is malformed or holds no record.
    """
    if path == files.STDIN or not os.path.isdir(path):  # noqa: PTH112  (it never raises)
        return _admission(_read(path), service, version)
    copies = dict(_copies(Path(path) / "admitted"))
    copy = copies.get((service, version))
    digest = _digest_of(copy) if copy is not None else None
    file = Path(path) / "ledger"
    if os.path.lexists(file):
        return _admission(_read(str(file)), service, version)._replace(copy=digest, place=_shown(copy))
    if not copies:
        raise files.FileProblem(f"{path}: holds neither a ledger file nor an admitted copy")
    known = tuple(sorted(held for name, held in copies if name == service))
    return Admission(digest, digest, _shown(copy), known)


def _shown(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _read(path: str) -> list[Record]:
    shown = files.shown(path)
    try:
        found = records(files.read(path).data)
    except Malformed as problem:
        raise files.FileProblem(f"{shown}:{problem.line}:{problem.column}: {problem}") from problem
    if not found:
        raise files.FileProblem(f"{shown}:1:1: the ledger holds no record; write {_WANTED}")
    return found


def _copies(archive: Path) -> Iterator[tuple[tuple[str, str], Path]]:
    """Yield service, version and path of each archived copy; what the plan names is never made a path."""
    try:
        for folder in sorted(archive.iterdir()) if archive.is_dir() else ():
            for copy in sorted(folder.iterdir()) if folder.is_dir() else ():
                if copy.suffix == ".md" and copy.is_file():
                    yield (folder.name, copy.name.removesuffix(".md")), copy
    except OSError as problem:
        raise files.FileProblem(f"{archive}: {files.reason(problem)}") from problem


def _digest_of(path: Path) -> str:
    import hashlib

    try:
        with path.open("rb") as handle:
            digest = hashlib.sha256()
            while chunk := handle.read(1 << 20):
                digest.update(chunk)
    except OSError as problem:
        raise files.FileProblem(f"{path}: {files.reason(problem)}") from problem
    return digest.hexdigest()


def _admission(found: list[Record], service: str, version: str) -> Admission:
    digest = next((r.sha256 for r in found if (r.service, r.version) == (service, version)), None)
    known = dict.fromkeys(record.version for record in found if record.service == service)
    return Admission(digest, None, None, tuple(known))


def records(data: bytes) -> list[Record]:
    """Return the records in `data`, JSON or lines; Malformed when one cannot be used or two disagree."""
    decoded = utf8(data, "ledger")
    if decoded.fault is not None:
        raise Malformed(*Document(decoded.text).position(decoded.fault.start), decoded.fault.message)
    is_json = decoded.text.lstrip()[:1] in ("[", "{")
    found = list(_from_json(data) if is_json else _from_lines(decoded.text))
    first: dict[tuple[str, str], Record] = {}
    for record in found:
        other = first.setdefault((record.service, record.version), record)
        if other.sha256 != record.sha256:
            message = f"{record.service} {record.version} has another digest than in the record at line {other.line}"
            raise Malformed(record.line, 1, message)
    return found


def _from_lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        rows = [[field.strip() for field in line.split(sign)] for sign in "\t|"]
        row = next((row for row in rows if len(row) == len(_NAMES)), None)
        if row is None:
            raise Malformed(number, 1, f"no record: a line holds {_WANTED}")
        yield _record(row[0], row[1], row[2], number)


def _from_json(data: bytes) -> Iterator[Record]:
    text = json_text.read(data)
    if text.fault is not None:
        raise Malformed(*text.document.position(text.fault.start), text.fault.message)
    if not isinstance(text.value, list):
        raise Malformed(1, 1, "a ledger in JSON is a list of records")
    written = json_text.entries(text.document.text, text.document.text.index("["))
    for entry, value in zip(written, text.value, strict=True):
        line, column = text.document.position(entry.value.start)
        flaw = _flaw(value)
        if flaw is not None:
            raise Malformed(line, column, flaw)
        yield _record(value["service"], value["version"], value["sha256"], line)


def _flaw(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "a record is an object with service, version and sha256"
    for name in _NAMES:
        needed = name in ("service", "version", "sha256")
        if name not in value and needed:
            return f'a record lacks "{name}"'
        if not isinstance(value.get(name, ""), str) and (needed or value[name] is not None):
            return f"{name} of a record is no string; write it in quotes"
    return None


def _record(service: str, version: str, sha256: str, line: int) -> Record:
    if not service or not version:
        raise Malformed(line, 1, "a record names a service and a version")
    if not _DIGEST.match(sha256):
        raise Malformed(line, 1, f"{show(sha256)} is no digest; write the 64 hex digits of sha256")
    return Record(service, version, sha256.lower(), line)

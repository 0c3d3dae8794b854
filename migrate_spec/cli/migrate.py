"""`fishhawk migrate-spec`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from migrate_spec import eligibility, files, findings, migrate, versions
from migrate_spec.cli import FAULTY, FINE, UNUSABLE, common
from migrate_spec.findings import bare
from migrate_spec.migrate import MIGRATED, NO_OP, REFUSED, UNREADABLE, Outcome
from transforms.document import parse
from transforms.edits import hunks, unified


class Options(NamedTuple):
    """What the call asks for."""

    out: str | None
    in_place: bool
    diff: bool
    check: bool
    from_v0: bool


class Done(NamedTuple):
    """One file when all is done: outcome (None when unread), where it was written, what failed, exit code."""

    path: str
    outcome: Outcome | None
    written: str | None
    error: str | None
    code: int


def _refuse_contradictions(options: Options, paths: tuple[str, ...], report_only: bool, form: str) -> None:
    writes = "--in-place" if options.in_place else "--out" if options.out else None
    reads = [
        name
        for name, wanted in (
            ("--report-only", report_only),
            ("--diff", options.diff),
            ("--check", options.check),
        )
        if wanted
    ]
    if options.in_place and options.out:
        raise click.UsageError("--in-place and --out exclude each other")
    if writes and reads:
        raise click.UsageError(f"{reads[0]} never writes; leave {writes} out")
    if options.in_place and files.STDIN in paths:
        raise click.UsageError("standard input (-) cannot be rewritten in place; use --out")
    if options.out and len(paths) > 1:
        raise click.UsageError("--out takes one PATH")
    if options.diff and form == "json":
        raise click.UsageError("--diff prints a diff and nothing else; leave --format out")


def _do(path: str, source: files.Source | files.FileProblem, options: Options) -> Done:
    if isinstance(source, files.FileProblem):
        return Done(path, None, None, str(source), UNUSABLE)
    outcome = migrate.run(parse(source.data), options.from_v0)
    if outcome.outcome == UNREADABLE:
        return Done(path, outcome, None, _unreadable(path, outcome), FAULTY)
    if outcome.outcome != MIGRATED:
        code = FINE if outcome.outcome == NO_OP else FAULTY
        return Done(path, outcome, None, None, code)
    return _write(path, source, outcome, options)


def _unreadable(path: str, outcome: Outcome) -> str:
    """Return why a file yields no mapping to migrate, where, and what to do."""
    from migrate_spec.validation import check

    finding = check(outcome.document).findings[0]
    line = findings.headline(findings.Report(path, outcome.document, [finding]), finding)
    return f"{line}\n  hint: {finding.hint}" if finding.hint else line


def _write(path: str, source: files.Source, outcome: Outcome, options: Options) -> Done:
    assert outcome.text is not None
    data = outcome.document.encode(outcome.text)
    try:
        if options.in_place:
            files.replace(source, data)
            return Done(path, outcome, path, None, FINE)
        if options.out:
            files.create(options.out, data)
            return Done(path, outcome, options.out, None, FINE)
    except files.AlreadyThere as problem:
        return Done(path, outcome, None, str(problem), FAULTY)
    except files.FileProblem as problem:
        return Done(path, outcome, None, str(problem), UNUSABLE)
    return Done(path, outcome, None, None, FAULTY if options.check else FINE)


def _show_text(done: list[Done], options: Options, color: str) -> None:
    _show_each(done, options, color, _text)


def _show_markdown(done: list[Done], options: Options, color: str) -> None:
    _show_each(done, options, color, _markdown)


def _show_json(done: list[Done], _options: Options, _color: str) -> None:
    documents = [_document(each) for each in done]
    common.write_json({"schema": "fishhawk.migrate-spec/1", "documents": documents})


FORMATS: dict[str, Callable[[list[Done], Options, str], None]] = {
    "text": _show_text,
    "json": _show_json,
    "markdown": _show_markdown,
}
"""How the answer is shown, by the name that --format takes."""


def _show_each(
    done: list[Done],
    options: Options,
    color: str,
    render: Callable[[Done, Outcome, Options], list[tuple[str, str]]],
) -> None:
    """Write each file's report, to standard error where a diff has the standard output to itself."""
    paint = common.painter(color)
    for each in done:
        outcome = each.outcome
        if outcome is not None and outcome.outcome != UNREADABLE:
            if options.diff and outcome.outcome == MIGRATED:
                common.write(_diff(each.path, outcome))
            parts = render(each, outcome, options)
            if len(done) > 1 and render is _text:
                parts.insert(0, ("place", f"== {each.path} =="))
            text = "".join(paint(role, part) + "\n" for role, part in parts)
            click.echo(text, nl=False, err=options.diff, color=paint is not bare)
        _complain(each)


def _text(each: Done, outcome: Outcome, options: Options) -> list[tuple[str, str]]:
    return [("plain", eligibility.text(outcome)), ("good", _last(each, options))]


def _markdown(each: Done, outcome: Outcome, _options: Options) -> list[tuple[str, str]]:
    return [("plain", eligibility.markdown(outcome, each.path))]


def _last(each: Done, options: Options) -> str:
    assert each.outcome is not None
    if each.outcome.outcome == NO_OP:
        unmade = f"; {options.out} was not written" if options.out else ""
        return f"{each.path}: at version 2 already, nothing to migrate{unmade}"
    if each.outcome.outcome == REFUSED:
        return f"{each.path}: refused, nothing was written"
    if each.error is not None:
        return f"{each.path}: nothing was written"
    if each.written is None:
        return f"{each.path}: would migrate to version 2; write it with --in-place or --out FILE"
    return f"{each.path}: rewritten" if options.in_place else f"{each.path}: written to {each.written}"


def _complain(each: Done) -> None:
    """Write to standard error why a file was not migrated."""
    if each.error is not None:
        common.warn(each.error)
    if each.outcome is None or each.outcome.outcome != REFUSED:
        return
    common.warn(f"{each.path}: nothing was written")
    for refusal in each.outcome.refusals:
        finding = refusal.finding
        line, column = each.outcome.document.position(finding.start)
        place = f"{each.path}:{line}:{column}"
        common.warn(f"[{finding.rule}] {finding.pointer}: {refusal.words} ({place})")
        report = findings.Report(each.path, refusal.document or each.outcome.document, refusal.diagnostics)
        for diagnostic in refusal.diagnostics:
            common.warn("  " + findings.headline(report, diagnostic))
            if diagnostic.hint:
                common.warn(f"    hint: {diagnostic.hint}")


def _diff(path: str, outcome: Outcome) -> str:
    document = outcome.document
    name, outside = _diff_name(path)
    if outside:
        common.warn(f"{path}: outside the current folder; the diff names the real path")
    text = document.encode(document.text).decode("utf-8")
    shift = int(document.mark)
    edits = [edit._replace(start=edit.start + shift, end=edit.end + shift) for edit in outcome.edits]
    old, new = (name, name) if outside else (f"a/{name}", f"b/{name}")
    return unified(text, edits, _quoted(old), _quoted(new))


def _diff_name(path: str) -> tuple[str, bool]:
    """Return the path for the header of a diff, and whether the file is outside the current folder."""
    if path == files.shown(files.STDIN):
        return "stdin", False
    real = Path(path).resolve()
    try:
        return real.relative_to(Path.cwd().resolve()).as_posix(), False
    except ValueError:
        return real.as_posix(), True


def _quoted(name: str) -> str:
    """Return a file name as git writes it: quoted when it holds anything unusual."""
    raw = os.fsencode(name)
    if all(32 < byte < 127 and byte not in b'"\\' for byte in raw):
        return name
    if all((32 <= byte < 127 or byte > 127) and byte not in b'"\\' for byte in raw):
        return name + ("\t" if " " in name else "")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in raw) + '"'


def _document(each: Done) -> dict[str, Any]:
    outcome = each.outcome
    readable = outcome is not None and outcome.outcome != UNREADABLE
    return {
        "path": each.path,
        "outcome": outcome.outcome if outcome is not None else UNREADABLE,
        "source_version": versions.written_version(outcome.document) if outcome is not None else None,
        "refusals": _refusals(outcome) if outcome is not None else [],
        "report": eligibility.as_json(outcome) if outcome is not None and readable else None,
        "changed_lines": _changed(outcome) if outcome is not None else 0,
        "written": each.written,
        "error": each.error,
    }


def _changed(outcome: Outcome) -> int:
    return sum(len(hunk.new) for hunk in hunks(outcome.document.text, outcome.edits))


def _refusals(outcome: Outcome) -> list[dict[str, Any]]:
    found = []
    for refusal in outcome.refusals:
        finding = refusal.finding
        line, column = outcome.document.position(finding.start)
        entry: dict[str, Any] = {
            "code": finding.rule,
            "pointer": finding.pointer,
            "line": line,
            "column": column,
            "message": refusal.words,
        }
        if finding.pointer == "/":
            document = refusal.document or outcome.document
            entry["diagnostics"] = [findings.as_json(document, each) for each in refusal.diagnostics]
        found.append(entry)
    return found


@click.command("migrate-spec")
@common.paths
@click.option("--in-place", is_flag=True, help="Rewrite the file itself.")
@common.new_file("Write the result to FILE, which must not exist.")
@click.option("--report-only", is_flag=True, help="Only report; this is what happens without options.")
@click.option("--diff", is_flag=True, help="Print what would change as a diff, for git apply.")
@click.option("--check", is_flag=True, help="Exit 1 unless every file is at version 2. Writes nothing.")
@click.option("--from-v0", is_flag=True, help="Lift files of version 0 as well.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@common.options
def command(paths: tuple[str, ...], report_only: bool, form: str, color: str, **given: Any) -> int:
    """Move workflow files from version 1 to version 2 with the smallest possible edit.

    Reports who may approve what before and after, and refuses by name what has no faithful
    translation. PATH is .fishhawk/workflows.yaml unless given; - is standard input. Exit code 0 when
    every file is or would be at version 2, 1 when one is refused, 2 when one cannot be read or written.

    \b
    Example: fishhawk migrate-spec --diff | git apply
    """
    options = Options(**given)
    _refuse_contradictions(options, paths, report_only, form)
    done = [_do(path, source, options) for path, source in common.sources(paths)]
    FORMATS[form](done, options, color)
    return max(each.code for each in done)

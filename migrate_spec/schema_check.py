"""The schema phase: what the JSON Schema of a grammar refuses, as findings at the author's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from migrate_spec import acceptance, messages
from transforms import reuse
from transforms.finding import Finding, Place, Related, at_holder, at_key, at_value, error, unique
from transforms.nodes import Mapping, Node, Pair, Scalar, Sequence, lookup, plain
from transforms.pointer import Foreign, Step


class Fault(NamedTuple):
    """One keyword of a schema that one value does not meet.

    `path` leads to `instance` from the root, `key` is the offending or missing key inside it and
    `more` the other missing ones, `schema` is the object that holds `keyword`, `written` the text of a
    scalar as the author wrote it, where it is known.
    """

    path: tuple[Step, ...]
    keyword: str
    value: Any
    instance: Any
    schema: dict[str, Any]
    key: str | None = None
    more: tuple[str, ...] = ()
    written: str | None = None


def schema_findings(root: Node, name: str) -> list[Finding]:
    """Return what the schema `name` refuses in `root`, a document whose reuse is resolved.

    Pointers and places are those of the text the author wrote (`validation-rules.md` 1).
    """
    root = reuse.shared_once(root) if isinstance(root, Mapping) else root
    found = list(_foreign_keys(root))
    for fault in _joined(faults(plain(root), name)):
        found.append(_finding(root, fault, name))
    return unique(found)


def _joined(found: Iterable[Fault]) -> list[Fault]:
    """Return `found` with the keys that one object lacks in one fault: they share pointer and place."""
    joined: dict[Any, Fault] = {}
    for number, fault in enumerate(found):
        first = joined.setdefault(fault.path if fault.keyword == "required" else number, fault)
        if first is not fault:
            joined[fault.path] = first._replace(more=(*first.more, str(fault.key)))
    return list(joined.values())


def faults(data: Any, name: str) -> Iterator[Fault]:
    """Yield what the schema `name` refuses in `data`, unions read by their discriminator."""
    if acceptance.accepts(name)(data):
        return
    from migrate_spec import validator

    for problem in validator.compiled(name).iter_errors(data):
        yield from _read(problem, tuple(problem.path))


def _read(problem: Any, path: tuple[Step, ...]) -> Iterator[Fault]:
    """Yield the faults of one error of the library, whose `path` is absolute."""
    keyword, instance, schema = problem.validator, problem.instance, problem.schema
    if keyword in ("oneOf", "anyOf", "allOf", "if") and problem.context:
        picked = picked_branch(schema.get(keyword), instance) if keyword == "oneOf" else None
        for inner in problem.context if picked is not None else ():
            if inner.schema_path[0] == picked:
                yield from _read(inner, (*path, *inner.path))
        if picked is not None:
            return
        if not isinstance(instance, dict) and schema.get("type") == "object":
            return
    yield Fault(path, keyword, problem.validator_value, instance, schema, _key(problem))


def _key(problem: Any) -> str | None:
    """Return what an error is about: an unknown, ill-named or missing key, or where two equal entries are."""
    if problem.validator in ("additionalProperties", "propertyNames", "required", "uniqueItems"):
        return str(problem.message)
    return None


def picked_branch(branches: Any, instance: Any) -> int | None:
    """Return the index of the branch that the written keys pick (`validation-rules.md` 1), or None."""
    if not isinstance(instance, dict):
        return None
    marks = [messages.branch_mark(branch) for branch in branches]
    if None in marks:
        return None
    picked = [i for i, mark in enumerate(marks) if mark is not None and mark.picked_by(instance)]
    return picked[0] if len(picked) == 1 else None


def _foreign_keys(root: Node) -> Iterator[Finding]:
    below: list[Node] = [root]
    while below:
        node = below.pop()
        if isinstance(node, Sequence):
            below.extend(item for item in node.items if not isinstance(item, Scalar))
        elif isinstance(node, Mapping):
            for name, pair in node.entries.items():
                if isinstance(name, Foreign):
                    message, hint = messages.foreign_key(name)
                    yield error("schema", node.pointer, at_key(pair), message, hint)
                if not isinstance(pair.value, Scalar):
                    below.append(pair.value)


def _finding(root: Node, fault: Fault, name: str) -> Finding:
    node = lookup(root, fault.path)
    assert node is not None, fault.path
    holder = node
    if _is_delegate_shape(fault):
        assert node.parent is not None
        holder = lookup(root, fault.path[:-1]) or node.parent
    written = node.text if isinstance(node, Scalar) else None
    message, hint = messages.words(fault._replace(path=_written_path(node, fault.path), written=written))
    remark = _of_another_version(fault, name)
    hint = f"{remark}; {hint}" if remark and hint else hint
    place, related = _place(node, fault)
    return error("schema", holder.pointer, place, message, hint, related)


def _of_another_version(fault: Fault, name: str) -> str | None:
    """Return a remark if the unknown key or value is one of another version of the grammar."""
    if fault.keyword == "additionalProperties" and fault.key is not None:
        from migrate_spec.vocabulary import key_of

        return key_of(fault.key, frozenset(fault.schema.get("properties", ())), name)
    if fault.keyword == "enum" and isinstance(fault.instance, str):
        from migrate_spec.vocabulary import value_of

        return value_of(fault.instance, frozenset(map(str, fault.value)), name)
    return None


def _written_path(node: Node, path: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the path of `node` as the author counts, `path` itself for a list that nobody wrote."""
    steps = node.steps()
    last, written = path[-1:], steps[-1:]
    counted = bool(last and written) and isinstance(last[0], int) and isinstance(written[0], int)
    return steps if counted or last == written else path


def _is_delegate_shape(fault: Fault) -> bool:
    """Which keys a delegate has is a fault of its executor (`validation-rules.md` 1)."""
    return bool(fault.path) and fault.path[-1] == "delegate" and isinstance(fault.instance, dict)


def _place(node: Node, fault: Fault) -> tuple[Place, tuple[Related, ...]]:
    if fault.keyword in ("additionalProperties", "propertyNames") and isinstance(node, Mapping):
        pair = node.entries.get(fault.key or "")
        if pair is not None:
            return at_key(pair), _taken_by(node, pair)
    if fault.keyword == "uniqueItems" and isinstance(node, Sequence):
        first, second = (node.items[int(at)] for at in (fault.key or "0,0").split(","))
        return at_value(second), (Related(first.start, first.end, "it stands here first"),)
    if fault.keyword == "oneOf" and isinstance(node, Mapping):
        marks = [mark for mark in map(messages.branch_mark, fault.value) if mark is not None]
        written = [node.get(mark.key) for mark in marks]
        if len({mark.key for mark in marks}) == 1 and written[0] is not None:
            return at_value(written[0]), ()
    if fault.keyword in _SHAPE and isinstance(node, Mapping) and node.entries:
        return at_holder(node), ()
    return (at_value(node), ()) if fault.keyword not in _SHAPE else (at_holder(node), ())


def _taken_by(node: Mapping, pair: Pair) -> tuple[Related, ...]:
    """Return the place of `node` if its entry `pair` is written on another rung of reuse."""
    if pair.value.parent is None or pair.value.parent.steps() == node.steps():
        return ()
    start, end, _ = at_holder(node)
    return (Related(start, end, "the key comes in here by defaults or extends"),)


_SHAPE = frozenset(
    {
        "required",
        "oneOf",
        "anyOf",
        "allOf",
        "if",
        "not",
        "dependentRequired",
        "minProperties",
        "maxProperties",
    }
)

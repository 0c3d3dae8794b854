"""Values written out on one line, with the edits that concern them done."""

from __future__ import annotations

from collections.abc import Iterable

from transforms.edits import Edit, collect, splice
from transforms.nodes import Mapping, Node, Scalar, Sequence, walk
from transforms.scalars import is_bare, quote


class Stuck(ValueError):
    """An edit concerns a value in a way that cannot be done while writing it out; `at` is where it is used."""

    def __init__(self, node: Node) -> None:
        name = f"the alias *{node.alias.name}" if node.alias else "the value"
        super().__init__(
            f"{name} at {node.pointer} would have to be written out in other words, and cannot be"
        )
        self.at = node.first


def written_out(text: str, node: Node, edits: Iterable[Edit] = ()) -> str:
    """Return the value of `node` as one line of flow style, `edits` inside it done, without anchor and tag.

    Raises Stuck when an edit is neither inside a scalar nor in the place of an alias nor inside text that
    stays as written.
    """
    wanted = collect(edits)
    if _stays(text, node):
        return _spliced(text, node, wanted)
    used: set[Edit] = set()
    result = _flow(text, node, wanted, used)
    if used != set(wanted):
        raise Stuck(node)
    return result


def _is_before(edit: Edit, node: Node) -> bool:
    """Tell whether `edit` is about the anchor or tag of `node`, which are not written out."""
    return node.outer <= edit.start < edit.end <= node.start


def _stays(text: str, node: Node) -> bool:
    """Tell whether the text of `node` can stand on one line as it is."""
    if "\n" in text[node.start : node.end] or "\r" in text[node.start : node.end]:
        return False
    if isinstance(node, Scalar):
        bare = not isinstance(node.value, str) or is_bare(node.text)
        return node.start < node.end and (node.style in ("'", '"') or (not node.style and bare))
    flow = isinstance(node, (Mapping, Sequence)) and node.flow and text[node.start] in "{["
    return flow and not any(part.anchor or part.alias or part.via for part in walk(node) if part is not node)


def _spliced(text: str, node: Node, edits: list[Edit]) -> str:
    about = [edit for edit in edits if not _is_before(edit, node)]
    if not all(node.outer <= edit.start and edit.end <= node.end for edit in about):
        raise Stuck(node)
    # What takes anchor and tag along begins with the value here.
    shifted = [
        edit._replace(start=max(edit.start - node.start, 0), end=max(edit.end - node.start, 0))
        for edit in about
    ]
    return splice(text[node.start : node.end], shifted)


def _flow(text: str, node: Node, edits: list[Edit], used: set[Edit]) -> str:
    used.update(edit for edit in edits if _is_before(edit, node))
    instead = next((edit for edit in edits if node.alias is not None and edit[:2] == node.alias[:2]), None)
    if instead is not None:
        used.add(instead)
        return instead.new
    if isinstance(node, Mapping):
        pairs = node.entries.values()
        inner = [f"{_flow(text, k, edits, used)}: {_flow(text, v, edits, used)}" for k, v in pairs]
        return "{" + ", ".join(inner) + "}"
    if isinstance(node, Sequence):
        return "[" + ", ".join(_flow(text, item, edits, used) for item in node.items) + "]"
    assert isinstance(node, Scalar)
    inside = (edit for edit in edits if node.outer <= edit.start and edit.end <= node.end)
    mine = [edit for edit in inside if not _is_before(edit, node)]
    used.update(mine)
    if _stays(text, node):
        return _spliced(text, node, mine)
    if mine:
        raise Stuck(node)
    return scalar(node)


def scalar(node: Scalar) -> str:
    """Return a scalar's value as one token: its own word where that stays the same value, else quoted."""
    if not isinstance(node.value, str):
        return node.text or "null"
    return node.text if is_bare(node.text) else quote(node.text)

"""The C parser's events to nodes: aliases used, merge keys expanded, limits kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from transforms.comments import SEPARATORS, break_in_comment
from transforms.finding import Finding, Place, Related, error
from transforms.nodes import Alias, Mapping, Node, Pair, Scalar, Sequence
from transforms.pointer import Foreign
from transforms.scalars import TooLong, resolve
from transforms.uses import adopt, use
from transforms.wording import listed, plainly

MAX_DEPTH = 100
"""How deep collections may nest, aliases followed."""

GROWTH = 10
SPARE = 100_000
"""How many nodes aliases may add to any document, beside ten times those that are written."""

_TAG = "tag:yaml.org,2002:"
_PROPERTIES = re.compile(rf"(?:(?:!\S*|&[-0-9A-Z_a-z]+)(?:\s+|#[^\r\n{SEPARATORS}]*)*)*")


class Unreadable(Exception):
    """The text yields no tree; carries the finding that says why."""

    def __init__(self, place: Place, message: str, hint: str | None = None) -> None:
        self.finding = _fault(place, message, hint)


def load(text: str) -> tuple[Node | None, list[Finding]]:
    """Return the tree of `text` and its faults: no tree when it cannot be read at all."""
    loader = _Loader(text)
    try:
        root = loader.load()
    except Unreadable as problem:
        return None, [problem.finding]
    except MarkedYAMLError as problem:
        return None, [_syntax(problem, text)]
    return root, loader.faults


def _fault(place: Place, message: str, hint: str | None = None, related: tuple[Related, ...] = ()) -> Finding:
    return error("yaml-invalid", "", place, message, hint, related)


def _syntax(problem: MarkedYAMLError, text: str) -> Finding:
    assert problem.problem_mark is not None
    start = min(problem.problem_mark.index, len(text))
    said = " ".join(filter(None, (problem.problem, problem.context)))
    hint = next((hint for part, hint in _HINTS.items() if part in said), _HINT)
    place = Place(start, min(start + 1, len(text)))
    return _fault(place, f"not YAML: {said}", hint, _hidden_break(text, start))


_HINT = "check indentation, quotes and brackets at this place"
_HINTS = {
    "cannot start any token": "indent with blanks, no tab; quote text that begins with a special character",
    "mapping values are not allowed": "quote text that holds a colon, or indent the key like its neighbours",
    "scanning an alias": "quote text that begins with *",
    "scanning an anchor": "quote text that begins with &",
}
"""What mostly lies behind what the parser says."""


def _hidden_break(text: str, end: int) -> tuple[Related, ...]:
    """Return the last place before `end` where a line ends for YAML readers and for nobody else."""
    at = max(text[:end].rfind(char) for char in SEPARATORS)
    if at < 0:
        return ()
    return (Related(at, at + 1, f"the character U+{ord(text[at]):04X} here ends the line for YAML readers"),)


class _Frame:
    """A collection that is still open: its key that waits for a value, its height and node count."""

    __slots__ = ("height", "key", "node", "size")

    def __init__(self, node: Mapping | Sequence) -> None:
        self.node = node
        self.key: Node | None = None
        self.height = 1
        self.size = 1


class _Loader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: list[Finding] = []
        self.frames: list[_Frame] = []
        self.anchors: dict[str, tuple[Node, int, int]] = {}
        self.written = 0
        self.expanded = 0
        self.root: Node | None = None

    def load(self) -> Node:
        events = iter(YAML(typ="safe").parse(self.text))
        next(events)
        start = next(events)
        if not isinstance(start, DocumentStartEvent):
            raise Unreadable(Place(0, 0), "the file is empty", "write version and workflows")
        self._directives(start)
        takers: dict[type, Callable[[Any], None]] = {
            ScalarEvent: self._take_scalar,
            MappingStartEvent: self._open,
            SequenceStartEvent: self._open,
            MappingEndEvent: self._close,
            SequenceEndEvent: self._close,
            AliasEvent: self._alias,
        }
        event = next(events)
        while type(event) in takers:
            takers[type(event)](event)
            event = next(events)
        self._second_document(events)
        self._breaks_in_comments()
        assert self.root is not None
        if isinstance(self.root, Scalar) and self.root.start == self.root.end:
            raise Unreadable(Place(0, 0), "the file is empty", "write version and workflows")
        return self.root

    def _directives(self, event: Any) -> None:
        if event.version is not None and tuple(event.version) != (1, 2):
            wrong = ".".join(map(str, event.version))
            at = self.text.find("%YAML", event.start_mark.index)
            raise Unreadable(
                Place(at, at + 5),
                f"the directive asks for YAML {wrong}; this file is read as YAML 1.2",
                "remove the directive or write %YAML 1.2",
            )

    def _second_document(self, events: Iterator[Any]) -> None:
        event = next(events)
        if isinstance(event, DocumentStartEvent):
            place = Place(event.start_mark.index, event.end_mark.index)
            message = "a second document starts here; a governance file holds one"
            self.faults.append(_fault(place, message, "move it to a file of its own"))

    def _breaks_in_comments(self) -> None:
        assert self.root is not None
        found = break_in_comment(self.text, self.root)
        if found is not None:
            char = f"U+{ord(self.text[found]):04X}"
            raise Unreadable(
                Place(found, found + 1),
                f"the character {char} ends a comment for YAML readers and for nobody else",
                "remove the character or begin a new comment line",
            )

    # -- scalars -------------------------------------------------------------

    def _take_scalar(self, event: Any) -> None:
        self._attach(self._scalar(event))

    def _scalar(self, event: Any) -> Scalar:
        outer, end = event.start_mark.index, event.end_mark.index
        start = self._behind_properties(outer, end) if event.anchor or event.tag else outer
        style = event.style or ""
        if style in ("|", ">"):
            # It ends here with its last line that is not blank, the line break left out.
            end = start + len(self.text[start:end].rstrip())
        node = Scalar(outer, start, end, event.anchor, event.value, style=style, tag=event.tag)
        node.value = self._value(node, event)
        return node

    def _behind_properties(self, start: int, end: int) -> int:
        """Return the offset behind the anchor and tag that begin at `start`, at most `end`."""
        match = _PROPERTIES.match(self.text, start, end)
        assert match is not None
        return match.end()

    def _value(self, node: Scalar, event: Any) -> Any:
        tag = event.tag
        if tag is None:
            return self._resolved(node) if event.implicit[0] else node.text
        if tag in ("!", _TAG + "str"):
            return node.text
        value: Any = self._resolved(node)
        wanted = _KINDS.get(tag)
        if wanted is not None and type(value) in wanted:
            # By way of the text, since a long integer has no float and no reason to fail.
            return float(str(value)) if tag == _TAG + "float" else value
        self._unknown_tag(node, tag)
        return node.text

    def _unknown_tag(self, node: Node, tag: str) -> None:
        shown = plainly(tag.replace(_TAG, "!!"))
        place = Place(node.outer, node.start if node.start > node.outer else node.end)
        message = f"the tag {shown} has no meaning for this value"
        self.faults.append(_fault(place, message, "remove the tag"))

    def _resolved(self, node: Scalar) -> object:
        try:
            return resolve(node.text)
        except TooLong as problem:
            message = f"{problem} is longer than any reader takes"
            raise Unreadable(Place(node.start, node.end), message, "quote it or shorten it") from None

    # -- collections ---------------------------------------------------------

    def _open(self, event: Any) -> None:
        outer, end = event.start_mark.index, event.end_mark.index
        if len(self.frames) >= MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} levels deep"
            raise Unreadable(Place(outer, min(outer + 1, len(self.text))), message, "flatten the document")
        flow = bool(event.flow_style)
        start = end - 1 if flow and end > outer else outer  # a pair alone in a list has no bracket
        kind = Mapping if isinstance(event, MappingStartEvent) else Sequence
        node = kind(outer, start, end, event.anchor, flow)
        wanted = _TAG + ("map" if kind is Mapping else "seq")
        if event.tag not in (None, "!", wanted):
            self._unknown_tag(node, event.tag)
        if event.anchor:
            self.anchors.pop(event.anchor, None)
        self.frames.append(_Frame(node))

    def _close(self, event: Any) -> None:
        frame = self.frames.pop()
        node = frame.node
        if node.flow:
            node.end = event.end_mark.index
        else:
            self._fit_block(node)
        if isinstance(node, Mapping):
            self._merge(node)
        self._attach(node, frame.height, frame.size)

    def _fit_block(self, node: Mapping | Sequence) -> None:
        """Let a block collection begin with its first and end with its last token."""
        if isinstance(node, Mapping):
            node.end = node.written[-1].value.last
        else:
            node.start = self._behind_properties(node.outer, node.items[0].first)
            node.end = node.items[-1].last

    def _attach(self, node: Node, height: int = 0, size: int = 1) -> None:
        if node.alias is None:
            self.written += 1
            if node.anchor:
                self.anchors[node.anchor] = (node, height, size)
        if not self.frames:
            self.root = node
            return
        frame = self.frames[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        holder = frame.node
        node.parent = holder
        if isinstance(holder, Sequence):
            node.step = len(holder.items)
            holder.items.append(node)
        elif frame.key is None:
            frame.key = node
            if not holder.written and not holder.flow:
                holder.start = node.first
        else:
            self._put(holder, Pair(frame.key, node))
            frame.key = None

    def _put(self, holder: Mapping, pair: Pair) -> None:
        name = _name(pair.key)
        pair.value.step = name
        pair.key.step = name
        holder.written.append(pair)
        if _is_merge(pair.key):
            first = next(each for each in holder.written if _is_merge(each.key))
        else:
            first = holder.entries.setdefault(name, pair)
        if first is not pair:
            self._duplicate(first.key, pair.key)

    def _duplicate(self, first: Node, second: Node) -> None:
        name = plainly(self.text[second.start : second.end])
        self.faults.append(
            _fault(
                Place(second.start, second.end),
                f"the key {name} stands in this mapping already",
                "keep one of the two",
                (Related(first.start, first.end, "it stands here first"),),
            )
        )

    # -- merge keys ----------------------------------------------------------

    def _merge(self, node: Mapping) -> None:
        for pair in node.written:
            if not _is_merge(pair.key):
                continue
            sources = pair.value.items if isinstance(pair.value, Sequence) else [pair.value]
            for source in sources:
                if isinstance(source, Mapping):
                    adopt(node, source, source.alias or pair.value.alias)
                else:
                    self._bad_merge(source if source.last > source.first else pair.key)

    def _bad_merge(self, found: Node) -> None:
        place = Place(found.first, found.last)
        message = "<< takes a mapping or a list of mappings"
        self.faults.append(_fault(place, message, "merge an anchored mapping: <<: *name"))

    # -- aliases -------------------------------------------------------------

    def _alias(self, event: Any) -> None:
        start, end, name = event.start_mark.index, event.end_mark.index, event.anchor
        found = self.anchors.get(name)
        if found is None:
            self._unfinished(start, end, name)
            return
        source, height, size = found
        if len(self.frames) + height > MAX_DEPTH:
            message = f"the alias *{plainly(name)} nests more than {MAX_DEPTH} levels deep"
            raise Unreadable(Place(start, end), message, "flatten the document")
        self.expanded += size
        if self.expanded > GROWTH * self.written + SPARE:
            message = f"the alias *{plainly(name)} blows the document up to more than {self.expanded:,} nodes"
            raise Unreadable(Place(start, end), message, "write less through aliases")
        node = use(source)
        node.alias = Alias(start, end, name)
        self._attach(node, height, size)

    def _unfinished(self, start: int, end: int, name: str) -> None:
        place = Place(start, end)
        for frame in self.frames:
            if frame.node.anchor == name:
                self.faults.append(
                    _fault(
                        place,
                        f"the alias *{plainly(name)} stands inside the value that it repeats",
                        "write the value out",
                        (Related(frame.node.outer, frame.node.start, f"&{plainly(name)} is defined here"),),
                    )
                )
                stand_in = Scalar(start, start, end)
                stand_in.alias = Alias(start, end, name)
                self._attach(stand_in)
                return
        known = listed(f"&{anchor}" for anchor in sorted(self.anchors)) or "none"
        raise Unreadable(
            place, f"no anchor &{plainly(name)} stands above this alias", f"anchors above it: {known}"
        )


_KINDS: dict[str, tuple[type, ...]] = {
    _TAG + "null": (type(None),),
    _TAG + "bool": (bool,),
    _TAG + "int": (int,),
    _TAG + "float": (float, int),
}


def _name(key: Node) -> str | Foreign:
    if isinstance(key, Scalar):
        return key.value if isinstance(key.value, str) else Foreign(type(key.value).__name__, key.text)
    return Foreign("collection", f"{key.first}")


def _is_merge(key: Node) -> bool:
    return isinstance(key, Scalar) and key.text == "<<" and not key.style and key.tag is None

"""The tree of a YAML text: scalars, sequences and mappings that know where they are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from transforms.pointer import Foreign, Step, dump


class Alias(NamedTuple):
    """One use of an alias: the offsets of its token and the name behind the asterisk."""

    start: int
    end: int
    name: str


class Node:
    """A value and its place in the text.

    `start` and `end` enclose the value behind its anchor and tag, `outer` stands before them.
    A block collection ends with its last scalar, so comments below it are not part of it.
    `alias` is set where this use is written as an alias; the offsets then belong to the text that
    the anchor marks. `via` is the alias behind the merge key that brought the node to its parent.
    `parent` and `step` lead to the author's document, also after reuse has been resolved.
    """

    __slots__ = ("alias", "anchor", "end", "outer", "parent", "start", "step", "via")

    outer: int
    start: int
    end: int
    anchor: str | None
    alias: Alias | None
    via: Alias | None
    parent: Collection | None
    step: Step

    def __init__(self, outer: int, start: int, end: int, anchor: str | None = None) -> None:
        self.outer = outer
        self.start = start
        self.end = end
        self.anchor = anchor
        self.alias = None
        self.via = None
        self.parent = None
        self.step = ""

    def steps(self) -> tuple[Step, ...]:
        """Return the path from the root of the author's document to this node."""
        steps: list[Step] = []
        node: Node = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))

    @property
    def pointer(self) -> str:
        """The JSON Pointer of this node in the author's document."""
        return dump(self.steps())

    @property
    def first(self) -> int:
        """The offset where this use is written: the alias token, else the anchor, tag or value."""
        return self.alias.start if self.alias else self.outer

    @property
    def last(self) -> int:
        """The offset behind this use: of the alias token, else of the value."""
        return self.alias.end if self.alias else self.end

    def _placed_like(self, other: Node) -> None:
        self.alias = other.alias
        self.via = other.via
        self.parent = other.parent
        self.step = other.step


class Scalar(Node):
    """A scalar: `value` is its meaning under the core schema, `style` one of '', \", ', | and >."""

    __slots__ = ("style", "tag", "text", "value")

    def __init__(
        self,
        outer: int,
        start: int,
        end: int,
        anchor: str | None = None,
        text: str = "",
        value: Any = None,
        style: str = "",
        tag: str | None = None,
    ) -> None:
        super().__init__(outer, start, end, anchor)
        self.text = text
        self.value = value
        self.style = style
        self.tag = tag

    def copy(self) -> Scalar:
        """Return the same scalar as a node of its own."""
        twin = Scalar(
            self.outer, self.start, self.end, self.anchor, self.text, self.value, self.style, self.tag
        )
        twin._placed_like(self)
        return twin


class Collection(Node):
    """What sequences and mappings share: whether they are written in flow style."""

    __slots__ = ("flow",)

    flow: bool


class Sequence(Collection):
    """A list of nodes."""

    __slots__ = ("items",)

    def __init__(
        self,
        outer: int,
        start: int,
        end: int,
        anchor: str | None = None,
        flow: bool = False,
        items: list[Node] | None = None,
    ) -> None:
        super().__init__(outer, start, end, anchor)
        self.flow = flow
        self.items: list[Node] = [] if items is None else items

    def like(self, items: list[Node]) -> Sequence:
        """Return a sequence of other items that stands, for every question of place, where this one does."""
        twin = Sequence(self.outer, self.start, self.end, self.anchor, self.flow, items)
        twin._placed_like(self)
        return twin


class Pair(NamedTuple):
    """A key and its value."""

    key: Node
    value: Node


class Mapping(Collection):
    """A mapping. `entries` holds what it means, merge keys expanded; `written` what stands in the text.

    Keys of `entries` are strings; a key that is none is filed under its `Foreign` value.
    """

    __slots__ = ("entries", "written")

    def __init__(
        self,
        outer: int,
        start: int,
        end: int,
        anchor: str | None = None,
        flow: bool = False,
        entries: dict[str | Foreign, Pair] | None = None,
    ) -> None:
        super().__init__(outer, start, end, anchor)
        self.flow = flow
        self.entries: dict[str | Foreign, Pair] = {} if entries is None else entries
        self.written: list[Pair] = []

    def like(self, entries: dict[str | Foreign, Pair]) -> Mapping:
        """Return a mapping of other entries that stands, for every question of place, where this one does."""
        twin = Mapping(self.outer, self.start, self.end, self.anchor, self.flow, entries)
        twin.written = self.written
        twin._placed_like(self)
        return twin

    def get(self, name: str) -> Node | None:
        """Return the value under `name`, or None when the key is not there."""
        pair = self.entries.get(name)
        return None if pair is None else pair.value

    def mapping(self, name: str) -> Mapping | None:
        """Return the value under `name` if it is a mapping."""
        value = self.get(name)
        return value if isinstance(value, Mapping) else None

    def items(self, name: str) -> list[Node]:
        """Return the items under `name`, none unless the value is a sequence."""
        value = self.get(name)
        return value.items if isinstance(value, Sequence) else []

    def scalar(self, name: str) -> Any:
        """Return the plain value under `name` if it is a scalar, else None."""
        value = self.get(name)
        return value.value if isinstance(value, Scalar) else None

    def text(self, name: str) -> str | None:
        """Return the string under `name`, or None when there is no string."""
        value = self.scalar(name)
        return value if isinstance(value, str) else None


def pair_of(node: Node) -> Pair | None:
    """Return the pair that `node` is the value of, None for a list item and the root."""
    parent = node.parent
    if not isinstance(parent, Mapping):
        return None
    assert not isinstance(node.step, int)
    return parent.entries.get(node.step)


def children(node: Node) -> list[Node]:
    """Return the values directly below `node`, in the order of the text."""
    if isinstance(node, Mapping):
        return [pair.value for pair in node.entries.values()]
    return node.items if isinstance(node, Sequence) else []


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and every value below it, each before its children, in the order of the text."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def written(node: Node) -> Iterator[Node]:
    """Yield `node` and every value below it that stands in the text, nothing that an alias repeats."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.alias is not None:
            continue
        yield node
        if isinstance(node, Mapping):
            stack.extend(value for _key, value in reversed(node.written))
        elif isinstance(node, Sequence):
            stack.extend(reversed(node.items))


def lookup(root: Node, steps: tuple[Step, ...]) -> Node | None:
    """Return the node that `steps` lead to from `root`, or None."""
    node: Node | None = root
    for step in steps:
        if isinstance(node, Mapping):
            node = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def plain(node: Node) -> Any:
    """Return the data of `node` as dicts, lists and scalars, no two uses sharing a container.

    Keys that are no strings are left out: `validation` reports their mapping before it looks at data.
    """
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {name: plain(pair.value) for name, pair in node.entries.items() if isinstance(name, str)}
    assert isinstance(node, Sequence)
    return [plain(item) for item in node.items]

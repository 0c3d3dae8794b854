"""The tree of nodes: paths, look-up, walks, copies that stand where others do."""

from __future__ import annotations

import pytest
from trees import mapping, scalar, sequence, tree

from transforms.nodes import children, lookup, pair_of, plain, walk, written
from transforms.pointer import Step

TEXT = "base: &b {x: [1, 2]}\nuse: *b\nlist:\n  - <<: *b\n    y: {}\n"


def test_a_walk_visits_values_in_the_order_of_the_text() -> None:
    root = tree(TEXT)
    assert [node.pointer for node in walk(root)] == [
        "",
        *("/base", "/base/x", "/base/x/0", "/base/x/1"),
        *("/use", "/use/x", "/use/x/0", "/use/x/1"),
        *("/list", "/list/0", "/list/0/y", "/list/0/x", "/list/0/x/0", "/list/0/x/1"),
    ]


def test_what_stands_in_the_text_is_nothing_that_an_alias_repeats() -> None:
    assert [node.pointer for node in written(tree(TEXT))] == [
        "", "/base", "/base/x", "/base/x/0", "/base/x/1", "/list", "/list/0", "/list/0/y"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ((), {"base": {"x": [1, 2]}, "use": {"x": [1, 2]}, "list": [{"y": {}, "x": [1, 2]}]}),
        (("use", "x", 1), 2),
        (("list", 0, "y"), {}),
        (("list", 1), ...),
        (("list", "0"), ...),
        (("none",), ...),
        (("use", "x", 0, "deeper"), ...),
        (("none", "deeper"), ...),
        (("use", 0), ...),
    ],
)
def test_look_up(steps: tuple[Step, ...], value: object) -> None:
    found = lookup(tree(TEXT), steps)
    assert (... if found is None else plain(found)) == value


def test_the_root_is_no_step_of_a_path() -> None:
    root = tree(TEXT)
    assert (root.parent, root.step, root.steps(), root.pointer) == (None, "", (), "")


def test_values_of_a_mapping_by_their_kind() -> None:
    root = tree("m: {a: 1}\nl: [x]\ns: word\nn: 1\ne:\n")
    assert [root.mapping(name) is not None for name in "mlsnex"] == [True, False, False, False, False, False]
    assert [len(root.items(name)) for name in "mlsnex"] == [0, 1, 0, 0, 0, 0]
    assert [root.scalar(name) for name in "mlsnex"] == [None, None, "word", 1, None, None]
    assert [root.text(name) for name in "mlsnex"] == [None, None, "word", None, None, None]
    assert [root.get(name) is not None for name in "mlsnex"] == [True, True, True, True, True, False]


def test_the_pair_of_a_value() -> None:
    root = tree(TEXT)
    assert pair_of(root) is None
    assert pair_of(sequence(root.get("list")).items[0]) is None
    assert pair_of(mapping(root.get("use"))) is root.entries["use"]
    merged = mapping(root.items("list")[0]).entries["x"]
    assert pair_of(merged.value) is merged


def test_a_mapping_of_other_entries_keeps_its_place() -> None:
    root = tree(TEXT)
    use = mapping(root.get("use"))
    twin = use.like({})
    assert (twin.outer, twin.start, twin.end, twin.anchor, twin.flow) == (6, 9, 20, "b", True)
    assert (twin.alias, twin.via, twin.parent, twin.step) == (use.alias, None, root, "use")
    assert twin.written is use.written
    assert (twin.pointer, twin.first, twin.last) == ("/use", 26, 28)
    assert plain(twin) == {}


def test_a_sequence_of_other_items_keeps_its_place() -> None:
    merged = sequence(mapping(tree(TEXT).items("list")[0]).get("x"))
    twin = merged.like([])
    assert (twin.outer, twin.start, twin.end, twin.anchor, twin.flow) == (13, 13, 19, None, True)
    assert (twin.alias, twin.via, twin.parent, twin.step) == (None, (43, 45, "b"), merged.parent, "x")
    assert (twin.pointer, twin.items) == ("/list/0/x", [])
    assert sequence(tree("a: &a [1]").get("a")).like([]).anchor == "a"


def test_a_copy_of_a_scalar() -> None:
    node = scalar(tree("a: !!str &x 'b'").get("a"))
    twin = node.copy()
    assert twin is not node
    assert [getattr(twin, name) for name in ("outer", "start", "end", "anchor", "text", "value", "style", "tag")] == [
        3, 12, 15, "x", "b", "b", "'", "tag:yaml.org,2002:str"
    ]  # fmt: skip
    assert (twin.parent, twin.step) == (node.parent, "a")


def test_children() -> None:
    root = tree(TEXT)
    assert [node.pointer for node in children(root)] == ["/base", "/use", "/list"]
    assert [node.pointer for node in children(sequence(root.get("list")))] == ["/list/0"]
    assert children(sequence(lookup(root, ("use", "x"))).items[0]) == []

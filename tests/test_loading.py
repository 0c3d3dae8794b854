"""Text to trees: what cannot be read, what cannot be taken at face value, spans, aliases, merge keys."""

from __future__ import annotations

import math
from typing import Any

import pytest
from trees import document, mapping, scalar, sequence, tree

from transforms import loading
from transforms.document import parse
from transforms.finding import Finding, Related
from transforms.nodes import Mapping, Node, Scalar, plain, walk
from transforms.pointer import Foreign
from transforms.scalars import Date

WRITE = "write version and workflows"
CHECK = "check indentation, quotes and brackets at this place"
FLATTEN = "flatten the document"


def at(start: int, end: int, message: str, hint: str, *related: Related) -> Finding:
    return Finding("yaml-invalid", "error", "", start, end, message, hint, related)


UNREADABLE = [
    *[
        pytest.param(text, at(0, 0, "the file is empty", WRITE), id=f"empty {text!r}")
        for text in ("", "\n \n", "# only a comment\n", "---\n", "---\n...\n", "!!str", "&name")
    ],
    pytest.param(
        "%YAML 1.1\n---\na: 1\n",
        at(
            0,
            5,
            "the directive asks for YAML 1.1; this file is read as YAML 1.2",
            "remove the directive or write %YAML 1.2",
        ),
        id="directive",
    ),
    pytest.param(
        "%YAML 1.1\n---\na: '%YAML'\n",
        at(
            0,
            5,
            "the directive asks for YAML 1.1; this file is read as YAML 1.2",
            "remove the directive or write %YAML 1.2",
        ),
        id="directive above its name",
    ),
    pytest.param(
        "# %YAML here\n%YAML 1.1\n---\na: 1\n",
        at(
            13,
            18,
            "the directive asks for YAML 1.1; this file is read as YAML 1.2",
            "remove the directive or write %YAML 1.2",
        ),
        id="directive below a comment",
    ),
    pytest.param(
        "a: 1 # x\u2028b: 2\n",
        at(
            8,
            9,
            "the character U+2028 ends a comment for YAML readers and for nobody else",
            "remove the character or begin a new comment line",
        ),
        id="separator in a comment",
    ),
    *[
        pytest.param(
            text,
            at(
                place,
                place + 1,
                f"the character {char} ends a comment for YAML readers and for nobody else",
                "remove the character or begin a new comment line",
            ),
            id=f"separator in a comment before {name}",
        )
        for name, text, place, char in (
            ("a block scalar", "a: &x # y\u2028|-\n  b\n", 9, "U+2028"),
            ("a folded one", "a: !!str #\x85  >\n  # b\n", 10, "U+0085"),
            ("a list", "a: &x # y\u2029 [b]\n", 9, "U+2029"),
        )
    ],
    pytest.param(
        'a: "x\n',
        at(6, 6, "not YAML: found unexpected end of stream while scanning a quoted scalar", CHECK),
        id="quote never closed",
    ),
    pytest.param(
        "a:\n\t- b\n",
        at(
            3,
            4,
            "not YAML: found character that cannot start any token while scanning for the next token",
            "indent with blanks, no tab; quote text that begins with a special character",
        ),
        id="tab",
    ),
    pytest.param(
        "a: 1 # b\u2028c\u2029d\n",
        at(
            11,
            12,
            "not YAML: could not find expected ':' while scanning a simple key",
            CHECK,
            Related(10, 11, "the character U+2029 here ends the line for YAML readers"),
        ),
        id="separator in a comment, no key behind it",
    ),
    pytest.param(
        "a: 1 # b\u2028c # d\u2028e\n",
        at(
            15,
            16,
            "not YAML: could not find expected ':' while scanning a simple key",
            CHECK,
            Related(14, 15, "the character U+2028 here ends the line for YAML readers"),
        ),
        id="the last of two separators",
    ),
    pytest.param(
        "\u2028a: }\n",
        at(
            4,
            5,
            "not YAML: did not find expected node content while parsing a block node",
            CHECK,
            Related(0, 1, "the character U+2028 here ends the line for YAML readers"),
        ),
        id="separator at the very start",
    ),
    pytest.param(
        "a: } # b\u2028\n",
        at(3, 4, "not YAML: did not find expected node content while parsing a block node", CHECK),
        id="separator behind what is wrong",
    ),
    pytest.param(
        "}",
        at(0, 1, "not YAML: did not find expected node content while parsing a block node", CHECK),
        id="bracket",
    ),
    pytest.param(
        "a: " + "9" * 4301,
        at(3, 4304, "an integer of 4,301 digits is longer than any reader takes", "quote it or shorten it"),
        id="long integer",
    ),
    pytest.param("[" * 101, at(100, 101, "nested more than 100 levels deep", FLATTEN), id="deep, flow"),
    pytest.param(
        "- " * 101 + "x", at(200, 201, "nested more than 100 levels deep", FLATTEN), id="deep, block"
    ),
    pytest.param(
        "a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 40 + "*a" + "]" * 40,
        at(170, 172, "the alias *a nests more than 100 levels deep", FLATTEN),
        id="deep through an alias",
    ),
    pytest.param(
        "a: *b\n",
        at(3, 5, "no anchor &b stands above this alias", "anchors above it: none"),
        id="no anchor at all",
    ),
    pytest.param(
        "x: &x 1\na: &a 2\nb: *c\nc: &c 3\n",
        at(19, 21, "no anchor &c stands above this alias", "anchors above it: &a, &x"),
        id="anchor below",
    ),
]


@pytest.mark.parametrize(("text", "finding"), UNREADABLE)
def test_a_text_that_cannot_be_read(text: str, finding: Finding) -> None:
    found = parse(text.encode())
    assert (found.root, found.faults) == (None, (finding,))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("%YAML 1.2\n---\na: 1\n", id="directive of version 1.2"),
        pytest.param("%TAG ! tag:example.org,2024:\n---\na: 1\n", id="another directive"),
        pytest.param('a: "x\u2028y" # z\n', id="separator in a value beside a comment"),
        pytest.param("[" * 100 + "]" * 100, id="100 levels"),
        pytest.param("a: " + "9" * 4300, id="an integer of 4,300 digits"),
        pytest.param(
            "a: &a " + "[" * 59 + "]" * 59 + "\nb: " + "[" * 40 + "*a" + "]" * 40, id="100 levels by alias"
        ),
        pytest.param(
            "a: &a " + "[" * 59 + "x" + "]" * 59 + "\nb: " + "[" * 40 + "*a" + "]" * 40,
            id="a value on level 100 by alias",
        ),
        pytest.param("a: 1\n...\n", id="end of the document"),
    ],
)
def test_a_text_within_the_limits(text: str) -> None:
    found = parse(text.encode())
    assert found.root is not None
    assert found.faults == ()


def test_an_alias_bomb_is_cut_off() -> None:
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"{y}: &{y} [{', '.join(['*' + x] * 10)}]" for x, y in zip("abcdef", "bcdefg", strict=True)]
    [fault] = parse("\n".join(lines).encode()).faults
    assert (fault.start, fault.end) == (213, 215)
    assert fault.message == "the alias *d blows the document up to more than 101,218 nodes"
    assert fault.hint == "write less through aliases"


@pytest.mark.parametrize("beside", [0, 3])
def test_aliases_may_add_so_many_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch, beside: int) -> None:
    # Before the last alias stand a, 1, 2, their list and b, and each x; the three aliases have three nodes each.
    text = f"a: &a [1, 2]\nb: [{'x, ' * beside}*a, *a, *a]\n"
    last = text.rindex("*a")
    message = "the alias *a blows the document up to more than 9 nodes"
    finding = at(last, last + 2, message, "write less through aliases")
    monkeypatch.setattr(loading, "GROWTH", 1)
    for room, faults in ((9, ()), (8, (finding,))):
        monkeypatch.setattr(loading, "SPARE", room - 5 - beside)
        assert parse(text.encode()).faults == faults


def test_an_alias_repeats_what_the_aliases_in_it_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: &a [1, 2]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    monkeypatch.setattr(loading, "GROWTH", 0)
    for room, count in ((2 * 3 + 2 * 7, 0), (2 * 3 + 2 * 7 - 1, 1)):
        monkeypatch.setattr(loading, "SPARE", room)
        assert len(parse(text.encode()).faults) == count


FAULTY = [
    pytest.param(
        "a: 1\n---\nb: 2\n",
        {"a": 1},
        [
            at(
                5,
                8,
                "a second document starts here; a governance file holds one",
                "move it to a file of its own",
            )
        ],
        id="second document",
    ),
    pytest.param(
        "a: 1\nb: 2\na: 3\n'a': 4\n",
        {"a": 1, "b": 2},
        [
            at(
                10,
                11,
                "the key a stands in this mapping already",
                "keep one of the two",
                Related(0, 1, "it stands here first"),
            ),
            at(
                15,
                18,
                "the key 'a' stands in this mapping already",
                "keep one of the two",
                Related(0, 1, "it stands here first"),
            ),
        ],
        id="keys twice",
    ),
    pytest.param(
        "a: &a {x: 1}\nb: {<<: [*a, 3]}\nc: {<<: }\n",
        {"a": {"x": 1}, "b": {"x": 1}, "c": {}},
        [
            at(26, 27, "<< takes a mapping or a list of mappings", "merge an anchored mapping: <<: *name"),
            at(34, 36, "<< takes a mapping or a list of mappings", "merge an anchored mapping: <<: *name"),
        ],
        id="merge of what is no mapping",
    ),
    pytest.param(
        "a: &s 1\nb: {<<: *s}\n",
        {"a": 1, "b": {}},
        [at(16, 18, "<< takes a mapping or a list of mappings", "merge an anchored mapping: <<: *name")],
        id="merge of a scalar through an alias",
    ),
    pytest.param(
        "a: &a 1\nb: &a [*a]\n",
        {"a": 1, "b": [None]},
        [
            at(
                15,
                17,
                "the alias *a stands inside the value that it repeats",
                "write the value out",
                Related(11, 14, "&a is defined here"),
            )
        ],
        id="alias inside its own value",
    ),
    pytest.param(
        "a: !!int x\nb: !!null ''\nc: !own {}\nd: !!set [1]\ne: !!bool 1\nf: !!float x\ng: !!str\n",
        {"a": "x", "b": None, "c": {}, "d": [1], "e": "1", "f": "x", "g": ""},
        [
            at(3, 9, "the tag !!int has no meaning for this value", "remove the tag"),
            at(27, 32, "the tag !own has no meaning for this value", "remove the tag"),
            at(38, 44, "the tag !!set has no meaning for this value", "remove the tag"),
            at(51, 58, "the tag !!bool has no meaning for this value", "remove the tag"),
            at(63, 71, "the tag !!float has no meaning for this value", "remove the tag"),
        ],
        id="tags without a meaning",
    ),
    pytest.param(
        "a: !tag:example.org,2024:x[] &y |\n  b\nc: !x,y\n",
        {"a": "b\n", "c": ""},
        [
            at(3, 32, "the tag !tag:example.org,2024:x[] has no meaning for this value", "remove the tag"),
            at(41, 45, "the tag !x,y has no meaning for this value", "remove the tag"),
        ],
        id="tags with commas and brackets",
    ),
    pytest.param(
        "a: !own\n  b: c\n",
        {"a": {"b": "c"}},
        [at(3, 10, "the tag !own has no meaning for this value", "remove the tag")],
        id="tag of a block",
    ),
    pytest.param(
        "a: !!int\n",
        {"a": ""},
        [at(3, 8, "the tag !!int has no meaning for this value", "remove the tag")],
        id="tag of nothing",
    ),
]


@pytest.mark.parametrize(("text", "data", "faults"), FAULTY)
def test_a_tree_that_cannot_be_taken_at_face_value(text: str, data: Any, faults: list[Finding]) -> None:
    found = parse(text.encode())
    assert found.root is not None
    assert (plain(found.root), list(found.faults)) == (data, faults)


def test_tags_that_say_what_a_value_is() -> None:
    text = (
        "a: !!str 1\nb: ! 2\nc: !!int 0x1F\nd: !!float 3\ne: !!float 0.5\nf: !!null ~\ng: !!bool true\n"
        "h: !!map {}\ni: !!seq []\nj: !!int '4'\nk: ! {}\n"
    )
    data = plain(tree(text))
    assert data == {
        "a": "1", "b": "2", "c": 31, "d": 3.0, "e": 0.5, "f": None, "g": True, "h": {}, "i": [], "j": 4, "k": {}
    }  # fmt: skip
    assert type(data["d"]) is float


def test_a_long_integer_as_a_float_has_no_end() -> None:
    assert plain(tree("a: !!float " + "9" * 400)) == {"a": math.inf}


# -- spans ------------------------------------------------------------------------

SPANS = [
    ("a: bc", "bc"),
    ("a: 'b c' # d", "'b c'"),
    ("a: &x bc", "bc"),
    ("a: !!str &x bc", "bc"),
    ("a: &x !!str bc", "bc"),
    ("a: !<tag:yaml.org,2002:str> &x bc", "bc"),
    ("a: &x-1_ bc", "bc"),
    ("a: &x:bc", ":bc"),
    ("a: &x?bc", "?bc"),
    ("a: &x # why\n  bc", "bc"),
    ("a: &x", ""),
    ("a: !!str &x\nb: 1", ""),
    ("a:", ""),
    ("a: [b, c] # d", "[b, c]"),
    ("a: &x [b]", "[b]"),
    ("a: {b: c}", "{b: c}"),
    ("a:\n  b: c\n  # d\n", "b: c"),
    ("a: &x\n  b: c\n", "b: c"),
    ("a: !!map &x # y\n  b: c\n", "b: c"),
    ("a:\n- b\n- c\n# d\n", "- b\n- c"),
    ("a: &x\n  - b\n  # d\n", "- b"),
    ("a:\n  - b\n  -\n", "- b\n  -"),
    ("a:\n  b:\n", "b:"),
    ("a:\n  ? b\n  :\n", "b\n  :"),
    ("a: |\n  b\n\n  c\n\n\nd: 1", "|\n  b\n\n  c"),
    ("a: |-\nd: 1", "|-"),
    ("a: &x >+ # why\n  b\n\n", ">+ # why\n  b"),
    ("a: [b: c]", "[b: c]"),
    ("a: &x !!seq # y\n  [b: c]", "[b: c]"),
]


@pytest.mark.parametrize(("text", "span"), SPANS)
def test_the_span_of_a_value(text: str, span: str) -> None:
    node = tree(text).get("a")
    assert node is not None
    assert text[node.start : node.end] == span


def test_a_pair_inside_a_flow_list_spans_no_bracket() -> None:
    text = "a: [b: c, {d: e}, ? f : g, &x h: i]"
    assert [text[item.start : item.end] for item in tree(text).items("a")] == [
        "b: c", "{d: e}", "? f : g", "&x h: i"
    ]  # fmt: skip


# -- aliases and merge keys ---------------------------------------------------------


def test_each_use_of_an_alias_has_a_pointer_of_its_own() -> None:
    text = "base: &b\n  list: [1, {x: 2}]\nuse: {deep: *b}\n"
    root = tree(text)
    use = mapping(mapping(root.get("use")).get("deep"))
    assert [(node.pointer, text[node.start : node.end]) for node in walk(use)] == [
        ("/use/deep", "list: [1, {x: 2}]"),
        ("/use/deep/list", "[1, {x: 2}]"),
        ("/use/deep/list/0", "1"),
        ("/use/deep/list/1", "{x: 2}"),
        ("/use/deep/list/1/x", "2"),
    ]
    assert use.alias == (41, 43, "b")
    assert (use.first, use.last) == (41, 43)
    assert use.anchor == "b"
    assert mapping(root.get("base")).alias is None


def test_an_alias_inside_an_aliased_value_stays_one() -> None:
    root = tree("a: &a [1]\nb: &b {x: *a, y: [*a]}\nc: *b\n")
    use = mapping(root.get("c"))
    inner = sequence(use.get("x"))
    assert (inner.alias, inner.pointer) == ((20, 22, "a"), "/c/x")
    assert inner.items[0].pointer == "/c/x/0"
    nested = sequence(use.items("y")[0])
    assert (nested.alias, nested.anchor, nested.pointer) == ((28, 30, "a"), "a", "/c/y/0")


def test_what_a_merge_key_brings_into_an_aliased_value_remembers_it() -> None:
    root = tree("a: &a {x: {y: 1}}\nb: &b {<<: *a}\nc: *b\n")
    merged = mapping(mapping(root.get("c")).get("x"))
    assert (merged.via, merged.alias, merged.pointer) == ((29, 31, "a"), None, "/c/x")


def test_an_alias_inside_its_own_value_stands_for_nothing() -> None:
    root = parse(b"a: &a [x, *a]\n").mapping
    assert root is not None
    node = scalar(root.items("a")[1])
    assert (node.value, node.text, node.style, node.anchor, node.pointer) == (None, "", "", None, "/a/1")
    assert (node.outer, node.start, node.end, node.alias) == (10, 10, 12, (10, 12, "a"))


def test_an_alias_of_a_scalar() -> None:
    root = tree("a: &a 'x'\nb: *a\n")
    node = scalar(root.get("b"))
    assert (node.value, node.text, node.style, node.anchor, node.alias) == ("x", "x", "'", "a", (13, 15, "a"))
    assert (node.outer, node.start, node.end, node.tag) == (3, 6, 9, None)


def test_the_anchor_that_was_set_last_counts() -> None:
    assert plain(tree("a: &x 1\nb: &x 2\nc: *x\n")) == {"a": 1, "b": 2, "c": 2}


def test_merged_entries_come_last_and_own_ones_prevail() -> None:
    root = tree("base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\nuse: {z: 5, <<: [*b, *o], w: 6}\n")
    use = mapping(root.get("use"))
    assert list(plain(use).items()) == [("z", 5), ("w", 6), ("x", 1), ("y", 2)]
    merged = scalar(use.get("x"))
    assert (merged.pointer, merged.via) == ("/use/x", (62, 64, "b"))
    assert scalar(use.get("z")).via is None
    assert [pair.key.step for pair in use.written] == ["z", "<<", "w"]


def test_a_merge_of_a_merge_remembers_the_nearest_alias() -> None:
    root = tree("a: &a {x: 1}\nb: &b {<<: *a}\nc: {<<: *b}\nd: {<<: {<<: *a}}\n")
    assert scalar(mapping(root.get("c")).get("x")).via == (36, 38, "b")
    assert scalar(mapping(root.get("d")).get("x")).via == (53, 55, "a")


def test_a_list_of_merges_through_an_alias() -> None:
    root = tree("a: &a {x: 1}\nl: &l [*a, {y: 2}]\nb: {<<: *l}\n")
    use = mapping(root.get("b"))
    assert plain(use) == {"x": 1, "y": 2}
    assert scalar(use.get("x")).via == (20, 22, "a")
    assert scalar(use.get("y")).via == (40, 42, "l")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("'<<': {x: 1}", {"<<": {"x": 1}}),
        ("!!str <<: {x: 1}", {"<<": {"x": 1}}),
    ],
)
def test_what_a_merge_key_is(text: str, data: Any) -> None:
    assert plain(tree(text)) == data


# -- keys ---------------------------------------------------------------------------


def test_keys_that_are_no_strings() -> None:
    root = tree("1: a\ntrue: b\n? [x]\n: c\n~: d\n2024-05-06: e\nf: g\n")
    assert list(root.entries) == [
        Foreign("int", "1"),
        Foreign("bool", "true"),
        Foreign("collection", "15"),
        Foreign("NoneType", "~"),
        Foreign("Date", "2024-05-06"),
        "f",
    ]
    assert plain(root) == {"f": "g"}
    assert root.entries[Foreign("int", "1")].value.pointer == "/1"


def test_scalars_of_all_kinds() -> None:
    root = tree("a: 2024-05-06\nb: .inf\nc: yes\nd: 1.5\ne: 017\nf: '1'\ng: ~\nh: false\n")
    expected: dict[str, Any] = {
        "a": Date("2024-05-06"), "b": math.inf, "c": "yes", "d": 1.5, "e": 17, "f": "1", "g": None, "h": False
    }  # fmt: skip
    assert plain(root) == expected


def test_the_document_may_be_a_scalar() -> None:
    found: Node | None = document("text").root
    assert isinstance(found, Scalar)
    assert not isinstance(found, Mapping)
    assert (found.value, found.pointer) == ("text", "")


def test_two_merge_keys_in_one_mapping_are_a_duplicate() -> None:
    document = parse(b"a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n")
    (fault,) = document.faults
    assert fault.message == "the key << stands in this mapping already"
    assert document.position(fault.start) == (5, 3)
    assert document.position(fault.related[0].start) == (4, 3)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a:\n\tb: 1\n", "indent with blanks, no tab; quote text that begins with a special character"),
        ("a: Fixes: small\n", "quote text that holds a colon, or indent the key like its neighbours"),
        ("a: [*.md]\n", "quote text that begins with *"),
        ("a: [&.md]\n", "quote text that begins with &"),
        ("a: [\n", "check indentation, quotes and brackets at this place"),
    ],
)
def test_hints_name_what_mostly_lies_behind_bad_syntax(text: str, hint: str) -> None:
    (fault,) = parse(text.encode()).faults
    assert fault.hint == hint

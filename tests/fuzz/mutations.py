"""What is done to a document: to its bytes, its lines and its structure."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable
from typing import Any

from layouts import Style, render

from transforms.document import parse
from transforms.nodes import plain

TOKENS = (
    *(b"&a ", b"*a", b"*a ", b"<<: *a", b"<<: ", b"? ", b": ", b"- ", b"[", b"]", b"{", b"}", b",", b"|", b">-"),
    *(b"|+\n", b"#", b" #", b"'", b'"', b"\\", b"!", b"!!float ", b"!!int ", b"!!str ", b"!!null ", b"!!map "),
    *(b"%YAML 1.1\n---\n", b"---\n", b"...\n", b"\t", b"\r", b"\r\n", b"\n", b"\n\n", b" ", b"  ", b"\x00", b"\x1b"),
    *(b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"\xc2\xa0", b"\xe3\x80\x80", b"\xf0\x9f\x9b\xb3", b"\xcc\x81", b"~", b"null", b"true", b"on", b"y", b"2024-05-06"),
    *(b"1e999", b"-1", b"0x1F", b"017", b".nan", b".inf", b"9" * 25, b"1_000", b"1.5", b'"2"', b'"1.3"', b"2", b"0.7"),
    *(b"roles", b"drive", b"approvers", b"approvals", b"any_of", b"all_of", b"extends", b"defaults", b"constraints"),
    *(b"operator_agent", b"must_page_human", b"stages", b"workflows", b"executor", b"human", b"agent", b"delegate"),
    *(b"budget", b"max_runtime_minutes", b"needs", b"inputs", b"applies_to", b"escalations", b"autonomy", b"actions"),
    *(b"[[[[[[[[", b"{{{{{{", b"- - - - - ", b"~0~1", b"/", b"..", b"\\u0000", b"\\ud800", b"\\U00110000", b"x" * 300),
)  # fmt: skip

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 7, 10**30, 1.5, float("inf"), "", "x", " ", "a b", "on", "1.5", "2024-05-06"),
    *(
        "\n",
        "a\nb\n",
        "\x85",
        "\u2028",
        "\ufeff",
        "*a",
        "# x",
        "x" * 200,
        "@a",
        "@org/team",
        "[",
        "a/../b",
        "..",
        "**",
    ),
    *("2", "1.3", "0.7", "30m", "plan", "implement", "deploy", "approval", "auto", "high", "scheduled"),
    *([], {}, [None], [[]], [{}], ["x"], ["x", "x"], {"x": None}, {"": ""}, {"a": {"b": ["c"]}}, {"~/": 1}),
)

Mutation = Callable[[random.Random, bytes, bytes], bytes]
"""Takes randomness, a document and another one, gives a document."""


def mutate(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return `data` changed one to four times."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(MUTATIONS)(rng, data, other)
    return data[:60_000]


def _place(rng: random.Random, data: bytes) -> int:
    return rng.randint(0, len(data))


def _chunk(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = _place(rng, data)
    return start, min(len(data), start + int(rng.expovariate(0.05)))


def _insert(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _overwrite(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _chunk(rng, data)
    return data[:start] + rng.choice(TOKENS) + data[end:]


def _flip(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _delete(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _chunk(rng, data)
    return data[:start] + data[end:]


def _repeat(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _chunk(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 1, 2, 9)) + data[end:]


def _cross(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _chunk(rng, other)
    at = _place(rng, data)
    return data[:at] + other[start:end] + data[at:]


def _truncate(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: _place(rng, data)] if rng.random() < 0.5 else data[_place(rng, data) :]


def _line(rng: random.Random, data: bytes, other: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    theirs = other.splitlines(keepends=True) or [b""]
    at = rng.randrange(len(lines))
    line = lines[at]
    margin = len(line) - len(line.lstrip(b" "))
    changed: list[list[bytes]] = [
        [],
        [line, line],
        [b"  " + line],
        [line[min(2, margin) :]],
        [b" " * margin + rng.choice(theirs).lstrip()],
        [line, b" " * margin + rng.choice(lines).lstrip()],
        [line.rstrip(b"\r\n") + b"   # why\n"],
        [b" " * rng.choice((0, margin, margin + 2)) + b"# a comment\n", line],
        [line.split(b":", 1)[0] + b":\n"],
        [line.split(b":", 1)[0] + b": " + rng.choice(TOKENS) + b"\n"],
        [line.split(b":", 1)[0] + b": &a" + line.split(b":", 1)[-1]],
        [line.split(b":", 1)[0] + b": *a\n"],
        [line.rstrip(b"\r\n") + rng.choice((b"\r", b"\r\n", b"\n\n", b"", b"\xe2\x80\xa8"))],
    ]
    lines[at : at + 1] = rng.choice(changed)
    return b"".join(lines)


def _swap_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        i, j = rng.sample(range(len(lines)), 2)
        lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


# -- structure --------------------------------------------------------------------


def _structure(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Change the tree of a document and write it anew, in another layout."""
    tree, theirs = _tree(data), _tree(other)
    if tree is None:
        return data
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(rng, tree, theirs)
    if data[:1] in b"{[" and rng.random() < 0.7:
        return json.dumps(tree, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 2))).encode()
    style = Style(
        comments=rng.choice((0, 0.2)),
        flow=rng.choice((0, 0.2, 1)),
        aliases=rng.choice((0, 0.5, 1)),
        merges=rng.choice((0, 0.5)),
        quotes=rng.choice((0, 0.2, 1)),
        newline=rng.choice(("\n", "\n", "\r\n", "\r")),
        mark=rng.random() < 0.1,
        final=rng.random() < 0.9,
        markers=rng.random() < 0.1,
    )
    return render(tree, style, rng.randrange(2**32))


def _tree(data: bytes) -> Any:
    root = parse(data).mapping
    found = None if root is None else plain(root)
    return found if found and _writable(found) else None


def _writable(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_writable, value.values()))
    if isinstance(value, list):
        return all(map(_writable, value))
    return (
        value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
    )


def _holders(value: Any) -> list[Any]:
    found, stack = [], [value]
    while stack:
        each = stack.pop()
        if isinstance(each, (dict, list)):
            found.append(each)
            stack.extend(each.values() if isinstance(each, dict) else each)
    return found


def _change(rng: random.Random, tree: Any, other: Any) -> None:
    holders = [holder for holder in _holders(tree) if holder]
    if not holders:
        return
    holder = rng.choice(holders)
    key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    action = rng.randrange(6)
    if action == 0:
        del holder[key]
    elif action == 1:
        holder[key] = copy.deepcopy(rng.choice(VALUES[:9] + VALUES[10:]))
    elif action == 2:
        holder[key] = copy.deepcopy(rng.choice(_parts(rng, other or tree)))
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(rng.choice(_parts(rng, tree))))
    else:
        names = [name for each in holders if isinstance(each, dict) for name in each]
        name = rng.choice([*names, *names, "x", "", "on", "a/b~"])
        held = holder[key] if action < 5 else holder.pop(key)
        holder[name] = copy.deepcopy(held)


def _parts(rng: random.Random, tree: Any) -> list[Any]:
    holder = rng.choice(_holders(tree))
    return list(holder.values() if isinstance(holder, dict) else holder) or [None]


MUTATIONS: tuple[Mutation, ...] = (
    *(_insert, _insert, _overwrite, _flip, _delete, _repeat, _cross, _truncate),
    *(_line, _line, _line, _line, _swap_lines, _structure, _structure, _structure, _structure),
)

"""What differs between two documents, as data (`resolution.md` 0.7)."""

from __future__ import annotations

from typing import Any, NamedTuple

from transforms.document import Document, parse
from transforms.emit import json_data
from transforms.nodes import plain
from transforms.pointer import dump


class Difference(NamedTuple):
    """One place where two documents differ: what each holds there, an empty tuple where it holds nothing."""

    pointer: str
    expected: tuple[Any, ...]
    found: tuple[Any, ...]


def read(data: bytes) -> tuple[Any] | Document:
    """Return what a JSON or YAML file holds, or its document when that has faults."""
    import json

    try:
        return (json.loads(data),)
    except (ValueError, RecursionError):
        document = parse(data)
    return document if document.root is None or document.faults else (plain(document.root),)


def differences(expected: Any, found: Any) -> list[Difference]:
    """Return what differs, in the order of the pointers.

    Numbers compare by value, lists position by position; the order of keys means nothing.
    """
    from deepdiff import DeepDiff

    tree = DeepDiff(
        _by_value(json_data(expected)),
        _by_value(json_data(found)),
        ignore_private_variables=False,
        zip_ordered_iterables=True,
        threshold_to_diff_deeper=0,
        view="tree",
    )
    places = [(item.path(output_format="list"), kind, item) for kind, items in tree.items() for item in items]
    places.sort(key=lambda place: [(isinstance(step, str), step) for step in place[0]])
    return [_difference(*place) for place in places]


def _difference(path: list[str | int], kind: str, item: Any) -> Difference:
    expected = () if kind.endswith("_added") else (item.t1,)
    found = () if kind.endswith("_removed") else (item.t2,)
    return Difference(dump(path), expected, found)


def _by_value(data: Any) -> Any:
    """Return `data` with whole numbers as integers, so that 1.0 is 1 while true stays apart from both."""
    if isinstance(data, dict):
        return {key: _by_value(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_by_value(item) for item in data]
    return int(data) if isinstance(data, float) and data.is_integer() else data

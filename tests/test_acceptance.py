"""The quick predicate and the schema library agree on every document, valid or not."""

from __future__ import annotations

import copy
import functools
import math
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import Builder

from migrate_spec import acceptance, schemas, validator

relaxed = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    0.5,
    math.inf,
    "",
    "x",
    "30m",
    "30m\n",
    [],
    {},
    ["x", "x"],
    {"x": 1},
)


@functools.cache
def built(name: str) -> st.SearchStrategy[Any]:
    builder = Builder(name)
    return builder.of(builder.schema)


def holders(value: Any) -> list[Any]:
    found = [value] if isinstance(value, (dict, list)) and value else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return found + [holder for item in inner for holder in holders(item)]


def mutated(data: Any, chance: random.Random) -> Any:
    """Return a copy of `data` in which one key or value was changed, removed or added."""
    data = copy.deepcopy(data)
    holder = chance.choice(holders(data))
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    what = chance.randrange(4)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, dict):
        holder[chance.choice(("x", "agent", "human", "Bad-Name", "type"))] = chance.choice(ODD)
    elif what == 2 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        holder[key] = copy.deepcopy(chance.choice(ODD))
    return data


def library(name: str, data: Any) -> bool:
    return next(validator.compiled(name).iter_errors(data), None) is None


@pytest.mark.parametrize("name", schemas.NAMES)
@given(data=st.data(), seed=st.integers(0, 2**32))
@relaxed
def test_predicate_and_library_agree(name: str, data: st.DataObject, seed: int) -> None:
    document = data.draw(built(name))
    chance = random.Random(seed)
    accepts = acceptance.accepts(name)
    assert accepts(document) == library(name, document)
    for _ in range(5):
        other = mutated(document, chance)
        assert accepts(other) == library(name, other)


@pytest.mark.parametrize("name", schemas.NAMES)
def test_every_keyword_is_known(name: str) -> None:
    assert not acceptance.accepts(name)({})
    assert not acceptance.accepts(name)([])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 3.0),
        ({"type": "integer"}, True),
        ({"type": "number"}, math.nan),
        ({"const": 1}, True),
        ({"enum": [0]}, False),
        ({"uniqueItems": True}, [1, 1.0]),
        ({"uniqueItems": True}, [1, True]),
        ({"uniqueItems": False}, [1, 1]),
        ({"pattern": "^a$"}, "a\n"),
        ({"minimum": 1}, math.nan),
        ({"minLength": 1}, "🛳"),
        ({"maxLength": 1}, "🛳"),
        ({"not": {"required": ["a"]}}, {"a": 1}),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}, {"a": 1}),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}, {"b": 1}),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}),
        ({"propertyNames": {"pattern": "^a"}}, {"b": 1}),
        ({"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}, {"ab": 1}),
        ({"anyOf": [{"type": "string"}, {"type": "boolean"}]}, 1),
        ({"allOf": [{"minItems": 1}, {"maxItems": 1}]}, [1, 2]),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3),
    ],
)
def test_keywords_read_alike(schema: dict[str, Any], value: Any) -> None:
    errors = list(validator.Validator(schema).iter_errors(value))
    assert acceptance.predicate(schema)(value) == (not errors)


def test_an_unknown_keyword_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="contains"):
        acceptance.predicate({"contains": {}})

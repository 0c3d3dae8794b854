"""Version 2 shapes in the older representation (`resolution.md` 8)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from transforms.shape import derived, normalize


def document(stages: list[dict[str, Any]], **workflow: Any) -> dict[str, Any]:
    return {"version": "2", "workflows": {"w": {**workflow, "stages": stages}}}


def stage(**keys: Any) -> dict[str, Any]:
    return {"id": "s", "type": "implement", **keys}


def test_reuse_keys_go_and_nothing_else() -> None:
    given = document([stage()], defaults={}, extends="b", description="d", policy={})
    given["defaults"] = {"budget": {}}
    given["test_conventions"] = []
    assert normalize(given) == {**document([stage()], description="d", policy={}), "test_conventions": []}


@pytest.mark.parametrize("value", [True, False])
def test_auto_advance_is_renamed_in_its_place(value: bool) -> None:
    found = normalize(document([stage()], description="d", auto_advance=value, policy={}))["workflows"]["w"]
    assert list(found.items())[:3] == [("description", "d"), ("drive", value), ("policy", {})]


def test_constraints_become_a_list_of_one() -> None:
    kinds = {"max_files_changed": 3, "allowed_paths": ["a"]}
    found = normalize(document([stage(constraints=kinds)]))
    assert found["workflows"]["w"]["stages"][0]["constraints"] == [kinds]


PLAN = {"id": "p", "type": "plan"}
BUILD = {"id": "b", "type": "implement"}
FROM_PLAN = {"artifact": "plan", "from_stage": "p"}
FROM_BUILD = {"artifact": "pull_request", "from_stage": "b"}

NEEDS = [
    pytest.param({"needs": ["p"]}, [FROM_PLAN], id="a plan"),
    pytest.param({"needs": ["b"]}, [FROM_BUILD], id="an implement stage"),
    pytest.param({"needs": ["b", "p"]}, [FROM_BUILD, FROM_PLAN], id="in the order of needs"),
    pytest.param(
        {"inputs": [{"source": "github_issue"}], "needs": ["p"]},
        [{"source": "github_issue"}, FROM_PLAN],
        id="behind the declared ones",
    ),
    pytest.param(
        {"needs": ["p", "b"], "inputs": [FROM_PLAN]}, [FROM_PLAN, FROM_BUILD], id="declared already"
    ),
    pytest.param(
        {"needs": ["p"], "inputs": [{"artifact": "pull_request", "from_stage": "p"}]},
        [{"artifact": "pull_request", "from_stage": "p"}, FROM_PLAN],
        id="another artifact of the same stage is no repeat",
    ),
    pytest.param({"needs": ["p"], "inputs": []}, [FROM_PLAN], id="an empty list of inputs"),
    pytest.param({"inputs": []}, [], id="nothing derived"),
    pytest.param({}, None, id="nothing at all"),
]


@pytest.mark.parametrize(("keys", "inputs"), NEEDS)
def test_needs_expand_and_disappear(keys: dict[str, Any], inputs: list[dict[str, Any]] | None) -> None:
    given = document([PLAN, BUILD, stage(**keys, budget={})])
    before = copy.deepcopy(given)
    found = normalize(given)["workflows"]["w"]["stages"][2]
    assert found == stage(budget={}) if inputs is None else stage(inputs=inputs, budget={})
    assert list(found)[-1] == "budget"
    assert given == before


def test_a_stage_without_an_artifact_of_its_own_derives_nothing() -> None:
    assert list(derived(["r", "x"], [], {"r": "review"})) == []


def test_declared_inputs_stay_though_empty_and_none_are_made_up() -> None:
    stages = [
        {"id": "r", "type": "review"},
        {"id": "a", "type": "plan", "inputs": []},
        {"id": "b", "type": "plan", "needs": ["r"]},
        {"id": "c", "type": "plan", "needs": ["nowhere"]},
    ]
    found = normalize({"workflows": {"w": {"stages": stages}}})["workflows"]["w"]["stages"]
    assert found == [
        {"id": "r", "type": "review"},
        {"id": "a", "type": "plan", "inputs": []},
        {"id": "b", "type": "plan"},
        {"id": "c", "type": "plan"},
    ]

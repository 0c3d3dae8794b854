"""What holds for every document that is resolved."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from migrate_spec import compare, resolution
from migrate_spec.validation import check
from transforms.document import Document, parse
from transforms.emit import yaml
from transforms.nodes import Mapping, lookup, plain
from transforms.pointer import parse as steps_of
from transforms.provenance import origins
from transforms.reuse import resolve

NAMES = ("alpha", "bravo", "charlie", "delta", "echo")
IDS = ("plan_it", "build", "look", "ship")

TIMES = st.sampled_from(["5m", "1h", "90s"])
EXECUTORS = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "agent": st.sampled_from(["codex", "claude-code"]),
            "timeout": TIMES,
            "model": st.just("m"),
        },
    ),
    st.just({"human": True}),
    st.just({"delegate": {"target": "github_actions", "workflow_ref": "ship.yml"}}),
)
REVIEWERS = st.fixed_dictionaries(
    {},
    optional={
        "human": st.integers(0, 3),
        "agents": st.just([{"provider": "codex"}, {"provider": "anthropic"}]),
    },
)
BUDGETS = st.fixed_dictionaries({}, optional={"max_runtime": TIMES, "limit_usd": st.integers(1, 9)})
BLOCKS = {"executor": EXECUTORS, "reviewers": REVIEWERS, "budget": BUDGETS}
DEFAULTS = st.fixed_dictionaries({}, optional=BLOCKS)
STAGE_KEYS = {
    **BLOCKS,
    "type": st.sampled_from(["plan", "implement", "review"]),
    "constraints": st.fixed_dictionaries(
        {}, optional={"max_files_changed": st.integers(1, 9), "allowed_paths": st.just(["a/**"])}
    ),
    "needs": st.just(["plan_it"]),
    "gate_container": st.sampled_from([{"image": "i"}, {"dockerfile": "d", "context": "c"}]),
}


@st.composite
def stage_lists(draw: st.DrawFn) -> list[dict[str, Any]]:
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=4))
    return [{"id": name, **draw(st.fixed_dictionaries({}, optional=STAGE_KEYS))} for name in ids]


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document whose chains end and whose ids are unique, its workflows in any order."""
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    workflows: dict[str, Any] = {}
    for at, name in enumerate(names):
        workflow: dict[str, Any] = {"stages": draw(stage_lists())}
        if at and draw(st.booleans()):
            workflow["extends"] = draw(st.sampled_from(names[:at]))
            if draw(st.booleans()):
                del workflow["stages"]
        if draw(st.booleans()):
            workflow["defaults"] = draw(DEFAULTS)
        workflows[name] = workflow
    order = draw(st.permutations(names))
    return {
        "version": "2",
        "defaults": draw(DEFAULTS),
        "workflows": {name: workflows[name] for name in order},
    }


def loaded(data: Any) -> Document:
    document = parse(yaml(data).encode())
    assert document.faults == ()
    return document


def tree(document: Document) -> Mapping:
    root = document.mapping
    assert root is not None
    return root


def resolved(data: Any) -> Any:
    root, findings = resolve(tree(loaded(data)))
    assert findings == []
    return plain(root)


@given(documents())
def test_resolving_twice_changes_nothing(data: dict[str, Any]) -> None:
    once = resolved(data)
    assert resolved(once) == once


@given(documents(), st.randoms())
def test_the_order_of_workflows_does_not_matter(data: dict[str, Any], chance: random.Random) -> None:
    names = list(data["workflows"])
    chance.shuffle(names)
    shuffled = {**data, "workflows": {name: data["workflows"][name] for name in names}}
    assert resolved(shuffled) == resolved(data)


@given(documents())
def test_a_document_without_reuse_resolves_to_itself(data: dict[str, Any]) -> None:
    del data["defaults"]
    for workflow in data["workflows"].values():
        workflow.pop("extends", None)
        workflow.pop("defaults", None)
    assert resolved(data) == data


@given(documents())
def test_the_source_tree_is_left_as_it_is(data: dict[str, Any]) -> None:
    root = tree(loaded(data))
    resolve(root)
    assert plain(root) == data


@given(documents())
def test_every_other_key_stays(data: dict[str, Any]) -> None:
    found, written = copy.deepcopy(resolved(data)), copy.deepcopy(data)
    for document in (found, written):
        for workflow in document["workflows"].values():
            workflow.pop("stages", None)
    assert found == written


@given(documents())
def test_every_explained_line_holds_the_value(data: dict[str, Any]) -> None:
    document = loaded(data)
    found = resolve(tree(document)).root
    rows = resolution.explain(document, found)
    for row in rows:
        line = document.line(row.line)
        nobody_wrote_it = row.value == [] and not line.endswith("[]")
        assert nobody_wrote_it or line.endswith(yaml([row.value]).removeprefix("-").rstrip())
        assert row.rung != "own" or not row.pointer.startswith("/defaults")


@given(documents())
def test_every_value_has_one_origin_that_holds_it(data: dict[str, Any]) -> None:
    root = tree(loaded(data))
    found = resolve(root).root
    values = plain(found)
    for origin in origins(found):
        there = values
        for step in steps_of(origin.pointer):
            there = there[int(step)] if isinstance(there, list) else there[step]
        assert there == plain(origin.node)
        written = lookup(root, origin.node.steps())
        assert (written is not None and plain(written) == there) or there == []
    assert len({origin.pointer for origin in origins(found)}) == len(list(origins(found)))


@given(documents())
def test_a_printed_document_passes_its_own_check(data: dict[str, Any]) -> None:
    found = resolved(data)
    assert compare.differences(found, plain(tree(loaded(found)))) == []


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, [], {}, "x", 7, True, [None], {"x": 1}, [[]], {"stages": [{"id": "s"}]}]
)


@st.composite
def broken_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document in which some values are replaced by what does not belong there."""
    data = copy.deepcopy(draw(documents()))
    for _ in range(draw(st.integers(1, 4))):
        holder: Any = data
        key: Any = draw(st.sampled_from(list(data)))
        while isinstance(holder[key], (dict, list)) and holder[key] and draw(st.integers(0, 4)):
            holder = holder[key]
            key = draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
        holder[key] = copy.deepcopy(draw(ODD))
    return data


@given(broken_documents())
@settings(max_examples=300)
def test_every_finding_points_at_what_the_author_wrote(data: dict[str, Any]) -> None:
    document = loaded(data)
    checked = check(document)
    for finding in checked.findings:
        node: Any = tree(document)
        for step in steps_of(finding.pointer):
            below = node.get(step) if isinstance(node, Mapping) else node.items[int(step)]
            assert below is not None, finding
            node = below
        assert 0 <= finding.start <= finding.end <= len(document.text)
        assert finding.message
    if checked.resolved is not None:
        resolution.explain(document, checked.resolved)
        for summary in resolution.summaries(checked.resolved):
            assert resolution.sentence(summary).startswith(f"{summary.name}: ")

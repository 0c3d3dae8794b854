"""Reuse, rung by rung (`resolution.md` 4 to 6): what comes out, and what stands in the way."""

from __future__ import annotations

import time
from typing import Any
from unittest import mock

import pytest
from fuzz import bombs
from support import run
from trees import mapping, scalar, sequence

from migrate_spec.validation import check
from transforms import extent
from transforms.document import parse
from transforms.merge import merge_container
from transforms.nodes import Mapping, Pair, plain, walk
from transforms.provenance import origins, rung
from transforms.reuse import Resolved, resolve, shared_once


def resolution(text: str) -> Resolved:
    root = parse(text.encode()).mapping
    assert root is not None
    return resolve(root)


def resolved(text: str) -> Any:
    root, findings = resolution(text)
    assert findings == []
    return plain(root)


def stages(text: str, workflow: str) -> dict[str, Any]:
    """The resolved stages of a workflow by id."""
    found = resolved(text)["workflows"][workflow]["stages"]
    return {stage["id"]: stage for stage in found}


def document(
    file: str = "", base: str = "", deriver: str = "", own: str = "", workflow: str = ""
) -> dict[str, Any]:
    """The stage `s` of `derived`, over a base stage if `base` is given, alone in `derived` otherwise.

    The arguments are what the file's defaults, the base stage, the deriver's defaults (or those of the
    only workflow) and the own stage write, each as the inside of a flow mapping.
    """
    lines = ['version: "2"', f"defaults: {{{file}}}", "workflows:"]
    if base:
        lines += ["  base:", f"    stages: [{{id: s, type: plan, {base}}}]"]
    lines += ["  derived:", f"    defaults: {{{deriver or workflow}}}"]
    lines += ["    extends: base"] if base else []
    lines += [f"    stages: [{{id: s, {own}}}]"]
    found: dict[str, Any] = stages("\n".join(lines), "derived")["s"]
    return found


AGENT = "executor: {agent: claude-code, timeout: 30m}"
BOTH = {"agent": "claude-code", "timeout": "30m"}
HUMAN = {"human": True}
PIPELINE = {"delegate": {"target": "webhook", "url": "u"}}

EXECUTORS = [
    pytest.param({}, BOTH, id="silent stage"),
    pytest.param({"own": "executor: {timeout: 60m}"}, {**BOTH, "timeout": "60m"}, id="own key wins"),
    pytest.param({"own": "executor: {agent: codex}"}, {**BOTH, "agent": "codex"}, id="own agent wins"),
    pytest.param({"own": "executor: {}"}, BOTH, id="empty inherits all"),
    pytest.param({"own": "executor: "}, None, id="null stays"),
    pytest.param({"own": "executor: codex"}, "codex", id="a word stays"),
    pytest.param({"own": "executor: {human: true}"}, HUMAN, id="human drops the agent"),
    pytest.param({"own": "executor: {delegate: {target: webhook, url: u}}"}, PIPELINE, id="so does delegate"),
    pytest.param(
        {"workflow": "executor: {agent: codex}"}, {**BOTH, "agent": "codex"}, id="workflow over file"
    ),
    pytest.param({"workflow": "executor: {human: true}"}, HUMAN, id="workflow on another branch"),
    pytest.param(
        {"workflow": "executor: {human: true}", "own": "executor: {agent: codex}"},
        {"agent": "codex"},
        id="the combination is made before the stage is looked at",
    ),
    pytest.param({"workflow": "executor: "}, "absent", id="null in the workflow hides the file"),
    pytest.param({"workflow": "executor: codex"}, "codex", id="a word in the workflow hides the file"),
    pytest.param({"workflow": "other: 1"}, BOTH, id="a key that is no block"),
    pytest.param(
        {"base": "executor: {timeout: 60m}", "deriver": "executor: {agent: codex}"},
        {"agent": "codex", "timeout": "60m"},
        id="deriver's defaults over the base",
    ),
    pytest.param(
        {"base": "executor: {timeout: 60m}", "deriver": "executor: {timeout: 1m}"},
        {"agent": "claude-code", "timeout": "1m"},
        id="deriver's defaults over what the base wrote",
    ),
    pytest.param(
        {"base": "needs: []", "deriver": "executor: {human: true}"}, BOTH, id="never change a branch"
    ),
    pytest.param({"base": "needs: []", "deriver": "executor: codex"}, "codex", id="a word over the base"),
    pytest.param({"base": "executor: ", "deriver": "executor: {agent: a}"}, None, id="the base's null stays"),
    pytest.param(
        {"base": "executor: {human: true}", "deriver": "executor: {timeout: 5m}"},
        HUMAN,
        id="a bare timeout skips a human stage",
    ),
    pytest.param(
        {"base": "executor: {human: true}", "deriver": "executor: {human: true}"},
        HUMAN,
        id="human over human",
    ),
    pytest.param(
        {"base": "executor: {human: true}", "own": "executor: {agent: codex}"},
        {"agent": "codex"},
        id="override on another branch keeps nothing, and the file's defaults are not given again",
    ),
    pytest.param(
        {"base": "executor: {human: true}", "own": "executor: {timeout: 1m}"},
        {"timeout": "1m", **HUMAN},
        id="an override without a branch merges",
    ),
    pytest.param(
        {
            "base": "executor: {delegate: {target: webhook, url: u}}",
            "own": "executor: {delegate: {url: v}}",
        },
        {"delegate": {"url": "v", "target": "webhook"}},
        id="delegates of two rungs merge",
    ),
    pytest.param(
        {"base": "executor: {agent: a, verify: {command: c}}", "own": "executor: {verify: {timeout: 1m}}"},
        {"verify": {"timeout": "1m", "command": "c"}, "agent": "a", "timeout": "30m"},
        id="verify merges inside",
    ),
    pytest.param(
        {"base": "executor: codex", "own": "executor: {agent: a}"}, {"agent": "a"}, id="over a word"
    ),
    pytest.param({"base": "executor: {agent: a}", "own": "executor: "}, None, id="override with null"),
]


@pytest.mark.parametrize(("written", "executor"), EXECUTORS)
def test_executor(written: dict[str, str], executor: Any) -> None:
    assert document(file=AGENT, **written).get("executor", "absent") == executor


def test_a_default_on_another_branch_merges_into_a_stage_without_one() -> None:
    stage = document(file="executor: {human: true}", own="executor: {timeout: 5m}")
    assert stage["executor"] == {"timeout": "5m", "human": True}


REVIEWERS = [
    pytest.param({}, {"human": 1}, id="silent stage"),
    pytest.param({"own": "reviewers: {agents: []}"}, {"agents": []}, id="own, whole"),
    pytest.param({"own": "reviewers: {}"}, {}, id="empty is a declaration"),
    pytest.param({"own": "reviewers: "}, None, id="null stays"),
    pytest.param({"workflow": "reviewers: {agents: []}"}, {"agents": []}, id="the workflow's, whole"),
    pytest.param({"workflow": "reviewers: "}, "absent", id="null in the workflow"),
    pytest.param({"workflow": "reviewers: two"}, "two", id="a word is copied"),
    pytest.param({"base": "needs: []", "deriver": "reviewers: {}"}, {}, id="cleared over the base"),
    pytest.param(
        {"base": "reviewers: {human: 3}", "deriver": "reviewers: "}, {"human": 3}, id="null clears nothing"
    ),
    pytest.param({"base": "reviewers: ", "deriver": "reviewers: {}"}, None, id="the base's null stays"),
    pytest.param(
        {"base": "reviewers: {human: 3, agents: []}", "own": "reviewers: {human: 2}"},
        {"human": 2},
        id="override, whole",
    ),
]


@pytest.mark.parametrize(("written", "reviewers"), REVIEWERS)
def test_reviewers_come_from_one_rung(written: dict[str, str], reviewers: Any) -> None:
    assert document(file="reviewers: {human: 1}", **written).get("reviewers", "absent") == reviewers


BUDGETS = [
    pytest.param({"own": "budget: {limit_usd: 9}"}, {"limit_usd": 9, "max_runtime": "1m"}, id="key by key"),
    pytest.param(
        {"workflow": "budget: {limit_usd: 9}"}, {"limit_usd": 9, "max_runtime": "1m"}, id="workflow"
    ),
    pytest.param({"own": "budget: {}"}, {"limit_usd": 1, "max_runtime": "1m"}, id="empty"),
    pytest.param(
        {"own": "budget: {limit_usd: }"}, {"limit_usd": None, "max_runtime": "1m"}, id="null inside"
    ),
    pytest.param({"workflow": "budget: "}, "absent", id="null in the workflow"),
    pytest.param(
        {"base": "budget: {limit_usd: 5}", "deriver": "budget: {limit_usd: 2}"},
        {"limit_usd": 2, "max_runtime": "1m"},
        id="deriver's defaults over the base",
    ),
    pytest.param(
        {
            "base": "budget: {limit_usd: 5}",
            "deriver": "budget: {limit_usd: 2}",
            "own": "budget: {limit_usd: 3}",
        },
        {"limit_usd": 3, "max_runtime": "1m"},
        id="the override over both",
    ),
]


@pytest.mark.parametrize(("written", "budget"), BUDGETS)
def test_budget(written: dict[str, str], budget: Any) -> None:
    stage = document(file="budget: {limit_usd: 1, max_runtime: 1m}", **written)
    assert stage.get("budget", "absent") == budget


OVERRIDES = [
    ("constraints: {max_files_changed: 1, allowed_paths: [a]}", "constraints: {allowed_paths: [b]}", "merge"),
    ("budget: {limit_usd: 1, max_tokens: 2}", "budget: {max_tokens: 3}", "merge"),
    ("egress: {target_hosts: [a]}", "egress: {more: 1}", "merge"),
    ("permissions: {shell: none, write: [a]}", "permissions: {write: [b]}", "merge"),
    ("concurrency: {group: g, limit: 2}", "concurrency: {limit: 3}", "merge"),
    ("gate_container: {image: i, note: n}", "gate_container: {note: m}", "merge"),
    ("inputs: [{source: a}, {source: b}]", "inputs: [{source: c}]", "own"),
    ("produces: [{artifact: plan}]", "produces: []", "own"),
    ("needs: [a, b]", "needs: [c]", "own"),
    ("gates: [{type: check}]", "gates: [{type: approval}]", "own"),
    ("other: {a: 1, b: 2}", "other: {a: 3}", "own"),
    ("constraints: {max_files_changed: 1}", "constraints: ", "own"),
    ("constraints: [1]", "constraints: {max_files_changed: 1}", "own"),
]


@pytest.mark.parametrize(("base", "own", "how"), OVERRIDES)
def test_override_key_by_key(base: str, own: str, how: str) -> None:
    key = base.split(":")[0]
    under = plain(parse(f"{{{base}}}".encode()).root)[key]  # type: ignore[arg-type]
    over = plain(parse(f"{{{own}}}".encode()).root)[key]  # type: ignore[arg-type]
    wanted = {**under, **over} if how == "merge" else over
    stage = document(base=base, own=own)
    assert stage[key] == wanted
    assert stage["type"] == "plan"


@pytest.mark.parametrize(
    ("base", "own", "container"),
    [
        ("{image: i}", "{dockerfile: d, context: c}", {"dockerfile": "d", "context": "c"}),
        ("{dockerfile: d, context: c}", "{image: i}", {"image": "i"}),
        ("{dockerfile: d, context: c}", "{context: e}", {"context": "e"}),
        ("{dockerfile: d, context: c}", "{}", {"dockerfile": "d", "context": "c"}),
        ("{image: i}", "image", "image"),
        ("image", "{image: i}", {"image": "i"}),
    ],
)
def test_a_gate_container_has_one_source(base: str, own: str, container: Any) -> None:
    stage = document(base=f"gate_container: {base}", own=f"gate_container: {own}")
    assert stage["gate_container"] == container


def test_an_override_may_change_the_type_alone() -> None:
    assert document(base="needs: [a]", own="type: implement") == {
        "id": "s",
        "type": "implement",
        "needs": ["a"],
    }


ORDER = """\
version: "2"
defaults: {reviewers: {human: 1}, executor: {agent: codex}, budget: {limit_usd: 1}}
workflows:
  derived:
    extends: base
    stages:
      - {budget: {limit_usd: 2}, id: b, needs: [a], produces: []}
      - {id: n, executor: {timeout: 1m}, type: plan}
      - {id: a}
  base:
    stages:
      - {type: plan, id: a}
      - {id: b, inputs: [], type: implement}
      - {id: c, type: review}
"""


def test_stages_keep_the_order_of_the_base_and_keys_that_of_the_author() -> None:
    found = resolved(ORDER)
    assert list(found) == ["version", "defaults", "workflows"]
    assert list(found["workflows"]) == ["derived", "base"]
    inherited = ["executor", "reviewers", "budget"]
    keys = [list(stage) for stage in found["workflows"]["derived"]["stages"]]
    assert keys == [
        ["type", "id", *inherited],
        ["id", "inputs", "type", "budget", "needs", "produces", "executor", "reviewers"],
        ["id", "type", *inherited],
        ["id", "executor", "type", "reviewers", "budget"],
    ]
    assert [stage["id"] for stage in found["workflows"]["derived"]["stages"]] == ["a", "b", "c", "n"]
    assert list(found["workflows"]["derived"]["stages"][3]["executor"]) == ["timeout", "agent"]


def test_defaults_of_a_base_reach_its_own_stages_alone() -> None:
    text = """\
version: "2"
workflows:
  a: {defaults: {budget: {limit_usd: 1}}, stages: [{id: s}]}
  b: {extends: a, defaults: {reviewers: {human: 1}}, stages: [{id: t}]}
  c: {extends: b, stages: [{id: u}]}
"""
    assert stages(text, "c") == {
        "s": {"id": "s", "reviewers": {"human": 1}, "budget": {"limit_usd": 1}},
        "t": {"id": "t", "reviewers": {"human": 1}},
        "u": {"id": "u"},
    }


def test_only_stages_are_inherited() -> None:
    text = """\
version: "2"
workflows:
  a: {description: d, auto_advance: true, autonomy: low, gate_container: {image: i}, stages: [{id: s}]}
  b: {extends: a}
"""
    assert resolved(text)["workflows"]["b"] == {"extends": "a", "stages": [{"id": "s"}]}


def test_a_diamond_leaves_base_and_siblings_alone() -> None:
    text = """\
version: "2"
workflows:
  base: {stages: [{id: s, executor: {agent: a, verify: {command: c}}}]}
  left: {extends: base, stages: [{id: s, executor: {verify: {command: l}}}]}
  right: {extends: base, defaults: {executor: {agent: r}}}
"""
    assert stages(text, "base")["s"]["executor"] == {"agent": "a", "verify": {"command": "c"}}
    assert stages(text, "left")["s"]["executor"] == {"agent": "a", "verify": {"command": "l"}}
    assert stages(text, "right")["s"]["executor"] == {"agent": "r", "verify": {"command": "c"}}


# -- shapes that make no sense ---------------------------------------------------

ODD = [
    pytest.param("{defaults: , stages: [{id: s}]}", [{"id": "s", "budget": 1}], id="defaults null"),
    pytest.param("{defaults: x, stages: [{id: s}]}", [{"id": "s", "budget": 1}], id="defaults a word"),
    pytest.param("{extends: , stages: [{id: s}]}", [{"id": "s", "budget": 1}], id="extends null"),
    pytest.param("{extends: [base], stages: [{id: s}]}", [{"id": "s", "budget": 1}], id="extends a list"),
    pytest.param("{extends: empty, stages: [{id: s}]}", [{"id": "s", "budget": 1}], id="base is no mapping"),
    pytest.param("{extends: base, stages: }", None, id="stages null"),
    pytest.param("{extends: base, stages: {s: 1}}", {"s": 1}, id="stages a mapping"),
    pytest.param("{description: d}", "absent", id="no stages, no base"),
    pytest.param("{extends: bare}", [], id="base without stages"),
    pytest.param("{extends: empty}", [], id="base is no mapping, no stages"),
    pytest.param("{extends: base}", [{"id": "b", "budget": 1}, 7], id="no own stages"),
    pytest.param("{extends: base, stages: []}", [{"id": "b", "budget": 1}, 7], id="no own stages, written"),
    pytest.param(
        "{extends: base, stages: [read, {type: x}, {id: 7}, {id: [b]}, {id: b, type: y}]}",
        [
            {"id": "b", "type": "y", "budget": 1},
            7,
            "read",
            {"type": "x", "budget": 1},
            {"id": 7, "budget": 1},
            {"id": ["b"], "budget": 1},
        ],
        id="entries that match nothing",
    ),
]


@pytest.mark.parametrize(("workflow", "found"), ODD)
def test_what_makes_no_sense_is_left_in_place(workflow: str, found: Any) -> None:
    text = f"""\
version: "2"
defaults: {{budget: 1}}
workflows:
  base: {{stages: [{{id: b}}, 7]}}
  bare: {{}}
  empty:
  w: {workflow}
"""
    assert resolved(text)["workflows"]["w"].get("stages", "absent") == found


@pytest.mark.parametrize("workflows", ["[a]", "", "a", "{1: {stages: [{id: s}, {id: s}]}}"])
def test_workflows_that_are_none(workflows: str) -> None:
    text = f'version: "2"\ndefaults: {{budget: 1}}\nworkflows: {workflows}\n'
    root = parse(text.encode()).mapping
    assert root is not None
    assert plain(resolve(root).root) == plain(root)


# -- what stands in the way --------------------------------------------------------


def problems(text: str) -> list[tuple[str, str, str]]:
    root, findings = resolution(text)
    assert findings
    assert plain(root) == plain(parse(text.encode()).mapping)  # type: ignore[arg-type]
    return [(found.rule, found.pointer, found.message) for found in findings]


def test_all_repeated_ids_are_reported_and_nothing_else() -> None:
    text = """\
version: "2"
workflows:
  a: {extends: nowhere, stages: [{id: s}, {id: t}, {id: s}, 7, {id: 1}, {id: 1}, {}, {id: s}]}
  b: {stages: [{id: s}, {id: s}]}
"""
    rule = "stage-id-duplicate"
    message = 'the stages {} and {} of {} both have the id "s"'
    assert problems(text) == [
        (rule, "/workflows/a/stages/2/id", message.format(0, 2, "a")),
        (rule, "/workflows/a/stages/7/id", message.format(0, 7, "a")),
        (rule, "/workflows/b/stages/1/id", message.format(0, 1, "b")),
    ]


def test_a_repeated_id_of_a_base_is_an_override() -> None:
    assert document(base="needs: []", own="needs: [a]")["needs"] == ["a"]


@pytest.mark.parametrize("name", ["nowhere", '""', "Not A Name"])
def test_unknown_base(name: str) -> None:
    text = f'version: "2"\nworkflows:\n  b: {{extends: {name}}}\n  a: {{extends: b}}\n'
    shown = '"' + name.strip('"') + '"'
    message = f"b extends {shown}, which is no workflow of this file"
    assert problems(text) == [("extends-unknown-workflow", "/workflows/b/extends", message)]
    assert resolution(text).findings[0].hint == "leave it out: no other workflow can be the base"


def test_what_a_workflow_may_extend_leaves_out_what_is_derived_from_it() -> None:
    text = """\
version: "2"
workflows:
  bases: {stages: []}
  basis: {extends: base, stages: []}
  basin: {extends: basis}
  basil: {extends: basin}
  basalt: {extends: basis}
  other: {extends: bases}
  7: {stages: []}
"""
    (finding,) = resolution(text).findings
    assert finding.pointer == "/workflows/basis/extends"
    assert finding.hint == 'did you mean "bases"? Allowed: bases, other'


def test_the_first_problem_in_the_order_of_the_names_is_the_one() -> None:
    text = 'version: "2"\nworkflows:\n  z: {extends: nowhere}\n  m: {extends: m}\n'
    assert [(rule, at) for rule, at, _ in problems(text)] == [("extends-cycle", "/workflows/m/extends")]


def test_a_cycle_is_told_in_order_and_without_the_way_in() -> None:
    text = """\
version: "2"
workflows:
  a: {extends: z}
  m: {extends: z}
  n: {extends: m}
  z: {extends: n}
"""
    message = "z extends itself, in the end: z, n, m, z"
    assert problems(text) == [("extends-cycle", "/workflows/z/extends", message)]
    (finding,) = resolution(text).findings
    assert [text[start:end] for start, end, _ in finding.related] == ["m", "z"]


def test_names_in_messages_stay_on_one_line() -> None:
    for extends in ("x", '"a\\nb"'):
        text = f'version: "2"\nworkflows: {{"a\\nb": {{extends: {extends}}}}}\n'
        (finding,) = resolution(text).findings
        assert "a\\nb" in finding.message
        assert "\n" not in finding.message + (finding.hint or "")


def test_extending_oneself() -> None:
    text = 'version: "2"\nworkflows:\n  a: {extends: a}\n'
    assert problems(text)[0][2] == "a extends itself, in the end: a, a"


def test_a_long_cycle_names_a_hundred_and_points_at_every_member() -> None:
    text = 'version: "2"\nworkflows:\n' + "".join(
        f"  w{i:04}: {{extends: w{(i + 1) % 3000:04}}}\n" for i in range(3000)
    )
    (finding,) = resolution(text).findings
    assert finding.message.startswith("w0000 extends itself, in the end: w0000, w0001, w0002, ")
    assert finding.message.endswith(", w0098, w0099, 2,900 more, w0000")
    members = [text[start:end] for start, end, _ in finding.related]
    assert members == [f"w{(i + 1) % 3000:04}" for i in range(1, 3000)]
    assert finding.related[-1].message == "w2999 extends its base here"


# -- pointers and places of what is found afterwards -------------------------------


def found_at(text: str) -> list[tuple[str, int, int]]:
    """Pointer, line and column of the findings of rule `schema`."""
    document = parse(text.encode())
    findings = check(document).findings
    assert {found.rule for found in findings} == {"schema"}
    return [(found.pointer, *document.position(found.start)) for found in findings]


def test_a_fault_is_pointed_at_where_it_is_written_once() -> None:
    text = """\
version: "2"
defaults:
  executor: {agent: codex, timeout: soon}
workflows:
  a:
    stages:
      - {id: s, type: plan}
      - {id: t, type: plan, executor: {agent: a}}
  b: {extends: a, defaults: {budget: {limit_usd: 0}}}
  c: {extends: b, stages: [{id: u, type: plan}, {id: t, type: no}]}
"""
    assert found_at(text) == [
        ("/defaults/executor/timeout", 3, 37),
        ("/workflows/b/defaults/budget/limit_usd", 9, 50),
        ("/workflows/c/stages/1/type", 10, 63),
    ]


def test_a_fault_of_a_merged_mapping_belongs_to_the_strongest_rung() -> None:
    text = """\
version: "2"
defaults:
  executor: {agent: codex, effort: high}
workflows:
  a:
    stages:
      - {id: s, type: plan}
      - {id: t, type: plan, executor: {timeout: 5m}}
      - {id: u, type: plan, executor: {human: true}}
  b: {extends: a, defaults: {executor: {model: m}}}
"""
    assert found_at(text) == [
        ("/defaults/executor", 3, 28),
        ("/workflows/a/stages/1/executor", 3, 28),
        ("/workflows/b/defaults/executor", 3, 28),
    ]
    lines = run("validate", "-", stdin=text.encode()).text
    assert lines.count("  8:29: the key comes in here by defaults or extends\n") == 1
    assert lines.count("  10:30: the key comes in here by defaults or extends\n") == 1


def test_a_missing_key_is_missing_where_the_stage_is_written() -> None:
    text = """\
version: "2"
workflows:
  b:
    extends: a
    stages:
      - {id: t, type: plan, executor: {agent: a}}
      - id: s
        budget: {limit_usd: 1}
  a: {stages: [{id: s, type: plan}]}
  c: {extends: a}
"""
    assert found_at(text) == [("/workflows/b/stages/1", 7, 9), ("/workflows/a/stages/0", 9, 17)]
    assert 'stages[1] lacks the key "executor"' in run("validate", "-", stdin=text.encode()).text


def test_an_inherited_empty_list_is_pointed_at_in_the_base() -> None:
    text = 'version: "2"\nworkflows:\n  a: {stages: []}\n  b: {extends: a}\n  c: {extends: b, stages: []}\n'
    assert found_at(text) == [("/workflows/a/stages", 3, 15), ("/workflows/c/stages", 5, 27)]


def test_a_list_that_nobody_wrote_is_pointed_at_in_the_workflow() -> None:
    text = 'version: "2"\nworkflows:\n  a: {description: d}\n  b: {extends: a}\n'
    assert found_at(text) == [("/workflows/a", 3, 3), ("/workflows/b", 4, 3)]


def test_a_fault_is_told_from_the_workflow_that_wrote_it() -> None:
    text = """\
version: "2"
workflows:
  a: {extends: z}
  z: {stages: [{id: s, type: plan, executor: {agent: x}}, {id: t, type: pla, executor: {agent: x}}]}
"""
    document = parse(text.encode())
    (finding,) = check(document).findings
    assert (finding.pointer, finding.related) == ("/workflows/z/stages/1/type", ())
    assert finding.message == 'type cannot be "pla"'


# -- size ----------------------------------------------------------------------------


def chain(workflows: int) -> str:
    lines = ['version: "2"', "defaults: {executor: {agent: codex}}", "workflows:", "  w0:", "    stages:"]
    lines += [f"      - {{id: s{i}, type: implement}}" for i in range(10)]
    for i in range(1, workflows):
        lines += [f"  w{i}:", f"    extends: w{i - 1}", "    defaults: {budget: {limit_usd: 1}}"]
        lines += [f"    stages: [{{id: s{i % 10}, budget: {{limit_usd: {i}}}}}]"]
    return "\n".join(lines)


def test_a_thousand_chained_workflows_and_ten_thousand_stages() -> None:
    found = resolved(chain(1000))["workflows"]
    assert sum(len(workflow["stages"]) for workflow in found.values()) == 10_000
    last = found["w999"]["stages"]
    assert [stage["budget"]["limit_usd"] for stage in last] == [1] * 9 + [999]


def test_stages_beyond_measure() -> None:
    # 1,000 workflows of 10 stages of 5 values would come to 25 million; there is room for 144 of them beside the first.
    text = bombs.chain(1000)
    document = parse(text.encode())
    began = time.process_time()
    (finding,) = check(document).findings
    assert time.process_time() - began < 2
    assert (finding.rule, finding.pointer) == ("extends-too-large", "/workflows/w0145/extends")
    assert text[finding.start : finding.end] == "w0144"
    assert finding.message == (
        "with w0145, what workflows inherit comes to more than 530,020 values, ten times the file or"
        " 400,000, whichever is more"
    )
    assert finding.hint == "extend one short base instead of chaining long workflows"
    assert check(parse(bombs.chain(60).encode())).findings == []


def test_room_is_measured_to_the_value() -> None:
    # Each derived workflow has the stage of three values that its base has.
    lines = ["w: {stages: [{a: 1, b: 2}]}", *(f"w{i}: {{extends: w}}" for i in range(9))]
    root = parse(("workflows:\n  " + "\n  ".join(lines)).encode()).mapping
    assert root is not None
    for room, wanted in ((9 * 3, []), (9 * 3 - 1, ["/workflows/w8/extends"])):
        with mock.patch.multiple(extent, GROWTH=0, SPARE=room):
            assert [finding.pointer for finding in resolve(root).findings] == wanted


def test_the_room_grows_with_what_is_written() -> None:
    # Eight values are written, two more for each workflow that inherits; each inherits four.
    for derived, told in ((4, []), (5, ["extends-too-large"])):
        lines = ["w: {stages: [{a: 1, b: 2, c: 3}]}", *(f"w{i}: {{extends: w}}" for i in range(derived))]
        with mock.patch.multiple(extent, GROWTH=1, SPARE=0):
            findings = resolve(rooted("\n  ".join(["workflows:", *lines]))).findings
        assert [finding.rule for finding in findings] == told


def test_a_workflow_whose_last_stage_finds_no_room() -> None:
    # The first stage, of three values, takes all there is.
    root = rooted("workflows:\n  w: {stages: [{a: 1, b: 2}, {c: 3}]}\n  x: {extends: w}\n")
    with mock.patch.multiple(extent, GROWTH=0, SPARE=3):
        (finding,) = resolve(root).findings
    assert (finding.rule, finding.pointer) == ("extends-too-large", "/workflows/x/extends")
    assert finding.message == (
        "with x, what workflows inherit comes to more than 3 values, ten times the file or 3, whichever is more"
    )
    assert finding.hint == "extend one short base instead of chaining long workflows"


def test_a_stage_is_measured_once_however_many_inherit_it() -> None:
    base = "w: {stages: [{id: a, type: plan}, {id: b, type: review}]}"
    root = rooted("\n  ".join(["workflows:", base, *(f"w{i}: {{extends: w}}" for i in range(9))]))
    with mock.patch.object(extent, "walk", wraps=walk) as measured:
        assert resolve(root).findings == []
    assert [each.args[0].text("id") for each in measured.call_args_list] == ["a", "b"]


def test_time_grows_with_the_length_of_a_chain_and_no_faster() -> None:
    def best(workflows: int) -> float:
        root = parse(chain(workflows).encode()).mapping
        assert root is not None
        times = []
        for _ in range(5):
            began = time.process_time()
            resolve(root)
            times.append(time.process_time() - began)
        return min(times)

    assert best(2000) < 70 * best(200)  # a hundred times would be quadratic


def test_a_container_keeps_what_is_no_source() -> None:
    base, own = (tree.mapping("c") for tree in map(rooted, ("c: {image: a, x: 1}", "c: {dockerfile: b}")))
    assert base is not None
    assert own is not None
    assert plain(merge_container(base, own)) == {"dockerfile": "b", "x": 1}


def rooted(text: str) -> Mapping:
    root = parse(text.encode()).mapping
    assert root is not None
    return root


def stage_list(root: Mapping, workflow: str) -> Pair:
    """The key of the stages of a workflow and their list."""
    return mapping(mapping(root.get("workflows")).get(workflow)).entries["stages"]


def test_the_key_of_stages_is_the_written_one_or_stands_where_the_list_does() -> None:
    root = rooted("workflows:\n  w: {'stages': [{id: a}]}\n  x: {extends: w}\n")
    (written, stages), (key, inherited) = (stage_list(resolve(root).root, name) for name in "wx")
    assert written is stage_list(root, "w").key
    assert stages.start == inherited.start == 27
    assert (scalar(key).value, scalar(key).text, key.anchor) == ("stages", "stages", None)
    assert (key.outer, key.start, key.end) == (27, 27, 27)


def test_a_stage_that_no_default_concerns_stays_the_node_it_is() -> None:
    root = rooted("workflows: {w: {stages: [{id: a}]}}")
    ((before,), (after,)) = (
        sequence(stage_list(each, "w").value).items for each in (root, resolve(root).root)
    )
    assert after is before


def test_a_stage_that_workflows_share_is_left_in_one_of_them() -> None:
    root = rooted(
        "workflows:\n  w: {stages: [{id: a}, {id: b}]}\n  x: {extends: w}\n  y: {extends: w, stages: [{id: c}]}\n"
        "  z: {extends: y, stages: [{id: b, type: plan}]}\n  none: {}\n"
    )
    found = plain(shared_once(resolve(root).root))["workflows"]
    assert {name: [stage["id"] for stage in found[name]["stages"]] for name in "wxyz"} == {
        "w": ["a", "b"], "x": ["a"], "y": ["c"], "z": ["b"]
    }  # fmt: skip
    assert found["none"] == {}


@pytest.mark.parametrize(
    "text", ["version: x", "workflows: {w: {stages: [{id: a}]}, x: {stages: [{id: a}]}}"]
)
def test_where_nothing_is_inherited_nothing_is_shared(text: str) -> None:
    root = rooted(text)
    assert shared_once(root) is root


def test_the_rung_of_a_workflow_as_a_whole() -> None:
    node = rooted("workflows: {w: {}}").mapping("workflows")
    assert node is not None
    workflow = node.entries["w"].value
    assert [rung(workflow, name) for name in ("w", "x", None)] == ["own", "base w", "own"]


def test_origins_of_workflows_without_any() -> None:
    assert [(each.pointer, each.rung) for each in origins(rooted("workflows: {}"))] == [("/workflows", "own")]


def test_a_cycle_of_as_many_as_are_named() -> None:
    text = 'version: "2"\nworkflows:\n' + "".join(
        f"  w{i:03}: {{extends: w{(i + 1) % 100:03}}}\n" for i in range(100)
    )
    (finding,) = resolution(text).findings
    assert finding.message.endswith(", w098, w099, w000")

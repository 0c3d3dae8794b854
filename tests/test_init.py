from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from support import run

from migrate_spec import presets

SEVEN = [
    "gating_reviewer_reject",
    "plan_rejection",
    "scope_amendment",
    "budget_override",
    "policy_override",
    "exception_request",
    "requirement_arbitration",
]
AUTO = {
    "low": {},
    "medium": {
        "approve": "clean_dual_approval",
        "fixup": "convergent_concerns",
        "retry": "infra_flake",
    },
    "high": {
        "approve": "clean_dual_approval",
        "fixup": "convergent_concerns",
        "waive": "solo_low",
        "retry": "infra_flake",
        "merge": "gates_resolved_ci_green",
    },
}
"""What each tier leaves to the operator agent, and on what condition (`presets.md` 1)."""

tiers = pytest.mark.parametrize("tier", presets.TIERS)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def written(folder: Path) -> list[str]:
    """Return every file and folder below `folder` but the ones of version control."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if ".git" not in path.parts)
    return sorted(str(path) for path in found)


@tiers
def test_init_writes_the_preset_and_nothing_else(repository: Path, tier: str) -> None:
    result = run("init", "--preset", tier)
    assert (result.code, result.error) == (0, "")
    assert written(repository) == [".fishhawk", ".fishhawk/workflows.yaml"]
    assert (repository / ".fishhawk/workflows.yaml").read_bytes() == presets.read(tier)


def test_medium_is_the_default_and_the_mode_is_that_of_a_repository_file(repository: Path) -> None:
    before = os.umask(0o022)
    try:
        run("init")
    finally:
        os.umask(before)
    path = repository / ".fishhawk/workflows.yaml"
    assert path.read_bytes() == presets.read("medium")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_what_to_edit_next_is_there(repository: Path) -> None:
    text = run("init").text
    path = Path(".fishhawk/workflows.yaml")
    assert text.startswith(f"{path}: created from the preset medium\n\nEdit next:\n")
    assert text.endswith(f"\nThen check it: fishhawk validate {path}\n")
    lines = path.read_text(encoding="utf-8").splitlines()
    found = re.findall(rf"^  {re.escape(str(path))}:(\d+): (\w+)", text, re.M)
    there = {word: lines[int(line) - 1].strip() for line, word in found}
    assert there == {
        "verify": 'command: "make test"',
        "autonomy": "autonomy: medium",
        "budgets": "limit_usd: 50",
        "approvals": "count: 1",
        "forbidden_paths": "forbidden_paths:",
    }


def test_the_file_goes_to_the_root_of_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repository / "services/api"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    result = run("init")
    assert result.text.startswith(f"{Path('../../.fishhawk/workflows.yaml')}: created")
    assert (repository / ".fishhawk/workflows.yaml").is_file()
    assert written(inner) == []


def test_the_nearest_root_counts_and_a_worktree_has_one(repository: Path) -> None:
    inner = repository / "vendored/deep"
    inner.mkdir(parents=True)
    (repository / "vendored/.git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert run("init", inner).code == 0
    assert (repository / "vendored/.fishhawk/workflows.yaml").is_file()
    assert not (repository / ".fishhawk").exists()


def test_a_folder_in_no_repository_is_its_own_root(tmp_path: Path) -> None:
    folder = tmp_path / "plain/inner"
    folder.mkdir(parents=True)
    assert run("init", folder).code == 0
    assert written(tmp_path / "plain") == ["inner", "inner/.fishhawk", "inner/.fishhawk/workflows.yaml"]


@pytest.mark.parametrize("kind", ["file", "empty", "link", "dangling", "folder"])
def test_what_is_there_is_never_overwritten(repository: Path, kind: str) -> None:
    path = repository / ".fishhawk/workflows.yaml"
    path.parent.mkdir()
    if kind in ("file", "empty"):
        path.write_bytes(b"" if kind == "empty" else b"mine\n")
    elif kind == "folder":
        path.mkdir()
    else:
        target = repository / "elsewhere.yaml"
        path.symlink_to(target)
        if kind == "link":
            target.write_bytes(b"mine\n")
    before = written(repository), path.is_symlink() and path.readlink()
    for _twice in range(2):
        result = run("init")
        assert (result.code, result.text) == (1, "")
        assert result.error == (
            f"{Path('.fishhawk/workflows.yaml')}: is there already and was left as it is; "
            "remove it first to start afresh\n"
        )
    assert (written(repository), path.is_symlink() and path.readlink()) == before
    if kind in ("file", "link"):
        assert path.read_bytes() == b"mine\n"


def test_a_place_that_cannot_hold_the_file(repository: Path) -> None:
    result = run("init", "nowhere")
    assert (result.code, result.error) == (2, "fishhawk: nowhere: no such folder\n")
    (repository / "text").write_bytes(b"")
    assert run("init", "text").error == "fishhawk: text: not a folder\n"
    (repository / ".fishhawk").write_bytes(b"mine")
    result = run("init")
    assert result.code == 2
    assert result.error.endswith("workflows.yaml: not a directory\n")
    assert (repository / ".fishhawk").read_bytes() == b"mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_permission(repository: Path) -> None:
    repository.chmod(0o500)
    try:
        result = run("init")
    finally:
        repository.chmod(0o700)
    assert (result.code, result.error) == (2, "fishhawk: .fishhawk: permission denied\n")
    assert written(repository) == []


def test_a_failed_write_leaves_no_folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: Any, **_named: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    result = run("init")
    monkeypatch.undo()
    assert result.code == 2
    assert result.error.endswith("workflows.yaml: no space left on device\n")
    assert not (repository / ".fishhawk").exists()


def test_an_unknown_preset_is_a_usage_error(repository: Path) -> None:
    result = run("init", "--preset", "middle")
    assert result.code == 2
    assert "'middle' is not one of 'low', 'medium', 'high'" in result.error
    assert written(repository) == []


# -- the presets ---------------------------------------------------------------


def answer(tier: str, phase: str) -> Any:
    return run("resolve", "-", "--phase", phase, "--format", "json", stdin=presets.read(tier)).json


@tiers
def test_a_preset_is_valid_as_shipped(tier: str) -> None:
    result = run("validate", "-", "--format", "json", stdin=presets.read(tier))
    (document,) = result.json["documents"]
    assert (result.code, document["version"], document["diagnostics"]) == (0, "2", [])


@tiers
def test_a_preset_delegates_what_its_tier_says(tier: str) -> None:
    matrices = answer(tier, "autonomy")
    (matrix,) = matrices.values()
    assert matrix["tier"] == tier
    auto = {name: entry["when"] for name, entry in matrix["classes"].items() if entry["mode"] == "auto"}
    assert auto == AUTO[tier]
    assert set(matrix["classes"]) == set(AUTO["high"])
    assert {entry["mode"] for entry in matrix["classes"].values()} <= {"auto", "gated"}
    assert matrix["page_human_on"] == ([] if tier == "low" else SEVEN)


@tiers
def test_a_preset_holds_what_the_facts_list(tier: str) -> None:
    assert answer(tier, "resolved") == {"version": "2", "workflows": {"feature_change": feature_change(tier)}}


def feature_change(tier: str) -> dict[str, Any]:
    reviewers = {
        "authority": "advisory",
        "agents": [
            {"provider": "anthropic", "model": "claude-opus-4-8"},
            {"provider": "anthropic", "model": "claude-sonnet-4-6"},
        ],
        "human": 1,
    }
    gate = {"type": "approval", "approvals": {"count": 1, "not": ["author", "agent"]}}

    def budget(tokens: int, runtime: str, dollars: int) -> dict[str, Any]:
        limits = {"max_tokens": tokens, "max_runtime": runtime, "limit_usd": dollars}
        return {**limits, "enforcement": "advisory"}

    plan = {
        "id": "plan",
        "type": "plan",
        "executor": {"agent": "claude-code"},
        "inputs": [{"source": "github_issue", "required": True}],
        "produces": [
            {
                "artifact": "plan",
                "schema": "standard_v1",
                "persistence": [
                    {"target": "originating_issue", "mode": "rendered_comment", "update_on_change": True},
                    {"target": "fishhawk_audit_log", "mode": "canonical"},
                ],
            }
        ],
        "reviewers": reviewers,
        "budget": budget(200000, "15m", 4),
        "gates": [gate],
    }
    implement = {
        "id": "implement",
        "type": "implement",
        "executor": {
            "agent": "claude-code",
            "verify": {"command": "make test", "timeout": "15m", "max_iterations": 1},
        },
        "inputs": [{"artifact": "plan", "from_stage": "plan"}],
        "produces": [{"artifact": "pull_request"}],
        "reviewers": reviewers,
        "constraints": {
            "max_files_changed": 45,
            "forbidden_paths": [
                ".github/workflows/**",
                ".gitlab-ci.yml",
                ".gitlab/ci/**",
                ".gitlab/agents/**",
                ".fishhawk/**",
                "LICENSE",
                "NOTICE",
            ],
            "required_outcomes": ["tests_added_or_updated", "ci_green"],
        },
        "budget": budget(500000, "30m", 12),
    }
    review = {
        "id": "review",
        "type": "review",
        "executor": {"human": True},
        "inputs": [{"artifact": "pull_request", "from_stage": "implement"}],
        "gates": [gate],
    }
    return {
        "description": "The usual way for features and other real changes: people approve the plan and the "
        "pull request, the agent does the work in between.",
        "auto_advance": True,
        "autonomy": tier,
        "policy": {"max_stage_runtime": "30m"},
        "budgets": [{"period": "weekly", "limit_usd": 50, "warn_at": 0.8, "enforcement": "advisory"}],
        "on_ci_failure": {"max_retries": 1},
        "stages": [plan, implement, review],
    }


def without_head(tier: str) -> str:
    text = presets.read(tier).decode()
    return text[text.index("# `fishhawk validate` checks") :]


@tiers
def test_presets_differ_in_head_and_tier_alone(tier: str) -> None:
    text = without_head(tier)
    assert text.count(f"    autonomy: {tier}\n") == 1
    assert text.replace(f"    autonomy: {tier}\n", "") == without_head("low").replace(
        "    autonomy: low\n", ""
    )


STARTER = re.compile(r"^( *)# fishhawk:starter-begin (\w+)\n(.*?)^ *# fishhawk:starter-end \2\n", re.M | re.S)


@tiers
def test_starters_are_valid_once_uncommented(tier: str) -> None:
    text = presets.read(tier).decode()
    names = [match[2] for match in STARTER.finditer(text)]
    assert names == ["applies_to", "escalations"]
    for wanted in (names[:1], names[1:], names):
        changed = text
        for match in STARTER.finditer(text):
            changed = changed.replace(match[0], uncommented(match)) if match[2] in wanted else changed
        assert changed != text
        result = run("validate", "-", stdin=changed.encode())
        assert (result.code, result.text) == (0, "<stdin>: valid\n")
    data = run("resolve", "-", "--print", "--format", "json", stdin=changed.encode()).json
    workflow = data["workflows"]["feature_change"]
    assert workflow["applies_to"] == {"labels": ["type:chore"], "paths": ["docs/**"]}
    assert workflow["escalations"] == [
        {"match": {"paths": ["infra/**"]}, "require": {"approvals": {"count": 2}}}
    ]


def uncommented(match: re.Match[str]) -> str:
    return re.sub(rf"^{match[1]}# ", match[1], match[3], flags=re.M)


@tiers
def test_the_other_pair_of_reviewers_is_valid_too(tier: str) -> None:
    text = presets.read(tier).decode()
    pair = re.search(r"((?:^ +# (?:- |  )\w.*\n)+)^          human: 1\n", text, re.M)
    assert pair is not None
    assert pair[1].count("provider:") == 2
    changed = text.replace(pair[1], pair[1].replace("# ", ""))
    assert run("validate", "-", stdin=changed.encode()).code == 0
    version = text.replace("# agent_version:", "agent_version:")
    assert version != text
    assert run("validate", "-", stdin=version.encode()).code == 0


@tiers
def test_presets_name_nobody_and_nothing_outside(tier: str) -> None:
    text = presets.read(tier).decode()
    assert not re.search(r"@\w|#\d|https?://|\bADR\b|TODO", text)
    assert all(len(line) <= 110 for line in text.splitlines())
    assert "defaults:" not in text

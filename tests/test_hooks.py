"""The hooks, the action and the recipe: each is run as its host would run it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import documents
import pytest
from ruamel.yaml import YAML

ROOT = documents.ROOT
VALID = (documents.EXAMPLES / "release.yaml").read_bytes()
OLD = (documents.EXAMPLES / "change.yaml").read_bytes()
FAULTY = VALID.replace(b"type: deploy", b"type: deply")
WORKFLOWS = ".fishhawk/workflows.yaml"
COMPLAINT = 'schema: type cannot be "deply"'


def yaml(path: Path) -> Any:
    return YAML(typ="safe").load(path)


def call(*command: object, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | documents.environment(cwd) | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )


def git(cwd: Path, *arguments: str) -> str:
    done = call("git", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def repository(folder: Path, files: dict[str, bytes]) -> Path:
    """Return a new repository at `folder` in which `files` are committed."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    git(folder, "init", "-q")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "as it is")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as it stands in the work tree, committed to a repository of its own."""
    done = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    if done.returncode != 0:
        pytest.skip("this is no checkout")
    wanted = (
        "migrate_spec/",
        "transforms/",
        "docs/man/",
        "pyproject.toml",
        "README.md",
        ".pre-commit-hooks.yaml",
    )
    names = [name for name in done.stdout.split("\0") if name.startswith(wanted) and (ROOT / name).is_file()]
    folder = tmp_path_factory.mktemp("project")
    return repository(folder, {name: (ROOT / name).read_bytes() for name in names})


def installable(folder: Path) -> None:
    """Skip the test where packages cannot be had."""
    done = call(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "wheel", cwd=folder)
    if done.returncode != 0:
        pytest.skip("the package index cannot be reached")


# -- pre-commit --------------------------------------------------------------------


def test_pre_commit_runs_the_hooks(project: Path, tmp_path: Path) -> None:
    command = shutil.which("pre-commit", path=documents.environment(tmp_path)["PATH"])
    if command is None:
        pytest.skip("pre-commit is not here")
    installable(tmp_path)
    hooks = "".join(f"      - id: {hook['id']}\n" for hook in yaml(ROOT / ".pre-commit-hooks.yaml"))
    config = f"repos:\n  - repo: {project}\n    rev: {git(project, 'rev-parse', 'HEAD')}\n    hooks:\n{hooks}"
    scratch = repository(
        tmp_path / "scratch",
        {".pre-commit-config.yaml": config.encode(), WORKFLOWS: VALID, "a.yaml": b"a: 1\n"},
    )
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}

    def commit(data: bytes, *options: str) -> subprocess.CompletedProcess[str]:
        (scratch / WORKFLOWS).write_bytes(data)
        git(scratch, "add", "-A")
        return call("git", "commit", "-m", "change", *options, cwd=scratch, env=home)

    assert call(command, "install", cwd=scratch, env=home).returncode == 0

    refused = commit(FAULTY)
    assert refused.returncode != 0
    assert f"{WORKFLOWS}:27:15: {COMPLAINT}" in refused.stdout
    assert "fishhawk-validate" in refused.stdout

    old = commit(OLD)
    assert old.returncode != 0
    assert re.search(r"^check the files that govern agent workflows\.+Passed$", old.stdout, re.M)
    assert "would migrate to version 2" in old.stdout
    assert (scratch / WORKFLOWS).read_bytes() == OLD

    fine = commit(VALID + b"# looked at\n")
    assert fine.returncode == 0, fine.stdout
    assert fine.stdout.count("Passed") == 2

    (scratch / "a.yaml").write_bytes(b"a: 2\n")
    other = commit(VALID + b"# looked at\n")
    assert other.returncode == 0, other.stdout
    assert other.stdout.count("Skipped") == 2


def test_the_hooks_take_the_files_they_are_for() -> None:
    for hook in yaml(ROOT / ".pre-commit-hooks.yaml"):
        for path in (WORKFLOWS, "services/booking/.fishhawk/workflows.yml"):
            assert re.search(hook["files"], path)
        for path in (
            "workflows.yaml",
            ".fishhawk/other.yaml",
            ".fishhawk/workflows.yaml.orig",
            "x.fishhawk/workflows.yaml",
        ):
            assert not re.search(hook["files"], path)


# -- the action --------------------------------------------------------------------


class Runner:
    """A host of composite actions, as far as this one needs it."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder = folder
        self.action = yaml(ROOT / "action.yml")
        self.path, self.summary = folder / "path", folder / "summary"
        self.path.touch()
        self.summary.touch()
        self.values = {"github.action_path": str(source), "runner.temp": str(folder)}
        for name, given in self.action["inputs"].items():
            self.values[f"inputs.{name}"] = given["default"]

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run one step with `bash` as the host calls it."""
        step = next(step for step in self.action["runs"]["steps"] if step["name"] == name)
        assert step["shell"] == "bash"
        env = {key: self.filled(value) for key, value in step["env"].items()}
        added = self.path.read_text(encoding="utf-8").split()
        env["PATH"] = os.pathsep.join([*added, os.environ["PATH"]])
        env |= {"GITHUB_PATH": str(self.path), "GITHUB_STEP_SUMMARY": str(self.summary)}
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
        return call(*shell, step["run"], cwd=self.folder, env=env)

    def filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda match: self.values[match[1]], text)


def test_the_action_installs_annotates_and_writes_sarif(project: Path, tmp_path: Path) -> None:
    installable(tmp_path)
    runner = Runner(tmp_path, project)
    (tmp_path / ".fishhawk").mkdir()
    workflows = tmp_path / WORKFLOWS
    workflows.write_bytes(FAULTY)

    installed = runner.step("Install")
    assert installed.returncode == 0, installed.stdout

    faulty = runner.step("Check")
    assert faulty.returncode == 1
    assert faulty.stdout.startswith(
        f"::error file={WORKFLOWS},line=27,endLine=27,col=15,endColumn=20,title=schema::type"
    )
    log = json.loads((tmp_path / "fishhawk.sarif").read_bytes())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["schema"]
    upload = runner.action["runs"]["steps"][-1]
    assert runner.filled(upload["with"]["sarif_file"]) == str(tmp_path / "fishhawk.sarif")

    workflows.write_bytes(OLD)
    assert runner.step("Check").returncode == 0
    runner.values["inputs.require-v2"] = "true"
    assert runner.step("Check").returncode == 1
    assert "| gate | before | after |" in runner.summary.read_text(encoding="utf-8")

    workflows.write_bytes(VALID)
    (tmp_path / "two.yaml").write_bytes(FAULTY)
    runner.values["inputs.paths"] = f"{WORKFLOWS}\ntwo.yaml\n"
    both = runner.step("Check")
    assert both.returncode == 1
    assert "file=two.yaml" in both.stdout


# -- GitLab ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code", "rules"), [(VALID, 0, []), (FAULTY, 1, ["schema"]), (None, 2, ["file-unreadable"])]
)
def test_the_gitlab_job_fails_and_reports(
    data: bytes | None, code: int, rules: list[str], tmp_path: Path
) -> None:
    job = yaml(documents.EXAMPLES / "gitlab-ci.yml")["fishhawk"]
    if data is not None:
        (tmp_path / ".fishhawk").mkdir()
        (tmp_path / WORKFLOWS).write_bytes(data)
    # fishhawk is here already; what pip is asked for is here as well
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    done = call("bash", "-c", script, cwd=tmp_path, env={"FISHHAWK": "pip"})
    assert done.returncode == code, done.stdout
    report = json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_bytes())
    assert [entry["check_name"] for entry in report] == rules
    assert len({entry["fingerprint"] for entry in report}) == len(report)
    for entry in report:
        assert entry["location"]["path"] == WORKFLOWS


# -- their grammars ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "path"),
    [("vendor.gitlab-ci", "docs/examples/gitlab-ci.yml"), ("vendor.github-actions", "action.yml")],
)
def test_the_files_are_valid_for_their_hosts(schema: str, path: str) -> None:
    pytest.importorskip("check_jsonschema")
    done = call(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, path, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_the_manifest_of_the_hooks_is_valid(tmp_path: Path) -> None:
    if shutil.which("pre-commit", path=documents.environment(tmp_path)["PATH"]) is None:
        pytest.skip("pre-commit is not here")
    done = call("pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_page_names_every_hook_and_every_input() -> None:
    page = (ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    for hook in yaml(ROOT / ".pre-commit-hooks.yaml"):
        assert f"- id: {hook['id']} " in page
    for name, given in yaml(ROOT / "action.yml")["inputs"].items():
        default = given["default"]
        assert f"| `{name}` | `{default}` |" in page or f'| `{name}` | `"{default}"` |' in page

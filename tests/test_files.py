"""Writing: whatever fails, the file is the old one or the new one, and nothing is left beside it."""

from __future__ import annotations

import errno
import fcntl
import io
import itertools
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support import run

from migrate_spec import beside, files
from migrate_spec.beside import beside as fresh_beside

OLD = (
    b'version: "1.6"\nworkflows:\n  w:\n    drive: true\n'
    b"    stages: [{id: s, type: plan, executor: {agent: codex}}]\n"
)
NEW = OLD.replace(b'"1.6"', b'"2"').replace(b"drive", b"auto_advance")
LEFT = ".spec.yaml.fishhawk-0123456789abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.yaml").write_bytes(OLD)
    return tmp_path


def names() -> list[str]:
    return sorted(os.listdir())


# -- each step fails, one after the other -------------------------------------------

CALLS: list[tuple[Any, str]] = [
    *[(os, name) for name in ("open", "fsync", "fstat", "link", "scandir", "chown")],
    *[(Path, name) for name in ("chmod", "stat", "lstat", "read_bytes", "replace")],
    (os.path, "lexists"),
    (fcntl, "flock"),
]


class Disk:
    """A disk on which the call of a given number fails, before or after it was done."""

    def __init__(self, at: int, problem: BaseException, behind: bool) -> None:
        self.left = at
        self.problem = problem
        self.behind = behind

    @property
    def reached(self) -> bool:
        return self.left <= 0

    def wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left != 0:
                return real(*arguments, **options)
            if self.behind:
                given = real(*arguments, **options)
                if real is os_open:
                    os.close(given)
            raise self.problem

        return call

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let every call that concerns the disk count, those that write a file too."""

        class Writer(io.BufferedWriter):
            write = self.wrap(io.BufferedWriter.write)
            flush = self.wrap(io.BufferedWriter.flush)

        def new(path: Path | str, mode: int) -> Any:
            return Writer(io.FileIO(path, "x", opener=lambda name, flags: os.open(name, flags, mode)))

        with ExitStack() as stack:
            for holder, name in CALLS:
                stack.enter_context(mock.patch.object(holder, name, self.wrap(getattr(holder, name))))
            for module in (files, beside):
                stack.enter_context(mock.patch.object(module, "new", new))
            yield


os_open = os.open

PROBLEMS = [
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    OSError(errno.EIO, os.strerror(errno.EIO)),
    PermissionError(errno.EACCES, os.strerror(errno.EACCES)),
    KeyboardInterrupt(),
]


def attempts(
    write: Callable[[], None], problem: BaseException, behind: bool
) -> Iterator[BaseException | None]:
    """Call `write` with the first disk call failing, then the second, and so on; yield what it raised."""
    for at in itertools.count(1):
        disk = Disk(at, problem, behind)
        raised: BaseException | None = None
        try:
            with disk.working():
                write()
        except BaseException as found:
            raised = found
        yield raised
        if not disk.reached:
            return
        assert at < 100


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__ + str(problem)[:10])
def test_a_step_of_a_rewrite_fails(problem: BaseException, behind: bool) -> None:
    seen = set()
    for raised in attempts(lambda: files.replace(files.read("spec.yaml"), NEW), problem, behind):
        now = Path("spec.yaml").read_bytes()
        # A move that was done and then reports a failure cannot be told from one that failed.
        assert now == OLD if isinstance(raised, Exception) and not behind else now in (OLD, NEW)
        assert names() == ["spec.yaml"]
        if raised is None:
            assert now == NEW
        elif not isinstance(raised, KeyboardInterrupt):
            assert isinstance(raised, files.FileProblem)
            assert str(raised).startswith("spec.yaml: ")
        seen.add(type(raised))
        Path("spec.yaml").write_bytes(OLD)
    assert seen == {
        type(None),
        type(problem) if isinstance(problem, KeyboardInterrupt) else files.FileProblem,
    }


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__ + str(problem)[:10])
def test_a_step_of_a_creation_fails(problem: BaseException, behind: bool) -> None:
    for raised in attempts(lambda: files.create("new.yaml", NEW), problem, behind):
        found = Path("new.yaml").read_bytes() if Path("new.yaml").exists() else None
        assert found is None if isinstance(raised, Exception) and not behind else found in (None, NEW)
        assert names() == (["spec.yaml"] if found is None else ["new.yaml", "spec.yaml"])
        assert raised is not None or found == NEW
        assert raised is None or isinstance(raised, (files.FileProblem, KeyboardInterrupt))
        Path("new.yaml").unlink(missing_ok=True)


# -- what a killed run left behind ---------------------------------------------------


def test_what_is_left_behind_is_swept() -> None:
    for name in (LEFT, ".new.yaml.fishhawk-0123456789abcdef"):
        Path(name).write_bytes(b"half of")
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    assert names() == [".new.yaml.fishhawk-0123456789abcdef", "spec.yaml"]
    assert run("resolve", "--out", "new.yaml", "spec.yaml").code == 0
    assert names() == ["new.yaml", "spec.yaml"]


def test_a_file_whose_writer_is_alive_stays() -> None:
    program = (
        "import fcntl, sys\n"
        f"file = open({LEFT!r}, 'xb')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    call = [sys.executable, "-c", program]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"locked\n"
        assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
        assert names() == [LEFT, "spec.yaml"]
    Path("spec.yaml").write_bytes(OLD)
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    assert names() == ["spec.yaml"]


@pytest.mark.parametrize(
    "name",
    [
        ".spec.yaml.fishhawk-backup",
        ".spec.yaml.fishhawk-0123456789ABCDEF",
        ".spec.yaml.fishhawk-0123456789abcdef0",
        ".other.yaml.fishhawk-0123456789abcdef",
        "spec.yaml.fishhawk-0123456789abcdef",
    ],
)
def test_files_of_other_names_stay(name: str) -> None:
    Path(name).write_bytes(b"mine")
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    assert Path(name).read_bytes() == b"mine"


def test_links_and_folders_of_that_name_stay() -> None:
    Path("mine").write_bytes(b"mine")
    Path(LEFT).symlink_to("mine")
    Path(LEFT[:-1] + "0").mkdir()
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    assert names() == [LEFT[:-1] + "0", LEFT, "mine", "spec.yaml"]


def test_a_new_file_that_was_taken_for_a_left_one_is_made_again() -> None:
    real = fcntl.flock
    taken: list[str] = []

    def flock(handle: int, how: int) -> None:
        if not taken:
            [name] = [name for name in names() if name.startswith(".spec.yaml.")]
            taken.append(name)
            os.unlink(name)
        real(handle, how)

    with mock.patch.object(fcntl, "flock", flock):
        files.replace(files.read("spec.yaml"), NEW)
    assert (len(taken), names(), Path("spec.yaml").read_bytes()) == (1, ["spec.yaml"], NEW)


def test_while_it_is_swept_a_new_file_is_made_again() -> None:
    answers = iter([BlockingIOError(), None])

    def flock(_handle: int, _how: int) -> None:
        answer = next(answers)
        if answer is not None:
            raise answer

    with mock.patch.object(fcntl, "flock", flock):
        files.replace(files.read("spec.yaml"), NEW)
    assert (names(), Path("spec.yaml").read_bytes()) == (["spec.yaml"], NEW)


def test_a_file_system_without_locks() -> None:
    with mock.patch.object(fcntl, "flock", side_effect=OSError(errno.ENOLCK, "no locks")):
        files.replace(files.read("spec.yaml"), NEW)
        files.create("new.yaml", NEW)
    assert (names(), Path("spec.yaml").read_bytes()) == (["new.yaml", "spec.yaml"], NEW)


@pytest.mark.parametrize("problem", [OSError(errno.EPERM, "no links"), OSError(errno.ENOTSUP, "no links")])
def test_a_file_system_without_hard_links(problem: OSError) -> None:
    with mock.patch.object(os, "link", side_effect=problem):
        files.create("new.yaml", NEW)
        assert (names(), Path("new.yaml").read_bytes()) == (["new.yaml", "spec.yaml"], NEW)
        assert stat.S_IMODE(Path("new.yaml").stat().st_mode) == 0o600
        with pytest.raises(files.AlreadyThere):
            files.create("new.yaml", OLD)
        real = os.path.lexists
        with (
            mock.patch.object(os.path, "lexists", lambda path: path != "new.yaml" and real(path)),
            pytest.raises(files.AlreadyThere, match=r"^new\.yaml: already exists; nothing was written$"),
        ):
            files.create("new.yaml", OLD)
    assert Path("new.yaml").read_bytes() == NEW


def test_a_fragment_does_not_block_the_next_try() -> None:
    with (
        mock.patch.object(os, "link", side_effect=AttributeError),
        mock.patch.object(files, "new", lambda path, mode: Full(path, "xb")),
        pytest.raises(files.FileProblem, match=r"^new\.yaml: no space left on device$"),
    ):
        files.create("new.yaml", NEW)
    assert names() == ["spec.yaml"]


class Full(io.FileIO):
    def write(self, _data: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# -- somebody else was there ---------------------------------------------------------


def test_a_file_that_is_created_meanwhile_is_not_overwritten() -> None:
    real = os.fsync

    def meanwhile(handle: int) -> None:
        Path("new.yaml").write_bytes(b"mine")
        real(handle)

    with (
        mock.patch.object(os, "fsync", meanwhile),
        pytest.raises(files.AlreadyThere, match=r"^new\.yaml: already exists; nothing was written$"),
    ):
        files.create("new.yaml", NEW)
    assert (names(), Path("new.yaml").read_bytes()) == (["new.yaml", "spec.yaml"], b"mine")


def change(path: Path) -> None:
    path.write_bytes(b"mine")


def remove(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename("moved")
    path.symlink_to("moved")


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("meanwhile", [change, remove, move, make_folder])
def test_a_source_that_is_another_meanwhile_stays(meanwhile: Callable[[Path], None]) -> None:
    source = files.read("spec.yaml")
    meanwhile(Path("spec.yaml"))
    before = names()
    message = "changed on disk since it was read; the file is as it was"
    if meanwhile is remove:
        message = "gone since it was read; nothing was written"
    with pytest.raises(files.FileProblem, match=f"^spec.yaml: {message}$"):
        files.replace(source, NEW)
    assert names() == before


def test_what_is_no_regular_file_is_not_rewritten() -> None:
    os.mkfifo("pipe")
    with subprocess.Popen([sys.executable, "-c", f"open('pipe', 'wb').write({OLD!r})"]):
        source = files.read("pipe")
    assert source.data == OLD
    with pytest.raises(files.FileProblem, match=r"^pipe: only a regular file can be rewritten$"):
        files.replace(source, NEW)


def test_links_stay_links_through_a_chain() -> None:
    Path("real").mkdir()
    Path("spec.yaml").rename("real/spec.yaml")
    Path("one").symlink_to("real/spec.yaml")
    Path("real/two").symlink_to("../one")
    Path("three").symlink_to(Path("real/two").absolute())
    result = run("migrate-spec", "--in-place", "three")
    assert (result.code, result.text.splitlines()[-1]) == (0, "three: rewritten")
    assert [os.readlink(name) for name in ("one", "real/two")] == ["real/spec.yaml", "../one"]
    assert Path("three").is_symlink()
    assert Path("real/spec.yaml").read_bytes() == NEW
    assert sorted(os.listdir("real")) == ["spec.yaml", "two"]


@pytest.mark.parametrize("target", ["nowhere", "loop"])
def test_links_that_lead_nowhere(target: str) -> None:
    Path("loop").symlink_to(target)
    before = names()
    result = run("migrate-spec", "--in-place", "loop")
    assert (result.code, result.out) == (2, b"")
    assert (
        result.error
        == f"loop: {'no such file' if target == 'nowhere' else 'too many levels of symbolic links'}\n"
    )
    assert names() == before


def test_names_as_long_as_a_file_system_takes() -> None:
    name = "ü" * 125 + ".yaml"
    Path(name).write_bytes(OLD)
    assert run("migrate-spec", "--in-place", name).code == 0
    assert Path(name).read_bytes() == NEW
    assert run("migrate-spec", "--out", "n" * 255, "spec.yaml").code == 0
    assert names() == ["n" * 255, "spec.yaml", name]
    result = run("migrate-spec", "--out", "n" * 256, "spec.yaml")
    assert (result.code, result.error) == (2, "n" * 256 + ": file name too long\n")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755, 0o444, 0o4755])
def test_permission_bits_stay(mode: int) -> None:
    Path("spec.yaml").chmod(mode)
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    assert stat.S_IMODE(Path("spec.yaml").stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays() -> None:
    os.chown("spec.yaml", 12345, 23456)
    assert run("migrate-spec", "--in-place", "spec.yaml").code == 0
    state = Path("spec.yaml").stat()
    assert (state.st_uid, state.st_gid, Path("spec.yaml").read_bytes()) == (12345, 23456, NEW)


def test_a_full_disk() -> None:
    limit = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
    program = limit + "from migrate_spec.cli import run\nrun()\n"
    for arguments in (["--in-place"], ["--out", "new.yaml"]):
        call = [sys.executable, "-c", program, "migrate-spec", *arguments, "spec.yaml"]
        done = subprocess.run(call, capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr.decode().endswith(
            ": file too large; the file is as it was\n" if "--out" not in arguments else ": file too large\n"
        )
        assert (names(), Path("spec.yaml").read_bytes()) == (["spec.yaml"], OLD)


def test_many_runs_at_once() -> None:
    call = [sys.executable, "-c", "from migrate_spec.cli import run; run()", "migrate-spec"]
    for _ in range(4):
        Path("spec.yaml").write_bytes(OLD)
        pipe = subprocess.PIPE
        runs = [
            subprocess.Popen([*call, "--in-place", "spec.yaml"], stdout=pipe, stderr=pipe) for _ in range(4)
        ]
        runs += [
            subprocess.Popen([*call, "--out", "new.yaml", "spec.yaml"], stdout=pipe, stderr=pipe)
            for _ in range(2)
        ]
        said = [each.communicate() for each in runs]
        codes = [each.returncode for each in runs]
        assert Path("spec.yaml").read_bytes() == NEW
        assert 0 in codes[:4]
        for code, (_, err) in zip(codes, said, strict=True):
            assert code in (0, 1, 2)
            assert code == 0 or b"changed on disk" in err or b"already exists" in err
        assert Path("new.yaml").read_bytes() == NEW if Path("new.yaml").exists() else 0 in codes[4:]
        assert names() == (["new.yaml", "spec.yaml"] if Path("new.yaml").exists() else ["spec.yaml"])
        Path("new.yaml").unlink(missing_ok=True)


def test_a_file_beside_is_gone_afterwards_unless_it_was_moved() -> None:
    with fresh_beside(Path("spec.yaml"), 0o600) as (path, file):
        assert path.name.startswith(".spec.yaml.fishhawk-")
        file.write(b"x")
    assert names() == ["spec.yaml"]

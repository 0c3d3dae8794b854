"""Pages of documentation whose examples are run, and rendered anew with what the commands really say.

A fence with `title="FILE"` writes FILE into the scratch folder of its page, a `console` fence runs its
lines that begin with `$ `, and a comment `<!-- shows: FILE -->` or `<!-- prints: COMMAND -->` fills the
fence below it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"

_BLOCK = re.compile(
    r"(?P<lead><!-- (?P<how>shows|prints): (?P<what>[^\n]+) -->\n)?"
    r"^(?P<fence>```+)(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=fence)$",
    re.M | re.S,
)
_TITLE = re.compile(r'title="([^"]+)"')


def pages() -> list[Path]:
    """Return every page that people write by hand, examples aside."""
    written = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    made = ("examples", "man", "reference", "rules")
    return sorted(page for page in written if page.parent.name not in made)


def rendered(page: Path, folder: Path) -> str:
    """Return `page` with each output as it is now; its commands run in `folder`, one after the other."""
    shutil.copytree(EXAMPLES, folder / "docs" / "examples", dirs_exist_ok=True)
    return _BLOCK.sub(lambda block: _block(block, folder), page.read_text(encoding="utf-8"))


def _block(block: re.Match[str], folder: Path) -> str:
    body, title = block["body"], _TITLE.search(block["info"])
    if block["how"] == "shows":
        body = (folder / block["what"]).read_text(encoding="utf-8")
    elif block["how"] == "prints":
        body = shell([block["what"]], folder)[0]
    elif block["info"] == "console":
        body = _session(body, folder)
    if title is not None:
        path = folder / title[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
    return f"{block['lead'] or ''}{block['fence']}{block['info']}\n{body}{block['fence']}"


def commands(session: str) -> list[str]:
    """Return the commands of a console session; lines after `> ` go on with the command before."""
    found: list[str] = []
    for line in session.splitlines():
        if line.startswith("$ "):
            found.append(line[2:])
        elif line.startswith("> ") and found and session.startswith("$ "):
            found[-1] += "\n" + line[2:]
    return found


def _session(session: str, folder: Path) -> str:
    called = commands(session)
    assert called, f"a console block without a command: {session!r}"
    said = shell(called, folder)
    return "".join(
        f"$ {call.replace(chr(10), chr(10) + '> ')}\n{out}" for call, out in zip(called, said, strict=True)
    )


def shell(called: list[str], folder: Path) -> list[str]:
    """Run commands in one shell and return what each says, both streams together."""
    mark = f"-- {uuid.uuid4()} --"
    script = "".join(f"{call}\ncode=$?; echo '{mark}'; (exit $code)\n" for call in called)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    *said, rest = done.stdout.decode().split(mark + "\n")
    assert (len(said), rest) == (len(called), ""), done.stdout.decode()
    return said


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which `fishhawk` is this one and git knows nobody in particular."""
    person = {"NAME": "Ines", "EMAIL": "ines@garden.example"}
    git = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **quiet, **git}

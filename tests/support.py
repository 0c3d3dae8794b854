"""What tests share: the command line in process and as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from migrate_spec.cli import main


class Result(NamedTuple):
    """What a call gave back."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def error(self) -> str:
        return self.err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*arguments: object, stdin: bytes = b"", env: dict[str, str] | None = None) -> Result:
    """Run the command line in this process."""
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", write_through=True),
    }
    with mock.patch.multiple(sys, **streams), mock.patch.dict(os.environ, env or {}):
        code = main([str(argument) for argument in arguments])
        for stream in (streams["stdout"], streams["stderr"]):
            if not stream.closed:
                stream.flush()
    return Result(code, out.getvalue(), err.getvalue())


def process(*arguments: object, cwd: Path | None = None, stdin: bytes = b"") -> Result:
    """Run the command line as a process of its own."""
    command = [sys.executable, "-c", "from migrate_spec.cli import run; run()", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, cwd=cwd, input=stdin, timeout=120, check=False)
    return Result(done.returncode, done.stdout, done.stderr)

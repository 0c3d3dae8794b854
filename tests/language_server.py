"""A client for the YAML language server, the one behind the editors, over its standard streams."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Server:
    """A running server with one folder open; every call waits for its answer."""

    def __init__(self, process: subprocess.Popen[bytes], root: Path, settings: dict[str, Any]) -> None:
        self.process = process
        self.root = root
        self.settings = settings
        self.count = 0
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        assert length, "the server is gone"
        message: dict[str, Any] = json.loads(stream.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self.send({"id": message["id"], "result": self.answer(message)})
        return message

    def answer(self, message: dict[str, Any]) -> Any:
        """Return what an editor would answer the server: its settings, nothing else."""
        if message["method"] != "workspace/configuration":
            return None
        return [self.settings if item["section"] == "yaml" else {} for item in message["params"]["items"]]

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.count and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def open(self, name: str, text: str) -> str:
        uri = (self.root / name).as_uri()
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def problems(self, name: str, text: str) -> list[dict[str, Any]]:
        """Open `name` with `text` and return what the server finds wrong with it."""
        uri = self.open(name, text)
        while uri not in self.diagnostics:
            self.receive()
        return self.diagnostics[uri]

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        place = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})


@contextmanager
def serve(package: Path, root: Path, settings: dict[str, Any]) -> Iterator[Server]:
    """Run the server installed at `package` with the folder `root` open, under `settings` for YAML."""
    program = package / "bin/yaml-language-server"
    command = ["node", str(program), "--stdio"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
    )
    server = Server(process, root, settings)
    try:
        hover = {"contentFormat": ["markdown", "plaintext"]}
        capabilities = {
            "textDocument": {"hover": hover, "completion": {}, "publishDiagnostics": {}},
            "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}},
        }
        folders = [{"uri": root.as_uri(), "name": "repository"}]
        server.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "capabilities": capabilities,
                "workspaceFolders": folders,
            },
        )
        server.notify("initialized", {})
        server.notify("workspace/didChangeConfiguration", {"settings": {}})
        while server.receive().get("method") != "workspace/configuration":
            pass
        yield server
    finally:
        process.kill()
        process.communicate()

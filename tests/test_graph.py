from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html import unescape
from pathlib import Path

import npm
import pytest
from support import run

ROOT = Path(__file__).parent.parent
GOLDEN = sorted([*(ROOT / "golden/graph").iterdir(), *(ROOT / "golden/reference").iterdir()])
ENDINGS = {"mermaid": "mmd", "dot": "dot"}

ODD = [
    'x"]; <b>b</b> `c` **d** __e__ _f_ &lt; &amp; #quot; #35; {{g}} | h; %% i',
    '\\N \\" \\\\ [l](http://m.n) https://o.p/q?r=s&t --> u ::: v $w$ ~~x~~ end',
    "1. y",
    "- z",
    "---",
    "```",
    "<img src=x onerror=alert(1)>",
    "Zoë 😀 日本",
]
"""Names that would be markup if they were not escaped."""


def odd_document() -> bytes:
    """Return a v2 document in which people may name approvers, agents and groups as they like."""
    names = json.dumps(ODD, ensure_ascii=False)
    agent, group, label = (json.dumps(ODD[i], ensure_ascii=False) for i in (0, 1, 6))
    return f"""\
version: "2"
workflows:
  end:
    escalations:
      - match: {{labels: [{label}]}}
        require: {{approvals: {{member_of: {group}, count: 5}}}}
    stages:
      - id: end
        type: plan
        executor: {{agent: {agent}}}
        gates:
          - type: approval
            sla: "1. at\\n once\\u202e\\0"
            approvals: {{count: 2, members: {names}}}
""".encode()


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda path: path.name)
def test_golden_pictures(case: Path, form: str, golden: Callable[[Path, bytes], None]) -> None:
    result = run("graph", case / "workflows.yaml", "--format", form)
    assert (result.code, result.error) == (0, "")
    golden(case / f"graph.{ENDINGS[form]}", result.out)


def test_mermaid_is_the_default() -> None:
    case = GOLDEN[0] / "workflows.yaml"
    assert run("graph", case).out == run("graph", case, "--format", "mermaid").out
    assert run("graph", "-", stdin=case.read_bytes()).out == run("graph", case).out


def test_what_is_inherited_is_drawn() -> None:
    text = run("graph", ROOT / "golden/reference/shared-stages/workflows.yaml").text
    assert text.count("subgraph ") == 3
    everyday, change, rollout = text.split("subgraph ")[1:]
    assert "outline<br/>plan<br/>agent claude-code" in everyday
    for inheriting in (change, rollout):
        assert "outline<br/>plan<br/>agent codex" in inheriting
        assert "approval by 2 people<br/>member of acme/database" in inheriting
    assert '-->|"pull_request"| w2s3' in rollout
    assert "operator agent alone: nothing" in rollout


def test_a_faulty_file_is_not_drawn(tmp_path: Path) -> None:
    path = tmp_path / "workflows.yaml"
    path.write_text('version: "2"\nworkflows: {}\n', encoding="utf-8")
    result = run("graph", path)
    assert (result.code, result.text) == (1, "")
    assert result.error.startswith(f"{path}:2:1: schema: ")
    path.write_text("a: [", encoding="utf-8")
    assert run("graph", path).code == 1
    result = run("graph", tmp_path / "none.yaml")
    assert (result.code, result.text) == (2, "")
    assert "file-unreadable" in result.error
    assert run("graph", path, "--format", "svg").code == 2


# -- drawn by the programs that draw -------------------------------------------


def expected(path: Path | bytes) -> list[str]:
    """Return every line of text that a picture of the document must show, white space made even."""
    data = path if isinstance(path, bytes) else path.read_bytes()
    text = run("graph", "-", "--format", "mermaid", stdin=data).text
    labels = re.findall(r'"([^"\n]*)"', text)
    lines = [line for label in labels for line in label.split("<br/>")]
    return sorted(even(re.sub(r"#(\d+);", lambda match: chr(int(match[1])), line)) for line in lines)


def even(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return sorted(even("".join(node.itertext())) for node in root.iter("{http://www.w3.org/2000/svg}text"))


DRAWN = [pytest.param(path / "workflows.yaml", id=path.name) for path in GOLDEN]
DRAWN.append(pytest.param(odd_document(), id="odd names"))


@pytest.mark.parametrize("source", DRAWN)
def test_graphviz_shows_every_line(source: Path | bytes) -> None:
    data = source if isinstance(source, bytes) else source.read_bytes()
    graph = run("graph", "-", "--format", "dot", stdin=data).out
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, check=True)
        assert done.stderr == b""
        svg = done.stdout.decode()
    else:
        svg = node(npm.installed("@viz-js/viz@3.31.0"), GRAPHVIZ, graph)
    assert texts(svg) == expected(source)


@pytest.mark.parametrize("source", DRAWN)
def test_mermaid_shows_every_line(source: Path | bytes) -> None:
    data = source if isinstance(source, bytes) else source.read_bytes()
    picture = run("graph", "-", stdin=data).out
    svg = node(npm.installed("mermaid@11.17.2", "jsdom@29.1.1"), MERMAID, picture)
    shown = re.findall(r"<p>(.*?)</p>", svg, re.S)
    lines = [even(unescape(line)) for label in shown for line in re.split(r"<br ?/?>", label)]
    assert sorted(lines) == expected(source)
    assert len(re.findall(r'class="[^"]*edge-pattern-dotted', svg)) == picture.count(b"-.->")


def node(modules: Path, program: str, data: bytes) -> str:
    script = modules.parent / "render.mjs"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(["node", str(script)], input=data, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


GRAPHVIZ = """
import { readFileSync } from "node:fs";
import { instance } from "@viz-js/viz";
console.log((await instance()).renderString(readFileSync(0, "utf8"), { format: "svg" }));
"""

MERMAID = """
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
const { window } = new JSDOM("<body></body>", { pretendToBeVisual: true });
globalThis.window = window;
for (const name of ["document", "Element", "HTMLElement", "SVGElement", "Node", "CSSStyleSheet"])
  globalThis[name] = window[name];
// jsdom lays nothing out, so every text is given the same size
const box = { x: 0, y: 0, top: 0, left: 0, right: 120, bottom: 20, width: 120, height: 20 };
window.Element.prototype.getBBox = () => box;
window.Element.prototype.getBoundingClientRect = () => box;
window.Element.prototype.getComputedTextLength = () => 120;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
console.log((await mermaid.render("picture", readFileSync(0, "utf8"))).svg);
"""

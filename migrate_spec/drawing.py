"""Pictures of workflows as text for a program that draws: Mermaid for code hosts, DOT for Graphviz."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate_spec.graph import Edge, Node, Picture

_MERMAID_SHAPES = {
    "source": '(["{}"])',
    "stage": '["{}"]',
    "gate": '{{{{"{}"}}}}',
    "agent": '("{}")',
    "escalation": '["{}"]:::escalation',
}
_MERMAID_LINES = {"order": "==>", "input": "-->", "rule": "---", "escalation": "-.->"}


def mermaid(pictures: Sequence[Picture]) -> str:
    """Return `pictures` as one Mermaid flowchart with a subgraph for each."""
    lines = ["flowchart TB"]
    for picture in pictures:
        lines.append(f'  subgraph {picture.name}["{_mermaid_text(picture.title)}"]')
        lines.append("    direction TB")
        lines += [f"    {_mermaid_node(node)}" for node in picture.nodes]
        lines += [f"    {_mermaid_edge(edge)}" for edge in picture.edges]
        lines.append("  end")
    return "\n".join([*lines, "  classDef escalation stroke-dasharray: 5 4", ""])


def _mermaid_node(node: Node) -> str:
    return node.name + _MERMAID_SHAPES[node.kind].format("<br/>".join(map(_mermaid_text, node.lines)))


def _mermaid_edge(edge: Edge) -> str:
    label = f'|"{_mermaid_text(edge.label)}"|' if edge.label else ""
    return f"{edge.start} {_MERMAID_LINES[edge.kind]}{label} {edge.end}"


_MARKUP = re.compile(
    r"[^\w ,()\-.:/]"  # what may be markup anywhere
    r"|(?<![^\W_])[-.:/_]|[-./_](?![^\W_])|:(?![^\W_]|\s|$)"  # and what may be at the edge of a word
)


def _mermaid_text(text: str) -> str:
    """Return `text` for a quoted label, where markup and Markdown are read; entities are not."""
    return _MARKUP.sub(lambda match: f"#{ord(match[0])};", _one_line(text))


_DOT_NODES = {
    "source": "shape=box, style=rounded",
    "stage": "shape=box, style=bold",
    "gate": "shape=hexagon",
    "agent": "shape=note",
    "escalation": "shape=box, style=dashed",
}
_DOT_LINES = {
    "order": "style=bold, weight=10",
    "input": "",
    "rule": "dir=none, constraint=false",
    "escalation": "style=dashed, constraint=false",
}


def dot(pictures: Sequence[Picture]) -> str:
    """Return `pictures` as one DOT digraph with a cluster for each."""
    lines = ["digraph workflows {", '  node [fontname="sans-serif"]', '  edge [fontname="sans-serif"]']
    for picture in pictures:
        lines.append(f"  subgraph cluster_{picture.name} {{")
        lines.append(f'    label={_dot_text(picture.title)}; fontname="sans-serif"')
        for node in picture.nodes:
            lines.append(f"    {node.name} [label={_dot_text(*node.lines)}, {_DOT_NODES[node.kind]}]")
        lines += [f"    {_dot_edge(edge)}" for edge in picture.edges]
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _dot_edge(edge: Edge) -> str:
    label = f"label={_dot_text(edge.label)}" if edge.label else ""
    attributes = ", ".join(each for each in (label, _DOT_LINES[edge.kind]) if each)
    return f"{edge.start} -> {edge.end}" + (f" [{attributes}]" if attributes else "")


def _dot_text(*lines: str) -> str:
    """Return `lines` as a quoted string, in which backslashes, quotes and entities are read."""
    escaped = (
        _one_line(line).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'


def _one_line(text: str) -> str:
    """Return `text` with a blank for each character that ends a line, steers a terminal or turns the writing."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", " ", text)

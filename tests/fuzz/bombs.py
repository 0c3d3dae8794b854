"""Documents that are made to hurt: small ones that grow, long ones, deep ones, and odd characters."""

from __future__ import annotations

HEAD = 'version: "2"\nworkflows:\n  w:\n    stages:\n'
OLD = 'version: "1.6"\nworkflows:\n  w:\n    stages:\n'
STAGE = "      - {{id: {}, type: plan, executor: {{agent: codex}}{}}}\n"
NAME = "n" * 100_000
MANY = 10_000


def stage(name: str = "s", rest: str = "") -> str:
    """Return the line of one stage."""
    return STAGE.format(name, rest)


def laughs(levels: int, width: int, written: str = "{} [{}]") -> str:
    """Return lines that each repeat the one before `width` times through aliases."""
    lines = ["a0: &a0 [1, 1]"]
    for level in range(1, levels):
        repeated = ", ".join([f"*a{level - 1}"] * width)
        lines.append(f"a{level}: " + written.format(f"&a{level}", repeated))
    return "\n".join(lines) + "\n"


def merges(levels: int, width: int) -> str:
    """Return mappings that each merge the one before `width` times."""
    lines = ["m0: &m0 {" + ", ".join(f"k{i}: {i}" for i in range(50)) + "}"]
    for level in range(1, levels):
        sources = ", ".join([f"*m{level - 1}"] * width)
        lines.append(f"m{level}: &m{level} {{<<: [{sources}], own{level}: 1}}")
    return "\n".join(lines) + "\n"


def chain(workflows: int, stages: int = 10) -> str:
    """Return workflows that each extend the one before and add stages to it."""
    lines = ['version: "2"', "workflows:"]
    for at in range(workflows):
        added = ", ".join(f"{{id: s{at}_{i}, type: plan, executor: {{agent: codex}}}}" for i in range(stages))
        base = f"extends: w{at - 1:04}, " if at else ""
        lines.append(f"  w{at:04}: {{{base}stages: [{added}]}}")
    return "\n".join(lines) + "\n"


def nested(opening: str, closing: str, depth: int, inner: str = "x") -> str:
    """Return a value inside `depth` collections."""
    return opening * depth + inner + closing * depth


def names(count: int = MANY, form: str = "a{}") -> str:
    """Return names in a row."""
    return ", ".join(form.format(number) for number in range(count))


TEXTS: dict[str, str] = {
    "aliases of aliases": HEAD + stage() + laughs(10, 10),
    "aliases of aliases in a stage": HEAD + stage(rest=", needs: &a0 [s]") + laughs(9, 9),
    "merges of merges": HEAD + stage() + merges(10, 10),
    "merges in a long row": HEAD + stage() + "m: &m {a: 1}\n" + "n: {<<: [" + ", ".join(["*m"] * MANY) + "]}\n",
    "many anchors": HEAD + stage() + "".join(f"x{i}: &x{i} {i}\ny{i}: *x{i}\n" for i in range(5_000)),
    "an alias in itself": HEAD + stage(rest=", inputs: &x [*x, {a: *x}]"),
    "a chain of workflows": chain(1000),
    "a chain that fits": chain(60),
    "a chain through defaults": 'version: "2"\ndefaults: &d {budget: {limit_usd: 1}}\nworkflows:\n'
    + "".join(f"  w{i}: {{extends: w{i - 1}, defaults: *d}}\n" for i in range(1, 2_000))
    + f"  w0:\n    stages:\n{stage()}",
    "workflows in a ring": 'version: "2"\nworkflows:\n'
    + "".join(f"  w{i}: {{extends: w{(i + 1) % 3_000}}}\n" for i in range(3_000)),
    "deep flow": HEAD + stage(rest=", inputs: " + nested("[", "]", 20_000)),
    "deep flow, never closed": "[" * 50_000,
    "deep mappings, never closed": "{a: " * 20_000,
    "deep block": HEAD + "      " + "- " * 20_000 + "x\n",
    "deep explicit keys": "? " * 20_000 + "x\n",
    "deep as far as it goes": HEAD + stage(rest=", inputs: " + nested("[", "]", 90)),
    "a long number": HEAD + stage(rest=f", budget: {{limit_usd: {'9' * 5_000}}}"),
    "a long hexadecimal number": HEAD + stage(rest=f", budget: {{limit_usd: 0x{'f' * 4_000}}}"),
    "a long fraction": HEAD + stage(rest=f", budget: {{limit_usd: 0.{'9' * 5_000}}}"),
    "a long float by its tag": HEAD + stage(rest=f", budget: {{limit_usd: !!float {'9' * 4_000}}}"),
    "a long exponent": HEAD + stage(rest=", budget: {limit_usd: 1e99999999}"),
    "a long number of minutes": OLD + stage(rest=f", budget: {{max_runtime_minutes: {'9' * 4_000}}}"),
    "minutes without end": OLD + stage(rest=", budget: {max_runtime_minutes: .inf}"),
    "a number as version": f"version: {'9' * 5_000}\nworkflows: {{}}\n",
    "a long version": f'version: "{"9" * 5_000}.1"\nworkflows: {{}}\n',
    "a long duration": HEAD + stage(rest=f", executor: {{agent: codex, timeout: {'9' * 90_000}h}}").replace(
        ", executor: {agent: codex}", "", 1
    ),
    "a long name": f'version: "2"\nworkflows:\n  ? {NAME}\n  : stages:\n{stage()}',
    "a long key": HEAD + stage() + f'? "{NAME}"\n: 1\n',
    "a long id": HEAD + stage(NAME) + stage(NAME),
    "a long base": f'version: "2"\nworkflows:\n  w: {{extends: "{NAME}"}}\n',
    "a long alias": HEAD + stage() + f"a: &{NAME} 1\nb: *{NAME}x\n",
    "a long tag": HEAD + stage() + f"a: !{NAME} 1\n",
    "a long glob": HEAD.replace("w:", "w:\n    applies_to: {paths: ['" + "{" * 50_000 + "']}") + stage(),
    "a long cron": HEAD.replace("w:", "w:\n    schedule: {cron: '" + "1," * 50_000 + "1 * * * *', timezone: UTC}")
    + stage(),
    "a long version range": HEAD + stage(rest=", reviewers: {agents: [{provider: codex, agent_version: '" + ">=1 " * 30_000 + "x'}]}"),
    "a long path": HEAD + stage() + f"review_conventions: {{a: {{path: '{'../' * 30_000}'}}}}\n",
    "long list of unknown words": HEAD + stage(rest=f", needs: [{names()}]"),
    "long list of one word": HEAD + stage(rest=f", needs: [{names(form='s')}]"),
    "long list of numbers": HEAD + stage(rest=f", needs: [{names(form='{}')}]"),
    "long list of dates": HEAD + stage(rest=", needs: [" + ", ".join(["2024-05-06"] * MANY) + "]"),
    "many unknown keys": HEAD + stage() + "".join(f"k{i}: 1\n" for i in range(MANY)),
    "one key many times": HEAD + stage() + "k: 1\n" * MANY,
    "one id many times": HEAD + stage() * 2_000,
    "many keys that are no strings": HEAD + stage() + "".join(f"{i}: 1\n? [{i}]\n: 2\n" for i in range(3_000)),
    "many constraints": OLD + stage(rest=", constraints: [" + ", ".join(["{max_files_changed: 1}"] * MANY) + "]"),
    "many roles": OLD.replace("workflows", "roles: {" + names(5_000, "r{}: {{members: ['@m{}']}}".replace("{}']", "a']")) + "}\nworkflows")
    + stage(rest=f", gates: [{{type: approval, approvers: {{any_of: [{names(5_000, 'r{}')}]}}}}]"),
    "many gates by alias": OLD.replace("workflows", "roles: {r: {members: ['@a', '@b']}}\nworkflows")
    + stage(rest=", gates: &g [{type: approval, approvers: {any_of: [r]}}]")
    + "".join(stage(f"t{i}", ", gates: *g") for i in range(2_000)),
    "many comments": OLD + "# c\n" * 30_000 + stage(rest=", budget: {max_runtime_minutes: 1}"),
    "many blank lines": OLD + "\n" * 50_000 + stage(rest=", constraints: []"),
    "a long line": OLD + stage(rest=", budget: {max_runtime_minutes: 1}").rstrip() + "  # " + "x " * 50_000 + "\n",
    "a long description": OLD.replace("w:", "w:\n    description: |\n" + "      line\n" * 20_000) + stage(),
    "spaces in a row": "version:" + " " * 200_000 + '"2"\n',
    "quotes in a row": HEAD + stage() + "a: '" + "''" * 50_000 + "'\n",
    "escapes in a row": HEAD + stage() + 'a: "' + "\\u0000\\ud800\\uffff" * 5_000 + '"\n',
    "surrogates as escapes": 'version: "2"\nworkflows: {"\\ud800": {stages: [{id: "\\udfff"}]}}\n',
    "question marks": HEAD + stage() + "? ? ? ? a\n",
    "separators in a comment": HEAD + stage() + "# one\u2028# two\n",
    "separators in a comment, no key behind them": HEAD + stage() + "# one\u2028two\n",
    "separators in values": HEAD + stage() + 'a: "x\u2028y\u2029z\x85"\nb: x\u2028  y\n',
    "byte-order marks": "\ufeff\ufeff" + HEAD + stage(),
    "a byte-order mark inside": HEAD + "\ufeff" + stage(),
    "blanks that are none": HEAD + stage() + "a:\u00a0b\n\u3000c: d\n",
    "carriage returns": (OLD + stage(rest=", budget: {max_runtime_minutes: 1}")).replace("\n", "\r"),
    "tabs": HEAD + "\t" + stage(),
    "tabs behind values": (OLD + stage()).replace("\n", "\t\n"),
    "an escape sequence": HEAD + stage() + 'a: "\\e[31m"\n\\e[31m: 1\n',
    "two documents": HEAD + stage() + "---\n" + HEAD + stage(),
    "many documents": "---\na: 1\n" * 5_000,
    "a directive": "%YAML 1.1\n---\n" + HEAD + stage(),
    "another directive": "%TAG ! tag:x,2000:\n---\n" + HEAD + stage(rest=", a: !b c"),
    "empty": "",
    "a comment alone": "# nothing\n",
    "one word": "word",
    "a list": "- version: 2\n",
}  # fmt: skip

BYTES: dict[str, bytes] = {
    "not UTF-8": HEAD.encode() + b"\xff\xfe\n" + stage().encode(),
    "UTF-16": HEAD.encode("utf-16"),
    "half a letter": (HEAD + stage()).encode() + b"# \xc3",
    "a surrogate": HEAD.encode() + b"# \xed\xa0\x80\n",
    "beyond Unicode": HEAD.encode() + b"# \xf4\x90\x80\x80\n",
    "overlong": HEAD.encode() + b"# \xc0\xaf\n",
    "NUL": HEAD.encode() + b"\x00" + stage().encode(),
    "NULs": b"\x00" * 100_000,
    "noise": bytes(range(256)) * 100,
}

BOMBS = {**{name: text.encode("utf-8", "surrogatepass") for name, text in TEXTS.items()}, **BYTES}
"""Every bomb by its name."""

PLANS: dict[str, bytes] = {
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "a long number": b'{"a": ' + b"9" * 5_000 + b"}",
    "a long exponent": b'{"a": 1e' + b"9" * 5_000 + b"}",
    "NaN": b'{"a": NaN, "b": -Infinity, "c": 1e999}',
    "one key many times": b"{" + b", ".join([b'"a": 1'] * MANY) + b"}",
    "many keys": ("{" + ", ".join(f'"k{i}": 1' for i in range(MANY)) + "}").encode(),
    "surrogates": b'{"\\ud800": "\\udfff", "a": "\\ud83d\\ude00"}',
    "a long string": b'{"title": "' + b"x" * 1_000_000 + b'"}',
    "long string, never closed": b'{"title": "' + b"\\" * 100_001,
    "blanks": b" " * 1_000_000,
    "NUL": b'{"a": "\x00"}',
    "not UTF-8": b'{"a": "\xff"}',
    "a comma too many": b"[1, 2, 3,]",
    "empty": b"",
}
"""Hostile plans by their names."""

_FRONT = b"---\nspec_service: a\nspec_version: 1\n---\n"
SERVICE_PLANS: dict[str, bytes] = {
    "many sessions": _FRONT + b"".join(b"## Session S%d: t\n- gate:\n  - a: b\n" % i for i in range(5_000)),
    "one session many times": _FRONT + b"## Session S1: t\n" * 5_000,
    "a ring": _FRONT
    + b"".join(b"## Session S%d: t\n- depends_on: [S%d]\n" % (i, (i + 1) % 2_000) for i in range(2_000)),
    "many dependencies": _FRONT
    + b"## Session S1: t\n- depends_on: ["
    + b", ".join(b"S%d" % i for i in range(MANY))
    + b"]\n",
    "a long line": _FRONT + b"## Session S1: " + b"x " * 100_000 + b"\n",
    "a long number": _FRONT + b"## Session S" + b"9" * 5_000 + b": t\n",
    "never closed": b"---\n" * 1 + b"a: b\n" * 50_000,
    "NUL": _FRONT + b"## Session S1: \x00\n",
    "not UTF-8": _FRONT + b"## Session S1: \xff\n",
    "empty": b"",
}
"""Hostile service plans by their names."""

"""Documents that are valid by construction, generated from the schemas, and layouts to write them in."""

from __future__ import annotations

import copy
import functools
from typing import Any

from hypothesis import strategies as st
from layouts import Style

from migrate_spec import schemas

HANDLES = ("@ada", "@brook", "@cleo", "@Ada", "@007", "@null", "@on", "@1.5", "@2024-05-06", "@a.b_c", "@-")
ROLES = ("leads", "security", "on", "release_captains")
WORDS = (
    "plain words",
    "yes",
    "on",
    "null",
    "1.5",
    "007",
    "2024-05-06",
    "drive: true",
    "# no comment",
    "it's",
    'say "so"',
    "größer – 🛳",
    "a, b",
    "[x]",
    "two\nlines",
    "three\nmore\nlines\n",
    "back\\slash",
    "- dash",
    "tab\tinside",
    "  blanks around  ",
    "*star",
    "&and",
    "!bang",
    "roles",
)
PATTERNS = {
    "^([0-9]+(ns|us|ms|s|m|h))+$": ("30m", "1h30m", "0s", "90s"),
    "^[a-z][a-z0-9_]*$": ("plan", "build", "on", "drive", "roles", "x9_"),
    "^[a-z0-9][a-z0-9._-]{0,62}$": ("night", "a.b-c_d"),
    "^[A-Za-z_][A-Za-z0-9_]*$": ("TOKEN", "_secret"),
}


class Builder:
    """Strategies for the parts of one schema, references followed."""

    def __init__(self, name: str) -> None:
        self.schema = schemas.load(name)
        self.definitions: dict[str, Any] = self.schema["$defs"]

    def of(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        """Return a strategy for values that `schema` accepts."""
        if "$ref" in schema:
            return self.of(self.definitions[schema["$ref"].rsplit("/", 1)[1]])
        if "oneOf" in schema and "properties" not in schema:
            return st.one_of([self.of(branch) for branch in schema["oneOf"]])
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        made: st.SearchStrategy[Any] = getattr(self, "_" + schema["type"])(schema)
        return made

    def _string(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        pattern = schema.get("pattern")
        if pattern is None:
            return st.sampled_from(WORDS)
        if pattern.startswith("^@"):
            return st.sampled_from(HANDLES)
        if pattern in PATTERNS:
            return st.sampled_from(PATTERNS[pattern])
        return st.sampled_from(("registry.example", "img", "path", "host.example"))

    def _integer(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        low = schema.get("minimum", 0)
        return st.integers(low, schema.get("maximum", low + 500))

    def _number(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        top = schema.get("maximum", 900)
        low = 0.25 if "exclusiveMinimum" in schema else schema.get("minimum", 0)
        return st.sampled_from([low, top, top / 2, int(top)])

    def _boolean(self, _schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        return st.booleans()

    def _array(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        low = schema.get("minItems", 0)
        unique = repr if schema.get("uniqueItems") else None
        return st.lists(self.of(schema["items"]), min_size=low, max_size=low + 2, unique_by=unique)

    def _object(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        for pattern, value in schema.get("patternProperties", {}).items():
            names = st.sampled_from(PATTERNS[pattern])
            return st.dictionaries(names, self.of(value), min_size=1, max_size=2)
        if "oneOf" in schema:
            return st.one_of([self._alternative(schema, branch) for branch in schema["oneOf"]])
        if "properties" not in schema:
            return st.fixed_dictionaries({"agent": st.sampled_from(WORDS)})
        known = dict(schema["properties"])
        if isinstance(schema.get("additionalProperties"), dict):
            known |= dict.fromkeys(("approve", "fixup", "hygiene"), schema["additionalProperties"])
        return self._properties(schema, schema.get("required", []), known)

    def _alternative(self, schema: dict[str, Any], branch: dict[str, Any]) -> st.SearchStrategy[Any]:
        others = {key for each in schema["oneOf"] for key in each.get("required", [])}
        wanted = [*schema.get("required", []), *branch["required"]]
        known = {k: v for k, v in schema["properties"].items() if k in wanted or k not in others}
        return self._properties(schema, wanted, known)

    def _properties(
        self, schema: dict[str, Any], required: list[str], properties: dict[str, Any]
    ) -> st.SearchStrategy[Any]:
        parts = {key: self.of(value) for key, value in properties.items()}
        needed = {key: part for key, part in parts.items() if key in required}
        optional = {key: part for key, part in parts.items() if key not in required}
        built = st.fixed_dictionaries(needed, optional=optional)
        low, high = schema.get("minProperties", 0), schema.get("maxProperties", 99)
        if high == 1:
            return st.one_of([st.fixed_dictionaries({key: part}) for key, part in parts.items()])
        return built.filter(lambda value: len(value) >= low)


def _mended(data: dict[str, Any]) -> dict[str, Any]:
    """Return the document with what a schema cannot ask for put right: ids, references, version ranges."""
    data["roles"] = {**{name: {"members": ["@ada"]} for name in ROLES}, **data.get("roles", {})}
    for workflow in data["workflows"].values():
        earlier: list[str] = []
        for position, stage in enumerate(workflow["stages"]):
            stage["id"] = f"{stage['id']}_{position}"
            _mend_stage(stage, earlier)
            earlier.append(stage["id"])
    return data


def _mend_stage(stage: dict[str, Any], earlier: list[str]) -> None:
    inputs = [item for item in stage.get("inputs", []) if "source" in item or earlier]
    for item in inputs:
        if "from_stage" in item:
            item["from_stage"] = earlier[-1]
    if "inputs" in stage:
        stage["inputs"] = inputs
    for holder in (stage["executor"], *stage.get("reviewers", {}).get("agents", [])):
        if "agent_version" in holder:
            holder["agent_version"] = ">=2.1 <3"
    for gate in stage.get("gates", []):
        for form, names in gate.get("approvers", {}).items():
            gate["approvers"][form] = [ROLES[i % len(ROLES)] for i, _name in enumerate(names)]


def _migratable(data: dict[str, Any]) -> dict[str, Any]:
    """Return the document without what is refused: bare reviewer counts, repeated kinds, big quorums."""
    for workflow in data["workflows"].values():
        for stage in workflow["stages"]:
            stage.get("reviewers", {}).pop("agent", None)
            if "constraints" in stage:
                kinds = {next(iter(entry)): entry for entry in stage["constraints"]}
                stage["constraints"] = list(kinds.values())
            for gate in stage.get("gates", []):
                for name in gate.get("approvers", {}).get("all_of", []):
                    del data["roles"][name]["members"][1:]
    return data


def _shuffled(data: dict[str, Any], order: Any) -> dict[str, Any]:
    keys = list(data)
    order.shuffle(keys)
    return {key: data[key] for key in keys}


@functools.cache
def _documents(major: int) -> st.SearchStrategy[Any]:
    builder = Builder(f"workflow-v{major}")
    return builder.of(builder.schema)


@st.composite
def old_documents(draw: st.DrawFn, major: int = 1, migratable: bool = True) -> dict[str, Any]:
    """Return valid documents of major 0 or 1, by default such that nothing in them is refused."""
    data = _mended(copy.deepcopy(draw(_documents(major))))
    if migratable:
        data = _migratable(data)
    return _shuffled(data, draw(st.randoms(use_true_random=False)))


STYLES = st.builds(
    Style,
    comments=st.sampled_from((0, 0.1, 0.4)),
    blanks=st.sampled_from((0, 0.1, 0.3)),
    flow=st.sampled_from((0, 0.2, 0.6, 1)),
    aliases=st.sampled_from((0, 0, 0.3, 1)),
    merges=st.sampled_from((0, 0.5)),
    quotes=st.sampled_from((0, 0.2, 1)),
    explicit=st.sampled_from((0, 0.05)),
    newline=st.sampled_from(("\n", "\n", "\r\n")),
    mark=st.booleans(),
    final=st.booleans(),
    markers=st.booleans(),
)
SEEDS = st.integers(0, 2**32)

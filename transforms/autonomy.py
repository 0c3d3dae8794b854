"""Who acts: tiers, action matrices and the ceilings that escalations put on them (`resolution.md` 9).

Everything here reads resolved nodes whose schema holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from transforms.nodes import Mapping, Node, Scalar, plain
from transforms.pointer import dump

RUN_CLASSES = {
    "approve": "clean_dual_approval",
    "fixup": "convergent_concerns",
    "waive": "solo_low",
    "retry": "infra_flake",
    "merge": "gates_resolved_ci_green",
}
"""The classes that drive a run, in the order in which matrices list them, each with its condition."""

CONDITIONS = {**RUN_CLASSES, "hygiene": "objective_reversible"}
"""Every class that has a condition, and so may be auto."""

NONDELEGABLE = ("ordering", "dedup", "scoping", "milestone")
"""The known classes without a condition; a class named neither here nor in `CONDITIONS` is an extension."""

TIERS = {
    "low": frozenset[str](),
    "medium": frozenset({"approve", "fixup", "retry"}),
    "high": frozenset(RUN_CLASSES),
}
"""The tiers from the lowest to the highest, each with the classes that it makes auto."""

_PAGES = (
    "gating_reviewer_reject",
    "plan_rejection",
    "scope_amendment",
    "budget_override",
    "policy_override",
    "exception_request",
    "requirement_arbitration",
)
TIER_PAGES = {"low": (), "medium": _PAGES, "high": _PAGES}
"""The events that page a human under each tier."""

RESERVED = ("page_human_on", "model_policy")
"""The keys of `actions` that are no classes."""


class Entry(NamedTuple):
    """What one class may do: its mode, the condition and severity where they survive, and who said so.

    `source` is one of tier, explicit, default and escalation.
    """

    mode: str
    source: str
    when: str | None = None
    min_severity: str | None = None


class Matrix(NamedTuple):
    """A resolved block: a complete entry for each class, the page events, the model policy if declared."""

    tier: str | None
    classes: dict[str, Entry]
    page_human_on: tuple[str, ...]
    model_policy: Any = None


def entries(actions: Node | None) -> Iterator[tuple[str, Mapping]]:
    """Yield the classes that an `actions` mapping writes, each with its entry."""
    for name, pair in actions.entries.items() if isinstance(actions, Mapping) else ():
        if isinstance(name, str) and name not in RESERVED and isinstance(pair.value, Mapping):
            yield name, pair.value


def declares(holder: Mapping) -> bool:
    """Tell whether a workflow or gate has a block of its own (9.1)."""
    return "autonomy" in holder.entries or "actions" in holder.entries


def matrix(holder: Mapping) -> Matrix | None:
    """Return the resolved block of a workflow or gate, None when it declares none (9.5)."""
    if not declares(holder):
        return None
    tier, actions = holder.text("autonomy"), holder.mapping("actions")
    classes = {} if tier is None else _expansion(tier)
    classes.update((name, _entry(node)) for name, node in entries(actions))
    ordered = {name: classes.pop(name, Entry("gated", "default")) for name in RUN_CLASSES}
    ordered.update(sorted(classes.items()))
    pages = actions.get("page_human_on") if actions is not None else None
    policy = actions.get("model_policy") if actions is not None else None
    events = TIER_PAGES[tier or "low"] if pages is None else tuple(plain(pages))
    return Matrix(tier, ordered, events, None if policy is None else plain(policy))


def _expansion(tier: str) -> dict[str, Entry]:
    auto = TIERS[tier]
    return {
        name: Entry("auto", "tier", when) if name in auto else Entry("gated", "tier")
        for name, when in RUN_CLASSES.items()
    }


def _entry(node: Mapping) -> Entry:
    mode = node.text("mode")
    assert mode is not None
    when = None if mode == "gated" else node.text("when")
    return Entry(mode, "explicit", when, node.text("min_severity"))


def clamp(given: Matrix, ceiling: str) -> Matrix:
    """Return a copy of `given` under the tier `ceiling`: what is auto there alone turns gated (9.8)."""
    allowed = TIERS[ceiling]
    classes = {
        name: Entry("gated", "escalation", None, entry.min_severity)
        if entry.mode == "auto" and name not in allowed
        else entry
        for name, entry in given.classes.items()
    }
    return given._replace(classes=classes)


def lowest(tiers: Iterable[str]) -> str:
    """Return the lowest of `tiers`, of which there is at least one."""
    return min(tiers, key=list(TIERS).index)


def ceilings(workflow: Mapping) -> Iterator[tuple[int, Scalar]]:
    """Yield the ceilings of a workflow: the position of each escalation that has one, and its tier."""
    for at, item in enumerate(workflow.items("escalations")):
        require = item.mapping("require") if isinstance(item, Mapping) else None
        tier = require.get("max_autonomy") if require is not None else None
        if isinstance(tier, Scalar):
            yield at, tier


def gates(workflow: Mapping) -> Iterator[tuple[int, int, Mapping]]:
    """Yield each gate of the resolved stages of `workflow`, behind its positions: stage and gate."""
    for i, stage in enumerate(workflow.items("stages")):
        for j, gate in enumerate(stage.items("gates") if isinstance(stage, Mapping) else ()):
            if isinstance(gate, Mapping):
                yield i, j, gate


def matrices(root: Mapping) -> dict[str, Matrix | None]:
    """Return every resolved matrix of a document by its pointer (9.10)."""
    found: dict[str, Matrix | None] = {}
    workflows = root.mapping("workflows")
    for name, pair in workflows.entries.items() if workflows is not None else ():
        if isinstance(pair.value, Mapping):
            found.update(_matrices(dump(("workflows", name)), pair.value))
    return found


def _matrices(at: str, workflow: Mapping) -> Iterator[tuple[str, Matrix | None]]:
    own = matrix(workflow)
    yield at, own
    for i, j, gate in gates(workflow):
        if declares(gate):
            yield f"{at}/stages/{i}/gates/{j}", matrix(gate)
    tiers = [(k, tier.text) for k, tier in ceilings(workflow)]
    for k, tier in tiers:
        yield f"{at}/escalations/{k}", None if own is None else clamp(own, tier)
    if len(tiers) > 1:
        yield f"{at}/escalations", None if own is None else clamp(own, lowest(tier for _, tier in tiers))


def as_data(given: Matrix | None) -> dict[str, Any] | None:
    """Return a matrix as plain data, with what does not survive left out."""
    if given is None:
        return None
    classes = {name: _entry_data(entry) for name, entry in given.classes.items()}
    data = {"tier": given.tier, "classes": classes, "page_human_on": list(given.page_human_on)}
    return data if given.model_policy is None else {**data, "model_policy": given.model_policy}


def _entry_data(entry: Entry) -> dict[str, str]:
    given = {
        "mode": entry.mode,
        "when": entry.when,
        "min_severity": entry.min_severity,
        "source": entry.source,
    }
    return {name: value for name, value in given.items() if value is not None}

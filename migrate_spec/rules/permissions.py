"""Rules about `egress` and `permissions`."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.rules.predicates import glob_flaws
from migrate_spec.rules.spec import Flaw, Stage, texts


def egress_acceptance_only(stage: Stage) -> Iterator[Flaw]:
    """A stage that is no acceptance stage declares `egress`.

    At major 1 only an acceptance stage may name the hosts it reaches, whoever runs it.

    Passes:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}

    Fails:

        version: "1.6"
        workflows:
          release:
            stages:
              - id: build
                type: implement
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}
    """
    egress = stage.node.get("egress")
    if egress is not None and stage.type != "acceptance":
        message = f"{stage} is of type {stage.type}; at major 1 only an acceptance stage declares egress"
        yield Flaw(egress, message, "move it to the acceptance stage, or remove it")


def egress_permissions_conflict(stage: Stage) -> Iterator[Flaw]:
    """A stage names the hosts it reaches twice.

    `egress` and `permissions.network` are two spellings of one thing. `write` and `shell` may stand
    beside `egress`.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}
                permissions: {shell: restricted}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                egress: {target_hosts: [staging.example]}
                permissions: {network: {target_hosts: [staging.example]}}
    """
    permissions = stage.node.mapping("permissions")
    network = permissions.get("network") if permissions is not None else None
    if network is not None and "egress" in stage.node.entries:
        message = f"{stage} declares egress and permissions.network, which are one thing"
        yield Flaw(network, message, "keep one of them, with the hosts of both")


def permissions_agent_only(stage: Stage) -> Iterator[Flaw]:
    """A stage that no agent runs declares `egress` or `permissions`.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                permissions: {write: ["reports/**"]}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: check
                type: review
                executor: {human: true}
                permissions: {write: ["src/**"]}
    """
    declared = [name for name in ("permissions", "egress") if name in stage.node.entries]
    if declared and stage.branch != "agent":
        block = stage.node.get(declared[0])
        assert block is not None
        message = (
            f"{stage} declares {' and '.join(declared)}, and its executor is on the branch {stage.branch}"
        )
        yield Flaw(block, message, "only a stage that an agent runs declares them; remove them")


def permissions_write_glob(stage: Stage) -> Iterator[Flaw]:
    """A glob in `permissions.write` is invalid.

    The globs are those of predicates; see `predicate-path-glob`.

    Passes:

        version: "2"
        workflows:
          data:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                permissions: {write: ["data/[a-f]*/**"]}

    Fails:

        version: "2"
        workflows:
          data:
            stages:
              - id: probe
                type: acceptance
                executor: {agent: codex}
                permissions: {write: ["data/[a-f*/**"]}
    """
    permissions = stage.node.mapping("permissions")
    if permissions is not None:
        yield from glob_flaws(texts(permissions.get("write")), stage)

"""Rules about who runs a stage."""

from __future__ import annotations

from collections.abc import Iterator

from migrate_spec.messages import listed, show
from migrate_spec.rules.spec import Flaw, Stage, scalar
from transforms.nodes import Mapping

RESERVED_PREFIXES = ("FISHHAWKD_", "FISHHAWK_")
"""Beginnings of environment variables that belong to the product itself."""

RESERVED_FIELDS = (
    "fishhawk_run_id",
    "fishhawk_stage_id",
    "fishhawk_rollback",
    "repo",
    "workflow_id",
    "variables",
)
"""Fields of a webhook's body that the product fills itself."""


def deploy_requires_delegate(stage: Stage) -> Iterator[Flaw]:
    """A deploy stage is run by an agent or a person.

    Deploying is left to an external pipeline, so the executor of a deploy stage is a `delegate`: a
    GitHub Actions workflow or a webhook. An executor that comes from `defaults` counts too.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {delegate: {target: webhook, url: "https://ci.example/deploy"}}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor: {agent: claude-code}
    """
    if stage.type == "deploy" and stage.branch != "delegate":
        message = (
            f"{stage} deploys, and a deploy stage delegates; its executor is on the branch {stage.branch}"
        )
        hint = "write executor: {delegate: {target: github_actions, workflow_ref: …}}, or target: webhook with url"
        yield Flaw(stage.executor, message, hint)


def delegate_only_on_deploy(stage: Stage) -> Iterator[Flaw]:
    """A stage that does not deploy delegates.

    Only a deploy stage is handed to an external pipeline.

    Passes:

        version: "1.6"
        workflows:
          feature:
            stages:
              - {id: build, type: implement, executor: {agent: codex}}

    Fails:

        version: "1.6"
        workflows:
          feature:
            stages:
              - id: build
                type: implement
                executor: {delegate: {target: github_actions, workflow_ref: build.yml}}
    """
    delegate = stage.executor.get("delegate")
    if stage.type != "deploy" and delegate is not None:
        message = f"{stage} is of type {stage.type}; only a deploy stage delegates"
        yield Flaw(delegate, message, "write agent: NAME or human: true, or make it a deploy stage")


def _delegate(stage: Stage) -> Mapping | None:
    """Return the pipeline that a deploy stage hands over to; only that of a webhook has a secret."""
    return stage.executor.mapping("delegate") if stage.type == "deploy" else None


def webhook_secret_env_reserved(stage: Stage) -> Iterator[Flaw]:
    """The secret of a webhook is read from a variable of the product itself.

    Names that begin with `FISHHAWKD_` or `FISHHAWK_` hold the product's own settings, which no webhook
    may be sent.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor:
                  delegate: {target: webhook, url: "https://ci.example/deploy", secret_env: DEPLOY_TOKEN}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor:
                  delegate: {target: webhook, url: "https://ci.example/deploy", secret_env: FISHHAWKD_TOKEN}
    """
    node = scalar(_delegate(stage), "secret_env")
    if node is not None and node.text.startswith(RESERVED_PREFIXES):
        message = f"{stage} sends {show(node.text)}; names with {' or '.join(RESERVED_PREFIXES)} in front are the product's own"
        yield Flaw(node, message, "keep the secret in a variable with a name of its own")


def webhook_secret_field_reserved(stage: Stage) -> Iterator[Flaw]:
    """The secret of a webhook would overwrite a field that the product fills.

    Passes:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor:
                  delegate: {target: webhook, url: "https://ci.example", secret_env: TOKEN, secret_field: token}

    Fails:

        version: "2"
        workflows:
          release:
            stages:
              - id: push
                type: deploy
                executor:
                  delegate: {target: webhook, url: "https://ci.example", secret_env: TOKEN, secret_field: repo}
    """
    node = scalar(_delegate(stage), "secret_field")
    if node is not None and node.text in RESERVED_FIELDS:
        message = f"{stage} puts the secret into the field {show(node.text)}, which the product fills itself"
        yield Flaw(node, message, f"take another field; reserved: {listed(RESERVED_FIELDS)}")

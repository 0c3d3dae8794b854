"""Documentation of what is found before the semantic rules are asked: reading, version, old spellings, reuse, schema.

Each text has the form of a rule's docstring (`rules.docs`).
"""

from __future__ import annotations

_GOOD = """
Passes:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]

Fails:
"""

PHASES: dict[str, tuple[tuple[int, ...], str]] = {
    "yaml-invalid": (
        (0, 1, 2),
        f"""The file is no YAML, or says something twice.

A file is UTF-8 and holds one YAML 1.2 document: a mapping in which no key stands twice. Aliases do not
stand inside the value that they repeat, `<<` takes mappings, and nothing is nested more than 100 levels
deep.
{_GOOD}
    version: "2"
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
        stages: [{{id: check, type: review, executor: {{human: true}}}}]
""",
    ),
    "version-missing": (
        (0, 1, 2),
        f"""The file does not say its version.

The version picks the grammar by which the file is read. Write new files with version 2.
{_GOOD}
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
""",
    ),
    "version-not-string": (
        (0, 1, 2),
        f"""The version is no quoted string.

Without quotes 1.10 would be the number 1.1, silently another version.
{_GOOD}
    version: 2
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
""",
    ),
    "version-unparseable": (
        (0, 1, 2),
        f"""The version does not begin with a number.
{_GOOD}
    version: "v2"
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
""",
    ),
    "version-unsupported-major": (
        (0, 1, 2),
        f"""The version names a major that this program does not know.

A file of a newer major is never read with an older grammar.
{_GOOD}
    version: "3"
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
""",
    ),
    "version-unknown-minor": (
        (0, 1, 2),
        f"""The version names a minor that its major does not have.

Major 0 has 0.3 to 0.7, major 1 has 1.0 to 1.6, and major 2 has no minors: it is written "2".
{_GOOD}
    version: "2.0"
    workflows:
      feature:
        stages: [{{id: build, type: implement, executor: {{agent: codex}}}}]
""",
    ),
    "v2-removed-roles": (
        (2,),
        """The file has `roles`, which version 2 removed.

Each approval gate says itself who may approve: a group in `approvals.member_of`, or people in
`approvals.members`.

Passes:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            type: implement
            executor: {agent: codex}
            gates: [{type: approval, approvals: {count: 1, member_of: acme/leads}}]

Fails:

    version: "2"
    roles:
      leads: {members: ["@dana"]}
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]
""",
    ),
    "v2-removed-approvers": (
        (2,),
        """A gate has `approvers`, which version 2 removed.

It counts `approvals` instead. There is no mechanical swap: a role that several people hold, or `all_of`,
has no single counterpart.

Passes:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            type: implement
            executor: {agent: codex}
            gates: [{type: approval, approvals: {count: 1, members: [dana, lee]}}]

Fails:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            type: implement
            executor: {agent: codex}
            gates: [{type: approval, approvers: {any_of: [leads]}}]
""",
    ),
    "v2-removed-operator-agent": (
        (2,),
        """A workflow or gate has `operator_agent`, which version 2 removed.

`autonomy` names a tier and `actions` sets single classes: approve, fixup, waive, retry and merge take the
place of the `may_` settings, `page_human_on` that of `must_page_human`.

Passes:

    version: "2"
    workflows:
      feature:
        actions:
          retry: {mode: auto, when: infra_flake}
        stages: [{id: build, type: implement, executor: {agent: codex}}]

Fails:

    version: "2"
    workflows:
      feature:
        operator_agent: {may_retry: infra_flake}
        stages: [{id: build, type: implement, executor: {agent: codex}}]
""",
    ),
    "v2-renamed-drive": (
        (2,),
        """A workflow has `drive`, which version 2 calls `auto_advance`.

Passes:

    version: "2"
    workflows:
      feature:
        auto_advance: true
        stages: [{id: build, type: implement, executor: {agent: codex}}]

Fails:

    version: "2"
    workflows:
      feature:
        drive: true
        stages: [{id: build, type: implement, executor: {agent: codex}}]
""",
    ),
    "v2-reshaped-constraints": (
        (2,),
        """`constraints` is a list, and version 2 takes one object.

Passes:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            type: implement
            executor: {agent: codex}
            produces: [{artifact: pull_request}]
            constraints: {max_files_changed: 20}

Fails:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            type: implement
            executor: {agent: codex}
            produces: [{artifact: pull_request}]
            constraints: [{max_files_changed: 20}]
""",
    ),
    "v2-removed-reviewers-agent": (
        (2,),
        """`reviewers` has a bare number of agents, which version 2 removed.

`reviewers.agents` lists them, each with its provider.

Passes:

    version: "2"
    workflows:
      feature:
        stages:
          - {id: build, type: implement, executor: {agent: codex}, reviewers: {agents: [{provider: claudecode}]}}

Fails:

    version: "2"
    workflows:
      feature:
        stages:
          - {id: build, type: implement, executor: {agent: codex}, reviewers: {agent: 1}}
""",
    ),
    "v2-renamed-max-runtime-minutes": (
        (2,),
        """A budget has `max_runtime_minutes`, which version 2 calls `max_runtime`.

It takes a duration: 15 becomes 15m.

Passes:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}, budget: {max_runtime: 15m}}]

Fails:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}, budget: {max_runtime_minutes: 15}}]
""",
    ),
    "v2-removed-page-event": (
        (2,),
        """A matrix pages a human on `reviewer_reject`, which version 2 split in two.

`gating_reviewer_reject` is what it meant; `advisory_reviewer_reject` is its sibling. The list is called
`page_human_on` now.

Passes:

    version: "2"
    workflows:
      feature:
        actions: {page_human_on: [gating_reviewer_reject]}
        stages: [{id: build, type: implement, executor: {agent: codex}}]

Fails:

    version: "2"
    workflows:
      feature:
        actions: {must_page_human: [reviewer_reject]}
        stages: [{id: build, type: implement, executor: {agent: codex}}]
""",
    ),
    "extends-unknown-workflow": (
        (2,),
        """A workflow extends one that the file does not define.

Passes:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]
      hotfix:
        extends: feature

Fails:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]
      hotfix:
        extends: features
""",
    ),
    "extends-cycle": (
        (2,),
        """Workflows extend each other in a circle, or one extends itself.

Passes:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]
      hotfix:
        extends: feature

Fails:

    version: "2"
    workflows:
      feature:
        extends: hotfix
        stages: [{id: build, type: implement, executor: {agent: codex}}]
      hotfix:
        extends: feature
""",
    ),
    "extends-too-large": (
        (2,),
        """What workflows inherit makes the document too large to work with.

A workflow has all stages of its base, so a long chain of workflows that each add stages becomes far
longer than its text. There is room for 400,000 values, or ten times those that are written.

Passes:

    version: "2"
    workflows:
      feature:
        stages: [{id: build, type: implement, executor: {agent: codex}}]
      hotfix:
        extends: feature

Fails:

    version: "2"
    workflows:
      feature:
        stages:
          - id: build
            long: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]
            longer: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
            very_long: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
            too_long: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
            endless: [*d, *d, *d, *d, *d, *d, *d, *d, *d]
      monday: {extends: feature}
      tuesday: {extends: feature}
      wednesday: {extends: feature}
      thursday: {extends: feature}
      friday: {extends: feature}
      saturday: {extends: feature}
      sunday: {extends: feature}
""",
    ),
    "schema": (
        (0, 1, 2),
        f"""A key or value does not fit the grammar.

An unknown or missing key, a value of the wrong kind, a word that is not in the list, a number out of its
bounds. At major 2 the document is looked at after `defaults` and `extends` have been worked in. The
grammar can be printed with `fishhawk schema` and read with `fishhawk reference`.
{_GOOD}
    version: "2"
    workflows:
      feature:
        stages: [{{id: build, type: implementation, executor: {{agent: codex}}}}]
""",
    ),
}
"""Each rule of an earlier phase: the majors it holds for and its documentation."""

"""What a reviewer is told before committing a migration."""

from __future__ import annotations

from migrate_spec.migrate import run
from transforms.document import parse

OLD = """\
version: "1.6"
roles:   # who signs
  # both of them
  leads: {members: ["@ada", "@Ada"]}
  gone: {members: ["@bo", "@cy"]}
workflows:
  w:
    operator_agent:
      may_retry: infra_flake
      route_fixup_min_severity: low   # inert
    stages:
      - id: s
        type: review
        executor: {human: true}
        constraints:
          -   # bare dash
            required_outcomes: [ci_green]
        produces: [{artifact: pull_request}]
        gates:
          - type: approval
            approvers: {any_of: [leads]}   # stays behind its line
"""


def test_notes() -> None:
    assert list(run(parse(OLD.encode())).notes) == [
        "line 2: the comment # who signs stands alone now, what it belonged to is gone",
        "line 3: the comment # both of them stands alone now, what it belonged to is gone",
        "line 10: the comment # inert stands alone now, what it belonged to is gone",
        "/roles/gone: no gate uses the role gone (@bo, @cy), so nothing is left of it",
        "/workflows/w/stages/0/gates/0: ada and Ada differ by letter case only; where the forge ignores case"
        " they are one person, and a count over both may be out of reach",
    ]


def test_a_refused_file_is_told_which_refusal_is_cheap_to_lift() -> None:
    old = OLD.replace('["@bo", "@cy"]', '["@org/team"]')
    assert list(run(parse(old.encode())).notes) == [
        "/roles/gone: no gate uses the role gone; deleting it would lift its refusal"
    ]


def test_old_words_at_version_2_lead_back() -> None:
    (refusal,) = run(parse(OLD.replace('"1.6"', '"2"').encode())).refusals
    assert refusal.finding.hint == (
        "it has words of version 1: give it the version that it was written for and migrate it again"
    )

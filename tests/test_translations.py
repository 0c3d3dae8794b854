"""What each translation writes: a v1 document before, the v2 document after, to the byte."""

from __future__ import annotations

import pytest
from trees import dedented, document, migrated, sequence

from benchmarks.minimal import count
from migrate_spec.migrate import MIGRATED, run
from transforms.migration import migrate
from transforms.proposals import token

CASES = [
    pytest.param(
        """
            version: "1.3"
            roles:
              leads: {members: ["@ada", "@brook"]}   # who leads
              night: {members: ["@brook", "@007"]}
              solo: {members: ["@ada"]}
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvers:
                          # anybody
                          any_of:
                            - leads   # two people
                            - 'night'
                            - solo    # brings nobody
                            # the end
        """,
        """
            version: "2"
              # who leads
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvals:
                          # anybody
                          count: 1
                          members:
                            - ada   # two people
                            - brook
                            - '007'
                            # brings nobody
                            # the end
        """,
        id="approvers in a block, people once, quotes where bare words mislead",
    ),
    pytest.param(
        """
            version: "1.3"
            roles: {leads: {members: ["@ada", "@brook"]}, solo: {members: ["@ada"]}, third: {members: ["@brook"]}}
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - {type: approval, approvers: {any_of: [leads,
                           solo]}}
                      - {type: approval, approvers: {any_of: [leads, solo, "third"]}}
                      - {type: approval, approvers: {any_of: [solo, leads]}}
                      - type: approval
                        approvers: {any_of: [
                          leads,   # two
                          solo,   # nobody new
                          third   # nobody new
                        ]}
                      - type: approval
                        approvers: {any_of: [leads,   # two
                          solo   # nobody new
                          ]}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - {type: approval, approvals: {count: 1, members: [ada, brook
                           ]}}
                      - {type: approval, approvals: {count: 1, members: [ada, brook]}}
                      - {type: approval, approvals: {count: 1, members: [ada, brook]}}
                      - type: approval
                        approvals: {count: 1, members: [
                          ada, brook   # two
                          # nobody new
                          # nobody new
                        ]}
                      - type: approval
                        approvals: {count: 1, members: [ada, brook   # two
                          # nobody new
                          ]}
        """,
        id="approvers in flow style over several lines",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvers:
                          all_of:
                          -
                            one
                          -  two
                          - three
            roles:
              one: {members: ["@ada"]}
              two: {members: ["@brook"]}
              three: {members: ["@ada"]}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvals:
                          count: 2
                          members:
                          -
                            ada
                          -  brook
        """,
        id="all of several roles",
    ),
    pytest.param(
        """
            version: "1.3"
            roles: {leads: {members: ["@ada", "@brook"]}}
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvers:
                          any_of:
                            - leads""",
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvals:
                          count: 1
                          members:
                            - ada
                            - brook""",
        id="a name that ends a file without a line break",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    produces: [{artifact: pull_request}]
                    constraints:
                      # sizes
                      - max_files_changed: 7   # few
                      -   forbidden_paths:
                            - secrets/**
                      - {allowed_paths: [src/**]}
                      -
                        # on its own line
                        required_outcomes: [ci_green]
                      - # why
                        diff_coverage: {command: make cov, report_path: c.xml, min_new_line_coverage: 80}
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                    - max_files_changed: 7
                    - {forbidden_paths: [a]}
                  - id: u
                    type: implement
                    executor: {agent: codex}
                    constraints: []
                    produces: []
                  - id: v
                    type: implement
                    constraints:
                    -
                      max_files_changed: 7
                    -  ? forbidden_paths
                       : [a]
                    executor: {agent: codex}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    produces: [{artifact: pull_request}]
                    constraints:
                      # sizes
                      max_files_changed: 7   # few
                      forbidden_paths:
                            - secrets/**
                      allowed_paths: [src/**]
                        # on its own line
                      required_outcomes: [ci_green]
                      # why
                      diff_coverage: {command: make cov, report_path: c.xml, min_new_line_coverage: 80}
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      max_files_changed: 7
                      forbidden_paths: [a]
                  - id: u
                    type: implement
                    executor: {agent: codex}
                    produces: []
                  - id: v
                    type: implement
                    constraints:
                      max_files_changed: 7
                      ? forbidden_paths
                      : [a]
                    executor: {agent: codex}
        """,
        id="constraints in a block",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints: [{max_files_changed: 7}, forbidden_paths: [a], {"allowed_paths":["b"]}]
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints: [
                      # first
                      {max_files_changed: 7},   # few
                      {
                        forbidden_paths: [a]   # never
                      },
                      {? allowed_paths : [b]}
                    ]
                  - {id: u, type: implement, executor: {agent: codex}, constraints: []}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints: {max_files_changed: 7, forbidden_paths: [a], "allowed_paths":["b"]}
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints: {
                      # first
                      max_files_changed: 7,   # few
                        forbidden_paths: [a]   # never
                      ,
                      ? allowed_paths : [b]
                    }
                  - {id: u, type: implement, executor: {agent: codex}}
        """,
        id="constraints in flow style",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      - &few
                        max_files_changed: &n 7
                      - &never {forbidden_paths: [a, "b c"]}
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      - *never
                      - *few
                      - {<<: {allowed_paths: [b]}}
                  - id: u
                    type: implement
                    executor: {agent: codex}
                    constraints: [*few, {forbidden_paths: &p [a]}, {allowed_paths: *p}]
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      max_files_changed: &n 7
                      forbidden_paths: [a, "b c"]
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      forbidden_paths: [a, "b c"]
                      max_files_changed: 7
                      allowed_paths: [b]
                  - id: u
                    type: implement
                    executor: {agent: codex}
                    constraints: {max_files_changed: 7, forbidden_paths: &p [a], allowed_paths: *p}
        """,
        id="constraints through aliases and merges",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                # above
                operator_agent:   # beside
                  # nothing is delegated
                  {}
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                operator_agent:
                  must_page_human: []   # nobody
                stages: *stages
              y:
                operator_agent: {may_approve: clean_dual_approval, may_route_fixup: convergent_concerns,
                  may_retry: infra_flake,   # three
                  must_page_human: [reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration]}   # the end
                stages: *stages
              z: {operator_agent: {}, stages: *stages}
        """,
        """
            version: "2"
            workflows:
              w:
                # above
                autonomy:   # beside
                  # nothing is delegated
                  low
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                autonomy: low
                  # nobody
                stages: *stages
              y:
                actions: {approve: {mode: auto, when: clean_dual_approval}, fixup: {mode: auto, when: convergent_concerns},
                  retry: {mode: auto, when: infra_flake},   # three
                  page_human_on: [gating_reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration]}   # the end
                stages: *stages
              z: {autonomy: low, stages: *stages}
        """,
        id="delegation that is a tier",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                operator_agent:
                  # safe
                  may_approve: clean_dual_approval   # two reviewers
                  may_route_fixup: |-   # shown whole
                    convergent_concerns
                  route_fixup_min_severity: high   # not for trifles

                  must_page_human:
                    - reviewer_reject   # always
                    - gating_reviewer_reject
                    - plan_rejection
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                "operator_agent": {"may_route_fixup": "convergent_concerns", "route_fixup_min_severity": "low", "must_page_human": []}
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              y:
                operator_agent:
                  # nothing, and here is why
                  must_page_human: []
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              z:
                operator_agent: {
                  # nothing, and here is why
                  must_page_human: []   # nobody
                }
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
        """,
        """
            version: "2"
            workflows:
              w:
                actions:
                  # safe
                  approve: {mode: auto, when: clean_dual_approval}   # two reviewers
                  fixup: {mode: auto, when: convergent_concerns, min_severity: high}   # shown whole
                  # not for trifles

                  page_human_on:
                    - gating_reviewer_reject   # always
                    - plan_rejection
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                "actions": {"fixup": {"mode": "auto", "when": "convergent_concerns", "min_severity": "low"}}
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              y:
                actions: {}
                  # nothing, and here is why
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
              z:
                actions: {}
                  # nothing, and here is why
                  # nobody
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
        """,
        id="delegation that keeps its matrix",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                description: |+
                  kept

                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                # between

            roles:
              a: {members: ["@ada"]}
        """,
        """
            version: "2"
            workflows:
              w:
                description: |+
                  kept

                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                # between
        """,
        id="roles below a block scalar",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                description: |
                  text
            roles:
                # who
                a: {members: ["@ada"]}   # alone
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                description: |
                  text
                # who
                # alone
        """,
        id="comments of roles below a block scalar",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                description: |+
                  text


            roles:
              a: {members: ["@ada"]}

            # the end
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                description: |+
                  text


            # the end
        """,
        id="a scalar that keeps its blank lines above roles",
    ),
    pytest.param(
        """
            version: "1.3"
            roles:
              a: {members: [&who "@ada"]}
            workflows:
              w:
                description: *who
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
        """,
        """
            version: "2"
            workflows:
              w:
                description: "@ada"
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
        """,
        id="an anchor in roles used outside them",
    ),
    pytest.param(
        """
            version: "1.3"
            roles:
              a: {members: ["@ada"]}
              b: {members: ["@brook", "@cleo"]}
            workflows:
              w:
                operator_agent: &d {may_approve: clean_dual_approval}
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates: &g
                      - &gate
                        type: approval
                        approvers: {any_of: &names [a, b]}
                  - id: t
                    type: review
                    executor: {human: true}
                    gates: *g
                  - id: u
                    type: review
                    executor: {human: true}
                    gates: [*gate, {type: approval, approvers: {any_of: *names}}]
                    budget: {max_runtime_minutes: &n 15}
              x:
                operator_agent: *d
                description: &n2 "15"
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    budget: {max_runtime_minutes: *n, max_tokens: *n}
        """,
        """
            version: "2"
            workflows:
              w:
                actions: &d {approve: {mode: auto, when: clean_dual_approval}}
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates: &g
                      - &gate
                        type: approval
                        approvals: {count: 1, members: &names [ada, brook, cleo]}
                  - id: t
                    type: review
                    executor: {human: true}
                    gates: *g
                  - id: u
                    type: review
                    executor: {human: true}
                    gates: [*gate, {type: approval, approvals: {count: 1, members: *names}}]
                    budget: {max_runtime: &n 15m}
              x:
                actions: *d
                description: &n2 "15"
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    budget: {max_runtime: *n, max_tokens: 15}
        """,
        id="uses of one anchor that ask for different things",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                drive: false
                stages:
                  - {id: a, type: plan, executor: {agent: codex}, budget: {max_runtime_minutes: 15.0}}
                  - {id: b, type: plan, executor: {agent: codex}, budget: {max_runtime_minutes: 0x0F}}
                  - {id: c, type: plan, executor: {agent: codex}, budget: {"max_runtime_minutes": +15}}
                  - {id: d, type: plan, executor: {agent: codex}, budget: {max_runtime_minutes: !!int 15}}
                  - {id: e, type: plan, executor: {agent: codex}, budget: {? max_runtime_minutes : &m 15}}
                  - id: f
                    type: plan
                    executor: {agent: codex}
                    budget:
                      ? max_runtime_minutes
                      : *m
        """,
        """
            version: "2"
            workflows:
              w:
                auto_advance: false
                stages:
                  - {id: a, type: plan, executor: {agent: codex}, budget: {max_runtime: 15m}}
                  - {id: b, type: plan, executor: {agent: codex}, budget: {max_runtime: 15m}}
                  - {id: c, type: plan, executor: {agent: codex}, budget: {"max_runtime": "15m"}}
                  - {id: d, type: plan, executor: {agent: codex}, budget: {max_runtime: 15m}}
                  - {id: e, type: plan, executor: {agent: codex}, budget: {? max_runtime : &m 15m}}
                  - id: f
                    type: plan
                    executor: {agent: codex}
                    budget:
                      ? max_runtime
                      : *m
        """,
        id="minutes in all spellings",
    ),
    pytest.param(
        """
            version: !!str >-
              1.3
            workflows:
              w:
                ? drive
                : true
                stages:
                  - {id: a, type: plan, executor: {agent: codex}}
        """,
        """
            version: !!str >-
              2
            workflows:
              w:
                ? auto_advance
                : true
                stages:
                  - {id: a, type: plan, executor: {agent: codex}}
        """,
        id="a block version",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                operator_agent: {
                  must_page_human: [
                    # these
                    reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration],
                  may_approve: clean_dual_approval, may_route_fixup: convergent_concerns, may_retry: infra_flake}
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                operator_agent: {   # said before
                  must_page_human: []}   # end
                stages: *stages
              y:
                operator_agent: &low
                  route_fixup_min_severity: low
                stages: *stages
              z:
                operator_agent: *low
                stages: *stages
              a:
                operator_agent:
                  ? must_page_human
                  : []
                stages: *stages
        """,
        """
            version: "2"
            workflows:
              w:
                autonomy: medium
                    # these
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                autonomy: low   # said before
                  # end
                stages: *stages
              y:
                autonomy: &low low
                stages: *stages
              z:
                autonomy: *low
                stages: *stages
              a:
                autonomy: low
                stages: *stages
        """,
        id="a flow block of delegation over several lines that is a tier",
    ),
    pytest.param(
        """
            version: "1.3"
            roles: {a: {members: ["@ada"]}}
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        operator_agent: {may_waive: solo_low}
                        approvers: {any_of: [a]}
                      - type: approval
                        approvers: {any_of: [a]}
                        operator_agent:
                          must_page_human:
                            - advisory_reviewer_reject
                            # and also
                            - reviewer_reject
                            - gating_reviewer_reject   # again
                            - clarification_request
                          'may_merge': 'gates_resolved_ci_green'
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        actions: {waive: {mode: auto, when: solo_low}}
                        approvals: {count: 1, members: [ada]}
                      - type: approval
                        approvals: {count: 1, members: [ada]}
                        actions:
                          page_human_on:
                            - advisory_reviewer_reject
                            # and also
                            - gating_reviewer_reject
                            # again
                            - clarification_request
                          'merge': {mode: auto, when: 'gates_resolved_ci_green'}
        """,
        id="delegation on gates",
    ),
    pytest.param(
        """
            version: "1.3"
            roles:
              a:
                members:
                  - &one >-
                    @ada
                  - &two '@brook'
            workflows:
              w:
                description: *one
                policy: &p {max_stage_runtime: 1h}
                stages:
                  - id: s
                    type: plan
                    executor:
                      <<: &e {agent: codex}
                      model: *two
                  - id: t
                    type: review
                    executor: {human: true}
                    gates:
                      - &g
                        type: approval
                        approvers:
                          any_of: &names
                            - a
                  - id: u
                    type: review
                    executor: {human: true}
                    gates:
                      - *g
                      - {type: approval, approvers: {any_of: *names}}
              x: {policy: *p, stages: [{id: a, type: plan, executor: *e}]}
        """,
        """
            version: "2"
            workflows:
              w:
                description: "@ada"
                policy: &p {max_stage_runtime: 1h}
                stages:
                  - id: s
                    type: plan
                    executor:
                      <<: &e {agent: codex}
                      model: '@brook'
                  - id: t
                    type: review
                    executor: {human: true}
                    gates:
                      - &g
                        type: approval
                        approvals:
                          count: 1
                          members: &names
                            - ada
                            - brook
                  - id: u
                    type: review
                    executor: {human: true}
                    gates:
                      - *g
                      - {type: approval, approvals: {count: 1, members: *names}}
              x: {policy: *p, stages: [{id: a, type: plan, executor: *e}]}
        """,
        id="a value that cannot stand on one line behind an alias",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - {id: a, type: plan, executor: {agent: codex}, budget: {max_tokens: &n 15}}
                  - &b
                    id: b
                    type: plan
                    executor: {agent: codex}
                    budget: {max_runtime_minutes: *n, max_tokens: *n}
              x:
                stages:
                  - *b
                  - id: c
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      - {"max_files_changed":7}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - {id: a, type: plan, executor: {agent: codex}, budget: {max_tokens: &n 15}}
                  - &b
                    id: b
                    type: plan
                    executor: {agent: codex}
                    budget: {max_runtime: 15m, max_tokens: *n}
              x:
                stages:
                  - *b
                  - id: c
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      "max_files_changed": 7
        """,
        id="an alias inside an aliased value that asks for something else",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                operator_agent:
                  must_page_human:
                    - reviewer_reject
                    - plan_rejection
                    - scope_amendment
                    - budget_override
                    - policy_override
                    - exception_request
                    - requirement_arbitration
                    # of the list
                  may_approve: clean_dual_approval
                  may_route_fixup: convergent_concerns
                  may_retry: infra_flake
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                operator_agent:
                  must_page_human:
                    - reviewer_reject
                    - plan_rejection
                    - scope_amendment
                    - budget_override
                    - policy_override
                    - exception_request
                    - requirement_arbitration
                  # of the key
                  may_approve: clean_dual_approval
                  may_route_fixup: convergent_concerns
                  may_retry: infra_flake
                stages: *stages
              y:
                operator_agent:
                  may_approve: clean_dual_approval
                  may_route_fixup: convergent_concerns
                  may_retry: infra_flake
                  must_page_human:   # of the key
                    [reviewer_reject, plan_rejection, scope_amendment, budget_override,
                     policy_override, exception_request, requirement_arbitration]
                stages: *stages
              z:
                operator_agent:
                  must_page_human: [reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration]
                  may_approve: clean_dual_approval
                  may_route_fixup: convergent_concerns
                  may_retry: infra_flake
                  # below the last knob
                # of the next key
                stages: *stages
              a:
                operator_agent:
                  must_page_human: [reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration]
                  may_approve: clean_dual_approval
                  may_route_fixup: convergent_concerns
                  may_retry: infra_flake
                # of the next key
                stages: *stages
        """,
        """
            version: "2"
            workflows:
              w:
                autonomy: medium
                    # of the list
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                actions:
                  page_human_on:
                    - gating_reviewer_reject
                    - plan_rejection
                    - scope_amendment
                    - budget_override
                    - policy_override
                    - exception_request
                    - requirement_arbitration
                  # of the key
                  approve: {mode: auto, when: clean_dual_approval}
                  fixup: {mode: auto, when: convergent_concerns}
                  retry: {mode: auto, when: infra_flake}
                stages: *stages
              y:
                autonomy: medium
                  # of the key
                stages: *stages
              z:
                actions:
                  page_human_on: [gating_reviewer_reject, plan_rejection, scope_amendment, budget_override,
                    policy_override, exception_request, requirement_arbitration]
                  approve: {mode: auto, when: clean_dual_approval}
                  fixup: {mode: auto, when: convergent_concerns}
                  retry: {mode: auto, when: infra_flake}
                  # below the last knob
                # of the next key
                stages: *stages
              a:
                autonomy: medium
                # of the next key
                stages: *stages
        """,
        id="comments that give reasons for a tier",
    ),
    pytest.param(
        """
            version: "1.3"
            roles:
              leads: {members: ["@ada", "@brook"]}
              night: {members: ["@dan", "@eve", "@fay"]}
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvers:
                          any_of:
                            -
                              leads
                            -  night""",
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvals:
                          count: 1
                          members:
                            -
                              ada
                            - brook
                            -  dan
                            -  eve
                            -  fay""",
        id="people on lines of their own behind dashes of every kind",
    ),
    pytest.param(
        """
            version: "1.3"
            roles: {leads: {members: ["@ada"]}}
            workflows:
              w:
                operator_agent:
                  must_page_human:
                    - |-
                      reviewer_reject
                  may_merge: >-   # as soon as it can
                    gates_resolved_ci_green
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvers:
                          any_of:
                            - >-
                              leads
        """,
        """
            version: "2"
            workflows:
              w:
                actions:
                  page_human_on:
                    - |-
                      gating_reviewer_reject
                  merge: {mode: auto, when: gates_resolved_ci_green}   # as soon as it can
                stages:
                  - id: s
                    type: review
                    executor: {human: true}
                    gates:
                      - type: approval
                        approvals:
                          count: 1
                          members:
                            - >-
                              ada
        """,
        id="words in block scalars",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                    -   &few
                        max_files_changed: 7
                    -   &never
                        forbidden_paths: [a]
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                    - *few
                    - *never
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                        max_files_changed: 7
                        forbidden_paths: [a]
                  - id: t
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      max_files_changed: 7
                      forbidden_paths: [a]
        """,
        id="constraints whose dashes stand right below their key",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      - {? allowed_paths : [b]}
                      - {? max_files_changed
                         : 7}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - id: s
                    type: implement
                    executor: {agent: codex}
                    constraints:
                      allowed_paths : [b]
                      ? max_files_changed
                      : 7
        """,
        id="constraints in braces with explicit keys",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                # &low is all that we allow
                operator_agent: &low
                  route_fixup_min_severity: low
                stages: &lower
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                operator_agent:
                  may_approve: &dual clean_dual_approval
                stages: *lower
              y:
                operator_agent:
                  may_approve: *dual
                stages: *lower
              z:
                operator_agent: *low
                stages: *lower
        """,
        """
            version: "2"
            workflows:
              w:
                # &low is all that we allow
                autonomy: &low low
                stages: &lower
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                actions:
                  approve: {mode: auto, when: &dual clean_dual_approval}
                stages: *lower
              y:
                actions:
                  approve: {mode: auto, when: *dual}
                stages: *lower
              z:
                autonomy: *low
                stages: *lower
        """,
        id="anchors and aliases in delegation",
    ),
    pytest.param(
        """
            version: "1.3"
            workflows:
              w:
                operator_agent: {may_approve: clean_dual_approval, may_route_fixup: convergent_concerns,
                  may_retry: infra_flake, must_page_human: &seven [gating_reviewer_reject, plan_rejection,
                    scope_amendment, budget_override, policy_override, exception_request, requirement_arbitration],
                  model_policy: {strategy: follow_plan_recommendation}}
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                operator_agent: {may_approve: clean_dual_approval, may_route_fixup: convergent_concerns,
                  may_retry: infra_flake, must_page_human: *seven, route_fixup_min_severity: low}
                stages: *stages
        """,
        """
            version: "2"
            workflows:
              w:
                actions: {approve: {mode: auto, when: clean_dual_approval}, fixup: {mode: auto, when: convergent_concerns},
                  retry: {mode: auto, when: infra_flake}, page_human_on: &seven [gating_reviewer_reject, plan_rejection,
                    scope_amendment, budget_override, policy_override, exception_request, requirement_arbitration],
                  model_policy: {strategy: follow_plan_recommendation}}
                stages: &stages
                  - {id: s, type: implement, executor: {agent: codex}}
              x:
                actions: {approve: {mode: auto, when: clean_dual_approval}, fixup: {mode: auto, when: convergent_concerns, min_severity: low},
                  retry: {mode: auto, when: infra_flake}, page_human_on: *seven}
                stages: *stages
        """,
        id="delegation that says more than the tier it resembles",
    ),
    pytest.param(
        """
            version: "1.3"
            roles: {leads: {members: ["@ada", "@brook"]}, solo: {members: ["@ada"]}, third: {members: ["@cleo"]}, cleo: {members: ["@cleo"]}}
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}, constraints: &none []}
                  - {id: t, type: implement, executor: {agent: codex}, produces: *none, constraints: []}
                  - id: u
                    type: review
                    executor: {human: true}
                    gates:
                      - {type: approval, approvers: {any_of: [leads, &again solo]}}
                      - {type: approval, approvers: {any_of: [third, cleo, *again]}}
        """,
        """
            version: "2"
            workflows:
              w:
                stages:
                  - {id: s, type: implement, executor: {agent: codex}}
                  - {id: t, type: implement, executor: {agent: codex}, produces: []}
                  - id: u
                    type: review
                    executor: {human: true}
                    gates:
                      - {type: approval, approvals: {count: 1, members: [ada, brook]}}
                      - {type: approval, approvals: {count: 1, members: [cleo, ada]}}
        """,
        id="aliases right beside what goes, with their anchors gone",
    ),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_migrated(before: str, after: str) -> None:
    source, wanted = dedented(before), dedented(after)
    assert migrated(source) == wanted
    outcome = run(document(source))
    assert (outcome.outcome, outcome.text) == (MIGRATED, wanted)
    found = count(outcome)
    assert (found.needless, found.lost) == ([], 0)


@pytest.mark.parametrize(("before", "after"), CASES)
def test_line_ends_are_those_of_the_file(before: str, after: str) -> None:
    for newline in ("\r\n", "\r"):
        source, wanted = (dedented(text).replace("\n", newline) for text in (before, after))
        assert migrated(source) == wanted


def test_each_edit_names_what_asks_for_it() -> None:
    text = dedented(
        """
        version: "1.3"
        workflows:
          w:
            drive: true
            operator_agent: {may_waive: solo_low}
            stages:
              - id: s
                type: review
                executor: {human: true}
                budget: {max_runtime_minutes: 15}
                constraints: [{max_files_changed: 7}]
                gates: [{type: approval, approvers: {any_of: [leads]}}]
        roles: {leads: {members: ["@ada"]}}
        """
    )
    edits = migrate(document(text)).edits
    assert [(text[edit.start : edit.end], edit.new, edit.why) for edit in edits] == [
        ('"1.3"', '"2"', "version"),
        ("drive", "auto_advance", "drive"),
        ("operator_agent", "actions", "operator_agent"),
        ("may_waive", "waive", "operator_agent"),
        ("", "{mode: auto, when: ", "operator_agent"),
        ("", "}", "operator_agent"),
        ("max_runtime_minutes", "max_runtime", "minutes"),
        ("15", "15m", "minutes"),
        ("[", "{", "constraints"),
        ("{", "", "constraints"),
        ("}", "", "constraints"),
        ("]", "}", "constraints"),
        ("approvers", "approvals", "approvers"),
        ("", "count: 1, ", "approvers"),
        ("any_of", "members", "approvers"),
        ("leads", "ada", "approvers"),
        ('roles: {leads: {members: ["@ada"]}}\n', "", "roles"),
    ]


def test_a_new_word_takes_the_quotes_of_the_old_one() -> None:
    text = "[bare, 'single', \"double\"]"
    items = sequence(document(text).root).items
    assert [token(text, item, "o'hara") for item in items] == ["o'hara", "'o''hara'", '"o\'hara"']
    assert [token(text, item, "007") for item in items] == ['"007"', "'007'", '"007"']

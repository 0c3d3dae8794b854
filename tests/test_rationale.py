"""Which comments in a delegation block give reasons, so that its matrix stays written out."""

from __future__ import annotations

import pytest
from trees import dedented, document

from transforms.migration import migrate

KNOBS = """\
  may_approve: clean_dual_approval
  may_route_fixup: convergent_concerns
  may_retry: infra_flake
"""
PAGES = """\
  must_page_human: [reviewer_reject, plan_rejection, scope_amendment, budget_override,
    policy_override, exception_request, requirement_arbitration]
"""
LISTED = """\
  must_page_human:
    - reviewer_reject
    - plan_rejection
    - scope_amendment
    # money
    - budget_override
    - policy_override
    - exception_request
    - requirement_arbitration
"""
FIRST, REST = KNOBS.split("\n", 1)


def kept(block: str) -> frozenset[str]:
    """Return the delegation blocks whose matrix a comment keeps; `block` stands below the key `w`."""
    text = "version: '1.3'\nworkflows:\n w:\n" + "".join(f"  {line}\n" for line in block.splitlines())
    return migrate(document(text + "  stages: []\n")).spelled_out


REASONS = {
    "between two knobs": f"operator_agent:\n{PAGES}{FIRST}\n  # why\n{REST}",
    "above the first knob and a blank line": f"operator_agent:\n  # why\n\n{KNOBS}{PAGES}",
    "behind a page list in brackets, in any column": f"operator_agent:\n{PAGES}      # why\n{KNOBS}",
    "below the last knob": f"operator_agent:\n{PAGES}{KNOBS} # why\n",
}


@pytest.mark.parametrize("block", REASONS.values(), ids=REASONS)
def test_a_comment_that_gives_reasons(block: str) -> None:
    assert kept(block) == {"/workflows/w/operator_agent"}


OTHERS = {
    "above the block": f"# why\noperator_agent:\n\n{KNOBS}{PAGES}",
    "among the pages": f"operator_agent:\n{FIRST}\n{LISTED}{REST}",
    "of the next key": f"operator_agent:\n{PAGES}{KNOBS}# why\n",
    "in a block that no tier equals": f"operator_agent:\n  # why\n{KNOBS}",
}


@pytest.mark.parametrize("block", OTHERS.values(), ids=OTHERS)
def test_a_comment_that_gives_none(block: str) -> None:
    assert kept(block) == frozenset()


@pytest.mark.parametrize(("margin", "stays"), [("      ", True), ("    ", False)])
def test_a_shared_block_is_read_alike_wherever_it_is_used(margin: str, stays: bool) -> None:
    text = dedented(
        f"""
        version: "1.3"
        workflows:
          w:
            operator_agent: &d
              must_page_human: [reviewer_reject, plan_rejection, scope_amendment, budget_override,
                policy_override, exception_request, requirement_arbitration]
              may_approve: clean_dual_approval
              may_route_fixup: convergent_concerns
              may_retry: infra_flake
        {margin}# below the last knob
            stages:
              - id: s
                gates: [{{type: approval, operator_agent: *d}}]
          x: {{operator_agent: *d}}
          y:
           operator_agent: *d
        """
    )
    blocks = {f"/workflows/{at}/operator_agent" for at in ("w", "w/stages/0/gates/0", "x", "y")}
    assert migrate(document(text)).spelled_out == (blocks if stays else frozenset())

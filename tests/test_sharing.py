"""Anchors and aliases under edits: what is written out, and what goes on repeating."""

from __future__ import annotations

from trees import layout, migrated, tree

from transforms.edits import Edit, collect, splice
from transforms.nodes import lookup
from transforms.proposals import Proposal
from transforms.sharing import settle


def test_what_repeats_a_value_written_out_goes_on_repeating_it() -> None:
    text = "n: &n 15\na: &a {p: *n, q: *n}\nb: &b {r: *a}\nc: *b\n"
    root = tree(text)
    edit = Edit(text.index("15"), text.index("15") + 2, "15m", "minutes")
    owners = [lookup(root, steps) for steps in (("b", "r", "p"), ("c", "r", "p"))]
    proposals = [Proposal(edit, owner) for owner in owners if owner is not None]
    assert splice(text, collect(settle(layout(text), root, proposals))) == (
        "n: &n 15\na: &a {p: *n, q: *n}\nb: &b {r: {p: 15m, q: 15}}\nc: *b\n"
    )


def test_an_anchor_in_what_goes_first() -> None:
    text = "roles: {a: {members: [&who '@ada']}}\nversion: '1.3'\nworkflows: {w: {description: *who, stages: []}}\n"
    assert migrated(text) == "version: '2'\nworkflows: {w: {description: '@ada', stages: []}}\n"

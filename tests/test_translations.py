"""The edits that translations propose; what they write to the byte is in `golden/layout`."""

from __future__ import annotations

from trees import dedented, document, sequence

from transforms.migration import migrate
from transforms.proposals import token


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

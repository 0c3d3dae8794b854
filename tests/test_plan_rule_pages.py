from __future__ import annotations

from support import run

from migrate_spec.plans import critic, docs, standard
from migrate_spec.rules.docs import pages


def test_every_rule_of_plans_has_a_page_and_no_id_means_two() -> None:
    found = docs.pages()
    wanted = {rule.id for rule in standard.RULES} | {f"critic-{rule.number}" for rule in critic.RULES}
    assert set(found) == wanted
    assert not set(found) & set(pages())
    assert len(wanted) == len(standard.RULES) + 11


def test_rules_lists_and_explains_them() -> None:
    lines = run("rules").text.splitlines()
    assert len(lines) == len(pages()) + len(docs.pages())
    assert any(line.startswith("critic-7 ") for line in lines)
    explained = run("rules", "criterion-id-duplicate").text
    assert '{"id": "due-date"}' in explained
    assert explained.endswith("It is an error; of plans.\n")

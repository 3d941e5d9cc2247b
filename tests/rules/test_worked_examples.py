"""The worked examples of the Bulgarian rules through the public functions."""

import pytest

from belot_stats import api
from belot_stats.rules.match import match_winner
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet, load_ruleset
from tests.rules.worked import differences, read_examples

EXAMPLES = read_examples()


def match_state(rules: RuleSet, deals: list[dict]) -> dict:
    """Totals after *deals*, and whether and by whom the match is won; deals after the end do not count."""
    totals, winner = [0, 0], NO_SIDE
    for deal in deals:
        if winner != NO_SIDE:
            break
        if not deal["passed"]:
            totals = [total + score for total, score in zip(totals, deal["score"], strict=True)]
            winner = match_winner(rules, (*totals, 0), deal["capot"] is not None, 0)
    return {
        "totals": tuple(totals),
        "over": winner != NO_SIDE,
        "winner": None if winner == NO_SIDE else winner,
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_worked_example(example):
    rules = load_ruleset(example.preset)
    assert differences(example, rules, api.score_deal, match_state) == [], example.source


def test_the_table_has_the_rows_of_both_presets():
    presets = {example.preset for example in EXAMPLES}
    assert presets == {"belot-bg", "belot-bg-classic"}
    assert len(EXAMPLES) >= 90

"""The worked examples of the rule texts through the public functions."""

import pytest

from belot_stats import api
from belot_stats.cards import ALL_TRUMPS
from belot_stats.rules.match import match_winner
from belot_stats.rules.scoring import raw_total
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet, load_ruleset
from tests.rules.worked import PRESETS, differences, read_examples

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


@pytest.mark.parametrize(
    ("points", "written"), [((84, 78), (80, 80)), ((85, 77), (80, 80)), ((95, 67), (90, 70))]
)
def test_french_rounding_to_the_nearest_ten(points, written):
    """Row 68 (FFB): 84 -> 80, and 85 -> 90 for who has less; the other side has the rest of 160."""
    rules = load_ruleset("belote-fr", {"rounding": "nearest_ten"})
    assert api.score_deal(rules, contract="S", level=1, points=points, declarer=0).score == written


@pytest.mark.parametrize(("smaller", "written"), [(75, 80), (74, 70), (64, 60), (65, 70)])
def test_nearest_ten_of_the_smaller_side(smaller, written):
    """Five rounds up (85 -> 90)."""
    rules = load_ruleset("belote-fr", {"rounding": "nearest_ten"})
    score = api.score_deal(rules, contract="S", level=1, points=(162 - smaller, smaller), declarer=0).score
    assert score == (160 - written, written)


def test_french_all_trumps_scaled_to_162():
    """Row 69 (FFB): 198 of 258 card points at all trumps are 124, and a belote is 20 beside them."""
    rules = load_ruleset("belote-fr", {"contracts": ["C", "D", "H", "S", "A"], "scaled_total": 162})
    assert raw_total(rules, ALL_TRUMPS, 198, 0, 20, False) == 144
    assert raw_total(rules, ALL_TRUMPS, 60, 0, 0, False) == 38
    assert raw_total(rules, 0, 100, 0, 0, False) == 100


def test_the_table_has_the_rows_of_section_4():
    """All 83; the two that are options of the French game are tested above."""
    rows = {int(example.id.rstrip("abcde")) for example in EXAMPLES}
    assert rows == set(range(1, 84)) - {68, 69}
    assert {example.preset for example in EXAMPLES} == set(PRESETS.values())

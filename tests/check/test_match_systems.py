"""The match pass under the rules that the Bulgarian systems do not have: dealers, hanging, ends."""

from typing import Any

import pytest

from belot_stats.match_checker import MatchChecked, MatchDeal, check_match
from belot_stats.ruleset import RuleSet, load_ruleset

RU_3P = load_ruleset("belot-ru-3p")
RU_PAIRS = load_ruleset("belot-ru-pairs")
GERMAN_2P = load_ruleset("belot-1001-2p")
BALOOT = load_ruleset("baloot")
WHOLE_MATCH = load_ruleset("belot-world", {"multipliers": [2, 4, 0]})


def step(rules: RuleSet, number: int, dealer: int, score: tuple[int, ...], **fields: Any) -> MatchDeal:
    """A spades deal of seat 0 that is made unless *fields* say otherwise."""
    sides = 2 if rules.partners else rules.players
    values: dict[str, Any] = {
        "source": "s",
        "match": "m",
        "deal": number,
        "line": number,
        "rules": rules,
        "dealer": dealer,
        "end": "played",
        "outcome": "made",
        "is_scored": True,
        "contract": 3,
        "level": 1,
        "declarer": 0,
        "declarer_side": 0,
        "points": score,
        "tricks_won": (3,) * sides,
        "score": score,
        "last_trick_side": 0,
    }
    return MatchDeal(**(values | fields))


def passed(rules: RuleSet, number: int, dealer: int) -> MatchDeal:
    """A deal that was thrown in."""
    sides = 2 if rules.partners else rules.players
    nothing = {
        "contract": None,
        "level": None,
        "declarer": None,
        "declarer_side": None,
        "last_trick_side": None,
    }
    return step(
        rules, number, dealer, (0,) * sides, outcome="passed", end="passed", is_scored=False, **nothing
    )


def codes(*deals: MatchDeal) -> list[str]:
    return [finding.code for finding in check_match(deals).findings]


def last(*deals: MatchDeal) -> Any:
    return check_match(deals).standings[-1]


def winner(*deals: MatchDeal) -> int | None:
    return check_match(deals).summary.winner


# --- who deals next


@pytest.mark.parametrize(
    ("points", "dealer"),
    [((90, 40, 32), 0), ((60, 70, 32), 1), ((60, 30, 72), 2), ((60, 60, 42), 0), ((40, 61, 61), 1)],
    ids=["declarer has most", "second", "third", "tie: first after the old dealer", "tie of the others"],
)
def test_top_scorer_deals_next(points, dealer):
    """A137, Q17: most points collected in the deal; of equals the first after the old dealer, here seat 2."""
    first = step(RU_3P, 1, 2, (0, 0, 0), points=points, outcome="failed")
    assert codes(first, passed(RU_3P, 2, dealer)) == []
    assert codes(first, passed(RU_3P, 2, (dealer + 1) % 3)) == ["wrong-dealer"]


def test_next_seat_deals_after_a_passed_deal():
    assert codes(passed(RU_3P, 1, 1), passed(RU_3P, 2, 2)) == []
    assert codes(passed(RU_3P, 1, 1), passed(RU_3P, 2, 1)) == ["wrong-dealer"]


def test_orderer_deals_next():
    """A173: the player who ordered; A174: the next one after an all-pass deal that was played."""
    first = step(RU_PAIRS, 1, 1, (100, 62), declarer=2)
    assert codes(first, passed(RU_PAIRS, 2, 2)) == []
    nobody = {"declarer": None, "declarer_side": None, "outcome": "all_pass"}
    played = step(RU_PAIRS, 1, 1, (-100, -62), points=(100, 62), **nobody)
    assert codes(played, passed(RU_PAIRS, 2, 2)) == []
    assert codes(played, passed(RU_PAIRS, 2, 1)) == ["wrong-dealer"]


def test_orderer_deals_again_only_after_a_hanging_deal():
    """C20."""
    hanging = step(GERMAN_2P, 1, 1, (0, 70), points=(70, 70), outcome="hanging", hanging=70)
    assert codes(hanging, passed(GERMAN_2P, 2, 0)) == []
    assert codes(hanging, passed(GERMAN_2P, 2, 1)) == ["wrong-dealer"]
    made = step(GERMAN_2P, 1, 0, (80, 70))
    assert codes(made, passed(GERMAN_2P, 2, 1)) == []
    assert codes(made, passed(GERMAN_2P, 2, 0)) == ["wrong-dealer"]


def test_order_goes_on_after_one_wrong_dealer():
    """One record names another dealer; the deals after it follow the order that it broke."""
    deals = [passed(RU_3P, 1, 0), passed(RU_3P, 2, 2), passed(RU_3P, 3, 2), passed(RU_3P, 4, 0)]
    assert codes(*deals) == ["wrong-dealer"]


# --- hanging points


def hanging_match(rules: RuleSet) -> MatchChecked:
    tie = {"outcome": "hanging", "declarer": 0}
    return check_match(
        [
            step(rules, 1, 0, (0, 70), points=(70, 70), hanging=70, **tie),
            step(rules, 2, 0, (0, 60), points=(60, 60), hanging=60, **tie),
            step(rules, 3, 0, (80, 50)),
            step(rules, 4, 1, (0, 130), points=(50, 80), outcome="failed"),
        ]
    )


def test_hanging_points_of_two_deals_are_taken_together():
    standings = hanging_match(GERMAN_2P).standings
    assert [item.score for item in standings] == [(0, 70), (0, 60), (210, 50), (0, 130)]
    assert [item.hanging_out for item in standings] == [70, 130, 0, 0]


def test_hanging_points_of_two_deals_are_taken_one_by_one():
    """C20, option 2: those of one deal at a time, the oldest first; of a failed contract to the other side."""
    rules = load_ruleset("belot-1001-2p", {"hung_policy": "one_by_one"})
    standings = hanging_match(rules).standings
    assert [item.score for item in standings] == [(0, 70), (0, 60), (150, 50), (0, 190)]
    assert [item.hanging_out for item in standings] == [70, 130, 60, 0]


def test_claims_of_hanging_points_one_by_one():
    rules = load_ruleset("belot-1001-2p", {"hung_policy": "one_by_one"})
    tie = {"outcome": "hanging"}
    deals = [
        step(rules, 1, 0, (0, 70), points=(70, 70), hanging=70, claimed_hanging=70, **tie),
        step(rules, 2, 0, (0, 60), points=(60, 60), hanging=60, claimed_hanging=130, **tie),
    ]
    right = step(rules, 3, 0, (80, 50), claimed_score=(150, 50), claimed_hanging=60)
    assert codes(*deals, right) == []
    at_once = step(rules, 3, 0, (80, 50), claimed_score=(210, 50), claimed_hanging=0)
    assert sorted(codes(*deals, at_once)) == ["wrong-hanging", "wrong-score"]


def test_hanging_points_of_three_players_go_to_the_top_scorer():
    """A129: of a failed deal, to the opponent with most points."""
    hanging = step(RU_3P, 1, 2, (0, 60, 42), points=(60, 60, 42), outcome="hanging", hanging=60)
    failed = step(RU_3P, 2, 0, (0, 90, 72), points=(40, 70, 52), outcome="failed")
    assert last(hanging, failed).score == (0, 150, 72)


# --- the end


def test_last_trick_decides_between_two_at_the_target():
    """A149: the one who took the last trick, though the other has more; A151: nobody of them took it, play on."""
    begun = step(RU_3P, 1, 0, (480, 490, 100), points=(480, 490, 100))
    assert winner(begun, step(RU_3P, 2, 1, (40, 80, 42), last_trick_side=0)) == 0
    assert winner(begun, step(RU_3P, 2, 1, (40, 80, 42), last_trick_side=1)) == 1
    assert winner(begun, step(RU_3P, 2, 1, (40, 80, 42), last_trick_side=2)) is None


def test_declaring_out_wins_with_the_points():
    """A143: match score and points of the tricks so far; 501 is enough and 500 is not."""
    begun = step(RU_3P, 1, 1, (400, 100, 90), points=(400, 100, 90))
    out = {"outcome": "declared_out", "end": "declared_out", "is_scored": False}
    enough = step(RU_3P, 2, 0, (0, 0, 0), points=(101, 30, 0), claimed_winner=0, **out)
    assert codes(begun, enough) == []
    assert winner(begun, enough) == 0
    short = step(RU_3P, 2, 0, (0, 0, 0), points=(100, 30, 0), **out)
    assert codes(begun, short) == ["false-declare-out"]
    assert winner(begun, short) is None
    believed = step(RU_3P, 2, 0, (0, 0, 0), points=(100, 30, 0), claimed_winner=0, **out)
    assert sorted(codes(begun, believed)) == ["false-declare-out", "match-unfinished", "wrong-winner"]


def test_whole_match_is_won_with_the_deal():
    """A274: the third level stakes the match, whatever the totals; a capot does not hold it up."""
    deals = [step(WHOLE_MATCH, 1, 0, (26, 0)), step(WHOLE_MATCH, 2, 1, (0, 151), outcome="failed", level=0)]
    assert winner(*deals) == 1
    assert winner(deals[0], step(WHOLE_MATCH, 2, 1, (151, 0), level=0, capot_side=0)) == 0
    assert winner(deals[0], step(WHOLE_MATCH, 2, 1, (151, 0), level=4, capot_side=0)) is None


@pytest.mark.parametrize(
    ("before", "found"),
    [((120, 90), []), ((120, 100), ["contra-not-allowed"]), ((90, 80), ["contra-not-allowed"])],
    ids=["a side below 100 against one above", "the doubling side at 100", "the other side below 100"],
)
def test_sun_is_doubled_only_from_behind(before, found):
    """BALOOT.md 1b: a side with less than 100 against one with more."""
    deals = [step(BALOOT, 1, 0, before), step(BALOOT, 2, 1, (52, 0), contract=4, level=2)]
    assert codes(*deals) == found


def test_deals_of_different_sides_under_one_name_are_not_added_up():
    """Logs of two systems that use the same names; nobody can say what such a match stands at."""
    deals = [
        step(RU_3P, 1, 0, (60, 60, 42), claimed_total=(60, 60, 42)),
        step(GERMAN_2P, 2, 1, (80, 70), claimed_score=(80, 70), claimed_total=(80, 70)),
        step(RU_3P, 3, 0, (60, 60, 42), claimed_score=(60, 60, 42)),
    ]
    standings = check_match(deals).standings
    assert [item.total for item in standings] == [(60, 60, 42), (80, 70), None]

"""Troubles of other programs with rules and scores (TROUBLES.md, part a), each with the answer of Bulgarian belot.

P1 to P4 of a row are seats 0 to 3. The other systems' answers are in test_troubles_systems.
"""

from typing import Any

import pytest

from belot_stats import api
from belot_stats.cards import parse_cards, parse_contract, parse_hand
from belot_stats.checks.play import trick_winner
from belot_stats.match_checker import check_match
from belot_stats.rules import bidding
from belot_stats.rules.match import next_dealer
from belot_stats.ruleset import load_ruleset
from tests.check.records import BASE, WHOLE, begun, checked, claiming, codes, full_hands
from tests.check.test_match_findings import step

BG = load_ruleset("belot-bg")
CLASSIC = load_ruleset("belot-bg-classic")
DUTCH_RUFF = {"cannot_overruff": "undertrump"}  # the French and the Amsterdam duty, as an option


def legal(contract: str, table: str, hand: str, rules: Any = BG) -> str:
    """Cards of *hand* that may follow the cards on the table."""
    trick = list(enumerate(table.split()))
    return " ".join(api.legal_cards(rules, contract, hand, trick, len(trick)))


def winner(contract: str, cards: str) -> int:
    """P-number of who takes the trick."""
    return trick_winner(parse_contract(contract), 0, parse_cards(cards), 4) + 1


def points_of(contract: str, declared: dict[int, list[str]], rules: Any = BG) -> tuple[int, int]:
    """Declarations of the sides of P1+P3 and P2+P4, P1 leading."""
    scored = api.score_declarations(rules, contract, declared, 0)
    return scored[0], scored[1]


def score(contract: str, points: tuple[int, int], level: int = 1, **more: Any) -> tuple[int, ...]:
    """Scores of the declarer's side 0 and of side 1, and what hangs."""
    got = api.score_deal(more.pop("rules", BG), contract, level, points, 0, **more)
    return (*got.score, got.hanging)


def auction_state(calls: str) -> bidding.Auction:
    """Auction after legal calls, P1 first."""
    state = bidding.start_auction(BG, 3)
    for call in calls.split():
        code = api.parse_call(call)
        assert bidding.call_problem(BG, state, code) == bidding.CALL_IS_LEGAL
        state = bidding.after_call(BG, state, code)
    return state


# --- Legal cards and tricks ------------------------------------------------------------------


def test_r01_highest_trump_does_not_start_from_a_plain_lead():
    assert legal("H", "JC 7H", "8H AH 7S") == "8H AH"
    assert legal("H", "JC 8C 7H", "8H 7S") == "8H"


def test_r03_ranks_of_no_points_have_their_strength():
    assert legal("C", "7C", "8C TC AC 8D QH") == "8C TC AC"
    assert legal("H", "7H", "8H JH") == "8H JH"
    assert legal("H", "8H", "7H JH") == "JH"


def test_r04_winner_among_cards_of_no_points():
    assert winner("C", "7S TH 8S JH") == 3
    assert winner("C", "7S TH 8S 9S") == 4


def test_r05_trump_lead_must_be_risen_over():
    assert legal("D", "9D", "JD 7D AC") == "JD"
    assert legal("D", "9D", "TD 7D") == "7D TD"


def test_r06_partner_who_holds_a_trump_lead_frees_nobody():
    assert legal("H", "JH 7C", "7D 8H") == "8H"
    assert legal("H", "TH 9H", "AH JD") == "AH"
    hands = full_hands("TH", "9H", "AH JD", without=("", "JH", "H", ""))
    (finding,) = checked(begun("H", "TH 9H JD", hands)).findings
    assert (finding.code, finding.expected) == ("revoke", "one of AH")


def test_r07_all_trumps_rises_in_the_led_suit_only():
    assert legal("A", "9H TC", "JH 8H") == "JH"
    assert legal("A", "9H 8H QH", "JC TH") == "TH"


def test_r08_a_discard_wins_nothing():
    assert winner("A", "7H JS 8H QH") == 4
    assert winner("N", "TS KH AC 9S") == 1
    assert winner("S", "JC KD 7C 8C") == 1


def test_r09_partner_holds_nobody_ruffs():
    hand = "QC KC 7S 8H QH"
    any_card = "QC KC 8H QH 7S"
    assert legal("S", "QD 8S AD", hand) == any_card
    assert legal("S", "QD AD KD", hand) == any_card
    assert legal("S", "QD AD KS", hand) == any_card


def test_r10_nobody_has_to_undertrump():
    hand = "QC KC 7S 8H QH"
    assert legal("S", "QD AD KS", hand) == "QC KC 8H QH 7S"
    assert legal("S", "QD AD KS", hand, load_ruleset("belot-bg", DUTCH_RUFF)) == "7S"


def test_r11_plain_suits_are_not_risen_over_and_partner_is_not_ruffed():
    assert legal("S", "TH", "AH 7H") == "7H AH"
    assert legal("S", "AH 7H", "7S 8C") == "8C 7S"
    always = load_ruleset("belot-bg", {"must_ruff": "always"})
    assert legal("S", "AH 7H", "7S 8C", always) == "7S"


def test_r12_trumps_compare_by_strength_and_not_by_number():
    assert legal("D", "7C TD JD", "AD 9D 7S") == "9D AD 7S"
    assert legal("D", "7C TD JD", "AD 9D 7S", load_ruleset("belot-bg", DUTCH_RUFF)) == "9D AD"


# --- Declarations ----------------------------------------------------------------------------


def test_r13_all_combinations_of_a_side_count():
    assert points_of("S", {0: ["7S 8S 9S"], 2: ["TH JH QH"]}) == (40, 0)
    assert points_of("C", {0: ["7S 8S 9S", "TH JH QH"]}) == (40, 0)


def test_r14_equal_sequences():
    hearts, spades = ["QH KH AH"], ["QS KS AS"]
    assert points_of("C", {0: hearts, 1: spades}) == (0, 0)
    assert points_of("S", {0: hearts, 1: spades}) == (0, 0)
    assert points_of("C", {0: hearts, 2: spades}) == (40, 0)
    # all of the kind drop, a lower one of either side too
    assert points_of("C", {0: [*hearts, "7D 8D 9D"], 1: spades}) == (0, 0)


def test_r15_height_goes_before_trumps():
    assert points_of("D", {0: ["7D 8D 9D"], 1: ["8S 9S TS"]}) == (0, 20)
    for low in "CDHS":
        for high in "CDHS":
            if low != high:
                declared = {0: [f"7{low} 8{low} 9{low}"], 1: [f"8{high} 9{high} T{high}"]}
                assert {points_of(contract, declared) for contract in "CDHSA"} == {(0, 20)}


def test_r18_carres_and_sequences_are_two_contests():
    declared = {0: ["QC QD QH QS"], 1: ["7S 8S 9S TS JS"]}
    assert points_of("H", declared) == (100, 100)
    assert points_of("H", declared, load_ruleset("belot-bg", {"contest": "single"})) == (100, 0)


def test_r19_strongest_combination_wins_and_not_the_sum():
    declared = {0: ["QC QD QH QS", "KC KD KH KS"], 1: ["9C 9D 9H 9S"]}
    assert points_of("H", declared) == (0, 150)


def test_r20_one_card_in_one_combination():
    first, second = "JH QH KH JS JD JC 7S 8S", "KS QS JS TS 9S KH KD KC"
    assert api.best_declarations(BG, "H", first) == ["JC JD JH JS"]
    assert sorted(api.best_declarations(BG, "H", second)) == ["9S TS JS QS", "KC KD KH KS"]
    assert points_of("H", {0: api.best_declarations(BG, "H", first)}) == (200, 0)
    assert points_of("H", {0: api.best_declarations(BG, "H", second)}) == (150, 0)
    shared = load_ruleset("belot-bg", {"shared_cards": True})
    assert points_of("H", {0: api.best_declarations(shared, "H", first)}, shared) == (220, 0)
    assert points_of("H", {0: api.best_declarations(shared, "H", second)}, shared) == (200, 0)


def test_r20_whole_deal_with_carre_and_belote():
    """A carré of jacks and the belote of the same hand: 200 and 20."""
    hands = ["JC 7S 8S JD JH QH KH JS"]
    record = begun("H", "JH", full_hands(*hands)) | {
        "declarations": [{"seat": 0, "cards": "JC JD JH JS"}],
        "belotes": [{"seat": 0, "suit": "H"}],
    }
    computed = checked(record).computed
    assert (computed.declaration_points, computed.belote_points) == ((200, 0), (20, 0))


def test_r21_long_sequences():
    six_against_five = {0: ["7S 8S 9S TS JS QS"], 1: ["TH JH QH KH AH"]}
    assert points_of("D", six_against_five) == (100, 0)
    assert points_of("D", six_against_five, CLASSIC) == (0, 100)
    eight = "7S 8S 9S TS JS QS KS AS"
    assert api.best_declarations(BG, "H", eight) == [eight]
    assert points_of("H", {0: [eight]}) == (100, 0)
    assert points_of("H", {0: [eight]}, load_ruleset("belot-bg", {"eight_run_points": 120})) == (120, 0)


def test_r22_no_sevens_and_eights_and_nothing_at_no_trumps():
    assert api.best_declarations(BG, "H", "7C 7D 7H 7S 8C 8D 8H 8S") == []
    assert api.best_declarations(BG, "N", "QH KH AH 7C 8C 9C TC JC") == []
    assert points_of("N", {0: ["QH KH AH"]}) == (0, 0)
    record = begun("N", "KH", full_hands("AH KH QH")) | {
        "declarations": [{"seat": 0, "cards": "QH KH AH"}],
        "belotes": [{"seat": 0, "suit": "H"}],
    }
    assert codes(record) == ["declaration-not-allowed", "false-belote"]
    computed = checked(record).computed
    assert (computed.declaration_points, computed.belote_points) == ((0, 0), (0, 0))


def test_r23_announcement_with_the_second_card_is_late():
    """P3 declares while he plays to the second trick."""
    hands = full_hands("AC 7D", "8C", "9C TH JH QH 8D", "TC", without=("", "", "H", ""))
    late = begun("S", "AC 8C 9C TC 7D", hands)
    assert codes(late | {"declarations": [{"seat": 2, "cards": "TH JH QH", "at": 6}]}) == ["late-declaration"]
    assert codes(late | {"declarations": [{"seat": 2, "cards": "TH JH QH", "at": 2}]}) == []


# --- Belote and capot ------------------------------------------------------------------------


def sweep(contract: str, belote: bool) -> dict[str, Any]:
    """Seat 0 has all the hearts, leads them, and takes every trick."""
    order = "ATKQJ987" if contract == "N" else "J9ATKQ87"
    hands = [[rank + "H" for rank in order], *[[rank + suit for rank in "789TJQKA"] for suit in "CDS"]]
    record = BASE | {
        "auction": [contract, "P", "P", "P"],
        "hands": [" ".join(hand) for hand in hands],
        "plays": " ".join(hands[seat][number] for number in range(8) for seat in range(4)),
    }
    return record | ({"belotes": [{"seat": 0, "suit": "H"}]} if belote else {})


def test_r25_belote_and_capot():
    """272 with the belote of the side that takes all; 252 and 20 with the other's."""
    own = checked(sweep("H", belote=True))
    assert own.findings == ()
    assert (own.computed.points, own.computed.score, own.computed.capot_side) == ((272, 0), (27, 0), 0)
    # The queen and king of trumps are the other side's: 252 and 20.
    other = BASE | {
        "auction": ["H", "P", "P", "P"],
        "hands": [
            "AC TC KC QC JH 9H AH TH",
            "7C 8C 9C JC KH QH 8H 7H",
            "7D 8D 9D TD JD QD KD AD",
            "7S 8S 9S TS JS QS KS AS",
        ],
        "plays": "JH 7H 7D 7S 9H 8H 8D 8S AH QH 9D 9S TH KH TD TS AC 8C JD JS TC 9C QD QS KC JC KD KS QC 7C AD AS",
        "belotes": [{"seat": 1, "suit": "H", "at": 9}],
    }
    result = checked(other)
    assert result.findings == ()
    assert (result.computed.points, result.computed.score, result.computed.capot_side) == (
        (252, 20),
        (25, 2),
        0,
    )


@pytest.mark.parametrize(
    ("plays", "hands", "belotes", "points"),
    [
        # thrown on clubs: nothing; followed: twenty
        ("7C KH", full_hands("7C", "KH QH", without=("", "C")), [(1, "H")], 0),
        ("7H KH", full_hands("7H", "KH QH"), [(1, "H")], 20),
        ("KH", full_hands("KH QH KS QS"), [(0, "H")], 20),
    ],
)
def test_r26_belote_at_all_trumps(plays, hands, belotes, points):
    record = begun("A", plays, hands, belotes=[{"seat": seat, "suit": suit} for seat, suit in belotes])
    result = checked(record)
    assert sum(result.computed.belote_points) == points
    assert codes(record) == ([] if points else ["false-belote"])


def test_r26_two_belotes_of_one_hand_and_none_at_no_trumps():
    hands = full_hands("JH JS 7C", "8H 7S", "KH QH KS QS", "9H 8S", without=("", "", "AH TH AS TS", ""))
    record = begun("A", "JH 8H KH 9H JS 7S KS 8S", hands)
    record["belotes"] = [{"seat": 2, "suit": "H", "at": 2}, {"seat": 2, "suit": "S", "at": 6}]
    result = checked(record)
    assert result.findings == ()
    assert result.computed.belote_points == (40, 0)
    assert codes(record | {"auction": ["N", "P", "P", "P"]}).count("false-belote") == 2


# --- Scores ----------------------------------------------------------------------------------


def test_r27_failed_contract_gives_all_to_the_defenders():
    """92 and a tierce of the defenders, 70 of the declarer; then the tierce, and then a belote, is the declarer's."""
    assert score("H", (70, 112)) == (0, 18, 0)
    assert score("H", (90, 92)) == (0, 18, 0)
    assert score("H", (90, 92), belote=(20, 0)) == (0, 18, 0)
    kept = load_ruleset("belot-bg", {"belote_kept_when_failed": True, "rounding": "none", "multipliers": []})
    assert score("H", (90, 92), belote=(20, 0), rules=kept) == (20, 162, 0)


def test_r28_failed_declarer_writes_nothing():
    assert score("S", (72, 90)) == (0, 16, 0)
    assert score("S", (80, 82)) == (0, 16, 0)
    assert api.score_deal(BG, "S", 1, (72, 90), 0).made is False


@pytest.mark.parametrize(("contract", "cards", "points"), [("S", 162, 162), ("A", 258, 258), ("N", 130, 260)])
def test_r29_points_of_a_complete_deal(contract, cards, points):
    record = {
        name: WHOLE[name]
        for name in WHOLE
        if name not in ("auction", "hands", "first_hands", "declarations", "claimed")
    }
    computed = checked(record | {"contract": {"call": contract, "seat": 2}}).computed
    capot = 0 if computed.capot_side is None else 90
    assert sum(computed.card_points) == cards
    assert sum(computed.points) == points + capot


def test_r31_capot_at_no_trumps_is_not_doubled():
    result = checked(sweep("N", belote=False))
    assert result.findings == ()
    assert (result.computed.points, result.computed.score) == ((350, 0), (35, 0))


def test_r32_doubled_capot():
    assert score("H", (252, 0), level=2, capot=0) == (50, 0, 0)
    once = load_ruleset("belot-bg", {"capot_when_doubled": "deal_not_doubled"})
    assert score("H", (252, 0), level=2, capot=0, rules=once) == (25, 0, 0)


@pytest.mark.parametrize(
    ("contract", "points", "written"),
    [
        ("H", (106, 56), (10, 6)),
        ("H", (156, 6), (15, 1)),
        ("A", (224, 34), (22, 4)),
        ("A", (194, 164), (19, 17)),
        ("H", (96, 66), (9, 7)),
        ("H", (160, 2), (16, 0)),
        ("A", (144, 114), (14, 12)),
        ("A", (254, 4), (25, 1)),
    ],
)
def test_r34_rounding_at_the_limit(contract, points, written):
    assert score(contract, points) == (*written, 0)


@pytest.mark.parametrize("points", [(95, 67), (99, 63)])
def test_r35_both_sides_add_up(points):
    """Rounded alone, 95-67 would give 17."""
    assert sum(score("H", points)) == 16


@pytest.mark.parametrize(
    ("contract", "points", "written"),
    [("H", (106, 106), (0, 10, 11)), ("A", (154, 154), (0, 15, 16)), ("H", (81, 81), (0, 8, 8))],
)
def test_r36_what_hangs_and_what_is_written(contract, points, written):
    assert score(contract, points) == written


def test_r38_doubled_and_equal_hangs_whole():
    assert score("H", (81, 81), level=2) == (0, 0, 32)
    assert score("H", (81, 81), level=4) == (0, 0, 64)


def test_r39_a_level_multiplies_the_deal_and_nothing_else():
    """Contra doubles neither the match score nor what hung before."""
    assert score("H", (82, 80), level=2, hanging=10) == (42, 0, 0)
    result = check_match([step(1, (100, 50)), step(2, (32, 0), level=2)])
    assert result.standings[-1].total == (132, 50)


# --- The match and the auction ---------------------------------------------------------------


def test_r40_nobody_goes_out_with_a_capot():
    won = [step(1, (140, 100)), step(2, (25, 0), capot_side=0)]
    assert check_match(won).summary.winner is None
    assert check_match([*won, step(3, (10, 6))]).summary.winner == 0
    assert check_match([*won, step(3, (0, 0), result="passed")]).summary.winner is None
    assert check_match([*won, step(3, (25, 0), capot_side=0)]).summary.winner is None


def test_r41_both_over_the_target():
    assert check_match([step(1, (148, 150)), step(2, (9, 7))]).summary.winner is None
    assert check_match([step(1, (150, 149)), step(2, (7, 9))]).summary.winner == 1


def test_r42_dealers_go_round_and_a_pass_changes_nothing():
    assert [next_dealer(BG, seat) for seat in range(4)] == [1, 2, 3, 0]
    hung = step(1, (0, 8), result="hanging", hanging=8)
    passed = step(2, (0, 0), result="passed")
    result = check_match([hung, passed, step(3, (10, 6), claimed_score=(18, 6))])
    assert result.findings == []
    assert [standing.hanging_out for standing in result.standings] == [8, 8, 0]
    assert result.standings[1].total == result.standings[0].total


@pytest.mark.parametrize(
    ("calls", "is_over", "contract"),
    [("P P S P P N", False, 4), ("P C P P P", True, 0), ("P P P P", True, -1), ("P P C P P H", False, 2)],
)
def test_r43_end_of_the_auction(calls, is_over, contract):
    state = auction_state(calls)
    assert (bool(state.is_over), state.contract) == (is_over, contract)


def test_r44_who_may_double():
    assert "X" not in api.legal_calls(BG, ["C", "D", "H", "P"], dealer=3)
    assert "X" in api.legal_calls(BG, ["A"], dealer=3)
    assert "XX" not in api.legal_calls(BG, ["H", "X", "P"], dealer=3)
    assert "XX" in api.legal_calls(BG, ["H", "X", "P", "P"], dealer=3)
    for calls, index in (("C D H P X", 4), ("H X P XX", 3)):
        record = BASE | {"auction": calls.split(), "end": "abandoned"}
        (finding,) = checked(record).findings
        assert (finding.code, finding.call_index) == ("contra-not-allowed", index)


def test_r45_the_declarer_is_who_bid():
    state = auction_state("P H X P P P")
    assert (state.declarer_seat, state.doubles, bool(state.is_over)) == (1, 1, True)
    computed = checked(BASE | {"auction": ["P", "H", "X", "P", "P", "P"], "end": "abandoned"}).computed
    assert (computed.declarer, computed.level, computed.declarer_side) == (1, 2, 1)


# --- Logs that lie ---------------------------------------------------------------------------


def test_r48_trick_winners_that_are_all_seat_0():
    found = checked(claiming(tricks=[0] * 8))
    assert [finding.code for finding in found.findings] == ["wrong-trick-winner"] * 8
    assert found.computed.trick_winners == (2, 1, 2, 2, 2, 2, 2, 2)
    assert found.computed.points == (161, 21)


def test_r48_hands_of_nine_and_of_seven_cards():
    hands = [hand.split() for hand in WHOLE["hands"]]
    hands[1].append(hands[0].pop())
    problems = api.check(WHOLE | {"hands": [" ".join(hand) for hand in hands]}).findings
    assert [finding.code for finding in problems] == ["wrong-card-count"] * 2


def test_r48_points_that_do_not_add_up():
    """160 between the sides: both are counted from the cards, neither is a difference."""
    (finding,) = checked(claiming(WHOLE | {"declarations": []}, points=[141, 19], score=[14, 2])).findings
    assert (finding.code, finding.expected, finding.found) == ("wrong-points", "141-21", "141-19")
    assert parse_hand(WHOLE["hands"][0]) == checked(WHOLE).computed.dealt_hands[0]

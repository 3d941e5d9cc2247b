"""Troubles of other programs with rules and scores (TROUBLES.md, part a), with the answers of the other systems.

As test_troubles_rules: P1 to P4 of a row are seats 0 to 3. A row is here where its answer differs from the Bulgarian
one, or where its kind of trouble has a place in another system.
"""

from typing import Any

import pytest

from belot_stats import api
from belot_stats.match_checker import check_match
from belot_stats.rules import bidding
from belot_stats.rules.match import match_winner, next_dealer
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import load_ruleset, ruleset_names
from tests.check.records import BASE, Record, checked, codes, full_hands
from tests.check.test_match_findings import step

WORLD, FR = load_ruleset("belot-world"), load_ruleset("belote-fr")
BELA, BELA_3, BELA_2 = (load_ruleset(f"bela-{players}p") for players in (4, 3, 2))
RU_3, PAIRS = load_ruleset("belot-ru-3p"), load_ruleset("belot-ru-pairs")
GERMAN_2, GERMAN_3 = load_ruleset("belot-1001-2p"), load_ruleset("belot-1001-3p")
BALOOT = load_ruleset("baloot")
# Trump is risen over, over partner too; ruffed over an opponent, and lower where that is all one can.
STRICT = ("belote-fr", "belot-ru-pairs")


def legal(rules: Any, contract: str, table: str, hand: str) -> str:
    """Cards of *hand* that may follow the cards on the table."""
    trick = list(enumerate(table.split()))
    return " ".join(api.legal_cards(rules, contract, hand, trick, len(trick)))


def points_of(rules: Any, contract: str, declared: dict[int, list[str]]) -> tuple[int, ...]:
    """Declarations a side, P1 leading."""
    return tuple(api.score_declarations(rules, contract, declared, 0).values())


def score(rules: Any, contract: str, points: tuple[int, ...], level: int = 1, **more: Any) -> tuple[int, ...]:
    """Scores of the declarer's side 0 and of the others, and what hangs."""
    got = api.score_deal(rules, contract, level, points, 0, **more)
    return (*got.score, got.hanging)


def begun(rules: str, call: str, plays: str, hands: list[str], **fields: Any) -> Record:
    """A deal of another system that was abandoned after some cards; its log names the contract, seat 0's."""
    stated = {"call": call, "seat": 0}
    return (
        BASE
        | {"rules": rules, "contract": stated, "hands": hands, "plays": plays, "end": "abandoned"}
        | fields
    )


# --- Legal cards -----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [name for name in ruleset_names() if not name.startswith("belot-1001")])
def test_r01_r03_r05_r07_trumps_are_risen_over_by_strength(preset):
    rules = load_ruleset(preset)
    assert legal(rules, "C", "7C", "8C TC AC 8D QH") == "8C TC AC"
    assert legal(rules, "H", "8H", "7H JH") == "JH"
    assert legal(rules, "D", "9D", "JD 7D AC") == "JD"
    assert legal(rules, "D", "9D", "TD 7D") == "7D TD"
    if rules.contracts[5] >= 0:
        assert legal(rules, "A", "9H", "JH 8H JC") == "JH"


@pytest.mark.parametrize("preset", STRICT)
def test_r01_a_plain_jack_is_no_trump_to_go_over(preset):
    assert legal(load_ruleset(preset), "H", "JC 7H", "8H AH 7S") == "8H AH"


def test_r01_who_need_not_overruff_may_play_any_trump():
    """S3, S5: only a trump lead is risen over (A286, A447)."""
    for rules in (WORLD, BELA):
        assert legal(rules, "H", "JC 9H", "8H JH 7S") == "8H JH"


def test_r06_partner_who_holds_a_trump_lead():
    """No system lets a trump lead go unfollowed; S3 and Baloot do not ask to go over partner."""
    for name in ruleset_names():
        if load_ruleset(name).players > 2:
            assert legal(load_ruleset(name), "H", "TH 9H", "AH JD") == "AH"
    assert legal(WORLD, "H", "JH 7C", "7D 8H") == "8H"
    assert legal(WORLD, "H", "9H 7H", "JH 8H") == "8H JH"
    assert legal(BALOOT, "H", "9H 7H", "JH 8H") == "8H JH"
    assert legal(FR, "H", "9H 7H", "JH 8H") == "JH"


@pytest.mark.parametrize("preset", STRICT)
def test_r09_r10_partner_holds_nobody_ruffs_an_opponent_holds_one_undertrumps(preset):
    rules, hand = load_ruleset(preset), "QC KC 7S 8H QH"
    any_card = "QC KC 8H QH 7S"
    assert legal(rules, "S", "QD 8S AD", hand) == any_card
    assert legal(rules, "S", "QD AD KD", hand) == any_card
    assert legal(rules, "S", "QD AD KS", hand) == "7S"


def test_r09_r11_who_must_ruff_over_partner_too():
    """S3, S5 know no exemption (A287, A445); Baloot only after partner's ace, for the third player."""
    for rules in (WORLD, BELA):
        assert legal(rules, "S", "QD AD KD", "QC 7S 8H") == "7S"
        assert legal(rules, "S", "AH 7H", "7S 8C") == "7S"
    assert legal(BALOOT, "S", "AH 7H", "7S 8C") == "8C 7S"
    assert legal(BALOOT, "S", "KH 7H", "7S 8C") == "7S"
    assert legal(BALOOT, "S", "7H KH 8H", "7S 8C") == "8C 7S"


@pytest.mark.parametrize("preset", STRICT)
def test_r11_r12_french_and_russian_duties(preset):
    rules = load_ruleset(preset)
    assert legal(rules, "S", "TH", "AH 7H") == "7H AH"
    assert legal(rules, "S", "AH 7H", "7S 8C") == "8C 7S"
    assert legal(rules, "D", "7C TD JD", "AD 9D 7S") == "9D AD"


def test_r10_r12_two_and_three_players():
    assert legal(RU_3, "S", "QD KS", "QC 7S 8H") == "7S"
    assert legal(RU_3, "D", "TC TD", "AD JD 7D 7S") == "JD AD"
    for rules in (GERMAN_2, GERMAN_3):  # Q13: who is void plays what he likes
        assert legal(rules, "S", "QD", "QC 7S 8H") == "QC 8H 7S"
        assert legal(rules, "S", "9S", "JS 7S 8H") == "JS"


# --- Declarations ----------------------------------------------------------------------------

HEARTS, SPADES = ["QH KH AH"], ["QS KS AS"]


@pytest.mark.parametrize("rules", [FR, PAIRS])
def test_r14_trump_and_then_the_earlier(rules):
    assert points_of(rules, "S", {0: HEARTS, 1: SPADES}) == (0, 20)
    assert points_of(rules, "C", {0: HEARTS, 1: SPADES}) == (20, 0)
    assert points_of(rules, "C", {0: HEARTS, 2: SPADES}) == (40, 0)


def test_r14_three_players():
    assert points_of(BELA_3, "C", {0: HEARTS, 1: SPADES, 2: ["9D TD JD"]}) == (0, 0, 0)
    assert points_of(RU_3, "C", {1: HEARTS, 2: SPADES, 0: ["7D 8D 9D"]}) == (0, 20, 0)
    assert points_of(RU_3, "S", {1: HEARTS, 2: SPADES}) == (0, 0, 20)


@pytest.mark.parametrize("name", ruleset_names())
def test_r15_height_goes_before_trumps(name):
    rules = load_ruleset(name)
    assert points_of(rules, "D", {0: ["7D 8D 9D"], 1: ["8S 9S TS"]})[:2] == (0, 20)


@pytest.mark.parametrize("rules", [FR, PAIRS])
def test_r18_one_contest_with_the_carre_on_top(rules):
    assert points_of(rules, "H", {0: ["QC QD QH QS"], 1: ["7S 8S 9S TS JS"]}) == (100, 0)


def test_r18_r19_separate_contests_and_not_the_sum():
    for rules in (WORLD, BELA):
        assert points_of(rules, "H", {0: ["QC QD QH QS"], 1: ["7S 8S 9S TS JS"]}) == (100, 100)
    for rules in (WORLD, BELA, FR, PAIRS):
        assert points_of(rules, "H", {0: ["QC QD QH QS", "KC KD KH KS"], 1: ["9C 9D 9H 9S"]}) == (0, 150)


def test_r20_one_card_in_two_combinations():
    """Once in S4, as its text inherits; twice in the Russian games (A75) and where the option says so."""
    first, second = "JH QH KH JS JD JC 7S 8S", "KS QS JS TS 9S KH KD KC"
    shared = load_ruleset("belote-fr", {"shared_cards": True})
    for rules, points in ((FR, (200, 150)), (shared, (220, 200)), (PAIRS, (220, 200))):
        own = [
            points_of(rules, "H", {0: api.best_declarations(rules, "H", hand)})[0] for hand in (first, second)
        ]
        assert tuple(own) == points


def test_r21_long_sequences():
    six_against_five = {0: ["7S 8S 9S TS JS QS"], 1: ["TH JH QH KH AH"]}
    assert points_of(FR, "D", six_against_five) == (100, 0)
    assert points_of(GERMAN_2, "D", six_against_five) == (100, 0)
    for rules in (WORLD, BELA, PAIRS):  # no longer than five
        assert points_of(rules, "D", six_against_five) == (0, 100)
    eight = "7S 8S 9S TS JS QS KS AS"
    for rules, points in ((WORLD, 120), (BELA, 120), (FR, 100), (PAIRS, 100), (GERMAN_2, 100)):
        assert points_of(rules, "H", {0: api.best_declarations(rules, "H", eight)})[0] == points
    assert api.best_declarations(BELA, "H", "8S 9S TS JS QS KS AS") == ["TS JS QS KS AS"]  # A427


def test_r22_at_no_trumps():
    """Nothing but in S9, where it counts double (A177); belote nowhere."""
    run = {0: ["QH KH AH"]}
    assert points_of(PAIRS, "N", run) == (20, 0)
    for rules in (WORLD, BELA, BELA_2):
        assert points_of(rules, "N", run) == (0, 0)
    assert points_of(BELA_3, "N", run) == (0, 0, 0)
    record = begun("belot-ru-pairs", "N", "KH", full_hands("AH KH QH"), belotes=[{"seat": 0, "suit": "H"}])
    assert codes(record) == ["false-belote"]


@pytest.mark.parametrize(
    ("preset", "at", "expected"),
    [
        ("belote-fr", 3, []),  # within the first trick
        ("belote-fr", 4, ["late-declaration"]),
        ("bela-4p", 6, []),  # within the first two (A429)
        ("bela-4p", 8, ["late-declaration"]),
        ("belot-ru-pairs", 3, ["late-declaration"]),  # before the own first card
    ],
)
def test_r23_time_of_declarations(preset, at, expected):
    hands = full_hands("AC AD", "8C 7D", "9C TH JH QH 8D", "TC KD", without=("", "", "H", ""))
    record = begun(preset, "S", "AC 8C 9C TC AD 7D 8D KD", hands)
    assert codes(record | {"declarations": [{"seat": 2, "cards": "TH JH QH", "at": at}]}) == expected


# --- Belote and capot ------------------------------------------------------------------------


def test_r25_french_belote_and_capot():
    """272 and nothing; 252 and 20 where the other side holds the belote."""
    assert score(FR, "H", (272, 0), capot=0, belote=(20, 0)) == (272, 0, 0)
    assert score(FR, "H", (252, 20), capot=0, belote=(0, 20)) == (252, 20, 0)
    hands = ["AC TC KC QC JH 9H AH TH", "7C 8C 9C JC KH QH 8H 7H"]
    hands += ["7D 8D 9D TD JD QD KD AD", "7S 8S 9S TS JS QS KS AS"]
    plays = "JH 7H 7D 7S 9H 8H 8D 8S AH QH 9D 9S TH KH TD TS AC 8C JD JS TC 9C QD QS KC JC KD KS QC 7C AD AS"
    record = begun("belote-fr", "H", plays, hands, end="played", belotes=[{"seat": 1, "suit": "H", "at": 9}])
    result = checked(record)
    assert result.findings == ()
    assert (result.computed.points, result.computed.score) == ((252, 20), (252, 20))


# Seat 0 takes all nine tricks, though seat 1 holds king and queen of trumps.
SWEPT = begun(
    "belot-ru-3p",
    "H",
    "JH 7H 8S 9H 8H 9S AH QH TS TH KH 9C AC 7C JC TC 8C QC AD 7D 9D TD 8D JD AS 7S QD",
    ["JH 9H AH TH AC TC AD TD AS", "KH QH 8H 7H 7C 8C 7D 8D 7S", "9C JC QC 9D JD QD 8S 9S TS"],
    dealer=2,
    end="played",
    belotes=[{"seat": 1, "suit": "H", "at": 4}],
    declarations=[{"seat": 2, "cards": "8S 9S TS"}],
)


def test_r25_what_a_trickless_player_announced():
    """S8 voids it all (A131, A133); S5 his declarations, and awards the belote always (A457)."""
    result = checked(SWEPT)
    assert result.findings == ()
    assert (result.computed.points, result.computed.score) == ((145, 0, 0), (245, 0, 0))
    hands = ["AC TC KC QC JH 9H AH TH", "7C 8C 9C JC KH QH 8H 7H"]
    hands += ["7D 8D 9D TD JD QD KD AD", "7S 8S 9S TS JS QS KS AS"]
    plays = "JH 7H 7D 7S 9H 8H 8D 8S AH QH 9D 9S TH KH TD TS AC 8C JD JS TC 9C QD QS KC JC KD KS QC 7C AD AS"
    announced = {
        "declarations": [{"seat": 1, "cards": "7C 8C 9C"}],
        "belotes": [{"seat": 1, "suit": "H", "at": 9}],
    }
    bela = checked(begun("bela-4p", "H", plays, hands, end="played", **announced))
    assert bela.findings == ()
    assert (bela.computed.points, bela.computed.score) == ((162, 20), (25, 2))


def test_r26_belote_thrown_on_another_suit():
    """S3 and S4 do not ask how it is played (A309); S5 does (A431)."""
    hands = full_hands("7C", "KH QH", without=("", "C"))
    belotes = [{"seat": 1, "suit": "H"}]
    world = begun("belot-world", "A", "7C KH", hands, belotes=belotes)
    assert codes(world) == []
    assert checked(world).computed.belote_points == (0, 20)
    assert codes(begun("bela-4p", "A", "7C KH", hands, belotes=belotes)) == ["false-belote"]


# --- Scores ----------------------------------------------------------------------------------


def test_r27_french_failed_contract():
    """The defenders write all, the failed side's tierce too; its belote stays."""
    assert score(FR, "H", (70, 112)) == (0, 182, 0)
    assert score(FR, "H", (90, 92)) == (0, 182, 0)
    assert score(FR, "H", (90, 92), belote=(20, 0)) == (20, 162, 0)


def test_r28_failed_declarer_writes_nothing():
    for rules in (FR, PAIRS, GERMAN_2, WORLD, BELA, BELA_2):
        assert score(rules, "S", (72, 90))[0] == 0
    for rules in (RU_3, GERMAN_3, BELA_3):
        assert score(rules, "S", (52, 60, 50))[0] == 0


def test_r31_r32_capots_that_are_game_points():
    """S3 doubles the premium at no trumps and no deal with a capot; S5 doubles the deal and not the premium."""
    assert score(WORLD, "N", (260, 0), capot=0) == (44, 0, 0)
    assert score(BELA, "N", (260, 0), capot=0) == (35, 0, 0)
    assert score(WORLD, "H", (162, 0), level=2, capot=0) == (25, 0, 0)
    assert score(BELA, "H", (162, 0), level=2, capot=0) == (41, 0, 0)


@pytest.mark.parametrize("rules", [WORLD, BELA])
def test_r34_rounding_at_the_limit(rules):
    for contract, points, written in (
        ("H", (106, 56), (10, 6)),
        ("H", (156, 6), (15, 1)),
        ("A", (224, 34), (22, 4)),
        ("A", (194, 164), (19, 17)),
    ):
        assert score(rules, contract, points) == (*written, 0)


def test_r35_the_contract_is_tested_on_raw_points():
    """82 against 80 is made though both round to 8, and 80 against 82 is not; raw scores keep their sum."""
    for rules in (WORLD, BELA):
        assert score(rules, "H", (82, 80)) == (8, 8, 0)
        assert score(rules, "H", (80, 82)) == (0, 16, 0)
    for points in ((95, 67), (99, 63)):
        assert sum(score(FR, "H", points)) == 162
        assert sum(score(BELA, "H", points)) == 16


def test_r36_what_hangs():
    assert score(FR, "H", (91, 91)) == (0, 91, 91)
    for rules in (WORLD, BELA):
        assert score(rules, "H", (106, 106)) == (0, 10, 11)
        assert score(rules, "A", (154, 154)) == (0, 15, 16)
    assert score(RU_3, "H", (60, 60, 42)) == (0, 60, 42, 60)


def test_r38_doubled_and_equal():
    """S3, S5: raw points multiplied, then rounded."""
    for rules in (WORLD, BELA):
        assert score(rules, "H", (81, 81), level=2) == (0, 0, 32)
        assert score(rules, "H", (81, 81), level=4) == (0, 0, 65)


# --- The match and the auction ---------------------------------------------------------------


def test_r40_r41_the_end_of_a_match():
    bela = [step(1, (140, 100), rules=BELA), step(2, (25, 0), rules=BELA, capot_side=0)]
    assert check_match(bela).summary.winner is None
    assert check_match([*bela, step(3, (10, 6), rules=BELA)]).summary.winner == 0
    fr = [step(1, (900, 100), rules=FR), step(2, (252, 0), rules=FR, capot_side=0)]
    assert check_match(fr).summary.winner == 0
    # Russian rules: of those who are there, who took the last trick; if he is not there, on it goes
    assert match_winner(RU_3, (510, 505, 100), False, 0, 1) == 1
    assert match_winner(RU_3, (505, 505, 100), False, 0, 0) == 0
    assert match_winner(RU_3, (510, 505, 100), False, 0, 2) == NO_SIDE
    assert match_winner(FR, (1010, 1010, 0), False, 0) == NO_SIDE


@pytest.mark.parametrize("name", ruleset_names())
def test_r42_dealers_after_an_all_pass_deal(name):
    rules = load_ruleset(name)
    players = rules.players
    assert [next_dealer(rules, seat) for seat in range(players)] == [*range(1, players), 0]


@pytest.mark.parametrize(
    ("rules", "calls", "is_over", "contract"),
    [
        (BELA_3, "P P P", True, -1),
        (BELA_3, "P P S P", False, 3),
        (BELA_3, "P P S P P", True, 3),
        (BELA_2, "P P", True, -1),
        (BELA_2, "P S P", True, 3),
        (BELA, "A X XX", True, 5),
        (FR, "P P P P P P P P", True, -1),
        (RU_3, "P P P P P P", True, -1),
        (RU_3, "P H", True, 2),
        (GERMAN_2, "P P P P", True, -1),
    ],
)
def test_r43_end_of_the_auction(rules, calls, is_over, contract):
    state = bidding.start_auction(rules, rules.players - 1)
    for call in calls.split():
        code = api.parse_call(call)
        assert bidding.call_problem(rules, state, code) == bidding.CALL_IS_LEGAL
        state = bidding.after_call(rules, state, code)
    assert (bool(state.is_over), state.contract) == (is_over, contract)


def test_r44_r45_every_other_player_may_double_but_the_bidder():
    assert "X" in api.legal_calls(BELA_3, ["H", "P"], dealer=2)
    assert "XX" not in api.legal_calls(BELA_3, ["H", "X"], dealer=2)  # the third player is no partner
    assert "XX" in api.legal_calls(BELA_3, ["H", "X", "P"], dealer=2)
    assert "X" in api.legal_calls(BELA_2, ["H"], dealer=1)
    assert "X" not in api.legal_calls(FR, ["H"], dealer=3)
    record = BASE | {
        "rules": "bela-3p",
        "dealer": 2,
        "auction": ["P", "H", "X", "P", "P"],
        "end": "abandoned",
    }
    computed = checked(record).computed
    assert (computed.declarer, computed.level, computed.declarer_side) == (1, 2, 1)


# --- The turned-up card, and three players ---------------------------------------------------

FIRST = ["7C 8C KD TS 9S", "TC QC 7D 8D JH", "9C JC AD TH KS", "KC AC TD QD QH"]
LATER = ["9D 7H JS", "JD 8H QS", "KH AS", "AH 7S 8S"]


def test_r46_the_refused_suit_and_the_hand_of_the_taker():
    """Turn-up 9H, refused; in round 2 hearts cannot be called, and the taker of another suit holds it."""
    turned = BASE | {"rules": "belote-fr", "turn_up": "9H", "first_hands": FIRST, "end": "abandoned"}
    passes = ["P"] * 4
    assert codes(turned | {"auction": [*passes, "H"]}) == ["call-out-of-turn-up"]
    assert "call-out-of-turn-up" in codes(turned | {"auction": ["S"]})
    hands = [f"{first} {later}" for first, later in zip(FIRST, LATER, strict=True)]
    taken = [hand + " 9H" if seat == 2 else hand for seat, hand in enumerate(hands)]
    assert codes(turned | {"auction": [*passes, "P", "P", "S"], "hands": taken}) == []
    # the turned-up card in another hand, and one who keeps a card that is not his
    elsewhere = [hand.replace("7H", "9H") if seat == 0 else hand for seat, hand in enumerate(hands)]
    elsewhere[2] += " 7H"
    assert "hand-mismatch" in codes(turned | {"auction": [*passes, "P", "P", "S"], "hands": elsewhere})


def test_r46_a_turned_up_jack_is_in_somebodys_hand():
    jack = [hand.replace("JH", "9H") for hand in FIRST]
    turned = BASE | {"rules": "belote-fr", "turn_up": "JH", "first_hands": jack, "end": "abandoned"}
    hands = [f"{first} {later}" for first, later in zip(jack, LATER, strict=True)]
    hands[2] += " JH"
    result = checked(turned | {"auction": ["P", "P", "H"], "hands": hands, "plays": "7H"})
    assert result.findings == ()
    assert (result.computed.contract, result.computed.declarer) == (2, 2)


@pytest.mark.parametrize("rules", [RU_3, GERMAN_3])
def test_r47_equal_opponents_are_no_tie(rules):
    """Taker 62, opponents 50 and 50: made, and each writes his own."""
    assert score(rules, "H", (62, 50, 50)) == (62, 50, 50, 0)
    assert api.score_deal(rules, "H", 1, (62, 50, 50), 0).made is True
    # 50 and two of 56: failed, his points divided; equal with one of them and below the other: failed too (Q15)
    assert score(rules, "H", (50, 56, 56)) == (0, 81, 81, 0)
    assert score(rules, "H", (50, 50, 62)) == (0, 75, 87, 0)


def test_r47_equal_opponents_of_bela():
    assert score(BELA_3, "H", (62, 50, 50)) == (6, 5, 5, 0)


def test_r47_a_declarer_without_points_only_loses_the_fine():
    """A471's option: ten game points off, once, whether he failed with points or without."""
    fined = load_ruleset("bela-4p", {"kirtik": 10})
    assert score(fined, "H", (0, 162), capot=1) == (-10, 25, 0)
    assert score(fined, "H", (20, 142)) == (-10, 16, 0)


def test_r48_three_players_are_each_counted_from_the_cards():
    right = {"tricks": [0] * 9, "points": [145, 0, 0], "capot": 0, "score": [245, 0, 0], "made": True}
    assert codes(SWEPT | {"claimed": right}) == []
    assert codes(SWEPT | {"claimed": right | {"tricks": [1] * 9}}) == ["wrong-trick-winner"] * 9
    assert codes(SWEPT | {"claimed": right | {"points": [145, 20, 0]}}) == ["wrong-points"]
    assert codes(SWEPT | {"claimed": right | {"score": [145, 0, 0]}}) == ["wrong-score"]

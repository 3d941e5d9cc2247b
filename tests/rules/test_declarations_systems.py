"""Combinations in every system: what counts, what beats what, and what a hand announces; values from RULES.md 1e."""

import pytest

from belot_stats import api
from belot_stats.cards import format_hand, parse_contract, parse_hand
from belot_stats.rules.declarations import (
    BEATEN,
    COUNTED,
    TIED,
    Announcement,
    announced_runs,
    best_combinations,
    combination_points,
    settle_announcements,
)
from belot_stats.ruleset import load_ruleset

PAIRS = ("belot-bg", "belot-bg-classic", "belot-world", "belote-fr", "bela-4p", "belot-ru-pairs")
THREE_SIDES = ("bela-3p", "belot-ru-3p", "belot-1001-3p")
RUSSIAN = ("belot-ru-3p", "belot-ru-pairs")
GERMAN = ("belot-1001-2p", "belot-1001-3p")
ACES, QUINTE = "AC AD AH AS", "7S 8S 9S TS JS"


def score(preset, contract, declared, first_leader=0, **options):
    """Points of the sides, as a list."""
    rules = load_ruleset(preset, options)
    return list(api.score_declarations(rules, contract, declared, first_leader).values())


def fates(preset, contract, *announced, first_leader=0):
    """Fate of each (seat, cards[, at])."""
    items = [Announcement(seat, parse_hand(cards), *at) for seat, cards, *at in announced]
    return settle_announcements(load_ruleset(preset), parse_contract(contract), items, first_leader)


# --- Points ------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [*PAIRS, *THREE_SIDES, "bela-2p", "belot-1001-2p"])
def test_runs_of_three_four_five_and_six_pay_20_50_100_100(preset):
    runs = ("9C TC JC", "9C TC JC QC", "9C TC JC QC KC", "9C TC JC QC KC AC")
    assert [score(preset, "H", {0: [run]})[0] for run in runs] == [20, 50, 100, 100]


@pytest.mark.parametrize(
    ("preset", "points"),
    [("belot-world", 120), ("bela-4p", 120), ("belot-bg", 100), ("belot-ru-3p", 100), ("belot-1001-3p", 100)],
)
def test_a_run_of_eight_is_a_quinte_and_a_tierce_in_two_systems(preset, points):
    """A302, A427; elsewhere one hundred."""
    assert score(preset, "H", {0: ["7C 8C 9C TC JC QC KC AC"]})[0] == points


@pytest.mark.parametrize("preset", GERMAN)
def test_carres_of_the_german_text_pay_what_it_says(preset):
    """C46-53, Q14: queens 100, kings and tens 50, though tens rank above them."""
    rules = load_ruleset(preset)
    points = {r: combination_points(rules, 2, parse_hand([r + s for s in "CDHS"])) for r in "J9AQKT87"}
    assert points == {"J": 200, "9": 140, "A": 110, "Q": 100, "K": 50, "T": 50, "8": -1, "7": -1}


def test_nothing_is_declared_at_no_trumps_but_in_russian_pairs():
    """A177 counts combinations at no trumps; A441, A589, B61 do not."""
    declared = {0: ["7C 8C 9C"], 1: [ACES]}
    assert score("belot-ru-pairs", "N", declared) == [0, 100]
    for preset in ("belot-world", "bela-4p", "belot-bg"):
        assert score(preset, "N", declared) == [0, 0]


def test_four_aces_at_no_trumps_where_the_option_is_on():
    """A311: they count as four jacks, and nothing else counts."""
    declared = {0: ["7C 8C 9C", "JC JD JH JS"], 1: [ACES]}
    assert score("belot-world", "N", declared, four_aces_no_trumps=200) == [0, 200]
    rules = load_ruleset("belot-world", {"four_aces_no_trumps": 200})
    assert api.best_declarations(rules, "N", ACES + " 7C 8C 9C TC") == [ACES]
    assert score("belot-world", "H", declared, four_aces_no_trumps=200) == [220, 0]


# --- The contest -------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [*RUSSIAN, *GERMAN, "belote-fr"])
def test_one_contest_has_the_carre_on_top(preset):
    """A63, C16 and the French rule: four aces beat a quinte."""
    assert fates(preset, "H", (0, ACES), (1, QUINTE)) == [COUNTED, BEATEN]


@pytest.mark.parametrize(
    "preset", ["belot-bg", "belot-bg-classic", "belot-world", "bela-4p", "bela-3p", "bela-2p"]
)
def test_separate_contests_count_both(preset):
    assert fates(preset, "H", (0, ACES), (1, QUINTE)) == [COUNTED, COUNTED]


def test_tens_are_the_lowest_carre_in_bela_alone():
    """A417."""
    declared = {0: ["TC TD TH TS"], 1: ["QC QD QH QS"]}
    assert score("bela-4p", "H", declared) == [0, 100]
    assert score("belot-world", "H", declared) == [100, 0]
    assert score("belot-1001-2p", "H", declared) == [50, 0]


def test_the_best_player_scores_his_lower_combinations_too():
    """A87, C16: the tierce counts, though another's quarte is higher than it; three players, three sides."""
    declared = {0: ["TC JC QC KC"], 1: ["7D 8D 9D TD JD", "QS KS AS"], 2: ["JH QH KH AH"]}
    for preset in THREE_SIDES:
        assert score(preset, "S", declared) == [0, 120, 0]


@pytest.mark.parametrize(
    ("preset", "winner"),
    [
        ("belot-bg-classic", 1), ("belot-world", 1), ("bela-4p", 1), ("bela-2p", 1), ("bela-3p", 1),
        ("belot-ru-3p", 1), ("belot-ru-pairs", 1),
        ("belot-bg", 0), ("belote-fr", 0), ("belot-1001-2p", 0), ("belot-1001-3p", 0),
    ],
)  # fmt: skip
def test_six_cards_against_five_that_end_higher(preset, winner):
    """Q7: capped at five in all but S1, S4, S10 and S11."""
    announced = [(0, "8C 9C TC JC QC KC"), (1, "TD JD QD KD AD")]
    if preset.startswith("bela-"):
        announced = [(0, "9C TC JC QC KC"), (1, "TD JD QD KD AD")]
    assert fates(preset, "H", *announced).index(COUNTED) == winner


@pytest.mark.parametrize("preset", [*RUSSIAN, *GERMAN, "belote-fr"])
def test_of_equal_sequences_the_trump_one_wins_else_the_earlier(preset):
    """A71, A73, C16; the trump one also where it is announced later."""
    assert fates(preset, "D", (0, "8C 9C TC"), (1, "8D 9D TD")) == [BEATEN, COUNTED]
    assert fates(preset, "S", (0, "8C 9C TC"), (1, "8D 9D TD")) == [COUNTED, BEATEN]
    assert fates(preset, "S", (0, "8C 9C TC"), (1, "8D 9D TD"), first_leader=1) == [BEATEN, COUNTED]


@pytest.mark.parametrize("preset", [*RUSSIAN, *GERMAN, "belote-fr"])
def test_earlier_is_the_moment_then_the_order_of_the_record(preset):
    assert fates(preset, "S", (0, "8C 9C TC", 6), (1, "8D 9D TD", 3)) == [BEATEN, COUNTED]
    assert fates(preset, "S", (1, "8D 9D TD", 3), (0, "8C 9C TC", 3)) == [COUNTED, BEATEN]


def test_at_all_trumps_no_sequence_is_the_trump_one():
    assert fates("belot-ru-pairs", "A", (0, "8C 9C TC"), (1, "8S 9S TS")) == [COUNTED, BEATEN]


def test_a_trump_sequence_does_not_beat_a_higher_one():
    assert fates("belot-ru-3p", "D", (0, "9C TC JC"), (1, "8D 9D TD")) == [COUNTED, BEATEN]


def test_a_later_combination_beats_an_earlier_one_that_is_lower():
    """C16: the points are of the player who has the senior combination in hand, whenever it was announced."""
    assert fates("belot-1001-2p", "H", (0, "8C 9C TC", 0), (1, "9D TD JD", 6)) == [BEATEN, COUNTED]


@pytest.mark.parametrize("preset", ["bela-3p", "bela-4p", "belot-bg", "belot-world"])
def test_equal_best_sequences_void_all_sequences(preset):
    """A435, A593: also the third player's lower one, and both sides' own lower ones; carrés stand."""
    announced = [(0, "JC QC KC"), (1, "JD QD KD"), (2, "7S 8S 9S"), (1, "7H 8H 9H"), (2, "TC TD TH TS")]
    assert fates(preset, "D", *announced) == [TIED, TIED, TIED, TIED, COUNTED]


def test_partners_do_not_cancel_each_other():
    assert fates("bela-4p", "D", (0, "JC QC KC"), (2, "JD QD KD")) == [COUNTED, COUNTED]
    assert fates("bela-3p", "D", (0, "JC QC KC"), (2, "JD QD KD")) == [TIED, TIED]


# --- What a hand announces -----------------------------------------------------------------------

SHARING = "9S TS JS QS KS KC KD KH 7C"


@pytest.mark.parametrize("preset", ["belot-ru-3p", "belot-1001-2p", "belot-1001-3p"])
def test_a_card_stands_in_a_carre_and_in_a_sequence(preset):
    """A75, C16."""
    assert api.best_declarations(preset, "H", SHARING) == ["KC KD KH KS", "9S TS JS QS KS"]


@pytest.mark.parametrize("preset", ["bela-2p", "bela-3p", "bela-4p", "belot-world", "belote-fr", "belot-bg"])
def test_without_sharing_the_run_is_announced_shorter(preset):
    """Q34: four kings beside Q J 10 9."""
    assert api.best_declarations(preset, "H", SHARING) == ["KC KD KH KS", "9S TS JS QS"]


def test_without_sharing_the_choice_that_counts_most():
    """Nine cards: a carré in the middle of a quinte leaves nothing of it; 200 and nothing is more than 100."""
    hand = "JC JD JH JS 9S TS QS KS 7C"
    assert api.best_declarations("bela-2p", "H", hand) == ["JC JD JH JS"]
    assert api.best_declarations("belot-ru-3p", "H", hand) == ["JC JD JH JS", "9S TS JS QS KS"]


@pytest.mark.parametrize(
    ("preset", "announced"),
    [
        ("bela-3p", ["TC JC QC KC AC"]),
        ("belot-world", ["9C TC JC QC KC AC"]),
        ("belot-bg-classic", ["9C TC JC QC KC AC"]),
        ("belot-1001-3p", ["9C TC JC QC KC AC"]),
    ],
)
def test_six_cards_are_announced_as_the_highest_five_in_bela(preset, announced):
    """A427."""
    assert api.best_declarations(preset, "H", "9C TC JC QC KC AC 9D TS") == announced


@pytest.mark.parametrize(
    ("preset", "announced"),
    [
        ("bela-4p", ["7C 8C 9C", "TC JC QC KC AC"]),
        ("belot-world", ["7C 8C 9C", "TC JC QC KC AC"]),
        ("belot-bg", ["7C 8C 9C TC JC QC KC AC"]),
        ("belot-ru-3p", ["7C 8C 9C TC JC QC KC AC"]),
    ],
)
def test_eight_cards_are_announced_as_five_and_three_where_they_count_so(preset, announced):
    hand = "7C 8C 9C TC JC QC KC AC"
    assert api.best_declarations(preset, "H", hand) == announced
    assert score(preset, "H", {0: announced}) == score(preset, "H", {0: [hand]})


def test_runs_that_are_not_long_are_announced_whole():
    rules = load_ruleset("bela-4p")
    runs = announced_runs(rules, parse_hand("7C 8C 9C TC JC 7H 8H 9H"))
    assert [format_hand(run) for run in runs] == ["7C 8C 9C TC JC", "7H 8H 9H"]


def test_seven_cards_leave_no_tierce_in_bela():
    assert api.best_declarations("bela-4p", "H", "7C 8C 9C TC JC QC KC 8D") == ["9C TC JC QC KC"]


def test_a_hand_may_announce_at_no_trumps_in_russian_pairs_alone():
    hand = "7C 8C 9C AC AD AH AS KD"
    assert api.best_declarations("belot-ru-pairs", "N", hand) == [ACES, "7C 8C 9C"]
    assert api.best_declarations("bela-4p", "N", hand) == []
    assert best_combinations(load_ruleset("bela-4p"), 4, parse_hand(hand)) == []


def test_scores_name_every_side():
    assert api.score_declarations("bela-3p", "H", {"2": ["7C 8C 9C"]}, 1) == {0: 0, 1: 0, 2: 20}
    assert api.score_declarations("belot-1001-2p", "H", {1: ["7C 8C 9C"]}, 1) == {0: 0, 1: 20}
    assert api.score_declarations("belot-ru-pairs", "H", {3: ["7C 8C 9C"]}, 1) == {0: 0, 1: 20}

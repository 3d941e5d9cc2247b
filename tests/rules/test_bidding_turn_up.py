"""Bidding for a turned-up card, Baloot's floor card, and the forced dealer."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_stats.api import legal_calls
from belot_stats.cards import CALL_NAMES, CONTRACT_NAMES, NO_CARD, NO_SEAT, cards_in, parse_call, parse_card
from belot_stats.errors import RuleSetError, UsageError
from belot_stats.rules import bidding, play, turn_up
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import naive

FR, RU, PAIRS = (load_ruleset(name) for name in ("belote-fr", "belot-ru-3p", "belot-ru-pairs"))
TWO_UP = load_ruleset("belot-1001-2p")
BALOOT = load_ruleset("baloot")
ALL_ASHKAL = load_ruleset("baloot", {"ashkal": "both_rounds", "ashkal_on_ace": False})


def opened(rules: RuleSet, cards: str = "", dealer: int = 3) -> bidding.Auction:
    first, second = [*map(parse_card, cards.split()), NO_CARD, NO_CARD][:2]
    return bidding.start_auction(rules, dealer, first, second)


def called(rules: RuleSet, calls: str, cards: str = "", dealer: int = 3) -> bidding.Auction:
    """Auction after *calls*, all of which are legal."""
    state = opened(rules, cards, dealer)
    for text in calls.split():
        call = parse_call(text)
        assert bidding.call_problem(rules, state, call) == bidding.CALL_IS_LEGAL, (calls, text)
        state = bidding.after_call(rules, state, call)
    return state


def open_calls(rules: RuleSet, calls: str, cards: str = "", dealer: int = 3) -> str:
    mask = bidding.legal_call_mask(rules, called(rules, calls, cards, dealer))
    return " ".join(CALL_NAMES[call] for call in cards_in(mask))


@pytest.mark.parametrize(
    ("rules", "calls", "cards", "expected"),
    [
        (FR, "", "9H", "H P"),
        (FR, "P P P", "9H", "H P"),
        (FR, "P P P P", "9H", "C D S P"),
        (FR, "P P P P", "", "C D H S P"),
        (FR, "", "", "C D H S P"),
        (FR, "H", "9H", ""),
        (FR, "P P P P P P P P", "9H", ""),
        (PAIRS, "", "9H", "H P"),
        (PAIRS, "P P P P", "9H", "C D S N A P"),
        (TWO_UP, "P P", "9H 8C", "C P"),
        (TWO_UP, "P P", "9H", "C D S P"),
    ],
)
def test_open_calls(rules, calls, cards, expected):
    assert open_calls(rules, calls, cards, rules.players - 1) == expected


def test_first_taker_ends_the_bidding():
    state = called(FR, "P P H", "9H")
    assert (state.is_over, state.contract, state.declarer_seat, state.round) == (1, 2, 2, 1)
    assert called(FR, "P P P P P S", "9H")._replace(turn_seat=0)[:3] == (0, 3, 1)


@pytest.mark.parametrize("call", ["C", "N", "A", "X", "AK", "X-"])
def test_calls_that_the_system_does_not_have(call):
    assert bidding.call_problem(FR, opened(FR, "9H"), parse_call(call)) == bidding.CALL_NOT_OF_SYSTEM


def test_an_illegal_call_takes_its_turn_and_no_more():
    state = opened(FR, "9H")
    for _ in range(8):
        assert not state.is_over
        state = bidding.after_illegal_call(FR, state)
    assert (state.is_over, state.contract, state.passes) == (1, -1, 0)
    assert bidding.call_problem(FR, state, parse_call("P")) == bidding.CALL_AFTER_END


def test_doubling_after_the_order_where_there_are_levels():
    rules = load_ruleset("belote-fr", {"multipliers": [2, 4]})
    assert open_calls(rules, "P H", "9H") == "P X"
    assert open_calls(rules, "P H P", "9H") == "P"
    assert open_calls(rules, "P H X", "9H") == "P XX"
    state = called(rules, "P H X XX P P P", "9H")
    assert (state.is_over, bidding.level_of(rules, state.doubles), state.declarer_seat) == (1, 4, 1)
    assert called(rules, "P H P P P", "9H").is_over
    assert not called(rules, "P H P P", "9H").is_over
    assert bidding.call_problem(rules, opened(rules, "9H"), parse_call("X")) == bidding.CONTRA_NOT_ALLOWED


# --- Forced dealer ---------------------------------------------------------------------------


def test_forced_dealer_of_an_auction():
    rules = load_ruleset("bela-4p", {"forced_dealer": True})
    assert open_calls(rules, "P P P") == "C D H S N A"
    assert bidding.call_problem(rules, called(rules, "P P P"), parse_call("P")) == bidding.BID_TOO_LOW
    assert "P" in open_calls(rules, "P H P").split()


def test_forced_dealer_of_a_turn_up():
    rules = load_ruleset("belote-fr", {"forced_dealer": True})
    assert open_calls(rules, "P P P", "9H") == "H P"
    assert open_calls(rules, "P P P P P P P", "9H") == "C D S"
    state = called(rules, "P P P P P P P", "9H")
    assert bidding.call_problem(rules, state, parse_call("P")) == bidding.CALL_NOT_OF_SYSTEM


def test_a_forced_dealer_with_nothing_to_order_passes():
    rules = load_ruleset("belote-fr", {"forced_dealer": True, "round_two": "none", "contracts": ["C", "D"]})
    assert open_calls(rules, "P P P", "9H") == "P"


# --- Baloot: seat 0 speaks first, seat 3 deals ------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "cards", "expected"),
    [
        ("", "9H", "H N P"),
        ("P P", "9H", "H N P AK"),
        ("P P P", "9H", "H N P AK"),
        ("P P P P", "9H", "C D S N P"),
        ("P P P P P P", "9H", "C D S N P AK"),
        ("P P", "AH", "H N P"),
        ("H", "9H", "N P"),
        ("H P", "9H", "N P AK"),
        ("P P H P", "9H", "N P"),  # who passed before may call Sun over the suit
        ("H P P P", "9H", "N P"),  # the caller confirms, or changes to Sun
        ("H P P P P", "9H", "P X X-"),
        ("H P P P P P", "9H", "P"),
        ("H P P P P X", "9H", "P XX"),
        ("H P P P P X XX", "9H", "P XXX XXX-"),
        ("H P P P P X XX XXX", "9H", "P XXXX"),
        ("H P P P P X XX XXX XXXX", "9H", "P"),
        ("N", "9H", "P X"),
        ("N X", "9H", "P"),
        ("H N", "9H", "P X"),
        ("H N P", "9H", "P"),
        ("H N P P", "9H", "P X"),
    ],
)
def test_open_calls_of_baloot(calls, cards, expected):
    assert open_calls(ALL_ASHKAL, calls, cards) == expected


def test_the_end_of_bidding_at_baloot():
    state = called(BALOOT, "P H N P P P", "9H")
    assert (state.is_over, state.contract, state.declarer_seat) == (1, 4, 2)
    state = called(BALOOT, "P H P P P N P P P", "9H")
    assert (state.is_over, state.contract, state.declarer_seat) == (1, 4, 1)
    state = called(BALOOT, "P H P P P P X- XX P P P", "9H")
    assert (state.is_over, state.is_closed, state.doubles) == (1, 0, 2)
    state = called(BALOOT, "P H P P P P X- P P P", "9H")
    assert (state.is_over, state.is_closed, state.doubles) == (1, 1, 1)
    state = called(BALOOT, "H P P P P X XX XXX- P P P", "9H")
    assert (state.is_over, state.is_closed, state.doubles) == (1, 1, 3)
    state = called(BALOOT, "H P P P P X XX XXX XXXX P P P", "9H")
    assert (state.is_over, bidding.level_of(BALOOT, state.doubles)) == (1, 0)
    assert called(BALOOT, "P P P P P P P P", "9H").is_over


def test_ashkal():
    state = called(BALOOT, "P P AK P P P", "9H")
    assert (state.is_over, state.contract, state.is_ashkal, state.declarer_seat) == (1, 4, 1, 2)
    assert turn_up.turn_up_receiver(BALOOT, state) == 0
    for seat_passes, is_open in ((0, False), (1, False), (2, True), (3, True)):
        assert ("AK" in open_calls(BALOOT, "P " * seat_passes, "9H").split()) == is_open
    second_only = load_ruleset("baloot", {"ashkal": "second_round"})
    assert "AK" not in open_calls(second_only, "P P", "9H").split()
    assert "AK" in open_calls(second_only, "P P P P P P", "9H").split()
    assert "AK" not in open_calls(load_ruleset("baloot", {"ashkal": "none"}), "P P", "9H").split()
    on_ace = load_ruleset("baloot", {"ashkal_on_ace": True})
    assert "AK" in open_calls(on_ace, "P P", "AH").split()


def test_sun_over_a_suit_called_on_an_ace():
    rules = load_ruleset("baloot", {"sun_over_ace": "first_speaker", "ashkal_on_ace": True})
    assert open_calls(rules, "P H", "AH") == "P"
    assert open_calls(rules, "P H P P", "AH") == "N P"  # the seat after the dealer
    assert open_calls(rules, "P H P P P", "AH") == "P"
    assert open_calls(rules, "H P P P", "AH") == "N P"
    assert open_calls(rules, "P H", "9H") == "N P AK"
    assert open_calls(rules, "P H", "") == "N P AK"


def test_no_sun_in_round_two():
    rules = load_ruleset("baloot", {"round_two": "other_suits"})
    assert open_calls(rules, "P P P P", "9H") == "C D S P"
    assert open_calls(rules, "P P P P S", "9H") == "P"


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(["none", "both_rounds", "first_round", "second_round"]),
    st.booleans(),
)
def test_every_baloot_auction_ends(seed, ashkal, is_restricted):
    rng = random.Random(seed)
    options = {"ashkal": ashkal, "sun_over_ace": "first_speaker" if is_restricted else "anyone"}
    rules = load_ruleset("baloot", options)
    state = bidding.start_auction(rules, rng.randrange(4), rng.randrange(32))
    for _ in range(60):
        if state.is_over:
            break
        legal = list(cards_in(bidding.legal_call_mask(rules, state)))
        assert parse_call("P") in legal
        call = rng.randrange(bidding.CALL_COUNT)
        before, is_legal = state, call in legal
        after_illegal = bidding.after_illegal_call(rules, state)
        state = bidding.after_call(rules, state, call) if is_legal else after_illegal
        assert state.turn_seat == (before.turn_seat + 1) % 4
        if not is_legal:
            assert (state.contract, state.declarer_seat, state.doubles) == before[1:4]
    else:
        assert state.contract >= 0  # only illegal calls in the doubling go on for so long


# --- The turned-up card ----------------------------------------------------------------------


def test_who_gets_the_turned_up_card():
    assert turn_up.turn_up_receiver(FR, called(FR, "P H", "9H")) == 1
    assert turn_up.turn_up_receiver(FR, called(FR, "P P P P S", "9H")) == 0
    assert turn_up.turn_up_receiver(FR, called(FR, "P P P P P P P P", "9H")) == NO_SEAT
    assert turn_up.turn_up_receiver(RU, called(RU, "H", "9H", 2)) == NO_SEAT
    assert turn_up.turn_up_receiver(PAIRS, called(PAIRS, "P P P P P P P P", "9H")) == 3
    redeal = load_ruleset("belot-ru-pairs", {"all_pass": "redeal"})
    assert turn_up.turn_up_receiver(redeal, called(redeal, "P P P P P P P P", "9H")) == NO_SEAT
    assert turn_up.turn_up_receiver(PAIRS, called(PAIRS, "P P P", "9H")) == NO_SEAT
    assert turn_up.all_pass_contract(PAIRS, called(PAIRS, "P P P P P P P P", "9H")) == 2
    assert turn_up.all_pass_contract(PAIRS, called(PAIRS, "P P P P P P P P")) == -1
    assert turn_up.all_pass_contract(FR, called(FR, "P P P P P P P P", "9H")) == -1


def test_exchange_of_the_seven():
    seven, nine, eight = (parse_card(name) for name in ("7H", "9H", "8C"))
    hand = 1 << seven | 1 << eight
    assert turn_up.may_exchange(RU, 2, hand, nine)
    assert not turn_up.may_exchange(RU, 3, hand, nine)
    assert not turn_up.may_exchange(RU, -1, hand, nine)
    assert not turn_up.may_exchange(RU, 2, 1 << eight, nine)
    assert not turn_up.may_exchange(RU, 2, hand, NO_CARD)
    assert not turn_up.may_exchange(PAIRS, 2, hand, nine)
    assert turn_up.after_exchange(hand, nine) == 1 << nine | 1 << eight


def test_closed_lead():
    hand = sum(1 << parse_card(name) for name in ("7H", "9H", "8C"))
    assert play.lead_mask(2, hand, True) == 1 << parse_card("8C")
    assert play.lead_mask(2, hand, False) == hand
    assert play.lead_mask(4, hand, True) == hand
    only_trumps = 1 << parse_card("7H")
    assert play.lead_mask(2, only_trumps, True) == only_trumps


# --- As a public function ---------------------------------------------------------------------


def test_legal_calls_of_the_api():
    assert legal_calls("belote-fr", ["P"] * 4, dealer=2, turn_up="9H") == ["P", "C", "D", "S"]
    assert legal_calls("belot-1001-2p", ["P", "P"], turn_up=["9H", "8C"]) == ["P", "C"]
    assert legal_calls("belot-1001-2p", ["P", "P"], turn_up="9H 8C") == ["P", "C"]
    assert legal_calls("belote-fr", []) == ["P", "C", "D", "H", "S"]
    assert legal_calls("baloot", ["P", "P"], dealer=3, turn_up="9H") == ["P", "H", "N", "AK"]
    assert legal_calls("baloot", ["H", "P", "P", "P", "P"], turn_up="9H") == ["P", "X", "X-"]
    with pytest.raises(UsageError, match="turn_up"):
        legal_calls("belote-fr", [], turn_up="9H 8C")
    with pytest.raises(UsageError, match="call 0 'S'"):
        legal_calls("belote-fr", ["S"], turn_up="9H")


# --- Against the slow engine -----------------------------------------------------------------


@st.composite
def turn_up_systems(draw):
    """A turn-up preset with other bidding, and the same for the slow engine."""
    name = draw(
        st.sampled_from(("belote-fr", "belot-ru-3p", "belot-ru-pairs", "belot-1001-2p", "belot-1001-3p"))
    )
    two = draw(st.booleans())
    suits = draw(st.permutations("CDHS").map(lambda order: list(order[: draw(st.integers(1, 4))])))
    others = draw(st.sampled_from(([], ["N"], ["N", "A"], ["A"])))
    rounds = ("none", "other_suits", "other_suits_and_no_suit")
    options = {
        "turn_up": "two" if two else "one",
        "turn_up_to": "nobody" if load_ruleset(name).partners == 0 else "taker",
        "round_two": "second_turn_up" if two else draw(st.sampled_from(rounds)),
        "contracts": suits + others,
        "forced_dealer": draw(st.booleans()),
        "all_pass": "redeal",
        "seven_exchange": False,
    }
    try:
        rules = load_ruleset(name, options)
    except RuleSetError:
        options |= {"turn_up": "one", "round_two": "other_suits"}
        rules = load_ruleset(name, options)
    return rules, naive.SYSTEMS[name] | options


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(turn_up_systems(), st.integers(0, 2**32))
def test_turn_up_bidding_against_the_slow_engine(systems, seed):
    rules, names = systems
    rng = random.Random(seed)
    dealer = rng.randrange(rules.players)
    cards = [rng.choice("789TJQKA") + suit for suit in rng.sample("CDHS", 2)][: rng.randint(0, rules.turn_up)]
    state, calls = opened(rules, " ".join(cards), dealer), []
    while len(calls) < 12:
        mask = bidding.legal_call_mask(rules, state)
        expected = set(naive.legal_calls(names, calls, dealer, cards))
        if not state.is_over and not expected:
            expected = {"P"}  # a forced dealer with no contract to name
            assert rules.forced_dealer
        assert {CALL_NAMES[call] for call in cards_in(mask)} == expected, calls
        if expected == {"P"} and rules.forced_dealer and state.turn_seat == dealer:
            return
        calls.append(rng.choice(["P", "P", "P", *CALL_NAMES]))
        call = parse_call(calls[-1])
        if mask >> call & 1:
            state = bidding.after_call(rules, state, call)
        elif not state.is_over:
            state = bidding.after_illegal_call(rules, state)
    result = naive.auction_result(names, calls, dealer, cards)
    assert (state.is_over == 0) == result["open"]
    assert (CONTRACT_NAMES[state.contract] if state.contract >= 0 else None) == result["contract"]
    assert (state.declarer_seat if state.contract >= 0 else None) == result["declarer"]

"""The sensible policy: what it bids over many deals, and single decisions that a club player would agree with."""

from __future__ import annotations

from collections import Counter

import pytest

from belot_stats.cards import (
    NO_CARD,
    NO_SUIT,
    format_call,
    format_card,
    mask_of,
    parse_call,
    parse_cards,
    parse_contract,
    parse_hand,
)
from belot_stats.deal import Deal
from belot_stats.rules.bidding import after_call, legal_call_mask, start_auction
from belot_stats.rules.play import beats, legal_mask
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator import CallView, CardView, simulate_deals
from belot_stats.simulator.sensible import SensiblePolicy
from belot_stats.simulator.sensible_calls import strength
from belot_stats.simulator.streams import Stream

RULES = load_ruleset("belot-bg")
POLICY = SensiblePolicy()


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return list(simulate_deals(RULES, "sensible", 1, 1, 4_000))


def test_every_contract_level_and_outcome_occurs(deals: list[Deal]) -> None:
    played = [deal.claimed for deal in deals if deal.end == "played"]
    assert {claim.contract for claim in played} == set(range(6))
    assert {claim.level for claim in played} == {1, 2, 4}
    assert {claim.made for claim in played} == {True, False, None}
    assert sum(claim.hanging > 0 for claim in played) > 10
    assert {claim.capot for claim in played} == {None, 0, 1}


def test_rates_are_those_of_a_card_table(deals: list[Deal]) -> None:
    played = [deal.claimed for deal in deals if deal.end == "played"]
    assert 0.05 <= 1 - len(played) / len(deals) <= 0.25
    undoubled = [claim.made is True for claim in played if claim.level == 1]
    assert 0.60 <= sum(undoubled) / len(undoubled) <= 0.85
    shares = Counter(claim.contract for claim in played)
    assert min(shares.values()) > 0.04 * len(played)
    doubled = sum(claim.level > 1 for claim in played)
    assert 0.01 * len(played) < doubled < 0.10 * len(played)


@pytest.mark.parametrize(("sides", "sensible_side"), [("sensible,random", 0), ("random,sensible", 1)])
def test_it_beats_the_random_policy(sides: str, sensible_side: int) -> None:
    total = [0, 0]
    for deal in simulate_deals(RULES, sides, 1, 1, 400):
        for side, score in enumerate(deal.claimed.score):
            total[side] += score
    assert total[sensible_side] > 3 * total[1 - sensible_side]


def call(hand: str, calls: str = "") -> str:
    """Call of the seat in turn after *calls*, dealer 3."""
    auction, codes = start_auction(RULES, 3), tuple(parse_call(text) for text in calls.split())
    for code in codes:
        auction = after_call(RULES, auction, code)
    legal = legal_call_mask(RULES, auction)
    view = CallView(RULES, auction.turn_seat, 3, parse_hand(hand), codes, auction, legal, (0, 0, 0), 0)
    return format_call(POLICY.choose_call(view, Stream(1)))


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        ("7C 8C 7D 8H QS", "", "P"),  # nothing
        ("JH 9H AH 7C 8D", "", "H"),  # the three best trumps
        ("JC 9C 7C 8C AD", "", "C"),  # length in the lowest suit
        ("AC TC AD TD AH", "", "N"),  # sure winners in three suits
        ("JC 9C JD 9D JH", "", "A"),  # jacks and nines
        ("7C 8C 7D 8H QS", "H", "P"),
        ("JH 9H AH 7H AS", "H", "X"),  # the opponents' trumps are here
        ("JH 9H AH 7H AS", "H P", "P"),  # the partner's contract is not doubled
        ("JC 9C JD 9D JH", "S P", "A"),  # support for the partner: raised to all trumps
        ("JC 9C JD 9D JH", "C", "A"),  # over the opponents
        ("JH 9H AH KH QH", "H X P P", "XX"),  # nothing to fear
    ],
)
def test_calls(hand: str, calls: str, expected: str) -> None:
    assert call(hand, calls) == expected


def test_strength_knows_no_order_of_suits() -> None:
    hand = parse_hand("JC 9C AC 7D KH")
    turned = parse_hand("JS 9S AS 7H KD")
    assert strength(hand, 0) == strength(turned, 3)
    assert strength(hand, 4) == strength(turned, 4)
    assert strength(hand, 5) == strength(turned, 5)


def card(
    contract: str,
    hand: str,
    trick: str = "",
    leader: int = 0,
    played: str = "",
    declarer: int = 0,
    voids: str = "",
) -> str:
    """Card played next; *trick* are the cards on the table, led by *leader*; *played* those of earlier tricks.

    voids: seat and suit, as in "1C".
    """
    code, on_table, hand_mask = parse_contract(contract), parse_cards(trick), parse_hand(hand)
    best_card, best_seat = NO_CARD, leader
    for turn, item in enumerate(on_table):
        if turn == 0 or beats(code, item, best_card):
            best_card, best_seat = item, (leader + turn) % 4
    seat = (leader + len(on_table)) % 4
    led_suit = on_table[0] >> 3 if on_table else NO_SUIT
    partner_holds = bool(on_table) and (best_seat - seat) % 2 == 0
    legal = legal_mask(RULES, code, hand_mask, led_suit, best_card, partner_holds, len(on_table))
    plays = (*parse_cards(played), *on_table)
    void_suits = tuple(
        sum(1 << "CDHS".index(v[1]) for v in voids.split() if int(v[0]) == s) for s in range(4)
    )
    view = CardView(
        RULES,
        seat,
        3,
        hand_mask,
        legal,
        (),
        code,
        1,
        declarer,
        plays,
        tuple(on_table),
        leader,
        led_suit,
        best_card,
        best_seat,
        0xFFFF_FFFF & ~hand_mask & ~mask_of(plays),
        void_suits,
        (0, 0, 0),
        0,
    )
    return format_card(POLICY.choose_card(view, Stream(1)))  # fmt: skip


def test_the_declarer_draws_trumps_with_the_jack() -> None:
    assert card("H", "JH 9H AH 7C 8C AD 7S 8S") == "JH"


def test_a_defender_cashes_his_ace_and_leads_no_trump() -> None:
    assert card("H", "JH 9H 7C 8C 9C AD 7S 8S", leader=1, declarer=0) == "AD"


def test_the_declarer_does_not_lead_trumps_when_no_one_else_has_any() -> None:
    played = "JH 9H 7H 8H TH AH QH JC"
    assert card("H", "KH AD 7C 8C", played=played, declarer=0) == "AD"


def test_no_ace_is_led_into_a_known_ruff() -> None:
    assert card("S", "AD 7C 8C 9H", leader=1, declarer=0, voids="2D") != "AD"


def test_points_go_to_the_partners_sure_trick() -> None:
    assert card("H", "TC KC 7C 8D", trick="8C AC 9C") == "TC"


def test_points_are_kept_from_the_opponents_sure_trick() -> None:
    assert card("N", "TC 7C QC 8D", trick="8C AC JC", leader=0) == "7C"


def test_the_last_player_takes_a_rich_trick() -> None:
    assert card("H", "AC 7C 7D", trick="8C TC 9C") == "AC"


def test_the_last_player_ruffs_with_his_lowest_trump() -> None:
    assert card("H", "JH 7H 8D", trick="AC TC KC", leader=0) == "7H"


def test_the_partners_trick_is_not_ruffed() -> None:
    """The last player is void in clubs, the partner holds the trick with the ace: points, and no trump."""
    assert card("H", "JH 7H TD 8D", trick="7C AC KC", leader=0) == "TD"


def test_a_discard_is_a_worthless_card() -> None:
    assert card("N", "AD TD 7S 8S", trick="AC 7C 8C", leader=0) in ("7S", "8S")


def test_at_no_trumps_the_long_good_suit_is_run() -> None:
    assert card("N", "AS TS KS QS AD 7H 8H 7C", declarer=0)[1] == "S"


def test_at_all_trumps_a_jack_is_led() -> None:
    assert card("A", "JS 9S AS 7D 8D QH 7C 8C", declarer=0) == "JS"


def test_an_ace_that_is_left_is_a_winner() -> None:
    assert card("N", "AC 9D 7D", played="KD AD TD QD", declarer=1, leader=0) == "AC"

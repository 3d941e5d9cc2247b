"""Shuffling and dealing: packets in their order, no card more likely anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from belot_stats.cards import ALL_CARDS, cards_in
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator.dealing import deal_pack, shuffle_pack
from belot_stats.simulator.streams import Stream

DEALS = 6_000
SHORT_PACK = {"players": 2, "partners": False, "lowest_rank": "9", "second_packets": [4], "rounding": "none"}


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    """Seat of each card, shape (DEALS, 32)."""
    rules = load_ruleset("belot-bg")
    found = np.zeros((DEALS, 32), dtype=np.int64)
    for number in range(DEALS):
        dealt = deal_pack(rules, shuffle_pack(rules, Stream(11, number)), number % 4)
        for seat, hand_mask in enumerate(dealt.hands):
            found[number, list(cards_in(hand_mask))] = seat
    return found


def test_packets_go_round_from_the_seat_after_the_dealer() -> None:
    dealt = deal_pack(load_ruleset("belot-bg"), list(range(32)), 1)
    assert list(cards_in(dealt.first_hands[2])) == [0, 1, 2, 12, 13]
    assert list(cards_in(dealt.first_hands[1])) == [9, 10, 11, 18, 19]
    assert list(cards_in(dealt.hands[2])) == [0, 1, 2, 12, 13, 20, 21, 22]
    assert list(cards_in(dealt.hands[1])) == [9, 10, 11, 18, 19, 29, 30, 31]


def test_every_card_is_dealt_once() -> None:
    rules = load_ruleset("belot-bg")
    for number in range(50):
        dealt = deal_pack(rules, shuffle_pack(rules, Stream(3, number)), 0)
        assert sum(dealt.hands) == ALL_CARDS
        assert all(first & ~hand == 0 for first, hand in zip(dealt.first_hands, dealt.hands, strict=True))


def test_a_short_pack_has_no_low_cards_and_leaves_the_rest_out() -> None:
    rules = load_ruleset("belot-bg", SHORT_PACK)
    dealt = deal_pack(rules, shuffle_pack(rules, Stream(4)), 0)
    assert [mask.bit_count() for mask in dealt.hands] == [9, 9]
    assert all(card & 7 >= 2 for mask in dealt.hands for card in cards_in(mask))


def test_each_card_is_equally_likely_in_each_seat(places: np.ndarray) -> None:
    """One chi-square a card: the smallest of 32 p-values is no wonder, and neither are all of them together."""
    counts = np.stack([(places == seat).sum(axis=0) for seat in range(4)])
    statistics = ((counts - DEALS / 4) ** 2 / (DEALS / 4)).sum(axis=0)
    p_values = chi2.sf(statistics, df=3)
    assert p_values.min() > 0.001 / 32
    assert 0.02 < np.mean(p_values < 0.5) < 0.98


def test_pairs_of_cards_meet_as_often_as_they_should(places: np.ndarray) -> None:
    """Two given cards are in one hand in 7 of 31 deals; no pair stands out among all 496."""
    together = np.array([(places[:, a] == places[:, b]).sum() for a in range(32) for b in range(a)])
    expected, share = DEALS * 7 / 31, 7 / 31
    z = (together - expected) / np.sqrt(DEALS * share * (1 - share))
    assert np.abs(z).max() < 4.5
    assert abs(z.std() - 1) < 0.15


def test_renaming_the_suits_changes_no_statistic(places: np.ndarray) -> None:
    """Length of a suit in a hand: the same distribution in all four suits."""
    lengths = np.stack([(places[:, 8 * suit : 8 * suit + 8] == 0).sum(axis=1) for suit in range(4)])
    counts = np.stack([np.bincount(np.minimum(row, 5), minlength=6) for row in lengths])
    expected = counts.mean(axis=0)
    # Within a deal the suits exclude each other; the statistic has at most 15 degrees of freedom.
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), df=15) > 0.001


def test_each_card_is_equally_likely_in_each_place_of_the_pack() -> None:
    """32 cards by 32 places: a shuffle that draws from the wrong range favours some of them by a third."""
    rules, counts = load_ruleset("belot-bg"), np.zeros((32, 32), dtype=np.int64)
    for number in range(4_000):
        counts[shuffle_pack(rules, Stream(12, number)), np.arange(32)] += 1
    statistic = ((counts - 125) ** 2 / 125).sum()
    assert 0.001 < chi2.sf(statistic, df=31 * 31) < 0.999

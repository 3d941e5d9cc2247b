"""Who sits where, and how many cards there are."""

from __future__ import annotations

from belot_stats.cards import ALL_CARDS, CardMask, Seat, Side
from belot_stats.ruleset import RuleSet

NO_SIDE = -1
PACK_FROM_NINE = 0xFCFC_FCFC


def side_count(rules: RuleSet) -> int:
    """Number of sides: two with partners, else one a player."""
    return 2 if rules.partners else rules.players


def side_of(rules: RuleSet, seat: Seat) -> Side:
    """Side that *seat* plays for."""
    return seat % 2 if rules.partners else seat


def seat_after(rules: RuleSet, seat: Seat) -> Seat:
    """Next seat in the order of play."""
    return seat + 1 if seat + 1 < rules.players else 0


def packet_total(packets: int) -> int:
    """Cards in *packets*, whose decimal digits are packet sizes.

    >>> packet_total(32)
    5
    """
    total = 0
    while packets > 0:
        total += packets % 10
        packets //= 10
    return total


def first_hand_size(rules: RuleSet) -> int:
    """Cards a seat holds during the auction."""
    return packet_total(rules.first_packets)


def hand_size(rules: RuleSet) -> int:
    """Cards a seat holds when play begins, which is also the number of tricks."""
    return packet_total(rules.first_packets) + packet_total(rules.second_packets)


def pack_mask(rules: RuleSet) -> CardMask:
    """All cards of the pack."""
    return ALL_CARDS if rules.lowest_rank == 0 else PACK_FROM_NINE


def deal_size(rules: RuleSet) -> int:
    """Cards that are played in a whole deal."""
    return hand_size(rules) * rules.players

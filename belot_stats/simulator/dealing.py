"""Shuffling and dealing: who holds which cards, before the auction and after it."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import Card, CardMask, Seat, cards_in
from belot_stats.rules.table import pack_mask, seat_after
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.streams import Stream


class Dealt(NamedTuple):
    """Hands of a deal, a card mask a seat: during the auction, and when play begins."""

    first_hands: tuple[CardMask, ...]
    hands: tuple[CardMask, ...]


def shuffle_pack(rules: RuleSet, stream: Stream) -> list[Card]:
    """The pack in random order, each order equally likely (Fisher and Yates)."""
    pack = list(cards_in(pack_mask(rules)))
    for last in range(len(pack) - 1, 0, -1):
        other = stream.below(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return pack


def deal_pack(rules: RuleSet, pack: list[Card], dealer_seat: Seat) -> Dealt:
    """Deal *pack* from its first card on, in the packets of the rules, beginning after the dealer.

    Cards that the rules leave over stay in nobody's hand.
    """
    order = [(seat_after(rules, dealer_seat) + turn) % rules.players for turn in range(rules.players)]
    hands = [0] * rules.players
    place = _deal_packets(hands, pack, 0, rules.first_packets, order)
    first_hands = tuple(hands)
    _deal_packets(hands, pack, place, rules.second_packets, order)
    return Dealt(first_hands, tuple(hands))


def _deal_packets(
    hands: list[CardMask], pack: list[Card], place: int, packets: int, order: list[Seat]
) -> int:
    """Give every seat of *order* each packet; returns the place of the next card of the pack."""
    for size in map(int, str(packets)):
        for seat in order:
            for card in pack[place : place + size]:
                hands[seat] |= 1 << card
            place += size
    return place

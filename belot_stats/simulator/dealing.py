"""Shuffling, cutting and dealing: who holds which cards, before the auction and after it, and what is turned up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats.cards import NO_SEAT, Card, CardMask, Seat, cards_in
from belot_stats.rules.table import pack_mask, seat_after, side_count, side_of
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.streams import Stream

LEAST_CUT = 3  # cards that a cut leaves on either side


class Dealt(NamedTuple):
    """Hands of a deal, a card mask a seat: during the auction, and when play begins if nobody takes a turned-up card.

    turn_up: cards that lie face up.  stock: cards not dealt before the auction, the next one first.
    """

    first_hands: tuple[CardMask, ...]
    hands: tuple[CardMask, ...]
    turn_up: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()


def shuffle_pack(rules: RuleSet, stream: Stream) -> list[Card]:
    """The pack in random order, each order equally likely."""
    pack = list(cards_in(pack_mask(rules)))
    stream.shuffle(pack)
    return pack


def gather_pack(
    rules: RuleSet, pack: Sequence[Card], plays: Sequence[Card], winners: Sequence[Seat]
) -> list[Card]:
    """*pack* as it is put together after a deal that was dealt from it: the tricks of each side in the order they
    were won, side after side, and under them the cards that were not played, in their order.

    A deal that was thrown in leaves the pack as it was.
    """
    piles: list[list[Card]] = [[] for _ in range(side_count(rules))]
    for number, winner in enumerate(winners):
        first = number * rules.players
        piles[side_of(rules, winner)] += plays[first : first + rules.players]
    gathered = [card for pile in piles for card in pile]
    return gathered + [card for card in pack if card not in gathered]


def cut_pack(pack: list[Card], stream: Stream) -> list[Card]:
    """*pack* cut at a random place that leaves LEAST_CUT cards or more on either side."""
    place = LEAST_CUT + stream.below(len(pack) - 2 * LEAST_CUT + 1)
    return pack[place:] + pack[:place]


def deal_pack(rules: RuleSet, pack: list[Card], dealer_seat: Seat) -> Dealt:
    """Deal *pack* from its first card on, in the packets of the rules, beginning after the dealer.

    The card after the first packets is turned up where the rules turn one. Cards that the rules leave over stay in
    nobody's hand.
    """
    order = _dealing_order(rules, dealer_seat)
    hands = [0] * rules.players
    place = _deal_packets(hands, pack, 0, rules.first_packets, order)
    first_hands = tuple(hands)
    turned = place + (1 if rules.turn_up else 0)
    _deal_packets(hands, pack, turned, rules.second_packets, order)
    return Dealt(first_hands, tuple(hands), tuple(pack[place:turned]), tuple(pack[turned:]))


def turn_another(dealt: Dealt) -> Dealt:
    """*dealt* with a second card turned up, of another suit than the first.

    Cards of the first one's suit that are turned on the way go under the stock. Where the stock has no other suit,
    nothing changes.
    """
    stock = dealt.stock
    for place, card in enumerate(stock):
        if card >> 3 != dealt.turn_up[0] >> 3:
            return dealt._replace(turn_up=(*dealt.turn_up, card), stock=stock[place + 1 :] + stock[:place])
    return dealt


def hands_to_play(
    rules: RuleSet, dealt: Dealt, dealer_seat: Seat, receiver_seat: Seat
) -> tuple[CardMask, ...]:
    """Hands after the last packets; *receiver_seat* has the turned-up card in place of one of his last cards.

    receiver_seat: NO_SEAT where the turned-up card stays on the table.
    """
    if receiver_seat == NO_SEAT and len(dealt.turn_up) < 2:
        return dealt.hands
    hands = list(dealt.first_hands)
    order = _dealing_order(rules, dealer_seat)
    _deal_packets(hands, dealt.stock, 0, rules.second_packets, order, receiver_seat)
    if receiver_seat != NO_SEAT:
        hands[receiver_seat] |= 1 << dealt.turn_up[0]
    return tuple(hands)


def _dealing_order(rules: RuleSet, dealer_seat: Seat) -> list[Seat]:
    first = seat_after(rules, dealer_seat)
    return [(first + turn) % rules.players for turn in range(rules.players)]


def _deal_packets(
    hands: list[CardMask],
    pack: Sequence[Card],
    place: int,
    packets: int,
    order: list[Seat],
    short_seat: Seat = NO_SEAT,
) -> int:
    """Give every seat of *order* each packet, *short_seat* one card less in the last; returns the next card's place."""
    sizes = list(map(int, str(packets)))
    for number, size in enumerate(sizes, start=1):
        for seat in order:
            taken = size - 1 if seat == short_seat and number == len(sizes) else size
            for card in pack[place : place + taken]:
                hands[seat] |= 1 << card
            place += taken
    return place

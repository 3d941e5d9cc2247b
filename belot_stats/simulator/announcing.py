"""What the simulator announces for the seats: declarations and belotes, each at its time."""

from __future__ import annotations

from collections.abc import Sequence

from belot_stats import parameters as p
from belot_stats.cards import (
    ALL_TRUMPS,
    KING,
    NO_SUIT,
    NO_TRUMPS,
    QUEEN,
    Card,
    CardMask,
    Contract,
    Seat,
    Suit,
)
from belot_stats.deal import Declaration
from belot_stats.rules.declarations import best_combinations, declarations_count
from belot_stats.ruleset import RuleSet


def belote_is_due(
    rules: RuleSet, contract: Contract, hand_mask: CardMask, card: Card, led_suit: Suit
) -> bool:
    """Whether belote is announced with *card*, a king or queen: the other of the two is still in the hand, and the
    card is led, follows suit or ruffs, where the rules ask for that.
    """
    suit = card >> 3
    if contract == NO_TRUMPS or contract not in (suit, ALL_TRUMPS) or rules.belote_points == 0:
        return False
    if not hand_mask >> (card ^ QUEEN ^ KING) & 1:
        return False
    is_discard = contract == ALL_TRUMPS and led_suit not in (NO_SUIT, suit)
    return not (is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF)


def announce(
    rules: RuleSet, contract: Contract, hands: Sequence[CardMask], first_leader: Seat
) -> tuple[Declaration, ...]:
    """What the seats announce, each with its first card: the best its hand has."""
    if not declarations_count(rules, contract):
        return ()
    seats = [(first_leader + position) % rules.players for position in range(rules.players)]
    return tuple(
        declaration
        for at, seat in enumerate(seats)
        for declaration in announce_hand(rules, contract, hands[seat], seat, at)
    )


def announce_hand(
    rules: RuleSet, contract: Contract, hand_mask: CardMask, seat: Seat, at: int
) -> tuple[Declaration, ...]:
    """What *seat* announces of *hand_mask* with *at* cards on the table."""
    return tuple(
        Declaration(seat=seat, cards=cards_mask, at=at)
        for cards_mask in best_combinations(rules, contract, hand_mask)
    )

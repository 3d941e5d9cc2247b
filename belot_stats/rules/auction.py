"""Where an auction stands, as plain integers, and the steps from one standing to the next.

Phases are those of bidding for a turned-up card: calls for it, Sun called over a suit by the others, the caller's
confirmation (both Baloot's), doubling. An auction of higher bids is in the first from beginning to end.
"""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import ACE, NO_CARD, NO_CONTRACT, NO_SEAT, NO_SUIT, Card, Contract, Seat
from belot_stats.rules.table import seat_after
from belot_stats.ruleset import RuleSet

ORDERING, SUN_OVER_SUIT, CONFIRMING, DOUBLING = range(4)


class Auction(NamedTuple):
    """Where an auction stands."""

    turn_seat: int
    contract: int
    declarer_seat: int
    doubles: int  # 0 undoubled, 1 contra, 2 recontra, …
    passes: int  # in a row, since the last bid, contra or recontra
    is_over: int
    dealer_seat: int
    round: int  # 1, or 2 after a round of passes where there is a second one
    first_suit: int  # suits of the turned-up cards, NO_SUIT where unknown or none
    second_suit: int
    is_ashkal: int
    is_closed: int  # the last doubling closed the lead of trumps
    has_ace: int  # the first turned-up card is known to be an ace
    phase: int
    turns: int  # taken in this phase


def start_auction(
    rules: RuleSet, dealer_seat: Seat, turn_up_card: Card = NO_CARD, second_turn_up_card: Card = NO_CARD
) -> Auction:
    """Auction before its first call: the seat after the dealer speaks first.

    turn_up_card, second_turn_up_card: NO_CARD where there is none or it is not known.
    """
    turn_seat = seat_after(rules, dealer_seat)
    first_suit = turn_up_card >> 3 if turn_up_card != NO_CARD else NO_SUIT
    second_suit = second_turn_up_card >> 3 if second_turn_up_card != NO_CARD else NO_SUIT
    has_ace = int(turn_up_card != NO_CARD and turn_up_card & 7 == ACE)
    state = (turn_seat, NO_CONTRACT, NO_SEAT, 0, 0, 0)
    return Auction(*state, dealer_seat, 1, first_suit, second_suit, 0, 0, has_ace, ORDERING, 0)


def moved(
    auction: Auction, turn_seat: Seat, passes: int, is_over: int, round_number: int, phase: int, turns: int
) -> Auction:
    """Auction with the same contract, after a turn."""
    return Auction(
        turn_seat,
        auction.contract,
        auction.declarer_seat,
        auction.doubles,
        passes,
        is_over,
        auction.dealer_seat,
        round_number,
        auction.first_suit,
        auction.second_suit,
        auction.is_ashkal,
        auction.is_closed,
        auction.has_ace,
        phase,
        turns,
    )


def ordered(
    rules: RuleSet, auction: Auction, contract: Contract, is_ashkal: int, phase: int, is_over: int
) -> Auction:
    """Auction with a new *contract*, undoubled."""
    return Auction(
        seat_after(rules, auction.turn_seat),
        contract,
        auction.turn_seat,
        0,
        0,
        is_over,
        auction.dealer_seat,
        auction.round,
        auction.first_suit,
        auction.second_suit,
        is_ashkal,
        0,
        auction.has_ace,
        phase,
        0,
    )


def doubled(auction: Auction, turn_seat: Seat, doubles: int, is_closed: int, is_over: int) -> Auction:
    """Auction with the same contract, doubled."""
    return Auction(
        turn_seat,
        auction.contract,
        auction.declarer_seat,
        doubles,
        0,
        is_over,
        auction.dealer_seat,
        auction.round,
        auction.first_suit,
        auction.second_suit,
        auction.is_ashkal,
        is_closed,
        auction.has_ace,
        auction.phase,
        auction.turns,
    )

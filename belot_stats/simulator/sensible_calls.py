"""Calling of the sensible policy: what the first cards are worth in each contract, and what to call for it.

A hand's lead in a contract is the raw points by which its side is expected to beat the other: a sum of weights of
its cards. The weights were fitted by least squares to 18,000 hands of five cards a kind of contract (suit, no trumps,
all trumps), each played as the declarer's by a first form of this policy's card play, then rounded; those for more
than five cards of a suit are continued by hand. Spreads are the standard deviations around the fit; a lead divided
by them, in per cent, is a hand's strength, with which contracts are compared. What a call needs was set so that about
one deal in thirteen is passed out and four of five undoubled contracts are made.
"""

from __future__ import annotations

from functools import cache

from belot_stats.cards import (
    ACE,
    ALL_TRUMPS,
    DOUBLE,
    JACK,
    KING,
    NINE,
    NO_CONTRACT,
    NO_TRUMPS,
    PASS,
    QUEEN,
    REDOUBLE,
    TEN,
    CallCode,
    CardMask,
    Contract,
    Seat,
)
from belot_stats.simulator.policies import CallView

# By rank 7 8 9 T J Q K A.
TRUMP_WEIGHTS = (9, 11, 35, 20, 51, 21, 21, 26)
SIDE_WEIGHTS = (0, 0, 0, 5, 0, 0, 0, 18)
NO_TRUMPS_WEIGHTS = (-5, -4, -4, 6, -4, -4, -5, 17)
ALL_TRUMPS_WEIGHTS = (-11, -10, 11, -8, 32, -6, -8, -4)
# By number of cards of the suit, 0 to 8.
TRUMP_LENGTH_WEIGHTS = (0, 0, 0, 7, 34, 85, 110, 135, 160)
NO_TRUMPS_LENGTH_WEIGHTS = (0, 0, 0, 1, 3, 6, 10, 15, 20)
ALL_TRUMPS_LENGTH_WEIGHTS = (0, 0, 0, 3, 16, 30, 45, 60, 75)
SUIT_BASE, NO_TRUMPS_BASE, ALL_TRUMPS_BASE = -45, 0, -1
ALL_TRUMPS_JACKS_WEIGHTS = (0, 0, 4, 37, 37)  # by number of jacks
SPREADS = (80, 80, 80, 80, 54, 110)

# Strengths, in per cent of a spread.
OPEN = 46  # to bid
OVER_OPPONENTS = 48  # to bid over the opponents
OVER_PARTNER = 80  # to take the partner out of a contract of his
PARTNER_BID = 25  # added where the partner has bid
CONTRA, RECONTRA = 54, 90


@cache
def trump_lead(byte: int) -> int:
    """Lead of the trumps in *byte*, one bit a rank."""
    belote = 7 if _holds(byte, KING, QUEEN) else 0
    jack_nine = 5 if _holds(byte, JACK, NINE) else 0
    return _weigh(byte, TRUMP_WEIGHTS) + TRUMP_LENGTH_WEIGHTS[byte.bit_count()] + belote + jack_nine


@cache
def side_lead(byte: int) -> int:
    """Lead of a plain suit beside trumps."""
    return _weigh(byte, SIDE_WEIGHTS) + (4 if byte == 0 else 0)


@cache
def no_trumps_lead(byte: int) -> int:
    """Lead of a suit at no trumps, not doubled."""
    return (
        _weigh(byte, NO_TRUMPS_WEIGHTS)
        + NO_TRUMPS_LENGTH_WEIGHTS[byte.bit_count()]
        + (6 if _holds(byte, ACE, TEN) else 0)
        + (4 if _holds(byte, ACE, KING) else 0)
        + (7 if _holds(byte, TEN, KING) and not _holds(byte, ACE, TEN) else 0)
    )


@cache
def all_trumps_lead(byte: int) -> int:
    """Lead of a suit at all trumps."""
    return (
        _weigh(byte, ALL_TRUMPS_WEIGHTS)
        + ALL_TRUMPS_LENGTH_WEIGHTS[byte.bit_count()]
        + (14 if _holds(byte, JACK, NINE) else 0)
        + (8 if _holds(byte, KING, QUEEN) else 0)
    )


def _weigh(byte: int, weights: tuple[int, ...]) -> int:
    return sum(weight for rank, weight in enumerate(weights) if byte >> rank & 1)


def _holds(byte: int, *ranks: int) -> bool:
    return all(byte >> rank & 1 for rank in ranks)


def strength(hand_mask: CardMask, contract: Contract) -> int:
    """Strength of *hand_mask* as a declarer of *contract*: expected lead in per cent of its spread."""
    suits = [hand_mask >> 8 * suit & 0xFF for suit in range(4)]
    if contract == NO_TRUMPS:
        lead = NO_TRUMPS_BASE + sum(map(no_trumps_lead, suits))
    elif contract == ALL_TRUMPS:
        jacks = (hand_mask & 0x1010_1010).bit_count()
        lead = ALL_TRUMPS_BASE + ALL_TRUMPS_JACKS_WEIGHTS[jacks] + sum(map(all_trumps_lead, suits))
    else:
        lead = (
            SUIT_BASE + trump_lead(suits[contract]) + sum(map(side_lead, suits)) - side_lead(suits[contract])
        )
    return lead * 100 // SPREADS[contract]


def choose_call(view: CallView) -> CallCode:
    """Bid, contra or recontra, whichever the hand is furthest above the need for; pass where it is above none."""
    contract, margin = _best_bid(view)
    for double, needed in ((DOUBLE, CONTRA), (REDOUBLE, RECONTRA)):
        if view.legal_calls >> double & 1:
            support = PARTNER_BID if _partner_bid(view) else 0
            excess = strength(view.hand_mask, view.auction.contract) + support - needed
            if excess >= max(margin, 0):
                return double
    return contract if margin >= 0 else PASS


def _best_bid(view: CallView) -> tuple[Contract, int]:
    """Legal bid that is furthest above what it needs, and how far; of equal ones the lowest."""
    needed = _needed_strength(view)
    best, best_margin = NO_CONTRACT, -1
    for contract in range(6):
        if view.legal_calls >> contract & 1:
            margin = strength(view.hand_mask, contract) - needed
            if margin > best_margin:
                best, best_margin = contract, margin
    return best, best_margin


def _needed_strength(view: CallView) -> int:
    auction = view.auction
    if auction.contract == NO_CONTRACT:
        return OPEN
    support = PARTNER_BID if _partner_bid(view) else 0
    if auction.declarer_seat == view.seat:
        return max(OVER_PARTNER, strength(view.hand_mask, auction.contract) + 1)
    if _is_partner(view, auction.declarer_seat):
        return OVER_PARTNER - support
    return OVER_OPPONENTS - support


def _is_partner(view: CallView, other: Seat) -> bool:
    return bool(view.rules.partners) and other != view.seat and (other - view.seat) % 2 == 0


def _partner_bid(view: CallView) -> bool:
    """Whether the partner has bid a contract in this auction."""
    callers = [(view.dealer_seat + 1 + turn) % view.rules.players for turn in range(len(view.calls))]
    return any(
        call <= ALL_TRUMPS and _is_partner(view, seat) for seat, call in zip(callers, view.calls, strict=True)
    )

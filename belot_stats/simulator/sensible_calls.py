"""Calling of the sensible policy: what the first cards are worth in each contract, and what to call for it.

A hand's lead in a contract is the raw points by which its side is expected to beat the other: a sum of weights of
its cards. The weights were fitted by least squares to 18,000 hands of five cards a kind of contract (suit, no trumps,
all trumps), each played as the declarer's by a first form of this policy's card play, then rounded; those for more
than five cards of a suit are continued by hand. Spreads are the standard deviations around the fit; a lead divided
by them, in per cent, is a hand's strength, with which contracts are compared. What a call needs was set so that about
one deal in thirteen is passed out and four of five undoubled contracts are made.

A turned-up card that the caller gets, or may exchange the seven of trumps for, counts as his. Where players have no
partner, the pack is short, or a sixth card is known, the same strength wins more or less often; what a call needs
more there was read off 4,000 forced contracts a kind, as the strength from which declarers write more than others.
"""

from __future__ import annotations

from functools import cache

from belot_stats.cards import (
    ACE,
    ALL_TRUMPS,
    ASHKAL,
    DOUBLE,
    DOUBLE_CLOSED,
    JACK,
    KING,
    NINE,
    NO_CONTRACT,
    NO_TRUMPS,
    PASS,
    QUADRUPLE,
    QUEEN,
    REDOUBLE,
    TEN,
    TRIPLE,
    TRIPLE_CLOSED,
    CallCode,
    CardMask,
    Contract,
    Seat,
)
from belot_stats.parameters import TO_NOBODY
from belot_stats.rules.turn_up import after_exchange, may_exchange
from belot_stats.ruleset import RuleSet
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
DOUBLES = ((DOUBLE, 54), (REDOUBLE, 90), (TRIPLE, 120), (QUADRUPLE, 150))
CLOSED = {DOUBLE: DOUBLE_CLOSED, TRIPLE: TRIPLE_CLOSED}
CLOSE_WITH = 2  # so many trumps or fewer: who doubles has his tricks elsewhere, and closes the lead of trumps
# Needed more at a suit, at no trumps, at all trumps: by players without partners and lowest rank of the pack.
ALONE = {(3, 0): (-2, 10, 10), (3, 2): (0, 18, 10), (2, 0): (-14, 10, 10), (2, 2): (12, 32, 32)}
WITH_TURN_UP = (10, 4, 4)  # with partners and the turned-up card


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
    bid, margin = _best_bid(view)
    for double, needed in DOUBLES:
        if view.legal_calls >> double & 1:
            contract, support = view.auction.contract, PARTNER_BID if _partner_bid(view) else 0
            hand_mask = hand_in(view, contract) if view.auction.declarer_seat == view.seat else view.hand_mask
            if strength(hand_mask, contract) + support - needed >= max(margin, 0):
                return _closed_or_open(view, double)
    return bid if margin >= 0 or not view.legal_calls >> PASS & 1 else PASS


def _closed_or_open(view: CallView, double: CallCode) -> CallCode:
    closed = CLOSED.get(double, double)
    if not view.legal_calls >> closed & 1:
        return double
    trumps = view.hand_mask >> 8 * view.auction.contract & 0xFF
    return closed if trumps.bit_count() <= CLOSE_WITH else double


def _best_bid(view: CallView) -> tuple[CallCode, int]:
    """Legal bid that is furthest above what it needs, and how far; of equal ones the lowest."""
    needed, best, best_margin = _needed_strength(view), PASS, -1000
    for call in (*range(6), ASHKAL):
        if view.legal_calls >> call & 1:
            contract = NO_TRUMPS if call == ASHKAL else call
            margin = strength(hand_in(view, call), contract) - needed - more_needed(view.rules, contract)
            if margin > best_margin:
                best, best_margin = call, margin
    return best, best_margin


def hand_in(view: CallView, call: CallCode) -> CardMask:
    """Hand of the caller once *call*, a contract or Ashkal, is his: with the turned-up card where he gets it."""
    if not view.turn_up or call == ASHKAL:
        return view.hand_mask
    if view.rules.turn_up_to != TO_NOBODY:
        return view.hand_mask | 1 << view.turn_up[0]
    if may_exchange(view.rules, call, view.hand_mask, view.turn_up[0]):
        return after_exchange(view.hand_mask, view.turn_up[0])
    return view.hand_mask


@cache
def more_needed(rules: RuleSet, contract: Contract) -> int:
    """Strength that a bid of *contract* needs beyond that of four players with five cards each."""
    kind = max(contract - NO_TRUMPS + 1, 0)
    if not rules.partners:
        return ALONE[rules.players, rules.lowest_rank][kind]
    return WITH_TURN_UP[kind] if rules.turn_up_to != TO_NOBODY else 0


def _needed_strength(view: CallView) -> int:
    auction = view.auction
    if auction.contract == NO_CONTRACT:
        return OPEN
    support = PARTNER_BID if _partner_bid(view) else 0
    if auction.declarer_seat == view.seat:
        return max(OVER_PARTNER, strength(hand_in(view, auction.contract), auction.contract) + 1)
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

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

Everything here takes plain integers and is compiled too: who has bid what is a word with four bits a contract, one a
seat (``bidders``).
"""

from __future__ import annotations

from belot_stats.cards import (
    ACE,
    ALL_TRUMPS,
    ASHKAL,
    DOUBLE,
    DOUBLE_CLOSED,
    JACK,
    KING,
    NINE,
    NO_CARD,
    NO_CONTRACT,
    NO_TRUMPS,
    PASS,
    QUADRUPLE,
    QUEEN,
    TEN,
    TRIPLE,
    TRIPLE_CLOSED,
    CallCode,
    Card,
    CardMask,
    Contract,
    Seat,
)
from belot_stats.parameters import TO_NOBODY
from belot_stats.rules.auction import Auction
from belot_stats.rules.turn_up import after_exchange, may_exchange
from belot_stats.ruleset import RuleSet

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
SUIT_SPREAD, NO_TRUMPS_SPREAD, ALL_TRUMPS_SPREAD = 80, 54, 110

# Strengths, in per cent of a spread.
OPEN = 46  # to bid
OVER_OPPONENTS = 48  # to bid over the opponents
OVER_PARTNER = 80  # to take the partner out of a contract of his
PARTNER_BID = 25  # added where the partner has bid
DOUBLES = (54, 90, 120, 150)  # to double, redouble, …
CLOSE_WITH = 2  # so many trumps or fewer: who doubles has his tricks elsewhere, and closes the lead of trumps
# Needed more at a suit, at no trumps, at all trumps: by three players without partners, by three with a pack from
# the nines, by two, by two with such a pack.
ALONE = (-2, 10, 10, 0, 18, 10, -14, 10, 10, 12, 32, 32)
WITH_TURN_UP = (10, 4, 4)  # with partners and the turned-up card
BIDS = (1 << ALL_TRUMPS + 1) - 1 | 1 << ASHKAL
EVERY_CONTRACT = 0x11_1111  # times the bits of some seats: all their bids
NOT_WORTH_IT = -1000


def _weigh(byte: int, weights: tuple[int, ...]) -> int:
    return sum(weight for rank, weight in enumerate(weights) if byte >> rank & 1)


def _holds(byte: int, *ranks: int) -> bool:
    return all(byte >> rank & 1 for rank in ranks)


def _trump_lead(byte: int) -> int:
    belote = 7 if _holds(byte, KING, QUEEN) else 0
    jack_nine = 5 if _holds(byte, JACK, NINE) else 0
    return _weigh(byte, TRUMP_WEIGHTS) + TRUMP_LENGTH_WEIGHTS[byte.bit_count()] + belote + jack_nine


def _side_lead(byte: int) -> int:
    return _weigh(byte, SIDE_WEIGHTS) + (4 if byte == 0 else 0)


def _no_trumps_lead(byte: int) -> int:
    return (
        _weigh(byte, NO_TRUMPS_WEIGHTS)
        + NO_TRUMPS_LENGTH_WEIGHTS[byte.bit_count()]
        + (6 if _holds(byte, ACE, TEN) else 0)
        + (4 if _holds(byte, ACE, KING) else 0)
        + (7 if _holds(byte, TEN, KING) and not _holds(byte, ACE, TEN) else 0)
    )


def _all_trumps_lead(byte: int) -> int:
    return (
        _weigh(byte, ALL_TRUMPS_WEIGHTS)
        + ALL_TRUMPS_LENGTH_WEIGHTS[byte.bit_count()]
        + (14 if _holds(byte, JACK, NINE) else 0)
        + (8 if _holds(byte, KING, QUEEN) else 0)
    )


# Lead of the cards of a suit, by their byte, one bit a rank: as trumps, beside trumps, at no trumps, at all trumps.
TRUMP_LEADS = tuple(_trump_lead(byte) for byte in range(256))
SIDE_LEADS = tuple(_side_lead(byte) for byte in range(256))
NO_TRUMPS_LEADS = tuple(_no_trumps_lead(byte) for byte in range(256))
ALL_TRUMPS_LEADS = tuple(_all_trumps_lead(byte) for byte in range(256))


def strength(hand_mask: CardMask, contract: Contract) -> int:
    """Strength of *hand_mask* as a declarer of *contract*: expected lead in per cent of its spread."""
    clubs, diamonds = hand_mask & 0xFF, hand_mask >> 8 & 0xFF
    hearts, spades = hand_mask >> 16 & 0xFF, hand_mask >> 24 & 0xFF
    if contract == NO_TRUMPS:
        no_trumps = NO_TRUMPS_LEADS[clubs] + NO_TRUMPS_LEADS[diamonds]
        no_trumps += NO_TRUMPS_LEADS[hearts] + NO_TRUMPS_LEADS[spades]
        return (NO_TRUMPS_BASE + no_trumps) * 100 // NO_TRUMPS_SPREAD
    if contract == ALL_TRUMPS:
        all_trumps = ALL_TRUMPS_LEADS[clubs] + ALL_TRUMPS_LEADS[diamonds]
        all_trumps += ALL_TRUMPS_LEADS[hearts] + ALL_TRUMPS_LEADS[spades]
        jacks = ALL_TRUMPS_JACKS_WEIGHTS[(hand_mask & 0x1010_1010).bit_count()]
        return (ALL_TRUMPS_BASE + all_trumps + jacks) * 100 // ALL_TRUMPS_SPREAD
    trumps = hand_mask >> 8 * contract & 0xFF
    sides = SIDE_LEADS[clubs] + SIDE_LEADS[diamonds] + SIDE_LEADS[hearts] + SIDE_LEADS[spades]
    return (SUIT_BASE + TRUMP_LEADS[trumps] + sides - SIDE_LEADS[trumps]) * 100 // SUIT_SPREAD


def pick_call(
    rules: RuleSet, auction: Auction, legal_calls: int, hand_mask: CardMask, turn_up_card: Card, bidders: int
) -> CallCode:
    """Bid, contra or recontra, whichever the hand is furthest above the need for; pass where it is above none.

    legal_calls: one bit a call code, not 0.  turn_up_card: the first turned-up card, NO_CARD where there is none.
    """
    bid, margin = _best_bid(rules, auction, legal_calls, hand_mask, turn_up_card, bidders)
    contract, seat = auction.contract, auction.turn_seat
    for double in range(DOUBLE, QUADRUPLE + 1):
        if legal_calls >> double & 1:
            support = PARTNER_BID if partner_has_bid(rules, seat, bidders) else 0
            held = hand_mask
            if auction.declarer_seat == seat:
                held = hand_in(rules, contract, hand_mask, turn_up_card)
            if strength(held, contract) + support - DOUBLES[double - DOUBLE] >= max(margin, 0):
                return _closed_or_open(legal_calls, hand_mask, contract, double)
    return bid if margin >= 0 or not legal_calls >> PASS & 1 else PASS


def _closed_or_open(legal_calls: int, hand_mask: CardMask, contract: Contract, double: CallCode) -> CallCode:
    closed = double
    if double == DOUBLE:
        closed = DOUBLE_CLOSED
    elif double == TRIPLE:
        closed = TRIPLE_CLOSED
    if not legal_calls >> closed & 1:
        return double
    trumps = hand_mask >> 8 * contract & 0xFF
    return closed if trumps.bit_count() <= CLOSE_WITH else double


def _best_bid(
    rules: RuleSet, auction: Auction, legal_calls: int, hand_mask: CardMask, turn_up_card: Card, bidders: int
) -> tuple[CallCode, int]:
    """Legal bid that is furthest above what it needs, and how far; of equal ones the lowest."""
    best, best_margin = PASS, NOT_WORTH_IT
    if not legal_calls & BIDS:
        return best, best_margin
    needed = _needed_strength(rules, auction, hand_mask, turn_up_card, bidders)
    for call in range(ASHKAL + 1):
        if legal_calls & BIDS & 1 << call:
            contract = NO_TRUMPS if call == ASHKAL else call
            held = hand_in(rules, call, hand_mask, turn_up_card)
            margin = strength(held, contract) - needed - more_needed(rules, contract)
            if margin > best_margin:
                best, best_margin = call, margin
    return best, best_margin


def hand_in(rules: RuleSet, call: CallCode, hand_mask: CardMask, turn_up_card: Card) -> CardMask:
    """Hand of the caller once *call*, a contract or Ashkal, is his: with the turned-up card where he gets it."""
    if turn_up_card == NO_CARD or call == ASHKAL:
        return hand_mask
    if rules.turn_up_to != TO_NOBODY:
        return hand_mask | 1 << turn_up_card
    if may_exchange(rules, call, hand_mask, turn_up_card):
        return after_exchange(hand_mask, turn_up_card)
    return hand_mask


def more_needed(rules: RuleSet, contract: Contract) -> int:
    """Strength that a bid of *contract* needs beyond that of four players with five cards each."""
    kind = max(contract - NO_TRUMPS + 1, 0)
    if not rules.partners:
        short_pack = 1 if rules.lowest_rank else 0
        return ALONE[6 * (3 - rules.players) + 3 * short_pack + kind]
    return WITH_TURN_UP[kind] if rules.turn_up_to != TO_NOBODY else 0


def _needed_strength(
    rules: RuleSet, auction: Auction, hand_mask: CardMask, turn_up_card: Card, bidders: int
) -> int:
    if auction.contract == NO_CONTRACT:
        return OPEN
    seat = auction.turn_seat
    if auction.declarer_seat == seat:
        held = hand_in(rules, auction.contract, hand_mask, turn_up_card)
        return max(OVER_PARTNER, strength(held, auction.contract) + 1)
    is_partners = partner_mask(rules, seat) >> auction.declarer_seat & 1
    return (OVER_PARTNER if is_partners else OVER_OPPONENTS) - (
        PARTNER_BID if partner_has_bid(rules, seat, bidders) else 0
    )


def partner_mask(rules: RuleSet, seat: Seat) -> int:
    """The partner of *seat*, one bit a seat; 0 where there is none."""
    return 0b0101 << (seat & 1) & ~(1 << seat) if rules.partners else 0


def partner_has_bid(rules: RuleSet, seat: Seat, bidders: int) -> bool:
    """Whether the partner has bid a contract in this auction."""
    return bidders & EVERY_CONTRACT * partner_mask(rules, seat) != 0


def with_bid(bidders: int, call: CallCode, seat: Seat) -> int:
    """*bidders* after *call*; one that names no contract changes nothing."""
    return bidders | 1 << 4 * call + seat if call <= ALL_TRUMPS else bidders

"""The auction: what may be called, and what a call does.

Source: RULES.md 1b. Parameters that differ: contracts, multipliers, raise_cancels_double, redoubled_all_trumps_ends.
"""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import (
    ALL_TRUMPS,
    DOUBLE,
    NO_CONTRACT,
    NO_SEAT,
    PASS,
    QUADRUPLE,
    CallCode,
    Contract,
    Seat,
)
from belot_stats.parameters import LEVEL_SLOTS, NO_LEVEL
from belot_stats.rules.table import seat_after, side_of
from belot_stats.ruleset import RuleSet

CALL_IS_LEGAL, CALL_AFTER_END, BID_TOO_LOW, CONTRA_NOT_ALLOWED, CALL_NOT_OF_SYSTEM = range(5)


class Auction(NamedTuple):
    """Where an auction stands."""

    turn_seat: int
    contract: int
    declarer_seat: int
    doubles: int  # 0 undoubled, 1 contra, 2 recontra, …
    passes: int  # in a row, since the last bid, contra or recontra
    is_over: int


def start_auction(rules: RuleSet, dealer_seat: Seat) -> Auction:
    """Auction before its first call: the seat after the dealer speaks first."""
    return Auction(seat_after(rules, dealer_seat), NO_CONTRACT, NO_SEAT, 0, 0, 0)


def call_problem(rules: RuleSet, auction: Auction, call: CallCode) -> int:
    """Why *call* is not allowed now: CALL_IS_LEGAL or one of the codes beside it."""
    if auction.is_over:
        return CALL_AFTER_END
    if call == PASS:
        return CALL_IS_LEGAL
    if call <= ALL_TRUMPS:
        return _bid_problem(rules, auction, call)
    if DOUBLE <= call <= QUADRUPLE:
        return _double_problem(rules, auction, call)
    return CALL_NOT_OF_SYSTEM


def _bid_problem(rules: RuleSet, auction: Auction, contract: Contract) -> int:
    if rules.contracts[contract] < 0:
        return BID_TOO_LOW
    if auction.contract == NO_CONTRACT:
        return CALL_IS_LEGAL
    if auction.doubles > 0 and not rules.raise_cancels_double:
        return BID_TOO_LOW
    return CALL_IS_LEGAL if rules.contracts[contract] > rules.contracts[auction.contract] else BID_TOO_LOW


def _double_problem(rules: RuleSet, auction: Auction, call: CallCode) -> int:
    """Contra is the opponents' call, recontra the contract side's, and so on in turn."""
    doubles = call - DOUBLE + 1
    if auction.contract == NO_CONTRACT or auction.doubles != doubles - 1 or doubles > level_count(rules):
        return CONTRA_NOT_ALLOWED
    is_own_contract = side_of(rules, auction.turn_seat) == side_of(rules, auction.declarer_seat)
    is_contract_sides_call = doubles % 2 == 0
    return CALL_IS_LEGAL if is_own_contract == is_contract_sides_call else CONTRA_NOT_ALLOWED


def after_call(rules: RuleSet, auction: Auction, call: CallCode) -> Auction:
    """Auction after the legal *call*."""
    turn = seat_after(rules, auction.turn_seat)
    if call == PASS:
        passes = auction.passes + 1
        needed = rules.players if auction.contract == NO_CONTRACT else rules.players - 1
        return Auction(
            turn, auction.contract, auction.declarer_seat, auction.doubles, passes, int(passes >= needed)
        )
    if call <= ALL_TRUMPS:
        return Auction(turn, call, auction.turn_seat, 0, 0, 0)
    doubles = call - DOUBLE + 1
    return Auction(
        turn,
        auction.contract,
        auction.declarer_seat,
        doubles,
        0,
        _ends_at_once(rules, auction.contract, doubles),
    )


def after_illegal_call(rules: RuleSet, auction: Auction) -> Auction:
    """An illegal call takes its turn, and counts neither as a pass nor as a bid."""
    return auction._replace(turn_seat=seat_after(rules, auction.turn_seat))


def _ends_at_once(rules: RuleSet, contract: Contract, doubles: int) -> int:
    """Nothing can follow a recontra on the highest contract where that is a rule."""
    is_highest = True
    for other in range(6):
        if rules.contracts[other] > rules.contracts[contract]:
            is_highest = False
    return int(
        rules.redoubled_all_trumps_ends == 1 and doubles == 2 and is_highest and level_count(rules) == 2
    )


def level_count(rules: RuleSet) -> int:
    """How many times a contract can be doubled."""
    count = 0
    for slot in range(LEVEL_SLOTS):
        if rules.multipliers[slot] != NO_LEVEL:
            count += 1
    return count


def level_of(rules: RuleSet, doubles: int) -> int:
    """Multiplier after *doubles* doublings: 1, 2, 4, or what the rule set's multipliers give."""
    return 1 if doubles == 0 else rules.multipliers[doubles - 1]


def legal_call_mask(rules: RuleSet, auction: Auction) -> int:
    """Calls that are allowed now, one bit a call code; 0 when the auction is over."""
    mask = 0
    for call in range(QUADRUPLE + 1):
        if call_problem(rules, auction, call) == CALL_IS_LEGAL:
            mask |= 1 << call
    return mask

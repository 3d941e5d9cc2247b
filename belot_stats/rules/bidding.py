"""The auction: what may be called, and what a call does.

Source: RULES.md 1b, BALOOT.md 1b. Three kinds of bidding: by higher bids; the turned-up suit taken or passed, one call
a seat and round; Baloot's floor card, where Sun may be called over a suit. The last two have phases: the calls for
the turned-up card, Sun called over a suit by the others, the caller's confirmation, and doubling.
Parameters that differ: bidding, contracts, round_two, ashkal, ashkal_on_ace, sun_over_ace, multipliers,
no_trumps_doubling, closed_doubling, raise_cancels_double, redoubled_all_trumps_ends, forced_dealer.
"""

from __future__ import annotations

from belot_stats.cards import (
    ALL_TRUMPS,
    ASHKAL,
    DOUBLE,
    DOUBLE_CLOSED,
    NO_CONTRACT,
    NO_SUIT,
    NO_TRUMPS,
    PASS,
    TRIPLE_CLOSED,
    CallCode,
    Contract,
    Seat,
)
from belot_stats.parameters import (
    ASHKAL_BOTH_ROUNDS,
    ASHKAL_FIRST_ROUND,
    ASHKAL_NONE,
    BIDDING_FLOOR_CARD,
    BIDDING_TURN_UP,
    DOUBLE_FIRST_LEVEL,
    LEVEL_SLOTS,
    NO_LEVEL,
    ROUND_TWO_NONE,
    ROUND_TWO_OTHER_SUITS_AND_NO_SUIT,
    ROUND_TWO_SECOND_TURN_UP,
    SUN_OVER_ACE_FIRST_SPEAKER,
)
from belot_stats.rules.auction import (
    CONFIRMING,
    DOUBLING,
    ORDERING,
    SUN_OVER_SUIT,
    Auction,
    doubled,
    moved,
    ordered,
    start_auction,
)
from belot_stats.rules.table import seat_after, side_of
from belot_stats.ruleset import RuleSet

__all__ = [
    "BID_TOO_LOW",
    "CALL_AFTER_END",
    "CALL_COUNT",
    "CALL_IS_LEGAL",
    "CALL_NOT_OF_SYSTEM",
    "CONTRA_NOT_ALLOWED",
    "Auction",
    "after_call",
    "after_illegal_call",
    "call_problem",
    "doubles_of",
    "has_turn_up_bidding",
    "is_offered",
    "legal_call_mask",
    "level_count",
    "level_of",
    "levels_at",
    "round_count",
    "start_auction",
]

CALL_IS_LEGAL, CALL_AFTER_END, BID_TOO_LOW, CONTRA_NOT_ALLOWED, CALL_NOT_OF_SYSTEM = range(5)
CALL_COUNT = TRIPLE_CLOSED + 1


def has_turn_up_bidding(rules: RuleSet) -> bool:
    """Whether the bidding is for a turned-up card."""
    return rules.bidding == BIDDING_TURN_UP or rules.bidding == BIDDING_FLOOR_CARD


def round_count(rules: RuleSet) -> int:
    """Rounds of calls for the turned-up card."""
    return 1 if rules.round_two == ROUND_TWO_NONE else 2


# What may be called.


def call_problem(rules: RuleSet, auction: Auction, call: CallCode) -> int:
    """Why *call* is not allowed now: CALL_IS_LEGAL or one of the codes beside it."""
    if auction.is_over:
        return CALL_AFTER_END
    if call == PASS:
        return _pass_problem(rules, auction)
    if call <= ALL_TRUMPS or call == ASHKAL:
        return _bid_problem(rules, auction, call)
    return _double_problem(rules, auction, call)


def _pass_problem(rules: RuleSet, auction: Auction) -> int:
    """A forced dealer may not pass when all others did, or in the last round."""
    is_free = auction.turn_seat != auction.dealer_seat or auction.contract != NO_CONTRACT
    if not rules.forced_dealer or is_free:
        return CALL_IS_LEGAL
    if not has_turn_up_bidding(rules):
        return BID_TOO_LOW if auction.passes == rules.players - 1 else CALL_IS_LEGAL
    is_last_round = auction.round == round_count(rules)
    return CALL_NOT_OF_SYSTEM if is_last_round and _can_order(rules, auction) else CALL_IS_LEGAL


def _bid_problem(rules: RuleSet, auction: Auction, call: CallCode) -> int:
    if has_turn_up_bidding(rules):
        return CALL_IS_LEGAL if _may_order(rules, auction, call) else CALL_NOT_OF_SYSTEM
    if call == ASHKAL:
        return CALL_NOT_OF_SYSTEM
    if rules.contracts[call] < 0:
        return BID_TOO_LOW
    if auction.contract == NO_CONTRACT:
        return CALL_IS_LEGAL
    if auction.doubles > 0 and not rules.raise_cancels_double:
        return BID_TOO_LOW
    return CALL_IS_LEGAL if rules.contracts[call] > rules.contracts[auction.contract] else BID_TOO_LOW


def _can_order(rules: RuleSet, auction: Auction) -> bool:
    """Whether anything but a pass is open to the seat that speaks."""
    for contract in range(ALL_TRUMPS + 1):
        if _may_order(rules, auction, contract):
            return True
    return _may_order(rules, auction, ASHKAL)


def _may_order(rules: RuleSet, auction: Auction, call: CallCode) -> bool:
    """Whether a contract or Ashkal may be called in bidding for a turned-up card."""
    if auction.phase == ORDERING:
        return is_offered(rules, auction, call)
    if auction.phase == SUN_OVER_SUIT:
        is_sun = call in (NO_TRUMPS, ASHKAL)
        return is_sun and _may_take_over(rules, auction) and is_offered(rules, auction, call)
    if auction.phase == CONFIRMING:
        return call == NO_TRUMPS and _may_take_over(rules, auction) and is_offered(rules, auction, call)
    return False


def is_offered(rules: RuleSet, auction: Auction, call: CallCode) -> bool:
    """Whether this round has *call*. A turned-up card that is not known leaves the suits open."""
    if call == ASHKAL:
        return _has_ashkal(rules, auction)
    if rules.contracts[call] < 0:
        return False
    if call >= NO_TRUMPS:
        if auction.round == 1:
            return rules.bidding == BIDDING_FLOOR_CARD and call == NO_TRUMPS
        return rules.round_two == ROUND_TWO_OTHER_SUITS_AND_NO_SUIT
    if auction.round == 1:
        return auction.first_suit == NO_SUIT or auction.first_suit == call
    if auction.first_suit == call:
        return False
    is_bound = rules.round_two == ROUND_TWO_SECOND_TURN_UP and auction.second_suit != NO_SUIT
    return not is_bound or auction.second_suit == call


def _has_ashkal(rules: RuleSet, auction: Auction) -> bool:
    """Ashkal is the dealer's call and that of the seat before him."""
    seat, dealer_seat = auction.turn_seat, auction.dealer_seat
    if rules.ashkal == ASHKAL_NONE or (seat != dealer_seat and seat_after(rules, seat) != dealer_seat):
        return False
    if auction.has_ace and not rules.ashkal_on_ace:
        return False
    if rules.ashkal == ASHKAL_BOTH_ROUNDS:
        return True
    return (rules.ashkal == ASHKAL_FIRST_ROUND) == (auction.round == 1)


def _may_take_over(rules: RuleSet, auction: Auction) -> bool:
    """Whether the seat that speaks may turn a suit into Sun: not after passing in the second round."""
    speaker, caller = (
        _turn_of(rules, auction, auction.turn_seat),
        _turn_of(rules, auction, auction.declarer_seat),
    )
    if auction.round == 2 and speaker < caller:
        return False
    if rules.sun_over_ace != SUN_OVER_ACE_FIRST_SPEAKER or not auction.has_ace:
        return True
    return auction.turn_seat == seat_after(rules, auction.dealer_seat)


def _turn_of(rules: RuleSet, auction: Auction, seat: Seat) -> int:
    """Place of *seat* in a round of calls, from 0."""
    return (seat - auction.dealer_seat - 1) % rules.players


def _double_problem(rules: RuleSet, auction: Auction, call: CallCode) -> int:
    """Contra is the opponents' call, recontra the contract side's, and so on in turn."""
    closes = call >= DOUBLE_CLOSED
    is_for_turn_up = has_turn_up_bidding(rules)
    if (closes and not rules.closed_doubling) or (is_for_turn_up and level_count(rules) == 0):
        return CALL_NOT_OF_SYSTEM
    if auction.contract == NO_CONTRACT or (is_for_turn_up and auction.phase != DOUBLING):
        return CONTRA_NOT_ALLOWED
    doubles = doubles_of(call)
    if auction.doubles != doubles - 1 or doubles > levels_at(rules, auction.contract):
        return CONTRA_NOT_ALLOWED
    if closes and auction.contract >= NO_TRUMPS:
        return CONTRA_NOT_ALLOWED
    is_own_contract = side_of(rules, auction.turn_seat) == side_of(rules, auction.declarer_seat)
    is_contract_sides_call = doubles % 2 == 0
    return CALL_IS_LEGAL if is_own_contract == is_contract_sides_call else CONTRA_NOT_ALLOWED


def doubles_of(call: CallCode) -> int:
    """Which doubling *call* is, from 1."""
    if call >= DOUBLE_CLOSED:
        return 1 if call == DOUBLE_CLOSED else 3
    return call - DOUBLE + 1


def levels_at(rules: RuleSet, contract: Contract) -> int:
    """How many times *contract* can be doubled."""
    levels = level_count(rules)
    return (
        min(levels, 1) if contract == NO_TRUMPS and rules.no_trumps_doubling == DOUBLE_FIRST_LEVEL else levels
    )


def level_count(rules: RuleSet) -> int:
    """How many times a contract can be doubled."""
    count = 0
    for slot in range(LEVEL_SLOTS):
        if rules.multipliers[slot] != NO_LEVEL:
            count += 1
    return count


def level_of(rules: RuleSet, doubles: int) -> int:
    """Multiplier after *doubles* doublings: 1, 2, 4, or what the multipliers give; 0 = the whole match."""
    return 1 if doubles == 0 else rules.multipliers[doubles - 1]


def legal_call_mask(rules: RuleSet, auction: Auction) -> int:
    """Calls that are allowed now, one bit a call code; 0 when the auction is over."""
    mask = 0
    for call in range(CALL_COUNT):
        if call_problem(rules, auction, call) == CALL_IS_LEGAL:
            mask |= 1 << call
    return mask


# What a call does.


def after_call(rules: RuleSet, auction: Auction, call: CallCode) -> Auction:
    """Auction after the legal *call*."""
    if call == PASS:
        return _after_pass(rules, auction)
    if call <= ALL_TRUMPS or call == ASHKAL:
        return _after_bid(rules, auction, call)
    doubles = doubles_of(call)
    return doubled(
        auction,
        seat_after(rules, auction.turn_seat),
        doubles,
        int(call >= DOUBLE_CLOSED),
        _ends_at_once(rules, auction.contract, doubles),
    )


def after_illegal_call(rules: RuleSet, auction: Auction) -> Auction:
    """An illegal call takes its turn, and counts neither as a pass nor as a bid."""
    if has_turn_up_bidding(rules) and auction.phase != DOUBLING:
        return _after_turn(rules, auction, auction.passes)
    turn_seat = seat_after(rules, auction.turn_seat)
    return moved(auction, turn_seat, auction.passes, 0, auction.round, auction.phase, auction.turns)


def _after_pass(rules: RuleSet, auction: Auction) -> Auction:
    passes = auction.passes + 1
    if has_turn_up_bidding(rules) and auction.phase != DOUBLING:
        return _after_turn(rules, auction, passes)
    needed = rules.players if auction.contract == NO_CONTRACT else rules.players - 1
    turn_seat = seat_after(rules, auction.turn_seat)
    is_over = int(passes >= needed)
    return moved(auction, turn_seat, passes, is_over, auction.round, auction.phase, auction.turns)


def _after_bid(rules: RuleSet, auction: Auction, call: CallCode) -> Auction:
    contract = NO_TRUMPS if call == ASHKAL else call
    if not has_turn_up_bidding(rules):
        return ordered(rules, auction, contract, 0, ORDERING, 0)
    if rules.bidding == BIDDING_FLOOR_CARD and contract < NO_TRUMPS:
        return ordered(rules, auction, contract, 0, SUN_OVER_SUIT, 0)
    is_over = int(levels_at(rules, contract) == 0)
    return ordered(rules, auction, contract, int(call == ASHKAL), DOUBLING, is_over)


def _after_turn(rules: RuleSet, auction: Auction, passes: int) -> Auction:
    """A turn for the turned-up card that changed nothing."""
    turn_seat, turns = seat_after(rules, auction.turn_seat), auction.turns + 1
    if auction.phase == ORDERING:
        rounds = round_count(rules)
        is_over = int(turns == rounds * rules.players)
        return moved(
            auction, turn_seat, passes, is_over, min(turns // rules.players + 1, rounds), ORDERING, turns
        )
    if auction.phase == SUN_OVER_SUIT:
        phase = SUN_OVER_SUIT if turns < rules.players - 1 else CONFIRMING
        return moved(auction, turn_seat, passes, 0, auction.round, phase, turns)
    is_over = int(levels_at(rules, auction.contract) == 0)
    return moved(auction, turn_seat, 0, is_over, auction.round, DOUBLING, 0)


def _ends_at_once(rules: RuleSet, contract: Contract, doubles: int) -> int:
    """Nothing can follow a recontra on the highest contract where that is a rule."""
    is_highest = True
    for other in range(6):
        if rules.contracts[other] > rules.contracts[contract]:
            is_highest = False
    return int(
        rules.redoubled_all_trumps_ends == 1 and doubles == 2 and is_highest and level_count(rules) == 2
    )

"""The auction in the compiled loops: what follows what is worked out once and looked up from then on.

An auction is one whole number, its *key*; keys stand in a table of the workspace, each with the calls that are legal
and the place of the auction after each call. The rule functions fill the table as it is needed.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats.cards import NO_CONTRACT
from belot_stats.rules.auction import Auction
from belot_stats.rules.compiling import U
from belot_stats.rules.deal_rows import AUCTIONS, CALL_CODES, PASSED_OUT
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import after_call, all_pass_contract, legal_call_mask, level_of

IS_KNOWN = 1 << 62
OVER = 13
SPREAD = 0x9E37_79B9_7F4A_7C15 >> 2  # odd; the key's bits go to the upper half of the product
NOT_YET = -1


@njit(forceinline=True)
def seat_from(players, seat, dealer):
    """*seat* counted from the dealer; no seat stays none."""
    if seat < 0:
        return seat
    return seat - dealer if seat >= dealer else seat - dealer + players


@njit(forceinline=True)
def seat_at(players, distance, dealer):
    """The seat that is *distance* after the dealer."""
    if distance < 0:
        return distance
    seat = dealer + distance
    return seat if seat < players else seat - players


@njit
def key_of(rules, a):
    """The auction as a number, unlike 0, and the same whoever deals."""
    turn = seat_from(rules.players, a.turn_seat, a.dealer_seat)
    declarer = seat_from(rules.players, a.declarer_seat, a.dealer_seat)
    first = turn | a.contract + 1 << 2 | declarer + 1 << 5 | a.doubles << 8
    second = a.is_over << OVER | a.round << 14 | a.first_suit + 1 << 16 | a.second_suit + 1 << 19
    third = a.is_ashkal << 22 | a.is_closed << 23 | a.has_ace << 24 | a.phase << 25
    return first | second | third | a.passes << 27 | a.turns << 33 | IS_KNOWN


@njit
def auction_of(rules, key, dealer):
    """The auction that *key* stands for when *dealer* dealt."""
    return Auction(
        seat_at(rules.players, key & 3, dealer),
        (key >> 2 & 7) - 1,
        seat_at(rules.players, (key >> 5 & 7) - 1, dealer),
        key >> 8 & 7,
        key >> 27 & 63,
        key >> OVER & 1,
        dealer,
        key >> 14 & 3,
        (key >> 16 & 7) - 1,
        (key >> 19 & 7) - 1,
        key >> 22 & 1,
        key >> 23 & 1,
        key >> 24 & 1,
        key >> 25 & 3,
        key >> 33 & 63,
    )


@njit(forceinline=True)
def contract_in(key):
    return (key >> 2 & 7) + NO_CONTRACT


@njit(forceinline=True)
def declarer_in(rules, key, dealer):
    return seat_at(rules.players, (key >> 5 & 7) - 1, dealer)


@njit
def forget_all(s):
    s.auction_count = 0
    for place in range(2 * AUCTIONS):
        s.auction_places[U(place)] = 0


@njit
def place_of(key, s):
    """Place of *key* in the table, where it is put if it is not there."""
    if s.auction_count == AUCTIONS:
        forget_all(s)
    slot = (key * SPREAD >> 32) & (2 * AUCTIONS - 1)
    while s.auction_places[U(slot)] != 0:
        place = np.int64(s.auction_places[U(slot)]) - 1
        if s.auctions[U(place)].key == key:
            return place
        slot = (slot + 1) & (2 * AUCTIONS - 1)
    place = s.auction_count
    s.auction_count += 1
    s.auction_places[U(slot)] = s.auction_count
    known = s.auctions[U(place)]
    known.key = key
    known.legal = NOT_YET
    for call in range(CALL_CODES):
        known.next[U(call)] = NOT_YET
    return place


@njit(forceinline=True)
def calls_at(rules, place, s):
    """Legal calls, one bit a call."""
    known = s.auctions[U(place)]
    legal = np.int64(known.legal)
    if legal == NOT_YET:
        legal = legal_call_mask(rules, auction_of(rules, known.key, 0))
        known.legal = legal
    return legal


@njit(forceinline=True)
def place_after(rules, place, call, s):
    """Place of the auction after *call*."""
    known = s.auctions[U(place)]
    following = np.int64(known.next[U(call)])
    if following == NOT_YET:
        key = known.key
        following = place_of(key_of(rules, after_call(rules, auction_of(rules, key, 0), call)), s)
        if known.key == key:  # not forgotten meanwhile
            known.next[U(call)] = following
    return following


@njit
def close_auction(rules, auction, d):
    """What the calls end in, into the row of the deal; returns the contract that is played, or none."""
    contract = auction.contract
    if contract == NO_CONTRACT:
        contract = all_pass_contract(rules, auction)
    d.contract, d.declarer, d.level = contract, auction.declarer_seat, level_of(rules, auction.doubles)
    if contract == NO_CONTRACT:
        d.result, d.capot, d.hanging = PASSED_OUT, NO_SIDE, 0
        for side in range(3):
            d.score[U(side)] = d.points[U(side)] = 0
    return contract

"""Announcing in the compiled loops: the declarations of a hand, and the belotes among the cards of a deal.

A compiled function takes the rules and ``d``, the row of the deal.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, KING, QUEEN
from belot_stats.rules.compiling import U, trailing_zeros
from belot_stats.rules.declarations import RUN_STARTS
from belot_stats.rules.twins import (
    best_combinations,
    combination_points,
    counted_part,
    lower_part,
    lowest_run,
    seat_after,
)

ALL_QUEENS = 0x0101_0101 << QUEEN
TRUMP_QUEENS = np.array([*(1 << QUEEN + 8 * suit for suit in range(4)), 0, ALL_QUEENS])  # by contract


@njit(forceinline=True)
def carres_in(hand):
    """Ranks of which *hand* holds all four."""
    return hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xFF


@njit(forceinline=True)
def announce_run(rules, contract, run, seat, at, d):
    if combination_points(rules, contract, run) >= 0:
        count = np.int64(d.declared_count)
        d.declared_seat[U(count)] = seat
        d.declared_mask[U(count)] = run
        d.declared_at[U(count)] = at
        d.declared_place[U(count)] = count
        d.declared_count = count + 1


@njit
def announce(rules, contract, hand, seat, at, d):
    """All that best_combinations finds; in most hands that is nothing, or a run."""
    carres = carres_in(hand)
    if carres | hand & hand >> 1 & hand >> 2 & RUN_STARTS == 0:
        return
    if carres != 0:
        for mask in best_combinations(rules, contract, hand):
            announce_run(rules, contract, mask, seat, at, d)
        return
    run = lowest_run(hand)
    while run != 0:
        beside = lower_part(rules, run)
        if beside != 0:
            announce_run(rules, contract, beside, seat, at, d)
        announce_run(rules, contract, counted_part(rules, run), seat, at, d)
        hand &= ~run
        run = lowest_run(hand)


@njit(forceinline=True)
def announce_all(rules, contract, first_leader, d):
    """What every hand announces at its first card."""
    seat = first_leader
    for position in range(rules.players):
        announce(rules, contract, np.int64(d.hands[U(seat)]), seat, position, d)
        seat = seat_after(rules, seat)


@njit(forceinline=True)
def belote_cards(hand, trump_queens):
    """Kings and queens of trumps that lie together."""
    pairs = hand & hand >> 1 & trump_queens
    return pairs | pairs << 1


@njit(forceinline=True)
def trump_queens_of(rules, contract):
    """Queens whose kings make a belote."""
    return 0 if rules.belote_points == 0 else TRUMP_QUEENS[contract]


@njit
def announce_belotes(rules, contract, place_of, d):
    """Belotes of a deal that was played out, in their order.  place_of: of each card among those played."""
    trump_queens, queens, places = trump_queens_of(rules, contract), 0, 0
    for seat in range(rules.players):
        hand = np.int64(d.hands[U(seat)])
        queens |= hand & hand >> 1 & trump_queens
    while queens != 0:
        queen = trailing_zeros(queens)
        queens &= queens - 1
        places |= 1 << min(np.int64(place_of[U(queen)]), np.int64(place_of[U(queen ^ QUEEN ^ KING)]))
    count = 0
    while places != 0:
        at = trailing_zeros(places)
        places &= places - 1
        card = np.int64(d.plays[U(at)])
        led = np.int64(d.plays[U(at - at % rules.players)]) >> 3
        if contract != ALL_TRUMPS or led == card >> 3 or rules.belote_when != p.BELOTE_LEAD_FOLLOW_RUFF:
            seat = 0
            while not d.hands[U(seat)] >> card & 1:
                seat += 1
            d.belote_seat[U(count)] = seat
            d.belote_suit[U(count)] = card >> 3
            d.belote_at[U(count)] = at
            count += 1
    d.belote_count = count

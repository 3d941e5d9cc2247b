"""What the standing of the match decides in a deal, compiled: contras of no trumps, and declaring out.

In a single deal nobody has points from before, and nobody declares out.
"""

from __future__ import annotations

from numba import njit

from belot_stats.cards import DOUBLE, DOUBLE_CLOSED, NO_TRUMPS
from belot_stats.rules.batch_auction import contract_in, declarer_in
from belot_stats.rules.batch_settle import count_belotes, count_declarations
from belot_stats.rules.deal_rows import DECLARED_OUT
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import raw_total, side_of

DOUBLES = 1 << DOUBLE | 1 << DOUBLE_CLOSED


@njit
def may_double(rules, seat, declarer, s):
    """Whether the totals of the match allow a contra of no trumps."""
    limit = rules.no_trumps_double_limit
    return limit == 0 or s.totals[side_of(rules, seat)] <= limit < s.totals[side_of(rules, declarer)]


@njit(forceinline=True)
def not_doubled(rules, key, seat, dealer, s):
    """Whether *seat* may not double in the auction *key*, which the calls alone would let it."""
    if rules.no_trumps_double_limit == 0 or contract_in(key) != NO_TRUMPS:
        return False
    return not may_double(rules, seat, declarer_in(rules, key, dealer), s)


@njit
def total_so_far(rules, contract, side, is_capot, s):
    return raw_total(rules, contract, s.card_points[side], s.declared[side], s.belotes[side], is_capot)


@njit
def reaches_target(rules, contract, seat, leader, d, s):
    """Whether *seat*, which won the last trick, can declare out with what it has of the tricks so far."""
    count_declarations(rules, contract, False, leader, d, s)
    count_belotes(rules, contract, False, d, s)
    side = side_of(rules, seat)
    return s.totals[side] + total_so_far(rules, contract, side, False, s) >= rules.target


@njit
def settle_out(rules, contract, d, s):
    """What the sides had when one declared out, as the checker counts it; nothing of it is scored."""
    takers, taker = 0, NO_SIDE
    for side in range(3):
        if s.tricks_won[side] > 0:
            takers, taker = takers + 1, side
    for side in range(3):
        d.tricks_won[side] = s.tricks_won[side]
        d.card_points[side] = s.card_points[side]
        d.declaration_points[side] = s.declared[side]
        d.belote_points[side] = s.belotes[side]
        d.points[side] = total_so_far(rules, contract, side, takers == 1 and side == taker, s)
        d.score[side] = 0
    d.capot, d.hanging, d.result = NO_SIDE, 0, DECLARED_OUT

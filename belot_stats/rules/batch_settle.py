"""The settlement of a deal that was played out, compiled: what all loops over deals share.

A compiled function takes the rules, ``d``, the row of the deal, and ``s``, the workspace of the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats.cards import KING, NO_SEAT, QUEEN
from belot_stats.rules.compiling import U
from belot_stats.rules.declarations import CARRE, COUNTED, NO_CONTEST, Announcement
from belot_stats.rules.scoring import DealPoints
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import (
    combination_points,
    contest_after,
    fate_of,
    is_apart,
    kind_of,
    raw_total,
    settle_all_pass,
    settle_deal,
    side_count_of,
    side_of,
)

NO_TRICK, NOT_ALLOWED = 3, 4  # fates beside COUNTED, BEATEN, TIED
HUNDRED = 100


@njit(forceinline=True)
def announced_by(d, i):
    return Announcement(
        np.int64(d.declared_seat[U(i)]), np.int64(d.declared_mask[U(i)]), np.int64(d.declared_at[U(i)])
    )


@njit
def count_declarations(rules, contract, is_all_pass, leader, d, s):
    count = np.int64(d.declared_count)
    for side in range(3):
        s.declared[U(side)] = 0
    if count == 0:
        return
    runs = carres = NO_CONTEST
    for i in range(count):
        item = announced_by(d, i)
        if is_apart(rules, item.cards_mask):
            carres = contest_after(rules, contract, carres, item, leader)
        else:
            runs = contest_after(rules, contract, runs, item, leader)
    for i in range(count):
        item = announced_by(d, i)
        side = side_of(rules, item.seat)
        fate = fate_of(rules, item.seat, carres.side if is_apart(rules, item.cards_mask) else runs.side)
        d.declared_fate[U(i)] = fate
        taken = s.tricks_won[U(side)]
        if is_all_pass:
            taken = s.tricks_won[0] + s.tricks_won[1] + s.tricks_won[2] - taken
        points = combination_points(rules, contract, item.cards_mask)
        d.declared_points[U(i)] = points
        if fate == COUNTED and (taken > 0 or not rules.declarations_need_trick):
            s.declared[U(side)] += points
        elif fate == COUNTED:
            d.declared_fate[U(i)] = NO_TRICK


@njit
def stands_in_hundred(rules, contract, seat, suit, d):
    pair = (1 << QUEEN | 1 << KING) << 8 * suit
    for i in range(d.declared_count):
        mask = np.int64(d.declared_mask[U(i)])
        if d.declared_seat[U(i)] != seat or d.declared_fate[U(i)] != COUNTED:
            continue
        if combination_points(rules, contract, mask) < HUNDRED:
            continue
        if mask & pair == pair or (kind_of(mask) == CARRE and mask & pair != 0):
            return True
    return False


@njit
def count_belotes(rules, contract, is_all_pass, d, s):
    for side in range(3):
        s.belotes[U(side)] = 0
    for i in range(d.belote_count):
        seat = np.int64(d.belote_seat[U(i)])
        side = side_of(rules, seat)
        has_trick = s.tricks_won[U(side)] > 0 or is_all_pass or not rules.belote_needs_trick
        if not has_trick:
            d.belote_fate[U(i)] = NO_TRICK
        elif not rules.belote_with_hundred and stands_in_hundred(
            rules, contract, seat, np.int64(d.belote_suit[U(i)]), d
        ):
            d.belote_fate[U(i)] = NOT_ALLOWED
        else:
            d.belote_fate[U(i)] = COUNTED
            s.belotes[U(side)] += rules.belote_points


@njit
def settle(rules, contract, level, declarer, leader, last_seat, d, s):
    """Points and score of a deal that was played out."""
    sides, is_all_pass = side_count_of(rules), declarer == NO_SEAT
    won, cards = s.tricks_won, s.card_points
    cards[side_of(rules, last_seat)] += rules.last_trick_points
    count_declarations(rules, contract, is_all_pass, leader, d, s)
    count_belotes(rules, contract, is_all_pass, d, s)
    capot = NO_SIDE
    takers = 0
    for side in range(sides):
        if won[U(side)] > 0:
            takers += 1
            capot = side
    if takers != 1:
        capot = NO_SIDE
    declared, belotes = s.declared, s.belotes
    total = (
        raw_total(rules, contract, cards[0], declared[0], belotes[0], capot == 0),
        raw_total(rules, contract, cards[1], declared[1], belotes[1], capot == 1),
        raw_total(rules, contract, cards[2], declared[2], belotes[2], capot == 2),
    )
    points = DealPoints(
        total,
        (cards[0], cards[1], cards[2]),
        (declared[0], declared[1], declared[2]),
        (belotes[0], belotes[1], belotes[2]),
        (won[0], won[1], won[2]),
    )
    if is_all_pass:
        score = settle_all_pass(rules, points)
    else:
        score = settle_deal(rules, contract, level, points, side_of(rules, declarer), capot, 0)
    for side in range(3):
        d.tricks_won[U(side)] = won[U(side)]
        d.card_points[U(side)] = cards[U(side)]
        d.declaration_points[U(side)] = declared[U(side)]
        d.belote_points[U(side)] = belotes[U(side)]
        d.points[U(side)] = total[side]
    d.capot = capot
    d.score[0] = score.score_0
    d.score[1] = score.score_1
    d.score[2] = score.score_2
    d.hanging = score.hanging
    d.result = score.result


@njit
def triple(values):
    return np.int64(values[0]), np.int64(values[1]), np.int64(values[2])


@njit
def settled_points(d):
    return DealPoints(
        triple(d.points),
        triple(d.card_points),
        triple(d.declaration_points),
        triple(d.belote_points),
        triple(d.tricks_won),
    )

"""The compiled loops that take the results of deals out of their rows, into columns."""

from __future__ import annotations

import numpy as np

from belot_stats.rules.batch_columns import ABSENT, or_absent
from belot_stats.rules.batch_loops import make_singles
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.deal_rows import PASSED_OUT

SMALL = ("dealer", "contract", "level", "declarer", "outcome", "capot_side")
POINTS = ("card_points", "declaration_points", "belote_points", "points", "score")


@compiled_loop
def fill_results(sides, rows, first, small, hanging, tricks_won, points):
    """Fill in the results of *rows* from the place *first* on.

    small: uint8 [SMALL, n], ABSENT where there is none.  hanging: int32 [n].  tricks_won: uint8 [sides, n].
    points: int32 [POINTS, sides, n].
    """
    for row in range(rows.size):
        d, at = rows[row], first + row
        is_passed = d.result == PASSED_OUT
        small[0, at] = d.dealer
        small[1, at] = or_absent(d.contract)
        small[2, at] = ABSENT if is_passed else d.level
        small[3, at] = or_absent(d.declarer)
        small[4, at] = d.result
        small[5, at] = ABSENT if is_passed else or_absent(d.capot)
        hanging[at] = d.hanging
        for side in range(sides):
            tricks_won[side, at] = 0 if is_passed else d.tricks_won[side]
            points[0, side, at] = 0 if is_passed else d.card_points[side]
            points[1, side, at] = 0 if is_passed else d.declaration_points[side]
            points[2, side, at] = 0 if is_passed else d.belote_points[side]
            points[3, side, at] = 0 if is_passed else d.points[side]
            points[4, side, at] = 0 if is_passed else d.score[side]


@compiled_loop
def make_results(rules, policy, seed, first_deal, sides, rows, s, small, hanging, tricks_won, points):
    """Results of single deals *first_deal* and following, as fill_results fills them in.

    rows: in which they are made, so many at a time that they stay in the processor's cache.
    """
    for start in range(0, hanging.size, rows.size):
        made = rows[: min(rows.size, hanging.size - start)]
        make_singles(rules, policy, seed, first_deal + np.uint64(start), made, s)
        fill_results(sides, made, start, small, hanging, tricks_won, points)

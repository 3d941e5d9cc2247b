"""Matches in rows of fixed width: what the compiled match pass reads and writes, one numpy record a deal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.rules.deal_rows import SIDES
from belot_stats.rules.scoring import ALL_PASS

Numbers = npt.NDArray[Any]

CLEAN, DOUBTFUL = 0, 1
PASSED, PENALTY, DECLARED_OUT, UNFINISHED = range(ALL_PASS + 1, ALL_PASS + 5)  # outcomes, after the results
NOTHING = 255  # seat, side, contract or level that is not known; length of a list that is not there
ODD = 254  # length of a list of more than three
NO_TIME, WITH_OFFSET, WITHOUT_OFFSET = 0, 1, 2
NO_ROW = -1

# A deal of a match, names as in the data dictionary; lists are of one number a side, the rest 0.
MATCH_DEAL = np.dtype(
    [
        ("deal", "i8"),
        ("time", "i8"),  # microseconds
        ("rules", "i4"),  # place among the rule sets; below 0 where it is none of them
        ("points", "i4", (SIDES,)),
        ("score", "i4", (SIDES,)),
        ("hanging", "i4"),
        ("claimed_score", "i4", (SIDES,)),
        ("claimed_total", "i4", (SIDES,)),
        ("claimed_hanging", "i4"),
        ("finding_count", "u4"),
        ("tricks_won", "u1", (SIDES,)),
        ("points_count", "u1"),
        ("score_count", "u1"),
        ("claimed_score_count", "u1"),
        ("claimed_total_count", "u1"),
        ("tricks_won_count", "u1"),
        ("has_claimed_hanging", "u1"),
        ("claimed_winner", "u1"),
        ("time_kind", "u1"),  # NO_TIME, WITH_OFFSET, WITHOUT_OFFSET
        ("dealer", "u1"),
        ("ends_order", "u1"),  # after this deal any seat may deal
        ("outcome", "u1"),  # FAILED ... ALL_PASS, PASSED, PENALTY, DECLARED_OUT, UNFINISHED
        ("is_scored", "u1"),
        ("contract", "u1"),
        ("level", "u1"),
        ("declarer", "u1"),
        ("declarer_side", "u1"),
        ("last_trick_side", "u1"),
        ("capot_side", "u1"),
    ],
    align=True,
)

# How the match stands after a deal.
STANDING = np.dtype(
    [
        ("hanging_in", "i8"),
        ("hanging_out", "i8"),
        ("score", "i8", (SIDES,)),  # hung points won included
        ("total", "i8", (SIDES,)),
        ("has_score", "u1"),
        ("has_total", "u1"),
    ],
    align=True,
)


class MatchResults(NamedTuple):
    """What the loop finds: a match, then a deal; for deals of a DOUBTFUL match anything."""

    status: Numbers
    last_row: Numbers  # of the deal that ends the match, or of the last one
    winner: Numbers  # NOTHING where it did not end
    standings: Numbers


def new_results(matches: int, deals: int) -> MatchResults:
    """Results of so many matches and deals, to be filled in."""
    return MatchResults(
        status=np.full(matches, DOUBTFUL, np.uint8),
        last_row=np.full(matches, NO_ROW, np.int64),
        winner=np.full(matches, NOTHING, np.uint8),
        standings=np.zeros(deals, STANDING),
    )

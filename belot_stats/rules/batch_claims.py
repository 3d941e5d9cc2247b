"""The compiled loop that turns deals that were made into records that claim what the rules give."""

from __future__ import annotations

from numba import njit

from belot_stats.record_columns import (
    END_OTHER,
    END_PASSED,
    END_PLAYED,
    MOST_BELOTES,
    MOST_CALLS,
    MOST_DECLARATIONS,
    NOT_SAID,
    NUMBER_NOT_SAID,
)
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.deal_rows import CARDS, DECLARED_OUT, PASSED_OUT, TRICKS
from belot_stats.rules.scoring import MADE


@njit
def copy_table(d, r, seats):
    r.dealer, r.exchange = d.dealer, d.exchange
    r.turn_up[0], r.turn_up[1] = d.turn_up[0], d.turn_up[1]
    r.call_count, r.play_count = d.call_count, d.play_count
    for seat in range(seats):
        r.first_hands[seat] = d.first_hands[seat]
    for place in range(MOST_CALLS):
        r.calls[place] = d.calls[place]
    for place in range(CARDS):
        r.plays[place] = d.plays[place]
    for trick in range(TRICKS):
        r.claimed_tricks[trick] = d.winners[trick]


@njit
def copy_announcements(d, r):
    r.declared_count, r.belote_count = d.declared_count, d.belote_count
    for place in range(MOST_DECLARATIONS):
        r.declared_seat[place] = d.declared_seat[place]
        r.declared_mask[place] = d.declared_mask[place]
        r.declared_at[place] = d.declared_at[place]
    for place in range(MOST_BELOTES):
        r.belote_seat[place] = d.belote_seat[place]
        r.belote_suit[place] = d.belote_suit[place]
        r.belote_at[place] = d.belote_at[place]


@njit
def claim_play(d, r, seats, is_passed):
    r.has_first_hands, r.has_hands = 1, 0 if is_passed else 1
    for seat in range(seats):
        r.hands[seat] = 0 if is_passed else d.hands[seat]
    if is_passed:
        r.claimed_contract = r.claimed_declarer = r.claimed_trick_count = r.claimed_capot = NOT_SAID
        r.claimed_level = NOT_SAID
        return
    r.claimed_contract, r.claimed_declarer, r.claimed_level = d.contract, d.declarer, d.level
    r.claimed_trick_count, r.claimed_capot = d.play_count // seats, d.capot


@njit
def claim_points(d, t, r, sides, is_passed, is_out):
    r.claimed_made = NOT_SAID
    if d.result <= MADE:
        r.claimed_made = 1 if d.result == MADE else 0
    for side in range(sides):
        r.claimed_points[side] = 0 if is_passed or is_out else d.points[side]
        r.claimed_score[side] = 0 if is_out else t.score[side]
    if is_passed or is_out:
        r.claimed_points[0] = NUMBER_NOT_SAID
    if is_out:
        r.claimed_score[0] = r.claimed_hanging = NUMBER_NOT_SAID
    else:
        r.claimed_hanging = t.hanging


@compiled_loop
def claim_rows(seats, sides, rows, standings, records):
    """Records of *rows*; of a deal with more calls than a record has places for only the first.

    records: rows of RECORD, either 0 or filled by this loop before: everything is written but what is always 0.
    """
    for row in range(rows.size):
        d, t, r = rows[row], standings[row], records[row]
        is_passed, is_out = d.result == PASSED_OUT, d.result == DECLARED_OUT
        r.deal = t.deal
        r.end = END_PASSED if is_passed else END_OTHER if is_out else END_PLAYED
        copy_table(d, r, seats)
        copy_announcements(d, r)
        claim_play(d, r, seats, is_passed)
        claim_points(d, t, r, sides, is_passed, is_out)

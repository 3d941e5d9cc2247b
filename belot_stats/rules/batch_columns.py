"""The compiled loop that turns rows of deals into the columns of the table ``deals``, all of them in one pass.

A compiled function takes ``k``, the shape of the table, ``r``, what the record of a deal says, and ``d``, what the
rules give. Numbers go into one column each, ABSENT where there is none; lists into their values, one after the other,
and the offsets where each begins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from belot_stats.record_columns import NOT_SAID, NUMBER_NOT_SAID
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.deal_rows import DECLARED_OUT, PASSED_OUT, Rows
from belot_stats.rules.declarations import CARRE_MASK
from belot_stats.rules.scoring import MADE
from belot_stats.rules.table import NO_SIDE, deal_size, hand_size, side_count
from belot_stats.ruleset import RuleSet

ABSENT = 255
CARRE = 3  # kinds of combinations: tierce, quarte, quinte, carre
SMALL = (
    *(
        "dealer",
        "exchange_seat",
        "claimed_contract",
        "claimed_declarer",
        "claimed_capot",
        "claimed_made",
        "end",
    ),
    *("outcome", "is_scored", "contract", "declarer", "declarer_side", "declarer_position", "level"),
    *("first_leader", "last_trick_side", "capot_side", "is_made", "ended_by_seat", "ended_by_at"),
)
SAID = ("turn_up", "first_hands", "hands", "claimed_tricks", "dealt_hands", "claimed_points", "claimed_score")
BYTES = ("turn_up", "auction", "plays", "claimed_tricks", "trick_leaders", "trick_winners", "trick_points")
HANDS = ("first_hands", "hands", "dealt_hands")
CLAIMS = ("claimed_points", "claimed_score")
ANNOUNCED = ("declarations", "declaration_results", "belotes", "belote_results")
SIDES = ("card_points", "declaration_points", "belote_points", "points", "score")  # one number a side, always
DECLARED = ("seat", "at", "result_seat", "result_side", "result_kind", "result_at", "result_status")
BELOTES = ("seat", "suit", "at", "result_seat", "result_side", "result_suit", "result_at", "result_status")
Array = npt.NDArray[Any]


class Columns(NamedTuple):
    """What the loop fills. Of the lists' values only the first are filled, as the offsets say."""

    small: Array  # uint8 [SMALL, n]: ABSENT
    said: Array  # uint8 [SAID, n]: 0 where a list is null
    tricks_won: Array  # uint8 [n, sides]
    sides: Array  # int32 [SIDES, n, sides]
    offsets: Array  # int32 [BYTES + HANDS + CLAIMS + ANNOUNCED, n + 1]
    bytes: Array  # uint8: values of the lists BYTES, each list from its own start
    starts: Array  # int64 [BYTES]
    hands: Array  # uint32 [HANDS, n * seats]
    claims: Array  # int32 [CLAIMS, n * sides]
    declared: Array  # uint8 [DECLARED, declarations]
    masks: Array  # uint32 [2, declarations]: in the record, in the results
    worth: Array  # uint16 [declarations]
    belotes: Array  # uint8 [BELOTES, belotes]


class Shape(NamedTuple):
    """Of a table: seats, sides, whether partners are one side, and tricks of a whole deal."""

    seats: int
    sides: int
    partners: int
    tricks: int


def columns_of(rules: RuleSet, records: Rows, rows: Rows) -> Columns:
    """Columns of deals: *records* as a log says them, *rows* as the rules give them."""
    shape = Shape(rules.players, side_count(rules), rules.partners, hand_size(rules))
    columns = _empty(rules, records, rows)
    fill_columns(shape, records, rows, *columns)
    return columns


def _empty(rules: RuleSet, records: Rows, rows: Rows) -> Columns:
    count, sides, tricks = len(records), side_count(rules), hand_size(rules)
    widths = [2, int(records["call_count"].max(initial=0)), deal_size(rules), *[tricks] * 4]
    starts = np.cumsum([0, *widths], dtype=np.int64) * count
    places = [int(given[name].sum(dtype=np.int64)) for given in (records, rows) for name in _COUNTS]
    declarations, belotes = max(places[::2]), max(places[1::2])
    lists = len(BYTES) + len(HANDS) + len(CLAIMS) + len(ANNOUNCED)
    return Columns(
        small=np.empty((len(SMALL), count), dtype=np.uint8),
        said=np.empty((len(SAID), count), dtype=np.uint8),
        tricks_won=np.empty((count, sides), dtype=np.uint8),
        sides=np.empty((len(SIDES), count, sides), dtype=np.int32),
        offsets=np.empty((lists, count + 1), dtype=np.int32),
        bytes=np.empty(int(starts[-1]), dtype=np.uint8),
        starts=starts[:-1],
        hands=np.empty((len(HANDS), count * rules.players), dtype=np.uint32),
        claims=np.empty((len(CLAIMS), count * sides), dtype=np.int32),
        declared=np.empty((len(DECLARED), declarations), dtype=np.uint8),
        masks=np.empty((2, declarations), dtype=np.uint32),
        worth=np.empty(declarations, dtype=np.uint16),
        belotes=np.empty((len(BELOTES), belotes), dtype=np.uint8),
    )


_COUNTS = ("declared_count", "belote_count")


@njit
def or_absent(value):
    return np.uint8(value) if value >= 0 else np.uint8(ABSENT)


@njit
def side_at(k, seat):
    return seat & 1 if k.partners else seat


@njit
def fill_said(r, row, small, said, is_passed):
    small[0, row] = r.dealer
    small[1, row] = or_absent(r.exchange)
    small[2, row] = or_absent(r.claimed_contract)
    small[3, row] = or_absent(r.claimed_declarer)
    small[4, row] = or_absent(r.claimed_capot)
    small[5, row] = or_absent(r.claimed_made)
    small[6, row] = r.end
    said[0, row] = r.turn_up[0] != NOT_SAID
    said[1, row] = r.has_first_hands
    said[2, row] = r.has_hands
    said[3, row] = r.claimed_trick_count != NOT_SAID
    said[4, row] = not is_passed
    said[5, row] = r.claimed_points[0] != NUMBER_NOT_SAID
    said[6, row] = r.claimed_score[0] != NUMBER_NOT_SAID


@njit
def fill_given(k, r, d, row, small, leader, last, is_passed, is_out):
    declarer = np.int64(d.declarer)
    position = (declarer - r.dealer + k.seats - 1) % k.seats + 1
    small[7, row] = d.result
    small[8, row] = 0 if is_passed or is_out else 1
    small[9, row] = or_absent(d.contract)
    small[10, row] = or_absent(d.declarer)
    small[11, row] = ABSENT if declarer < 0 else side_at(k, declarer)
    small[12, row] = ABSENT if declarer < 0 else position
    small[13, row] = ABSENT if is_passed else d.level
    small[14, row] = leader
    small[15, row] = ABSENT if is_passed else side_at(k, last)
    small[16, row] = ABSENT if is_passed or d.capot == NO_SIDE else d.capot
    small[17, row] = ABSENT if d.result > MADE else 1 if d.result == MADE else 0
    small[18, row] = last if is_out else ABSENT
    small[19, row] = r.play_count if is_out else ABSENT


@njit
def fill_sides(k, d, row, tricks_won, sides, is_passed):
    for side in range(k.sides):
        tricks_won[row, side] = 0 if is_passed else d.tricks_won[side]
        sides[0, row, side] = 0 if is_passed else d.card_points[side]
        sides[1, row, side] = 0 if is_passed else d.declaration_points[side]
        sides[2, row, side] = 0 if is_passed else d.belote_points[side]
        sides[3, row, side] = 0 if is_passed else d.points[side]
        sides[4, row, side] = 0 if is_passed else d.score[side]


@njit
def copy(values, count, out, start, offsets, row):
    """Copy a list's values behind those of the rows before."""
    at = offsets[row]
    for place in range(count):
        out[start + at + place] = values[place]
    offsets[row + 1] = at + count


@njit
def fill_cards(r, row, out, starts, offsets):
    count = (r.turn_up[0] != NOT_SAID) + (r.turn_up[1] != NOT_SAID)
    copy(r.turn_up, count, out, starts[0], offsets[0], row)
    copy(r.calls, r.call_count, out, starts[1], offsets[1], row)
    copy(r.plays, r.play_count, out, starts[2], offsets[2], row)
    copy(r.claimed_tricks, max(r.claimed_trick_count, 0), out, starts[3], offsets[3], row)


@njit
def fill_tricks(d, row, out, starts, offsets, leader, played):
    at = offsets[4, row]
    for trick in range(played):
        out[starts[4] + at + trick] = leader
        leader = d.winners[trick]
    offsets[4, row + 1] = at + played
    copy(d.winners, played, out, starts[5], offsets[5], row)
    copy(d.trick_points, played, out, starts[6], offsets[6], row)


@njit
def fill_hands(k, r, d, row, hands, offsets, is_passed):
    copy(r.first_hands, k.seats if r.has_first_hands else 0, hands[0], 0, offsets[7], row)
    copy(r.hands, k.seats if r.has_hands else 0, hands[1], 0, offsets[8], row)
    copy(d.hands, 0 if is_passed else k.seats, hands[2], 0, offsets[9], row)


@njit
def fill_claims(k, r, row, claims, offsets):
    has_points = r.claimed_points[0] != NUMBER_NOT_SAID
    has_score = r.claimed_score[0] != NUMBER_NOT_SAID
    copy(r.claimed_points, k.sides if has_points else 0, claims[0], 0, offsets[10], row)
    copy(r.claimed_score, k.sides if has_score else 0, claims[1], 0, offsets[11], row)


@njit
def kind_of(mask):
    low = mask & -mask
    size, rest = 0, mask
    while rest:
        rest &= rest - 1
        size += 1
    if size == 4 and mask == low * CARRE_MASK:
        return CARRE
    return min(max(size, 3), 5) - 3


@njit
def fill_declarations(k, r, d, row, declared, masks, worth, offsets):
    """Declarations of the record, and their results in the same order; rows hold them in the order announced."""
    copy(r.declared_seat, r.declared_count, declared[0], 0, offsets[12], row)
    at = offsets[12, row]
    for place in range(r.declared_count):
        declared[1, at + place] = r.declared_at[place]
        masks[0, at + place] = r.declared_mask[place]
    at = offsets[13, row]
    for place in range(d.declared_count):
        to = at + d.declared_place[place]
        seat = np.int64(d.declared_seat[place])
        declared[2, to], declared[3, to] = seat, side_at(k, seat)
        declared[4, to] = kind_of(np.int64(d.declared_mask[place]))
        declared[5, to], declared[6, to] = d.declared_at[place], d.declared_fate[place]
        masks[1, to], worth[to] = d.declared_mask[place], d.declared_points[place]
    offsets[13, row + 1] = at + d.declared_count


@njit
def fill_belotes(k, r, d, row, belotes, offsets):
    copy(r.belote_seat, r.belote_count, belotes[0], 0, offsets[14], row)
    copy(d.belote_seat, d.belote_count, belotes[3], 0, offsets[15], row)
    at = offsets[14, row]
    for place in range(r.belote_count):
        belotes[1, at + place] = r.belote_suit[place]
        belotes[2, at + place] = r.belote_at[place]
    at = offsets[15, row]
    for place in range(d.belote_count):
        belotes[4, at + place] = side_at(k, np.int64(d.belote_seat[place]))
        belotes[5, at + place] = d.belote_suit[place]
        belotes[6, at + place] = d.belote_at[place]
        belotes[7, at + place] = d.belote_fate[place]


@compiled_loop
def fill_columns(
    k,
    records,
    rows,
    small,
    said,
    tricks_won,
    sides,
    offsets,
    lists,
    starts,
    hands,
    claims,
    declared,
    masks,
    worth,
    belotes,
):
    offsets[:, 0] = 0
    for row in range(rows.size):
        r, d = records[row], rows[row]
        is_passed, is_out = d.result == PASSED_OUT, d.result == DECLARED_OUT
        leader = (np.int64(r.dealer) + 1) % k.seats
        played = 0 if is_passed else k.tricks
        if is_out:
            played = np.int64(r.play_count) // k.seats
        last = np.int64(d.winners[played - 1]) if played else 0
        fill_said(r, row, small, said, is_passed)
        fill_given(k, r, d, row, small, leader, last, is_passed, is_out)
        fill_sides(k, d, row, tricks_won, sides, is_passed)
        fill_cards(r, row, lists, starts, offsets)
        fill_tricks(d, row, lists, starts, offsets, leader, played)
        fill_hands(k, r, d, row, hands, offsets, is_passed)
        fill_claims(k, r, row, claims, offsets)
        fill_declarations(k, r, d, row, declared, masks, worth, offsets)
        fill_belotes(k, r, d, row, belotes, offsets)

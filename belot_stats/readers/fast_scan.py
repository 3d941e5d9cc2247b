"""Lines of ``bhh/1`` taken apart in compiled code, into one row of numbers a line.

Only what is understood to the last byte gets a row: the JSON grammar, known fields and no other, each once, with values
that the columns hold. Any other line is named as a slow one, for the strict reader to judge. Whatever depends on the
rules (seats, sides, hand sizes, the pack) is only summed up in the row and compared with them later.

What is compiled here is kept on disk; it is made anew when one of the files it is made of changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from belot_stats.readers import fast_layout as lay
from belot_stats.readers.fast_compiling import compiled, fingerprint, inner
from belot_stats.readers.fast_tokens import (
    CLOSE,
    FAIL,
    LF,
    OPEN,
    QUOTE,
    UNDERLINE,
    Bytes,
    Cells,
    blanks,
    cards,
    follow,
    integer,
    key,
    member_end,
    object_end,
    quoted_word,
    time,
)
from belot_stats.readers.fast_values import (
    calls,
    claimed,
    hands,
    numbered,
    part,
    parts,
    players,
    take_text,
    turned_up,
)


@inner
def _value(data: Bytes, at: int, row: Cells, wide: Any, field: int) -> int:
    """Take the value of one field of the record."""
    start = at
    if field == lay.K_FORMAT:
        at = quoted_word(data, at, lay.FORMAT_WORD)
    elif field == lay.K_DEAL:
        wide[lay.DEAL], at = integer(data, at, 1, 2**62)
    elif field == lay.K_DEALER:
        row[lay.DEALER], at = numbered(data, at, row, lay.SEATS - 1, lay.HIGHEST_SEAT)
    elif field == lay.K_OPTIONS:
        at = object_end(data, at) if data[at] == OPEN else FAIL
        row[lay.OPTIONS], row[lay.OPTIONS + 1] = start, at
    elif field == lay.K_PLAYERS:
        at = players(data, at, row)
    elif field == lay.K_END:
        row[lay.END] = quoted_word(data, at, lay.PASSED_WORD) >= 0
        at = quoted_word(data, at, lay.PASSED_WORD if row[lay.END] else lay.PLAYED_WORD)
    elif field == lay.K_CLAIMED:
        at = claimed(data, at, row)
    elif lay.TEXT_OF[field] >= 0:
        at = take_text(data, at, row, lay.TEXT_OF[field])
        if at >= 0 and field == lay.K_STARTED:
            wide[lay.STARTED_AT], row[lay.TIME_KIND] = time(data, start + 1, row[lay.STARTED + 1])
            at = at if row[lay.TIME_KIND] else FAIL
    else:
        at = _card_value(data, at, row, field)
    return at


@inner
def _card_value(data: Bytes, at: int, row: Cells, field: int) -> int:
    """Take a value that has cards or calls in it."""
    if field == lay.K_TURN_UP:
        at = turned_up(data, at, row)
    elif field == lay.K_FIRST_HANDS:
        at = hands(data, at, row, lay.FIRST_HANDS, lay.FIRST_HAND_SIZES)
    elif field == lay.K_AUCTION:
        at = calls(data, at, row)
    elif field == lay.K_EXCHANGE:
        at = part(data, at, row, (lay.EXCHANGE, FAIL, FAIL, FAIL))
    elif field == lay.K_HANDS:
        at = hands(data, at, row, lay.HANDS, lay.HAND_SIZES)
    elif field == lay.K_PLAYS:
        mask, row[lay.PLAY_COUNT], at = cards(data, at, row, lay.PLAYS, lay.CARDS)
        row[lay.NAMED] |= mask
    elif field == lay.K_DECLARATIONS:
        places = lay.DECLARED_SEAT, lay.DECLARED_MASK, FAIL, lay.DECLARED_AT
        at = parts(data, at, row, places, lay.DECLARATIONS, lay.DECLARED_COUNT)
    else:
        places = lay.BELOTE_SEAT, FAIL, lay.BELOTE_SUIT, lay.BELOTE_AT
        at = parts(data, at, row, places, lay.BELOTES, lay.BELOTE_COUNT)
    return at


@inner
def _own_member(data: Bytes, at: int, row: Cells) -> int:
    """Note where a member stands that is the writer's own."""
    start, count = at, row[lay.EXTRA_COUNT]
    at = member_end(data, at) if count < lay.EXTRAS else FAIL
    if at >= 0:
        row[lay.EXTRA_PLACES + 2 * count], row[lay.EXTRA_PLACES + 2 * count + 1] = start, at
        row[lay.EXTRA_COUNT] += 1
    return at


@inner
def _record(data: Bytes, at: int, row: Cells, wide: Any) -> int:
    """Place after the record that begins at *at*."""
    at, more, seen, field = blanks(data, at), True, 0, 0
    if data[at] != OPEN:
        return FAIL
    at = blanks(data, at + 1)
    while more:
        if data[at] == QUOTE and data[at + 1] == UNDERLINE:
            at = _own_member(data, at, row)
        else:
            field, at = key(data, at, lay.KEYS, field)
            if at < 0 or seen >> field & 1:
                return FAIL
            seen |= 1 << field
            at = _value(data, at, row, wide, field)
        if at < 0:
            return FAIL
        at, more = follow(data, at, CLOSE)
    return at if seen & lay.REQUIRED == lay.REQUIRED and _are_turned_apart(row) else FAIL


@inner
def _are_turned_apart(row: Cells) -> bool:
    """Turned-up cards are in no first hand; they are noted as named."""
    for index in range(lay.TURN_UP, lay.TURN_UP + 2):
        if row[index] >= 0:
            row[lay.NAMED] |= 1 << row[index]
            for seat in range(lay.SEATS):
                if row[lay.FIRST_HANDS + seat] >> row[index] & 1:
                    return False
    return True


@inner
def _are_equal(data: Bytes, start: int, end: int, other: int, other_end: int) -> bool:
    if end - start != other_end - other:
        return False
    step = 0
    while step < end - start and data[start + step] == data[other + step]:
        step += 1
    return step == end - start


@inner
def _group_of(data: Bytes, row: Cells, groups: Cells, count: int) -> int:
    """Number of the pair of rules and options that the row has; *count* where it is a new one, which is noted."""
    rules, rules_end, changed, changed_end = (
        row[lay.RULES],
        row[lay.RULES + 1],
        row[lay.OPTIONS],
        row[lay.OPTIONS + 1],
    )
    for group in range(count - 1, -1, -1):
        known = groups[group]
        if _are_equal(data, rules, rules_end, known[0], known[1]) and (
            _are_equal(data, changed, changed_end, known[2], known[3]) and (rules < 0) == (known[0] < 0)
        ):
            return group
    if count < groups.shape[0]:
        groups[count, 0], groups[count, 1], groups[count, 2], groups[count, 3] = (
            rules,
            rules_end,
            changed,
            changed_end,
        )
    return count


def _scanner() -> Callable[..., tuple[int, int, int, int, int, int]]:
    """The compiled loop, kept under the fingerprint of all it is made of."""
    version = fingerprint()

    def scan(data, at, line, cells, wide, slow, groups):  # type: ignore[no-untyped-def]
        _ = version
        rows, slows, kinds, empty = 0, 0, 0, 0
        while at < data.size - 1 and rows < cells.shape[0] and slows < slow.shape[0]:
            start, line, row = at, line + 1, cells[rows]
            row[:] = lay.ROW
            end = _record(data, start, row, wide[rows])
            end = blanks(data, end) if end >= 0 else start
            is_row = data[end] == LF and end > start and end - start <= lay.LONGEST_LINE
            if is_row:
                row[lay.GROUP] = _group_of(data, row, groups, kinds)
                kinds = max(kinds, min(row[lay.GROUP] + 1, groups.shape[0]))
                is_row = row[lay.GROUP] < groups.shape[0]
            if is_row:
                wide[rows, lay.LINE], wide[rows, lay.BYTE], wide[rows, lay.LINE_END] = line, start, end
                rows += 1
            elif data[blanks(data, start)] == LF:
                end = blanks(data, start)
                empty += 1
            else:
                while data[end] != LF:
                    end += 1
                slow[slows, 0], slow[slows, 1], slow[slows, 2] = line, start, end
                slows += 1
            at = end + 1
        return rows, slows, kinds, empty, at, line

    return compiled(scan)


scan_lines = _scanner()
"""Rows, slow lines, groups and blank lines from a place on, until an array is full or the bytes end.

Takes (bytes, which end with LF; place; number of the line before it; cells and wide cells to fill a row a line; slow:
number, begin and end of each slow line; groups: where rules and options of each group stand first). Returns the four
counts, then the place where the next line begins and the number of the last one.
"""

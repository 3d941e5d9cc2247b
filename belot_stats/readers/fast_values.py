"""Values of the fields of ``bhh/1`` in compiled code: each function writes to a row and says where its value ends."""

from __future__ import annotations

from belot_stats.readers import fast_layout as lay
from belot_stats.readers.fast_compiling import inner
from belot_stats.readers.fast_tokens import (
    CLOSE,
    CLOSE_LIST,
    FAIL,
    OPEN,
    OPEN_LIST,
    Bytes,
    Cells,
    blanks,
    call,
    cards,
    follow,
    integer,
    key,
    text,
    word,
)


@inner
def take_text(data: Bytes, at: int, row: Cells, number: int) -> int:
    """Note where text *number* of the row stands."""
    end, after = text(data, at)
    row[lay.TEXTS + 2 * number] = at + 1
    row[lay.TEXTS + 2 * number + 1] = end
    return after


@inner
def numbered(data: Bytes, at: int, row: Cells, high: int, highest: int) -> tuple[int, int]:
    """Seat, side or place at *at*; the highest of its kind is noted in a cell of its own."""
    value, at = integer(data, at, 0, high)
    if at >= 0 and value > row[highest]:
        row[highest] = value
    return value, at


@inner
def _numbers(data: Bytes, at: int, row: Cells, place: int, most: int, low: int, high: int) -> tuple[int, int]:
    """How many integers the array at *at* has, written to the row from *place* on."""
    count = 0
    if data[at] != OPEN_LIST:
        return 0, FAIL
    at = blanks(data, at + 1)
    if data[at] == CLOSE_LIST:
        return 0, at + 1
    more = True
    while more:
        value, at = integer(data, at, low, high) if count < most else (0, FAIL)
        if at < 0:
            return 0, FAIL
        row[place + count] = value
        count += 1
        at, more = follow(data, at, CLOSE_LIST)
    return count, at


@inner
def players(data: Bytes, at: int, row: Cells) -> int:
    count = 0
    if data[at] != OPEN_LIST:
        return FAIL
    at, more = blanks(data, at + 1), True
    while more:
        at = take_text(data, at, row, lay.PLAYERS + count) if count < lay.SEATS else FAIL
        if at < 0:
            return FAIL
        count += 1
        at, more = follow(data, at, CLOSE_LIST)
    row[lay.PLAYER_COUNT] = count
    return at


@inner
def turned_up(data: Bytes, at: int, row: Cells) -> int:
    """One card, or an array of two that differ."""
    if data[at] != OPEN_LIST:
        _, count, at = cards(data, at, row, lay.TURN_UP, 1)
        return at if count == 1 else FAIL
    _, first, at = cards(data, blanks(data, at + 1), row, lay.TURN_UP, 1)
    at, more = follow(data, at, CLOSE_LIST) if at >= 0 else (FAIL, False)
    if not more:
        return FAIL
    _, second, at = cards(data, at, row, lay.TURN_UP + 1, 1)
    at, more = follow(data, at, CLOSE_LIST) if at >= 0 else (FAIL, True)
    if more or first != 1 or second != 1 or row[lay.TURN_UP] == row[lay.TURN_UP + 1]:
        return FAIL
    return at


@inner
def hands(data: Bytes, at: int, row: Cells, place: int, sizes: int) -> int:
    count, held, least, most = 0, 0, lay.CARDS, 0
    if data[at] != OPEN_LIST:
        return FAIL
    at, more = blanks(data, at + 1), True
    while more:
        mask, size, at = cards(data, at, row, FAIL, lay.CARDS) if count < lay.SEATS else (0, 0, FAIL)
        if at < 0 or mask & held:
            return FAIL
        row[place + count] = mask
        held |= mask
        least, most = min(least, size), max(most, size)
        count += 1
        at, more = follow(data, at, CLOSE_LIST)
    row[sizes], row[sizes + 1], row[sizes + 2] = count, least, most
    row[lay.NAMED] |= held
    return at


@inner
def calls(data: Bytes, at: int, row: Cells) -> int:
    count = 0
    if data[at] != OPEN_LIST:
        return FAIL
    at = blanks(data, at + 1)
    more = data[at] != CLOSE_LIST
    if not more:
        at += 1
    while more:
        number, at = call(data, at) if count < lay.CALLS else (0, FAIL)
        if at < 0:
            return FAIL
        row[lay.CALLED + count] = number
        count += 1
        at, more = follow(data, at, CLOSE_LIST)
    row[lay.CALL_COUNT] = count
    return at


@inner
def part(data: Bytes, at: int, row: Cells, places: tuple[int, int, int, int]) -> int:
    """Object whose members have their cells at *places*: seat, cards, suit, at; FAIL where it must not have one."""
    if data[at] != OPEN:
        return FAIL
    at, more, seen, found = blanks(data, at + 1), True, 0, 0
    while more:
        found, at = key(data, at, lay.PART_KEYS, found)
        if at < 0 or seen >> found & 1 or places[found] < 0:
            return FAIL
        seen |= 1 << found
        if found == lay.P_SEAT:
            value, at = numbered(data, at, row, lay.SEATS - 1, lay.HIGHEST_SEAT)
        elif found == lay.P_CARDS:
            value, _, at = cards(data, at, row, FAIL, lay.CARDS)
            row[lay.NAMED] |= value
        elif found == lay.P_SUIT:
            value, at = call(data, at)
            at = at if value < lay.SEATS else FAIL
        else:
            value, at = numbered(data, at, row, lay.CARDS, lay.HIGHEST_AT)
        if at < 0:
            return FAIL
        row[places[found]] = value
        at, more = follow(data, at, CLOSE)
    for needed in (lay.P_SEAT, lay.P_CARDS, lay.P_SUIT):
        if places[needed] >= 0 and not seen >> needed & 1:
            return FAIL
    return at


@inner
def parts(
    data: Bytes, at: int, row: Cells, places: tuple[int, int, int, int], most: int, count_place: int
) -> int:
    """Array of such objects, one cell further each."""
    count = 0
    if data[at] != OPEN_LIST:
        return FAIL
    at = blanks(data, at + 1)
    more = data[at] != CLOSE_LIST
    if not more:
        at += 1
    seat, mask, suit, when = places
    while more:
        if count == most:
            return FAIL
        row[when + count] = lay.AT_NOT_SAID
        own = (
            seat + count,
            mask + count if mask >= 0 else FAIL,
            suit + count if suit >= 0 else FAIL,
            when + count,
        )
        at = part(data, at, row, own)
        if at < 0:
            return FAIL
        count += 1
        at, more = follow(data, at, CLOSE_LIST)
    row[count_place] = count
    return at


@inner
def _points(data: Bytes, at: int, row: Cells, place: int, count_place: int) -> int:
    """Points a side; the last numbers of either sign cannot be held."""
    count, at = _numbers(data, at, row, place, lay.SEATS, -lay.MOST_POINTS, lay.MOST_POINTS)
    row[count_place] = count
    return at


@inner
def _claim(data: Bytes, at: int, row: Cells, claim: int) -> int:
    value, after = 0, word(data, at, lay.NULL)
    if after >= 0:
        return after
    if claim == lay.C_TRICKS:
        row[lay.TRICK_COUNT], at = _numbers(data, at, row, lay.TRICKS, lay.CARDS, 0, lay.SEATS - 1)
        for trick in range(row[lay.TRICK_COUNT]):
            row[lay.HIGHEST_SEAT] = max(row[lay.HIGHEST_SEAT], row[lay.TRICKS + trick])
    elif claim == lay.C_POINTS:
        at = _points(data, at, row, lay.POINTS, lay.POINT_COUNT)
    elif claim == lay.C_SCORE:
        at = _points(data, at, row, lay.SCORE, lay.SCORE_COUNT)
    elif claim == lay.C_TOTAL:
        at = _points(data, at, row, lay.TOTAL, lay.TOTAL_COUNT)
    elif claim == lay.C_MADE:
        row[lay.MADE] = data[at] == lay.TRUE[0]
        at = word(data, at, lay.TRUE if data[at] == lay.TRUE[0] else lay.FALSE)
    elif claim == lay.C_HANGING:
        row[lay.HANGING], at = integer(data, at, -lay.MOST_POINTS, lay.MOST_POINTS)
    elif claim == lay.C_CONTRACT:
        value, at = call(data, at)
        row[lay.CONTRACT] = value
        at = at if value < lay.CONTRACTS else FAIL
    elif claim == lay.C_DECLARER:
        row[lay.DECLARER], at = numbered(data, at, row, lay.SEATS - 1, lay.HIGHEST_SEAT)
    elif claim == lay.C_LEVEL:
        row[lay.LEVEL], at = integer(data, at, 0, 255)
    else:
        value, at = numbered(data, at, row, lay.SEATS - 1, lay.HIGHEST_SIDE)
        row[lay.CAPOT if claim == lay.C_CAPOT else lay.WINNER] = value
    return at


@inner
def claimed(data: Bytes, at: int, row: Cells) -> int:
    if data[at] != OPEN:
        return FAIL
    at, seen, claim = blanks(data, at + 1), 0, 0
    more = data[at] != CLOSE
    if not more:
        at += 1
    while more:
        claim, at = key(data, at, lay.CLAIM_KEYS, claim)
        if at < 0 or seen >> claim & 1:
            return FAIL
        seen |= 1 << claim
        at = _claim(data, at, row, claim)
        if at < 0:
            return FAIL
        at, more = follow(data, at, CLOSE)
    return at

"""Rows of deals as lines of ``bhh/1``, compiled: the bytes that :mod:`belot_stats.export` writes one by one.

A compiled function writes into ``out`` from ``at`` on, and returns where what it wrote ends.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from belot_stats.cards import CALL_NAMES, CARD_NAMES, CONTRACT_NAMES, NO_CARD, NO_SEAT, SUIT_NAMES
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.deal_rows import DECLARED_OUT, PASSED_OUT
from belot_stats.rules.scoring import MADE
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import side_count_of

MOST_BYTES = 4_096  # of a line without the texts that all lines have
Text = npt.NDArray[np.uint8]


def text_of(text: str) -> Text:
    """Bytes of *text*."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


CARD = np.array([list(name.encode()) for name in CARD_NAMES], dtype=np.uint8)
CALL = np.array([list(name.ljust(4).encode()) for name in CALL_NAMES], dtype=np.uint8)
CALL_SIZE = np.array([len(name) for name in CALL_NAMES], dtype=np.int64)
CONTRACT, SUIT = text_of(CONTRACT_NAMES), text_of(SUIT_NAMES)
SPACE, COMMA, QUOTE, MINUS, ZERO, OPEN_LIST, CLOSE_LIST = b' ,"-0[]'
DEAL_IS, TURN_UP, FIRST_HANDS, AUCTION, EXCHANGE, HANDS, PLAYS = map(
    text_of,
    (
        '","deal":',
        ',"turn_up":',
        ',"first_hands":',
        ',"auction":[',
        ',"exchange":{"seat":',
        ',"hands":',
        ',"plays":"',
    ),
)
DECLARATIONS, BELOTES, SEAT, CARDS, SUIT_IS, AT = map(
    text_of, (',"declarations":[', ',"belotes":[', '{"seat":', ',"cards":"', ',"suit":"', '","at":')
)
END_PASSED, END_OUT, OUT_AT, CLOSE = map(
    text_of, (',"end":"passed"', ',"end":"declared_out","ended_by":{"seat":', ',"at":', "}")
)
CLAIMED, CLAIMED_CONTRACT, DECLARER, LEVEL, TRICKS, POINTS, CAPOT = map(
    text_of,
    (',"claimed":{', '"contract":"', ',"declarer":', ',"level":', ',"tricks":', ',"points":', ',"capot":'),
)
MADE_IS, FAILED_IS, SCORE, FIRST_SCORE, HANGING, TOTAL, WINNER, END_OF_LINE = map(
    text_of,
    (
        ',"made":true',
        ',"made":false',
        ',"score":',
        '"score":',
        ',"hanging":',
        ',"total":',
        ',"winner":',
        "}}\n",
    ),
)


@njit
def put(out, at, text):
    for i in range(text.size):
        out[at + i] = text[i]
    return at + text.size


@njit
def put_byte(out, at, byte):
    out[at] = byte
    return at + 1


@njit
def put_digits(out, at, number, least):
    """*number*, unsigned, with so many digits at least."""
    ten, size, rest = np.uint64(10), 1, number // np.uint64(10)
    while rest > np.uint64(0):
        rest //= ten
        size += 1
    size = max(size, least)
    for place in range(at + size - 1, at - 1, -1):
        out[place] = ZERO + np.int64(number % ten)
        number //= ten
    return at + size


@njit
def put_number(out, at, number):
    if number < 0:
        at = put_byte(out, at, MINUS)
        number = -number
    return put_digits(out, at, np.uint64(number), 1)


@njit
def put_card(out, at, card):
    out[at] = CARD[card, 0]
    out[at + 1] = CARD[card, 1]
    return at + 2


@njit
def put_hand(out, at, mask):
    start = at
    for card in range(32):
        if mask >> card & 1:
            if at > start:
                at = put_byte(out, at, SPACE)
            at = put_card(out, at, card)
    return at


@njit
def put_hands(rules, out, at, masks):
    for seat in range(rules.players):
        at = put_byte(out, at, OPEN_LIST if seat == 0 else COMMA)
        at = put_byte(out, at, QUOTE)
        at = put_hand(out, at, np.int64(masks[seat]))
        at = put_byte(out, at, QUOTE)
    return put_byte(out, at, CLOSE_LIST)


@njit
def put_numbers(out, at, numbers, count):
    at = put_byte(out, at, OPEN_LIST)
    for i in range(count):
        if i > 0:
            at = put_byte(out, at, COMMA)
        at = put_number(out, at, np.int64(numbers[i]))
    return put_byte(out, at, CLOSE_LIST)


@njit
def put_turn_up(out, at, cards):
    """The card that was turned up, or both in a list."""
    at = put(out, at, TURN_UP)
    has_two = cards[1] != NO_CARD
    for i in range(2 if has_two else 1):
        if has_two:
            at = put_byte(out, at, OPEN_LIST if i == 0 else COMMA)
        at = put_byte(out, at, QUOTE)
        at = put_card(out, at, np.int64(cards[i]))
        at = put_byte(out, at, QUOTE)
    return put_byte(out, at, CLOSE_LIST) if has_two else at


@njit
def put_calls(out, at, d):
    at = put(out, at, AUCTION)
    for i in range(d.call_count):
        if i > 0:
            at = put_byte(out, at, COMMA)
        at = put_byte(out, at, QUOTE)
        call = np.int64(d.calls[i])
        for place in range(CALL_SIZE[call]):
            at = put_byte(out, at, CALL[call, place])
        at = put_byte(out, at, QUOTE)
    return put_byte(out, at, CLOSE_LIST)


@njit
def put_plays(out, at, d):
    at = put(out, at, PLAYS)
    for i in range(d.play_count):
        if i > 0:
            at = put_byte(out, at, SPACE)
        at = put_card(out, at, np.int64(d.plays[i]))
    return put_byte(out, at, QUOTE)


@njit
def put_declarations(out, at, d):
    for i in range(d.declared_count):
        at = put(out, at, DECLARATIONS) if i == 0 else put_byte(out, at, COMMA)
        at = put_number(out, put(out, at, SEAT), np.int64(d.declared_seat[i]))
        at = put_hand(out, put(out, at, CARDS), np.int64(d.declared_mask[i]))
        at = put_number(out, put(out, at, AT), np.int64(d.declared_at[i]))
        at = put(out, at, CLOSE)
    return put_byte(out, at, CLOSE_LIST) if d.declared_count > 0 else at


@njit
def put_belotes(out, at, d):
    for i in range(d.belote_count):
        at = put(out, at, BELOTES) if i == 0 else put_byte(out, at, COMMA)
        at = put_number(out, put(out, at, SEAT), np.int64(d.belote_seat[i]))
        at = put_byte(out, put(out, at, SUIT_IS), SUIT[d.belote_suit[i]])
        at = put_number(out, put(out, at, AT), np.int64(d.belote_at[i]))
        at = put(out, at, CLOSE)
    return put_byte(out, at, CLOSE_LIST) if d.belote_count > 0 else at


@njit
def put_played(rules, out, at, d):
    """What was played and announced, and how it ended."""
    if d.exchange != NO_SEAT:
        at = put(out, put_number(out, put(out, at, EXCHANGE), np.int64(d.exchange)), CLOSE)
    if d.result == PASSED_OUT:
        return put(out, at, END_PASSED)
    at = put_hands(rules, out, put(out, at, HANDS), d.hands)
    at = put_belotes(out, put_declarations(out, put_plays(out, at, d), d), d)
    if d.result == DECLARED_OUT:
        seat = np.int64(d.winners[d.play_count // rules.players - 1])
        at = put_number(out, put(out, at, END_OUT), seat)
        at = put(out, put_number(out, put(out, at, OUT_AT), np.int64(d.play_count)), CLOSE)
    return at


@njit
def put_result(rules, out, at, d):
    """Claims of a deal that was played."""
    at = put_byte(out, put(out, at, CLAIMED_CONTRACT), CONTRACT[d.contract])
    at = put_byte(out, at, QUOTE)
    if d.declarer != NO_SEAT:
        at = put_number(out, put(out, at, DECLARER), np.int64(d.declarer))
    at = put_number(out, put(out, at, LEVEL), np.int64(d.level))
    at = put_numbers(out, put(out, at, TRICKS), d.winners, d.play_count // rules.players)
    if d.result == DECLARED_OUT:
        return at
    at = put_numbers(out, put(out, at, POINTS), d.points, side_count_of(rules))
    if d.capot != NO_SIDE:
        at = put_number(out, put(out, at, CAPOT), np.int64(d.capot))
    if d.result <= MADE:
        at = put(out, at, MADE_IS) if d.result == MADE else put(out, at, FAILED_IS)
    return at


@njit
def put_claims(rules, out, at, d, t, is_match):
    at, sides, is_passed = put(out, at, CLAIMED), side_count_of(rules), d.result == PASSED_OUT
    if not is_passed:
        at = put_result(rules, out, at, d)
    if d.result != DECLARED_OUT:
        at = put(out, at, FIRST_SCORE) if is_passed else put(out, at, SCORE)
        at = put_numbers(out, at, t.score, sides)
        at = put_number(out, put(out, at, HANGING), np.int64(t.hanging))
        if is_match:
            at = put_numbers(out, put(out, at, TOTAL), t.total, sides)
    if t.winner != NO_SIDE:
        at = put_number(out, put(out, at, WINNER), np.int64(t.winner))
    return put(out, at, END_OF_LINE)


@compiled_loop
def write_lines(rules, first, rows, standings, is_match, before, between, out):
    """Lines of the rows from number *first* on that *out* has place for; the next row, and where the lines end.

    before, between: what all lines have before the match's number, and between the deal's and the dealer.
    """
    at, row = 0, first
    most = MOST_BYTES + before.size + between.size
    while row < rows.size and at + most <= out.size:
        d, t = rows[row], standings[row]
        at = put_digits(out, put(out, at, before), t.match, 8)
        at = put_number(out, put(out, at, DEAL_IS), t.deal)
        at = put_number(out, put(out, at, between), np.int64(d.dealer))
        if d.turn_up[0] != NO_CARD:
            at = put_turn_up(out, at, d.turn_up)
        at = put_hands(rules, out, put(out, at, FIRST_HANDS), d.first_hands)
        at = put_played(rules, out, put_calls(out, at, d), d)
        at = put_claims(rules, out, at, d, t, is_match)
        row += 1
    return row, at

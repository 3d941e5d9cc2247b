"""Lines of ``bhh/1`` taken apart in compiled code, into one row of numbers a line.

Only what is understood to the last byte gets a row: the JSON grammar, known fields and no other, each once, with values
that the columns hold. Any other line is named as a slow one, for the strict reader to judge. Whatever depends on the
rules (seats, sides, hand sizes, the pack) is only summed up in the row and compared with them later.

What is compiled here is kept on disk and made anew when this file changes, so it uses nothing of other files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.int32]

FAIL = -1  # instead of a place: this is no line for the fast way
NOT_SAID = -1
NUMBER_NOT_SAID = -(2**31)
AT_NOT_SAID = 255
SEATS, CARDS, CALLS, DECLARATIONS, BELOTES = 4, 32, 64, 12, 4  # most of them in a record
MOST_POINTS = 2**31 - 1
LONGEST_LINE = 2**20
LF, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO = (ord(letter) for letter in '\n"\\,:-0')
OPEN, CLOSE, OPEN_LIST, CLOSE_LIST = (ord(letter) for letter in "{}[]")

# What a row holds: name -> how many cells, and what they hold where the record says nothing.
LAYOUT: dict[str, tuple[int, int]] = {
    "group": (1, 0),
    "texts": (2 * 8, NOT_SAID),  # begin and end of source, match, rules, started and the players' names
    "options": (2, NOT_SAID),
    "player_count": (1, NOT_SAID),
    "dealer": (1, NOT_SAID),
    "turn_up": (2, NOT_SAID),
    "first_hands": (SEATS, 0),
    "first_hand_sizes": (3, NOT_SAID),  # hands, fewest and most cards in one of them
    "calls": (CALLS, 0),
    "call_count": (1, NOT_SAID),
    "exchange": (1, NOT_SAID),
    "hands": (SEATS, 0),
    "hand_sizes": (3, NOT_SAID),
    "plays": (CARDS, 0),
    "play_count": (1, 0),
    "declared_seat": (DECLARATIONS, 0),
    "declared_mask": (DECLARATIONS, 0),
    "declared_at": (DECLARATIONS, 0),
    "declared_count": (1, 0),
    "belote_seat": (BELOTES, 0),
    "belote_suit": (BELOTES, 0),
    "belote_at": (BELOTES, 0),
    "belote_count": (1, 0),
    "end": (1, 0),
    "claimed_contract": (1, NOT_SAID),
    "claimed_declarer": (1, NOT_SAID),
    "claimed_level": (1, NOT_SAID),
    "claimed_tricks": (CARDS, 0),
    "claimed_trick_count": (1, NOT_SAID),
    "claimed_points": (SEATS, 0),
    "claimed_capot": (1, NOT_SAID),
    "claimed_made": (1, NOT_SAID),
    "claimed_score": (SEATS, 0),
    "claimed_hanging": (1, NUMBER_NOT_SAID),
    "claimed_total": (SEATS, 0),
    "claimed_winner": (1, NOT_SAID),
    "side_counts": (3, NOT_SAID),  # sides in claimed points, score and total
    "highest": (3, 0),  # seat, side and number of cards on the table that the record names
    "cards": (1, 0),  # every card it names
    "has_zone": (1, 0),
}
_WIDTHS = [width for width, _ in LAYOUT.values()]
PLACES = dict(zip(LAYOUT, np.cumsum([0, *_WIDTHS[:-1]]).tolist(), strict=True))
ROW = np.repeat(np.array([value for _, value in LAYOUT.values()], dtype=np.int32), _WIDTHS)
for _name in ("claimed_points", "claimed_score", "claimed_total"):
    ROW[PLACES[_name]] = NUMBER_NOT_SAID
(
    GROUP, TEXTS, OPTIONS, PLAYER_COUNT, DEALER, TURN_UP, FIRST_HANDS, FIRST_HAND_SIZES, CALLED, CALL_COUNT, EXCHANGE,
    HANDS, HAND_SIZES, PLAYS, PLAY_COUNT, DECLARED_SEAT, DECLARED_MASK, DECLARED_AT, DECLARED_COUNT, BELOTE_SEAT,
    BELOTE_SUIT, BELOTE_AT, BELOTE_COUNT, END, CONTRACT, DECLARER, LEVEL, TRICKS, TRICK_COUNT, POINTS, CAPOT, MADE,
    SCORE, HANGING, TOTAL, WINNER, SIDE_COUNTS, HIGHEST, NAMED, HAS_ZONE,
) = PLACES.values()  # fmt: skip
HIGHEST_SEAT, HIGHEST_SIDE, HIGHEST_AT = range(HIGHEST, HIGHEST + 3)
DEAL, STARTED_AT, LINE, BYTE, LINE_END = range(5)  # cells of the wide row, 64 bits each


def _code(word: str) -> int:
    """Number of a word of at most 12 small letters and underlines, another one for each word."""
    code = 0
    for letter in word:
        code = code << 5 | (27 if letter == "_" else ord(letter) - 96)
    return code


def _table(letters: str, step: int) -> npt.NDArray[np.int8]:
    table = np.full(256, -1, dtype=np.int8)
    for number, letter in enumerate(letters):
        table[ord(letter)] = number * step
    return table


KEYS = np.array([_code(word) for word in (
    "format source match deal rules options started players dealer turn_up first_hands auction exchange hands plays "
    "declarations belotes end claimed"
).split()])  # fmt: skip
(
    K_FORMAT, K_SOURCE, K_MATCH, K_DEAL, K_RULES, K_OPTIONS, K_STARTED, K_PLAYERS, K_DEALER, K_TURN_UP, K_FIRST_HANDS,
    K_AUCTION, K_EXCHANGE, K_HANDS, K_PLAYS, K_DECLARATIONS, K_BELOTES, K_END, K_CLAIMED,
) = range(len(KEYS))  # fmt: skip
REQUIRED = sum(1 << key for key in (K_FORMAT, K_MATCH, K_DEAL, K_DEALER, K_AUCTION))
CLAIM_KEYS = np.array([_code(word) for word in (
    "contract declarer level tricks points capot made score hanging total winner"
).split()])  # fmt: skip
(
    C_CONTRACT, C_DECLARER, C_LEVEL, C_TRICKS, C_POINTS, C_CAPOT, C_MADE, C_SCORE, C_HANGING, C_TOTAL, C_WINNER,
) = range(len(CLAIM_KEYS))  # fmt: skip
PART_KEYS = np.array([_code(word) for word in ("seat", "cards", "suit", "at")])
P_SEAT, P_CARDS, P_SUIT, P_AT = range(4)
CALL_CODES = np.array([int.from_bytes(name.encode(), "big") for name in (
    "C D H S N A P X XX XXX XXXX AK X- XXX-"
).split()])  # fmt: skip
RANK_OF, SUIT_OF = _table("789TJQKA", 1), _table("CDHS", 8)
FORMAT_WORD = np.frombuffer(b"bhh/1", dtype=np.uint8)
END_WORDS = (np.frombuffer(b"played", dtype=np.uint8), np.frombuffer(b"passed", dtype=np.uint8))
NULL, TRUE, FALSE = (np.frombuffer(word, dtype=np.uint8) for word in (b"null", b"true", b"false"))
IS_PLAIN = np.array([32 <= byte < 128 and byte not in (QUOTE, BACKSLASH) for byte in range(256)])
DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


# Every function below takes bytes that end with LF, and never looks past one: no token holds it.


@njit
def _blanks(data: Bytes, at: int) -> int:
    """Place of the first byte that is no blank."""
    while data[at] == 32 or data[at] == 9 or data[at] == 13:
        at += 1
    return at


@njit
def _follow(data: Bytes, at: int, closing: int) -> tuple[int, bool]:
    """After a member or an item: place of the next one, or after the closing bracket; whether there is a next one."""
    at = _blanks(data, at)
    if data[at] == COMMA:
        return _blanks(data, at + 1), True
    return (at + 1 if data[at] == closing else FAIL), False


@njit
def _key(data: Bytes, at: int, keys: Any, guess: int) -> tuple[int, int]:
    """Number in *keys* of the key at *at*, looked for from *guess* on, and the place of its value."""
    if data[at] != QUOTE:
        return 0, FAIL
    at += 1
    start, code = at, 0
    while data[at] != QUOTE:
        letter = np.int64(data[at]) - 96
        if letter == -1:  # an underline
            letter = 27
        if letter < 1 or letter > 27 or data[at] == 123 or at - start == 12:
            return 0, FAIL
        code = code << 5 | letter
        at += 1
    at = _blanks(data, at + 1)
    if data[at] != COLON:
        return 0, FAIL
    for step in range(keys.size):
        number = guess + step if guess + step < keys.size else guess + step - keys.size
        if keys[number] == code:
            return number, _blanks(data, at + 1)
    return 0, FAIL


@njit
def _word(data: Bytes, at: int, word: Bytes) -> int:
    """Place after *word*, where it stands at *at*."""
    for index in range(word.size):
        if data[at + index] != word[index]:
            return FAIL
    return at + word.size


@njit
def _quoted_word(data: Bytes, at: int, word: Bytes) -> int:
    after = _word(data, at + 1, word) if data[at] == QUOTE else FAIL
    return after + 1 if after >= 0 and data[after] == QUOTE else FAIL


@njit
def _integer(data: Bytes, at: int, low: int, high: int) -> tuple[int, int]:
    """Integer from *low* to *high*, of at most 18 digits, and the place after it."""
    negative = data[at] == MINUS
    if negative:
        at += 1
    start, value = at, 0
    while ZERO <= data[at] <= ZERO + 9 and at - start < 19:
        value = value * 10 + np.int64(data[at]) - ZERO
        at += 1
    size = at - start
    is_long = size > 18 or (size > 1 and data[start] == ZERO)
    if size == 0 or is_long or data[at] == 46 or data[at] == 69 or data[at] == 101:  # . E e
        return 0, FAIL
    value = -value if negative else value
    return value, at if low <= value <= high else FAIL


@njit
def _hex(data: Bytes, at: int) -> int:
    """Value of the four hexadecimal digits at *at*."""
    value = 0
    for index in range(4):
        byte = np.int64(data[at + index])
        if 48 <= byte <= 57:
            value = value << 4 | byte - 48
        elif 97 <= byte | 32 <= 102:
            value = value << 4 | (byte | 32) - 87
        else:
            return FAIL
    return value


@njit
def _escaped(data: Bytes, at: int) -> tuple[int, int]:
    """Character that the \\u escape at *at* stands for, and the place after it; no half of a pair, no control."""
    code = _hex(data, at + 2) if data[at + 1] == 117 else FAIL
    at += 6
    if 0xD800 <= code < 0xDC00:
        low = FAIL
        if data[at] == BACKSLASH and data[at + 1] == 117:
            low = _hex(data, at + 2)
        if low < 0xDC00 or low >= 0xE000:
            return 0, FAIL
        return 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00, at + 6
    if code < 32 or code == QUOTE or code == BACKSLASH or 0xDC00 <= code < 0xE000:
        return 0, FAIL
    return code, at


@njit
def _put_character(data: Bytes, to: int, code: int) -> int:
    """Write *code* in UTF-8 at *to*; the place after it."""
    if code < 0x80:
        data[to] = code
        return to + 1
    size = 2 if code < 0x800 else 3 if code < 0x10000 else 4
    for index in range(size - 1, 0, -1):
        data[to + index] = 0x80 | code & 0x3F
        code >>= 6
    data[to] = (0xF00 >> size) & 0xFF | code
    return to + size


@njit
def _character(data: Bytes, at: int) -> tuple[int, int]:
    """Character of several bytes at *at*, and the place after it, by the rules of UTF-8."""
    lead = np.int64(data[at])
    if lead < 0xC2 or lead > 0xF4:
        return 0, FAIL
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    code = lead & (0x7F >> size)
    for index in range(1, size):
        byte = np.int64(data[at + index])
        if byte & 0xC0 != 0x80:
            return 0, FAIL
        code = code << 6 | byte & 0x3F
    if (size == 3 and code < 0x800) or (size == 4 and code < 0x10000):
        return 0, FAIL
    return code, at + size if code < 0xD800 or 0xE000 <= code < 0x110000 else FAIL


@njit
def _text(data: Bytes, at: int) -> tuple[int, int]:
    """End of the text that begins after the quote at *at*, and the place after it; escapes are resolved in place."""
    if data[at] != QUOTE:
        return 0, FAIL
    at += 1
    while IS_PLAIN[data[at]]:
        at += 1
    to = at
    while data[at] != QUOTE:
        if data[at] < 32:
            return 0, FAIL
        if IS_PLAIN[data[at]]:
            code, at = np.int64(data[at]), at + 1
        elif data[at] == BACKSLASH:
            code, at = _escaped(data, at)
        else:
            code, at = _character(data, at)
        if at < 0:
            return 0, FAIL
        to = _put_character(data, to, code)
    return to, at + 1


@njit
def _take_text(data: Bytes, at: int, row: Cells, number: int) -> int:
    end, after = _text(data, at)
    row[TEXTS + 2 * number] = at + 1
    row[TEXTS + 2 * number + 1] = end
    return after


@njit
def _object_end(data: Bytes, at: int) -> int:
    """Place after the object at *at*, if it is one: only its brackets are matched."""
    level = 0
    if data[at] != OPEN:
        return FAIL
    while True:
        byte = data[at]
        if byte == OPEN or byte == OPEN_LIST:
            level += 1
        elif byte == CLOSE or byte == CLOSE_LIST:
            level -= 1
        elif byte == QUOTE:
            at += 1
            while data[at] != QUOTE:
                at += data[at] == BACKSLASH
                if data[at] < 32:
                    return FAIL
                at += 1
        elif byte == LF:
            return FAIL
        at += 1
        if level == 0:
            return at

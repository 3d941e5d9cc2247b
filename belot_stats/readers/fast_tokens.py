"""Tokens of ``bhh/1`` in compiled code: each function says where its token ends, or FAIL.

Every one takes bytes that end with LF and never looks past one: no token holds it. They know less than JSON has: what
they do not take is not thereby wrong, but left to the strict reader.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from belot_stats.cards import CALL_NAMES, RANK_NAMES, SUIT_NAMES
from belot_stats.readers.fast_compiling import inner, signed

Bytes = npt.NDArray[Any]  # of uint8
Cells = npt.NDArray[Any]  # of int32

FAIL = -1  # instead of a place
NO_DAY = -(2**31)
LF, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, UNDERLINE = (ord(letter) for letter in '\n"\\,:-0_')
OPEN, CLOSE, OPEN_LIST, CLOSE_LIST = (ord(letter) for letter in "{}[]")
POINT, SMALL_E, LARGE_E = (ord(letter) for letter in ".eE")


def code_of(word: str) -> int:
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


CALL_CODES = np.array([int.from_bytes(name.encode(), "big") for name in CALL_NAMES])
RANK_OF, SUIT_OF = _table(RANK_NAMES, 1), _table(SUIT_NAMES, 8)
IS_PLAIN = np.array([32 <= byte < 128 and byte not in (QUOTE, BACKSLASH) for byte in range(256)])
DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@inner
def blanks(data: Bytes, at: int) -> int:
    """Place of the first byte that is no blank."""
    while data[at] == 32 or data[at] == 9 or data[at] == 13:
        at += 1
    return at


@inner
def follow(data: Bytes, at: int, closing: int) -> tuple[int, bool]:
    """After a member or an item: place of the next one, or after the closing bracket; whether there is a next one."""
    at = blanks(data, at)
    if data[at] == COMMA:
        return blanks(data, at + 1), True
    return (at + 1 if data[at] == closing else FAIL), False


@inner
def key(data: Bytes, at: int, keys: Any, guess: int) -> tuple[int, int]:
    """Number in *keys* of the key at *at*, looked for from *guess* on, and the place of its value."""
    if data[at] != QUOTE:
        return 0, FAIL
    at += 1
    start, code = at, 0
    while data[at] != QUOTE:
        letter = signed(data[at]) - 96
        if letter == -1:  # an underline
            letter = 27
        if letter < 1 or letter > 27 or data[at] == 123 or at - start == 12:
            return 0, FAIL
        code = code << 5 | letter
        at += 1
    at = blanks(data, at + 1)
    if data[at] != COLON:
        return 0, FAIL
    for step in range(keys.size):
        number = guess + step if guess + step < keys.size else guess + step - keys.size
        if keys[number] == code:
            return number, blanks(data, at + 1)
    return 0, FAIL


@inner
def word(data: Bytes, at: int, letters: Bytes) -> int:
    """Place after *letters*, where they stand at *at*."""
    for index in range(letters.size):
        if data[at + index] != letters[index]:
            return FAIL
    return at + letters.size


@inner
def quoted_word(data: Bytes, at: int, letters: Bytes) -> int:
    """Place after *letters* in quotes, where they stand at *at*."""
    after = word(data, at + 1, letters) if data[at] == QUOTE else FAIL
    return after + 1 if after >= 0 and data[after] == QUOTE else FAIL


@inner
def integer(data: Bytes, at: int, low: int, high: int) -> tuple[int, int]:
    """Integer from *low* to *high*, of at most 18 digits, and the place after it."""
    negative = data[at] == MINUS
    if negative:
        at += 1
    start, value = at, 0
    while ZERO <= data[at] <= ZERO + 9 and at - start < 19:
        value = value * 10 + signed(data[at]) - ZERO
        at += 1
    size = at - start
    is_long = size > 18 or (size > 1 and data[start] == ZERO)
    if size == 0 or is_long or data[at] == POINT or data[at] == SMALL_E or data[at] == LARGE_E:
        return 0, FAIL
    value = -value if negative else value
    return value, at if low <= value <= high else FAIL


@inner
def _hex(data: Bytes, at: int) -> int:
    """Value of the four hexadecimal digits at *at*."""
    value = 0
    for index in range(4):
        byte = signed(data[at + index])
        if 48 <= byte <= 57:
            value = value << 4 | byte - 48
        elif 97 <= byte | 32 <= 102:
            value = value << 4 | (byte | 32) - 87
        else:
            return FAIL
    return value


@inner
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
    if code < 32 or code in (QUOTE, BACKSLASH) or 0xDC00 <= code < 0xE000:
        return 0, FAIL
    return code, at


@inner
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


@inner
def character(data: Bytes, at: int) -> tuple[int, int]:
    """Character of several bytes at *at*, and the place after it, by the rules of UTF-8."""
    lead = signed(data[at])
    if lead < 0xC2 or lead > 0xF4:
        return 0, FAIL
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    code = lead & (0x7F >> size)
    for index in range(1, size):
        byte = signed(data[at + index])
        if byte & 0xC0 != 0x80:
            return 0, FAIL
        code = code << 6 | byte & 0x3F
    if (size == 3 and code < 0x800) or (size == 4 and code < 0x10000):
        return 0, FAIL
    return code, at + size if code < 0xD800 or 0xE000 <= code < 0x110000 else FAIL


@inner
def text(data: Bytes, at: int) -> tuple[int, int]:
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
            code, at = signed(data[at]), at + 1
        elif data[at] == BACKSLASH:
            code, at = _escaped(data, at)
        else:
            code, at = character(data, at)
        if at < 0:
            return 0, FAIL
        to = _put_character(data, to, code)
    return to, at + 1


@inner
def _string_end(data: Bytes, at: int) -> int:
    """Place after the string that begins at *at*, if it is one."""
    if data[at] != QUOTE:
        return FAIL
    at += 1
    while data[at] != QUOTE:
        at += data[at] == BACKSLASH
        if data[at] < 32:
            return FAIL
        at += 1
    return at + 1


@inner
def object_end(data: Bytes, at: int) -> int:
    """Place after the object or array at *at*, if it is one: only its brackets are matched."""
    level = 0
    if data[at] != OPEN and data[at] != OPEN_LIST:
        return FAIL
    while True:
        byte = data[at]
        level += byte in (OPEN, OPEN_LIST)
        level -= byte in (CLOSE, CLOSE_LIST)
        at = _string_end(data, at) if byte == QUOTE else at + 1
        if at < 0 or byte == LF:
            return FAIL
        if level == 0:
            return at


@inner
def member_end(data: Bytes, at: int) -> int:
    """Place after the key and value at *at*, if they are such: neither is looked into."""
    at = _string_end(data, at)
    at = blanks(data, at) if at >= 0 else FAIL
    if at < 0 or data[at] != COLON:
        return FAIL
    at = blanks(data, at + 1)
    if data[at] == QUOTE:
        return _string_end(data, at)
    if data[at] in (OPEN, OPEN_LIST):
        return object_end(data, at)
    while data[at] > 32 and data[at] not in (COMMA, CLOSE, CLOSE_LIST):
        at += 1
    return at


@inner
def cards(data: Bytes, at: int, row: Cells, place: int, most: int) -> tuple[int, int, int]:
    """Set and number of the cards of one text, none twice, written to the row from *place* on unless that is FAIL."""
    mask, count = 0, 0
    if data[at] != QUOTE:
        return 0, 0, FAIL
    if data[at + 1] == QUOTE:
        return 0, 0, at + 2
    while data[at] != QUOTE or count == 0:  # at the quote before the first card, then at a blank
        rank = signed(RANK_OF[data[at + 1]])
        suit = signed(SUIT_OF[data[at + 2]]) if rank >= 0 else FAIL
        if suit < 0 or count == most or mask >> (suit + rank) & 1:
            return 0, 0, FAIL
        mask |= 1 << (suit + rank)
        if place >= 0:
            row[place + count] = suit + rank
        count, at = count + 1, at + 3
        if data[at] != QUOTE and data[at] != 32:
            return 0, 0, FAIL
    return mask, count, at + 1


@inner
def call(data: Bytes, at: int) -> tuple[int, int]:
    """Call at *at*; one below 6 is a contract, one below 4 a suit."""
    if data[at] != QUOTE:
        return 0, FAIL
    at += 1
    start, code = at, 0
    while data[at] != QUOTE:
        if data[at] < 32 or at - start == 4:
            return 0, FAIL
        code = code << 8 | signed(data[at])
        at += 1
    for number in range(CALL_CODES.size):
        if CALL_CODES[number] == code:
            return number, at + 1
    return 0, FAIL


@inner
def _digits(data: Bytes, at: int, count: int, high: int) -> int:
    """Number of *count* digits, at most *high*."""
    value = 0
    for index in range(count):
        digit = signed(data[at + index]) - ZERO
        if digit < 0 or digit > 9:
            return FAIL
        value = value * 10 + digit
    return value if value <= high else FAIL


@inner
def _day(data: Bytes, at: int) -> int:
    """Days from 1970 to the date at *at*, of the years 2 to 9998, and a T or blank after it; NO_DAY if none."""
    year = _digits(data, at, 4, 9998)
    if year < 2 or data[at + 4] != MINUS:
        return NO_DAY
    month = _digits(data, at + 5, 2, 12)
    if month < 1 or data[at + 7] != MINUS:
        return NO_DAY
    day = _digits(data, at + 8, 2, 31)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day < 1 or day > DAYS[month - 1] + (leap and month == 2):
        return NO_DAY
    if data[at + 10] | 32 != 116 and data[at + 10] != 32:
        return NO_DAY
    before = year - (month <= 2)
    months = (month + 9) % 12
    return before * 365 + before // 4 - before // 100 + before // 400 + (153 * months + 2) // 5 + day - 719469


@inner
def _clock(data: Bytes, at: int) -> int:
    """Minutes of the hour and minute at *at*."""
    hours = _digits(data, at, 2, 23)
    if hours < 0 or data[at + 2] != COLON:
        return FAIL
    minutes = _digits(data, at + 3, 2, 59)
    return hours * 60 + minutes if minutes >= 0 else FAIL


@inner
def _zone(data: Bytes, at: int) -> tuple[int, int]:
    """Minutes east of the offset at *at*, and the place after it."""
    if data[at] | 32 == 122:  # Z
        return 0, at + 1
    minutes = _clock(data, at + 1) if data[at] == 43 or data[at] == MINUS else FAIL
    if minutes < 0:
        return 0, FAIL
    return -minutes if data[at] == MINUS else minutes, at + 6


@inner
def time(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Microseconds from 1970 of the time that stands from *at* to *end*: 2 with an offset, 1 without, else 0."""
    day = _day(data, at)
    minutes = _clock(data, at + 11) if day != NO_DAY else FAIL
    seconds = _digits(data, at + 17, 2, 59) if minutes >= 0 and data[at + 16] == COLON else FAIL
    if seconds < 0:
        return 0, 0
    at, micros, unit = at + 19, 0, 1_000_000
    if data[at] == POINT:
        at += 1
        while ZERO <= data[at] <= ZERO + 9:
            unit //= 10
            micros += unit * (signed(data[at]) - ZERO)
            at += 1
        if data[at - 1] == POINT:
            return 0, 0
    has_zone = at != end
    east, at = _zone(data, at) if has_zone else (0, at)
    micros += ((day * 1440 + minutes - east) * 60 + seconds) * 1_000_000
    return micros, 1 + has_zone if at == end else 0

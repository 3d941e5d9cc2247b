"""What a record's hash is taken over, from the rows the scan made: byte for byte as :mod:`belot_stats.content` has it.

The texts' own bytes are copied as far as they are ASCII: the scan has resolved their escapes, and takes no text with a
quote, a backslash or a control character in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from belot_stats.readers import fast_layout as lay
from belot_stats.readers.fast_compiling import compiled, fingerprint, inner, signed
from belot_stats.readers.fast_tokens import (
    CLOSE_LIST,
    COMMA,
    MINUS,
    OPEN_LIST,
    QUOTE,
    ZERO,
    Bytes,
    Cells,
    character,
)

LONGEST_ESCAPE = 6  # bytes that one byte of a text may become
LONGEST_FIXED = 256  # bytes of a head beside its texts, its rules and its options, at the very most
HEX = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
NULL = np.frombuffer(b"null", dtype=np.uint8)
STARTED = 3  # number among the texts


@inner
def _put(out: Bytes, to: int, text: Bytes) -> int:
    for index in range(text.size):
        out[to + index] = text[index]
    return to + text.size


@inner
def _put_byte(out: Bytes, to: int, byte: int) -> int:
    out[to] = byte
    return to + 1


@inner
def _put_escape(out: Bytes, to: int, code: int) -> int:
    out[to], out[to + 1] = 92, 117  # \u
    for index in range(4):
        out[to + 2 + index] = HEX[code >> (12 - 4 * index) & 15]
    return to + 6


@inner
def _put_text(out: Bytes, to: int, data: Bytes, row: Cells, number: int) -> int:
    """Text *number* of the row as JSON in ASCII; null where there is none."""
    at, end = signed(row[lay.TEXTS + 2 * number]), signed(row[lay.TEXTS + 2 * number + 1])
    if at < 0:
        return _put(out, to, NULL)
    to = _put_byte(out, to, QUOTE)
    while at < end:
        if data[at] < 127:
            out[to] = data[at]
            to, at = to + 1, at + 1
            continue
        code, at = character(data, at) if data[at] > 127 else (127, at + 1)
        if code > 0xFFFF:
            to = _put_escape(out, to, 0xD7C0 + (code >> 10))
            code = 0xDC00 | code & 0x3FF
        to = _put_escape(out, to, code)
    return _put_byte(out, to, QUOTE)


@inner
def _put_number(out: Bytes, to: int, value: int) -> int:
    if value < 0:
        out[to] = MINUS
        to, value = to + 1, -value
    size, rest = 1, value // 10
    while rest:
        size, rest = size + 1, rest // 10
    for index in range(size - 1, -1, -1):
        out[to + index] = ZERO + value % 10
        value //= 10
    return to + size


@inner
def _put_players(out: Bytes, to: int, data: Bytes, row: Cells) -> int:
    if row[lay.PLAYER_COUNT] < 0:
        return _put(out, to, NULL)
    for seat in range(row[lay.PLAYER_COUNT]):
        to = _put_byte(out, to, COMMA if seat else OPEN_LIST)
        to = _put_text(out, to, data, row, lay.PLAYERS + seat)
    return _put_byte(out, to, CLOSE_LIST)


@inner
def _put_total(out: Bytes, to: int, row: Cells) -> int:
    """Claimed total and winner."""
    for side in range(row[lay.TOTAL_COUNT]):
        to = _put_byte(out, to, COMMA if side else OPEN_LIST)
        to = _put_number(out, to, signed(row[lay.TOTAL + side]))
    to = _put(out, to, NULL) if row[lay.TOTAL_COUNT] < 0 else _put_byte(out, to, CLOSE_LIST)
    to = _put_byte(out, to, COMMA)
    return _put(out, to, NULL) if row[lay.WINNER] < 0 else _put_number(out, to, signed(row[lay.WINNER]))


def _writer() -> Callable[..., int]:
    version = fingerprint()

    def write(data, cells, source, rules, out, ends):  # type: ignore[no-untyped-def]
        _ = version
        to = 0
        for number in range(cells.shape[0]):
            row = cells[number]
            to = _put_byte(out, to, OPEN_LIST)
            to = _put_text(out, to, data, row, 0) if row[lay.TEXTS] >= 0 else _put(out, to, source)
            to = _put_text(out, _put_byte(out, to, COMMA), data, row, 1)
            to = _put_text(out, _put(out, to, rules), data, row, STARTED)
            to = _put_players(out, _put_byte(out, to, COMMA), data, row)
            to = _put_total(out, _put_byte(out, to, COMMA), row)
            to = _put_byte(out, to, CLOSE_LIST)
            ends[number] = to
        return to

    return compiled(write)


write_texts: Callable[..., Any] = _writer()
"""Write the texts that rows are hashed with, one after the other; returns where the last one ends.

Takes (the scan's bytes, its rows, the source of those that name none, as JSON, the rules' name and the options as JSON
between commas, out: where to write, ends: where each row's ends). *out* has to be large enough: LONGEST_ESCAPE times
the texts, and for each row LONGEST_FIXED, *source* and *rules*.
"""


def _gatherer() -> Callable[..., int]:
    version = fingerprint()

    def gather(data, starts, ends, out):  # type: ignore[no-untyped-def]
        _ = version
        to = 0
        for number in range(starts.size):
            to = _put(out, to, data[starts[number] : ends[number]])
        return to

    return compiled(gather)


gather_texts: Callable[..., Any] = _gatherer()
"""Copy the pieces of bytes that begin and end at given places to *out*, one after the other; returns their size."""

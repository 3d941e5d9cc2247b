"""XXH64 (:mod:`belot_stats.hashing`) in compiled loops: content hashes of rows of records, with their texts.

The hash of a record is that of its row, begun with the hash of the texts that the row has no place for.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import hashing
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.table import NO_SIDE

P1, P2, P3, P4, P5 = (
    np.uint64(hashing.PRIME_1),
    np.uint64(hashing.PRIME_2),
    np.uint64(hashing.PRIME_3),
    np.uint64(hashing.PRIME_4),
    np.uint64(hashing.PRIME_5),
)
U0 = np.uint64(0)
U29, U32, U33 = np.uint64(29), np.uint64(32), np.uint64(33)
LEAST_DIGITS = 8  # of a match's number


@njit(inline="always")
def turned(word, bits):
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@njit(inline="always")
def with_word(lane, word):
    return turned(lane + word * P2, 31) * P1


@njit(inline="always")
def avalanche(word):
    word = (word ^ (word >> U33)) * P2
    word = (word ^ (word >> U29)) * P3
    return word ^ (word >> U32)


@njit(inline="always")
def joined(one, two, three, four):
    state = turned(one, 1) + turned(two, 7) + turned(three, 12) + turned(four, 18)
    state = (state ^ with_word(U0, one)) * P1 + P4
    state = (state ^ with_word(U0, two)) * P1 + P4
    state = (state ^ with_word(U0, three)) * P1 + P4
    return (state ^ with_word(U0, four)) * P1 + P4


@njit
def hash_words(words, seed):
    """Hash of whole words."""
    at, size = 0, words.size
    state = seed + P5
    if size >= 4:
        one, two, three, four = seed + P1 + P2, seed + P2, seed, seed - P1
        while at + 4 <= size:
            one, two = with_word(one, words[at]), with_word(two, words[at + 1])
            three, four = with_word(three, words[at + 2]), with_word(four, words[at + 3])
            at += 4
        state = joined(one, two, three, four)
    state += np.uint64(8 * size)
    while at < size:
        state = turned(state ^ with_word(U0, words[at]), 27) * P1 + P4
        at += 1
    return avalanche(state)


@njit(inline="always")
def word_at(data, at, size):
    word = U0
    for i in range(size):
        word |= np.uint64(data[at + i]) << np.uint64(8 * i)
    return word


@njit
def hash_bytes(data, at, end):
    """Hash of the bytes from *at* to *end*, with the seed 0."""
    size = np.uint64(end - at)
    state = P5
    if end - at >= 32:
        one, two, three, four = P1 + P2, P2, U0, U0 - P1
        while at + 32 <= end:
            one, two = with_word(one, word_at(data, at, 8)), with_word(two, word_at(data, at + 8, 8))
            three = with_word(three, word_at(data, at + 16, 8))
            four = with_word(four, word_at(data, at + 24, 8))
            at += 32
        state = joined(one, two, three, four)
    state += size
    while at + 8 <= end:
        state = turned(state ^ with_word(U0, word_at(data, at, 8)), 27) * P1 + P4
        at += 8
    if at + 4 <= end:
        state = turned(state ^ word_at(data, at, 4) * P1, 23) * P2 + P3
        at += 4
    while at < end:
        state = turned(state ^ np.uint64(data[at]) * P5, 11) * P1
        at += 1
    return avalanche(state)


@compiled_loop
def hash_rows(texts, ends, words, hashes):
    """Hashes of rows, of which *words* are the bytes; the texts of each end where *ends* say."""
    at = 0
    for row in range(ends.size):
        hashes[row] = hash_words(words[row], hash_bytes(texts, at, ends[row]))
        at = ends[row]


@njit
def put(out, to, text):
    for i in range(text.size):
        out[to + i] = text[i]
    return to + text.size


@njit
def put_number(out, to, number, least):
    """Write *number* in at least so many digits."""
    if number < 0:
        out[to] = ord("-")
        to, number = to + 1, -number
    digits, rest = 1, number // 10
    while rest > 0:
        digits, rest = digits + 1, rest // 10
    digits = max(digits, least)
    for i in range(digits - 1, -1, -1):
        out[to + i] = ord("0") + number % 10
        number //= 10
    return to + digits


@njit
def put_match(out, to, number):
    """Write the number of a match, which may need all 64 bits."""
    high = np.int64(number // np.uint64(10_000_000_000))
    low = np.int64(number % np.uint64(10_000_000_000))
    if high == 0:
        return put_number(out, to, low, LEAST_DIGITS)
    return put_number(out, put_number(out, to, high, 1), low, 10)


@njit
def put_standing(out, to, t, sides, null):
    """Write the totals and the winner as JSON, with the bracket that ends the texts."""
    for side in range(sides):
        out[to] = ord(",") if side else ord("[")
        to = put_number(out, to + 1, np.int64(t.total[side]), 1)
    out[to], out[to + 1] = ord("]"), ord(",")
    to = put(out, to + 2, null) if t.winner == NO_SIDE else put_number(out, to + 2, np.int64(t.winner), 1)
    out[to] = ord("]")
    return to + 1


@compiled_loop
def hash_standings(before, between, ending, null, sides, standings, words, hashes):
    """Hashes of rows made in matches; their texts are those given, the numbers of the matches, and the standings.

    sides: 0 where the texts end with *ending* instead.
    """
    out = np.empty(before.size + between.size + ending.size + 200, dtype=np.uint8)
    start = put(out, 0, before)
    for row in range(standings.size):
        to = put(out, put_match(out, start, standings[row].match), between)
        to = put_standing(out, to, standings[row], sides, null) if sides else put(out, to, ending)
        hashes[row] = hash_words(words[row], hash_bytes(out, 0, to))


@compiled_loop
def name_matches(prefix, standings, offsets, out):
    """Names of the matches, one after the other."""
    to = 0
    for row in range(standings.size):
        offsets[row] = to
        to = put_match(out, put(out, to, prefix), standings[row].match)
    offsets[standings.size] = to
    return to

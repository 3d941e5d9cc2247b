"""XXH64, the 64-bit hash of https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md, one text at a time.

:mod:`belot_stats.rules.batch_hash` is the same for many rows at once.
"""

from __future__ import annotations

import struct

PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5 = (
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
)
_WORD = (1 << 64) - 1
_LANES = 32  # bytes that four lanes take at a time


def hash64(data: bytes, seed: int = 0) -> int:
    """XXH64 of *data*, 0 to 2**64 - 1.

    >>> hex(hash64(b"abc"))
    '0x44bc2cf5ad770999'
    """
    whole = len(data) - len(data) % _LANES
    state = _lanes(data[:whole], seed) if whole else seed + PRIME_5
    state = state + len(data) & _WORD
    return _avalanche(_rest(data[whole:], state))


def _lanes(data: bytes, seed: int) -> int:
    one, two, three, four = seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1
    for a, b, c, d in struct.iter_unpack("<4Q", data):
        one, two, three, four = _round(one, a), _round(two, b), _round(three, c), _round(four, d)
    state = _turned(one, 1) + _turned(two, 7) + _turned(three, 12) + _turned(four, 18) & _WORD
    for lane in (one, two, three, four):
        state = (state ^ _round(0, lane)) * PRIME_1 + PRIME_4 & _WORD
    return state


def _rest(data: bytes, state: int) -> int:
    """What the lanes left over: words, then half a word, then bytes."""
    words = len(data) // 8
    for word in struct.unpack_from(f"<{words}Q", data):
        state = _turned(state ^ _round(0, word), 27) * PRIME_1 + PRIME_4 & _WORD
    data = data[8 * words :]
    if len(data) >= 4:
        half = int.from_bytes(data[:4], "little")
        state = _turned(state ^ half * PRIME_1 & _WORD, 23) * PRIME_2 + PRIME_3 & _WORD
        data = data[4:]
    for byte in data:
        state = _turned(state ^ byte * PRIME_5 & _WORD, 11) * PRIME_1 & _WORD
    return state


def _round(lane: int, word: int) -> int:
    return _turned(lane + word * PRIME_2 & _WORD, 31) * PRIME_1 & _WORD


def _turned(word: int, bits: int) -> int:
    word &= _WORD
    return (word << bits | word >> 64 - bits) & _WORD


def _avalanche(word: int) -> int:
    word = (word ^ word >> 33) * PRIME_2 & _WORD
    word = (word ^ word >> 29) * PRIME_3 & _WORD
    return word ^ word >> 32

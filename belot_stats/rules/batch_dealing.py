"""Random numbers and the dealing of cards in the compiled loops: the same streams as one by one.

A compiled function takes the rules and ``s``, the workspace of the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats.cards import NO_SEAT
from belot_stats.rules.compiling import U, nth_bit, popcount, trailing_zeros
from belot_stats.rules.twins import seat_after

PACK_STREAM = 4
PACKETS = 5
GAMMA, MIX_1, MIX_2 = (
    np.uint64(0x9E37_79B9_7F4A_7C15),
    np.uint64(0xBF58_476D_1CE4_E5B9),
    np.uint64(0x94D0_49BB_1331_11EB),
)
U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
HALF = np.uint64(0xFFFF_FFFF)
DEALING, POLICY, SINGLE = np.uint64(1), np.uint64(2), np.uint64(0)


@njit(inline="always")
def mix(word):
    word = (word ^ (word >> U30)) * MIX_1
    word = (word ^ (word >> U27)) * MIX_2
    return word ^ (word >> U31)


@njit(inline="always")
def named(key, number):
    return mix((key + GAMMA) ^ number)


@njit
def below(s, slot, bound):
    while True:
        state = s.states[U(slot)] + GAMMA
        s.states[U(slot)] = state
        product = (mix(state) >> U32) * np.uint64(bound)
        low = product & HALF
        if low >= np.uint64(bound) or low >= (HALF + np.uint64(1)) % np.uint64(bound):
            return np.int64(product >> U32)


@njit
def bit_of(s, slot, mask):
    return nth_bit(mask, below(s, slot, popcount(mask)))


@njit(forceinline=True)
def next_word(s, slot):
    """The next word of a stream, which stays where it is: asked for early, it is there when it is needed."""
    return mix(s.states[U(slot)] + GAMMA) >> U32


@njit(forceinline=True)
def bit_by(s, slot, mask, word):
    """As bit_of, with the stream's next *word*."""
    count = np.uint64(popcount(mask))
    product = word * count
    if product & HALF < count:  # seldom: the word may have to be refused
        return bit_of(s, slot, mask)
    s.states[U(slot)] += GAMMA
    return nth_bit(mask, np.int64(product >> U32))


@njit(forceinline=True)
def choice_by(s, slot, mask, word):
    """As bit_by, but one bit alone takes no word; without a jump but for one word in a thousand million."""
    count = np.uint64(popcount(mask))
    product = word * count
    if product & HALF < count:
        return trailing_zeros(mask) if mask & (mask - 1) == 0 else bit_of(s, slot, mask)
    s.states[U(slot)] += np.uint64(0) if count == np.uint64(1) else GAMMA
    return nth_bit(mask, np.int64(product >> U32))


@njit
def shuffle(s):
    for place in range(s.pack_size):
        s.pack[U(place)] = s.new_pack[U(place)]
    for number in range(s.shuffle_steps):
        while (
            shuffle_step(s, s.shuffle_last[U(number)], s.shuffle_cards[U(number)])
            < s.shuffle_refused[U(number)]
        ):
            pass


@njit(forceinline=True)
def shuffle_step(s, last, count):
    state = s.states[PACK_STREAM] + GAMMA
    s.states[PACK_STREAM] = state
    rest = mix(state) >> U32
    for place in range(last, last - count, -1):
        product = rest * np.uint64(place + 1)
        other = np.int64(product >> U32)
        rest = product & HALF
        held = s.pack[U(place)]
        s.pack[U(place)] = s.pack[U(other)]
        s.pack[U(other)] = held
    return rest


@njit(forceinline=True)
def deal_packet(rules, s, place, size, dealer, short_seat):
    """*size* cards to each seat, from *place* of the pack; one less to the seat that gets the turned-up card."""
    seat = dealer
    for _ in range(rules.players):
        seat = seat_after(rules, seat)
        mask = s.hands[U(seat)]
        for _ in range(size - 1 if seat == short_seat else size):
            mask |= 1 << s.pack[U(place)]
            place += 1
        s.hands[U(seat)] = mask
    return place


@njit
def deal_first(rules, s, dealer):
    place = 0
    for number in range(PACKETS):
        if s.first_packets[U(number)] > 0:
            place = deal_packet(rules, s, place, s.first_packets[U(number)], dealer, NO_SEAT)
    return place


@njit
def deal_second(rules, s, dealer, short_seat):
    place = s.stock
    for number in range(PACKETS):
        if s.second_packets[U(number)] > 0:
            is_last = number == PACKETS - 1 or s.second_packets[U(number + 1)] == 0
            place = deal_packet(
                rules, s, place, s.second_packets[U(number)], dealer, short_seat if is_last else NO_SEAT
            )

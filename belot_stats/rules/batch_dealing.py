"""Random numbers and the dealing of cards in the compiled loops: the same streams as one by one.

A compiled function takes the rules and ``s``, the workspace of the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import NO_CARD, NO_SEAT
from belot_stats.rules.compiling import U, high_product, nth_bit, popcount
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
def share_of(w, seat, mask):
    """A bit of *mask*, with what is left of the seat's word; one bit alone leaves it as it is."""
    rest, count = w.rests[U(seat)], np.uint64(popcount(mask))
    w.rests[U(seat)] = rest * count
    return nth_bit(mask, np.int64(high_product(rest, count)))


@njit(forceinline=True)
def name_streams(own, players, s):
    """Streams of the seats for a deal.  own: what all of their names begin with."""
    for seat in range(players):
        s.states[U(seat)] = s.rests[U(seat)] = named(own, np.uint64(seat))


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


@njit
def deal_cards(rules, dealer, d, s):
    """The cards before the auction, and the row of the deal as it begins."""
    for seat in range(rules.players):
        s.hands[U(seat)] = 0
    s.stock = deal_first(rules, s, dealer)
    for seat in range(rules.players):
        d.first_hands[U(seat)] = s.hands[U(seat)]
    d.dealer, d.exchange = dealer, NO_SEAT
    d.turn_up[0] = d.turn_up[1] = NO_CARD
    d.play_count = d.declared_count = d.belote_count = 0
    if rules.turn_up != p.TURN_UP_NONE:
        d.turn_up[0] = s.pack[U(s.stock)]
        s.stock += 1


@njit
def deal_rest(rules, receiver, d, s):
    """The cards after the auction.  receiver: of the turned-up card, or NO_SEAT."""
    deal_second(rules, s, np.int64(d.dealer), receiver)
    if receiver != NO_SEAT:
        s.hands[U(receiver)] |= 1 << np.int64(d.turn_up[0])
    for seat in range(rules.players):
        d.hands[U(seat)] = s.hands[U(seat)]

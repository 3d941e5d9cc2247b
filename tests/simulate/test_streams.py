"""Random numbers: the published generator, exactly uniform numbers below a bound, names that do not meet."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import prod

import pytest
from scipy.stats import chisquare

from belot_stats.simulator.streams import DEALING, GAMMA, MOST_BOUNDS, Stream, mix, shuffle_steps, stream_key

# First outputs of splitmix64 for the seed 1234567, as published with other implementations of it.
PUBLISHED = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def test_words_are_splitmix64() -> None:
    stream = Stream()
    stream.state = 1234567
    assert tuple(stream.word() for _ in PUBLISHED) == PUBLISHED


def test_below_takes_the_same_words() -> None:
    words, numbers = Stream(5), Stream(5)
    for bound in (2, 3, 5, 31, 32, 1000):
        assert numbers.below(bound) == (words.word() >> 32) * bound >> 32
    assert words.state == numbers.state


@pytest.mark.parametrize("bound", [2, 3, 7, 32])
def test_below_is_uniform(bound: int) -> None:
    stream = Stream(2024, bound)
    counts = Counter(stream.below(bound) for _ in range(20_000))
    assert set(counts) == set(range(bound))
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_below_draws_again_where_a_number_would_be_favoured() -> None:
    # 2**32 = 1 (mod 3): of the halves only 0 gives a remainder that would be one too many for the number 0.
    stream = Stream()
    unmixed = next(word for word in _words_with_top_half_zero())
    stream.state = unmixed - GAMMA & 0xFFFF_FFFF_FFFF_FFFF
    again = Stream()
    again.state = unmixed
    assert stream.below(3) == again.below(3)
    assert stream.state == again.state


def _words_with_top_half_zero() -> list[int]:
    """State whose output has a top half of 0: mix maps 0 to 0."""
    assert mix(0) == 0
    return [0]


def test_bit_of_gives_only_set_bits_each_equally_often() -> None:
    stream = Stream(7)
    counts = Counter(stream.bit_of(0b1010_0000_0100_0001) for _ in range(8_000))
    assert set(counts) == {0, 6, 13, 15}
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_all_shares_of_a_stream_come_from_one_word_and_every_order_is_equally_likely() -> None:
    orders = Counter()
    for number in range(24_000):
        stream, left, order = Stream(7, number), 0b1011_0001_0000, []
        state = stream.state
        while left:
            bit = stream.share_of(left)
            left &= ~(1 << bit)
            order.append(bit)
        assert stream.state == state
        orders[tuple(order)] += 1
    assert len(orders) == 24
    assert chisquare(list(orders.values())).pvalue > 0.001


def test_a_share_of_one_bit_leaves_the_rest_as_it_is() -> None:
    stream = Stream(7)
    rest = stream.rest
    assert stream.share_of(0b100) == 2
    assert stream.rest == rest


def test_keys_of_near_names_differ() -> None:
    keys = {
        stream_key(*name) for name in ((a, b, c) for a in range(20) for b in range(20) for c in range(20))
    }
    assert len(keys) == 8_000
    assert stream_key(1, 2) != stream_key(2, 1)
    assert stream_key(0) != stream_key(0, 0)


def test_a_shuffle_gives_every_order_equally_often() -> None:
    counts = dict.fromkeys(permutations("abcd"), 0)
    for number in range(24_000):
        pack = list("abcd")
        Stream(5, DEALING, number).shuffle(pack)
        counts[tuple(pack)] += 1
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_the_steps_of_a_shuffle_fill_every_place_once() -> None:
    for size in (2, 24, 32, 52):
        steps = shuffle_steps(size)
        places = [place for step in steps for place in range(step.last, step.last - step.cards, -1)]
        assert places == list(range(size - 1, 0, -1))
        for step in steps:
            assert step.product == prod(range(step.last - step.cards + 2, step.last + 2)) <= MOST_BOUNDS
            assert step.refused == 2**32 % step.product

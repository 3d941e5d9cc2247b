"""Random numbers that depend on nothing but integers: splitmix64, in whole-number arithmetic.

A stream is named by numbers such as (seed, purpose, match, deal); they are folded into a 64-bit key, and the n-th
word of the stream is splitmix64's output function of ``key + n * GAMMA``. Nothing is shared between streams, no
library's distribution functions are used, and Python's integers and 64-bit machine words give the same numbers: a
deal is the same on every platform, in any order, whoever deals it.

Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (the generator);
D. Lemire, "Fast random integer generation in an interval", 2019 (numbers below a bound, exactly uniform);
N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation", 2024 (several of them from one word).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

GAMMA = 0x9E37_79B9_7F4A_7C15
WORD = 0xFFFF_FFFF_FFFF_FFFF
HALF = 0xFFFF_FFFF

MOST_BOUNDS = 1 << 26  # product of the bounds that share a word: above it words would be refused too often

# What a stream is for; the second number of its name.
DEALING, POLICY = 1, 2


def mix(word: int) -> int:
    """Output function of splitmix64: a bijection of 64-bit words."""
    word = (word ^ word >> 30) * 0xBF58_476D_1CE4_E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D0_49BB_1331_11EB & WORD
    return word ^ word >> 31


def stream_key(*numbers: int) -> int:
    """64-bit key of the stream named by *numbers*, each 0..2**64-1.

    Names that differ in one number alone always have different keys.
    """
    key = 0
    for number in numbers:
        key = mix((key + GAMMA & WORD) ^ number)
    return key


class ShuffleStep(NamedTuple):
    """Places of a pack, from *last* down, that are filled with one word: as many as *cards*.

    product: of the numbers of cards to choose from.  refused: remainders below it mean that the word is not used.
    """

    last: int
    cards: int
    product: int
    refused: int


@cache
def shuffle_steps(size: int) -> tuple[ShuffleStep, ...]:
    """How a pack of *size* cards is shuffled."""
    steps, last = [], size - 1
    while last > 0:
        count, product = 0, 1
        while last - count > 0 and product * (last - count + 1) <= MOST_BOUNDS:
            product *= last - count + 1
            count += 1
        steps.append(ShuffleStep(last, count, product, (HALF + 1) % product))
        last -= count
    return tuple(steps)


class Stream:
    """Random words, one after the other, of the stream that *numbers* name.

    >>> Stream(1, DEALING, 1, 1).below(6) == Stream(1, DEALING, 1, 1).below(6)
    True
    """

    __slots__ = ("rest", "state")

    def __init__(self, *numbers: int) -> None:
        self.state = stream_key(*numbers)
        self.rest = self.state

    def word(self) -> int:
        """Next 64-bit word."""
        self.state = self.state + GAMMA & WORD
        return mix(self.state)

    def below(self, bound: int) -> int:
        """Number 0..bound-1, each equally likely.  bound: 1..2**32-1."""
        while True:
            # The same as self.word(), written out: half the time of dealing went into the calls.
            self.state = word = self.state + GAMMA & WORD
            word = (word ^ word >> 30) * 0xBF58_476D_1CE4_E5B9 & WORD
            word = (word ^ word >> 27) * 0x94D0_49BB_1331_11EB & WORD
            product = ((word ^ word >> 31) >> 32) * bound
            if product & HALF >= (HALF + 1) % bound:
                return product >> 32

    def shuffle(self, pack: list[Any]) -> None:
        """Put *pack* into random order, each order equally likely: Fisher and Yates, several cards with one word."""
        for step in shuffle_steps(len(pack)):
            while self._shuffle_step(pack, step) < step.refused:
                pass  # the same places again: whatever lies there, all orders stay equally likely

    def _shuffle_step(self, pack: list[Any], step: ShuffleStep) -> int:
        rest = self.word() >> 32
        for last in range(step.last, step.last - step.cards, -1):
            rest *= last + 1
            other = rest >> 32
            rest &= HALF
            pack[last], pack[other] = pack[other], pack[last]
        return rest

    def bit_of(self, mask: int) -> int:
        """Number of one of the set bits of *mask* (not 0), each equally likely."""
        return nth_bit(mask, self.below(mask.bit_count()))

    def share_of(self, mask: int) -> int:
        """Number of one of the set bits of *mask* (not 0), all such choices of a stream made with one word, its key.

        Each choice takes its share of the word and leaves the rest to the next ones. Their chances differ by less
        than the product of all numbers of bits so far to 2**64: for the cards of a hand of nine, 9! / 2**64 < 2**-45.
        """
        self.rest *= mask.bit_count()
        number = self.rest >> 64
        self.rest &= WORD
        return nth_bit(mask, number)


def nth_bit(mask: int, number: int) -> int:
    """Place of the set bit of *mask* that has *number* others below it."""
    for _ in range(number):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1

"""Random numbers that depend on nothing but integers: splitmix64, in whole-number arithmetic.

A stream is named by numbers such as (seed, purpose, match, deal); they are folded into a 64-bit key, and the n-th
word of the stream is splitmix64's output function of ``key + n * GAMMA``. Nothing is shared between streams, no
library's distribution functions are used, and Python's integers and 64-bit machine words give the same numbers: a
deal is the same on every platform, in any order, whoever deals it.

Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (the generator);
D. Lemire, "Fast random integer generation in an interval", 2019 (numbers below a bound, exactly uniform).
"""

from __future__ import annotations

GAMMA = 0x9E37_79B9_7F4A_7C15
WORD = 0xFFFF_FFFF_FFFF_FFFF
HALF = 0xFFFF_FFFF

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


class Stream:
    """Random words, one after the other, of the stream that *numbers* name.

    >>> Stream(1, DEALING, 1, 1).below(6) == Stream(1, DEALING, 1, 1).below(6)
    True
    """

    __slots__ = ("state",)

    def __init__(self, *numbers: int) -> None:
        self.state = stream_key(*numbers)

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

    def bit_of(self, mask: int) -> int:
        """Number of one of the set bits of *mask* (not 0), each equally likely."""
        for _ in range(self.below(mask.bit_count())):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1

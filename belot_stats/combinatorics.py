"""Exact chances that a hand dealt at random holds a declaration, by counting every hand there is.

A hand of *hand_size* cards from a pack that begins with *lowest_rank* is cut into two halves of two suits each:
all sets of clubs and diamonds, grouped by size, are paired with all sets of hearts and spades of the size that is
left. What a half holds is looked up, so that one pair costs a few array operations; C(32, 8) = 10,518,300 hands
take about a second. What counts as held:

- a sequence: a run of the suit that cannot be made longer; 3 cards are a tierce, 4 a quarte, 5 and more a quinte;
- a carré: all four cards of a rank from the nine up (sevens and eights are none);
- a belote: king and queen, of any suit (as at all trumps) or of one given suit (the trump suit).

Sequences and carrés that share a card are both held. The numbers stand in ``data/statistics/holding.csv``; a test
counts them anew.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from belot_stats.cards import JACK, KING, NINE, QUEEN
from belot_stats.errors import UsageError
from belot_stats.resources import resource

Words: TypeAlias = NDArray[np.uint16]
Counts: TypeAlias = NDArray[np.int64]

HOLDING_KINDS = (
    "tierce", "quarte", "quinte", "carre-jacks", "carre-nines", "carre-others", "belote-any", "belote-of-a-suit",
)  # fmt: skip
# Packs and hand sizes of the systems there are: 32 or 24 cards, eight or nine in a hand.
DEALT = ((0, 8), (0, 9), (2, 8), (2, 9))
SEQUENCE_KINDS = {3: "tierce", 4: "quarte", 5: "quinte", 6: "quinte", 7: "quinte", 8: "quinte"}


class Holding(NamedTuple):
    """How many of all hands hold a kind of declaration, and how many declarations they hold together."""

    lowest_rank: int  # 0 = seven (32 cards), 2 = nine (24 cards)
    hand_size: int
    kind: str
    hands: int
    holding_hands: int
    held: int

    @property
    def chance(self) -> float:
        """Chance that a hand holds at least one."""
        return self.holding_hands / self.hands


def runs_in(suit_byte: int) -> list[int]:
    """Lengths of the runs of three and more cards in one suit, each as long as it can be made.

    >>> runs_in(0b11101111)
    [4, 3]
    """
    runs = [len(run) for run in f"{suit_byte:08b}"[::-1].split("0")]
    return [length for length in runs if length >= 3]


def count_holdings(lowest_rank: int = 0, hand_size: int = 8) -> list[Holding]:
    """How many of all hands of *hand_size* cards hold each of HOLDING_KINDS.

    lowest_rank: 0..7, rank of the lowest card of the pack.  Returns one row a kind, exact integers.
    Raises: UsageError for a hand larger than the pack.
    """
    pack_size = 4 * (8 - lowest_rank)
    if not (0 <= lowest_rank <= 7 and 1 <= hand_size <= pack_size):
        raise UsageError(f"a hand of {hand_size} cards cannot be dealt from {pack_size} cards")
    holding = dict.fromkeys(HOLDING_KINDS, 0)
    held = dict.fromkeys(HOLDING_KINDS, 0)
    for low, high in _pairs_of_halves(lowest_rank, hand_size):
        for kind, counts in _held_by(low, high):
            holding[kind] += int(np.count_nonzero(counts))
            held[kind] += int(counts.sum(dtype=np.int64))
    hands = math.comb(pack_size, hand_size)
    return [Holding(lowest_rank, hand_size, kind, hands, holding[kind], held[kind]) for kind in HOLDING_KINDS]


def _pairs_of_halves(lowest_rank: int, hand_size: int) -> Iterator[tuple[Words, Words]]:
    """Column of low halves against row of high halves, in blocks that keep memory small."""
    suit = np.array([byte for byte in range(256) if byte & ((1 << lowest_rank) - 1) == 0], dtype=np.uint16)
    halves = (suit[:, None] << np.uint16(8) | suit[None, :]).ravel().astype(np.uint16)
    sizes = np.bitwise_count(halves)
    for low_size in range(hand_size + 1):
        low, high = halves[sizes == low_size], halves[sizes == hand_size - low_size]
        if low.size == 0 or high.size == 0:
            continue
        step = max(1, 2_000_000 // high.size)
        for start in range(0, low.size, step):
            yield low[start : start + step, None], high[None, :]


def _held_by(low: Words, high: Words) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Number of combinations of each kind in every pair of halves."""
    tables = _suit_tables()
    for kind in ("tierce", "quarte", "quinte"):
        yield kind, _in_half(tables[kind], low) + _in_half(tables[kind], high)
    belotes = tables["belote"]
    yield "belote-any", _in_half(belotes, low) + _in_half(belotes, high)
    yield "belote-of-a-suit", belotes[low & np.uint16(0xFF)] + np.zeros_like(high, dtype=np.uint8)
    carres = _ranks_in_both(low) & _ranks_in_both(high)
    jack, nine = np.uint16(1 << JACK), np.uint16(1 << NINE)
    others = np.uint16(0xFF & ~((1 << NINE) - 1) & ~int(jack) & ~int(nine))
    for kind, ranks in (("carre-jacks", jack), ("carre-nines", nine), ("carre-others", others)):
        yield kind, np.bitwise_count(carres & ranks)


def _in_half(table: NDArray[np.uint8], half: Words) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = table[half & np.uint16(0xFF)] + table[half >> np.uint16(8)]
    return found


def _ranks_in_both(half: Words) -> Words:
    both: Words = half & half >> np.uint16(8) & np.uint16(0xFF)
    return both


def _suit_tables() -> dict[str, NDArray[np.uint8]]:
    """For each of the 256 sets of one suit: how many sequences of a kind, and whether a belote, it holds."""
    tables = {kind: np.zeros(256, dtype=np.uint8) for kind in ("tierce", "quarte", "quinte", "belote")}
    belote = 1 << KING | 1 << QUEEN
    for byte in range(256):
        for length in runs_in(byte):
            tables[SEQUENCE_KINDS[length]][byte] += 1
        tables["belote"][byte] = byte & belote == belote
    return tables


def read_holdings(path: Path | None = None) -> list[Holding]:
    """The counts kept in ``data/statistics/holding.csv``, for every pack and hand size of DEALT."""
    with (path or resource("data", "statistics/holding.csv")).open(newline="", encoding="utf-8") as file:
        return [
            Holding(int(row[0]), int(row[1]), row[2], int(row[3]), int(row[4]), int(row[5]))
            for row in list(csv.reader(file))[1:]
        ]


def write_holdings(path: Path) -> None:
    """Count all of DEALT and write the table that ``read_holdings`` reads."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Holding._fields)
        for lowest_rank, hand_size in DEALT:
            writer.writerows(count_holdings(lowest_rank, hand_size))

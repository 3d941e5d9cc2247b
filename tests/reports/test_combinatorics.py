"""Chances of holding declarations: the kept table is counted anew, and a small pack is counted by hand of sets."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

from belot_stats.cards import RANK_NAMES
from belot_stats.combinatorics import (
    DEALT,
    HOLDING_KINDS,
    Holding,
    count_holdings,
    read_holdings,
    runs_in,
    write_holdings,
)
from belot_stats.errors import UsageError


@pytest.mark.parametrize(("lowest_rank", "hand_size"), DEALT)
def test_the_kept_table_is_what_counting_gives(lowest_rank: int, hand_size: int) -> None:
    kept = [h for h in read_holdings() if (h.lowest_rank, h.hand_size) == (lowest_rank, hand_size)]
    assert kept == count_holdings(lowest_rank, hand_size)


def test_the_kept_table_can_be_written_again(tmp_path: Path) -> None:
    write_holdings(tmp_path / "again.csv")
    assert read_holdings(tmp_path / "again.csv") == read_holdings()


def test_eight_of_32_by_formula() -> None:
    counts = {h.kind: h for h in read_holdings() if (h.lowest_rank, h.hand_size) == (0, 8)}
    assert {h.hands for h in counts.values()} == {10_518_300}
    assert counts["belote-of-a-suit"].holding_hands == math.comb(30, 6)
    assert counts["belote-any"].held == 4 * math.comb(30, 6)
    assert counts["carre-jacks"].holding_hands == math.comb(28, 4)
    # four of the ranks nine, ten, queen, king, ace less nine: C(4, 2) hands hold two of the four others
    assert counts["carre-others"].held == 4 * math.comb(28, 4)
    assert counts["carre-others"].holding_hands == 4 * math.comb(28, 4) - math.comb(4, 2)
    # a tierce that cannot be made longer: at either end of a suit one card must be absent, inside two
    assert counts["tierce"].held == 4 * (2 * math.comb(28, 5) + 4 * math.comb(27, 5))
    assert counts["quarte"].held == 4 * (2 * math.comb(27, 4) + 3 * math.comb(26, 4))


def slow_kinds(hand: tuple[str, ...], pack_ranks: str) -> list[str]:
    found = []
    for suit in "CDHS":
        held = "".join(rank if rank + suit in hand else " " for rank in pack_ranks)
        lengths = [len(run) for run in held.split() if len(run) >= 3]
        found += [{3: "tierce", 4: "quarte"}.get(length, "quinte") for length in lengths]
        if "K" + suit in hand and "Q" + suit in hand:
            found += ["belote-any"] + ["belote-of-a-suit"] * (suit == "S")
    fours = [rank for rank in pack_ranks if all(rank + suit in hand for suit in "CDHS")]
    return found + [
        {"J": "carre-jacks", "9": "carre-nines"}.get(rank, "carre-others")
        for rank in fours
        if rank not in "78"
    ]


@pytest.mark.parametrize(("lowest_rank", "hand_size"), [(4, 5), (3, 6), (2, 5), (5, 4)])
def test_small_packs_card_by_card(lowest_rank: int, hand_size: int) -> None:
    ranks = RANK_NAMES[lowest_rank:]
    pack = [rank + suit for suit in "CDHS" for rank in ranks]
    holding, held = dict.fromkeys(HOLDING_KINDS, 0), dict.fromkeys(HOLDING_KINDS, 0)
    for hand in itertools.combinations(pack, hand_size):
        kinds = slow_kinds(hand, ranks)
        for kind in set(kinds):
            holding[kind] += 1
            held[kind] += kinds.count(kind)
    hands = math.comb(len(pack), hand_size)
    slow = [Holding(lowest_rank, hand_size, kind, hands, holding[kind], held[kind]) for kind in HOLDING_KINDS]
    assert count_holdings(lowest_rank, hand_size) == slow


def test_sevens_and_eights_are_no_carre() -> None:
    assert {h.kind: h.held for h in count_holdings(0, 4)}["carre-others"] == 4


def test_runs() -> None:
    assert runs_in(0b00000111) == [3]
    assert runs_in(0b11111111) == [8]
    assert runs_in(0b01100110) == []


@pytest.mark.parametrize(("lowest_rank", "hand_size"), [(0, 33), (2, 25), (8, 1), (-1, 8), (0, 0)])
def test_hands_that_cannot_be_dealt(lowest_rank: int, hand_size: int) -> None:
    with pytest.raises(UsageError, match="cannot be dealt"):
        count_holdings(lowest_rank, hand_size)

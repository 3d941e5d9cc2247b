"""Perft: how many ways there are to play the next tricks by the rules; the tables, and counting by the fast engine.

Run as a program it makes the table of a preset that has none: ``python -m tests.rules.perft bela-3p``.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from belot_stats.cards import NO_CARD, NO_SUIT, cards_in, parse_contract, parse_hand
from belot_stats.rules import play
from belot_stats.rules.table import side_of
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import naive, strategies

FOLDER = Path(__file__).parent
MOST = 25_000  # ways to play of a row that the slow engine counts too
DEPTHS = {2: (4, 5, 6), 3: (3, 4, 5), 4: (3, 4)}  # tricks, by players
HEADER = """\
# Perft of {preset}: ways to play the next tricks by the rules.
#
#   id | contract | leader | tricks | count | counted by | hands of the seats
#
# hands     what each seat still holds; tricks = how many of them are played on
# count     different legal orders of cards until then (a leaf is a whole order, not a position)
# both      counted by tests/naive.py (plain sets and strings) and by belot_stats.rules.play: the same number
#
# Hands: random.Random(11), half of them of a badly shuffled pack, {repeats} positions for each contract and depth.

"""


class Row(NamedTuple):
    """One position: hands as written, who leads, how many tricks are played, and in how many ways."""

    id: str
    contract: str
    leader: int
    tricks: int
    count: int
    counted_by: str  # "both" engines, or the "fast" one alone
    hands: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.id}-{self.contract}-{self.tricks}"


def table_path(preset: str) -> Path:
    """Table of a preset."""
    return FOLDER / f"perft_{preset}.txt"


def read_rows(preset: str) -> list[Row]:
    """Rows of the table of a preset, in its order."""
    rows = []
    for line in table_path(preset).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            row_id, contract, leader, tricks, count, counted_by, hands = (x.strip() for x in line.split("|"))
            cut = tuple(hand.strip() for hand in hands.split(","))
            rows.append(Row(row_id, contract, int(leader), int(tricks), int(count), counted_by, cut))
    return rows


def count_plays(rules: RuleSet, row: Row) -> int:
    """Legal ways to play the next tricks of *row*.

    The same hands with the same leader are counted once: how they came about changes nothing.
    """
    contract = parse_contract(row.contract)

    @cache
    def after_tricks(hands: tuple[int, ...], leader: int, tricks: int) -> int:
        if tricks == 0 or not hands[leader]:
            return 1
        return within_trick(hands, leader, NO_SUIT, NO_CARD, leader, 0, tricks)

    def within_trick(
        hands: Sequence[int], seat: int, led: int, best: int, holder: int, size: int, tricks: int
    ) -> int:
        if size == rules.players:
            return after_tricks(tuple(hands), holder, tricks - 1)
        holds = size > 0 and side_of(rules, holder) == side_of(rules, seat)
        total = 0
        for card in cards_in(play.legal_mask(rules, contract, hands[seat], led, best, holds, size)):
            takes = size == 0 or play.beats(contract, card, best)
            left = [mask & ~(1 << card) for mask in hands]
            total += within_trick(
                left,
                (seat + 1) % rules.players,
                card >> 3 if size == 0 else led,
                card if takes else best,
                seat if takes else holder,
                size + 1,
                tricks,
            )
        return total

    return after_tricks(tuple(map(parse_hand, row.hands)), row.leader, row.tricks)


def made_rows(preset: str, repeats: int) -> Iterator[Row]:
    """Rows of random positions, counted by the slow engine; one with too many ways to play makes room for another."""
    rules, rng = load_ruleset(preset), random.Random(11)
    names, number = strategies.naive_rules(rules), 0
    for tricks in DEPTHS[rules.players]:
        for contract in names["contracts"] * repeats:
            while True:
                hands = tuple(" ".join(hand) for hand in strategies.deal_hands(rules, rng, tricks))
                row = Row("", contract, rng.randrange(rules.players), tricks, 0, "both", hands)
                if 1 < count_plays(rules, row) <= MOST:
                    break
            number += 1
            count = naive.perft(names, contract, hands, row.leader, tricks)
            yield row._replace(id=f"{number:02}", count=count)


def table_text(preset: str, repeats: int) -> str:
    """The table of a preset as its file has it."""
    lines = [
        " | ".join((*map(str, row[:6]), ", ".join(row.hands))).rstrip() for row in made_rows(preset, repeats)
    ]
    return HEADER.format(preset=preset, repeats=repeats) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        table_path(name).write_text(table_text(name, 3), encoding="utf-8")

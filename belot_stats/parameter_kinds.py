"""Kinds of rule parameters: how a readable value becomes the integers the rules work on, and back.

Values are checked here one by one; contradictions between parameters are found in :mod:`belot_stats.contradictions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from belot_stats.cards import CONTRACT_NAMES, RANK_NAMES

LEVEL_SLOTS = 4  # contra, recontra and the two levels after them
NO_LEVEL = -1
WHOLE_MATCH = 0  # the multiplier that stakes the match itself
SHOWN = 80  # characters of a wrong value that a message repeats


class ValueProblem(ValueError):
    """A value that its parameter does not take; the text says what was expected."""


class Parameter(NamedTuple):
    """One rule parameter; *encode* turns a readable value into the rules' integers, *decode* turns it back."""

    name: str
    group: str
    expects: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    meaning: str
    default: Any = None  # value of a local option that is off; None = every rule file must say


def _problem(value: object, expects: str) -> ValueProblem:
    found = repr(value)
    return ValueProblem(f"expected {expects}, found {found if len(found) <= SHOWN else found[:SHOWN] + '…'}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(name: str, group: str, low: int, high: int, meaning: str, default: int | None = None) -> Parameter:
    """A whole number in a range."""
    expects = f"a whole number from {low} to {high}"

    def encode(value: Any) -> int:
        if not _is_int(value) or not low <= value <= high:
            raise _problem(value, expects)
        return int(value)

    return Parameter(name, group, expects, encode, int, meaning, default)


def flag(name: str, group: str, meaning: str, default: bool | None = None) -> Parameter:
    """True or false."""
    expects = "true or false"

    def encode(value: Any) -> int:
        if not isinstance(value, bool):
            raise _problem(value, expects)
        return int(value)

    return Parameter(name, group, expects, encode, bool, meaning, default)


def choice(
    name: str, group: str, choices: tuple[str, ...], meaning: str, default: str | None = None
) -> Parameter:
    """One of a few words, encoded as their places."""
    expects = "one of " + ", ".join(f'"{choice}"' for choice in choices)

    def encode(value: Any) -> int:
        if not isinstance(value, str) or value not in choices:
            raise _problem(value, expects)
        return choices.index(value)

    return Parameter(name, group, expects, encode, choices.__getitem__, meaning, default)


def rank(name: str, group: str, choices: str, meaning: str) -> Parameter:
    """A rank of the pack."""
    expects = "one of " + ", ".join(f'"{choice}"' for choice in choices)

    def encode(value: Any) -> int:
        if not isinstance(value, str) or len(value) != 1 or value not in choices:
            raise _problem(value, expects)
        return RANK_NAMES.index(value)

    return Parameter(name, group, expects, encode, RANK_NAMES.__getitem__, meaning)


def packets(name: str, group: str, meaning: str) -> Parameter:
    """Packet sizes, encoded as decimal digits."""
    expects = "a list of packet sizes from 1 to 9, as in [3, 2]"

    def encode(value: Any) -> int:
        if (
            not isinstance(value, list)
            or not 1 <= len(value) <= 4
            or not all(_is_int(n) and 1 <= n <= 9 for n in value)
        ):
            raise _problem(value, expects)
        return int("".join(map(str, value)))

    return Parameter(name, group, expects, encode, lambda code: [int(digit) for digit in str(code)], meaning)


def contracts(name: str, group: str, meaning: str) -> Parameter:
    """Contracts, encoded as their places in the order, -1 for those that do not exist."""
    expects = f"a list of different contracts of {', '.join(CONTRACT_NAMES)}, lowest first"

    def encode(value: Any) -> tuple[int, ...]:
        known = (
            isinstance(value, list)
            and value
            and all(isinstance(c, str) and len(c) == 1 and c in CONTRACT_NAMES for c in value)
        )
        if not known or len(set(value)) != len(value):
            raise _problem(value, expects)
        return tuple(value.index(c) if c in value else -1 for c in CONTRACT_NAMES)

    def decode(order: Any) -> list[str]:
        return [
            c
            for _, c in sorted((rank, c) for rank, c in zip(order, CONTRACT_NAMES, strict=True) if rank >= 0)
        ]

    return Parameter(name, group, expects, encode, decode, meaning)


def multipliers(name: str, group: str, meaning: str) -> Parameter:
    """A list of rising multipliers, of which the last may be 0, the whole match."""
    expects = (
        "a rising list of at most four multipliers from 2 to 16, as in [2, 4], of which the last may be 0, the whole "
        "match; [] = no doubling"
    )

    def encode(value: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) > LEVEL_SLOTS or not all(_is_int(n) for n in value):
            raise _problem(value, expects)
        rising = value[:-1] if value and value[-1] == WHOLE_MATCH else value
        if sorted(set(rising)) != rising or not all(2 <= n <= 16 for n in rising):
            raise _problem(value, expects)
        return tuple(value) + (NO_LEVEL,) * (LEVEL_SLOTS - len(value))

    return Parameter(
        name, group, expects, encode, lambda levels: [n for n in levels if n != NO_LEVEL], meaning
    )


def sequence_points(name: str, group: str, meaning: str) -> Parameter:
    """Points of runs of three, four and five."""
    expects = "points of a run of 3, 4 and 5, as in {3 = 20, 4 = 50, 5 = 100}"

    def encode(value: Any) -> tuple[int, ...]:
        if not isinstance(value, dict) or {str(key) for key in value} != {"3", "4", "5"}:
            raise _problem(value, expects)
        points = {str(key): number for key, number in value.items()}
        if not all(_is_int(number) and 0 <= number <= 1000 for number in points.values()):
            raise _problem(value, expects)
        return tuple(points[length] for length in "345")

    return Parameter(
        name, group, expects, encode, lambda points: dict(zip("345", points, strict=True)), meaning
    )


def carre_points(name: str, group: str, meaning: str) -> Parameter:
    """Points of four of a kind a rank, -1 where it is none."""
    expects = "points a rank, as in {J = 200, 9 = 150}; a rank left out makes no carré"

    def encode(value: Any) -> tuple[int, ...]:
        if not isinstance(value, dict) or not all(
            len(str(key)) == 1 and str(key) in RANK_NAMES for key in value
        ):
            raise _problem(value, expects)
        points = {str(key): number for key, number in value.items()}
        if not all(_is_int(number) and 0 <= number <= 1000 for number in points.values()):
            raise _problem(value, expects)
        return tuple(points.get(rank, -1) for rank in RANK_NAMES)

    def decode(points: Any) -> dict[str, int]:
        return {rank: number for rank, number in zip(RANK_NAMES, points, strict=True) if number >= 0}

    return Parameter(name, group, expects, encode, decode, meaning)


def rank_order(name: str, group: str, meaning: str) -> Parameter:
    """Ranks, best first, encoded as a height a rank."""
    expects = 'a list of different ranks, best first, as in ["J", "9", "A"]'

    def encode(value: Any) -> tuple[int, ...]:
        known = isinstance(value, list) and all(
            isinstance(r, str) and len(r) == 1 and r in RANK_NAMES for r in value
        )
        if not known or len(set(value)) != len(value):
            raise _problem(value, expects)
        return tuple(len(value) - value.index(rank) if rank in value else 0 for rank in RANK_NAMES)

    def decode(order: Any) -> list[str]:
        return [
            rank
            for _, rank in sorted(
                ((-height, rank) for height, rank in zip(order, RANK_NAMES, strict=True) if height)
            )
        ]

    return Parameter(name, group, expects, encode, decode, meaning)

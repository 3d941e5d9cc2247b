"""Deal: what one record says about one deal.

Cards, calls and seats are the integers of :mod:`belot_stats.cards`; what the log does not say is ``None``.
Nothing here is computed: see :mod:`belot_stats.checker` for that.
"""

from __future__ import annotations

from typing import Any

import msgspec

END_NAMES = ("played", "passed", "claimed", "declared_out", "conceded", "penalty", "abandoned", "redeal")


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A combination as announced: its cards (a mask), or only its kind. ``at`` None = at the seat's first card."""

    seat: int
    cards: int | None = None
    kind: str | None = None
    at: int | None = None


class Belote(msgspec.Struct, frozen=True, kw_only=True):
    """King and queen of *suit* as announced; ``at`` = index, in the whole deal, of the first of the two cards."""

    seat: int
    suit: int
    at: int | None = None


class StatedContract(msgspec.Struct, frozen=True, kw_only=True):
    """Contract of a log that has no auction; *seat* is the declarer's."""

    call: int
    seat: int
    level: int = 1


class EndedBy(msgspec.Struct, frozen=True, kw_only=True):
    """Who ended the deal early, after how many cards, and why."""

    seat: int | None = None
    at: int | None = None
    reason: str | None = None


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """What the server wrote of the deal. Never trusted, never overwritten."""

    contract: int | None = None
    declarer: int | None = None
    level: int | None = None
    tricks: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    capot: int | None = None
    made: bool | None = None
    score: tuple[int, ...] | None = None
    hanging: int | None = None
    total: tuple[int, ...] | None = None
    winner: int | None = None


NOTHING_CLAIMED = Claimed()


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """One deal of one match, as its log tells it.

    ``first_hands`` and ``hands`` are card masks a seat; ``auction`` is None where the log has no calls at all and
    ``()`` never stands for that; ``options`` are the rule parameters this table changed; ``extra`` keeps every
    field this format does not know, by its path (``"_table"``, ``"claimed.note"``), and ``unknown_fields`` names
    those of them that do not begin with ``_``.  ``line`` (1-based) and ``byte`` are the record's place in its chunk.
    """

    source: str
    match: str
    deal: int
    rules: str
    dealer: int
    options: dict[str, Any] = {}
    started: str | None = None
    players: tuple[str, ...] | None = None
    turn_up: tuple[int, ...] | None = None
    first_hands: tuple[int, ...] | None = None
    auction: tuple[int, ...] | None = None
    contract: StatedContract | None = None
    exchange: int | None = None
    hands: tuple[int, ...] | None = None
    plays: tuple[int, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    belotes: tuple[Belote, ...] = ()
    end: str = "played"
    ended_by: EndedBy | None = None
    claimed: Claimed = NOTHING_CLAIMED
    extra: dict[str, Any] = {}
    unknown_fields: tuple[str, ...] = ()
    line: int = 0
    byte: int = 0


class BadRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be read: why, where, and its bytes.

    ``problems`` holds every fault found, the first one being ``code``/``message``.
    """

    code: str
    message: str
    raw: bytes
    line: int
    byte: int
    problems: tuple[tuple[str, str], ...] = ()

"""The hash of a record's content, by which copies of a deal are known: the same however the record was read or made.

A record that fits a row of fixed width (:mod:`belot_stats.rules.deal_rows`) is hashed as that row, begun with the hash
of its texts; any other as its canonical text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from belot_stats.deal import Deal
from belot_stats.hashing import hash64
from belot_stats.record_columns import (
    AT_NOT_SAID,
    END_PASSED,
    END_PLAYED,
    MOST_BELOTES,
    MOST_CALLS,
    MOST_DECLARATIONS,
    MOST_TRICKS,
    NOT_SAID,
    NUMBER_NOT_SAID,
)

if TYPE_CHECKING:
    from belot_stats.rules.deal_rows import Rows

HASH_BYTES = 8
MOST_DEAL, MOST_NUMBER = 2**63 - 1, 2**31 - 1
ENDS = {"played": END_PLAYED, "passed": END_PASSED}


def content_hash(deal: Deal) -> int:
    """64-bit hash of *deal* without the fields the format does not know: equal records are copies.

    Returns: 0 to 2**64 - 1.
    """
    if fits_row(deal):
        head = row_head(
            deal.source,
            deal.match,
            deal.rules,
            deal.options,
            deal.started,
            deal.players,
            deal.claimed.total,
            deal.claimed.winner,
        )
        return hash64(record_row(deal).tobytes(), hash64(head))
    return canonical_hash(deal)


def canonical_hash(deal: Deal) -> int:
    """Hash of *deal* by its canonical text, as of every record that fits no row."""
    from belot_stats.export import canonical_text

    content = canonical_text(deal).encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=HASH_BYTES).digest(), "big")


def row_words(rows: Rows) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The bytes of *rows*, which lie one after the other, as words: [n, words of a row]."""
    return rows.view(np.uint64).reshape(len(rows), -1)


def row_head(
    source: str,
    match: str,
    rules: str,
    options: dict[str, Any],
    started: str | None,
    players: Sequence[str] | None,
    total: Sequence[int] | None,
    winner: int | None,
) -> bytes:
    """What a record says that its row has no place for."""
    values = [source, match, rules, options, started, players, total, winner]
    return json.dumps(values, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def fits_row(deal: Deal) -> bool:
    """Whether *deal* fits a row: everything that rows have no place for is left out."""
    return (
        deal.auction is not None
        and deal.contract is None
        and deal.ended_by is None
        and deal.end in ENDS
        and len(deal.auction) <= MOST_CALLS
        and len(deal.declarations) <= MOST_DECLARATIONS
        and len(deal.belotes) <= MOST_BELOTES
        and all(item.cards is not None and item.kind is None for item in deal.declarations)
        and len(deal.turn_up or ()) <= 2
        and len(deal.claimed.tricks or ()) <= MOST_TRICKS
        and deal.deal <= MOST_DEAL
        and all(abs(number) < MOST_NUMBER for number in _claimed_numbers(deal))
    )


def _claimed_numbers(deal: Deal) -> Iterator[int]:
    claimed = deal.claimed
    yield from claimed.points or ()
    yield from claimed.score or ()
    yield claimed.hanging or 0
    yield (claimed.level or 0) << 16  # a level has half as many digits


def record_row(deal: Deal) -> Any:
    """Row of RECORD of a deal that fits one."""
    from belot_stats.rules.deal_rows import RECORD

    row = np.zeros(1, dtype=RECORD)[0]
    claimed = deal.claimed
    row["deal"], row["dealer"], row["end"] = deal.deal, deal.dealer, ENDS[deal.end]
    row["turn_up"] = NOT_SAID
    _put(row, "turn_up", deal.turn_up)
    for name, values in (("first_hands", deal.first_hands), ("hands", deal.hands)):
        row[f"has_{name}"] = values is not None
        _put(row, name, values)
    row["call_count"] = _put(row, "calls", deal.auction)
    row["play_count"] = _put(row, "plays", deal.plays)
    row["exchange"] = _or(deal.exchange)
    row["declared_count"], row["belote_count"] = len(deal.declarations), len(deal.belotes)
    for name in ("seat", "cards", "at"):
        field = "declared_mask" if name == "cards" else f"declared_{name}"
        _put(row, field, [_or(getattr(item, name), AT_NOT_SAID) for item in deal.declarations])
    for name in ("seat", "suit", "at"):
        _put(row, f"belote_{name}", [_or(getattr(item, name), AT_NOT_SAID) for item in deal.belotes])
    row["claimed_contract"], row["claimed_declarer"] = _or(claimed.contract), _or(claimed.declarer)
    row["claimed_level"], row["claimed_capot"] = _or(claimed.level), _or(claimed.capot)
    row["claimed_made"] = NOT_SAID if claimed.made is None else int(claimed.made)
    row["claimed_trick_count"] = (
        NOT_SAID if claimed.tricks is None else _put(row, "claimed_tricks", claimed.tricks)
    )
    for name, points in (("claimed_points", claimed.points), ("claimed_score", claimed.score)):
        _put(row, name, points if points is not None else (NUMBER_NOT_SAID,))
    row["claimed_hanging"] = _or(claimed.hanging, NUMBER_NOT_SAID)
    return row


def _or(value: int | None, otherwise: int = NOT_SAID) -> int:
    return otherwise if value is None else value


def _put(row: Any, name: str, values: Sequence[int] | None) -> int:
    """Put *values* into the first places of the field *name*; returns how many."""
    count = len(values or ())
    row[name][:count] = values or ()
    return count

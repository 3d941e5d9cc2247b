"""Small pieces the reading tests share: one good record, and reading bytes as a log."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from belot_stats.deal import BadRecord, Deal
from belot_stats.readers import READERS, in_input
from belot_stats.readers.reader import CHUNK_BYTES, ReadOptions

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
CLEAN_LOGS = (
    "bela-2p", "bela-3p", "bela-4p", "belot-1001-2p", "belot-1001-3p", "belot-bg", "belot-bg-classic", "belot-ru-3p",
    "belot-ru-pairs", "belot-world", "belote-fr",
)  # fmt: skip

# The example of the format's description.
EXAMPLE: dict[str, Any] = {
    "format": "bhh/1",
    "source": "example",
    "match": "m1",
    "deal": 5,
    "rules": "belot-bg",
    "started": "2026-01-05T20:15:00+02:00",
    "players": ["ann", "bob", "cid", "dee"],
    "dealer": 0,
    "first_hands": ["KC 7C 8D TH KS", "9C AD QD TD 8S", "8H AS JS TS 9S", "TC KD JD 7H QS"],
    "auction": ["C", "S", "P", "P", "P"],
    "hands": [
        "AC KC 8C 7C 8D QH TH KS",
        "QC 9C AD QD TD AH 8S 7S",
        "KH JH 9H 8H AS JS TS 9S",
        "JC TC KD JD 9D 7D 7H QS",
    ],
    "plays": "8S JS QS KS 9H 7H TH AH QD TS 9D 8D 9S JD QH 7S AS JC AC 9C KH 7D 7C AD JH KD KC QC 8H TC 8C TD",
    "declarations": [{"seat": 2, "cards": "9S TS JS"}],
    "claimed": {
        "tricks": [2, 1, 2, 2, 2, 2, 2, 2],
        "points": [161, 21],
        "made": True,
        "score": [16, 2],
        "hanging": 0,
        "total": [40, 51],
    },
}


def example(**changes: Any) -> dict[str, Any]:
    """The example with *changes*; a value of ``...`` takes the field out."""
    return {key: value for key, value in {**EXAMPLE, **changes}.items() if value is not ...}


def line(**changes: Any) -> bytes:
    """Line of the example with *changes*, without a line end."""
    return json.dumps(example(**changes), ensure_ascii=False, separators=(",", ":")).encode()


def read_bytes(
    data: bytes, format_name: str = "bhh", chunk_bytes: int = CHUNK_BYTES, options: ReadOptions | None = None
) -> list[Deal | BadRecord]:
    """Records of a log of the bytes *data*, lines and bytes counted from its beginning."""
    reader = READERS[format_name]
    return [
        in_input(record, chunk)
        for chunk in reader.split(io.BytesIO(data), chunk_bytes)
        for record in reader.read(chunk, options or ReadOptions())
    ]


def read_one(data: bytes, options: ReadOptions | None = None) -> Deal | BadRecord:
    """The only record of *data*."""
    (record,) = read_bytes(data, options=options)
    return record


def codes(record: Deal | BadRecord) -> list[str]:
    """Codes of all faults; none for a deal."""
    return [] if isinstance(record, Deal) else [code for code, _ in record.problems]

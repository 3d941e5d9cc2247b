"""Makes the sample of ``data/samples/bhh``: simulated matches under invented names, and a copy with one fault a line.

``python -m tests.read.sample_logs FOLDER`` writes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from belot_stats.export import deal_record
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator import simulate_matches

NAMES = ("ana", "boris", "Цвета", "Élodie")
START = datetime(2026, 3, 1, 18, 0, tzinfo=UTC)
Record = dict[str, Any]


def clean_records(count: int = 2, seed: int = 7) -> list[Record]:
    """Records of *count* whole matches."""
    records: list[Record] = []
    for number in range(1, count + 1):
        for deal in simulate_matches(load_ruleset("belot-bg"), "sensible", seed, number, 1):
            started = (START + timedelta(minutes=3 * len(records))).isoformat()
            named = replace(deal, source="sample", match=f"club-{number}", players=NAMES, started=started)
            records.append(deal_record(named))
    return records


def without(record: Record, key: str) -> Record:
    return {name: value for name, value in record.items() if name != key}


def swapped_hand(record: Record, seat: int, hand: str) -> Record:
    hands = list(record["hands"])
    hands[seat] = hand
    return {**record, "hands": hands}


# Fault code -> the line of a record that shows it.
FAULTS: dict[str, Callable[[Record], str]] = {
    "unreadable-line": lambda record: line_of(record) + " and more",
    "truncated-line": lambda record: line_of(record)[:333],
    "not-an-object": lambda record: json.dumps([record]),
    "missing-field": lambda record: line_of(without(record, "dealer")),
    "bad-type": lambda record: line_of({**record, "deal": str(record["deal"])}),
    "bad-card": lambda record: line_of({**record, "plays": "10" + record["plays"][1:]}),
    "duplicate-card": lambda record: line_of(
        {**record, "plays": record["plays"][:3] + record["plays"][:2] + record["plays"][5:]}
    ),
    "wrong-card-count": lambda record: line_of(swapped_hand(record, 3, record["hands"][3][:-3])),
    "bad-seat": lambda record: line_of({**record, "dealer": 4}),
    "bad-call": lambda record: line_of({**record, "auction": ["2H", *record["auction"][1:]]}),
    "unknown-rules": lambda record: line_of({**record, "rules": "belot-bulgarian"}),
    "unknown-option": lambda record: line_of({**record, "options": {"targets": 101}}),
    "unknown-format": lambda record: line_of({**record, "format": "bhh/9"}),
}


def line_of(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def damaged_lines() -> tuple[list[str], list[Record]]:
    """Lines that alternate between a sound record and one with a fault, and what is expected of them."""
    played = [record for record in clean_records(3) if "plays" in record]
    lines: list[str] = []
    expected: list[Record] = []
    for (code, damage), record, sound in zip(FAULTS.items(), played, played[len(FAULTS) :], strict=False):
        lines += [line_of(sound), damage(record)]
        expected.append({"line": len(lines), "code": code})
    return lines, expected


def write_samples(folder: Path) -> None:
    """Write the sample's files to *folder*."""
    lines, expected = damaged_lines()
    texts = {
        "belot-bg.jsonl": map(line_of, clean_records()),
        "belot-bg-damaged.jsonl": lines,
        "belot-bg-damaged.expected.jsonl": map(line_of, expected),
    }
    for name, rows in texts.items():
        (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    write_samples(Path(sys.argv[1]))

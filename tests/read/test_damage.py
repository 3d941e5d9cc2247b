"""Random damage: whatever the bytes are, each line gives exactly one record and a bad one keeps its bytes."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_stats.deal import BadRecord, Deal
from belot_stats.export import export_deal
from belot_stats.readers.bhh import read_line
from belot_stats.readers.lines import is_blank
from belot_stats.readers.reader import ReadOptions
from belot_stats.resources import resource
from tests.read.records import example, read_bytes

MUTATIONS = 10_000
VALUES: list[Any] = [
    None, True, -1, 0, 1.5, 10**25, "", "x", "8S", "8S 8S", [], ["8S"], {}, {"seat": 0}, [[]], [None], [{}], "♥",
    ["P"] * 40, [0, 0], {"seat": "0", "at": -1}, "passed", "2026-01-01T00:00:00",
]  # fmt: skip


def good_records() -> list[dict[str, Any]]:
    return [
        example(),
        example(players=["Цвета", "b\u2028", "c\n", "\U0001f600"], options={"target": 101}, _x={"y": [1, {"z": None}]}),
        example(end="claimed", ended_by={"seat": 1, "at": 4, "reason": "r"}, plays="8S JS QS KS", hands=...),
        example(auction=..., contract={"call": "S", "seat": 2, "level": 2}, turn_up="7D",
                belotes=[{"seat": 1, "suit": "S", "at": 3}]),
    ]  # fmt: skip


def mutate_bytes(chance: random.Random, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0 if place < len(data):
                data[place] = chance.randrange(256)
            case 1:
                data.insert(place, chance.randrange(256))
            case 2:
                del data[place : place + chance.randint(1, 12)]
            case 3:
                del data[place:]
            case _:
                data[place:place] = data[place : place + chance.randint(1, 60)]
        if not data:
            break
    return bytes(data).replace(b"\n", b" ")


def mutate_fields(chance: random.Random, record: dict[str, Any]) -> bytes:
    """The record with values swapped, replaced or taken out, at any depth."""
    changed = json.loads(json.dumps(record))
    for _ in range(chance.randint(1, 3)):
        place: Any = changed
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(place[key], dict | list) and chance.random() < 0.6:
                place = place[key]
                continue
            action = chance.randrange(3)
            if action == 0:
                place[key] = chance.choice(VALUES)
            elif action == 1:
                other = chance.choice(keys)
                place[key], place[other] = place[other], place[key]
            else:
                del place[key]
            break
    return json.dumps(changed, ensure_ascii=chance.random() < 0.5).encode("utf-8", "replace")


def mutations() -> list[bytes]:
    chance = random.Random(20_260_105)
    goods = good_records()
    found = []
    for number in range(MUTATIONS):
        record = chance.choice(goods)
        raw = json.dumps(record, ensure_ascii=False).encode()
        found.append(mutate_bytes(chance, raw) if number % 2 else mutate_fields(chance, record))
    return found


def test_ten_thousand_mutations_give_one_record_each() -> None:
    rows = mutations()
    records = read_bytes(b"\n".join(rows) + b"\n", chunk_bytes=100_000)
    full = [(number, row) for number, row in enumerate(rows, start=1) if not is_blank(row)]
    assert [record.line for record in records] == [number for number, _ in full]
    for record, (_, row) in zip(records, full, strict=True):
        if isinstance(record, BadRecord):
            assert record.raw == row
            assert record.problems
            assert (record.code, record.message) == record.problems[0]
        else:
            again = read_line(export_deal(record).encode(), record.line, record.byte, ReadOptions())
            assert isinstance(again, Deal), (row, again)
            assert export_deal(again) == export_deal(record)
    seen = Counter(code for record in records if isinstance(record, BadRecord) for code, _ in record.problems)
    assert len(seen) >= 12
    assert sum(isinstance(record, Deal) for record in records) > 500


@given(st.binary(max_size=200).map(lambda data: data.replace(b"\n", b"")))
def test_any_bytes_are_one_record(raw: bytes) -> None:
    record = read_line(raw, 3, 17, ReadOptions())
    assert (record.line, record.byte) == (3, 17)
    assert isinstance(record, BadRecord)
    assert record.raw == raw


@pytest.mark.parametrize("field", ["declarations", "belotes"])
def test_more_announcements_than_any_deal_has_are_refused_at_once(field: str) -> None:
    record = json.loads(resource("data", "samples/bhh/belot-bg.jsonl").read_bytes().splitlines()[0])
    item = {"seat": 0, "cards": "7C 8C 9C"} if field == "declarations" else {"seat": 0, "suit": "C"}
    for count, is_read in ((64, True), (65, False), (70_000, False)):
        record[field] = [item] * count
        found = read_line(json.dumps(record).encode(), 1, 0, ReadOptions())
        assert isinstance(found, Deal) == is_read
        if isinstance(found, BadRecord):
            assert [code for code, _ in found.problems] == ["bad-type"]
            assert "at most 64" in found.message

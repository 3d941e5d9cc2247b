"""The fast way reads what it takes exactly as the strict reader does, and leaves it everything else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_stats.cards import SUIT_NAMES
from belot_stats.content import content_hash, fits_row
from belot_stats.deal import BadRecord, Belote, Claimed, Deal, Declaration
from belot_stats.export import export_deal
from belot_stats.readers.bhh import BhhReader, read_line
from belot_stats.readers.fast_bhh import FastGroup, FastPiece, FastReader
from belot_stats.readers.fast_layout import LONGEST_LINE, MOST_GROUPS
from belot_stats.readers.lines import count_blank_lines, is_blank, lines_of
from belot_stats.readers.reader import Chunk, ReadOptions
from belot_stats.readers.times import started_at
from belot_stats.record_columns import AT_NOT_SAID, END_PASSED, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.ruleset import RuleResolver, load_ruleset
from tests.read.records import CLEAN_LOGS, EXAMPLE, SHARED, example, line
from tests.read.sample_logs import clean_records, damaged_lines, line_of


def chunk_of(data: bytes) -> Chunk:
    return Chunk(data=data, first_line=1, first_byte=0, lines=len(list(lines_of(data))))


def pieces_of(data: bytes, options: ReadOptions | None = None, **size: int) -> list[FastPiece]:
    return list(FastReader(options or ReadOptions()).read(chunk_of(data), **size))


def fast_deals(data: bytes, options: ReadOptions | None = None, **size: int) -> dict[int, Deal]:
    """Line -> deal of the lines that went the fast way, after comparing all of *data* with the strict reader."""
    options = options or ReadOptions()
    pieces = pieces_of(data, options, **size)
    found = {deal.line: deal for piece in pieces for group in piece.groups for deal in deals_of(group)}
    slow = [item for piece in pieces for item in piece.slow_lines]
    strict = {number: (byte, raw) for number, byte, raw in lines_of(data) if not is_blank(raw)}
    assert {number: (byte, raw) for number, byte, raw in slow} == {
        number: place for number, place in strict.items() if number not in found
    }
    assert found.keys() | {number for number, _, _ in slow} == strict.keys()
    assert len(found) + len(slow) == len(strict)
    assert sum(piece.blank_lines for piece in pieces) == count_blank_lines(data)
    for number, deal in found.items():
        byte, raw = strict[number]
        assert deal == read_line(raw, number, byte, options), raw
    return found


def deals_of(group: FastGroup) -> Iterator[Deal]:
    """The records of *group* as deals; what else it says of them is compared on the way."""
    for row in range(len(group.line)):
        deal = deal_at(group, row)
        assert fits_row(deal)
        assert int(group.content_hash[row]) == content_hash(deal)
        assert group.started_at[row].as_py() == started_at(deal.started)
        assert group.rules == load_ruleset(group.rules_name, group.options)
        yield deal


def deal_at(group: FastGroup, row: int) -> Deal:
    records, seats = group.records, group.rules.players
    extra = json.loads(group.extra[row].as_py() or "{}")
    calls, plays = records["calls"][row].tolist(), records["plays"][row].tolist()
    return Deal(
        source=group.source[row].as_py(),
        match=group.match[row].as_py(),
        deal=int(records["deal"][row]),
        rules=group.rules_name,
        options=group.options,
        started=group.started[row].as_py(),
        players=as_tuple(group.players[row].as_py()),
        dealer=int(records["dealer"][row]),
        turn_up=tuple(card for card in records["turn_up"][row].tolist() if card != NOT_SAID) or None,
        first_hands=tuple(records["first_hands"][row, :seats].tolist())
        if records["has_first_hands"][row]
        else None,
        auction=tuple(calls[: records["call_count"][row]]),
        exchange=said(records["exchange"][row]),
        hands=tuple(records["hands"][row, :seats].tolist()) if records["has_hands"][row] else None,
        plays=tuple(plays[: records["play_count"][row]]),
        declarations=tuple(declaration_at(group, row, i) for i in range(records["declared_count"][row])),
        belotes=tuple(belote_at(group, row, i) for i in range(records["belote_count"][row])),
        end="passed" if records["end"][row] == END_PASSED else "played",
        claimed=claimed_at(group, row),
        extra=extra,
        line=int(group.line[row]),
        byte=int(group.byte[row]),
    )


def as_tuple(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def said(value: Any, missing: int = NOT_SAID) -> int | None:
    return None if value == missing else int(value)


def points(values: Any) -> tuple[int, ...] | None:
    return None if values[0] == NUMBER_NOT_SAID else tuple(values.tolist())


def declaration_at(group: FastGroup, row: int, index: int) -> Declaration:
    records = group.records
    return Declaration(
        seat=int(records["declared_seat"][row, index]),
        cards=int(records["declared_mask"][row, index]),
        at=said(records["declared_at"][row, index], AT_NOT_SAID),
    )


def belote_at(group: FastGroup, row: int, index: int) -> Belote:
    records = group.records
    return Belote(
        seat=int(records["belote_seat"][row, index]),
        suit=int(records["belote_suit"][row, index]),
        at=said(records["belote_at"][row, index], AT_NOT_SAID),
    )


def claimed_at(group: FastGroup, row: int) -> Claimed:
    records, sides = group.records, group.claimed_total.shape[1]
    tricks = said(records["claimed_trick_count"][row])
    made = said(records["claimed_made"][row])
    return Claimed(
        contract=said(records["claimed_contract"][row]),
        declarer=said(records["claimed_declarer"][row]),
        level=said(records["claimed_level"][row]),
        tricks=None if tricks is None else tuple(records["claimed_tricks"][row].tolist()[:tricks]),
        points=points(records["claimed_points"][row, :sides]),
        capot=said(records["claimed_capot"][row]),
        made=None if made is None else bool(made),
        score=points(records["claimed_score"][row, :sides]),
        hanging=said(records["claimed_hanging"][row], NUMBER_NOT_SAID),
        total=points(group.claimed_total[row]),
        winner=said(group.claimed_winner[row]),
    )


def with_text(old: str, new: str) -> bytes:
    """The example with its text changed at one place."""
    text = line().decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def claimed(**parts: Any) -> bytes:
    return line(claimed={**EXAMPLE["claimed"], **parts})


FULL = {
    "turn_up": ["KH", "9H"], "first_hands": ..., "exchange": {"seat": 3}, "_table": {"no": 7, "x.y": [1.5, None]},
    "_lobby": "вечер", "options": {"target": 1001}, "belotes": [{"seat": 0, "suit": "S", "at": 3}], "end": "played",
    "claimed": {
        "contract": "N", "declarer": 2, "level": 4, "tricks": [], "points": [-5, 2147483646], "capot": 1, "made": False,
        "score": [0, 1], "hanging": -3, "total": [1, 2], "winner": 0,
    },
}  # fmt: skip
LEAST = ("format", "source", "match", "deal", "rules", "dealer", "auction")
FAST = {
    "the example": line(),
    "every field": line(**FULL),
    "little": json.dumps({key: EXAMPLE[key] for key in LEAST}).encode(),
    "other order": json.dumps(dict(reversed(EXAMPLE.items()))).encode(),
    "blanks": json.dumps(EXAMPLE, separators=(" ,\t", "\r: ")).encode() + b" \r",
    "blanks in front": b" \t" + line(),
    "one turned up": line(turn_up="9H"),
    "no calls": line(auction=[]),
    "all calls": line(auction=["P", "X", "XX", "XXX", "XXXX", "AK", "X-", "XXX-", "C", "D", "H", "S", "N", "A"]),
    "passed": line(end="passed", plays="", hands=..., declarations=[], claimed={}),
    "claims that are null": claimed(**dict.fromkeys(("tricks", "points", "made", "hanging", "total", "capot"))),
    "no offset": line(started="2026-01-05t20:15:00.1234567"),
    "leap day": line(started="2024-02-29 00:00:00Z"),
    "players escaped": line(players=...)[:-1] + rb',"players":["\u0436\u20ac","\ud83d\ude00\u007f","\u002f","d"]}',
    "zero with a sign": with_text('"hanging":0', '"hanging":-0'),
    "empty texts": line(match="", source=""),
    "several at": line(declarations=[{"cards": "AS", "at": 0, "seat": 3}, {"seat": 1, "cards": ""}]),
}  # fmt: skip
SLOW = {
    "key twice": with_text('"deal":5', '"deal":5,"deal":5'),
    "key twice inside": with_text('"hanging":0', '"hanging":0,"hanging":0'),
    "own key twice": line(_a=1)[:-1] + b',"_a":2}',
    "own value no JSON": line()[:-1] + b',"_a":01}',
    "own value too large": line()[:-1] + b',"_a":[1e999]}',
    "own value half a pair": line()[:-1] + rb',"_a":"\ud800"}',
    "own value no UTF-8": line()[:-1] + b',"_a":"\xff"}',
    "own key no UTF-8": line()[:-1] + b',"_\xff":1}',
    "unknown field": line(table=7),
    "unknown claim": claimed(note=1),
    "own claim": claimed(_note=1),
    "a point": with_text('"deal":5', '"deal":5.0'),
    "an exponent": with_text('"deal":5', '"deal":5e0'),
    "a zero in front": with_text('"deal":5', '"deal":05'),
    "true": line(dealer=True),
    "NaN": with_text('"deal":5', '"deal":NaN'),
    "control character": line(match="m")[:-1].replace(b'"m"', b'"m\t"') + b"}",
    "escaped control": line(match="m\n"),
    "escaped quote": line(match='m"'),
    "half a pair": with_text('"ann"', r'"\ud83d"'),
    "other half": with_text('"ann"', r'"\ude00"'),
    "two first halves": with_text('"ann"', r'"\ud83d\ud83d"'),
    "cut escape": with_text('"ann"', r'"\u00'),
    "no UTF-8": line().replace(b"ann", b"a\xff"),
    "too long a form": line().replace(b"ann", b"\xc0\xaf"),
    "a surrogate in UTF-8": line().replace(b"ann", b"\xed\xa0\x80"),
    "beyond Unicode": line().replace(b"ann", b"\xf4\x90\x80\x80"),
    "text after": line() + b" {}",
    "a comma after": line()[:-1] + b",}",
    "cut": line()[:-1],
    "cut text": line()[:40],
    "in an array": b"[" + line() + b"]",
    "byte order mark": b"\xef\xbb\xbf" + line(),
    "no match": line(match=...),
    "no source": line(source=...),
    "no rules": line(rules=...),
    "no auction": line(auction=...),
    "stated contract": line(auction=..., contract={"call": "H", "seat": 1}),
    "another format": line(format="bhh/2"),
    "unknown rules": line(rules="nowhere"),
    "unknown option": line(options={"nothing": 1}),
    "options no object": line(options=[]),
    "options no JSON": line()[:-1] + b',"options":{"target":0151}}',
    "options twice": line()[:-1] + b',"options":{"target":151,"target":151}}',
    "other ends": line(end="claimed", ended_by={"seat": 1}),
    "ended by": line(ended_by={}),
    "seat": line(dealer=4),
    "seat below": line(dealer=-1),
    "side": claimed(winner=2),
    "three sides": claimed(points=[1, 2, 3]),
    "trick winner": claimed(tricks=[4]),
    "nine tricks": claimed(tricks=[0] * 9),
    "no number": claimed(points=[-(2**31), 0]),
    "hardly a number": claimed(score=[2**31 - 1, 0]),
    "too large": claimed(hanging=2**31),
    "level": claimed(level=256),
    "pass as contract": claimed(contract="P"),
    "deal zero": line(deal=0),
    "three players": line(players=["a", "b", "c"]),
    "no players": line(players=[]),
    "a card less": line(hands=[hand[:-3] for hand in EXAMPLE["hands"]]),
    "three hands": line(hands=EXAMPLE["hands"][:3]),
    "a card in two hands": line(hands=[EXAMPLE["hands"][0]] * 4),
    "a card twice": line(plays="8S 8S"),
    "no card": line(plays="1S"),
    "half a card": line(plays="8"),
    "two blanks": line(plays="8S  9S"),
    "a blank after": line(plays="8S "),
    "turned up and held": line(turn_up="KC"),
    "turned up twice": line(turn_up=["KH", "KH"]),
    "one in an array": line(turn_up=["KH"]),
    "no call": line(auction=["2H"]),
    "long call": line(auction=["XXXXX"]),
    "many calls": line(auction=["P"] * 65),
    "declared by kind": line(declarations=[{"seat": 1, "kind": "tierce"}]),
    "declared without cards": line(declarations=[{"seat": 1}]),
    "many declarations": line(declarations=[{"seat": 1, "cards": "AS"}] * 13),
    "belote of no suit": line(belotes=[{"seat": 1, "suit": "N"}]),
    "belote with cards": line(belotes=[{"seat": 1, "suit": "H", "cards": "AS"}]),
    "at": line(belotes=[{"seat": 1, "suit": "H", "at": 33}]),
    "nobody exchanged": line(exchange={}),
    "null": line(players=None),
    "no day": line(started="2026-02-29T20:15:00Z"),
    "leap second": line(started="2026-02-28T23:59:60Z"),
    "no time": line(started="yesterday"),
    "date alone": line(started="2026-01-05"),
    "fraction of nothing": line(started="2026-01-05T20:15:00.Z"),
    "cut offset": line(started="2026-01-05T20:15:00+02"),
    "first year": line(started="0001-01-01T00:00:00+02:00"),
    "a nine in another pack": line(rules="bela-2p"),
    "very long": line(match="m" * LONGEST_LINE),
    "no JSON": b"hello",
    "number": b"17",
}  # fmt: skip


@pytest.mark.parametrize("raw", FAST.values(), ids=FAST)
def test_goes_the_fast_way(raw: bytes) -> None:
    assert fast_deals(raw).keys() == {1}
    assert fast_deals(raw + b"\r\n\n" + line() + b"\n").keys() == {1, 3}


@pytest.mark.parametrize("raw", SLOW.values(), ids=SLOW)
def test_is_left_to_the_strict_reader(raw: bytes) -> None:
    assert fast_deals(raw).keys() == set()
    assert fast_deals(line() + b"\n" + raw + b"\n" + line()).keys() == {1, 3}


def test_a_start_without_an_offset_can_be_told() -> None:
    (piece,) = pieces_of(line(started="2026-01-05T20:15:00"))
    (group,) = piece.groups
    assert group.started.to_pylist() == ["2026-01-05T20:15:00"]
    assert group.started_at.to_pylist() == [None]


def test_nothing_and_blank_lines_alone() -> None:
    assert pieces_of(b"") == []
    data = b"\n \t\r\n\xef\xbb\xbf\r\n\n"
    assert fast_deals(data) == {}
    assert sum(piece.blank_lines for piece in pieces_of(data)) == 4


@pytest.mark.parametrize("name", CLEAN_LOGS)
@pytest.mark.parametrize("kind", ["", "-faults"])
def test_logs_of_all_systems(name: str, kind: str) -> None:
    path = SHARED / "logs" / f"{name}{kind}.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    data = path.read_bytes()
    found = fast_deals(data)
    plain = [raw for _, _, raw in lines_of(data) if b'"kind"' not in raw and b'"contract":{' not in raw]
    assert len(found) >= (0.95 if not kind else 0.8) * len(plain)


def test_pieces_of_any_size_hold_the_same() -> None:
    lines = [*FAST.values(), *SLOW.values(), b"", *map(str.encode, damaged_lines()[0])]
    data = b"\n".join(lines * 2) + b"\n"
    whole = fast_deals(data)
    for size in (1, 1000, 5000):
        assert fast_deals(data, piece_bytes=size) == whole


def test_more_rows_than_one_piece_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\n".join([line(deal=number) for number in range(1, 40)] + [b"?"] * 9)
    whole = fast_deals(data)
    monkeypatch.setattr("belot_stats.readers.fast_bhh.PIECE_ROWS", 7)
    monkeypatch.setattr("belot_stats.readers.fast_bhh.PIECE_SLOW", 2)
    assert fast_deals(data) == whole
    assert len(pieces_of(data)) > 9


def test_what_the_user_says_fills_gaps_and_overrides() -> None:
    data = b"\n".join(
        [line(source=..., rules=...), line(source=...), line(rules=...), line(rules="belote-fr")]
    )
    options = ReadOptions("сервер", RuleResolver(default="belot-bg"))
    found = fast_deals(data, options)
    assert [found[number].source for number in (1, 2, 3, 4)] == ["сервер", "сервер", "example", "example"]
    forced = ReadOptions("x", RuleResolver(force="belot-world", overrides={"target": 101}))
    groups = [group for piece in pieces_of(data, forced) for group in piece.groups]
    assert {(group.rules.name, group.rules.target) for group in groups} == {("belot-world", 101)}
    assert sum(len(group.line) for group in groups) == 4


def test_each_pair_of_rules_and_options_is_a_group() -> None:
    lines = [line(options={"target": 101 + number % 3}) for number in range(9)] + [line(), line(options={})]
    (piece,) = pieces_of(b"\n".join(lines))
    assert sorted(len(group.line) for group in piece.groups) == [1, 1, 3, 3, 3]


def test_of_too_many_groups_the_last_ones_are_slow() -> None:
    data = (
        b"\n".join(line(options={"target": 101 + number}) for number in range(MOST_GROUPS + 9))
        + b"\n"
        + line()
    )
    assert fast_deals(data).keys() == set(range(1, MOST_GROUPS + 1))


TOKENS = [
    b"1e5", b"16.0", b"-0", b"-1", b"007", b"null", b"true", b"NaN", b'"', b"\\", b"\\u0041", b"\\ud83d\\ude00",
    b"\\n", b"\\ud800", b"\xff", b"\xc3\xa9", b"\xed\xa0\x80", b"\xe2\x99\xa3", b"\t", b"\r", b" ", b"\n",
    b"\xef\xbb\xbf", b",", b":", b"{", b"}", b"[", b"]", b"[]", b"{}", b"0", b"9", b"99999999999999999999", b"7S",
    b"XX", b'"_a":1,', b'"deal":2,', b"_", b'"seat":1,', b"\x00", b"\x7f", b'"options":{"target":101},',
    b'"end":"passed",', b'"contract":"H",', b"2147483648",
]  # fmt: skip


def mutated(rng: random.Random, raw: bytes) -> bytes:
    """*raw* after a few small accidents: bytes replaced, put in, taken out, or parts of it doubled."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        start = rng.randrange(len(raw) + 1)
        end = start + rng.choice((0, 0, 1, 1, 2, 3, 8))
        cut = rng.randrange(len(raw) + 1)
        new = rng.choice(
            (rng.choice(TOKENS), rng.choice(TOKENS), bytes([rng.randrange(256)]), raw[cut : cut + 4], b"")
        )
        raw = raw[:start] + new + raw[end:]
    return raw


def seeds() -> list[bytes]:
    logs = [SHARED / "logs" / f"{name}.jsonl" for name in CLEAN_LOGS]
    lines = [raw for log in logs if log.exists() for raw in log.read_bytes().splitlines()[5:300:40]]
    return [*FAST.values(), *lines, *(line_of(record).encode() for record in clean_records(1))]


def test_accidents_are_read_as_the_strict_reader_reads_them() -> None:
    rng, lines = random.Random(5), seeds()
    data = b"\n".join(mutated(rng, rng.choice(lines)) for _ in range(6000))
    found = fast_deals(data)
    assert 100 < len(found) < 6000


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32), st.sampled_from(["match", "source", "started", "players"]), st.text(max_size=12)
)
def test_texts_of_any_alphabet(seed: int, field: str, text: str) -> None:
    text = text.encode(errors="replace").decode()
    changed = example(**{field: [text] * 4 if field == "players" else text})
    for is_ascii in (False, True):
        raw = json.dumps(changed, ensure_ascii=is_ascii).encode()
        fast_deals(raw + b"\n" + mutated(random.Random(seed), raw))


@settings(deadline=None, max_examples=60)
@given(st.datetimes(), st.sampled_from(["", "Z", "+00:00", "-23:59", "+14:00", "z", "+24:00"]))
def test_start_times(time: Any, offset: str) -> None:
    found = fast_deals(line(started=time.isoformat() + offset))
    assert bool(found) == (2 <= time.year <= 9998 and offset != "+24:00")


def test_every_suit_of_a_belote_and_every_claim_of_a_contract() -> None:
    data = b"\n".join(
        [line(belotes=[{"seat": 0, "suit": suit}]) for suit in SUIT_NAMES]
        + [claimed(contract=name) for name in "CDHSNA"]
    )
    assert len(fast_deals(data)) == 10


def test_a_canonical_log_is_read_back_to_the_byte() -> None:
    data = b"".join(line_of(record).encode() + b"\n" for record in clean_records(2))
    found = fast_deals(data)
    assert "".join(f"{export_deal(found[number])}\n" for number in sorted(found)).encode() == data


def test_the_strict_reader_judges_what_is_left() -> None:
    data = b"\n".join(SLOW.values())
    slow = [item for piece in pieces_of(data) for item in piece.slow_lines]
    records = [read_line(raw, number, byte, ReadOptions()) for number, byte, raw in slow]
    assert records == list(BhhReader().read(chunk_of(data), ReadOptions()))
    assert any(isinstance(record, BadRecord) for record in records)
    assert np.all(np.diff([number for number, _, _ in slow]) > 0)

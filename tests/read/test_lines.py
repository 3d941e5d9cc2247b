"""Cutting at line ends, and what is and is not a line."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_stats.deal import BadRecord, Deal
from belot_stats.readers import lines as jsonl
from belot_stats.readers.bhh import BhhReader
from belot_stats.readers.lines import LineProblem, lines_of, parse_line, split_lines
from tests.read.records import codes, line, read_bytes

MARK = b"\xef\xbb\xbf"


class Drips:
    """A stream that hands over its bytes in pieces of its own choice."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes = data, sizes or [1]
        self.turn = 0

    def read(self, size: int) -> bytes:
        step = min(size, self.sizes[self.turn % len(self.sizes)])
        self.turn += 1
        piece, self.data = self.data[:step], self.data[step:]
        return piece


@given(
    st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\r\n", b"cccccccccccc"]), max_size=60).map(b"".join),
    st.lists(st.integers(1, 9), max_size=5),
    st.integers(1, 12),
)
def test_the_same_bytes_give_the_same_chunks_however_they_come(
    data: bytes, sizes: list[int], chunk_bytes: int
) -> None:
    chunks = list(split_lines(io.BytesIO(data), chunk_bytes))
    assert chunks == list(split_lines(Drips(data, sizes), chunk_bytes))
    assert b"".join(chunk.data for chunk in chunks) == data
    assert all(chunk.data.endswith(b"\n") for chunk in chunks[:-1])
    whole = [(number, byte, raw) for number, byte, raw in lines_of(data)]
    pieces = [
        (number + chunk.first_line - 1, byte + chunk.first_byte, raw)
        for chunk in chunks
        for number, byte, raw in lines_of(chunk.data)
    ]
    assert pieces == whole
    assert [chunk.lines for chunk in chunks] == [len(list(lines_of(chunk.data))) for chunk in chunks]


@given(st.lists(st.sampled_from([b"a\n", b"bbbb\n", b"\n"]), min_size=1, max_size=40), st.integers(1, 12))
def test_a_log_that_has_grown_keeps_its_chunks_but_the_last(parts: list[bytes], chunk_bytes: int) -> None:
    before = list(split_lines(io.BytesIO(b"".join(parts[: len(parts) // 2])), chunk_bytes))
    after = list(split_lines(io.BytesIO(b"".join(parts)), chunk_bytes))
    assert after[: max(len(before) - 1, 0)] == before[:-1]


def test_chunks_are_no_longer_than_asked_but_for_a_longer_line() -> None:
    data = b"x" * 10 + b"\n" + b"y" * 100 + b"\n" + b"z\n" * 10
    assert [len(chunk.data) for chunk in split_lines(io.BytesIO(data), 20)] == [11, 101, 20]


def test_a_line_beyond_all_bounds_is_cut_into_pieces_of_one_line_number() -> None:
    chunks = list(split_lines(io.BytesIO(b"x" * 25 + b"\nend\n"), 5, longest=10))
    assert [(chunk.data, chunk.first_line, chunk.first_byte) for chunk in chunks] == [
        (b"x" * 10, 1, 0), (b"x" * 10, 1, 10), (b"x" * 5 + b"\n", 1, 20), (b"end\n", 2, 26),
    ]  # fmt: skip


def test_i01_byte_order_marks_at_line_starts_are_no_part_of_the_line() -> None:
    first, second, third = line(deal=1), line(deal=2), line(deal=3)
    records = read_bytes(MARK + first + b"\n" + second + b"\n" + MARK + third + b"\n" + MARK + b"\n")
    assert [record.deal for record in records if isinstance(record, Deal)] == [1, 2, 3]
    assert len(records) == 3


def test_i03_blank_lines_and_empty_records_end_nothing() -> None:
    passed = line(
        deal=2, end="passed", auction=["P", "P", "P", "P"], hands=..., plays="", declarations=..., claimed=...
    )
    data = b"\n" + line(deal=1) + b"\n\n \t\n" + passed + b"\n\r\n" + line(deal=3)
    records = read_bytes(data)
    assert [(record.line, record.deal) for record in records if isinstance(record, Deal)] == [
        (2, 1),
        (5, 2),
        (7, 3),
    ]
    assert records[1].plays == ()  # type: ignore[union-attr]
    (chunk,) = split_lines(io.BytesIO(data))
    assert BhhReader().passed_over(chunk) == {"blank lines": 4}
    assert chunk.lines == len(records) + 4


def test_i04_crlf_gives_what_lf_gives() -> None:
    rows = [line(deal=number) for number in range(1, 4)]
    unix, dos = read_bytes(b"\n".join(rows) + b"\n"), read_bytes(b"\r\n".join(rows) + b"\r\n\r\n")
    assert [(r.line, r.match, r.claimed) for r in unix if isinstance(r, Deal)] == [
        (r.line, r.match, r.claimed) for r in dos if isinstance(r, Deal)
    ]
    assert len(dos) == 3


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085"])
def test_i05_only_lf_ends_a_line(sign: str) -> None:
    players = ["ann", f"b{sign}b", "cid", "dee"]
    records = read_bytes(line(players=players) + b"\n" + line(deal=6) + b"\n")
    assert [record.line for record in records] == [1, 2]
    assert records[0].players == tuple(players)  # type: ignore[union-attr]


def test_i07_a_huge_line_among_normal_ones_is_read() -> None:
    rows = [line(deal=number) for number in range(1, 11)]
    huge = line(deal=99, _comment="x" * 20_000_000)
    tracemalloc.start()
    records = read_bytes(b"\n".join([*rows[:5], huge, *rows[5:]]) + b"\n", chunk_bytes=1_000_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [record.deal for record in records if isinstance(record, Deal)] == [
        1,
        2,
        3,
        4,
        5,
        99,
        6,
        7,
        8,
        9,
        10,
    ]
    assert most < 8 * len(huge)


def test_i07_a_line_too_long_to_parse_is_one_quarantined_record_with_all_its_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 5000)
    huge = line(deal=2, _comment="x" * 6000)
    records = read_bytes(b"\n".join([line(deal=1), huge, line(deal=3)]), chunk_bytes=1000)
    assert [codes(record) for record in records] == [[], ["unreadable-line"], []]
    assert isinstance(records[1], BadRecord)
    assert records[1].raw == huge
    assert "expected at most 5000" in records[1].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
CUTS = [
    "{",
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1.',
    '{"a":1.5e',
    '{"a":-',
    '{"a":tru',
    '{"a":"x\\',
    '{"a":"\\u12',
    "[1,",
    '"x',
]


@pytest.mark.parametrize("text", CUTS)
def test_a_line_that_ends_inside_its_json_is_truncated(text: str) -> None:
    with pytest.raises(LineProblem) as caught:
        parse_line(text.encode())
    assert caught.value.code == "truncated-line"


def test_every_cut_of_a_record_is_truncated() -> None:
    whole = line(players=["ann", "Цвета", "Élodie", "d\\e"], note=[1.5, -2, True, None])
    for length in range(1, len(whole)):
        (record,) = read_bytes(whole[:length])
        assert codes(record) == ["truncated-line"], whole[:length][-20:]


WRONG = [
    '{"a":1}x',
    '{"a":1}{"b":2}',
    '{"a" 1}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":"\t"}',
    "hello",
    '{"a":"\\q"}',
]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_json_is_unreadable(text: str) -> None:
    with pytest.raises(LineProblem) as caught:
        parse_line(text.encode())
    assert caught.value.code == "unreadable-line"


@given(JSON)
def test_strict_parsing_takes_all_that_json_has(value: object) -> None:
    assert parse_line(json.dumps(value).encode()) == value
    assert parse_line(json.dumps(value, ensure_ascii=False).encode()) == value


def test_levels_are_bounded_whatever_the_depth_of_the_caller() -> None:
    fits, deep = "[" * 64 + "]" * 64, "[" * 65 + "]" * 65
    assert parse_line(fits.encode())
    for text in (deep, "[" * 100_000, '{"a":' * 100_000):
        with pytest.raises(LineProblem, match="nested too deeply"):
            parse_line(text.encode())
    assert parse_line(json.dumps({"note": "[" * 1000}).encode())

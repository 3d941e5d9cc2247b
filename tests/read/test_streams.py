"""Compressed inputs: several members, padding, foreign tails, broken ends, wrong encodings."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from belot_stats.deal import Deal
from belot_stats.errors import InputError
from belot_stats.readers import read_log
from belot_stats.readers.streams import ByteStream, open_stream
from tests.read.records import codes, line

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
EACH = pytest.mark.parametrize("kind", COMPRESS)
ONE, TWO = line(deal=1) + b"\n", line(deal=2) + b"\n"


def decompressed(data: bytes, size: int = 1000) -> tuple[bytes, ByteStream]:
    """All that a stream of the raw bytes *data* gives, and the stream."""
    stream = ByteStream(io.BytesIO(data), "test")
    return b"".join(iter(lambda: stream.read(size), b"")), stream


def found(stream: ByteStream) -> list[str]:
    return [finding.code for finding in stream.findings]


def noise(count: int) -> bytes:
    return random.Random(1).randbytes(count)


@EACH
@pytest.mark.parametrize("count", [0, 1, 3_000_000])
def test_whole_streams_come_back(kind: str, count: int) -> None:
    raw = COMPRESS[kind](noise(count))
    data, stream = decompressed(raw, 70_000)
    assert data == noise(count)
    assert (found(stream), stream.compression) == ([], kind)
    assert stream.size_bytes == len(raw)
    assert stream.sha256 == hashlib.sha256(raw).hexdigest()


def test_plain_bytes_come_back() -> None:
    data, stream = decompressed(noise(1_000_000))
    assert data == noise(1_000_000)
    assert (stream.compression, stream.sha256) == ("none", hashlib.sha256(data).hexdigest())


def test_the_head_stays_to_be_read() -> None:
    stream = ByteStream(io.BytesIO(gzip.compress(noise(500_000))), "test")
    assert stream.head(10) == noise(500_000)[:10]
    assert stream.head(300_000) == noise(500_000)[:300_000]
    assert stream.read(500_000)[:10] == noise(500_000)[:10]


@EACH
def test_i08_members_one_after_the_other(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(COMPRESS[kind](ONE) + COMPRESS[kind](TWO) + COMPRESS[kind](b""))
    assert [record.deal for record in read_log(path) if isinstance(record, Deal)] == [1, 2]


@EACH
@pytest.mark.parametrize("zeros", [1, 5, 512, 300_000])
def test_i08_zero_padding_is_no_finding(kind: str, zeros: int) -> None:
    raw = COMPRESS[kind](ONE) + bytes(zeros) + COMPRESS[kind](TWO) + bytes(zeros)
    data, stream = decompressed(raw)
    assert (data, found(stream)) == (ONE + TWO, [])
    assert stream.sha256 == hashlib.sha256(raw).hexdigest()


@EACH
@pytest.mark.parametrize("tail", [b"j", b"junk after the end", b"\0\0junk" * 200_000])
def test_i08_junk_after_the_members_is_a_foreign_tail(kind: str, tail: bytes) -> None:
    raw = COMPRESS[kind](ONE) + COMPRESS[kind](TWO) + tail
    data, stream = decompressed(raw)
    assert (data, found(stream)) == (ONE + TWO, ["foreign-tail"])
    assert stream.sha256 == hashlib.sha256(raw).hexdigest()
    assert stream.size_bytes == len(raw)


def test_i09_gzip_cut_off_keeps_all_that_could_be_decoded(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(ONE + TWO)[:-6])
    with open_stream(path) as stream:
        assert b"".join(iter(stream.read, b"")) == ONE + TWO
        assert found(stream) == ["incomplete-file"]
        assert "the file ends inside it" in stream.findings[0].found
    assert [record.deal for record in read_log(path) if isinstance(record, Deal)] == [1, 2]


def rows(count: int) -> bytes:
    return b"".join(
        line(deal=number, players=[str(random.Random(number).random())] * 4) + b"\n"
        for number in range(1, count)
    )


@EACH
def test_i09_every_kind_cut_in_the_middle_keeps_a_beginning(kind: str, tmp_path: Path) -> None:
    whole = rows(3000)
    raw = COMPRESS[kind](whole)
    data, stream = decompressed(raw[: len(raw) * 3 // 4])
    assert found(stream) == ["incomplete-file"]
    assert whole.startswith(data)
    assert len(data) > len(whole) // 4
    path = tmp_path / "log"
    path.write_bytes(raw[: len(raw) * 3 // 4])
    records = list(read_log(path))
    assert [codes(record) for record in records[:-1]] == [[]] * (len(records) - 1)
    assert codes(records[-1]) in ([], ["truncated-line"])


def test_a_cut_after_the_first_member_keeps_it() -> None:
    data, stream = decompressed(gzip.compress(ONE) + gzip.compress(TWO)[:5])
    assert (data, found(stream)) == (ONE, ["incomplete-file"])


def test_gzip_with_a_wrong_checksum_keeps_its_data() -> None:
    raw = bytearray(gzip.compress(ONE + TWO))
    raw[-6] ^= 255
    data, stream = decompressed(bytes(raw))
    assert (data, found(stream)) == (ONE + TWO, ["incomplete-file"])
    assert "damaged" in stream.findings[0].found


@EACH
def test_damage_in_the_middle_raises_nothing(kind: str) -> None:
    whole = rows(600)
    raw = bytearray(COMPRESS[kind](whole))
    chance = random.Random(2)
    for _ in range(30):
        broken = bytearray(raw)
        broken[chance.randrange(6, len(broken))] ^= 1 + chance.randrange(255)
        data, stream = decompressed(bytes(broken))
        assert len(found(stream)) <= 1
        assert data == whole or found(stream)
        assert stream.size_bytes == len(raw)


def test_blocks_stay_small_however_well_something_is_compressed() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    stream = ByteStream(io.BytesIO(bomb), "test")
    count, most = 0, 0
    while data := stream.read(1 << 30):
        count, most = count + len(data), max(most, len(data))
    assert count == 50_000_000
    assert most <= 1 << 20


def test_zlib_input_held_back_is_not_lost() -> None:
    """A decoder that was bounded may have taken all input and still owe output."""
    raw = gzip.compress(bytes(5_000_000))
    assert zlib.decompress(raw, wbits=31) == decompressed(raw)[0]
    assert len(decompressed(raw[:-8])[0]) == 5_000_000


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be", "utf-32-le"])
def test_i20_utf_16_and_32_are_refused_by_name(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(ONE.decode().encode(encoding))
    with pytest.raises(InputError, match=r"log\.jsonl: this is UTF-(16|32).*expected UTF-8"):
        list(read_log(path))
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(ONE.decode().encode(encoding)))
    with pytest.raises(InputError, match="expected UTF-8"):
        open_stream(packed)


def test_i20_one_line_of_another_code_page_is_one_bad_line() -> None:
    wrong = line(players=["ann", "Цвета", "cid", "dee"]).decode().encode("cp1251")
    place = wrong.index("Цвета".encode("cp1251"))
    from tests.read.records import read_bytes

    records = read_bytes(ONE + wrong + b"\n" + TWO)
    assert [codes(record) for record in records] == [[], ["unreadable-line"], []]
    assert f"at offset {place}" in records[1].message  # type: ignore[union-attr]


@pytest.mark.parametrize(("magic", "what"), [(b"PK\x03\x04....", "ZIP"), (b"PAR1....", "Parquet")])
def test_archives_are_refused_by_name(magic: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(magic)
    with pytest.raises(InputError, match=what):
        open_stream(path)


def test_what_cannot_be_opened_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        open_stream(tmp_path / "nothing.jsonl")
    with pytest.raises(InputError, match="it is a folder"):
        open_stream(tmp_path)


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    assert list(read_log(path)) == []
    with open_stream(path) as stream:
        assert (stream.read(), stream.size_bytes) == (b"", 0)

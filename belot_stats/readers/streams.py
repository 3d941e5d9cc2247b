"""Bytes of an input, decompressed while they are read, in bounded memory.

Compression is told by magic bytes, never by the file's name. A compressed input may hold several members (frames,
streams) and zero padding after them; other bytes after the last one are the file finding ``foreign-tail``. Where it
breaks off or is damaged, what could be decoded is delivered first and the finding is ``incomplete-file``. SHA-256 and
size are of the file's bytes as they lie on the disk, not of the decompressed ones.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from belot_stats.errors import ForeignInputError, InputError
from belot_stats.readers.decoders import OUT_BLOCK, Compression, Decoder, compression_of

STDIN = "-"
RAW_BLOCK = 256 * 1024  # bytes read from the file at once
HEAD_BYTES = 256 * 1024  # how much of the decompressed bytes readers see to identify a file
MAGIC_BYTES = 6  # length of the longest magic


class FileFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding about a file itself: what was expected and what was found there."""

    code: str
    expected: str
    found: str
    line: int | None = None


class RawBytes:
    """Bytes of a file as it lies on the disk: counted and hashed while they go through."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self.size_bytes = 0
        self.hash = hashlib.sha256()
        self._pending = b""

    def block(self) -> bytes:
        """Next bytes, at most RAW_BLOCK; ``b""`` at the end. Raises: InputError where the device fails."""
        if self._pending:
            pending, self._pending = self._pending, b""
            return pending
        try:
            data = self.file.read(RAW_BLOCK)
        except OSError as problem:
            raise InputError(
                f"{self.name}: reading stops after {self.size_bytes} bytes: {problem.strerror}"
            ) from None
        self.size_bytes += len(data)
        self.hash.update(data)
        return data

    def put_back(self, data: bytes) -> None:
        """Deliver *data* again before anything else."""
        self._pending = data + self._pending

    def peek(self, count: int) -> bytes:
        """Next bytes, at least *count* of them where the file has them; they stay to be read."""
        data = b""
        while len(data) < count and (more := self.block()):
            data += more
        self.put_back(data)
        return data

    def drain(self) -> int:
        """Read on to the end for hash and size. Returns: how many bytes were left."""
        count = 0
        while data := self.block():
            count += len(data)
        return count


REFUSED_MAGICS = {
    b"PK\x03\x04": "a ZIP archive: unpack it and give the files in it",
    b"PK\x05\x06": "an empty ZIP archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive: unpack it and give the files in it",
    b"\x04\x22\x4d\x18": "LZ4-compressed: unpack it, or pipe it in (lz4 -dc FILE | … -)",
    b"PAR1": "a Parquet file, not a log",
}
ENCODING_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
    (b"{\x00", "UTF-16 without a mark"),
    (b"\x00{", "UTF-16 without a mark"),
    (b"\x00\x00\x00{", "UTF-32 without a mark"),
)


class ByteStream:
    """Decompressed bytes of one input, read once from front to back.

    ``findings`` (about the file), ``sha256`` and ``size_bytes`` (of the raw bytes) are complete when ``read`` has
    returned ``b""``. A context manager; closing it leaves standard input open.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.findings: list[FileFinding] = []
        self._file = file
        self._raw = RawBytes(file, name)
        magic = self._raw.peek(MAGIC_BYTES)
        _refuse_archives(magic, name)
        self._compression = compression_of(magic)
        self._blocks = self._members(self._compression) if self._compression else iter(self._raw.block, b"")
        self._pending = b""
        _refuse_wide_encodings(self.head(4), name)

    @property
    def compression(self) -> str:
        """``gzip``, ``zstd``, ``bzip2``, ``xz`` or ``none``."""
        return self._compression.name if self._compression else "none"

    @property
    def size_bytes(self) -> int:
        """Raw bytes read so far; the file's size once it was read to its end."""
        return self._raw.size_bytes

    @property
    def sha256(self) -> str:
        """SHA-256 of the raw bytes read so far, 64 hex digits."""
        return self._raw.hash.hexdigest()

    def read(self, size: int = OUT_BLOCK) -> bytes:
        """Next bytes, at most *size*, fewer where a block ends; ``b""`` only at the end.

        Raises: InputError where the device fails.
        """
        data = self._pending
        while not data:
            block = next(self._blocks, None)
            if block is None:
                return b""
            data = block
        self._pending = data[size:]
        return data[:size]

    def head(self, count: int = HEAD_BYTES) -> bytes:
        """First *count* bytes of what has not been read yet, or all where there are fewer; they stay to be read."""
        parts, found = [self._pending], len(self._pending)
        while found < count and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            found += len(block)
        self._pending = b"".join(parts)
        return self._pending[:count]

    def _members(self, compression: Compression) -> Iterator[bytes]:
        """Decoded blocks of all members; what is wrong inside or after them is noted."""
        while True:
            decoder = compression.new_member()
            yield from self._member(decoder)
            if not decoder.eof:
                self._raw.drain()
                return
            if not self._has_next_member(compression):
                return

    def _member(self, decoder: Decoder) -> Iterator[bytes]:
        """Decoded blocks of one member; afterwards the raw bytes stand where it ended."""
        try:
            while not decoder.eof:
                data = self._raw.block()
                if not data:
                    self._incomplete("the file ends inside it")
                    return
                yield from decoder.feed(data)
        except decoder.damage as problem:
            self._incomplete(f"damaged: {problem}")
        else:
            self._raw.put_back(decoder.unused_data)

    def _has_next_member(self, compression: Compression) -> bool:
        """Pass over zero padding; then either a member follows, or the end, or a foreign tail is noted."""
        while (ahead := self._raw.peek(MAGIC_BYTES)) and not ahead.strip(b"\0"):
            self._raw.block()
        if not ahead:
            return False
        self._raw.put_back(self._raw.block().lstrip(b"\0"))
        ahead = self._raw.peek(MAGIC_BYTES)
        if ahead.startswith(compression.magics):
            return True
        count = self._raw.drain()
        found = f"{count} other bytes, first {ahead[:8]!r}"
        self._found("foreign-tail", f"nothing after the {compression.name} stream", found)
        return False

    def _incomplete(self, what: str) -> None:
        found = f"{what}, after {self.size_bytes} bytes of the file"
        self._found("incomplete-file", f"a whole {self.compression} stream", found)

    def _found(self, code: str, expected: str, found: str) -> None:
        self.findings.append(FileFinding(code=code, expected=expected, found=found))

    def close(self) -> None:
        """Close the file."""
        if self.name != STDIN:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_stream(path: str | Path) -> ByteStream:
    """Decompressed bytes of the file at *path*, or of standard input for ``"-"``.

    Raises: InputError when it is not there, may not be read, is a folder, an archive, or UTF-16 or UTF-32 text.
    """
    name = str(path)
    if name == STDIN:
        return ByteStream(sys.stdin.buffer, STDIN)
    try:
        file = Path(name).open("rb")  # noqa: SIM115  the stream closes it
    except OSError as problem:
        raise InputError(f"{name}: cannot be read: {_reason(problem)}") from None
    try:
        return ByteStream(file, name)
    except BaseException:
        file.close()
        raise


def plain_size(path: str | Path) -> int | None:
    """Bytes that the file at *path* gives, 0 where it cannot be read; None where only reading tells: it is
    compressed, or no file."""
    try:
        if not Path(path).is_file():
            return None
        with Path(path).open("rb") as file:
            return None if compression_of(file.read(MAGIC_BYTES)) else os.fstat(file.fileno()).st_size
    except OSError:
        return 0


def _reason(problem: OSError) -> str:
    reasons = {
        FileNotFoundError: "there is no such file",
        PermissionError: "no permission to read it",
        IsADirectoryError: "it is a folder",
    }
    return reasons.get(type(problem), problem.strerror or str(problem))


def _refuse_archives(head: bytes, name: str) -> None:
    for magic, what in REFUSED_MAGICS.items():
        if head.startswith(magic):
            raise ForeignInputError(f"{name}: this is {what}")


def _refuse_wide_encodings(head: bytes, name: str) -> None:
    for mark, encoding in ENCODING_MARKS:
        if head.startswith(mark):
            how = f"convert it first (iconv -f {encoding[:6]} -t UTF-8)"
            raise InputError(f"{name}: this is {encoding} text, expected UTF-8: {how}")

"""Decoders of compressed streams: one object a member, told from each other by magic bytes.

Each is fed raw bytes and gives decoded blocks of bounded size; what it raises on damaged bytes is its ``damage``.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

OUT_BLOCK = 1024 * 1024  # most bytes a decoder gives at once, where it can be told


class Decoder(Protocol):
    """One member of a compressed stream."""

    damage: tuple[type[Exception], ...]

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def feed(self, data: bytes) -> Iterator[bytes]: ...


class _GzipMember:
    """zlib tells what a damaged block still gave only to who fed it byte by byte, so a copy is kept for that."""

    damage: tuple[type[Exception], ...] = (zlib.error,)

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._zlib.eof:
            before = self._zlib.copy()
            try:
                out = self._zlib.decompress(data, OUT_BLOCK)
            except zlib.error:
                yield from _byte_by_byte(before, data)
                raise
            yield out
            data = self._zlib.unconsumed_tail


def _byte_by_byte(decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """What *decoder* gives before the byte of *data* that it stumbles over."""
    for index in range(len(data)):
        try:
            yield decoder.decompress(data[index : index + 1])
        except zlib.error:
            return


class _BlockMember:
    """bz2 and xz: their decoders take a bound on the output and hold input back by themselves."""

    damage: tuple[type[Exception], ...] = (OSError, EOFError, lzma.LZMAError)

    def __init__(self, decoder: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._decoder = decoder

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._decoder.decompress(data, OUT_BLOCK)
        while not self._decoder.eof and not self._decoder.needs_input:
            yield self._decoder.decompress(b"", OUT_BLOCK)


class _ZstdFrame:
    """zstandard's decoder cannot be told a bound on the output, so it gets little input at a time."""

    PIECE = 2048  # a frame of nothing but repeats gives 64 MiB of this much

    def __init__(self) -> None:
        import zstandard

        self.damage: tuple[type[Exception], ...] = (zstandard.ZstdError,)
        self._decoder = zstandard.ZstdDecompressor().decompressobj()
        self.unused_data = b""

    @property
    def eof(self) -> bool:
        return bool(self._decoder.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), self.PIECE):
            yield self._decoder.decompress(data[start : start + self.PIECE])
            if self._decoder.eof:
                self.unused_data = self._decoder.unused_data + data[start + self.PIECE :]
                return


class Compression(NamedTuple):
    """A way to compress, its magic bytes, and how one member is decoded."""

    name: str
    magics: tuple[bytes, ...]
    new_member: Callable[[], Decoder]


COMPRESSIONS = (
    Compression("gzip", (b"\x1f\x8b",), _GzipMember),
    Compression(
        "zstd", (b"\x28\xb5\x2f\xfd", *(bytes([0x50 + n]) + b"\x2a\x4d\x18" for n in range(16))), _ZstdFrame
    ),
    Compression("bzip2", (b"BZh",), lambda: _BlockMember(bz2.BZ2Decompressor())),
    Compression("xz", (b"\xfd7zXZ\x00",), lambda: _BlockMember(lzma.LZMADecompressor(format=lzma.FORMAT_XZ))),
)


def compression_of(head: bytes) -> Compression | None:
    """Compression whose magic *head* begins with; None for plain bytes."""
    return next((c for c in COMPRESSIONS if head.startswith(c.magics)), None)

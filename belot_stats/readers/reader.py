"""What a reader is: it tells its format, cuts an input into chunks, and turns a chunk into records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

import msgspec

from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import InputError, UsageError
from belot_stats.ruleset import RuleResolver

CHUNK_BYTES = 128 * 1024 * 1024  # decompressed bytes of a chunk, about


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of an input that can be read by itself.

    first_line: 1-based, in the input; first_byte: decompressed bytes before it. Lines and bytes of the records read
    from it count from the chunk's own beginning.
    """

    data: bytes
    first_line: int
    first_byte: int
    lines: int


class ReadOptions(NamedTuple):
    """What the user says beside the log: the source to fill in where a record has none, and the rules."""

    source: str | None = None
    resolver: RuleResolver = RuleResolver()


class Source(Protocol):
    """Anything whose bytes can be read once from front to back; ``b""`` is the end."""

    def read(self, size: int, /) -> bytes: ...


class Reader(Protocol):
    """One log format.

    A reader never invents: what the log does not say stays unknown. A bad record never stops it: each record gives
    exactly one ``Deal`` or ``BadRecord``. ``passed_over`` counts what is no record (blank lines, stubs), by kind.
    ``passes_are_logged``: whether deals that everybody passed stand in such logs, so that a missing one is a gap.
    """

    name: str
    title: str
    passes_are_logged: bool

    def identify(self, head: bytes) -> bool: ...
    def split(self, stream: Source, chunk_bytes: int = CHUNK_BYTES) -> Iterator[Chunk]: ...
    def read(self, chunk: Chunk, options: ReadOptions) -> Iterator[Deal | BadRecord]: ...
    def passed_over(self, chunk: Chunk) -> dict[str, int]: ...


def find_reader(readers: Mapping[str, Reader], head: bytes, format_name: str | None, where: str) -> Reader:
    """Reader called *format_name*, or else the only one that claims an input beginning with *head*.

    An input that is empty or blank so far has no records whoever reads it, and goes to the first reader.
    Raises: UsageError for an unknown format name; InputError naming *where* when no reader or more than one claims it.
    """
    if format_name is not None:
        return _named_reader(readers, format_name)
    if not head.strip():
        return next(iter(readers.values()))
    claimed = [reader for reader in readers.values() if reader.identify(head)]
    if len(claimed) == 1:
        return claimed[0]
    if claimed:
        names = " and ".join(reader.name for reader in claimed)
        raise InputError(f"{where}: both {names} claim this file: name its format with --format")
    looked_for = "; ".join(f"{reader.name} ({reader.title})" for reader in readers.values())
    advice = "Name the format with --format, or write a mapping for it"
    raise InputError(f"{where}: no reader knows this format; looked for: {looked_for}. {advice}")


def _named_reader(readers: Mapping[str, Reader], name: str) -> Reader:
    if name not in readers:
        raise UsageError(f"unknown format {name!r}: expected one of {', '.join(readers)}")
    return readers[name]

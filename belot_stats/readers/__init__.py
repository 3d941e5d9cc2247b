"""Readers, by name; one log format each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from belot_stats.deal import BadRecord, Deal
from belot_stats.readers.baloot_archive import BalootArchiveReader
from belot_stats.readers.bhh import BhhReader
from belot_stats.readers.reader import Chunk, Reader, ReadOptions, find_reader
from belot_stats.readers.streams import open_stream

READERS: dict[str, Reader] = {reader.name: reader for reader in (BhhReader(), BalootArchiveReader())}


def identify_reader(head: bytes, format_name: str | None = None, where: str = "input") -> Reader:
    """Reader of an input that begins with *head* (decompressed), or the one called *format_name*.

    Raises: UsageError for an unknown name; InputError naming *where* when none or more than one reader claims it.
    """
    return find_reader(READERS, head, format_name, where)


def read_log(
    path: str | Path, format_name: str | None = None, options: ReadOptions | None = None
) -> Iterator[Deal | BadRecord]:
    """Records of the log at *path* (``"-"``: standard input), their lines and bytes counted in the whole input.

    Raises: InputError for an input that cannot be opened or that no reader claims.
    """
    with open_stream(path) as stream:
        reader = identify_reader(stream.head(), format_name, stream.name)
        for chunk in reader.split(stream):
            for record in reader.read(chunk, options or ReadOptions()):
                yield in_input(record, chunk)


def in_input(record: Deal | BadRecord, chunk: Chunk) -> Deal | BadRecord:
    """*record* of *chunk* with line and byte counted from the beginning of the input."""
    if chunk.first_byte == 0:
        return record
    return msgspec.structs.replace(
        record, line=record.line + chunk.first_line - 1, byte=record.byte + chunk.first_byte
    )


__all__ = [
    "READERS",
    "Chunk",
    "ReadOptions",
    "Reader",
    "identify_reader",
    "in_input",
    "open_stream",
    "read_log",
]

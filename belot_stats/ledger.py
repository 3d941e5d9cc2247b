"""The ledger: which parts of a warehouse count. One small file an input; writing it is the commit.

Rows stand in *ledger order*: by time of commit, then by id. Where two records of one deal differ, the first in that
order is used. A row that replaces another (a log that has grown, a file read again under other rules) takes over its
place in the order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from belot_stats.errors import WarehouseError
from belot_stats.schema import check_version, parquet_bytes, table_of
from belot_stats.storage import LEDGER_LOCK, Storage, StoredFile


class LedgerChunk(msgspec.Struct, frozen=True, kw_only=True):
    """One chunk of an input file and the part its records are stored in.

    An entry of no lines and no bytes holds the records of the entry before it that a later ``requeue`` could read.
    """

    part: str
    first_line: int
    first_byte: int
    lines: int
    bytes: int
    sha256: str
    stored: int
    quarantined: int

    @property
    def is_requeued(self) -> bool:
        """No chunk of the file, but records of the one before it read again."""
        return self.lines == 0 and self.bytes == 0


class UnknownField(msgspec.Struct, frozen=True, kw_only=True):
    """A field the format does not have: how many records carry it, and the first of them (line in chunk or file)."""

    field: str
    records: int
    first_line: int


class LedgerFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding about the file itself; *line* is counted in the file, None where it is about all of it."""

    code: str
    line: int | None
    expected: str
    found: str


class LedgerRuleSet(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Rule values that records were checked by, as JSON by parameter."""

    hash: str
    name: str
    values: str


class LedgerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One input file that was read to its end; the fields are the columns of the table ledger."""

    file: str
    names: list[str]
    format: str
    source: str | None
    rules: str | None
    chunks: list[LedgerChunk]
    size_bytes: int
    sha256: str
    read: int
    stored: int
    quarantined: int
    blank_lines: int
    unknown_fields: list[UnknownField]
    file_findings: list[LedgerFinding]
    rulesets: list[LedgerRuleSet]
    engine_version: str
    finished_at: datetime
    elapsed_ms: int

    @property
    def file_chunks(self) -> list[LedgerChunk]:
        """The chunks of the file alone, without what was requeued."""
        return [chunk for chunk in self.chunks if not chunk.is_requeued]


class PartUse(msgspec.Struct, frozen=True, kw_only=True):
    """One place where the ledger names a part.

    *alias* tells the places apart: it is the part itself where it is named first, and a longer name anywhere else
    (two files that begin with the same chunk share its part).  version: of the program that wrote it; None where the
    ledger does not say.
    """

    alias: str
    part: str
    file: str
    place: int  # in ledger order, from 0
    first_line: int
    first_byte: int
    stored: int
    quarantined: int
    version: str | None = None


def part_name(folder: str, part: str) -> str:
    """Name in the warehouse of the part's file in *folder* (deals, findings or quarantine)."""
    return f"{folder}/{part}.parquet"


def file_id(format_name: str, parts: Sequence[str]) -> str:
    """Id of an input: a hash over the parts of its chunks, 32 hex digits."""
    return hash_of([format_name, *parts])


def hash_of(values: object) -> str:
    """32 hex digits over *values* (anything that JSON can write)."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Ledger:
    """Ledger of the warehouse in *storage*; rows are read again only where their file has changed."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._seen: dict[StoredFile, LedgerRow] = {}

    def rows(self) -> list[LedgerRow]:
        """All rows in ledger order.

        Raises: NewerWarehouseError; WarehouseError for a file that is no ledger row.
        """
        while True:
            files = [file for file in self.storage.listing("ledger") if file.name.endswith(".parquet")]
            try:
                self._seen = dict(zip(files, self.storage.map(self._row, files), strict=True))
            except WarehouseError:
                if all(self.storage.exists(f"ledger/{file.name}") for file in files):
                    raise
                continue  # another process replaced a row meanwhile: its successor is there by now
            return sorted(self._seen.values(), key=lambda row: (row.finished_at, row.file))

    def _row(self, file: StoredFile) -> LedgerRow:
        return self._seen.get(file) or read_row(self.storage, f"ledger/{file.name}")

    def find(self, file: str) -> LedgerRow | None:
        """Row of the input *file* as it is now; None where it was never committed."""
        name = ledger_name(file)
        return read_row(self.storage, name) if self.storage.exists(name) else None

    def commit(self, row: LedgerRow, replaces: Sequence[LedgerRow] = ()) -> tuple[LedgerRow, bool]:
        """Write *row*, or add its names to the row that is there already; remove the rows that it *replaces*.

        Returns: the row as it stands now, and whether it was new.
        """
        with self.storage.lock(LEDGER_LOCK):
            known = self.find(row.file)
            if known is not None:
                return self._add_names(known, row.names), False
            replaced = [now for old in replaces if (now := self.find(old.file)) is not None]
            merged = _take_over(row, replaced)
            self._write(merged)
            for old in replaced:
                self.storage.remove(ledger_name(old.file))
            return merged, True

    def replace(self, row: LedgerRow) -> LedgerRow:
        """Write *row* in the place of the row of the same file, keeping names added meanwhile."""
        with self.storage.lock(LEDGER_LOCK):
            known = self.find(row.file)
            if known is None:
                raise WarehouseError(
                    f"{ledger_name(row.file)}: the row is gone; another process replaced it: run again"
                )
            row = msgspec.structs.replace(row, names=known.names)
            self._write(row)
            return row

    def _add_names(self, row: LedgerRow, names: Sequence[str]) -> LedgerRow:
        more = [name for name in names if name not in row.names]
        if more:
            row = msgspec.structs.replace(row, names=[*row.names, *more])
            self._write(row)
        return row

    def _write(self, row: LedgerRow) -> None:
        self.storage.write(ledger_name(row.file), row_bytes(row))

    def time_of_commit(self) -> datetime:
        """Now, but later than every row that this process has read or written."""
        latest = max(
            (row.finished_at for row in self._seen.values()), default=datetime.min.replace(tzinfo=UTC)
        )
        return max(datetime.now(UTC), latest + timedelta(microseconds=1))


def ledger_name(file: str) -> str:
    """Name in the warehouse of the row of the input *file*."""
    return f"ledger/{file}.parquet"


def row_bytes(row: LedgerRow) -> bytes:
    """Ledger row as a whole Parquet file."""
    return parquet_bytes(table_of("ledger", [msgspec.to_builtins(row, builtin_types=(datetime,))]))


def read_row(storage: Storage, name: str) -> LedgerRow:
    """Ledger row in the file *name*.

    Raises: NewerWarehouseError, WarehouseError.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pa.BufferReader(storage.read(name)) as source, pq.ParquetFile(source) as file:
            check_version(file.schema_arrow.metadata, storage.path(name))
            rows = file.read().to_pylist()
        return msgspec.convert(rows[0], LedgerRow)
    except (pa.ArrowException, msgspec.ValidationError, IndexError) as problem:
        raise WarehouseError(
            f"{storage.path(name)}: not a row of a ledger: {problem}; remove it and ingest its file again"
        ) from problem


def _take_over(row: LedgerRow, replaced: Sequence[LedgerRow]) -> LedgerRow:
    """*row* with the names and the place in the order of the rows it replaces."""
    if not replaced:
        return row
    names = list(dict.fromkeys(name for old in [*replaced, row] for name in old.names))
    place = min(old.finished_at for old in replaced)
    return msgspec.structs.replace(with_requeued(row, replaced), names=names, finished_at=place)


def with_requeued(row: LedgerRow, replaced: Sequence[LedgerRow]) -> LedgerRow:
    """*row* with what was requeued of those of its chunks that the *replaced* rows have too."""
    requeued = {
        entries[0].part: entries for old in replaced for entries in chunk_groups(old) if len(entries) > 1
    }
    if not requeued:
        return row
    chunks = [entry for chunk in row.chunks for entry in requeued.get(chunk.part, [chunk])]
    rulesets = sorted({*row.rulesets, *(rules for old in replaced for rules in old.rulesets)})
    return with_chunks(msgspec.structs.replace(row, rulesets=rulesets), _moved(chunks, row))


def _moved(chunks: Sequence[LedgerChunk], row: LedgerRow) -> list[LedgerChunk]:
    """*chunks* (with requeued entries) at the places where *row* has them."""
    places = iter(row.chunks)
    moved: list[LedgerChunk] = []
    for chunk in chunks:
        at = moved[-1] if chunk.is_requeued else next(places)
        moved.append(msgspec.structs.replace(chunk, first_line=at.first_line, first_byte=at.first_byte))
    return moved


def with_chunks(row: LedgerRow, chunks: Sequence[LedgerChunk]) -> LedgerRow:
    """*row* with other chunk entries and the counts that follow from them."""
    stored, quarantined = sum(chunk.stored for chunk in chunks), sum(chunk.quarantined for chunk in chunks)
    return msgspec.structs.replace(row, chunks=list(chunks), stored=stored, quarantined=quarantined)


def chunk_groups(row: LedgerRow) -> list[list[LedgerChunk]]:
    """Entries of *row* a chunk: the chunk itself first, then what was requeued of it."""
    groups: list[list[LedgerChunk]] = []
    for chunk in row.chunks:
        if chunk.is_requeued and groups:
            groups[-1].append(chunk)
        else:
            groups.append([chunk])
    return groups


def part_uses(rows: Sequence[LedgerRow]) -> list[PartUse]:
    """Every place where *rows* (in ledger order) name a part, each under an alias of its own."""
    uses: list[PartUse] = []
    named: set[str] = set()
    for row in rows:
        for index, chunk in enumerate(row.chunks):
            alias = chunk.part if chunk.part not in named else f"{chunk.part}@{row.file[:12]}.{index}"
            named.add(chunk.part)
            uses.append(_part_use(row, chunk, alias, len(uses)))
    return uses


def _part_use(row: LedgerRow, chunk: LedgerChunk, alias: str, place: int) -> PartUse:
    copied = {
        name: getattr(chunk, name) for name in ("part", "first_line", "first_byte", "stored", "quarantined")
    }
    version = None if chunk.is_requeued else row.engine_version
    return PartUse(alias=alias, file=row.file, place=place, version=version, **copied)

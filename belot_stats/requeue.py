"""Quarantined records: listing them, and reading them again with other rules, another source or a newer reader.

What can be read now becomes a part of its own beside the chunk it came from. The ledger row is rewritten in one
step: the chunk's quarantined records are no longer counted there, and a new entry after it names the part that holds
them, good and still bad together. So ``read = stored + quarantined`` holds before and after, nothing is counted
twice, and the file keeps its id: reading it again adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.balance import Committed, FileReport, balance_reports
from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import WarehouseError
from belot_stats.ledger import LedgerChunk, LedgerRow, chunk_groups, hash_of, part_name, with_chunks
from belot_stats.parts import PartWriter, merge_fields, rules_key, stored_facts
from belot_stats.ruleset import RuleResolver
from belot_stats.schema import ENGINE_VERSION, schema_version
from belot_stats.storage import WRITERS_LOCK, Storage
from belot_stats.warehouse import Warehouse, open_warehouse

if TYPE_CHECKING:
    from belot_stats.parts import ChunkFacts
    from belot_stats.readers.reader import Reader, ReadOptions


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be read, with its bytes; line and byte are counted in the file."""

    file: str
    name: str
    sha256: str
    line: int
    byte: int
    code: str
    message: str
    problems: list[tuple[str, str]]
    raw: bytes


class RequeueReport(msgspec.Struct, frozen=True, kw_only=True):
    """What reading the quarantined records of one file again gave, in records, and how its balance stands now."""

    name: str
    reread: int
    recovered: int
    balance: FileReport


def quarantine_list(
    warehouse: Warehouse | str | Path, *, names: Collection[str] = (), codes: Collection[str] = ()
) -> Iterator[Quarantined]:
    """Quarantined records, file by file in ledger order and line by line.

    names: only of inputs read under one of these names; codes: only with one of these finding codes.
    Raises: WarehouseError.
    """
    store = open_warehouse(warehouse)
    for row in _rows(store, names):
        for chunk in row.chunks:
            for item in _records(store.storage, chunk):
                if not codes or item.code in codes:
                    yield _quarantined(row, chunk, item)


def _rows(store: Warehouse, names: Collection[str]) -> list[LedgerRow]:
    return [row for row in store.rows() if row.quarantined and (not names or set(row.names) & set(names))]


def _quarantined(row: LedgerRow, chunk: LedgerChunk, item: BadRecord) -> Quarantined:
    return Quarantined(
        file=row.file,
        name=row.names[0],
        sha256=row.sha256,
        line=chunk.first_line + item.line - 1,
        byte=chunk.first_byte + item.byte,
        code=item.code,
        message=item.message,
        problems=list(item.problems),
        raw=item.raw,
    )


def _records(storage: Storage, chunk: LedgerChunk) -> list[BadRecord]:
    """Quarantined records of one entry of the ledger, lines and bytes counted in the chunk."""
    import pyarrow.parquet as pq

    if not chunk.quarantined:
        return []
    with storage.open(part_name("quarantine", chunk.part)) as source:
        rows = pq.read_table(source).to_pylist()
    for row in rows:
        row["problems"] = tuple((problem["code"], problem["message"]) for problem in row["problems"])
    return [BadRecord(**row) for row in rows]


def quarantine_requeue(
    warehouse: Warehouse | str | Path,
    *,
    names: Collection[str] = (),
    codes: Collection[str] = (),
    source: str | None = None,
    rules: str | Path | None = None,
    force_rules: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> list[RequeueReport]:
    """Read quarantined records again; what can be read now is stored, the rest stays quarantined as it was.

    names, codes: as for :func:`quarantine_list`; the others: as for :func:`belot_stats.ingest.ingest`, where the
    source and rules given then stand in for those not given now.
    Raises: RuleSetError; WarehouseError.
    """
    store = open_warehouse(warehouse)
    reports: list[tuple[int, int, Committed]] = []
    with store.storage.lock(WRITERS_LOCK, shared=True):
        for row in _rows(store, names):
            resolver = RuleResolver(row.rules if rules is None else rules, force_rules, overrides)
            reports.append(_requeue(store, row, source or row.source, resolver, codes))
    balance_reports(store, [committed for *_, committed in reports])
    return [
        RequeueReport(name=item.row.names[0], reread=reread, recovered=recovered, balance=item.report)
        for reread, recovered, item in reports
    ]


def _requeue(
    store: Warehouse, row: LedgerRow, source: str | None, resolver: RuleResolver, codes: Collection[str]
) -> tuple[int, int, Committed]:
    """Requeue one file. Returns: records read again, records of those that were stored, and the file as it is now."""
    from belot_stats.readers import READERS
    from belot_stats.readers.reader import ReadOptions

    reader = READERS.get(row.format)
    if reader is None:
        raise WarehouseError(
            f"{row.names[0]}: its quarantined records cannot be read again: no reader {row.format!r}"
        )
    options = ReadOptions(source, resolver)
    chunks: list[LedgerChunk] = []
    reread = recovered = 0
    for group in chunk_groups(row):
        again = _Group(store.storage, group, codes)
        chunks += again.read(reader, options)
        reread, recovered = reread + again.reread, recovered + again.recovered
        row = again.add_facts(row)
    if recovered:
        row = store.ledger.replace(with_chunks(row, chunks))
    report = FileReport(name=row.names[0], file=row.file, format=row.format)
    return reread, recovered, Committed(report=report, row=row, replaced=[])


class _Group:
    """One chunk of a file, with what was requeued of it before, being requeued."""

    def __init__(self, storage: Storage, entries: Sequence[LedgerChunk], codes: Collection[str]) -> None:
        self._storage, self._entries, self._codes = storage, entries, codes
        self._facts: ChunkFacts | None = None
        self.reread = self.recovered = self._more = 0

    def read(self, reader: Reader, options: ReadOptions) -> list[LedgerChunk]:
        """Entries of the ledger after reading the group's records again; the same where none is good now."""
        records = [record for entry in self._entries for record in _records(self._storage, entry)]
        results = [self._reread(record, reader, options) for record in records]
        good = [deals for deals in results if deals]
        if not good:
            return list(self._entries)
        self.recovered, self._more = len(good), sum(map(len, good)) - len(good)
        part = self._part(options)
        self._facts = stored_facts(self._storage, part) or self._write(part, records, results, options)
        return self._new_entries(part, self._facts)

    def _reread(self, record: BadRecord, reader: Reader, options: ReadOptions) -> list[Deal]:
        """Deals that the record's bytes give now; none where it stays as it is."""
        from belot_stats.readers.reader import Chunk

        if self._codes and record.code not in self._codes:
            return []
        self.reread += 1
        lines = record.raw.count(b"\n") + (not record.raw.endswith(b"\n"))
        found = list(reader.read(Chunk(data=record.raw, first_line=1, first_byte=0, lines=lines), options))
        if any(isinstance(item, BadRecord) for item in found):
            return []
        return [
            msgspec.structs.replace(item, line=record.line, byte=record.byte)
            for item in found
            if isinstance(item, Deal)
        ]

    def _part(self, options: ReadOptions) -> str:
        given = [options.source, rules_key(options.resolver), sorted(self._codes)]
        parts = [entry.part for entry in self._entries if entry.quarantined]
        return hash_of(["requeue", parts, given, ENGINE_VERSION, schema_version()])

    def _write(
        self, part: str, records: Sequence[BadRecord], results: Sequence[Sequence[Deal]], options: ReadOptions
    ) -> ChunkFacts:
        writer = PartWriter()
        for record, deals in zip(records, results, strict=True):
            for deal in deals:
                writer.add(deal, options.resolver.resolve(deal.rules, deal.options))
            if not deals:
                writer.add(record, None)
        return writer.write(self._storage, part, {})

    def _new_entries(self, part: str, facts: ChunkFacts) -> list[LedgerChunk]:
        first = self._entries[0]
        kept = [msgspec.structs.replace(entry, quarantined=0) for entry in self._entries]
        added = msgspec.structs.replace(
            first, part=part, lines=0, bytes=0, stored=facts.stored, quarantined=facts.quarantined
        )
        return [*(entry for entry in kept if entry is kept[0] or entry.stored), added]

    def add_facts(self, row: LedgerRow) -> LedgerRow:
        """*row* with the rule sets, unknown fields and further records that the group's new part brings."""
        if self._facts is None:
            return row
        found = merge_fields([self._entries[0]], [self._facts.unknown_fields])
        in_file = msgspec.structs.replace(self._entries[0], first_line=1)
        return msgspec.structs.replace(
            row,
            read=row.read + self._more,
            rulesets=sorted({*row.rulesets, *self._facts.rulesets}),
            unknown_fields=merge_fields([in_file, in_file], [row.unknown_fields, found]),
        )

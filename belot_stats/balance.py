"""What became of the records of each input: read = accepted + quarantined + skipped, each counted for itself."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

import msgspec

from belot_stats.errors import WarehouseError
from belot_stats.ledger import LedgerFinding, LedgerRow, part_name, part_uses

if TYPE_CHECKING:
    import duckdb

    from belot_stats.warehouse import Warehouse


class FileReport(msgspec.Struct, kw_only=True):
    """What became of one input; counts in records. ``read = accepted + quarantined + skipped``.

    accepted: records that count now and did not before; skipped: records that do not count because another copy of
    the deal does, or that an earlier reading of the same bytes had stored; *conflicting*: those of the skipped that
    say otherwise than the copy that counts. findings: of the deal pass.
    is_known: the input was in the warehouse already; is_ignored: met in a folder, and no reader's; replaced: ids of
    older readings that this one takes the place of; error: why it could not be read, and nothing of it is committed.
    """

    name: str
    file: str | None = None
    format: str | None = None
    read: int = 0
    accepted: int = 0
    quarantined: int = 0
    skipped: int = 0
    conflicting: int = 0
    findings: int = 0
    blank_lines: int = 0
    passed_over: dict[str, int] = {}
    unknown_fields: list[str] = []
    file_findings: list[LedgerFinding] = []
    is_known: bool = False
    is_ignored: bool = False
    replaced: list[str] = []
    error: str | None = None
    elapsed_ms: int = 0

    @property
    def is_incomplete(self) -> bool:
        """The input breaks off; what it held is kept."""
        return any(finding.code == "incomplete-file" for finding in self.file_findings)


class IngestReport(msgspec.Struct, kw_only=True):
    """What became of all inputs, in their order; restarts: times that a dead worker process was replaced."""

    files: list[FileReport]
    elapsed_ms: int = 0
    restarts: int = 0

    def total(self, count: str) -> int:
        """Sum of a count over the files, as in ``report.total("read")``."""
        return sum(getattr(file, count) for file in self.files)

    @property
    def exit_code(self) -> int:
        """3 where an input could not be read or breaks off, else 1 where something is wrong in one, else 0."""
        if any(file.error or file.is_incomplete for file in self.files):
            return 3
        counts = ("findings", "quarantined", "conflicting")
        return int(
            any(map(self.total, counts))
            or any(file.unknown_fields or file.file_findings for file in self.files)
        )


class _Tails:
    """Earlier inputs whose last chunk begins where this one's chunk does; one pass over the bytes tells them all."""

    def __init__(self, rows: Sequence[LedgerRow]) -> None:
        self.open = sorted(rows, key=lambda row: row.file_chunks[-1].bytes)
        self._digest = hashlib.sha256()
        self._at = 0

    def take(self, data: bytes) -> list[LedgerRow]:
        """Take the next bytes. Returns: the inputs that end inside them, and are the beginning of this one."""
        held, start = [], self._at
        while self.open and self.open[0].file_chunks[-1].bytes <= start + len(data):
            row = self.open.pop(0)
            self._feed(data, start, row.file_chunks[-1].bytes)
            if self._digest.hexdigest() == row.file_chunks[-1].sha256:
                held.append(row)
        if self.open:
            self._feed(data, start, start + len(data))
        return held

    def _feed(self, data: bytes, start: int, end: int) -> None:
        self._digest.update(memoryview(data)[self._at - start : end - start])
        self._at = end


class OlderReadings:
    """Which earlier inputs an input holds in full: the same bytes, or a log that has grown since.

    Only inputs read in the same format and under the same ``--source`` are compared. Chunks are taken in order; the
    last chunk of an earlier input may end inside one (and reach over more than one, where it ended inside a line).
    """

    def __init__(self, rows: Sequence[LedgerRow], format_name: str, source: str | None) -> None:
        self._live = [row for row in rows if (row.format, row.source) == (format_name, source) and row.chunks]
        self._tails: list[_Tails] = []
        self._held: list[LedgerRow] = []
        self._taken = 0

    def take(self, data: bytes, sha256: str) -> None:
        """Take the next chunk."""
        index, self._taken = self._taken, self._taken + 1
        self._tails.append(_Tails([row for row in self._live if len(row.file_chunks) == index + 1]))
        for tails in self._tails:
            self._held += tails.take(data)
        self._tails = [tails for tails in self._tails if tails.open]
        longer = [row for row in self._live if len(row.file_chunks) > index + 1]
        self._live = [row for row in longer if row.file_chunks[index].sha256 == sha256]

    def held(self, file: str) -> list[LedgerRow]:
        """Rows of the earlier inputs that the input *file* holds, itself not among them."""
        return [row for row in self._held if row.file != file]


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """An input as it was committed: its report, its row, and the rows of before the run that it replaced."""

    report: FileReport
    row: LedgerRow
    replaced: list[LedgerRow]


def balance_reports(warehouse: Warehouse, committed: Sequence[Committed]) -> None:
    """Count accepted, quarantined, skipped and conflicting records of the *committed* inputs into their reports.

    Each is counted in the stored files themselves, ``read`` at the reader.
    Raises: WarehouseError where the counts of an input do not balance.
    """
    from belot_stats.derived import add_views, refresh_duplicates

    rows = warehouse.rows()
    fingerprints = refresh_duplicates(warehouse, rows)
    files = {item.row.file for item in committed}
    is_all = files >= {row.file for row in rows}  # the connection that there is has no other parts
    opened = (
        nullcontext(warehouse.shared_connection(rows)) if is_all else warehouse.raw_connection(rows, files)
    )
    with opened as connection:
        add_views(warehouse, connection, rows, fingerprints)
        counts = _count_files(connection, rows)
        for item in committed:
            if item.row.file in counts:
                known = _count_known(connection, warehouse, item)
                _balance(item, counts[item.row.file], known)
            else:  # another reading has taken its place since: all it holds is counted there
                _balance(item, _Counts(quarantined=item.row.quarantined, copies=item.row.stored), 0)


class _Counts(msgspec.Struct):
    counting: int = 0
    quarantined: int = 0
    copies: int = 0
    conflicts: int = 0


def _count_files(connection: duckdb.DuckDBPyConnection, rows: Sequence[LedgerRow]) -> dict[str, _Counts]:
    """Counts an input of the ledger, of the parts that the connection shows."""
    file_of = {use.alias: use.file for use in part_uses(rows)}
    counts = {row.file: _Counts() for row in rows}
    tables = {
        "counting": "raw_deals anti join raw_duplicates using (part, line, byte)",
        "quarantined": "raw_quarantine",
        "copies": "raw_duplicates",
        "conflicts": "raw_duplicates where reason = 'conflict'",
    }
    for name, table in tables.items():
        query = f"select part, count(*) from {table} group by part"
        for part, count in connection.execute(query).fetchall():
            of_file = counts[file_of[part]]
            setattr(of_file, name, getattr(of_file, name) + count)
    return counts


def _balance(item: Committed, found: _Counts, known: int) -> None:
    """known: records of those counting that were stored before."""
    report = item.report
    report.accepted, report.skipped = found.counting - known, found.copies + known
    report.read, report.quarantined, report.conflicting = item.row.read, found.quarantined, found.conflicts
    if report.read != report.accepted + report.quarantined + report.skipped:
        raise WarehouseError(
            f"{report.name}: the records do not balance: {report.read} read, but {report.accepted} accepted, "
            f"{report.quarantined} quarantined and {report.skipped} skipped"
        )


def _count_known(connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, item: Committed) -> int:
    """Counting records of the input that an earlier reading had stored already, on the same line."""
    from belot_stats.scans import PartFile, add_parts_view

    if item.report.is_known:
        item = msgspec.structs.replace(item, replaced=[item.row])
    older = sorted({(chunk.part, chunk.first_line) for row in item.replaced for chunk in row.chunks})
    if not older:
        return 0
    parts = [PartFile(part, part_name("deals", part)) for part in sorted({part for part, _ in older})]
    connection.execute("create or replace temp table older (part varchar, first_line bigint)")
    connection.executemany("insert into older values (?, ?)", older)
    add_parts_view(connection, "older_deals", warehouse.storage, "deals", parts)
    query = """
        with held as (
            select first_line + line as line, content_hash
            from older_deals join older using (part)
        )
        select count(*) from raw_deals as d anti join raw_duplicates as x using (part, line, byte)
        join part_uses as u on d.part = u.alias
        where u.file = $file and (u.first_line + d.line, d.content_hash) in (select (line, content_hash) from held)"""
    row = connection.execute(query, {"file": item.row.file}).fetchone()
    connection.execute("drop view older_deals; drop table older")
    return int(row[0]) if row else 0

"""What is derived from the parts: which copies of a deal count, and what the match pass finds.

Matches fall into 64 buckets, or more in a large warehouse, by a hash of source and match. A bucket's *fingerprint* is
a hash over all its stored rows and their places in the ledger; derived files are named by bucket and fingerprint, so a
file that is there is up to date, a file of an older state is never looked at, and only buckets whose deals changed are
computed again.

    derived/duplicates/<bucket>-<fingerprint>.parquet       which copies do not count; always there once computed
    derived/matches/…                                       written last of the match pass: marks the bucket as done
    derived/standings/…   derived/match_findings/…          the latter only where there is a finding
    derived/fingerprints/<ledger>.json                      fingerprints of the buckets at a state of the ledger
    derived/.shuffle/<run>/…                                what tasks of a match pass under way have for one another
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.findings import SEVERITY_OF
from belot_stats.ledger import LedgerRow, hash_of
from belot_stats.scans import add_files_view
from belot_stats.schema import ENGINE_VERSION, schema, schema_version, table_of
from belot_stats.storage import WRITERS_LOCK
from belot_stats.warehouse import DERIVED_TABLES, Warehouse, add_table, ledger_key

if TYPE_CHECKING:
    import duckdb

    from belot_stats.deal_keys import Keys
    from belot_stats.match_pass import Progress

DERIVED_VERSION = 3  # of the code below and of the match pass's driver; a change makes all buckets stale
_SMALLEST_FILE = 12  # bytes; anything less is a file that a crash of the machine emptied

Fingerprints = Mapping[int, str]


def refresh(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow] | None = None,
    progress: Progress | None = None,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    scheduler: str | None = None,
) -> Fingerprints:
    """Bring everything derived up to date with the ledger: copies first, then the match pass.

    progress: called with a MatchProgress.  jobs, executor, scheduler: where the matches of a large warehouse are
    followed, as for :func:`belot_stats.ingest.ingest`; none of them changes what is written.
    Returns: fingerprint a bucket that has deals.  Raises: WarehouseError; WorkerError, UsageError for a cluster.
    """
    rows = warehouse.rows() if rows is None else rows
    fingerprints = refresh_duplicates(warehouse, rows)
    stale = stale_buckets(warehouse, fingerprints)
    if stale:
        from belot_stats.match_pass import Workers, run_match_pass

        with warehouse.storage.lock(WRITERS_LOCK, shared=True):
            workers = Workers(jobs=jobs, executor=executor, scheduler=scheduler)
            run_match_pass(warehouse, rows, fingerprints, stale, progress, workers)
    return fingerprints


def refresh_duplicates(warehouse: Warehouse, rows: Sequence[LedgerRow] | None = None) -> Fingerprints:
    """Bring up to date which copies of deals count. Returns: fingerprint a bucket that has deals."""
    from belot_stats.copies import write_duplicates

    rows = warehouse.rows() if rows is None else rows
    known = known_fingerprints(warehouse, rows)
    if known is not None and not _without_duplicates(warehouse, known):
        return known
    fingerprints, suspects = _scan(warehouse, rows)
    stale = _without_duplicates(warehouse, fingerprints)
    if stale:
        with warehouse.storage.lock(WRITERS_LOCK, shared=True):
            write_duplicates(warehouse, rows, fingerprints, stale, suspects)
    if known is None:
        warehouse.storage.make_folder("derived/fingerprints")
        warehouse.storage.write(fingerprints_name(rows), msgspec.json.encode(fingerprints), durable=False)
    return fingerprints


def _without_duplicates(warehouse: Warehouse, fingerprints: Fingerprints) -> list[int]:
    """Buckets of which it is not known which copies count."""
    return sorted(set(fingerprints) - set(current_files(warehouse, "duplicates", fingerprints)))


def stale_buckets(warehouse: Warehouse, fingerprints: Fingerprints) -> list[int]:
    """Buckets that the match pass has to compute again."""
    return sorted(set(fingerprints) - set(current_files(warehouse, "matches", fingerprints)))


def known_fingerprints(warehouse: Warehouse, rows: Sequence[LedgerRow]) -> Fingerprints | None:
    """Fingerprint a bucket as it was computed for this state of the ledger; None where it was not."""
    name = fingerprints_name(rows)
    if not warehouse.storage.exists(name):
        return None
    try:
        return msgspec.json.decode(warehouse.storage.read(name), type=dict[int, str])
    except msgspec.DecodeError:
        return None


def fingerprints_name(rows: Sequence[LedgerRow]) -> str:
    """Name in the warehouse of the fingerprints at this state of the ledger."""
    state = hash_of([ledger_key(rows), ENGINE_VERSION, schema_version(), DERIVED_VERSION])
    return f"derived/fingerprints/{state}.json"


def _scan(warehouse: Warehouse, rows: Sequence[LedgerRow]) -> tuple[Fingerprints, Keys]:
    """Fingerprint a bucket, and what :func:`belot_stats.copies.write_duplicates` needs.

    The place in the ledger is in a fingerprint, as it decides which copy counts.
    """
    import numpy as np

    from belot_stats.deal_keys import scan_deals

    if not any(row.stored for row in rows):
        return {}, np.zeros(0, np.uint64)
    folder = warehouse.storage.make_spill_folder()
    buckets, suspects = scan_deals(
        warehouse.shared_connection(rows), rows, folder if Path(folder).is_dir() else None
    )
    version = [ENGINE_VERSION, schema_version(), DERIVED_VERSION]
    return {item.bucket: hash_of([*item, version]) for item in buckets}, suspects


def derived_name(table: str, bucket: int, fingerprint: str) -> str:
    """Name in the warehouse of a derived file."""
    return f"derived/{table}/{bucket:02d}-{fingerprint}.parquet"


def current_files(warehouse: Warehouse, table: str, fingerprints: Fingerprints) -> dict[int, str]:
    """Files of the derived *table* that are up to date: bucket -> name in the warehouse."""
    there = {
        f"derived/{table}/{file.name}"
        for file in warehouse.storage.listing(f"derived/{table}")
        if file.size >= _SMALLEST_FILE
    }
    names = {bucket: derived_name(table, bucket, fingerprint) for bucket, fingerprint in fingerprints.items()}
    return {bucket: name for bucket, name in names.items() if name in there}


def add_views(
    warehouse: Warehouse,
    connection: duckdb.DuckDBPyConnection,
    rows: Sequence[LedgerRow],
    fingerprints: Fingerprints,
) -> None:
    """Add ``raw_duplicates``, ``raw_standings``, ``raw_matches`` and ``raw_match_findings`` to *connection*.

    Only what is up to date is in them. ``raw_match_findings`` has the columns of findings, and ``file``; the
    findings about files, which the ledger holds, are among them.
    """
    done = current_files(warehouse, "matches", fingerprints)
    for table in DERIVED_TABLES:
        current = current_files(warehouse, table, fingerprints)
        names = [name for bucket, name in current.items() if table == "duplicates" or bucket in done]
        _add_view(warehouse, connection, table, names)
    add_table(connection, "file_findings", _file_findings(rows))
    connection.execute(
        "create or replace view raw_match_findings as from found_match_findings union all by name from file_findings"
    )


def _add_view(
    warehouse: Warehouse, connection: duckdb.DuckDBPyConnection, table: str, names: Iterable[str]
) -> None:
    import pyarrow as pa

    columns, view = schema(table if table != "match_findings" else "findings"), f"raw_{table}"
    if table == "match_findings":
        columns, view = columns.append(pa.field("file", pa.string())), "found_match_findings"
    add_files_view(connection, view, warehouse.storage, columns, list(names))


def _file_findings(rows: Sequence[LedgerRow]) -> Any:
    """Arrow table of the findings about files: what the reader found of the file, and its unknown fields."""
    found = [finding for row in rows for finding in file_findings(row)]
    table = table_of("findings", found)
    import pyarrow as pa

    return table.append_column("file", pa.array([finding["file"] for finding in found], pa.string()))


def file_findings(row: LedgerRow) -> list[dict[str, Any]]:
    """Findings about the input of *row*: columns of findings, and ``file``; lines are counted in the file."""
    about_file = [(item.code, item.line, None, item.expected, item.found) for item in row.file_findings]
    unknown = [
        (
            "unknown-field",
            item.first_line,
            item.field,
            "a field of the format",
            f"{item.field!r} in {count_records(item.records)}, first here",
        )
        for item in row.unknown_fields
    ]
    names = ("code", "line", "field", "expected", "found")
    return [
        dict(zip(names, item, strict=True), severity=SEVERITY_OF[item[0]], file=row.file)
        for item in [*about_file, *unknown]
    ]


def count_records(count: int) -> str:
    """``1 record``, ``2 records`` …"""
    return f"{count} record" if count == 1 else f"{count} records"

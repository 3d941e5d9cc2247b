"""Warehouse: a folder of immutable Parquet parts and a ledger that says which of them count, opened for questions.

warehouse/
  deals/<part>.parquet        one row a deal
  findings/<part>.parquet     one row a finding of the deal pass
  quarantine/<part>.parquet   one row a record that could not be read; only where there is one
  ledger/<file>.parquet       one row an input file; its presence is the commit
  derived/<table>/…           rebuilt from the parts (see belot_stats.derived); may be deleted
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from belot_stats.errors import WarehouseError
from belot_stats.ledger import Ledger, LedgerRow, PartUse, hash_of, part_name, part_uses
from belot_stats.relations import relation_names, relation_sql
from belot_stats.scans import PartFile, add_parts_view
from belot_stats.schema import ENGINE_VERSION, schema, schema_version, table_names
from belot_stats.storage import Storage, open_storage

if TYPE_CHECKING:
    import duckdb

__all__ = ["ENGINE_VERSION", "Warehouse", "open_warehouse", "schema", "schema_version", "table_names"]

FOLDERS = ("deals", "findings", "quarantine", "ledger", "derived")
DERIVED_TABLES = ("duplicates", "standings", "matches", "match_findings")
BUCKETS = 64  # of matches, by a hash of source and match; more in a warehouse of more deals
BUCKET_DEALS = 500_000  # with more of them a bucket on average, there are twice as many buckets
MEMORY_LIMIT = "1GB"
_CONNECTIONS = itertools.count()


class Warehouse:
    """A warehouse at a path.

    >>> Warehouse("nowhere")
    Traceback (most recent call last):
    belot_stats.errors.WarehouseError: nowhere: there is no warehouse: name it with --warehouse, or ingest a log
    """

    def __init__(self, path: str | Path, *, create: bool = False, memory_limit: str = MEMORY_LIMIT) -> None:
        """Open the warehouse at *path*: a folder, or a URI such as ``s3://bucket/prefix``.

        create: make it where nothing is there yet; memory_limit: DuckDB's, as in ``"1GB"``.
        Raises: WarehouseError where there is none, or something else.
        """
        self.name = str(path)
        self.storage = open_storage(path)
        self.memory_limit = memory_limit
        self.ledger = Ledger(self.storage)
        self._connection: tuple[str, duckdb.DuckDBPyConnection] | None = None
        self._shown: list[int] | None = None  # buckets that the connection's derived views leave out
        self._relations: set[str] = set()  # that the connection has
        _check_folder(self.storage, self.name, create)
        if create:
            for folder in FOLDERS:
                self.storage.make_folder(folder)

    def __repr__(self) -> str:
        return f"Warehouse({self.name!r})"

    def rows(self) -> list[LedgerRow]:
        """Ledger rows in ledger order. Raises: NewerWarehouseError, WarehouseError."""
        return self.ledger.rows()

    def connection(
        self,
        *,
        refresh: bool = True,
        rows: Sequence[LedgerRow] | None = None,
        relations: Collection[str] | None = None,
    ) -> duckdb.DuckDBPyConnection:
        """DuckDB connection with the raw tables and the relations as views, current with the ledger.

        refresh: bring the match pass up to date first; without it, ``raw_matches``, ``raw_standings`` and
        ``raw_match_findings`` hold only the matches that are up to date. Which copy of a deal counts is always known.
        rows: the ledger, where it has just been read.  relations: those that are needed, each after those it is built
        on; None: all. It takes longer to make them than a small warehouse takes to answer.
        Raises: NewerWarehouseError, WarehouseError.
        """
        from belot_stats import derived

        rows = self.rows() if rows is None else rows
        bring_up_to_date = derived.refresh if refresh else derived.refresh_duplicates
        fingerprints = bring_up_to_date(self, rows)
        shown = derived.stale_buckets(self, fingerprints)
        connection = self.shared_connection(rows)
        if self._shown != shown:
            derived.add_views(self, connection, rows, fingerprints)
            self._shown = shown
        for name in relation_names() if relations is None else relations:
            if name not in self._relations:
                connection.execute(f'create view "{name}" as {relation_sql(name)}')
                self._relations.add(name)
        return connection

    def shared_connection(self, rows: Sequence[LedgerRow]) -> duckdb.DuckDBPyConnection:
        """Connection over the parts that *rows*, the ledger as it is now, name; the same one until that changes."""
        state = hash_of([ledger_key(rows), [row.names for row in rows]])
        if self._connection is None or self._connection[0] != state:
            self.close()
            self._connection = state, self.raw_connection(rows)
        return self._connection[1]

    def raw_connection(
        self, rows: Sequence[LedgerRow], files: Collection[str] | None = None
    ) -> duckdb.DuckDBPyConnection:
        """New DuckDB connection with views over the parts that *rows* name: ``raw_deals``, ``raw_findings``,
        ``raw_quarantine``, each with ``part``, and the tables ``raw_ledger`` and ``part_uses``.

        rows: the whole ledger, in its order.  files: show only the parts of these inputs.
        """
        connection = connect(self.storage.make_spill_folder(), self.memory_limit)
        uses = part_uses(rows)
        shown = [use for use in uses if files is None or use.file in files]
        for table in ("deals", "findings", "quarantine"):
            parts = [
                PartFile(use.alias, part_name(table, use.part), use.version)
                for use in shown
                if table != "quarantine" or use.quarantined
            ]
            add_parts_view(connection, f"raw_{table}", self.storage, table, parts)
        add_ledger(connection, rows, uses)
        add_macros(connection, bucket_count(rows))
        return connection

    def sql(
        self, query: str, params: Mapping[str, Any] | Sequence[Any] | None = None, *, refresh: bool = True
    ) -> duckdb.DuckDBPyRelation:
        """Result of *query* over the relations (``deals``, ``matches``, ``findings`` …) and raw tables.

        params: values of ``$name`` or ``?`` in the query.  refresh: as for :meth:`connection`.
        Raises: NewerWarehouseError, WarehouseError; duckdb.Error for a query that is wrong.
        """
        connection = self.connection(refresh=refresh)
        return connection.sql(query, params=params) if params else connection.sql(query)

    def close(self) -> None:
        """Close the connection; relations made from it can no longer be used."""
        if self._connection is not None:
            self._connection[1].close()
            self._connection = self._shown = None
            self._relations.clear()


def open_warehouse(warehouse: Warehouse | str | Path, *, create: bool = False) -> Warehouse:
    """*warehouse* itself, or the one at that path.

    Raises: WarehouseError.
    """
    return warehouse if isinstance(warehouse, Warehouse) else Warehouse(warehouse, create=create)


def bucket_count(rows: Sequence[LedgerRow]) -> int:
    """Number of buckets of the matches in a warehouse with these ledger rows."""
    deals, count = sum(row.stored for row in rows), BUCKETS
    while deals > count * BUCKET_DEALS:
        count *= 2
    return count


def is_stale(stale: Sequence[int]) -> list[bool]:
    """For ``is_among``: whether each bucket, from 0 on, is one of *stale*."""
    return [bucket in stale for bucket in range(max(stale, default=-1) + 1)]


def _check_folder(storage: Storage, name: str, create: bool) -> None:
    if storage.is_folder("ledger"):
        return
    if not storage.exists():
        if not create:
            raise WarehouseError(f"{name}: there is no warehouse: name it with --warehouse, or ingest a log")
    elif not storage.is_folder():
        raise WarehouseError(f"{name}: expected the folder of a warehouse, found a file")
    elif not create or storage.listing("") or storage.folders(""):
        raise WarehouseError(f"{name}: this folder is no warehouse (it has no ledger)")


def connect(folder: str, memory_limit: str, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """New DuckDB connection in memory, with a limit, spilling into a folder of its own under *folder*.

    threads: None for one a processor.
    """
    import duckdb

    spill = f"{folder}/{os.getpid()}-{next(_CONNECTIONS)}"
    config: dict[str, Any] = {"memory_limit": memory_limit, "temp_directory": spill}
    connection = duckdb.connect(
        ":memory:", config=config if threads is None else {**config, "threads": threads}
    )
    connection.execute("set enable_progress_bar = false")  # a long query would draw it among the answers
    return connection


def add_macros(connection: duckdb.DuckDBPyConnection, buckets: int) -> None:
    """Add what queries call: ``bucket_of`` a match, of *buckets*; ``key_of`` a deal; ``is_among`` some buckets."""
    connection.execute(f"create macro bucket_of(s, m) as (hash(s, m) % {buckets})::integer")
    # Strings that differ in two places often have one hash; that two do and both reversed too is chance.
    connection.execute("create macro key_of(s, m, n) as hash(m, reverse(m), s, n)")
    connection.execute("create macro is_among(flags, bucket) as coalesce(flags[bucket + 1], false)")


def add_ledger(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[LedgerRow], uses: Sequence[PartUse]
) -> None:
    """Make the tables ``raw_ledger``, whose chunks name parts as the views do, and ``part_uses``."""
    from datetime import datetime

    import msgspec
    import pyarrow as pa

    from belot_stats.schema import table_of

    aliases = iter(uses)
    plain = [msgspec.to_builtins(row, builtin_types=(datetime,)) for row in rows]
    for chunk in (chunk for row in plain for chunk in row["chunks"]):
        chunk["part"] = next(aliases).alias
    add_table(connection, "raw_ledger", table_of("ledger", plain))
    columns = dict.fromkeys(("alias", "part", "file", "version"), pa.string())
    counts = {name: pa.int64() for name in PartUse.__struct_fields__ if name not in columns}
    add_table(
        connection,
        "part_uses",
        pa.Table.from_pylist([msgspec.to_builtins(use) for use in uses], pa.schema({**columns, **counts})),
    )


def add_table(connection: duckdb.DuckDBPyConnection, name: str, table: Any) -> None:
    """Make the DuckDB table *name* of an Arrow table."""
    connection.register("added_arrow", table)
    connection.execute(f"create or replace table {name} as from added_arrow")
    connection.unregister("added_arrow")


def ledger_key(rows: Sequence[LedgerRow]) -> str:
    """Hash of all that the ledger says about which records count, and in which order."""
    return hash_of(
        [
            [
                row.file,
                row.finished_at.isoformat(),
                [[c.part, c.first_line, c.stored, c.quarantined] for c in row.chunks],
            ]
            for row in rows
        ]
    )


def stream_rows(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    batch_rows: int,
    params: Mapping[str, Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """Rows of *query* as dicts, of which *batch_rows* are in memory at a time."""
    relation = connection.sql(query, params=params) if params else connection.sql(query)
    for batch in relation.to_arrow_reader(batch_rows):
        yield from batch.to_pylist()

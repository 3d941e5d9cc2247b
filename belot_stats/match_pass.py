"""The match pass: the deals of each match that count, in order of their numbers, through the match checker.

In a small warehouse deals stream out of DuckDB ordered by bucket and match. In a large one they are sorted into their
buckets in columns, and a compiled loop follows the matches of a bucket: one in which everything agrees is done with
that, and only the others go through the match checker.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Any

from belot_stats.derived import Fingerprints, add_views
from belot_stats.executors import map_ahead
from belot_stats.ledger import LedgerRow
from belot_stats.match_output import BucketOutput, Row, checked_columns
from belot_stats.ruleset import RuleSet, ruleset_from_values
from belot_stats.warehouse import Warehouse, add_table, is_stale, stream_rows

if TYPE_CHECKING:
    import duckdb

    from belot_stats.match_buckets import CleanTables

COLUMN_DEALS = 20_000  # fewer are followed one by one before the compiled loop is loaded
_BATCH_ROWS = 5_000
_PACKED_ROWS = 200_000
_THREADS = 2  # each has a bucket in memory
_PROGRESS_EVERY = 200  # matches
_DEALS_SQL = """
    select bucket_of(d.source, d.match) as bucket, {columns}, u.file, l.format,
        u.first_line + d.line - 1 as line, d.rules_hash, d.started, d.finding_count
    from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
    where is_among($stale, bucket_of(d.source, d.match)) {more}
        and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    order by bucket, d.source, d.match, d.deal"""
_PACKED_SQL = """
    select bucket_of(d.source, d.match) as bucket, {columns} from raw_deals as d
    where is_among($stale, bucket_of(d.source, d.match)) {more}"""
_NO_COPIES = """
    and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)"""
_DOUBTFUL = "and (d.source, d.match) in (select (source, match) from doubtful)"
_COPIES_SQL = """
    with counting as (
        select d.source, d.match, d.deal, l.names[1] as name, u.file, u.first_line + d.line - 1 as line
        from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
        where (d.source, d.match, d.deal) in (select (source, match, deal) from raw_duplicates)
            and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    )
    select d.source, d.match, d.deal, d.reason, u.file, u.first_line + d.line - 1 as line,
        if(c.file = u.file, 'line ' || c.line, 'line ' || c.line || ' of ' || c.name) as other
    from raw_duplicates as d join part_uses as u on d.part = u.alias join counting as c using (source, match, deal)
    where d.reason in ('duplicate', 'conflict') and is_among($stale, bucket_of(d.source, d.match))
    order by d.source, d.match, d.deal, u.place, d.line"""
# What a record that could not be read says of its place, as far as its text can be made out.
_UNREADABLE_SQL = r"""
    with texts as (
        select q.part, q.line, try(decode(q.raw)) as text from raw_quarantine as q where octet_length(q.raw) < 100000
    ),
    placed as (
        select regexp_extract(text, '"source"\s*:\s*"([^"\\]*)"', 1) as source,
            regexp_extract(text, '"match"\s*:\s*"([^"\\]*)"', 1) as match,
            try_cast(regexp_extract(text, '"deal"\s*:\s*"?(\d{1,9})', 1) as bigint) as deal, part, line
        from texts where text is not null
    )
    select p.source, p.match, p.deal, min(u.first_line + p.line - 1) as line
    from placed as p join part_uses as u on p.part = u.alias
    where p.deal is not null and is_among($stale, bucket_of(p.source, p.match))
    group by all"""

Key = tuple[str, str]  # source, match


def run_match_pass(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow],
    fingerprints: Fingerprints,
    stale: Sequence[int],
    progress: Callable[[int], object] | None,
    column_deals: int = COLUMN_DEALS,
) -> None:
    """Write the derived tables standings, matches and match_findings of the *stale* buckets.

    column_deals: deals in the warehouse from which on they are followed in columns; what is written is the same.
    Raises: WarehouseError.
    """
    connection = warehouse.shared_connection(rows)
    add_views(warehouse, connection, rows, fingerprints)
    run = _Run(warehouse, rows, connection, fingerprints, stale, progress)
    if sum(row.stored for row in rows) < column_deals:
        run.follow_one_by_one()
    else:
        run.follow_in_columns()
    if progress is not None:
        progress(run.done)


class _Run:
    """One run of the match pass, and what is known of all its matches."""

    def __init__(
        self,
        warehouse: Warehouse,
        rows: Sequence[LedgerRow],
        connection: duckdb.DuckDBPyConnection,
        fingerprints: Fingerprints,
        stale: Sequence[int],
        progress: Callable[[int], object] | None,
    ) -> None:
        self._warehouse, self._connection = warehouse, connection
        self._fingerprints, self._progress = fingerprints, progress
        self._rulesets = rulesets_of(rows)
        self._params = {"stale": is_stale(stale)}
        self._copies = _copies_by_match(connection, self._params)
        self._unreadable = _unreadable_by_match(connection, self._params)
        self._loading = Lock()  # one thread alone loads the compiled loop
        self.done = 0

    def follow_one_by_one(self, more: str = "", clean: CleanTables | None = None) -> None:
        """Every match through the match checker.

        more: a condition that its deals fulfil.  clean: rows of other matches, to be written with them.
        """
        query = _DEALS_SQL.format(columns=", ".join(f"d.{name}" for name in checked_columns()), more=more)
        deals_in_order = stream_rows(self._connection, query, _BATCH_ROWS, self._params)
        for bucket, deals in groupby(deals_in_order, key=lambda row: row["bucket"]):
            output = self._output(bucket)
            if clean is not None:
                output.add_clean(*clean.take(bucket))
            for key, match in groupby(deals, key=lambda row: (row["source"], row["match"])):
                copies, unreadable = self._copies.get(key, []), self._unreadable.get(key, {})
                output.add_match(key, list(match), copies, unreadable, self._rulesets)
                self._count(1)
            output.write()

    def _output(self, bucket: int) -> BucketOutput:
        return BucketOutput(self._warehouse, bucket, self._fingerprints[bucket])

    def _count(self, matches: int) -> None:
        before = self.done // _PROGRESS_EVERY
        self.done += matches
        if self._progress is not None and self.done // _PROGRESS_EVERY > before:
            self._progress(self.done)

    def follow_in_columns(self) -> None:
        """Every match through the compiled loop; what it leaves through the match checker."""
        import pyarrow as pa

        from belot_stats.match_buckets import CleanTables, bucket_tables, spill_folder

        storage, doubtful = self._warehouse.storage, []
        with spill_folder(storage) as folder, ThreadPoolExecutor(_THREADS) as pool:
            clean = CleanTables(storage, folder)
            tables = bucket_tables(storage, folder, map_ahead(pool, self._pack, self._stored()))
            follow = partial(self._follow_bucket, clean=clean)
            for matches, left in map_ahead(pool, follow, tables):
                self._count(matches)
                doubtful.append(left)
            if any(map(len, doubtful)):
                add_table(self._connection, "doubtful", pa.concat_tables(doubtful))
                self.follow_one_by_one(_DOUBTFUL, clean)

    def _stored(self) -> Iterator[Any]:
        """What :func:`pack` needs, of all deals that count."""
        from belot_stats.match_packing import packed_columns_sql

        (has_copies,) = self._connection.execute("select count(*) > 0 from raw_duplicates").fetchall()[0]
        query = _PACKED_SQL.format(columns=packed_columns_sql(), more=_NO_COPIES if has_copies else "")
        yield from self._connection.sql(query, params=self._params).to_arrow_reader(_PACKED_ROWS)

    def _pack(self, batch: Any) -> list[tuple[int, Any]]:
        from belot_stats.match_buckets import split
        from belot_stats.match_packing import pack

        return split(pack(batch, list(self._rulesets)))

    def _follow_bucket(self, item: tuple[int, Any], clean: CleanTables) -> tuple[int, Any]:
        """Write the bucket, or keep it in *clean* while it is not whole.

        Returns: number of its clean matches, and source and match of the others.
        """
        from belot_stats import match_columns as columns
        from belot_stats.match_packing import unpack
        from belot_stats.rules.batch import follow_matches
        from belot_stats.rules.match_rows import DOUBTFUL

        bucket, table = item[0], columns.in_order(item[1])
        first, rulesets = columns.first_rows(table), list(self._rulesets.values())
        deals = unpack(table["packed"].chunk(0))
        with self._loading:
            found = follow_matches(rulesets, deals, first)
        if self._copies:
            found.status[columns.matches_among(table, first, self._copies)] = DOUBTFUL
        left = columns.match_keys(table, first[:-1][found.status == DOUBTFUL])
        standings, matches = columns.clean_tables(table, deals, first, found, rulesets)
        if len(left):
            clean.keep(bucket, standings, matches)
        else:
            output = self._output(bucket)
            output.add_clean(standings, matches)
            output.write()
        return len(matches), left


def _copies_by_match(
    connection: duckdb.DuckDBPyConnection, params: Mapping[str, Any]
) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for row in stream_rows(connection, _COPIES_SQL, _BATCH_ROWS, params):
        found.setdefault((row["source"], row["match"]), []).append(row)
    return found


def _unreadable_by_match(
    connection: duckdb.DuckDBPyConnection, params: Mapping[str, Any]
) -> dict[Key, dict[int, int]]:
    """Deals in quarantine: number -> line, a match."""
    found: dict[Key, dict[int, int]] = {}
    for row in stream_rows(connection, _UNREADABLE_SQL, _BATCH_ROWS, params):
        found.setdefault((row["source"], row["match"]), {})[row["deal"]] = row["line"]
    return found


def rulesets_of(rows: Sequence[LedgerRow]) -> dict[str, RuleSet]:
    """Rule sets that the ledger names: hash -> rules.

    A hash that the values no longer give (a parameter was added since) still finds its values.
    """
    named = {item.hash: item for row in rows for item in row.rulesets}
    return {key: ruleset_from_values(item.name, json.loads(item.values)) for key, item in named.items()}

"""The match pass: the deals of each match that count, in order of their numbers, through the match checker.

In a small warehouse deals stream out of DuckDB ordered by bucket and match. In a large one tasks (see
:mod:`belot_stats.match_tasks`) sort them into their buckets in columns, and a compiled loop follows the matches of a
bucket: one in which everything agrees is done with that, and only the others go through the match checker. What is
written is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from belot_stats import match_tasks as tasks
from belot_stats.derived import Fingerprints, add_views
from belot_stats.ledger import LedgerRow, part_uses
from belot_stats.match_output import BucketOutput
from belot_stats.parts import part_name
from belot_stats.ruleset import RuleSet, ruleset_from_values
from belot_stats.shuffle import open_shuffle, split
from belot_stats.warehouse import Warehouse, bucket_count, is_stale, stream_rows
from belot_stats.work import Work, open_work

if TYPE_CHECKING:
    import duckdb

COLUMN_DEALS = (
    20_000  # fewer are followed one by one, before processes are started and the compiled loop is loaded
)
SLICE_DEALS = 125_000
SLICE_DEALS_MOST = 500_000  # 100 MB in memory
_SLICES = 400  # more only of the largest slices
_BATCH_ROWS = 5_000
_TABLE_ROWS = 100_000
_PROGRESS_EVERY = 200  # matches
_COPIES_SQL = """
    with counting as (
        select d.source, d.match, d.deal, l.names[1] as name, u.file, u.first_line + d.line - 1 as line
        from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
        where (d.source, d.match, d.deal) in (select (source, match, deal) from raw_duplicates)
            and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    )
    select bucket_of(d.source, d.match) as bucket, d.source, d.match, d.deal, d.reason, u.file,
        u.first_line + d.line - 1 as line,
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
    select bucket_of(p.source, p.match) as bucket, p.source, p.match, p.deal, min(u.first_line + p.line - 1) as line
    from placed as p join part_uses as u on p.part = u.alias
    where p.deal is not null and is_among($stale, bucket_of(p.source, p.match))
    group by all"""


class MatchProgress(NamedTuple):
    """How far a match pass is: the share that is done, None where nobody knows, and matches followed so far."""

    share: float | None
    matches: int


class Workers(msgspec.Struct, frozen=True, kw_only=True):
    """Where the tasks of a large warehouse are done; as for :func:`belot_stats.ingest.ingest`."""

    jobs: int = 1
    executor: Executor | None = None
    scheduler: str | None = None

    @property
    def is_asked_for(self) -> bool:
        """An executor or a cluster is named, so it is to do the work whatever there is of it."""
        return self.executor is not None or self.scheduler is not None


Progress = Callable[[MatchProgress], object]
HERE = Workers()


def run_match_pass(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow],
    fingerprints: Fingerprints,
    stale: Sequence[int],
    progress: Progress | None = None,
    workers: Workers = HERE,
    column_deals: int = COLUMN_DEALS,
    slice_deals: int | None = None,
) -> None:
    """Write the derived tables standings, matches and match_findings of the *stale* buckets.

    column_deals: deals in the warehouse from which on they are followed in columns.  slice_deals: how many a task
    packs.  Neither changes what is written.
    Raises: WarehouseError, WorkerError, UsageError.
    """
    connection = warehouse.shared_connection(rows)
    add_views(warehouse, connection, rows, fingerprints)
    run = _Run(warehouse, rows, connection, fingerprints, stale, progress)
    deals = sum(row.stored for row in rows)
    if deals < column_deals and not workers.is_asked_for:
        run.follow_one_by_one()
    else:
        run.follow_in_columns(
            workers, slice_deals or min(max(deals // _SLICES, SLICE_DEALS), SLICE_DEALS_MOST)
        )


class _Run:
    """One run of the match pass, and what is known of all its matches."""

    def __init__(
        self,
        warehouse: Warehouse,
        rows: Sequence[LedgerRow],
        connection: duckdb.DuckDBPyConnection,
        fingerprints: Fingerprints,
        stale: Sequence[int],
        progress: Progress | None,
    ) -> None:
        self._warehouse, self._rows, self._connection = warehouse, rows, connection
        self._fingerprints, self._progress = fingerprints, progress
        self._rulesets = rulesets_of(rows)
        self._params = {"stale": is_stale(stale)}
        self._matches = 0

    def follow_one_by_one(self) -> None:
        """Every match through the match checker."""
        copies = tasks.copies_by_match(self._stream(_COPIES_SQL))
        unreadable = tasks.lines_by_match(self._stream(_UNREADABLE_SQL))
        query = f"{tasks.whole_deals_sql()} order by bucket, d.source, d.match, d.deal"
        for bucket, deals in groupby(self._stream(query), key=lambda row: row["bucket"]):
            output = BucketOutput(self._warehouse.storage, bucket, self._fingerprints[bucket])
            tasks.check_matches(output, deals, copies, unreadable, self._rulesets, self._count)
            output.write()
        self._tell(None)

    def _stream(self, query: str) -> Iterator[dict[str, Any]]:
        return stream_rows(self._connection, query, _BATCH_ROWS, self._params)

    def _count(self) -> None:
        self._matches += 1
        if self._matches % _PROGRESS_EVERY == 0:
            self._tell(None)

    def _tell(self, share: float | None) -> None:
        if self._progress is not None:
            self._progress(MatchProgress(share, self._matches))

    def follow_in_columns(self, workers: Workers, slice_deals: int) -> None:
        """Every match through the compiled loop; what it leaves through the match checker."""
        slices, jobs = slices_of(self._rows, slice_deals), workers.jobs
        storage = self._warehouse.storage
        with (
            open_shuffle(storage) as shuffle,
            open_work(min(jobs, len(slices)), workers.executor, workers.scheduler) as work,
        ):
            work.check(storage)
            settings = tasks.Settings(
                shuffle=shuffle,
                buckets=bucket_count(self._rows),
                stale=self._params["stale"],
                rulesets=self._rulesets,
                fingerprints=dict(self._fingerprints),
            )
            _Columns(settings, slices, work, self._connection, self._tell_columns).run()

    def _tell_columns(self, share: float, matches: int) -> None:
        self._matches = matches
        self._tell(share)


class _Columns:
    """The tasks of one run, stage after stage."""

    def __init__(
        self,
        settings: tasks.Settings,
        slices: Sequence[tasks.Slice],
        work: Work,
        connection: duckdb.DuckDBPyConnection,
        tell: Callable[[float, int], object],
    ) -> None:
        self._settings, self._slices, self._work = settings, slices, work
        self._connection, self._tell = connection, tell
        self._deals = max(sum(piece.deals for piece in slices), 1)
        self._matches = 0

    def run(self) -> None:
        """Write all buckets."""
        dropped, copies, unreadable = self._leave_dropped(), self._leave(tasks.COPIES, _COPIES_SQL), {}
        senders = self._pack(dropped)
        doubtful = self._follow(senders, copies)
        if doubtful:
            unreadable = self._leave(tasks.UNREADABLE, _UNREADABLE_SQL)
            self._check(self._gather(dropped, doubtful), copies, unreadable)
        self._tell(1.0, self._matches)

    def _leave_dropped(self) -> tasks.Senders:
        """Leave the places of deals that do not count for the slices that they are in."""
        import numpy as np

        slice_of = {alias: piece.number for piece in self._slices for alias, _ in piece.parts}
        query = "select part, line, byte from raw_duplicates where is_among($stale, bucket_of(source, match))"

        def receivers(table: Any) -> Any:
            parts = table["part"].combine_chunks().dictionary_encode()
            numbers = np.array([slice_of[part] for part in parts.dictionary.to_pylist()], dtype=np.int64)
            return numbers[parts.indices.to_numpy()]

        return self._leave(tasks.DROPPED, query, receivers)

    def _leave(
        self,
        kind: str,
        query: str,
        receivers: Callable[[Any], Any] = lambda table: table["bucket"].to_numpy(),
    ) -> tasks.Senders:
        """Leave the answer to *query* for *receivers*, the buckets of its rows. Returns: who has left some for each."""
        import pyarrow as pa

        senders: tasks.Senders = {}
        relation = self._connection.sql(query, params={"stale": self._settings.stale})
        for number, batch in enumerate(relation.to_arrow_reader(_TABLE_ROWS)):
            table = pa.Table.from_batches([batch])
            left = self._settings.shuffle.write(kind, number, split(table, receivers(table)))
            _add_sender(senders, number, left)
        return senders

    def _pack(self, dropped: tasks.Senders) -> tasks.Senders:
        """Pack all slices. Returns: slices that have left deals, a bucket."""
        calls = ((self._settings, piece, dropped.get(piece.number, [])) for piece in self._slices)
        senders: tasks.Senders = {}
        done = 0
        for piece, left in zip(self._slices, self._work.in_order(tasks.pack_slice, calls), strict=True):
            _add_sender(senders, piece.number, left)
            done += piece.deals
            self._tell(done / self._deals / 2, 0)
        return dict(sorted(senders.items()))

    def _follow(self, senders: tasks.Senders, copies: tasks.Senders) -> tasks.Senders:
        """Follow the matches of all buckets. Returns: buckets with matches that are not clean, a slice."""
        calls = ((self._settings, group, _of(copies, group)) for group in _groups(senders, len(self._slices)))
        doubtful: tasks.Senders = {}
        done = 0
        for found in self._work.in_order(tasks.follow_buckets, calls):
            for item in found:
                _add_sender(doubtful, item.bucket, item.doubtful)
                self._matches += item.clean
                done += item.deals
            self._tell(0.5 + done / self._deals / 2, self._matches)
        return doubtful

    def _gather(self, dropped: tasks.Senders, doubtful: tasks.Senders) -> tasks.Senders:
        """Gather the deals of matches that are not clean. Returns: slices that have left some, a bucket."""
        pieces = [piece for piece in self._slices if piece.number in doubtful]
        calls = (
            (self._settings, piece, dropped.get(piece.number, []), doubtful[piece.number]) for piece in pieces
        )
        senders: tasks.Senders = {}
        for piece, left in zip(pieces, self._work.in_order(tasks.gather_slice, calls), strict=True):
            _add_sender(senders, piece.number, left)
        return dict(sorted(senders.items()))

    def _check(self, senders: tasks.Senders, copies: tasks.Senders, unreadable: tasks.Senders) -> None:
        """Take the matches that are not clean through the match checker."""
        calls = (
            (self._settings, {bucket: slices}, _of(copies, [bucket]), _of(unreadable, [bucket]))
            for bucket, slices in senders.items()
        )
        for count in self._work.in_order(tasks.check_buckets, calls):
            self._matches += count
            self._tell(1.0, self._matches)


def slices_of(rows: Sequence[LedgerRow], deals: int) -> list[tasks.Slice]:
    """The parts that *rows* name, in their order, in slices of no fewer than *deals* deals, but for the last."""
    format_of = {row.file: row.format for row in rows}
    slices: list[tasks.Slice] = []
    uses = [use for use in part_uses(rows) if use.stored]
    while uses:
        taken, count = 0, 0
        while taken < len(uses) and count < deals:
            count += uses[taken].stored
            taken += 1
        piece, uses = uses[:taken], uses[taken:]
        slices.append(
            tasks.Slice(
                number=len(slices),
                parts=[(use.alias, part_name("deals", use.part)) for use in piece],
                uses=[(use.alias, use.file, use.first_line) for use in piece],
                formats={use.file: format_of[use.file] for use in piece},
                deals=count,
            )
        )
    return slices


def _add_sender(senders: tasks.Senders, sender: int, receivers: Mapping[int, int]) -> None:
    for receiver in receivers:
        senders.setdefault(receiver, []).append(sender)


def _of(senders: tasks.Senders, receivers: Sequence[int] | Mapping[int, object]) -> tasks.Senders:
    return {receiver: senders[receiver] for receiver in receivers if receiver in senders}


def _groups(senders: tasks.Senders, count: int) -> Iterator[tasks.Senders]:
    """The buckets that are keys of *senders*, in about *count* groups."""
    buckets = list(senders)
    size = -(-len(buckets) // max(count, 1))
    for start in range(0, len(buckets), size):
        yield {bucket: senders[bucket] for bucket in buckets[start : start + size]}


def rulesets_of(rows: Sequence[LedgerRow]) -> dict[str, RuleSet]:
    """Rule sets that the ledger names: hash -> rules.

    A hash that the values no longer give (a parameter was added since) still finds its values.
    """
    named = {item.hash: item for row in rows for item in row.rulesets}
    return {key: ruleset_from_values(item.name, json.loads(item.values)) for key, item in named.items()}

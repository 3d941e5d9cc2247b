"""The match pass: the deals of each match that count, in order of their numbers, through the match checker.

In a small warehouse deals stream out of DuckDB ordered by bucket and match. In a large one tasks (see
:mod:`belot_stats.match_tasks`) sort them into their buckets in columns, and a compiled loop follows the matches of a
bucket: one in which everything agrees is done with that, and only the others go through the match checker. What is
written is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from belot_stats import match_tasks as tasks
from belot_stats.derived import Fingerprints, add_views
from belot_stats.ledger import LedgerRow
from belot_stats.match_output import BucketOutput
from belot_stats.match_stages import COPIES_SQL, UNREADABLE_SQL, Stages, slices_of
from belot_stats.ruleset import RuleSet, ruleset_from_values
from belot_stats.shuffle import open_shuffle
from belot_stats.warehouse import Warehouse, bucket_count, is_stale, stream_rows
from belot_stats.work import open_work

if TYPE_CHECKING:
    import duckdb

COLUMN_DEALS = 20_000  # fewer are followed one by one: no process is started, no compiled loop loaded
SLICE_DEALS = 250_000
SLICE_DEALS_MOST = 500_000
_SLICES = 400  # more only of the largest slices
_BATCH_ROWS = 5_000
_PROGRESS_EVERY = 200  # matches


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
        copies = tasks.copies_by_match(self._stream(COPIES_SQL))
        unreadable = tasks.lines_by_match(self._stream(UNREADABLE_SQL))
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
            Stages(settings, slices, work, self._connection, self._tell_columns).run()

    def _tell_columns(self, share: float, matches: int) -> None:
        self._matches = matches
        self._tell(share)


def rulesets_of(rows: Sequence[LedgerRow]) -> dict[str, RuleSet]:
    """Rule sets that the ledger names: hash -> rules.

    A hash that the values no longer give (a parameter was added since) still finds its values.
    """
    named = {item.hash: item for row in rows for item in row.rulesets}
    return {key: ruleset_from_values(item.name, json.loads(item.values)) for key, item in named.items()}

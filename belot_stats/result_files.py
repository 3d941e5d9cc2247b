"""Results of simulated deals alone, in one Parquet file: for who counts and needs neither calls nor cards.

Columns have the names and types of the table ``deals``, but what is a list of a number a side there has a column of
its own for each side here. A row group holds 122,880 deals or the deals of 8,192 matches, whoever makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from belot_stats.interrupts import stop_if_interrupted
from belot_stats.row_tables import OUTCOMES, number_array
from belot_stats.rules.table import side_count
from belot_stats.ruleset import RuleSet
from belot_stats.schema import ROW_GROUP_ROWS, parquet_options, schema
from belot_stats.simulated_rows import has_loop, made_rows, room_of, seat_policies
from belot_stats.simulator.job import SimulationJob
from belot_stats.work import open_work

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows

PIECES = {"deals": ROW_GROUP_ROWS, "matches": 8_192}
ROWS_AT_A_TIME = 64  # 29 KB, which the processor's cache holds
SIDE_COLUMNS = ("tricks_won", "card_points", "declaration_points", "belote_points", "points", "score")
COLUMNS = ("dealer", "contract", "level", "declarer", "outcome", "capot_side", "hanging")


def write_results(
    job: SimulationJob,
    numbers: range,
    stream: BinaryIO,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Write the results of the deals *numbers* to *stream*, on so many processors.

    progress: called with the number of deals written so far.  Returns: that number at the end.
    Raises: UsageError as the simulator does; WorkerError.
    """
    import pyarrow.parquet as pq

    kind, size, count = results_schema(job), PIECES[job.unit], 0
    starts = range(numbers.start - numbers.start % size, numbers.stop, size)
    pieces = (range(max(start, numbers.start), min(start + size, numbers.stop)) for start in starts)
    room_of(job, numbers)
    with (
        _threads(job, jobs) as threads,
        open_work(jobs, threads) as work,
        pq.ParquetWriter(stream, kind, store_schema=False, **parquet_options(kind)) as writer,
    ):
        for table in work.in_order(results_table, ((job, piece) for piece in pieces)):
            writer.write_table(table, row_group_size=max(table.num_rows, 1))
            count += table.num_rows
            if progress is not None:
                progress(count)
    return count


@contextmanager
def _threads(job: SimulationJob, jobs: int) -> Iterator[Executor | None]:
    """Threads for compiled loops, which run beside each other in one process; others need processes."""
    if jobs <= 1 or not has_loop(job):
        yield None
        return
    with ThreadPoolExecutor(jobs) as threads:
        yield threads


def results_schema(job: SimulationJob) -> pa.Schema:
    """Columns of the results of *job*; of single deals, ``deal`` is the number that they were made by."""
    import pyarrow as pa

    deals = schema("deals")
    words = pa.dictionary(pa.int8(), pa.string())
    places = [pa.field("deal", pa.int64(), nullable=False)]
    if job.unit == "matches":
        places.insert(0, pa.field("match", pa.int64(), nullable=False))
    fields = [deals.field(name).remove_metadata() for name in COLUMNS]
    fields = [field.with_type(words) if field.name == "outcome" else field for field in fields]
    sides = [
        pa.field(f"{name}_{side}", deals.field(name).type.value_type, nullable=False)
        for name in SIDE_COLUMNS
        for side in range(side_count(job.ruleset))
    ]
    return pa.schema([*places, *fields, *sides])


def results_table(job: SimulationJob, numbers: range) -> pa.Table:
    """Results of the deals *numbers*, with the columns of :func:`results_schema`.

    Raises: UsageError as the simulator does.
    """
    room_of(job, numbers)
    return _by_loop(job, numbers) if has_loop(job) else _one_by_one(job, numbers)


class _Results(NamedTuple):
    """Columns as :func:`belot_stats.rules.batch_results.fill_results` fills them, and the numbers of the deals."""

    small: Any
    hanging: Any
    tricks_won: Any
    points: Any
    match: Any
    deal: Any


def _empty(rules: RuleSet, count: int) -> _Results:
    from belot_stats.rules.batch_results import POINTS, SMALL

    sides = side_count(rules)
    return _Results(
        small=np.empty((len(SMALL), count), dtype=np.uint8),
        hanging=np.empty(count, dtype=np.int32),
        tricks_won=np.empty((sides, count), dtype=np.uint8),
        points=np.empty((len(POINTS), sides, count), dtype=np.int32),
        match=np.empty(count, dtype=np.int64),
        deal=np.empty(count, dtype=np.int64),
    )


def _by_loop(job: SimulationJob, numbers: range) -> pa.Table:
    if job.unit == "deals":
        results = _empty(job.ruleset, len(numbers))
        results.deal[:] = np.arange(numbers.start, numbers.stop)
        stop_if_interrupted()
        _make(job, numbers.start, results)
        return _table(job, results)
    return _matches_by_loop(job, numbers)


def _matches_by_loop(job: SimulationJob, numbers: range) -> pa.Table:
    import pyarrow as pa

    tables = [results_schema(job).empty_table()]
    for rows, standings in made_rows(job, numbers):
        stop_if_interrupted()
        results = _empty(job.ruleset, len(rows))
        results.match[:], results.deal[:] = standings["match"], standings["deal"]
        _fill(job, results, rows, 0)
        tables.append(_table(job, results))
    return pa.concat_tables(tables).combine_chunks()


def _make(job: SimulationJob, first_deal: int, results: _Results) -> None:
    """Results of the single deals from *first_deal* on."""
    from belot_stats.rules.batch_results import make_results
    from belot_stats.rules.compiling import rules_record
    from belot_stats.rules.deal_rows import DEAL, new_workspace

    policy = seat_policies(job.policy, job.ruleset.players) or None
    place = np.uint64(job.seed), np.uint64(first_deal), side_count(job.ruleset)
    space = np.zeros(ROWS_AT_A_TIME, dtype=DEAL), new_workspace(job.ruleset)
    columns = results.small, results.hanging, results.tricks_won, results.points
    make_results(rules_record(job.ruleset), policy, *place, *space, *columns)


def _fill(job: SimulationJob, results: _Results, rows: Rows, first: int) -> None:
    from belot_stats.rules.batch_results import fill_results

    columns = results.small, results.hanging, results.tricks_won, results.points
    fill_results(side_count(job.ruleset), rows, first, *columns)


def _table(job: SimulationJob, results: _Results) -> pa.Table:
    import pyarrow as pa

    from belot_stats.rules.batch_columns import ABSENT
    from belot_stats.rules.batch_results import POINTS, SMALL

    columns = {"hanging": number_array(results.hanging), "deal": number_array(results.deal)}
    columns["match"] = number_array(results.match)
    columns |= {
        name: number_array(values, values != ABSENT)
        for name, values in zip(SMALL, results.small, strict=True)
    }
    codes = results.small[SMALL.index("outcome")].view(np.int8)
    columns["outcome"] = pa.DictionaryArray.from_arrays(codes, list(OUTCOMES))
    for name, values in zip(("tricks_won", *POINTS), (results.tricks_won, *results.points), strict=True):
        columns |= {f"{name}_{side}": number_array(own) for side, own in enumerate(values)}
    kind = results_schema(job)
    return pa.Table.from_arrays([columns[name] for name in kind.names], schema=kind)


def _one_by_one(job: SimulationJob, numbers: range) -> pa.Table:
    """The same of deals that no loop makes."""
    import pyarrow as pa

    from belot_stats.checker import check_deal

    kind, rows = results_schema(job), []
    number = numbers.start - 1
    for deal in job(numbers):
        stop_if_interrupted()
        number += deal.deal == 1
        computed = check_deal(deal, job.ruleset).computed
        row = {name: getattr(computed, name) for name in COLUMNS if name != "dealer"}
        for name in SIDE_COLUMNS:
            row |= {f"{name}_{side}": value for side, value in enumerate(getattr(computed, name))}
        place = {"match": number, "deal": deal.deal} if job.unit == "matches" else {"deal": number}
        rows.append({"dealer": deal.dealer, **place, **row, "outcome": row["outcome"]})
    outcomes = pa.array([OUTCOMES.index(row["outcome"]) for row in rows], pa.int8())
    columns = [
        pa.DictionaryArray.from_arrays(outcomes, list(OUTCOMES))
        if field.name == "outcome"
        else pa.array([row[field.name] for row in rows], field.type)
        for field in kind
    ]
    return pa.Table.from_arrays(columns, schema=kind)

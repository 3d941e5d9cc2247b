"""Summaries: first steps of reports, kept as derived files, so that a report over millions of deals counts none again.

A summary is a query of ``reports/summaries`` over the relations, with parameters of the reports that read it by its
name. Its rows for the default parameters are kept in a file named by all that they depend on, so a file that is there
is up to date. Reports that ask for other parameters, and those over few deals, have it made when they ask.

    derived/summaries/<summary>-<state>.parquet
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from belot_stats.errors import ReportError, WarehouseError
from belot_stats.ledger import LedgerRow, hash_of
from belot_stats.object_storage import store_error
from belot_stats.relations import relation_names, relation_sql
from belot_stats.report_files import Report, Value, list_reports
from belot_stats.resources import resource, resource_folder
from belot_stats.schema import ENGINE_VERSION, schema_version
from belot_stats.storage import WRITERS_LOCK

if TYPE_CHECKING:
    import duckdb

    from belot_stats.derived import Fingerprints
    from belot_stats.warehouse import Warehouse

FOLDER = "derived/summaries"
KEPT_FROM = 200_000  # deals in a warehouse; fewer are counted as fast as a file is read
KEYS = ("rules", "source")  # parameters that choose rows of a summary, whose columns they are
_BATCH_ROWS = 100_000
_PARAMETER = re.compile(r"\$([a-z_]+)")
_COMMENT = re.compile(r"--.*")
# How many deals the matches of a source have: parameters of summaries beside those of reports.
_NOTHING_KNOWN: dict[str, Any] = {"lone_sources": [], "has_matches": True}
_LONE_SOURCES_SQL = """
    select coalesce(list(source) filter (where is_lone), []), coalesce(bool_or(not is_lone), false)
    from (select source, max(deals) = 1 as is_lone from raw_matches group by source)"""


@cache
def summary_sql(name: str) -> str:
    """The query that the summary *name* is. Raises: ReportError where there is none."""
    try:
        return resource("reports", f"summaries/{name}.sql").read_text(encoding="utf-8").strip().rstrip(";")
    except FileNotFoundError:
        raise ReportError(f"there is no summary {name!r}") from None


@cache
def summary_defaults() -> dict[str, dict[str, Value]]:
    """Summaries of the reports that come with the package: their parameters, and what those are by default."""
    found: dict[str, dict[str, Value]] = {}
    for report in list_reports():
        for name in report.summaries:
            defaults = {key: parameter.default for key, parameter in report.parameters.items()}
            wanted = parameters_of(name)
            found.setdefault(name, {}).update({key: defaults[key] for key in wanted if key in defaults})
    return found


@cache
def parameters_in(sql: str) -> frozenset[str]:
    """Names of the ``$name`` parameters of a query."""
    return frozenset(_PARAMETER.findall(_COMMENT.sub("", sql)))


def parameters_of(name: str) -> list[str]:
    """Parameters of the summary *name*, those aside that say how its deals lie in matches."""
    return sorted(parameters_in(summary_sql(name)) - _NOTHING_KNOWN.keys())


@cache
def reads(name: str) -> tuple[str, ...]:
    """Summaries that the summary *name* is built on."""
    words = set(re.findall(r"\w+", _COMMENT.sub("", summary_sql(name))))
    return tuple(other for other in summary_defaults() if other != name and other in words)


@contextmanager
def summaries_for(
    connection: duckdb.DuckDBPyConnection,
    report: Report,
    values: Mapping[str, Value],
    warehouse: Warehouse | None = None,
    rows: Sequence[LedgerRow] | None = None,
) -> Iterator[None]:
    """The summaries that *report* reads, for these *values* of its parameters, as views in *connection*.

    warehouse: where they may be kept; *rows* are its ledger, as it is in *connection*.
    Raises: ReportError, WarehouseError, duckdb.Error.
    """
    names = [name for name in report.summaries if _is_default(name, values)]
    kept = _kept(warehouse, rows or [], names) if warehouse else {}
    try:
        for name in report.summaries:
            if warehouse and name in kept:
                _show(connection, warehouse, name, kept[name], values)
            else:
                _make(connection, name, values)
        yield
    finally:
        for name in report.summaries:
            connection.execute(f"drop view if exists {name}; drop table if exists made_{name}")


def _is_default(name: str, values: Mapping[str, Value]) -> bool:
    """Whether the rows that are kept of the summary *name* answer for *values*."""
    defaults = summary_defaults().get(name)
    return defaults is not None and all(
        values.get(key, default) == default for key, default in defaults.items() if key not in KEYS
    )


def _kept(warehouse: Warehouse, rows: Sequence[LedgerRow], names: Sequence[str]) -> dict[str, str]:
    """Files of the summaries *names*, made where they are not there yet."""
    if not names or not is_worth_keeping(rows):
        return {}
    try:
        return dict(zip(names, refresh(warehouse, rows, names), strict=True))
    except WarehouseError:  # who may only read has them made each time
        return {}


def _make(connection: duckdb.DuckDBPyConnection, name: str, values: Mapping[str, Value]) -> None:
    asked = {**_NOTHING_KNOWN, **summary_defaults().get(name, {}), **values}
    sql = summary_sql(name)
    connection.execute(f"create or replace temp table made_{name} as {sql}", parameters_for(sql, asked))
    connection.execute(f"create or replace temp view {name} as from made_{name}")


def parameters_for(sql: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of *values* that the query asks for."""
    return {name: value for name, value in values.items() if name in parameters_in(sql)}


def _show(
    connection: duckdb.DuckDBPyConnection,
    warehouse: Warehouse,
    name: str,
    file: str,
    values: Mapping[str, Value],
) -> None:
    import pyarrow.parquet as pq

    from belot_stats.scans import add_files_view, quoted

    with warehouse.storage.open(file) as source:
        columns = pq.read_schema(source)
    add_files_view(connection, f"kept_{name}", warehouse.storage, columns, [file])
    conditions = ["true"]
    if values.get("rules") is not None:
        conditions.append(f"{quoted(str(values['rules']))} in (rules, rules_hash)")
    if values.get("source") is not None:
        conditions.append(f"source = {quoted(str(values['source']))}")
    connection.execute(
        f"create or replace temp view {name} as from kept_{name} where {' and '.join(conditions)}"
    )


def is_worth_keeping(rows: Sequence[LedgerRow]) -> bool:
    """Whether there are so many deals in a warehouse with these ledger rows that summaries are kept."""
    return sum(row.stored for row in rows) >= KEPT_FROM


def refresh(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow] | None = None,
    names: Iterable[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[str]:
    """Bring the summaries *names*, or all, up to date.

    progress: called with the number of summaries made so far, and of all that have to be made.
    Returns: their files.  Raises: WarehouseError.
    """
    import duckdb

    from belot_stats.derived import refresh as refresh_matches

    rows = warehouse.rows() if rows is None else rows
    names = list(summary_defaults() if names is None else names)
    files = summary_files(refresh_matches(warehouse, rows))
    needed = dict.fromkeys(item for name in names for item in (*reads(name), name))
    missing = [name for name in needed if not warehouse.storage.exists(files[name])]
    if missing:
        try:
            with warehouse.storage.lock(WRITERS_LOCK, shared=True):
                _write(warehouse, rows, missing, files, progress)
        except duckdb.Error as problem:
            reason = str(problem).strip().splitlines()[0]
            raise store_error(problem) or WarehouseError(f"a summary was not made: {reason}") from problem
    return [files[name] for name in names]


def summary_files(fingerprints: Fingerprints) -> dict[str, str]:
    """Name in the warehouse of the file of each summary, given the state of all buckets of matches."""
    state = [sorted(fingerprints.items()), ENGINE_VERSION, schema_version(), _relations_hash()]
    return {
        name: f"{FOLDER}/{name}-{hash_of([state, _sql_of(name), defaults])}.parquet"
        for name, defaults in summary_defaults().items()
    }


def _sql_of(name: str) -> list[str]:
    return [summary_sql(item) for item in (*reads(name), name)]


@cache
def _relations_hash() -> str:
    """Of all that summaries are built on."""
    macros = sorted(resource_folder("reports").glob("macros/*.sql"))
    texts = [path.read_text(encoding="utf-8") for path in macros]
    return hash_of([texts, *(relation_sql(name) for name in relation_names())])


def _write(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow],
    names: Sequence[str],
    current: Mapping[str, str],
    progress: Callable[[int, int], object] | None,
) -> None:
    from belot_stats.queries import prepare

    connection = warehouse.connection(rows=rows)
    prepare(connection)
    lone_sources, has_matches = connection.execute(_LONE_SOURCES_SQL).fetchall()[0]
    matches = {"lone_sources": lone_sources, "has_matches": has_matches}
    warehouse.storage.make_folder(FOLDER)
    for done, name in enumerate(names):
        if progress is not None:
            progress(done, len(names))
        for other in reads(name):
            _show(connection, warehouse, other, current[other], {})
        sql = summary_sql(name)
        values = parameters_for(sql, {**matches, **summary_defaults()[name]})
        reader = connection.sql(sql, params=values).to_arrow_reader(_BATCH_ROWS)
        warehouse.storage.write(current[name], _parquet(reader), durable=False)


def _parquet(reader: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {"schema_version": str(schema_version()), "engine_version": ENGINE_VERSION}
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, reader.schema.with_metadata(metadata), compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
    return bytes(sink.getvalue())

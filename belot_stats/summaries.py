"""Summaries: first steps of reports, kept as derived files, so that a report over millions of deals counts none again.

A summary is a query of ``reports/summaries`` over the relations, with parameters of the reports that read it by its
name. Its rows for the default parameters are kept in a file named by all that they depend on, so a file that is there
is up to date. Reports that ask for other parameters, and those over few deals, have it made when they ask.

    derived/summaries/<summary>-<state>.parquet
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from belot_stats.errors import ReportError, WarehouseError
from belot_stats.ledger import LedgerRow, hash_of
from belot_stats.relations import relation_names, relation_sql
from belot_stats.report_files import Report, Value, list_reports
from belot_stats.resources import resource
from belot_stats.schema import ENGINE_VERSION, schema, schema_version
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
def parameters_of(name: str) -> tuple[str, ...]:
    """Parameters of the summary *name*, those aside that say how its deals lie in matches."""
    found = set(_PARAMETER.findall(_COMMENT.sub("", summary_sql(name)))) - set(_unknown_matches())
    return tuple(sorted(found))


def _unknown_matches() -> dict[str, Any]:
    """Nothing is known of how many deals matches have."""
    return {"lone_sources": [], "has_matches": True}


@contextmanager
def summaries_for(
    connection: duckdb.DuckDBPyConnection,
    report: Report,
    values: Mapping[str, Value],
    warehouse: Warehouse | None = None,
) -> Iterator[None]:
    """The summaries that *report* reads, for these *values* of its parameters, as views in *connection*.

    Raises: ReportError, WarehouseError, duckdb.Error.
    """
    for name in report.summaries:
        kept = warehouse and _kept_for(warehouse, name, values)
        if warehouse and kept:
            _show(connection, warehouse, name, kept, values)
        else:
            _make(connection, name, values)
    try:
        yield
    finally:
        for name in report.summaries:
            connection.execute(f"drop view if exists {name}; drop table if exists made_{name}")


def _make(connection: duckdb.DuckDBPyConnection, name: str, values: Mapping[str, Value]) -> None:
    asked = {key: values[key] for key in parameters_of(name) if key in values}
    asked = {**summary_defaults().get(name, {}), **asked}
    connection.execute(
        f"create or replace temp table made_{name} as {summary_sql(name)}", _with_matches(name, asked)
    )
    connection.execute(f"create or replace temp view {name} as from made_{name}")


def _with_matches(
    name: str, values: Mapping[str, Value], matches: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    used = set(_PARAMETER.findall(_COMMENT.sub("", summary_sql(name))))
    return {
        key: value for key, value in {**(matches or _unknown_matches()), **values}.items() if key in used
    }


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


def _kept_for(warehouse: Warehouse, name: str, values: Mapping[str, Value]) -> str | None:
    """File of the summary *name*, made where it is not there yet; None where it cannot answer for *values*."""
    defaults = summary_defaults()[name]
    if any(values.get(key, default) != default for key, default in defaults.items() if key not in KEYS):
        return None
    rows = warehouse.rows()
    if not is_worth_keeping(rows):
        return None
    try:
        return refresh(warehouse, rows, [name])[0]
    except WarehouseError:  # who may only read has it made each time
        return None


def is_worth_keeping(rows: Sequence[LedgerRow]) -> bool:
    """Whether there are so many deals in a warehouse with these ledger rows that summaries are kept."""
    return sum(row.stored for row in rows) >= KEPT_FROM


def refresh(
    warehouse: Warehouse, rows: Sequence[LedgerRow] | None = None, names: Iterable[str] | None = None
) -> list[str]:
    """Bring the summaries *names*, or all, up to date. Returns: their files. Raises: WarehouseError."""
    from belot_stats.derived import refresh as refresh_matches

    rows = warehouse.rows() if rows is None else rows
    names = list(summary_defaults() if names is None else names)
    files = summary_files(refresh_matches(warehouse, rows))
    missing = [name for name in names if not warehouse.storage.exists(files[name])]
    if missing:
        with warehouse.storage.lock(WRITERS_LOCK, shared=True):
            _write(warehouse, {name: files[name] for name in missing})
    return [files[name] for name in names]


def summary_files(fingerprints: Fingerprints) -> dict[str, str]:
    """Name in the warehouse of the file of each summary, given the state of all buckets of matches."""
    state = [sorted(fingerprints.items()), ENGINE_VERSION, schema_version(), _relations_hash()]
    return {
        name: f"{FOLDER}/{name}-{hash_of([state, summary_sql(name), defaults])}.parquet"
        for name, defaults in summary_defaults().items()
    }


@cache
def _relations_hash() -> str:
    return hash_of([[name, relation_sql(name)] for name in relation_names()])


def _write(warehouse: Warehouse, files: Mapping[str, str]) -> None:
    from belot_stats.queries import prepare

    connection = warehouse.connection()
    prepare(connection)
    lone_sources, has_matches = connection.execute(_LONE_SOURCES_SQL).fetchall()[0]
    matches = {"lone_sources": lone_sources, "has_matches": has_matches}
    warehouse.storage.make_folder(FOLDER)
    for name, file in files.items():
        values = _with_matches(name, summary_defaults()[name], matches)
        reader = connection.sql(summary_sql(name), params=values).to_arrow_reader(_BATCH_ROWS)
        warehouse.storage.write(file, _parquet(reader), durable=False)


def _parquet(reader: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {"schema_version": str(schema_version()), "engine_version": ENGINE_VERSION}
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, reader.schema.with_metadata(metadata), compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
    return bytes(sink.getvalue())

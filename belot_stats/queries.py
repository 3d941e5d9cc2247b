"""QUERY: a report and its parameters -> a table.

A report asks the relations of ``reports/relations``, which lie over the warehouse's raw views ``raw_deals``,
``raw_findings``, ``raw_quarantine``, ``raw_ledger``, ``raw_duplicates``, ``raw_standings``, ``raw_matches`` and
``raw_match_findings``. ``prepare`` adds to a connection what reports need beside them: the macros of
``reports/macros`` and two look-up tables. All of it is temporary, in the connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from belot_stats.combinatorics import read_holdings
from belot_stats.errors import ReportError
from belot_stats.findings import FINDING_CODES
from belot_stats.object_storage import store_error
from belot_stats.relations import relation_names, relation_sql
from belot_stats.report_files import (
    Column,
    Parameter,
    Report,
    Value,
    check_parameters,
    list_reports,
    load_report,
)
from belot_stats.resources import resource

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

    from belot_stats.warehouse import Warehouse

__all__ = [
    "Column",
    "Parameter",
    "Report",
    "ReportResult",
    "check_parameters",
    "create_relations",
    "list_reports",
    "load_report",
    "prepare",
    "relation_names",
    "report_frame",
    "run_report",
    "with_plain_numbers",
]

MACRO_FILES = ("statistics.sql", "contracts.sql", "hands.sql", "declarations.sql")
LAST_LOOKUP = "holding_chances"


class HasConnection(Protocol):
    """A warehouse: anything that gives a DuckDB connection to the raw views."""

    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection, the same one as long as nothing changed."""


Source: TypeAlias = "duckdb.DuckDBPyConnection | HasConnection"


class ReportResult(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: the report, the values of all its parameters, and the table."""

    report: Report
    parameters: dict[str, Value]
    table: pa.Table

    @property
    def asked(self) -> dict[str, Value]:
        """The parameters that are not at their defaults."""
        defaults = {name: parameter.default for name, parameter in self.report.parameters.items()}
        return {name: value for name, value in self.parameters.items() if value != defaults[name]}


def run_report(
    source: Source,
    name: str | Report,
    params: Mapping[str, Value] | None = None,
    *,
    folders: Iterable[str | Path] = (),
) -> ReportResult:
    """Answer of the report *name* from *source*, a warehouse or a connection to its raw views.

    params: parameters that differ from their defaults; text such as ``"true"`` is read.  folders: reports of the
    user's own.  Raises: ReportError for an unknown report, parameter or value, and where the report's SQL fails;
    WarehouseError where an object store does.
    """
    import duckdb

    from belot_stats.summaries import parameters_for, summaries_for
    from belot_stats.warehouse import Warehouse

    report = name if isinstance(name, Report) else load_report(name, folders)
    values = check_parameters(report, params or {})
    warehouse = source if isinstance(source, Warehouse) else None
    rows = warehouse.rows() if warehouse else None
    connection = warehouse.connection(rows=rows) if warehouse else _connection(source)
    prepare(connection)
    try:
        with summaries_for(connection, report, values, warehouse, rows):
            own = parameters_for(report.sql, values) if report.summaries else values
            table = connection.sql(report.sql, params=own).to_arrow_table()
    except duckdb.Error as error:
        raise store_error(error) or ReportError(f"{report.path}: {_first_line(error)}") from error
    return ReportResult(report=report, parameters=values, table=with_plain_numbers(table))


def report_frame(
    name: str,
    warehouse: str | Path | Warehouse,
    folders: Iterable[str | Path] = (),
    parameters: Mapping[str, Value] | None = None,
) -> pd.DataFrame:
    """Rows of the report *name* as a data frame; *warehouse* may be a path.

    Raises: ReportError as ``run_report`` does; WarehouseError where there is no warehouse.
    """
    from belot_stats.warehouse import open_warehouse

    frame: pd.DataFrame = run_report(
        open_warehouse(warehouse), name, parameters, folders=folders
    ).table.to_pandas()
    return frame


def with_plain_numbers(table: pa.Table) -> pa.Table:
    """*table* with DuckDB's sums as 64-bit integers and its decimals as floating point."""
    import pyarrow as pa

    for index, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            column = table.column(index)
            try:
                number = column.cast(pa.int64() if field.type.scale == 0 else pa.float64())
            except pa.ArrowInvalid:  # more than 64 bits
                number = column.cast(pa.string())
            table = table.set_column(index, field.name, number)
    return table


def _connection(source: Source) -> duckdb.DuckDBPyConnection:
    import duckdb

    return source if isinstance(source, duckdb.DuckDBPyConnection) else source.connection()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Give *connection* the macros, look-up tables and relations that reports ask, unless it has them.

    Raises: ReportError where a raw view is missing or has other columns.
    """
    import duckdb

    query = "select 1 from duckdb_tables() where not internal and table_name = ?"
    if connection.execute(query, [LAST_LOOKUP]).fetchall():
        return
    try:
        create_relations(connection)
        _create_macros(connection)
        create_doubts(connection)
        connection.execute(f"create or replace temp view doubts as {doubts_sql()}")
        _create_lookups(connection)
    except duckdb.Error as error:
        raise ReportError(f"the warehouse lacks what reports ask for: {_first_line(error)}") from error


def create_relations(connection: duckdb.DuckDBPyConnection) -> None:
    """Create in *connection* the relations that it does not have yet, as temporary views over the raw ones.

    Raises: duckdb.Error where a raw view is missing or has other columns.
    """
    query = "select view_name from duckdb_views() where not internal"
    there = {name for (name,) in connection.execute(query).fetchall()}
    for name in relation_names():
        if name not in there:
            connection.execute(f"create temp view {name} as\n{relation_sql(name)}")


def _create_macros(connection: duckdb.DuckDBPyConnection) -> None:
    for name in MACRO_FILES:
        connection.execute(resource("reports", f"macros/{name}").read_text(encoding="utf-8"))


def doubts_sql() -> str:
    """Query of the findings that rest on a rule that the source does not settle.

    It asks the relations, and what :func:`create_doubts` makes.
    """
    return resource("reports", "macros/doubts.sql").read_text(encoding="utf-8")


def create_doubts(connection: duckdb.DuckDBPyConnection) -> None:
    """Create in *connection* the tables of what findings rest on, and of what the sources of its rules do not settle.

    Raises: duckdb.Error where a raw view is missing.
    """
    from belot_stats.doubts import DEPENDENCIES, doubts

    dependencies = "finding_dependencies (code varchar, parameter varchar, circumstance varchar)"
    unsettled = (
        "unsettled_rules (rules varchar, parameter varchar, value varchar, said varchar, doubt varchar)"
    )
    _create_table(connection, dependencies, [tuple(item) for item in DEPENDENCIES])
    query = "select distinct rules.name from (select unnest(rulesets) as rules from raw_ledger)"
    found = doubts(name for (name,) in connection.execute(query).fetchall())
    _create_table(connection, unsettled, [tuple(item) for item in found])


def _create_lookups(connection: duckdb.DuckDBPyConnection) -> None:
    """What the package knows and the logs do not: finding codes, and the chances of holding declarations."""
    _create_table(
        connection,
        "finding_codes (code varchar, stage varchar, severity varchar, meaning varchar)",
        [tuple(code) for code in FINDING_CODES],
    )
    _create_table(
        connection,
        "holding_chances"
        " (lowest_rank int, hand_size int, kind varchar, hands bigint, holding_hands bigint, held bigint)",
        [tuple(holding) for holding in read_holdings()],
    )


def _create_table(
    connection: duckdb.DuckDBPyConnection, definition: str, rows: list[tuple[object, ...]]
) -> None:
    connection.execute(f"create or replace temp table {definition}")
    if not rows:
        return
    places = ", ".join(f"({', '.join('?' * len(row))})" for row in rows)
    name = definition.split(maxsplit=1)[0]
    values = [value for row in rows for value in row]
    connection.execute(f"insert into {name} values {places}", values)

"""What a person sees of an answer: which columns, under which headings, and each value as text.

The ends of an interval are shown with their estimate; a text column that says the same in every row is said once
(``constants``); rule sets of one name and different values are told apart by their hash.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from belot_stats.queries import Column, ReportResult
from belot_stats.texts import visible

if TYPE_CHECKING:
    import pyarrow as pa

Cell: TypeAlias = Any  # what a Parquet column may hold
NOTHING = "–"
UNKNOWN_COLUMN = Column(meaning="")


class ShownColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column as it is shown: heading, values, and the interval that goes with them."""

    name: str
    label: str
    column: Column
    is_number: bool
    values: Sequence[Cell]
    lows: Sequence[Cell] | None = None
    highs: Sequence[Cell] | None = None

    def texts(self) -> list[str]:
        """Each value with its interval, as text."""
        if self.lows is None or self.highs is None:
            return [format_value(value, self.column) for value in self.values]
        rows = zip(self.values, self.lows, self.highs, strict=True)
        return [format_with_interval(value, low, high, self.column) for value, low, high in rows]


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as it is shown, without columns that hold nothing; ``constants`` are headings and texts said once."""

    columns: list[ShownColumn]
    constants: dict[str, str]
    count_rows: int


def format_value(value: Cell, column: Column = UNKNOWN_COLUMN) -> str:
    """*value* as text for people.

    >>> format_value(0.4812, Column(meaning="", unit="rate")), format_value(1234567), format_value(None)
    ('48.1 %', '1,234,567', '–')
    """
    if value is None or value != value:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if column.unit == "rate":
        return f"{100 * value:.{column.digits}f} %"
    return _format_plain(value, column.digits)


def _format_plain(value: Cell, digits: int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, bytes):
        return visible(value.decode("utf-8", "backslashreplace"))
    if isinstance(value, list):
        return ", ".join(format_value(item) for item in value)
    return visible(str(value))


def format_with_interval(value: Cell, low: Cell, high: Cell, column: Column) -> str:
    """*value* and its interval, as in ``48.1 % (45.0–51.2)``."""
    text = format_value(value, column)
    if value is None or low is None or high is None:
        return text
    return f"{text} ({format_interval(low, high, column)})"


def format_interval(low: Cell, high: Cell, column: Column) -> str:
    """The ends of an interval; ``to`` stands between ends of which one is negative."""
    factor = 100 if column.unit == "rate" else 1
    ends = [f"{factor * end:,.{column.digits}f}" for end in (low, high)]
    return " to ".join(ends) if low < 0 else "–".join(ends)


def shown_columns(result: ReportResult) -> list[ShownColumn]:
    """All columns but the ends of intervals, which go with their estimates."""
    hidden = {end for column in result.report.columns.values() for end in column.interval or ()}
    return [_shown_column(result, name) for name in result.table.column_names if name not in hidden]


def shown(result: ReportResult) -> Shown:
    """How the answer is shown to people."""
    table = result.table
    every = shown_columns(result)
    columns = [column for column in every if table.num_rows == 0 or any(v is not None for v in column.values)]
    constants = {c.label: c.texts()[0] for c in columns if table.num_rows > 1 and _is_constant(c)}
    rest = [column for column in columns if column.label not in constants]
    return Shown(columns=rest, constants=constants, count_rows=table.num_rows)


def _shown_column(result: ReportResult, name: str) -> ShownColumn:
    table, report = result.table, result.report
    column = report.columns.get(name, UNKNOWN_COLUMN)
    if name == "rules_hash" and has_options(table):
        column = msgspec.structs.replace(column, detail=False)
    ends = column.interval or ()
    known = [end in table.column_names for end in ends]
    lows, highs = [table.column(end).to_pylist() for end in ends] if known == [True, True] else (None, None)
    return ShownColumn(
        name=name,
        label=report.label(name),
        column=column,
        is_number=is_number(table.schema.field(name).type),
        values=table.column(name).to_pylist(),
        lows=lows,
        highs=highs,
    )


def has_options(table: pa.Table) -> bool:
    """Whether one name of a rule set stands for several sets of values in *table*."""
    if not {"rules", "rules_hash"} <= set(table.column_names):
        return False
    pairs = set(zip(table.column("rules").to_pylist(), table.column("rules_hash").to_pylist(), strict=True))
    return len(pairs) > len({rules for rules, _ in pairs})


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type is set flush right."""
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_constant(column: ShownColumn) -> bool:
    return isinstance(column.values[0], str) and len(set(column.values)) == 1

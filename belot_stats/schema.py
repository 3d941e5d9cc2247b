"""Arrow schemas of the warehouse's tables, built from ``data/schema/dictionary.toml``, and how they become Parquet.

Every file carries the schema version and the engine version in its metadata. The same table gives the same bytes:
the writer's settings are fixed here, and nothing written depends on the clock, the machine or the path.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from belot_stats.errors import NewerWarehouseError, WarehouseError
from belot_stats.resources import resource
from belot_stats.version import __version__

if TYPE_CHECKING:
    import pyarrow as pa

ENGINE_VERSION = __version__
ROW_GROUP_ROWS = 122_880
_TOKEN = re.compile(r"timestamp\[us, UTC\]|[a-z_0-9]+|[<>:,]")


@cache
def dictionary() -> dict[str, Any]:
    """The data dictionary as read: ``schema_version`` and ``tables``."""
    with resource("data", "schema/dictionary.toml").open("rb") as file:
        return tomllib.load(file)


def schema_version() -> int:
    """Version of the tables' columns that this program writes."""
    return int(dictionary()["schema_version"])


def table_names() -> list[str]:
    """Names of the tables, in the dictionary's order."""
    return list(dictionary()["tables"])


def sort_columns(table: str) -> list[str]:
    """Columns that *table* is sorted by."""
    return list(dictionary()["tables"][table]["sort"])


@cache
def schema(table: str) -> pa.Schema:
    """Arrow schema of *table*, with unit and meaning as field metadata and the versions as schema metadata.

    Raises: WarehouseError for a table that the dictionary does not have.
    >>> schema("duplicates").names
    ['source', 'match', 'deal', 'part', 'line', 'byte', 'reason']
    """
    import pyarrow as pa

    try:
        columns: dict[str, dict[str, Any]] = dictionary()["tables"][table]["columns"]
    except KeyError:
        raise WarehouseError(f"no table {table!r}; tables: {', '.join(table_names())}") from None
    fields = [
        pa.field(name, parse_type(column["type"]), column.get("null", False), _notes(column))
        for name, column in columns.items()
    ]
    return pa.schema(
        fields, {"table": table, "schema_version": str(schema_version()), "engine_version": ENGINE_VERSION}
    )


def _notes(column: Mapping[str, Any]) -> dict[bytes | str, bytes | str]:
    return {key: str(column[key]) for key in ("unit", "meaning") if key in column}


def parse_type(text: str) -> pa.DataType:
    """Arrow type of its name in the dictionary.

    >>> parse_type("list<struct<seat: uint8, kind: string>>")
    ListType(list<item: struct<seat: uint8, kind: string>>)
    """
    tokens = _TOKEN.findall(text)
    parsed = _take_type(tokens)
    if tokens:
        raise WarehouseError(f"data dictionary: {text!r} is no type")
    return parsed


def _take_type(tokens: list[str]) -> pa.DataType:
    import pyarrow as pa

    name = tokens.pop(0)
    if name == "list":
        tokens.pop(0)
        item = _take_type(tokens)
        tokens.pop(0)
        return pa.list_(item)
    if name == "struct":
        return _take_struct(tokens)
    if name == "timestamp[us, UTC]":
        return pa.timestamp("us", "UTC")
    return pa.type_for_alias(name)


def _take_struct(tokens: list[str]) -> pa.DataType:
    import pyarrow as pa

    fields = []
    while tokens.pop(0) != ">":
        name = tokens.pop(0)
        tokens.pop(0)
        fields.append(pa.field(name, _take_type(tokens)))
    return pa.struct(fields)


class TableBuilder:
    """Rows of one table, turned into Arrow every few thousand so that few of them are Python objects at a time."""

    def __init__(self, table: str, batch_rows: int = 4_000) -> None:
        self.table = table
        self.count = 0
        self._batch_rows = batch_rows
        self._rows: list[dict[str, Any]] = []
        self._tables: list[pa.Table] = []

    def add(self, row: dict[str, Any]) -> None:
        """Take one more row: column name -> value; a column left out is null."""
        self._rows.append(row)
        self.count += 1
        if len(self._rows) >= self._batch_rows:
            self._convert()

    def add_table(self, table: pa.Table) -> None:
        """Take a table of rows, after those taken before."""
        self._convert()
        self._tables.append(table)
        self.count += table.num_rows

    def extend(self, rows: Iterable[dict[str, Any]]) -> None:
        """Take more rows."""
        for row in rows:
            self.add(row)

    def _convert(self) -> None:
        self._tables.append(table_of(self.table, self._rows))
        self._rows = []

    def finish(self) -> pa.Table:
        """The rows as one Arrow table in the table's order; the builder is empty afterwards."""
        import pyarrow as pa

        if not self._tables:
            rows, self._rows, self.count = self._rows, [], 0
            return few_rows(self.table, rows)
        self._convert()
        tables, self._tables, self.count = self._tables, [], 0
        table = pa.concat_tables(tables)
        del tables
        return sort_rows(self.table, table)


def table_of(table: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Arrow table of *rows*, in their order.

    Raises: WarehouseError naming the column that holds a value of another type or range than the dictionary says.
    """
    import pyarrow as pa

    columns = schema(table)
    try:
        return pa.Table.from_pylist(rows, schema=columns)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise _column_problem(columns, table, rows) from None


def few_rows(table: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Arrow table of *rows* in the order of the dictionary; rows that are equal in it keep their order.

    They are sorted as they are: what Arrow needs to sort a table takes longer to load. Raises: as :func:`table_of`.
    """
    keys = sort_columns(table)
    try:
        ordered = sorted(rows, key=lambda row: [(row.get(key) is None, row.get(key)) for key in keys])
    except TypeError:  # a value of another type, which is said where rows become a table
        return sort_rows(table, table_of(table, rows))
    return table_of(table, ordered)


def _column_problem(columns: pa.Schema, table: str, rows: list[dict[str, Any]]) -> WarehouseError:
    import pyarrow as pa

    for field in columns:
        for row in rows:
            try:
                pa.array([row.get(field.name)], field.type)
            except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
                place = f"line {row.get('line')} of its chunk"
                return WarehouseError(
                    f"{table}.{field.name}: {row.get(field.name)!r} ({place}) is no {field.type}: {problem}"
                )
    return WarehouseError(f"{table}: its rows cannot be written")


def sort_rows(table: str, rows: pa.Table) -> pa.Table:
    """*rows* in the order of the dictionary; rows that are equal in it keep their order."""
    order = sort_order(table, rows)
    return rows if order is None else rows.take(order)


def sort_order(table: str, rows: pa.Table) -> pa.Array | None:
    """Places of *rows*, which have at least the columns that *table* is sorted by, in its order; None if they are so.

    Rows that are equal in it keep their order.
    """
    import numpy as np
    import pyarrow.compute as pc

    keys = sort_columns(table)
    if rows.num_rows < 2 or _is_sorted([rows[key].combine_chunks() for key in keys]):
        return None
    # Arrow's own sort is not stable, so the row's place is the last key.
    keyed = rows.select(keys).append_column("__place", [np.arange(rows.num_rows)])
    return pc.sort_indices(keyed, sort_keys=[(key, "ascending") for key in [*keys, "__place"]])


def _is_sorted(keys: Sequence[pa.Array]) -> bool:
    """Whether rows with these *keys*, none of them null, are in order."""
    import numpy as np
    import pyarrow.compute as pc

    if any(key.null_count for key in keys):
        return False
    equal = np.ones(len(keys[0]) - 1, dtype=bool)  # so far
    for key in keys:
        before, after = key[:-1], key[1:]
        if (equal & pc.greater(before, after).to_numpy(zero_copy_only=False)).any():
            return False
        equal &= pc.equal(before, after).to_numpy(zero_copy_only=False)
        if not equal.any():
            return True
    return True


def parquet_bytes(table: pa.Table, metadata: Mapping[str, str] | None = None) -> bytes:
    """*table* as a whole Parquet file: row groups of 122,880 rows, *metadata* beside the versions.

    The columns' meanings stay in the dictionary: in the file they would double the size of a small part.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    bare = pa.schema(
        [field.remove_metadata() for field in table.schema],
        {**(table.schema.metadata or {}), **(metadata or {})},
    )
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.Table.from_arrays(table.columns, schema=bare),
        sink,
        row_group_size=ROW_GROUP_ROWS,
        **parquet_options(bare),
    )
    return bytes(sink.getvalue())


def parquet_options(columns: pa.Schema) -> dict[str, Any]:
    """How *columns* are written: zstd, statistics where a question may need them.

    Numbers are split into their bytes, which makes small ones in lists both shorter and faster than a dictionary does;
    words have a dictionary.
    """
    leaves = dict(leaf for field in columns for leaf in _leaves(field.name, field.type))
    numbers = [path for path, kind in leaves.items() if _is_number(kind)]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "version": "2.6",
        "use_dictionary": [path for path in leaves if path not in numbers],
        "column_encoding": dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
        "write_statistics": [path for path in leaves if "." not in path],
        "write_page_index": False,
    }


def _leaves(path: str, kind: pa.DataType) -> Iterator[tuple[str, pa.DataType]]:
    """Columns of numbers and words that a column is kept in: their paths in a Parquet file, and their types."""
    import pyarrow as pa

    if pa.types.is_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    elif pa.types.is_struct(kind):
        for field in kind:
            yield from _leaves(f"{path}.{field.name}", field.type)
    else:
        yield path, kind


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_temporal(kind))


def check_version(metadata: Mapping[bytes, bytes] | None, name: str) -> None:
    """The file *name* was written by this program's schema version or an older one.

    Raises: NewerWarehouseError; WarehouseError when it is no file of a warehouse.
    """
    written = (metadata or {}).get(b"schema_version")
    if written is None or not written.isdigit():
        raise WarehouseError(
            f"{name}: no file of a belot-stats warehouse (its metadata has no schema_version)"
        )
    if int(written) > schema_version():
        engine = (metadata or {}).get(b"engine_version", b"?").decode()
        raise NewerWarehouseError(
            f"{name}: written with schema version {int(written)} by belot-stats {engine}; "
            f"this is belot-stats {ENGINE_VERSION}, which knows schema version {schema_version()}: install a newer one"
        )

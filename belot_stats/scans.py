"""Views in DuckDB over the Parquet files that a warehouse names.

Files of a local folder are read by DuckDB itself. Those of an object store are an Arrow dataset over ``pyarrow.fs``,
which DuckDB asks for the columns and rows that a query needs: no extension has to be downloaded, no file is opened
before a query reads it, and footers are kept as long as the connection.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from belot_stats.object_storage import ObjectStorage
from belot_stats.schema import schema

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from belot_stats.storage import Storage


class PartFile(NamedTuple):
    """What the column ``part`` says, the file's name in the warehouse, and the version of the program that wrote it.

    Parts of one version have the same columns, so one of them shows those of all; None: it is not known.
    """

    part: str
    name: str
    version: str | None = None


def add_parts_view(
    connection: duckdb.DuckDBPyConnection, view: str, storage: Storage, table: str, parts: Sequence[PartFile]
) -> None:
    """Make the view *view* with the columns of *table*, and ``part``, of the files of *parts*."""
    import pyarrow as pa

    columns = schema(table).append(pa.field("part", pa.string()))
    if not parts:
        query = _empty(connection, view, columns)
    elif isinstance(storage, ObjectStorage):
        query = _dataset(connection, view, storage, columns, parts)
    else:
        query = _local_parts(storage, parts, schema_sql(connection, schema(table)))
    connection.execute(f"create or replace view {view} as {query}")


def add_files_view(
    connection: duckdb.DuckDBPyConnection,
    view: str,
    storage: Storage,
    columns: pa.Schema,
    names: Sequence[str],
) -> None:
    """Make the view *view* of the files *names*, which all have these *columns*."""
    if not names:
        query = _empty(connection, view, columns)
    elif isinstance(storage, ObjectStorage):
        query = _dataset(connection, view, storage, columns, [PartFile("", name) for name in names])
    else:
        columns_sql = schema_sql(connection, columns)
        query = f"from {parquet_sql([storage.path(name) for name in names], columns_sql)}"
    connection.execute(f"create or replace view {view} as {query}")


def _local_parts(storage: Storage, parts: Sequence[PartFile], columns_sql: str) -> str:
    """SQL of the files of *parts*; those whose name is what ``part`` says are opened together."""
    own = [storage.path(item.name) for item in parts if item.name.endswith(f"/{item.part}.parquet")]
    part_of_name = "* exclude (filename), parse_filename(filename, true) as part"
    selects = (
        [f"select {part_of_name} from {parquet_sql(own, columns_sql, 'filename = true')}"] if own else []
    )
    selects += [
        f"select *, {quoted(item.part)} as part from {parquet_sql([storage.path(item.name)], columns_sql)}"
        for item in parts
        if not item.name.endswith(f"/{item.part}.parquet")
    ]
    return " union all by name ".join(selects)


def parquet_sql(paths: Sequence[str], columns_sql: str, options: str = "") -> str:
    """SQL that reads the Parquet files at *paths*, whatever columns each has.

    columns_sql: of :func:`schema_sql`.
    """
    more = f", {options}" if options else ""
    return f"read_parquet([{', '.join(map(quoted, paths))}], schema = {columns_sql}{more})"


def schema_sql(connection: duckdb.DuckDBPyConnection, columns: pa.Schema) -> str:
    """The columns that files are read with: those that one of them lacks are null, others are left out.

    With ``union_by_name`` instead, every file would be opened whenever a query is only looked at.
    """
    connection.register("described_arrow", columns.empty_table())
    described = connection.execute("describe from described_arrow").fetchall()
    connection.unregister("described_arrow")
    entries = (
        f"{quoted(name)}: {{name: {quoted(name)}, type: {quoted(kind)}, default_value: null}}"
        for name, kind, *_ in described
    )
    return f"map {{{', '.join(entries)}}}"


def quoted(text: str) -> str:
    """*text* as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def _empty(connection: duckdb.DuckDBPyConnection, view: str, columns: pa.Schema) -> str:
    """SQL of no rows of these *columns*, so that a warehouse without rows still answers."""
    connection.register("empty_arrow", columns.empty_table())
    connection.execute(f"create or replace table empty_{view} as from empty_arrow limit 0")
    connection.unregister("empty_arrow")
    return f"from empty_{view}"


def _dataset(
    connection: duckdb.DuckDBPyConnection,
    view: str,
    storage: ObjectStorage,
    columns: pa.Schema,
    parts: Sequence[PartFile],
) -> str:
    """SQL of an Arrow dataset of the files of *parts*; ``part``, where it is a column, is known without a look."""
    from pyarrow import dataset as ds

    bare = columns.remove_metadata()
    reader = ds.ParquetFileFormat()
    has_part = "part" in bare.names and any(item.part for item in parts)
    sizes = _sizes(storage, {item.name.rpartition("/")[0] for item in parts})
    fragments = [
        reader.make_fragment(
            storage.key(item.name),
            storage.files,
            ds.field("part") == item.part if has_part else None,
            file_size=sizes.get(item.name),
        )
        for item in parts
    ]
    connection.register(f"{view}_files", ds.FileSystemDataset(fragments, bare, reader, storage.files))
    return f"from {view}_files"


def _sizes(storage: ObjectStorage, folders: Collection[str]) -> dict[str, int]:
    """Size of each file of *folders*: one request for a thousand, in the place of one before each is opened."""
    return {f"{folder}/{file.name}": file.size for folder in folders for file in storage.listing(folder)}

"""Deals sorted into their buckets: in memory, and once that is too much, in a folder that goes away again."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from belot_stats.storage import SPILL_FOLDER, Storage

IN_MEMORY_BYTES = 256 * 1024 * 1024
_FOLDERS = itertools.count()


@contextmanager
def spill_folder(storage: Storage) -> Iterator[str]:
    """Name of a folder of the warehouse for what does not fit into memory; it need not be made, and is removed."""
    folder = f"{SPILL_FOLDER}/{os.getpid()}-matches{next(_FOLDERS)}"
    try:
        yield folder
    finally:
        storage.remove_folder(folder)


def split(batch: Any) -> list[tuple[int, Any]]:
    """The rows of a record batch by the bucket in its column ``bucket``, each bucket's in their order."""
    if batch.num_rows == 0:
        return []
    buckets = batch["bucket"].to_numpy()
    order = np.argsort(buckets, kind="stable")
    in_order, buckets = batch.take(order), buckets[order]
    starts = np.flatnonzero(np.diff(buckets, prepend=-1))
    places = itertools.pairwise([*starts.tolist(), len(buckets)])
    return [(int(buckets[start]), in_order.slice(start, end - start)) for start, end in places]


def bucket_tables(
    storage: Storage,
    folder: str,
    batches: Iterable[list[tuple[int, Any]]],
    in_memory_bytes: int = IN_MEMORY_BYTES,
) -> Iterator[tuple[int, Any]]:
    """Arrow tables of the rows of split *batches*, one a bucket, by bucket; rows of a bucket keep their order.

    Once there are more than *in_memory_bytes* of them they go to *folder*.
    """
    sorter = _Sorter(storage, folder, in_memory_bytes)
    try:
        for slices in batches:
            sorter.add(slices)
    finally:
        sorter.close()
    yield from sorter.tables()


class CleanTables:
    """Rows of standings and matches of buckets, kept in *folder* until the other matches of the bucket are there."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage, self._folder = storage, folder

    def keep(self, bucket: int, *tables: Any) -> None:
        """Take the tables of a bucket."""
        import pyarrow as pa

        self._storage.make_folder(self._folder)
        for place, table in enumerate(tables):
            path = self._storage.path(self._name(bucket, place))
            with pa.ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table)

    def take(self, bucket: int) -> tuple[Any, Any]:
        """The tables of a bucket, which are then kept no longer."""
        return self._take(bucket, 0), self._take(bucket, 1)

    def _take(self, bucket: int, place: int) -> Any:
        import pyarrow as pa

        with self._storage.open(self._name(bucket, place)) as source, pa.ipc.open_stream(source) as stream:
            table = stream.read_all()
        self._storage.remove(self._name(bucket, place))
        return table

    def _name(self, bucket: int, place: int) -> str:
        return f"{self._folder}/clean-{bucket}-{place}.arrow"


class _Sorter:
    def __init__(self, storage: Storage, folder: str, in_memory_bytes: int) -> None:
        self._storage, self._folder, self._most = storage, folder, in_memory_bytes
        self._kept: dict[int, list[Any]] = {}
        self._bytes = 0
        self._files: dict[int, Any] = {}

    def add(self, slices: list[tuple[int, Any]]) -> None:
        """Take the rows of a batch."""
        for bucket, batch in slices:
            self._kept.setdefault(bucket, []).append(batch)
            self._bytes += batch.nbytes
        if self._bytes > self._most:
            self._spill()

    def _spill(self) -> None:
        for bucket, slices in self._kept.items():
            for batch in slices:
                self._file(bucket, batch.schema).write_batch(batch)
        self._kept, self._bytes = {}, 0

    def _file(self, bucket: int, schema: Any) -> Any:
        import pyarrow as pa

        if bucket not in self._files:
            self._storage.make_folder(self._folder)
            self._files[bucket] = pa.ipc.new_stream(self._storage.path(self._name(bucket)), schema)
        return self._files[bucket]

    def _name(self, bucket: int) -> str:
        return f"{self._folder}/{bucket}.arrow"

    def tables(self) -> Iterator[tuple[int, Any]]:
        """The rows that were taken, a table a bucket."""
        import pyarrow as pa

        for bucket in sorted({*self._files, *self._kept}):
            batches = self._kept.pop(bucket, [])
            if bucket in self._files:
                with self._storage.open(self._name(bucket)) as source, pa.ipc.open_stream(source) as stream:
                    batches = [*stream, *batches]
                self._storage.remove(self._name(bucket))
            yield bucket, pa.Table.from_batches(batches)

    def close(self) -> None:
        """Finish the files."""
        for file in self._files.values():
            file.close()

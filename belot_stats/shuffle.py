"""Shuffle: rows that tasks leave for other tasks, in files of the warehouse that are gone when the work is done.

A sender writes one file, in which the rows for each receiver are a batch of their own; a receiver takes its batch out
of the files of its senders. Senders and receivers are numbers. Such a file is written whole, and the same task writes
the same file, so a task may be run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from belot_stats.storage import SHUFFLE_FOLDER, Storage, open_storage

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

_RECEIVERS = b"receivers"


class Shuffle(msgspec.Struct, frozen=True):
    """Files of one run under *folder* of the warehouse at *root*; it can be sent to another process."""

    root: str
    folder: str

    @property
    def storage(self) -> Storage:
        """The warehouse's storage."""
        return open_storage(self.root)

    def write(self, kind: str, sender: int, rows: Mapping[int, pa.Table]) -> dict[int, int]:
        """Leave *rows* for each receiver; all of them have the same columns.

        Returns: number of rows a receiver. Raises: WarehouseError.
        """
        import pyarrow as pa

        if not rows:
            return {}
        receivers = sorted(rows)
        schema = rows[receivers[0]].schema
        columns = schema.with_metadata({**(schema.metadata or {}), _RECEIVERS: json.dumps(receivers)})
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        with pa.ipc.new_file(sink, columns, options=options) as file:
            for receiver in receivers:
                file.write_batch(_one_batch(rows[receiver]))
        self.storage.write(self._name(kind, sender), bytes(sink.getvalue()), durable=False)
        return {receiver: rows[receiver].num_rows for receiver in receivers}

    def read(self, kind: str, senders: Iterable[int], receiver: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """What each of *senders*, all of which have left something, has left for *receiver*. Raises: WarehouseError."""
        import pyarrow as pa

        options = pa.ipc.IpcReadOptions(use_threads=False)
        storage = self.storage
        for sender in senders:
            with storage.open(self._name(kind, sender)) as source:
                file = pa.ipc.open_file(source, options=options)
                notes = file.schema.metadata
                place = json.loads(notes.pop(_RECEIVERS)).index(receiver)
                yield sender, file.get_batch(place).replace_schema_metadata(notes)

    def table(self, kind: str, senders: Iterable[int], receiver: int) -> pa.Table:
        """What *senders*, at least one, have left for *receiver*, as one table. Raises: WarehouseError."""
        import pyarrow as pa

        return pa.Table.from_batches([batch for _, batch in self.read(kind, senders, receiver)])

    def _name(self, kind: str, sender: int) -> str:
        return f"{self.folder}/{kind}-{sender}.arrow"


def _one_batch(table: pa.Table) -> Any:
    import pyarrow as pa

    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], table.schema)


@contextmanager
def open_shuffle(storage: Storage) -> Iterator[Shuffle]:
    """A new shuffle, whose files are removed at the end; what a killed process leaves, ``compact`` removes."""
    shuffle = Shuffle(storage.root, f"{SHUFFLE_FOLDER}/{uuid4().hex}")
    storage.make_folder(shuffle.folder)
    try:
        yield shuffle
    finally:
        storage.remove_folder(shuffle.folder)


def split(table: pa.Table, receivers: np.ndarray[Any, Any]) -> dict[int, pa.Table]:
    """The rows of *table* by their receivers, which are at least 0; those of one keep their order."""
    import numpy as np

    if table.num_rows == 0:
        return {}
    order = np.argsort(receivers, kind="stable")
    in_order, receivers = table.take(order), receivers[order]
    starts = np.flatnonzero(np.diff(receivers, prepend=-1))
    ends = [*starts[1:].tolist(), len(receivers)]
    return {
        int(receivers[start]): in_order.slice(start, end - start)
        for start, end in zip(starts.tolist(), ends, strict=True)
    }

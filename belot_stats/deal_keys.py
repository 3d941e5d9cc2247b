"""One look at what tells stored deals apart: which buckets have changed, and which deals are stored more than once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.ledger import LedgerRow
from belot_stats.warehouse import bucket_count

if TYPE_CHECKING:
    import duckdb

Keys = npt.NDArray[np.uint64]  # hashes of source, match and deal: the same for two deals by chance alone
KEYS_AT_ONCE = 1_000_000  # 8 MB
MOST_FILES = 256  # open at a time
_BATCH_ROWS = 200_000
_SCAN_SQL = """
    with places as (
        select u.alias as part, hash(u.alias, u.file, u.first_line, epoch_us(l.finished_at)) as place_hash
        from part_uses as u join raw_ledger as l on u.file = l.file
    )
    select bucket_of(d.source, d.match) as bucket, key_of(d.source, d.match, d.deal) as key,
        hash(d.source, d.match, d.deal, d.line, d.byte, p.place_hash) as row_hash
    from raw_deals as d join places as p on d.part = p.part"""


class Bucket(NamedTuple):
    """How many deals a bucket has, and the exclusive or of the hashes of its rows and their places in the ledger."""

    bucket: int
    deals: int
    rows_hash: int


def scan_deals(
    connection: duckdb.DuckDBPyConnection,
    rows: Sequence[LedgerRow],
    folder: str | None = None,
    keys_at_once: int = KEYS_AT_ONCE,
) -> tuple[list[Bucket], Keys]:
    """The buckets that have deals, and the keys that several records have.

    folder: for keys that wait, where there are more than can be compared at once; None: the system's.
    """
    counts, hashes = np.zeros(bucket_count(rows), np.int64), np.zeros(bucket_count(rows), np.uint64)
    with KeyFiles(sum(row.stored for row in rows) // keys_at_once + 1, folder) as keys:
        for batch in connection.sql(_SCAN_SQL).to_arrow_reader(_BATCH_ROWS):
            buckets = batch["bucket"].to_numpy()
            counts += np.bincount(buckets, minlength=len(counts))
            np.bitwise_xor.at(hashes, buckets, batch["row_hash"].to_numpy())
            keys.add(batch["key"].to_numpy())
        repeated = keys.repeated()
    found = [
        Bucket(bucket, count, rows_hash)
        for bucket, (count, rows_hash) in enumerate(zip(counts.tolist(), hashes.tolist(), strict=True))
        if count
    ]
    return found, repeated


class KeyFiles:
    """Keys in so many files, equal ones in the same, so that each file can be looked through by itself.

    A context manager; the files have no names, and are gone at its end.
    """

    def __init__(self, count: int, folder: str | None = None) -> None:
        self._count = min(count, MOST_FILES)
        self._stack = ExitStack()
        most = KEYS_AT_ONCE * 8 if count == 1 else 1  # bytes; few keys never come to a disk
        self._files: list[SpooledTemporaryFile[bytes]] = []
        for _ in range(self._count):
            file = SpooledTemporaryFile(max_size=most, dir=folder)  # noqa: SIM115  the stack closes it
            self._files.append(self._stack.enter_context(file))

    def __enter__(self) -> KeyFiles:
        return self

    def __exit__(self, *about: object) -> None:
        self._stack.close()

    def add(self, keys: Keys) -> None:
        """Take more keys."""
        numbers = (keys % np.uint64(self._count)).astype(np.uint16)
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=self._count))
        for file, own in zip(self._files, np.split(keys[order], ends[:-1]), strict=True):
            file.write(own.tobytes())

    def repeated(self) -> Keys:
        """Keys that were added more than once."""
        found = []
        for file in self._files:
            file.seek(0)
            keys = np.frombuffer(bytearray(file.read()), dtype=np.uint64)
            keys.sort()
            found.append(np.unique(keys[1:][keys[1:] == keys[:-1]]))
        return np.concatenate(found)

"""One look at what tells stored deals apart: which buckets have changed, and which deals are stored more than once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.ledger import LedgerRow
from belot_stats.warehouse import bucket_count

if TYPE_CHECKING:
    import duckdb

Keys = npt.NDArray[np.uint64]  # hashes of source, match and deal: the same for two deals by chance alone
KEYS_AT_ONCE = 20_000_000  # 160 MB
_BATCH_ROWS = 200_000
_SCAN_SQL = """
    with places as (
        select u.alias as part, hash(u.alias, u.file, u.first_line, epoch_us(l.finished_at)) as place_hash
        from part_uses as u join raw_ledger as l on u.file = l.file
    )
    select bucket_of(d.source, d.match) as bucket, key_of(d.source, d.match, d.deal) as key,
        hash(d.source, d.match, d.deal, d.line, d.byte, p.place_hash) as row_hash
    from raw_deals as d join places as p on d.part = p.part"""
_KEYS_SQL = """
    select key_of(d.source, d.match, d.deal) as key from raw_deals as d
    where key_of(d.source, d.match, d.deal) % $pieces = $piece"""


class Bucket(NamedTuple):
    """How many deals a bucket has, and the exclusive or of the hashes of its rows and their places in the ledger."""

    bucket: int
    deals: int
    rows_hash: int


def scan_deals(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[LedgerRow], keys_at_once: int = KEYS_AT_ONCE
) -> tuple[list[Bucket], Keys]:
    """The buckets that have deals, and the keys that several records have.

    keys_at_once: of no more are they compared at a time.
    """
    pieces = sum(row.stored for row in rows) // keys_at_once + 1
    counts, hashes = np.zeros(bucket_count(rows), np.int64), np.zeros(bucket_count(rows), np.uint64)
    keys = []
    for batch in connection.sql(_SCAN_SQL).to_arrow_reader(_BATCH_ROWS):
        buckets = batch["bucket"].to_numpy()
        counts += np.bincount(buckets, minlength=len(counts))
        np.bitwise_xor.at(hashes, buckets, batch["row_hash"].to_numpy())
        if pieces == 1:
            keys.append(batch["key"].to_numpy())
    found = [
        Bucket(bucket, count, rows_hash)
        for bucket, (count, rows_hash) in enumerate(zip(counts.tolist(), hashes.tolist(), strict=True))
        if count
    ]
    return found, _repeated(np.concatenate(keys)) if keys else repeated_keys(connection, pieces)


def repeated_keys(connection: duckdb.DuckDBPyConnection, pieces: int) -> Keys:
    """The keys that several records have, found in so many *pieces*, one after the other."""
    found = []
    for piece in range(pieces):
        asked = {"pieces": pieces, "piece": piece}
        found.append(_repeated(np.asarray(connection.execute(_KEYS_SQL, asked).fetchnumpy()["key"])))
    return np.concatenate(found)


def _repeated(keys: npt.NDArray[Any]) -> Keys:
    keys = np.sort(keys)
    return np.unique(keys[1:][keys[1:] == keys[:-1]])

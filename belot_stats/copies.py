"""Copies of one deal: which of them counts (FORMAT.md, "What counts as what").

Identity is (source, match, deal). Within one file an equal record is a ``duplicate`` and another one a ``conflict``;
across files an equal one is a ``copy``, one whose plays are the beginning of a completed one's is ``shorter`` and
gives way to it, and any other is a ``conflict``. The first left in ledger order counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from belot_stats.derived import Fingerprints, derived_name
from belot_stats.ledger import LedgerRow
from belot_stats.schema import TableBuilder, parquet_bytes
from belot_stats.warehouse import Warehouse, add_table, is_stale, stream_rows

if TYPE_CHECKING:
    import duckdb

    from belot_stats.deal_keys import Keys

_BATCH_ROWS = 20_000
_RECORDS_SQL = """
    create or replace temp table copies as
    with records as (
        select bucket_of(d.source, d.match) as bucket, d.source, d.match, d.deal,
            d.part, d.line, d.byte, d.content_hash, u.file, u.place
        from raw_deals as d join part_uses as u on d.part = u.alias
        where key_of(d.source, d.match, d.deal) in (select key from suspects)
            and is_among($stale, bucket_of(d.source, d.match))
    ),
    several as (
        select source, match, deal, min(content_hash) = max(content_hash) as is_equal
        from records group by all having count(*) > 1
    )
    select records.*, several.is_equal from records join several using (source, match, deal)"""
_EQUAL_SQL = """
    select bucket, source, match, deal, part, line, byte,
        if(row_number() over in_file > 1, 'duplicate', 'copy') as reason
    from copies where is_equal
    window in_file as (partition by source, match, deal, file order by place, line, byte),
        in_all as (partition by source, match, deal order by place, line, byte)
    qualify row_number() over in_all > 1
    order by bucket, source, match, deal, place, line, byte"""
_DIFFERENT_SQL = """
    select c.bucket, c.source, c.match, c.deal, c.part, c.line, c.byte, c.file, c.content_hash,
        d.outcome <> 'unfinished' as is_completed, d.dealer, d.plays, d.auction, d.first_hands, d.hands
    from copies as c join raw_deals as d on c.part = d.part and c.line = d.line and c.byte = d.byte
    where not c.is_equal
    order by c.bucket, c.source, c.match, c.deal, c.place, c.line, c.byte"""


class Copy(NamedTuple):
    """One of several records of one deal, in ledger order; what of it decides how it stands to the others."""

    bucket: int
    source: str
    match: str
    deal: int
    part: str
    line: int
    byte: int
    file: str
    content_hash: int
    is_completed: bool
    dealer: int
    plays: list[int]
    auction: list[int] | None
    first_hands: list[int] | None
    hands: list[int] | None


def write_duplicates(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow],
    fingerprints: Fingerprints,
    stale: Sequence[int],
    suspects: Keys,
) -> None:
    """Write the derived table duplicates of the *stale* buckets.

    suspects: keys of all deals of which there are several records, and perhaps of others.
    Raises: WarehouseError.
    """
    builders = {bucket: TableBuilder("duplicates") for bucket in stale}
    connection = warehouse.shared_connection(rows)
    if len(suspects):
        import pyarrow as pa

        add_table(connection, "suspects", pa.table({"key": pa.array(suspects, pa.uint64())}))
        connection.execute(_RECORDS_SQL, {"stale": is_stale(stale)})
        for row in _duplicates(connection):
            builders[row.pop("bucket")].add(row)
        connection.execute("drop table copies")
    warehouse.storage.make_folder("derived/duplicates")
    for bucket, builder in builders.items():
        name = derived_name("duplicates", bucket, fingerprints[bucket])
        warehouse.storage.write(name, parquet_bytes(builder.finish()), durable=False)


def _duplicates(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    yield from stream_rows(connection, _EQUAL_SQL, _BATCH_ROWS)
    copies = (Copy(**row) for row in stream_rows(connection, _DIFFERENT_SQL, _BATCH_ROWS))
    for _, same_deal in groupby(copies, key=lambda copy: (copy.source, copy.match, copy.deal)):
        for copy, reason in judge_copies(list(same_deal)):
            yield {
                name: getattr(copy, name)
                for name in ("bucket", "source", "match", "deal", "part", "line", "byte")
            } | {"reason": reason}


def judge_copies(copies: Sequence[Copy]) -> list[tuple[Copy, str]]:
    """The copies of one deal that do not count, and why.

    copies: all records of the deal, in ledger order.
    """
    judged: list[tuple[Copy, str]] = []
    first_of: dict[int, Copy] = {}
    seen_in: set[tuple[int, str]] = set()
    for copy in copies:
        key = (copy.content_hash, copy.file)
        if copy.content_hash in first_of:
            judged.append((copy, "duplicate" if key in seen_in else "copy"))
        else:
            first_of[copy.content_hash] = copy
        seen_in.add(key)
    left = []
    for copy in first_of.values():
        if any(_gives_way(copy, other) for other in copies):
            judged.append((copy, "shorter"))
        else:
            left.append(copy)
    return judged + [(copy, "conflict") for copy in left[1:]]


def _gives_way(copy: Copy, other: Copy) -> bool:
    """*other*, of another file, is the same deal completed, of which *copy* has only the beginning."""
    if copy.file == other.file or not other.is_completed or other.content_hash == copy.content_hash:
        return False
    is_shorter = len(copy.plays) < len(other.plays) or (copy.plays == other.plays and not copy.is_completed)
    return is_shorter and other.plays[: len(copy.plays)] == copy.plays and _agree(copy, other)


def _agree(copy: Copy, other: Copy) -> bool:
    """What both say before the first card is the same, as far as *copy* goes."""
    if copy.dealer != other.dealer:
        return False
    if (
        copy.auction is not None
        and other.auction is not None
        and other.auction[: len(copy.auction)] != copy.auction
    ):
        return False
    hands = ((copy.first_hands, other.first_hands), (copy.hands, other.hands))
    return all(ours is None or theirs is None or ours == theirs for ours, theirs in hands)

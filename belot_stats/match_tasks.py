"""The match pass of a large warehouse, in tasks that any process can do: pure functions, whose results are files.

Parts are taken in slices, matches in buckets, and what one kind of task has for the other goes through a shuffle:

    pack_slice      packs the deals of its parts for the compiled loop, and leaves them for their buckets
    follow_buckets  follows the matches of its buckets, and writes each bucket in which every match is clean; for the
                    others it leaves the rows of clean matches for itself, and names the other matches to the slices
    gather_slice    leaves the whole deals of the matches named to it for their buckets
    check_buckets   takes those through the match checker, and writes the buckets
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from belot_stats.interrupts import stop_if_interrupted
from belot_stats.match_output import BucketOutput, Row, checked_columns
from belot_stats.ruleset import RuleSet
from belot_stats.scans import PartFile, add_parts_view
from belot_stats.shuffle import Shuffle, split
from belot_stats.warehouse import add_macros, add_table, connect

if TYPE_CHECKING:
    import pyarrow as pa

PACKED, DROPPED, DOUBTFUL, WHOLE = "packed", "dropped", "doubtful", "whole"  # kinds of rows in the shuffle
STANDINGS, MATCHES, COPIES, UNREADABLE = "standings", "matches", "copies", "unreadable"
_MEMORY_LIMIT = "400MB"
_BATCH_ROWS = 5_000
_NOT_DROPPED = """
    and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)"""
_PACKED_SQL = """
    select bucket_of(d.source, d.match) as bucket, {columns} from raw_deals as d
    where is_among($stale, bucket_of(d.source, d.match)) {more}"""
_DEALS_SQL = """
    select bucket_of(d.source, d.match) as bucket, {columns}, u.file, l.format,
        u.first_line + d.line - 1 as line, d.rules_hash, d.started, d.finding_count
    from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
    where is_among($stale, bucket_of(d.source, d.match)) {more}"""
_IS_DOUBTFUL = "and (d.source, d.match) in (select (source, match) from doubtful)"

Senders = dict[int, list[int]]  # who has left something, a receiver


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What all tasks of a run have in common."""

    shuffle: Shuffle
    buckets: int
    stale: list[bool]
    rulesets: dict[str, RuleSet]  # stored hash -> rules
    fingerprints: dict[int, str]

    def output(self, bucket: int) -> BucketOutput:
        """What is written of *bucket*."""
        return BucketOutput(self.shuffle.storage, bucket, self.fingerprints[bucket])


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """Some of the parts that the ledger names."""

    number: int
    parts: list[PartFile]
    uses: list[tuple[str, str, int]]  # alias, file, first line
    formats: dict[str, str]  # file -> format
    deals: int


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a bucket: its clean matches, and how many others there are a slice in which they have deals."""

    bucket: int
    clean: int
    deals: int
    doubtful: dict[int, int]


def whole_deals_sql(more: str = "") -> str:
    """SQL of what the match checker and its findings need of the deals that count; *more*: a further condition."""
    columns = ", ".join(f"d.{name}" for name in checked_columns())
    return _DEALS_SQL.format(columns=columns, more=_NOT_DROPPED + more)


def pack_slice(settings: Settings, piece: Slice, dropped: list[int]) -> dict[int, int]:
    """Leave the deals of *piece* for their buckets.

    dropped: who has left the places of deals that do not count.  Returns: how many, a bucket.
    """
    from belot_stats.match_packing import pack, packed_columns_sql

    stop_if_interrupted()
    more = _NOT_DROPPED if dropped else ""
    query = _PACKED_SQL.format(columns=packed_columns_sql(), more=more)
    stored = _ask(settings, piece, dropped, query)
    packed = pack(stored, list(settings.rulesets))
    return settings.shuffle.write(PACKED, piece.number, split(packed, stored["bucket"].to_numpy()))


def warm() -> None:
    """Have the compiled loop compiled, or read from disk, before several processes do it at once."""
    from belot_stats.rules.batch_follow import follow_matches
    from belot_stats.rules.match_rows import MATCH_DEAL
    from belot_stats.ruleset import load_ruleset

    follow_matches([load_ruleset("belot-bg")], np.zeros(0, MATCH_DEAL), np.zeros(1, np.int64))


def is_warm() -> bool:
    """Whether the compiled loop is kept on disk."""
    from belot_stats.rules.compiling import are_kept

    return are_kept("batch_follow.follow_all")


def follow_buckets(settings: Settings, senders: Senders, copies: Senders) -> list[Followed]:
    """Follow the matches of the buckets that *senders* names."""
    found = []
    for bucket, slices in senders.items():
        stop_if_interrupted()
        found.append(_follow_bucket(settings, bucket, slices, copies.get(bucket, [])))
    return found


def _follow_bucket(settings: Settings, bucket: int, slices: Sequence[int], copies: Sequence[int]) -> Followed:
    from belot_stats import match_columns as columns
    from belot_stats.match_packing import unpack
    from belot_stats.rules import match_rows
    from belot_stats.rules.batch_follow import follow_matches

    table = columns.in_order(_with_slices(settings.shuffle, bucket, slices))
    first, rulesets = columns.first_rows(table), list(settings.rulesets.values())
    deals = unpack(table["packed"].chunk(0))
    found = follow_matches(rulesets, deals, first)
    if copies:
        keys = settings.shuffle.table(COPIES, copies, bucket).select(["source", "match"])
        found.status[columns.matches_among(table, first, keys)] = match_rows.DOUBTFUL
    is_doubtful = found.status == match_rows.DOUBTFUL
    standings, matches = columns.clean_tables(table, deals, first, found, rulesets)
    doubtful: dict[int, int] = {}
    if is_doubtful.any():
        settings.shuffle.write(STANDINGS, bucket, {bucket: standings})
        settings.shuffle.write(MATCHES, bucket, {bucket: matches})
        doubtful = _name_doubtful(settings.shuffle, bucket, table, first, is_doubtful)
    else:
        output = settings.output(bucket)
        output.add_clean(standings, matches)
        output.write()
    return Followed(bucket=bucket, clean=int((~is_doubtful).sum()), deals=table.num_rows, doubtful=doubtful)


def _with_slices(shuffle: Shuffle, bucket: int, slices: Sequence[int]) -> pa.Table:
    """Packed deals of *bucket*, and the slice that each is of."""
    import pyarrow as pa

    batches = []
    for number, batch in shuffle.read(PACKED, slices, bucket):
        batches.append(batch.append_column("slice", pa.array(np.full(batch.num_rows, number, np.int32))))
    return pa.Table.from_batches(batches)


def _name_doubtful(
    shuffle: Shuffle, bucket: int, table: pa.Table, first: Any, is_doubtful: Any
) -> dict[int, int]:
    """Leave source and match of each doubtful match for the slices in which it has deals."""
    rows = np.flatnonzero(np.repeat(is_doubtful, np.diff(first)))
    of_match = np.repeat(np.arange(len(is_doubtful)), np.diff(first))[rows]
    slices = table["slice"].to_numpy()[rows]
    places = np.unique(np.stack([slices.astype(np.int64), of_match]), axis=1)
    keys = table.select(["source", "match"]).take(first[:-1][places[1]])
    return shuffle.write(DOUBTFUL, bucket, split(keys, places[0]))


def gather_slice(settings: Settings, piece: Slice, dropped: list[int], senders: list[int]) -> dict[int, int]:
    """Leave the whole deals of the matches that *senders*, which are buckets, have named for their buckets."""
    stop_if_interrupted()
    tables = {"doubtful": settings.shuffle.table(DOUBTFUL, senders, piece.number)}
    deals = _ask(settings, piece, dropped, whole_deals_sql(_IS_DOUBTFUL), tables)
    return settings.shuffle.write(WHOLE, piece.number, split(deals, deals["bucket"].to_numpy()))


def check_buckets(settings: Settings, senders: Senders, copies: Senders, unreadable: Senders) -> int:
    """Take the matches that are not clean of some buckets through the match checker, and write the buckets.

    senders: slices that have left their deals, a bucket.  copies, unreadable: the same for what is known of them.
    Returns: how many matches went through the checker.
    """
    shuffle, count = settings.shuffle, 0
    for bucket, slices in senders.items():
        output = settings.output(bucket)
        output.add_clean(shuffle.table(STANDINGS, [bucket], bucket), shuffle.table(MATCHES, [bucket], bucket))
        keys = [(key, "ascending") for key in ("source", "match", "deal")]
        table = shuffle.table(WHOLE, slices, bucket).combine_chunks().sort_by(keys)
        deals = (row for batch in table.to_batches(_BATCH_ROWS) for row in batch.to_pylist())
        more = _rows(shuffle, COPIES, copies, bucket), _rows(shuffle, UNREADABLE, unreadable, bucket)
        count += check_matches(
            output, deals, copies_by_match(more[0]), lines_by_match(more[1]), settings.rulesets
        )
        output.write()
    return count


def _rows(shuffle: Shuffle, kind: str, senders: Senders, bucket: int) -> Iterator[Row]:
    for _, batch in shuffle.read(kind, senders.get(bucket, []), bucket):
        yield from batch.to_pylist()


def check_matches(
    output: BucketOutput,
    deals: Iterator[Row],
    copies: Mapping[tuple[str, str], list[Row]],
    unreadable: Mapping[tuple[str, str], Mapping[int, int]],
    rulesets: Mapping[str, RuleSet],
    done: Callable[[], object] = lambda: None,
) -> int:
    """Take matches through the match checker into *output*.

    deals: rows of :func:`whole_deals_sql` in order of source, match, deal.  done: called after each match.
    Returns: how many.
    """
    count = 0
    for key, match in groupby(deals, key=lambda row: (row["source"], row["match"])):
        stop_if_interrupted()
        output.add_match(key, list(match), copies.get(key, []), unreadable.get(key, {}), rulesets)
        count += 1
        done()
    return count


def copies_by_match(rows: Iterator[Row]) -> dict[tuple[str, str], list[Row]]:
    """Copies that are findings, a match."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["source"], row["match"]), []).append(row)
    return found


def lines_by_match(rows: Iterator[Row]) -> dict[tuple[str, str], dict[int, int]]:
    """Deals in quarantine: number -> line, a match."""
    found: dict[tuple[str, str], dict[int, int]] = {}
    for row in rows:
        found.setdefault((row["source"], row["match"]), {})[row["deal"]] = row["line"]
    return found


def _ask(
    settings: Settings,
    piece: Slice,
    dropped: list[int],
    query: str,
    tables: Mapping[str, pa.Table] | None = None,
) -> pa.Table:
    """Answer over the deals of *piece*, those that do not count in ``raw_duplicates``, and *tables*."""
    import pyarrow as pa

    storage = settings.shuffle.storage
    places = pa.schema({"part": pa.string(), "line": pa.int64(), "byte": pa.int64()}).empty_table()
    if dropped:
        places = settings.shuffle.table(DROPPED, dropped, piece.number)
    connection = connect(storage.make_spill_folder(), _MEMORY_LIMIT, threads=1)
    try:
        add_macros(connection, settings.buckets)
        columns = zip(*piece.uses, strict=True)
        names = ("alias", "file", "first_line")
        for name, table in {
            "raw_duplicates": places,
            "part_uses": pa.table(dict(zip(names, map(list, columns), strict=True))),
            "raw_ledger": pa.table({"file": list(piece.formats), "format": list(piece.formats.values())}),
            **(tables or {}),
        }.items():
            add_table(connection, name, table)
        add_parts_view(connection, "raw_deals", storage, "deals", piece.parts)
        return connection.sql(query, params={"stale": settings.stale}).to_arrow_table()
    finally:
        connection.close()

"""The match pass of a large warehouse, stage after stage: the tasks of each over an executor, and who has left what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from belot_stats import match_tasks as tasks
from belot_stats.ledger import LedgerRow, part_name, part_uses
from belot_stats.scans import PartFile
from belot_stats.shuffle import split
from belot_stats.work import Work

if TYPE_CHECKING:
    import duckdb

_TABLE_ROWS = 100_000
COPIES_SQL = """
    with counting as (
        select d.source, d.match, d.deal, l.names[1] as name, u.file, u.first_line + d.line - 1 as line
        from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
        where (d.source, d.match, d.deal) in (select (source, match, deal) from raw_duplicates)
            and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    )
    select bucket_of(d.source, d.match) as bucket, d.source, d.match, d.deal, d.reason, u.file,
        u.first_line + d.line - 1 as line,
        if(c.file = u.file, 'line ' || c.line, 'line ' || c.line || ' of ' || c.name) as other
    from raw_duplicates as d join part_uses as u on d.part = u.alias join counting as c using (source, match, deal)
    where d.reason in ('duplicate', 'conflict') and is_among($stale, bucket_of(d.source, d.match))
    order by d.source, d.match, d.deal, u.place, d.line"""
# What a record that could not be read says of its place, as far as its text can be made out.
UNREADABLE_SQL = r"""
    with texts as (
        select q.part, q.line, try(decode(q.raw)) as text from raw_quarantine as q where octet_length(q.raw) < 100000
    ),
    placed as (
        select regexp_extract(text, '"source"\s*:\s*"([^"\\]*)"', 1) as source,
            regexp_extract(text, '"match"\s*:\s*"([^"\\]*)"', 1) as match,
            try_cast(regexp_extract(text, '"deal"\s*:\s*"?(\d{1,9})', 1) as bigint) as deal, part, line
        from texts where text is not null
    )
    select bucket_of(p.source, p.match) as bucket, p.source, p.match, p.deal, min(u.first_line + p.line - 1) as line
    from placed as p join part_uses as u on p.part = u.alias
    where p.deal is not null and is_among($stale, bucket_of(p.source, p.match))
    group by all"""


class Stages:
    """The tasks of one run, stage after stage."""

    def __init__(
        self,
        settings: tasks.Settings,
        slices: Sequence[tasks.Slice],
        work: Work,
        connection: duckdb.DuckDBPyConnection,
        tell: Callable[[float, int], object],
    ) -> None:
        self._settings, self._slices, self._work = settings, slices, work
        self._connection, self._tell = connection, tell
        self._deals = max(sum(piece.deals for piece in slices), 1)
        self._matches = 0

    def run(self) -> None:
        """Write all buckets."""
        dropped, copies, unreadable = self._leave_dropped(), self._leave(tasks.COPIES, COPIES_SQL), {}
        warm = self._work.submit(tasks.warm)
        senders = self._pack(dropped)
        self._work.result(warm)
        doubtful = self._follow(senders, copies)
        if doubtful:
            unreadable = self._leave(tasks.UNREADABLE, UNREADABLE_SQL)
            self._check(self._gather(dropped, doubtful), copies, unreadable)
        self._tell(1.0, self._matches)

    def _leave_dropped(self) -> tasks.Senders:
        """Leave the places of deals that do not count for the slices that they are in."""
        import numpy as np

        slice_of = {alias: piece.number for piece in self._slices for alias, _, _ in piece.parts}
        query = "select part, line, byte from raw_duplicates where is_among($stale, bucket_of(source, match))"

        def receivers(table: Any) -> Any:
            parts = table["part"].combine_chunks().dictionary_encode()
            numbers = np.array([slice_of[part] for part in parts.dictionary.to_pylist()], dtype=np.int64)
            return numbers[parts.indices.to_numpy()]

        return self._leave(tasks.DROPPED, query, receivers)

    def _leave(
        self,
        kind: str,
        query: str,
        receivers: Callable[[Any], Any] = lambda table: table["bucket"].to_numpy(),
    ) -> tasks.Senders:
        """Leave the answer to *query* for *receivers*, the buckets of its rows. Returns: who has left some for each."""
        import pyarrow as pa

        senders: tasks.Senders = {}
        relation = self._connection.sql(query, params={"stale": self._settings.stale})
        for number, batch in enumerate(relation.to_arrow_reader(_TABLE_ROWS)):
            table = pa.Table.from_batches([batch])
            left = self._settings.shuffle.write(kind, number, split(table, receivers(table)))
            _add_sender(senders, number, left)
        return senders

    def _pack(self, dropped: tasks.Senders) -> tasks.Senders:
        """Pack all slices. Returns: slices that have left deals, a bucket."""
        calls = ((self._settings, piece, dropped.get(piece.number, [])) for piece in self._slices)
        senders: tasks.Senders = {}
        done = 0
        for piece, left in zip(self._slices, self._work.in_order(tasks.pack_slice, calls), strict=True):
            _add_sender(senders, piece.number, left)
            done += piece.deals
            self._tell(done / self._deals / 2, 0)
        return dict(sorted(senders.items()))

    def _follow(self, senders: tasks.Senders, copies: tasks.Senders) -> tasks.Senders:
        """Follow the matches of all buckets. Returns: buckets with matches that are not clean, a slice."""
        calls = ((self._settings, group, _of(copies, group)) for group in _groups(senders, len(self._slices)))
        doubtful: tasks.Senders = {}
        done = 0
        for found in self._work.in_order(tasks.follow_buckets, calls):
            for item in found:
                _add_sender(doubtful, item.bucket, item.doubtful)
                self._matches += item.clean
                done += item.deals
            self._tell(0.5 + done / self._deals / 2, self._matches)
        return doubtful

    def _gather(self, dropped: tasks.Senders, doubtful: tasks.Senders) -> tasks.Senders:
        """Gather the deals of matches that are not clean. Returns: slices that have left some, a bucket."""
        pieces = [piece for piece in self._slices if piece.number in doubtful]
        calls = (
            (self._settings, piece, dropped.get(piece.number, []), doubtful[piece.number]) for piece in pieces
        )
        senders: tasks.Senders = {}
        for piece, left in zip(pieces, self._work.in_order(tasks.gather_slice, calls), strict=True):
            _add_sender(senders, piece.number, left)
        return dict(sorted(senders.items()))

    def _check(self, senders: tasks.Senders, copies: tasks.Senders, unreadable: tasks.Senders) -> None:
        """Take the matches that are not clean through the match checker."""
        calls = (
            (self._settings, {bucket: slices}, _of(copies, [bucket]), _of(unreadable, [bucket]))
            for bucket, slices in senders.items()
        )
        for count in self._work.in_order(tasks.check_buckets, calls):
            self._matches += count
            self._tell(1.0, self._matches)


def slices_of(rows: Sequence[LedgerRow], deals: int) -> list[tasks.Slice]:
    """The parts that *rows* name, in their order, in slices of no fewer than *deals* deals, but for the last."""
    format_of = {row.file: row.format for row in rows}
    slices: list[tasks.Slice] = []
    uses = [use for use in part_uses(rows) if use.stored]
    while uses:
        taken, count = 0, 0
        while taken < len(uses) and count < deals:
            count += uses[taken].stored
            taken += 1
        piece, uses = uses[:taken], uses[taken:]
        slices.append(
            tasks.Slice(
                number=len(slices),
                parts=[PartFile(use.alias, part_name("deals", use.part), use.version) for use in piece],
                uses=[(use.alias, use.file, use.first_line) for use in piece],
                formats={use.file: format_of[use.file] for use in piece},
                deals=count,
            )
        )
    return slices


def _add_sender(senders: tasks.Senders, sender: int, receivers: Mapping[int, int]) -> None:
    for receiver in receivers:
        senders.setdefault(receiver, []).append(sender)


def _of(senders: tasks.Senders, receivers: Sequence[int] | Mapping[int, object]) -> tasks.Senders:
    return {receiver: senders[receiver] for receiver in receivers if receiver in senders}


def _groups(senders: tasks.Senders, count: int) -> Iterator[tasks.Senders]:
    """The buckets that are keys of *senders*, in about *count* groups."""
    buckets = list(senders)
    size = -(-len(buckets) // max(count, 1))
    for start in range(0, len(buckets), size):
        yield {bucket: senders[bucket] for bucket in buckets[start : start + size]}

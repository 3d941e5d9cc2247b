"""The deal pass over a chunk of ``bhh/1`` in compiled loops: clean records never become Python objects.

The fast reader takes the lines that it understands whole, the compiled deal pass those in which everything agrees. All
others, and only they, are read and checked one by one, so that what is said of them is said in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from belot_stats.deal import BadRecord, Deal
from belot_stats.readers.bhh import BhhReader, read_line
from belot_stats.ruleset import RuleSet
from belot_stats.texts import COMPILING

if TYPE_CHECKING:
    from belot_stats.parts import PartWriter
    from belot_stats.readers.fast_bhh import FastGroup
    from belot_stats.readers.reader import Chunk, Reader, ReadOptions
    from belot_stats.row_tables import RowTexts

Places = npt.NDArray[np.int64]
WORTH_COMPILING = 64 << 20  # bytes of logs whose reading one by one takes as long as compiling the loops
WORTH_LOADING = 3 << 19  # bytes whose reading one by one takes as long as loading the loops
_SIGN = "reading"  # file of the cache folder: all loops of reading and checking are kept there


def is_fast(reader: Reader, may_compile: bool) -> bool:
    """Whether a chunk is read by the compiled loops: they are there, or may be made for it."""
    return isinstance(reader, BhhReader) and (may_compile or is_warm())


def is_warm() -> bool:
    """Whether the compiled loops of reading and checking are kept on disk."""
    from belot_stats.rules.compiling import cache_folder

    folder = cache_folder()
    return folder is not None and (folder / _SIGN).exists()


def make_ready(notice: Callable[[str], object] | None) -> None:
    """Have the loops of reading and checking compiled.  notice: called with a sentence before that takes its time."""
    if is_warm():
        return
    if notice is not None:
        notice(COMPILING)
    warm_up()


def warm_up() -> None:
    """Compile the loops of reading and checking, by reading a sample, and keep them for other processes."""
    from belot_stats.parts import PartWriter
    from belot_stats.readers.reader import Chunk, ReadOptions
    from belot_stats.resources import resource
    from belot_stats.rules.compiling import cache_folder
    from belot_stats.ruleset import RuleResolver

    data = resource("data", "samples/bhh/belot-bg.jsonl").read_bytes()
    chunk = Chunk(data=data, first_line=1, first_byte=0, lines=data.count(b"\n"))
    for _ in add_chunk(PartWriter(), chunk, ReadOptions(None, RuleResolver())):
        pass  # lines that are left to be read one by one
    folder = cache_folder()
    if folder is not None:
        (folder / _SIGN).touch()


def add_chunk(
    writer: PartWriter, chunk: Chunk, options: ReadOptions
) -> Iterator[tuple[Deal | BadRecord, RuleSet | None]]:
    """Add the clean records of *chunk* to *writer*; the others are given back, for the one who adds them one by one."""
    from belot_stats.readers.fast_bhh import FastReader

    for piece in FastReader(options).read(chunk):
        left_over = list(piece.slow_lines)
        for group in piece.groups:
            left_over += _add_group(writer, chunk, group)
        for line, byte, raw in sorted(left_over):
            record = read_line(raw, line, byte, options)
            rules = None
            if isinstance(record, Deal):
                rules = options.resolver.resolve(record.rules, record.options)
            yield record, rules


def _add_group(writer: PartWriter, chunk: Chunk, group: FastGroup) -> list[tuple[int, int, bytes]]:
    """Add the clean rows of *group*; returns the lines of the others."""
    from belot_stats.row_tables import deals_table
    from belot_stats.rules.batch import check_records

    rows, status = check_records(group.rules, group.records)
    places = _in_order(group, np.flatnonzero(status == 0))
    if places is None:
        writer.add_clean(deals_table(group.rules, group.records, rows, _texts(group)), group.rules)
    elif len(places):
        table = deals_table(group.rules, group.records[places], rows[places], _texts(_at(group, places)))
        writer.add_clean(table, group.rules)
    return [_line(chunk, group, place) for place in np.flatnonzero(status).tolist()]


def _in_order(group: FastGroup, places: Places) -> Places | None:
    """*places* of the group in the order of the table deals; None where they are all of it, and in order already.

    Rows are put in order before they are a table: it takes much less than to sort the table.
    """
    import pyarrow as pa

    from belot_stats.schema import sort_columns, sort_order

    keys = {name: getattr(group, name) for name in sort_columns("deals") if name != "deal"}
    table = pa.table({**keys, "deal": group.records["deal"].copy()})
    is_whole = len(places) == table.num_rows
    order = sort_order("deals", table if is_whole else table.take(pa.array(places)))
    if order is None:
        return None if is_whole else places
    ordered: Places = places[order.to_numpy()]
    return ordered


def _line(chunk: Chunk, group: FastGroup, place: int) -> tuple[int, int, bytes]:
    first = int(group.byte[place])
    end = chunk.data.find(b"\n", first)
    return int(group.line[place]), first, chunk.data[first : end if end >= 0 else len(chunk.data)]


def _at(group: FastGroup, places: Places) -> FastGroup:
    """Rows of *group*."""
    import pyarrow as pa

    taken = pa.array(places)
    columns: dict[str, Any] = {
        name: column.take(taken) if isinstance(column, pa.Array) else column[places]
        for name, column in group._asdict().items()
        if isinstance(column, pa.Array | np.ndarray)
    }
    return group._replace(**columns)


def _texts(group: FastGroup) -> RowTexts:
    from belot_stats.row_tables import RowTexts

    return RowTexts(
        source=group.source,
        match=group.match,
        line=group.line,
        byte=group.byte,
        content_hash=group.content_hash,
        options=group.options,
        started=group.started,
        started_at=group.started_at,
        players=group.players,
        total=group.claimed_total,
        winner=group.claimed_winner,
        rules_name=group.rules.name,
        extra=group.extra,
    )

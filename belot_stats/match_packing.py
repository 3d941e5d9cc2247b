"""Stored deals packed for the match pass: what it compares in one record a deal, beside what it is sorted by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from belot_stats.checks.dealing_order import NO_NEXT
from belot_stats.readers.times import is_time, parse_time
from belot_stats.rules.deal_rows import SIDES
from belot_stats.rules.match_rows import (
    MATCH_DEAL,
    NO_TIME,
    NOTHING,
    ODD,
    WITH_OFFSET,
    WITHOUT_OFFSET,
)

OUTCOMES = ("failed", "made", "hanging", "all_pass", "passed", "penalty", "declared_out", "unfinished")
SMALL = (
    *("contract", "level", "declarer", "declarer_side", "last_trick_side", "capot_side", "claimed_winner"),
    "dealer",
)
LISTS = ("tricks_won", "claimed_score", "claimed_total")
SPREAD = ("points", "score")  # read from their columns a side
_KEPT = ("source", "match", "deal", "players")  # as they are
_PLAIN_TIME = r"^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$"

Numbers = npt.NDArray[Any]
Table = Any  # pyarrow.Table, of one chunk a column inside


def packed_columns_sql() -> str:
    """What :func:`pack` needs of deals, beside the bucket; players are those of first deals alone."""
    plain = [
        *("source", "match", "deal", "rules_hash", "end", "outcome", "is_scored", "hanging", *SMALL, *LISTS),
        *(f"{name}_{side}" for name in SPREAD for side in range(SIDES)),
        *("claimed_hanging", "started_at", "finding_count"),
    ]
    named = ", ".join(f"d.{name}" for name in plain)
    players = "if(d.deal = 1, d.players, null) as players"
    return f"{named}, {players}, if(d.started_at is null, d.started, null) as local_start"


def pack(table: Table, ruleset_hashes: Sequence[str]) -> Table:
    """*table* with its keys and players, and the rest as MATCH_DEAL.

    ruleset_hashes: stored hashes, in their order.
    """
    import pyarrow as pa

    if not table.num_rows:
        return table
    (batch,) = table.combine_chunks().to_batches()
    deals = np.zeros(batch.num_rows, dtype=MATCH_DEAL)
    for name in ("deal", "is_scored", "hanging", "finding_count"):
        deals[name] = _numpy(batch[name])
    for name in SMALL:
        deals[name] = _numpy(batch[name].fill_null(NOTHING))
    for name in LISTS:
        _fill_list(deals, name, batch[name])
    for name in SPREAD:
        _fill_sides(deals, name, batch)
    deals["rules"] = _places(batch["rules_hash"], ruleset_hashes)
    deals["outcome"] = _places(batch["outcome"], OUTCOMES)
    deals["ends_order"] = _places(batch["end"], NO_NEXT) >= 0
    deals["claimed_hanging"] = _numpy(batch["claimed_hanging"].fill_null(0))
    deals["has_claimed_hanging"] = _numpy(batch["claimed_hanging"].is_valid())
    _fill_times(deals, batch["started_at"], batch["local_start"])
    packed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(MATCH_DEAL.itemsize), len(deals), [None, pa.py_buffer(deals)]
    )
    return pa.Table.from_arrays([*(batch[name] for name in _KEPT), packed], [*_KEPT, "packed"])


def unpack(packed: Any) -> Numbers:
    """The column *packed* as MATCH_DEAL."""
    numbers = np.frombuffer(packed.buffers()[1], dtype=MATCH_DEAL)
    return numbers[packed.offset : packed.offset + len(packed)]


def _numpy(array: Any) -> Numbers:
    numbers: Numbers = array.to_numpy(zero_copy_only=False)
    return numbers


def _places(column: Any, words: Sequence[str]) -> Numbers:
    """Place of each value among *words*, -1 where it is none of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return _numpy(pc.index_in(column, value_set=pa.array(words, pa.string())).fill_null(-1))


def _fill_list(deals: Numbers, name: str, column: Any) -> None:
    offsets, values, known = _numpy(column.offsets), _numpy(column.values), _numpy(column.is_valid())
    lengths = np.where(known, np.diff(offsets), 0)
    for side in range(int(min(lengths.max(initial=0), SIDES))):
        if (lengths > side).all():
            deals[name][:, side] = values[offsets[:-1] + side]
        else:
            rows = np.flatnonzero(lengths > side)
            deals[name][rows, side] = values[offsets[rows] + side]
    deals[f"{name}_count"] = np.where(known, np.where(lengths <= SIDES, lengths, ODD), NOTHING)


def _fill_sides(deals: Numbers, name: str, batch: Any) -> None:
    for side in range(SIDES):
        column = batch[f"{name}_{side}"]
        if column.null_count < len(column):
            deals[name][:, side] = _numpy(column.fill_null(0))
            deals[f"{name}_count"] += _numpy(column.is_valid())


def _fill_times(deals: Numbers, stored: Any, local: Any) -> None:
    """When each deal began; where its log gives no offset, from the text."""
    deals["time"] = _micros(stored)
    deals["time_kind"] = np.where(_numpy(stored.is_valid()), WITH_OFFSET, NO_TIME)
    rows = np.flatnonzero(_numpy(local.is_valid()))
    if len(rows):
        read = _local_times(local.take(rows))
        deals["time"][rows] = _micros(read)
        deals["time_kind"][rows] = np.where(_numpy(read.is_valid()), WITHOUT_OFFSET, NO_TIME)


def _micros(times: Any) -> Numbers:
    return _numpy(times.cast("int64").fill_null(0))


def _local_times(texts: Any) -> Any:
    """Times without an offset that *texts* name; null where one is no time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_plain = pc.match_substring_regex(texts, _PLAIN_TIME)
    plain = pc.strptime(pc.if_else(is_plain, texts, None), format="%Y-%m-%dT%H:%M:%S", unit="us")
    odd = texts.filter(pc.invert(is_plain)).to_pylist()
    if not odd:
        return plain
    read = [parse_time(text).replace(tzinfo=None) if is_time(text) else None for text in odd]
    return pc.replace_with_mask(plain, pc.invert(is_plain), pa.array(read, pa.timestamp("us")))

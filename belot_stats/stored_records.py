"""Stored deals as the compiled deal pass takes them: rows of the table ``deals`` back in records of fixed width."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.record_columns import (
    AT_NOT_SAID,
    END_PASSED,
    END_PLAYED,
    MOST_BELOTES,
    MOST_CALLS,
    MOST_DECLARATIONS,
    NOT_SAID,
    NUMBER_NOT_SAID,
)
from belot_stats.row_tables import OUTCOMES
from belot_stats.rules.table import deal_size, first_hand_size, hand_size, side_count
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows

Numbers = npt.NDArray[Any]
Truths = npt.NDArray[np.bool_]
# Numbers of a record, and the columns that they stand in.
NUMBERS = {
    "exchange": "exchange_seat",
    **{name: name for name in ("claimed_contract", "claimed_declarer", "claimed_level", "claimed_capot")},
}
# What the compiled pass knows nothing of: a record that says it is checked one by one.
UNKNOWN = ("stated_contract", "ended_by_seat", "ended_by_at", "ended_by_reason")


class _Lists(NamedTuple):
    """A column of lists: how many values each has (NOT_SAID for null), and all values, one list after the other."""

    counts: Numbers
    values: pa.Array


def recheckable(rules: RuleSet, deals: pa.Table) -> tuple[Rows, Truths]:
    """Records of *deals*, rows of the table ``deals`` checked by *rules*, and which of them are so taken up whole.

    The others say what has no place in a record of fixed width; their rows are not to be used.
    """
    from belot_stats.rules.deal_rows import RECORD

    records = np.zeros(deals.num_rows, dtype=RECORD)
    fits = np.ones(deals.num_rows, dtype=bool)
    for name in UNKNOWN:
        fits &= _column(deals, name).is_null().to_numpy(zero_copy_only=False)
    _take_numbers(deals, records)
    fits &= _take_end(deals, records)
    fits &= _take_cards(rules, deals, records)
    fits &= _take_claims(rules, deals, records)
    fits &= _take_announcements(deals, records)
    return records, fits


def are_as_stored(rules: RuleSet, deals: pa.Table, rows: Rows) -> Truths:
    """Which of *deals* are stored as clean, with the results in *rows*."""
    sides = side_count(rules)
    same: Truths = _numbers(deals, "finding_bits", 1) == 0
    same &= _numbers(deals, "finding_count", 1) == 0
    same &= _numbers(deals, "hanging", NUMBER_NOT_SAID) == rows["hanging"]
    same &= _texts(deals, "outcome") == np.array(OUTCOMES)[rows["result"]]
    is_passed = rows["result"] == OUTCOMES.index("passed")
    for name in ("points", "score"):
        stored = _lists(deals, name)
        starts = np.cumsum(np.maximum(stored.counts, 0)) - np.maximum(stored.counts, 0)
        is_full = stored.counts == sides
        places = starts[is_full, None] + np.arange(sides)
        given = np.where(is_passed[:, None], 0, rows[name][:, :sides])
        is_full[is_full] = (stored.values.to_numpy()[places] == given[is_full]).all(axis=1)
        same &= is_full
    return same


def _column(deals: pa.Table, name: str) -> pa.Array:
    import pyarrow as pa

    column = deals[name]
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _numbers(deals: pa.Table, name: str, missing: int) -> Numbers:
    """A column of numbers, wide enough for *missing*, which stands for null."""
    return _filled(_column(deals, name), missing)


def _filled(values: pa.Array, missing: int) -> Numbers:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.fill_null(values.cast(pa.int64()), missing).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _texts(deals: pa.Table, name: str) -> Numbers:
    return _column(deals, name).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _lists(deals: pa.Table, name: str) -> _Lists:
    import pyarrow.compute as pc

    column = _column(deals, name)
    return _Lists(_filled(pc.list_value_length(column), NOT_SAID), column.flatten())


def _put(records: Rows, name: str, lists: _Lists, values: Numbers) -> Truths:
    """Put the *values* of *lists* into the field *name*; returns which rows have the place for theirs."""
    width, counts = records[name].shape[1], np.maximum(lists.counts, 0)
    if len(counts) and (counts == counts[0]).all() and counts[0] <= width:
        records[name][:, : counts[0]] = values.reshape(-1, counts[0]) if counts[0] else 0
        return np.ones(len(records), dtype=bool)
    row = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place < width
    records[name][row[kept], place[kept]] = values[kept]
    fits: Truths = counts <= width
    return fits


def _put_list(deals: pa.Table, records: Rows, name: str, column: str) -> tuple[Numbers, Truths]:
    """Put a column of lists into a field; returns how many values each has, and which have the place for them."""
    lists = _lists(deals, column)
    return lists.counts, _put(records, name, lists, lists.values.to_numpy(zero_copy_only=False))


def _take_numbers(deals: pa.Table, records: Rows) -> None:
    records["deal"] = _numbers(deals, "deal", 0)
    records["dealer"] = _numbers(deals, "dealer", 0)
    for name, column in NUMBERS.items():
        records[name] = _numbers(deals, column, NOT_SAID)
    records["claimed_made"] = _numbers(deals, "claimed_made", NOT_SAID)
    records["claimed_hanging"] = _numbers(deals, "claimed_hanging", NUMBER_NOT_SAID)


def _take_end(deals: pa.Table, records: Rows) -> Truths:
    ends = _texts(deals, "end")
    records["end"] = np.where(ends == "passed", END_PASSED, END_PLAYED)
    fits: Truths = (ends == "passed") | (ends == "played")
    return fits


def _take_cards(rules: RuleSet, deals: pa.Table, records: Rows) -> Truths:
    records["turn_up"] = NOT_SAID
    _, fits = _put_list(deals, records, "turn_up", "turn_up")
    lists = (("call", "auction", MOST_CALLS), ("play", "plays", deal_size(rules)))
    for name, column, most in lists:
        counts, have_place = _put_list(deals, records, f"{name}s", column)
        records[f"{name}_count"] = np.clip(counts, 0, most)
        fits &= have_place & (counts >= 0) & (counts <= most)
    for name, size in (("first_hands", first_hand_size(rules)), ("hands", hand_size(rules))):
        said, have_place = _put_list(deals, records, name, name)
        fits &= have_place
        records[f"has_{name}"] = said >= 0
        held = np.bitwise_count(records[name][:, : rules.players])
        fits &= (said < 0) | ((said == rules.players) & (held == size).all(axis=1))
    return fits


def _take_claims(rules: RuleSet, deals: pa.Table, records: Rows) -> Truths:
    tricks, fits = _put_list(deals, records, "claimed_tricks", "claimed_tricks")
    fits &= tricks <= hand_size(rules)
    records["claimed_trick_count"] = np.minimum(tricks, 127)
    for name in ("claimed_points", "claimed_score"):
        said, have_place = _put_list(deals, records, name, name)
        records[name][said < 0, 0] = NUMBER_NOT_SAID
        fits &= have_place & ((said < 0) | (said == side_count(rules)))
    return fits


def _take_announcements(deals: pa.Table, records: Rows) -> Truths:
    declared, belotes = _lists(deals, "declarations"), _lists(deals, "belotes")
    fits: Truths = (declared.counts >= 0) & (declared.counts <= MOST_DECLARATIONS)
    fits &= (belotes.counts >= 0) & (belotes.counts <= MOST_BELOTES)
    fits &= ~_any(declared, declared.values.field("kind").is_valid())
    fits &= ~_any(declared, declared.values.field("cards").is_null())
    fields: Mapping[str, tuple[_Lists, str, int]] = {
        "declared_seat": (declared, "seat", 0),
        "declared_mask": (declared, "cards", 0),
        "declared_at": (declared, "at", AT_NOT_SAID),
        "belote_seat": (belotes, "seat", 0),
        "belote_suit": (belotes, "suit", 0),
        "belote_at": (belotes, "at", AT_NOT_SAID),
    }
    for name, (lists, field, missing) in fields.items():
        fits &= _put(records, name, lists, _filled(lists.values.field(field), missing))
    records["declared_count"] = np.clip(declared.counts, 0, MOST_DECLARATIONS)
    records["belote_count"] = np.clip(belotes.counts, 0, MOST_BELOTES)
    return fits


def _any(lists: _Lists, truths: pa.Array) -> Truths:
    """Which lists have a value that is true."""
    found = np.zeros(len(lists.counts), dtype=bool)
    row = np.repeat(np.arange(len(found)), np.maximum(lists.counts, 0))
    found[row[truths.to_numpy(zero_copy_only=False)]] = True
    return found

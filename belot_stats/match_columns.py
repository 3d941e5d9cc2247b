"""Matches in columns: deals out of Arrow into the compiled match pass, and its results back into Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from belot_stats.ruleset import RuleSet
from belot_stats.schema import schema

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.match_rows import MatchResults

KEYS = ("source", "match", "deal")
Numbers = npt.NDArray[Any]
Table = Any  # pyarrow.Table; its columns are of one chunk each here


def in_order(table: Table) -> Table:
    """*table* sorted by source, match and deal, as one chunk."""
    import pyarrow.compute as pc

    table = table.combine_chunks()
    if not _is_sorted(table):
        order = pc.sort_indices(table.select(KEYS), sort_keys=[(key, "ascending") for key in KEYS])
        table = table.take(order).combine_chunks()
    return table


def _is_sorted(table: Table) -> bool:
    import pyarrow.compute as pc

    is_after = np.zeros(max(len(table) - 1, 0), dtype=np.bool_)
    is_equal = ~is_after
    for key in KEYS:
        column = _column(table, key)
        before, after = column.slice(0, len(is_after)), column.slice(1)
        is_after |= is_equal & _numpy(pc.greater(after, before))
        is_equal &= _numpy(pc.equal(after, before))
    return bool(is_after.all())


def first_rows(table: Table) -> Numbers:
    """First row of each match of a table in order, and at the end the number of rows."""
    import pyarrow.compute as pc

    is_first = np.ones(len(table) + 1, dtype=np.bool_)
    is_first[1:-1] = False
    for key in ("source", "match"):
        column = _column(table, key)
        if len(column):
            is_first[1:-1] |= _numpy(pc.not_equal(column.slice(1), column.slice(0, len(column) - 1)))
    return np.flatnonzero(is_first)


def match_keys(table: Table, rows: Numbers) -> pa.Table:
    """Source and match of *rows*."""
    return table.select(["source", "match"]).take(rows).combine_chunks()


def matches_among(table: Table, first: Numbers, keys: Table) -> Numbers:
    """Which matches of a table in order are among *keys* (source, match)."""
    starts = match_keys(table, first[:-1]).append_column("place", [np.arange(len(first) - 1)])
    found = starts.join(keys, ["source", "match"], join_type="left semi", use_threads=False)
    return _numpy(found["place"])


def _column(table: Table, name: str) -> Any:
    return table[name].chunk(0)


def _numpy(array: Any) -> Numbers:
    numbers: Numbers = array.to_numpy(zero_copy_only=False)
    return numbers


def clean_tables(
    table: Table, deals: Numbers, first: Numbers, found: MatchResults, rulesets: Sequence[RuleSet]
) -> tuple[pa.Table, pa.Table]:
    """Rows of standings and of matches for the clean matches of a table in order.

    deals, first: as the compiled loop took them.  found: what it found.
    """
    from belot_stats.rules.match_rows import CLEAN
    from belot_stats.rules.table import side_count

    is_clean = found.status == CLEAN
    counts = np.array([side_count(rules) for rules in rulesets])
    kept = np.flatnonzero(np.repeat(is_clean, np.diff(first)))
    standings = _standings(table, kept, found, counts[deals["rules"][kept]])
    return standings, _matches(table, deals, first, found, np.flatnonzero(is_clean), rulesets, counts)


def _standings(table: Table, kept: Numbers, found: MatchResults, sides: Numbers) -> pa.Table:
    import pyarrow as pa

    now, (ends, winner) = found.standings[kept], _ends(found)
    has_score, has_total = now["has_score"] != 0, now["has_total"] != 0
    score, total = np.ascontiguousarray(now["score"].T), np.ascontiguousarray(now["total"].T)
    columns = {
        **_kept_keys(table, kept, KEYS),
        "hanging_in": pa.array(np.ascontiguousarray(now["hanging_in"])),
        "score": _lists(score, sides, has_score),
        **_by_side("score", score, sides, has_score),
        "hanging_out": pa.array(now["hanging_out"], mask=~has_total),  # a deal without a result has neither
        "total": _lists(total, sides, has_total),
        **_by_side("total", total, sides, has_total),
        "ends_match": pa.array(ends[kept]),
        "winner": pa.array(winner[kept], mask=~ends[kept]),
    }
    return _as_table("standings", columns)


def _ends(found: MatchResults) -> tuple[Numbers, Numbers]:
    """Whether the match ends with each deal, and the side that then has won it."""
    from belot_stats.rules.match_rows import CLEAN, NOTHING

    ends, winner = np.zeros(len(found.standings), np.bool_), np.zeros(len(found.standings), np.uint8)
    ended = np.flatnonzero((found.status == CLEAN) & (found.winner != NOTHING))
    ends[found.last_row[ended]] = True
    winner[found.last_row[ended]] = found.winner[ended]
    return ends, winner


def _matches(
    table: Table,
    deals: Numbers,
    first: Numbers,
    found: MatchResults,
    kept: Numbers,
    rulesets: Sequence[RuleSet],
    side_counts: Numbers,
) -> pa.Table:
    import pyarrow as pa

    from belot_stats.rules.match_rows import NOTHING

    begin, end, winner = first[kept], first[kept + 1], found.winner[kept]
    last, ruleset = found.standings[found.last_row[kept]], deals["rules"][begin]
    findings = np.add.reduceat(deals["finding_count"], first[:-1], dtype=np.int64)
    columns = {
        **_kept_keys(table, begin, KEYS[:2]),
        "rules": pa.array([rules.name for rules in rulesets], pa.string()).take(pa.array(ruleset)),
        "rules_hash": pa.array([rules.hash for rules in rulesets], pa.string()).take(pa.array(ruleset)),
        "players": _kept(_column(table, "players"), begin),
        "first_deal": pa.array(deals["deal"][begin]),
        "last_deal": pa.array(deals["deal"][end - 1]),
        "deals": pa.array(end - begin),
        "missing_deals": pa.array(np.zeros(len(kept), np.int64)),
        "total": _lists(last["total"].T, side_counts[ruleset], last["has_total"] != 0),
        "winner": pa.array(winner, mask=winner == NOTHING),
        "is_finished": pa.array(winner != NOTHING),
        "has_conflict": pa.array(np.zeros(len(kept), np.bool_)),
        "finding_count": pa.array(findings[kept]),
    }
    return _as_table("matches", columns)


def _kept_keys(table: Table, kept: Numbers, names: Sequence[str]) -> dict[str, Any]:
    return {name: _kept(_column(table, name), kept) for name in names}


def _kept(column: Any, kept: Numbers) -> Any:
    import pyarrow as pa

    return column if len(kept) == len(column) else column.take(pa.array(kept))


def _lists(values: Numbers, sides: Numbers, is_known: Numbers) -> Any:
    """A list a row of the first *sides* of *values* (side, row), null where not *is_known*."""
    import pyarrow as pa

    lengths = np.where(is_known, sides, 0)
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    if (lengths == 2).all():
        numbers = np.ascontiguousarray(values[:2].T).ravel()
    else:
        numbers = values.T[np.arange(len(values)) < lengths[:, None]]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(numbers), mask=pa.array(~is_known))


def _by_side(name: str, values: Numbers, sides: Numbers, is_known: Numbers) -> dict[str, Any]:
    import pyarrow as pa

    return {
        f"{name}_{side}": pa.array(values[side], mask=~(is_known & (side < sides)))
        for side in range(len(values))
    }


def _as_table(name: str, columns: dict[str, Any]) -> pa.Table:
    import pyarrow as pa

    layout = schema(name)
    return pa.Table.from_arrays([columns[field.name].cast(field.type) for field in layout], schema=layout)

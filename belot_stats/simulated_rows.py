"""Simulated single deals made by the compiled loops, as the table ``deals``: the same bytes as one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from belot_stats.content import row_hashes, row_head
from belot_stats.record_columns import END_PASSED, END_PLAYED, MOST_CALLS, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.rules.table import hand_size, side_count
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.matches import SINGLE_DEALS, Room, open_room

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows
    from belot_stats.simulator.job import SimulationJob

FAILED, MADE, PASSED_OUT, ALL_PASS = 0, 1, 4, 3


def has_loop(job: SimulationJob) -> bool:
    """Whether there is a compiled loop for *job*."""
    return job.unit == "deals" and job.policy in ("random", "sensible")


def is_warm() -> bool:
    """Whether the compiled loop is kept on disk."""
    from belot_stats.rules.compiling import cache_folder

    folder = cache_folder()
    return folder is not None and any(folder.rglob("batch_loops.make_singles*.nbi"))


def warm(job: SimulationJob) -> None:
    """Have the loop of *job* compiled, or read from disk."""
    from belot_stats.rules.batch import LOOPS

    LOOPS[job.policy](job.ruleset, job.seed, 1, 1)


def simulated_table(job: SimulationJob, numbers: range) -> tuple[pa.Table, list[int]]:
    """Table of the single deals *numbers*, in their order, and the numbers that have to be made one by one.

    Lines count the deals of *numbers* from 1.
    """
    from belot_stats.row_tables import deals_table
    from belot_stats.rules.batch import LOOPS

    rules = job.ruleset
    room = open_room(rules, job.policy, job.seed, SINGLE_DEALS, numbers.start, len(numbers))
    rows = LOOPS[job.policy](rules, job.seed, numbers.start, len(numbers))
    fits = rows["call_count"] <= MOST_CALLS
    places = np.flatnonzero(fits)
    rows = rows[places] if len(places) < len(fits) else rows
    records = _records(rules, rows)
    matches = [f"{room.prefix}{numbers.start + place:08d}" for place in places.tolist()]
    texts = _texts(room, matches, records, places + 1)
    return deals_table(rules, records, rows, texts), [
        numbers[place] for place in np.flatnonzero(~fits).tolist()
    ]


def _texts(room: Room, matches: list[str], records: Rows, lines: Any) -> Any:
    import pyarrow as pa

    from belot_stats.row_tables import RowTexts

    before = row_head(room.source, "\0", room.rules.name, room.options, None, room.players, None, None)
    first, _, second = before.partition(b"\\u0000")
    heads = (first + match.encode() + second for match in matches)
    return RowTexts(
        source=room.source,
        match=pa.array(matches, pa.string()),
        line=lines,
        byte=np.zeros(len(records), dtype=np.int64),
        content_hash=row_hashes(heads, records),
        options=room.options,
        started=None,
        started_at=None,
        players=room.players,
        total=None,
        winner=None,
        rules_name=room.rules.name,
    )


def _records(rules: RuleSet, rows: Rows) -> Rows:
    """Records that say of each deal what was played, and claim what the rules give."""
    from belot_stats.rules.deal_rows import RECORD

    records = np.zeros(len(rows), dtype=RECORD)
    seats, sides, tricks = rules.players, side_count(rules), hand_size(rules)
    is_passed = rows["result"] == PASSED_OUT
    is_decided = rows["result"] <= MADE
    records["deal"] = 1
    for name in ("dealer", "turn_up", "exchange", "plays", "play_count", "call_count", "belote_count"):
        records[name] = rows[name]
    records["calls"] = rows["calls"][:, :MOST_CALLS]
    records["has_first_hands"], records["has_hands"] = 1, ~is_passed
    records["first_hands"][:, :seats] = rows["first_hands"][:, :seats]
    records["hands"] = np.where(is_passed[:, None], 0, rows["hands"])
    for name in ("declared_seat", "declared_mask", "declared_at", "declared_count"):
        records[name] = rows[name]
    for name in ("belote_seat", "belote_suit", "belote_at"):
        records[name] = rows[name]
    records["end"] = np.where(is_passed, END_PASSED, END_PLAYED)
    records["claimed_contract"] = np.where(is_passed, NOT_SAID, rows["contract"])
    records["claimed_declarer"] = np.where(is_passed, NOT_SAID, rows["declarer"])
    records["claimed_level"] = np.where(is_passed, NOT_SAID, rows["level"].astype(np.int16))
    records["claimed_trick_count"] = np.where(is_passed, NOT_SAID, tricks)
    records["claimed_tricks"][:, :tricks] = np.where(is_passed[:, None], 0, rows["winners"][:, :tricks])
    records["claimed_points"][:, :sides] = np.where(is_passed[:, None], 0, rows["points"][:, :sides])
    records["claimed_points"][is_passed, 0] = NUMBER_NOT_SAID
    records["claimed_capot"] = np.where(is_passed, NOT_SAID, rows["capot"])
    records["claimed_made"] = np.where(is_decided, rows["result"] == MADE, NOT_SAID)
    records["claimed_score"][:, :sides] = np.where(is_passed[:, None], 0, rows["score"][:, :sides])
    records["claimed_hanging"] = np.where(is_passed, 0, rows["hanging"])
    return records

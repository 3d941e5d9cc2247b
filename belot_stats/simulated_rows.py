"""Simulated deals made by the compiled loops, as the table ``deals``: the same bytes as one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from belot_stats.content import canonical_hash, row_head, row_words
from belot_stats.deal import Deal
from belot_stats.record_columns import MOST_CALLS, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.row_records import row_deals
from belot_stats.rules.deal_rows import DECLARED_OUT
from belot_stats.rules.table import side_count
from belot_stats.simulator.matches import MATCHES, SINGLE_DEALS, Room, open_room

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows
    from belot_stats.simulator.job import SimulationJob

POLICIES = ("random", "sensible")  # those that there are loops for
OUTPUTS = ("warehouse", "log", "results")  # what becomes of the deals: other loops take them
WORTH_COMPILING = {"deals": 20_000, "matches": 1_000}
ROWS_AT_A_TIME = 8_000
LONGEST_NUMBER = 20  # digits of 64 bits


def seat_policies(names: str, players: int) -> int | None:
    """Policies of the seats as the loops take them: a bit a seat, set for the sensible ones.

    names: as :func:`belot_stats.simulator.policies.find_policies` takes them.
    Returns: None where one of them has no loop, or they do not go round the table.
    """
    found = [name.strip() for name in names.split(",")]
    if players % len(found) or any(name not in POLICIES for name in found):
        return None
    return sum(1 << seat for seat in range(players) if found[seat % len(found)] == "sensible")


def has_loop(job: SimulationJob) -> bool:
    """Whether the deals of *job* are made by a compiled loop."""
    return job.is_compiled and seat_policies(job.policy, job.ruleset.players) is not None


def is_warm(job: SimulationJob, output: str = "warehouse") -> bool:
    """Whether the compiled loops of *job* are kept on disk, as far as is known.  output: one of OUTPUTS."""
    sign = _sign(job, output)
    return sign is not None and sign.exists()


def keep_in_mind(job: SimulationJob, output: str = "warehouse") -> None:
    """The compiled loops of *job* have been called in this process, so they are kept on disk now."""
    sign = _sign(job, output)
    if sign is not None:
        with suppress(OSError):
            sign.touch()


def _sign(job: SimulationJob, output: str) -> Path | None:
    """File of the cache folder that is there when the loops are; random deals have loops of their own."""
    from belot_stats.rules.compiling import cache_folder

    folder = cache_folder()
    policies = "mixed" if seat_policies(job.policy, job.ruleset.players) else "random"
    return folder / f"{policies}-{job.unit}-{output}" if folder is not None else None


def is_worth_it(job: SimulationJob, count: int, output: str = "warehouse") -> bool:
    """Whether *count* deals or matches are made by a loop: there is one, and it is kept or there is much to do."""
    return has_loop(job) and (is_much(job, count) or is_warm(job, output))


def is_much(job: SimulationJob, count: int) -> bool:
    """Whether *count* deals or matches are worth compiling the loop that there is for them."""
    is_there = seat_policies(job.policy, job.ruleset.players) is not None
    return is_there and count >= WORTH_COMPILING[job.unit]


def made_rows(job: SimulationJob, numbers: range) -> Iterator[tuple[Rows, Rows]]:
    """Deals of *numbers* in their order, as rows of DEAL and of STANDING, so many at a time.

    Raises: UsageError as the simulator does.
    """
    rules, policy = job.ruleset, seat_policies(job.policy, job.ruleset.players) or 0
    if job.unit == "matches":
        from belot_stats.rules.batch_matches import match_deals

        yield from match_deals(rules, policy, job.seed, numbers, room_of(job, numbers).prefix)
        return
    for start, rows in single_rows(job, numbers):
        yield rows, _standings(rows, start)


def single_rows(job: SimulationJob, numbers: range) -> Iterator[tuple[int, Rows]]:
    """Single deals of *numbers* as rows of DEAL, so many at a time, and the number of the first of them.

    Raises: UsageError as the simulator does.
    """
    from belot_stats.rules.batch import single_deals

    room_of(job, numbers)
    policy = seat_policies(job.policy, job.ruleset.players) or 0
    for start in range(numbers.start, numbers.stop, ROWS_AT_A_TIME):
        count = min(ROWS_AT_A_TIME, numbers.stop - start)
        yield start, single_deals(job.ruleset, policy, job.seed, start, count)


def _standings(rows: Rows, first: int) -> Rows:
    """Standings after single deals, each of a match of its own."""
    from belot_stats.rules.deal_rows import STANDING

    standings = np.zeros(len(rows), dtype=STANDING)
    standings["match"] = np.uint64(first) + np.arange(len(rows), dtype=np.uint64)
    standings["deal"], standings["winner"] = 1, NOT_SAID
    standings["score"], standings["hanging"] = rows["score"], rows["hanging"]
    return standings


def room_of(job: SimulationJob, numbers: range) -> Room:
    """What the deals of *job* have in common. Raises: UsageError as the simulator does."""
    kind = MATCHES if job.unit == "matches" else SINGLE_DEALS
    return open_room(job.ruleset, job.policy, job.seed, kind, numbers.start, len(numbers))


def simulated_tables(job: SimulationJob, numbers: range) -> Iterator[tuple[pa.Table, list[Deal]]]:
    """Deals of *numbers*, so many at a time: those that are clean rows as a table, and the others as records.

    Lines count the deals from 1.  Raises: UsageError as the simulator does.
    """
    room, line = room_of(job, numbers), 1
    claims = Claims(room)
    for rows, standings in made_rows(job, numbers):
        fits = rows["call_count"] <= MOST_CALLS
        lines = np.arange(line, line + len(rows))
        left_out = [
            next(row_deals(room, rows[place : place + 1], standings[place : place + 1], line + place))
            for place in np.flatnonzero(~fits).tolist()
        ]
        kept = fits if left_out else slice(None)
        yield _table(claims, rows[kept], standings[kept], lines[kept]), left_out
        line += len(fits)


def whole_table(job: SimulationJob, numbers: range) -> pa.Table:
    """The deals of *numbers*, checked, as one table with the schema of ``deals``."""
    from belot_stats.checker import check_deal
    from belot_stats.content import content_hash
    from belot_stats.rows import deal_row
    from belot_stats.schema import TableBuilder

    builder = TableBuilder("deals")
    for table, left_out in simulated_tables(job, numbers):
        builder.add_table(table)
        for deal in left_out:
            builder.add(deal_row(check_deal(deal, job.ruleset), content_hash(deal)))
    keep_in_mind(job)
    return builder.finish()


class Claims:
    """Records of made deals, in rows that are filled again for the next deals."""

    def __init__(self, room: Room) -> None:
        from belot_stats.rules.deal_rows import RECORD

        self.room = room
        self._records = np.zeros(0, dtype=RECORD)

    def of(self, rows: Rows, standings: Rows) -> Rows:
        """Records of *rows*; they stand until the next are asked for."""
        from belot_stats.rules.batch_claims import claim_rows

        if len(self._records) < len(rows):
            self._records = np.zeros(len(rows), dtype=self._records.dtype)
        records, rules = self._records[: len(rows)], self.room.rules
        claim_rows(rules.players, side_count(rules), rows, standings, records)
        return records


def _table(claims: Claims, rows: Rows, standings: Rows, lines: Any) -> pa.Table:
    from belot_stats.row_tables import RowTexts, deals_table

    room, records = claims.room, claims.of(rows, standings)
    is_match, is_out = room.kind == MATCHES, rows["result"] == DECLARED_OUT
    total = standings["total"][:, : side_count(room.rules)].astype(np.int32)
    total[is_out, 0] = NUMBER_NOT_SAID
    texts = RowTexts(
        source=room.source,
        match=_names(room, standings),
        line=lines,
        byte=np.zeros(len(records), dtype=np.int64),
        content_hash=_hashes(room, records, rows, standings),
        options=room.options,
        started=None,
        started_at=None,
        players=room.players,
        total=total if is_match else None,
        winner=standings["winner"] if is_match else None,
        rules_name=room.rules.name,
    )
    return deals_table(room.rules, records, rows, texts)


def _names(room: Room, standings: Rows) -> pa.Array:
    """Names of the matches."""
    import pyarrow as pa

    from belot_stats.rules.batch_hash import name_matches

    prefix = _bytes(room.prefix)
    offsets = np.empty(len(standings) + 1, dtype=np.int32)
    out = np.empty(len(standings) * (len(prefix) + LONGEST_NUMBER), dtype=np.uint8)
    size = name_matches(prefix, standings, offsets, out)
    return pa.StringArray.from_buffers(len(standings), pa.py_buffer(offsets), pa.py_buffer(out[:size]))


def _hashes(room: Room, records: Rows, rows: Rows, standings: Rows) -> Any:
    from belot_stats.rules.batch_hash import hash_standings

    hashes = np.empty(len(records), dtype=np.uint64)
    sides = side_count(room.rules) if room.kind == MATCHES else 0
    hash_standings(*map(_bytes, _head(room)), sides, standings, row_words(records), hashes)
    places = np.flatnonzero(rows["result"] == DECLARED_OUT)
    deals = row_deals(room, rows[places], standings[places])
    hashes[places] = np.array([canonical_hash(deal) for deal in deals], dtype=np.uint64)
    return hashes


def _head(room: Room) -> tuple[str, str, str, str]:
    """Texts of the records, as :func:`belot_stats.content.row_head` writes them.

    Returns: what stands before the number of the match, what behind it, the end where there is no standing, null.
    """
    whole = row_head(
        room.source, f"{room.prefix}\0", room.rules.name, room.options, None, room.players, None, None
    ).decode()
    before, _, rest = whole.partition("\\u0000")
    ending = "null,null]"
    return before, rest.removesuffix(ending), ending, "null"


def _bytes(text: str) -> Any:
    return np.frombuffer(text.encode(), dtype=np.uint8)

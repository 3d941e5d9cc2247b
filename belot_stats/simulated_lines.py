"""Simulated deals made by the compiled loops, as lines of ``bhh/1``: the same bytes as one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from belot_stats.deal import Deal
from belot_stats.export import canonical_text
from belot_stats.simulated_rows import made_rows, room_of
from belot_stats.simulator.matches import MATCHES, Room

if TYPE_CHECKING:
    from belot_stats.simulator.job import SimulationJob

BUFFER_BYTES = 4 << 20


def simulated_lines(job: SimulationJob, numbers: range) -> Iterator[tuple[bytes, int]]:
    """Lines of the deals of *numbers*, in their order, many at a time: their bytes, and how many they are.

    Raises: UsageError as the simulator does.
    """
    from belot_stats.rules.batch_lines import text_of, write_lines
    from belot_stats.rules.compiling import rules_record

    room, rules = room_of(job, numbers), rules_record(job.ruleset)
    before, between = map(text_of, _texts(room))
    out = np.empty(BUFFER_BYTES + len(before) + len(between), dtype=np.uint8)
    for rows, standings in made_rows(job, numbers):
        first = 0
        while first < len(rows):
            begun = first
            first, size = write_lines(
                rules, begun, rows, standings, room.kind == MATCHES, before, between, out
            )
            yield out[:size].tobytes(), first - begun


def _texts(room: Room) -> tuple[str, str]:
    """What all lines have before the number of the match, and between that of the deal and the dealer."""
    text = canonical_text(
        Deal(
            source=room.source,
            match=f"{room.prefix}\0",
            deal=1,
            rules=room.rules.name,
            options=room.options,
            players=room.players,
            dealer=0,
        )
    )
    before, _, between = text.removesuffix("0}").partition('\\u0000","deal":1')
    return before, between

"""Perft tables of the Bulgarian presets: every row by the fast engine, the small ones by the slow one too."""

import pytest

from belot_stats.ruleset import load_ruleset
from tests import naive
from tests.rules.perft import count_plays, read_rows

PRESETS = ("belot-bg", "belot-bg-classic")
SMALL = 2_500  # ways to play that the slow engine counts in well under a second
ALL_ROWS = [
    pytest.param(preset, row, id=f"{preset}-{row}") for preset in PRESETS for row in read_rows(preset)
]
SMALL_ROWS = [
    pytest.param(preset, row, id=f"{preset}-{row}")
    for preset in PRESETS
    for row in read_rows(preset)
    if row.counted_by == "both" and row.count <= SMALL
]


@pytest.mark.parametrize(("preset", "row"), ALL_ROWS)
def test_perft(preset, row):
    assert count_plays(load_ruleset(preset), row) == row.count


@pytest.mark.parametrize(("preset", "row"), SMALL_ROWS)
def test_perft_of_the_slow_engine(preset, row):
    counted = naive.perft(naive.SYSTEMS[preset], row.contract, row.hands, row.leader, row.tricks)
    assert counted == row.count


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_has_all_contracts(preset):
    rows = read_rows(preset)
    assert {row.contract for row in rows} == set("CDHSNA")
    assert len(rows) >= 30
    assert len(SMALL_ROWS) >= 20

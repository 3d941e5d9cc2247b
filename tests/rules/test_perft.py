"""Perft tables of the presets: every row by the fast engine, the small ones by the slow one too."""

import pytest

from belot_stats.ruleset import load_ruleset, ruleset_names, ruleset_values
from tests import naive, naive_baloot
from tests.rules.perft import count_plays, read_rows

PRESETS = ruleset_names()
SLOW = naive.SYSTEMS | naive_baloot.PROFILES
SMALL = 1_000  # ways to play that the slow engine counts in well under a second
ALL_ROWS = [
    pytest.param(preset, row, id=f"{preset}-{row}") for preset in PRESETS for row in read_rows(preset)
]
SMALL_ROWS = [
    pytest.param(preset, row, id=f"{preset}-{row}")
    for preset in PRESETS
    for row in read_rows(preset)
    if row.counted_by == "both" and row.count <= SMALL
]
# Other values of the play parameters: the table of each preset here has a row that counts them otherwise.
CHANGES = [
    ("belot-bg", {"beat_trump_lead": "not_over_partner"}),
    ("belot-bg", {"must_ruff": "always", "cannot_overruff": "undertrump"}),
    ("belot-bg", {"must_ruff": "never"}),
    ("belot-bg", {"must_overruff": False}),
    ("belot-bg", {"cannot_overruff": "undertrump"}),
    ("belot-bg", {"rise_all_trumps": "not_over_partner"}),
    ("belot-world", {"beat_trump_lead": "always"}),
    ("belot-world", {"must_ruff": "opponent_holds"}),
    ("belot-world", {"rise_all_trumps": "always"}),
    ("belot-world", {"must_overruff": True}),
    ("belote-fr", {"cannot_overruff": "free"}),
    ("bela-4p", {"must_ruff": "opponent_holds"}),
    ("bela-4p", {"must_overruff": True}),
    ("bela-3p", {"must_overruff": True}),
    ("belot-ru-3p", {"must_overruff": False}),
    ("belot-ru-3p", {"must_ruff": "never"}),
    ("belot-ru-pairs", {"cannot_overruff": "free"}),
    ("belot-1001-2p", {"must_ruff": "always", "cannot_overruff": "undertrump"}),
    ("belot-1001-3p", {"must_ruff": "always", "cannot_overruff": "undertrump"}),
    ("baloot", {"beat_trump_lead": "always"}),
    ("baloot", {"must_ruff": "opponent_holds"}),
    ("baloot-archive-server", {"cannot_overruff": "free"}),
]


@pytest.mark.parametrize(("preset", "row"), ALL_ROWS)
def test_perft(preset, row):
    assert count_plays(load_ruleset(preset), row) == row.count


@pytest.mark.parametrize(("preset", "row"), SMALL_ROWS)
def test_perft_of_the_slow_engine(preset, row):
    assert naive.perft(SLOW[preset], row.contract, row.hands, row.leader, row.tricks) == row.count


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_has_all_contracts(preset):
    rows = read_rows(preset)
    assert {row.contract for row in rows} == set(ruleset_values(load_ruleset(preset))["contracts"])
    assert len(rows) >= 24
    assert sum(param.values[0] == preset for param in SMALL_ROWS) >= 10


@pytest.mark.parametrize(("preset", "changed"), CHANGES)
def test_the_table_notices_other_rules(preset, changed):
    rules = load_ruleset(preset, changed)
    assert any(count_plays(rules, row) != row.count for row in read_rows(preset) if row.count <= 30_000)

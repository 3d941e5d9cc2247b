"""The presets against the slow engine's own copy of the matrix (RULES.md 1, BALOOT.md 1): every parameter."""

import pytest

from belot_stats.ruleset import load_ruleset, ruleset_names
from tests import naive, naive_baloot, strategies

SLOW = naive.SYSTEMS | naive_baloot.PROFILES


@pytest.mark.parametrize("preset", sorted(SLOW))
def test_every_parameter(preset):
    values = strategies.naive_rules(load_ruleset(preset))
    assert set(values) == set(SLOW[preset])
    assert {name: value for name, value in values.items() if value != SLOW[preset][name]} == {}


def test_every_preset_has_a_copy():
    assert set(SLOW) == set(ruleset_names())

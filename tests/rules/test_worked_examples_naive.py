"""The worked examples of the rule texts, through the slow engine."""

import pytest

from tests import naive
from tests.rules.worked import differences, read_examples


@pytest.mark.parametrize("example", read_examples(), ids=str)
def test_worked_example(example):
    rules = naive.SYSTEMS[example.preset]
    assert differences(example, rules, naive.score_deal, naive.match_state) == [], example.source

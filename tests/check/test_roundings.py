"""wrong-rounding says which habit gives the score that was written; a score no habit gives is wrong-score."""

import pytest

from belot_stats.cards import parse_contract
from belot_stats.checks.claims import check_score
from belot_stats.checks.collect import Findings
from belot_stats.checks.roundings import settlement_of
from belot_stats.deal import Claimed
from belot_stats.findings import Finding
from belot_stats.rules import scoring
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import load_ruleset
from tests.check.records import WHOLE, checked, claiming

RULES = load_ruleset("belot-bg")


def findings(
    contract: str, level: int, points: tuple[int, int], claimed: tuple[int, int], hanging: int = 0
) -> list[Finding]:
    """Findings about a claimed score of a deal that side 0 bid."""
    code, parts = parse_contract(contract), scoring.DealPoints((*points, 0))
    capot = next((side for side in range(2) if points[1 - side] == 0), NO_SIDE)
    got = scoring.settle_deal(RULES, code, level, parts, 0, capot, 0)
    found = Findings(RULES)
    settlement = settlement_of(RULES, code, level, parts, 0, capot, got.result)
    check_score(RULES, Claimed(score=claimed), (got.score_0, got.score_1), settlement, hanging, found)
    return found.items


@pytest.mark.parametrize(
    ("contract", "level", "points", "right", "claimed", "habit"),
    [
        ("H", 1, (86, 76), (8, 8), (9, 8), "nearest ten, five up, each side alone"),
        ("A", 1, (134, 124), (13, 13), (13, 12), "nearest ten, five up, each side alone"),
        ("H", 1, (95, 67), (9, 7), (10, 6), "nearest ten, five up, larger side only"),
        ("H", 1, (97, 65), (10, 6), (9, 7), "nearest ten, five up, smaller side only"),
        ("A", 1, (135, 123), (14, 12), (13, 12), "nearest ten, six up, each side alone"),
        ("A", 1, (135, 123), (14, 12), (13, 13), "nearest ten, six up, larger side only"),
        ("A", 1, (133, 125), (13, 13), (14, 12), "nearest ten, six up, smaller side only"),
        ("A", 1, (139, 119), (14, 12), (13, 11), "always down, each side alone"),
        ("A", 1, (139, 119), (14, 12), (13, 13), "always down, larger side only"),
        ("A", 1, (139, 119), (14, 12), (15, 11), "always down, smaller side only"),
        ("A", 1, (137, 121), (14, 12), (14, 13), "always up, each side alone"),
        ("N", 1, (142, 118), (14, 12), (15, 12), "always up, each side alone"),
        ("H", 4, (82, 80), (64, 0), (65, 0), "nearest ten, five up, total multiplied first"),
        ("A", 4, (138, 120), (104, 0), (103, 0), "nearest ten, five up, total multiplied first"),
        ("H", 2, (80, 82), (0, 32), (0, 34), "always up, total"),
        ("H", 1, (80, 82), (0, 16), (0, 17), "always up, total"),
        ("A", 1, (120, 138), (0, 26), (0, 25), "always down, total"),
        ("H", 4, (252, 0), (100, 0), (101, 0), "nearest ten, five up, total multiplied first"),
        ("H", 1, (106, 106), (0, 10), (0, 11), "nearest ten, five up"),
        ("A", 1, (129, 129), (0, 13), (0, 12), "always down"),
    ],
)
def test_habit_is_named(contract, level, points, right, claimed, habit):
    assert findings(contract, level, points, right) == []
    (finding,) = findings(contract, level, points, claimed)
    assert finding.code == "wrong-rounding"
    assert finding.expected == f"{right[0]}-{right[1]}"
    assert finding.found == f"{claimed[0]}-{claimed[1]}: {habit}"


@pytest.mark.parametrize(
    ("contract", "level", "points", "claimed"),
    [
        ("H", 1, (86, 76), (10, 6)),
        ("H", 1, (86, 76), (7, 9)),
        ("H", 1, (138, 64), (6, 14)),
        ("H", 2, (138, 64), (14, 6)),
        ("H", 1, (70, 92), (7, 9)),
        ("H", 1, (81, 81), (8, 8)),
        ("H", 2, (81, 81), (0, 16)),
    ],
)
def test_other_scores_are_wrong(contract, level, points, claimed):
    (finding,) = findings(contract, level, points, claimed)
    assert finding.code == "wrong-score"


@pytest.mark.parametrize(
    ("claimed", "code"), [((17, 8), None), ((18, 8), "wrong-rounding"), ((19, 8), "wrong-score")]
)
def test_habit_with_hung_points(claimed, code):
    """Points hanging from before go to the winner whatever the rounding."""
    found = findings("H", 1, (86, 76), claimed, hanging=9)
    assert [finding.code for finding in found] == ([code] if code else [])


def test_habit_in_a_record():
    (finding,) = checked(claiming(WHOLE, score=[17, 3])).findings
    assert (finding.code, finding.found) == ("wrong-rounding", "17-3: always up, each side alone")

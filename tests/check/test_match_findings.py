"""Each finding code of the match pass: a match that has it, and one as close to it as can be that has none."""

from typing import Any, NamedTuple

import pytest

from belot_stats.findings import FINDING_BITS, SEVERITY_OF
from belot_stats.match_checker import MatchDeal, check_match
from belot_stats.ruleset import RuleSet, load_ruleset
from tests.check.records import WHOLE, claiming, match_codes

RULES = load_ruleset("belot-bg")
CLASSIC = load_ruleset("belot-bg-classic")


def step(number: int, score: tuple[int, int], rules: RuleSet = RULES, **fields: Any) -> MatchDeal:
    """A hearts deal of side 0 with the *score* that it writes for itself.

    Deal 1 is dealt by seat 0, and so on round the table. By default the log claims the score; ``result`` is made,
    failed, hanging, passed or unfinished.
    """
    result = fields.pop("result", "made" if score[0] else "failed")
    values: dict[str, Any] = {
        "source": "s",
        "match": "m",
        "deal": number,
        "line": number,
        "rules": rules,
        "dealer": (number - 1) % 4,
        "end": {"passed": "passed", "unfinished": "abandoned"}.get(result, "played"),
        "outcome": result,
        "is_scored": result in ("made", "failed", "hanging"),
        "contract": None if result == "passed" else 2,
        "level": None if result == "passed" else 1,
        "declarer_side": None if result == "passed" else 0,
        "points": (10 * score[0] + 2, 10 * score[1]),
        "score": score,
        "claimed_score": score,
    }
    return MatchDeal(**(values | fields))


def won(number: int, points: int, **fields: Any) -> MatchDeal:
    """A deal that writes *points* for side 0."""
    return step(number, (points, 0), **fields)


class Case(NamedTuple):
    """A match with a fault, all codes of its match pass, and a match without the fault that has none."""

    code: str
    what: str
    faulty: list[MatchDeal]
    near: list[MatchDeal]
    codes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}: {self.what}"

    @property
    def expected(self) -> list[str]:
        return sorted(self.codes or (self.code,))


HUNG = step(1, (0, 8), result="hanging", hanging=8, claimed_hanging=8)
CASES = [
    Case("missing-deal", "between", [won(1, 80), won(3, 80, dealer=2)], [won(1, 80), won(2, 80)]),
    Case("missing-deal", "the first", [won(2, 80), won(3, 80)], [won(1, 80), won(2, 80)]),
    Case("missing-deal", "several, said once", [won(1, 80), won(5, 80)], [won(1, 80), won(2, 80)]),
    Case(
        "deal-after-end",
        "151 was reached",
        [won(1, 151), step(2, (10, 6))],
        [won(1, 150), step(2, (10, 6))],
    ),
    Case(
        "deal-after-end",
        "two deals too many",
        [won(1, 151), step(2, (10, 6)), step(3, (10, 6))],
        [won(1, 130), step(2, (10, 6)), step(3, (11, 5))],
        ("deal-after-end", "deal-after-end"),
    ),
    Case(
        "deal-after-end",
        "the deal after a capot ended it",
        [won(1, 151, capot_side=0), step(2, (10, 6)), step(3, (10, 6))],
        [won(1, 151, capot_side=0), step(2, (10, 6))],
    ),
    Case(
        "deal-after-end",
        "both over 151",
        [step(1, (150, 148)), step(2, (9, 7)), step(3, (9, 7))],
        [step(1, (148, 150)), step(2, (9, 7)), step(3, (9, 7))],  # 157-157: play on
    ),
    Case(
        "match-unfinished",
        "150 points and no further deal",
        [won(1, 150, claimed_total=(150, 0))],
        [won(1, 151, claimed_total=(151, 0))],
    ),
    Case(
        "match-unfinished",
        "with a capot nobody goes out",
        [won(1, 151, capot_side=0, claimed_total=(151, 0))],
        [won(1, 151, capot_side=0, claimed_total=(151, 0)), step(2, (10, 6))],
    ),
    Case(
        "match-unfinished",
        "a pass-out is not the deal after a capot",
        [
            won(1, 151, capot_side=0, claimed_total=(151, 0)),
            step(2, (0, 0), result="passed"),
        ],
        [
            won(1, 151, capot_side=0, claimed_total=(151, 0)),
            step(2, (0, 0), result="passed"),
            step(3, (10, 6)),
        ],
    ),
    Case(
        "match-unfinished",
        "equal at the end",
        [step(1, (148, 150)), step(2, (9, 7), claimed_total=(157, 157))],
        [step(1, (148, 150)), step(2, (10, 6), claimed_total=(158, 156))],
    ),
    Case("wrong-dealer", "the same twice", [won(1, 80), won(2, 80, dealer=0)], [won(1, 80), won(2, 80)]),
    Case(
        "wrong-dealer",
        "a seat too far",
        [won(1, 80), won(2, 80, dealer=2)],
        [won(1, 80, dealer=3), won(2, 80, dealer=0)],
    ),
    Case(
        "wrong-dealer",
        "the same after all passed",
        [step(1, (0, 0), result="passed"), won(2, 151, dealer=0)],
        [step(1, (0, 0), result="passed"), won(2, 151, dealer=1)],
    ),
    Case(
        "wrong-dealer",
        "one deal out of the order, which goes on as it was",
        [won(1, 20), won(2, 20, dealer=3), won(3, 20, dealer=2), won(4, 151, dealer=3)],
        [won(1, 20), won(2, 20, dealer=1), won(3, 20, dealer=2), won(4, 151, dealer=3)],
    ),
    Case(
        "wrong-total",
        "the score is not added",
        [won(1, 80, claimed_total=(80, 0)), won(2, 80, claimed_total=(80, 0))],
        [won(1, 80, claimed_total=(80, 0)), won(2, 80, claimed_total=(160, 0))],
    ),
    Case(
        "wrong-total",
        "one too many",
        [won(1, 151, claimed_total=(152, 0))],
        [won(1, 151, claimed_total=(151, 0))],
    ),
    Case(
        "wrong-winner",
        "the other side",
        [won(1, 151, claimed_winner=1)],
        [won(1, 151, claimed_winner=0)],
    ),
    Case(
        "wrong-winner",
        "too early",
        [won(1, 150, claimed_winner=0), won(2, 10)],
        [won(1, 150), won(2, 10, claimed_winner=0)],
    ),
    Case(
        "wrong-winner",
        "with a capot",
        [won(1, 151, capot_side=0, claimed_winner=0), step(2, (10, 6))],
        [won(1, 151, capot_side=0), step(2, (10, 6), claimed_winner=0)],
    ),
    Case(
        "wrong-score",
        "hung points that nobody added",
        [HUNG, step(2, (10, 6), claimed_score=(10, 6)), won(3, 151)],
        [HUNG, step(2, (10, 6), claimed_score=(18, 6)), won(3, 151)],
    ),
    Case(
        "wrong-score",
        "hung points that were multiplied",
        [HUNG, step(2, (32, 0), level=2, claimed_score=(48, 0)), won(3, 151)],
        [HUNG, step(2, (32, 0), level=2, claimed_score=(40, 0)), won(3, 151)],
    ),
    Case(
        "wrong-score",
        "hung points after a pass-out",
        [HUNG, step(2, (0, 0), result="passed"), step(3, (0, 16), claimed_score=(0, 16)), won(4, 151)],
        [HUNG, step(2, (0, 0), result="passed"), step(3, (0, 16), claimed_score=(0, 24)), won(4, 151)],
    ),
    Case(
        "wrong-hanging",
        "the second tie forgets the first",
        [HUNG, step(2, (0, 10), result="hanging", hanging=11, claimed_hanging=11), won(3, 151, claimed_score=(170, 0))],
        [HUNG, step(2, (0, 10), result="hanging", hanging=11, claimed_hanging=19), won(3, 151, claimed_score=(170, 0))],
    ),
    Case(
        "wrong-hanging",
        "lost with a pass-out",
        [HUNG, step(2, (0, 0), result="passed", claimed_hanging=0), won(3, 151, claimed_score=(159, 0))],
        [HUNG, step(2, (0, 0), result="passed", claimed_hanging=8), won(3, 151, claimed_score=(159, 0))],
    ),
]  # fmt: skip


def codes_of(deals: list[MatchDeal]) -> list[str]:
    return sorted(finding.code for finding in check_match(deals).findings)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_finding(case):
    assert codes_of(case.faulty) == case.expected


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_finding(case):
    assert codes_of(case.near) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_finding_says(case):
    for finding in check_match(case.faulty).findings:
        assert finding.severity == SEVERITY_OF[finding.code]
        assert finding.expected
        assert finding.found
        is_about_the_match = finding.code in ("missing-deal", "match-unfinished")
        assert (finding.line is None) == is_about_the_match


def test_wrong_total_is_said_once():
    """A server that adds its own wrong total on is wrong in one place."""
    deals = [
        won(1, 20, claimed_total=(20, 0)),
        won(2, 20, claimed_total=(41, 0)),
        won(3, 20, claimed_total=(61, 0)),
        won(4, 151, claimed_total=(212, 0)),
    ]
    assert codes_of(deals) == ["wrong-total"]


def test_what_the_deal_pass_said_is_not_said_again():
    deal = won(1, 151, claimed_score=(150, 0))
    said = won(1, 151, claimed_score=(150, 0), finding_bits=FINDING_BITS["wrong-score"])
    assert codes_of([deal]) == ["wrong-score"]
    assert codes_of([said]) == []


def test_after_a_gap_the_log_bridges_what_nobody_can_know():
    deals = [
        won(1, 20, claimed_total=(20, 0)),
        won(3, 20, claimed_total=(60, 0), dealer=0),
        won(4, 20, claimed_total=(80, 0), dealer=1),
        won(5, 71, claimed_total=(151, 0), dealer=2, claimed_winner=0),
    ]
    assert codes_of(deals) == ["missing-deal"]


def test_after_a_gap_hung_points_come_from_the_score():
    deals = [won(1, 20), won(3, 20, claimed_score=(31, 0)), won(4, 20, claimed_score=(20, 0))]
    assert codes_of(deals) == ["missing-deal"]


@pytest.mark.parametrize(
    ("scores", "capots", "winner", "ends_at"),
    [
        ([(100, 60), (51, 10)], (), 0, 2),
        ([(150, 0), (0, 16)], (), None, None),
        ([(140, 145), (16, 10)], (), 0, 2),
        ([(140, 144), (16, 12)], (), None, None),
        ([(130, 60), (25, 0), (10, 6)], (2,), 0, 3),
        ([(130, 60), (25, 0), (25, 0), (10, 6)], (2, 3), 0, 4),
        ([(130, 140), (25, 0), (0, 26)], (2,), 1, 3),
        ([(150, 149), (7, 9)], (), 1, 2),
    ],
)
@pytest.mark.parametrize("rules", [RULES, CLASSIC])
def test_who_wins_and_when(rules, scores, capots, winner, ends_at):
    deals = [
        step(number, score, rules=rules, capot_side=0 if number in capots else None)
        for number, score in enumerate(scores, start=1)
    ]
    result = check_match(deals)
    assert result.summary.winner == winner
    assert result.summary.is_finished == (ends_at is not None)
    assert [standing.deal for standing in result.standings if standing.ends_match] == (
        [ends_at] if ends_at else []
    )
    totals = [sum(score[side] for score in scores) for side in range(2)]
    assert result.standings[-1].total == tuple(totals)


def test_standings_carry_hung_points():
    result = check_match([HUNG, step(2, (0, 0), result="passed"), step(3, (10, 6), claimed_score=(18, 6))])
    assert [standing.hanging_in for standing in result.standings] == [0, 8, 8]
    assert [standing.hanging_out for standing in result.standings] == [8, 8, 0]
    assert [standing.score for standing in result.standings] == [(0, 8), (0, 0), (18, 6)]
    assert [standing.total for standing in result.standings] == [(0, 8), (0, 8), (18, 14)]


def test_deal_without_a_result_leaves_the_total_unknown():
    result = check_match(
        [won(1, 20), step(2, (0, 0), result="unfinished"), won(3, 140, claimed_score=(147, 0))]
    )
    assert [standing.total for standing in result.standings] == [(20, 0), None, None]
    assert result.summary.winner is None
    assert result.findings == []


@pytest.mark.parametrize(("total", "more"), [([16, 2], []), ([17, 2], ["wrong-total"])])
def test_records_make_a_match(total, more):
    """A whole record through reader, deal pass and match pass."""
    assert match_codes([claiming(WHOLE, total=total)]) == ["match-unfinished", *more]

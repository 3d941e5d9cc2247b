"""Which other rounding gives a claimed score: the habits of servers and of score sheets that are not the rules'.

Each alternative takes the raw points of a deal and gives its game points; the first that gives the claim names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import NO_TRUMPS
from belot_stats.parameters import PARAMETER_OF
from belot_stats.rules import scoring
from belot_stats.rules.scoring import ALL_PASS, HANGING, MADE, DealPoints
from belot_stats.rules.table import NO_SIDE, side_count
from belot_stats.ruleset import RuleSet

Pair = tuple[int, ...]


class Settlement(NamedTuple):
    """What a deal is settled from, and how it came out."""

    contract: int
    level: int
    points: DealPoints
    declarer_side: int  # NO_SIDE where all passed
    capot_side: int
    result: int
    winner_side: int  # side that points hanging from before go to, or NO_SIDE


def settlement_of(
    rules: RuleSet,
    contract: int,
    level: int,
    points: DealPoints,
    declarer_side: int,
    capot_side: int,
    result: int,
) -> Settlement:
    """Settlement with its winner."""
    winner = scoring.deal_winner(rules, points, declarer_side, capot_side, result)
    return Settlement(contract, level, points, declarer_side, capot_side, result, winner)


def nearest_up(points: int) -> int:
    """To the nearest ten, five up."""
    return (points + 5) // 10


def six_up(points: int) -> int:
    """To the nearest ten, five down."""
    return (points + 4) // 10


def round_down(points: int) -> int:
    """Down to the ten."""
    return points // 10


def round_up(points: int) -> int:
    """Up to the ten."""
    return (points + 9) // 10


HABITS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("nearest ten, five up", nearest_up),
    ("nearest ten, six up", six_up),
    ("always down", round_down),
    ("always up", round_up),
)


def name_rounding(rules: RuleSet, deal: Settlement, claimed: Pair, hanging: int) -> str | None:
    """Name of the rounding that gives *claimed* (game points a side, *hanging* won with it), or None."""
    if rules.rounding == p.ROUND_BALOOT:
        return _name_conversion(rules, deal, claimed)
    if rules.rounding in (p.ROUND_NONE, p.ROUND_NEAREST_TEN) or deal.result == ALL_PASS:
        return None
    others = alternatives if rules.rounding == p.ROUND_SHARED_TENS else alternatives_alone
    for name, pair in others(rules, deal):
        if _with_hanging(pair, deal, hanging) == tuple(claimed):
            return name
    return None


def _with_hanging(pair: Pair, deal: Settlement, hanging: int) -> Pair:
    return tuple(score + (hanging if side == deal.winner_side else 0) for side, score in enumerate(pair))


def alternatives_alone(rules: RuleSet, deal: Settlement) -> Iterator[tuple[str, Pair]]:
    """Other roundings of a deal in which each side's points are rounded by themselves; not of a capot."""
    if deal.capot_side != NO_SIDE or deal.level == p.WHOLE_MATCH:
        return
    raw_rules = rules._replace(rounding=p.ROUND_NONE, kirtik=0)
    raw = scoring.settle_deal(
        raw_rules, deal.contract, deal.level, deal.points, deal.declarer_side, deal.capot_side, 0
    )
    for name, habit in HABITS:
        yield f"{name}, each side alone", tuple(map(habit, scoring.side_scores(raw, side_count(rules))))


def alternatives(rules: RuleSet, deal: Settlement) -> Iterator[tuple[str, Pair]]:
    """Other roundings of a deal by shared tens, with what each gives."""
    bonus = scoring.game_capot(rules, deal.contract, deal.level, deal.capot_side)
    level = scoring.counted_level(rules, deal.level, deal.capot_side)
    if level == p.WHOLE_MATCH:
        return
    if deal.result == MADE and level == 1:
        yield from _shared(rules, deal, bonus)
    elif deal.result == HANGING:
        if level == 1:
            yield from ((name, _order(deal, 0, habit(_theirs(deal)))) for name, habit in HABITS)
    else:
        yield from _totals(deal, level, bonus)


def _ours(deal: Settlement) -> int:
    return deal.points.total[deal.declarer_side]


def _theirs(deal: Settlement) -> int:
    return deal.points.total[1 - deal.declarer_side]


def _order(deal: Settlement, ours: int, theirs: int) -> Pair:
    return (ours, theirs) if deal.declarer_side == 0 else (theirs, ours)


def _shared(rules: RuleSet, deal: Settlement, bonus: int) -> Iterator[tuple[str, Pair]]:
    """Each side alone; or one side rounded and the other given the rest of the deal's game points."""
    total = scoring.game_total(rules, deal.contract, _ours(deal) + _theirs(deal), 1)
    extra = [bonus if deal.capot_side == side else 0 for side in (deal.declarer_side, 1 - deal.declarer_side)]
    for name, habit in HABITS:
        yield (
            f"{name}, each side alone",
            _order(deal, habit(_ours(deal)) + extra[0], habit(_theirs(deal)) + extra[1]),
        )
    for name, habit in HABITS:
        yield (
            f"{name}, larger side only",
            _order(deal, habit(_ours(deal)) + extra[0], total - habit(_ours(deal)) + extra[1]),
        )
        yield (
            f"{name}, smaller side only",
            _order(deal, total - habit(_theirs(deal)) + extra[0], habit(_theirs(deal)) + extra[1]),
        )


def _totals(deal: Settlement, level: int, bonus: int) -> Iterator[tuple[str, Pair]]:
    """One side writes everything: the total rounded otherwise, or multiplied before it is rounded."""
    raw = _ours(deal) + _theirs(deal)
    for name, habit in HABITS:
        for text, total in (
            (f"{name}, total", habit(raw) * level),
            (f"{name}, total multiplied first", habit(raw * level)),
        ):
            written = total + bonus
            yield text, _order(deal, written, 0) if deal.result == MADE else _order(deal, 0, written)


def _name_conversion(rules: RuleSet, deal: Settlement, claimed: Pair) -> str | None:
    """Another of Baloot's conversions; both parameters of the contract are tried, with the rules' own basis."""
    name = "sun_conversion" if deal.contract == NO_TRUMPS else "hokum_conversion"
    for code in range(3):
        other = (
            rules._replace(sun_conversion=code)
            if name == "sun_conversion"
            else rules._replace(hokum_conversion=code)
        )
        score = scoring.settle_deal(
            other, deal.contract, deal.level, deal.points, deal.declarer_side, deal.capot_side, 0
        )
        if (score.score_0, score.score_1) == tuple(claimed):
            return str(PARAMETER_OF[name].decode(code))
    return None

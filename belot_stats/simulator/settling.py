"""What a simulated deal is worth: tricks, raw points and score, as a server would write them."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import NO_CONTRACT, NO_SEAT, Seat, Side
from belot_stats.deal import Claimed
from belot_stats.parameters import WHOLE_MATCH
from belot_stats.rules.match import after_hanging, hung_due, match_winner
from belot_stats.rules.scoring import (
    FAILED,
    HANGING,
    MADE,
    NOBODY,
    DealPoints,
    DealScore,
    Sides,
    deal_winner,
    settle_all_pass,
    settle_deal,
    side_scores,
)
from belot_stats.rules.table import NO_SIDE, seat_after, side_count, side_of
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.auctioning import Standing
from belot_stats.simulator.counting import Tally, count_points
from belot_stats.simulator.playing import Played


class Settled(NamedTuple):
    """What is written for a deal, and the match after it; winner is the side that won the match, or NO_SIDE.

    points: raw points a side before any of them goes over.
    """

    claimed: Claimed
    standing: Standing
    winner: Side
    points: Sides = NOBODY
    is_hanging: bool = False


def settle(rules: RuleSet, played: Played, dealer_seat: Seat, before: Standing) -> Settled:
    """Claims of the deal *played*, dealt by *dealer_seat* in a match that stood at *before*."""
    sides = side_count(rules)
    if played.contract == NO_CONTRACT:
        nothing, hanging = (0,) * sides, sum(before.hung)
        return Settled(Claimed(score=nothing, hanging=hanging, total=before.totals[:sides]), before, NO_SIDE)
    if played.out_seat != NO_SEAT:
        return _declared_out(rules, played, before)
    points, capot_side = count_points(
        rules,
        Tally(
            played.contract,
            seat_after(rules, dealer_seat),
            played.plays,
            played.winners,
            played.declarations,
            played.belotes,
            played.declarer_seat == NO_SEAT,
        ),
    )
    due = hung_due(rules, before.hung)
    score = _score(rules, played, points, capot_side, due)
    is_decided = score.result in (MADE, FAILED)
    hung_now = score.hanging - due if score.result == HANGING else 0
    after = Standing(_added(before.totals, score), after_hanging(rules, before.hung, is_decided, hung_now))
    declarer_side = NO_SIDE if played.declarer_seat == NO_SEAT else side_of(rules, played.declarer_seat)
    winner = match_winner(
        rules,
        after.totals,
        capot_side != NO_SIDE,
        sum(after.hung),
        side_of(rules, played.winners[-1]),
        deal_winner(rules, points, declarer_side, capot_side, score.result)
        if played.level == WHOLE_MATCH
        else NO_SIDE,
    )
    claimed = Claimed(
        contract=played.contract,
        declarer=None if played.declarer_seat == NO_SEAT else played.declarer_seat,
        level=played.level,
        tricks=played.winners,
        points=points.total[:sides],
        capot=None if capot_side == NO_SIDE else capot_side,
        made=score.result == MADE if is_decided else None,
        score=side_scores(score, sides),
        hanging=sum(after.hung),
        total=after.totals[:sides],
        winner=None if winner == NO_SIDE else winner,
    )
    return Settled(claimed, after, winner, points.total, score.result == HANGING)


def _score(rules: RuleSet, played: Played, points: DealPoints, capot_side: Side, due: int) -> DealScore:
    if played.declarer_seat == NO_SEAT:
        return settle_all_pass(rules, points)
    declarer_side = side_of(rules, played.declarer_seat)
    return settle_deal(rules, played.contract, played.level, points, declarer_side, capot_side, due)


def _added(totals: Sides, score: DealScore) -> Sides:
    return totals[0] + score.score_0, totals[1] + score.score_1, totals[2] + score.score_2


def _declared_out(rules: RuleSet, played: Played, before: Standing) -> Settled:
    """A deal that a player ended by declaring out: nothing of it is scored, its player has won the match."""
    winner = side_of(rules, played.out_seat)
    claimed = Claimed(
        contract=played.contract,
        declarer=played.declarer_seat,
        level=played.level,
        tricks=played.winners,
        winner=winner,
    )
    return Settled(claimed, before, winner)

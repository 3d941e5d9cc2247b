"""The match: who deals next, what hung points are due, and when it is won.

Source: RULES.md 1g, Q17-Q19, Q22, Q23, Q42. Parameters that differ: target, both_reach, no_exit_on_capot,
no_exit_while_hanging, next_dealer, hung_policy.
"""

from __future__ import annotations

from collections.abc import Sequence

from belot_stats import parameters as p
from belot_stats.cards import NO_SEAT, Seat, Side
from belot_stats.rules.table import NO_SIDE, seat_after
from belot_stats.ruleset import RuleSet

Totals = tuple[int, int, int]


def next_dealer(
    rules: RuleSet,
    dealer_seat: Seat,
    declarer_seat: Seat = NO_SEAT,
    points: Totals = (0, 0, 0),
    is_hanging: bool = False,
) -> Seat:
    """Seat that deals the next deal.

    declarer_seat: NO_SEAT where all passed, whether the deal was then played or not; the next seat deals then.
    points: raw points a side before any of them goes over.  is_hanging: whether this deal hangs.
    """
    after = seat_after(rules, dealer_seat)
    if declarer_seat == NO_SEAT or rules.next_dealer == p.DEALS_NEXT:
        return after
    if rules.next_dealer == p.DEALS_TOP_SCORER:
        return _top_scorer(rules, after, points)
    if rules.next_dealer == p.DEALS_ORDERER or is_hanging:
        return declarer_seat
    return after


def _top_scorer(rules: RuleSet, first_seat: Seat, points: Totals) -> Seat:
    """Player with most points; of equals the first from *first_seat* on. Every player is a side here."""
    best = first_seat
    for step in range(1, rules.players):
        seat = (first_seat + step) % rules.players
        if points[seat] > points[best]:
            best = seat
    return best


def hung_taken(rules: RuleSet, count: int) -> int:
    """How many of *count* deals whose points hang, oldest first, the winner of the next decided deal takes."""
    return min(count, 1) if rules.hung_policy == p.HUNG_ONE_BY_ONE else count


def hung_due(rules: RuleSet, hung: Sequence[int]) -> int:
    """Points of *hung* (a deal, oldest first) that the winner of the next decided deal takes."""
    return sum(hung[: hung_taken(rules, len(hung))])


def after_hanging(rules: RuleSet, hung: Sequence[int], is_decided: bool, hung_now: int) -> tuple[int, ...]:
    """What hangs after a deal: less what its winner took, or more by what hangs now.

    hung: points that hung before, a deal, oldest first.  is_decided: the deal was won by a side.
    """
    if is_decided:
        return tuple(hung[hung_taken(rules, len(hung)) :])
    return (*hung, hung_now) if hung_now else tuple(hung)


def match_winner(
    rules: RuleSet,
    totals: Totals,
    is_capot: bool,
    hanging: int,
    last_trick_side: Side = NO_SIDE,
    staked_side: Side = NO_SIDE,
) -> Side:
    """Side that has won the match after a deal that was played and scored, or NO_SIDE.

    totals: points a side after the deal, unused sides 0. A deal that was passed out ends no match, so it is not
    asked about. A capot ends none where no_exit_on_capot says so: one more deal follows, and a further capot is not
    that deal either.  staked_side: side that won a deal with the whole match at stake.
    """
    if staked_side != NO_SIDE:
        return staked_side
    if is_capot and rules.no_exit_on_capot:
        return NO_SIDE
    if hanging > 0 and rules.no_exit_while_hanging:
        return NO_SIDE
    best = max(totals)
    if best < rules.target:
        return NO_SIDE
    if rules.both_reach == p.REACH_LAST_TRICK:
        return _last_trick_winner(rules, totals, last_trick_side)
    return _only_leader(totals, best)


def _last_trick_winner(rules: RuleSet, totals: Totals, last_trick_side: Side) -> Side:
    """The only side at the target, or of several the one that took the last trick; else play on."""
    reached = NO_SIDE
    count = 0
    for side in range(3):
        if totals[side] >= rules.target:
            count += 1
            reached = side
    if count == 1:
        return reached
    return (
        last_trick_side if last_trick_side != NO_SIDE and totals[last_trick_side] >= rules.target else NO_SIDE
    )


def _only_leader(totals: Totals, best: int) -> Side:
    leader = NO_SIDE
    for side in range(3):
        if totals[side] == best:
            if leader != NO_SIDE:
                return NO_SIDE
            leader = side
    return leader

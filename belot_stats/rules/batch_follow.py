"""The match pass in compiled form: one loop over the deals of many matches, in columns.

A match is either clean - everything that the match checker looks at agrees - and then its standings are filled in; or
it is left to the match checker, which follows it again and words what is wrong. So this loop never decides what a fault
is: where it is not sure that there is none, the match is DOUBTFUL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import NO_SEAT, NO_TRUMPS
from belot_stats.rules.compiling import compiled_loop, rules_record
from belot_stats.rules.deal_rows import SIDES
from belot_stats.rules.match_rows import (
    CLEAN,
    DECLARED_OUT,
    NO_TIME,
    NOTHING,
    PASSED,
    PENALTY,
    WITHOUT_OFFSET,
    MatchResults,
    new_results,
)
from belot_stats.rules.scoring import ALL_PASS, HANGING, DealPoints
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import deal_winner, hung_taken, match_winner, next_dealer, side_count_of
from belot_stats.ruleset import RuleSet


@njit
def known_or(value, otherwise):
    return otherwise if value == NOTHING else np.int64(value)


@njit
def triple(numbers):
    return np.int64(numbers[0]), np.int64(numbers[1]), np.int64(numbers[2])


@njit
def times_agree(d, last):
    """The deal began after the last one before it that has a time."""
    if d.time_kind == NO_TIME or d.time_kind != last.time_kind:
        return True
    return d.time > last.time if d.time_kind == WITHOUT_OFFSET else d.time >= last.time


@njit
def dealer_agrees(rules, d, before):
    declarer = known_or(before.declarer, NO_SEAT)
    is_known = rules.next_dealer == p.DEALS_NEXT or before.outcome <= PASSED
    is_known = is_known or (rules.next_dealer == p.DEALS_ORDERER and declarer != NO_SEAT)
    if before.ends_order or not is_known:
        return True
    points, is_hanging = triple(before.points), before.outcome == HANGING
    return np.int64(d.dealer) == next_dealer(rules, np.int64(before.dealer), declarer, points, is_hanging)


@njit
def double_agrees(rules, d, total):
    limit, side = rules.no_trumps_double_limit, known_or(d.declarer_side, NO_SIDE)
    is_doubled = d.contract == NO_TRUMPS and d.level != NOTHING and d.level != 1
    if limit == 0 or not is_doubled or side == NO_SIDE:
        return True
    return side <= 1 and total[1 - side] <= limit and total[side] > limit


@njit
def is_settled(d):
    return d.outcome <= ALL_PASS and d.contract != NOTHING and d.level != NOTHING


@njit
def can_settle(d, sides):
    if d.points_count != sides or (d.tricks_won_count != 0 and d.tricks_won_count != sides):
        return False
    return d.declarer_side < sides or d.outcome == HANGING or d.outcome == ALL_PASS


@njit
def winner_of_deal(rules, d):
    nothing = (0, 0, 0)
    points = DealPoints(triple(d.points), nothing, nothing, nothing, triple(d.tricks_won))
    declarer_side, capot_side = known_or(d.declarer_side, NO_SIDE), known_or(d.capot_side, NO_SIDE)
    return deal_winner(rules, points, declarer_side, capot_side, np.int64(d.outcome))


@njit
def with_points(score, side, points):
    return (
        score[0] + (points if side == 0 else 0),
        score[1] + (points if side == 1 else 0),
        score[2] + (points if side == 2 else 0),
    )


@njit
def declares_out(rules, d, total, sides):
    """Side that declared itself out and has the points, or NO_SIDE."""
    side = np.int64(d.last_trick_side)
    if side >= sides or d.points_count != sides:
        return NO_SIDE
    return side if total[side] + d.points[side] >= rules.target else NO_SIDE


@njit
def won_by(rules, d, total, hung, winner):
    """Side that has won the match with a deal that was scored or passed out."""
    if d.outcome == PASSED:
        return NO_SIDE
    staked = winner if d.level == p.WHOLE_MATCH else NO_SIDE
    last = known_or(d.last_trick_side, NO_SIDE)
    return match_winner(rules, total, d.capot_side != NOTHING, hung, last, staked)


@njit
def agree(claimed, length, sides, expected):
    """The claimed list is not there, or is just what is expected."""
    return length == NOTHING or (length == sides and triple(claimed) == expected)


@njit
def claims_agree(d, sides, score, hanging):
    if d.outcome == PENALTY:
        return True
    if d.has_claimed_hanging and d.claimed_hanging != hanging:
        return False
    return agree(d.claimed_score, d.claimed_score_count, sides, score)


@njit
def winner_agrees(d, winner):
    return d.claimed_winner == NOTHING or d.claimed_winner == winner


@njit
def fill(numbers, values):
    numbers[0], numbers[1], numbers[2] = values


@njit
def sum_of(queue, begin, end):
    points = 0
    for place in range(begin, end):
        points += queue[place]
    return points


@njit
def follow_match(rules, deals, standings, queue):
    """Whether the match is clean, the place of the deal that ends it or is its last, and its winner.

    Points that hang stand in *queue*, a deal, oldest first, from place *oldest* to before *newest*.
    """
    sides, total, oldest, newest = side_count_of(rules), (0, 0, 0), 0, 0
    timed, is_claimed, nobody, last = 0, False, NO_SIDE, len(deals) - 1
    for at in range(len(deals)):
        d, now = deals[at], standings[at]
        if d.deal != at + 1 or d.rules != deals[0].rules or not double_agrees(rules, d, total):
            return False, at, nobody
        if at > 0 and not (times_agree(d, deals[timed]) and dealer_agrees(rules, d, deals[at - 1])):
            return False, at, nobody
        if d.time_kind != NO_TIME:
            timed = at
        is_claimed |= d.claimed_total_count != NOTHING or d.claimed_winner != NOTHING
        before = sum_of(queue, oldest, newest)
        now.hanging_in = before
        if d.outcome == DECLARED_OUT:
            winner = declares_out(rules, d, total, sides)
            now.hanging_out, now.has_total = before, 1
            fill(now.total, total)
            return at == last and winner != NO_SIDE and winner_agrees(d, winner), at, winner
        if not d.is_scored and d.outcome != PASSED:
            return at == last and not is_claimed, at, nobody  # what comes after it, the checker bridges
        side = nobody
        if is_settled(d):
            if not can_settle(d, sides):
                return False, at, nobody
            side = winner_of_deal(rules, d)
        taken = hung_taken(rules, newest - oldest) if side != NO_SIDE else 0
        due = sum_of(queue, oldest, oldest + taken)
        oldest += taken
        if side == NO_SIDE and d.hanging != 0:
            queue[newest] = d.hanging
            newest += 1
        hung = sum_of(queue, oldest, newest)
        score = with_points(triple(d.score), side, due)
        total = (total[0] + score[0], total[1] + score[1], total[2] + score[2])
        winner = won_by(rules, d, total, hung, side)
        if d.score_count != sides or not claims_agree(d, sides, score, hung):
            return False, at, nobody
        if not (agree(d.claimed_total, d.claimed_total_count, sides, total) and winner_agrees(d, winner)):
            return False, at, nobody
        now.hanging_out, now.has_score, now.has_total = hung, 1, 1
        fill(now.score, score)
        fill(now.total, total)
        if winner != NO_SIDE:
            return at == last, at, winner
    return not is_claimed, last, nobody


@compiled_loop
def follow_all(rulesets, deals, first, status, last_row, winners, standings, queue):
    for number in range(len(first) - 1):
        begin, end = first[number], first[number + 1]
        ruleset = deals[begin].rules
        if ruleset < 0 or side_count_of(rulesets[ruleset]) > SIDES:
            continue
        is_clean, at, winner = follow_match(rulesets[ruleset], deals[begin:end], standings[begin:end], queue)
        if is_clean:
            status[number] = CLEAN
            last_row[number] = begin + at
            winners[number] = winner if winner != NO_SIDE else NOTHING


def follow_matches(
    rulesets: Sequence[RuleSet], deals: npt.NDArray[Any], first: npt.NDArray[np.int64]
) -> MatchResults:
    """Standings of matches, and which of them are DOUBTFUL and left to the match checker.

    deals: as MATCH_DEAL, by match and number.  first: the first row of each match, and after the last the number of
    rows.
    """
    found = new_results(len(first) - 1, len(deals))
    queue = np.zeros(int(np.diff(first).max(initial=1)), dtype=np.int64)
    records = np.array([rules_record(rules) for rules in rulesets])
    follow_all(records, deals, first, *found, queue)
    return found

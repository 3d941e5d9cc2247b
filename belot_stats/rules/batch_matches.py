"""The compiled loop that makes whole matches, deal after deal: the dealer, hanging points, totals, the end.

As in the other loops a compiled function takes the rules, ``d``, the row of the deal, and ``s``, the workspace; here
also ``m``, the match under way, ``t``, its standing after the deal, and ``hung``, points that hang, a deal, the oldest
first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import NO_SEAT
from belot_stats.rules.batch_dealing import DEALING, PACK_STREAM, POLICY, below, name_streams, named, shuffle
from belot_stats.rules.batch_loops import make_deal
from belot_stats.rules.batch_settle import settled_points, triple
from belot_stats.rules.compiling import compiled_loop, rules_record
from belot_stats.rules.deal_rows import DEAL, DECLARED_OUT, MATCH, PASSED_OUT, STANDING, Rows, new_workspace
from belot_stats.rules.scoring import FAILED, HANGING, MADE
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import deal_winner, match_winner, next_dealer, side_count_of, side_of
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.dealing import LEAST_CUT
from belot_stats.simulator.matches import MOST_PASSED_IN_A_ROW, endless_match

MATCHES = np.uint64(1)
MOST_ROWS = 8_000  # deals made at a time
HUNG_DEALS = 32  # places for them at first


@njit
def cut(m, s):
    place = LEAST_CUT + below(s, PACK_STREAM, s.pack_size - 2 * LEAST_CUT + 1)
    for i in range(s.pack_size):
        s.pack[i] = m.pack[(place + i) % s.pack_size]


@njit
def gather(rules, d, m, s):
    """Put the pack together again: the tricks of each side, and under them what was not played."""
    gone = count = 0
    tricks = d.play_count // rules.players
    for side in range(side_count_of(rules)):
        for number in range(tricks):
            if side_of(rules, np.int64(d.winners[number])) != side:
                continue
            for at in range(number * rules.players, (number + 1) * rules.players):
                s.aside[count] = d.plays[at]
                gone |= 1 << np.int64(d.plays[at])
                count += 1
    for i in range(s.pack_size):
        if not gone >> m.pack[i] & 1:
            s.aside[count] = m.pack[i]
            count += 1
    for i in range(s.pack_size):
        m.pack[i] = s.aside[i]


@njit
def next_pack(rules, m, s):
    if rules.cut_only and m.deal > 1:
        cut(m, s)
    else:
        shuffle(s)
    if rules.cut_only:
        for i in range(s.pack_size):
            m.pack[i] = s.pack[i]


@njit
def start_match(rules, m, s):
    m.deal = m.hanging = m.hung_count = m.passed = 0
    m.dealer = np.int64((m.match - np.uint64(1)) % np.uint64(rules.players))
    for side in range(3):
        s.totals[side] = 0


@njit
def take_due(rules, hung, m):
    """Hung points that the winner of a decided deal takes; they hang no more."""
    if rules.hung_policy != p.HUNG_ONE_BY_ONE:
        due = m.hanging
    elif m.hung_count == 0:
        return 0
    else:
        due = hung[0]
        m.hung_count -= 1
        for i in range(m.hung_count):
            hung[i] = hung[i + 1]
    m.hanging -= due
    return due


@njit
def let_hang(rules, points, hung, m):
    if points != 0 and rules.hung_policy == p.HUNG_ONE_BY_ONE:
        hung[m.hung_count] = points
        m.hung_count += 1
    m.hanging += points


@njit
def score_played(rules, d, t, hung, m, s):
    """Score of a deal that was played out, in its match; returns the side that has won the match."""
    result, capot, staked = np.int64(d.result), np.int64(d.capot), NO_SIDE
    if result == MADE or result == FAILED:
        declarer_side = side_of(rules, np.int64(d.declarer))
        winner = deal_winner(rules, settled_points(d), declarer_side, capot, result)
        t.score[winner] += take_due(rules, hung, m)
        if d.level == p.WHOLE_MATCH:
            staked = winner
    elif result == HANGING:
        let_hang(rules, np.int64(d.hanging), hung, m)
    for side in range(3):
        s.totals[side] += t.score[side]
    last_side = side_of(rules, np.int64(d.winners[s.tricks - 1]))
    return match_winner(rules, triple(s.totals), capot != NO_SIDE, m.hanging, last_side, staked)


@njit
def follow(rules, d, t, hung, m, s):
    """The match after a deal."""
    t.match, t.deal, t.winner = m.match, m.deal, NO_SIDE
    for side in range(3):
        t.score[side] = d.score[side]
    if d.result == DECLARED_OUT:
        t.winner = side_of(rules, np.int64(d.winners[d.play_count // rules.players - 1]))
    elif d.result != PASSED_OUT:
        t.winner = score_played(rules, d, t, hung, m, s)
    t.hanging = m.hanging
    for side in range(3):
        t.total[side] = s.totals[side]
    declarer = np.int64(d.declarer)
    m.passed = m.passed + 1 if declarer == NO_SEAT else 0
    m.dealer = next_dealer(rules, m.dealer, declarer, triple(d.points), d.result == HANGING)
    if rules.cut_only:
        gather(rules, d, m, s)
    if t.winner != NO_SIDE:
        m.match += np.uint64(1)
        m.left -= 1
        start_match(rules, m, s)


@compiled_loop
def make_matches(rules, policy, seed, rows, standings, hung, m, s):
    """Deals from where *m* stands, until its matches are made; returns how many.

    It ends early, between two deals, where *rows* or *hung* have no more place, or a match comes to no end.
    """
    dealing = named(named(named(np.uint64(0), DEALING), seed), MATCHES)
    deciding = named(named(named(np.uint64(0), POLICY), seed), MATCHES)
    if m.deal == 0:
        start_match(rules, m, s)
    row = 0
    while row < rows.size and m.left > 0 and m.hung_count < hung.size and m.passed < MOST_PASSED_IN_A_ROW:
        m.deal += 1
        s.states[PACK_STREAM] = named(named(dealing, m.match), np.uint64(m.deal))
        own = named(named(deciding, m.match), np.uint64(m.deal))
        name_streams(own, rules.players, s)
        next_pack(rules, m, s)
        make_deal(rules, policy, m.dealer, rows[row], s)
        follow(rules, rows[row], standings[row], hung, m, s)
        row += 1
    return row


def match_deals(
    rules: RuleSet, policy: int, seed: int, numbers: range, prefix: str, most_rows: int = MOST_ROWS
) -> Iterator[tuple[Rows, Rows]]:
    """Deals of the matches *numbers* in their order, as rows of DEAL and of STANDING, at most *most_rows* at a time.

    policy: one bit a seat, set for the sensible ones.  prefix: of the names of the matches, for messages.
    Raises: UsageError for a match that comes to no end.
    """
    m, s, given = np.zeros(1, dtype=MATCH)[0], new_workspace(rules), rules_record(rules)
    m["match"], m["left"], s["is_match"] = numbers.start, len(numbers), 1
    hung = np.zeros(HUNG_DEALS, dtype=np.int64)
    size = min(most_rows, 32 * len(numbers))
    while m["left"] > 0:
        rows, standings = np.zeros(size, dtype=DEAL), np.zeros(size, dtype=STANDING)
        count = make_matches(given, policy or None, np.uint64(seed), rows, standings, hung, m, s)
        if count:
            yield rows[:count], standings[:count]
        check_end(m, prefix)
        if m["hung_count"] == len(hung):
            hung = np.concatenate([hung, np.zeros_like(hung)])


def check_end(m: np.void, prefix: str) -> None:
    """The match under way may come to an end. Raises: UsageError."""
    if m["passed"] == MOST_PASSED_IN_A_ROW:
        raise endless_match(f"{prefix}{m['match']:08d}")

"""The match: who deals next, and when it is won.

Source: RULES.md 1g, Q22, Q23. Parameters that differ: target, no_exit_on_capot, no_exit_while_hanging.
"""

from __future__ import annotations

from belot_stats.cards import Seat, Side
from belot_stats.rules.table import NO_SIDE, seat_after
from belot_stats.ruleset import RuleSet

Totals = tuple[int, int, int]


def next_dealer(rules: RuleSet, dealer_seat: Seat) -> Seat:
    """Seat that deals the next deal, a passed-out one included."""
    return seat_after(rules, dealer_seat)


def match_winner(rules: RuleSet, totals: Totals, is_capot: bool, hanging: int) -> Side:
    """Side that has won the match after a deal that was played and scored, or NO_SIDE.

    totals: game points a side after the deal, unused sides 0. A deal that was passed out ends no match, so it is
    not asked about. A capot ends none where no_exit_on_capot says so: one more deal follows, and a further capot is
    not that deal either.
    """
    if is_capot and rules.no_exit_on_capot:
        return NO_SIDE
    if hanging > 0 and rules.no_exit_while_hanging:
        return NO_SIDE
    best = max(totals)
    if best < rules.target:
        return NO_SIDE
    return _only_leader(totals, best)


def _only_leader(totals: Totals, best: int) -> Side:
    leader = NO_SIDE
    for side in range(3):
        if totals[side] == best:
            if leader != NO_SIDE:
                return NO_SIDE
            leader = side
    return leader

"""Offences that end a deal: who committed one, and what the others write.

Source: RULES.md 1g "illegal play" (A449), BALOOT.md 1g (qayd).
"""

from __future__ import annotations

from collections.abc import Sequence

from belot_stats.checks.collect import PLAY_CODES, Findings
from belot_stats.checks.declarations import BeloteResult, DeclarationResult, belote_points
from belot_stats.deal import Deal
from belot_stats.rules.scoring import DealPoints, ended_by_offence, side_triple
from belot_stats.rules.table import side_count, side_of
from belot_stats.ruleset import RuleSet


def first_offender(findings: Findings) -> int | None:
    """Seat of the first illegal card, or None where every card was legal."""
    return next((item.seat for item in findings.items if item.code in PLAY_CODES), None)


def penalty_score(
    rules: RuleSet,
    contract: int,
    level: int,
    declared: Sequence[DeclarationResult],
    belotes: Sequence[BeloteResult],
    offender_seat: int,
) -> tuple[int, ...]:
    """What the sides write where an illegal card ends the deal: each innocent side all of it.

    Everything that was announced goes with it, whoever announced it and whether it was beaten or not.
    """
    sides = side_count(rules)
    announced = [0] * sides
    for item in declared:
        announced[item.side] += item.points
    points = DealPoints(
        (0, 0, 0),
        declarations=side_triple(announced),
        belotes=side_triple(belote_points(belotes, rules, sides)),
    )
    written = ended_by_offence(rules, contract, level, points)
    return tuple(0 if side == side_of(rules, offender_seat) else written for side in range(sides))


def innocent_side(deal: Deal, rules: RuleSet) -> int | None:
    """Side that a claimed offence is paid to. Who offended is believed: it may be in a card that no log keeps.

    Where the log names no offender, it is the side that the log gives points to.
    """
    if deal.ended_by is not None and deal.ended_by.seat is not None:
        return 1 - side_of(rules, deal.ended_by.seat)
    paid = [side for side, points in enumerate(deal.claimed.score or ()) if points > 0]
    return paid[0] if len(paid) == 1 else None

"""Baloot's conversion of raw points into game points, and who makes the contract.

Source: BALOOT.md part 2. Parameters that differ: sun_conversion, hokum_conversion, made_basis, exact_tie,
belote_kept_when_failed, capot_when_doubled. Two sides; raw points here are card points with the last trick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belot_stats import parameters as p
from belot_stats.cards import NO_TRUMPS, Contract, Side
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    from belot_stats.rules.scoring import DealPoints

Pair = tuple[int, int]

# Game points that the last digit of raw points adds in Sun, by sun_conversion.
SUN_DIGITS = (
    (0, 0, 0, 0, 0, 1, 2, 2, 2, 2),
    (0, 0, 0, 0, 0, 2, 2, 2, 2, 2),
    (0, 0, 0, 1, 1, 1, 1, 1, 2, 2),
)
SUN_TOTAL, HOKUM_TOTAL = 26, 16


def settle(
    rules: RuleSet, contract: Contract, level: int, points: DealPoints, declarer_side: Side, capot_side: Side
) -> tuple[Pair, bool]:
    """Game points of sides 0 and 1, and whether the buyer makes it."""
    if capot_side != NO_SIDE and level == p.WHOLE_MATCH:
        return _whole_match(rules, capot_side), capot_side == declarer_side
    if capot_side != NO_SIDE:
        return _kaboot(rules, contract, level, points, capot_side), capot_side == declarer_side
    game = _with_projects(contract, _converted(rules, contract, points, declarer_side), points)
    made = _is_made(rules, contract, level, points, declarer_side, game)
    if level == p.WHOLE_MATCH:
        return _whole_match(rules, declarer_side if made else 1 - declarer_side), made
    if level > 1:
        return _doubled(contract, level, points, game, declarer_side if made else 1 - declarer_side), made
    return (game if made else _failed(rules, points, declarer_side, game)), made


def convert_sun(conversion: int, raw: int) -> int:
    """Game points of *raw* card points in Sun."""
    return 2 * (raw // 10) + SUN_DIGITS[conversion][raw % 10]


def convert_hokum(raw: int) -> int:
    """Game points of *raw* card points in Hokum: six rounds up."""
    return raw // 10 + (1 if raw % 10 >= 6 else 0)


def _converted(rules: RuleSet, contract: Contract, points: DealPoints, declarer_side: Side) -> Pair:
    other = 1 - declarer_side
    if contract == NO_TRUMPS:
        if rules.sun_conversion == p.SUN_TEN_5UP:
            return _complement(convert_sun(p.SUN_TEN_5UP, points.cards[other]), SUN_TOTAL, other)
        return convert_sun(rules.sun_conversion, points.cards[0]), convert_sun(
            rules.sun_conversion, points.cards[1]
        )
    if rules.hokum_conversion == p.HOKUM_COMPLEMENT:
        return _complement(convert_hokum(points.cards[other]), HOKUM_TOTAL, other)
    pair = convert_hokum(points.cards[0]), convert_hokum(points.cards[1])
    if rules.hokum_conversion == p.HOKUM_PAIR and pair[0] + pair[1] > HOKUM_TOTAL:
        return (pair[0] - 1, pair[1]) if points.cards[0] > points.cards[1] else (pair[0], pair[1] - 1)
    return pair


def _complement(counted: int, total: int, counted_side: Side) -> Pair:
    return (counted, total - counted) if counted_side == 0 else (total - counted, counted)


def project_game_points(contract: Contract, raw: int) -> int:
    """Game points of projects worth *raw* points."""
    return 2 * raw // 10 if contract == NO_TRUMPS else raw // 10


def _with_projects(contract: Contract, game: Pair, points: DealPoints) -> Pair:
    return game[0] + _side_projects(contract, points, 0), game[1] + _side_projects(contract, points, 1)


def _side_projects(contract: Contract, points: DealPoints, side: Side) -> int:
    return project_game_points(contract, points.declarations[side] + points.belotes[side])


def _is_made(
    rules: RuleSet, contract: Contract, level: int, points: DealPoints, declarer_side: Side, game: Pair
) -> bool:
    other = 1 - declarer_side
    raw_lead = points.total[declarer_side] - points.total[other]
    game_lead = game[declarer_side] - game[other]
    lead = raw_lead if rules.made_basis == p.BASIS_RAW else game_lead
    if rules.made_basis == p.BASIS_GAME_THEN_RAW and lead == 0:
        lead = raw_lead
    if lead != 0:
        return lead > 0
    if level != 1:
        return not is_buyers_raise(rules, level)
    return (rules.exact_tie_no_trumps if contract == NO_TRUMPS else rules.exact_tie) == p.TIE_KEEPS


def is_buyers_raise(rules: RuleSet, level: int) -> bool:
    """Whether *level* is a raise of the buyer's side: double and four are the other side's, triple and gahwa his."""
    for slot in range(p.LEVEL_SLOTS):
        if rules.multipliers[slot] == level:
            return slot % 2 == 1
    return False


def _whole_match(rules: RuleSet, winner: Side) -> Pair:
    return (rules.target, 0) if winner == 0 else (0, rules.target)


def _failed(rules: RuleSet, points: DealPoints, declarer_side: Side, game: Pair) -> Pair:
    """The other side writes everything; the buyer's baloot stays his where the rules say so."""
    kept = points.belotes[declarer_side] // 10 if rules.belote_kept_when_failed else 0
    total = game[0] + game[1] - kept
    return (kept, total) if declarer_side == 0 else (total, kept)


def _doubled(contract: Contract, level: int, points: DealPoints, game: Pair, winner: Side) -> Pair:
    """The winner writes everything times the level; a baloot is never multiplied."""
    belotes = project_game_points(contract, points.belotes[0] + points.belotes[1])
    total = (game[0] + game[1] - belotes) * level + belotes
    return (total, 0) if winner == 0 else (0, total)


def _kaboot(rules: RuleSet, contract: Contract, level: int, points: DealPoints, capot_side: Side) -> Pair:
    """All tricks: a fixed score in place of the cards, and the winner's own projects."""
    bonus = rules.capot_no_trumps_points if contract == NO_TRUMPS else rules.capot_points
    projects = project_game_points(contract, points.declarations[capot_side])
    baloots = project_game_points(contract, points.belotes[capot_side])  # never multiplied
    factor = level if rules.capot_when_doubled == p.CAPOT_MULTIPLIED else 1
    total = (bonus + projects) * factor + baloots
    return (total, 0) if capot_side == 0 else (0, total)

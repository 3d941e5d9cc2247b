"""What a deal writes: raw points, made or failed or hanging, rounding, levels.

Source: RULES.md 1f and section 2, Q1, Q2, Q24, Q30. Parameters that differ: no_trumps_factor, last_trick_points,
capot and its companions, rounding, multiply_before_rounding, belote_kept_when_failed. Points and scores are
whole numbers; side totals are triples with 0 for sides that do not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, NO_TRUMPS, Contract, Side
from belot_stats.rules import baloot
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet

Sides = tuple[int, int, int]
NOBODY: Sides = (0, 0, 0)
FAILED, MADE, HANGING = range(3)


class DealScore(NamedTuple):
    """Score a side with hung points won, points left hanging after the deal, and MADE, FAILED or HANGING."""

    score_0: int
    score_1: int
    score_2: int
    hanging: int
    result: int


def side_triple(values: Sequence[int]) -> Sides:
    """*values* a side, as a triple with 0 for sides that do not exist."""
    padded = (*values, 0, 0, 0)
    return padded[0], padded[1], padded[2]


def side_scores(score: DealScore, sides: int) -> tuple[int, ...]:
    """Score of the sides there are."""
    return (score.score_0, score.score_1, score.score_2)[:sides]


class DealPoints(NamedTuple):
    """What the sides bring to the settlement. ``total`` counts everything raw; the others are what it is made of.

    total: cards, last trick, counted declarations and belotes, doubling of no trumps, a capot that is raw.
    """

    total: Sides
    cards: Sides = NOBODY
    declarations: Sides = NOBODY
    belotes: Sides = NOBODY


def raw_total(
    rules: RuleSet, contract: Contract, cards: int, declarations: int, belotes: int, is_capot: bool
) -> int:
    """Raw points of one side.

    cards: card points with the last trick, not doubled. At no trumps everything is doubled but the capot.
    """
    factor = rules.no_trumps_factor if contract == NO_TRUMPS else 1
    bonus = capot_bonus(rules, contract) if is_capot and rules.capot == p.CAPOT_RAW else 0
    return (cards + declarations + belotes) * factor + bonus


def capot_bonus(rules: RuleSet, contract: Contract) -> int:
    """Points for taking every trick, raw or game as the rules say."""
    return rules.capot_points * (rules.capot_no_trumps_factor if contract == NO_TRUMPS else 1)


def settle_deal(
    rules: RuleSet,
    contract: Contract,
    level: int,
    points: DealPoints,
    declarer_side: Side,
    capot_side: Side,
    hanging: int,
) -> DealScore:
    """Score of a deal that was played out.

    level: 1, 2, 4.  capot_side: side that took every trick, or NO_SIDE.  hanging: game points hanging from before;
    they go, never multiplied, to the side that wins this deal.
    """
    if rules.rounding == p.ROUND_BALOOT:
        pair, made = baloot.settle(rules, contract, level, points, declarer_side, capot_side)
        return _written(
            pair[declarer_side], pair[1 - declarer_side], declarer_side, hanging, MADE if made else FAILED
        )
    ours, theirs = points.total[declarer_side], points.total[1 - declarer_side]
    result = contract_result(rules, contract, ours, theirs)
    bonus = game_capot(rules, contract, level, capot_side)
    own_bonus = bonus if capot_side == declarer_side else 0
    level = counted_level(rules, level, capot_side)
    total = game_total(rules, contract, ours + theirs, level)
    if result == HANGING:
        written = _defenders_share(rules, contract, theirs, bonus - own_bonus) if level == 1 else 0
        return _written(0, written, declarer_side, hanging + total + bonus - written, result)
    if level > 1 or result == FAILED:
        own, other = _winner_takes_all(rules, points, declarer_side, total + bonus, result)
    else:
        own, other = _shares(rules, contract, ours, theirs, total)
        own, other = own + own_bonus, other + bonus - own_bonus
    return _written(own, other, declarer_side, hanging, result)


def contract_result(rules: RuleSet, contract: Contract, ours: int, theirs: int) -> int:
    """Strictly more makes the contract; equal points hang, or what exact_tie says."""
    if ours != theirs:
        return MADE if ours > theirs else FAILED
    tie = rules.exact_tie_no_trumps if contract == NO_TRUMPS else rules.exact_tie
    if tie == p.TIE_HANGS:
        return HANGING
    return MADE if tie == p.TIE_KEEPS else FAILED


def round_up_digit(contract: Contract) -> int:
    """Last digit from which the smaller side rounds up: 6 in a suit, 5 at no trumps, 4 at all trumps."""
    if contract == ALL_TRUMPS:
        return 4
    return 5 if contract == NO_TRUMPS else 6


def base_points(contract: Contract) -> int:
    """Raw points of a deal without declarations and capot: 162, 260, 258."""
    if contract == ALL_TRUMPS:
        return 258
    return 260 if contract == NO_TRUMPS else 162


def base_game_points(contract: Contract) -> int:
    """Game points they make: 16 or 26."""
    return 16 if contract < NO_TRUMPS else 26


def counted_level(rules: RuleSet, level: int, capot_side: Side) -> int:
    """Level that the deal is multiplied by: where the rules say so a doubled capot is not."""
    undoubled = (
        capot_side != NO_SIDE
        and rules.capot != p.CAPOT_NONE
        and rules.capot_when_doubled == p.CAPOT_DEAL_NOT_DOUBLED
    )
    return 1 if undoubled else level


def game_total(rules: RuleSet, contract: Contract, raw: int, level: int) -> int:
    """Game points of the whole deal at *level*, without a capot that is in game points."""
    if rules.rounding == p.ROUND_NONE:
        return raw * level
    if rules.multiply_before_rounding and level > 1:
        return (raw * level + 10 - round_up_digit(contract)) // 10
    return (base_game_points(contract) + (raw - base_points(contract)) // 10) * level


def game_capot(rules: RuleSet, contract: Contract, level: int, capot_side: Side) -> int:
    """Game points of a capot that is in game points."""
    if capot_side == NO_SIDE or rules.capot != p.CAPOT_GAME:
        return 0
    return capot_bonus(rules, contract) * (level if rules.capot_when_doubled == p.CAPOT_MULTIPLIED else 1)


def _shares(rules: RuleSet, contract: Contract, ours: int, theirs: int, total: int) -> tuple[int, int]:
    """Game points of a made contract: the smaller side is rounded, the larger has the rest of *total*."""
    low = min(ours, theirs)
    if rules.rounding == p.ROUND_SHARED_TENS:
        low = (low + 10 - round_up_digit(contract)) // 10
    return (total - low, low) if ours >= theirs else (low, total - low)


def _winner_takes_all(
    rules: RuleSet, points: DealPoints, declarer_side: Side, total: int, result: int
) -> tuple[int, int]:
    """All to the winner; a failed declarer keeps his belote where the rules let him."""
    if result == MADE:
        return total, 0
    belote = points.belotes[declarer_side] if rules.belote_kept_when_failed else 0
    kept = belote if rules.rounding == p.ROUND_NONE else belote // 10
    return kept, total - kept


def _defenders_share(rules: RuleSet, contract: Contract, theirs: int, bonus: int) -> int:
    """What the defenders write of an undoubled deal that hangs: their special digit is rounded down."""
    if rules.rounding == p.ROUND_NONE:
        return theirs + bonus
    return (theirs + 9 - round_up_digit(contract)) // 10 + bonus


def _written(ours: int, theirs: int, declarer_side: Side, hanging: int, result: int) -> DealScore:
    """Scores in the order of the sides; points that hang go to the winner, or hang on."""
    ours += hanging if result == MADE else 0
    theirs += hanging if result == FAILED else 0
    left = hanging if result == HANGING else 0
    if declarer_side == 0:
        return DealScore(ours, theirs, 0, left, result)
    return DealScore(theirs, ours, 0, left, result)

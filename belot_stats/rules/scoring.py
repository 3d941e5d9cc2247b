"""What a deal writes: raw points, made or failed or hanging, rounding, levels.

Source: RULES.md 1f and section 2, Q1, Q2, Q15, Q16, Q20, Q24-Q27, Q30. Parameters that differ: no_trumps_factor,
last_trick_points, capot and its companions, made, failed, hung_to, rounding, multiply_before_rounding, kirtik,
belote_kept_when_failed. Points and scores are whole numbers; side totals are triples, 0 for a side that does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, NO_TRUMPS, Contract, Side
from belot_stats.rules import baloot
from belot_stats.rules.table import NO_SIDE, side_count
from belot_stats.ruleset import RuleSet

Sides = tuple[int, int, int]
NOBODY: Sides = (0, 0, 0)
FAILED, MADE, HANGING, ALL_PASS = range(4)
ROUND_UP_DIGITS = (6, 6, 6, 6, 5, 4)


class DealScore(NamedTuple):
    """Score a side with hung points won, points left hanging, and MADE, FAILED, HANGING or ALL_PASS."""

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

    total: cards, last trick, counted declarations and belotes, doubling of no trumps, a capot that is raw.  tricks:
    tricks won; all 0 where they are not known, and a capot alone says who took none.
    """

    total: Sides
    cards: Sides = NOBODY
    declarations: Sides = NOBODY
    belotes: Sides = NOBODY
    tricks: Sides = NOBODY


class _Writing(NamedTuple):
    """A deal on its way to the sheet, with its declarer's own place in the triples."""

    contract: int
    level: int
    declarer_side: int
    sides: int
    raw: Sides  # with the points of a capot a player
    bonus: Sides  # game points of a capot


def raw_total(
    rules: RuleSet, contract: Contract, cards: int, declarations: int, belotes: int, is_capot: bool
) -> int:
    """Raw points of one side.

    cards: card points with the last trick, not doubled. At no trumps everything is doubled but the capot.
    """
    factor = rules.no_trumps_factor if contract == NO_TRUMPS else 1
    cards = scaled_points(rules, contract, cards)
    bonus = capot_bonus(rules, contract) if is_capot and rules.capot == p.CAPOT_RAW else 0
    return (cards + declarations + belotes) * factor + bonus


def scaled_points(rules: RuleSet, contract: Contract, cards: int) -> int:
    """Card points of one side, at no trumps and all trumps scaled to the total of a deal that the rules may name."""
    if rules.scaled_total == 0 or contract < NO_TRUMPS:
        return cards
    whole = whole_pack_points(rules, contract)
    return (2 * cards * rules.scaled_total + whole) // (2 * whole)


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

    level: 1, 2, 4, or 0 for the whole match.  capot_side: side that took every trick, or NO_SIDE.
    hanging: points hanging from before that this deal's winner takes; they are never multiplied.
    """
    if rules.rounding == p.ROUND_BALOOT:
        return _settle_baloot(rules, contract, level, points, declarer_side, capot_side, hanging)
    sides = side_count(rules)
    raw = _plus(points.total, player_bonuses(rules, points.tricks, capot_side, sides))
    result = contract_result(rules, contract, raw, declarer_side, sides)
    bonus = _at(capot_side, game_capot(rules, contract, level, capot_side))
    level = counted_level(rules, level, capot_side)
    deal = _Writing(contract, level, declarer_side, sides, raw, bonus)
    if result == HANGING:
        score, hung = _hanging_score(rules, deal)
    elif level != 1:
        score, hung = _winner_takes_all(rules, deal, points, result), 0
    elif result == MADE:
        score, hung = _plus(_shares(rules, deal), bonus), 0
    else:
        score, hung = _failed_score(rules, deal, points), 0
    if result == HANGING:
        hung += hanging
    else:
        score = _plus(score, _at(_hung_side(rules, raw, declarer_side, result, sides), hanging))
    score = _fined(rules, score, declarer_side, capot_side, result, sides)
    return DealScore(score[0], score[1], score[2], hung, result)


def _settle_baloot(
    rules: RuleSet,
    contract: Contract,
    level: int,
    points: DealPoints,
    declarer_side: Side,
    capot_side: Side,
    hanging: int,
) -> DealScore:
    pair, made = baloot.settle(rules, contract, level, points, declarer_side, capot_side)
    winner = declarer_side if made else 1 - declarer_side
    score = _plus((pair[0], pair[1], 0), _at(winner, hanging))
    return DealScore(score[0], score[1], 0, 0, MADE if made else FAILED)


def settle_all_pass(rules: RuleSet, points: DealPoints) -> DealScore:
    """Score of a deal that was played after all passed: what a side took counts against it.

    Also the combinations of the others, where it took a trick at all, and their belotes always.
    """
    sides = side_count(rules)
    return DealScore(
        _all_pass_score(points, 0, sides),
        _all_pass_score(points, 1, sides),
        _all_pass_score(points, 2, sides) if sides > 2 else 0,
        0,
        ALL_PASS,
    )


def _all_pass_score(points: DealPoints, side: Side, sides: int) -> int:
    lost = points.cards[side]
    for other in range(sides):
        if other != side:
            lost += points.belotes[other] + (points.declarations[other] if points.tricks[side] > 0 else 0)
    return -lost


def _at(side: Side, points: int) -> Sides:
    """*points* for *side*, nothing for the others."""
    return (points if side == 0 else 0, points if side == 1 else 0, points if side == 2 else 0)


def _plus(ours: Sides, more: Sides) -> Sides:
    return ours[0] + more[0], ours[1] + more[1], ours[2] + more[2]


def _sum(points: Sides) -> int:
    return points[0] + points[1] + points[2]


def player_bonuses(rules: RuleSet, tricks: Sides, capot_side: Side, sides: int) -> Sides:
    """Points beside the raw points where a player took no trick: to each of the others, or to the only one.

    tricks: won a side; all 0 where only the capot is known.
    """
    if rules.capot != p.CAPOT_PLAYERS:
        return NOBODY
    if capot_side != NO_SIDE:
        return _at(capot_side, rules.double_capot_points if sides > 2 else rules.capot_points)
    is_known = _sum(tricks) > 0
    if not is_known or (tricks[0] > 0 and tricks[1] > 0 and (tricks[2] > 0 or sides == 2)):
        return NOBODY
    bonus = rules.capot_points
    return (
        bonus if tricks[0] > 0 else 0,
        bonus if tricks[1] > 0 else 0,
        bonus if tricks[2] > 0 else 0,
    )


def contract_result(rules: RuleSet, contract: Contract, raw: Sides, declarer_side: Side, sides: int) -> int:
    """Strictly more than each other side makes the contract; equal points hang, or what exact_tie says."""
    ours, best = raw[declarer_side], -1
    for side in range(sides):
        if side != declarer_side and raw[side] > best:
            best = raw[side]
    if ours != best:
        return MADE if ours > best else FAILED
    tie = rules.exact_tie_no_trumps if contract == NO_TRUMPS else rules.exact_tie
    if tie == p.TIE_HANGS:
        return HANGING
    return MADE if tie == p.TIE_KEEPS else FAILED


def top_side(raw: Sides, declarer_side: Side, sides: int) -> Side:
    """Side with most points; of equals the first after the declarer, he himself last."""
    best = declarer_side
    for step in range(sides - 1, 0, -1):
        side = (declarer_side + step) % sides
        if raw[side] >= raw[best]:
            best = side
    return best


def _hung_side(rules: RuleSet, raw: Sides, declarer_side: Side, result: int, sides: int) -> Side:
    """Side that takes the points that hung before."""
    if result == MADE and rules.hung_to == p.HUNG_TO_DEAL_WINNER:
        return declarer_side
    if result == FAILED and sides == 2:
        return 1 - declarer_side
    return top_side(raw, declarer_side, sides)


def deal_winner(
    rules: RuleSet, points: DealPoints, declarer_side: Side, capot_side: Side, result: int
) -> Side:
    """Side that the points that hung before go to; NO_SIDE where the deal is not won."""
    if result in (HANGING, ALL_PASS):
        return NO_SIDE
    if rules.rounding == p.ROUND_BALOOT:
        return declarer_side if result == MADE else 1 - declarer_side
    sides = side_count(rules)
    raw = _plus(points.total, player_bonuses(rules, points.tricks, capot_side, sides))
    return _hung_side(rules, raw, declarer_side, result, sides)


def _fined(
    rules: RuleSet, score: Sides, declarer_side: Side, capot_side: Side, result: int, sides: int
) -> Sides:
    """Kirtik: off a declarer who failed, and off each side that a capot leaves without a trick."""
    if rules.kirtik == 0:
        return score
    for side in range(sides):
        is_capotted = capot_side not in (NO_SIDE, side)
        if is_capotted or (result == FAILED and side == declarer_side):
            score = _plus(score, _at(side, -rules.kirtik))
    return score


def round_up_digit(contract: Contract) -> int:
    """Last digit from which the smaller side rounds up: 6 in a suit, 5 at no trumps, 4 at all trumps."""
    return ROUND_UP_DIGITS[contract]


def round_alone(rules: RuleSet, contract: Contract, points: int) -> int:
    """Game points of *points* by themselves."""
    if rules.rounding == p.ROUND_NONE:
        return points
    if rules.rounding == p.ROUND_NEAREST_TEN:
        return (points + 5) // 10 * 10
    return (points + 10 - round_up_digit(contract)) // 10


def counted_level(rules: RuleSet, level: int, capot_side: Side) -> int:
    """Level that the deal is multiplied by: where the rules say so a doubled capot is not. 0 = the whole match."""
    undoubled = (
        capot_side != NO_SIDE
        and level != p.WHOLE_MATCH
        and rules.capot != p.CAPOT_NONE
        and rules.capot_when_doubled == p.CAPOT_DEAL_NOT_DOUBLED
    )
    return 1 if undoubled else level


def game_total(rules: RuleSet, contract: Contract, raw: int, level: int) -> int:
    """Game points of the whole deal at *level*, without a capot that is in game points."""
    if level == p.WHOLE_MATCH:
        return rules.target
    if rules.multiply_before_rounding:
        return round_alone(rules, contract, raw * level)
    return round_alone(rules, contract, raw) * level


def game_capot(rules: RuleSet, contract: Contract, level: int, capot_side: Side) -> int:
    """Game points of a capot that is in game points."""
    if capot_side == NO_SIDE or rules.capot != p.CAPOT_GAME or level == p.WHOLE_MATCH:
        return 0
    return capot_bonus(rules, contract) * (level if rules.capot_when_doubled == p.CAPOT_MULTIPLIED else 1)


def _is_shared(rules: RuleSet, deal: _Writing) -> bool:
    return deal.sides == 2 and rules.rounding in (p.ROUND_SHARED_TENS, p.ROUND_NEAREST_TEN)


def _each_alone(rules: RuleSet, deal: _Writing) -> Sides:
    return (
        round_alone(rules, deal.contract, deal.raw[0]),
        round_alone(rules, deal.contract, deal.raw[1]),
        round_alone(rules, deal.contract, deal.raw[2]) if deal.sides > 2 else 0,
    )


def _shares(rules: RuleSet, deal: _Writing) -> Sides:
    """Game points of a made contract; shared, the smaller side is rounded and the larger has the rest."""
    if not _is_shared(rules, deal):
        return _each_alone(rules, deal)
    total = game_total(rules, deal.contract, _sum(deal.raw), 1)
    low = round_alone(rules, deal.contract, min(deal.raw[0], deal.raw[1]))
    return (low, total - low, 0) if deal.raw[0] < deal.raw[1] else (total - low, low, 0)


def _hanging_score(rules: RuleSet, deal: _Writing) -> tuple[Sides, int]:
    """What the others write of a tie, and what hangs; all of it where the deal is doubled."""
    if deal.level != 1:
        return NOBODY, game_total(rules, deal.contract, _sum(deal.raw), deal.level) + _sum(deal.bonus)
    shares = _plus(_tied_shares(rules, deal), deal.bonus)
    hung = shares[deal.declarer_side]
    return _plus(shares, _at(deal.declarer_side, -hung)), hung


def _tied_shares(rules: RuleSet, deal: _Writing) -> Sides:
    """Shares of a tie; shared, the defenders round down at their special digit and the rest hangs."""
    if not _is_shared(rules, deal):
        return _each_alone(rules, deal)
    other = 1 - deal.declarer_side
    written = round_alone(rules, deal.contract, deal.raw[other])
    if rules.rounding == p.ROUND_SHARED_TENS:
        written = (deal.raw[other] + 9 - round_up_digit(deal.contract)) // 10
    total = game_total(rules, deal.contract, _sum(deal.raw), 1)
    return _plus(_at(other, written), _at(deal.declarer_side, total - written))


def kept_belote(rules: RuleSet, deal_points: DealPoints, declarer_side: Side) -> int:
    """Raw points of belote that a failed declarer keeps."""
    return deal_points.belotes[declarer_side] if rules.belote_kept_when_failed else 0


def _failed_score(rules: RuleSet, deal: _Writing, points: DealPoints) -> Sides:
    """The others write everything, or each his own and an equal share; a kept belote stays."""
    kept = kept_belote(rules, points, deal.declarer_side)
    written = round_alone(rules, deal.contract, kept)
    if deal.sides == 2:
        total = game_total(rules, deal.contract, _sum(deal.raw), 1) + _sum(deal.bonus)
        return _plus(_at(deal.declarer_side, written), _at(1 - deal.declarer_side, total - written))
    first = top_side(deal.raw, deal.declarer_side, deal.sides)
    second = 3 - deal.declarer_side - first
    split, bonus = deal.raw[deal.declarer_side] - kept, deal.bonus[deal.declarer_side]
    more = round_alone(rules, deal.contract, deal.raw[first] + (split + 1) // 2) + (bonus + 1) // 2
    less = round_alone(rules, deal.contract, deal.raw[second] + split // 2) + bonus // 2
    score = _plus(_at(first, more + deal.bonus[first]), _at(second, less + deal.bonus[second]))
    return _plus(score, _at(deal.declarer_side, written))


def _winner_takes_all(rules: RuleSet, deal: _Writing, points: DealPoints, result: int) -> Sides:
    """Doubled: all of it times the level to the winner; a belote that is kept is not multiplied."""
    total = game_total(rules, deal.contract, _sum(deal.raw), deal.level) + _sum(deal.bonus)
    if result == MADE:
        return _at(deal.declarer_side, total)
    kept = round_alone(rules, deal.contract, kept_belote(rules, points, deal.declarer_side))
    winner = top_side(deal.raw, deal.declarer_side, deal.sides)
    return _plus(_at(deal.declarer_side, kept), _at(winner, total - kept))


def ended_by_offence(rules: RuleSet, contract: Contract, level: int, points: DealPoints) -> int:
    """Game points that each innocent side writes where an illegal card ends the deal.

    All points of a whole deal of this contract, and everything that anybody announced.
    """
    factor = rules.no_trumps_factor if contract == NO_TRUMPS else 1
    announced = _sum(points.declarations) + _sum(points.belotes)
    raw = whole_pack_points(rules, contract) + announced * factor
    return game_total(rules, contract, raw, level)


def whole_pack_points(rules: RuleSet, contract: Contract) -> int:
    """Raw points of a whole pack with the last trick, nothing announced: 162, 260, 258."""
    if contract == ALL_TRUMPS:
        return 248 + rules.last_trick_points
    if contract == NO_TRUMPS:
        return (120 + rules.last_trick_points) * rules.no_trumps_factor
    return 152 + rules.last_trick_points

"""What a simulated deal is worth: tricks, raw points and score, as a server would write them."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import KING, NO_CONTRACT, QUEEN, Seat, Side
from belot_stats.deal import Belote, Claimed, Declaration
from belot_stats.rules.declarations import (
    CARRE,
    COUNTED,
    Announcement,
    combination_points,
    kind_of,
    settle_announcements,
)
from belot_stats.rules.match import match_winner
from belot_stats.rules.play import card_points
from belot_stats.rules.scoring import HANGING, MADE, DealPoints, raw_total, settle_deal, side_triple
from belot_stats.rules.table import NO_SIDE, seat_after, side_of
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.playing import Played, Standing

HUNDRED = 100
CARD_POINTS = tuple(tuple(card_points(contract, card) for card in range(32)) for contract in range(6))


class Settled(NamedTuple):
    """What is written for a deal, and the match after it; winner is the side that won the match, or NO_SIDE."""

    claimed: Claimed
    standing: Standing
    winner: Side


def settle(rules: RuleSet, played: Played, dealer_seat: Seat, before: Standing) -> Settled:
    """Claims of the deal *played*, dealt by *dealer_seat* in a match that stood at *before*."""
    if played.contract == NO_CONTRACT:
        claimed = Claimed(score=(0, 0), hanging=before.hanging, total=before.totals[:2])
        return Settled(claimed, before, NO_SIDE)
    points, capot_side = count_points(rules, played, dealer_seat)
    declarer_side = side_of(rules, played.declarer_seat)
    score = settle_deal(
        rules, played.contract, played.level, points, declarer_side, capot_side, before.hanging
    )
    totals = before.totals[0] + score.score_0, before.totals[1] + score.score_1, 0
    winner = match_winner(rules, totals, capot_side != NO_SIDE, score.hanging)
    claimed = Claimed(
        contract=played.contract,
        declarer=played.declarer_seat,
        level=played.level,
        tricks=played.winners,
        points=points.total[:2],
        capot=None if capot_side == NO_SIDE else capot_side,
        made=None if score.result == HANGING else score.result == MADE,
        score=(score.score_0, score.score_1),
        hanging=score.hanging,
        total=totals[:2],
        winner=None if winner == NO_SIDE else winner,
    )
    return Settled(claimed, Standing(totals, score.hanging), winner)


def count_points(rules: RuleSet, played: Played, dealer_seat: Seat) -> tuple[DealPoints, Side]:
    """Raw points of the sides, and the side that took every trick or NO_SIDE."""
    cards, tricks_won = _count_cards(rules, played)
    capot_side = _side_with_all(tricks_won)
    counted = _counted_declarations(rules, played, seat_after(rules, dealer_seat), tricks_won)
    declared, belotes = [0, 0], [0, 0]
    for item in counted:
        declared[side_of(rules, item.seat)] += combination_points(rules, played.contract, item.cards or 0)
    for belote in played.belotes:
        if _belote_counts(rules, played, belote, counted, tricks_won):
            belotes[side_of(rules, belote.seat)] += rules.belote_points
    total = [
        raw_total(rules, played.contract, cards[side], declared[side], belotes[side], capot_side == side)
        for side in (0, 1)
    ]
    return DealPoints(
        side_triple(total), side_triple(cards), side_triple(declared), side_triple(belotes)
    ), capot_side


def _count_cards(rules: RuleSet, played: Played) -> tuple[list[int], list[int]]:
    """Card points with the last trick, and tricks won, a side."""
    points, tricks_won = [0, 0], [0, 0]
    worth = CARD_POINTS[played.contract]
    for number, winner in enumerate(played.winners):
        side = side_of(rules, winner)
        tricks_won[side] += 1
        first = number * rules.players
        points[side] += sum([worth[card] for card in played.plays[first : first + rules.players]])
    points[side_of(rules, played.winners[-1])] += rules.last_trick_points
    return points, tricks_won


def _side_with_all(tricks_won: list[int]) -> Side:
    if 0 not in tricks_won:
        return NO_SIDE
    return 1 if tricks_won[0] == 0 else 0


def _counted_declarations(
    rules: RuleSet, played: Played, first_leader: Seat, tricks_won: list[int]
) -> list[Declaration]:
    announcements = [Announcement(item.seat, item.cards or 0) for item in played.declarations]
    fates = settle_announcements(rules, played.contract, announcements, first_leader)
    return [
        item
        for item, fate in zip(played.declarations, fates, strict=True)
        if fate == COUNTED and (tricks_won[side_of(rules, item.seat)] or not rules.declarations_need_trick)
    ]


def _belote_counts(
    rules: RuleSet, played: Played, belote: Belote, counted: list[Declaration], tricks_won: list[int]
) -> bool:
    if rules.belote_needs_trick and not tricks_won[side_of(rules, belote.seat)]:
        return False
    if rules.belote_with_hundred:
        return True
    pair = (1 << QUEEN | 1 << KING) << 8 * belote.suit
    own = [item.cards or 0 for item in counted if item.seat == belote.seat]
    hundreds = [cards for cards in own if combination_points(rules, played.contract, cards) >= HUNDRED]
    return not any(cards & pair == pair or (kind_of(cards) == CARRE and cards & pair) for cards in hundreds)

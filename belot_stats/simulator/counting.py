"""Points of a deal, or of its tricks so far: cards, counted declarations and belotes, a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats.cards import KING, QUEEN, Card, Contract, Seat, Side
from belot_stats.deal import Belote, Declaration
from belot_stats.rules.declarations import (
    AT_FIRST_CARD,
    CARRE,
    COUNTED,
    Announcement,
    combination_points,
    kind_of,
    settle_announcements,
)
from belot_stats.rules.play import card_points
from belot_stats.rules.scoring import DealPoints, raw_total, side_triple
from belot_stats.rules.table import NO_SIDE, hand_size, side_count, side_of
from belot_stats.ruleset import RuleSet

HUNDRED = 100
CARD_POINTS = tuple(tuple(card_points(contract, card) for card in range(32)) for contract in range(6))


class Tally(NamedTuple):
    """What was played and announced: in a whole deal, or up to a trick."""

    contract: Contract
    first_leader: Seat
    plays: Sequence[Card]
    winners: Sequence[Seat]
    declarations: Sequence[Declaration]
    belotes: Sequence[Belote]
    is_all_pass: bool = False  # played after all passed: what counts for a side counts against the others


def count_points(rules: RuleSet, tally: Tally) -> tuple[DealPoints, Side]:
    """Raw points of the sides, and the side that took every trick or NO_SIDE.

    Of a deal that is not over: what the sides have now, without the last trick and a capot.
    """
    contract, sides = tally.contract, side_count(rules)
    is_over = len(tally.winners) == hand_size(rules)
    cards, tricks_won = _count_cards(rules, tally, is_over)
    capot_side = _side_with_all(tricks_won) if is_over else NO_SIDE
    counted = _counted_declarations(rules, tally, tricks_won)
    needs_trick = bool(rules.belote_needs_trick) and not tally.is_all_pass
    declared, belotes = [0] * sides, [0] * sides
    for item in counted:
        declared[side_of(rules, item.seat)] += combination_points(rules, contract, item.cards or 0)
    for belote in tally.belotes:
        side = side_of(rules, belote.seat)
        if (tricks_won[side] or not needs_trick) and _stands_beside(rules, contract, belote, counted):
            belotes[side] += rules.belote_points
    total = [
        raw_total(rules, contract, cards[side], declared[side], belotes[side], capot_side == side)
        for side in range(sides)
    ]
    points = DealPoints(*map(side_triple, (total, cards, declared, belotes, tricks_won)))
    return points, capot_side


def _count_cards(rules: RuleSet, tally: Tally, is_over: bool) -> tuple[list[int], list[int]]:
    """Card points with the last trick, and tricks won, a side."""
    sides = side_count(rules)
    points, tricks_won = [0] * sides, [0] * sides
    worth, players = CARD_POINTS[tally.contract], rules.players
    for number, winner in enumerate(tally.winners):
        side = side_of(rules, winner)
        tricks_won[side] += 1
        first = number * players
        points[side] += sum([worth[card] for card in tally.plays[first : first + players]])
    if is_over:
        points[side_of(rules, tally.winners[-1])] += rules.last_trick_points
    return points, tricks_won


def _side_with_all(tricks_won: Sequence[int]) -> Side:
    takers = [side for side, tricks in enumerate(tricks_won) if tricks]
    return takers[0] if len(takers) == 1 else NO_SIDE


def _counted_declarations(rules: RuleSet, tally: Tally, tricks_won: Sequence[int]) -> list[Declaration]:
    announcements = [
        Announcement(item.seat, item.cards or 0, AT_FIRST_CARD if item.at is None else item.at)
        for item in tally.declarations
    ]
    fates = settle_announcements(rules, tally.contract, announcements, tally.first_leader)
    return [
        item
        for item, fate in zip(tally.declarations, fates, strict=True)
        if fate == COUNTED and _scores(rules, tally, tricks_won, side_of(rules, item.seat))
    ]


def _scores(rules: RuleSet, tally: Tally, tricks_won: Sequence[int], side: Side) -> bool:
    """Whether *side* has the trick that its combinations may need; after all passed the others need it."""
    if not rules.declarations_need_trick:
        return True
    if tally.is_all_pass:
        return sum(tricks_won) > tricks_won[side]
    return tricks_won[side] > 0


def _stands_beside(
    rules: RuleSet, contract: Contract, belote: Belote, counted: Sequence[Declaration]
) -> bool:
    """Whether belote counts beside what its seat declared."""
    if rules.belote_with_hundred:
        return True
    pair = (1 << QUEEN | 1 << KING) << 8 * belote.suit
    own = [item.cards or 0 for item in counted if item.seat == belote.seat]
    hundreds = [cards for cards in own if combination_points(rules, contract, cards) >= HUNDRED]
    return not any(cards & pair == pair or (kind_of(cards) == CARRE and cards & pair) for cards in hundreds)

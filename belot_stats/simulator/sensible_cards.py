"""Card play of the sensible policy: what a club player does, from the cards that everybody has seen.

Following, each legal card is weighed by one formula: (chance that the own side takes the trick, less the chance that
the other does) times the points in it with this card, less what the card would be worth later. That feeds the
partner's tricks, saves points from the opponents', wins cheaply and keeps winners. Leading has reasons of its own:
draw trumps as declarer, cash sure winners before they are ruffed, come to the partner's suit, lead low otherwise.
Where all passed and every point counts against its taker, the least good card is the best one. Numbers are whole;
chances are per cent.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from belot_stats.cards import ALL_TRUMPS, NO_CARD, NO_SEAT, NO_TRUMPS, Card, CardMask, Seat, cards_in
from belot_stats.rules.play import beats, card_points, card_strength, has_trump_order
from belot_stats.simulator.policies import CardView


class Values(NamedTuple):
    """By card: points, and the cards of its suit that are stronger."""

    points: tuple[int, ...]
    stronger_masks: tuple[int, ...]


def _values(contract: int) -> Values:
    strengths = [card_strength(contract, card) for card in range(32)]
    stronger = [
        sum(1 << other for other in range(card & 24, (card & 24) + 8) if strengths[other] > strengths[card])
        for card in range(32)
    ]
    return Values(tuple(card_points(contract, card) for card in range(32)), tuple(stronger))


VALUES = tuple(_values(contract) for contract in range(6))

# Chance that none of so many stronger cards lies with the opponent still to play: each is with one of three hands.
CHANCE_UNBEATEN = (100, 67, 45, 30, 20, 13, 9, 6, 4)


@cache
def chance_unbeaten(held: int, unseen: int) -> tuple[int, ...]:
    """The same where an opponent holds *held* of *unseen* cards."""
    share = 100 - 100 * held // max(unseen, 1)
    chances = [100]
    for _ in range(8):
        chances.append(chances[-1] * share // 100)
    return tuple(chances)


# Chance that nobody ruffs a suit of which so many cards are unseen, while opponents to play may hold trumps.
CHANCE_NOT_RUFFED = (15, 35, 60, 78, 88, 94, 97, 98, 98)
PARTNER_TO_PLAY, PARTNER_CANNOT, PARTNER_MAY_RUFF = 30, 4, 60

# What a card is worth later, in points.
TAKEN_WITH_IT, NEXT_WINNER, TRUMP, GUARDED_TEN = 8, 5, 6, 3
WINNER_WITHOUT_TRUMPS = 80  # per cent: it may never get the lead


class Situation:
    """One decision: the view, and what follows from it for every card."""

    __slots__ = (
        "_trumps_out",
        "_unbeaten",
        "opponents_behind",
        "partner_behind",
        "points",
        "stronger_masks",
        "trump_mask",
        "view",
    )

    def __init__(self, view: CardView) -> None:
        rules, seat = view.rules, view.seat
        players = rules.players
        self.view = view
        self.points, self.stronger_masks = VALUES[view.contract]
        self.trump_mask = 0xFF << 8 * view.contract if view.contract < NO_TRUMPS else 0
        behind = [(seat + turn) % players for turn in range(1, players - len(view.trick))]
        self.opponents_behind = [other for other in behind if not self.is_partner(other)]
        self.partner_behind = next((other for other in behind if self.is_partner(other)), -1)
        self._trumps_out = (view.unseen_mask & self.trump_mask).bit_count()
        self._unbeaten: tuple[int, ...] = CHANCE_UNBEATEN
        if players < 4:  # some cards may be in nobody's hand; held ones are spread over fewer hands
            self._unbeaten = chance_unbeaten(view.hand_mask.bit_count(), view.unseen_mask.bit_count())

    def is_partner(self, other: Seat) -> bool:
        """Whether *other* plays for the own side."""
        return bool(self.view.rules.partners) and (other - self.view.seat) % 2 == 0

    def may_hold_trumps(self, other: Seat) -> bool:
        """Whether *other* may have a trump: some are unseen, and it has not failed to follow one."""
        return self._trumps_out > 0 and not self.view.void_suits[other] >> self.view.contract & 1

    def unseen_stronger(self, card: Card) -> int:
        """How many cards of its suit that beat *card* are neither played nor in the own hand."""
        return (self.view.unseen_mask & self.stronger_masks[card]).bit_count()

    def unseen_in_suit(self, suit: int) -> int:
        """How many cards of *suit* are neither played nor in the own hand."""
        return (self.view.unseen_mask >> 8 * suit & 0xFF).bit_count()

    def chance_to_hold(self, card: Card, opponents: list[Seat]) -> int:
        """Per cent that *card*, the best of its trick, is beaten by none of *opponents*, who are still to play."""
        if not opponents:
            return 100
        suit = card >> 3
        followers = [other for other in opponents if not self.view.void_suits[other] >> suit & 1]
        chance = self._unbeaten[self.unseen_stronger(card)] if followers else 100
        if len(followers) > 1:
            chance = chance * chance // 100
        if self.trump_mask and not self.trump_mask >> card & 1:
            chance = chance * self._chance_not_ruffed(suit, opponents) // 100
        return chance

    def _chance_not_ruffed(self, suit: int, opponents: list[Seat]) -> int:
        ruffers = [other for other in opponents if self.may_hold_trumps(other)]
        if not ruffers:
            return 100
        if any(self.view.void_suits[other] >> suit & 1 for other in ruffers):
            return CHANCE_NOT_RUFFED[0]
        return CHANCE_NOT_RUFFED[self.unseen_in_suit(suit)]

    def later_worth(self, card: Card) -> int:
        """Points that *card* may bring, or save, if it is kept."""
        is_trump = bool(self.trump_mask >> card & 1)
        worth = TRUMP if is_trump else 0
        stronger = self.unseen_stronger(card)
        if stronger == 0:
            return (
                worth
                + (self.points[card] + TAKEN_WITH_IT) * self._chance_to_win_later(card >> 3, is_trump) // 100
            )
        if stronger == 1:
            return worth + NEXT_WINNER
        return worth + (GUARDED_TEN if self.points[card] >= 10 else 0)

    def _chance_to_win_later(self, suit: int, is_trump: bool) -> int:
        """Per cent for the best card of *suit*: beside trumps it may be ruffed when the suit comes round again."""
        if is_trump:
            return 100
        if not self.trump_mask or self._trumps_out == 0:
            return WINNER_WITHOUT_TRUMPS
        return CHANCE_NOT_RUFFED[max(self.unseen_in_suit(suit) - 3, 0)]


def choose_card(view: CardView) -> Card:
    """Best legal card, by the weights of this module; of equal ones the lowest card number."""
    situation = Situation(view)
    if view.declarer_seat == NO_SEAT:
        return _best(view.legal_mask, [-taking_weight(situation, card) for card in cards_in(view.legal_mask)])
    if view.best_card == NO_CARD:
        return _best(view.legal_mask, lead_weights(situation))
    return _best(view.legal_mask, [follow_weight(situation, card) for card in cards_in(view.legal_mask)])


def _best(legal_mask: CardMask, weights: list[int]) -> Card:
    return max(zip(weights, [-card for card in cards_in(legal_mask)], strict=True))[1] * -1


def follow_weight(situation: Situation, card: Card) -> int:
    """Worth of playing *card* to a trick that lies on the table, in hundredths of a point."""
    view, points = situation.view, situation.points
    in_trick = points[card] + sum(points[other] for other in view.trick)
    return (2 * _chance_of_trick(situation, card) - 100) * in_trick - 100 * situation.later_worth(card)


def taking_weight(situation: Situation, card: Card) -> int:
    """Worth of *card* for who wants to take points, led or following."""
    if situation.view.best_card != NO_CARD:
        return follow_weight(situation, card)
    chance = situation.chance_to_hold(card, situation.opponents_behind)
    if situation.partner_behind >= 0:
        chance += (100 - chance) * PARTNER_TO_PLAY // 200
    return (2 * chance - 100) * (situation.points[card] + TAKEN_WITH_IT) - 100 * situation.later_worth(card)


def _chance_of_trick(situation: Situation, card: Card) -> int:
    """Per cent that the own side takes the trick after *card*."""
    view = situation.view
    if beats(view.contract, card, view.best_card):
        chance = situation.chance_to_hold(card, situation.opponents_behind)
        return chance if situation.partner_behind < 0 else chance + (100 - chance) * PARTNER_TO_PLAY // 200
    if situation.is_partner(view.best_seat):
        return situation.chance_to_hold(view.best_card, situation.opponents_behind)
    if situation.partner_behind < 0:
        return 0
    return _chance_of_partner(situation, situation.partner_behind)


def _chance_of_partner(situation: Situation, partner_seat: Seat) -> int:
    """Per cent that the partner, still to play, takes the trick from an opponent."""
    view = situation.view
    best_suit = view.best_card >> 3
    if view.void_suits[partner_seat] >> view.led_suit & 1:
        may_ruff = best_suit != view.contract and situation.may_hold_trumps(partner_seat)
        return PARTNER_MAY_RUFF if may_ruff else PARTNER_CANNOT
    if best_suit != view.led_suit or situation.unseen_stronger(view.best_card) == 0:
        return PARTNER_CANNOT
    return PARTNER_TO_PLAY


def lead_weights(situation: Situation) -> list[int]:
    """Weight of each legal card as a lead, in the order of the card numbers."""
    view = situation.view
    weigh = _lead_without_trumps if view.contract in (NO_TRUMPS, ALL_TRUMPS) else _lead_beside_trumps
    return [weigh(situation, card) + _partner_called(view, card >> 3) for card in cards_in(view.legal_mask)]


def _partner_called(view: CardView, suit: int) -> int:
    """The partner's suits are led to, the opponents' are not."""
    weight = 0
    for turn, call in enumerate(view.calls):
        if call == suit:
            caller = (view.dealer_seat + 1 + turn) % view.rules.players
            is_own = caller == view.seat
            is_partner = bool(view.rules.partners) and (caller - view.seat) % 2 == 0
            weight += 0 if is_own else 8 if is_partner else -8
    return 0 if suit == view.contract else weight


def _lead_without_trumps(situation: Situation, card: Card) -> int:
    """No trumps and all trumps: run the long suit that is good, else make the next card of one good."""
    view, points = situation.view, situation.points
    suit = card >> 3
    suit_mask = view.hand_mask & 0xFF << 8 * suit
    length = suit_mask.bit_count()
    if situation.unseen_stronger(card) == 0:
        return 60 + 4 * length + points[card] // 2
    top_blockers = min(situation.unseen_stronger(other) for other in cards_in(suit_mask))
    promotes = 10 if top_blockers == 1 and length >= 2 and has_trump_order(view.contract, suit) else 0
    return 10 + 3 * length + promotes - 2 * points[card]


def _lead_beside_trumps(situation: Situation, card: Card) -> int:
    if situation.trump_mask >> card & 1:
        return _lead_trump(situation, card)
    return _lead_plain(situation, card)


def _lead_trump(situation: Situation, card: Card) -> int:
    """The declarer's side draws trumps while opponents may hold some; the others keep theirs for ruffing."""
    view, points = situation.view, situation.points
    opponents = situation.opponents_behind
    is_declarer = view.declarer_seat == view.seat
    if not (is_declarer or situation.is_partner(view.declarer_seat)):
        return -25 - points[card]
    if not any(situation.may_hold_trumps(other) for other in opponents):
        return -15
    if situation.unseen_stronger(card) == 0:
        return (90 if is_declarer else 55) + points[card] // 10
    length = (view.hand_mask & situation.trump_mask).bit_count()
    if is_declarer:
        return (34 if length >= 3 else 5) - points[card]
    return 36 - 2 * points[card]


def _lead_plain(situation: Situation, card: Card) -> int:
    """Sure winners while they stand; else low, where the partner may ruff, not away from an ace."""
    view, points = situation.view, situation.points
    suit = card >> 3
    if situation.unseen_stronger(card) == 0:
        chance = situation.chance_to_hold(card, situation.opponents_behind)
        return 20 + (2 * chance - 100) * (points[card] + 12) // 40
    suit_mask = view.hand_mask & 0xFF << 8 * suit
    weight = 12 - 2 * points[card]
    if any(situation.unseen_stronger(other) == 0 for other in cards_in(suit_mask)):
        weight -= 6
    if suit_mask.bit_count() == 1 and view.hand_mask & situation.trump_mask and points[card] < 10:
        weight += 5
    partner = situation.partner_behind
    if partner >= 0 and view.void_suits[partner] >> suit & 1 and situation.may_hold_trumps(partner):
        weight += 22
    return weight

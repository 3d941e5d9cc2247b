"""The cards of a deal: who played what, whether he might, and who took the tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats.cards import CARD_NAMES, NO_CARD, NO_SEAT, NO_SUIT, CardMask, Seat, format_cards, format_hand
from belot_stats.checks.auction import Bidding
from belot_stats.checks.collect import Findings
from belot_stats.checks.hands import (
    Dealt,
    Trick,
    cards_left,
    check_hands,
    dealt_hands,
    holder_of,
    known_hands,
)
from belot_stats.deal import Deal
from belot_stats.rules import play
from belot_stats.rules.table import deal_size, seat_after, side_of
from belot_stats.ruleset import RuleSet

__all__ = ["CODES", "Played", "Trick", "check_play", "missing_cards", "trick_winner", "tricks_of"]

CODES = {
    play.CARD_NOT_IN_HAND: "card-not-in-hand",
    play.REVOKE: "revoke",
    play.MUST_BEAT: "must-beat",
    play.MUST_RUFF: "must-ruff",
    play.MUST_OVERRUFF: "must-overruff",
    play.MUST_UNDERTRUMP: "must-undertrump",
    play.CLOSED_LEAD: "closed-lead",
}


class Played(NamedTuple):
    """The play of a deal. ``hands``: what each seat held when play began, as far as known, all of it if is_known."""

    tricks: tuple[Trick, ...]
    hands: tuple[CardMask, ...]
    is_known: bool
    illegal_cards: int

    def seat_at(self, index: int) -> Seat:
        """Seat that played card *index* of the deal."""
        players = len(self.hands)
        return (self.tricks[index // players].leader_seat + index % players) % players


def check_play(deal: Deal, rules: RuleSet, bidding: Bidding, findings: Findings) -> Played:
    """Replay the cards of *deal*. With no contract nothing can be said of them."""
    contract = bidding.contract
    tricks = tricks_of(deal, rules, contract) if contract >= 0 else ()
    dealt = dealt_hands(deal, rules, bidding, findings)
    hands, is_known = known_hands(deal, rules, dealt, tricks)
    check_hands(deal, rules, dealt, hands, findings)
    if deal.hands is None:
        _check_played_elsewhere(rules, dealt, tricks, findings)
    illegal = _check_cards(rules, bidding, tricks, hands, deal.hands is not None, findings)
    return Played(tricks, hands, is_known, illegal)


def tricks_of(deal: Deal, rules: RuleSet, contract: int) -> tuple[Trick, ...]:
    """Tricks of *deal*, each led by the winner of the one before.

    Where the log gives a trick to another seat and only the lead of that seat fits the hands, that seat led the next
    one: the server went on by its own mistake.
    """
    players = rules.players
    leader = seat_after(rules, deal.dealer)
    tricks: list[Trick] = []
    for start in range(0, len(deal.plays), players):
        cards = deal.plays[start : start + players]
        if (
            tricks
            and deal.hands is not None
            and deal.claimed.tricks is not None
            and len(tricks) <= len(deal.claimed.tricks)
        ):
            leader = _likelier_leader(deal.hands, cards, leader, deal.claimed.tricks[len(tricks) - 1])
        winner = trick_winner(contract, leader, cards, players) if len(cards) == players else None
        tricks.append(Trick(leader, cards, winner))
        leader = winner if winner is not None else leader
    return tuple(tricks)


def trick_winner(contract: int, leader_seat: Seat, cards: Sequence[int], players: int) -> Seat:
    """Seat that takes a trick."""
    best = 0
    for position in range(1, len(cards)):
        if play.beats(contract, cards[position], cards[best]):
            best = position
    return (leader_seat + best) % players


def _likelier_leader(hands: Sequence[CardMask], cards: Sequence[int], computed: Seat, claimed: Seat) -> Seat:
    def fit(leader: Seat) -> int:
        return sum(hands[(leader + position) % len(hands)] >> card & 1 for position, card in enumerate(cards))

    return claimed if claimed != computed and fit(claimed) > fit(computed) else computed


def _check_played_elsewhere(
    rules: RuleSet, dealt: Dealt, tricks: Sequence[Trick], findings: Findings
) -> None:
    """Without hands a card is known not to be held where another seat held it before the play."""
    for number, trick in enumerate(tricks):
        for position, card in enumerate(trick.cards):
            seat, holder = (trick.leader_seat + position) % rules.players, holder_of(dealt, card)
            if holder not in (NO_SEAT, seat):
                expected = f"a card of its hand; seat {holder} was dealt {CARD_NAMES[card]}"
                index = number * rules.players + position
                _add_card(findings, "card-not-in-hand", expected, card, seat, number, index)


def _check_cards(
    rules: RuleSet,
    bidding: Bidding,
    tricks: Sequence[Trick],
    hands: Sequence[CardMask],
    are_written: bool,
    findings: Findings,
) -> int:
    """Every card against the duties of play. Returns the number of illegal ones.

    Where hands are known only in part, a card forbidden by the known part is forbidden by the whole hand too.
    """
    illegal, contract = 0, bidding.contract
    is_closed = bidding.auction is not None and bool(bidding.auction.is_closed)
    left = list(hands)
    for number, trick in enumerate(tricks):
        best_card, best_seat = NO_CARD, trick.leader_seat
        for position, card in enumerate(trick.cards):
            seat = (trick.leader_seat + position) % rules.players
            led_suit = trick.cards[0] >> 3 if position else NO_SUIT
            partner_holds = position > 0 and side_of(rules, best_seat) == side_of(rules, seat)
            context = (led_suit, best_card, partner_holds, position)
            problem = play.card_problem(rules, contract, left[seat], card, *context)
            if position == 0 and problem == play.CARD_IS_LEGAL:
                problem = _lead_problem(contract, left[seat], card, is_closed)
            if problem != play.CARD_IS_LEGAL and (are_written or problem != play.CARD_NOT_IN_HAND):
                illegal += 1
                expected = _allowed(rules, contract, left[seat], context, is_closed)
                _add_card(
                    findings, CODES[problem], expected, card, seat, number, number * rules.players + position
                )
            if position == 0 or play.beats(contract, card, best_card):
                best_card, best_seat = card, seat
            left = [mask & ~(1 << card) for mask in left]
    return illegal


def _lead_problem(contract: int, hand_mask: CardMask, card: int, is_closed: bool) -> int:
    may_lead = play.lead_mask(contract, hand_mask, is_closed) >> card & 1
    return play.CARD_IS_LEGAL if may_lead else play.CLOSED_LEAD


def _allowed(
    rules: RuleSet, contract: int, hand_mask: CardMask, context: tuple[int, int, bool, int], is_closed: bool
) -> str:
    if not hand_mask:
        return "no card: the hand is empty"
    legal_mask = play.legal_mask(rules, contract, hand_mask, *context)
    if context[0] == NO_SUIT:
        legal_mask = play.lead_mask(contract, hand_mask, is_closed)
    return "one of " + format_hand(legal_mask)


def _add_card(
    findings: Findings, code: str, expected: str, card: int, seat: Seat, trick: int, index: int
) -> None:
    findings.add(
        code,
        expected,
        CARD_NAMES[card],
        seat=seat,
        trick=trick,
        card_index=index,
        token=CARD_NAMES[card],
        field="plays",
    )


def missing_cards(deal: Deal, rules: RuleSet, hands: Sequence[CardMask]) -> str:
    """Cards not played yet, as far as known; for texts."""
    return format_cards(cards_left(deal.plays, hands)) or f"{deal_size(rules) - len(deal.plays)} cards"

"""The hands of a deal: what each seat held when play began, and whether all that the log says of it can be true.

First hands, the turned-up card, the exchange of the trump seven, hands and the cards played are taken together. Cards
that nobody holds are normal where the pack is larger than the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats.cards import (
    CARD_NAMES,
    NO_CARD,
    NO_CONTRACT,
    NO_SEAT,
    NO_TRUMPS,
    CardMask,
    Seat,
    cards_in,
    format_hand,
)
from belot_stats.checks.auction import Bidding, turned_cards
from belot_stats.checks.collect import Findings
from belot_stats.deal import Deal
from belot_stats.parameters import TO_NOBODY, TURN_UP_TWO
from belot_stats.rules import turn_up
from belot_stats.rules.table import first_hand_size, hand_size
from belot_stats.ruleset import RuleSet


class Trick(NamedTuple):
    """Cards of one trick in the order played; winner_seat NO_SEAT's place is None where it is not complete."""

    leader_seat: int
    cards: tuple[int, ...]
    winner_seat: int | None


class Dealt(NamedTuple):
    """What is known of the hands before a card is played.

    held: cards that each seat must hold, a mask a seat.  turned: of these, the turned-up card a seat got.
    table_mask: turned-up cards that are in nobody's hand.  gone_mask: a seven exchanged for the turn-up.
    exchanger_seat: who exchanged it, where the rules let him; else NO_SEAT.
    """

    held: tuple[CardMask, ...]
    turned: tuple[CardMask, ...]
    table_mask: CardMask
    gone_mask: CardMask
    exchanger_seat: int


def dealt_hands(deal: Deal, rules: RuleSet, bidding: Bidding, findings: Findings) -> Dealt:
    """What *deal* says of the hands beside ``hands`` and the cards played; checks the exchange."""
    first_hands = deal.first_hands or (0,) * rules.players
    turned = [0] * rules.players
    table_mask, receiver_seat = _placed(deal, rules, bidding, turned)
    if deal.exchange is None:
        held = tuple(first | card for first, card in zip(first_hands, turned, strict=True))
        return Dealt(held, tuple(turned), table_mask, 0, NO_SEAT)
    problem = _exchange_problem(deal, rules, bidding)
    if problem:
        expected, found = problem
        findings.add("hand-mismatch", expected, found, seat=deal.exchange, field="exchange")
    turn_up_card = turned_cards(deal, rules)[0]
    if problem or turn_up_card == NO_CARD or receiver_seat != NO_SEAT:
        return Dealt(first_hands, (0,) * rules.players, 0, 0, NO_SEAT)
    turned[deal.exchange] = 1 << turn_up_card
    gone_mask = 1 << turn_up.exchange_seven(turn_up_card)
    held = tuple(
        (first | card) & ~(gone_mask if seat == deal.exchange else 0)
        for seat, (first, card) in enumerate(zip(first_hands, turned, strict=True))
    )
    return Dealt(held, tuple(turned), table_mask & ~(1 << turn_up_card), gone_mask, deal.exchange)


def _placed(
    deal: Deal, rules: RuleSet, bidding: Bidding, turned: list[CardMask]
) -> tuple[CardMask, Seat | None]:
    """Put the turned-up card into its receiver's place of *turned*: cards left on the table, and who received it."""
    cards = [card for card in turned_cards(deal, rules) if card != NO_CARD]
    receiver_seat = _receiver(rules, bidding)
    if receiver_seat is None:
        return 0, None
    if receiver_seat != NO_SEAT and cards:
        turned[receiver_seat] = 1 << cards.pop(0)
    return sum(1 << card for card in set(cards)), receiver_seat


def _receiver(rules: RuleSet, bidding: Bidding) -> Seat | None:
    """Seat that takes the turned-up card into its hand, NO_SEAT where nobody does, None where it is not known."""
    if rules.turn_up_to == TO_NOBODY:
        return NO_SEAT
    if bidding.contract == NO_CONTRACT:
        return None
    is_either = rules.turn_up == TURN_UP_TWO  # which of two cards is taken in round 2, no source says
    if bidding.auction is not None:
        is_known = not is_either or bidding.auction.round == 1
        return turn_up.turn_up_receiver(rules, bidding.auction) if is_known else None
    is_ashkal_possible = bool(rules.ashkal) and bidding.contract == NO_TRUMPS
    return None if is_ashkal_possible or is_either else bidding.declarer_seat


def _exchange_problem(deal: Deal, rules: RuleSet, bidding: Bidding) -> tuple[str, str] | None:
    """What is expected and found where the exchange cannot have taken place; None where it can."""
    found = f"an exchange by seat {deal.exchange}"
    if not rules.seven_exchange:
        return "no exchange: these rules have none", found
    card = turned_cards(deal, rules)[0]
    if card == NO_CARD or deal.exchange is None:
        return None
    if bidding.is_passed or bidding.is_all_pass or bidding.contract not in (NO_CONTRACT, card >> 3):
        return f"no exchange: {CARD_NAMES[card]} was turned up and another contract ordered", found
    seven = turn_up.exchange_seven(card)
    if seven == card:
        return f"no exchange: {CARD_NAMES[card]} itself was turned up", found
    for seat, first_mask in enumerate(deal.first_hands or ()):
        if first_mask >> seven & 1 and seat != deal.exchange:
            return f"an exchange by seat {seat}, which was dealt {CARD_NAMES[seven]}", found
    return None


def known_hands(
    deal: Deal, rules: RuleSet, dealt: Dealt, tricks: Sequence[Trick]
) -> tuple[tuple[CardMask, ...], bool]:
    """Hands when play began, and whether they are all known: as written, or from what was dealt and played."""
    if deal.hands is not None:
        return deal.hands, True
    hands = list(dealt.held)
    for trick in tricks:
        for position, card in enumerate(trick.cards):
            hands = [mask & ~(1 << card) for mask in hands]
            hands[(trick.leader_seat + position) % rules.players] |= 1 << card
    size = hand_size(rules)
    return tuple(hands), all(mask.bit_count() == size for mask in hands)


def check_hands(
    deal: Deal, rules: RuleSet, dealt: Dealt, hands: Sequence[CardMask], findings: Findings
) -> None:
    """First hands, turned-up card, hands and played cards must be able to be true together."""
    where = "hands" if deal.hands is not None else "plays"
    for seat, hand_mask in enumerate(hands):
        lost_mask = dealt.held[seat] & ~dealt.turned[seat] & ~hand_mask
        if lost_mask and (deal.first_hands or ())[seat].bit_count() <= first_hand_size(rules):
            _add_lost(
                findings, seat, f"first hand of seat {seat} among its {where}", lost_mask, "first_hands"
            )
        lost_mask = dealt.turned[seat] & ~hand_mask
        if lost_mask:
            field = "exchange" if seat == dealt.exchanger_seat else "turn_up"
            _add_lost(
                findings, seat, f"the turned-up card among the {where} of seat {seat}", lost_mask, field
            )
        _check_nobodys(dealt, seat, hand_mask, findings)
        if deal.hands is None and hand_mask.bit_count() > hand_size(rules):
            expected = f"{hand_size(rules)} cards of seat {seat}"
            found = f"{hand_mask.bit_count()} with those played: {format_hand(hand_mask)}"
            findings.add("hand-mismatch", expected, found, seat=seat, field="plays")


def _add_lost(findings: Findings, seat: Seat, expected: str, lost_mask: CardMask, field: str) -> None:
    found = f"{format_hand(lost_mask)} not there"
    findings.add("hand-mismatch", expected, found, seat=seat, field=field)


def _check_nobodys(dealt: Dealt, seat: Seat, hand_mask: CardMask, findings: Findings) -> None:
    """A turned-up card that nobody takes, and a seven that was exchanged, are in no hand."""
    for mask, field in ((dealt.table_mask, "turn_up"), (dealt.gone_mask, "exchange")):
        if hand_mask & mask:
            expected = f"{format_hand(mask)} in nobody's hand"
            found = f"{format_hand(hand_mask & mask)} held by seat {seat}"
            findings.add("hand-mismatch", expected, found, seat=seat, field=field)


def holder_of(dealt: Dealt, card: int) -> Seat:
    """Seat known to have held *card* before the play; NO_SEAT where none is."""
    for seat, mask in enumerate(dealt.held):
        if mask >> card & 1:
            return seat
    return NO_SEAT


def cards_left(played: Sequence[int], hands: Sequence[CardMask]) -> list[int]:
    """Cards of *hands* that were not *played*, sorted."""
    rest_mask = 0
    for mask in hands:
        rest_mask |= mask
    for card in played:
        rest_mask &= ~(1 << card)
    return list(cards_in(rest_mask))

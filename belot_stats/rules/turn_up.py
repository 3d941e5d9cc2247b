"""The turned-up card: who gets it, what it is when all passed, and who may exchange the seven for it.

Source: RULES.md 1a, 1b, 1d; A109 for the exchange. Parameters that differ: turn_up_to, all_pass, seven_exchange.
"""

from __future__ import annotations

from belot_stats.cards import NO_CARD, NO_CONTRACT, NO_SEAT, SEVEN, Card, CardMask, Contract, Seat
from belot_stats.parameters import ALL_PASS_PLAY, TO_NOBODY, TO_TAKER_OR_DEALER
from belot_stats.rules.bidding import Auction
from belot_stats.ruleset import RuleSet

PARTNER_DISTANCE = 2


def is_played_though_all_passed(rules: RuleSet, auction: Auction) -> bool:
    """Whether all passed and the deal is played nevertheless."""
    return bool(auction.is_over) and auction.contract == NO_CONTRACT and rules.all_pass == ALL_PASS_PLAY


def turn_up_receiver(rules: RuleSet, auction: Auction) -> Seat:
    """Seat that takes the turned-up card into its hand; NO_SEAT where it stays on the table."""
    if rules.turn_up_to == TO_NOBODY:
        return NO_SEAT
    if auction.contract == NO_CONTRACT:
        to_dealer = rules.turn_up_to == TO_TAKER_OR_DEALER and is_played_though_all_passed(rules, auction)
        return auction.dealer_seat if to_dealer else NO_SEAT
    if auction.is_ashkal:
        return (auction.declarer_seat + PARTNER_DISTANCE) % rules.players
    return auction.declarer_seat


def all_pass_contract(rules: RuleSet, auction: Auction) -> Contract:
    """Turned-up suit, where all passed and the deal is played in it; else, or where it is unknown, NO_CONTRACT."""
    return auction.first_suit if is_played_though_all_passed(rules, auction) else NO_CONTRACT


def exchange_seven(turn_up_card: Card) -> Card:
    """Card that is given for the turn-up: the seven of its suit."""
    return (turn_up_card & 24) + SEVEN


def may_exchange(rules: RuleSet, ordered: Contract, hand_mask: CardMask, turn_up_card: Card) -> bool:
    """Whether who holds *hand_mask* may exchange the seven for *turn_up_card*, before his own first card.

    ordered: the contract that was ordered, NO_CONTRACT where all passed: only the first trump counts.
    """
    if not rules.seven_exchange or turn_up_card == NO_CARD or ordered != turn_up_card >> 3:
        return False
    return bool(hand_mask >> exchange_seven(turn_up_card) & 1)


def after_exchange(hand_mask: CardMask, turn_up_card: Card) -> CardMask:
    """Hand after the exchange."""
    return hand_mask & ~(1 << exchange_seven(turn_up_card)) | 1 << turn_up_card

"""The cards of a deal: who played what, whether he might, and who took the tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats.cards import (
    CARD_NAMES,
    NO_CARD,
    NO_SUIT,
    CardMask,
    Seat,
    cards_in,
    format_cards,
    format_hand,
)
from belot_stats.checks.collect import Findings
from belot_stats.deal import Deal
from belot_stats.rules import play
from belot_stats.rules.table import deal_size, first_hand_size, hand_size, seat_after, side_of
from belot_stats.ruleset import RuleSet

CODES = {
    play.CARD_NOT_IN_HAND: "card-not-in-hand",
    play.REVOKE: "revoke",
    play.MUST_BEAT: "must-beat",
    play.MUST_RUFF: "must-ruff",
    play.MUST_OVERRUFF: "must-overruff",
    play.MUST_UNDERTRUMP: "must-undertrump",
}


class Trick(NamedTuple):
    """Cards of one trick in the order played; winner_seat NO_SEAT's place is None where it is not complete."""

    leader_seat: int
    cards: tuple[int, ...]
    winner_seat: int | None


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


def check_play(deal: Deal, rules: RuleSet, contract: int, findings: Findings) -> Played:
    """Replay the cards of *deal*. With no contract nothing can be said of them."""
    tricks = tricks_of(deal, rules, contract) if contract >= 0 else ()
    hands, is_known = known_hands(deal, rules, tricks)
    check_hands(deal, rules, tricks, hands, findings)
    illegal = _check_cards(rules, contract, tricks, hands, deal.hands is not None, findings)
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


def known_hands(deal: Deal, rules: RuleSet, tricks: Sequence[Trick]) -> tuple[tuple[CardMask, ...], bool]:
    """Hands when play began, and whether they are all known: as written, or from the cards played."""
    if deal.hands is not None:
        return deal.hands, True
    hands = list(deal.first_hands or (0,) * rules.players)
    for trick in tricks:
        for position, card in enumerate(trick.cards):
            hands = [mask & ~(1 << card) for mask in hands]
            hands[(trick.leader_seat + position) % rules.players] |= 1 << card
    size = hand_size(rules)
    return tuple(hands), all(mask.bit_count() == size for mask in hands)


def check_hands(
    deal: Deal, rules: RuleSet, tricks: Sequence[Trick], hands: Sequence[CardMask], findings: Findings
) -> None:
    """First hands, hands and played cards must be able to be true together."""
    for seat, first_mask in enumerate(deal.first_hands or ()):
        lost_mask = first_mask & ~hands[seat]
        if lost_mask and first_mask.bit_count() <= first_hand_size(rules):
            where = "hands" if deal.hands is not None else "plays"
            findings.add(
                "hand-mismatch",
                f"first hand of seat {seat} among its {where}",
                f"{format_hand(lost_mask)} not there",
                seat=seat,
                field="first_hands",
            )
    if deal.hands is None:
        _check_played_elsewhere(deal, tricks, findings)


def _check_played_elsewhere(deal: Deal, tricks: Sequence[Trick], findings: Findings) -> None:
    """Without hands a card is known not to be held where another seat held it during the auction."""
    for number, trick in enumerate(tricks):
        for position, card in enumerate(trick.cards):
            for holder, first_mask in enumerate(deal.first_hands or ()):
                seat = (trick.leader_seat + position) % len(deal.first_hands or ())
                if first_mask >> card & 1 and holder != seat:
                    _add_card(
                        findings,
                        "card-not-in-hand",
                        f"a card of its hand; seat {holder} was dealt {CARD_NAMES[card]}",
                        card,
                        seat,
                        number,
                        number * len(deal.first_hands or ()) + position,
                    )


def _check_cards(
    rules: RuleSet,
    contract: int,
    tricks: Sequence[Trick],
    hands: Sequence[CardMask],
    are_written: bool,
    findings: Findings,
) -> int:
    """Every card against the duties of play. Returns the number of illegal ones.

    Where hands are known only in part, a card forbidden by the known part is forbidden by the whole hand too.
    """
    illegal = 0
    left = list(hands)
    for number, trick in enumerate(tricks):
        best_card, best_seat = NO_CARD, trick.leader_seat
        for position, card in enumerate(trick.cards):
            seat = (trick.leader_seat + position) % rules.players
            led_suit = trick.cards[0] >> 3 if position else NO_SUIT
            partner_holds = position > 0 and side_of(rules, best_seat) == side_of(rules, seat)
            context = (led_suit, best_card, partner_holds, position)
            problem = play.card_problem(rules, contract, left[seat], card, *context)
            if problem != play.CARD_IS_LEGAL and (are_written or problem != play.CARD_NOT_IN_HAND):
                illegal += 1
                expected = _allowed(rules, contract, left[seat], context)
                _add_card(
                    findings, CODES[problem], expected, card, seat, number, number * rules.players + position
                )
            if position == 0 or play.beats(contract, card, best_card):
                best_card, best_seat = card, seat
            left = [mask & ~(1 << card) for mask in left]
    return illegal


def _allowed(rules: RuleSet, contract: int, hand_mask: CardMask, context: tuple[int, int, bool, int]) -> str:
    if not hand_mask:
        return "no card: the hand is empty"
    return "one of " + format_hand(play.legal_mask(rules, contract, hand_mask, *context))


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
    played = set(deal.plays)
    rest = [card for mask in hands for card in cards_in(mask) if card not in played]
    return format_cards(sorted(rest)) or f"{deal_size(rules) - len(deal.plays)} cards"

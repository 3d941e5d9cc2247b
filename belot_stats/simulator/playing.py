"""One deal at the table: the auction and the play, each seat asked in its turn.

What comes out is what happened; :mod:`belot_stats.simulator.settling` says what it is worth.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, NoReturn

from belot_stats import parameters as p
from belot_stats.cards import (
    ALL_TRUMPS,
    CALL_NAMES,
    KING,
    NO_CARD,
    NO_CONTRACT,
    NO_SUIT,
    NO_TRUMPS,
    QUEEN,
    CallCode,
    Card,
    CardMask,
    Contract,
    Seat,
    cards_in,
    format_hand,
)
from belot_stats.deal import Belote, Declaration
from belot_stats.errors import UsageError
from belot_stats.rules.bidding import Auction, after_call, legal_call_mask, level_of, start_auction
from belot_stats.rules.declarations import best_combinations, declarations_count
from belot_stats.rules.play import beats, legal_mask
from belot_stats.rules.table import hand_size, pack_mask, seat_after
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.dealing import Dealt
from belot_stats.simulator.policies import CallView, CardView, Policy, SeatPolicies
from belot_stats.simulator.streams import Stream

Totals = tuple[int, int, int]


class Standing(NamedTuple):
    """The match before a deal: game points a side, and those that hang."""

    totals: Totals
    hanging: int


class Played(NamedTuple):
    """What happened in a deal. Without a contract nothing was played and everything after it is empty."""

    calls: tuple[CallCode, ...]
    contract: int  # NO_CONTRACT where all passed
    level: int
    declarer_seat: int
    plays: tuple[Card, ...]
    winners: tuple[Seat, ...]
    declarations: tuple[Declaration, ...]
    belotes: tuple[Belote, ...]


class Party:
    """The rules, and a policy a seat; the calls that are legal in each situation are worked out once."""

    __slots__ = ("_legal_calls", "policies", "rules")

    def __init__(self, rules: RuleSet, policies: SeatPolicies) -> None:
        self.rules, self.policies = rules, policies
        self._legal_calls: dict[tuple[int, int, int], int] = {}

    def legal_calls(self, auction: Auction) -> int:
        """Calls that are legal in *auction*, one bit a code: they depend on the last bid, its doubles, and its side."""
        key = (
            auction.contract,
            auction.doubles,
            (auction.turn_seat - auction.declarer_seat) % self.rules.players,
        )
        if key not in self._legal_calls:
            self._legal_calls[key] = legal_call_mask(self.rules, auction)
        return self._legal_calls[key]


def play_deal(
    party: Party, streams: tuple[Stream, ...], dealt: Dealt, dealer_seat: Seat, standing: Standing
) -> Played:
    """Auction and play of the cards in *dealt*.

    streams: one a seat.  Raises: UsageError for a policy that fails or answers what is not allowed.
    """
    rules = party.rules
    calls, auction = _hold_auction(party, streams, dealt.first_hands, dealer_seat, standing)
    level = level_of(rules, auction.doubles)
    if auction.contract == NO_CONTRACT:
        return Played(calls, NO_CONTRACT, level, auction.declarer_seat, (), (), (), ())
    table = CardTable(rules, calls, auction, dealt.hands, dealer_seat, standing)
    for _ in range(hand_size(rules)):
        table.play_trick(party.policies, streams)
    declarations = announce(rules, auction.contract, dealt.hands, seat_after(rules, dealer_seat))
    return Played(
        calls,
        auction.contract,
        level,
        auction.declarer_seat,
        tuple(table.plays),
        tuple(table.winners),
        declarations,
        tuple(table.belotes),
    )


def _hold_auction(
    party: Party,
    streams: tuple[Stream, ...],
    hands: tuple[CardMask, ...],
    dealer_seat: Seat,
    standing: Standing,
) -> tuple[tuple[CallCode, ...], Auction]:
    rules = party.rules
    auction = start_auction(rules, dealer_seat)
    calls: tuple[CallCode, ...] = ()
    while not auction.is_over:
        seat = auction.turn_seat
        legal_calls = party.legal_calls(auction)
        view = CallView(rules, seat, dealer_seat, hands[seat], calls, auction, legal_calls, *standing)
        call = _ask_call(party.policies[seat], view, streams[seat])
        calls = (*calls, call)
        auction = after_call(rules, auction, call)
    return calls, auction


def _ask_call(policy: Policy, view: CallView, stream: Stream) -> CallCode:
    try:
        call = _number(policy.choose_call(view, stream))
    except Exception as problem:
        raise _failure(policy, "choose_call", view.seat, problem) from problem
    if call < 0 or not view.legal_calls >> call & 1:
        allowed = " ".join(CALL_NAMES[legal] for legal in cards_in(view.legal_calls))
        _refuse(policy, "choose_call", view.seat, call, f"the code of one of {allowed}")
    return call


def _ask_card(policy: Policy, view: CardView, stream: Stream) -> Card:
    try:
        card = _number(policy.choose_card(view, stream))
    except Exception as problem:
        raise _failure(policy, "choose_card", view.seat, problem) from problem
    if card < 0 or not view.legal_mask >> card & 1:
        _refuse(
            policy, "choose_card", view.seat, card, f"the number of one of {format_hand(view.legal_mask)}"
        )
    return card


def _number(answer: Any) -> int:
    """The whole number that a policy answered, whatever its type.  Raises: TypeError."""
    return answer if type(answer) is int else operator.index(answer)


def _failure(policy: Policy, function: str, seat: Seat, problem: Exception) -> UsageError:
    return UsageError(
        f"policy {policy.name!r}: {function} failed for seat {seat}: {type(problem).__name__}: {problem}"
    )


def _refuse(policy: Policy, function: str, seat: Seat, found: object, expected: str) -> NoReturn:
    raise UsageError(
        f"policy {policy.name!r}: {function} answered {found!r} for seat {seat}, expected {expected}"
    )


class CardTable:
    """The table while cards are played."""

    __slots__ = (
        "belotes",
        "calls",
        "contract",
        "dealer_seat",
        "declarer_seat",
        "hands",
        "leader_seat",
        "level",
        "pack",
        "played_mask",
        "plays",
        "rules",
        "standing",
        "void_suits",
        "winners",
    )

    def __init__(
        self,
        rules: RuleSet,
        calls: tuple[CallCode, ...],
        auction: Auction,
        hands: tuple[CardMask, ...],
        dealer_seat: Seat,
        standing: Standing,
    ) -> None:
        self.rules, self.calls, self.standing = rules, calls, standing
        self.contract, self.declarer_seat = auction.contract, auction.declarer_seat
        self.level = level_of(rules, auction.doubles)
        self.dealer_seat, self.leader_seat = dealer_seat, seat_after(rules, dealer_seat)
        self.hands = list(hands)
        self.plays: list[Card] = []
        self.winners: list[Seat] = []
        self.belotes: list[Belote] = []
        self.played_mask, self.pack = 0, pack_mask(rules)
        self.void_suits = [0] * rules.players

    def play_trick(self, policies: SeatPolicies, streams: tuple[Stream, ...]) -> None:
        """One trick: its leader first, its winner leads the next."""
        rules, contract, players = self.rules, self.contract, self.rules.players
        trick: list[Card] = []
        led_suit, best_card, best_seat = NO_SUIT, NO_CARD, self.leader_seat
        for position in range(players):
            seat = (self.leader_seat + position) % players
            partner_holds = position > 0 and bool(rules.partners) and (seat - best_seat) % 2 == 0
            legal = legal_mask(
                rules, contract, self.hands[seat], led_suit, best_card, partner_holds, position
            )
            if legal & legal - 1:
                view = self._view(seat, legal, tuple(trick), led_suit, best_card, best_seat)
                card = _ask_card(policies[seat], view, streams[seat])
            else:
                card = legal.bit_length() - 1
            self._put(seat, card, led_suit)
            trick.append(card)
            if position == 0:
                led_suit = card >> 3
            if position == 0 or beats(contract, card, best_card):
                best_card, best_seat = card, seat
        self.winners.append(best_seat)
        self.leader_seat = best_seat

    def _view(
        self,
        seat: Seat,
        legal: CardMask,
        trick: tuple[Card, ...],
        led_suit: int,
        best_card: int,
        best_seat: Seat,
    ) -> CardView:
        hand_mask = self.hands[seat]
        unseen_mask = self.pack & ~(self.played_mask | hand_mask)
        return CardView(
            self.rules,
            seat,
            self.dealer_seat,
            hand_mask,
            legal,
            self.calls,
            self.contract,
            self.level,
            self.declarer_seat,
            tuple(self.plays),
            trick,
            self.leader_seat,
            led_suit,
            best_card,
            best_seat,
            unseen_mask,
            tuple(self.void_suits),
            *self.standing,
        )

    def _put(self, seat: Seat, card: Card, led_suit: int) -> None:
        """*card* leaves the hand, with belote where it is the first of king and queen of trumps."""
        suit = card >> 3
        if card & 7 in (QUEEN, KING) and belote_is_due(
            self.rules, self.contract, self.hands[seat], card, led_suit
        ):
            self.belotes.append(Belote(seat=seat, suit=suit, at=len(self.plays)))
        if led_suit not in (NO_SUIT, suit):
            self.void_suits[seat] |= 1 << led_suit
        self.hands[seat] &= ~(1 << card)
        self.played_mask |= 1 << card
        self.plays.append(card)


def belote_is_due(rules: RuleSet, contract: Contract, hand_mask: CardMask, card: Card, led_suit: int) -> bool:
    """Whether belote is announced with *card*, a king or queen: the other of the two is still in the hand, and the
    card is led, follows suit or ruffs, where the rules ask for that.
    """
    suit = card >> 3
    if contract == NO_TRUMPS or contract not in (suit, ALL_TRUMPS) or rules.belote_points == 0:
        return False
    if not hand_mask >> (card ^ QUEEN ^ KING) & 1:
        return False
    is_discard = contract == ALL_TRUMPS and led_suit not in (NO_SUIT, suit)
    return not (is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF)


def announce(
    rules: RuleSet, contract: Contract, hands: tuple[CardMask, ...], first_leader: Seat
) -> tuple[Declaration, ...]:
    """What the seats announce, each with its first card: the best its hand has."""
    if not declarations_count(rules, contract):
        return ()
    seats = [(first_leader + position) % rules.players for position in range(rules.players)]
    return tuple(
        Declaration(seat=seat, cards=cards_mask, at=at)
        for at, seat in enumerate(seats)
        for cards_mask in best_combinations(rules, contract, hands[seat])
    )

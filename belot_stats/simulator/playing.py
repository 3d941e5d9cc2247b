"""One deal at the table: the auction and the play, each seat asked in its turn.

What comes out is what happened; :mod:`belot_stats.simulator.settling` says what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import (
    KING,
    NO_CARD,
    NO_CONTRACT,
    NO_SEAT,
    NO_SUIT,
    QUEEN,
    CallCode,
    Card,
    CardMask,
    Contract,
    Seat,
    mask_of,
)
from belot_stats.deal import Belote, Declaration
from belot_stats.rules.bidding import level_of
from belot_stats.rules.declarations import declarations_count
from belot_stats.rules.play import beats, lead_mask, legal_mask
from belot_stats.rules.table import hand_size, pack_mask, seat_after, side_of
from belot_stats.rules.turn_up import (
    after_exchange,
    all_pass_contract,
    exchange_seven,
    may_exchange,
    turn_up_receiver,
)
from belot_stats.simulator.announcing import announce, announce_hand, belote_is_due
from belot_stats.simulator.auctioning import START, Called, Party, Standing, hold_auction
from belot_stats.simulator.counting import Tally, count_points
from belot_stats.simulator.dealing import Dealt, hands_to_play
from belot_stats.simulator.decisions import ask_card, ask_exchange
from belot_stats.simulator.policies import CardView, SeatPolicies
from belot_stats.simulator.streams import Stream

__all__ = ["START", "CardTable", "Party", "Played", "Standing", "play_deal"]


class Played(NamedTuple):
    """What happened in a deal. Where all passed and nothing was played, everything after declarer_seat is empty."""

    calls: tuple[CallCode, ...]
    contract: int  # NO_CONTRACT where all passed and nothing was played
    level: int
    declarer_seat: int  # NO_SEAT where all passed
    plays: tuple[Card, ...] = ()
    winners: tuple[Seat, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    belotes: tuple[Belote, ...] = ()
    hands: tuple[CardMask, ...] = ()  # when play begins, after an exchange
    turn_up: tuple[Card, ...] = ()
    exchange_seat: int = NO_SEAT
    out_seat: int = NO_SEAT  # who ended the deal, and the match, by declaring out


def play_deal(
    party: Party, streams: tuple[Stream, ...], dealt: Dealt, dealer_seat: Seat, standing: Standing
) -> Played:
    """Auction and play of the cards in *dealt*.

    streams: one a seat.  Raises: UsageError for a policy that fails or answers what is not allowed.
    """
    rules = party.rules
    called = hold_auction(party, streams, dealt, dealer_seat, standing)
    calls, auction, dealt = called
    level = level_of(rules, auction.doubles)
    contract = auction.contract
    if contract == NO_CONTRACT:
        contract = all_pass_contract(rules, auction)
    if contract == NO_CONTRACT:
        return Played(calls, NO_CONTRACT, level, auction.declarer_seat, turn_up=dealt.turn_up)
    table = CardTable(party, called, contract, dealer_seat, standing)
    table.play(party.policies, streams)
    return Played(
        calls,
        contract,
        level,
        auction.declarer_seat,
        tuple(table.plays),
        tuple(table.winners),
        tuple(table.declarations),
        tuple(table.belotes),
        tuple(table.first_hands),
        dealt.turn_up,
        table.exchange_seat,
        table.out_seat,
    )


class CardTable:
    """The table while cards are played."""

    __slots__ = (
        "announced",
        "belotes",
        "called",
        "contract",
        "dealer_seat",
        "declarations",
        "exchange_seat",
        "first_hands",
        "first_leader",
        "hands",
        "hanging",
        "hidden",
        "is_closed",
        "leader_seat",
        "level",
        "out_seat",
        "party",
        "played_mask",
        "plays",
        "rules",
        "standing",
        "turn_up_seat",
        "void_suits",
        "winners",
    )

    def __init__(
        self, party: Party, called: Called, contract: Contract, dealer_seat: Seat, standing: Standing
    ) -> None:
        rules = party.rules
        self.party, self.rules, self.called, self.standing = party, rules, called, standing
        self.contract, self.hanging = contract, sum(standing.hung)
        self.level, self.is_closed = level_of(rules, called.auction.doubles), bool(called.auction.is_closed)
        self.dealer_seat = dealer_seat
        self.first_leader = self.leader_seat = seat_after(rules, dealer_seat)
        self.turn_up_seat = turn_up_receiver(rules, called.auction)
        self.hands = list(hands_to_play(rules, called.dealt, dealer_seat, self.turn_up_seat))
        self.first_hands = list(self.hands)
        self.exchange_seat = self.out_seat = NO_SEAT
        self.plays: list[Card] = []
        self.winners: list[Seat] = []
        self.declarations: list[Declaration] = []
        self.announced = 0  # a bit a seat that has been on lead, where declarations are announced on lead
        self.belotes: list[Belote] = []
        self.played_mask = 0
        self.hidden = pack_mask(rules)  # cards that do not lie open out of play
        if self.turn_up_seat == NO_SEAT:
            self.hidden &= ~mask_of(called.dealt.turn_up)
        self.void_suits = [0] * rules.players

    def play(self, policies: SeatPolicies, streams: tuple[Stream, ...]) -> None:
        """Every trick, or those up to the one after which a player declares out."""
        rules, tricks = self.rules, hand_size(self.rules)
        may_end = rules.declare_out and self.party.is_match and self.called.auction.contract != NO_CONTRACT
        for number in range(1, tricks + 1):
            self.play_trick(policies, streams)
            if number == 1 and rules.declare_when != p.ANNOUNCE_ON_LEAD:
                self.declarations += announce(rules, self.contract, self.first_hands, self.first_leader)
            if may_end and number < tricks and self._reaches_target():
                self.out_seat = self.leader_seat
                return

    def play_trick(self, policies: SeatPolicies, streams: tuple[Stream, ...]) -> None:
        """One trick: its leader first, its winner leads the next."""
        rules, contract, players = self.rules, self.contract, self.rules.players
        trick: list[Card] = []
        led_suit, best_card, best_seat = NO_SUIT, NO_CARD, self.leader_seat
        exchanges = bool(rules.seven_exchange) and not self.plays
        for position in range(players):
            seat = (self.leader_seat + position) % players
            if exchanges:
                self._offer_exchange(policies, streams, seat, tuple(trick), led_suit, best_card, best_seat)
            if position == 0 and rules.declare_when == p.ANNOUNCE_ON_LEAD:
                self._announce_on_lead()
            legal = self._legal(seat, led_suit, best_card, best_seat, position)
            if legal & legal - 1:
                view = self._view(seat, legal, tuple(trick), led_suit, best_card, best_seat)
                card = ask_card(policies[seat], view, streams[seat])
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

    def _legal(self, seat: Seat, led_suit: int, best_card: int, best_seat: Seat, position: int) -> CardMask:
        if position == 0:
            return lead_mask(self.contract, self.hands[seat], self.is_closed)
        partner_holds = bool(self.rules.partners) and (seat - best_seat) % 2 == 0
        return legal_mask(
            self.rules, self.contract, self.hands[seat], led_suit, best_card, partner_holds, position
        )

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
        return CardView(
            self.rules,
            seat,
            self.dealer_seat,
            hand_mask,
            legal,
            self.called.calls,
            self.contract,
            self.level,
            self.called.auction.declarer_seat,
            tuple(self.plays),
            trick,
            self.leader_seat,
            led_suit,
            best_card,
            best_seat,
            self.hidden & ~(self.played_mask | hand_mask),
            tuple(self.void_suits),
            self.standing.totals,
            self.hanging,
            self.called.dealt.turn_up,
            self.turn_up_seat,
            self.is_closed,
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

    def _offer_exchange(
        self,
        policies: SeatPolicies,
        streams: Sequence[Stream],
        seat: Seat,
        trick: tuple[Card, ...],
        led_suit: int,
        best_card: int,
        best_seat: Seat,
    ) -> None:
        """The seat that holds the seven of trumps may have the turned-up card for it, before its first card."""
        turn_up = self.called.dealt.turn_up
        if not turn_up or not may_exchange(
            self.rules, self.called.auction.contract, self.hands[seat], turn_up[0]
        ):
            return
        legal = self._legal(seat, led_suit, best_card, best_seat, len(trick))
        view = self._view(seat, legal, trick, led_suit, best_card, best_seat)
        if ask_exchange(policies[seat], view, streams[seat]):
            self.hands[seat] = self.first_hands[seat] = after_exchange(self.hands[seat], turn_up[0])
            self.hidden = self.hidden & ~(1 << exchange_seven(turn_up[0])) | 1 << turn_up[0]
            self.exchange_seat = self.turn_up_seat = seat

    def _announce_on_lead(self) -> None:
        """Who is on lead for the first time announces what he holds."""
        seat = self.leader_seat
        if self.announced >> seat & 1 or not declarations_count(self.rules, self.contract):
            return
        self.announced |= 1 << seat
        self.declarations += announce_hand(self.rules, self.contract, self.hands[seat], seat, len(self.plays))

    def _reaches_target(self) -> bool:
        """Whether the seat that won the last trick can declare out: its match total, the points in its tricks, its
        counted declarations and its belotes reach the target.
        """
        rules = self.rules
        tally = Tally(
            self.contract, self.first_leader, self.plays, self.winners, self.declarations, self.belotes
        )
        side = side_of(rules, self.leader_seat)
        return self.standing.totals[side] + count_points(rules, tally)[0].total[side] >= rules.target

"""The auction at the table: each seat asked in its turn, a second card turned up where the rules turn one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import (
    DOUBLE,
    DOUBLE_CLOSED,
    NO_CARD,
    NO_TRUMPS,
    PASS,
    CallCode,
    Seat,
)
from belot_stats.rules.bidding import (
    Auction,
    after_call,
    has_turn_up_bidding,
    legal_call_mask,
    start_auction,
)
from belot_stats.rules.table import side_of
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.dealing import Dealt, turn_another
from belot_stats.simulator.decisions import ask_call
from belot_stats.simulator.policies import CallView, SeatPolicies
from belot_stats.simulator.streams import Stream

Totals = tuple[int, int, int]
CONTRAS = 1 << DOUBLE | 1 << DOUBLE_CLOSED


class Standing(NamedTuple):
    """The match before a deal: points a side, and those that hang, of one deal each, the oldest first."""

    totals: Totals
    hung: tuple[int, ...]


START = Standing((0, 0, 0), ())


class Party:
    """The rules, and a policy a seat; the calls that are legal in each situation are worked out once.

    is_match: deals stand in matches, so that a player may end one by declaring out where the rules let him.
    """

    __slots__ = ("_every_turn_differs", "_legal_calls", "is_match", "policies", "rules")

    def __init__(self, rules: RuleSet, policies: SeatPolicies, is_match: bool = True) -> None:
        self.rules, self.policies, self.is_match = rules, policies, is_match
        self._every_turn_differs = has_turn_up_bidding(rules) or bool(rules.forced_dealer)
        self._legal_calls: dict[Hashable, int] = {}

    def legal_calls(self, auction: Auction) -> int:
        """Calls that are legal in *auction*, one bit a code; in an auction of higher bids they depend on the last bid,
        its doubles, and its side.
        """
        key: Hashable = auction
        if not self._every_turn_differs:
            distance = (auction.turn_seat - auction.declarer_seat) % self.rules.players
            key = (auction.contract, auction.doubles, distance)
        if key not in self._legal_calls:
            self._legal_calls[key] = legal_call_mask(self.rules, auction)
        return self._legal_calls[key]


class Called(NamedTuple):
    """An auction that was held: its calls, where it ended, and the cards with all that was turned up."""

    calls: tuple[CallCode, ...]
    auction: Auction
    dealt: Dealt


def hold_auction(
    party: Party, streams: tuple[Stream, ...], dealt: Dealt, dealer_seat: Seat, standing: Standing
) -> Called:
    """Ask the seats for calls until the auction is over.  Raises: UsageError as the policies do."""
    rules, hanging = party.rules, sum(standing.hung)
    auction = start_auction(rules, dealer_seat, dealt.turn_up[0] if dealt.turn_up else NO_CARD)
    calls: tuple[CallCode, ...] = ()
    while not auction.is_over:
        if _turns_another(rules, auction, dealt):
            dealt = turn_another(dealt)
            if len(dealt.turn_up) == 2:
                auction = auction._replace(second_suit=dealt.turn_up[1] >> 3)
        seat = auction.turn_seat
        legal_calls = _allowed_calls(party, auction, dealt, standing)
        view = CallView(
            rules,
            seat,
            dealer_seat,
            dealt.first_hands[seat],
            calls,
            auction,
            legal_calls,
            standing.totals,
            hanging,
            dealt.turn_up,
        )
        call = ask_call(party.policies[seat], view, streams[seat])
        calls = (*calls, call)
        auction = after_call(rules, auction, call)
    return Called(calls, auction, dealt)


def _turns_another(rules: RuleSet, auction: Auction, dealt: Dealt) -> bool:
    return rules.turn_up == p.TURN_UP_TWO and auction.round == 2 and len(dealt.turn_up) == 1


def _allowed_calls(party: Party, auction: Auction, dealt: Dealt, standing: Standing) -> int:
    """Legal calls, less a contra that the match does not allow; only a pass where no second card could be turned up."""
    rules = party.rules
    if _turns_another(rules, auction, dealt):
        return 1 << PASS
    mask = party.legal_calls(auction)
    if mask & CONTRAS and not may_double(rules, auction, standing.totals):
        mask &= ~CONTRAS
    return mask


def may_double(rules: RuleSet, auction: Auction, totals: Totals) -> bool:
    """Whether the match allows a contra: at no trumps only a side not above the limit doubles one that is."""
    if auction.contract != NO_TRUMPS or rules.no_trumps_double_limit == 0:
        return True
    own = totals[side_of(rules, auction.turn_seat)]
    declarers = totals[side_of(rules, auction.declarer_seat)]
    return own <= rules.no_trumps_double_limit < declarers

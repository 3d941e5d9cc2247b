"""The policy ``sensible``: calls by strength and plays like a club player.

It uses what its view holds and no chance: the same situation always gives the same call and card. It makes no
signals and draws no conclusions from what others could have played but did not, beyond a suit they failed to follow.
"""

from __future__ import annotations

from belot_stats.cards import NO_CARD, CallCode, Card, Seat
from belot_stats.simulator.policies import CallView, CardView
from belot_stats.simulator.sensible_calls import pick_call, with_bid
from belot_stats.simulator.sensible_cards import POINTS, Situation, look_at, pick_card, sit_down
from belot_stats.simulator.streams import Stream

# A set of suits as a word of four bits a suit, in each the bit of seat 0.
SUIT_SETS = tuple(sum(1 << 4 * suit for suit in range(4) if suits >> suit & 1) for suits in range(16))


class SensiblePolicy:
    """Bids every contract with strength for it, doubles with strength against it, passes weak hands."""

    name = "sensible"

    def choose_call(self, view: CallView, stream: Stream) -> CallCode:
        """Call by strength."""
        return pick_call(
            view.rules,
            view.auction,
            view.legal_calls,
            view.hand_mask,
            view.turn_up[0] if view.turn_up else NO_CARD,
            bidders_of(view.calls, view.dealer_seat, view.rules.players),
        )

    def choose_card(self, view: CardView, stream: Stream) -> Card:
        """Card by weight."""
        voids = 0
        for seat, suits in enumerate(view.void_suits):
            voids |= SUIT_SETS[suits] << seat
        situation, bidders = Situation(), bidders_of(view.calls, view.dealer_seat, view.rules.players)
        sit_down(situation, view.rules, view.contract, view.declarer_seat, bidders)
        look_at(
            situation,
            view.seat,
            view.hand_mask,
            view.unseen_mask,
            voids,
            view.led_suit,
            view.best_card,
            view.best_seat,
            len(view.trick),
            sum(POINTS[32 * view.contract + card] for card in view.trick),
        )
        return pick_card(situation, view.legal_mask)


def bidders_of(calls: tuple[CallCode, ...], dealer_seat: Seat, players: int) -> int:
    """Who bid what in an auction, four bits a contract."""
    bidders = 0
    for turn, call in enumerate(calls, start=1):
        bidders = with_bid(bidders, call, (dealer_seat + turn) % players)
    return bidders

"""The policy ``sensible``: calls by strength and plays like a club player.

It uses what its view holds and no chance: the same situation always gives the same call and card. It makes no
signals and draws no conclusions from what others could have played but did not, beyond a suit they failed to follow.
"""

from __future__ import annotations

from belot_stats.cards import CallCode, Card
from belot_stats.simulator import sensible_calls, sensible_cards
from belot_stats.simulator.policies import CallView, CardView
from belot_stats.simulator.streams import Stream


class SensiblePolicy:
    """Bids every contract with strength for it, doubles with strength against it, passes weak hands."""

    name = "sensible"

    def choose_call(self, view: CallView, stream: Stream) -> CallCode:
        """Call by strength."""
        return sensible_calls.choose_call(view)

    def choose_card(self, view: CardView, stream: Stream) -> Card:
        """Card by weight."""
        return sensible_cards.choose_card(view)

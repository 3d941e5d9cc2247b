"""Which seat had to deal, from the deal before; and the order of a match in which one log line names a wrong dealer."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import NO_SEAT, Seat
from belot_stats.match_records import MatchDeal
from belot_stats.rules.match import next_dealer
from belot_stats.rules.scoring import side_triple

NO_NEXT = ("redeal", "abandoned", "conceded", "declared_out")
RESULTS_WITH_POINTS = ("made", "failed", "hanging", "all_pass", "passed")


class DealerOrder(NamedTuple):
    """Seat that dealt by the order so far, whatever the record itself says; None where there is no order yet."""

    dealer: Seat | None = None


def dealer_is_known(previous: MatchDeal) -> bool:
    """Whether the dealer after *previous* can be known."""
    if previous.end in NO_NEXT:
        return False
    if previous.rules.next_dealer == p.DEALS_NEXT or previous.outcome in RESULTS_WITH_POINTS:
        return True
    return previous.rules.next_dealer == p.DEALS_ORDERER and previous.declarer is not None


def expected_dealer(previous: MatchDeal, dealer_seat: Seat) -> Seat:
    """Seat that deals after *previous*, had *dealer_seat* dealt it and all seats sat so much further round."""
    players = previous.rules.players
    shift = dealer_seat - previous.dealer
    declarer = previous.declarer if previous.declarer is not None else NO_SEAT
    if declarer != NO_SEAT:
        declarer = (declarer + shift) % players
    return next_dealer(
        previous.rules, dealer_seat, declarer, side_triple(previous.points), previous.outcome == "hanging"
    )

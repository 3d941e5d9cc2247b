"""When an announcement is made: with how many cards on the table, by whom on lead, with which cards still in hand.

Where declare_when = "on_lead" (RULES.md 1e, C16) a seat announces before it leads: the opening leader at once, others
when they have won a trick, and what is announced must still be held then. Another seat may answer such an
announcement at the same moment, to beat it.
"""

from __future__ import annotations

from belot_stats import parameters as p
from belot_stats.cards import NO_SEAT, CardMask, Seat, mask_of
from belot_stats.checks.play import Played
from belot_stats.deal import Deal, Declaration
from belot_stats.rules.table import deal_size, seat_after
from belot_stats.ruleset import RuleSet


def first_card_index(played: Played, seat: Seat) -> int | None:
    """Index, in the whole deal, of the first card that *seat* played; None where it played none."""
    if not played.tricks:
        return None
    position = (seat - played.tricks[0].leader_seat) % len(played.hands)
    return position if position < len(played.tricks[0].cards) else None


def leader_at(deal: Deal, rules: RuleSet, played: Played, at: int) -> Seat:
    """Seat on lead with *at* cards on the table; NO_SEAT within a trick, or later than the deal went."""
    trick, position = divmod(at, rules.players)
    if position or trick > len(played.tricks) or at >= deal_size(rules):
        return NO_SEAT
    if trick < len(played.tricks):
        return played.tricks[trick].leader_seat
    if trick == 0:
        return seat_after(rules, deal.dealer)
    winner = played.tricks[-1].winner_seat
    return NO_SEAT if winner is None else winner


def gone_mask(deal: Deal, at: int) -> CardMask:
    """Cards played before *at* cards lay on the table."""
    return mask_of(deal.plays[:at])


def hand_when_announced(deal: Deal, rules: RuleSet, played: Played, seat: Seat, at: int) -> CardMask:
    """Cards that a combination of *seat* may be made of: what it still holds on lead, else its hand before play."""
    hand_mask = played.hands[seat]
    return hand_mask & ~gone_mask(deal, at) if rules.declare_when == p.ANNOUNCE_ON_LEAD else hand_mask


def announced_at(deal: Deal, rules: RuleSet, played: Played, item: Declaration) -> int:
    """Cards on the table when *item* was announced, as far as the log says it.

    By default with the seat's first card; where one announces on lead, the first time that the seat was.
    """
    if item.at is not None:
        return item.at
    if rules.declare_when == p.ANNOUNCE_ON_LEAD:
        for at in range(0, len(deal.plays) + 1, rules.players):
            if leader_at(deal, rules, played, at) == item.seat:
                return at
    own = first_card_index(played, item.seat)
    return own if own is not None else 0


def is_late(deal: Deal, rules: RuleSet, played: Played, seat: Seat, at: int, is_answer: bool) -> bool:
    """Whether an announcement with *at* cards on the table comes too late, or when nothing is announced.

    is_answer: the seat on lead has announced a combination at that moment.
    """
    if rules.declare_when == p.ANNOUNCE_ON_LEAD:
        return leader_at(deal, rules, played, at) != seat and not is_answer
    if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
        own = first_card_index(played, seat)
        return own is not None and at > own
    tricks = 2 if rules.declare_when == p.ANNOUNCE_SECOND_TRICK else 1
    return at >= tricks * rules.players


def time_limit(rules: RuleSet, played: Played, seat: Seat) -> str:
    """When *seat* may announce, for texts."""
    if rules.declare_when == p.ANNOUNCE_ON_LEAD:
        return "on lead, before the first trick or after a trick won, or in answer to who is"
    if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
        return f"with the seat's first card, {first_card_index(played, seat)} cards on the table"
    if rules.declare_when == p.ANNOUNCE_SECOND_TRICK:
        return "during the first two tricks"
    return "during the first trick"

"""Tricks and card points of a deal, and whether it was played to an end that the rules accept."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from belot_stats.cards import cards_in
from belot_stats.checks.auction import Bidding
from belot_stats.checks.collect import Findings
from belot_stats.checks.play import Played, missing_cards
from belot_stats.deal import Deal
from belot_stats.rules import play as play_rules
from belot_stats.rules.table import NO_SIDE, deal_size, hand_size, pack_mask, seat_after, side_count, side_of
from belot_stats.ruleset import RuleSet


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """Tricks and points of a deal."""

    trick_points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    card_points: tuple[int, ...]
    last_side: int
    is_complete: bool


def count_deal(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played, findings: Findings) -> Count:
    """Tricks, points of each and of each side, the last trick in them; a sound claim takes the rest."""
    sides = side_count(rules)
    won, points, trick_points = [0] * sides, [0] * sides, []
    for trick in played.tricks:
        if trick.winner_seat is None:
            continue
        worth = sum(play_rules.card_points(bidding.contract, card) for card in trick.cards)
        trick_points.append(worth)
        won[side_of(rules, trick.winner_seat)] += 1
        points[side_of(rules, trick.winner_seat)] += worth
    last_side = (
        side_of(rules, played.tricks[-1].winner_seat)
        if played.tricks and played.tricks[-1].winner_seat is not None
        else NO_SIDE
    )
    is_complete = bidding.contract >= 0 and len(deal.plays) == deal_size(rules)
    if not is_complete:
        claimant = _claimant(deal, rules, bidding, played)
        is_complete = claimant is not None
        if claimant is not None:
            last_side = side_of(rules, claimant)
            won[last_side] += hand_size(rules) - len(trick_points)
            points[last_side] += _points_left(deal, rules, bidding.contract, played)
    if is_complete:
        points[last_side] += rules.last_trick_points
        if deal.end == "declared_out":  # too late: after the last trick it is settled at the recording
            _check_declared_out(deal, rules, played, findings)
    else:
        _check_complete(deal, rules, bidding, played, findings)
    return Count(
        trick_points=tuple(trick_points),
        tricks_won=tuple(won),
        card_points=tuple(points),
        last_side=last_side,
        is_complete=is_complete,
    )


def _claimant(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played) -> int | None:
    """Seat that claimed the rest where the rules let it: on lead, with few enough cards, and between tricks."""
    if deal.end != "claimed" or bidding.contract < 0 or deal.ended_by is None or deal.ended_by.seat is None:
        return None
    players = rules.players
    if len(deal.plays) % players or hand_size(rules) - len(deal.plays) // players > rules.claim_cards:
        return None
    on_lead = played.tricks[-1].winner_seat if played.tricks else seat_after(rules, deal.dealer)
    return deal.ended_by.seat if deal.ended_by.seat == on_lead else None


def _points_left(deal: Deal, rules: RuleSet, contract: int, played: Played) -> int:
    """Card points not played yet: of all the pack where it is dealt out, else of the hands as far as known."""
    left_mask = pack_mask(rules)
    if deal_size(rules) != left_mask.bit_count():
        left_mask = 0
        for hand_mask in played.hands:
            left_mask |= hand_mask
    for card in deal.plays:
        left_mask &= ~(1 << card)
    return sum(play_rules.card_points(contract, card) for card in cards_in(left_mask))


def _check_complete(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played, findings: Findings) -> None:
    """Cards that are missing need a reason that the rules accept."""
    if bidding.is_passed or bidding.contract < 0 or len(deal.plays) == deal_size(rules):
        return
    if deal.end == "declared_out":
        _check_declared_out(deal, rules, played, findings)
    elif deal.end in ("played", "passed", "claimed"):
        reason = (
            f"end {deal.end!r}"
            if deal.end != "played"
            else f"missing {missing_cards(deal, rules, played.hands)}"
        )
        findings.add(
            "incomplete-deal",
            f"{deal_size(rules)} cards",
            f"{len(deal.plays)} cards, {reason}",
            field="plays",
        )


def _check_declared_out(deal: Deal, rules: RuleSet, played: Played, findings: Findings) -> None:
    """Out is declared between two tricks, by the winner of the last one; whether with the points, the match says."""
    if not rules.declare_out:
        findings.add(
            "false-declare-out", "the deal played on: these rules know no declaring out", "declared out"
        )
    elif not may_declare_out(deal, rules, played):
        by = (
            f"seat {deal.ended_by.seat}"
            if deal.ended_by and deal.ended_by.seat is not None
            else "nobody named"
        )
        findings.add(
            "false-declare-out",
            "declared by the winner of the last trick, before the next lead",
            f"{by}, with {len(deal.plays)} cards on the table",
            field="ended_by",
        )


def may_declare_out(deal: Deal, rules: RuleSet, played: Played) -> bool:
    """Whether the seat that declared itself out had just won a trick that was not the last."""
    is_between = len(deal.plays) % rules.players == 0 and len(deal.plays) < deal_size(rules)
    if not is_between or not played.tricks or deal.ended_by is None or not rules.declare_out:
        return False
    return played.tricks[-1].winner_seat == deal.ended_by.seat


def capot_side_of(tricks_won: Sequence[int]) -> int:
    takers = [side for side, tricks in enumerate(tricks_won) if tricks]
    return takers[0] if len(takers) == 1 else NO_SIDE

"""Simulated deals against the second engine, which shares no code with the rules that the simulator plays by."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import pytest

from belot_stats.cards import CALL_NAMES, CONTRACT_NAMES, format_card, format_hand
from belot_stats.deal import Deal
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator import simulate_matches
from tests import naive, naive_deal

Rules = dict[str, Any]
Tricks = list[tuple[int, list[str]]]


@pytest.mark.parametrize("policy", ["random", "sensible"])
@pytest.mark.parametrize("name", sorted(naive.SYSTEMS))
def test_calls_cards_points_and_scores_agree(name: str, policy: str) -> None:
    agree_on_matches(naive.SYSTEMS[name], simulate_matches(load_ruleset(name), policy, 23, 1, 12))


def agree_on_matches(rules: Rules, deals: Iterable[Deal]) -> None:
    """Deals of whole matches, one after the other, are what the second engine makes of them."""
    for _, match in groupby(deals, key=lambda deal: deal.match):
        hanging, dealer, totals = 0, -1, [0] * len(naive.all_sides(rules))
        for deal in match:
            assert dealer in (-1, deal.dealer)
            agree(rules, deal, hanging, totals)
            hanging = deal.claimed.hanging or 0
            totals = [total + score for total, score in zip(totals, deal.claimed.score or (), strict=False)]
            dealer = -1 if deal.end == "declared_out" else dealer_after(rules, deal)


def dealer_after(rules: Rules, deal: Deal) -> int:
    claimed = deal.claimed
    is_hanging = claimed.declarer is not None and claimed.made is None
    return int(naive_deal.next_dealer(rules, deal.dealer, claimed.declarer, claimed.points, is_hanging))


def agree(rules: Rules, deal: Deal, hanging: int, totals: list[int]) -> None:
    agree_on_calls(rules, deal)
    if deal.end == "passed":
        return
    claimed = deal.claimed
    contract = CONTRACT_NAMES[claimed.contract or 0]
    tricks = replay(rules, contract, deal)
    assert tuple(winner for winner, _ in tricks) == claimed.tricks
    sides = naive.all_sides(rules)
    belotes = {side: 20 * sum(naive.side_of(rules, b.seat) == side for b in deal.belotes) for side in sides}
    declared: dict[int, list[str]] = {d.seat: [] for d in deal.declarations}
    for d in deal.declarations:
        declared[d.seat].append(format_hand(d.cards or 0))
    times = {d.seat: d.at or 0 for d in deal.declarations}
    agree_on_declarations(rules, contract, deal, declared)
    leader = (deal.dealer + 1) % rules["players"]
    from_declarations = naive.score_declarations(rules, contract, declared, leader, times)
    if deal.end == "declared_out":
        agree_on_declaring_out(rules, contract, deal, tricks, from_declarations, belotes, totals)
        return
    taken = [sum(naive.side_of(rules, seat) == side for seat, _ in tricks) for side in sides]
    if claimed.declarer is None:
        agree_on_all_pass(rules, contract, deal, hanging, tricks, from_declarations, belotes, taken)
        return
    points, capot = naive.raw_points(rules, contract, tricks, from_declarations, belotes)
    assert tuple(points[side] for side in sides) == claimed.points
    assert capot == claimed.capot
    result = naive.score_deal(
        rules,
        contract,
        claimed.level,
        [points[side] for side in sides],
        naive.side_of(rules, claimed.declarer),
        capot,
        hanging,
        [belotes[side] for side in sides],
        taken,
    )
    assert result == (claimed.score, claimed.hanging, claimed.made)


def agree_on_all_pass(
    rules: Rules,
    contract: str,
    deal: Deal,
    hanging: int,
    tricks: Tricks,
    from_declarations: dict[int, int],
    belotes: dict[int, int],
    taken: list[int],
) -> None:
    """Every point counts against its taker, combinations and belotes against the others."""
    cards, capot = naive.raw_points(rules, contract, tricks, {}, {})
    score = naive_deal.score_all_pass(rules, cards, from_declarations, belotes, taken)
    assert (score, hanging, None, capot) == (
        deal.claimed.score,
        deal.claimed.hanging,
        deal.claimed.made,
        deal.claimed.capot,
    )


def agree_on_calls(rules: Rules, deal: Deal) -> None:
    calls = [CALL_NAMES[call] for call in deal.auction or ()]
    turned = [format_card(card) for card in deal.turn_up or ()]
    for place, call in enumerate(calls):
        assert call in naive.legal_calls(rules, calls[:place], deal.dealer, turned)
    result = naive.auction_result(rules, calls, deal.dealer, turned)
    assert not result["open"]
    if deal.claimed.declarer is None:
        assert result["passed"]
        return
    claimed = deal.claimed
    assert (result["contract"], result["declarer"], result["level"]) == (
        CONTRACT_NAMES[claimed.contract or 0],
        claimed.declarer,
        claimed.level,
    )


def agree_on_declarations(rules: Rules, contract: str, deal: Deal, declared: dict[int, list[str]]) -> None:
    """The best that each hand has; on lead, the best of what it holds when it leads for the first time."""
    on_lead = rules["declare_when"] == "on_lead"
    leaders = [(deal.dealer + 1) % rules["players"], *(deal.claimed.tricks or ())[:-1]]
    for seat in range(rules["players"]):
        hand = format_hand((deal.hands or ())[seat]).split()
        if on_lead:
            if seat not in leaders:
                assert seat not in declared
                continue
            at = leaders.index(seat) * rules["players"]
            played = {format_card(card) for card in deal.plays[:at]}
            hand = [card for card in hand if card not in played]
            if at >= len(deal.plays):
                continue
        best = naive.best_declarations(rules, contract, " ".join(hand))
        assert {frozenset(text.split()) for text in best} == {
            frozenset(text.split()) for text in declared.get(seat, [])
        }


def agree_on_declaring_out(
    rules: Rules,
    contract: str,
    deal: Deal,
    tricks: Tricks,
    from_declarations: dict[int, int],
    belotes: dict[int, int],
    totals: list[int],
) -> None:
    """Out is declared with points enough, counted without the last trick, and not before they are enough."""
    assert deal.ended_by is not None
    seat = deal.ended_by.seat
    points, _ = naive.raw_points(
        rules | {"last_trick_points": 0}, contract, tricks, from_declarations, belotes
    )
    side = naive.side_of(rules, seat)
    plays = owners(deal)
    size = (deal.hands or ())[0].bit_count()
    may = naive_deal.may_declare_out(
        rules, contract, plays, seat, len(plays), size, totals[side] + points[side]
    )
    assert may
    assert deal.claimed.winner == side


def owners(deal: Deal) -> list[tuple[int, str]]:
    held = [set(format_hand(mask).split()) for mask in deal.hands or ()]
    return [
        (next(seat for seat, hand in enumerate(held) if format_card(card) in hand), format_card(card))
        for card in deal.plays
    ]


def replay(rules: Rules, contract: str, deal: Deal) -> Tricks:
    players = rules["players"]
    left = [set(format_hand(mask).split()) for mask in deal.hands or ()]
    leader, tricks = (deal.dealer + 1) % players, []
    for start in range(0, len(deal.plays), players):
        trick: list[tuple[int, str]] = []
        for turn, card in enumerate(map(format_card, deal.plays[start : start + players])):
            seat = (leader + turn) % players
            assert card in naive.legal_cards(rules, contract, " ".join(left[seat]), trick, seat)
            left[seat].remove(card)
            trick.append((seat, card))
        leader = naive.trick_winner(rules, contract, trick)
        tricks.append((leader, [card for _, card in trick]))
    return tricks

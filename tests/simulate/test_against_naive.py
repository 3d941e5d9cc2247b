"""Simulated deals against the second engine, which shares no code with the rules that the simulator plays by."""

from __future__ import annotations

from typing import Any

import pytest

from belot_stats.cards import CALL_NAMES, CONTRACT_NAMES, format_card, format_hand
from belot_stats.deal import Deal
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator import simulate_matches
from tests import naive

PRESETS = {"belot-bg": naive.BELOT_BG, "belot-bg-classic": {**naive.BELOT_BG, "sequence_cap": 5}}


@pytest.mark.parametrize("policy", ["random", "sensible"])
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_calls_cards_points_and_scores_agree(name: str, policy: str) -> None:
    hanging = 0
    for deal in simulate_matches(load_ruleset(name), policy, 23, 1, 12):
        hanging = 0 if deal.deal == 1 else hanging
        agree(PRESETS[name], deal, hanging)
        hanging = deal.claimed.hanging or 0


def agree(rules: dict[str, Any], deal: Deal, hanging: int) -> None:
    calls = [CALL_NAMES[call] for call in deal.auction or ()]
    for place, call in enumerate(calls):
        assert call in naive.legal_calls(rules, calls[:place], deal.dealer)
    if deal.end == "passed":
        return
    claimed = deal.claimed
    contract = CONTRACT_NAMES[claimed.contract or 0]
    tricks = replay(rules, contract, deal)
    assert tuple(winner for winner, _ in tricks) == claimed.tricks
    declared = {s: [format_hand(d.cards or 0) for d in deal.declarations if d.seat == s] for s in range(4)}
    for seat in range(4):
        best = naive.best_declarations(rules, contract, format_hand((deal.hands or ())[seat]))
        assert {frozenset(text.split()) for text in best} == {
            frozenset(text.split()) for text in declared[seat]
        }
    belotes = {side: 20 * sum(b.seat % 2 == side for b in deal.belotes) for side in (0, 1)}
    declaration_points = naive.score_declarations(rules, contract, declared, (deal.dealer + 1) % 4)
    points, capot = naive.raw_points(rules, contract, tricks, declaration_points, belotes)
    assert (points[0], points[1]) == claimed.points
    assert capot == claimed.capot
    side = (claimed.declarer or 0) % 2
    result = naive.score_deal(rules, contract, claimed.level, [points[0], points[1]], side, capot, hanging)
    assert result == (claimed.score, claimed.hanging, claimed.made)


def replay(rules: dict[str, Any], contract: str, deal: Deal) -> list[tuple[int, list[str]]]:
    left = [set(format_hand(mask).split()) for mask in deal.hands or ()]
    leader, tricks = (deal.dealer + 1) % 4, []
    for start in range(0, 32, 4):
        trick: list[tuple[int, str]] = []
        for turn, card in enumerate(map(format_card, deal.plays[start : start + 4])):
            seat = (leader + turn) % 4
            assert card in naive.legal_cards(rules, contract, " ".join(left[seat]), trick, seat)
            left[seat].remove(card)
            trick.append((seat, card))
        leader = naive.trick_winner(rules, contract, trick)
        tricks.append((leader, [card for _, card in trick]))
    return tricks

"""The compiled loops make the deals that the policies make one by one, to the last card and point."""

from __future__ import annotations

from typing import Any

import pytest

from belot_stats.deal import Deal
from belot_stats.rules.batch import LOOPS, sensible_deals
from belot_stats.rules.deal_rows import PASSED_OUT
from belot_stats.rules.scoring import FAILED, MADE
from belot_stats.rules.table import side_count
from belot_stats.ruleset import RuleSet, load_ruleset, ruleset_names
from belot_stats.simulator import simulate_deals

COUNT = 200
OTHER_RULES = (  # what no preset has, or no preset together
    ("belot-1001-2p", {"seven_exchange": True}),
    ("bela-4p", {"forced_dealer": True}),
    ("belot-bg", {"players": 2, "partners": False, "first_packets": [8], "second_packets": [8]}),
)


def row_facts(rules: RuleSet, row: Any) -> tuple[object, ...]:
    """What a row of DEAL says."""
    seats, sides = range(rules.players), range(side_count(rules))
    declared, belotes = range(row["declared_count"]), range(row["belote_count"])
    is_passed = row["result"] == PASSED_OUT
    decided = {FAILED: False, MADE: True}
    return (
        int(row["dealer"]),
        tuple(int(row["first_hands"][seat]) for seat in seats),
        tuple(int(card) for card in row["turn_up"] if card >= 0) or None,
        tuple(int(call) for call in row["calls"][: row["call_count"]]),
        None if is_passed else tuple(int(row["hands"][seat]) for seat in seats),
        int(row["exchange"]) if row["exchange"] >= 0 else None,
        tuple(int(card) for card in row["plays"][: row["play_count"]]),
        [tuple(int(row[f"declared_{name}"][i]) for name in ("seat", "mask", "at")) for i in declared],
        [tuple(int(row[f"belote_{name}"][i]) for name in ("seat", "suit", "at")) for i in belotes],
        None if is_passed else (int(row["contract"]), int(row["level"])),
        int(row["declarer"]) if row["declarer"] >= 0 else None,
        None if is_passed else tuple(int(row["points"][side]) for side in sides),
        decided.get(int(row["result"])),
        tuple(int(row["score"][side]) for side in sides),
        int(row["hanging"]),
    )


def deal_facts(deal: Deal) -> tuple[object, ...]:
    """The same of a record."""
    claimed = deal.claimed
    return (
        deal.dealer,
        deal.first_hands,
        deal.turn_up,
        deal.auction,
        deal.hands,
        deal.exchange,
        deal.plays,
        [(item.seat, item.cards, item.at) for item in deal.declarations],
        [(item.seat, item.suit, item.at) for item in deal.belotes],
        None if claimed.contract is None else (claimed.contract, claimed.level),
        claimed.declarer,
        claimed.points,
        claimed.made,
        claimed.score,
        claimed.hanging,
    )


def compare(rules: RuleSet, policy: str, seed: int, first: int, count: int) -> list[Deal]:
    """Both ways give the same; returns the deals."""
    deals = list(simulate_deals(rules, policy, seed, first, count))
    rows = LOOPS[policy](rules, seed, first, count)
    assert [row_facts(rules, row) for row in rows] == [deal_facts(deal) for deal in deals]
    return deals


@pytest.mark.parametrize("policy", LOOPS)
@pytest.mark.parametrize("name", ruleset_names())
def test_deals_are_those_made_one_by_one(name: str, policy: str) -> None:
    deals = compare(load_ruleset(name), policy, 21, 1, COUNT)
    assert sum(deal.end == "played" for deal in deals) > COUNT // 2


@pytest.mark.parametrize("policy", LOOPS)
@pytest.mark.parametrize(("name", "options"), OTHER_RULES)
def test_by_other_rules_too(name: str, options: dict[str, object], policy: str) -> None:
    compare(load_ruleset(name, options), policy, 22, 1, COUNT)


def test_sevens_are_exchanged() -> None:
    deals = compare(load_ruleset("belot-ru-3p"), "sensible", 3, 1, COUNT)
    assert sum(deal.exchange is not None for deal in deals) > 10


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_seeds_and_numbers_use_all_their_bits(seed: int) -> None:
    compare(load_ruleset("belot-bg"), "sensible", seed, 2**64 - 20, 10)


def test_a_deal_depends_on_its_number_alone() -> None:
    rules = load_ruleset("belot-bg")
    whole = sensible_deals(rules, 5, 1, 60)
    assert (sensible_deals(rules, 5, 41, 20) == whole[40:]).all()

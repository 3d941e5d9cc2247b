"""Every preset: simulated deals and matches that the checker accepts, that can be made again, and are no nonsense."""

from __future__ import annotations

from itertools import groupby
from statistics import mean, stdev
from typing import Any

import pytest

from belot_stats.deal import Deal
from belot_stats.export import export_lines
from belot_stats.match_checker import check_match
from belot_stats.readers.bhh import read_line
from belot_stats.readers.reader import ReadOptions
from belot_stats.rules.table import side_count, side_of
from belot_stats.ruleset import RuleResolver, RuleSet, load_ruleset, ruleset_names
from belot_stats.simulator import simulate_deals, simulate_matches
from tests.simulate.helpers import checked, match_deal

PRESETS = ruleset_names()
POLICIES = ("random", "sensible")
# What no preset has, or not together: single options that change how a deal or a match goes.
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("belot-world", {"cut_only": True}),
    ("belot-1001-3p", {"cut_only": True}),
    ("belot-1001-2p", {"hung_policy": "one_by_one"}),
    ("belot-ru-3p", {"hung_policy": "one_by_one", "target": 101}),
    ("belot-ru-3p", {"declare_when": "on_lead"}),
    ("belot-1001-2p", {"round_two": "other_suits", "turn_up": "one", "seven_exchange": True}),
    ("belot-1001-3p", {"lowest_rank": "9", "second_packets": [1]}),
    ("belot-ru-pairs", {"all_pass": "redeal"}),
    ("belot-ru-pairs", {"declare_when": "on_lead", "belote_when": "any_play"}),
    ("belot-bg", {"forced_dealer": True, "multipliers": [2, 4, 0]}),
    ("belote-fr", {"forced_dealer": True}),
    ("bela-3p", {"kirtik": 10, "multipliers": [2, 4, 0]}),
    ("bela-2p", {"capot": "players", "capot_points": 50}),
    ("baloot", {"no_trumps_double_limit": 0, "no_trumps_doubling": "all"}),
    ("baloot", {"ashkal": "both_rounds", "sun_over_ace": "first_speaker", "ashkal_on_ace": False}),
    ("baloot", {"multipliers": []}),
]
CASES = [(name, {}) for name in PRESETS] + OTHERS


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_checker_finds_nothing_in_deals(name: str, options: dict[str, Any], policy: str) -> None:
    rules = load_ruleset(name, options)
    deals = list(simulate_deals(rules, policy, 29, 1, 60))
    assert len({deal.match for deal in deals}) == 60
    assert [(item.deal.match, item.findings) for item in checked(deals, rules) if item.findings] == []


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_matches_pass_both_checks_and_end(name: str, options: dict[str, Any], policy: str) -> None:
    rules = load_ruleset(name, options)
    matches = [
        list(match)
        for _, match in groupby(simulate_matches(rules, policy, 31, 1, 4), lambda deal: deal.match)
    ]
    assert len(matches) == 4
    for match in matches:
        items = checked(match, rules)
        assert [(item.deal.deal, item.findings) for item in items if item.findings] == []
        result = check_match([match_deal(item, line) for line, item in enumerate(items, 1)])
        assert result.findings == []
        assert result.summary.is_finished
        assert result.summary.winner == match[-1].claimed.winner
        assert all(deal.claimed.winner is None for deal in match[:-1])


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", PRESETS)
def test_a_deal_and_a_match_depend_on_their_number_alone(name: str, policy: str) -> None:
    rules = load_ruleset(name)
    everything = list(simulate_deals(rules, policy, 1, 1, 7))
    assert everything[4:] == list(simulate_deals(rules, policy, 1, 5, 3))
    assert everything != list(simulate_deals(rules, policy, 2, 1, 7))
    matches = list(simulate_matches(rules, policy, 1, 1, 3))
    third = list(simulate_matches(rules, policy, 1, 3, 1))
    assert matches[-len(third) :] == third


@pytest.mark.parametrize("name", PRESETS)
def test_policies_are_dealt_the_same_cards(name: str) -> None:
    rules = load_ruleset(name)
    runs = [
        [(deal.first_hands, (deal.turn_up or ())[:1]) for deal in simulate_deals(rules, policy, 9, 1, 20)]
        for policy in POLICIES
    ]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("name", PRESETS)
def test_records_survive_being_written_and_read(name: str) -> None:
    rules = load_ruleset(name)
    deals = [*simulate_matches(rules, "sensible", 4, 1, 2), *simulate_deals(rules, "random", 4, 1, 10)]
    resolver = RuleResolver()
    lines = list(export_lines(deals))
    again = [read_line(raw, line, 0, ReadOptions(resolver=resolver)) for line, raw in enumerate(lines, 1)]
    assert all(isinstance(deal, Deal) for deal in again)
    assert list(export_lines(deal for deal in again if isinstance(deal, Deal))) == lines
    before, after = checked(deals, rules), checked([d for d in again if isinstance(d, Deal)], rules)
    assert [item.computed for item in before] == [item.computed for item in after]


def leads(rules: RuleSet, policies: tuple[str, str], count: int) -> list[float]:
    """A deal each: score of the first policy's seat or side less the mean of the others', from every seat in turn."""
    seats = range(side_count(rules))
    found = []
    for seat in seats:
        row = ",".join(policies[0] if seat == other else policies[1] for other in seats)
        for deal in simulate_deals(rules, row, 3, 1, count):
            score = deal.claimed.score or ()
            others = [points for side, points in enumerate(score) if side != seat]
            found.append(score[seat] - mean(others))
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_sensible_players_beat_random_ones(name: str) -> None:
    """By far more than chance gives, and by a good part of what a deal is worth."""
    rules = load_ruleset(name)
    found = leads(rules, ("sensible", "random"), 120)
    error = stdev(found) / len(found) ** 0.5
    deal_worth = mean(
        sum(abs(points) for points in deal.claimed.score or ())
        for deal in simulate_deals(rules, "sensible", 3, 1, 100)
    )
    assert mean(found) > 6 * error
    assert mean(found) > deal_worth / 8


@pytest.mark.parametrize("name", PRESETS)
def test_sensible_contracts_are_mostly_made_and_not_all_deals_are_passed(name: str) -> None:
    rules = load_ruleset(name)
    deals = list(simulate_deals(rules, "sensible", 3, 1, 250))
    ordered = [deal.claimed for deal in deals if deal.claimed.declarer is not None]
    assert 0.6 * len(deals) < len(ordered)
    undoubled = [claim for claim in ordered if claim.level == 1]
    assert 0.62 < mean(claim.made is True for claim in undoubled) < 0.92
    assert {side_of(rules, claim.declarer or 0) for claim in ordered} == set(range(side_count(rules)))
    assert {claim.contract for claim in ordered} == {c for c in range(6) if rules.contracts[c] >= 0}

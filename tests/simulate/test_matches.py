"""Records of simulated deals and matches: reproducible, free of findings, matches that end as the rules say."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

import msgspec
import pytest

from belot_stats.deal import Deal
from belot_stats.errors import UsageError
from belot_stats.export import export_lines
from belot_stats.match_checker import check_match
from belot_stats.readers.bhh import read_line
from belot_stats.readers.reader import ReadOptions
from belot_stats.ruleset import RuleResolver, load_ruleset
from belot_stats.simulator import simulate_deals, simulate_matches
from tests.simulate.helpers import Passer, checked, match_deal

OVERRIDES: list[dict[str, Any]] = [
    {},
    {"cannot_overruff": "undertrump", "target": 101, "capot_points": 100},
    {
        "must_ruff": "always",
        "beat_trump_lead": "not_over_partner",
        "rise_all_trumps": "not_over_partner",
        "must_overruff": False,
        "declarations": "all_contracts",
        "shared_cards": True,
        "contest": "single",
        "equal_sequences": "trump_then_earlier",
        "declarations_need_trick": True,
        "belote_needs_trick": True,
    },
    {
        "must_ruff": "never",
        "capot": "game",
        "capot_points": 9,
        "capot_no_trumps_factor": 2,
        "capot_when_doubled": "bonus_fixed",
        "multiply_before_rounding": True,
        "belote_when": "any_play",
        "belote_kept_when_failed": True,
        "redoubled_all_trumps_ends": True,
        "raise_cancels_double": False,
        "exact_tie": "keeps",
    },
    {
        "multipliers": [2, 4, 8],
        "rounding": "none",
        "target": 1001,
        "belote_with_hundred": False,
        "sequence_cap": 5,
        "contest": "by_points",
        "declare_when": "first_trick",
        "no_exit_while_hanging": True,
    },
    {"players": 2, "partners": False, "second_packets": [4], "rounding": "none", "target": 1001},
    {"contracts": ["C", "D", "H", "S"], "multipliers": []},
]
SYSTEMS = [("belot-bg", options) for options in OVERRIDES] + [("belot-bg-classic", {})]


@pytest.mark.parametrize("policy", ["random", "sensible"])
@pytest.mark.parametrize(("name", "options"), SYSTEMS)
def test_the_checker_finds_nothing(name: str, options: dict[str, Any], policy: str) -> None:
    rules = load_ruleset(name, options)
    deals = [*simulate_deals(rules, policy, 17, 1, 120), *simulate_matches(rules, policy, 17, 1, 8)]
    found = [
        (item.deal.match, item.deal.deal, item.findings) for item in checked(deals, rules) if item.findings
    ]
    assert found == []


def test_the_checker_would_find_a_wrong_score() -> None:
    rules = load_ruleset("belot-bg")
    deal = next(simulate_deals(rules, "random", 1, 1, 1))
    claimed = msgspec.structs.replace(deal.claimed, score=(deal.claimed.score[0] + 1, deal.claimed.score[1]))
    [item] = checked([msgspec.structs.replace(deal, claimed=claimed)], rules)
    assert {finding.code for finding in item.findings} & {"wrong-score", "wrong-rounding"}


@pytest.mark.parametrize("policy", ["random", "sensible"])
@pytest.mark.parametrize(("name", "options"), SYSTEMS)
def test_matches_pass_the_match_check_and_end(name: str, options: dict[str, Any], policy: str) -> None:
    rules = load_ruleset(name, options)
    deals = list(simulate_matches(rules, policy, 5, 1, 12))
    matches = [list(group) for _, group in groupby(deals, key=lambda deal: deal.match)]
    assert len(matches) == 12
    for number, match in enumerate(matches):
        assert [deal.deal for deal in match] == list(range(1, len(match) + 1))
        assert match[0].dealer == number % rules.players
        result = check_match([match_deal(item, line) for line, item in enumerate(checked(match, rules), 1)])
        assert result.findings == []
        assert result.summary.is_finished
        assert result.summary.winner == match[-1].claimed.winner
        assert all(deal.claimed.winner is None for deal in match[:-1])


def test_the_dealer_goes_round_over_passed_deals_too() -> None:
    deals = list(simulate_matches(load_ruleset("belot-bg"), "sensible", 8, 1, 12))
    assert any(deal.end == "passed" for deal in deals)
    pairs = [(a, b) for a, b in pairwise(deals) if a.match == b.match]
    assert all(b.dealer == (a.dealer + 1) % 4 for a, b in pairs)


def test_hanging_points_are_carried_and_paid() -> None:
    deals = list(simulate_matches(load_ruleset("belot-bg"), "sensible", 6, 1, 60))
    carried = [(a, b) for a, b in pairwise(deals) if a.match == b.match and a.claimed.hanging]
    assert len(carried) >= 3
    for before, after in carried:
        written = sum(after.claimed.total) - sum(before.claimed.total)
        assert written == sum(after.claimed.score)
        if after.end == "passed":
            assert after.claimed.hanging == before.claimed.hanging
        elif after.claimed.made is not None:
            winner = after.claimed.declarer % 2 if after.claimed.made else 1 - after.claimed.declarer % 2
            assert after.claimed.hanging == 0
            assert after.claimed.score[winner] >= before.claimed.hanging


def test_a_match_ends_at_the_target_and_not_before() -> None:
    for deals in _by_match(load_ruleset("belot-bg", {"target": 60, "no_exit_on_capot": False})):
        *earlier, last = [deal.claimed.total for deal in deals]
        assert max(last) >= 60
        assert all(max(total) < 60 or total[0] == total[1] for total in earlier)


def _by_match(rules: Any) -> list[list[Deal]]:
    deals = simulate_matches(rules, "sensible", 2, 1, 25)
    return [list(group) for _, group in groupby(deals, key=lambda deal: deal.match)]


def test_the_same_numbers_give_the_same_records() -> None:
    rules = load_ruleset("belot-bg")
    for make, policy in ((simulate_deals, "random"), (simulate_matches, "sensible")):
        assert list(make(rules, policy, 3, 1, 5)) == list(make(rules, policy, 3, 1, 5))
        assert list(make(rules, policy, 3, 1, 5)) != list(make(rules, policy, 4, 1, 5))


@pytest.mark.parametrize("policy", ["random", "sensible"])
def test_a_deal_depends_on_its_number_alone(policy: str) -> None:
    rules = load_ruleset("belot-bg")
    everything = list(simulate_deals(rules, policy, 1, 1, 9))
    assert everything[4:] == list(simulate_deals(rules, policy, 1, 5, 5))
    assert everything[::-1] == [
        next(simulate_deals(rules, policy, 1, number, 1)) for number in range(9, 0, -1)
    ]
    assert [deal.dealer for deal in everything] == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    matches = list(simulate_matches(rules, policy, 1, 1, 5))
    fifth = list(simulate_matches(rules, policy, 1, 5, 1))
    assert matches[-len(fifth) :] == fifth


def test_two_runs_side_by_side_do_not_disturb_each_other() -> None:
    rules = load_ruleset("belot-bg")
    runs = simulate_deals(rules, "random", 1, 1, 6), simulate_deals(rules, "random", 2, 1, 6)
    mixed = list(zip(*runs, strict=True))
    assert [first for first, _ in mixed] == list(simulate_deals(rules, "random", 1, 1, 6))
    assert [second for _, second in mixed] == list(simulate_deals(rules, "random", 2, 1, 6))


def test_every_policy_is_dealt_the_same_cards() -> None:
    rules = load_ruleset("belot-bg")
    runs = [
        [deal.first_hands for deal in simulate_deals(rules, policy, 9, 1, 20)]
        for policy in ("random", "sensible")
    ]
    assert runs[0] == runs[1]


def test_single_deals_and_matches_are_different_deals_under_different_names() -> None:
    rules, other = load_ruleset("belot-bg"), load_ruleset("belot-bg", {"target": 101})
    records = [
        next(simulate_deals(rules, "random", 1, 1, 1)),
        next(simulate_deals(rules, "sensible", 1, 1, 1)),
        next(simulate_deals(other, "random", 1, 1, 1)),
        next(simulate_deals(rules, "random", 2, 1, 1)),
        next(simulate_matches(rules, "random", 1, 1, 1)),
    ]
    assert len({deal.match for deal in records}) == len(records)
    assert records[0].first_hands != records[4].first_hands


def test_single_deals_start_from_nothing() -> None:
    for deal in simulate_deals(load_ruleset("belot-bg"), "sensible", 1, 1, 300):
        assert deal.deal == 1
        assert deal.claimed.score is not None
        assert (deal.claimed.total, deal.claimed.winner) == (None, None)


def test_a_passed_out_deal_has_calls_and_first_hands_only() -> None:
    deal = next(simulate_deals(load_ruleset("belot-bg"), Passer(), 1, 1, 1))
    assert (deal.end, deal.auction, deal.plays, deal.hands) == ("passed", (6, 6, 6, 6), (), None)
    assert deal.first_hands is not None
    assert deal.claimed.score == (0, 0)


@pytest.mark.parametrize("options", [{}, {"target": 101, "multipliers": [2]}])
def test_records_survive_being_written_and_read(options: dict[str, Any]) -> None:
    rules = load_ruleset("belot-bg", options)
    deals = list(simulate_matches(rules, "sensible", 4, 1, 2))
    resolver = RuleResolver()
    lines = list(export_lines(deals))
    again = [read_line(raw, line, 0, ReadOptions(resolver=resolver)) for line, raw in enumerate(lines, 1)]
    assert all(isinstance(deal, Deal) for deal in again)
    assert list(export_lines(deal for deal in again if isinstance(deal, Deal))) == lines
    assert {resolver.resolve(deal.rules, deal.options).hash for deal in deals} == {rules.hash}


def test_rules_that_cannot_be_simulated_are_refused_at_once() -> None:
    """Rules of a log that only states its contracts do not say how one is found."""
    rules = load_ruleset("belot-bg", {"bidding": "stated"})
    for make in (simulate_deals, simulate_matches):
        with pytest.raises(UsageError, match='bidding = "stated" cannot be simulated'):
            make(rules, "random", 1, 1, 1)


@pytest.mark.parametrize(("seed", "first", "count"), [(-1, 1, 1), (2**64, 1, 1), (1, 0, 1), (1, 1, -1)])
def test_numbers_out_of_range_are_refused(seed: int, first: int, count: int) -> None:
    with pytest.raises(UsageError, match="expected a whole number"):
        simulate_deals(load_ruleset("belot-bg"), "random", seed, first, count)


def test_a_match_that_cannot_end_is_given_up() -> None:
    with pytest.raises(UsageError, match="1000 deals in a row were passed out"):
        list(simulate_matches(load_ruleset("belot-bg"), Passer(), 1, 1, 1))

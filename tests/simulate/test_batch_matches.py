"""The compiled loops make whole matches and mixed tables as they are made one by one, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from belot_stats import row_records, simulated_rows
from belot_stats.checker import check_deal
from belot_stats.deal import Deal
from belot_stats.errors import UsageError
from belot_stats.rows import deals_table
from belot_stats.rules import batch_matches
from belot_stats.rules.batch_matches import HUNG_DEALS, make_matches, match_deals
from belot_stats.rules.compiling import rules_record
from belot_stats.rules.deal_rows import DEAL, MATCH, STANDING, new_workspace
from belot_stats.ruleset import RuleSet, load_ruleset, ruleset_names
from belot_stats.simulated_rows import has_loop, made_rows, seat_policies, simulated_tables, whole_table
from belot_stats.simulator.job import SimulationJob
from belot_stats.simulator.matches import MATCHES, MOST_PASSED_IN_A_ROW, open_room
from tests.strategies import floor_card_rules, rule_sets

MIXES = {2: "random,sensible", 3: "sensible,random,random", 4: "random, sensible"}
POLICIES = ("random", "sensible", "mixed")
HANGING = {
    "hung_policy": "one_by_one",
    "no_exit_while_hanging": False,
    "declarations": "none",
    "belote_points": 0,
}
ONE_BY_ONE = load_ruleset("belot-bg", {"target": 301, **HANGING})
OTHER_RULES: list[tuple[str, dict[str, Any]]] = [
    ("belot-bg", {"cut_only": True}),
    ("belot-ru-3p", {"cut_only": True, "target": 1501}),
    ("belot-1001-2p", {"seven_exchange": True, "hung_policy": "one_by_one"}),
    ("belot-world", {"multipliers": [2, 4, 0], "kirtik": 10}),
    ("belot-bg", {"target": 301, "both_reach": "last_trick", "no_exit_on_capot": False}),
    ("baloot-regulation", {"target": 400}),
    ("bela-3p", {"next_dealer": "top_scorer", "no_exit_while_hanging": True}),
]


def job_of(rules: RuleSet, policy: str, seed: int = 7, unit: str = "matches") -> SimulationJob:
    return SimulationJob(rules, MIXES[rules.players] if policy == "mixed" else policy, seed, unit)


def unplaced(deals: Iterator[Deal]) -> list[Deal]:
    return [msgspec.structs.replace(deal, line=0) for deal in deals]


def made_by_loop(job: SimulationJob, numbers: range) -> list[Deal]:
    room = open_room(job.ruleset, job.policy, job.seed, MATCHES, numbers.start, len(numbers))
    return [
        deal
        for rows, standings in made_rows(job, numbers)
        for deal in unplaced(row_records.row_deals(room, rows, standings))
    ]


def compare(job: SimulationJob, numbers: range) -> list[Deal]:
    """Both ways give the same records, and the same table; returns the records."""
    deals = list(job(numbers))
    if job.unit == "matches":
        assert made_by_loop(job, numbers) == deals
    one_by_one = deals_table(check_deal(deal, job.ruleset) for deal in deals)
    table = whole_table(job, numbers)
    assert [name for name in table.column_names if not table[name].equals(one_by_one[name])] == []
    assert table.equals(one_by_one)
    return deals


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ruleset_names())
def test_matches_are_those_made_one_by_one(name: str, policy: str) -> None:
    deals = compare(job_of(load_ruleset(name), policy), range(4, 7))
    assert sum(deal.claimed.winner is not None for deal in deals) == 3


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "options"), OTHER_RULES)
def test_by_other_rules_too(name: str, options: dict[str, Any], policy: str) -> None:
    compare(job_of(load_ruleset(name, options), policy, seed=8), range(1, 5))


@pytest.mark.parametrize("name", ruleset_names())
def test_mixed_tables_play_single_deals(name: str) -> None:
    compare(job_of(load_ruleset(name), "mixed", unit="deals"), range(11, 41))


@settings(deadline=None, derandomize=True, max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    rules=st.one_of(rule_sets(), floor_card_rules()), policy=st.sampled_from(POLICIES), seed=st.integers(0)
)
def test_matches_by_rules_that_nobody_has(rules: RuleSet, policy: str, seed: int) -> None:
    job = job_of(rules, policy, seed % 2**64)
    deals = []
    for deal in job(range(2, 4)):
        deals.append(deal)
        assume(len(deals) < 400)  # a few of the rule sets hardly ever end a match
    assert made_by_loop(job, range(2, 4)) == deals
    assert whole_table(job, range(2, 4)).equals(deals_table(check_deal(deal, rules) for deal in deals))


def test_players_declare_out() -> None:
    out = compare(job_of(load_ruleset("belot-ru-3p"), "sensible"), range(1, 12))
    assert sum(deal.end == "declared_out" for deal in out) > 3


def chained_matches(rules: RuleSet) -> list[int]:
    """Matches in which the points of an older deal are won and those of a later one hang on."""
    found = []
    for _, standings in made_rows(job_of(rules, "sensible"), range(1, 3001)):
        hung = standings["hanging"]
        places = np.flatnonzero((hung[:-1] > hung[1:]) & (hung[1:] > 0)) + 1
        found += standings["match"][places].tolist()
    return sorted(set(found))


def test_points_of_several_deals_hang_and_are_won_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = chained_matches(ONE_BY_ONE)[:3]
    assert len(numbers) == 3
    pieces = len(list(match_deals(ONE_BY_ONE, 0b1111, 7, range(numbers[0], numbers[0] + 1), "m")))
    monkeypatch.setattr(batch_matches, "HUNG_DEALS", 1)
    assert len(list(match_deals(ONE_BY_ONE, 0b1111, 7, range(numbers[0], numbers[0] + 1), "m"))) > pieces
    for number in numbers:
        compare(job_of(ONE_BY_ONE, "sensible"), range(number, number + 1))


def test_contras_of_no_trumps_wait_for_the_totals() -> None:
    deals = compare(job_of(load_ruleset("baloot-regulation"), "random"), range(1, 15))
    doubled = [deal for deal in deals if deal.claimed.contract == 4 and deal.claimed.level != 1]
    assert doubled
    before = {(deal.match, deal.deal + 1): deal.claimed.total or () for deal in deals}
    assert all(max(before[deal.match, deal.deal]) > 100 for deal in doubled)


@pytest.mark.parametrize("most_rows", [1, 7, 10_000])
@pytest.mark.parametrize("options", [{}, {"cut_only": True}])
def test_a_loop_goes_on_where_it_stopped(most_rows: int, options: dict[str, Any]) -> None:
    rules = load_ruleset("belot-1001-3p", options)
    whole = [np.concatenate(pair) for pair in zip(*match_deals(rules, 5, 3, range(1, 9), "m"), strict=True)]
    pieces = list(match_deals(rules, 5, 3, range(1, 9), "m", most_rows))
    assert max(len(rows) for rows, _ in pieces) <= most_rows
    assert (np.concatenate([rows for rows, _ in pieces]) == whole[0]).all()
    assert (np.concatenate([standings for _, standings in pieces]) == whole[1]).all()


def test_a_match_depends_on_its_number_alone() -> None:
    job = job_of(load_ruleset("belot-bg"), "sensible")
    whole, last = made_by_loop(job, range(1, 9)), made_by_loop(job, range(8, 9))
    assert whole[-len(last) :] == last


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_seeds_and_numbers_use_all_their_bits(seed: int) -> None:
    compare(job_of(load_ruleset("belot-bg"), "random", seed), range(2**64 - 3, 2**64))


def test_long_auctions_are_kept_as_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """No row of a table has places for all the calls there can be."""
    job = job_of(load_ruleset("belot-bg"), "random")
    monkeypatch.setattr(simulated_rows, "MOST_CALLS", 12)
    left_out = [deal for _, deals in simulated_tables(job, range(1, 9)) for deal in deals]
    assert len(left_out) > 3
    compare(job, range(1, 9))


def test_a_match_that_comes_to_no_end_is_given_up() -> None:
    rules, m = load_ruleset("belot-bg"), np.zeros(1, dtype=MATCH)[0]
    m["match"] = m["left"] = m["deal"] = 1
    m["passed"] = MOST_PASSED_IN_A_ROW
    rows, standings = np.zeros(5, dtype=DEAL), np.zeros(5, dtype=STANDING)
    hung, space = np.zeros(HUNG_DEALS, dtype=np.int64), new_workspace(rules)
    assert make_matches(rules_record(rules), 0, np.uint64(1), rows, standings, hung, m, space) == 0
    with pytest.raises(UsageError, match="match x-00000001: 1000 deals in a row were passed out"):
        batch_matches.check_end(m, "x-")


def test_only_these_policies_have_loops() -> None:
    rules = load_ruleset("belot-bg")
    assert seat_policies("sensible", 4) == 0b1111
    assert seat_policies("random,sensible", 4) == 0b1010
    assert not has_loop(SimulationJob(rules, "random,mine:Own", 1, "matches"))
    assert not has_loop(SimulationJob(rules, "random,random,sensible", 1, "deals"))
    assert not has_loop(SimulationJob(rules, "random", 1, "deals", is_compiled=False))

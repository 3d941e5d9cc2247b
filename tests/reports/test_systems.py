"""Reports over simulated matches of systems of every kind in one warehouse, against counts in plain Python."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from belot_stats.cards import CARD_NAMES, cards_in
from belot_stats.queries import list_reports, run_report
from belot_stats.report_files import Value
from belot_stats.ruleset import RuleSet, load_ruleset
from belot_stats.simulated import write_simulated
from belot_stats.simulator.job import SimulationJob
from belot_stats.views import charts, render
from belot_stats.warehouse import Warehouse

Row = dict[str, Any]
# Deals played after all passed, players who declare themselves out, exchanges, a turn-up that is taken, three
# sides, 24 cards, hands of nine, and one name with two sets of values.
SYSTEMS: list[tuple[str, dict[str, Any], str, int]] = [
    ("belot-ru-pairs", {}, "sensible", 2), ("belot-ru-3p", {}, "random", 1), ("belot-1001-2p", {}, "random", 1),
    ("bela-3p", {}, "random", 1), ("bela-2p", {}, "sensible", 1), ("bela-2p", {"target": 101}, "sensible", 1),
    ("belote-fr", {}, "sensible", 1), ("baloot", {}, "sensible", 1), ("belot-bg", {}, "sensible", 1),
]  # fmt: skip
MATCHES = 24
DECIDED = ("made", "failed", "hanging")


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    root = tmp_path_factory.mktemp("systems") / "w"
    for name, options, policy, seed in SYSTEMS:
        rules = load_ruleset(name, options)
        job = SimulationJob(rules, policy, seed, "matches")
        write_simulated(root, rules, policy, seed, range(1, MATCHES + 1), job, unit="matches")
    return Warehouse(root)


@pytest.fixture(scope="module")
def deals(warehouse: Warehouse) -> list[Row]:
    return warehouse.sql("select * from raw_deals").to_arrow_table().to_pylist()


def rules_by_hash() -> dict[str, RuleSet]:
    return {rules.hash: rules for rules in (load_ruleset(name, more) for name, more, _, _ in SYSTEMS)}


def answer(warehouse: Warehouse, name: str, **params: Value) -> list[Row]:
    return run_report(warehouse, name, params).table.to_pylist()


def by_rules(deals: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for deal in deals:
        groups[deal["rules_hash"]].append(deal)
    return groups


def test_the_warehouse_holds_what_these_tests_are_about(deals: list[Row]) -> None:
    assert set(by_rules(deals)) == set(rules_by_hash())
    outcomes = Counter(deal["outcome"] for deal in deals)
    assert min(outcomes[name] for name in (*DECIDED, "passed", "all_pass", "declared_out")) > 0
    assert any(deal["exchange_seat"] is not None for deal in deals)
    assert any(len(deal["points"]) == 3 for deal in deals)


OUTCOME_COLUMNS = {
    "made": "made", "failed": "failed", "hanging": "hanging", "passed": "passed_out", "all_pass": "all_pass",
    "declared_out": "declared_out", "penalty": "penalties", "unfinished": "unfinished",
}  # fmt: skip


def test_every_deal_is_in_one_column_of_contract_success(warehouse: Warehouse, deals: list[Row]) -> None:
    rows = answer(warehouse, "contract-success", contracts="all", by_level=False, by_position=False)
    assert len(rows) == len(rules_by_hash())
    for row in rows:
        outcomes = Counter(deal["outcome"] for deal in by_rules(deals)[row["rules_hash"]])
        assert {name: row[column] for name, column in OUTCOME_COLUMNS.items() if row[column]} == dict(
            outcomes
        )
        assert row["deals"] == outcomes.total()


def test_every_deal_is_in_one_column_of_the_overview(warehouse: Warehouse, deals: list[Row]) -> None:
    for row in answer(warehouse, "overview"):
        outcomes = Counter(deal["outcome"] for deal in by_rules(deals)[row["rules_hash"]])
        counted = {name: row[column] for name, column in OUTCOME_COLUMNS.items() if column in row}
        assert counted == {name: outcomes[name] for name in counted}
        assert row["decided"] == sum(outcomes[name] for name in DECIDED)
        rules = rules_by_hash()[row["rules_hash"]]
        assert (row["seats"], row["target"], row["matches"]) == (rules.players, rules.target, MATCHES)
        assert row["finished_matches"] == MATCHES
        assert row["match_deals_mean"] == pytest.approx(row["deals"] / MATCHES)


def test_contracts_levels_and_points(warehouse: Warehouse, deals: list[Row]) -> None:
    expected: dict[Any, list[Row]] = defaultdict(list)
    for deal in deals:
        if deal["declarer"] is not None:
            expected[deal["rules_hash"], "CDHSNA"[deal["contract"]], deal["level"]].append(deal)
    letters = {
        "clubs": "C",
        "diamonds": "D",
        "hearts": "H",
        "spades": "S",
        "no trumps": "N",
        "all trumps": "A",
    }
    rows = answer(warehouse, "contract-success", by_position=False)
    found = {
        (r["rules_hash"], letters[r["contract"]], r["level"]): r for r in rows if r["contract"] != "none"
    }
    assert found.keys() == expected.keys()
    for key, group in expected.items():
        row, decided = found[key], [deal for deal in group if deal["outcome"] in DECIDED]
        assert (row["deals"], row["decided"]) == (len(group), len(decided))
        assert row["made"] == sum(deal["outcome"] == "made" for deal in decided)
        own = [deal["points"][deal["declarer_side"]] for deal in decided]
        others = [
            [*d["points"][: d["declarer_side"]], *d["points"][d["declarer_side"] + 1 :]] for d in decided
        ]
        if decided:
            assert row["declarer_points_median"] == statistics.median(own)
            assert row["defender_points_mean"] == pytest.approx(statistics.mean(map(sum, others)))
            assert row["best_defender_points_mean"] == pytest.approx(statistics.mean(map(max, others)))


def test_nobody_makes_or_fails_what_nobody_ordered(warehouse: Warehouse, deals: list[Row]) -> None:
    nobody = {
        key: [deal for deal in group if deal["declarer"] is None] for key, group in by_rules(deals).items()
    }
    rows = [row for row in answer(warehouse, "contract-success") if row["contract"] == "none"]
    assert {row["rules_hash"]: row["deals"] for row in rows} == {k: len(g) for k, g in nobody.items() if g}
    assert all((row["decided"], row["level"], row["made_rate"]) == (0, None, None) for row in rows)
    assert sum(row["all_pass"] for row in rows) == sum(deal["outcome"] == "all_pass" for deal in deals) > 0


def nets_of_players(deals: list[Row]) -> dict[tuple[str, str], list[float]]:
    nets: dict[tuple[str, str], list[float]] = defaultdict(list)
    for deal in deals:
        if deal["is_scored"]:
            rules = rules_by_hash()[deal["rules_hash"]]
            for seat, player in enumerate(deal["players"]):
                side = seat % 2 if rules.partners else seat
                others = [score for number, score in enumerate(deal["score"]) if number != side]
                nets[deal["rules_hash"], player].append(deal["score"][side] - statistics.mean(others))
    return nets


def test_net_is_against_the_average_of_the_others(warehouse: Warehouse, deals: list[Row]) -> None:
    nets = nets_of_players(deals)
    rows = answer(warehouse, "player-summary")
    assert {(row["rules_hash"], row["player"]) for row in rows if row["scored"]} == nets.keys()
    for row in rows:
        group = nets[row["rules_hash"], row["player"]]
        assert row["scored"] == len(group)
        assert row["net_mean"] == pytest.approx(statistics.mean(group))
        assert row["net_median"] == pytest.approx(statistics.median(group))
        names = [column for name, column in OUTCOME_COLUMNS.items() if name not in DECIDED]
        assert row["deals"] == row["decided"] + sum(row[name] for name in names)


def test_what_some_win_others_lose(warehouse: Warehouse) -> None:
    sums: dict[str, float] = defaultdict(float)
    for row in answer(warehouse, "player-summary"):
        sums[row["rules_hash"]] += row["net_mean"] * row["scored"]
    assert sums.keys() == rules_by_hash().keys()
    assert all(total == pytest.approx(0, abs=1e-6) for total in sums.values())


def test_one_side_wins_each_finished_match(warehouse: Warehouse) -> None:
    won, finished = Counter[str](), Counter[str]()
    for row in answer(warehouse, "player-summary"):
        won[row["rules_hash"]] += row["won"]
        finished[row["rules_hash"]] += row["finished"]
    for key, rules in rules_by_hash().items():
        seats_a_side = 2 if rules.partners else 1
        assert (won[key], finished[key]) == (MATCHES * seats_a_side, MATCHES * rules.players)


def bid_on(deal: Row, with_turn_up: bool) -> set[str]:
    """Names of the cards that a declarer counts on."""
    seat = deal["declarer"]
    cards = {CARD_NAMES[card] for card in cards_in(deal["first_hands"][seat])}
    if with_turn_up and deal["turn_up"] and deal["turn_up"][0] in cards_in(deal["dealt_hands"][seat]):
        cards.add(CARD_NAMES[deal["turn_up"][0]])
    return cards


@pytest.mark.parametrize("with_turn_up", [True, False])
def test_trumps_and_declarations_of_the_hand_bid_on(
    warehouse: Warehouse, deals: list[Row], with_turn_up: bool
) -> None:
    expected = Counter[tuple[str, int, bool]]()
    for deal in deals:
        if deal["outcome"] in DECIDED and deal["contract"] < 4:
            cards = bid_on(deal, with_turn_up)
            trumps = sum(card[1] == "CDHS"[deal["contract"]] for card in cards)
            expected[deal["rules_hash"], trumps, has_declaration(cards)] += 1
    only = {
        "by_jacks_and_nines": False,
        "by_aces": False,
        "by_declaration": True,
        "with_turn_up": with_turn_up,
    }
    rows = [row for row in answer(warehouse, "hand-strength", **only) if row["contract_class"] == "suit"]
    assert {(r["rules_hash"], r["trump_count"], r["has_declaration"]): r["deals"] for r in rows} == expected


def has_declaration(cards: set[str]) -> bool:
    runs = any({a + suit, b + suit, c + suit} <= cards for suit in "CDHS" for a, b, c in triples("789TJQKA"))
    return runs or any({rank + suit for suit in "CDHS"} <= cards for rank in "9TJQKA")


def triples(ranks: str) -> Iterator[str]:
    return (ranks[first : first + 3] for first in range(len(ranks) - 2))


def test_declarations_stand_beside_the_chance_of_their_own_pack(
    warehouse: Warehouse, deals: list[Row]
) -> None:
    rows = answer(warehouse, "declaration-frequency")
    sizes = {"belot-bg": (32, 8), "bela-3p": (24, 8), "bela-2p": (24, 9), "belot-1001-2p": (32, 9)}
    for name, size in sizes.items():
        assert {(row["pack_size"], row["hand_size"]) for row in rows if row["rules"] == name} == {size}
    tierces = {(row["rules"], row["holding_chance"]) for row in rows if row["kind"] == "tierce"}
    chances = [dict(tierces)[name] for name in sizes]
    assert chances == pytest.approx([0.19219, 0.28139, 0.36969, 0.26242], abs=5e-6)
    expected = Counter[tuple[str, str]]()
    for deal in deals:
        if deal["outcome"] in (*DECIDED, "all_pass"):
            contract = (
                "all passed" if deal["outcome"] == "all_pass" else ("suit",) * 4 + ("no trumps", "all trumps")
            )
            of = contract if isinstance(contract, str) else contract[deal["contract"]]
            expected[deal["rules_hash"], of] += sum(
                x["kind"] == "tierce" for x in deal["declaration_results"]
            )
    found = {(r["rules_hash"], r["contract_class"]): r["announced"] for r in rows if r["kind"] == "tierce"}
    assert found == {key: expected[key] for key in found}
    assert sum(found.values()) == expected.total() > 0


@pytest.mark.parametrize("name", ["rounding-edge-cases", "rounding-edge-deals"])
def test_only_systems_that_round_to_tens_have_edges(warehouse: Warehouse, name: str) -> None:
    rows = answer(warehouse, name)
    assert {(row["rules"], row["rounding"]) for row in rows} == {
        ("belot-bg", "shared_tens"), ("bela-2p", "each_alone"),
    }  # fmt: skip


def test_edges_are_of_undoubled_deals_without_a_capot(warehouse: Warehouse, deals: list[Row]) -> None:
    rows = answer(warehouse, "rounding-edge-cases")
    for key, group in by_rules(deals).items():
        rounding = [
            deal
            for deal in group
            if deal["rules"] in ("belot-bg", "bela-2p")
            and deal["outcome"] in ("made", "hanging")
            and deal["level"] == 1
            and deal["capot_side"] is None
        ]
        assert sum(row["deals"] for row in rows if row["rules_hash"] == key) == len(rounding)
        up = sum(
            10 * score > points
            for d in rounding
            for score, points in zip(d["score"], d["points"], strict=True)
        )
        found = sum(r["low_rounded_up"] + r["high_rounded_up"] for r in rows if r["rules_hash"] == key)
        assert found == up


def test_tricks_have_a_card_a_seat(warehouse: Warehouse, deals: list[Row]) -> None:
    query = "select rules_hash, min(len(cards)), max(len(cards)), count(*) from tricks group by all"
    found = {key: (low, high, count) for key, low, high, count in warehouse.sql(query).fetchall()}
    for key, group in by_rules(deals).items():
        players = rules_by_hash()[key].players
        assert found[key] == (players, players, sum(len(deal["trick_winners"]) for deal in group))
    led_by_another = "select count(*) from tricks where cards[1] is null or leader_seat is null"
    assert warehouse.sql(led_by_another).fetchall() == [(0,)]


def test_no_report_mixes_rule_sets(warehouse: Warehouse) -> None:
    for report in list_reports():
        table = run_report(warehouse, report).table
        if report.name not in ("audit-summary", "record-balance"):  # these are of files
            assert {"rules", "rules_hash"} <= set(table.column_names), report.name


def test_charts_of_many_systems_stay_readable(warehouse: Warehouse) -> None:
    for report in list_reports():
        result = run_report(warehouse, report)
        if not charts.has_chart(result):
            continue
        panels = charts._panels(result)
        assert len(panels) <= charts.MOST_PANELS
        assert all(len(set(panel.series)) <= len(charts.SERIES) for panel in panels)
        assert sum(len(panel.rows) for panel in panels) <= charts.MOST_LINES, report.name
    svg = charts.to_svg(run_report(warehouse, "contract-success"))
    assert f"the {charts.MOST_PANELS} largest of {len(rules_by_hash())} rule sets" in svg


def test_all_of_it_is_one_page(warehouse: Warehouse) -> None:
    page = render([run_report(warehouse, report) for report in list_reports()], "html")
    assert isinstance(page, str)
    assert all(name in page for name, _, _, _ in SYSTEMS)

"""Relations: their grain, and what they join."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from belot_stats.cards import parse_cards
from belot_stats.queries import create_relations, relation_names
from tests.reports.tables import Row, chunk, connect, deal_row, ledger_row, passed_row, random_tables

KEYS = {
    "rule_sets": "rules_hash", "chunks": "file, chunk_number", "files": "file", "counted_deals": "source, match, deal",
    "deals": "source, match, deal", "tricks": "source, match, deal, trick", "calls": "source, match, deal, call_index",
    "declarations": "source, match, deal, announcement", "seats": "source, match, deal, seat",
    "matches": "source, match",
    "quarantine": "file, line",
}  # fmt: skip
WITHOUT_KEY = {"findings", "problems"}  # the same finding can stand twice in a record


def ready(**tables: Any) -> duckdb.DuckDBPyConnection:
    connection = connect(**tables)
    create_relations(connection)
    return connection


def rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def crowd() -> duckdb.DuckDBPyConnection:
    return ready(**random_tables(600))


@pytest.mark.parametrize(("name", "key"), KEYS.items())
def test_keys_are_unique(crowd: duckdb.DuckDBPyConnection, name: str, key: str) -> None:
    [(total, distinct)] = rows(crowd, f"select count(*), count(distinct ({key})) from {name}")
    assert total > 0
    assert total == distinct


def test_every_relation_has_a_key() -> None:
    assert set(relation_names()) == set(KEYS) | WITHOUT_KEY


def two_files() -> dict[str, list[Row]]:
    """f1: chunk p1 from line 1 and p2 from line 101; f2: p2 again from line 1, and p3, whose deal m1/1 is a copy."""
    return {
        "deals": [
            deal_row("m1", 1),
            deal_row("m1", 2, part="p2", line=4),
            deal_row("m1", 1, part="p3", line=9),
        ],
        "duplicates": [
            {"source": "srv", "match": "m1", "deal": 1, "part": "p3", "line": 9, "reason": "copy"}
        ],
        "findings": [
            {
                "part": "p2",
                "source": "srv",
                "match": "m1",
                "deal": 2,
                "line": 4,
                "code": "revoke",
                "severity": "illegal",
            },
            {
                "part": "p3",
                "source": "srv",
                "match": "m1",
                "deal": 1,
                "line": 9,
                "code": "revoke",
                "severity": "illegal",
            },
        ],
        "ledger": [
            ledger_row("f1", [chunk("p1"), chunk("p2", 101)], read=2),
            ledger_row("f2", [chunk("p2"), chunk("p3", 51)], read=2),
        ],
        "match_findings": [
            {"source": "srv", "match": "m1", "code": "match-unfinished", "severity": "error"},
            {"file": "f2", "line": 60, "code": "foreign-tail", "severity": "error"},
        ],
        "quarantine": [{"part": "p2", "line": 7, "byte": 30, "code": "bad-card", "raw": b"{}"}],
    }


def test_a_deal_counts_once_at_its_line_in_its_file() -> None:
    connection = ready(**two_files())
    places = rows(connection, "select deal, file, file_name, line from deals order by deal")
    assert places == [(1, "f1", "/logs/f1.jsonl", 1), (2, "f1", "/logs/f1.jsonl", 104)]


def test_findings_stand_in_every_file() -> None:
    connection = ready(**two_files())
    found = rows(connection, "select file, line, code, pass, is_copy from findings order by all nulls last")
    assert found == [
        ("f1", 104, "revoke", "deal", False),
        ("f2", 4, "revoke", "deal", True),
        ("f2", 59, "revoke", "deal", True),
        ("f2", 60, "foreign-tail", "file", False),
        (None, None, "match-unfinished", "match", False),
    ]


def test_files_balance_in_records() -> None:
    tables = two_files()
    tables["ledger"] = [
        ledger_row("f1", [chunk("p1"), chunk("p2", 101)], read=3),
        ledger_row("f2", [chunk("p2"), chunk("p3", 51)], read=3),
    ]
    counts = "count_read, count_accepted, count_quarantined, count_skipped, count_missing"
    assert rows(ready(**tables), f"select {counts} from files order by file") == [
        (3, 2, 1, 0, 0),
        (3, 0, 1, 2, 0),
    ]


def test_quarantine_has_its_line_and_byte_in_each_file() -> None:
    found = rows(ready(**two_files()), "select file, line, byte from quarantine order by all")
    assert found == [("f1", 107, 30), ("f2", 7, 30)]


def test_problems_unite_findings_and_quarantine() -> None:
    tables = two_files()
    problems = [{"code": "bad-card", "message": "1C"}, {"code": "bad-seat", "message": "9"}]
    tables["quarantine"][0]["problems"] = problems
    found = rows(
        ready(**tables),
        "select code, count(*) from problems where pass = 'record' group by code order by code",
    )
    assert found == [("bad-card", 2), ("bad-seat", 2)]


def test_calls_go_round_from_the_seat_after_the_dealer() -> None:
    connection = ready(deals=[deal_row("m1", 1, dealer=2, auction=[6, 2, 7, 8, 6, 6, 6])])
    called = rows(connection, "select call_index, call_name, seat, side, player from calls order by 1")
    assert called[:5] == [
        (0, "P", 3, 1, "dee"), (1, "H", 0, 0, "ann"), (2, "X", 1, 1, "bob"), (3, "XX", 2, 0, "cid"),
        (4, "P", 3, 1, "dee"),
    ]  # fmt: skip


def test_a_log_without_an_auction_has_no_calls() -> None:
    assert rows(ready(deals=[deal_row("m1", 1, auction=None)]), "select * from calls") == []


def test_tricks_are_led_by_the_winner_of_the_one_before() -> None:
    plays = parse_cards("7C 8C 9C TC 7D 8D 9D TD 7H")
    deal = deal_row("m1", 1, trick_leaders=[3, 2], plays=plays, trick_winners=[2, 1], trick_points=[10, 11])
    found = rows(
        ready(deals=[deal]),
        "select trick, leader_seat, winner_seat, winner_side, trick_points, cards from tricks",
    )
    assert sorted(found) == [(0, 3, 2, 0, 10, plays[:4]), (1, 2, 1, 1, 11, plays[4:8])]


def test_three_players_are_three_sides() -> None:
    deal = deal_row(
        "m1", 1, rules="belot-ru-3p", rules_hash="h3", players=["ann", "bob", "cid"], dealer=2, auction=[6, 2, 6],
        plays=parse_cards("7C 8C 9C"), trick_leaders=[0], trick_winners=[2], trick_points=[0], tricks_won=[0, 0, 9],
        points=[20, 40, 102], score=[20, 40, 102], declarer=2, declarer_side=2,
    )  # fmt: skip
    connection = ready(deals=[deal])
    columns = "seat, side, position, side_points, other_points, is_declarer"
    assert rows(connection, f"select {columns} from seats order by 1") == [
        (0, 0, 1, 20, 142, False), (1, 1, 2, 40, 122, False), (2, 2, 3, 102, 60, True),
    ]  # fmt: skip
    assert rows(connection, "select winner_side, len(cards) from tricks") == [(2, 3)]


def test_passed_deals_have_seats_but_no_declarer() -> None:
    found = rows(
        ready(deals=[passed_row("m1", 1)]), "select is_declarer, is_declarer_side, side_points from seats"
    )
    assert found == [(False, False, None)] * 4


def test_a_deal_without_names_has_the_seats_of_its_rules() -> None:
    found = rows(
        ready(deals=[deal_row("m1", 1, players=None, dealt_hands=None)]), "select seat, player from seats"
    )
    assert sorted(found) == [(0, None), (1, None), (2, None), (3, None)]


def test_standings_stand_beside_the_deal() -> None:
    standing = {
        "source": "srv", "match": "m1", "deal": 1, "hanging_in": 8, "score": [6, 18], "score_1": 18, "total": [30, 41],
        "total_1": 41,
    }  # fmt: skip
    connection = ready(deals=[deal_row("m1", 1), deal_row("m1", 2)], standings=[standing])
    found = rows(
        connection, "select deal, score_1, hanging_in, match_score_1, total_1 from deals order by deal"
    )
    assert found == [(1, 10, 8, 18, 41), (2, 10, None, None, None)]


def test_announcements_are_numbered_through() -> None:
    tierce = {"seat": 0, "side": 0, "kind": "tierce", "cards": 7, "points": 20, "at": 0, "status": "beaten"}
    belote = {"seat": 1, "side": 1, "suit": 3, "at": 9, "status": "counted"}
    connection = ready(deals=[deal_row("m1", 1, declaration_results=[tierce], belote_results=[belote])])
    found = rows(
        connection, "select announcement, kind, rank_class, seat, is_counted from declarations order by 1"
    )
    assert found == [(0, "tierce", "tierce", 0, False), (1, "belote", "belote-spades", 1, True)]


def test_rule_sets_tell_players_pack_and_hand() -> None:
    columns = (
        "rules, players, side_count, pack_size, first_hand_size, hand_size, unseen_count, rounding, target"
    )
    found = rows(
        ready(), f"select {columns} from rule_sets where rules_hash in ('h1', 'h3', 'h5') order by 1 desc"
    )
    assert found == [
        ("belot-ru-3p", 3, 3, 32, 6, 9, 5, "none", 501), ("belot-bg", 4, 2, 32, 5, 8, 0, "shared_tens", 151),
        ("bela-2p", 2, 2, 24, 6, 9, 6, "each_alone", 151),
    ]  # fmt: skip


def test_defenders_of_three_sides_are_together_and_apart() -> None:
    deal = deal_row(
        "m1", 1, rules_hash="h3", points=[50, 70, 42], score=[0, 95, 67], declarer=0, declarer_side=0,
        tricks_won=[3, 4, 2], outcome="failed",
    )  # fmt: skip
    columns = "declarer_points, defender_points, best_defender_points, declarer_score, defender_score"
    assert rows(ready(deals=[deal]), f"select {columns} from deals") == [(50, 112, 70, 0, 162)]


def test_a_round_offers_its_turned_up_card() -> None:
    one, two = parse_cards("TH 7S")
    passes = [6] * 4
    connection = ready(
        deals=[
            deal_row(
                "m1",
                1,
                rules_hash="h7",
                dealer=2,
                players=["a", "b", "c"],
                turn_up=[one, two],
                auction=[*passes, 3],
            ),
            deal_row(
                "m2",
                1,
                rules_hash="h3",
                dealer=2,
                players=["a", "b", "c"],
                turn_up=[one],
                auction=[*passes, 3],
            ),
            deal_row("m3", 1, auction=[*passes]),
            # Baloot: hearts called first, then doubled and passed by the others: all of it is the first round
            deal_row("m4", 1, rules_hash="h8", turn_up=[one], auction=[6, 2, 6, 6, 6, 7, 6]),
        ]
    )
    found = rows(
        connection, "select match, round, offered_card, count(*) from calls group by all order by all"
    )
    assert found == [
        ("m1", 1, one, 3), ("m1", 2, two, 2), ("m2", 1, one, 3), ("m2", 2, one, 2), ("m3", None, None, 4),
        ("m4", 1, one, 7),
    ]  # fmt: skip


def test_an_announcement_knows_its_trick() -> None:
    tierce = {"seat": 0, "side": 0, "kind": "tierce", "cards": 7, "points": 20, "at": 6, "status": "counted"}
    connection = ready(deals=[deal_row("m1", 1, rules_hash="h7", declaration_results=[tierce])])
    assert rows(connection, "select announced_at, trick from declarations") == [(6, 2)]


def test_relations_are_made_once() -> None:
    connection = ready()
    create_relations(connection)
    assert rows(connection, "select count(*) from deals") == [(0,)]

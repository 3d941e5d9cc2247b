"""Each report: a small input, and the table worked out by hand.

``expected/NAME.csv`` was written from the arithmetic in the comments here, not from the program's output.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from belot_stats.queries import list_reports, run_report
from belot_stats.report_files import COMMON_PARAMETERS, Value
from belot_stats.summaries import summary_sql
from belot_stats.views.tables import to_csv
from tests.reports.tables import NOON, Row, chunk, connect, deal_row, hand, ledger_row, passed_row

EXPECTED = Path(__file__).parent / "expected"


def answer(connection: duckdb.DuckDBPyConnection, name: str, **params: Value) -> list[str]:
    """Lines of the answer as CSV, floating point to three decimals."""
    result = run_report(connection, name, params)
    columns = [
        [round(v, 3) if isinstance(v, float) else v for v in column.to_pylist()]
        for column in result.table.columns
    ]
    import pyarrow as pa

    arrays = [
        pa.array(values, field.type) for values, field in zip(columns, result.table.schema, strict=True)
    ]
    table = pa.Table.from_arrays(arrays, schema=result.table.schema)
    return to_csv(type(result)(report=result.report, parameters=result.parameters, table=table)).splitlines()


def expected(name: str) -> list[str]:
    return (EXPECTED / f"{name}.csv").read_text(encoding="utf-8").splitlines()


def contracts() -> list[Row]:
    # hearts by seat 1: m1 made, failed, hanging; m2 capot, passed out, unfinished, made with an illegal card.
    # made: m1 1 of 3, m2 2 of 2: r = 0.6, variance 2/1 * (0.8² + 0.8²) / 25 = 0.1024, of independent deals 0.048,
    # design effect 2.1333, effective n 2.34375; Wilson (0.1468, 0.9289).
    # capots: m1 0 of 3, m2 1 of 2: r = 0.2, 2 * (0.6² + 0.6²) / 25 = 0.0576 over 0.032 = 1.8; Wilson (0.0232, 0.7251).
    return [
        deal_row("m1", 1),
        deal_row("m1", 2, outcome="failed", is_made=False, points=[100, 62], score=[16, 0]),
        deal_row("m1", 3, outcome="hanging", is_made=None, points=[81, 81], score=[8, 0], hanging=8),
        deal_row("m2", 1, points=[0, 252], score=[0, 25], capot_side=1, line=4),
        passed_row("m2", 2, line=5),
        deal_row(
            "m2", 3, outcome="unfinished", is_scored=False, is_made=None, points=[10, 20], score=[], line=6
        ),
        deal_row("m2", 4, points=[72, 90], score=[7, 9], illegal_cards=1, line=7),
    ]


def test_contract_success() -> None:
    assert answer(connect(deals=contracts()), "contract-success") == expected("contract-success")


def test_contract_success_grouped_less() -> None:
    rows = answer(
        connect(deals=contracts()), "contract-success", contracts="all", by_level=False, by_position=False
    )
    assert [row.split(",")[:8] for row in rows[1:]] == [["belot-bg", "h1", "all", "", "", "7", "5", "3"]]


def test_contract_success_keeps_apart_equal_names_with_other_values() -> None:
    rows = answer(
        connect(deals=[deal_row("m1", 1), deal_row("m2", 1, line=2, rules_hash="h9")]), "contract-success"
    )
    assert [row.split(",")[1] for row in rows[1:]] == ["h1", "h9"]


@pytest.mark.parametrize(
    ("params", "deals"),
    [
        ({}, 7), ({"include_illegal": False}, 6), ({"match": "m1"}, 3), ({"player": "bob"}, 7), ({"player": "eve"}, 0),
        ({"rules": "belot-bg"}, 7), ({"rules": "h1"}, 7), ({"rules": "bela-4p"}, 0), ({"source": "other"}, 0),
    ],
)  # fmt: skip
def test_filters(params: dict[str, Value], deals: int) -> None:
    result = run_report(connect(deals=contracts()), "contract-success", params)
    assert sum(result.table.column("deals").to_pylist()) == deals


def declared() -> list[Row]:
    def said(seat: int, kind: str, status: str, cards: int = 7) -> Row:
        return {
            "seat": seat,
            "side": seat % 2,
            "kind": kind,
            "cards": cards,
            "points": 20,
            "at": 0,
            "status": status,
        }

    # tierce: two hands of four in each match, rate 4/8, no variance between matches, plain Wilson (0.215, 0.785);
    # nothing in eight hands: upper end z² / (8 + z²) = 0.324;
    # one in eight, all in one match: 2 * (0.5² + 0.5²) / 64 over 0.125 * 0.875 / 8 = 8/7,
    # effective n 7: (0.020, 0.495).
    tierces = [said(1, "tierce", "counted"), said(1, "tierce", "counted"), said(0, "tierce", "beaten")]
    ties = [said(0, "tierce", "tied"), said(1, "tierce", "tied")]
    belote = {"seat": 2, "side": 0, "suit": 2, "at": 9, "status": "counted"}
    return [
        deal_row("m1", 1, declaration_results=tierces, belote_results=[belote]),
        deal_row(
            "m2", 1, line=2, declaration_results=[*ties, said(3, "carre", "counted", hand("JC JD JH JS"))]
        ),
        deal_row(
            "m2", 2, line=3, outcome="unfinished", is_scored=False, trick_winners=[], declaration_results=ties
        ),
    ]


def test_declaration_frequency() -> None:
    assert answer(connect(deals=declared()), "declaration-frequency") == expected("declaration-frequency")


def test_declaration_frequency_without_ranks_in_the_log() -> None:
    carre = {
        "seat": 0,
        "side": 0,
        "kind": "carre",
        "cards": None,
        "points": 100,
        "at": 0,
        "status": "counted",
    }
    rows = answer(connect(deals=[deal_row("m1", 1, declaration_results=[carre])]), "declaration-frequency")
    assert [row.split(",")[3:8] for row in rows if "unknown" in row] == [
        ["carre-unknown", "1", "4", "1", "1"]
    ]


def edges() -> dict[str, list[Row]]:
    def standing(deal: int, score: list[int], total: list[int]) -> Row:
        return {
            "source": "srv", "match": "m1", "deal": deal, "hanging_in": 0, "hanging_out": 0, "score": score,
            "score_0": score[0], "score_1": score[1], "total": total, "total_0": total[0], "total_1": total[1],
        }  # fmt: skip

    all_trumps = {"contract": 5, "declarer": 2, "declarer_side": 0}
    return {
        "deals": [
            # 76-86: alone 8 + 9, together 8 + 8; before rounding side 1 leads by ten, after it nobody
            deal_row("m1", 1, points=[76, 86], score=[8, 8]),
            deal_row("m1", 2, points=[134, 124], score=[13, 13], **all_trumps),
            deal_row("m1", 3, points=[106, 106], score=[10, 0], hanging=11, outcome="hanging", is_made=None),
            deal_row("m1", 4),
            deal_row("m1", 5, level=2, score=[0, 32]),
            deal_row("m1", 6, outcome="failed", points=[100, 62], score=[16, 0]),
            deal_row("m2", 1, line=7, rules="belot-ru-3p", rules_hash="h3", points=[76, 86], score=[76, 86]),
        ],
        "standings": [
            standing(1, [8, 8], [8, 8]), standing(2, [13, 13], [21, 21]), standing(3, [10, 0], [31, 21]),
            standing(4, [6, 10], [37, 31]), standing(5, [0, 32], [37, 63]), standing(6, [16, 0], [53, 63]),
        ],
        "findings": [
            {"part": "p1", "source": "srv", "match": "m1", "deal": 4, "line": 4, "code": "wrong-rounding",
             "severity": "mismatch", "expected": "6-10", "found": "7-10"},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["rounding-edge-cases", "rounding-edge-deals"])
def test_rounding_edges(name: str) -> None:
    assert answer(connect(**edges()), name) == expected(name)


def test_rounding_edge_deals_can_list_all() -> None:
    everything = [*edges()["deals"], deal_row("m3", 1, line=8)]
    connection = connect(**(edges() | {"deals": everything}))
    assert len(answer(connection, "rounding-edge-deals", only_edges=False)) == 1 + 5
    assert len(answer(connection, "rounding-edge-deals")) == 1 + 4


def faults() -> dict[str, list[Row]]:
    def finding(line: int, deal: int, code: str, severity: str, expected: str, found: str) -> Row:
        return {
            "part": "p1", "source": "srv", "match": "m1", "deal": deal, "line": line, "code": code,
            "severity": severity, "expected": expected, "found": found,
        }  # fmt: skip

    missing = {
        "source": "srv",
        "match": "m1",
        "code": "missing-deal",
        "severity": "error",
        "expected": "deal 3",
        "found": "nothing",
    }
    return {
        "deals": [deal_row("m1", 1), deal_row("m1", 2), deal_row("m1", 1, line=3)],
        "duplicates": [
            {"source": "srv", "match": "m1", "deal": 1, "part": "p1", "line": 3, "reason": "conflict"}
        ],
        "quarantine": [
            {"part": "p1", "line": 4, "code": "bad-card", "message": "1C is no card", "raw": b"{}"}
        ],
        "findings": [
            finding(2, 2, "revoke", "illegal", "a heart", "8S"),
            finding(2, 2, "revoke", "illegal", "a heart", "8S"),
            finding(3, 1, "wrong-score", "mismatch", "6-10", "7-10"),
        ],
        "match_findings": [missing],
        "ledger": [ledger_row("f1", [chunk("p1")], read=4, stored=3, quarantined=1), ledger_row("f2", [])],
    }


@pytest.mark.parametrize("name", ["audit-summary", "record-balance"])
def test_audit(name: str) -> None:
    assert answer(connect(**faults()), name) == expected(name)


def test_audit_without_copies() -> None:
    rows = answer(connect(**faults()), "audit-summary", include_copies="no")
    assert not [row for row in rows if "wrong-score" in row]


def test_balance_shows_a_lost_record() -> None:
    lost = faults() | {"ledger": [ledger_row("f1", [chunk("p1")], read=5, stored=3, quarantined=1)]}
    assert run_report(connect(**lost), "record-balance").table.column("count_missing").to_pylist() == [1]


def played() -> dict[str, list[Row]]:
    # ann's side in m1: -4 and -32, in m2: -4: mean -40/3; residuals by match -28/3 and +28/3, variance
    # 2 * 2 * (28/3)² / 3² = 38.716, root 6.222, times t(1) = 12.706: 79.061 either way.
    spades = {
        "contract": 3,
        "declarer": 0,
        "declarer_side": 0,
        "declarer_position": 1,
        "dealer": 3,
        "level": 2,
    }
    return {
        "deals": [
            deal_row("m1", 1, finding_count=2, started_at=NOON),
            deal_row("m1", 2, outcome="failed", score=[0, 32], auction=[3, 7, 6, 6, 6], **spades),
            deal_row("m2", 1, line=3),
            passed_row("m2", 2, line=4),
        ],
        "matches": [
            {
                "source": "srv",
                "match": "m1",
                "rules": "belot-bg",
                "rules_hash": "h1",
                "winner": 1,
                "is_finished": True,
                "deals": 2,
            },
            {"source": "srv", "match": "m2", "rules": "belot-bg", "rules_hash": "h1", "is_finished": False},
        ],
    }


@pytest.mark.parametrize("name", ["player-summary", "overview"])
def test_players_and_overview(name: str) -> None:
    assert answer(connect(**played()), name) == expected(name)


def test_player_summary_leaves_out_who_played_less() -> None:
    assert len(answer(connect(**played()), "player-summary", min_deals="5")) == 1


def strengths() -> list[Row]:
    def held(text: str) -> list[int]:
        return [0, hand(text), 0, 0]

    # suit: made in one match, failed in the other: 2 * (0.5² + 0.5²) / 4 over 0.25 / 2 = 2,
    # effective n 1: (0.055, 0.945);
    # net +4 and -16: mean -6, residuals 10 and -10, variance 2 * 200 / 4 = 100, 10 * 12.706 either way.
    suit = held("JH 9H AH KS AC")
    return [
        deal_row("m1", 1, first_hands=suit),
        deal_row(
            "m2",
            1,
            line=2,
            first_hands=suit,
            outcome="failed",
            is_made=False,
            points=[100, 62],
            score=[16, 0],
        ),
        deal_row("m1", 2, line=3, contract=4, first_hands=held("AC AD 7H 8H 9H")),
        deal_row("m1", 3, line=4, contract=5, first_hands=held("JC JD 9C KS QS AH")),
        passed_row("m1", 4, line=5, first_hands=suit),
        deal_row("m1", 5, line=6, first_hands=None),
    ]


def test_hand_strength() -> None:
    rows = answer(connect(deals=strengths()), "hand-strength", by_belote=True, by_declaration=True)
    assert rows == expected("hand-strength")


def test_hand_strength_sees_a_carre() -> None:
    carre = deal_row("m1", 1, first_hands=[0, hand("TC TD TH TS 7C"), 0, 0])
    sevens = deal_row("m1", 2, first_hands=[0, hand("7C 7D 7H 7S AC"), 0, 0])
    table = run_report(connect(deals=[carre, sevens]), "hand-strength", {"by_declaration": True}).table
    assert sorted(table.column("has_declaration").to_pylist()) == [False, True]


def test_every_report_answers_an_empty_warehouse() -> None:
    connection = connect()
    for report in list_reports():
        table = run_report(connection, report).table
        assert table.num_rows == (1 if report.name in ("record-balance", "audit-summary") else 0), report.name


def test_every_report_is_tested_here() -> None:
    assert {path.stem for path in EXPECTED.glob("*.csv")} == {report.name for report in list_reports()}


def _every_parameter(check: Callable[[str, str], bool]) -> list[str]:
    texts = {r.name: "\n".join([r.sql, *map(summary_sql, r.summaries)]) for r in list_reports()}
    return [
        f"{r.name}.{name}" for r in list_reports() for name in r.parameters if not check(texts[r.name], name)
    ]


def test_every_parameter_is_used_and_documented() -> None:
    assert _every_parameter(lambda sql, name: f"${name}" in sql) == []
    for report in list_reports():
        assert report.question.endswith("?"), report.name
        assert all(parameter.help for parameter in report.parameters.values())
        assert all(column.meaning for column in report.columns.values())
        assert report.cautions, report.name
        assert report.sql.startswith("-- Question:"), report.name
        assert "-- Grain:" in report.sql, report.name
        assert "-- Caution:" in report.sql, report.name
        assert report.sql.rstrip().splitlines()[-1].startswith("select * from "), report.name


def test_every_column_is_documented_and_exists() -> None:
    connection = connect()
    for report in list_reports():
        names = run_report(connection, report).table.column_names
        assert names == list(report.columns), report.name
        chart = report.chart
        used = [] if chart is None else [*chart.x_columns, *chart.y, *(chart.interval or ())]
        used += [] if chart is None else [n for n in (chart.series, chart.per, chart.mark, chart.size) if n]
        assert set(used) <= set(names), report.name
        assert {end for column in report.columns.values() for end in column.interval or ()} <= set(names)


def test_common_filters_mean_the_same_everywhere() -> None:
    for report in list_reports():
        for name in report.parameters.keys() & COMMON_PARAMETERS.keys():
            assert report.parameters[name] == COMMON_PARAMETERS[name]

"""Findings that rest on a rule which the source does not settle say so, and only those."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from belot_stats.cli import run
from belot_stats.doubts import DEPENDENCIES, LOW, doubts
from belot_stats.findings import FINDING_BITS
from belot_stats.parameters import PARAMETER_OF
from belot_stats.queries import prepare, run_report
from belot_stats.resources import resource
from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names, ruleset_values
from belot_stats.views.tables import to_csv
from tests.reports.tables import Row, chunk, connect, deal_row, ledger_row

EXPECTED = Path(__file__).parent / "expected" / "unsettled-rules.csv"
FAULTY = resource("data", "samples/bhh/belot-bg-faulty.jsonl")
EXPECTED_FINDINGS = FAULTY.with_suffix(".expected.jsonl")
NEVER_IN_A_FINDING = {"cut_only"}  # what no log shows
CARRE, TIERCE, QUINTE = (
    {
        "seat": seat,
        "side": seat % 2,
        "kind": kind,
        "cards": cards,
        "points": 0,
        "at": seat,
        "status": "counted",
    }
    for seat, kind, cards in ((0, "carre", 0x10101010), (1, "tierce", 7), (2, "quinte", 0x3F00))
)


def rule_set(name: str, hash: str, **values: Any) -> Row:
    return {"hash": hash, "name": name, "values": json.dumps(ruleset_values(load_ruleset(name)) | values)}


def finding(code: str, match: str = "m1", deal: int | None = 1, **values: Any) -> Row:
    plain = {"part": "p1", "source": "srv", "match": match, "deal": deal, "line": deal, "code": code,
             "severity": "mismatch", "expected": "8-8", "found": "9-8"}  # fmt: skip
    return plain | values


def asked(deal: Row, codes: list[str], rules: Row, **tables: list[Row]) -> duckdb.DuckDBPyConnection:
    """A warehouse of one deal by *rules* with findings of *codes*."""
    deal = deal | {"rules": rules["name"], "rules_hash": rules["hash"]}
    ledger = [ledger_row("f1", [chunk("p1")], rulesets=[rules])]
    findings = [finding(code) for code in codes]
    connection = connect(deals=[deal], ledger=ledger, findings=findings, **tables)
    prepare(connection)
    return connection


def unsettled(deal: Row, code: str, name: str, **values: Any) -> set[str]:
    """Parameters in doubt of a finding of *code* on *deal*, played by the preset *name* with *values* changed."""
    connection = asked(deal, [code], rule_set(name, "h1", **values))
    return {parameter for (parameter,) in connection.execute("select parameter from doubts").fetchall()}


def test_dependencies_name_codes_parameters_and_circumstances_that_exist() -> None:
    sql = resource("reports", "macros/doubts.sql").read_text(encoding="utf-8")
    assert {item.code for item in DEPENDENCIES} <= set(FINDING_BITS)
    assert {item.parameter for item in DEPENDENCIES} <= set(PARAMETER_OF)
    assert [item for item in DEPENDENCIES if f"'{item.circumstance}'" not in sql] == []
    assert len({(item.code, item.parameter) for item in DEPENDENCIES}) == len(DEPENDENCIES)


def test_every_value_of_low_confidence_can_be_said() -> None:
    low = {item.parameter for item in doubts()}
    assert low - {item.parameter for item in DEPENDENCIES} <= NEVER_IN_A_FINDING
    for name in ruleset_names():
        confidence = read_rule_file(name).confidence
        assert {item.parameter for item in doubts() if item.rules == name} == {
            parameter for parameter, word in confidence.items() if word == LOW
        }


@pytest.mark.parametrize(
    ("name", "code", "deal", "expected"),
    [
        ("belot-world", "must-overruff", {}, {"must_overruff"}),
        ("belot-world", "must-overruff", {"contract": 5}, set()),
        ("belot-world", "must-ruff", {}, set()),  # said by the source, if oddly
        ("belot-1001-2p", "must-ruff", {}, {"must_ruff"}),
        ("belot-world", "wrong-score", {}, set()),
        ("belot-world", "wrong-score", {"declaration_results": [TIERCE]}, set()),
        ("belot-world", "wrong-score", {"declaration_results": [TIERCE, TIERCE]}, {"equal_sequences"}),
        ("belot-world", "wrong-points", {"declaration_results": [TIERCE, CARRE]}, {"contest"}),
        ("belot-world", "wrong-points", {"declaration_results": [CARRE, CARRE]}, {"carre_order"}),
        ("belot-world", "wrong-points", {"declaration_results": [QUINTE]}, {"sequence_cap"}),
        ("belot-world", "wrong-points", {"declaration_results": [QUINTE | {"cards": 0x1F00}]}, set()),
        ("belot-world", "wrong-score", {"illegal_cards": 1}, {"illegal_card"}),
        ("belot-world", "wrong-trick-winner", {"illegal_cards": 1}, set()),
        ("belot-ru-pairs", "wrong-dealer", {}, {"next_dealer"}),
        ("belot-ru-pairs", "wrong-points", {"declaration_results": [TIERCE]}, set()),
        (
            "belot-ru-pairs",
            "wrong-points",
            {"declaration_results": [TIERCE], "tricks_won": [0, 8]},
            {"declarations_need_trick"},
        ),
        ("bela-3p", "wrong-score", {"outcome": "made"}, {"made", "rounding"}),
        ("bela-3p", "wrong-score", {"outcome": "failed"}, {"made", "rounding", "failed"}),
        (
            "bela-3p",
            "wrong-score",
            {"level": 2},
            {"made", "rounding", "multiply_before_rounding"},
        ),
        ("bela-2p", "false-belote", {}, set()),
        ("bela-2p", "false-belote", {"contract": 5}, {"belote_when"}),
        ("baloot", "incomplete-deal", {"end": "claimed"}, {"claim_cards"}),
        ("belot-ru-pairs", "incomplete-deal", {"end": "declared_out"}, {"declare_out"}),
        ("belot-ru-pairs", "incomplete-deal", {}, set()),
        ("belot-ru-pairs", "hand-mismatch", {"exchange_seat": 2}, {"seven_exchange"}),
        ("belote-fr", "contra-not-allowed", {}, {"multipliers"}),
        ("belot-bg-classic", "wrong-score", {"capot_side": 1, "declaration_results": [CARRE, TIERCE]}, set()),
    ],
)
def test_a_rule_is_in_doubt_only_where_it_matters(
    name: str, code: str, deal: Row, expected: set[str]
) -> None:
    assert unsettled(deal_row("m1", 1, **deal), code, name) == expected


def test_what_the_table_settled_itself_is_no_doubt_of_the_source() -> None:
    deal = deal_row("m1", 1)
    assert unsettled(deal, "wrong-dealer", "belot-ru-pairs") == {"next_dealer"}
    assert unsettled(deal, "wrong-dealer", "belot-ru-pairs", next_dealer="next") == set()  # by --set
    said = deal | {"options": '{"next_dealer":"orderer"}'}  # the record itself says it, though it is the same
    assert unsettled(said, "wrong-dealer", "belot-ru-pairs") == set()


def test_a_rule_file_of_ones_own_is_settled_by_its_author() -> None:
    rules = rule_set("belot-ru-pairs", "h1") | {"name": "my-club"}
    assert asked(deal_row("m1", 1), ["wrong-dealer"], rules).execute("select * from doubts").fetchall() == []


def test_hanging_points_are_in_doubt_where_several_hung() -> None:
    deals = [deal_row("m1", n) | {"rules": "belot-ru-3p", "rules_hash": "h1"} for n in (1, 2, 3, 4)]
    standings = [
        {"source": "srv", "match": "m1", "deal": n, "hanging_in": hung}
        for n, hung in enumerate((0, 60, 130, 0), 1)
    ]
    connection = connect(
        deals=deals,
        ledger=[ledger_row("f1", [chunk("p1")], rulesets=[rule_set("belot-ru-3p", "h1")])],
        standings=standings,
        findings=[finding("wrong-score", deal=n) for n in (1, 2, 3, 4)],
    )
    prepare(connection)
    assert connection.execute("select deal, parameter from doubts").fetchall() == [(3, "hung_policy")]


def test_findings_of_a_whole_match_have_doubts_too() -> None:
    rules = rule_set("belot-ru-pairs", "h1")
    whole = {"source": "srv", "match": "m1", "code": "match-unfinished", "severity": "error", "file": "f1"}
    found = asked(deal_row("m1", 1), [], rules, match_findings=[whole])
    assert found.execute("select deal, parameter from doubts order by 2").fetchall() == [
        (None, "declare_out"),
        (None, "target"),
    ]
    said = deal_row("m1", 1, options='{"target":501,"declare_out":false}')
    assert asked(said, [], rules, match_findings=[whole]).execute("select * from doubts").fetchall() == []


def test_an_exit_with_a_capot_is_in_doubt_where_the_match_had_a_capot() -> None:
    rules = rule_set("bela-3p", "h1")
    whole = {"source": "srv", "match": "m1", "code": "match-unfinished", "severity": "error", "file": "f1"}
    for deal, expected in (
        (deal_row("m1", 1), []),
        (deal_row("m1", 1, capot_side=1), [("no_exit_on_capot",)]),
    ):
        connection = asked(deal, [], rules, match_findings=[whole])
        assert connection.execute("select parameter from doubts").fetchall() == expected


def test_unsettled_rules() -> None:
    # m1/1: a wrong dealer, and a wrong score with a trickless side's tierce and an illegal card; m1/2: a wrong dealer
    # and a wrong score, where only the dealer rests on a rule in doubt.  m2/1 is by rules that leave none.
    pairs, own = rule_set("belot-ru-pairs", "h1"), rule_set("belot-ru-pairs", "h2", next_dealer="next")
    odd = {"declaration_results": [TIERCE], "tricks_won": [0, 8], "illegal_cards": 1}
    deals = [
        deal_row("m1", 1, rules="belot-ru-pairs", rules_hash="h1", **odd),
        deal_row("m1", 2, rules="belot-ru-pairs", rules_hash="h1"),
        deal_row("m2", 1, line=3, rules="belot-ru-pairs", rules_hash="h2"),
    ]
    findings = [
        *(finding(code, deal=number) for number in (1, 2) for code in ("wrong-dealer", "wrong-score")),
        finding("wrong-dealer", match="m2", line=3),
    ]
    ledger = [ledger_row("f1", [chunk("p1")], rulesets=[pairs, own])]
    connection = connect(deals=deals, ledger=ledger, findings=findings)
    assert to_csv(run_report(connection, "unsettled-rules")) == EXPECTED.read_text(encoding="utf-8")
    assert run_report(connection, "unsettled-rules", {"match": "m2"}).table.num_rows == 0
    assert run_report(connection, "unsettled-rules", {"source": "other"}).table.num_rows == 0


def log_with_a_revoke_and_a_wrong_score(folder: Path) -> Path:
    expected = map(json.loads, EXPECTED_FINDINGS.read_text(encoding="utf-8").splitlines())
    number = next(item["line"] for item in expected if item["code"] == "revoke")
    line = FAULTY.read_text(encoding="utf-8").splitlines()[number - 1]
    record = json.loads(line)
    record.setdefault("claimed", {})["score"] = [1, 1]
    path = folder / "revoke.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_findings_and_audit_say_what_the_source_does_not_settle(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log, warehouse = log_with_a_revoke_and_a_wrong_score(tmp_path), str(tmp_path / "w")
    assert run(["ingest", str(log), "-w", warehouse, "--jobs", "1", "--quiet"]) == 1
    capfd.readouterr()
    run(["findings", "-w", warehouse])
    lines = capfd.readouterr().out.splitlines()
    assert ["does not settle illegal_card" in line for line in lines] == [
        "wrong-score" in line for line in lines
    ]
    run(["findings", "-w", warehouse, "--code", "wrong-score", "-f", "jsonl"])
    assert "plays_on" in json.loads(capfd.readouterr().out)["doubt"]
    assert run(["audit", "-w", warehouse]) == 1
    assert "the source does not settle this: belot-bg: illegal_card" in capfd.readouterr().out
    run(["report", "--html", str(tmp_path / "page"), "-w", warehouse])
    page = (tmp_path / "page" / "report.html").read_text(encoding="utf-8")
    assert "Which findings rest on a rule that the source does not settle?" in page
    assert read_rule_file("belot-bg").sources["illegal_card"] in page


def test_a_setting_takes_the_doubt_away(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, warehouse = log_with_a_revoke_and_a_wrong_score(tmp_path), str(tmp_path / "w")
    run(["ingest", str(log), "-w", warehouse, "--jobs", "1", "--quiet", "--set", "illegal_card=ends_deal"])
    capfd.readouterr()
    run(["findings", "-w", warehouse])
    assert "does not settle" not in capfd.readouterr().out

"""Summaries: reports that read them answer as the SQL did that counted all deals anew, kept in ``before``.

The warehouse has whole matches of several systems, single deals (each of which is a match), logs with faults, and one
log that repeats part of another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from belot_stats import summaries
from belot_stats.commands.making import simulate_to_file
from belot_stats.compact import compact
from belot_stats.errors import ReportError, WarehouseError
from belot_stats.ingest import ingest
from belot_stats.queries import (
    check_parameters,
    list_reports,
    load_report,
    prepare,
    run_report,
    with_plain_numbers,
)
from belot_stats.resources import resource_folder
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator.job import SimulationJob
from belot_stats.warehouse import Warehouse
from tests.reports.tables import connect, deal_row

BEFORE = Path(__file__).parent / "before"
SAMPLES = resource_folder("data") / "samples" / "bhh"
FAULTS = Path(__file__).resolve().parents[2] / ".." / "shared" / "logs"
SINGLE_DEALS = "simulation-random"
Params = dict[str, Any]
CASES: list[tuple[str, Params]] = [
    ("audit-summary", {}),
    ("contract-success", {}),
    ("contract-success", {"rules": "belot-bg"}),
    ("contract-success", {"source": SINGLE_DEALS, "contracts": "class"}),
    ("contract-success", {"contracts": "all", "by_level": False, "by_position": False}),
    ("contract-success", {"include_illegal": False}),
    ("contract-success", {"match": "club-5"}),
    ("declaration-frequency", {}),
    ("declaration-frequency", {"source": SINGLE_DEALS}),
    ("declaration-frequency", {"include_illegal": False}),
    ("declaration-frequency", {"player": "ana"}),
    ("hand-strength", {}),
    ("hand-strength", {"rules": "belote-fr", "min_deals": 3}),
    ("hand-strength", {"with_turn_up": False}),
    ("hand-strength", {"by_belote": True, "by_declaration": True, "by_trumps": False}),
    ("hand-strength", {"include_illegal": False, "by_aces": False}),
    ("overview", {}),
    ("overview", {"source": SINGLE_DEALS}),
    ("player-summary", {}),
    ("player-summary", {"rules": "belot-ru-3p"}),
    ("player-summary", {"source": SINGLE_DEALS}),
    ("player-summary", {"include_illegal": False, "min_deals": 5}),
    ("player-summary", {"player": "ana"}),
    ("record-balance", {}),
    ("rounding-edge-cases", {}),
    ("rounding-edge-cases", {"source": SINGLE_DEALS}),
    ("rounding-edge-cases", {"suit_limit": 5, "all_trumps_limit": 5}),
    ("rounding-edge-deals", {}),
    ("rounding-edge-deals", {"only_edges": False, "rules": "belot-bg"}),
    ("rounding-edge-deals", {"include_illegal": False}),
    ("unsettled-rules", {}),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("summaries")
    logs = [
        write_simulated(folder / f"{rules}.jsonl", rules, "matches", 4)
        for rules in ("belot-bg", "belot-ru-3p", "belote-fr", "baloot")
    ]
    logs.append(write_simulated(folder / "single.jsonl", "belot-bg", "deals", 200, "random"))
    lines = logs[0].read_text(encoding="utf-8").splitlines(keepends=True)
    again = folder / "again.jsonl"
    again.write_text("".join([*lines[:20], *lines[10:15]]), encoding="utf-8")
    for log in [*logs, again, *sorted(SAMPLES.glob("belot-bg*[a-z].jsonl"))]:
        if not log.name.endswith(".expected.jsonl"):
            ingest(log, folder / "w", jobs=1)
    return Warehouse(folder / "w")


def write_simulated(path: Path, rules: str, unit: str, count: int, policy: str = "sensible") -> Path:
    simulate_to_file(
        SimulationJob(load_ruleset(rules), policy, 1, unit), range(1, count + 1), str(path), True
    )
    return path


def before(connection: duckdb.DuckDBPyConnection, name: str, params: Params) -> pa.Table:
    """Answer of the report's SQL before there were summaries."""
    values = check_parameters(load_report(name), params)
    sql = (BEFORE / f"{name}.sql").read_text(encoding="utf-8")
    return with_plain_numbers(connection.sql(sql, params=values).to_arrow_table())


def different(left: pa.Table, right: pa.Table) -> Iterator[tuple[int, str, Any, Any]]:
    for place, (one, other) in enumerate(zip(left.to_pylist(), right.to_pylist(), strict=True)):
        for name, value in one.items():
            if not is_equal(value, other[name]):
                yield place, name, value, other[name]


def is_equal(one: Any, other: Any) -> bool:
    """Equal; but sums of fractions depend on their order."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-11, abs_tol=1e-11)
    return bool(one == other)


@pytest.mark.parametrize(("name", "params"), CASES, ids=str)
def test_the_answer_is_that_of_counting_all_deals(
    store: Warehouse, monkeypatch: pytest.MonkeyPatch, name: str, params: Params
) -> None:
    made = run_report(store, name, params).table
    monkeypatch.setattr(summaries, "KEPT_FROM", 1)
    kept = run_report(store, name, params).table
    expected = before(store.connection(), name, params)
    assert made.schema == kept.schema == expected.schema
    assert expected.num_rows > (-1 if name == "unsettled-rules" else 0)
    assert list(different(expected, made)) == []
    assert list(different(expected, kept)) == []


def test_every_report_is_compared() -> None:
    assert {name for name, _ in CASES} == {report.name for report in list_reports()}
    assert {path.stem for path in BEFORE.glob("*.sql")} == {name for name, _ in CASES} | {"doubts"}


def test_the_warehouse_has_what_summaries_tell_apart(store: Warehouse) -> None:
    connection = store.connection()
    count = "select count(*) from (select source, max(deals) as most from raw_matches group by source)"
    assert connection.execute(f"{count} where most = 1").fetchall()[0][0] > 0
    assert connection.execute(f"{count} where most > 1").fetchall()[0][0] > 1
    assert connection.execute("select count(*) from raw_duplicates").fetchall()[0][0] >= 25
    assert connection.execute("select count(*) from counted_deals where illegal_cards > 0").fetchall()[0][0]
    assert connection.execute("select count(*) from counted_deals where level <> 1").fetchall()[0][0]
    doubles = "select count(*) from calls where call_name in ('X', 'XX')"
    assert connection.execute(doubles).fetchall()[0][0]


def kept_files(store: Warehouse) -> set[str]:
    return {file.name for file in store.storage.listing(summaries.FOLDER)}


def test_kept_summaries_follow_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "KEPT_FROM", 1)
    first, second = (write_simulated(tmp_path / f"{n}.jsonl", "belot-bg", "deals", n) for n in (3, 7))
    ingest(first, tmp_path / "w", jobs=1)
    store = Warehouse(tmp_path / "w")
    assert run_report(store, "overview").table["deals"].to_pylist() == [3]
    seen: list[tuple[int, int]] = []
    summaries.refresh(store, progress=lambda done, total: seen.append((done, total)))
    old = kept_files(store)
    missing = len(summaries.summary_defaults()) - 1  # overview's is there
    assert seen == [(done, missing) for done in range(missing)]
    assert len(old) == missing + 1
    ingest(second, tmp_path / "w", jobs=1)
    assert run_report(store, "overview").table["deals"].to_pylist() == [7]
    assert len(kept_files(store) - old) == 1
    assert compact(store).derived >= len(old)
    assert len(kept_files(store)) == 1
    assert run_report(store, "overview").table["deals"].to_pylist() == [7]


def test_few_deals_keep_nothing(tmp_path: Path) -> None:
    ingest(write_simulated(tmp_path / "a.jsonl", "belot-bg", "deals", 3), tmp_path / "w", jobs=1)
    store = Warehouse(tmp_path / "w")
    assert run_report(store, "overview").table["deals"].to_pylist() == [3]
    assert kept_files(store) == set()


def test_a_warehouse_that_cannot_be_written_answers(
    store: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summaries, "KEPT_FROM", 1)
    expected = run_report(store, "contract-success").table

    def refuse(*_: object, **__: object) -> None:
        raise WarehouseError("read only")

    monkeypatch.setattr(summaries, "FOLDER", "derived/summaries-elsewhere")
    monkeypatch.setattr(type(store.storage), "write", refuse)
    assert run_report(store, "contract-success").table.num_rows == expected.num_rows > 0


def test_a_report_of_ones_own_reads_summaries(tmp_path: Path) -> None:
    (tmp_path / "mine.sql").write_text("select sum(deals)::bigint as deals from contract_counts", "utf-8")
    twin = 'title = "Mine"\nquestion = "How many?"\ngrain = "one row"\nsummaries = ["contract_counts"]\n'
    (tmp_path / "mine.toml").write_text(twin, "utf-8")
    connection = connect(deals=[deal_row("m1", 1), deal_row("m1", 2)])
    assert run_report(connection, "mine", folders=[tmp_path]).table.to_pylist() == [{"deals": 2}]
    (tmp_path / "mine.toml").write_text(twin.replace("contract_counts", "no_such"), "utf-8")
    with pytest.raises(ReportError, match="no summary 'no_such'"):
        run_report(connection, "mine", folders=[tmp_path])


def test_summaries_say_what_they_are() -> None:
    named = {name for report in list_reports() for name in report.summaries}
    files = {path.stem for path in resource_folder("reports").glob("summaries/*.sql")}
    assert named == files == set(summaries.summary_defaults())
    for name in sorted(named):
        sql = summaries.summary_sql(name)
        assert sql.startswith("-- Question:"), name
        assert "-- Grain:" in sql, name
        assert {"rules", "source"} <= set(summaries.parameters_of(name)), name


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    logs = sorted(FAULTS.glob("*-faults.jsonl"))
    if not logs:
        pytest.skip("../shared/logs is not there")
    folder = tmp_path_factory.mktemp("faulty")
    for log in logs[:6]:
        ingest(log, folder, jobs=1)
    return Warehouse(folder)


def test_doubts_look_only_where_there_are_findings(faulty: Warehouse) -> None:
    connection = faulty.connection()
    prepare(connection)
    query = "select * from doubts order by all"
    found = connection.execute(query).fetchall()
    connection.execute((BEFORE / "doubts.sql").read_text(encoding="utf-8"))
    assert found == connection.execute(query).fetchall() != []

"""The match pass over stored deals: their order, times, and what is computed again when something changes."""

from __future__ import annotations

import json
from pathlib import Path

from belot_stats.derived import refresh, stale_buckets
from belot_stats.ingest import ingest
from belot_stats.match_pass import MatchProgress
from belot_stats.queries import list_reports, run_report
from belot_stats.resources import resource
from belot_stats.storage import Storage
from belot_stats.warehouse import Warehouse
from tests.store.logs import Record, codes, match, other_score, query, record, write_log


def at(times: dict[int, str | None]) -> list[Record]:
    """The match, each deal begun at the time given or, where none is, at its own."""
    return [record(n, started=times[n]) if n in times else record(n) for n in range(1, 11)]


def test_i25_a_local_time_that_exists_twice_is_noted_and_orders_nothing(tmp_path: Path) -> None:
    clock = ("02:30", "02:50", "03:10", "03:30", "03:50", "03:10", "03:30", "03:50", "04:10", "04:30")
    times = {number: f"2024-10-27T{time}:00" for number, time in enumerate(clock, start=1)}
    ingest(write_log(tmp_path / "a.jsonl", at(dict(times))), tmp_path / "w")
    assert codes(tmp_path / "w") == [("ambiguous-time", 6), ("no-time-zone", 1)]
    found = query(tmp_path / "w", "select found, severity from findings where code = 'no-time-zone'")
    assert found == [("10 records without an offset, first here", "notice")]
    assert query(tmp_path / "w", "select deal, total_0 from raw_standings order by deal") == [
        (n, record(n)["claimed"]["total"][0]) for n in range(1, 11)
    ]


def test_i25_the_same_hour_with_its_offsets_is_clean(tmp_path: Path) -> None:
    twice = {n: f"2024-10-27T03:{10 + 4 * n:02d}:00+03:00" for n in range(1, 6)}
    twice |= {n: f"2024-10-27T03:{4 * n - 10:02d}:00+02:00" for n in range(6, 11)}
    ingest(write_log(tmp_path / "a.jsonl", at(dict(twice))), tmp_path / "w")
    assert codes(tmp_path / "w") == []
    (row,) = query(tmp_path / "w", "select started, epoch(started_at)::bigint from raw_deals where deal = 1")
    assert row == ("2024-10-27T03:14:00+03:00", 1729988040)


def test_i25_a_time_that_runs_back_is_noted_though_it_has_an_offset(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", at({4: "2020-01-01T00:00:00Z"})), tmp_path / "w")
    assert codes(tmp_path / "w") == [("ambiguous-time", 4)]


def test_i26_deals_in_any_order_give_the_same_match(tmp_path: Path) -> None:
    shuffled = [3, 1, 2, 10, 9, 4, 8, 5, 7, 6]
    for name, order in (("sorted", range(1, 11)), ("shuffled", shuffled)):
        ingest(write_log(tmp_path / f"{name}.jsonl", match(deals=order)), tmp_path / name)
    asked = "select deal, hanging_in, hanging_out, score, total, ends_match, winner from raw_standings order by deal"
    standings = query(tmp_path / "shuffled", asked)
    assert standings == query(tmp_path / "sorted", asked)
    assert standings[0][2] == record(1)["claimed"]["hanging"] == standings[1][1] > 0
    assert codes(tmp_path / "shuffled") == []


def test_i26_gap_and_repeat_are_reported(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match(deals=[1, 2, 2, 4, 5, 6, 7, 8, 9, 10])), tmp_path / "w")
    found = [code for code, _ in codes(tmp_path / "w")]
    assert found.count("missing-deal") == found.count("duplicate-deal") == 1


def test_i26_number_order_is_not_text_order(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match(deals=[10, 9, 2, 1, 3, 4, 5, 6, 7, 8])), tmp_path / "w")
    assert query(
        tmp_path / "w",
        "select list(deal order by rowid) from (select deal, row_number() over () as rowid from raw_standings)",
    ) == [(list(range(1, 11)),)]


def derived_files(warehouse: Path, table: str) -> set[str]:
    return {file.name for file in Storage(warehouse).listing(f"derived/{table}")}


def test_only_buckets_whose_deals_changed_are_computed_again(tmp_path: Path) -> None:
    first = [deal for n in range(40) for deal in match(f"m{n}", deals=[1, 2])]
    ingest(write_log(tmp_path / "a.jsonl", first), tmp_path / "w")
    refresh(Warehouse(tmp_path / "w"))
    before = derived_files(tmp_path / "w", "matches")
    ingest(write_log(tmp_path / "b.jsonl", match("m7", deals=[3])), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    fingerprints = refresh(store)
    assert stale_buckets(store, fingerprints) == []
    assert len(derived_files(tmp_path / "w", "matches") - before) == 1
    assert query(store, "select deals from raw_matches where match = 'm7'") == [(3,)]
    assert query(store, "select count(*), sum(deals)::int from raw_matches") == [(40, 81)]


def test_old_derived_rows_are_never_shown_as_current(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match(deals=[1, 2])), tmp_path / "w")
    assert query(tmp_path / "w", "select deals from raw_matches") == [(2,)]
    ingest(write_log(tmp_path / "b.jsonl", [*match(deals=[3]), other_score(record(1))]), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    assert store.sql("select count(*) from raw_matches", refresh=False).fetchall() == [(0,)]
    assert store.sql("select count(*) from deals", refresh=False).fetchall() == [(3,)]
    assert store.sql("select deals, has_conflict from raw_matches").fetchall() == [(3, True)]


def test_a_refresh_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    ingest(
        write_log(tmp_path / "a.jsonl", [deal for n in range(40) for deal in match(f"m{n}", deals=[1])]),
        tmp_path / "w",
    )
    refresh(Warehouse(tmp_path / "w"))
    whole = query(tmp_path / "w", "select * from raw_matches order by all")
    written = sorted((tmp_path / "w" / "derived" / "matches").iterdir())
    for path in written[::2]:
        path.unlink()
    written[1].write_bytes(b"")  # as a crash of the machine may leave it
    assert query(tmp_path / "w", "select * from raw_matches order by all") == whole


def test_derived_may_be_deleted(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", [*match(), record(3)]), tmp_path / "w")
    before = codes(tmp_path / "w")
    for path in sorted((tmp_path / "w" / "derived").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (tmp_path / "w" / "derived").rmdir()
    assert codes(tmp_path / "w") == before == [("duplicate-deal", 11)]


def test_progress_counts_matches(tmp_path: Path) -> None:
    ingest(
        write_log(tmp_path / "a.jsonl", [deal for n in range(5) for deal in match(f"m{n}", deals=[1])]),
        tmp_path / "w",
    )
    seen: list[MatchProgress] = []
    refresh(Warehouse(tmp_path / "w"), progress=seen.append)
    assert seen[-1].matches == 5


def test_claims_as_large_as_they_can_be_stop_nothing(tmp_path: Path) -> None:
    largest, smallest = 2**31 - 1, -(2**31)
    records = [
        json.loads(line) for line in resource("data", "samples/bhh/belot-bg.jsonl").read_bytes().splitlines()
    ]
    records[2]["claimed"].update(score=[smallest, 5], total=[largest, largest], points=[largest, smallest])
    records[3]["claimed"].update(total=[largest, smallest], hanging=largest)
    del records[4]
    records[5]["claimed"].update(hanging=smallest, total=[largest, largest])
    log = tmp_path / "large.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    ingest(log, tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    assert [run_report(store, report.name).table.num_rows >= 0 for report in list_reports()]
    found = {code for (code,) in store.sql("select code from problems").fetchall()}
    assert {"wrong-score", "wrong-points", "wrong-total", "wrong-hanging"} <= found


def test_a_missing_deal_that_is_in_quarantine_says_where(tmp_path: Path) -> None:
    lines = [json.dumps(item) for item in match()]
    lines[3] = lines[3].replace('"dealer":', '"dealer": "x", "d":')
    log = tmp_path / "a.jsonl"
    log.write_text("\n".join(lines[:6] + lines[7:-1]) + "\n" + lines[-1][:300] + "\n", encoding="utf-8")
    ingest(log, tmp_path / "w")
    found = dict(
        query(
            tmp_path / "w",
            "select expected, found from findings where code in ('missing-deal', 'match-unfinished')",
        )
    )
    assert found["deal 4"].endswith("; deal 4 is in quarantine, line 4")
    assert "quarantine" not in found["deal 7"]
    assert found["a deal that ends the match at 151"].endswith("; deal 10 is in quarantine, line 9")

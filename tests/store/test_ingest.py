"""Ingest: what becomes of each record, and what a second reading adds."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_stats.errors import InputError, UnknownRulesError, UsageError
from belot_stats.ingest import Progress, ingest, processes_for
from belot_stats.readers.streams import plain_size
from belot_stats.warehouse import Warehouse
from tests.store.logs import (
    codes,
    count,
    cut_off,
    lines,
    match,
    other_score,
    parts_of,
    query,
    record,
    write_log,
)


def test_clean_log_is_stored_without_a_finding(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    report = ingest(log, tmp_path / "w")
    (file,) = report.files
    assert (file.read, file.accepted, file.quarantined, file.skipped) == (10, 10, 0, 0)
    assert report.exit_code == 0
    assert count(tmp_path / "w", "deals") == 10
    assert codes(tmp_path / "w") == []


def test_i11_same_file_again_adds_only_its_name(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", [*match(), "no json"])
    ingest(log, tmp_path / "w")
    before = {folder: parts_of(tmp_path / "w", folder) for folder in ("deals", "findings", "quarantine")}
    copy = tmp_path / "other-name.jsonl"
    copy.write_bytes(log.read_bytes())
    for path in (log, copy):
        (file,) = ingest(path, tmp_path / "w").files
        assert file.is_known
        assert (file.read, file.accepted, file.quarantined, file.skipped) == (11, 0, 1, 10)
    assert {folder: parts_of(tmp_path / "w", folder) for folder in before} == before
    (row,) = Warehouse(tmp_path / "w").rows()
    assert row.names == [str(log), str(copy)]
    assert (count(tmp_path / "w", "deals"), count(tmp_path / "w", "quarantine")) == (10, 1)


def test_i11_compressed_copy_is_the_same_file(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(log.read_bytes()))
    report = ingest([log, packed], tmp_path / "w")
    assert [file.accepted for file in report.files] == [10, 0]
    assert len(Warehouse(tmp_path / "w").rows()) == 1


def test_i13_same_players_and_second_but_other_match_are_both_kept(tmp_path: Path) -> None:
    first = record(1, match="a", started="2026-01-05T20:00:00Z")
    second = {**record(2, match="b", started="2026-01-05T20:00:00Z"), "deal": 1}
    ingest(write_log(tmp_path / "a.jsonl", [first, second]), tmp_path / "w")
    assert count(tmp_path / "w", "deals") == 2
    assert count(tmp_path / "w", "raw_duplicates") == 0


def test_i14_unfinished_deals_are_stored_and_have_no_result(tmp_path: Path) -> None:
    without_word = {key: value for key, value in cut_off(record(3)).items() if key not in ("end", "ended_by")}
    ingest(write_log(tmp_path / "a.jsonl", [cut_off(record(2)), without_word]), tmp_path / "w")
    rows = query(
        tmp_path / "w",
        "select deal, outcome, is_scored, is_made, score, len(plays) from raw_deals order by deal",
    )
    assert [(deal, outcome, scored, made, plays) for deal, outcome, scored, made, _, plays in rows] == [
        (2, "unfinished", False, None, 20),
        (3, "unfinished", False, None, 20),
    ]
    assert ("incomplete-deal", 2) in codes(tmp_path / "w")


def test_i15_a_session_over_two_files_is_summed_over_both(tmp_path: Path) -> None:
    first = write_log(tmp_path / "a.jsonl", match(deals=range(1, 6)))
    second = write_log(tmp_path / "b.jsonl", match(deals=range(6, 11)))
    report = ingest([first, second], tmp_path / "w")
    assert (report.total("read"), report.total("accepted")) == (10, 10)
    assert query(
        tmp_path / "w", "select deals, missing_deals, is_finished, finding_count from raw_matches"
    ) == [(10, 0, True, 0)]


def test_i15_a_match_that_lacks_deals_says_so(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match(deals=[1, 2, 3, 5, 6, 7, 8, 9, 10])), tmp_path / "w")
    assert "missing-deal" in [code for code, _ in codes(tmp_path / "w")]
    assert query(tmp_path / "w", "select deals, missing_deals from raw_matches") == [(9, 1)]


def test_i17_bad_records_stop_nothing_and_the_counts_balance(tmp_path: Path) -> None:
    deals = match()
    text = lines([deals[0], "", "no json", *deals[1:4], "   ", '{"format":"bhh/1"}', *deals[4:]])
    log = tmp_path / "a.jsonl"
    log.write_text(text + '{"format":"bhh/1","source":"test","mat', encoding="utf-8")
    (file,) = ingest(log, tmp_path / "w", chunk_bytes=2_000).files
    assert (file.read, file.accepted, file.quarantined, file.skipped, file.blank_lines) == (13, 10, 3, 0, 2)
    raw = log.read_bytes().split(b"\n")
    rows = query(tmp_path / "w", "select line, byte, code, raw from quarantine order by line")
    assert [row[0] for row in rows] == [3, 8, 15]
    for line, byte, _, bad in rows:
        assert bytes(bad) == raw[line - 1]
        assert log.read_bytes()[byte : byte + len(bad)] == bytes(bad)
    assert [row[2] for row in rows] == ["unreadable-line", "missing-field", "truncated-line"]


def test_i24_a_new_field_late_in_the_log_is_kept_and_said_once(tmp_path: Path) -> None:
    deals = [item for index in range(20) for item in match(f"m{index}")]
    deals[150]["table_id"] = 7
    deals[170]["table_id"] = 8
    deals[151].pop("players")
    (file,) = ingest(write_log(tmp_path / "a.jsonl", deals), tmp_path / "w", chunk_bytes=20_000).files
    assert (file.accepted, file.quarantined, file.unknown_fields) == (200, 0, ["table_id"])
    found = query(
        tmp_path / "w", "select line, field, found, severity from findings where code = 'unknown-field'"
    )
    assert found == [(151, "table_id", "'table_id' in 2 records, first here", "notice")]
    assert query(tmp_path / "w", "select extra from raw_deals where extra is not null order by extra") == [
        ('{"table_id":7}',),
        ('{"table_id":8}',),
    ]


def test_one_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    good = write_log(tmp_path / "a.jsonl", match("m1"))
    foreign = tmp_path / "b.txt"
    foreign.write_text("a shopping list\n", encoding="utf-8")
    last = write_log(tmp_path / "c.jsonl", match("m2"))
    report = ingest([good, foreign, last], tmp_path / "w")
    assert [file.accepted for file in report.files] == [10, 0, 10]
    assert str(foreign) in (report.files[1].error or "")
    assert report.exit_code == 3
    assert count(tmp_path / "w", "raw_ledger") == 2


def test_foreign_files_met_in_a_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    write_log(tmp_path / "logs" / "a.jsonl", match())
    (tmp_path / "logs" / "README.txt").write_text("a word about the logs\n", encoding="utf-8")
    report = ingest(tmp_path / "logs", tmp_path / "w")
    assert [file.is_ignored for file in report.files] == [True, False]
    assert (report.exit_code, report.total("accepted")) == (0, 10)


def test_a_file_that_breaks_off_keeps_what_it_held(tmp_path: Path) -> None:
    whole = gzip.compress(lines(match()).encode())
    log = tmp_path / "a.jsonl.gz"
    log.write_bytes(whole[:-6])
    report = ingest(log, tmp_path / "w")
    assert (report.total("accepted"), report.exit_code) == (10, 3)
    assert codes(tmp_path / "w") == [("incomplete-file", None)]
    log.write_bytes(whole)
    assert ingest(log, tmp_path / "w").total("accepted") == 0
    assert count(tmp_path / "w", "deals") == 10


def test_empty_file_has_a_balance_of_nothing(tmp_path: Path) -> None:
    (file,) = ingest(write_log(tmp_path / "a.jsonl", []), tmp_path / "w").files
    assert (file.read, file.error) == (0, None)
    assert count(tmp_path / "w", "deals") == 0
    assert count(tmp_path / "w", "files") == 1


def test_what_is_not_there_is_an_error_and_unknown_names_are_too(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    with pytest.raises(InputError, match=r"nothing\.jsonl"):
        ingest(tmp_path / "nothing.jsonl", tmp_path / "w")
    with pytest.raises(UsageError, match="unknown format 'bhhh'"):
        ingest(log, tmp_path / "w", format="bhhh")
    with pytest.raises(UnknownRulesError, match="belot-gb"):
        ingest(log, tmp_path / "w", rules="belot-gb")


def test_source_and_rules_fill_gaps(tmp_path: Path) -> None:
    bare = [{key: value for key, value in item.items() if key not in ("source", "rules")} for item in match()]
    log = write_log(tmp_path / "a.jsonl", bare)
    (file,) = ingest(log, tmp_path / "w", source="club", rules="belot-bg").files
    assert file.accepted == 10
    assert query(tmp_path / "w", "select distinct source, rules from raw_deals") == [("club", "belot-bg")]


def test_the_part_depends_on_all_its_content_depends_on(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    variants = (
        {},
        {"source": "club"},
        {"rules": "belot-bg-classic"},
        {"force_rules": "belot-bg-classic"},
        {"overrides": {"target": 101}},
    )
    for number, options in enumerate(variants):
        ingest(log, tmp_path / f"w{number}", **options)  # type: ignore[arg-type]
    names = [next(iter(parts_of(tmp_path / f"w{number}"))) for number in range(len(variants))]
    assert len(set(names)) == len(variants)


def test_parts_hold_no_path_and_no_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        ingest(write_log(tmp_path / folder / f"{folder}.jsonl", [*match(), "bad"]), tmp_path / folder / "w")
    for kind in ("deals", "findings", "quarantine"):
        first, second = (parts_of(tmp_path / folder / "w", kind) for folder in ("one", "two"))
        assert first == second
        assert first


def test_pool_writes_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    logs = [write_log(tmp_path / f"{n}.jsonl", [*match(f"m{n}"), *match(f"n{n}"), "bad"]) for n in range(3)]
    reports = [ingest(logs, tmp_path / f"w{jobs}", jobs=jobs, chunk_bytes=3_000) for jobs in (1, 2)]
    for kind in ("deals", "findings", "quarantine"):
        assert parts_of(tmp_path / "w1", kind) == parts_of(tmp_path / "w2", kind)
    counts = ("name", "file", "read", "accepted", "quarantined", "skipped", "findings")
    first, second = (
        [[getattr(file, name) for name in counts] for file in report.files] for report in reports
    )
    assert first == second
    assert len(parts_of(tmp_path / "w1")) > 10


def test_no_more_processes_are_opened_than_there_are_chunks_for(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    size = log.stat().st_size
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(log.read_bytes()))
    assert (plain_size(log), plain_size(packed), plain_size("-"), plain_size(tmp_path)) == (size, *[None] * 3)
    plain, both = [str(log)], [str(log), str(packed)]
    assert processes_for(plain, 8, size + 1) == 1
    assert processes_for(plain * 3, 8, size + 1) == 3
    assert processes_for(plain, 8, size // 3 + 1) == 3
    assert processes_for(plain * 3, 2, size // 3) == 2
    assert processes_for(both, 8, size + 1) == 8  # nobody knows how much it is before it is read


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    log, seen = write_log(tmp_path / "a.jsonl", match()), list[Progress]()
    ingest(log, tmp_path / "w", progress=seen.append, chunk_bytes=3_000)
    last = seen[-1]
    assert (last.files_done, last.files, last.records) == (1, 1, 10)
    assert last.bytes_read == last.bytes_total == log.stat().st_size
    assert [item.records for item in seen] == sorted(item.records for item in seen)


def test_conflicts_and_duplicates_are_in_the_report(tmp_path: Path) -> None:
    deals = match()
    first = write_log(tmp_path / "a.jsonl", [*deals, deals[0], other_score(deals[1])])
    second = write_log(tmp_path / "b.jsonl", [deals[2], other_score(deals[3])])
    report = ingest([first, second], tmp_path / "w")
    assert [(f.read, f.accepted, f.skipped, f.conflicting) for f in report.files] == [
        (12, 10, 2, 1),
        (2, 0, 2, 1),
    ]
    assert report.exit_code == 1


RECORDS = [
    *match("m1"),
    *match("m2", deals=[1, 2, 3]),
    other_score(record(1)),
    cut_off(record(2)),
    "bad line",
    "",
]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from(range(len(RECORDS))), max_size=12), min_size=1, max_size=3),
    st.integers(300, 4000),
)
def test_any_files_balance_and_each_deal_counts_once(
    tmp_path_factory: pytest.TempPathFactory, choices: list[list[int]], chunk_bytes: int
) -> None:
    folder = tmp_path_factory.mktemp("balance")
    texts = [[RECORDS[index] for index in choice] for choice in choices]
    logs = [write_log(folder / f"{number}.jsonl", text) for number, text in enumerate(texts)]
    report = ingest(logs, folder / "w", format="bhh", chunk_bytes=chunk_bytes)
    for file, text in zip(report.files, texts, strict=True):
        assert (
            file.read == sum(item != "" for item in text) == file.accepted + file.quarantined + file.skipped
        )
        assert file.blank_lines == text.count("")
    deals = {(item["match"], item["deal"]) for text in texts for item in text if isinstance(item, dict)}
    assert report.total("accepted") == len(deals)
    assert set(query(folder / "w", "select match, deal from deals")) == deals
    assert count(folder / "w", "deals") == len(deals)


def test_an_auction_of_hundreds_of_calls_stops_nothing(tmp_path: Path) -> None:
    records = match()
    records[2]["auction"] = ["P"] * 300
    (file,) = ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w").files
    assert (file.error, file.accepted) == (None, len(records))


def test_a_file_name_that_is_no_utf8_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    log = write_log(tmp_path / "logs" / "a.jsonl", match())
    log.rename(tmp_path / "logs" / os.fsdecode(b"\xff.jsonl"))
    (file,) = ingest(tmp_path / "logs", tmp_path / "w").files
    assert file.accepted == len(match())
    (row,) = Warehouse(tmp_path / "w").rows()
    assert row.names[0].endswith(r"\xff.jsonl")

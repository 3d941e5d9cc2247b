"""Logs that grow, are rotated, or are read again under other rules (I29)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_stats.ingest import FileReport, ingest
from belot_stats.warehouse import Warehouse
from tests.store.logs import count, lines, match, query, record, write_log

CHUNK_BYTES = 3_000


def read(log: Path, warehouse: Path, **options: object) -> FileReport:
    (file,) = ingest(log, warehouse, chunk_bytes=CHUNK_BYTES, **options).files  # type: ignore[arg-type]
    return file


def test_i29_copytruncate_adds_the_one_new_deal(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match(deals=range(1, 10)))
    read(log, tmp_path / "w")
    shutil.copy(log, tmp_path / "a.1")
    write_log(log, [record(10)])
    report = ingest([log, tmp_path / "a.1"], tmp_path / "w", chunk_bytes=CHUNK_BYTES)
    assert [(file.read, file.accepted, file.skipped) for file in report.files] == [(1, 1, 0), (9, 0, 9)]
    assert count(tmp_path / "w", "deals") == 10
    assert len(Warehouse(tmp_path / "w").rows()) == 2


def test_i29_grown_log_replaces_its_older_reading(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match(deals=range(1, 8)))
    first = read(log, tmp_path / "w")
    placed = Warehouse(tmp_path / "w").rows()[0].finished_at
    write_log(log, match())
    grown = read(log, tmp_path / "w")
    assert grown.replaced == [first.file]
    assert (grown.read, grown.accepted, grown.skipped) == (10, 3, 7)
    (row,) = Warehouse(tmp_path / "w").rows()
    assert (row.names, row.stored, row.finished_at) == ([str(log)], 10, placed)
    assert count(tmp_path / "w", "deals") == 10
    assert count(tmp_path / "w", "raw_duplicates") == 0


def test_i29_a_line_that_was_half_written_is_whole_in_the_grown_log(tmp_path: Path) -> None:
    log, text = tmp_path / "a.jsonl", lines(match())
    cut = text.rstrip("\n").rfind("\n") + 200
    log.write_text(text[:cut], encoding="utf-8")
    assert read(log, tmp_path / "w").quarantined == 1
    log.write_text(text, encoding="utf-8")
    grown = read(log, tmp_path / "w")
    assert (grown.accepted, grown.quarantined, grown.skipped) == (1, 0, 9)
    assert count(tmp_path / "w", "quarantine") == 0


def test_i29_rotated_name_keeps_both_names(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match(deals=range(1, 6)))
    read(log, tmp_path / "w")
    log.rename(tmp_path / "a.1")
    with (tmp_path / "a.1").open("a", encoding="utf-8") as file:
        file.write(lines(match(deals=range(6, 11))))
    read(tmp_path / "a.1", tmp_path / "w")
    (row,) = Warehouse(tmp_path / "w").rows()
    assert row.names == [str(log), str(tmp_path / "a.1")]


def test_i29_an_older_state_read_later_adds_nothing(tmp_path: Path) -> None:
    new, old = write_log(tmp_path / "new", match()), write_log(tmp_path / "old", match(deals=range(1, 6)))
    read(new, tmp_path / "w")
    report = read(old, tmp_path / "w")
    assert (report.read, report.accepted, report.skipped, report.replaced) == (5, 0, 5, [])
    assert count(tmp_path / "w", "deals") == 10


def test_the_same_bytes_under_other_rules_replace_the_older_reading(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", match())
    first = read(log, tmp_path / "w")
    second = read(log, tmp_path / "w", overrides={"target": 101})
    assert second.replaced == [first.file]
    assert (second.accepted, second.skipped) == (0, 10)
    assert query(tmp_path / "w", "select count(*), count(distinct rules_hash) from raw_deals") == [(10, 1)]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 8_000), min_size=1, max_size=3))
def test_i29_however_it_grew_the_log_is_what_it_is_now(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    data = lines([*match("m1"), "bad", *match("m2", deals=[1, 2])]).encode()
    log = folder / "a.jsonl"
    accepted = 0
    for cut in [*sorted(cuts), len(data)]:
        log.write_bytes(data[:cut])
        accepted += read(log, folder / "w").accepted
    once = folder / "once.jsonl"
    once.write_bytes(data)
    read(once, folder / "clean")
    assert accepted == 12
    asked = "select match, deal, line, content_hash from deals order by all"
    assert query(folder / "w", asked) == query(folder / "clean", asked)
    assert (
        query(folder / "w", "select line from quarantine")
        == query(folder / "clean", "select line from quarantine")
        == [(11,)]
    )

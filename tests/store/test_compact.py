"""Compact removes what nothing names, and nothing else."""

from __future__ import annotations

from pathlib import Path

from belot_stats.compact import compact
from belot_stats.ingest import ingest
from tests.store.logs import codes, count, match, parts_of, query, record, write_log


def files(warehouse: Path) -> set[Path]:
    return {path for path in warehouse.rglob("*") if path.is_file()}


def test_compact_of_a_clean_warehouse_removes_nothing(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", [*match(), "bad"]), tmp_path / "w")
    assert count(tmp_path / "w", "matches") == 1
    before = files(tmp_path / "w")
    report = compact(tmp_path / "w")
    assert (report.parts, report.derived, report.leftovers, report.size_bytes) == (0, 0, 0, 0)
    assert files(tmp_path / "w") - before <= {tmp_path / "w" / ".writers.lock"}


def test_compact_removes_superseded_parts_leftovers_and_old_derived(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", [*match(deals=range(1, 5)), "bad"])
    ingest(log, tmp_path / "w")
    asked = "select match, deal, line, total from deals order by all"
    query(tmp_path / "w", asked)
    write_log(log, [*match(deals=range(1, 5)), "bad", *match(deals=range(5, 11)), record(6)])
    ingest(log, tmp_path / "w")
    before, found = query(tmp_path / "w", asked), codes(tmp_path / "w")
    (tmp_path / "w" / "deals" / ".half.parquet.1.tmp").write_bytes(b"half")
    (tmp_path / "w" / "derived" / ".spill" / "999999999-0").mkdir(parents=True)
    report = compact(tmp_path / "w")
    assert report.parts == 3
    assert report.leftovers == 1
    assert report.derived >= 3
    assert report.size_bytes > 1000
    assert not (tmp_path / "w" / "derived" / ".spill" / "999999999-0").exists()
    assert [len(parts_of(tmp_path / "w", folder)) for folder in ("deals", "findings", "quarantine")] == [
        1,
        1,
        1,
    ]
    assert (query(tmp_path / "w", asked), codes(tmp_path / "w")) == (before, found)
    assert compact(tmp_path / "w").size_bytes == 0


def test_compact_before_anything_was_asked(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match()), tmp_path / "w")
    for path in (tmp_path / "w" / "derived" / "fingerprints").iterdir():
        path.unlink()
    assert compact(tmp_path / "w").parts == 0
    assert count(tmp_path / "w", "deals") == 10

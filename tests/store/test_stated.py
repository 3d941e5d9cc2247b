"""Logs that say how many deals they hold (I15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from belot_stats.ingest import ingest
from belot_stats.resources import resource
from belot_stats.warehouse import Warehouse

LINES = resource("data", "samples/bhh/belot-bg.jsonl").read_bytes().splitlines(keepends=True)[:9]


def findings(log: list[bytes], folder: Path) -> list[tuple[str, int]]:
    """Findings about the file, with their lines."""
    path = folder / "log.jsonl"
    path.write_bytes(b"".join(log))
    ingest(path, folder / "warehouse", chunk_bytes=4000)
    query = "select code, line from findings where pass = 'file'"
    return Warehouse(folder / "warehouse").sql(query).fetchall()


@pytest.mark.parametrize(
    "line", [b"# deals: 10\n", b'{"format":"bhh/1","deals":10}\n', b"Generated 10 hands\n"]
)
def test_i15_a_file_that_states_another_number_has_a_count_mismatch(line: bytes, tmp_path: Path) -> None:
    assert findings([line, *LINES], tmp_path) == [("count-mismatch", 1)]


def test_i15_a_footer_is_named_by_its_own_line(tmp_path: Path) -> None:
    assert findings([*LINES, b"Generated 8 hands\n"], tmp_path) == [("count-mismatch", 10)]


@pytest.mark.parametrize(
    "line", [b"# deals: 9\n", b'{"format":"bhh/1","deals":9}\n', b"Generated 9 hands\n", b"# 9 players\n"]
)
def test_i15_no_count_mismatch_where_the_number_is_right_or_of_something_else(
    line: bytes, tmp_path: Path
) -> None:
    assert findings([line, *LINES], tmp_path) == []


def test_i15_two_logs_in_one_file_have_two_counts(tmp_path: Path) -> None:
    log = [b"# deals: 4\n", *LINES[:4], b"# deals: 5\n", *LINES[4:]]
    assert findings(log, tmp_path) == []


def test_i15_a_record_over_several_lines_is_no_statement(tmp_path: Path) -> None:
    pretty = LINES[0].replace(b',"', b',\n"').splitlines(keepends=True)
    assert findings([*pretty, *LINES[1:]], tmp_path) == []


def test_i15_a_damaged_record_is_no_statement(tmp_path: Path) -> None:
    assert findings([LINES[0][:200] + b"\n", *LINES[1:]], tmp_path) == []


def test_an_unknown_field_is_one_finding_a_file(tmp_path: Path) -> None:
    log = [line.replace(b'"dealer":', b'"table_id":7,"dealer":') for line in LINES]
    assert findings(log, tmp_path) == [("unknown-field", 1)]

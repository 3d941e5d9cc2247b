"""Results of simulated deals in a Parquet file: those of the table deals, whatever the number of processors."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from belot_stats import result_files
from belot_stats.checker import check_deal
from belot_stats.cli import app
from belot_stats.result_files import COLUMNS, SIDE_COLUMNS, results_table, write_results
from belot_stats.rows import deals_table
from belot_stats.rules.batch_loops import make_singles
from belot_stats.rules.compiling import rules_record
from belot_stats.rules.deal_rows import AUCTIONS, DEAL, new_workspace
from belot_stats.rules.table import side_count
from belot_stats.ruleset import load_ruleset
from belot_stats.schema import schema
from belot_stats.simulator.job import SimulationJob

CASES = [
    ("belot-bg", "random", "deals"),
    ("belot-ru-3p", "sensible", "matches"),
    ("baloot-regulation", "random", "matches"),
    ("belot-1001-2p", "random,sensible", "deals"),
]


def job_of(name: str, policy: str, unit: str) -> SimulationJob:
    return SimulationJob(load_ruleset(name), policy, 6, unit)


def written(job: SimulationJob, numbers: range, jobs: int = 1) -> bytes:
    stream = io.BytesIO()
    write_results(job, numbers, stream, jobs)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "policy", "unit"), CASES)
@pytest.mark.parametrize("is_compiled", [True, False])
def test_results_are_those_of_the_table_deals(name: str, policy: str, unit: str, is_compiled: bool) -> None:
    job, numbers = job_of(name, policy, unit), range(5, 12 if unit == "matches" else 120)
    table = pq.read_table(io.BytesIO(written(msgspec.structs.replace(job, is_compiled=is_compiled), numbers)))
    deals = deals_table(check_deal(deal, job.ruleset) for deal in job(numbers))
    assert table.num_rows == deals.num_rows > 20
    for column in COLUMNS:
        assert table[column].equals(deals[column]), column
        assert table.schema.field(column).type == schema("deals").field(column).type
    for column in SIDE_COLUMNS:
        for side in range(side_count(job.ruleset)):
            assert table[f"{column}_{side}"].equals(pc.list_element(deals[column], side)), column


def test_a_deal_is_the_same_after_however_many_others() -> None:
    """Baloot has more auctions than the loop remembers: it forgets them all at some time, in the middle of calls."""
    job = job_of("baloot", "random", "deals")
    after_many = results_table(job, range(1, 60_001)).slice(59_000)
    assert after_many.equals(results_table(job, range(59_001, 60_001)))


def test_a_table_of_auctions_that_is_nearly_full_changes_nothing() -> None:
    rules, rows = load_ruleset("baloot"), np.zeros(40, dtype=DEAL)
    first = np.uint64(3), np.uint64(1)
    make_singles(rules_record(rules), None, *first, rows, new_workspace(rules))
    for left in range(12):
        space, again = new_workspace(rules), np.zeros(40, dtype=DEAL)
        space["auction_count"] = AUCTIONS - left
        make_singles(rules_record(rules), None, *first, again, space)
        assert (again == rows).all(), left


def test_deals_are_found_by_their_numbers() -> None:
    table = results_table(job_of("belot-bg", "random", "deals"), range(7, 12))
    assert table["deal"].to_pylist() == [7, 8, 9, 10, 11]
    matches = results_table(job_of("belot-bg", "sensible", "matches"), range(3, 5))
    places = list(zip(matches["match"].to_pylist(), matches["deal"].to_pylist(), strict=True))
    numbers = [number for number, _ in places]
    assert places == [(3, deal) for deal in range(1, numbers.count(3) + 1)] + [
        (4, deal) for deal in range(1, numbers.count(4) + 1)
    ]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_bytes_do_not_depend_on_the_processors(monkeypatch: pytest.MonkeyPatch, is_compiled: bool) -> None:
    monkeypatch.setitem(result_files.PIECES, "deals", 100)
    job = msgspec.structs.replace(job_of("belot-bg", "random", "deals"), is_compiled=is_compiled)
    one, two = (written(job, range(51, 351), jobs) for jobs in (1, 2))
    assert hashlib.sha256(one).digest() == hashlib.sha256(two).digest()
    assert pq.ParquetFile(io.BytesIO(one)).num_row_groups == 4
    assert written(job, range(51, 51)) != one


def test_the_command_writes_them(tmp_path: Path) -> None:
    output = tmp_path / "results.parquet"
    words = ["simulate", "--deals", "40", "--policy", "random", "--output", str(output), "--quiet"]
    assert CliRunner().invoke(app, words).exit_code == 0
    table: pa.Table = pq.read_table(output)
    expected: Any = results_table(SimulationJob(load_ruleset("belot-bg"), "random", 1, "deals"), range(1, 41))
    assert table["score_0"].equals(expected["score_0"])
    assert [path.name for path in tmp_path.iterdir()] == ["results.parquet"]

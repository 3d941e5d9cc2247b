"""The shipped run file for a mass simulation, with fewer deals: interrupted, and run again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from belot_stats.pipelines import read_run_file
from belot_stats.warehouse import Warehouse

PROJECT = Path(__file__).resolve().parents[2]
SHIPPED = PROJECT / "pipelines" / "mass-simulate.toml"
DEALS = 11_000  # three parts


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    """The shipped file with fewer deals, and one process, so that parts are made one after the other."""
    text, changed = re.subn(r"(?m)^deals = .*$", f"deals = {DEALS}\njobs = 1", SHIPPED.read_text("utf-8"))
    assert changed == 1
    path = tmp_path / "mass.toml"
    path.write_text(text, encoding="utf-8")
    return path


def start(run_file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "belot_stats.cli", "run", str(run_file)]
    return subprocess.Popen(
        command, cwd=PROJECT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )


def parts_of(warehouse: Path) -> dict[str, tuple[int, int]]:
    """Parts of deals that are there: name -> which file it is, and when it was written."""
    stats = {path.name: path.stat() for path in warehouse.glob("deals/*.parquet")}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def ticks(process: subprocess.Popen[str], seconds: int) -> Iterator[None]:
    """So long as *process* runs, for so many seconds at most."""
    for _ in range(seconds * 200):
        if process.poll() is not None:
            return
        yield
        time.sleep(0.005)
    process.kill()
    raise AssertionError(f"nothing happened for {seconds} s")


def test_the_shipped_file_simulates_ten_million_deals_and_answers_all_reports() -> None:
    job = read_run_file(SHIPPED)
    assert job.simulate is not None
    assert job.report is not None
    assert (job.simulate.rules, job.simulate.policy, job.simulate.deals) == (
        "belot-bg",
        "sensible",
        10_000_000,
    )
    assert (job.report.names, job.report.html) == ([], "simulated-reports")


@pytest.mark.slow
def test_interrupted_and_run_again_goes_on_where_it_stopped(run_file: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "simulated"
    process = start(run_file)
    for _ in ticks(process, 300):
        if parts_of(warehouse):
            os.kill(process.pid, signal.SIGINT)
            break
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    said = errors.splitlines()[-1]
    assert said == (
        "belot-stats: interrupted; what was committed stays, and running the same again goes on from there"
    )
    before = parts_of(warehouse)
    assert 1 <= len(before) < 3
    assert not list(warehouse.glob("ledger/*.parquet"))
    process = start(run_file)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    after = parts_of(warehouse)
    assert len(after) == 3
    assert {name: after[name] for name in before} == before, "parts were made again"
    counted = Warehouse(warehouse).sql("select count(*), count(distinct match) from deals").fetchall()
    assert counted == [(DEALS, DEALS)]
    assert [row.stored for row in Warehouse(warehouse).rows()] == [DEALS]
    assert "<html" in (tmp_path / "simulated-reports" / "report.html").read_text("utf-8")
    assert f"{DEALS:,} deals stored" in errors

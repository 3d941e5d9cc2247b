"""Runs that are killed, interrupted, run beside each other, or run out of disk: real processes, real signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from belot_stats.compact import compact
from belot_stats.errors import WarehouseError
from belot_stats.ingest import ingest
from belot_stats.storage import Storage
from belot_stats.warehouse import Warehouse
from tests.store.logs import PROJECT, count, ingest_command, match, parts_of, query, start_ingest, write_log

CHUNK_BYTES = 20_000
OPTIONS = {"chunk_bytes": CHUNK_BYTES}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two logs of 400 and 100 deals, in some 20 chunks."""
    folder = tmp_path_factory.mktemp("logs")
    first = [deal for index in range(40) for deal in match(f"m{index}")]
    second = [deal for index in range(30, 50) for deal in match(f"m{index}", deals=range(1, 6))]
    return [write_log(folder / "a.jsonl", [*first, "bad"]), write_log(folder / "b.jsonl", second)]


@pytest.fixture(scope="module")
def clean(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Warehouse of one clean run over both logs."""
    warehouse = tmp_path_factory.mktemp("clean") / "w"
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    return warehouse


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for *condition* while *process* runs."""
    for _ in range(6_000):
        if condition() or process.poll() is not None:
            return
        time.sleep(0.005)
    raise AssertionError("nothing happened for 30 s")


def parts_written(warehouse: Path) -> int:
    return len(Storage(warehouse).listing("deals")) if (warehouse / "deals").is_dir() else 0


def same_as_clean(warehouse: Path, clean: Path) -> None:
    for folder in ("deals", "findings", "quarantine"):
        assert parts_of(warehouse, folder) == parts_of(clean, folder)
    for asked in (
        "select match, deal, line, content_hash from deals order by all",
        "select line, code from quarantine order by all",
        "select code, match, line from findings order by all",
        "select file_name, count_read, count_accepted, count_quarantined, count_skipped from files order by all",
    ):
        assert query(warehouse, asked) == query(clean, asked)


@pytest.mark.parametrize(("jobs", "parts"), [(1, 1), (1, 7), (1, 17), (2, 3), (2, 12)])
def test_i27_killed_and_run_again_equals_one_clean_run(
    tmp_path: Path, logs: list[Path], clean: Path, jobs: int, parts: int
) -> None:
    warehouse = tmp_path / "w"
    process = start_ingest(tmp_path, logs, warehouse, jobs=jobs, **OPTIONS)
    wait_until(lambda: parts_written(warehouse) >= parts, process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    wait_until_alone(process.pid)
    assert len(Storage(warehouse).listing("ledger")) < 2
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    same_as_clean(warehouse, clean)
    compact(warehouse)
    assert not list(warehouse.rglob(".*.tmp"))
    same_as_clean(warehouse, clean)


def wait_until_alone(group: int) -> None:
    """Wait until no process of the session *group* is left: workers end with their parent."""
    for _ in range(2_000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("workers outlive their parent")


def test_i27_killed_again_and_again_makes_progress(tmp_path: Path, logs: list[Path], clean: Path) -> None:
    warehouse = tmp_path / "w"
    for kill in range(3):
        before = parts_written(warehouse)
        process = start_ingest(tmp_path, logs, warehouse, **OPTIONS)
        wait_until(lambda before=before: parts_written(warehouse) > before + 2, process)  # type: ignore[misc]
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert parts_written(warehouse) > before, kill
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    same_as_clean(warehouse, clean)


@pytest.mark.parametrize("jobs", [1, 2])
def test_i27_interrupted_stops_soon_and_goes_on_later(
    tmp_path: Path, logs: list[Path], clean: Path, jobs: int
) -> None:
    warehouse = tmp_path / "w"
    process = start_ingest(tmp_path, logs, warehouse, jobs=jobs, **OPTIONS)
    wait_until(lambda: parts_written(warehouse) >= 2, process)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
    wait_until_alone(process.pid)
    assert not list(warehouse.rglob(".*.tmp"))
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES, jobs=jobs)
    same_as_clean(warehouse, clean)


def test_i28_two_processes_over_the_same_files_count_each_deal_once(
    tmp_path: Path, logs: list[Path], clean: Path
) -> None:
    warehouse = tmp_path / "w"
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(logs[0].read_bytes())
    inputs = ([logs[0], logs[1]], [copy, logs[1]])
    processes = [start_ingest(tmp_path, files, warehouse, **OPTIONS) for files in inputs]
    outputs = [process.communicate() for process in processes]
    assert [
        (process.returncode, errors) for process, (_, errors) in zip(processes, outputs, strict=True)
    ] == [(0, ""), (0, "")]
    assert {json.loads(text)[0] for text, _ in outputs} == {501}
    store = Warehouse(warehouse)
    assert parts_of(warehouse) == parts_of(clean)
    assert count(store, "deals") == count(clean, "deals")
    rows = sorted(store.rows(), key=lambda row: row.read)
    assert [len(row.names) for row in rows] == [1, 2]
    assert set(rows[1].names) == {str(logs[0]), str(copy)}
    compact(warehouse)
    assert count(warehouse, "deals") == count(clean, "deals")


def test_compact_waits_for_no_writer(tmp_path: Path, logs: list[Path]) -> None:
    warehouse = tmp_path / "w"
    process = start_ingest(tmp_path, logs, warehouse, **OPTIONS)
    wait_until(lambda: parts_written(warehouse) >= 1, process)
    with pytest.raises(WarehouseError, match="another process is writing"):
        compact(warehouse)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")


def run_on_small_disk(folder: Path, command: list[str], kib: int) -> subprocess.CompletedProcess[str]:
    """Run *command* with *folder*/small on a disk of so many KiB, or, where no disk can be mounted, with no file
    longer than a tenth of that. The state left in ``small`` is copied to ``left``."""
    small, left = folder / "small", folder / "left"
    small.mkdir()
    mount = f"mount -t tmpfs -o size={kib}k tmpfs {small}"
    save = f"code=$?; cp -r {small} {left}; exit $code"
    can_mount = (
        subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode
        == 0
    )
    if can_mount:
        shell = ["unshare", "-rm", "sh", "-c", f'{mount} && "$@"; {save}', "sh"]
    else:
        shell = ["sh", "-c", f'(ulimit -f {max(kib // 10, 1)}; "$@"); {save}', "sh"]
    return subprocess.run([*shell, *command], cwd=PROJECT, capture_output=True, text=True, check=False)


def test_full_disk_is_a_clear_error_and_leaves_no_half_file(
    tmp_path: Path, logs: list[Path], clean: Path
) -> None:
    command = ingest_command(tmp_path, logs, tmp_path / "small" / "w", **OPTIONS)
    result = run_on_small_disk(tmp_path, command, kib=400)
    assert result.returncode == 1, result.stderr
    assert result.stderr.startswith("WarehouseError: ")
    assert "no space left" in result.stderr or "too large" in result.stderr
    warehouse = tmp_path / "left" / "w"
    assert Storage(warehouse).listing("ledger") == []
    assert not list(warehouse.rglob(".*.tmp"))
    written = parts_of(warehouse)
    assert all(parts_of(clean)[name] == data for name, data in written.items())
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    same_as_clean(warehouse, clean)

"""This process, a pool of processes and a Dask cluster: the same bytes, and nothing lost when one of them is killed.

Real processes, real signals.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

from belot_stats.cluster import EXTRA, differences, environment, run_on_worker
from belot_stats.derived import refresh
from belot_stats.errors import UsageError, WorkerError
from belot_stats.executors import SerialExecutor, open_pool
from belot_stats.ingest import ingest
from belot_stats.parts import ChunkJob
from belot_stats.ruleset import load_ruleset
from belot_stats.simulated import write_simulated
from belot_stats.simulator.job import SimulationJob
from belot_stats.storage import Storage
from belot_stats.warehouse import Warehouse
from belot_stats.work import MOST_BREAKS, Work, open_work
from tests.store.dask_cluster import Cluster, without_package, workers_of
from tests.store.logs import PROJECT, match, parts_of, query, start_ingest, write_log

pytestmark = pytest.mark.slow
CHUNK_BYTES = 20_000
RULES = load_ruleset("belot-bg")
CLOCK = ("finished_at", "elapsed_ms")  # what of the ledger tells when something was done


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two logs of 400 and 100 deals, in some 20 chunks."""
    folder = tmp_path_factory.mktemp("logs")
    first = [deal for index in range(40) for deal in match(f"m{index}")]
    second = [deal for index in range(30, 50) for deal in match(f"m{index}", deals=range(1, 6))]
    return [write_log(folder / "a.jsonl", [*first, "bad"]), write_log(folder / "b.jsonl", second)]


@pytest.fixture(scope="module")
def serial(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Warehouse that this process wrote alone."""
    return fill(tmp_path_factory.mktemp("serial") / "w", logs)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Cluster of two workers, which nobody kills."""
    with Cluster(tmp_path_factory.mktemp("dask")) as found:
        found.start_worker()
        found.start_worker()
        yield found


def fill(warehouse: Path, logs: list[Path], **where: Any) -> Path:
    """Read the logs, simulate a few matches, and follow all matches."""
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES, **where)
    job = SimulationJob(RULES, "random", 1, "deals")
    write_simulated(warehouse, RULES, "random", 1, range(4_990, 5_010), job, **where)
    refresh(Warehouse(warehouse))
    return warehouse


def contents(warehouse: Path) -> list[tuple[str, str]]:
    """Name and SHA-256 of every file; without the fingerprint in derived names, and the clock in the ledger."""
    found = []
    for path in (item for item in warehouse.rglob("*") if item.is_file()):
        name = str(path.relative_to(warehouse))
        if not name.startswith(("ledger/", "derived/fingerprints/")):
            name = re.sub(r"^(derived/\w+/\d\d)-[0-9a-f]+", r"\1", name)
            found.append((name, hashlib.sha256(path.read_bytes()).hexdigest()))
    for row in Warehouse(warehouse).rows():
        kept = {key: value for key, value in msgspec.to_builtins(row).items() if key not in CLOCK}
        found.append((f"ledger/{row.file}", hashlib.sha256(json.dumps(kept).encode()).hexdigest()))
    return sorted(found)


def test_serial_pool_and_cluster_write_the_same_bytes(
    tmp_path: Path, logs: list[Path], serial: Path, cluster: Cluster
) -> None:
    pool = fill(tmp_path / "pool", logs, jobs=2)
    dask = fill(tmp_path / "dask", logs, scheduler=cluster.address)
    expected = contents(serial)
    assert len([name for name, _ in expected if name.startswith("deals/")]) > 20
    assert {name.partition("/")[0] for name, _ in expected} == {
        ".writers.lock",
        ".ledger.lock",
        "deals",
        "findings",
        "quarantine",
        "ledger",
        "derived",
    }
    assert contents(pool) == expected
    assert contents(dask) == expected


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for *condition* while *process* runs."""
    for _ in range(12_000):
        if condition():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    raise AssertionError("nothing happened for 60 s")


def parts_written(warehouse: Path) -> int:
    return len(Storage(warehouse).listing("deals")) if (warehouse / "deals").is_dir() else 0


def same_logs(warehouse: Path, serial: Path) -> None:
    """Both hold the same deals of the logs, each once; the other one holds simulated deals as well."""
    for folder in ("deals", "findings", "quarantine"):
        parts = parts_of(serial, folder)
        for name, data in parts_of(warehouse, folder).items():
            assert parts[name] == data
    for asked in (
        "select match, deal, line, content_hash from deals where source = 'test' order by all",
        "select file_name, line, code from quarantine order by all",
        "select code, match, line from findings where source = 'test' order by all",
        """select file_name, count_read, count_accepted, count_quarantined, count_skipped from files
        where format <> 'simulation' order by all""",
    ):
        assert query(warehouse, asked) == query(serial, asked)


@pytest.mark.parametrize("kills", [1, 2])
def test_pool_whose_process_is_killed_carries_on(
    tmp_path: Path, logs: list[Path], serial: Path, kills: int
) -> None:
    warehouse = tmp_path / "w"
    process = start_ingest(tmp_path, logs, warehouse, jobs=2, chunk_bytes=CHUNK_BYTES)
    for _ in range(kills):
        before = parts_written(warehouse)
        wait_until(lambda before=before: parts_written(warehouse) >= before + 3, process)  # type: ignore[misc]
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)[0] == 501
    same_logs(warehouse, serial)


def kill_myself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(path: Path) -> int:
    """Kills its process the first time."""
    if not path.exists():
        path.touch()
        kill_myself()
    return 1


def test_work_says_how_often_processes_were_replaced(tmp_path: Path) -> None:
    with open_work(2) as work:
        found = list(work.in_order(die_once, ((tmp_path / name,) for name in ("a", "b", "c"))))
        assert found == [1, 1, 1]
        assert 1 <= work.restarts <= 3


def test_work_that_always_kills_its_process_ends_with_an_error() -> None:
    times = MOST_BREAKS + 1
    with pytest.raises(WorkerError, match=f"a worker process died {times} times"), open_work(2) as work:
        list(work.in_order(kill_myself, [(), ()]))
    assert work.restarts == MOST_BREAKS


def test_pool_of_the_caller_is_not_opened_again() -> None:
    pool = open_pool(2)
    work = Work(pool, 2)
    with pytest.raises(WorkerError, match=r"a worker process died \(out of memory\?\)"):
        work.result(work.submit(kill_myself))
    pool.shutdown()


def test_cluster_whose_worker_is_killed_carries_on(tmp_path: Path, logs: list[Path], serial: Path) -> None:
    warehouse = tmp_path / "w"
    with Cluster(tmp_path) as cluster:
        victim = cluster.start_worker()
        cluster.start_worker()
        process = start_ingest(tmp_path, logs, warehouse, scheduler=cluster.address, chunk_bytes=CHUNK_BYTES)
        wait_until(lambda: parts_written(warehouse) >= 3, process)
        victim.kill()
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)[0] == 501
    same_logs(warehouse, serial)


def test_cluster_whose_only_worker_is_killed_goes_on_with_its_next(
    tmp_path: Path, logs: list[Path], serial: Path
) -> None:
    warehouse = tmp_path / "w"
    with Cluster(tmp_path) as cluster:
        nanny = cluster.start_worker(nanny=True)
        process = start_ingest(tmp_path, logs, warehouse, scheduler=cluster.address, chunk_bytes=CHUNK_BYTES)
        wait_until(lambda: parts_written(warehouse) >= 3, process)
        (worker,) = workers_of(nanny.process.pid)
        os.kill(worker, signal.SIGKILL)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)[0] == 501
    same_logs(warehouse, serial)


def test_cluster_whose_scheduler_is_killed_is_an_error_and_the_run_is_finished_later(
    tmp_path: Path, logs: list[Path], serial: Path
) -> None:
    warehouse = tmp_path / "w"
    with Cluster(tmp_path) as cluster:
        cluster.start_worker()
        process = start_ingest(tmp_path, logs, warehouse, scheduler=cluster.address, chunk_bytes=CHUNK_BYTES)
        wait_until(lambda: parts_written(warehouse) >= 2, process)
        cluster.scheduler.kill()
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert re.fullmatch(
        r"WorkerError: tcp://\S+: the scheduler has gone away.*; what was committed stays: run again\n",
        errors,
    )
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    same_logs(warehouse, serial)


def test_interrupted_cluster_stops_soon_and_serves_the_next_run(
    tmp_path: Path, logs: list[Path], serial: Path, cluster: Cluster
) -> None:
    warehouse = tmp_path / "w"
    process = start_ingest(tmp_path, logs, warehouse, scheduler=cluster.address, chunk_bytes=CHUNK_BYTES)
    wait_until(lambda: parts_written(warehouse) >= 2, process)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES, scheduler=cluster.address)
    same_logs(warehouse, serial)
    assert not list(warehouse.rglob(".*.tmp"))


def run_cli(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "belot_stats.cli", *map(str, arguments)]
    settings = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=PROJECT, env=settings, capture_output=True, text=True, timeout=120, check=False
    )


def test_command_line_reads_and_simulates_on_a_cluster(
    tmp_path: Path, logs: list[Path], cluster: Cluster
) -> None:
    store = ["--warehouse", tmp_path / "w", "--scheduler", cluster.address]
    done = run_cli("ingest", *logs, *store, "--json")
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    assert sum(file["read"] for file in json.loads(done.stdout)["files"]) == 501
    done = run_cli("simulate", "--deals", "20", "--policy", "random", *store)
    assert (done.returncode, done.stderr) == (0, f"20 deals stored in {tmp_path / 'w'}\n")
    run_file = tmp_path / "job.toml"
    step = f'scheduler = "{cluster.address}"'
    run_file.write_text(
        f'[simulate]\ndeals = 20\npolicy = "random"\n{step}\n[ingest]\nlogs = ["a"]\n{step}\n'
    )
    (tmp_path / "a").write_bytes(logs[0].read_bytes())
    done = run_cli("run", run_file, "--quiet")
    assert (done.returncode, done.stderr) == (1, "")
    assert query(tmp_path / "warehouse", "select count(*) from deals") == [(420,)]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["--scheduler", "tcp://127.0.0.1:9"],
            3,
            r"tcp://127\.0\.0\.1:9: no Dask scheduler answers there: .*",
        ),
        (
            ["--scheduler", "nonsense"],
            2,
            r"--scheduler nonsense: expected an address as in tcp://host:8786: .*",
        ),
        (["--scheduler", "foo://a:1"], 2, r"--scheduler foo://a:1: expected an address as in .*"),
        (
            ["--scheduler", "tls://127.0.0.1:9"],
            2,
            r"--scheduler tls://127\.0\.0\.1:9: expected .*certificate.*",
        ),
        (["--scheduler", "tcp://a:1", "--jobs", "2"], 2, r"expected either --jobs or --scheduler: .*"),
    ],
)
def test_scheduler_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, logs: list[Path], arguments: list[str], code: int, said: str
) -> None:
    done = run_cli("ingest", logs[1], "--warehouse", tmp_path / "w", *arguments)
    assert re.fullmatch(f"belot-stats: {said}\n", done.stderr), done.stderr
    assert done.returncode == code


def test_missing_dask_names_the_extra(tmp_path: Path, logs: list[Path]) -> None:
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError('no module distributed')\n")
    store = ["--warehouse", tmp_path / "w", "--scheduler", "tcp://127.0.0.1:8786"]
    done = run_cli("ingest", logs[1], *store, PYTHONPATH=str(tmp_path))
    expected = f"belot-stats: --scheduler needs Dask: pip install '{EXTRA}' (no module distributed)\n"
    assert (done.returncode, done.stderr) == (2, expected)


def test_worker_of_another_version_is_refused(tmp_path: Path, logs: list[Path]) -> None:
    older = tmp_path / "older" / "tzdata-1999.1.dist-info"
    older.mkdir(parents=True)
    (older / "METADATA").write_text("Metadata-Version: 2.1\nName: tzdata\nVersion: 1999.1\n")
    with Cluster(tmp_path) as cluster:
        cluster.start_worker(environment={"PYTHONPATH": str(older.parent)})
        with pytest.raises(
            WorkerError, match=r"^worker tcp://\S+ cannot be used: tzdata 1999\.1 \(here 20\d\d"
        ):
            ingest(logs, tmp_path / "w", scheduler=cluster.address)
    assert parts_written(tmp_path / "w") == 0


def test_worker_without_the_package_is_refused(tmp_path: Path, logs: list[Path]) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.start_worker(environment=without_package(tmp_path))
        with pytest.raises(
            WorkerError, match=r"^worker tcp://\S+ has not the package belot-stats: no module"
        ):
            ingest(logs, tmp_path / "w", scheduler=cluster.address)


def test_environments_are_compared_by_name() -> None:
    here = environment()
    assert {"python", "belot-stats", "numpy", "pyarrow", "msgspec"} < set(here)
    assert differences(here, dict(here)) == ""
    assert differences({"a": "1", "b": "2"}, {"a": "0"}) == "a 0 (here 1), b none (here 2)"


def test_worker_that_joins_later_is_looked_at_with_every_call() -> None:
    here = environment()
    assert run_on_worker("run", here, max, (1, 2), {}) == 2
    with pytest.raises(WorkerError, match=r"^a worker on \S+ cannot be used: numpy \S+ \(here 0\.1\)$"):
        run_on_worker("run", {**here, "numpy": "0.1"}, max, (1, 2), {})


@pytest.mark.skipif(
    not Path("/proc/self/cwd").exists(), reason="needs a path that each process sees otherwise"
)
def test_worker_that_does_not_see_the_warehouse_is_named(
    tmp_path: Path, logs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path is each process's own working directory: there, but not the same folder."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there" / "w" / "ledger").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with Cluster(tmp_path) as cluster:
        cluster.start_worker(folder=tmp_path / "there")
        expected = (
            r"^worker tcp://\S+ does not see the warehouse /proc/self/cwd/w: the folder must be one that"
        )
        with pytest.raises(WorkerError, match=expected):
            ingest(logs, "/proc/self/cwd/w", scheduler=cluster.address)
    assert not list((tmp_path / "here").rglob(".*.tmp"))


class ElsewhereExecutor(SerialExecutor):
    """Works as on a machine whose folder has the same path, and is another one."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (job,) = args
        assert isinstance(job, ChunkJob)
        return super().submit(fn, msgspec.structs.replace(job, root=str(self._root)), **kwargs)


def test_nothing_is_committed_that_is_not_there(tmp_path: Path, logs: list[Path]) -> None:
    Warehouse(tmp_path / "elsewhere", create=True)
    with pytest.raises(WorkerError, match=r"a worker wrote it, and it is not there"):
        ingest(logs, tmp_path / "w", executor=ElsewhereExecutor(tmp_path / "elsewhere"))
    assert Storage(tmp_path / "w").listing("ledger") == []
    assert parts_written(tmp_path / "elsewhere") == 1


def thread_counts() -> tuple[int, int, str]:
    import pyarrow as pa

    return pa.cpu_count(), pa.io_thread_count(), os.environ["OMP_NUM_THREADS"]


def test_workers_use_one_thread_a_library(cluster: Cluster) -> None:
    for where in ({"jobs": 2}, {"jobs": 1, "scheduler": cluster.address}):
        with open_work(**where) as work:  # type: ignore[arg-type]
            calls = [work.submit(thread_counts) for _ in range(2)]  # a single one would stay in this process
            assert [work.result(call) for call in calls] == [(1, 1, "1")] * 2


def test_single_call_stays_in_this_process() -> None:
    with open_work(2) as work:
        assert work.result(work.submit(os.getpid)) == os.getpid()
        assert work.executor is None
        calls = [work.submit(os.getpid) for _ in range(2)]
        assert os.getpid() not in {work.result(call) for call in calls}
        assert work.result(work.submit(os.getpid)) != os.getpid()


def test_open_work_refuses_an_address_that_is_none() -> None:
    with pytest.raises(UsageError, match="expected an address"), open_work(1, scheduler="x"):
        pass

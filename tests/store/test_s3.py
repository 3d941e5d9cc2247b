"""A warehouse in an object store is the same as one in a folder: against a real server that speaks S3."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from belot_stats import object_storage
from belot_stats.cli import run
from belot_stats.compact import compact
from belot_stats.derived import refresh
from belot_stats.errors import WarehouseError
from belot_stats.executors import SerialExecutor
from belot_stats.ingest import ingest
from belot_stats.object_storage import ObjectStorage
from belot_stats.queries import run_report
from belot_stats.report_files import list_reports
from belot_stats.storage import LEDGER_LOCK, WRITERS_LOCK, open_storage
from belot_stats.warehouse import Warehouse
from tests.store.logs import (
    count,
    cut_off,
    match,
    other_score,
    parts_of,
    query,
    record,
    start_ingest,
    write_log,
)
from tests.store.s3 import BUCKET, Server, serve
from tests.store.test_killed import wait_until, wait_until_alone

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("moto") is None, reason="moto, of the extra dev, is not installed"
)
CHUNK_BYTES = 20_000
PARTS = ("deals", "findings", "quarantine")
RELATIONS = (
    "deals",
    "tricks",
    "calls",
    "declarations",
    "seats",
    "matches",
    "findings",
    "quarantine",
    "files",
)
CLOCK = ("finished_at", "elapsed_ms")  # columns that no two runs share


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an empty bucket, which the usual environment variables name."""
    folder = tmp_path_factory.mktemp("s3")
    with pytest.MonkeyPatch.context() as environment, serve(folder) as running:
        environment.setenv("AWS_ENDPOINT_URL", running.endpoint)
        environment.setenv("AWS_ACCESS_KEY_ID", "tester")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        environment.setenv("HOME", str(folder))
        environment.delenv("AWS_PROFILE", raising=False)
        yield running
        assert not (folder / ".duckdb").exists(), "DuckDB has installed an extension"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two logs in some 13 chunks, with copies, conflicts, a broken-off deal and bad lines."""
    folder = tmp_path_factory.mktemp("logs")
    first = [deal for index in range(20) for deal in match(f"m{index}")]
    second = [deal for index in range(15, 25) for deal in match(f"m{index}", deals=range(1, 6))]
    odd = [record(3, match="m1"), other_score(record(4, match="m2")), cut_off(record(6, match="m30"))]
    return [
        write_log(folder / "a.jsonl", [*first, "bad", *odd]),
        write_log(folder / "b.jsonl", [*second, '{"also": "bad"}']),
    ]


@pytest.fixture(scope="module")
def local(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in a folder."""
    warehouse = tmp_path_factory.mktemp("local") / "w"
    fill(logs, str(warehouse))
    return warehouse


@pytest.fixture(scope="module")
def remote(server: Server, logs: list[Path]) -> str:
    """The same in the object store."""
    warehouse = f"s3://{BUCKET}/whole/w"
    fill(logs, warehouse, jobs=2)
    return warehouse


def fill(logs: list[Path], warehouse: str, jobs: int = 1) -> None:
    """Ingest and simulate."""
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES, jobs=jobs)
    simulated = ["simulate", "--rules", "belot-bg", "--matches", "3", "--seed", "5", "--policy", "random"]
    assert run([*simulated, "-w", warehouse, "--jobs", str(jobs), "--quiet"]) == 0


def same_parts(warehouse: str, other: Path) -> None:
    for folder in PARTS:
        assert parts_of(warehouse, folder) == parts_of(other, folder)


def plain(value: Any) -> Any:
    """Sums of floating point depend on the order of their terms."""
    if isinstance(value, float | Decimal):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [plain(item) for item in value]
    return {name: plain(item) for name, item in value.items()} if isinstance(value, dict) else value


def rows_of(table: Any) -> list[str]:
    rows = [
        {name: plain(value) for name, value in row.items() if name not in CLOCK} for row in table.to_pylist()
    ]
    return sorted(map(repr, rows))


def test_parts_have_the_same_bytes_and_are_one_put_each(server: Server, remote: str, local: Path) -> None:
    same_parts(remote, local)
    for folder in PARTS:
        for name in parts_of(remote, folder):
            assert len(server.asked("PUT", f"/whole/w/{folder}/{name}")) == 1
    assert not server.asked("POST", "/whole/w/")


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations_are_the_same(remote: str, local: Path, relation: str) -> None:
    there, here = (Warehouse(path).sql(f"from {relation}").to_arrow_table() for path in (remote, local))
    assert there.schema.names == here.schema.names
    assert there.num_rows > 0
    assert rows_of(there) == rows_of(here)


def test_raw_views_have_the_same_columns_and_types(remote: str, local: Path) -> None:
    for view in ("deals", "findings", "quarantine", "duplicates", "standings", "matches", "match_findings"):
        there, here = (query(path, f"describe raw_{view}") for path in (remote, local))
        assert [row[:2] for row in there] == [row[:2] for row in here]


@pytest.mark.parametrize("name", [report.name for report in list_reports()])
def test_reports_are_the_same(remote: str, local: Path, name: str) -> None:
    there, here = (run_report(Warehouse(path), name).table for path in (remote, local))
    assert rows_of(there) == rows_of(here)


def words(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "--recheck", "--json"],
        ["findings"],
        ["findings", "--code", "conflicting-deal", "--format", "csv"],
        ["report", "contract-success"],
        ["sql", "select match, count(*) as n from deals group by match order by match"],
        ["show", "m3/4"],
        ["export", "--where", "match = 'm3'"],
        ["quarantine", "list"],
        ["quarantine", "requeue"],
        ["compact"],
    ],
    ids=" ".join,
)
def test_commands_say_the_same(
    remote: str, local: Path, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    there, here = (words(capfd, *command, "-w", path) for path in (remote, local))
    if "--json" in command:
        there, here = (without_clock(*said) for said in (there, here))
    assert there == here


def without_clock(code: int, out: str, err: str) -> tuple[int, str, str]:
    answer = json.loads(out)
    for row in answer["record-balance"]["rows"]:
        for name in CLOCK:
            row.pop(name, None)
    return code, repr(plain(answer)), err


def test_a_run_file_may_name_an_object_store(
    server: Server, logs: list[Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    warehouse = f"s3://{BUCKET}/run-file"
    ingested, page = (
        f'[ingest]\nlogs = ["{logs[1]}"]\njobs = 1',
        '[report]\nnames = ["audit-summary"]\nhtml = "."',
    )
    job = f'warehouse = "{warehouse}"\n{ingested}\n[audit]\n{page}\n'
    (tmp_path / "job.toml").write_text(job, encoding="utf-8")
    code, _, _ = words(capfd, "run", tmp_path / "job.toml")
    assert (code, count(warehouse, "quarantine")) == (1, 1)
    assert warehouse in (tmp_path / "report.html").read_text("utf-8")
    assert not (tmp_path / "s3:").exists()


def test_grown_log_and_compact(server: Server, tmp_path: Path) -> None:
    found = []
    for warehouse in (f"s3://{BUCKET}/grown", str(tmp_path / "w")):
        log = write_log(tmp_path / "a.jsonl", match(deals=range(1, 5)))
        ingest(log, warehouse)
        count(warehouse, "matches")
        write_log(log, [*match(deals=range(1, 5)), "bad", *match(deals=range(5, 11))])
        ingest(log, warehouse)
        before = query(warehouse, "select match, deal, line, total from deals order by all")
        report = compact(warehouse)
        assert query(warehouse, "select match, deal, line, total from deals order by all") == before
        found.append((report.parts, [parts_of(warehouse, folder) for folder in PARTS], before))
        assert compact(warehouse).size_bytes == 0
    assert found[0] == found[1]
    assert found[0][0] == 2


@pytest.mark.parametrize(("jobs", "parts"), [(1, 3), (2, 6)])
def test_killed_and_run_again_equals_one_clean_run(
    server: Server, logs: list[Path], tmp_path: Path, jobs: int, parts: int
) -> None:
    clean, warehouse = tmp_path / "clean", f"s3://{BUCKET}/killed{jobs}"
    ingest(logs, clean, chunk_bytes=CHUNK_BYTES)
    process = start_ingest(tmp_path, logs, warehouse, jobs=jobs, chunk_bytes=CHUNK_BYTES)
    storage = open_storage(warehouse)
    wait_until(lambda: len(storage.listing("deals")) >= parts, process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    wait_until_alone(process.pid)
    assert len(storage.listing("ledger")) < 2
    before = len(server.asked("PUT", f"/killed{jobs}/deals/"))
    ingest(logs, warehouse, chunk_bytes=CHUNK_BYTES)
    again = server.asked("PUT", f"/killed{jobs}/deals/")[before:]
    assert len(again) <= len(parts_of(clean)) - parts, "parts that were there are not written again"
    same_parts(warehouse, clean)
    assert compact(warehouse).parts == 0, "the lease of the killed process stands in nobody's way"
    asked = "select source, match, deal, line, content_hash from deals order by all"
    assert query(warehouse, asked) == query(clean, asked)


def test_interrupted_leaves_no_half_object(server: Server, logs: list[Path], tmp_path: Path) -> None:
    clean, warehouse = tmp_path / "clean", f"s3://{BUCKET}/interrupted"
    ingest(logs, clean, chunk_bytes=CHUNK_BYTES)
    process = start_ingest(tmp_path, logs, warehouse, chunk_bytes=CHUNK_BYTES)
    storage = open_storage(warehouse)
    wait_until(lambda: len(storage.listing("deals")) >= 2, process)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    for folder in PARTS:
        assert all(
            parts_of(clean, folder)[name] == data for name, data in parts_of(warehouse, folder).items()
        )
    assert storage.listing(f"locks/{WRITERS_LOCK.strip('.')}") == []


def test_two_processes_at_once_count_each_deal_once(server: Server, logs: list[Path], tmp_path: Path) -> None:
    warehouse, copy = f"s3://{BUCKET}/two", tmp_path / "copy.jsonl"
    copy.write_bytes(logs[0].read_bytes())
    inputs = ([logs[0], logs[1]], [copy, logs[1]])
    processes = [start_ingest(tmp_path, files, warehouse, chunk_bytes=CHUNK_BYTES) for files in inputs]
    outputs = [process.communicate() for process in processes]
    assert [errors for _, errors in outputs] == ["", ""]
    store = Warehouse(warehouse)
    assert count(store, "deals") == 20 * 10 + 5 * 5 + 1
    assert sorted(len(row.names) for row in store.rows()) == [1, 2]


def test_compact_waits_for_no_writer(server: Server, remote: str) -> None:
    with (
        open_storage(remote).lock(WRITERS_LOCK, shared=True),
        open_storage(remote).lock(WRITERS_LOCK, shared=True),
        pytest.raises(WarehouseError, match="another process is writing"),
    ):
        compact(remote)
    assert compact(remote).parts == 0


def test_a_lease_of_another_machine_holds_until_it_is_old(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = open_storage(f"s3://{BUCKET}/leases")
    assert isinstance(storage, ObjectStorage)
    storage.write("locks/ledger.lock/single-elsewhere-1-0", b"")
    with pytest.raises(WarehouseError, match="another process"), storage.lock(LEDGER_LOCK, wait=False):
        pass
    monkeypatch.setattr(object_storage, "LEASE_SECONDS", 0.5)
    with storage.lock(LEDGER_LOCK):  # waits until it is
        assert len(storage.listing("locks/ledger.lock")) == 1
    assert storage.listing("locks/ledger.lock") == []


def test_a_lease_is_renewed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_storage, "RENEW_SECONDS", 0.05)
    storage = open_storage(f"s3://{BUCKET}/renewed")
    with storage.lock(WRITERS_LOCK):
        path = f"/renewed/locks/writers.lock/{storage.listing('locks/writers.lock')[0].name}"
        for _ in range(400):
            if len(server.asked("PUT", path)) >= 3:
                break
            time.sleep(0.05)
    assert len(server.asked("PUT", path)) >= 3


def test_options_in_the_uri_and_a_path_of_one(
    server: Server, remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    assert count(server.uri("whole/w", region="us-east-1"), "deals") == count(remote, "deals")
    assert count(Path(server.uri("whole/w/")), "deals") == count(remote, "deals")


def test_uri_of_a_folder(local: Path) -> None:
    assert count(f"file://{local}", "deals") == count(local, "deals")


LOG = Path(__file__).parent / "match.jsonl"
ASKING = (
    ["audit"],
    ["report", "contract-success"],
    ["compact"],
    ["sql", "select 1"],
    ["findings"],
    ["export"],
)


@pytest.mark.parametrize("command", [["ingest", LOG, "--jobs", "1"], ["simulate", "--deals", "5"], *ASKING])
def test_no_such_bucket(server: Server, command: list[object], capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = words(capfd, *command, "-w", "s3://nosuchbucket/w")
    assert (code, out) == (3, "")
    assert err == "belot-stats: s3://nosuchbucket/w: there is no such bucket: nosuchbucket\n"


def test_what_memory_cannot_hold_is_set_aside_on_this_machine(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    store = Warehouse(f"s3://{BUCKET}/spilling", create=True, memory_limit="200MB")
    store.connection().execute("set threads = 2")
    query = "select i, md5(i::varchar) as text from range(6_000_000) as numbers (i) order by text"
    assert store.sql(query).to_arrow_reader(100_000).read_next_batch().num_rows > 0
    assert list(tmp_path.glob("belot-stats-*/*/duckdb_temp*"))


def test_no_such_warehouse(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = words(capfd, "audit", "-w", f"s3://{BUCKET}/nowhere")
    assert (code, "there is no warehouse" in err) == (3, True)
    ObjectStorage(f"s3://{BUCKET}").write("other/file", b"x")
    code, _, err = words(capfd, "ingest", LOG, "-w", f"s3://{BUCKET}/other")
    assert (code, "is no warehouse" in err) == (3, True)


def test_no_network(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tester")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    code, out, err = words(capfd, "audit", "-w", "s3://unreachable/w")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "the store cannot be reached" in err


def test_no_credentials(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    code, out, err = words(
        capfd, "ingest", LOG, "--jobs", "1", "-w", f"s3://{BUCKET}/denied?region=us-east-1"
    )
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "there are no credentials" in err
    assert "AWS_ACCESS_KEY_ID" in err


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("s3://key:hidden@bucket/w", "credentials do not belong"),
        ("s3://bucket/w?nonsense=1", "nonsense"),
        ("s3://", "expected a bucket"),
        ("ftp://server/w", "no storage"),
        ("s3://a b/w", "no storage"),
    ],
)
def test_uris_that_name_no_storage(uri: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = words(capfd, "audit", "-w", uri)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert said in err
    assert "hidden" not in err


def test_a_store_that_goes_away_while_it_is_asked(
    server: Server, tmp_path: Path, logs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path) as other:
        store = Warehouse(other.uri("w"), create=True)
        ingest(logs[1], store)
        connection = store.connection()
    with pytest.raises(WarehouseError, match="cannot be reached"):
        run_report(connection, "contract-success")


def test_a_missing_part_is_said(server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    warehouse = f"s3://{BUCKET}/missing"
    ingest(LOG, warehouse)
    storage = open_storage(warehouse)
    storage.remove(f"deals/{storage.listing('deals')[0].name}")
    code, _, err = words(capfd, "sql", "select sum(tricks_won[1]) from deals", "-w", warehouse)
    assert (code, err.count("\n")) == (3, 1)
    assert "missing" in err


def test_matches_are_followed_in_columns_in_the_object_store_as_well(
    logs: list[Path], server: Server
) -> None:
    warehouse = f"s3://{BUCKET}/columns/w"
    fill(logs, warehouse)
    store = Warehouse(warehouse)
    refresh(store)
    expected = derived_files(store)
    assert {name.partition("/")[0] for name in expected} == {"standings", "matches", "match_findings"}
    for name in expected:
        store.storage.remove(f"derived/{name}")
    refresh(Warehouse(warehouse), executor=SerialExecutor())
    assert derived_files(store) == expected
    assert server.asked("PUT", "/derived/.shuffle/")
    assert store.storage.folders("derived/.shuffle") == []
    store.close()


def derived_files(store: Warehouse) -> dict[str, bytes]:
    return {
        f"{table}/{file.name}": store.storage.read(f"derived/{table}/{file.name}")
        for table in ("standings", "matches", "match_findings")
        for file in store.storage.listing(f"derived/{table}")
    }

"""The match pass in columns writes the same bytes as the one that takes every match through the match checker."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from belot_stats import deal_keys, derived
from belot_stats.compact import compact
from belot_stats.errors import UsageError
from belot_stats.executors import SerialExecutor
from belot_stats.exporting import write_deals
from belot_stats.ingest import ingest
from belot_stats.match_output import BucketOutput
from belot_stats.match_pass import MatchProgress, Workers, run_match_pass
from belot_stats.ruleset import load_ruleset, ruleset_names
from belot_stats.shuffle import Shuffle, open_shuffle, split
from belot_stats.simulated import write_simulated
from belot_stats.simulator.job import SimulationJob
from belot_stats.storage import SHUFFLE_FOLDER, Storage
from belot_stats.warehouse import Warehouse
from tests.store.dask_cluster import Cluster
from tests.store.logs import PROJECT, Record, codes, match, query, record, write_log

SHARED = PROJECT / ".." / "shared" / "logs"
TABLES = ("standings", "match_findings", "matches")
ONE_BY_ONE = {"column_deals": 10**9}
IN_COLUMNS = {"column_deals": 0, "slice_deals": 500}


def follow(warehouse: Path, **options: Any) -> dict[str, bytes]:
    """Follow all matches anew. Returns: the files written."""
    for table in TABLES:
        shutil.rmtree(warehouse / "derived" / table, ignore_errors=True)
    store = Warehouse(warehouse)
    rows = store.rows()
    fingerprints = derived.refresh_duplicates(store, rows)
    run_match_pass(store, rows, fingerprints, derived.stale_buckets(store, fingerprints), **options)
    store.close()
    assert not list((warehouse / SHUFFLE_FOLDER).glob("*"))
    return written(warehouse)


def written(warehouse: Path) -> dict[str, bytes]:
    return {
        f"{table}/{path.name}": path.read_bytes()
        for table in TABLES
        for path in (warehouse / "derived" / table).glob("*.parquet")
    }


def assert_same(warehouse: Path, **options: Any) -> None:
    expected, found = follow(warehouse, **ONE_BY_ONE), follow(warehouse, **{**IN_COLUMNS, **options})
    assert sorted(found) == sorted(expected)
    assert [name for name, data in expected.items() if found[name] != data] == []


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Source and match of those that go through the match checker, in this process."""
    seen: list[tuple[str, str]] = []
    original = BucketOutput.add_match

    def add_match(self: BucketOutput, key: tuple[str, str], *rest: Any) -> None:
        seen.append(key)
        original(self, key, *rest)

    monkeypatch.setattr(BucketOutput, "add_match", add_match)
    return seen


def shared_logs(folder: Path, are_faulty: bool) -> list[Path]:
    """The shared logs, each under a source of its own, as all of them name one."""
    if not SHARED.is_dir():
        pytest.skip("../shared/logs is not there")
    logs = []
    for path in sorted(SHARED.glob("*.jsonl")):
        if ".truth" not in path.name and ("-faults" in path.name) == are_faulty:
            logs.append(folder / path.name)
            logs[-1].write_bytes(path.read_bytes().replace(b"oracle-11", path.stem.encode()))
    return logs


def test_clean_logs_of_all_systems_never_meet_the_match_checker(
    tmp_path: Path, checked: list[tuple[str, str]]
) -> None:
    ingest(shared_logs(tmp_path, are_faulty=False), tmp_path / "w")
    expected, matches = follow(tmp_path / "w", **ONE_BY_ONE), len(checked)
    assert matches > 100
    checked.clear()
    assert follow(tmp_path / "w", **IN_COLUMNS) == expected
    assert checked == []


def test_faulty_logs_of_all_systems_give_the_same(tmp_path: Path, checked: list[tuple[str, str]]) -> None:
    ingest(shared_logs(tmp_path, are_faulty=True), tmp_path / "w")
    assert_same(tmp_path / "w")
    assert len(checked) < 2 * len(set(checked))  # of the second way, some matches only
    assert len({code for code, _ in codes(tmp_path / "w")}) > 10


@pytest.fixture(scope="module")
def simulated() -> dict[str, list[list[Record]]]:
    """A few matches of every system, as records."""
    return {name: simulate(name, range(1, 4)) for name in ruleset_names()}


def simulate(rules: str, numbers: range) -> list[list[Record]]:
    job = SimulationJob(load_ruleset(rules), "random", 7, "matches")
    stream = io.BytesIO()
    write_deals(job(numbers), stream)
    matches: dict[str, list[Record]] = {}
    for line in stream.getvalue().splitlines():
        item = json.loads(line)
        matches.setdefault(item["match"], []).append(item)
    return list(matches.values())


def test_simulated_matches_of_all_systems_never_meet_the_match_checker(
    tmp_path: Path, simulated: dict[str, list[list[Record]]], checked: list[tuple[str, str]]
) -> None:
    records = [deal for matches in simulated.values() for deals in matches for deal in deals]
    random.Random(3).shuffle(records)
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w", chunk_bytes=200_000)
    expected = follow(tmp_path / "w", **ONE_BY_ONE)
    checked.clear()
    assert follow(tmp_path / "w", **IN_COLUMNS) == expected
    assert checked == []
    assert query(tmp_path / "w", "select count(*), min(is_finished) from raw_matches") == [
        (3 * len(ruleset_names()), True)
    ]


def drop(rng: random.Random, deals: list[Record]) -> None:
    del deals[rng.randrange(len(deals))]


def cut(rng: random.Random, deals: list[Record]) -> None:
    del deals[rng.randrange(1, len(deals) + 1) :]


def repeat(rng: random.Random, deals: list[Record]) -> None:
    deals.append(rng.choice(deals))


def contradict(rng: random.Random, deals: list[Record]) -> None:
    deals.insert(rng.randrange(len(deals)), {**rng.choice(deals), "players": ["a", "b", "c", "d"]})


def renumber(rng: random.Random, deals: list[Record]) -> None:
    at = rng.randrange(len(deals))
    deals[at] = {**deals[at], "deal": rng.choice([deals[at]["deal"] + 1, 99, 1])}


def exchange(rng: random.Random, deals: list[Record]) -> None:
    one, other = rng.randrange(len(deals)), rng.randrange(len(deals))
    deals[one], deals[other] = (
        {**deals[one], "deal": deals[other]["deal"]},
        {**deals[other], "deal": deals[one]["deal"]},
    )


def claim(rng: random.Random, deals: list[Record]) -> None:
    at = rng.randrange(len(deals))
    claimed = dict(deals[at].get("claimed", {}))
    name = rng.choice(["score", "total", "hanging", "winner", "made"])
    if name in ("score", "total"):
        sides = claimed.get(name) or [0, 0]
        side = rng.randrange(len(sides))
        claimed[name] = [
            points + (rng.choice([-10, 1, 26]) if place == side else 0) for place, points in enumerate(sides)
        ]
    else:
        claimed[name] = {
            "hanging": rng.choice([0, 13]),
            "winner": rng.choice([0, 1]),
            "made": rng.random() < 0.5,
        }[name]
    deals[at] = {**deals[at], "claimed": claimed}


def forget(rng: random.Random, deals: list[Record]) -> None:
    """One claim, or all, of one deal, or of all."""
    names = rng.choice(
        [["total"], ["score", "hanging"], ["total", "winner"], ["score", "total", "hanging", "winner"]]
    )
    places = range(len(deals)) if rng.random() < 0.5 else [rng.randrange(len(deals))]
    for at in places:
        kept = {name: value for name, value in deals[at].get("claimed", {}).items() if name not in names}
        deals[at] = {**deals[at], "claimed": kept}


def move_dealer(rng: random.Random, deals: list[Record]) -> None:
    at = rng.randrange(len(deals))
    deals[at] = {**deals[at], "dealer": (deals[at]["dealer"] + 1) % len(deals[at].get("hands", "1234"))}


def stop_short(rng: random.Random, deals: list[Record]) -> None:
    at = rng.randrange(len(deals))
    plays = " ".join(deals[at].get("plays", "").split()[:5])
    end = rng.choice(["abandoned", "conceded", "redeal", "penalty", "declared_out"])
    ended = {"end": end, "ended_by": {"seat": 1, "at": len(plays.split())}}
    deals[at] = {**deals[at], "plays": plays, **ended}


def other_target(rng: random.Random, deals: list[Record]) -> None:
    target = rng.choice([51, 10_000])
    deals[:] = [{**deal, "options": {"target": target}} for deal in deals]


def mix_rules(rng: random.Random, deals: list[Record]) -> None:
    at = rng.randrange(len(deals))
    deals[at] = {**deals[at], "options": {"target": 77}}


def set_clock(rng: random.Random, deals: list[Record]) -> None:
    """Times that now and then stand still, run back, lack an offset, or are missing."""
    for at, deal in enumerate(deals):
        minute = at + rng.choice([0, 0, 0, 0, -1, -2]) + 3
        time = f"2026-03-01T{minute // 60:02d}:{minute % 60:02d}:00"
        offset = rng.choice(["Z", "Z", "+02:00", ""])
        deals[at] = deal if rng.random() < 0.1 else {**deal, "started": time + offset}


def rename(rng: random.Random, deals: list[Record]) -> None:
    deals[0] = {key: value for key, value in deals[0].items() if key != "players" or rng.random() < 0.5}


CHANGES: list[Callable[[random.Random, list[Record]], None]] = [
    *(drop, cut, repeat, contradict, renumber, exchange, claim, claim, forget, move_dealer, stop_short),
    *(other_target, mix_rules, set_clock, rename),
]


def mutated(simulated: dict[str, list[list[Record]]], rng: random.Random) -> Iterator[Record | str]:
    """Each match a few times under other names, with up to three changes."""
    for name, matches in simulated.items():
        for number, deals in enumerate(matches):
            for again in range(4):
                changed = [{**deal, "match": f"{name}-{number}-{again}"} for deal in deals]
                for change in rng.choices(CHANGES, k=rng.randrange(4)):
                    if changed:
                        change(rng, changed)
                yield from changed
                if changed and rng.random() < 0.1:
                    yield json.dumps({**changed[0], "deal": len(changed) + 1, "dealer": "nobody"})


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_matches_with_random_faults_give_the_same(
    tmp_path: Path,
    simulated: dict[str, list[list[Record]]],
    seed: int,
    checked: list[tuple[str, str]],
) -> None:
    records = list(mutated(simulated, random.Random(seed)))
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w", chunk_bytes=150_000)
    ingest(write_log(tmp_path / "b.jsonl", [*records[100:200], *records[150:160]]), tmp_path / "w")
    assert_same(tmp_path / "w")
    of_all, of_doubtful = len(set(checked)), len(checked) - len(set(checked))
    assert 0.2 * of_all < of_doubtful < 0.8 * of_all
    found = {code for code, _ in codes(tmp_path / "w")}
    wanted = {
        "missing-deal",
        "duplicate-deal",
        "conflicting-deal",
        "wrong-dealer",
        "wrong-total",
        "wrong-winner",
    }
    assert wanted | {"deal-after-end", "match-unfinished", "ambiguous-time"} <= found


def test_slices_and_buckets_of_any_size_give_the_same(
    tmp_path: Path, simulated: dict[str, list[list[Record]]]
) -> None:
    records = list(mutated({"belot-bg": simulated["belot-bg"]}, random.Random(4)))
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w", chunk_bytes=20_000)
    expected = follow(tmp_path / "w", **ONE_BY_ONE)
    for slice_deals in (1, 40, 10**6):
        assert follow(tmp_path / "w", column_deals=0, slice_deals=slice_deals) == expected


def test_single_deals_are_matches_of_their_own(tmp_path: Path, checked: list[tuple[str, str]]) -> None:
    rules = load_ruleset("belot-bg")
    job = SimulationJob(rules, "random", 1, "deals")
    write_simulated(tmp_path / "w", rules, "random", 1, range(1, 3_001), job)
    expected = follow(tmp_path / "w", **ONE_BY_ONE)
    checked.clear()
    assert follow(tmp_path / "w", **IN_COLUMNS) == expected
    assert checked == []


def test_only_stale_buckets_are_written_again(tmp_path: Path) -> None:
    first = [deal for n in range(40) for deal in match(f"m{n}", deals=[1, 2])]
    ingest(write_log(tmp_path / "a.jsonl", first), tmp_path / "w")
    follow(tmp_path / "w", **IN_COLUMNS)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "w" / "derived").rglob("*.parquet")}
    ingest(write_log(tmp_path / "b.jsonl", match("m7", deals=[3])), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    rows = store.rows()
    fingerprints = derived.refresh_duplicates(store, rows)
    stale = derived.stale_buckets(store, fingerprints)
    assert len(stale) == 1
    run_match_pass(store, rows, fingerprints, stale, **IN_COLUMNS)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert query(store, "select count(*), sum(deals)::int from raw_matches") == [(40, 81)]


def test_progress_grows_to_the_whole(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", [*match(), *match("m2", deals=[1, 3])]), tmp_path / "w")
    seen: list[MatchProgress] = []
    follow(tmp_path / "w", progress=seen.append, column_deals=0, slice_deals=3)
    assert [state.share for state in seen] == sorted(state.share or 0 for state in seen)
    assert seen[-1] == MatchProgress(1.0, 2)


@pytest.mark.slow
def test_serial_pool_and_cluster_write_the_same_bytes(
    tmp_path: Path, simulated: dict[str, list[list[Record]]]
) -> None:
    records = list(mutated(simulated, random.Random(5)))
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w", chunk_bytes=150_000)
    expected = follow(tmp_path / "w", **ONE_BY_ONE)
    assert follow(tmp_path / "w", **IN_COLUMNS, workers=Workers(jobs=2)) == expected
    (tmp_path / "dask").mkdir()
    with Cluster(tmp_path / "dask") as cluster:
        cluster.start_worker()
        cluster.start_worker()
        workers = Workers(scheduler=cluster.address)
        assert follow(tmp_path / "w", column_deals=10**9, slice_deals=500, workers=workers) == expected


SCRIPT = """
import sys
from belot_stats import derived
from belot_stats.match_pass import Workers, run_match_pass
from belot_stats.warehouse import Warehouse

if __name__ == "__main__":
    store = Warehouse(sys.argv[1])
    rows = store.rows()
    fingerprints = derived.refresh_duplicates(store, rows)
    stale = derived.stale_buckets(store, fingerprints)
    try:
        with store.storage.lock(".writers.lock", shared=True):
            run_match_pass(store, rows, fingerprints, stale, None, Workers(jobs=int(sys.argv[2])), 0, 500)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("signal_number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_pass_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path,
    simulated: dict[str, list[list[Record]]],
    jobs: int,
    signal_number: int,
    code: int,
) -> None:
    records = list(mutated(simulated, random.Random(6)))
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w", chunk_bytes=150_000)
    expected = follow(tmp_path / "w", **ONE_BY_ONE)
    for table in TABLES:
        shutil.rmtree(tmp_path / "w" / "derived" / table)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script), str(tmp_path / "w"), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(command, cwd=PROJECT, env=environment) as process:
        done = tmp_path / "w" / "derived" / "matches"
        while process.poll() is None and not list(done.glob("*.parquet")):
            time.sleep(0.001)
        process.send_signal(signal_number)
        assert process.wait() == code
    kept = {path: path.stat().st_mtime_ns for path in done.glob("*.parquet")}
    assert 0 < len(kept) < len([name for name in expected if name.startswith("matches/")])
    left = list((tmp_path / "w" / SHUFFLE_FOLDER).glob("*"))
    assert bool(left) == (signal_number == signal.SIGKILL)
    derived.refresh(Warehouse(tmp_path / "w"))
    assert written(tmp_path / "w") == expected
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    compact(tmp_path / "w")
    assert not (tmp_path / "w" / SHUFFLE_FOLDER).exists()


def test_a_cluster_that_is_asked_for_is_asked(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match()), tmp_path / "w")
    with pytest.raises(UsageError, match="--scheduler nonsense"):
        derived.refresh(Warehouse(tmp_path / "w"), scheduler="nonsense")


def test_what_is_shuffled_comes_back_by_receiver(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    table = pa.table({"a": [1, 2, 3, 4, 5], "b": ["x", None, "y", "z", ""]})
    with open_shuffle(storage) as shuffle:
        assert shuffle.write("kind", 3, split(table, np.array([7, 0, 7, 7, 2]))) == {0: 1, 2: 1, 7: 3}
        assert shuffle.write("kind", 4, split(table.slice(0, 1), np.array([7]))) == {7: 1}
        assert shuffle.write("kind", 5, {}) == {}
        assert shuffle.table("kind", [3, 4], 7).to_pylist() == [
            {"a": 1, "b": "x"},
            {"a": 3, "b": "y"},
            {"a": 4, "b": "z"},
            {"a": 1, "b": "x"},
        ]
        assert [sender for sender, _ in shuffle.read("kind", [3], 0)] == [3]
    assert not (tmp_path / shuffle.folder).exists()
    assert isinstance(shuffle, Shuffle)


def test_repeated_keys_are_found_in_pieces_too(tmp_path: Path) -> None:
    records = [*match(), record(3), *match("m2"), record(5, match="m2"), record(6, match="m2", players=None)]
    ingest(write_log(tmp_path / "a.jsonl", records), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    rows = store.rows()
    connection = store.raw_connection(rows)
    buckets, keys = deal_keys.scan_deals(connection, rows)
    assert len(keys) == 3
    in_pieces = deal_keys.scan_deals(connection, rows, keys_at_once=4)
    assert in_pieces[0] == buckets
    assert sorted(in_pieces[1].tolist()) == keys.tolist()
    connection.close()


def test_keys_in_files_are_those_of_all_together(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    batches = [random.integers(0, 2**64, 5_000, dtype=np.uint64) for _ in range(4)]
    batches.append(np.concatenate([batches[0][:7], batches[2][10:13], batches[2][10:13]]))
    values, counts = np.unique(np.concatenate(batches), return_counts=True)
    for count in (1, 3, 1_000):
        with deal_keys.KeyFiles(count, str(tmp_path)) as keys:
            for batch in batches:
                keys.add(batch)
            assert sorted(keys.repeated().tolist()) == values[counts > 1].tolist()
    assert list(tmp_path.iterdir()) == []


def test_an_executor_that_is_given_is_used(tmp_path: Path, checked: list[tuple[str, str]]) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match()), tmp_path / "w")
    derived.refresh(Warehouse(tmp_path / "w"), executor=SerialExecutor())
    assert query(tmp_path / "w", "select deals, is_finished from raw_matches") == [(10, True)]
    assert checked == []

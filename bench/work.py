"""One measured piece of work in a process of its own: ``python bench/work.py TASK JSON`` prints its figures as JSON.

With BENCH_CORE in the environment the process stays on that processor.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

REPORT_RUNS = 3
BATCH = 20_000  # rows


def stay_on_one_core() -> None:
    """Keep this process, and what it starts, on the processor BENCH_CORE."""
    core = os.environ.get("BENCH_CORE")
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core)})


def timed(function: Callable[[], Any]) -> float:
    """Seconds that *function* takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def deals(policy: str, count: int, seed: int) -> dict[str, Any]:
    """Deals in memory: result columns of all of them in an Arrow table, by a loop that is compiled beforehand."""
    from belot_stats.result_files import results_table
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    job = SimulationJob(load_ruleset("belot-bg"), policy, seed, "deals", is_compiled=True)
    results_table(job, range(1, 101))
    made: list[Any] = []
    seconds = timed(lambda: made.append(results_table(job, range(1, count + 1))))
    return {"seconds": seconds, "deals": made[0].num_rows, "bytes": made[0].nbytes}


def command(arguments: list[str], codes: list[int]) -> dict[str, Any]:
    """One command of the program, from the moment its options are read."""
    from belot_stats.cli import run

    found: list[int] = []
    seconds = timed(lambda: found.append(run(arguments)))
    if found[0] not in codes:
        raise SystemExit(f"belot-stats {' '.join(arguments)}: exit code {found[0]}")
    return {"seconds": seconds}


def duckdb_copy(log: str, output: str) -> dict[str, Any]:
    """DuckDB turns a log into Parquet without looking at it, with all its threads."""
    import duckdb

    with duckdb.connect() as connection:
        query = f"copy (select * from read_json('{log}')) to '{output}'"
        return {"seconds": timed(lambda: connection.execute(query))}


def stored(warehouse: str, deals: int, seed: int, first: int) -> dict[str, Any]:
    """Sensible deals into a warehouse by this process alone, once its loops are compiled."""
    from belot_stats.commands.making import simulate_into, warmed_up
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    job = warmed_up(SimulationJob(load_ruleset("belot-bg"), "sensible", seed, "deals"), deals, quiet=True)
    simulate_into(job, range(1, 2), f"{warehouse}-first", 1, quiet=True)  # what is imported late
    numbers = range(first, first + deals)
    return {"seconds": timed(lambda: simulate_into(job, numbers, warehouse, 1, quiet=True)), "deals": deals}


def recheck(warehouse: str) -> dict[str, Any]:
    """The deal pass again over what a warehouse holds."""
    from belot_stats.asking import recheck as check_again
    from belot_stats.warehouse import Warehouse

    store, found = Warehouse(warehouse), []
    store.sql("select count(*) from raw_deals", refresh=False).fetchall()
    seconds = timed(lambda: found.append(check_again(store)))
    return {"seconds": seconds, "deals": found[0].deals, "differences": len(found[0].differences)}


def duckdb_read(warehouse: str, columns: list[str]) -> dict[str, Any]:
    """DuckDB reads columns of the deals of a warehouse as Arrow batches, with one thread."""
    from belot_stats.warehouse import Warehouse

    store = Warehouse(warehouse)
    store.connection(refresh=False).execute("set threads = 1")
    names = ", ".join(f'"{name}"' for name in columns)
    query = f"select {names} from raw_deals"

    def run() -> None:
        for _ in store.sql(query, refresh=False).to_arrow_reader(BATCH):
            pass

    return {"seconds": timed(run)}


def follow_matches(warehouse: str) -> dict[str, Any]:
    """The match pass over a warehouse, and which copies of a deal count."""
    from belot_stats import derived
    from belot_stats.warehouse import Warehouse

    store = Warehouse(warehouse)
    return {"seconds": timed(lambda: derived.refresh(store))}


def reports(warehouse: str) -> dict[str, Any]:
    """Every report once, so that everything it needs is there, and then its median seconds."""
    from belot_stats.queries import list_reports, run_report
    from belot_stats.warehouse import Warehouse

    store = Warehouse(warehouse)
    seconds, first = {}, {}
    for item in list_reports():
        runs = [timed(lambda item=item: run_report(store, item)) for _ in range(REPORT_RUNS + 1)]  # type: ignore[misc]
        first[item.name], seconds[item.name] = runs[0], statistics.median(runs[1:])
        sys.stderr.write(f"    {item.name}: {runs[0]:.2f} s, then {seconds[item.name]:.3f} s\n")
    return {"seconds": seconds, "first": first}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task
    for task in (deals, command, duckdb_copy, stored, recheck, duckdb_read, follow_matches, reports)
}

if __name__ == "__main__":
    stay_on_one_core()
    answer = TASKS[sys.argv[1]](**json.loads(sys.argv[2]))
    sys.stdout.write(f"\n{json.dumps(answer)}\n")

"""Rows with a peer: both sides in turn, a ratio a pair.

Each takes the scale of its inputs (1: as the table says) and the number of rounds, and returns what page.py shows.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.inputs import ingested_warehouse, match_log
from bench.measure import (
    HERE,
    Measured,
    Pairs,
    Skipped,
    answer_of,
    core_count,
    in_turn,
    peer_python,
    say,
    scratch,
    work,
)

RANDOM_DEALS = 5_000_000  # each for at least a second
SENSIBLE_DEALS = 1_000_000
ROLLOUTS = 2_000_000
PARQUET_DEALS = 10_000_000
WAREHOUSE_DEALS = 1_000_000
LOG_DEALS = 1_000_000
RECHECKED_DEALS = 1_000_000
MOST_SECONDS_OF_RECHECK = 120


def rate(answer: dict[str, Any], deals: int | None = None) -> float:
    """Deals a second."""
    return float((deals or answer["deals"]) / answer["seconds"])


def raced(pairs: Pairs, unit: str = "deals/s", note: str = "") -> Measured:
    """What a row with a ratio shows."""
    say(f"    ratios {', '.join(f'{ratio:.3f}' for ratio in pairs.ratios)}")
    return {
        "ours": {"unit": unit, "values": pairs.ours},
        "theirs": {"unit": unit, "values": pairs.theirs},
        "ratios": pairs.ratios,
        "judged": {"ratio": statistics.median(pairs.ratios)},
        "note": note,
    }


def scaled(count: int, scale: float) -> int:
    """*count* at the scale of a trial, no less than some."""
    return max(round(count * scale), 1_000)


def in_memory(policy: str, count: int, seeds: Iterator[int]) -> Callable[[], float]:
    """Our rate in memory, on one core."""
    return lambda: rate(work("deals", one_core=True, policy=policy, count=count, seed=next(seeds)))


def colver(scale: float) -> Callable[[], float]:
    """colver's rate, on one core."""
    seeds = itertools.count(1)

    def run() -> float:
        count = scaled(ROLLOUTS, scale)
        command = [peer_python(), HERE / "colver_rollouts.py", str(count), str(next(seeds))]
        return rate(answer_of(command, one_core=True))

    return run


def random_deals(scale: float, rounds: int) -> Measured:
    """Random deals against colver's rollouts."""
    ours = in_memory("random", scaled(RANDOM_DEALS, scale), itertools.count(1))
    return raced(in_turn(ours, colver(scale), rounds))


def sensible_deals(scale: float, rounds: int) -> Measured:
    """Sensible deals against colver's rollouts."""
    ours = in_memory("sensible", scaled(SENSIBLE_DEALS, scale), itertools.count(1))
    return raced(in_turn(ours, colver(scale), rounds))


def against_memory(
    command: Callable[[Path], list[object]], count: int, scale: float, rounds: int
) -> Measured:
    """Deals stored by all cores, against the rate in memory times the cores.

    command: of the path to write to.
    """
    size = []

    def stored() -> float:
        with scratch() as folder:
            path = folder / "results.parquet"
            answer = work("command", arguments=[str(word) for word in command(path)], codes=[0])
            size.append(bytes_of(path))
            return rate(answer, count)

    memory = in_memory("random", scaled(RANDOM_DEALS, scale), itertools.count(1))
    pairs = in_turn(stored, lambda: memory() * core_count(), rounds)
    return raced(pairs, note=f"{size[-1] / count:.0f} bytes a deal on disk")


def random_parquet(scale: float, rounds: int) -> Measured:
    """Results of random deals into one Parquet file."""
    count, seeds = scaled(PARQUET_DEALS, scale), itertools.count(1)

    def command(path: Path) -> list[object]:
        words = ["simulate", "--policy", "random", "--deals", count, "--seed", next(seeds), "--quiet"]
        return [*words, "--output", path]

    with scratch() as folder:
        path = folder / "try.parquet"
        work(
            "command",
            arguments=["simulate", "--deals", "100", "--quiet", "--output", str(path)],
            codes=[0, 2],
        )
        if not path.exists() or path.read_bytes()[:4] != b"PAR1":
            raise Skipped("simulate --output FILE.parquet writes no Parquet in this version")
    return against_memory(command, count, scale, rounds)


def random_warehouse(scale: float, rounds: int) -> Measured:
    """Random deals into a warehouse, with all that is known of them."""
    count, seeds = scaled(WAREHOUSE_DEALS, scale), itertools.count(1)

    def command(path: Path) -> list[object]:
        words = ["simulate", "--policy", "random", "--deals", count, "--seed", next(seeds), "--quiet"]
        return [*words, "--warehouse", path]

    return against_memory(command, count, scale, rounds)


def bytes_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def ingest(scale: float, rounds: int) -> Measured:
    """A log read, checked and stored, against DuckDB's COPY of it."""
    deals = scaled(LOG_DEALS, scale)
    log = match_log(deals)

    def ours() -> float:
        with scratch() as folder:
            arguments = ["ingest", str(log), "-w", str(folder / "w"), "--quiet"]
            return rate(work("command", arguments=arguments, codes=[0]), deals)

    def theirs() -> float:
        with scratch() as folder:
            return rate(work("duckdb_copy", log=str(log), output=str(folder / "x.parquet")), deals)

    ours()  # the file is in memory, the loops are compiled
    return raced(in_turn(ours, theirs, rounds), note=f"the file has {log.stat().st_size / 1e6:,.0f} MB")


def recheck(scale: float, rounds: int) -> Measured:
    """The deal pass over stored deals, against DuckDB reading what it needs."""
    from belot_stats.asking import RECHECK_COLUMNS
    from belot_stats.schema import dictionary  # without pyarrow, which this process is to stay clear of

    deals = recheckable(scale)
    store = str(ingested_warehouse(match_log(deals), deals))
    names = list(dictionary()["tables"]["deals"]["columns"])
    columns = list(dict.fromkeys([*names[: names.index("outcome")], *RECHECK_COLUMNS]))
    differences = []

    def ours() -> float:
        answer = work("recheck", one_core=True, warehouse=store)
        differences.append(answer["differences"])
        return rate(answer)

    def theirs() -> float:
        return rate(work("duckdb_read", one_core=True, warehouse=store, columns=columns), deals)

    pairs = in_turn(ours, theirs, rounds)
    return raced(pairs, note=f"{deals:,} deals, {max(differences):,} of which differ")


def recheckable(scale: float) -> int:
    """Deals that a round of checking again is made over: few where it would last for long."""
    few = scaled(RECHECKED_DEALS, min(scale, 0.01))
    answer = work("recheck", one_core=True, warehouse=str(ingested_warehouse(match_log(few), few)))
    most = int(rate(answer) * MOST_SECONDS_OF_RECHECK)
    return min(scaled(RECHECKED_DEALS, scale), max(most // few, 1) * few)

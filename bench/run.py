"""Measure Belot Stats against its peers: ratios, each measured in one run on one machine, the two sides in turn.

    make bench          # writes bench/RESULTS.md

Peers are installed into bench/.venv, never into the project's own environment.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
PEER_ENVIRONMENT = HERE / ".venv"
COLVER = "colver==0.11.1"
ROUNDS = 5
LOG_MATCHES = 600
DEALS = 2_000

COLVER_ROLLOUTS = """
import sys, time, colver
n = int(sys.argv[1])
env = colver.Env.deal(seed=1)
start = time.perf_counter()
env.rollout(n)
print(n / (time.perf_counter() - start))
"""


def peer_python() -> Path:
    """Python of the peers' environment, made where it is not there."""
    python = PEER_ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(PEER_ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", COLVER], check=True)
    return python


def colver_rate(rollouts: int = 200_000) -> float:
    """colver: random deals (bidding and play, in Rust) a second, one core."""
    done = subprocess.run(
        [peer_python(), "-c", COLVER_ROLLOUTS, str(rollouts)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def simulated_rate(policy: str) -> Callable[[], float]:
    """Our simulated and checked deals a second, one core, as an Arrow table."""

    def rate() -> float:
        import belot_stats as bs

        start = time.perf_counter()
        table = bs.simulate("belot-bg", deals=DEALS, seed=1, policy=policy)
        return float(table.num_rows / (time.perf_counter() - start))

    return rate


def ingest_rate(log: Path, deals: int) -> float:
    """Deals a second read, checked and stored, one core."""
    from belot_stats.ingest import ingest

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        ingest(log, Path(folder) / "warehouse", jobs=1)
        return deals / (time.perf_counter() - start)


def duckdb_rate(log: Path, deals: int) -> float:
    """Deals a second that DuckDB turns into Parquet without looking at them, one thread."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute("set threads = 1")
        start = time.perf_counter()
        connection.execute(f"copy (select * from read_json('{log}')) to '{folder}/x.parquet'")
        return deals / (time.perf_counter() - start)


def write_log(path: Path) -> int:
    """A log of simulated matches. Returns: its deals."""
    from belot_stats.commands.making import simulate_to_file
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    job = SimulationJob(load_ruleset("belot-bg"), "sensible", 1, "matches")
    return simulate_to_file(job, range(1, LOG_MATCHES + 1), str(path), quiet=True)


def compare(ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float, float]:
    """Medians of both, and of their ratio, run in turn so that the machine's drift hits both alike."""
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    medians = [statistics.median(values) for values in zip(*pairs, strict=True)]
    return medians[0], medians[1], statistics.median(a / b for a, b in pairs)


def main() -> None:
    """Measure, and write RESULTS.md."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        deals = write_log(log)
        for what, ours, against, theirs in (
            ("random deals, checked, one core", simulated_rate("random"), "colver rollouts", colver_rate),
            ("sensible deals, checked, one core", simulated_rate("sensible"), "colver rollouts", colver_rate),
            (
                f"ingest and check of {deals:,} deals, one core",
                lambda: ingest_rate(log, deals),
                "DuckDB copying the JSON unchecked, one thread",
                lambda: duckdb_rate(log, deals),
            ),
        ):
            own, other, ratio = compare(ours, theirs)
            rows.append(f"| {what} | {own:,.0f}/s | {against} | {other:,.0f}/s | {ratio:.4f} |")
            sys.stderr.write(rows[-1] + "\n")
    RESULTS.write_text(report(rows), encoding="utf-8")
    sys.stderr.write(f"{RESULTS} written\n")


def report(rows: list[str]) -> str:
    """RESULTS.md."""
    names = ("belot-stats", "numpy", "pyarrow", "duckdb")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return "\n".join(
        [
            "# Measured",
            "",
            f"`make bench` on {platform.machine()} {platform.system()}, Python {platform.python_version()}:",
            f"{versions}, {COLVER}.",
            f"Medians of {ROUNDS} runs, both sides in turn; the ratio is the median of the pairs' ratios.",
            "",
            "| what | Belot Stats | against | theirs | ratio |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    main()

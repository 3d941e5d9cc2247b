"""Measure Belot Stats against its peers and against what is asked of it.

    make bench                                   # every row, into bench/RESULTS.md and the README
    python bench/run.py --only memory,help       # some rows; the others stay as they were measured
    python bench/run.py --scale 0.01 --rounds 1  # a trial on small inputs, printed and written nowhere

Peers are installed into bench/.venv, never into the project's own environment; logs and warehouses to measure on are
made in bench/.cache, which may be deleted. An interrupt leaves the rows that are finished.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import page
from bench.inputs import warm_up
from bench.measure import Measured, Skipped, is_busy, say, where_and_when
from bench.table import ROWS, Row

ROUNDS = 5
INTERRUPTED = 130


def arguments_of(words: list[str]) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="bench/run.py", description="Measure, and write bench/RESULTS.md.")
    keys = [row.key for row in ROWS]
    parser.add_argument("--only", metavar="ROWS", help=f"some of {','.join(keys)}")
    parser.add_argument(
        "--scale", type=float, default=1.0, metavar="X", help="size of the inputs, for a trial"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"pairs a row; {ROUNDS}")
    parser.add_argument("--render", action="store_true", help="write the pages anew and measure nothing")
    given = parser.parse_args(words)
    given.keys = [key.strip() for key in given.only.split(",")] if given.only else keys
    unknown = [key for key in given.keys if key not in keys]
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; rows: {', '.join(keys)}")
    if given.rounds < 1 or given.scale <= 0:
        parser.error("expected a scale above 0 and at least one round")
    return given


def measured(row: Row, scale: float, rounds: int) -> Measured:
    """One row, with where and when it was measured."""
    about = where_and_when()
    start = time.monotonic()
    try:
        found = row.measure(scale, rounds)
    except Skipped as reason:
        found = {"skipped": str(reason)}
    return {**about, "elapsed_s": round(time.monotonic() - start), **found}


def main(words: list[str] | None = None) -> int:
    """Measure the rows that are asked for, one after the other. Returns: the exit code."""
    given = arguments_of(sys.argv[1:] if words is None else words)
    if given.render:
        page.write_pages(page.read())
        return 0
    try:
        return measure_rows([row for row in ROWS if row.key in given.keys], given.scale, given.rounds)
    except KeyboardInterrupt:
        say("interrupted; the rows that are finished stay")
        return INTERRUPTED


def measure_rows(rows: list[Row], scale: float, rounds: int) -> int:
    """Measure *rows*, each kept as soon as it is finished. Returns: 1 where one failed, else 0."""
    is_trial = scale != 1 or rounds != ROUNDS
    measurements, failed = {} if is_trial else page.read(), 0
    if is_busy():
        say("this machine is busy: figures will be worse than they could be")
    say("compiling what is not compiled yet")
    warm_up()
    for row in rows:
        say(f"{row.key}: {row.what}")
        try:
            measurements[row.key] = measured(row, scale, rounds)
        except (subprocess.CalledProcessError, RuntimeError) as problem:
            say(f"  failed: {problem}")
            failed = 1
            continue
        say(f"  {' | '.join(page.cells(row, measurements[row.key]))}")
        if not is_trial:
            page.write(measurements)
            page.write_pages(measurements)
    if is_trial:
        sys.stdout.write(page.results_page(measurements))
    return failed


if __name__ == "__main__":
    sys.exit(main())

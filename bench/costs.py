"""Rows without a peer: seconds and memory, compared with what is asked, or with themselves at another size.

Each takes the scale of its inputs (1: as the table says) and the number of rounds, and returns what page.py shows.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.inputs import STORED_BYTES, match_log, match_warehouse, write_copies
from bench.measure import (
    PROJECT,
    Measured,
    deviation,
    environment,
    need_disk,
    program,
    say,
    scratch,
    watch,
    work,
    work_command,
)

STORED_DEALS = 10_000_000
LOG_DEALS = 1_000_000
COPIES = (1, 4, 16)
SIZES = (100_000, 1_000_000, 10_000_000)
HELP_ROUNDS = 20
AUDITED_DEALS = 100


def match_pass(scale: float, rounds: int) -> Measured:
    """The match pass over a warehouse that knows nothing of its matches yet."""
    store = match_warehouse(round(STORED_DEALS * scale))
    seconds, memory = [], []
    for _ in range(min(rounds, 3)):
        shutil.rmtree(store / "derived", ignore_errors=True)
        (store / "derived").mkdir()
        seen = watch(work_command("follow_matches", warehouse=str(store)))
        seconds.append(json.loads(seen.output.splitlines()[-1])["seconds"])
        memory.append(seen.total_mib)
        say(f"    {seconds[-1]:.1f} s, {memory[-1]:.0f} MiB")
    return {
        "ours": {"unit": "s", "values": seconds},
        "judged": {"time": statistics.median(seconds), "memory": max(memory)},
    }


def reports(scale: float, rounds: int) -> Measured:
    """Every report, the match pass done and the files in memory."""
    del rounds
    store = match_warehouse(round(STORED_DEALS * scale))
    answer = work("reports", warehouse=str(store))
    seconds, first = answer["seconds"], answer["first"]
    slowest = max(seconds, key=seconds.__getitem__)
    return {
        "ours": {"unit": "s", "values": list(seconds.values())},
        "judged": {"slowest": seconds[slowest]},
        "note": f"the slowest is `{slowest}`",
        "details": {
            name: f"{value:.3f} s; the first time, where nothing was summed up, {first[name]:.1f} s"
            for name, value in seconds.items()
        },
    }


def memory(scale: float, rounds: int) -> Measured:
    """Ingests of logs that are so many times as long, each once."""
    del rounds
    deals = round(LOG_DEALS * scale)
    log = match_log(deals)
    need_disk(
        COPIES[-1] * (log.stat().st_size + deals * STORED_BYTES),
        f"the log of {COPIES[-1]} times {deals:,} deals",
    )
    largest, details = [], {}
    for copies in COPIES:
        with scratch() as folder:
            write_copies(log, copies, folder / "log.jsonl")
            arguments = ["ingest", folder / "log.jsonl", "-w", folder / "w", "--quiet"]
            seen = watch(program(*arguments))
        largest.append(seen.largest_mib)
        text = f"{seen.largest_mib:.0f} MiB the largest process, {seen.total_mib:.0f} MiB all together"
        text += f", {seen.seconds:.1f} s"
        details[f"{deals * copies:,} deals"] = text
        say(f"    {deals * copies:,} deals: {text}")
    return {
        "ours": {"unit": "MiB", "values": largest},
        "judged": {"from the median": 100 * deviation(largest), "largest process": max(largest)},
        "details": details,
    }


def per_deal(scale: float, rounds: int) -> Measured:
    """Microseconds a deal at three sizes, the sizes in turn."""
    sizes = [max(round(size * scale), 1_000) for size in SIZES]
    need_disk(sizes[-1] * STORED_BYTES, "the warehouse")
    costs: dict[int, list[float]] = {size: [] for size in sizes}
    for seed in range(min(rounds, 3)):
        for size in sizes:
            with scratch() as folder:
                arguments = {"warehouse": str(folder / "w"), "deals": size, "seed": seed + 2, "first": 1}
                seconds = work("stored", one_core=True, **arguments)["seconds"]
            costs[size].append(1e6 * seconds / size)
            say(f"    {size:,} deals: {costs[size][-1]:.2f} µs a deal")
    medians = {size: statistics.median(values) for size, values in costs.items()}
    return {
        "ours": {"unit": "µs a deal", "values": list(medians.values())},
        "judged": {"from the median": 100 * deviation(list(medians.values()))},
        "details": {f"{size:,} deals": f"{value:.2f} µs a deal" for size, value in medians.items()},
    }


def seconds_of(command: Sequence[str], codes: Sequence[int] = (0,)) -> float:
    """Seconds of a process from its start to its end."""
    start = time.perf_counter()
    done = subprocess.run(
        command, env=environment(one_core=False), cwd=PROJECT, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, command)
    return time.perf_counter() - start


def help_page(scale: float, rounds: int) -> Measured:
    """The help page beside what the command line's library needs by itself."""
    del scale
    count = HELP_ROUNDS if rounds > 1 else 3
    pairs = [
        (seconds_of(program("--help")), seconds_of([sys.executable, "-c", "import typer"]))
        for _ in range(count)
    ]
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    return {
        "ours": {"unit": "s", "values": ours},
        "theirs": {"unit": "s", "values": theirs},
        "judged": {"more": statistics.median(a - b for a, b in pairs)},
    }


def audit(scale: float, rounds: int) -> Measured:
    """What a user types to audit one log."""
    del scale
    found = []
    with scratch() as folder:
        write_first_lines(match_log(AUDITED_DEALS * 10), folder / "log.jsonl")
        for place in range(rounds + 1):
            store = folder / f"w{place}"
            commands = {
                "ingest --audit": program("ingest", folder / "log.jsonl", "-w", store, "--audit"),
                "findings": program("findings", "-w", store),
            }
            found.append([seconds_of(command, (0, 1)) for command in commands.values()])
    audits = [seconds[0] for seconds in found[1:]]
    medians = [statistics.median(seconds) for seconds in zip(*found[1:], strict=True)]
    return {
        "ours": {"unit": "s", "values": audits},
        "judged": {"time": statistics.median(audits)},
        "details": {f"`{name}`": f"{value:.2f} s" for name, value in zip(commands, medians, strict=True)},
    }


def write_first_lines(log: Path, output: Path) -> None:
    """The first hundred deals of *log*."""
    with log.open("rb") as source:
        output.write_bytes(b"".join(line for line, _ in zip(source, range(AUDITED_DEALS), strict=False)))

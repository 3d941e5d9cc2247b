"""What is measured on: logs and warehouses of simulated matches, made once and kept in bench/.cache while the sources
that made them stay the same."""

from __future__ import annotations

import hashlib
import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from bench.measure import CACHE, PROJECT, environment, need_disk, program, say, scratch

DEALS_A_MATCH = 12.0  # of sensible matches by belot-bg; a little less than the mean
LOG_BYTES = 720  # a deal
STORED_BYTES = 450  # a deal in a warehouse
BLOCK = 8 << 20


def sources_hash() -> str:
    """A short hash of the program's sources."""
    digest = hashlib.sha256()
    for path in sorted((PROJECT / "belot_stats").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """The input *name*, made by *make* where these sources have not made it yet; those of older sources go."""
    there = CACHE / f"{name}-{sources_hash()}"
    if not there.exists():
        for old in CACHE.glob(f"{name}-*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        with scratch() as folder:
            make(folder / "new")
            (folder / "new").rename(there)
    return there


def match_log(deals: int) -> Path:
    """A bhh/1 log of exactly so many deals of simulated matches; the last match may be cut off."""
    need_disk(deals * LOG_BYTES, "the log")
    return kept(f"log-{deals}", lambda path: write_log(path, deals))


def write_log(path: Path, deals: int) -> None:
    """The first lines that ``belot-stats simulate`` writes to its output."""
    say(f"  writing a log of {deals:,} deals")
    command = program("simulate", "--matches", matches_for(deals), "--seed", 1, "--quiet", "--output", "-")
    with path.open("wb") as file, _output_of(command) as process:
        assert process.stdout is not None
        left = deals
        while left and (line_block := process.stdout.readlines(BLOCK)):
            file.writelines(line_block[:left])
            left -= min(left, len(line_block))
        process.stdout.close()
    if left:
        raise RuntimeError(f"the log is {left:,} deals short")


def _output_of(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(one_core=False), cwd=PROJECT)


def matches_for(deals: int) -> int:
    """Matches that have at least so many deals, and few more."""
    return math.ceil(deals / DEALS_A_MATCH) + 5


def warm_up() -> None:
    """Have every loop compiled, and kept on disk, before anything is measured."""
    log = str(match_log(10_000))
    with scratch() as folder:
        for words in (
            ["simulate", "--deals", 20_000, "-w", folder / "w"],
            ["simulate", "--matches", 1_000, "-w", folder / "w"],
            ["ingest", log, "-w", folder / "w"],
        ):
            command = program(*words, "--quiet")
            subprocess.run(command, env=environment(one_core=False), cwd=PROJECT, check=True)


def match_warehouse(deals: int) -> Path:
    """A warehouse of simulated matches of at least so many deals."""
    need_disk(deals * STORED_BYTES, "the warehouse")
    return kept(f"warehouse-{deals}", lambda path: write_warehouse(path, deals))


def write_warehouse(path: Path, deals: int) -> None:
    """Simulated matches, stored by all cores."""
    say(f"  storing {deals:,} simulated deals")
    command = program("simulate", "--matches", matches_for(deals), "--seed", 1, "--quiet", "-w", path)
    subprocess.run(command, env=environment(one_core=False), cwd=PROJECT, check=True)


def ingested_warehouse(log: Path, deals: int) -> Path:
    """A warehouse that *log*, of so many deals, was read into."""

    def make(path: Path) -> None:
        command = program("ingest", log, "-w", path, "--quiet")
        subprocess.run(command, env=environment(one_core=False), cwd=PROJECT, check=True)

    return kept(f"ingested-{deals}", make)


def write_copies(log: Path, copies: int, output: Path) -> None:
    """*log* so many times over, each time with other names of the matches, a block at a time."""
    with output.open("wb") as file:
        for copy in range(copies):
            name = b'"match":"copy%02d-' % copy
            with log.open("rb") as source:
                while lines := source.readlines(BLOCK):
                    file.write(b"".join(lines).replace(b'"match":"', name))

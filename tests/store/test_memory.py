"""I30: the memory of an ingest is bounded by the chunk, not by the log."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.logs import PROJECT, lines, match

SCRIPT = """
import json, resource, sys
from pathlib import Path
from belot_stats.ingest import ingest

def peak_kib():
    # Of this program alone: what getrusage says may be the peak of the process that started it.
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

if __name__ == "__main__":
    report = ingest(sys.argv[1], sys.argv[2], chunk_bytes=int(sys.argv[3]))
    print(json.dumps([report.total("read"), report.total("accepted"), peak_kib() / 1024]))
"""
LIMIT_MIB = 600
CHUNK_BYTES = 1024 * 1024


def peak_of(folder: Path, matches: int) -> tuple[int, float]:
    """Deals of a log of so many matches, and the peak of resident memory, in MiB, of a process that ingests it."""
    log = folder / f"{matches}.jsonl"
    with log.open("w", encoding="utf-8") as file:
        for number in range(matches):
            file.write(lines(match(f"m{number}")))
    script = folder / "memory_script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, str(script), str(log), str(folder / f"w{matches}"), str(CHUNK_BYTES)]
    result = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    read, accepted, peak = json.loads(result.stdout)
    assert read == accepted == 10 * matches
    return read, peak


@pytest.mark.slow
def test_i30_peak_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    _, small = peak_of(tmp_path, 300)  # 2 MiB
    _, large = peak_of(tmp_path, 1500)  # 11 MiB
    assert large < LIMIT_MIB
    assert large - small < 40, f"{small:.0f} MiB for 2 MiB of log, {large:.0f} MiB for 11"

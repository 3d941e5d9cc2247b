"""How things are measured: in processes of their own, the two sides of a ratio in turn, with the machine on record.

This process imports nothing heavy: what it holds would count as the memory of those that it starts.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from belot_stats.version import __version__

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
CACHE = HERE / ".cache"
PEER_ENVIRONMENT = HERE / ".venv"
COLVER = "colver==0.11.1"
PACKAGES = ("belot-stats", "numpy", "numba", "pyarrow", "duckdb", "msgspec", "typer")
THREADS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"),
    *("ARROW_IO_THREADS", "RAYON_NUM_THREADS"),
)
SAMPLE_SECONDS = 0.1
MIB = 1024 * 1024
BUSY = 0.5  # load a processor

Measured = dict[str, Any]


class Skipped(Exception):
    """A row cannot be measured here; says why."""


class Pairs(NamedTuple):
    """Figures of both sides, and of each pair their ratio."""

    ours: list[float]
    theirs: list[float]
    ratios: list[float]


def in_turn(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Pairs:
    """Both sides in turn, so that the machine's drift hits both alike; *rounds* pairs.

    >>> numbers = iter([6.0, 2.0, 8.0, 4.0])
    >>> in_turn(lambda: next(numbers), lambda: next(numbers), 2)
    Pairs(ours=[6.0, 8.0], theirs=[2.0, 4.0], ratios=[3.0, 2.0])
    """
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return Pairs([a for a, _ in pairs], [b for _, b in pairs], [a / b for a, b in pairs])


def deviation(values: Sequence[float]) -> float:
    """How far the farthest of *values* is from their median, as a part of it.

    >>> deviation([1.0, 2.0, 2.5])
    0.5
    """
    middle = statistics.median(values)
    return max(abs(value / middle - 1) for value in values)


def say(text: str) -> None:
    """A line on how far things are, on stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def core_count() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment(one_core: bool) -> dict[str, str]:
    """Environment of a measured process; for *one_core* with one thread a library."""
    given = {**os.environ, "PYTHONPATH": str(PROJECT)}
    given.pop("BELOT_STATS_WAREHOUSE", None)
    if one_core:
        core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
        given |= dict.fromkeys(THREADS, "1") | {"BENCH_CORE": str(core)}
    return given


def answer_of(command: Sequence[str | Path], one_core: bool) -> dict[str, Any]:
    """What *command* prints in its last line, as JSON. Raises: subprocess.CalledProcessError."""
    done = subprocess.run(
        command, env=environment(one_core), stdout=subprocess.PIPE, text=True, cwd=PROJECT, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def work_command(task: str, **arguments: object) -> list[str]:
    """Command of a task of bench/work.py."""
    return [sys.executable, str(HERE / "work.py"), task, json.dumps(arguments)]


def work(task: str, *, one_core: bool = False, **arguments: object) -> dict[str, Any]:
    """Answer of a task of bench/work.py, done in a process of its own."""
    return answer_of(work_command(task, **arguments), one_core)


def program(*arguments: object) -> list[str]:
    """The program as a command."""
    return [sys.executable, "-m", "belot_stats.cli", *map(str, arguments)]


class Watched(NamedTuple):
    """A process that was watched to its end, with those that it started."""

    seconds: float
    largest_mib: float  # peak of the largest process
    total_mib: float  # peak of the sum over all of them, each with what they share
    output: str


def watch(command: Sequence[str]) -> Watched:
    """Run *command*, and look at its memory ten times a second. Raises: subprocess.CalledProcessError."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, env=environment(one_core=False), stdout=output, cwd=PROJECT)
        total, done = 0.0, 0
        try:
            while done == 0:
                time.sleep(SAMPLE_SECONDS)
                total = max(total, resident_mib(process.pid))
                done, status, usage = os.wait4(process.pid, os.WNOHANG)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    unit = 1 if sys.platform == "darwin" else 1024  # bytes
    return Watched(seconds, usage.ru_maxrss * unit / MIB, total, text)


def resident_mib(pid: int) -> float:
    """Resident memory now of a process and all that it started."""
    import psutil

    total = 0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for item in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += item.memory_info().rss
    return total / MIB


def peer_python() -> Path:
    """Python of the peers' environment, made where it is not there."""
    python = PEER_ENVIRONMENT / "bin" / "python"
    if not python.exists():
        say(f"installing {COLVER} into {PEER_ENVIRONMENT}")
        venv.create(PEER_ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", COLVER], check=True)
    return python


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder beside the cached inputs, gone afterwards."""
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="tmp-") as folder:
        yield Path(folder)


def need_disk(size: float, what: str) -> None:
    """Raises: Skipped where there is no room for *size* bytes, and a tenth of the disk beside."""
    CACHE.mkdir(exist_ok=True)
    disk = shutil.disk_usage(CACHE)
    if size > disk.free - disk.total / 10:
        raise Skipped(f"{what} needs {size / 1e9:.1f} GB of disk; {disk.free / 1e9:.1f} GB are free")


def where_and_when() -> dict[str, Any]:
    """The machine, the versions and the commit that a measurement is of."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "load": round(os.getloadavg()[0], 1),
        "machine": machine(),
        "versions": ", ".join(
            [
                f"Python {platform.python_version()}",
                *(f"{name} {version_of(name)}" for name in PACKAGES),
                COLVER,
            ]
        ),
    }


def version_of(package: str) -> str:
    """Version of an installed package, and of these sources, which may be newer than when they were installed."""
    return __version__ if package == "belot-stats" else version(package)


def is_busy() -> bool:
    """Whether others work on this machine."""
    return os.getloadavg()[0] > BUSY * core_count()


def commit() -> str:
    """The commit that is checked out; with a + where the sources differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--", "belot_stats", "reports", "data")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def machine() -> str:
    """Processor, cores, memory and system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        system = f"{platform.system()} {platform.release()}"
    return f"{processor()}, {core_count()} cores, {memory:.0f} GiB, {system}"


def processor() -> str:
    """The processor's name as its maker gives it, where the system tells."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

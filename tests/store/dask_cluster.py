"""A Dask cluster of real processes, for tests: a scheduler, and workers that can be killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import psutil

from tests.store.logs import PROJECT

SECONDS = 90
_SCHEDULER = re.compile(r"Scheduler at:\s+(tcp://\S+)")
_REGISTERED = "Registered to:"


class DaskProcess:
    """A scheduler or worker in a process of its own, which has said that it is ready."""

    def __init__(
        self, arguments: list[str], ready: str, folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        python_path = os.pathsep.join([*(environment or {}).get("PYTHONPATH", "").split(), str(PROJECT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=folder,
            env={**os.environ, **(environment or {}), "PYTHONPATH": python_path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.said: list[str] = []
        self._ready, self._wanted = threading.Event(), ready
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._ready.wait(SECONDS), "".join(self.said)
        assert self.process.poll() is None, "".join(self.said)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if self._wanted in line:
                self._ready.set()
        self._ready.set()

    def kill(self) -> None:
        """``kill -9``, of it and of all its children."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        assert self.process.stderr is not None
        self.process.stderr.close()


class Cluster:
    """A scheduler, which does not have the package, and its workers; as a context manager, which kills them all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[DaskProcess] = []
        ports = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = DaskProcess(["scheduler", *ports], "Scheduler at:", folder, without_package(folder))
        found = _SCHEDULER.search("".join(self.scheduler.said))
        assert found is not None
        self.address = found[1]

    def start_worker(
        self, *, nanny: bool = False, folder: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> DaskProcess:
        """Start a worker of one thread, with a process that starts it again when it dies, or without."""
        options = ["--nthreads", "1", "--no-dashboard", "--nanny" if nanny else "--no-nanny"]
        scratch = ["--local-directory", str(self.folder)]
        command = ["worker", self.address, *options, *scratch]
        worker = DaskProcess(command, _REGISTERED, folder or self.folder, environment)
        self.workers.append(worker)
        return worker

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()


def without_package(folder: Path) -> dict[str, str]:
    """Environment of a process that cannot load the package."""
    hidden = folder / "without"
    hidden.mkdir(exist_ok=True)
    (hidden / "belot_stats.py").write_text("raise ModuleNotFoundError('no module belot_stats')\n")
    return {"PYTHONPATH": str(hidden)}


def workers_of(process: int) -> list[int]:
    """Processes that *process* has started to work for it."""
    children = psutil.Process(process).children()
    return [child.pid for child in children if "spawn_main" in " ".join(child.cmdline())]

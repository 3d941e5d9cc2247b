"""Executors of this machine: this process, or a pool of them. Any other ``Executor`` will do as well; that of a cluster
is in :mod:`belot_stats.cluster`."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import cache
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "ARROW_IO_THREADS",
)


class SerialExecutor(Executor):
    """Runs each call when it is submitted, in this process: for debugging, and where one process is enough."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Result, or exception, of ``fn(*args, **kwargs)``; an interrupt is not kept but raised."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 - raised where the result is asked for
            future.set_exception(problem)
        return future


def open_pool(jobs: int) -> Executor:
    """Executor of *jobs* processes, none of which is this one."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker)
    with _deaf_to_interrupts():  # workers inherit it, until they can deal with an interrupt themselves
        for _ in range(jobs):
            pool.submit(_nothing)
    return pool


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing() -> None:
    """A task for a worker to start with."""


def stop_executor(executor: Executor) -> None:
    """Stop *executor* soon: nothing more is begun, and each worker stops before its next record."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    children = multiprocessing.active_children() if isinstance(executor, ProcessPoolExecutor) else []
    for child in children:
        if child.pid is not None and child.is_alive():
            os.kill(child.pid, signal.SIGINT)
    executor.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    """Set up a worker process: one thread a library; interrupts stop the chunk, not the process; it ends with its
    parent, however that ends."""
    import multiprocessing

    from belot_stats.interrupts import interrupt
    from belot_stats.startup import leave_pandas_out

    signal.signal(signal.SIGINT, interrupt)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    bound_threads()
    leave_pandas_out()


@cache
def bound_threads() -> None:
    """Give the libraries of this process one thread each: there is a process for every processor already."""
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def _end_with(sentinel: Any) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)

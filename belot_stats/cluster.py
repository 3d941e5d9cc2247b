"""Executor on a Dask cluster that is there already (``--scheduler tcp://host:8786``; optional extra ``dask``).

Workers must run what this process runs, and see the warehouse's folder under the same path; both are checked when the
cluster is opened and, for workers that join later, with every call. Chunks travel with the calls, so only this process
has to see the input files. A worker that dies is none of our business: the scheduler makes its calls again elsewhere.
"""

from __future__ import annotations

import logging
import platform
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from typing import Any, ParamSpec, TypeVar
from uuid import uuid4

from belot_stats.errors import BelotStatsError, UsageError, WorkerError
from belot_stats.storage import Storage, open_storage

P = ParamSpec("P")
T = TypeVar("T")
EXTRA = "belot-stats[dask]"
LIBRARIES = ("numpy", "numba", "pyarrow", "msgspec", "zstandard", "jmespath", "tzdata", "dask", "distributed")
RETRIES = 2  # of a call that raised, on whichever worker is free
CONNECT_SECONDS = 10
WORKER_SECONDS = 60  # until the first worker is there
STOP_SECONDS = 5
WATCH_SECONDS = 1.0  # between two looks at the connection
COUNT_SECONDS = 5.0  # between two looks at how many workers there are
AGAIN = "what was committed stays: run again"
_SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GiB"
}  # a chunk of a log is large, and meant to be
_LOGGERS = ("distributed", "distributed.client", "tornado.application")

Environment = Mapping[str, str]


@cache
def environment() -> Environment:
    """What the content of a part depends on, besides its chunk: versions, and the rules that come with them."""
    from belot_stats.parts import presets_hash
    from belot_stats.schema import ENGINE_VERSION, schema_version

    major, minor, _ = platform.python_version_tuple()
    return {
        "python": f"{major}.{minor}",
        "belot-stats": f"{ENGINE_VERSION} (schema {schema_version()}, rules {presets_hash()[:8]})",
        **{name: _version(name) for name in LIBRARIES},
    }


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "none"


def differences(here: Environment, there: Environment) -> str:
    """What *there* is other than *here*, or ``""``.

    >>> differences({"numpy": "2.1", "numba": "1"}, {"numpy": "2.0", "numba": "1"})
    'numpy 2.0 (here 2.1)'
    """
    names = [name for name in here if here[name] != there.get(name)]
    return ", ".join(f"{name} {there.get(name, 'none')} (here {here[name]})" for name in names)


def open_cluster(scheduler: str) -> ClusterExecutor:
    """Executor on the cluster whose scheduler is at *scheduler*, after a look at its workers.

    Raises: UsageError where Dask is not installed or the address is none; WorkerError where nothing answers there,
    no worker comes, or one runs something else than this process.
    """
    return ClusterExecutor(scheduler, _connect(scheduler))


def _connect(scheduler: str) -> Any:
    try:
        import dask
        import distributed
    except ImportError as problem:
        raise UsageError(f"--scheduler needs Dask: pip install '{EXTRA}' ({problem})") from None
    dask.config.set(_SETTINGS)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said once, as an error
    connect: Any = distributed.Client
    _check_address(scheduler)
    try:
        with warnings.catch_warnings(action="ignore"):  # of versions, which are compared below
            return connect(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except OSError as problem:
        raise WorkerError(f"{scheduler}: no Dask scheduler answers there: {problem}") from None


def _check_address(scheduler: str) -> None:
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    security: Any = Security
    try:
        get_address_host_port(scheduler)
        if scheduler.startswith("tls:") and not security().get_connection_args("client").get("ssl_context"):
            raise ValueError("no certificate is in Dask's configuration (distributed.comm.tls)")
    except (ValueError, TypeError, ImportError, OSError) as problem:
        wanted = "expected an address as in tcp://host:8786"
        raise UsageError(f"--scheduler {scheduler}: {wanted}: {problem}") from None


class ClusterExecutor(Executor):
    """Runs calls on the workers of a Dask cluster."""

    def __init__(self, scheduler: str, client: Any) -> None:
        """Use *client*, which is closed with this executor, or at once where the cluster cannot be used.

        Raises: WorkerError.
        """
        self._scheduler, self._client = scheduler, client
        self._run = uuid4().hex
        self._executor = client.get_executor(pure=False, retries=RETRIES)
        self._threads, self._count_at = 0, 0.0
        self._open: set[Future[Any]] = set()  # calls without a result yet
        self._is_closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            self._wait_for_worker()
            self._check("cannot be used", _compare, environment())
        except BaseException:
            self._close()
            raise

    @property
    def in_flight(self) -> int:
        """Calls worth having in flight: two for each thread of the workers there are; counted every few seconds."""
        now = time.monotonic()
        if now > self._count_at:
            with self._told():
                self._threads = sum(self._client.nthreads().values())
            self._count_at = now + COUNT_SECONDS
        return 2 * max(self._threads, 1)

    def check_storage(self, storage: Storage) -> None:
        """Look whether all workers see the folder of *storage*. Raises: WorkerError naming those that do not."""
        name = f"ledger/.{self._run}.tmp"
        storage.write(name, b"", durable=False)
        try:
            wanted = "the folder must be one that all machines share, under the same path"
            self._check(f"does not see the warehouse {storage.root}: {wanted}", _sees, storage.root, name)
        finally:
            storage.remove(name)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Future of ``fn(*args, **kwargs)`` on some worker."""
        with self._told():
            inner = self._executor.submit(_sealed(run_on_worker, self._run, environment(), fn, args, kwargs))
        outer: Future[T] = Future()
        outer.set_running_or_notify_cancel()
        self._open.add(outer)
        inner.add_done_callback(lambda done: self._pass_on(done, outer))
        return outer

    def _pass_on(self, inner: Future[T], outer: Future[T]) -> None:
        try:
            result = inner.result()
        except (Exception, CancelledError) as problem:  # noqa: BLE001 - raised where the result is asked for
            self._fail(outer, self._as_error(problem))
        else:
            if self._take(outer):
                outer.set_result(result)

    def _fail(self, outer: Future[Any], problem: BaseException) -> None:
        if self._take(outer):
            outer.set_exception(problem)

    def _take(self, outer: Future[Any]) -> bool:
        """The caller, and nobody else, is to say how the call ended."""
        try:
            self._open.remove(outer)  # one step: two threads may want to
        except KeyError:
            return False
        return True

    def _watch(self) -> None:
        """End all calls when the scheduler is gone: Dask itself may leave one that was just being sent without end."""
        while not self._is_closed.wait(WATCH_SECONDS):
            if self._client.status != "running":
                for outer in list(self._open):
                    self._fail(outer, self._gone())

    def _gone(self, why: object = "") -> WorkerError:
        said = f" ({why})" if str(why) else ""
        return WorkerError(f"{self._scheduler}: the scheduler has gone away{said}; {AGAIN}")

    def _as_error(self, problem: BaseException) -> BaseException:
        """The error that says what *problem* means for the run."""
        kind = type(problem).__name__
        if isinstance(problem, BelotStatsError):
            return problem
        if isinstance(problem, ImportError):
            return WorkerError(f"{self._scheduler}: belot-stats cannot be loaded there: {problem}; {AGAIN}")
        if kind == "KilledWorker":
            what = "one worker after the other died at the same work (out of memory?)"
            return WorkerError(f"{self._scheduler}: {what}; {AGAIN}, with more memory a worker")
        if "Cancelled" in kind:
            return self._gone()
        return problem

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the connection; the cluster stays. Calls that are under way stop before their next record."""
        if cancel_futures:
            with suppress(Exception):
                self._executor.shutdown(wait=False)
                self._client.sync(
                    self._client._run,
                    _sealed(_stop_run, self._run),
                    on_error="ignore",
                    callback_timeout=STOP_SECONDS,
                )
        self._close()

    def _close(self) -> None:
        self._is_closed.set()
        with suppress(Exception):
            self._client.close(timeout=STOP_SECONDS)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what Dask says of a connection that is gone into an error of ours."""
        try:
            yield
        except (OSError, TimeoutError, RuntimeError, CancelledError) as problem:
            raise self._gone(problem) from None

    def _wait_for_worker(self) -> None:
        first = self._client.submit(int, pure=False)
        try:
            first.exception(timeout=WORKER_SECONDS)
        except TimeoutError:
            how = f"start one there: dask worker {self._scheduler}"
            raise WorkerError(f"{self._scheduler}: no worker came in {WORKER_SECONDS} s; {how}") from None

    def _check(self, wrong: str, function: Callable[..., str], *arguments: Any) -> None:
        """Call *function* on every worker, which says what is wrong with it.

        Raises: WorkerError for the first workers of which something is.
        """
        with self._told():
            answers = self._client.run(_sealed(function, *arguments), on_error="return")
        found = [
            f"{worker} {_said(wrong, answer)}" for worker, answer in sorted(answers.items()) if answer != ""
        ]
        if found:
            more = f" (and {len(found) - 1} more workers)" if len(found) > 1 else ""
            raise WorkerError(f"worker {found[0]}{more}")


def _said(wrong: str, answer: object) -> str:
    if isinstance(answer, ImportError):
        return f"has not the package belot-stats: {answer}"
    if isinstance(answer, Exception):
        return f"{wrong}: {type(answer).__name__}: {answer}"
    return f"{wrong}: {answer}"


def _sealed(function: Callable[..., T], *arguments: Any) -> Callable[[], T]:
    """Call that any worker can take in, and the scheduler: it is opened when it is run.

    Dask ends a worker that takes in a call of a module it does not have; so it is an error of the call.
    """
    import cloudpickle

    contents = cloudpickle.dumps((function, arguments))

    def open_and_call() -> T:  # a function inside a function is sent as code, not by its module's name
        import pickle

        found, given = pickle.loads(contents)  # noqa: S301 - of this process
        result: T = found(*given)
        return result

    return open_and_call


def _compare(here: Environment) -> str:
    return differences(here, environment())


def _sees(root: str, name: str) -> str:
    return "" if open_storage(root).exists(name) else f"not there on {socket.gethostname()}"


def _stop_run(run: str) -> None:
    from belot_stats.interrupts import stop_run

    stop_run(run)


def run_on_worker(
    run: str, here: Environment, function: Callable[..., T], arguments: tuple[Any, ...], named: dict[str, Any]
) -> T:
    """``function(*arguments, **named)`` in a worker's process, for *run* of a process that is like *here*."""
    from belot_stats.executors import bound_threads
    from belot_stats.interrupts import working_for

    found = _compare(here)
    if found:
        raise WorkerError(f"a worker on {socket.gethostname()} cannot be used: {found}")
    bound_threads()
    try:
        with working_for(run):
            return function(*arguments, **named)
    except KeyboardInterrupt:  # it would stop the worker
        raise WorkerError("interrupted") from None

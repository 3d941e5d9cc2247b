"""Work: calls on their way on an executor, of which few are in flight, and whose results are taken in order.

A process pool breaks when one of its processes is killed, and takes all calls in flight with it. The calls are pure
functions whose results are files of fixed names, so a new pool is opened and they are made again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from belot_stats.errors import WorkerError
from belot_stats.executors import SerialExecutor, open_pool, stop_executor
from belot_stats.storage import Storage

T = TypeVar("T")
MOST_BREAKS = 3  # of a pool, one after the other, with no result in between


class Call(Generic[T]):
    """A function with its arguments, and the future of its result."""

    __slots__ = ("arguments", "function", "future")

    def __init__(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments
        self.future: Future[T] | None = None

    def begin(self, executor: Executor) -> None:
        """Submit it, again if need be."""
        self.future = None
        self.future = executor.submit(self.function, *self.arguments)

    @property
    def is_lost(self) -> bool:
        """Its process is gone, or it could not be submitted at all."""
        return self.future is None or isinstance(self.future.exception(), BrokenExecutor)


class Work:
    """Calls on an executor.

    A call that is the only one is made in this process: a pool is not opened before there are two.
    restarts: how many times the pool was opened anew after one of its processes had died.
    """

    def __init__(
        self, executor: Executor | None, jobs: int, *, open_another: Callable[[int], Executor] | None = None
    ) -> None:
        """Work on *executor* with its *jobs* processes.

        open_another: opens an executor of so many processes where there is none yet, or the one before is broken,
        which is an error where this is None.
        """
        self.executor = executor
        self.restarts = 0
        self._jobs, self._open_another = jobs, open_another
        self._calls: dict[Call[Any], None] = {}  # in flight, in order
        self._breaks = 0

    @property
    def most(self) -> int:
        """Calls that are worth having in flight: every process has one, and the next is there when it is done."""
        if isinstance(self.executor, SerialExecutor):
            return 1
        return int(getattr(self.executor, "in_flight", self._jobs + 1))

    def check(self, storage: Storage) -> None:
        """Raises: WorkerError where workers of a cluster do not see the folder of *storage*."""
        check = getattr(self.executor, "check_storage", None)
        if check is not None:
            check(storage)

    def submit(self, function: Callable[..., T], *arguments: Any) -> Call[T]:
        """Begin a call of *function*, soon. Raises: WorkerError."""
        call = Call(function, arguments)
        self._calls[call] = None
        if self.executor is not None:
            self._begin([call], self.executor)
        elif len(self._calls) > 1 and self._open_another is not None:
            self.executor = self._open_another(self._jobs)
            self._begin(list(self._calls), self.executor)
        if self._open_another is None:
            call.arguments = ()  # it is not made again, and a chunk is large
        return call

    def _begin(self, calls: Iterable[Call[Any]], executor: Executor) -> None:
        try:
            for call in calls:
                call.begin(executor)
        except BrokenExecutor:
            self._recover()

    def result(self, call: Call[T]) -> T:
        """Wait for the result of *call*, and forget it. Raises: what the function raises; WorkerError."""
        if self.executor is None:
            call.begin(SerialExecutor())
        while True:
            assert call.future is not None  # noqa: S101 - it was begun
            try:
                return self._finish(call, call.future)
            except BrokenExecutor:
                self._recover()

    def _finish(self, call: Call[T], future: Future[T]) -> T:
        try:
            result = future.result()
        except BrokenExecutor:
            raise
        except CancelledError:
            raise WorkerError("the executor was closed; what was committed stays: run again") from None
        except BaseException:
            self._calls.pop(call, None)
            raise
        del self._calls[call]
        self._breaks = 0
        return result

    def in_order(self, function: Callable[..., T], all_arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """Results of *function* for each of *all_arguments*, in their order. Raises: as :meth:`result`."""
        calls: deque[Call[T]] = deque()
        for arguments in all_arguments:
            while len(calls) >= self.most:
                yield self.result(calls.popleft())
            calls.append(self.submit(function, *arguments))
        while calls:
            yield self.result(calls.popleft())

    def _recover(self) -> None:
        """Open another pool in place of the broken one, and make the calls again that were lost with it."""
        self._breaks += 1
        if self._open_another is None or self._breaks > MOST_BREAKS:
            times = "" if self._open_another is None else f"{self._breaks} times "
            what = f"a worker process died {times}(out of memory?)"
            raise WorkerError(f"{what}; what was committed stays: run again, with fewer --jobs")
        self.close()
        if self._breaks > 1:  # there may not be the memory for so many
            self._jobs = max(1, self._jobs // 2)
        self.executor = self._open_another(self._jobs)
        self.restarts += 1
        self._begin([call for call in self._calls if call.is_lost], self.executor)

    def cancel(self) -> None:
        """Begin none of the calls that have not begun."""
        for call in self._calls:
            if call.future is not None:
                call.future.cancel()

    def stop(self) -> None:
        """Stop the processes soon: each stops before its next record."""
        if self.executor is not None:
            stop_executor(self.executor)

    def close(self) -> None:
        """Let the processes end once all calls are done."""
        if self.executor is not None:
            self.executor.shutdown()


@contextmanager
def open_work(jobs: int, executor: Executor | None = None, scheduler: str | None = None) -> Iterator[Work]:
    """Work on the user's *executor*, left open at the end, or on the cluster of *scheduler*, or on *jobs* processes
    (1: this one); those are stopped at once when the run is interrupted, or ends with an error.

    Raises: UsageError, WorkerError for a cluster that cannot be used.
    """
    if executor is not None:
        work = Work(executor, jobs)
        stop = work.cancel
    else:
        work = _own_work(jobs, scheduler)
        stop = work.stop
    try:
        yield work
    except BaseException:
        stop()
        raise
    if executor is None:
        work.close()


def _own_work(jobs: int, scheduler: str | None) -> Work:
    if scheduler is not None:
        from belot_stats.cluster import open_cluster

        return Work(open_cluster(scheduler), jobs)
    if jobs <= 1:
        return Work(SerialExecutor(), 1)
    return Work(None, jobs, open_another=open_pool)

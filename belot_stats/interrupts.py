"""Interrupts: how work that is under way in this process learns that nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_EVERYTHING = ""
_STOPPED: set[str] = set()
_HERE = threading.local()


def interrupt(*_: object) -> None:
    """Stop all work of this process before its next record (a signal handler)."""
    _STOPPED.add(_EVERYTHING)


def stop_run(run: str) -> None:
    """Stop the work of *run* in this process, which may do that of others too, before its next record."""
    _STOPPED.add(run)


@contextmanager
def working_for(run: str) -> Iterator[None]:
    """What this thread does inside is work of *run*."""
    _HERE.run = run
    try:
        yield
    finally:
        _HERE.run = _EVERYTHING


def stop_if_interrupted() -> None:
    """Raises: KeyboardInterrupt after :func:`interrupt`, or :func:`stop_run` of the run this thread works for."""
    if _STOPPED and (_EVERYTHING in _STOPPED or getattr(_HERE, "run", _EVERYTHING) in _STOPPED):
        raise KeyboardInterrupt

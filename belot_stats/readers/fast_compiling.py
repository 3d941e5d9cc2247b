"""How the fast reader's functions are compiled, and kept on disk.

Compiled code is kept beside the file of its loop and made anew when that file changes. It is also made of other files:
a loop is a closure over the fingerprint of all of them, and what a closure holds is part of what it is kept under.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

from belot_stats import cards

F = TypeVar("F", bound=Callable[..., Any])


def inner(function: F) -> F:
    """*function* compiled, to be called from compiled code alone."""
    return cast("F", njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy")(function))


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function*, a closure over :func:`fingerprint`, compiled, and kept where there is a folder for it."""
    try:
        return cast("Callable[..., Any]", njit(cache=True, error_model="numpy")(function))
    except RuntimeError:  # numba found no folder that can be written
        return cast("Callable[..., Any]", njit(error_model="numpy")(function))


def fingerprint() -> int:
    """Number for the text of all files that the loops of the fast reader are made of."""
    files = [*sorted(Path(__file__).parent.glob("fast_*.py")), Path(cards.__file__)]
    text_hash = hashlib.blake2b(b"".join(path.read_bytes() for path in files), digest_size=7)
    return int.from_bytes(text_hash.digest(), "big")

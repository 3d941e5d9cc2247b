"""How the fast reader's functions are compiled, and kept on disk.

Compiled code is kept under the file of its loop, and made anew when that file changes. It is made of other files too: a
loop is a closure over the fingerprint of them all, and what a closure holds is part of what it is kept under.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from belot_stats import cards
from belot_stats.rules.compiling import compiled_loop

F = TypeVar("F", bound=Callable[..., Any])
signed = cast(
    "Callable[[Any], int]", np.int64
)  # a byte taken for a number; compiled, int() would leave it unsigned
_INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inner(function: F) -> F:
    """*function* compiled, to be called from compiled code alone."""
    return cast("F", njit(**_INNER, error_model="numpy")(function))


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function*, a closure over :func:`fingerprint`, compiled, and kept where there is a folder for it."""
    return cast("Callable[..., Any]", compiled_loop(function))


def fingerprint() -> int:
    """Number for the text of all files that the loops of the fast reader are made of."""
    files = [*sorted(Path(__file__).parent.glob("fast_*.py")), Path(cards.__file__)]
    text_hash = hashlib.blake2b(b"".join(path.read_bytes() for path in files), digest_size=7)
    return int.from_bytes(text_hash.digest(), "big")

"""The rule functions, compiled: the same source that serves one deal, handed to numba.

Rules are plain Python and know nothing of this. Here each of their functions gets a twin in a namespace of its own, in
which tables of numbers are arrays and calls go to the other twins; numba compiles the twins where a compiled loop
calls them.
"""

from __future__ import annotations

import hashlib
import os
import sys
import types
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit
from numba import types as numba_types
from numba.core import config
from numba.core.extending import overload_method, register_jitable

from belot_stats.ruleset import RuleSet

LONGEST_VALUE = 3  # a longer tuple of numbers is a table; one a side is a value


def _bit_count(mask):  # type: ignore[no-untyped-def]
    word = np.uint64(mask)
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


_popcount: Any = register_jitable(_bit_count)


@overload_method(numba_types.Integer, "bit_count", inline="never")
def _overload_bit_count(mask):  # type: ignore[no-untyped-def]
    def bit_count(mask):  # type: ignore[no-untyped-def]
        return _popcount(mask)

    return bit_count


@overload_method(numba_types.Integer, "bit_length")
def _overload_bit_length(mask):  # type: ignore[no-untyped-def]
    def bit_length(mask):  # type: ignore[no-untyped-def]
        word = np.uint64(mask)
        word |= word >> np.uint64(1)
        word |= word >> np.uint64(2)
        word |= word >> np.uint64(4)
        word |= word >> np.uint64(8)
        word |= word >> np.uint64(16)
        word |= word >> np.uint64(32)
        return _popcount(word)

    return bit_length


def compiled_twins(modules: Iterable[types.ModuleType]) -> dict[str, Any]:
    """Twins of all functions of *modules*, by name; a module may call those before it in the order."""
    twins: dict[str, Any] = {}
    for module in modules:
        names = _namespace(module, twins)
        own = [
            f
            for f in vars(module).values()
            if isinstance(f, types.FunctionType) and f.__module__ == module.__name__
        ]
        for function in own:
            twin = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            names[function.__name__] = twins[function.__name__] = register_jitable(twin)
    return twins


def _namespace(module: types.ModuleType, twins: dict[str, Any]) -> dict[str, Any]:
    names = dict(vars(module))
    for name, value in names.items():
        if (
            isinstance(value, tuple)
            and len(value) > LONGEST_VALUE
            and all(type(item) is int for item in value)
        ):
            names[name] = np.array(value, dtype=np.int64)
        elif isinstance(value, types.FunctionType) and value.__name__ in twins:
            names[name] = twins[value.__name__]
        elif isinstance(value, types.ModuleType) and value.__name__.startswith("belot_stats.rules."):
            names[name] = _module_of_twins(value, twins)
    return names


def _module_of_twins(module: types.ModuleType, twins: dict[str, Any]) -> types.ModuleType:
    copy = types.ModuleType(module.__name__)
    for name, value in vars(module).items():
        is_function = isinstance(value, types.FunctionType)
        setattr(copy, name, twins.get(name, value) if is_function else value)
    return copy


def rules_record(rules: RuleSet) -> Any:
    """*rules* as compiled loops take them: a numpy record with the same names, all numbers 64-bit."""
    fields = [
        (name, np.int64, (len(value),)) if isinstance(value, tuple) else (name, np.int64)
        for name, value in rules._asdict().items()
    ]
    return np.array([tuple(rules)], dtype=np.dtype(fields, align=True))[0]


def compiled_loop(function: Any) -> Any:
    """*function* compiled, and kept on disk for the next process: a decorator for the outermost loops.

    numba's own cache looks at one source file; what a loop calls is in others. So the folder's name is a fingerprint
    of all of them: an edit anywhere in the rules is another folder.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    folder = cache_folder()
    config.CACHE_DIR = str(folder) if folder is not None else before  # type: ignore[attr-defined]
    try:
        return njit(function, nogil=True, cache=folder is not None)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


@cache
def cache_folder() -> Path | None:
    """Folder of the compiled loops of these sources; None where none can be made."""
    base = os.environ.get("BELOT_STATS_CACHE") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(base).expanduser() / "belot-stats" / f"compiled-{rules_fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


@cache
def rules_fingerprint() -> str:
    """16 hex digits over every source that compiled loops are made of, and the versions that compile them."""
    package = Path(__file__).resolve().parents[1]
    sources = [*sorted((package / "rules").glob("*.py")), *sorted((package / "simulator").glob("*.py"))]
    sources += [
        package / name for name in ("cards.py", "parameters.py", "parameter_kinds.py", "record_columns.py")
    ]
    digest = hashlib.blake2b(f"{numba.__version__} {np.__version__} {sys.version}".encode(), digest_size=8)
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()

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
from llvmlite import binding, ir
from numba import njit
from numba import types as numba_types
from numba.core import config
from numba.core.extending import intrinsic, overload_method, register_jitable

from belot_stats.ruleset import RuleSet

# Small functions that are called for every card: the compiler is told to copy them into their callers.
COPIED = frozenset(
    (
        *("beats", "has_ruff_duty", "has_trump_order", "lead_mask", "legal_mask", "seat_after", "side_of"),
        *("stronger_trumps_mask", "suit_mask", "duties"),
        *("kind_of", "suit_of_run", "top_rank", "lowest_run", "counted_part", "lower_part", "is_apart"),
        *("fate_of", "combination_points", "contest_after", "contest_height", "combination_key"),
        *("announced_time", "compared_length"),
        *(
            "_plus",
            "_at",
            "_sum",
            "player_bonuses",
            "contract_result",
            "game_capot",
            "counted_level",
            "_shares",
        ),
        *(
            "_winner_takes_all",
            "_hung_side",
            "top_side",
            "_fined",
            "raw_total",
            "scaled_points",
            "capot_bonus",
        ),
        *("round_alone", "game_total", "round_up_digit", "side_count", "_is_shared", "_each_alone"),
        *("kept_belote", "settle_deal", "_hanging_score", "_failed_score", "_tied_shares"),
    )
)
DEPOSIT = "llvm.x86.bmi.pdep.64"
U: Any = np.uint64  # an index of compiled code that is not negative, and is known to be
LONGEST_VALUE = 3  # a longer tuple of numbers is a table; one a side is a value


def _instruction(function: Any) -> Any:
    return intrinsic(function)


@_instruction
def popcount(typing_context, word):  # type: ignore[no-untyped-def]
    """Set bits of a 64-bit number, by the processor's own instruction."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return numba_types.int64(numba_types.int64), generate


@_instruction
def leading_zeros(typing_context, word):  # type: ignore[no-untyped-def]
    """Zero bits above the highest one of a 64-bit number; 64 for 0."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return numba_types.int64(numba_types.int64), generate


@_instruction
def trailing_zeros(typing_context, word):  # type: ignore[no-untyped-def]
    """Number of the lowest set bit of a 64-bit number; 64 for 0."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return numba_types.int64(numba_types.int64), generate


@_instruction
def high_product(typing_context, one, other):  # type: ignore[no-untyped-def]
    """Upper 64 bits of the product of two 64-bit numbers without a sign."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return numba_types.uint64(numba_types.uint64, numba_types.uint64), generate


@_instruction
def deposit_bits(typing_context, bits, mask):  # type: ignore[no-untyped-def]
    """The lowest bits of *bits*, put where *mask* has set bits: an instruction of its own on x86-64."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        function = builder.module.globals.get(DEPOSIT)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(word, [word, word]), DEPOSIT)
        return builder.call(function, arguments)

    return numba_types.int64(numba_types.int64, numba_types.int64), generate


def deposits_quickly() -> bool:
    """Whether this processor has the instruction, and not as a slow program of its own."""
    features, name = binding.get_host_cpu_features(), binding.get_host_cpu_name()
    return bool(features.get("bmi2", False)) and name not in ("znver1", "znver2")


@njit(forceinline=True)
def _nth_by_deposit(mask, number):  # type: ignore[no-untyped-def]
    return trailing_zeros(deposit_bits(1 << number, mask))


@njit(forceinline=True)
def _nth_by_steps(mask, number):  # type: ignore[no-untyped-def]
    for lower in range(7):  # without a jump
        rest = mask & (mask - 1)
        mask = rest if number > lower else mask
    for _ in range(number - 7):
        mask &= mask - 1
    return trailing_zeros(mask)


# Place of the set bit of a mask that has so many others below it.
nth_bit: Any = _nth_by_deposit if deposits_quickly() else _nth_by_steps


@overload_method(numba_types.Integer, "bit_count", inline="always")
def _overload_bit_count(mask):  # type: ignore[no-untyped-def]
    def bit_count(mask):  # type: ignore[no-untyped-def]
        return popcount(np.int64(mask))

    return bit_count


@overload_method(numba_types.Integer, "bit_length", inline="always")
def _overload_bit_length(mask):  # type: ignore[no-untyped-def]
    def bit_length(mask):  # type: ignore[no-untyped-def]
        return 64 - leading_zeros(np.int64(mask))

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
            options = {"forceinline": function.__name__ in COPIED}
            names[function.__name__] = twins[function.__name__] = register_jitable(**options)(twin)
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


def are_kept(*loops: str) -> bool:
    """Whether the compiled *loops*, each "module.function", are kept on disk."""
    folder = cache_folder()
    return folder is not None and all(any(folder.rglob(f"{loop}*.nbi")) for loop in loops)


@cache
def rules_fingerprint() -> str:
    """16 hex digits over every source that compiled loops are made of, where it lies, and the versions that compile
    them."""
    package = Path(__file__).resolve().parents[1]
    sources = [*sorted((package / "rules").glob("*.py")), *sorted((package / "simulator").glob("*.py"))]
    sources += [
        package / name for name in ("cards.py", "parameters.py", "parameter_kinds.py", "record_columns.py")
    ]
    digest = hashlib.blake2b(f"{numba.__version__} {np.__version__} {sys.version}".encode(), digest_size=8)
    digest.update(os.fsencode(package))  # numba keeps loops by the path of their source
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()

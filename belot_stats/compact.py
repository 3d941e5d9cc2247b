"""Compact: remove from a warehouse what nothing names any more.

That is: parts of runs that were killed before their commit, of files read again since, and of older engines; files
half written; and derived files of an older state. The ledger decides, and is not changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from belot_stats.derived import fingerprints_name, known_fingerprints
from belot_stats.ledger import LedgerRow
from belot_stats.parts import PART_FOLDERS
from belot_stats.storage import SHUFFLE_FOLDER, SPILL_FOLDER, WRITERS_LOCK
from belot_stats.summaries import FOLDER as SUMMARIES_FOLDER
from belot_stats.summaries import summary_files
from belot_stats.warehouse import DERIVED_TABLES, Warehouse, open_warehouse


class CompactReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was removed."""

    parts: int
    derived: int
    leftovers: int
    size_bytes: int


def compact(warehouse: Warehouse | str | Path) -> CompactReport:
    """Remove what the ledger of *warehouse* does not name and what is derived from an older state of it.

    Not while another process writes to it; one that only asks may have to ask again.
    Raises: WarehouseError, also when another process is writing.
    """
    store = open_warehouse(warehouse)
    with store.storage.lock(WRITERS_LOCK, wait=False):
        rows = store.rows()
        parts, part_bytes = _remove(store, _unnamed_parts(store, rows))
        derived, derived_bytes = _remove(store, _stale_derived(store, rows))
        leftovers, leftover_bytes = _remove(store, _leftovers(store))
        _remove_spill(store)
        store.storage.remove_folder(SHUFFLE_FOLDER)
    return CompactReport(
        parts=parts,
        derived=derived,
        leftovers=leftovers,
        size_bytes=part_bytes + derived_bytes + leftover_bytes,
    )


def _remove(store: Warehouse, files: Iterator[tuple[str, int]]) -> tuple[int, int]:
    """Remove *files* (name, size). Returns: how many, and their size."""
    count = size_bytes = 0
    for name, size in files:
        store.storage.remove(name)
        count, size_bytes = count + 1, size_bytes + size
    return count, size_bytes


def _others(store: Warehouse, folder: str, kept: Collection[str]) -> Iterator[tuple[str, int]]:
    for file in store.storage.listing(folder):
        if file.name not in kept:
            yield f"{folder}/{file.name}", file.size


def _unnamed_parts(store: Warehouse, rows: Collection[LedgerRow]) -> Iterator[tuple[str, int]]:
    named = {f"{chunk.part}.parquet" for row in rows for chunk in row.chunks}
    for folder in PART_FOLDERS:
        yield from _others(store, folder, named)


def _stale_derived(store: Warehouse, rows: list[LedgerRow]) -> Iterator[tuple[str, int]]:
    current = known_fingerprints(store, rows) or {}
    kept = {f"{bucket:02d}-{fingerprint}.parquet" for bucket, fingerprint in current.items()}
    for table in DERIVED_TABLES:
        yield from _others(store, f"derived/{table}", kept)
    summaries = {name.rpartition("/")[2] for name in summary_files(current).values()}
    yield from _others(store, SUMMARIES_FOLDER, summaries)
    yield from _others(store, "derived/fingerprints", {fingerprints_name(rows).rpartition("/")[2]})


def _leftovers(store: Warehouse) -> Iterator[tuple[str, int]]:
    folders = [
        *PART_FOLDERS,
        "ledger",
        "derived/fingerprints",
        SUMMARIES_FOLDER,
        *(f"derived/{table}" for table in DERIVED_TABLES),
    ]
    for folder in folders:
        for file in store.storage.leftovers(folder):
            yield f"{folder}/{file.name}", file.size


def _remove_spill(store: Warehouse) -> None:
    """Remove what processes that are gone had spilled; beside an object store that is in a folder for such files."""
    if store.storage.is_remote:
        return
    for name in store.storage.folders(SPILL_FOLDER):
        if not _is_running(name.partition("-")[0]):
            store.storage.remove_folder(f"{SPILL_FOLDER}/{name}")


def _is_running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError):
        return True
    return True

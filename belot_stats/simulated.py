"""Simulated deals in a warehouse: parts of so many deals each, and one ledger row a run.

A part depends on rules, policy, seed and deal numbers only, so the same deals are the same bytes whoever makes them.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from itertools import accumulate, islice
from pathlib import Path

import msgspec

from belot_stats.deal import Deal
from belot_stats.errors import WarehouseError
from belot_stats.interrupts import stop_if_interrupted
from belot_stats.ledger import LedgerChunk, LedgerRow, file_id, hash_of
from belot_stats.parts import ChunkFacts, PartWriter, check_part, stored_facts
from belot_stats.ruleset import RuleSet
from belot_stats.schema import ENGINE_VERSION, schema_version
from belot_stats.simulated_rows import has_loop, is_much, simulated_tables
from belot_stats.simulator.job import SimulationJob
from belot_stats.storage import WRITERS_LOCK, open_storage
from belot_stats.warehouse import Warehouse, open_warehouse
from belot_stats.work import open_work

FORMAT = "simulation"
PART_DEALS, PART_MATCHES = 5_000, 500
LARGE_PART_DEALS, LARGE_PART_MATCHES = 100_000, 5_000  # where a compiled loop makes so many

DealMaker = Callable[[range], Iterable[Deal]]


class SimulatedPart(msgspec.Struct, frozen=True, kw_only=True):
    """What one part of simulated deals depends on. *policy* names the policy and all its settings.

    unit: what *numbers* number, "deals" (single ones) or "matches" (whole ones).
    """

    rules: RuleSet
    policy: str
    seed: int
    numbers: range
    unit: str = "deals"

    @property
    def key(self) -> list[object]:
        """Values that tell it from any other part."""
        given = [
            self.rules.name,
            self.rules.hash,
            self.policy,
            self.seed,
            self.unit,
            self.numbers.start,
            self.numbers.stop,
        ]
        return [FORMAT, *given, ENGINE_VERSION, schema_version()]

    @property
    def part(self) -> str:
        """Id of the part."""
        return hash_of(self.key)


def simulated_parts(
    rules: RuleSet, policy: str, seed: int, numbers: range, unit: str = "deals", *, is_large: bool = False
) -> list[SimulatedPart]:
    """Parts of the deals or matches *numbers*, cut at multiples of a part's size, so that ranges that overlap share
    parts.

    is_large: parts of the size for compiled loops.
    """
    small, large = (PART_DEALS, LARGE_PART_DEALS) if unit == "deals" else (PART_MATCHES, LARGE_PART_MATCHES)
    size = large if is_large else small
    starts = range(numbers.start - numbers.start % size, numbers.stop, size)
    cut = [range(max(start, numbers.start), min(start + size, numbers.stop)) for start in starts]
    return [SimulatedPart(rules=rules, policy=policy, seed=seed, numbers=piece, unit=unit) for piece in cut]


def _is_large(make: object, numbers: range) -> bool:
    """Whether there are so many deals that a compiled loop makes them; then they are cut so however they are made."""
    return isinstance(make, SimulationJob) and is_much(make, len(numbers))


def store_simulated(root: str, piece: SimulatedPart, make: DealMaker) -> ChunkFacts:
    """Make, check and write the deals of one part, unless it is there already: a pure function, for a worker.

    root: the warehouse's folder.  make: deals of these numbers, in their order.
    Raises: WarehouseError, also when *make* gives another number of deals.
    """
    storage = open_storage(root)
    known = stored_facts(storage, piece.part)
    if known is not None:
        return known
    writer = PartWriter()
    if isinstance(make, SimulationJob) and has_loop(make):
        _add_rows(writer, piece, make)
    else:
        _add_deals(writer, piece, make)
    if piece.unit == "deals" and writer.count != len(piece.numbers):
        raise WarehouseError(f"simulation: expected {len(piece.numbers)} deals, found {writer.count}")
    return writer.write(storage, piece.part, {})


def _add_deals(writer: PartWriter, piece: SimulatedPart, make: DealMaker) -> None:
    """Deals made and checked one by one."""
    for line, deal in enumerate(make(piece.numbers), start=1):
        stop_if_interrupted()
        writer.add(msgspec.structs.replace(deal, line=line, byte=0), piece.rules)


def _add_rows(writer: PartWriter, piece: SimulatedPart, job: SimulationJob) -> None:
    """Deals made by a compiled loop, and checked one by one those that fit no row."""
    for table, left_out in simulated_tables(job, piece.numbers):
        stop_if_interrupted()
        writer.add_clean(table, piece.rules)
        for deal in left_out:
            writer.add(deal, piece.rules)


def write_simulated(
    warehouse: Warehouse | str | Path,
    rules: RuleSet,
    policy: str,
    seed: int,
    numbers: range,
    deals: DealMaker | Iterable[Deal],
    *,
    unit: str = "deals",
    jobs: int = 1,
    executor: Executor | None = None,
    scheduler: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> LedgerRow:
    """Store the simulated deals *numbers* in *warehouse*, which is made where there is none.

    unit: what *numbers* number, "deals" or whole "matches"; matches need a function for *deals*.

    deals: the deals in order of their numbers, or a function that makes those of a range (one that can be sent to a
    process, for more than one).  jobs, executor, scheduler: as :func:`belot_stats.ingest.ingest`.
    progress: called with the number of deals stored so far.
    Returns: the ledger row; the same run again finds it there.  Raises: WarehouseError, WorkerError.
    """
    store, started = open_warehouse(warehouse, create=True), time.monotonic()
    pieces = simulated_parts(rules, policy, seed, numbers, unit, is_large=_is_large(deals, numbers))
    make = deals if callable(deals) else _in_order(iter(deals))
    with store.storage.lock(WRITERS_LOCK, shared=True), open_work(jobs, executor, scheduler) as work:
        work.check(store.storage)
        facts: list[ChunkFacts] = []
        count = 0
        calls = ((store.storage.root, piece, make) for piece in pieces)
        for piece, found in zip(pieces, work.in_order(store_simulated, calls), strict=True):
            check_part(store.storage, piece.part)
            facts.append(found)
            count += found.read
            if progress is not None:
                progress(count)
        firsts = accumulate((item.read for item in facts), initial=1)
        chunks = [_chunk(*piece) for piece in zip(pieces, facts, firsts, strict=False)]
        row = _row(store, pieces, chunks, facts, round((time.monotonic() - started) * 1000))
        return store.ledger.commit(row)[0]


def _in_order(deals: Iterable[Deal]) -> DealMaker:
    return lambda numbers: islice(deals, len(numbers))


def _chunk(piece: SimulatedPart, facts: ChunkFacts, first_line: int) -> LedgerChunk:
    return LedgerChunk(
        part=piece.part,
        first_line=first_line,
        first_byte=0,
        lines=facts.read,
        bytes=0,
        sha256=_sha256([piece]),
        stored=facts.stored,
        quarantined=facts.quarantined,
    )


def _sha256(pieces: Iterable[SimulatedPart]) -> str:
    """Stands where a file's hash stands; there are no bytes but what the deals depend on."""
    return hashlib.sha256(json.dumps([piece.key for piece in pieces]).encode()).hexdigest()


def _row(
    store: Warehouse,
    pieces: list[SimulatedPart],
    chunks: list[LedgerChunk],
    facts: list[ChunkFacts],
    elapsed_ms: int,
) -> LedgerRow:
    first, last = pieces[0], pieces[-1]
    deals = f"{first.unit} {first.numbers.start}-{last.numbers.stop - 1}"
    name = f"simulation {first.rules.name} {first.policy} seed {first.seed} {deals}"
    return LedgerRow(
        file=file_id(FORMAT, [chunk.part for chunk in chunks]),
        names=[name],
        format=FORMAT,
        source=None,
        rules=first.rules.name,
        chunks=chunks,
        size_bytes=0,
        sha256=_sha256(pieces),
        read=sum(item.read for item in facts),
        stored=sum(item.stored for item in facts),
        quarantined=sum(item.quarantined for item in facts),
        blank_lines=0,
        unknown_fields=[],
        file_findings=[],
        rulesets=sorted({rules for item in facts for rules in item.rulesets}),
        engine_version=ENGINE_VERSION,
        finished_at=store.ledger.time_of_commit(),
        elapsed_ms=elapsed_ms,
    )

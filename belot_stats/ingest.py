"""Ingest: inputs -> chunks -> parts -> the ledger.

The unit of work is a chunk; :func:`belot_stats.parts.store_chunk` is the pure function over it. This module cuts the
inputs into chunks, maps them over an executor with few in flight, and commits each input when all its chunks are in.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.balance import Committed, FileReport, IngestReport, OlderReadings, balance_reports
from belot_stats.derived import count_records
from belot_stats.errors import (
    BelotStatsError,
    ForeignInputError,
    InputError,
    UsageError,
    WarehouseError,
    WorkerError,
)
from belot_stats.fast_parts import WORTH_COMPILING, WORTH_LOADING, make_ready
from belot_stats.ledger import LedgerChunk, LedgerFinding, LedgerRow, file_id
from belot_stats.parts import (
    ChunkFacts,
    ChunkJob,
    check_part,
    ledger_chunk,
    merge_fields,
    part_id,
    reader_key,
    rules_key,
    store_chunk,
)
from belot_stats.ruleset import RuleResolver
from belot_stats.schema import ENGINE_VERSION
from belot_stats.stated import count_findings
from belot_stats.storage import WRITERS_LOCK
from belot_stats.texts import storable
from belot_stats.warehouse import Warehouse, open_warehouse
from belot_stats.work import Call, Work, open_work

if TYPE_CHECKING:
    from belot_stats.readers.reader import Chunk, Reader
    from belot_stats.readers.streams import ByteStream

CHUNK_BYTES = (
    8 * 1024 * 1024
)  # decompressed: small enough for every process to have work, and for 300 MB a process
BLANK_LINES = "blank lines"


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an ingest is: inputs done of all, bytes of the inputs cut into chunks so far, records stored so far."""

    name: str
    files_done: int
    files: int
    bytes_read: int
    bytes_total: int
    records: int


class _Run:
    """One input on its way: what is known of it so far."""

    def __init__(self, name: str) -> None:
        self.report = FileReport(name=name)
        self.started = time.monotonic()
        self.chunks: list[LedgerChunk] = []  # their counts still 0
        self.facts: list[ChunkFacts] = []
        self.findings: list[LedgerFinding] = []
        self.size_bytes = 0
        self.sha256 = ""
        self.older = OlderReadings([], "", None)

    def fail(self, problem: Exception) -> None:
        self.report.error = str(problem)


class _Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What all inputs of a run have in common."""

    warehouse: Warehouse
    format: str | None
    options: Any  # ReadOptions
    rules: str | None
    rules_key: str
    chunk_bytes: int
    rows: list[LedgerRow]
    may_compile: bool


def ingest(
    inputs: str | Path | Sequence[str | Path],
    warehouse: Warehouse | str | Path,
    *,
    format: str | None = None,
    source: str | None = None,
    rules: str | Path | None = None,
    force_rules: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    scheduler: str | None = None,
    progress: Callable[[Progress], object] | None = None,
    notice: Callable[[str], object] | None = None,
    chunk_bytes: int = CHUNK_BYTES,
) -> IngestReport:
    """Read *inputs* (files, folders, patterns, ``"-"``) into *warehouse*, which is made where there is none.

    format: reader's name, else each input's own is recognised; source, rules: fill the gap where a record names none;
    force_rules: whatever it names; overrides: rule parameters on top of a record's options.
    jobs: processes; scheduler: address of the Dask scheduler whose cluster runs the chunks instead; executor: any
    other that does, with *jobs* + 1 of them in flight. None of them changes a byte of what is written.
    notice: called with a sentence before the rules are compiled, which takes a while and is done once.
    chunk_bytes: decompressed bytes a chunk, which bounds the memory of each process.
    Raises: InputError for inputs that are not there (one that cannot be read is in the report); UsageError;
    RuleSetError; WarehouseError; WorkerError. What was committed before an error or an interrupt stays, and running
    the same again goes on from there.
    """
    from belot_stats.readers import identify_reader
    from belot_stats.readers.inputs import find_inputs
    from belot_stats.readers.reader import ReadOptions

    resolver = RuleResolver(rules, force_rules, overrides)
    if format is not None:
        identify_reader(b"", format)
    paths = find_inputs([inputs] if isinstance(inputs, str | Path) else list(inputs))
    names = [path.path for path in paths]
    store = open_warehouse(warehouse, create=True)
    is_worth_it = sum(map(_size, names)) >= WORTH_COMPILING
    settings = _Settings(
        warehouse=store,
        format=format,
        options=ReadOptions(source, resolver),
        rules=_rules_given(rules, force_rules),
        rules_key=rules_key(resolver),
        chunk_bytes=chunk_bytes,
        rows=store.rows(),
        may_compile=is_worth_it and scheduler is not None,
    )
    if is_worth_it and scheduler is None:
        make_ready(notice)
    started = time.monotonic()
    if executor is None:
        jobs = processes_for(names, jobs, chunk_bytes)
    with store.storage.lock(WRITERS_LOCK, shared=True), open_work(jobs, executor, scheduler) as work:
        work.check(store.storage)
        pipeline = _Pipeline(settings, work, progress)
        reports = pipeline.run(names, {path.path for path in paths if path.is_named})
    balance_reports(store, pipeline.committed)
    return IngestReport(files=reports, elapsed_ms=_since(started), restarts=work.restarts)


def processes_for(names: Sequence[str], jobs: int, chunk_bytes: int) -> int:
    """Of *jobs* processes no more than there are chunks for, as far as nobody has to read the inputs to tell."""
    from belot_stats.readers.streams import plain_size

    size = 0
    for name in names:
        more = plain_size(name)
        if more is None or size // chunk_bytes >= jobs:
            return jobs
        size += more
    return min(jobs, size // chunk_bytes + 1)


def _rules_given(rules: str | Path | None, force_rules: str | Path | None) -> str | None:
    return str(force_rules) if force_rules is not None else None if rules is None else str(rules)


class _Pipeline:
    """Cuts inputs into chunks, keeps a bounded number of them in flight, and finishes inputs in their order."""

    def __init__(
        self, settings: _Settings, work: Work, progress: Callable[[Progress], object] | None
    ) -> None:
        self._settings, self._work, self._progress = settings, work, progress
        self._pending: deque[tuple[_Run, Call[ChunkFacts] | None]] = deque()
        self.committed: list[Committed] = []
        self._counts = {"files_done": 0, "files": 0, "bytes_read": 0, "bytes_total": 0, "records": 0}

    def run(self, names: Sequence[str], named: set[str]) -> list[FileReport]:
        """Read the inputs *names*; one that is not *named* by the user may be of no known format."""
        self._counts.update(files=len(names), bytes_total=sum(map(_size, names)))
        runs = [_Run(name) for name in names]
        for run in runs:
            self._read(run, run.report.name in named)
            self._pending.append((run, None))
            self._drain(self._work.most)
        self._drain(0)
        return [run.report for run in runs]

    def _read(self, run: _Run, is_named: bool) -> None:
        from belot_stats.readers import identify_reader, open_stream

        run.started = time.monotonic()
        try:
            with open_stream(run.report.name) as stream:
                head = stream.head()
                reader = self._reader(
                    run, lambda: identify_reader(head, self._settings.format, run.report.name), is_named
                )
                if reader is not None:
                    self._cut(run, reader, stream)
        except ForeignInputError as problem:
            if is_named:
                run.fail(problem)
            else:
                run.report.is_ignored = True
        except InputError as problem:
            run.fail(problem)
        except OSError as problem:
            run.fail(InputError(f"{run.report.name}: {problem.strerror or problem}"))

    def _reader(self, run: _Run, identify: Callable[[], Reader], is_named: bool) -> Reader | None:
        """The input's reader; None where nobody asked for it and nobody knows it."""
        try:
            return identify()
        except UsageError:
            raise
        except InputError:
            if is_named:
                raise
            run.report.is_ignored = True
            return None

    def _cut(self, run: _Run, reader: Reader, stream: ByteStream) -> None:
        run.report.format = reader.name
        run.older = OlderReadings(self._settings.rows, reader.name, self._settings.options.source)
        for chunk in reader.split(stream, self._settings.chunk_bytes):
            self._drain(self._work.most - 1)
            self._submit(run, reader, chunk)
        run.size_bytes, run.sha256 = stream.size_bytes, stream.sha256
        found = [*stream.findings, *getattr(reader, "file_findings", lambda: ())()]
        run.findings = [
            LedgerFinding(code=item.code, line=item.line, expected=item.expected, found=item.found)
            for item in found
        ]

    def _submit(self, run: _Run, reader: Reader, chunk: Chunk) -> None:
        settings = self._settings
        sha256 = hashlib.sha256(chunk.data).hexdigest()
        run.older.take(chunk.data, sha256)
        part = part_id(sha256, reader_key(reader), settings.options.source, settings.rules_key)
        self._counts["bytes_read"] += len(chunk.data)
        job = ChunkJob(
            root=settings.warehouse.storage.root,
            part=part,
            chunk=chunk,
            reader=reader,
            options=settings.options,
            where=run.report.name,
            may_load=max(self._counts["bytes_total"], self._counts["bytes_read"]) >= WORTH_LOADING,
            may_compile=settings.may_compile,
        )
        run.chunks.append(ledger_chunk(part, chunk, sha256))
        self._pending.append((run, self._work.submit(store_chunk, job)))
        self._tell(run)

    def _drain(self, most: int) -> None:
        """Take in results, oldest first, until no more than *most* are outstanding."""
        while len(self._pending) > most:
            run, call = self._pending.popleft()
            if call is None:
                self._finish(run)
            else:
                self._take(run, call)

    def _take(self, run: _Run, call: Call[ChunkFacts]) -> None:
        try:
            run.facts.append(self._work.result(call))
            check_part(self._settings.warehouse.storage, run.chunks[len(run.facts) - 1].part)
        except (WarehouseError, WorkerError):
            raise
        except BelotStatsError as problem:
            run.fail(problem)
        else:
            self._counts["records"] += run.facts[-1].read
            self._tell(run)

    def _finish(self, run: _Run) -> None:
        self._counts["files_done"] += 1
        if run.report.error is None and not run.report.is_ignored:
            self.committed.append(_commit(run, self._settings))
        run.report.elapsed_ms = _since(run.started)
        self._tell(run)

    def _tell(self, run: _Run) -> None:
        if self._progress is not None:
            self._progress(Progress(name=run.report.name, **self._counts))


def _commit(run: _Run, settings: _Settings) -> Committed:
    """Write the input's row; that is the commit."""
    row = _ledger_row(run, settings)
    held = run.older.held(row.file)
    row, is_new = settings.warehouse.ledger.commit(row, held)
    replaced = held if is_new else []
    report = run.report
    report.file, report.is_known, report.replaced = row.file, not is_new, [old.file for old in replaced]
    report.blank_lines, report.file_findings = row.blank_lines, row.file_findings
    report.unknown_fields = [item.field for item in row.unknown_fields]
    report.findings = sum(facts.findings for facts in run.facts)
    report.passed_over = _passed_over(run.facts)
    return Committed(report=report, row=row, replaced=replaced)


def _ledger_row(run: _Run, settings: _Settings) -> LedgerRow:
    chunks = [
        msgspec.structs.replace(chunk, stored=facts.stored, quarantined=facts.quarantined)
        for chunk, facts in zip(run.chunks, run.facts, strict=True)
    ]
    format_name = run.report.format or ""
    return LedgerRow(
        file=file_id(format_name, [chunk.part for chunk in chunks]),
        names=[storable(run.report.name)],
        format=format_name,
        source=settings.options.source,
        rules=settings.rules,
        chunks=chunks,
        size_bytes=run.size_bytes,
        sha256=run.sha256,
        read=sum(facts.read for facts in run.facts),
        stored=sum(facts.stored for facts in run.facts),
        quarantined=sum(facts.quarantined for facts in run.facts),
        blank_lines=_passed_over(run.facts).get(BLANK_LINES, 0),
        unknown_fields=merge_fields(chunks, [facts.unknown_fields for facts in run.facts]),
        file_findings=[*run.findings, *_without_zone(chunks, run.facts), *_stated_counts(chunks, run.facts)],
        rulesets=sorted({rules for facts in run.facts for rules in facts.rulesets}),
        engine_version=ENGINE_VERSION,
        finished_at=settings.warehouse.ledger.time_of_commit(),
        elapsed_ms=_since(run.started),
    )


def _passed_over(all_facts: Sequence[ChunkFacts]) -> dict[str, int]:
    kinds = sorted({kind for facts in all_facts for kind in facts.passed_over})
    return {kind: sum(facts.passed_over.get(kind, 0) for facts in all_facts) for kind in kinds}


def _without_zone(chunks: Sequence[LedgerChunk], all_facts: Sequence[ChunkFacts]) -> list[LedgerFinding]:
    """One notice a file about times without an offset."""
    fields = merge_fields(chunks, [[facts.without_zone] if facts.without_zone else [] for facts in all_facts])
    found = [
        (field.first_line, f"{count_records(field.records)} without an offset, first here")
        for field in fields
    ]
    return [
        LedgerFinding(code="no-time-zone", line=line, expected="a time with its offset from UTC", found=text)
        for line, text in found
    ]


def _stated_counts(chunks: Sequence[LedgerChunk], all_facts: Sequence[ChunkFacts]) -> list[LedgerFinding]:
    """Whether the file holds as many deals as it says."""
    stated = [
        msgspec.structs.replace(item, line=item.line + chunk.first_line - 1)
        for chunk, facts in zip(chunks, all_facts, strict=True)
        for item in facts.stated_counts
    ]
    return count_findings(stated, sum(facts.read for facts in all_facts) - len(stated))


def _since(started: float) -> int:
    """Milliseconds since *started*, by the clock that never goes back."""
    return round((time.monotonic() - started) * 1000)


def _size(name: str) -> int:
    """Bytes of the file, 0 where that cannot be told."""
    try:
        return Path(name).stat().st_size
    except OSError:
        return 0

"""Parts: a chunk of an input, checked, as three Parquet files of one name.

``deals/<part>`` and ``findings/<part>`` are always written, ``quarantine/<part>`` only where a record could not be
read. ``deals`` is written last: where it is there, the part is complete. The name is a hash of all that the content
depends on, so a part is never written twice with other bytes, and a killed run goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import BelotStatsError, WarehouseError, WorkerError
from belot_stats.fast_parts import add_chunk, is_fast
from belot_stats.interrupts import stop_if_interrupted
from belot_stats.ledger import LedgerChunk, LedgerRuleSet, UnknownField, hash_of, part_name
from belot_stats.resources import resource_folder
from belot_stats.rows import deal_row, finding_row, quarantine_row
from belot_stats.ruleset import RuleFile, RuleResolver, RuleSet, ruleset_values
from belot_stats.schema import ENGINE_VERSION, TableBuilder, check_version, parquet_bytes, schema_version
from belot_stats.stated import StatedCount, stated_count
from belot_stats.storage import Storage, open_storage

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.readers.reader import Chunk, Reader, ReadOptions

PART_FOLDERS = ("quarantine", "findings", "deals")
_FACTS_KEY = "belot_stats.chunk"


class ChunkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a part's chunk beside its rows; kept in the metadata of ``deals/<part>``.

    *read* is counted at the reader, *stored*, *quarantined* and *findings* are the rows written. Lines count from
    the chunk's beginning.
    """

    read: int
    stored: int
    quarantined: int
    findings: int
    passed_over: dict[str, int] = {}
    unknown_fields: list[UnknownField] = []
    without_zone: UnknownField | None = None
    stated_counts: list[StatedCount] = []
    rulesets: list[LedgerRuleSet] = []


def part_id(chunk_sha256: str, reader: str, source: str | None, rules: str) -> str:
    """Id of the part of a chunk: 32 hex digits.

    reader: the reader's identity (:func:`reader_key`); rules: the rule values given (:func:`rules_key`).
    """
    return hash_of(["chunk", chunk_sha256, reader, source, rules, ENGINE_VERSION, schema_version()])


def reader_key(reader: Reader) -> str:
    """Identity of *reader*: its name, and the mapping it reads by where it has one."""
    return f"{reader.name} {getattr(reader, 'fingerprint', '')}".strip()


def rules_key(resolver: RuleResolver) -> str:
    """Hash of all rule values that records may be checked by under *resolver*, presets included."""
    given = [_file_values(resolver.default), _file_values(resolver.force), resolver.overrides]
    return hash_of([given, presets_hash()])


def _file_values(rule_file: RuleFile | None) -> Any:
    return None if rule_file is None else [rule_file.name, rule_file.values]


@cache
def presets_hash() -> str:
    """Hash of the preset files of this installation."""
    files = sorted(resource_folder("rulesets").glob("*.toml"))
    return hash_of([[path.name, path.read_text(encoding="utf-8")] for path in files])


class PartWriter:
    """Takes the records of one chunk, checks the deals, and writes the part; few of them are in memory at a time."""

    def __init__(self) -> None:
        self._tables = {name: TableBuilder(name) for name in PART_FOLDERS}
        self._read = 0
        self._unknown: dict[str, list[int]] = {}
        self._without_zone: list[int] = [0, 0]
        self._stated: list[StatedCount] = []
        self._rulesets: dict[str, RuleSet] = {}

    @property
    def count(self) -> int:
        """Records taken."""
        return self._read

    def add(self, record: Deal | BadRecord, rules: RuleSet | None) -> None:
        """Take one record: a deal with the rules to check it by, or one that could not be read."""
        self._read += 1
        if isinstance(record, BadRecord):
            self._tables["quarantine"].add(quarantine_row(record))
            stated = stated_count(record)
            if stated is not None:
                self._stated.append(stated)
        elif rules is not None:
            self._add_deal(record, rules)

    def add_clean(self, table: pa.Table, rules: RuleSet) -> None:
        """Take a table of deals without a finding, checked by *rules*."""
        self._read += table.num_rows
        self._tables["deals"].add_table(table)
        self._count_without_zone(table)
        if table.num_rows:
            self._rulesets.setdefault(rules.hash, rules)

    def _count_without_zone(self, table: pa.Table) -> None:
        import pyarrow.compute as pc

        has_no_zone = pc.and_(pc.is_valid(table["started"]), pc.is_null(table["started_at"]))
        lines = table["line"].filter(has_no_zone)
        if len(lines):
            _count(self._without_zone, pc.min(lines).as_py())
            self._without_zone[0] += len(lines) - 1

    def _add_deal(self, deal: Deal, rules: RuleSet) -> None:
        from belot_stats.checker import check_deal
        from belot_stats.content import content_hash

        checked = check_deal(deal, rules)
        row = deal_row(checked, content_hash(deal))
        self._tables["deals"].add(row)
        self._tables["findings"].extend(finding_row(deal, finding) for finding in checked.findings)
        self._rulesets.setdefault(rules.hash, rules)
        for field in deal.unknown_fields:
            _count(self._unknown.setdefault(field, [0, deal.line]), deal.line)
        if deal.started is not None and row["started_at"] is None:
            _count(self._without_zone, deal.line)

    def write(self, storage: Storage, part: str, passed_over: dict[str, int]) -> ChunkFacts:
        """Write the part's files.

        passed_over: what of the chunk is no record, by kind.
        Raises: WarehouseError.
        """
        facts = self._facts(passed_over)
        for folder in PART_FOLDERS:
            table = self._tables.pop(folder).finish()
            if folder == "quarantine" and not table.num_rows:
                continue
            metadata = {_FACTS_KEY: msgspec.json.encode(facts).decode()} if folder == "deals" else None
            storage.write(part_name(folder, part), parquet_bytes(table, metadata))
        return facts

    def _facts(self, passed_over: dict[str, int]) -> ChunkFacts:
        counts = {name: table.count for name, table in self._tables.items()}
        return ChunkFacts(
            read=self._read,
            stored=counts["deals"],
            quarantined=counts["quarantine"],
            findings=counts["findings"],
            passed_over=passed_over,
            unknown_fields=[_unknown_field(name, *found) for name, found in sorted(self._unknown.items())],
            without_zone=_unknown_field("started", *self._without_zone) if self._without_zone[0] else None,
            stated_counts=self._stated,
            rulesets=sorted(map(ledger_ruleset, self._rulesets.values())),
        )


def _count(found: list[int], line: int) -> None:
    found[1] = min(found[1], line) if found[0] else line
    found[0] += 1


def _unknown_field(name: str, records: int, first_line: int) -> UnknownField:
    return UnknownField(field=name, records=records, first_line=first_line)


def ledger_ruleset(rules: RuleSet) -> LedgerRuleSet:
    """Rule set as the ledger keeps it."""
    values = json.dumps(ruleset_values(rules), sort_keys=True, separators=(",", ":"))
    return LedgerRuleSet(hash=rules.hash, name=rules.name, values=values)


class ChunkJob(msgspec.Struct, frozen=True, kw_only=True):
    """All that storing a chunk needs; a worker process gets it whole."""

    root: str
    part: str
    chunk: Any  # readers.reader.Chunk
    reader: Any  # readers.reader.Reader
    options: Any  # readers.reader.ReadOptions
    where: str  # the input's name, for messages
    may_load: bool = True  # the compiled loops, where this machine has them
    may_compile: bool = False  # them, where it has none yet


def store_chunk(job: ChunkJob) -> ChunkFacts:
    """Read and check the chunk and write its part, unless the part is there already.

    Raises: WarehouseError when it cannot be written; BelotStatsError naming file and line when the checker fails.
    """
    storage = open_storage(job.root)
    known = stored_facts(storage, job.part)
    if known is not None:
        return known
    writer = PartWriter()
    for record, rules in _checkable(writer, job):
        _add(writer, record, rules, job)
    return writer.write(storage, job.part, job.reader.passed_over(job.chunk))


def _checkable(writer: PartWriter, job: ChunkJob) -> Iterator[tuple[Deal | BadRecord, RuleSet | None]]:
    options: ReadOptions = job.options
    if job.may_load and is_fast(job.reader, job.may_compile):
        for record, rules in add_chunk(writer, job.chunk, options):
            stop_if_interrupted()
            yield record, rules
        return
    for record in job.reader.read(job.chunk, options):
        stop_if_interrupted()
        yield (
            record,
            None if isinstance(record, BadRecord) else options.resolver.resolve(record.rules, record.options),
        )


def _add(writer: PartWriter, record: Deal | BadRecord, rules: RuleSet | None, job: ChunkJob) -> None:
    try:
        writer.add(record, rules)
    except BelotStatsError:
        raise
    except Exception as problem:
        line = job.chunk.first_line + record.line - 1
        raise BelotStatsError(
            f"{job.where}: line {line}: internal error while checking: {type(problem).__name__}: {problem}"
        ) from problem


def check_part(storage: Storage, part: str) -> None:
    """Look whether *part*, which a worker says is written, is there. Raises: WorkerError.

    The ledger names only what this process sees, also where a worker wrote into a folder of its own machine.
    """
    if not storage.exists(part_name("deals", part)):
        where = storage.path(part_name("deals", part))
        raise WorkerError(
            f"{where}: a worker wrote it, and it is not there: do all workers share this folder, under this path?"
        )


def stored_facts(storage: Storage, part: str) -> ChunkFacts | None:
    """What is known of the chunk of *part*; None where the part is not there whole, so that it is written again.

    Raises: NewerWarehouseError.
    """
    facts = _facts_of(storage, part)
    if facts is None or not _is_whole(storage, part_name("findings", part), facts.findings):
        return None
    if facts.quarantined and not _is_whole(storage, part_name("quarantine", part), facts.quarantined):
        return None
    return facts


def _facts_of(storage: Storage, part: str) -> ChunkFacts | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = part_name("deals", part)
    if not storage.exists(name):
        return None
    try:
        with storage.open(name) as source, pq.ParquetFile(source) as file:
            metadata = file.schema_arrow.metadata
            check_version(metadata, storage.path(name))
            facts = msgspec.json.decode(metadata[_FACTS_KEY.encode()], type=ChunkFacts)
            return facts if file.metadata.num_rows == facts.stored else None
    except (pa.ArrowException, OSError, msgspec.DecodeError, KeyError, TypeError):
        return None


def _is_whole(storage: Storage, name: str, rows: int) -> bool:
    """Whether the Parquet file *name* is there with all its rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with storage.open(name) as source, pq.ParquetFile(source) as file:
            return bool(file.metadata.num_rows == rows)
    except (pa.ArrowException, OSError, WarehouseError):
        return False


def ledger_chunk(part: str, chunk: Chunk, sha256: str) -> LedgerChunk:
    """Entry of the ledger for *chunk*, its records not counted yet."""
    place = {name: getattr(chunk, name) for name in ("first_line", "first_byte", "lines")}
    return LedgerChunk(part=part, **place, bytes=len(chunk.data), sha256=sha256, stored=0, quarantined=0)


def merge_fields(
    chunks: Sequence[LedgerChunk], fields: Sequence[Sequence[UnknownField]]
) -> list[UnknownField]:
    """Fields of a file from those of its *chunks*, their first lines counted in the file; sorted by name."""
    merged: dict[str, UnknownField] = {}
    for chunk, items in zip(chunks, fields, strict=True):
        for item in items:
            line = chunk.first_line + item.first_line - 1
            known = merged.get(item.field)
            records = item.records + (known.records if known else 0)
            merged[item.field] = _unknown_field(
                item.field, records, min(line, known.first_line) if known else line
            )
    return [merged[name] for name in sorted(merged)]

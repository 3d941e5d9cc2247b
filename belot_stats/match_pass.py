"""The match pass: the deals of each match that count, in order of their numbers, through the match checker.

Deals stream out of DuckDB ordered by bucket and match (sorted on disk where memory is short), so one match is in
memory at a time. Beside the checker's findings, this adds what only the store knows: copies of a deal that are
findings, and times that run against the order of the deals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.derived import Fingerprints, add_views, derived_name
from belot_stats.findings import SEVERITY_OF
from belot_stats.ledger import LedgerRow
from belot_stats.readers.times import is_time, parse_time
from belot_stats.ruleset import RuleSet, ruleset_from_values
from belot_stats.schema import TableBuilder, parquet_bytes, schema
from belot_stats.warehouse import Warehouse, stream_rows

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from belot_stats.match_checker import MatchDeal, Standing

_BATCH_ROWS = 5_000
_PROGRESS_EVERY = 200  # matches
_TABLES = ("standings", "match_findings", "matches")  # in the order written: matches marks a bucket as done
_NOT_COLUMNS = ("line", "rules")  # of MatchDeal: the line is counted in the file, the rules are their values
_DEALS_SQL = """
    select bucket_of(d.source, d.match) as bucket, {columns}, u.file, l.format,
        u.first_line + d.line - 1 as line, d.rules_hash, d.started, d.finding_count
    from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
    where list_contains($stale, bucket_of(d.source, d.match))
        and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    order by bucket, d.source, d.match, d.deal"""
_COPIES_SQL = """
    with counting as (
        select d.source, d.match, d.deal, l.names[1] as name, u.file, u.first_line + d.line - 1 as line
        from raw_deals as d join part_uses as u on d.part = u.alias join raw_ledger as l on u.file = l.file
        where (d.source, d.match, d.deal) in (select (source, match, deal) from raw_duplicates)
            and not exists (from raw_duplicates as x where x.part = d.part and x.line = d.line and x.byte = d.byte)
    )
    select d.source, d.match, d.deal, d.reason, u.file, u.first_line + d.line - 1 as line,
        if(c.file = u.file, 'line ' || c.line, 'line ' || c.line || ' of ' || c.name) as other
    from raw_duplicates as d join part_uses as u on d.part = u.alias join counting as c using (source, match, deal)
    where d.reason in ('duplicate', 'conflict') and list_contains($stale, bucket_of(d.source, d.match))
    order by d.source, d.match, d.deal, u.place, d.line"""
# What a record that could not be read says of its place, as far as its text can be made out.
_UNREADABLE_SQL = r"""
    with texts as (
        select q.part, q.line, try(decode(q.raw)) as text from raw_quarantine as q where octet_length(q.raw) < 100000
    ),
    placed as (
        select regexp_extract(text, '"source"\s*:\s*"([^"\\]*)"', 1) as source,
            regexp_extract(text, '"match"\s*:\s*"([^"\\]*)"', 1) as match,
            try_cast(regexp_extract(text, '"deal"\s*:\s*"?(\d{1,9})', 1) as bigint) as deal, part, line
        from texts where text is not null
    )
    select p.source, p.match, p.deal, min(u.first_line + p.line - 1) as line
    from placed as p join part_uses as u on p.part = u.alias
    where p.deal is not null and list_contains($stale, bucket_of(p.source, p.match))
    group by all"""

Row = dict[str, Any]


def run_match_pass(
    warehouse: Warehouse,
    rows: Sequence[LedgerRow],
    fingerprints: Fingerprints,
    stale: Sequence[int],
    progress: Callable[[int], object] | None,
) -> None:
    """Write the derived tables standings, matches and match_findings of the *stale* buckets.

    Raises: WarehouseError.
    """
    rulesets = rulesets_of(rows)
    done = 0
    connection = warehouse.shared_connection(rows)
    add_views(warehouse, connection, rows, fingerprints)
    copies = _copies_by_match(connection, stale)
    unreadable = _unreadable_by_match(connection, stale)
    query, buckets = _DEALS_SQL.format(columns=_columns_sql()), {"stale": list(stale)}
    deals_in_order = stream_rows(connection, query, _BATCH_ROWS, buckets)
    for bucket, deals in groupby(deals_in_order, key=lambda row: row["bucket"]):
        output = _BucketOutput(warehouse, bucket, fingerprints[bucket])
        for key, match in groupby(deals, key=lambda row: (row["source"], row["match"])):
            output.add_match(key, list(match), copies.get(key, []), unreadable.get(key, {}), rulesets)
            done += 1
            if progress is not None and done % _PROGRESS_EVERY == 0:
                progress(done)
        output.write()
    if progress is not None:
        progress(done)


def _copies_by_match(
    connection: duckdb.DuckDBPyConnection, stale: Sequence[int]
) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in stream_rows(connection, _COPIES_SQL, _BATCH_ROWS, {"stale": list(stale)}):
        found.setdefault((row["source"], row["match"]), []).append(row)
    return found


def _unreadable_by_match(
    connection: duckdb.DuckDBPyConnection, stale: Sequence[int]
) -> dict[tuple[str, str], dict[int, int]]:
    """Deals in quarantine: number -> line, a match."""
    found: dict[tuple[str, str], dict[int, int]] = {}
    for row in stream_rows(connection, _UNREADABLE_SQL, _BATCH_ROWS, {"stale": list(stale)}):
        found.setdefault((row["source"], row["match"]), {})[row["deal"]] = row["line"]
    return found


def rulesets_of(rows: Sequence[LedgerRow]) -> dict[str, RuleSet]:
    """Rule sets that the ledger names: hash -> rules.

    A hash that the values no longer give (a parameter was added since) still finds its values.
    """
    named = {item.hash: item for row in rows for item in row.rulesets}
    return {key: ruleset_from_values(item.name, json.loads(item.values)) for key, item in named.items()}


class _BucketOutput:
    """The derived rows of one bucket while its matches go by."""

    def __init__(self, warehouse: Warehouse, bucket: int, fingerprint: str) -> None:
        self._storage = warehouse.storage
        self._place = bucket, fingerprint
        self._standings, self._matches = TableBuilder("standings"), TableBuilder("matches")
        self._findings: list[Row] = []

    def add_match(
        self,
        key: tuple[str, str],
        deals: list[Row],
        copies: list[Row],
        unreadable: Mapping[int, int],
        rulesets: Mapping[str, RuleSet],
    ) -> None:
        """Check one match, given its counting deals by number, the copies that are findings, and the lines of deals
        in quarantine."""
        from belot_stats.match_checker import check_match

        checked = check_match([_match_deal(row, rulesets) for row in deals], unreadable)
        identity = {"source": key[0], "match": key[1]}
        file_of = {row["deal"]: row["file"] for row in deals}
        found = [
            {
                **msgspec.structs.asdict(item),
                **identity,
                "file": file_of.get(item.deal or 0, deals[0]["file"]),
            }
            for item in checked.findings
        ]
        found += [_copy_finding(copy) for copy in copies] + list(_time_findings(deals))
        self._findings += found
        self._standings.extend({**_standing_row(item), **identity} for item in checked.standings)
        summary = msgspec.structs.asdict(checked.summary)
        summary["finding_count"] = sum(row["finding_count"] for row in deals) + len(found)
        summary["has_conflict"] = any(copy["reason"] == "conflict" for copy in copies)
        self._matches.add({**summary, **identity})

    def write(self) -> None:
        """Write the bucket's files."""
        tables = {
            "standings": self._standings.finish(),
            "match_findings": _findings_table(self._findings),
            "matches": self._matches.finish(),
        }
        for name in _TABLES:
            if tables[name].num_rows:
                self._storage.make_folder(f"derived/{name}")
                self._storage.write(
                    derived_name(name, *self._place), parquet_bytes(tables[name]), durable=False
                )


def _standing_row(standing: Standing) -> Row:
    row = msgspec.structs.asdict(standing)
    for name in ("score", "total"):
        row.update({f"{name}_{side}": points for side, points in enumerate(row[name] or ())})
    return row


def _findings_table(found: list[Row]) -> pa.Table:
    """Arrow table of findings with ``file``, in their order."""
    import pyarrow as pa

    columns = schema("findings").append(pa.field("file", pa.string()))
    order = sorted(found, key=lambda row: (row["source"], row["match"], row["deal"] or 0, row["line"] or 0))
    return pa.Table.from_pylist(order, columns)


@cache
def _checked_columns() -> tuple[str, ...]:
    """Columns of deals that the match checker asks for."""
    from belot_stats.match_checker import MatchDeal

    stored = set(schema("deals").names) - set(_NOT_COLUMNS)
    return tuple(name for name in MatchDeal.__struct_fields__ if name in stored)


def _columns_sql() -> str:
    return ", ".join(f"d.{name}" for name in _checked_columns())


def _match_deal(row: Row, rulesets: Mapping[str, RuleSet]) -> MatchDeal:
    from belot_stats.match_checker import MatchDeal

    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value := row[name], list) else value for name in _checked_columns()
    }
    rules, logged = rulesets[row["rules_hash"]], _passes_are_logged(row["format"])
    return MatchDeal(**values, line=row["line"], rules=rules, passes_are_logged=logged)


@cache
def _passes_are_logged(format_name: str) -> bool:
    """Logs of this format hold the deals that everybody passed, too; readers say so where they do not."""
    from belot_stats.readers import READERS

    return bool(getattr(READERS.get(format_name), "passes_are_logged", True))


def _finding(row: Row, code: str, expected: str, found: str, field: str | None = None) -> Row:
    identity = {name: row[name] for name in ("source", "match", "deal", "line", "file")}
    return {
        **identity,
        "code": code,
        "severity": SEVERITY_OF[code],
        "field": field,
        "expected": expected,
        "found": found,
    }


def _copy_finding(copy: Row) -> Row:
    if copy["reason"] == "duplicate":
        return _finding(copy, "duplicate-deal", "one record of the deal", f"the same as {copy['other']}")
    return _finding(copy, "conflicting-deal", f"the same as {copy['other']}", "another content")


def _time_findings(deals: Sequence[Row]) -> Iterator[Row]:
    """A deal that began before the one before it, or, without an offset, in the same moment (an hour that exists
    twice cannot be told from its first)."""
    last: tuple[datetime, str] | None = None
    for row in deals:
        if row["started"] is None or not is_time(row["started"]):
            continue
        time = parse_time(row["started"])
        if last is not None and _runs_back(time, last[0]):
            yield _finding(
                row,
                "ambiguous-time",
                f"later than {last[1]}, when the deal before it began",
                row["started"],
                "started",
            )
        last = time, row["started"]


def _runs_back(time: datetime, before: datetime) -> bool:
    """*time* is not after *before*; a time with an offset cannot be compared with one that has none."""
    if (time.tzinfo is None) != (before.tzinfo is None):
        return False
    return time < before or (time == before and time.tzinfo is None)

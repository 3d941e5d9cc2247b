"""What the match pass writes of a bucket: standings, matches and findings of each match.

Beside the match checker's findings, this adds what only the store knows: copies of a deal that are findings, and
times that run against the order of the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.derived import derived_name
from belot_stats.findings import SEVERITY_OF
from belot_stats.readers.times import is_time, parse_time
from belot_stats.ruleset import RuleSet
from belot_stats.schema import TableBuilder, parquet_bytes, schema, sort_rows
from belot_stats.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.match_checker import MatchDeal, Standing

_TABLES = ("standings", "match_findings", "matches")  # in the order written: matches marks a bucket as done
_FINDINGS_ROWS = 4_000
_NOT_COLUMNS = ("line", "rules")  # of MatchDeal: the line is counted in the file, the rules are their values

Row = dict[str, Any]


class BucketOutput:
    """The derived rows of one bucket while its matches go by."""

    def __init__(self, storage: Storage, bucket: int, fingerprint: str) -> None:
        self._storage = storage
        self._place = bucket, fingerprint
        self._standings, self._matches = TableBuilder("standings"), TableBuilder("matches")
        self._findings = _FindingsBuilder()
        self._clean: dict[str, list[pa.Table]] = {"standings": [], "matches": []}

    def add_clean(self, standings: pa.Table, matches: pa.Table) -> None:
        """Take the rows of matches that are known to be without a finding."""
        self._clean["standings"].append(standings)
        self._clean["matches"].append(matches)

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
        self._findings.extend(found)
        self._standings.extend({**_standing_row(item), **identity} for item in checked.standings)
        summary = msgspec.structs.asdict(checked.summary)
        summary["finding_count"] = sum(row["finding_count"] for row in deals) + len(found)
        summary["has_conflict"] = any(copy["reason"] == "conflict" for copy in copies)
        self._matches.add({**summary, **identity})

    def write(self) -> None:
        """Write the bucket's files."""
        tables = {
            "standings": self._finish(self._standings),
            "match_findings": self._findings.finish(),
            "matches": self._finish(self._matches),
        }
        for name in _TABLES:
            if tables[name].num_rows:
                self._storage.make_folder(f"derived/{name}")
                self._storage.write(
                    derived_name(name, *self._place), parquet_bytes(tables[name]), durable=False
                )

    def _finish(self, builder: TableBuilder) -> pa.Table:
        import pyarrow as pa

        clean = self._clean[builder.table]
        if not clean:
            return builder.finish().combine_chunks()
        if len(clean) == 1 and not builder.count:
            return clean[0]  # in order already
        return sort_rows(builder.table, pa.concat_tables([*clean, builder.finish()]).combine_chunks())


def _standing_row(standing: Standing) -> Row:
    row = msgspec.structs.asdict(standing)
    for name in ("score", "total"):
        row.update({f"{name}_{side}": points for side, points in enumerate(row[name] or ())})
    return row


class _FindingsBuilder:
    """Findings of match after match, of which few are Python objects at a time."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []

    def extend(self, found: list[Row]) -> None:
        """Take the findings of a match."""
        self._rows += sorted(found, key=lambda row: (row["deal"] or 0, row["line"] or 0))
        if len(self._rows) >= _FINDINGS_ROWS:
            self._convert()

    def _convert(self) -> None:
        import pyarrow as pa

        columns = schema("findings").append(pa.field("file", pa.string()))
        self._tables.append(pa.Table.from_pylist(self._rows, columns))
        self._rows = []

    def finish(self) -> pa.Table:
        """Arrow table of findings with ``file``, in the order of matches and deals."""
        import pyarrow as pa

        self._convert()
        return pa.concat_tables(self._tables).combine_chunks()


@cache
def checked_columns() -> tuple[str, ...]:
    """Columns of deals that the match checker asks for."""
    from belot_stats.match_checker import MatchDeal

    stored = set(schema("deals").names) - set(_NOT_COLUMNS)
    return tuple(name for name in MatchDeal.__struct_fields__ if name in stored)


def _match_deal(row: Row, rulesets: Mapping[str, RuleSet]) -> MatchDeal:
    from belot_stats.match_checker import MatchDeal

    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value := row[name], list) else value for name in checked_columns()
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

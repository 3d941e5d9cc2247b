"""Questions to a warehouse that are no report: its findings, one deal with all that is known of it, a recheck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from belot_stats.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.checker import Checked
    from belot_stats.views.show import Shown
    from belot_stats.warehouse import Warehouse

FINDING_COLUMNS = (
    "file_name as file, line, source, match, deal, seat, trick, "
    "case when call_index is null then token end as card, case when call_index is not null then token end as call, "
    "code, severity, expected, found, "
    "card_index, call_index, field, doubt"
)
_WITH_DOUBTS = """
    with doubts as ({doubts})
    select problems.*, why.doubt
    from problems
    left join (
        select source, match, deal, code, string_agg(doubt, ' | ' order by parameter) as doubt
        from doubts
        group by source, match, deal, code
    ) as why
        on problems.source = why.source and problems.match = why.match
        and problems.deal is not distinct from why.deal and problems.code = why.code"""
_WITHOUT_DOUBTS = "select *, null::varchar as doubt from problems"
RECHECK_COLUMNS = ("finding_bits", "finding_count", "outcome", "points", "score", "hanging")


class Filter(NamedTuple):
    """Which findings: each None = all."""

    code: Sequence[str] | None = None
    severity: Sequence[str] | None = None
    file: str | None = None
    source: str | None = None
    match: str | None = None
    deal: int | None = None


def list_findings(warehouse: Warehouse, which: Filter) -> pa.Table:
    """Findings of both passes, of files, and the faults of quarantined records; one row each, by file and line.

    Columns: file, line (null for a whole match), source, match, deal, seat, trick, card, code, severity, expected,
    found, where in the deal, and doubt: what the source does not settle of the rules that the finding rests on.
    Raises: WarehouseError.
    """
    from belot_stats.doubts import RESTS_ON
    from belot_stats.queries import create_doubts, doubts_sql
    from belot_stats.relations import relations_for

    listed = _WITHOUT_DOUBTS
    connection = warehouse.connection(relations=relations_for(listed))
    codes = {code for (code,) in connection.execute("select distinct code from findings").fetchall()}
    if codes & RESTS_ON.keys():  # to look what they rest on takes longer than all else
        listed = _WITH_DOUBTS.format(doubts=doubts_sql())
        connection = warehouse.connection(relations=relations_for(listed))
        create_doubts(connection)
    condition, values = _condition(which)
    order = "file, line, match, deal, card_index, code, found"
    query = f"select {FINDING_COLUMNS} from ({listed}) where {condition} order by {order}"
    relation = connection.sql(query, params=values) if values else connection.sql(query)
    return relation.to_arrow_table()


def _condition(which: Filter) -> tuple[str, dict[str, Any]]:
    tests = {
        "code": "list_contains($code, code)",
        "severity": "list_contains($severity, severity)",
        "file": "contains(file_name, $file)",
        "source": "source = $source",
        "match": "match = $match",
        "deal": "deal = $deal",
    }
    values = {
        name: list(value) if isinstance(value, list | tuple) else value
        for name, value in which._asdict().items()
        if value
    }
    return " and ".join(tests[name] for name in values) or "true", values


class DealAddress(NamedTuple):
    """Which deal: ``MATCH/DEAL`` or ``SOURCE/MATCH/DEAL``."""

    where: str
    number: int


def parse_address(text: str) -> DealAddress:
    """Address of a deal in a warehouse.

    Raises: UsageError.
    >>> parse_address("m0001/3")
    DealAddress(where='m0001', number=3)
    """
    where, slash, number = text.rpartition("/")
    if not slash or not where or not number.isdecimal():
        raise UsageError(
            f"{text!r}: expected MATCH/DEAL or SOURCE/MATCH/DEAL, as in m0001/3, or LOGFILE:LINE of a log that is there"
        )
    return DealAddress(where, int(number))


def find_deal(warehouse: Warehouse, address: DealAddress) -> tuple[Checked, Shown]:
    """The deal at *address*, checked again, and what its match says of it.

    Raises: UsageError where there is none, or where several sources have it.
    """
    from belot_stats.checker import check_deal
    from belot_stats.rows import deal_of

    query = """
        select * from deals
        where deal = $number and (match = $where or source || '/' || match = $where) order by source"""
    rows = (
        warehouse.sql(query, {"number": address.number, "where": address.where}).to_arrow_table().to_pylist()
    )
    if not rows:
        nearby = _nearby(warehouse, address)
        there = f"deal {address.number} of match {address.where!r} in {warehouse.name}{nearby}"
        raise UsageError(f"there is no {there}")
    if len(rows) > 1:
        addresses = ", ".join(f"{row['source']}/{row['match']}/{row['deal']}" for row in rows[:5])
        raise UsageError(f"{len(rows)} sources have this deal; name one: {addresses}")
    row = rows[0]
    checked = check_deal(deal_of(row), ruleset_of(warehouse, row["rules_hash"]))
    return checked, _shown(warehouse, row)


def _nearby(warehouse: Warehouse, address: DealAddress) -> str:
    query = "select min(deal), max(deal) from deals where match = $where or source || '/' || match = $where"
    low, high = warehouse.sql(query, {"where": address.where}).fetchall()[0]
    return f"; it has deals {low} to {high}" if low is not None else ""


def _shown(warehouse: Warehouse, row: dict[str, Any]) -> Shown:
    from belot_stats.views.show import Shown

    query = """
        select * from findings
        where pass = 'match' and source = $source and match = $match and (deal = $deal or deal is null)"""
    values = {name: row[name] for name in ("source", "match", "deal")}
    found = warehouse.sql(query, values).to_arrow_table().to_pylist()
    return Shown(
        place=f"{row['file_name']}:{row['line']}",
        hanging_in=row["hanging_in"],
        score=_tuple(row["match_score"]),
        total=_tuple(row["total"]),
        winner=row["winner"],
        match_findings=tuple(found),
    )


def _tuple(values: Sequence[int] | None) -> tuple[int, ...] | None:
    return tuple(values) if values is not None else None


def ruleset_of(warehouse: Warehouse, rules_hash: str) -> Any:
    """Rule set that records with *rules_hash* were checked by. Raises: UsageError where the ledger lacks it."""
    from belot_stats.match_pass import rulesets_of

    rulesets = rulesets_of(warehouse.rows())
    if rules_hash not in rulesets:
        raise UsageError(f"{warehouse.name}: the ledger knows no rules {rules_hash}")
    return rulesets[rules_hash]


class Recheck(NamedTuple):
    """How many deals were checked again, and those whose stored check says otherwise."""

    deals: int
    differences: list[str]


def recheck(warehouse: Warehouse, progress: Any = None) -> Recheck:
    """Run the deal pass again over the stored records and compare it with what is stored.

    progress: called with (done, total). Raises: WarehouseError.
    """
    total = warehouse.sql("select count(*) from raw_deals", refresh=False).fetchall()[0][0]
    differences: list[str] = []
    done = 0
    for checked, row in _checked_again(warehouse):
        done += 1
        changed = [name for name in RECHECK_COLUMNS if _plain(getattr(checked.computed, name)) != row[name]]
        if changed:
            texts = (
                f"{name} {row[name]} is now {_plain(getattr(checked.computed, name))}" for name in changed
            )
            differences.append(f"{row['source']}/{row['match']}/{row['deal']}: " + ", ".join(texts))
        if progress is not None and done % 1000 == 0:
            progress(done, total)
    return Recheck(done, differences)


def _checked_again(warehouse: Warehouse) -> Iterator[tuple[Checked, dict[str, Any]]]:
    from belot_stats.checker import check_deal
    from belot_stats.match_pass import rulesets_of
    from belot_stats.rows import deal_of

    rulesets = rulesets_of(warehouse.rows())
    reader = warehouse.sql("select * from raw_deals", refresh=False).to_arrow_reader(2000)
    for batch in reader:
        for row in batch.to_pylist():
            yield check_deal(deal_of(row), rulesets[row["rules_hash"]]), row


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

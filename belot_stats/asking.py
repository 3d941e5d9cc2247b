"""Questions to a warehouse that are no report: its findings, one deal with all that is known of it, a recheck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from belot_stats.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.checker import Checked
    from belot_stats.ruleset import RuleSet
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
RECHECKED_TOGETHER = 20_000  # deals
RECHECKED_ONE_BY_ONE = 1_000  # fewer deals are checked sooner than the compiled loops are loaded
WORTH_COMPILING = 50_000  # deals that take as long one by one as compiling the loops
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


def recheck(warehouse: Warehouse, progress: Any = None, notice: Any = None) -> Recheck:
    """Run the deal pass again over the stored records and compare it with what is stored.

    progress: called with (done, total).  notice: with a sentence before the rules are compiled, as many deals need.
    Raises: WarehouseError.
    """
    from belot_stats.match_pass import rulesets_of

    total = warehouse.sql("select count(*) from raw_deals", refresh=False).fetchall()[0][0]
    is_fast = _is_fast(total, notice)
    rulesets = rulesets_of(warehouse.rows())
    differences: list[str] = []
    done = 0
    for batch in warehouse.sql("select * from raw_deals", refresh=False).to_arrow_reader(RECHECKED_TOGETHER):
        for table in _checked_apart(batch, rulesets) if is_fast else (_table_of(batch),):
            differences += _differences(table, rulesets)
        done += batch.num_rows
        if progress is not None:
            progress(done, total)
    return Recheck(done, differences)


def _is_fast(total: int, notice: Any) -> bool:
    """Whether the compiled loops check *total* deals: they are there, or it is worth compiling them now."""
    from belot_stats.fast_parts import is_warm, make_ready

    if total < RECHECKED_ONE_BY_ONE:
        return False
    if total >= WORTH_COMPILING:
        make_ready(notice)
        return True
    return is_warm()


def _table_of(batch: pa.RecordBatch) -> pa.Table:
    """A batch as a table."""
    import pyarrow as pa

    return pa.Table.from_batches([batch])


def _checked_apart(batch: pa.RecordBatch, rulesets: Mapping[str, RuleSet]) -> Iterator[pa.Table]:
    """Those rows of *batch* that the compiled pass leaves to be checked one by one: not clean, or stored otherwise."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from belot_stats.rules.batch import check_records
    from belot_stats.stored_records import are_as_stored, recheckable

    whole = _table_of(batch)
    keys = pc.unique(whole["rules_hash"]).to_pylist()
    for key in keys:
        table = whole if len(keys) == 1 else whole.filter(pc.equal(whole["rules_hash"], key))
        rules, left = rulesets[key], np.ones(table.num_rows, dtype=bool)
        records, fits = recheckable(rules, table)
        rows, status = check_records(rules, records[fits])
        known = table if fits.all() else table.filter(pa.array(fits))
        left[fits] = ~are_as_stored(rules, known, rows) | (status != 0)
        if left.any():
            yield table.filter(pa.array(left))


def _differences(table: pa.Table, rulesets: Mapping[str, RuleSet]) -> Iterator[str]:
    """What the checker says otherwise than it stands in the rows of *table*, a sentence a deal."""
    from belot_stats.checker import check_deal
    from belot_stats.interrupts import stop_if_interrupted
    from belot_stats.rows import deal_of

    for row in table.to_pylist():
        stop_if_interrupted()
        computed = check_deal(deal_of(row), rulesets[row["rules_hash"]]).computed
        now = {name: _plain(getattr(computed, name)) for name in RECHECK_COLUMNS}
        texts = [f"{name} {row[name]} is now {value}" for name, value in now.items() if value != row[name]]
        if texts:
            yield f"{row['source']}/{row['match']}/{row['deal']}: " + ", ".join(texts)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

"""Commands that ask a warehouse: audit, findings, show, report, sql."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.common import (
    DEFAULT_WAREHOUSE,
    AsJson,
    Jobs,
    ProgressBar,
    Quiet,
    Scheduler,
    WarehousePath,
    check_workers,
    counted,
    job_count,
    say,
    stdout,
    write_file,
    write_text,
)
from belot_stats.errors import UsageError
from belot_stats.findings import FINDING_CODES

if TYPE_CHECKING:
    from belot_stats.queries import ReportResult
    from belot_stats.warehouse import Warehouse

FORMATS = ("table", "csv", "json", "jsonl", "parquet", "html", "png", "svg")
TABLE_FORMATS = FORMATS[:5]
BINARY_FORMATS = ("parquet", "png")
OutputFormat = Annotated[
    str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.", metavar="FORMAT")
]
OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write; default stdout.", metavar="FILE")
]
SourceFilter = Annotated[str | None, typer.Option("--source", help="Only this source.", metavar="NAME")]
MatchFilter = Annotated[str | None, typer.Option("--match", help="Only this match.", metavar="NAME")]
LINE_ADDRESS = ":"
UNREADABLE = frozenset(row.code for row in FINDING_CODES if row.stage == "record" and row.severity == "error")


def open_store(warehouse: str) -> Warehouse:
    """The warehouse, read. Raises: WarehouseError."""
    from belot_stats.startup import leave_pandas_out

    leave_pandas_out()
    from belot_stats.warehouse import Warehouse

    return Warehouse(warehouse)


def audit(
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    recheck: Annotated[
        bool, typer.Option("--recheck", help="Run the deal pass again from the stored records.")
    ] = False,
    jobs: Jobs = 0,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Follow every match, and sum up all findings; exit code 1 when there are any.

    Example: belot-stats audit --warehouse warehouse
    """
    raise typer.Exit(run_audit(open_store(warehouse), recheck, quiet, as_json, jobs, scheduler))


def run_audit(
    store: Warehouse,
    recheck: bool = False,
    quiet: bool = False,
    as_json: bool = False,
    jobs: int = 0,
    scheduler: str | None = None,
    write_json: Callable[[str], object] = write_text,
) -> int:
    """Audit *store* and print the summary. Returns: 1 when anything is wrong, else 0."""
    check_workers(jobs, scheduler)
    changed = _recheck(store, quiet) if recheck else 0
    prepare(store, jobs, scheduler, quiet)
    if as_json or not quiet:
        _show_summary(store, write_json if as_json else None)
    wrong = _count_problems(store)
    if not quiet:
        say(counted(wrong, "finding") if wrong else _all_well(store))
    return 1 if wrong or changed else 0


def _show_summary(store: Warehouse, write_json: Callable[[str], object] | None) -> None:
    from belot_stats.queries import run_report
    from belot_stats.views.tables import to_json

    names = ("record-balance", "audit-summary", "unsettled-rules")
    results = [run_report(store, name) for name in names]
    if write_json is not None:
        texts = (f'"{name}":{to_json(result)}' for name, result in zip(names, results, strict=True))
        write_json("{" + ",".join(texts) + "}\n")
        return
    for result in results[:2]:
        print_result(result)
    _print_unsettled(results[2])


def _print_unsettled(result: ReportResult) -> None:
    """Which findings rest on a rule that the source does not settle, and what is said of each rule, in full."""
    rows = result.table.to_pylist()
    if not rows:
        return
    print_result(result)
    said = {f"{row['rules']}: {row['parameter']} = {row['value']}: {row['said']}" for row in rows}
    write_text("".join(f"the source does not settle this: {line}\n" for line in sorted(said)))


def _all_well(store: Warehouse) -> str:
    if not any(row.read for row in store.rows()):
        return "nothing to audit: no record has been read into this warehouse"
    return "nothing found: the log agrees with the rules"


def prepare(store: Warehouse, jobs: int, scheduler: str | None, quiet: bool) -> None:
    """What reports need: every match followed, and what they begin with summed up; each with a progress bar."""
    _refresh(store, jobs, scheduler, quiet)
    _sum_up(store, quiet)


def _refresh(store: Warehouse, jobs: int, scheduler: str | None, quiet: bool) -> None:
    from belot_stats import derived
    from belot_stats.match_pass import COLUMN_DEALS, MatchProgress
    from belot_stats.match_tasks import is_warm

    if not quiet and sum(row.stored for row in store.rows()) >= COLUMN_DEALS and not is_warm():
        say("compiling the rules for this, the first time only: about 10 s")
    with ProgressBar("following matches", quiet) as bar:

        def progress(state: MatchProgress) -> None:
            note = f"{state.matches:,} matches" if state.matches else "deals sorted by match"
            bar.update(state.share or 0, None if state.share is None else 1, note)

        derived.refresh(store, progress=progress, jobs=job_count(jobs), scheduler=scheduler)


def _sum_up(store: Warehouse, quiet: bool) -> None:
    """Make what reports over many deals begin with; where it cannot be kept, they make it when they are asked."""
    from belot_stats import summaries
    from belot_stats.errors import WarehouseError

    rows = store.rows()
    if not summaries.is_worth_keeping(rows):
        return
    with ProgressBar("summing up", quiet) as bar:
        try:
            summaries.refresh(store, rows, progress=bar.update)
        except WarehouseError as problem:
            say(f"reports will take longer: {problem}")


def _count_problems(store: Warehouse) -> int:
    from belot_stats.relations import relations_for

    query = "select count(*) from problems"
    return int(store.connection(relations=relations_for(query)).execute(query).fetchall()[0][0])


def _recheck(store: Warehouse, quiet: bool) -> int:
    from belot_stats.asking import recheck

    with ProgressBar("checking again", quiet) as bar:
        result = recheck(
            store, lambda done, total: bar.update(done, total, f"{done:,} deals"), None if quiet else say
        )
    for line in result.differences[:20]:
        say(line)
    say(f"{result.deals:,} deals checked again, {len(result.differences):,} differ from what is stored")
    return len(result.differences)


def print_result(result: ReportResult) -> None:
    """An answer as a table, fitted to the terminal, or to a wide page where stdout is none."""
    from belot_stats.views.tables import print_table

    console = stdout()
    print_table(result, console, fits=console.width)


def findings(
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    code: Annotated[
        list[str] | None, typer.Option("--code", help="Only this code; may be given again.", metavar="CODE")
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option("--severity", help="error, illegal, mismatch, irregularity or notice.", metavar="WORD"),
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", help="Only files whose name contains this.", metavar="TEXT")
    ] = None,
    source: SourceFilter = None,
    match: MatchFilter = None,
    deal: Annotated[
        int | None, typer.Option("--deal", help="Only deals of this number.", metavar="N")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", "-f", help="table, csv, json, jsonl or parquet.", metavar="FORMAT")
    ] = "table",
    output: OutputFile = None,
) -> None:
    """List findings: what is wrong, in which file and line, expected and found.

    Example: belot-stats findings --severity illegal --format jsonl
    """
    from belot_stats.asking import Filter, list_findings
    from belot_stats.findings import FINDING_BITS, SEVERITIES

    check_words(code, FINDING_BITS, "--code")
    check_words(severity, SEVERITIES, "--severity")
    check_words([format], TABLE_FORMATS, "--format")
    table = list_findings(open_store(warehouse), Filter(code, severity, file, source, match, deal))
    if format == "table" and output is None:
        for row in table.to_pylist():
            write_text(finding_line(row) + "\n")
        say(counted(table.num_rows, "finding"))
    else:
        emit(
            plain_result("findings", "What is wrong, and where?", table, "one row a finding"), format, output
        )


def finding_line(row: dict[str, Any]) -> str:
    """A finding as a compiler words its own: place, code, where in the deal, expected and found."""
    from belot_stats.texts import visible

    place = ":".join(str(part) for part in (row["file"], row["line"]) if part is not None)
    match = "/".join(str(part) for part in (row["match"], row["deal"]) if part is not None)
    details = [f"{name} {row[name]}" for name in ("seat", "trick", "card", "call") if row[name] is not None]
    where = " ".join(part for part in (match, ", ".join(details)) if part)
    words = f"{place or '-'}: {row['severity']}: {row['code']}: {where + ': ' if where else ''}"
    if row["code"] in UNREADABLE:
        return visible(words + row["found"])  # it says itself what was expected
    doubt = f" ({row['doubt']})" if row.get("doubt") else ""
    return visible(f"{words}expected {row['expected']}; found {row['found']}{doubt}")


def check_words(words: list[str] | None, known: Any, option: str) -> None:
    for word in words or []:
        if word not in known:
            from belot_stats.report_files import nearest

            raise UsageError(
                f"{option} {word!r}: unknown{nearest(word, known)}; expected one of {', '.join(known)}"
            )


def plain_result(name: str, question: str, table: Any, grain: str) -> ReportResult:
    """A table that is no report's, to be shown as one."""
    from belot_stats.queries import ReportResult
    from belot_stats.report_files import Column, Report

    columns = {column: Column(meaning=column, label=column) for column in table.column_names}
    report = Report(
        name=name,
        title=name,
        question=question,
        grain=grain,
        sql="",
        path=Path(),
        parameters={},
        columns=columns,
    )
    return ReportResult(report=report, parameters={}, table=table)


def emit(result: ReportResult, format: str, output: Path | None) -> None:
    """Write an answer in *format* to *output* or stdout."""
    from belot_stats.views import render

    if format == "table" and output is None:
        print_result(result)
        return
    rendered = render(result, format)
    data = rendered if isinstance(rendered, bytes) else rendered.encode("utf-8", "replace")
    if output is not None:
        write_file(output, data)
        say(f"{output} written")
    else:
        if format in BINARY_FORMATS and sys.stdout.isatty():
            raise UsageError(f"--format {format} is no text: name a file with --output")
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def show(
    deal: Annotated[
        str, typer.Argument(help="MATCH/DEAL, SOURCE/MATCH/DEAL, or LOGFILE:LINE.", metavar="DEAL")
    ],
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    rules: Annotated[
        str | None, typer.Option("--rules", help="With LOGFILE:LINE: rules of records that name none.")
    ] = None,
) -> None:
    """Replay one deal: hands, auction, tricks with the offending card marked, and the score sheet.

    Example: belot-stats show m0001/3
    """
    from belot_stats.asking import find_deal, parse_address
    from belot_stats.views.show import print_deal

    path, colon, line = deal.rpartition(LINE_ADDRESS)
    if colon and line.isdecimal() and (path == "-" or Path(path).exists()):
        checked, shown = _deal_at(path, int(line), rules)
    else:
        address = parse_address(deal)
        checked, shown = find_deal(open_store(warehouse), address)
    print_deal(checked, shown, stdout())


def _deal_at(path: str, line: int, rules: str | None) -> Any:
    """The record on a line of a log, checked, without any warehouse."""
    from belot_stats.checker import check_deal
    from belot_stats.deal import BadRecord
    from belot_stats.readers import read_log
    from belot_stats.readers.reader import ReadOptions
    from belot_stats.ruleset import RuleResolver
    from belot_stats.views.show import Shown

    options = ReadOptions(None, RuleResolver(default=rules))
    record = next((record for record in read_log(path, None, options) if record.line == line), None)
    if record is None:
        raise UsageError(f"{path}: there is no record on line {line}")
    if isinstance(record, BadRecord):
        raise UsageError(f"{path}:{line}: {record.code}: {record.message}")
    return check_deal(record, options.resolver.resolve(record.rules, record.options)), Shown(
        place=f"{path}:{line}"
    )


def sql(
    query: Annotated[
        str,
        typer.Argument(help="A query over deals, tricks, calls, declarations, seats, matches, findings, …"),
    ],
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    format: Annotated[
        str, typer.Option("--format", "-f", help="table, csv, json, jsonl or parquet.", metavar="FORMAT")
    ] = "table",
    output: OutputFile = None,
) -> None:
    """Ask a question of your own in SQL (DuckDB's).

    Example: belot-stats sql "select outcome, count(*) from deals group by all"
    """
    import duckdb
    import pyarrow as pa

    from belot_stats.object_storage import store_error
    from belot_stats.queries import prepare, with_plain_numbers

    check_words([format], TABLE_FORMATS, "--format")
    store = open_store(warehouse)
    connection = store.connection()
    prepare(connection)
    try:
        relation: Any = connection.sql(query)  # None for a statement without a result
        table = with_plain_numbers(relation.to_arrow_table()) if relation is not None else None
    except duckdb.Error as problem:
        raise store_error(problem) or UsageError(f"sql: {str(problem).splitlines()[0]}") from None
    except pa.ArrowException as problem:
        raise UsageError(
            f"sql: the answer has a value that no table holds: {problem}; cast it to varchar"
        ) from None
    if table is None:
        return
    names = table.column_names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"sql: two columns are called {twice!r}: give each a name of its own")
    try:
        emit(plain_result("sql", query, table, "as asked"), format, output)
    except (pa.ArrowException, OverflowError, ValueError) as problem:
        raise UsageError(f"sql: {format} cannot hold the answer: {problem}; cast it to varchar") from None

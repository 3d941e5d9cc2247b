"""Commands that ask a warehouse: audit, findings, show, report, sql."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.common import (
    DEFAULT_WAREHOUSE,
    AsJson,
    ProgressBar,
    Quiet,
    WarehousePath,
    say,
    stdout,
    write_file,
    write_text,
)
from belot_stats.errors import UsageError

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


def open_store(warehouse: Path) -> Warehouse:
    """The warehouse, read. Raises: WarehouseError."""
    from belot_stats.warehouse import Warehouse

    return Warehouse(warehouse)


def audit(
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    recheck: Annotated[
        bool, typer.Option("--recheck", help="Run the deal pass again from the stored records.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Follow every match, and sum up all findings; exit code 1 when there are any.

    Example: belot-stats audit --warehouse warehouse
    """
    raise typer.Exit(run_audit(open_store(warehouse), recheck, quiet, as_json))


def run_audit(store: Warehouse, recheck: bool = False, quiet: bool = False, as_json: bool = False) -> int:
    """Audit *store* and print the summary. Returns: 1 when anything is wrong, else 0."""
    from belot_stats.queries import run_report
    from belot_stats.views.tables import to_json

    changed = _recheck(store, quiet) if recheck else 0
    with ProgressBar("following matches", quiet) as bar:
        _refresh(store, bar)
    names = ("record-balance", "audit-summary")
    results = [run_report(store, name) for name in names]
    if as_json:
        write_text(
            "{"
            + ",".join(f'"{name}":{to_json(result)}' for name, result in zip(names, results, strict=True))
            + "}\n"
        )
    elif not quiet:
        for result in results:
            print_result(result)
    wrong = _count_problems(store)
    if not quiet:
        say(f"{wrong:,} findings" if wrong else "nothing found: the log agrees with the rules")
    return 1 if wrong or changed else 0


def _refresh(store: Warehouse, bar: ProgressBar) -> None:
    from belot_stats import derived

    derived.refresh(store, progress=lambda done: bar.update(done, None, f"{done:,} matches"))


def _count_problems(store: Warehouse) -> int:
    return int(store.sql("select count(*) from problems").fetchall()[0][0])


def _recheck(store: Warehouse, quiet: bool) -> int:
    from belot_stats.asking import recheck

    with ProgressBar("checking again", quiet) as bar:
        result = recheck(store, lambda done, total: bar.update(done, total, f"{done:,} deals"))
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

    _check_words(code, FINDING_BITS, "--code")
    _check_words(severity, SEVERITIES, "--severity")
    _check_words([format], TABLE_FORMATS, "--format")
    table = list_findings(open_store(warehouse), Filter(code, severity, file, source, match, deal))
    if format == "table" and output is None:
        for row in table.to_pylist():
            write_text(finding_line(row) + "\n")
        say(f"{table.num_rows:,} findings")
    else:
        emit(
            plain_result("findings", "What is wrong, and where?", table, "one row a finding"), format, output
        )


def finding_line(row: dict[str, Any]) -> str:
    """A finding as a compiler words its own: place, code, where in the deal, expected and found."""
    from belot_stats.texts import visible

    place = ":".join(str(part) for part in (row["file"], row["line"]) if part is not None)
    match = "/".join(str(part) for part in (row["match"], row["deal"]) if part is not None)
    details = [f"{name} {row[name]}" for name in ("seat", "trick", "card") if row[name] is not None]
    where = " ".join(part for part in (match, ", ".join(details)) if part)
    words = f"{place or '-'}: {row['severity']}: {row['code']}: {where + ': ' if where else ''}"
    return visible(f"{words}expected {row['expected']}; found {row['found']}")


def _check_words(words: list[str] | None, known: Any, option: str) -> None:
    from belot_stats.report_files import nearest

    for word in words or []:
        if word not in known:
            raise UsageError(
                f"{option} {word!r}: unknown{nearest(word, known)}; expected one of {', '.join(known)}"
            )


def plain_result(name: str, question: str, table: Any, grain: str) -> ReportResult:
    """A table that is no report's, to be shown as one."""
    from belot_stats.queries import ReportResult
    from belot_stats.report_files import Report

    report = Report(
        name=name, title=name, question=question, grain=grain, sql="", path=Path(), parameters={}, columns={}
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
        checked, shown = find_deal(open_store(warehouse), parse_address(deal))
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


def report(
    names: Annotated[
        list[str] | None, typer.Argument(help="Reports; see --list.", metavar="[NAME...]")
    ] = None,
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    list_all: Annotated[bool, typer.Option("--list", help="List the reports and their parameters.")] = False,
    every: Annotated[bool, typer.Option("--all", help="All reports.")] = False,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--param", "-p", help="Parameter of the report; may be given again.", metavar="NAME=VALUE"
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Only deals by this rule set.", metavar="NAME")
    ] = None,
    source: SourceFilter = None,
    match: MatchFilter = None,
    folder: Annotated[
        list[Path] | None, typer.Option("--reports", help="Folder with reports of your own.", metavar="DIR")
    ] = None,
    format: OutputFormat = "table",
    output: OutputFile = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write one page with tables and charts into DIR.", metavar="DIR"),
    ] = None,
) -> None:
    """Answer reports: as a table, a file, a chart, or one page with all of them.

    Example: belot-stats report contract-success --rules belot-bg --format csv
    """
    from belot_stats.queries import list_reports

    folders = folder or []
    if list_all:
        list_of_reports(folders)
        return
    chosen = list(names or []) or ([item.name for item in list_reports(folders)] if every or html else [])
    if not chosen:
        raise UsageError("name a report, or --all, or see them with --list")
    _check_words([format], FORMATS, "--format")
    given = {
        **_parameters(parameters),
        **{k: v for k, v in (("rules", rules), ("source", source), ("match", match)) if v},
    }
    results = answer(open_store(warehouse), chosen, given, folders)
    if html is not None:
        say(f"{write_page(results, html, warehouse)} written")
        return
    if output is not None and len(results) > 1:
        raise UsageError("--output takes one report; for several use --html DIR")
    for result in results:
        emit(result, format, output)


def answer(
    store: Warehouse, names: list[str], given: dict[str, Any], folders: list[Path]
) -> list[ReportResult]:
    """Answers of reports. A parameter given for several reports goes to those that have it.

    Raises: ReportError for one that none of them has.
    """
    from belot_stats.errors import ReportError
    from belot_stats.queries import load_report, run_report

    reports = [load_report(name, folders) for name in names]
    for name in given:
        if len(reports) > 1 and not any(name in item.parameters for item in reports):
            raise ReportError(f"none of these reports has a parameter {name!r}")
    several = len(reports) > 1
    return [
        run_report(store, item, {k: v for k, v in given.items() if not several or k in item.parameters})
        for item in reports
    ]


def write_page(results: list[ReportResult], folder: Path, warehouse: Path, name: str = "report.html") -> Path:
    """Write one self-contained page of *results* into *folder*. Returns its path."""
    from belot_stats.views.html import to_html

    write_file(folder / name, to_html(results, subtitle=str(warehouse)).encode("utf-8", "replace"))
    return folder / name


def _parameters(texts: list[str] | None) -> dict[str, Any]:
    pairs = {}
    for text in texts or []:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--param {text!r}: expected NAME=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs


def list_of_reports(folders: list[Path]) -> None:
    """Print the reports, their questions and parameters."""
    from rich.text import Text

    from belot_stats.queries import list_reports

    console = stdout()
    for item in list_reports(folders):
        console.print(Text(item.name, style="bold"), Text(item.question), sep="  ")
        for name, parameter in item.parameters.items():
            console.print(Text(f"    {name} = {parameter.default}  {parameter.help}", style="dim"))


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

    from belot_stats.queries import prepare, with_plain_numbers

    _check_words([format], TABLE_FORMATS, "--format")
    store = open_store(warehouse)
    connection = store.connection()
    prepare(connection)
    try:
        relation: Any = connection.sql(query)  # None for a statement without a result
        table = with_plain_numbers(relation.to_arrow_table()) if relation is not None else None
    except duckdb.Error as problem:
        raise UsageError(f"sql: {problem}") from None
    if table is not None:
        emit(plain_result("sql", query, table, "as asked"), format, output)

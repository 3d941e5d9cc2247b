"""The command report: answers as tables, files, charts, or one page with all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.asking import (
    FORMATS,
    MatchFilter,
    OutputFile,
    OutputFormat,
    SourceFilter,
    check_words,
    emit,
    open_store,
)
from belot_stats.commands.common import DEFAULT_WAREHOUSE, WarehousePath, say, stdout, write_file
from belot_stats.errors import UsageError

if TYPE_CHECKING:
    from belot_stats.queries import ReportResult
    from belot_stats.warehouse import Warehouse


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
    check_words([format], FORMATS, "--format")
    given = {
        **_parameters(parameters),
        **{k: v for k, v in (("rules", rules), ("source", source), ("match", match)) if v},
    }
    results = answer(open_store(warehouse), chosen, given, folders)
    if html is not None:
        say(f"{write_page(results, html, warehouse)} written")
        return
    if len(results) > 1 and (output is not None or format != "table"):
        raise UsageError(
            f"{len(results)} reports: --output and --format {format} take one; for several use --html DIR"
        )
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


def write_page(
    results: list[ReportResult], folder: Path, warehouse: str | Path, name: str = "report.html"
) -> Path:
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

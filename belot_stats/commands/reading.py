"""Commands that read logs into a warehouse and look after it: ingest, quarantine, compact, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.common import (
    DEFAULT_WAREHOUSE,
    AsJson,
    ForceRules,
    Format,
    Inputs,
    Jobs,
    ProgressBar,
    Quiet,
    Rules,
    Scheduler,
    Settings,
    SourceName,
    WarehousePath,
    check_workers,
    job_count,
    say,
    settings_of,
    stdout,
    write_text,
)

if TYPE_CHECKING:
    from belot_stats.balance import FileReport, IngestReport
    from belot_stats.ingest import Progress
    from belot_stats.requeue import Quarantined

MOST_NAMED = 10  # unknown fields that a summary names
Codes = Annotated[
    list[str] | None, typer.Option("--code", help="Only this code; may be given again.", metavar="CODE")
]
quarantine_app = typer.Typer(
    help="Records that could not be read: list them, or read them again.", no_args_is_help=True
)


def ingest(
    logs: Inputs,
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    format: Format = None,
    source: SourceName = None,
    rules: Rules = None,
    force_rules: ForceRules = None,
    settings: Settings = None,
    jobs: Jobs = 0,
    scheduler: Scheduler = None,
    audit: Annotated[
        bool, typer.Option("--audit", help="Go on with what belot-stats audit does, in one command.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Read server logs into a warehouse, checking every deal.

    Example: belot-stats ingest logs/*.jsonl.gz --warehouse warehouse --audit
    """
    report = run_ingest(
        logs, warehouse, format, source, rules, force_rules, settings_of(settings), jobs, quiet, scheduler
    )
    if audit:
        raise typer.Exit(_audit(report, warehouse, jobs, scheduler, quiet, as_json))
    if as_json:
        write_text(json_of(report) + "\n")
    elif not quiet:
        show_ingest(report)
        if report.total("accepted"):
            say("findings so far are of single deals; belot-stats audit follows the matches")
    raise typer.Exit(report.exit_code)


def _audit(
    report: IngestReport, warehouse: str, jobs: int, scheduler: str | None, quiet: bool, as_json: bool
) -> int:
    """Show *report*, then audit the warehouse. Returns: the worse of the two exit codes."""
    from belot_stats.commands.asking import open_store, run_audit

    if not as_json and not quiet:
        show_ingest(report)
    told: list[str] = []
    code = run_audit(open_store(warehouse), False, quiet, as_json, jobs, scheduler, told.append)
    if as_json:
        write_text(f'{{"ingest":{json_of(report)},"audit":{"".join(told)}}}\n')
    return max(code, report.exit_code)


def run_ingest(
    logs: list[str],
    warehouse: str | Path,
    format: str | None = None,
    source: str | None = None,
    rules: str | None = None,
    force_rules: str | None = None,
    overrides: dict[str, Any] | None = None,
    jobs: int = 0,
    quiet: bool = False,
    scheduler: str | None = None,
) -> IngestReport:
    """Ingest with a progress bar; arguments as :func:`belot_stats.ingest.ingest`."""
    from belot_stats.ingest import ingest as ingest_logs
    from belot_stats.startup import leave_pandas_out

    check_workers(jobs, scheduler)
    leave_pandas_out()

    with ProgressBar("reading", quiet) as bar:

        def progress(state: Progress) -> None:
            note = (
                f"{state.records:,} records, file {min(state.files_done + 1, state.files)} of {state.files}"
            )
            bar.update(state.bytes_read, state.bytes_total or None, note)

        return ingest_logs(
            logs,
            warehouse,
            format=format,
            source=source,
            rules=rules,
            force_rules=force_rules,
            overrides=overrides,
            jobs=job_count(jobs),
            scheduler=scheduler,
            progress=progress,
            notice=None if quiet else say,
        )


def json_of(value: Any) -> str:
    """*value* as JSON, indented."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def show_ingest(report: IngestReport) -> None:
    """What became of the records, file by file, and why a file could not be read."""
    from rich.table import Table
    from rich.text import Text

    from belot_stats.texts import visible

    counts = ("read", "accepted", "quarantined", "skipped", "findings")
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("file", overflow="fold")
    for name in counts:
        table.add_column(name, justify="right")
    for file in report.files:
        if not file.error and not file.is_ignored:
            table.add_row(Text(visible(file.name)), *(f"{getattr(file, name):,}" for name in counts))
    if len(report.files) > 1:
        table.add_row(Text("all files", style="bold"), *(f"{report.total(name):,}" for name in counts))
    stdout().print(table)
    if report.restarts:
        say(f"worker processes died and were replaced, {report.restarts} times; nothing of it is missing")
    for line in notes_of(report):
        say(line)


def notes_of(report: IngestReport) -> list[str]:
    """Sentences about files that need one."""
    notes = []
    for file in report.files:
        if file.error:
            notes.append(f"error: {file.error}")
        if file.is_ignored:
            notes.append(f"{file.name}: no known log format, passed over")
        if file.is_known:
            notes.append(f"{file.name}: was in the warehouse already")
        if file.unknown_fields:
            more = (
                f" and {len(file.unknown_fields) - MOST_NAMED} more"
                if len(file.unknown_fields) > MOST_NAMED
                else ""
            )
            named = ", ".join(file.unknown_fields[:MOST_NAMED])
            notes.append(f"{file.name}: unknown fields kept: {named}{more}")
        if file.conflicting:
            notes.append(_conflict_note(file))
        notes.extend(
            f"{file.name}: {item.code}: {item.found} (expected {item.expected})"
            for item in file.file_findings
        )
        passed = {kind: count for kind, count in file.passed_over.items() if count}
        if passed:
            notes.append(
                f"{file.name}: passed over: "
                + ", ".join(f"{count:,} {kind}" for kind, count in passed.items())
            )
    return notes


def _conflict_note(file: FileReport) -> str:
    """What it may mean that records differ from others of the same deal."""
    return (
        f"{file.name}: {file.conflicting:,} records have another content than a record of the same source, match and "
        "deal that came before, which counts; a log of another server belongs into a warehouse of its own"
    )


@quarantine_app.command("list")
def list_quarantine(
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    codes: Codes = None,
    as_json: AsJson = False,
) -> None:
    """List the records that could not be read, with file, line and reason.

    Example: belot-stats quarantine list --warehouse warehouse
    """
    from belot_stats.requeue import quarantine_list
    from belot_stats.texts import visible

    count = 0
    for item in quarantine_list(warehouse, codes=codes or ()):
        count += 1
        line = (
            json_line(item) if as_json else visible(f"{item.name}:{item.line}: {item.code}: {item.message}")
        )
        write_text(line + "\n")
    say(f"{count} records in quarantine")


def json_line(item: Quarantined) -> str:
    """A quarantined record as one JSON object; bytes that are not UTF-8 are escaped in it."""
    import json

    import msgspec

    row = {**msgspec.structs.asdict(item), "raw": item.raw.decode("utf-8", "backslashreplace")}
    return json.dumps(row, ensure_ascii=False)


@quarantine_app.command("requeue")
def requeue(
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    codes: Codes = None,
    source: SourceName = None,
    rules: Rules = None,
    force_rules: ForceRules = None,
    settings: Settings = None,
) -> None:
    """Read the records in quarantine again, with other options or a newer version.

    Example: belot-stats quarantine requeue --rules my-club.toml
    """
    from belot_stats.requeue import quarantine_requeue

    reports = quarantine_requeue(
        warehouse,
        codes=codes or (),
        source=source,
        rules=rules,
        force_rules=force_rules,
        overrides=settings_of(settings),
    )
    for item in reports:
        say(f"{item.name}: {item.recovered} of {item.reread} records could be read now")
    say(
        f"{sum(item.recovered for item in reports)} of {sum(item.reread for item in reports)} records recovered"
    )


def compact(warehouse: WarehousePath = DEFAULT_WAREHOUSE) -> None:
    """Remove what nothing names any more: superseded parts, leftovers of killed runs.

    Example: belot-stats compact --warehouse warehouse
    """
    from belot_stats.compact import compact as compact_warehouse

    report = compact_warehouse(warehouse)
    say(
        f"removed {report.parts} parts, {report.derived} derived files, {report.leftovers} leftovers: "
        f"{report.size_bytes:,} bytes"
    )


def export(
    logs: Annotated[
        list[str] | None,
        typer.Argument(help="Logs to convert; without any, the warehouse.", metavar="[LOG...]"),
    ] = None,
    warehouse: WarehousePath = DEFAULT_WAREHOUSE,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="File (.jsonl, .gz, .zst, .bz2, .xz), or - for stdout.", metavar="FILE"
        ),
    ] = "-",
    where: Annotated[
        str | None, typer.Option(help="SQL condition on deals of the warehouse.", metavar="SQL")
    ] = None,
    format: Format = None,
    source: SourceName = None,
    rules: Rules = None,
) -> None:
    """Write deals as bhh/1, from the warehouse or from logs of another format.

    Example: belot-stats export --where "match = 'm1'" --output m1.jsonl.zst
    """
    from belot_stats.exporting import export_logs, export_warehouse
    from belot_stats.warehouse import Warehouse

    if logs:
        report = export_logs(logs, output, format, source, rules, complain=say)
    else:
        report = export_warehouse(Warehouse(warehouse), output, where)
    say(
        f"{report.written:,} deals written"
        + (f", {report.unreadable:,} records could not be read" if report.unreadable else "")
    )
    raise typer.Exit(1 if report.unreadable else 0)

"""Commands that make things: simulate, demo, run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from belot_stats.commands.common import (
    Jobs,
    ProgressBar,
    Quiet,
    Scheduler,
    Settings,
    check_workers,
    job_count,
    say,
    settings_of,
)
from belot_stats.errors import UsageError

if TYPE_CHECKING:
    from belot_stats.deal import Deal
    from belot_stats.simulator.job import SimulationJob

MOST = 10**12  # numbers of deals or matches


def simulate(
    rules: Annotated[
        str, typer.Option("--rules", help="Rule set: name or .toml file.", metavar="RULES")
    ] = "belot-bg",
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, max=MOST, help="Number of single deals.", metavar="N")
    ] = None,
    matches: Annotated[
        int | None, typer.Option("--matches", min=1, max=MOST, help="Number of whole matches.", metavar="N")
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", min=0, max=2**64 - 1, help="The same seed gives the same deals.", metavar="N"),
    ] = 1,
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="random, sensible, module:name, or several round the table.", metavar="NAME"
        ),
    ] = "sensible",
    first: Annotated[
        int, typer.Option("--first", min=1, max=MOST, help="Number of the first deal or match.", metavar="N")
    ] = 1,
    settings: Settings = None,
    warehouse: Annotated[
        str | None,
        typer.Option("--warehouse", "-w", help="Store, checked, in this warehouse.", metavar="DIR"),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="Write bhh/1 to this file (.gz, .zst …), or - for stdout.", metavar="FILE"
        ),
    ] = None,
    jobs: Jobs = 0,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
) -> None:
    """Simulate deals or whole matches, into a warehouse or as a log.

    Example: belot-stats simulate --rules belot-bg --matches 200 --seed 1 --output simulated.jsonl
    """
    if (deals is None) == (matches is None):
        raise UsageError("simulate: expected either --deals N or --matches N")
    if warehouse is not None and output is not None:
        raise UsageError("simulate: expected either --warehouse or --output")
    if warehouse is None and scheduler is not None:
        raise UsageError("simulate: --scheduler needs --warehouse: a log is written by one process")
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    ruleset = load_ruleset(rules, settings_of(settings))
    job = SimulationJob(ruleset, policy, seed, "deals" if deals is not None else "matches")
    numbers = range(first, first + (deals or matches or 0))
    if warehouse is not None:
        count = simulate_into(job, numbers, warehouse, jobs, quiet, scheduler)
        if not quiet:
            say(f"{count:,} deals stored in {warehouse}")
    else:
        count = simulate_to_file(job, numbers, output or "-", quiet)
        if output not in (None, "-") and not quiet:
            say(f"{count:,} deals written to {output}")


def simulate_into(
    job: SimulationJob,
    numbers: range,
    warehouse: str | Path,
    jobs: int = 0,
    quiet: bool = False,
    scheduler: str | None = None,
) -> int:
    """Simulate into a warehouse with a progress bar. Returns: deals stored."""
    from belot_stats.simulated import write_simulated

    warm_up(job, quiet)
    check_workers(jobs, scheduler)
    with ProgressBar("simulating", quiet) as bar:
        row = write_simulated(
            warehouse,
            job.ruleset,
            job.policy,
            job.seed,
            numbers,
            job,
            unit=job.unit,
            jobs=min(job_count(jobs), max(len(numbers) // 2000, 1)),
            scheduler=scheduler,
            progress=lambda stored: bar.update(stored, None, f"{stored:,} deals"),
        )
    return row.stored


def warm_up(job: SimulationJob, quiet: bool) -> None:
    """Compile the loop of *job* in this process, before others need it; it is kept for the next time."""
    from belot_stats.simulated_rows import has_loop, is_warm, warm

    if not has_loop(job):
        return
    if not is_warm() and not quiet:
        say("compiling the rules once, about half a minute")
    warm(job)


def simulate_to_file(job: SimulationJob, numbers: range, output: str, quiet: bool = False) -> int:
    """Simulate as a bhh/1 log. Returns: deals written."""
    from belot_stats.exporting import open_output, write_deals

    def counted(bar: ProgressBar) -> Iterator[Deal]:
        for count, deal in enumerate(job(numbers)):
            if count % 500 == 0:
                bar.update(count, len(numbers) if job.unit == "deals" else None, f"{count:,} deals")
            yield deal

    job(range(numbers.start, numbers.start))  # a mistake in what was asked is said before a file is opened
    with ProgressBar("simulating", quiet) as bar, open_output(output) as stream:
        return write_deals(counted(bar), stream)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write into.", metavar="DIR")] = Path(
        "demo"
    ),
    quiet: Quiet = False,
) -> None:
    """Simulate and read sample logs, audit them, and write DIR/report.html.

    Example: belot-stats demo --out demo
    """
    from belot_stats.demo import run_demo

    run_demo(out, quiet)


def run(
    file: Annotated[
        Path, typer.Argument(help="Run file (TOML): a whole job written down.", metavar="FILE.toml")
    ],
    warehouse: Annotated[
        str | None, typer.Option("--warehouse", "-w", help="Instead of the file's own.", metavar="DIR")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Run a whole job from a file: inputs or a simulation, rules, warehouse, audit, reports.

    Example: belot-stats run pipelines/audit-server.toml
    """
    from belot_stats.pipelines import run_pipeline

    raise typer.Exit(run_pipeline(file, warehouse, quiet))

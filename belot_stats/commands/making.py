"""Commands that make things: simulate, demo, run."""

from __future__ import annotations

import sys
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
    from belot_stats.simulator.job import SimulationJob

MOST = 10**12  # numbers of deals or matches
WORTH_A_PROCESS = {"deals": 2_000, "matches": 200}  # made one by one
LOOP_IS_FASTER = 10  # times
SHOWN_EVERY = 500  # deals
RESULTS_ENDING = ".parquet"


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
            "--output",
            "-o",
            help="Write bhh/1 to this file (.gz, .zst …), or - for stdout; to a .parquet file the results alone.",
            metavar="FILE",
        ),
    ] = None,
    jobs: Jobs = 0,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
) -> None:
    """Simulate deals or whole matches, into a warehouse or as a log.

    Example: belot-stats simulate --rules belot-bg --matches 200 --seed 1 --output simulated.jsonl
    Example: belot-stats simulate --deals 1000000 --policy random --output results.parquet
    """
    if (deals is None) == (matches is None):
        raise UsageError("simulate: expected either --deals N or --matches N")
    if warehouse is not None and output is not None:
        raise UsageError("simulate: expected either --warehouse or --output")
    if warehouse is None and scheduler is not None:
        raise UsageError("simulate: --scheduler needs --warehouse: a file is written on this machine")
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    find_modules_here(policy)
    ruleset = load_ruleset(rules, settings_of(settings))
    job = SimulationJob(ruleset, policy, seed, "deals" if deals is not None else "matches")
    numbers = range(first, first + (deals or matches or 0))
    if warehouse is not None:
        count = simulate_into(job, numbers, warehouse, jobs, quiet, scheduler)
        if not quiet:
            say(f"{count:,} deals stored in {warehouse}")
    else:
        if output is not None and output.endswith(RESULTS_ENDING):
            count = simulate_results(job, numbers, output, jobs, quiet)
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
    from belot_stats.startup import leave_pandas_out

    leave_pandas_out()
    job = warmed_up(job, len(numbers), quiet)
    check_workers(jobs, scheduler)
    total = len(numbers) if job.unit == "deals" else None
    with ProgressBar("simulating", quiet) as bar:
        row = write_simulated(
            warehouse,
            job.ruleset,
            job.policy,
            job.seed,
            numbers,
            job,
            unit=job.unit,
            jobs=_processes(job, len(numbers), jobs),
            scheduler=scheduler,
            progress=lambda stored: bar.update(stored, total, f"{stored:,} deals"),
        )
    return row.stored


def _processes(job: SimulationJob, count: int, jobs: int) -> int:
    """Processes that have enough to do: as many as ``--jobs`` says at most."""
    from belot_stats.simulated_rows import has_loop

    worth = WORTH_A_PROCESS[job.unit] * (LOOP_IS_FASTER if has_loop(job) else 1)
    return min(job_count(jobs), max(count // worth, 1))


def find_modules_here(policy: str) -> None:
    """Let a policy ``module:name`` be a file of the current folder, as for Python itself; processes see it too."""
    if ":" in policy and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))


def warmed_up(job: SimulationJob, count: int, quiet: bool, output: str = "warehouse") -> SimulationJob:
    """*job* with its loops compiled in this process, before others need them; they are kept for the next time.

    count: deals or matches to be made; where they are not worth it, they are made one by one.
    output: warehouse, log or results.
    """
    from msgspec.structs import replace

    from belot_stats.simulated_rows import is_warm, is_worth_it
    from belot_stats.texts import COMPILING

    if not is_worth_it(job, count, output):
        return replace(job, is_compiled=False)
    if not is_warm(job, output) and not quiet:
        say(COMPILING)
    make_one(job, output)
    return job


def make_one(job: SimulationJob, output: str) -> None:
    """The first deal or match, for nothing but the loops that it takes."""
    from belot_stats.result_files import results_table
    from belot_stats.simulated_lines import simulated_lines
    from belot_stats.simulated_rows import keep_in_mind, simulated_tables

    if output == "results":
        results_table(job, range(1, 2))
    else:
        for _ in simulated_lines(job, range(1, 2)) if output == "log" else simulated_tables(job, range(1, 2)):
            pass
    keep_in_mind(job, output)


def simulate_to_file(job: SimulationJob, numbers: range, output: str, quiet: bool = False) -> int:
    """Simulate as a bhh/1 log. Returns: deals written."""
    from belot_stats.exporting import open_output
    from belot_stats.simulated_lines import simulated_lines
    from belot_stats.simulated_rows import has_loop

    job(range(numbers.start, numbers.start))  # a mistake in what was asked is said before a file is opened
    job = warmed_up(job, len(numbers), quiet, "log")
    lines = simulated_lines(job, numbers) if has_loop(job) else _lines_one_by_one(job, numbers)
    count, shown, total = 0, 0, len(numbers) if job.unit == "deals" else None
    with ProgressBar("simulating", quiet) as bar, open_output(output) as stream:
        for data, more in lines:
            stream.write(data)
            count += more
            if count >= shown + SHOWN_EVERY:
                shown = count
                bar.update(count, total, f"{count:,} deals")
    return count


def simulate_results(
    job: SimulationJob, numbers: range, output: str, jobs: int = 0, quiet: bool = False
) -> int:
    """Simulate, and write the results of the deals alone as Parquet. Returns: deals written."""
    from belot_stats.exporting import open_output
    from belot_stats.result_files import write_results
    from belot_stats.startup import leave_pandas_out

    leave_pandas_out()
    job(range(numbers.start, numbers.start))  # a mistake in what was asked is said before a file is opened
    job = warmed_up(job, len(numbers), quiet, "results")
    total = len(numbers) if job.unit == "deals" else None
    with ProgressBar("simulating", quiet) as bar, open_output(output, plain=True) as stream:
        return write_results(
            job,
            numbers,
            stream,
            _processes(job, len(numbers), jobs),
            progress=lambda written: bar.update(written, total, f"{written:,} deals"),
        )


def _lines_one_by_one(job: SimulationJob, numbers: range) -> Iterator[tuple[bytes, int]]:
    from belot_stats.export import export_lines

    return ((line, 1) for line in export_lines(job(numbers)))


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

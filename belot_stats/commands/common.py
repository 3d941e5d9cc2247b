"""Options that commands share, and where their words go: data to stdout, everything else to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.errors import UsageError
from belot_stats.texts import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Inputs = Annotated[
    list[str],
    typer.Argument(help="Files, folders, patterns in quotes, or - for standard input.", metavar="LOG..."),
]
WarehousePath = Annotated[
    str,
    typer.Option(
        "--warehouse",
        "-w",
        envvar="BELOT_STATS_WAREHOUSE",
        help="Folder of the warehouse, or a URI such as s3://bucket/prefix.",
        metavar="DIR",
    ),
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Log format: bhh or baloot-archive (default: by content).", metavar="NAME"),
]
SourceName = Annotated[
    str | None, typer.Option("--source", help="Server's name, for records that do not say.", metavar="NAME")
]
Rules = Annotated[
    str | None,
    typer.Option(
        "--rules", help="Rules (name or .toml) of records that name none, or this name.", metavar="RULES"
    ),
]
ForceRules = Annotated[
    str | None,
    typer.Option("--force-rules", help="Rules instead of those that records name.", metavar="RULES"),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="Change a rule parameter, as in target=101; may be given again.", metavar="NAME=VALUE"
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, max=512, help="Processes; 0 = one a processor.", metavar="N")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        help="Work on the Dask cluster of this scheduler, as in tcp://host:8786, instead of --jobs processes.",
        metavar="ADDRESS",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
AsJson = Annotated[bool, typer.Option("--json", help="The summary as JSON on stdout.")]
DEFAULT_WAREHOUSE = "warehouse"
WIDTH_OF_FILES = 160  # columns of a table that goes to a file or another program


def settings_of(settings: list[str] | None) -> dict[str, Any]:
    """Rule parameters of repeated ``--set`` options. Raises: UnknownOptionError."""
    from belot_stats.ruleset import parse_setting

    return dict(parse_setting(text) for text in settings or [])


def job_count(jobs: int) -> int:
    """Number of processes that ``--jobs`` means."""
    return (
        jobs or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else jobs or os.cpu_count() or 1
    )


def check_workers(jobs: int, scheduler: str | None) -> None:
    """Raises: UsageError where both processes and a cluster are asked for."""
    if jobs and scheduler is not None:
        raise UsageError("expected either --jobs or --scheduler: a cluster has as many processes as it has")


def stdout() -> Console:
    """Console for data; colours only on a terminal, and never with NO_COLOR."""
    from rich.console import Console

    class DataConsole(Console):
        def on_broken_pipe(self) -> None:  # rich would end the program itself
            raise BrokenPipeError

    is_terminal = sys.stdout.isatty()
    width = None if is_terminal or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return DataConsole(highlight=False, soft_wrap=not is_terminal, width=width)


def stderr() -> Console:
    """Console for words about the work."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr, without markup."""
    with contextlib.suppress(OSError):  # nobody can be told, and the work goes on
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()


def counted(number: int, noun: str) -> str:
    """*number* of things called *noun*, whose plural has an s.

    >>> counted(1, "finding"), counted(2_000, "finding")
    ('1 finding', '2,000 findings')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def write_text(text: str) -> None:
    """Data to stdout as it is; lone surrogates, which no encoding has, as question marks."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def write_file(path: Path, data: bytes) -> None:
    """*data* to *path*, whole or not at all; its folder is made. Raises: UsageError where it cannot be written."""
    from belot_stats.exporting import open_output

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(
            f"{path.parent}: this folder cannot be made: {problem.strerror or problem}"
        ) from None
    with open_output(str(path), plain=True) as stream:
        stream.write(data)


class ProgressBar:
    """A progress bar on stderr, on a terminal only; as a context manager."""

    def __init__(self, what: str, quiet: bool) -> None:
        self._progress: Progress | None = None
        if quiet or not sys.stderr.isatty():
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=stderr(), transient=True)
        self._task = self._progress.add_task(what, total=None, note="")

    def __enter__(self) -> ProgressBar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def update(self, done: float, total: float | None, note: str = "") -> None:
        """Move to *done* of *total*."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total, note=note)

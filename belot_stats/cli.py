"""``belot-stats``: one command a job; options, then one call.

stdout carries data, stderr progress and messages. Exit codes: 0 clean, 1 findings or quarantined records, 2 usage,
3 an input that could not be read or breaks off, 4 internal error, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import Annotated, TextIO

import typer
from typer.exceptions import TyperException

from belot_stats.commands import asking, checkup, making, reading, reporting, rulebook
from belot_stats.errors import BelotStatsError
from belot_stats.texts import visible
from belot_stats.version import __version__

INTERRUPTED = 130
INTERNAL = 4
TRACEBACK_VARIABLE = "BELOT_STATS_TRACEBACK"
PART_PATH = re.compile(r"(?<=['\"])[^'\"]+\.parquet(?=['\"])|[^\s'\"]+\.parquet")

app = typer.Typer(
    name="belot-stats",
    help="Check, simulate and analyse belot: read a server's logs, replay every call, card and score, and ask why.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"belot-stats {__version__}")
        raise typer.Exit


@app.callback()
def belot_stats(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Check, simulate and analyse belot: read a server's logs, replay every call, card and score, and ask why."""


for command in (
    making.demo,
    reading.ingest,
    asking.audit,
    asking.findings,
    asking.show,
    reporting.report,
    making.simulate,
    reading.export,
    reading.compact,
    asking.sql,
    making.run,
    checkup.doctor,
):
    app.command()(command)
app.add_typer(rulebook.rules_app, name="rules")
app.add_typer(reading.quarantine_app, name="quarantine")


def main() -> None:
    """Run the command line; no traceback reaches a user."""
    _open_streams()
    sys.exit(_finish(run(sys.argv[1:])))


def _open_streams() -> None:
    """Standard streams that take any text, also where they are closed or their encoding has few characters."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - open as long as the program runs
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def run(arguments: list[str]) -> int:
    """Run one command. Returns: its exit code."""
    try:
        code = _run(arguments)
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except TyperException as problem:
        _show(problem)
        return 2
    except BelotStatsError as problem:
        _complain(str(problem))
        return problem.exit_code
    except BrokenPipeError:
        _discard(sys.stdout)  # whoever read our output has gone away
        return 0
    except Exception as problem:  # noqa: BLE001 - the last resort
        if "Query interrupted" not in str(problem):  # how DuckDB tells of an interrupt
            return _internal(problem)
        code = INTERRUPTED
    if code == INTERRUPTED:
        _complain("interrupted; what was committed stays, and running the same again goes on from there")
    return code


def _run(arguments: list[str]) -> int:
    try:
        result = app(arguments, prog_name="belot-stats", standalone_mode=False)
    except typer.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else 0


def _show(problem: TyperException) -> None:
    """What was wrong with the command line, with the usage of the command."""
    show = getattr(problem, "show", None)
    try:
        if show is not None:
            show()
            return
    except OSError:
        _discard(sys.stderr)
        return
    _complain(problem.format_message())


def _finish(code: int) -> int:
    """Write out what is left for stdout. Returns: *code*, or 3 where stdout cannot take it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as problem:
        _discard(sys.stdout)
        _complain(f"standard output: {problem.strerror or problem}")
        return code or 3
    return code


def _discard(stream: TextIO) -> None:
    """Nothing more can be written to *stream*, also not when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(text: str) -> None:
    """A message to stderr, as far as there is one; what no terminal encoding has is escaped."""
    try:
        sys.stderr.buffer.write(f"belot-stats: {visible(text)}\n".encode("utf-8", "backslashreplace"))
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        if sys.stderr is not None:
            with contextlib.suppress(OSError, ValueError):
                _discard(sys.stderr)


def _internal(problem: Exception) -> int:
    """An error nobody foresaw: said in one line, unless the traceback is asked for."""
    if os.environ.get(TRACEBACK_VARIABLE):
        raise problem
    from belot_stats.object_storage import store_error

    in_store = store_error(problem)
    if in_store is not None:
        _complain(str(in_store))
        return in_store.exit_code
    damaged = PART_PATH.search(str(problem))
    if damaged and type(problem).__module__.partition(".")[0] in ("duckdb", "_duckdb", "pyarrow"):
        path = damaged.group()
        _complain(f"{path}: damaged or missing: remove it where it is there, and ingest its log again")
        return 3
    if isinstance(problem, OSError):
        _complain(f"{problem.filename or 'output'}: {problem.strerror or problem}")
        return 3
    _complain(
        f"internal error: {type(problem).__name__}: {problem} (set {TRACEBACK_VARIABLE}=1 to see where)"
    )
    return INTERNAL


if __name__ == "__main__":
    main()

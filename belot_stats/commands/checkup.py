"""The command doctor: versions, folders, and what is missing."""

from __future__ import annotations

import platform
import sys
from importlib import util
from typing import Annotated

import typer

from belot_stats.commands.common import AsJson, stdout, write_text

LIBRARIES = (
    "numpy",
    "numba",
    "pyarrow",
    "duckdb",
    "pandas",
    "typer",
    "rich",
    "msgspec",
    "zstandard",
    "jmespath",
    "scipy",
    "matplotlib",
    "jinja2",
)
RESOURCES = (
    ("reports", "contract-success.sql"),
    ("pipelines", "audit-server.toml"),
    ("data", "schema/dictionary.toml"),
)


def doctor(
    as_json: AsJson = False,
    imports: Annotated[bool, typer.Option(help="Import every library, as using it would.")] = True,
) -> None:
    """Say which versions are installed, where things are, and what is missing; exit code 1 when something is.

    Example: belot-stats doctor
    """
    rows = [
        *_about(),
        *(_library(name, imports) for name in LIBRARIES),
        *(_resource(kind, name) for kind, name in RESOURCES),
    ]
    is_well = all(status == "ok" for _, _, status in rows)
    if as_json:
        import json

        write_text(
            json.dumps([dict(zip(("what", "value", "status"), row, strict=True)) for row in rows], indent=2)
            + "\n"
        )
    else:
        _print(rows)
    raise typer.Exit(0 if is_well else 1)


def _about() -> list[tuple[str, str, str]]:
    from belot_stats.ruleset import ruleset_names
    from belot_stats.version import __version__

    return [
        ("belot-stats", __version__, "ok"),
        (
            "python",
            f"{platform.python_version()} at {sys.executable}",
            "ok" if sys.version_info >= (3, 11) else "too old",
        ),
        ("system", f"{platform.system()} {platform.machine()}", "ok"),
        ("rule sets", str(len(ruleset_names())), "ok" if ruleset_names() else "missing"),
    ]


def _library(name: str, imports: bool) -> tuple[str, str, str]:
    from importlib import metadata

    try:
        version = metadata.version(name)
        if imports:
            __import__(name)
        elif util.find_spec(name) is None:
            return name, version, "missing"
    except Exception as problem:  # noqa: BLE001 - whatever is wrong with it is what the user asked for
        return name, str(problem).splitlines()[0] if str(problem) else type(problem).__name__, "missing"
    return name, version, "ok"


def _resource(kind: str, name: str) -> tuple[str, str, str]:
    from belot_stats.resources import resource

    try:
        return kind, str(resource(kind, name).parent), "ok"
    except FileNotFoundError as problem:
        return kind, str(problem), "missing"


def _print(rows: list[tuple[str, str, str]]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for what, value, status in rows:
        table.add_row(what, value, status if status == "ok" else f"{status} <--")
    stdout().print(table)

"""Report files: one question a file, ``NAME.sql`` with its twin ``NAME.toml``.

The ``.toml`` says title, question, grain, parameters, columns, chart and cautions; a key that does not exist, or one
of another type, is an error that names the file and the key. Folders of the user's own are looked through first, in
their order, then the reports that come with the package: the first report of a name wins.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from belot_stats.errors import ReportError
from belot_stats.resources import resource_folder

Value: TypeAlias = str | int | float | bool | None
REPORT_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*\Z")


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a report can be asked with. ``default`` None = no restriction; ``choices`` empty = any value."""

    type: Literal["text", "integer", "number", "boolean"]
    help: str
    default: Value = None
    choices: tuple[str, ...] = ()


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One column of the answer.

    ``unit`` "rate" is shown as a percentage, with ``digits`` decimals; ``interval`` names the two columns that hold
    the ends of its interval; a ``detail`` column gives way where there is no room.
    """

    meaning: str
    label: str | None = None
    unit: str | None = None
    interval: tuple[str, str] | None = None
    detail: bool = False
    digits: int = 1


class Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to draw the answer: a line of the chart is a row, named by the ``y`` columns.

    ``dots``: ``x`` with its ``interval``, the dot's area by ``size``, a second sign at ``mark``; ``bars``: one length a
    row; ``stacked``: several ``x`` columns end to end. ``series`` colours, ``per`` makes a chart a value, ``limit``
    keeps the first rows.
    """

    kind: Literal["dots", "bars", "stacked"]
    x: str | tuple[str, ...]
    y: tuple[str, ...]
    series: str | None = None
    per: str | None = None
    interval: tuple[str, str] | None = None
    mark: str | None = None
    size: str | None = None
    limit: int = 40

    @property
    def x_columns(self) -> tuple[str, ...]:
        """Columns drawn along x."""
        return (self.x,) if isinstance(self.x, str) else self.x


COMMON_PARAMETERS: dict[str, Parameter] = {
    "rules": Parameter("text", "only this rule set, by name or hash; all by default"),
    "source": Parameter("text", "only this server or program; all by default"),
    "match": Parameter("text", "only this match; all by default"),
    "player": Parameter("text", "only deals with this player; all by default"),
    "include_illegal": Parameter("boolean", "with deals in which a card was played against the rules", True),
}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A question, the SQL that answers it, and what must be said about the answer."""

    name: str
    title: str
    question: str
    grain: str
    sql: str
    path: Path
    parameters: dict[str, Parameter]
    columns: dict[str, Column]
    cautions: tuple[str, ...] = ()
    chart: Chart | None = None
    summaries: tuple[str, ...] = ()

    def label(self, column: str) -> str:
        """Heading of *column*, for people."""
        known = self.columns.get(column)
        return (known and known.label) or column.replace("_", " ")


class _Twin(msgspec.Struct, forbid_unknown_fields=True):
    """A ``.toml`` as it is written."""

    title: str
    question: str
    grain: str
    filters: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    parameters: dict[str, Parameter] = {}
    columns: dict[str, Column] = {}
    cautions: tuple[str, ...] = ()
    chart: Chart | None = None


def report_folders(folders: Iterable[str | Path] = ()) -> list[Path]:
    """Folders of the user's own in their order, then the package's.

    Raises: ReportError for a folder that does not exist.
    """
    own = [Path(folder) for folder in folders]
    for folder in own:
        if not folder.is_dir():
            raise ReportError(f"{folder} is no folder: expected one with reports, NAME.sql and NAME.toml")
    return [*own, resource_folder("reports")]


def report_paths(folders: Iterable[str | Path] = ()) -> dict[str, Path]:
    """Name of each report -> its ``.sql``; the first folder that has a name wins."""
    paths: dict[str, Path] = {}
    for folder in report_folders(folders):
        for path in sorted(folder.glob("*.sql")):
            paths.setdefault(path.stem, path)
    return paths


def list_reports(folders: Iterable[str | Path] = ()) -> list[Report]:
    """All reports, by name.

    Raises: ReportError for a folder that does not exist or a report that cannot be read.
    """
    return [read_report(path) for _, path in sorted(report_paths(folders).items())]


def load_report(name: str, folders: Iterable[str | Path] = ()) -> Report:
    """The report *name*.

    Raises: ReportError when there is none, with the nearest name, or when its files cannot be read.
    """
    paths = report_paths(folders)
    if name not in paths:
        raise ReportError(f"no report {name!r}{nearest(name, paths)}")
    return read_report(paths[name])


def nearest(word: str, known: Iterable[str]) -> str:
    """What to say after an unknown word: the nearest known one, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f": did you mean {close[0]!r}?"
    return f": there are {', '.join(names)}" if names else ": there are none"


def read_report(path: Path) -> Report:
    """The report whose SQL is *path*.

    Raises: ReportError when a file is missing or says something that reports do not have.
    """
    if not REPORT_NAME.match(path.stem):
        raise ReportError(f"{path}: the name of a report is made of a-z, 0-9, - and _")
    twin_path = path.with_suffix(".toml")
    twin = _read_twin(twin_path)
    common = {name: _common(twin_path, name) for name in twin.filters}
    for name, parameter in twin.parameters.items():
        _check_default(twin_path, name, parameter)
    return Report(
        name=path.stem,
        title=twin.title,
        question=twin.question,
        grain=twin.grain,
        sql=_read_text(path),
        path=path,
        parameters={**twin.parameters, **common},
        columns=twin.columns,
        cautions=twin.cautions,
        chart=twin.chart,
        summaries=twin.summaries,
    )


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: {error}") from None


def _read_twin(path: Path) -> _Twin:
    if not path.is_file():
        raise ReportError(f"{path} is missing: each report's SQL has a twin that says what it answers")
    try:
        values: dict[str, Any] = tomllib.loads(_read_text(path))
        return msgspec.convert(values, _Twin)
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{path}: no TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: {error}") from None


def _common(path: Path, name: str) -> Parameter:
    if name not in COMMON_PARAMETERS:
        raise ReportError(f"{path}: {name!r} is no common filter{nearest(name, COMMON_PARAMETERS)}")
    return COMMON_PARAMETERS[name]


def _check_default(path: Path, name: str, parameter: Parameter) -> None:
    if parameter.default is None:
        return
    try:
        parse_value(name, parameter, parameter.default)
    except ReportError as error:
        raise ReportError(f"{path}: default of {error}") from None


def check_parameters(report: Report, given: Mapping[str, Value]) -> dict[str, Value]:
    """All parameters of *report* with their values: those given, read from text where they are text, else defaults.

    Raises: ReportError for a parameter it does not have, or a value that one does not take.
    """
    values = {name: parameter.default for name, parameter in report.parameters.items()}
    for name, value in given.items():
        if name not in values:
            raise ReportError(f"report {report.name!r} has no parameter {name!r}{nearest(name, values)}")
        values[name] = parse_value(name, report.parameters[name], value)
    return values


def parse_value(name: str, parameter: Parameter, value: Value) -> Value:
    """*value* as *parameter* takes it; text is read, so that ``"true"`` and ``"12"`` will do.

    Raises: ReportError naming the parameter, what it takes and what was found.
    """
    if value is None:
        return None
    if parameter.choices and value not in parameter.choices:
        raise ReportError(f"{name}: {value!r} is no choice{nearest(str(value), parameter.choices)}")
    parsed = _parse(parameter.type, value)
    if parsed is None:
        raise ReportError(f"{name}: expected {_EXPECTED[parameter.type]}, found {value!r}")
    return parsed


_EXPECTED = {"text": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _parse(kind: str, value: str | int | float | bool) -> Value:
    if kind == "boolean":
        return value if isinstance(value, bool) else _BOOLEANS.get(str(value).lower())
    if kind == "text":
        return value if isinstance(value, str) else None
    if isinstance(value, bool):
        return None
    try:
        return int(str(value)) if kind == "integer" else float(value)
    except ValueError:
        return None

"""Answers as tables: on a terminal, and as CSV, JSON, JSON Lines and Parquet.

CSV is made for spreadsheets too, which take a cell that begins with ``= + - @``, a tab or a line break for a formula:
such a cell, where it is text, gets an apostrophe in front. Numbers are left alone. The other formats carry the text as
it is.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import itertools
import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.queries import ReportResult
from belot_stats.texts import visible
from belot_stats.views.cells import Cell, Shown, ShownColumn, shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
WIDEST_TEXT = 48
FEWEST_COLUMNS = 5
GAP = 3  # blanks that the table puts between two columns


def defused(text: str) -> str:
    """*text* with an apostrophe in front where a spreadsheet would take it for a formula.

    >>> defused('=HYPERLINK("http://x")'), defused("ann")
    ('\\'=HYPERLINK("http://x")', 'ann')
    """
    return "'" + text if text.startswith(FORMULA_STARTS) else text


def to_csv(result: ReportResult) -> str:
    """The answer as CSV: a header line, full precision, nothing for null, text that looks like a formula defused."""
    columns = [column.to_pylist() for column in result.table.columns]
    return csv_text(itertools.chain([result.table.column_names], zip(*columns, strict=True)))


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows, the header among them, as CSV."""
    lines = _Lines()
    csv.writer(lines, lineterminator="\r\n").writerows([_csv_cell(value) for value in row] for row in rows)
    return "".join(lines.taken)


class _Lines:
    """Takes lines from a CSV writer, and ends them in a line feed alone.

    The writer must end them in both characters: it quotes a carriage return in a cell only then.
    """

    def __init__(self) -> None:
        self.taken: list[str] = []

    def write(self, line: str) -> None:
        """Take one line."""
        self.taken.append(line.removesuffix("\r\n") + "\n")


def _csv_cell(value: Cell) -> str | int | float:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    return defused(value if isinstance(value, str) else _text_of(value))


def _text_of(value: Cell) -> str:
    plain = _json_value(value)
    return plain if isinstance(plain, str) else msgspec.json.encode(plain).decode()


def _json_value(value: Cell) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, list):
        return [_json_value(item) for item in value]
    return value


def _json_rows(result: ReportResult) -> list[dict[str, Any]]:
    return [{name: _json_value(value) for name, value in row.items()} for row in result.table.to_pylist()]


def to_jsonl(result: ReportResult) -> str:
    """The answer as JSON Lines, one object a row."""
    return "".join(msgspec.json.encode(row).decode() + "\n" for row in _json_rows(result))


def to_json(result: ReportResult) -> str:
    """The answer as one JSON object: report, question, grain, parameters, cautions, and its rows."""
    report = result.report
    answer = {
        "report": report.name,
        "title": report.title,
        "question": report.question,
        "grain": report.grain,
        "parameters": result.parameters,
        "cautions": report.cautions,
        "rows": _json_rows(result),
    }
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"


def to_parquet(result: ReportResult) -> bytes:
    """The answer as a Parquet file, the report's name and parameters in its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = {"report": result.report.name, "parameters": msgspec.json.encode(result.parameters)}
    sink = pa.BufferOutputStream()
    pq.write_table(result.table.replace_schema_metadata(about), sink, compression="zstd")
    return bytes(sink.getvalue())


# -- on a terminal -------------------------------------------------------------------------------------------------


def to_text(result: ReportResult, *, width: int | None = None) -> str:
    """The answer as a table in plain text.

    width: columns of the terminal; without it the table is as wide as it needs. See ``print_table``.
    """
    from rich.console import Console

    stream = io.StringIO()
    print_table(result, Console(file=stream, width=width or 100_000, color_system=None), fits=width)
    return stream.getvalue()


def print_table(result: ReportResult, console: Console, *, fits: int | None = None) -> None:
    """Print the answer to *console*: what was asked, the table, how many rows, the cautions.

    fits: width to keep to. Columns give way, those of detail first, from the right, and are named below; where the
    first few do not fit either, each row is printed as a list.
    """
    from rich.text import Text

    view = shown(result)
    columns, left_out = _fitting(view, fits)
    _print_heading(result, view, console)
    if view.count_rows == 0:
        console.print(
            Text("no deals match\n" if _is_about_deals(result) else "nothing to show\n", style="italic")
        )
    else:
        console.print(
            _as_list(columns) if _width(columns) > (fits or math.inf) else _as_table(columns, result)
        )
    _print_notes(result, view, left_out, console, fits)


def _is_about_deals(result: ReportResult) -> bool:
    return "include_illegal" in result.parameters


def _print_heading(result: ReportResult, view: Shown, console: Console) -> None:
    from rich.text import Text

    console.print(
        Text(result.report.title, style="bold"), Text(f" {result.report.question}"), sep="\n", soft_wrap=True
    )
    said = {name: str(value) for name, value in result.asked.items()} | view.constants
    if said:
        line = ", ".join(f"{visible(name)}: {visible(text)}" for name, text in said.items())
        console.print(Text(f" {line}", style="cyan"), soft_wrap=True)


def _print_notes(
    result: ReportResult, view: Shown, left_out: list[str], console: Console, fits: int | None
) -> None:
    from rich.text import Text

    notes = [f"{view.count_rows:,} {'row' if view.count_rows == 1 else 'rows'}: {result.report.grain}"]
    if left_out:
        notes.append(
            f"not shown for want of width: {', '.join(left_out)} (a wider terminal or --format csv has them)"
        )
    for note in [*notes, *result.report.cautions]:
        lines = (
            textwrap.wrap(note, fits - 2, initial_indent="· ", subsequent_indent="  ")
            if fits
            else [f"· {note}"]
        )
        console.print(Text("\n".join(lines), style="dim"), soft_wrap=True)
    console.print()


def _fitting(view: Shown, fits: int | None) -> tuple[list[ShownColumn], list[str]]:
    """Columns that fit into the width, and the headings of those that gave way: detail first, from the right."""
    columns = list(view.columns)
    order = sorted(enumerate(view.columns), key=lambda pair: (not pair[1].column.detail, -pair[0]))
    for _, column in order:
        if fits is None or _width(columns) <= fits or len(columns) <= FEWEST_COLUMNS:
            break
        columns.remove(column)
    return columns, [column.label for column in view.columns if column not in columns]


def _width(columns: list[ShownColumn]) -> int:
    return sum(_cell_width(column) + GAP for column in columns)


def _cell_width(column: ShownColumn) -> int:
    from rich.cells import cell_len

    words = column.label.split() or [""]
    return max(map(cell_len, [*words, *_clipped(column)]))


def _clipped(column: ShownColumn) -> list[str]:
    texts = column.texts()
    return [text if len(text) <= WIDEST_TEXT else text[: WIDEST_TEXT - 1] + "…" for text in texts]


def _as_table(columns: list[ShownColumn], result: ReportResult) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for column in columns:
        heading = "\n".join(textwrap.wrap(column.label, _cell_width(column)))
        justify = "right" if column.is_number else "left"
        table.add_column(Text(heading), justify=justify, vertical="bottom", no_wrap=True)  # type: ignore[arg-type]
    groups = _group_ends(result)
    rows = zip(*map(_clipped, columns), strict=True)
    for number, row in enumerate(rows):
        table.add_row(*map(Text, row), end_section=number in groups)
    return table


def _group_ends(result: ReportResult) -> set[int]:
    """Numbers of the rows after which another rule set begins."""
    if "rules_hash" not in result.table.column_names:
        return set()
    hashes = result.table.column("rules_hash").to_pylist()
    return {number for number, pair in enumerate(itertools.pairwise(hashes)) if pair[0] != pair[1]}


def _as_list(columns: list[ShownColumn]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    indent = max(len(column.label) for column in columns)
    texts = [column.texts() for column in columns]
    rows = []
    for number in range(len(texts[0])):
        fields = zip(columns, texts, strict=True)
        rows.append(Text("\n".join(f"{c.label:>{indent}}  {values[number]}" for c, values in fields) + "\n"))
    return Group(*rows)

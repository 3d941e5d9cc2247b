"""Answers as one web page: self-contained, without scripts, without a request to anywhere.

Everything a log says is escaped; a Content-Security-Policy in the page forbids scripts and requests besides.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from belot_stats.queries import ReportResult
from belot_stats.version import __version__
from belot_stats.views import charts
from belot_stats.views.cells import Cell, Shown, ShownColumn, format_interval, format_value, shown

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_ROWS = 300
SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
TEMPLATES = Path(__file__).parent / "templates"


class PageCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell: its text, the interval under it, and where on a scale of 0..100 estimate and ends lie."""

    text: str
    style: str = ""
    suit: str = ""
    interval: str = ""
    bar: tuple[float, float, float] | None = None


class PageGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of one rule set."""

    heading: str
    rows: list[list[PageCell]]


class PageSection(msgspec.Struct, frozen=True, kw_only=True):
    """A report as the page shows it."""

    result: ReportResult
    chart: str | None
    columns: list[ShownColumn]
    groups: list[PageGroup]
    constants: dict[str, str]
    asked: dict[str, str]
    count_rows: int
    count_shown: int

    @property
    def is_about_deals(self) -> bool:
        """Whether an empty answer means that no deals match."""
        return "include_illegal" in self.result.parameters


def to_html(results: Sequence[ReportResult], *, title: str = "Belot Stats", subtitle: str = "") -> str:
    """A page with all *results*, in their order.

    title, subtitle: heading of the page; the subtitle says what it is about, as the warehouse's name.
    """
    sections = [page_section(result) for result in results]
    page = _environment().get_template("page.html")
    return page.render(
        title=title,
        subtitle=subtitle,
        sections=sections,
        version=__version__,
        figures=_figures(results),
        style_of=_style,
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(TEMPLATES)
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def page_section(result: ReportResult) -> PageSection:
    """What the page shows of *result*: at most MOST_ROWS rows, those of a rule set under its name."""
    view = shown(result)
    columns = [column for column in view.columns if not _is_heading(column, view)]
    groups = list(_groups(view, columns))
    return PageSection(
        result=result,
        chart=charts.to_svg(result, inline=True) if charts.has_chart(result) else None,
        columns=columns,
        groups=groups,
        constants=view.constants,
        asked={name: format_value(value) for name, value in result.asked.items()},
        count_rows=view.count_rows,
        count_shown=min(view.count_rows, MOST_ROWS),
    )


def _is_heading(column: ShownColumn, view: Shown) -> bool:
    return view.count_rows > 0 and (column.name in ("rules", "rules_hash"))


def _groups(view: Shown, columns: list[ShownColumn]) -> Iterator[PageGroup]:
    headings = _headings(view)
    cells = [_cells(column) for column in columns]
    rows = zip(headings, zip(*cells, strict=True), strict=True) if cells else iter(())
    for heading, group in itertools.groupby(itertools.islice(rows, MOST_ROWS), key=lambda pair: pair[0]):
        yield PageGroup(heading=heading, rows=[list(row) for _, row in group])


def _headings(view: Shown) -> list[str]:
    """Rule set of each row, with its hash where one name stands for several sets of values."""
    of_rules = {column.name: column for column in view.columns if column.name in ("rules", "rules_hash")}
    if not of_rules:
        return [""] * view.count_rows
    if "rules" in of_rules and of_rules.get("rules_hash", of_rules["rules"]).column.detail:
        of_rules.pop("rules_hash")
    return [
        " · ".join(texts) for texts in zip(*(column.texts() for column in of_rules.values()), strict=True)
    ]


def _cells(column: ShownColumn) -> list[PageCell]:
    if column.lows is None or column.highs is None:
        return [_plain_cell(value, column) for value in column.values]
    scale = _scale(column)
    rows = zip(column.values, column.lows, column.highs, strict=True)
    return [_interval_cell(value, low, high, column, scale) for value, low, high in rows]


def _plain_cell(value: Cell, column: ShownColumn) -> PageCell:
    styles = (
        ["severity", value] if column.name == "severity" and value else ["empty"] if value is None else []
    )
    word = value.removeprefix("belote-") if isinstance(value, str) else ""
    style = _style(column, *styles)
    return PageCell(text=format_value(value, column.column), style=style, suit=word if word in SUITS else "")


def _style(column: ShownColumn, *more: str) -> str:
    """Classes of a column's cells; print leaves out what is detail."""
    return " ".join(["number"] * column.is_number + ["detail"] * column.column.detail + list(more))


def _scale(column: ShownColumn) -> tuple[float, float]:
    """Ends of the scale that a column's intervals are drawn on: 0 to 100 % for rates, unless all are small."""
    ends = [
        end
        for end in itertools.chain(column.values, column.lows or (), column.highs or ())
        if end is not None
    ]
    low, high = min(ends, default=0), max(ends, default=1)
    if column.column.unit == "rate":
        return 0, next(top for top in (0.01, 0.05, 0.1, 0.25, 0.5, 1) if high <= top)
    return min(low, 0), max(high, low + 1, 0)


def _interval_cell(
    value: Cell, low: Cell, high: Cell, column: ShownColumn, scale: tuple[float, float]
) -> PageCell:
    if value is None or low is None or high is None:
        return _plain_cell(value, column)
    start, end = scale
    first, last, at = [round(100 * (point - start) / (end - start), 1) for point in (low, high, value)]
    return PageCell(
        text=format_value(value, column.column),
        style=_style(column, "estimate"),
        interval=format_interval(low, high, column.column),
        bar=(first, max(last - first, 0.5), at),
    )


def _figures(results: Sequence[ReportResult]) -> list[tuple[str, str]]:
    """Headline numbers, where the page holds the report that has them."""
    overview = next((r.table for r in results if r.report.name == "overview"), None)
    if overview is None or overview.num_rows == 0:
        return []
    sums = {name: sum(overview.column(name).to_pylist()) for name in ("deals", "matches")}
    audit = next((r.table for r in results if r.report.name == "audit-summary"), None)
    if audit is not None:  # findings of matches, files and quarantined records too
        sums["findings"] = sum(audit.column("findings").to_pylist())
    return [(name, format_value(number)) for name, number in sums.items()]

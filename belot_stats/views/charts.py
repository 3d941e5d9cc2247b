"""Answers as charts: SVG and PNG, by matplotlib, without a window and without global state.

The chart of a report is described in its ``.toml``. Text in an SVG stays text. With ``inline`` the colours are CSS
variables, so that the page around decides (light, dark, print), and nothing in it points outside the page.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.queries import ReportResult
from belot_stats.report_files import Chart
from belot_stats.texts import visible
from belot_stats.views.cells import Cell, ShownColumn, format_value, shown_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#1c2321", "#5d6864", "#dfe5e1", "#ffffff"
SERIES = ("#1f6f54", "#c2571a", "#3b5bb5", "#a8326b", "#8a6d00", "#5a6b7b")
# Words that have a colour of their own wherever they name a series.
OWN_COLOURS = {
    "error": SERIES[3],
    "illegal": SERIES[1],
    "mismatch": SERIES[2],
    "irregularity": SERIES[4],
    "notice": SERIES[5],
}
CSS_NAMES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    c: f"series-{n}" for n, c in enumerate(SERIES)
}
FONT = ["DejaVu Sans"]
ROW_INCHES, HEAD_INCHES, WIDTH_INCHES = 0.26, 0.95, 7.6
LONGEST_LABEL = 42
# What a person can take in: charts one under the other, lines in all of them together, colours in one.
MOST_PANELS, MOST_LINES, FEWEST_LINES = 6, 96, 8
OTHERS = "others"


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One set of axes: its title, the rows in it (top first), their labels and series."""

    title: str
    labels: list[str]
    rows: list[dict[str, Cell]]
    series: list[str]
    needs_legend: bool
    left_out: int


def has_chart(result: ReportResult) -> bool:
    """Whether the report has a chart and the answer something to draw."""
    return bool(_panels(result))


def to_png(result: ReportResult) -> bytes:
    """The chart as PNG, 200 dots an inch."""
    stream = io.BytesIO()
    with _quiet():
        _figure(result, inline=False).savefig(
            stream, format="png", dpi=200, facecolor=PAPER, metadata={"Software": None}
        )
    return stream.getvalue()


def to_svg(result: ReportResult, *, inline: bool = False) -> str:
    """The chart as SVG: a file of its own, or for use inside a page."""
    import matplotlib as mpl

    stream = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": result.report.name}), _quiet():
        _figure(result, inline=inline).savefig(stream, format="svg", transparent=inline, metadata=nothing)
    return _as_inline(stream.getvalue(), result) if inline else stream.getvalue()


def _as_inline(svg: str, result: ReportResult) -> str:
    """The bare ``<svg>`` element, with CSS variables for colours and a description for those who cannot see it."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (xmlns(:\w+)?|version)="[^"]*"', "", svg)
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r'(?<==")#(?=[0-9a-z])', f"#{result.report.name}-", svg)
    svg = re.sub(r"url\(#", f"url(#{result.report.name}-", svg)
    svg = re.sub(r' id="', f' id="{result.report.name}-', svg)
    svg = re.sub(r"font: [^;\"]*?([\d.]+px)[^;\"]*", r"font: \1 var(--sans)", svg)
    for colour, name in CSS_NAMES.items():
        svg = svg.replace(colour, f"var(--{name})")
    return svg.replace("<svg", f'<svg class="chart" role="img" aria-label="Chart: {result.report.title}"', 1)


class _quiet(warnings.catch_warnings):  # noqa: N801 - used like a function
    """Leaves out warnings about characters that the font does not have: they are drawn as boxes."""

    def __enter__(self) -> Any:
        entered = super().__enter__()
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        return entered


# -- what is drawn -----------------------------------------------------------------------------------------------------


def _panels(result: ReportResult) -> list[Panel]:
    chart = result.report.chart
    if chart is None:
        return []
    of_title = _rows_by_title(result, chart)
    kept = _largest_titles(of_title, chart)
    shared = max(MOST_LINES // max(len(kept), 1), FEWEST_LINES)
    limit = chart.limit if len(kept) == 1 else min(chart.limit, shared)
    return [_panel(title, of_title[title], chart, result, limit) for title in kept]


def _rows_by_title(result: ReportResult, chart: Chart) -> dict[str, list[dict[str, Cell]]]:
    """Rows that can be drawn, by the title of their panel."""
    rows = [row for row in result.table.to_pylist() if all(row.get(x) is not None for x in chart.x_columns)]
    if chart.kind == "bars":  # a bar of no length says nothing
        rows = [row for row in rows if _weight(row, chart) != 0]
    of_title: dict[str, list[dict[str, Cell]]] = {}
    for row in rows:
        of_title.setdefault(_title(row, chart, result), []).append(row)
    return of_title


def _largest_titles(of_title: dict[str, list[dict[str, Cell]]], chart: Chart) -> list[str]:
    """Titles of the panels with the most behind them, in their own order."""
    weights = {title: sum(_weight(row, chart) for row in rows) for title, rows in of_title.items()}
    largest = sorted(of_title, key=lambda title: -weights[title])[:MOST_PANELS]
    return [title for title in of_title if title in largest]


def _missing_panels(result: ReportResult, chart: Chart, panels: Sequence[Panel]) -> str:
    """What to say of panels that were too many to draw."""
    total = len(_rows_by_title(result, chart)) if len(panels) == MOST_PANELS else len(panels)
    return f"the {len(panels)} largest of {total} rule sets" if total > len(panels) else ""


def _title(row: dict[str, Cell], chart: Chart, result: ReportResult) -> str:
    if chart.per is None:
        return ""
    return " ".join(_said(row[name]) for name in _with_hash([chart.per], result))


def _with_hash(names: Sequence[str], result: ReportResult) -> list[str]:
    """*names*, with the hash after the rule set where one name stands for several sets of values."""
    wanted = list(names)
    columns = {column.name: column for column in shown_columns(result)}
    if "rules" in wanted and "rules_hash" in columns and not columns["rules_hash"].column.detail:
        wanted.insert(wanted.index("rules") + 1, "rules_hash")
    return wanted


def _panel(title: str, rows: list[dict[str, Cell]], chart: Chart, result: ReportResult, limit: int) -> Panel:
    kept = _largest(rows, chart, limit)
    telling = [name for name in chart.y if len({row[name] for row in kept}) > 1] or chart.y[:1]
    columns = {column.name: column for column in shown_columns(result)}
    return Panel(
        title=title,
        labels=[_label(row, telling, columns) for row in kept],
        rows=kept,
        series=_series(kept, chart, result),
        needs_legend=chart.series is not None and chart.series not in telling,
        left_out=len(rows) - len(kept),
    )


def _series(rows: list[dict[str, Cell]], chart: Chart, result: ReportResult) -> list[str]:
    """Series of each row; of more than there are colours, the smaller ones are one."""
    if chart.series is None:
        return [""] * len(rows)
    names = _with_hash([chart.series], result)
    said = [" ".join(_said(row[name]) for name in names) for row in rows]
    weights: dict[str, float] = {}
    for series, row in zip(said, rows, strict=True):
        weights[series] = weights.get(series, 0) + _weight(row, chart)
    if len(weights) <= len(SERIES):
        return said
    own = sorted(weights, key=lambda series: -weights[series])[: len(SERIES) - 1]
    return [series if series in own else OTHERS for series in said]


def _largest(rows: list[dict[str, Cell]], chart: Chart, limit: int) -> list[dict[str, Cell]]:
    """The rows with the most behind them, in their own order."""
    by_size = sorted(range(len(rows)), key=lambda number: -_weight(rows[number], chart))
    return [rows[number] for number in sorted(by_size[:limit])]


def _weight(row: dict[str, Cell], chart: Chart) -> float:
    if chart.size:
        return float(row[chart.size] or 0)
    return float(sum(row[x] for x in chart.x_columns))


def _said(value: Cell) -> str:
    return format_value(value)


def _label(row: dict[str, Cell], names: Sequence[str], columns: dict[str, ShownColumn]) -> str:
    """Name of a row, as in ``hearts, level 2, seat 3``."""
    parts = []
    for name in names:
        value = row[name]
        if value is not None:
            parts.append(f"{columns[name].label} {_said(value)}" if columns[name].is_number else _said(value))
    text = ", ".join(parts)
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


# -- drawing -----------------------------------------------------------------------------------------------------------


def _figure(result: ReportResult, *, inline: bool) -> Figure:
    """The chart; one that stands alone says what it is about, as the page around an inline one does."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"text.parse_math": False, "font.family": FONT, "font.size": 9}):
        panels = _panels(result)
        if not panels or result.report.chart is None:
            return _empty_figure(result)
        heights = [HEAD_INCHES + ROW_INCHES * len(panel.rows) for panel in panels]
        head = 0 if inline else HEAD_INCHES / 2
        figure = Figure(figsize=(WIDTH_INCHES, sum(heights) + head), layout="constrained")
        # rates have one scale; game points of one system and raw points of another have none in common
        is_shared = _is_rate(result.report.chart, result)
        axes = figure.subplots(len(panels), 1, squeeze=False, sharex=is_shared, height_ratios=heights)
        for panel, ax in zip(panels, axes.flat, strict=True):
            _draw(panel, ax, result.report.chart, result)
            if panel.title and not (inline and len(panels) == 1):
                pad = 22 if ax.get_legend() else 8
                ax.set_title(
                    visible(panel.title), loc="left", color=INK, fontsize=10, fontweight="bold", pad=pad
                )
        figure.text(
            0.99,
            0.001,
            _missing_panels(result, result.report.chart, panels),
            ha="right",
            va="bottom",
            color=MUTED,
            fontsize=8,
        )
        if not inline:
            figure.suptitle(_headline(result), x=0.01, ha="left", color=INK, fontsize=12, fontweight="bold")
        return figure


def _headline(result: ReportResult) -> str:
    said = [f"{name} {format_value(value)}" for name, value in result.asked.items()]
    return ", ".join([result.report.title, *said])


def _empty_figure(result: ReportResult) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_INCHES, 1.2))
    words = "nothing to draw" if result.report.chart else "this report has no chart"
    figure.text(0.5, 0.5, f"{result.report.title}: {words}", ha="center", va="center", color=MUTED)
    return figure


def _draw(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    {"dots": _draw_dots, "bars": _draw_bars, "stacked": _draw_stacked}[chart.kind](panel, ax, chart, result)
    _dress(panel, ax, chart, result)


def _colours(panel: Panel) -> dict[str, str]:
    names = list(dict.fromkeys(panel.series))
    colours = {name: OWN_COLOURS.get(name, SERIES[number % len(SERIES)]) for number, name in enumerate(names)}
    return colours | ({OTHERS: MUTED} if OTHERS in colours else {})


def _draw_dots(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    largest = max((_weight(row, chart) for row in panel.rows), default=1) or 1
    for series, colour in _colours(panel).items():
        places = [place for place, of in enumerate(panel.series) if of == series]
        rows = [panel.rows[place] for place in places]
        areas = [14 + 50 * _weight(row, chart) / largest if chart.size else 28 for row in rows]
        label = visible(series) if panel.needs_legend else ""
        ax.scatter(
            [row[chart.x_columns[0]] for row in rows], places, s=areas, color=colour, zorder=3, label=label
        )
        _draw_intervals(rows, places, colour, ax, chart)
    _draw_marks(panel, ax, chart, result)


def _draw_intervals(
    rows: list[dict[str, Cell]], places: list[int], colour: str, ax: Axes, chart: Chart
) -> None:
    if chart.interval is None:
        return
    low, high = chart.interval
    known = [
        (row[low], row[high], place) for row, place in zip(rows, places, strict=True) if row[low] is not None
    ]
    if known:
        lows, highs, at = zip(*known, strict=True)
        ax.hlines(at, lows, highs, color=colour, linewidth=2.2, alpha=0.45, capstyle="round")


def _draw_marks(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    if chart.mark is None:
        return
    places = [place for place, row in enumerate(panel.rows) if row[chart.mark] is not None]
    values = [panel.rows[place][chart.mark] for place in places]
    ax.scatter(
        values,
        places,
        marker="|",
        s=110,
        color=INK,
        linewidth=1.6,
        zorder=4,
        label=result.report.label(chart.mark),
    )


def _draw_bars(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    colours = _colours(panel)
    for series, colour in colours.items():
        places = [place for place, of in enumerate(panel.series) if of == series]
        lengths = [panel.rows[place][chart.x_columns[0]] for place in places]
        bars = ax.barh(
            places, lengths, color=colour, height=0.68, label=visible(series) if panel.needs_legend else ""
        )
        ax.bar_label(bars, [format_value(length) for length in lengths], padding=4, color=MUTED, fontsize=8)


def _draw_stacked(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    places = list(range(len(panel.rows)))
    starts = [0.0] * len(places)
    for number, name in enumerate(chart.x_columns):
        lengths = [float(row[name]) for row in panel.rows]
        if not any(lengths):
            continue
        ax.barh(
            places,
            lengths,
            left=starts,
            color=SERIES[number % len(SERIES)],
            height=0.68,
            label=result.report.label(name),
        )
        starts = [start + length for start, length in zip(starts, lengths, strict=True)]


def _dress(panel: Panel, ax: Axes, chart: Chart, result: ReportResult) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ax.set_ylim(len(panel.rows) - 0.4, -0.6)
    ax.set_yticks(range(len(panel.rows)), panel.labels)
    is_rate = _is_rate(chart, result)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=not is_rate and chart.kind != "dots"))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g} %" if is_rate else f"{x:,g}"))
    if chart.kind == "dots" and not is_rate:
        ax.axvline(0, color=MUTED, linewidth=0.8)
    ax.tick_params(colors=INK, length=0)
    ax.tick_params(axis="x", colors=MUTED, labelbottom=True)
    ax.grid(axis="x", color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[:].set_visible(False)
    ax.patch.set_alpha(0)
    ax.set_xlabel(_x_label(panel, chart, result), color=MUTED, fontsize=8)
    _add_legend(ax)


def _is_rate(chart: Chart, result: ReportResult) -> bool:
    column = result.report.columns.get(chart.x_columns[0])
    return column is not None and column.unit == "rate"


def _x_label(panel: Panel, chart: Chart, result: ReportResult) -> str:
    names = ", ".join(result.report.label(name) for name in chart.x_columns)
    interval = ", with its 95 % interval" if chart.interval else ""
    left_out = (
        f"; the {len(panel.rows)} largest of {len(panel.rows) + panel.left_out} rows"
        if panel.left_out
        else ""
    )
    return f"{names}{interval}{left_out}"


def _add_legend(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        return
    ax.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(0, 1), ncols=6, frameon=False, fontsize=8,
        labelcolor=INK, handletextpad=0.4, columnspacing=1.2, borderaxespad=0.2, handlelength=1.2,
    )  # fmt: skip

"""SHOW: an answer as a terminal table, CSV, JSON, JSON Lines, Parquet, a web page, or a chart.

``render`` gives text or bytes for any format of FORMATS; only ``html`` takes several answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from belot_stats.errors import UsageError
from belot_stats.queries import ReportResult
from belot_stats.report_files import nearest
from belot_stats.views import charts, html, tables

_ONE: dict[str, Callable[[ReportResult], str | bytes]] = {
    "table": tables.to_text,
    "csv": tables.to_csv,
    "json": tables.to_json,
    "jsonl": tables.to_jsonl,
    "parquet": tables.to_parquet,
    "png": charts.to_png,
    "svg": charts.to_svg,
}
FORMATS = (*_ONE, "html")
BINARY_FORMATS = ("parquet", "png")


def render(results: ReportResult | Sequence[ReportResult], format: str) -> str | bytes:
    """*results* in *format*: bytes for BINARY_FORMATS, else text.

    Raises: UsageError for a format that does not exist, or several answers in one that holds a single one.
    """
    several = [results] if isinstance(results, ReportResult) else list(results)
    if format == "html":
        return html.to_html(several)
    if format not in _ONE:
        raise UsageError(f"no format {format!r}{nearest(format, FORMATS)}")
    if format == "table":
        return "".join(tables.to_text(result) for result in several)
    if len(several) != 1:
        raise UsageError(f"{format} holds one report, not {len(several)}: html and table hold several")
    return _ONE[format](several[0])

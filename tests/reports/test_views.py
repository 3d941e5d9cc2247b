"""What is shown: every format, with names that mean harm, without rows, and on narrow terminals."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any

import pyarrow.parquet as pq
import pytest
from rich.cells import cell_len
from rich.console import Console

from belot_stats.errors import UsageError
from belot_stats.queries import ReportResult, list_reports, run_report
from belot_stats.views import BINARY_FORMATS, FORMATS, charts, render
from belot_stats.views.cells import format_value, has_options, shown, visible
from belot_stats.views.html import MOST_ROWS, to_html
from belot_stats.views.tables import print_table, to_csv, to_json, to_jsonl, to_text
from tests.reports.tables import connect, deal_row, random_tables

HARMFUL = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=cmd|' /C calc'!A0", "+1", "-2+3", "@SUM(1)",
    "\t=1", "\r=1", "two\nlines", "\x1b[2J\x1b]0;x\x07", "a\u202eb", "$\\frac{1}{0}$", "]]>&amp;--><!--", "{{ 7*7 }}",
    "\x00nul", "漢字 ♠",
]  # fmt: skip


def players(names: list[str]) -> ReportResult:
    groups = [names[i : i + 4] for i in range(0, len(names), 4)]
    deals = [deal_row(f"m{n}", 1, line=n + 1, players=group) for n, group in enumerate(groups)]
    return run_report(connect(deals=deals), "player-summary")


@pytest.fixture(scope="module")
def harmful() -> ReportResult:
    return players(HARMFUL)


@pytest.fixture(scope="module")
def crowd() -> dict[str, ReportResult]:
    connection = connect(**random_tables(480))
    return {report.name: run_report(connection, report) for report in list_reports()}


class Page(HTMLParser):
    """Tags, attributes and text of a page, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def assert_harmless(page: Page) -> None:
    assert not {"script", "img", "iframe", "object", "embed", "link", "base", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "src"]
    links = [value or "" for name, value in page.attributes if name in ("href", "xlink:href", "action")]
    assert all(link.startswith("#") for link in links), links


def test_names_are_harmless_in_html(harmful: ReportResult) -> None:
    text = to_html([harmful], title="<b>t</b>", subtitle="</style><script>")
    page = Page(text)
    assert_harmless(page)
    assert "b" not in page.tags[: page.tags.index("main")] or "<b>t" not in text
    for name in HARMFUL:
        assert visible(name) in page.words, name


def test_the_page_asks_for_nothing(crowd: dict[str, ReportResult]) -> None:
    text = to_html(list(crowd.values()))
    assert_harmless(Page(text))
    assert not re.search(r"https?:|//\w+\.|url\((?!#)|@import", text)
    assert "default-src 'none'" in text
    ids = [value for name, value in Page(text).attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = [v[1:] for name, v in Page(text).attributes if name == "href" and v]
    assert set(links) <= set(ids)


def test_the_page_says_what_must_be_said(crowd: dict[str, ReportResult]) -> None:
    words = " ".join(" ".join(Page(to_html(list(crowd.values()))).words).split())
    for result in crowd.values():
        report = result.report
        assert report.title in words
        assert report.question in words
        assert report.grain in words or result.table.num_rows == 0
        assert all(caution in words for caution in report.cautions)


def test_an_empty_page() -> None:
    connection = connect()
    page = Page(to_html([run_report(connection, report) for report in list_reports()]))
    assert page.words.count("No deals match.") >= 5
    assert "No report was asked for." in Page(to_html([])).words


def test_a_long_table_says_that_it_is_cut() -> None:
    result = players([f"p{n:04}" for n in range(MOST_ROWS + 100)])
    text = to_html([result])
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 100} rows" in text
    assert text.count("<tr>") == MOST_ROWS + 1


def test_the_same_answer_gives_the_same_page(harmful: ReportResult) -> None:
    assert to_html([harmful]) == to_html([harmful])


# -- CSV and the other formats -----------------------------------------------------------------------------------------


def test_names_are_no_formulas_in_csv(harmful: ReportResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(harmful), newline="")))
    written = {row["player"] for row in rows}
    assert written == {"'" + name if name[0] in "=+-@\t\r\n" else name for name in HARMFUL}
    assert not [row for row in rows if row["player"].startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_numbers_stay_numbers_in_csv(harmful: ReportResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(harmful), newline="")))
    assert {float(row["net_mean"]) for row in rows} == {-4.0, 4.0}
    assert {row["net_low"] for row in rows} == {""}


def test_json_carries_names_as_they_are(harmful: ReportResult) -> None:
    answer = json.loads(to_json(harmful))
    assert {row["player"] for row in answer["rows"]} == set(HARMFUL)
    assert answer["report"] == "player-summary"
    assert answer["cautions"] == list(harmful.report.cautions)
    lines = to_jsonl(harmful).splitlines()
    assert [json.loads(line) for line in lines] == answer["rows"]


def test_parquet_is_the_table(crowd: dict[str, ReportResult]) -> None:
    result = crowd["contract-success"]
    data = render(result, "parquet")
    assert isinstance(data, bytes)
    table = pq.read_table(io.BytesIO(data))
    assert table.equals(result.table)
    assert table.schema.metadata[b"report"] == b"contract-success"


# -- on a terminal -----------------------------------------------------------------------------------------------------


def test_names_do_not_move_the_cursor(harmful: ReportResult) -> None:
    text = to_text(harmful)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert r"\x1b[2J" in text
    assert r"a\u202eb" in text


@pytest.mark.parametrize("width", [40, 80, 100, 160])
def test_tables_keep_to_the_width(crowd: dict[str, ReportResult], width: int) -> None:
    for result in crowd.values():
        lines = to_text(result, width=width).splitlines()
        headings = [result.report.title, f" {result.report.question}"]
        said_once = next(
            (line for line in lines if line.startswith(" ") and ": " in line and "  " not in line), ""
        )
        table = [line.rstrip() for line in lines if line not in (*headings, said_once)]
        assert [line for line in table if cell_len(line) > width] == [], result.report.name


def test_columns_that_gave_way_are_named(crowd: dict[str, ReportResult]) -> None:
    narrow = to_text(crowd["contract-success"], width=80)
    assert "not shown for want of width" in narrow
    assert "not shown" not in to_text(crowd["contract-success"])


def test_a_very_narrow_terminal_gets_lists(crowd: dict[str, ReportResult]) -> None:
    lines = to_text(crowd["overview"], width=24).splitlines()
    assert [line for line in lines if line.split() == ["matches", str(crowd["overview"].table["matches"][0])]]
    assert not [line for line in lines if "───" in line]


def test_no_colour_where_none_is_wanted(harmful: ReportResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    print_table(harmful, Console(file=stream, force_terminal=True, width=200), fits=200)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", stream.getvalue())


def test_nothing_to_show_is_said() -> None:
    assert "no deals match" in to_text(run_report(connect(), "contract-success"))


def test_numbers_for_people() -> None:
    assert [format_value(v) for v in (1234567, 1.25, True, None, float("nan"), b"\xff\x00", [1, None])] == [
        "1,234,567", "1.2", "yes", "–", "–", r"\xff\x00", "1, –",
    ]  # fmt: skip


def test_what_every_row_says_is_said_once(harmful: ReportResult) -> None:
    view = shown(harmful)
    assert view.constants["rules"] == "belot-bg"
    assert "rules" not in [column.name for column in view.columns]


def test_rule_sets_of_one_name_are_told_apart() -> None:
    deals = [deal_row("m1", 1), deal_row("m2", 1, line=2, rules_hash="h9")]
    result = run_report(connect(deals=deals), "contract-success")
    assert has_options(result.table)
    page = to_html([result])
    assert "h9" in page
    assert "h9" in to_text(result, width=80)


# -- charts ------------------------------------------------------------------------------------------------------------


def test_charts_are_drawn_for_all_that_have_one(crowd: dict[str, ReportResult]) -> None:
    for result in crowd.values():
        assert charts.has_chart(result) == (result.report.chart is not None), result.report.name
        ET.fromstring(charts.to_svg(result))
        png = charts.to_png(result)
        assert png.startswith(b"\x89PNG")


def test_names_are_harmless_in_charts(harmful: ReportResult) -> None:
    texts = [
        element.text or ""
        for element in ET.fromstring(charts.to_svg(harmful)).iter()
        if element.tag.endswith("text")
    ]
    for name in HARMFUL:
        assert visible(name) in texts, name


def test_inline_charts_take_the_colours_of_the_page(crowd: dict[str, ReportResult]) -> None:
    inline = charts.to_svg(crowd["contract-success"], inline=True)
    assert "var(--ink)" in inline
    assert "var(--series-0)" in inline
    assert not re.search(r"#[0-9a-f]{6}", inline)
    assert inline.startswith("<svg")


def test_the_same_chart_twice(harmful: ReportResult) -> None:
    assert charts.to_svg(harmful) == charts.to_svg(harmful)


def test_a_chart_of_nothing() -> None:
    result = run_report(connect(), "contract-success")
    assert "nothing to draw" in charts.to_svg(result)


# -- choosing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(crowd: dict[str, ReportResult], name: str) -> None:
    assert isinstance(render(crowd["overview"], name), bytes if name in BINARY_FORMATS else str)


def test_formats_that_do_not_exist(crowd: dict[str, ReportResult]) -> None:
    with pytest.raises(UsageError, match="did you mean 'parquet'"):
        render(crowd["overview"], "parket")


def test_only_some_formats_hold_several(crowd: dict[str, ReportResult]) -> None:
    several: list[Any] = [crowd["overview"], crowd["audit-summary"]]
    assert "Audit" in str(render(several, "table"))
    with pytest.raises(UsageError, match="holds one report, not 2"):
        render(several, "csv")

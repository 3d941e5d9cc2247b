"""Report files of the user's own, parameters, and what is said when something is wrong."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from belot_stats.errors import ReportError, UsageError
from belot_stats.queries import list_reports, load_report, prepare, report_frame, run_report
from belot_stats.report_files import Parameter, parse_value, read_report
from belot_stats.resources import resource
from tests.reports.tables import connect, deal_row

TWIN = 'title = "Mine"\nquestion = "How many?"\ngrain = "one row"\n'


def write(
    folder: Path, name: str = "mine", sql: str = "select count(*) as deals from deals", twin: str = TWIN
) -> Path:
    (folder / f"{name}.sql").write_text(sql, encoding="utf-8")
    (folder / f"{name}.toml").write_text(twin, encoding="utf-8")
    return folder / f"{name}.sql"


def test_a_report_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path)
    result = run_report(connect(deals=[deal_row("m1", 1)]), "mine", folders=[tmp_path])
    assert result.table.to_pylist() == [{"deals": 1}]
    assert "mine" in [report.name for report in list_reports([tmp_path])]


def test_ones_own_report_wins_over_the_packages(tmp_path: Path) -> None:
    write(tmp_path, "overview")
    assert load_report("overview", [tmp_path]).title == "Mine"


@pytest.mark.parametrize(
    ("twin", "words"),
    [
        ("title = ", "no TOML"),
        ('title = "x"', "question"),
        (TWIN + "colour = 1", "colour"),
        (TWIN + 'filters = ["rulez"]', "did you mean 'rules'"),
        (TWIN + '[parameters.n]\ntype = "whole"\nhelp = "h"', "whole"),
        (
            TWIN + '[parameters.n]\ntype = "integer"\nhelp = "h"\ndefault = "many"',
            "default of n: expected a whole number",
        ),
        (
            TWIN + '[parameters.n]\ntype = "text"\nhelp = "h"\ndefault = "c"\nchoices = ["a", "b"]',
            "'c' is no choice",
        ),
        (TWIN + '[chart]\nkind = "pie"\nx = "a"\ny = ["b"]', "pie"),
    ],
)
def test_what_a_twin_cannot_say(tmp_path: Path, twin: str, words: str) -> None:
    path = write(tmp_path, twin=twin)
    with pytest.raises(ReportError, match=words) as caught:
        read_report(path)
    assert str(path.with_suffix(".toml")) in str(caught.value)


def test_a_twin_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.with_suffix(".toml").unlink()
    with pytest.raises(ReportError, match="is missing"):
        load_report("mine", [tmp_path])


def test_a_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="is no folder"):
        list_reports([tmp_path / "nowhere"])


def test_a_report_must_be_there() -> None:
    with pytest.raises(ReportError, match="did you mean 'contract-success'"):
        load_report("contract-sucess")
    with pytest.raises(ReportError, match="there are audit-summary, contract-success"):
        load_report("zzz")


@pytest.mark.parametrize("name", ["Mine", "my report", "-mine", "mine.v2"])
def test_names_of_reports(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReportError, match="the name of a report"):
        read_report(write(tmp_path, name))


def test_sql_that_fails_names_its_file(tmp_path: Path) -> None:
    path = write(tmp_path, sql="select nothing from nowhere")
    with pytest.raises(ReportError, match="nowhere") as caught:
        run_report(connect(), "mine", folders=[tmp_path])
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_connection_without_a_warehouse() -> None:
    with pytest.raises(ReportError, match="the warehouse lacks"):
        run_report(duckdb.connect(), "overview")


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"rule": "belot-bg"}, "no parameter 'rule': did you mean 'rules'"),
        ({"by_level": "perhaps"}, "by_level: expected true or false, found 'perhaps'"),
        ({"contracts": "eachh"}, "'eachh' is no choice: did you mean 'each'"),
        ({"rules": 7}, "rules: expected text, found 7"),
    ],
)
def test_parameters_that_cannot_be(params: dict[str, str | int], words: str) -> None:
    with pytest.raises(ReportError, match=words):
        run_report(connect(), "contract-success", params)


@pytest.mark.parametrize(
    ("kind", "text", "parsed"),
    [
        ("integer", "12", 12), ("integer", 12, 12), ("number", "1.5", 1.5), ("boolean", "No", False),
        ("boolean", True, True), ("text", "12", "12"), ("integer", None, None),
    ],
)  # fmt: skip
def test_values_are_read_from_text(kind: str, text: str | int | bool | None, parsed: object) -> None:
    assert parse_value("n", Parameter(kind, "help"), text) == parsed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "text"), [("integer", "1.5"), ("integer", True), ("number", "x"), ("boolean", "2")]
)
def test_values_of_another_kind(kind: str, text: str | bool) -> None:
    with pytest.raises(ReportError, match="n: expected"):
        parse_value("n", Parameter(kind, "help"), text)  # type: ignore[arg-type]


def test_a_value_is_no_sql() -> None:
    connection = connect(deals=[deal_row("m1", 1)])
    assert run_report(connection, "contract-success", {"rules": "x' or '1'='1"}).table.num_rows == 0


def test_what_was_asked_is_what_differs() -> None:
    result = run_report(connect(), "contract-success", {"by_level": "true", "match": "m1"})
    assert result.asked == {"match": "m1"}


def test_sums_are_plain_numbers(tmp_path: Path) -> None:
    write(tmp_path, sql="select sum(line) as lines, 1.5::decimal(4, 1) as half from deals")
    table = run_report(connect(deals=[deal_row("m1", 3)]), "mine", folders=[tmp_path]).table
    assert [str(kind) for kind in table.schema.types] == ["int64", "double"]
    assert table.to_pylist() == [{"lines": 3, "half": 1.5}]


def test_errors_are_usage_errors() -> None:
    assert issubclass(ReportError, UsageError)


def test_a_frame_needs_a_warehouse(tmp_path: Path) -> None:
    from belot_stats.errors import WarehouseError

    with pytest.raises(WarehouseError):
        report_frame("overview", tmp_path / "nowhere")


def test_preparing_twice_is_harmless() -> None:
    connection = connect()
    prepare(connection)
    prepare(connection)
    assert connection.execute("select count(*) from finding_codes").fetchall()[0][0] > 50


def test_shipped_reports_have_no_stray_files() -> None:
    folder = resource("reports", "relations/ORDER").parent.parent
    names = {path.stem for path in folder.glob("*.sql")}
    assert {path.stem for path in folder.glob("*.toml")} == names
    relations = {path.stem for path in (folder / "relations").glob("*.sql")}
    assert relations == set((folder / "relations" / "ORDER").read_text(encoding="utf-8").split())

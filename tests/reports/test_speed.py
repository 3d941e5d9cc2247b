"""Reports stay usable: SQL alone on a few ten thousand deals, each well below what a person notices as waiting."""

from __future__ import annotations

import time

import pytest

from belot_stats.queries import list_reports, prepare, run_report
from tests.reports.tables import connect, random_tables


@pytest.mark.slow
def test_reports_answer_in_seconds() -> None:
    connection = connect(**random_tables(2400))
    for table in ("deals", "standings"):
        again = f"select * exclude (copy) replace (match || '-' || copy as match) from raw_{table}, range(9) r(copy)"
        connection.execute(f"insert into raw_{table} {again}")
    prepare(connection)
    assert connection.execute("select count(*) from deals").fetchall() == [(24_000,)]
    for report in list_reports():
        start = time.perf_counter()
        run_report(connection, report)
        assert time.perf_counter() - start < 10, report.name

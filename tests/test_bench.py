"""The bench: ratios of pairs, verdicts, and pages that are rendered from the measurements alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bench import page, run
from bench.inputs import write_copies
from bench.measure import deviation, in_turn
from bench.table import ROWS, Goal

PROJECT = Path(__file__).resolve().parents[1]
ABOUT = {"date": "2026-12-01", "commit": "abc1234", "load": 0.1, "machine": "a machine", "versions": "some"}


def raced(ratio: float) -> dict[str, Any]:
    sides = {"ours": [2e6, 3e6, 4e6], "theirs": [1e6, 1e6, 9e6]}
    shown = {side: {"unit": "deals/s", "values": values} for side, values in sides.items()}
    return {**ABOUT, **shown, "ratios": [ratio], "judged": {"ratio": ratio}, "note": "a note"}


def test_pairs_run_in_turn_and_each_has_its_ratio() -> None:
    ran: list[str] = []
    ours, theirs = iter([4.0, 9.0, 10.0]), iter([2.0, 3.0, 10.0])

    def one(name: str, values: Any) -> float:
        ran.append(name)
        return float(next(values))

    pairs = in_turn(lambda: one("a", ours), lambda: one("b", theirs), 3)
    assert ran == ["a", "b", "a", "b", "a", "b"]
    assert pairs.ratios == [2.0, 3.0, 1.0]
    assert (pairs.ours, pairs.theirs) == ([4.0, 9.0, 10.0], [2.0, 3.0, 10.0])


def test_deviation_is_from_the_median_on_both_sides() -> None:
    assert deviation([90.0, 100.0, 110.0]) == pytest.approx(0.1)
    assert deviation([80.0, 100.0, 110.0]) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.5, "aim reached"), (0.51, "reached"), (2, "reached"), (2.01, "missed")]
)
def test_verdicts_where_less_is_better(value: float, verdict: str) -> None:
    assert Goal("time", " s", 2, 0.5, is_at_most=True).verdict(value) == verdict


@pytest.mark.parametrize(
    ("value", "verdict"), [(4, "aim reached"), (3.99, "reached"), (2, "reached"), (1.99, "missed")]
)
def test_verdicts_where_more_is_better(value: float, verdict: str) -> None:
    assert Goal("ratio", "×", 2, 4).verdict(value) == verdict
    assert Goal("ratio", "×").verdict(value) == "reported"


def test_the_page_has_every_row_measured_or_not() -> None:
    lines = page.table({"random": raced(3.0), "ingest": {**ABOUT, "skipped": "no room"}})
    assert len(lines) == 2 + len(ROWS)
    assert "| 3,000,000 deals/s | colver" in lines[2]
    assert lines[2].endswith("| 1,000,000 deals/s | ≥ 2× (aim 4) | 3.00×: reached | 2026-12-01, abc1234 |")
    assert [line for line in lines if "not measured: no room" in line] == [lines[2 + keys().index("ingest")]]
    assert sum(page.NOT_YET in line for line in lines) == len(ROWS) - 2
    assert {line.count("|") for line in lines} == {8}


def keys() -> list[str]:
    return [row.key for row in ROWS]


def test_keys_are_unique() -> None:
    assert len(set(keys())) == len(ROWS)


def test_rows_of_two_machines_are_told_apart() -> None:
    other = {**raced(3.0), "machine": "another"}
    text = page.results_page({"random": raced(3.0), "sensible": other})
    assert "* a machine\n  some\n  (random)\n* another\n  some\n  (sensible)" in text


def test_pages_are_rendered_from_the_measurements() -> None:
    measurements = page.read()
    assert page.RESULTS.read_text("utf-8") == page.results_page(measurements)
    readme = page.README.read_text("utf-8")
    assert page.with_section(readme, page.readme_section(measurements)) == readme


def test_a_partial_run_leaves_the_other_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MEASUREMENTS", "RESULTS", "README"):
        monkeypatch.setattr(page, name, tmp_path / name)
    page.README.write_text(f"before {page.BEGIN}old{page.END} after")
    first, second = (row._replace(measure=lambda *_: raced(9.0)) for row in ROWS[:2])
    page.write({second.key: raced(0.7)}, page.MEASUREMENTS)
    monkeypatch.setattr(page, "read", lambda: json.loads(page.MEASUREMENTS.read_text()))
    monkeypatch.setattr(page.write, "__defaults__", (page.MEASUREMENTS,))
    monkeypatch.setattr(run, "warm_up", lambda: None)
    assert run.measure_rows([first], 1, run.ROUNDS) == 0
    kept = page.read()
    assert (kept[first.key]["judged"], kept[second.key]["judged"]) == ({"ratio": 9.0}, {"ratio": 0.7})
    assert re.fullmatch(r"before .*9\.00×: aim reached.* after", page.README.read_text(), re.DOTALL)
    assert "0.70×: reached" in page.RESULTS.read_text()


def test_a_trial_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("MEASUREMENTS", "RESULTS", "README"):
        monkeypatch.setattr(page, name, tmp_path / name)
    monkeypatch.setattr(run, "warm_up", lambda: None)
    row = ROWS[0]._replace(measure=lambda *_: raced(9.0))
    assert run.measure_rows([row], 0.01, run.ROUNDS) == 0
    assert "9.00×: aim reached" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_unknown_rows_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.arguments_of(["--only", "memory,helb"])
    assert "no row helb" in capsys.readouterr().err


def test_copies_of_a_log_have_matches_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b'{"match":"m1","deal":1}\n{"match":"m1","deal":2}\n')
    write_copies(tmp_path / "a", 2, tmp_path / "b")
    records = [json.loads(line) for line in (tmp_path / "b").read_text().splitlines()]
    assert [record["match"] for record in records] == ["copy00-m1"] * 2 + ["copy01-m1"] * 2

"""The compiled loops write the log that is written one by one, byte for byte."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from belot_stats import simulated_lines
from belot_stats.checker import check_deal
from belot_stats.commands.making import make_one, simulate_to_file
from belot_stats.export import export_lines
from belot_stats.rows import deals_table
from belot_stats.rules import compiling
from belot_stats.ruleset import load_ruleset, ruleset_from_values, ruleset_names, ruleset_values
from belot_stats.simulated_rows import OUTPUTS, is_warm, keep_in_mind, whole_table
from belot_stats.simulator.job import SimulationJob

MIXES = {2: "random,sensible", 3: "sensible,random,random", 4: "random,sensible"}


def written(job: SimulationJob, numbers: range) -> list[bytes]:
    """Lines as the loop writes them."""
    pieces = list(simulated_lines.simulated_lines(job, numbers))
    assert [data.count(b"\n") for data, _ in pieces] == [count for _, count in pieces]
    return b"".join(data for data, _ in pieces).splitlines(keepends=True)


@pytest.mark.parametrize("unit", ["deals", "matches"])
@pytest.mark.parametrize("name", ruleset_names())
def test_lines_are_those_of_the_export(name: str, unit: str) -> None:
    rules = load_ruleset(name)
    for policy in ("random", "sensible", MIXES[rules.players]):
        job, numbers = SimulationJob(rules, policy, 9, unit), range(1, 6 if unit == "matches" else 120)
        assert written(job, numbers) == list(export_lines(job(numbers)))


@pytest.mark.parametrize("options", [{"seven_exchange": True}, {"target": 101, "kirtik": 100}])
def test_by_other_rules_too(options: dict[str, object]) -> None:
    job = SimulationJob(load_ruleset("belot-1001-2p", options), "sensible", 2**64 - 1, "matches")
    assert written(job, range(1, 20)) == list(export_lines(job(range(1, 20))))


def test_matches_of_any_number() -> None:
    job, numbers = SimulationJob(load_ruleset("belot-bg"), "random", 1, "matches"), range(2**64 - 2, 2**64)
    assert written(job, numbers) == list(export_lines(job(numbers)))


def test_lines_of_rules_with_any_name() -> None:
    rules = ruleset_from_values('Бела "1\\2"\t', ruleset_values(load_ruleset("belot-bg")))
    job, numbers = SimulationJob(rules, "sensible", 4, "matches"), range(1, 4)
    assert written(job, numbers) == list(export_lines(job(numbers)))
    one_by_one = deals_table(check_deal(deal, rules) for deal in job(numbers))
    assert whole_table(job, numbers).equals(one_by_one)


def test_a_small_buffer_is_filled_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    job, numbers = SimulationJob(load_ruleset("belot-bg"), "sensible", 4, "matches"), range(1, 9)
    lines = written(job, numbers)
    monkeypatch.setattr(simulated_lines, "BUFFER_BYTES", 5_000)
    assert len(list(simulated_lines.simulated_lines(job, numbers))) > len(lines) // 3
    assert written(job, numbers) == lines


def test_what_is_compiled_is_known_by_policy_unit_and_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    rules = load_ruleset("belot-bg")
    jobs = [
        SimulationJob(rules, policy, 1, unit)
        for policy in ("random", "sensible")
        for unit in ("deals", "matches")
    ]
    keep_in_mind(jobs[0], "results")
    known = [(job.policy, job.unit, output) for job in jobs for output in OUTPUTS if is_warm(job, output)]
    assert known == [("random", "deals", "results")]


def test_a_file_is_the_same_whoever_writes_it(tmp_path: Path) -> None:
    job = SimulationJob(load_ruleset("belot-ru-3p"), "sensible,random,random", 4, "matches")
    make_one(job, "log")
    assert is_warm(job, "log")
    made = simulate_to_file(job, range(1, 30), str(tmp_path / "loop.jsonl.gz"), quiet=True)
    one_by_one = msgspec.structs.replace(job, is_compiled=False)
    assert simulate_to_file(one_by_one, range(1, 30), str(tmp_path / "one.jsonl"), quiet=True) == made
    data = gzip.decompress((tmp_path / "loop.jsonl.gz").read_bytes())
    assert data == (tmp_path / "one.jsonl").read_bytes()
    assert data.count(b"\n") == made

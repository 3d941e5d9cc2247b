"""Simulated deals: parts by deal range, and one ledger row a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from belot_stats.deal import Deal
from belot_stats.errors import WarehouseError
from belot_stats.executors import open_pool
from belot_stats.readers import read_log
from belot_stats.ruleset import load_ruleset
from belot_stats.simulated import PART_DEALS, PART_MATCHES, simulated_parts, write_simulated
from belot_stats.simulator.job import SimulationJob
from tests.store.logs import count, match, parts_of, query, write_log

RULES = load_ruleset("belot-bg")


def deals_of(log: Path, numbers: range) -> Iterator[Deal]:
    """Deals as a simulator might give them: a match each, named by its number."""
    known = [item for item in read_log(log) if isinstance(item, Deal)]
    for number in numbers:
        yield msgspec.structs.replace(known[number % 10], match=f"sim-{number}", deal=1)


class Maker:
    """What makes the deals of a range; it can be sent to a process."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def __call__(self, numbers: range) -> Iterator[Deal]:
        return deals_of(self.log, numbers)


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(write_log(tmp_path / "a.jsonl", match()))


def test_ranges_are_cut_at_fixed_numbers() -> None:
    pieces = simulated_parts(RULES, "sensible", 1, range(5, 2 * PART_DEALS + 5))
    assert [(piece.numbers.start, piece.numbers.stop) for piece in pieces] == [
        (5, PART_DEALS),
        (PART_DEALS, 2 * PART_DEALS),
        (2 * PART_DEALS, 2 * PART_DEALS + 5),
    ]
    other = simulated_parts(RULES, "sensible", 1, range(2 * PART_DEALS))
    assert other[1].part == pieces[1].part
    variants = [
        simulated_parts(load_ruleset("belot-bg", {"target": 101}), "sensible", 1, range(10)),
        simulated_parts(RULES, "other", 1, range(10)),
        simulated_parts(RULES, "sensible", 2, range(10)),
        simulated_parts(RULES, "sensible", 1, range(11)),
        simulated_parts(RULES, "sensible", 1, range(10)),
    ]
    assert len({piece.part for (piece,) in variants}) == 5


def test_deals_are_stored_once_however_often_they_are_made(tmp_path: Path, maker: Maker) -> None:
    row = write_simulated(tmp_path / "w", RULES, "sensible", 1, range(30), maker)
    assert (row.format, row.read, row.stored) == ("simulation", 30, 30)
    before = parts_of(tmp_path / "w")
    again = write_simulated(tmp_path / "w", RULES, "sensible", 1, range(30), maker(range(30)))
    assert again == row
    assert parts_of(tmp_path / "w") == before
    assert count(tmp_path / "w", "deals") == 30
    assert query(tmp_path / "w", "select line from deals order by line") == [(n,) for n in range(1, 31)]


def test_an_iterator_and_a_pool_write_the_same_bytes(tmp_path: Path, maker: Maker) -> None:
    write_simulated(tmp_path / "w1", RULES, "sensible", 1, range(PART_DEALS - 20, PART_DEALS + 20), maker)
    numbers = range(PART_DEALS - 20, PART_DEALS + 20)
    write_simulated(tmp_path / "w2", RULES, "sensible", 1, numbers, maker(numbers))
    with open_pool(2) as pool:
        seen: list[int] = []
        write_simulated(
            tmp_path / "w3", RULES, "sensible", 1, numbers, maker, executor=pool, progress=seen.append
        )
    assert parts_of(tmp_path / "w1") == parts_of(tmp_path / "w2") == parts_of(tmp_path / "w3")
    assert len(parts_of(tmp_path / "w1")) == 2
    assert seen == [20, 40]


def test_too_few_deals_are_an_error(tmp_path: Path, maker: Maker) -> None:
    with pytest.raises(WarehouseError, match="expected 30 deals, found 20"):
        write_simulated(tmp_path / "w", RULES, "sensible", 1, range(30), maker(range(20)))
    assert parts_of(tmp_path / "w") == {}


LOOPS = [
    ("belot-bg", "sensible", "matches"),
    ("belot-ru-3p", "sensible,random,random", "matches"),
    ("baloot-regulation", "random", "matches"),
    ("belot-1001-2p", "random,sensible", "deals"),
]


@pytest.mark.parametrize(("name", "policy", "unit"), LOOPS)
def test_loops_store_the_bytes_of_deals_made_one_by_one(
    tmp_path: Path, name: str, policy: str, unit: str
) -> None:
    job = SimulationJob(load_ruleset(name), policy, 3, unit)
    middle = PART_MATCHES if unit == "matches" else PART_DEALS
    numbers = range(middle - 3, middle + 3)
    rows = []
    for folder, is_compiled in (("w1", True), ("w2", False)):
        make = msgspec.structs.replace(job, is_compiled=is_compiled)
        rows.append(write_simulated(tmp_path / folder, job.ruleset, policy, 3, numbers, make, unit=unit))
    for folder in ("deals", "findings"):
        assert parts_of(tmp_path / "w1", folder) == parts_of(tmp_path / "w2", folder)
        assert len(parts_of(tmp_path / "w1", folder)) == 2
    assert rows[0].stored == rows[1].stored == rows[0].read
    assert rows[0].chunks == rows[1].chunks


OWN_POLICY = """
class Lowest:
    name = "lowest"
    def choose_call(self, view, stream):
        return stream.bit_of(view.legal_calls)
    def choose_card(self, view, stream):
        return (view.legal_mask & -view.legal_mask).bit_length() - 1
"""


def test_a_users_own_policy_works_in_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_policy.py").write_text(OWN_POLICY)
    monkeypatch.syspath_prepend(tmp_path)
    policy = "own_policy:Lowest,sensible"
    job = SimulationJob(RULES, policy, 3, "matches")
    numbers = range(PART_MATCHES - 3, PART_MATCHES + 3)
    for jobs in (1, 2):
        write_simulated(tmp_path / f"w{jobs}", RULES, policy, 3, numbers, job, unit="matches", jobs=jobs)
    assert parts_of(tmp_path / "w1") == parts_of(tmp_path / "w2")
    assert len(parts_of(tmp_path / "w1")) == 2
    found = query(tmp_path / "w1", "select distinct unnest(players) from deals order by all")
    assert found == [("lowest-0",), ("lowest-2",), ("sensible-1",), ("sensible-3",)]
    assert count(tmp_path / "w1", "findings") == 0

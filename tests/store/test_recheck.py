"""Checking again what is stored: the compiled pass and the checker say the same of it, and see what was changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from belot_stats import asking, fast_parts
from belot_stats.ingest import ingest
from belot_stats.ruleset import load_ruleset
from belot_stats.simulated import write_simulated
from belot_stats.simulator.job import SimulationJob
from belot_stats.warehouse import Warehouse

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "data" / "samples" / "bhh"
LOGS = PROJECT / ".." / "shared" / "logs"


@pytest.fixture(autouse=True)
def warm() -> None:
    fast_parts.warm_up()


def both(store: Warehouse, monkeypatch: pytest.MonkeyPatch) -> tuple[asking.Recheck, int]:
    """What both ways say, which is the same, and how many deals the compiled one left to the other."""
    left = []
    one_by_one = asking._differences

    def counted(table: pa.Table, rulesets: Any) -> Any:
        left.append(table.num_rows)
        return one_by_one(table, rulesets)

    monkeypatch.setattr(asking, "RECHECKED_ONE_BY_ONE", 10**9)
    slow = asking.recheck(store)
    monkeypatch.setattr(asking, "RECHECKED_ONE_BY_ONE", 0)
    monkeypatch.setattr(asking, "_differences", counted)
    fast = asking.recheck(store)
    assert (fast.deals, sorted(fast.differences)) == (slow.deals, sorted(slow.differences))
    return fast, sum(left)


def test_samples_are_as_they_were_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(sorted(SAMPLES.glob("*.jsonl")), tmp_path / "w")
    found, left = both(Warehouse(tmp_path / "w"), monkeypatch)
    assert found.differences == []
    assert 0 < left < found.deals / 5  # those with findings


@pytest.mark.slow
def test_logs_with_faults_are_as_they_were_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not LOGS.exists():
        pytest.skip("the shared logs are not there")
    ingest(sorted(LOGS.glob("*-faults.jsonl")), tmp_path / "w")
    found, left = both(Warehouse(tmp_path / "w"), monkeypatch)
    assert found.differences == []
    assert left < found.deals


def simulated(store: Path, name: str, deals: int) -> Path:
    """A warehouse of random deals; returns its only part."""
    rules = load_ruleset(name)
    write_simulated(
        store, rules, "random", 5, range(1, deals + 1), SimulationJob(rules, "random", 5, "deals")
    )
    (part,) = (store / "deals").rglob("*.parquet")
    return part


CHANGES: dict[str, Callable[[Any], Any]] = {
    "hanging": lambda value: value + 1,
    "score": lambda value: [value[0] + 1, *value[1:]],
    "points": lambda value: value[::-1] if value[0] != value[1] else [value[0] + 1, *value[1:]],
    "outcome": lambda value: "made" if value != "made" else "failed",
    "finding_bits": lambda value: value ^ 1,
    "finding_count": lambda value: value + 1,
}


@pytest.mark.parametrize("name", ["belot-bg", "belot-1001-3p", "baloot"])
def test_every_stored_result_that_was_changed_is_seen(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "w"
    part = simulated(store, name, 60)
    table, places = pq.read_table(part), range(7, 7 + len(CHANGES))
    for place, (column, change) in zip(places, CHANGES.items(), strict=True):
        values = table[column].to_pylist()
        values[place] = change(values[place])
        changed = pa.array(values, table.schema.field(column).type)
        table = table.set_column(table.schema.get_field_index(column), table.schema.field(column), changed)
    pq.write_table(table, part)
    found, left = both(Warehouse(store), monkeypatch)
    assert found.deals == 60
    assert left >= len(CHANGES)
    addresses = [f"{table['source'][at]}/{table['match'][at]}/{table['deal'][at]}: " for at in places]
    for address, column in zip(addresses, CHANGES, strict=True):
        (said,) = [line for line in found.differences if line.startswith(address)]
        assert f"{column} " in said
    assert len(found.differences) == len(CHANGES)


def test_a_card_that_was_changed_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "w"
    part = simulated(store, "belot-bg", 30)
    table = pq.read_table(part)
    plays = table["plays"].to_pylist()
    plays[3][0], plays[3][31] = plays[3][31], plays[3][0]
    at = table.schema.get_field_index("plays")
    pq.write_table(table.set_column(at, table.schema.field(at), pa.array(plays, pa.list_(pa.uint8()))), part)
    assert pc.sum(pq.read_table(part)["finding_count"]).as_py() == 0
    found, _ = both(Warehouse(store), monkeypatch)
    assert len(found.differences) == 1

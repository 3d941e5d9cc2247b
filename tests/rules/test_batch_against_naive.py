"""The compiled deal pass and the compiled deals against the second engine, under rules that nobody has."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings

from belot_stats.fast_parts import add_chunk
from belot_stats.parts import PartWriter
from belot_stats.readers.reader import Chunk, ReadOptions
from belot_stats.ruleset import RuleResolver, RuleSet, load_ruleset
from belot_stats.simulator.job import SimulationJob
from tests import naive, strategies
from tests.simulate.test_against_naive import agree_on_matches
from tests.simulate.test_batch_matches import made_by_loop
from tests.slow_match import whole_match
from tests.strategies import SEEDS

Record = dict[str, Any]
HURRIED = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
CLAIMS = ("contract", "level", "declarer", "points", "score", "hanging", "capot")


class KeptTables(PartWriter):
    """Keeps the tables of clean deals."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[pa.Table] = []

    def add_clean(self, table: pa.Table, rules: RuleSet) -> None:
        self.kept.append(table)


def clean_rows(records: list[Record]) -> dict[int, Record]:
    """Rows of the deals that the compiled loops find clean, by line."""
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    writer = KeptTables()
    chunk = Chunk(data=data, first_line=1, first_byte=0, lines=len(records))
    left = [record.line for record, _ in add_chunk(writer, chunk, ReadOptions(None, RuleResolver()))]
    rows = {row["line"]: row for table in writer.kept for row in table.to_pylist()}
    assert sorted([*left, *rows]) == list(range(1, len(records) + 1))
    return rows


@settings(HURRIED, max_examples=40)
@given(strategies.rule_sets(), SEEDS)
def test_deals_of_the_slow_engine_have_its_results(rules: RuleSet, seed: int) -> None:
    records, _ = whole_match(rules, random.Random(seed), 6)
    hangs = [bool(record["claimed"].get("hanging")) for record in records]
    for line, row in clean_rows(records).items():
        claimed = records[line - 1]["claimed"]
        given = {name for name in CLAIMS if name in claimed and name in row}
        if any(hangs[: line - 1]):
            given -= {
                "score",
                "hanging",
            }  # a server writes what hung before, which a deal by itself does not know
        assert {name: row[name] for name in given} == {name: claimed[name] for name in given}


@settings(HURRIED, max_examples=40)
@given(strategies.rule_sets(), SEEDS)
def test_a_wrong_claim_is_never_clean(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    records, _ = whole_match(rules, rng, 4)
    wrong = [copy.deepcopy(record) for record in records if record["claimed"].get("points")]
    for record in wrong:
        points = record["claimed"]["points"]
        points[rng.randrange(len(points))] += rng.choice([-10, -1, 1, 10])
    assert clean_rows(wrong) == {}


@pytest.mark.parametrize("name", sorted(naive.SYSTEMS))
@pytest.mark.parametrize("policy", ["random", "sensible"])
def test_compiled_matches_agree_with_the_slow_engine(name: str, policy: str) -> None:
    job = SimulationJob(load_ruleset(name), policy, 29, "matches")
    agree_on_matches(naive.SYSTEMS[name], made_by_loop(job, range(1, 13)))


def test_most_deals_of_the_slow_engine_are_clean() -> None:
    clean = total = 0
    for name in sorted(naive.SYSTEMS):
        records, _ = whole_match(load_ruleset(name), random.Random(3), 30)
        clean += len(clean_rows(records))
        total += len(records)
    assert clean > 0.9 * total

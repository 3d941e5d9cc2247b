"""Golden simulated deals, replayed and compared byte by byte; see golden/SOURCE.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from belot_stats.checker import check_deal
from belot_stats.deal import Deal
from belot_stats.export import export_lines
from belot_stats.readers.bhh import read_line
from belot_stats.readers.reader import ReadOptions
from belot_stats.ruleset import RuleResolver, load_ruleset
from belot_stats.simulator import simulate_deals, simulate_matches

GOLDEN = Path(__file__).parent / "golden"
NAMES = (
    "belot-bg.random.deals.1.1-12",
    "belot-bg.sensible.deals.1.1-12",
    "belot-bg.sensible.matches.7.1-1",
    "belot-bg-classic.random.matches.7.3-2",
)


def replay(name: str) -> bytes:
    rules, policy, kind, seed, numbers = name.split(".")
    first, count = map(int, numbers.split("-"))
    make = simulate_deals if kind == "deals" else simulate_matches
    return b"".join(export_lines(make(load_ruleset(rules), policy, int(seed), first, count)))


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_comes_out_again(name: str) -> None:
    assert replay(name).splitlines() == (GOLDEN / f"{name}.jsonl").read_bytes().splitlines()


def test_every_golden_log_is_replayed() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_is_free_of_findings(name: str) -> None:
    resolver = RuleResolver()
    for number, raw in enumerate((GOLDEN / f"{name}.jsonl").read_bytes().splitlines(), 1):
        deal = read_line(raw, number, 0, ReadOptions(resolver=resolver))
        assert isinstance(deal, Deal)
        assert check_deal(deal, resolver.resolve(deal.rules, deal.options)).findings == ()


if __name__ == "__main__":
    for item in NAMES:
        (GOLDEN / f"{item}.jsonl").write_bytes(replay(item))

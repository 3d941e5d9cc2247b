"""Chunks and simulated parts that go through the compiled loops are stored to the byte as one by one."""

import hashlib
from pathlib import Path

import pytest

from belot_stats import parts, simulated
from belot_stats.ingest import ingest
from belot_stats.resources import resource
from belot_stats.ruleset import load_ruleset
from belot_stats.simulated import write_simulated
from belot_stats.simulator.job import SimulationJob

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "logs"
FOLDERS = ("deals", "findings", "quarantine")
SAMPLES = ("belot-bg.jsonl", "belot-bg-faulty.jsonl", "belot-bg-damaged.jsonl", "other-systems.jsonl")


def files_of(folder: Path) -> dict[str, str]:
    """Hash of every part's file."""
    found = [path for name in FOLDERS for path in sorted((folder / name).glob("*.parquet"))]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def read_both_ways(
    inputs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, str]]:
    hashes = []
    for name, is_fast in (("fast", True), ("slow", False)):
        monkeypatch.setattr(parts, "is_fast", lambda reader, may_compile, is_fast=is_fast: is_fast)
        ingest([str(path) for path in inputs], tmp_path / name)
        hashes.append(files_of(tmp_path / name))
    return hashes


def test_samples_are_stored_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = read_both_ways(
        [resource("data", f"samples/bhh/{name}") for name in SAMPLES], tmp_path, monkeypatch
    )
    assert len(slow) >= 2 * len(SAMPLES)
    assert fast == slow


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")
@pytest.mark.parametrize("preset", sorted(path.stem for path in SHARED.glob("*-faults.jsonl")))
def test_shared_logs_are_stored_alike(preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = [SHARED / f"{preset.removesuffix('-faults')}.jsonl", SHARED / f"{preset}.jsonl"]
    fast, slow = read_both_ways(inputs, tmp_path, monkeypatch)
    assert fast == slow


@pytest.mark.parametrize("policy", ["random", "sensible"])
@pytest.mark.parametrize("rules", ["belot-bg", "belot-ru-3p", "baloot"])
def test_simulated_deals_are_stored_alike(
    rules: str, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = load_ruleset(rules)
    job = SimulationJob(ruleset, policy, 5, "deals")
    write_simulated(tmp_path / "fast", ruleset, policy, 5, range(1, 301), job)
    monkeypatch.setattr(simulated, "has_loop", lambda job: False)
    write_simulated(tmp_path / "slow", ruleset, policy, 5, range(1, 301), job)
    assert files_of(tmp_path / "fast") == files_of(tmp_path / "slow")

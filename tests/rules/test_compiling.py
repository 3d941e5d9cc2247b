"""Compiled loops are kept under a fingerprint of every source that they are made of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "belot_stats"
ASK = "from belot_stats.rules.compiling import rules_fingerprint; print(rules_fingerprint())"


def fingerprint_in(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    asked = subprocess.run(
        [sys.executable, "-c", ASK], cwd=folder, env=environment, capture_output=True, check=True
    )
    return asked.stdout.decode().strip()


def test_an_edit_of_any_rule_is_another_fingerprint(tmp_path: Path) -> None:
    """So that no old answer comes out of the cache: numba itself looks at the file of the loop alone."""
    shutil.copytree(PACKAGE, tmp_path / "belot_stats", ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint_in(tmp_path)
    assert before == fingerprint_in(tmp_path)
    for name in ("rules/scoring.py", "cards.py", "simulator/sensible_cards.py"):
        source = tmp_path / "belot_stats" / name
        source.write_text(source.read_text(encoding="utf-8") + "\n# another rule\n", encoding="utf-8")
        after = fingerprint_in(tmp_path)
        assert after != before, name
        before = after


def test_sources_in_another_place_have_another_fingerprint(tmp_path: Path) -> None:
    """numba looks for a loop by the path of its source: those of another place would be taken for compiled."""
    for name in ("one", "other"):
        shutil.copytree(
            PACKAGE, tmp_path / name / "belot_stats", ignore=shutil.ignore_patterns("__pycache__")
        )
    assert fingerprint_in(tmp_path / "one") != fingerprint_in(tmp_path / "other")


def test_the_two_ways_to_find_a_bit_agree() -> None:
    from belot_stats.rules import compiling

    masks = [0x8000_0001, 0b1011_0000, 0xFFFF_FFFF, 1 << 31, 0x0F0F_1234]
    for mask in masks:
        places = [place for place in range(32) if mask >> place & 1]
        assert [int(compiling._nth_by_steps(mask, number)) for number in range(len(places))] == places
        assert [int(compiling.nth_bit(mask, number)) for number in range(len(places))] == places

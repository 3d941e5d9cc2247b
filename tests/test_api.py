"""The public functions: what they take, and what they say of what they cannot take."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import belot_stats as bs
from belot_stats.errors import BelotStatsError

RULES = "belot-bg"
WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: bs.legal_cards(RULES, None, "8H", [], 2), "None is no contract"),  # type: ignore[arg-type]
    (lambda: bs.legal_cards(RULES, "H", None, [], 2), "expected cards"),  # type: ignore[arg-type]
    (lambda: bs.legal_cards(RULES, "H", "10H", [], 2), "'10H' is no card"),
    (lambda: bs.legal_cards(RULES, "H", "", [], 2), "empty"),
    (lambda: bs.legal_cards(RULES, "H", "8H", [("JC",)], 2), "(seat, card)"),  # type: ignore[list-item]
    (lambda: bs.legal_cards(RULES, "H", "8H", [(0, "JC"), (1, "JC")], 2), "twice"),
    (lambda: bs.legal_cards(RULES, "H", "8H", [(0, "JC"), (2, "TC")], 3), "does not come after"),
    (lambda: bs.legal_cards(RULES, "H", "8H", [(0, "JC")], 2), "not the one to play"),
    (lambda: bs.legal_cards(RULES, "H", "8H", [], 4), "seat 4"),
    (lambda: bs.legal_cards("belot-bgg", "H", "8H", [], 0), "did you mean 'belot-bg'"),
    (lambda: bs.legal_calls(RULES, ["H", "C"]), "call 1 'C' is not allowed"),
    (lambda: bs.legal_calls(RULES, ["2H"]), "'2H' is no call"),
    (lambda: bs.score_declarations(RULES, "H", {0: ["8D TD"]}, 0), "no combination"),
    (lambda: bs.score_deal(RULES, "S", 3, (138, 64), 0), "level 3"),
    (lambda: bs.score_deal(RULES, "S", 1, (138.5, 64), 0), "138.5"),  # type: ignore[arg-type]
    (lambda: bs.score_deal(RULES, "S", 1, (138, 64, 0), 0), "2 numbers"),
    (lambda: bs.score_deal(RULES, "S", 1, (138, 64), 2), "declarer 2"),
    (lambda: bs.score_deal(RULES, "S", 1, (138, 64), 0, hanging=-7), "hanging -7"),
    (lambda: bs.simulate(RULES), "deals=N or matches=N"),
    (lambda: bs.simulate(RULES, deals=-1), "-1"),
    (lambda: bs.load_ruleset(RULES, {5: 1}), "unknown parameter 5"),  # type: ignore[dict-item]
    (lambda: bs.check({"format": object()}), "not JSON-able"),
]


@pytest.mark.parametrize(("call", "said"), WRONG)
def test_what_cannot_be_taken_is_said(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(BelotStatsError, match=re.escape(said)):
        call()


def test_rules_by_name_file_or_value_are_the_same(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('based_on = "belot-bg"\n', encoding="utf-8")
    trick = [(0, "JC"), (1, "7H")]
    for rules in (RULES, own, bs.load_ruleset(RULES)):
        assert bs.legal_cards(rules, contract="H", hand="8H AH 7S", trick=trick, seat=2) == ["8H", "AH"]


def test_numbers_of_numpy_are_numbers() -> None:
    points = tuple(np.array([138, 64]))
    assert bs.score_deal(RULES, "S", 1, points, np.int64(0)).score == (14, 6)


def test_check_takes_a_dict_a_text_or_bytes() -> None:
    line = (
        (Path(__file__).parents[1] / "data/samples/bhh/belot-bg.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()[0]
    )
    import json

    for record in (line, line.encode(), json.loads(line)):
        checked = bs.check(record)
        assert checked.findings == ()
        assert checked.computed is not None
        assert checked.computed.outcome == "failed"


def test_simulate_gives_the_schema_of_deals() -> None:
    from belot_stats.warehouse import schema

    table = bs.simulate(RULES, deals=20, seed=3, policy="random")
    assert table.schema.names == schema("deals").names
    assert table.num_rows == 20
    assert (
        bs.simulate(RULES, deals=5, seed=3, policy="random", first=6).column("plays").to_pylist()
        == table.slice(5, 5).column("plays").to_pylist()
    )

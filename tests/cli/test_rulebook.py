"""rules list, show and diff: across presets and rule files, with settings, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names, ruleset_values
from tests.cli.test_cli import words

OWN = """
name = "club"
based_on = "belot-world"
target = 101
[play]
must_ruff = { value = "opponent_holds", confidence = "low", source = "club rules", note = "not all agree" }
"""


def test_the_list_counts_how_sure_the_values_are(capfd: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(words(capfd, "rules", "list", "--json")[1])
    assert [item["name"] for item in listed] == list(ruleset_names())
    for item in listed:
        assert item["high"] + item["medium"] + item["low"] == len(read_rule_file(item["name"]).values)
        assert item["hash"] == load_ruleset(item["name"]).hash


def test_show_says_value_confidence_source_and_note(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "club.toml"
    own.write_text(OWN, encoding="utf-8")
    shown = json.loads(words(capfd, "rules", "show", own, "-f", "json")[1])
    assert shown["values"]["must_ruff"] == "opponent_holds"
    assert shown["origins"]["must_ruff"] == {
        "confidence": "low",
        "source": "club rules",
        "note": "not all agree",
    }
    assert shown["origins"]["must_overruff"]["note"] == read_rule_file("belot-world").notes["must_overruff"]
    text = words(capfd, "rules", "show", own)[1]
    assert "note: not all agree" in text
    assert "club rules" in text


def test_show_with_a_setting_has_no_source_for_it(capfd: pytest.CaptureFixture[str]) -> None:
    out = words(capfd, "rules", "show", "belot-ru-pairs", "--set", "next_dealer=next", "-f", "csv")[1]
    rows = {row["parameter"]: row for row in csv.DictReader(io.StringIO(out))}
    assert rows["next_dealer"]["value"] == '"next"'
    assert (rows["next_dealer"]["confidence"], rows["next_dealer"]["source"]) == ("", "set by hand")
    assert set(rows) == set(ruleset_values(load_ruleset("belot-ru-pairs")))


@pytest.mark.parametrize("first", ruleset_names())
def test_diff_names_what_differs_and_nothing_else(first: str, capfd: pytest.CaptureFixture[str]) -> None:
    values, others = (ruleset_values(load_ruleset(name)) for name in (first, "bela-3p"))
    found = json.loads(words(capfd, "rules", "diff", first, "bela-3p", "--json")[1])
    assert found == {k: [values[k], others[k]] for k in values if values[k] != others[k]}


def test_diff_with_a_setting_on_both(capfd: pytest.CaptureFixture[str]) -> None:
    settings = ("--set", "sequence_cap=5")
    header = words(capfd, "rules", "diff", "belot-bg", "belot-bg-classic", *settings, "-f", "md")[1]
    assert len(header.splitlines()) == len(["names", "rule"])
    assert "same values" in words(capfd, "rules", "diff", "belot-bg", "belot-bg-classic", *settings)[1]
    code, _, err = words(capfd, "rules", "diff", "belot-bg", "bela-4p", "--set", "sequence_cpa=5")
    assert code == 2
    assert "sequence_cap" in err


def test_an_unknown_format_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = words(capfd, "rules", "show", "belot-bg", "--format", "cvs")
    assert code == 2
    assert "'csv'" in err

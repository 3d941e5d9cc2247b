"""Rule sets as tables: every parameter with its value, how sure it is and where it is said; two sets side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from belot_stats.parameters import GROUPS, PARAMETERS
from belot_stats.rule_words import in_words
from belot_stats.ruleset import RuleFile, RuleSet, load_ruleset, read_rule_file, ruleset_values

DEFAULT_SOURCE = "not stated: the default"
SET_SOURCE = "set by hand"


class RuleRow(NamedTuple):
    """A parameter of a rule set; ``value`` as a rule file writes it, ``words`` as a player says it."""

    parameter: str
    group: str
    value: str
    words: str
    confidence: str  # high, medium or low; nothing for a default or a value that was set
    source: str
    note: str
    meaning: str


class DiffRow(NamedTuple):
    """A parameter that two rule sets do not share."""

    parameter: str
    group: str
    first: str
    second: str
    first_confidence: str
    second_confidence: str
    meaning: str


def rule_rows(rules: str | Path, overrides: Mapping[str, Any] | None = None) -> list[RuleRow]:
    """Rows of the rule set *rules*, a preset or a rule file, one a parameter, in the order of the groups.

    overrides: settings on top, which have no source.  Raises: as :func:`belot_stats.ruleset.load_ruleset`.
    """
    rule_file, given = read_rule_file(rules), overrides or {}
    values = ruleset_values(load_ruleset(rules, given))
    rows = [
        RuleRow(
            item.name,
            item.group,
            toml_text(values[item.name]),
            in_words(item.name, values[item.name]),
            *_origin(rule_file, item.name, given),
            item.meaning,
        )
        for item in PARAMETERS
    ]
    return sorted(rows, key=lambda row: GROUPS.index(row.group))


def _origin(rule_file: RuleFile, parameter: str, overrides: Mapping[str, Any]) -> tuple[str, str, str]:
    if parameter in overrides:
        return "", SET_SOURCE, ""
    if parameter not in rule_file.values:
        return "", DEFAULT_SOURCE, ""
    return rule_file.confidence[parameter], rule_file.sources[parameter], rule_file.notes[parameter]


def diff_rows(
    first: str | Path, second: str | Path, overrides: Mapping[str, Any] | None = None
) -> list[DiffRow]:
    """Parameters in which *first* and *second* differ; *overrides* are settings on top of both.

    Raises: as :func:`belot_stats.ruleset.load_ruleset`.
    """
    pairs = zip(rule_rows(first, overrides), rule_rows(second, overrides), strict=True)
    return [
        DiffRow(one.parameter, one.group, one.value, two.value, one.confidence, two.confidence, one.meaning)
        for one, two in pairs
        if one.value != two.value
    ]


def confidence_counts(rule_file: RuleFile) -> dict[str, int]:
    """How many values of *rule_file* are of high, medium and low confidence."""
    counts = {"high": 0, "medium": 0, "low": 0}
    for confidence in rule_file.confidence.values():
        counts[confidence] += 1
    return counts


def players_text(rules: RuleSet) -> str:
    """Players of *rules*, as in "4 in pairs"."""
    return f"{rules.players} in pairs" if rules.partners else str(rules.players)


def toml_text(value: Any) -> str:
    """*value* as a rule file and ``--set`` write it.

    >>> toml_text({"3": 20, "4": 50}), toml_text(["C", "N"]), toml_text(True)
    ('{3 = 20, 4 = 50}', '["C", "N"]', 'true')
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)

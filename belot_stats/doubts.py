"""Findings that rest on a rule which the source does not settle: a value of low confidence in a preset's rule file.

DEPENDENCIES says which rules a finding rests on, and in which deals they matter. A rule that a record's options or
``--set`` changed is settled by the table, and one of a user's own rule file by its author: nothing is said of those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from belot_stats.rule_tables import toml_text
from belot_stats.ruleset import RuleFile, read_rule_file, ruleset_names

LOW = "low"


class Dependency(NamedTuple):
    """A finding code rests on *parameter* in deals of *circumstance*, a word of ``reports/macros/doubts.sql``."""

    code: str
    parameter: str
    circumstance: str


class Doubt(NamedTuple):
    """A value that the source of the rule set *rules* does not settle, and what its rule file says of it."""

    rules: str
    parameter: str
    value: str  # as JSON
    said: str  # source and note
    doubt: str  # the same as a sentence


# Parameter -> circumstance in which it matters, a table a group of codes.
DECLARED = {
    "declarations": "declared",
    "sequence_points": "declared",
    "eight_run_points": "long run",
    "sequence_cap": "long run",
    "long_runs": "long run",
    "carre_points": "carré",
    "carre_order": "several carrés",
    "contest": "carré and sequence",
    "equal_points": "carré and sequence",
    "equal_sequences": "several sequences",
    "shared_cards": "carré and sequence",
    "declarations_need_trick": "declared, trickless",
    "declare_when": "declared",
    "four_aces_no_trumps": "no trumps",
}
ANNOUNCED = DECLARED | {
    "belote_points": "belote",
    "belote_when": "belote at all trumps",
    "belote_needs_trick": "belote, trickless",
    "belote_with_hundred": "belote, declared",
}
COUNTED = ANNOUNCED | {
    "last_trick_points": "always",
    "no_trumps_factor": "no trumps",
    "capot": "capot",
    "capot_points": "capot",
    "capot_no_trumps_factor": "capot at no trumps",
    "illegal_card": "illegal card",
}
DECIDED = COUNTED | {
    "made": "always",
    "made_basis": "always",
    "exact_tie": "tie",
    "exact_tie_no_trumps": "tie",
}
ROUNDED = {
    "rounding": "always",
    "multiply_before_rounding": "doubled",
    "sun_conversion": "no trumps",
    "hokum_conversion": "suit",
}
HUNG = {"hung_to": "points hung", "hung_policy": "several hung"}
SETTLED = (
    DECIDED
    | ROUNDED
    | HUNG
    | {
        "capot_when_doubled": "doubled capot",
        "capot_no_trumps_points": "capot at no trumps",
        "double_capot_points": "capot",
        "failed": "failed",
        "belote_kept_when_failed": "belote, failed",
        "kirtik": "failed or trickless",
        "penalty_points": "illegal card",
        "penalty_no_trumps_points": "illegal card",
        "all_pass": "all passed",
    }
)
MATCH_END = {
    "target": "always",
    "both_reach": "always",
    "no_exit_on_capot": "capot in the match",
    "no_exit_while_hanging": "points hung in the match",
    "declare_out": "always",
}
RESTS_ON: dict[str, dict[str, str]] = {
    "incomplete-deal": {"claim_cards": "claimed", "declare_out": "declared out"},
    "hand-mismatch": {"seven_exchange": "exchange"},
    "bid-too-low": {"sun_over_ace": "always", "raise_cancels_double": "doubled"},
    "contra-not-allowed": {
        "multipliers": "always",
        "no_trumps_doubling": "no trumps",
        "no_trumps_double_limit": "no trumps",
    },
    "call-after-end": {
        "redoubled_all_trumps_ends": "redoubled all trumps",
        "raise_cancels_double": "doubled",
    },
    "auction-not-closed": {"redoubled_all_trumps_ends": "redoubled all trumps"},
    "call-out-of-turn-up": {
        "round_two": "always",
        "ashkal": "always",
        "ashkal_on_ace": "always",
        "multipliers": "always",
    },
    "wrong-level": {"multipliers": "always"},
    "must-beat": {"beat_trump_lead": "suit", "rise_all_trumps": "all trumps"},
    "must-ruff": {"must_ruff": "suit"},
    "must-overruff": {"must_ruff": "suit", "must_overruff": "suit"},
    "must-undertrump": {"must_ruff": "suit", "cannot_overruff": "suit"},
    "false-declaration": {"long_runs": "long run", "carre_points": "carré"},
    "late-declaration": {"declare_when": "always"},
    "shared-card": {"shared_cards": "always"},
    "declaration-not-allowed": {"declarations": "always", "four_aces_no_trumps": "no trumps"},
    "false-belote": {"belote_when": "all trumps"},
    "late-belote": {"belote_when": "always"},
    "wrong-points": COUNTED,
    "wrong-made": DECIDED,
    "wrong-score": SETTLED,
    "wrong-rounding": ROUNDED,
    "wrong-hanging": DECIDED | ROUNDED | HUNG,
    "wrong-total": HUNG | {"illegal_card": "illegal card"},
    "wrong-dealer": {"next_dealer": "always"},
    "wrong-winner": MATCH_END,
    "deal-after-end": MATCH_END,
    "match-unfinished": MATCH_END,
}
DEPENDENCIES = tuple(
    Dependency(code, parameter, circumstance)
    for code, parameters in RESTS_ON.items()
    for parameter, circumstance in parameters.items()
)


def doubts(names: Iterable[str] | None = None) -> list[Doubt]:
    """Every value of low confidence of the presets, or of those among *names*."""
    presets = ruleset_names()
    asked = presets if names is None else sorted({*names} & {*presets})
    return [doubt for name in asked for doubt in doubts_of(read_rule_file(name))]


def doubts_of(rule_file: RuleFile) -> list[Doubt]:
    """Values of low confidence of *rule_file*.

    >>> [item.doubt for item in doubts_of(read_rule_file("belot-ru-pairs")) if item.parameter == "target"]
    ['the source does not settle target = 501: not stated: as in the game for three, A9']
    """
    return [_doubt(rule_file, name) for name, confidence in rule_file.confidence.items() if confidence == LOW]


def _doubt(rule_file: RuleFile, parameter: str) -> Doubt:
    value = rule_file.values[parameter]
    said = "; ".join(filter(None, (rule_file.sources[parameter], rule_file.notes[parameter])))
    sentence = f"the source does not settle {parameter} = {toml_text(value)}: {said}"
    return Doubt(rule_file.name, parameter, json.dumps(value), said, sentence)

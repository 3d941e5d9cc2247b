"""Collecting findings: severity by the rules, texts for cards and sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from belot_stats.findings import SEVERITY_OF, Finding
from belot_stats.parameters import PENALTY_ON_CLAIM
from belot_stats.ruleset import RuleSet

PLAY_CODES = (
    "card-not-in-hand",
    "revoke",
    "must-beat",
    "must-ruff",
    "must-overruff",
    "must-undertrump",
    "closed-lead",
)


class Findings:
    """Findings of one deal, in the order they are made."""

    def __init__(self, rules: RuleSet) -> None:
        self.items: list[Finding] = []
        self._is_punished_on_claim = rules.illegal_card == PENALTY_ON_CLAIM

    def add(self, code: str, expected: str, found: str, **where: Any) -> None:
        """One finding; *where* are fields of Finding."""
        severity = "irregularity" if self._is_punished_on_claim and code in PLAY_CODES else SEVERITY_OF[code]
        self.items.append(Finding(code=code, severity=severity, expected=expected, found=found, **where))


def format_sides(values: Iterable[int]) -> str:
    """Values of the sides as players write them.

    >>> format_sides((14, 6))
    '14-6'
    """
    return "-".join(map(str, values))

"""Belot Stats: rules, audit, simulation and statistics of belot in all its systems.

>>> import belot_stats as bs
>>> rules = bs.load_ruleset("belot-bg")
>>> bs.legal_cards(rules, contract="H", hand="8H AH 7S", trick=[(0, "JC"), (1, "7H")], seat=2)
['8H', 'AH']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from belot_stats.version import __version__

if TYPE_CHECKING:
    from belot_stats.api import (
        CheckedRecord,
        Score,
        best_declarations,
        check,
        legal_calls,
        legal_cards,
        read,
        report,
        score_deal,
        score_declarations,
        simulate,
    )
    from belot_stats.deal import BadRecord, Deal
    from belot_stats.errors import BelotStatsError
    from belot_stats.findings import Finding
    from belot_stats.ruleset import RuleSet, load_ruleset
    from belot_stats.warehouse import Warehouse

__all__ = [
    "BadRecord",
    "BelotStatsError",
    "CheckedRecord",
    "Deal",
    "Finding",
    "RuleSet",
    "Score",
    "Warehouse",
    "__version__",
    "best_declarations",
    "check",
    "legal_calls",
    "legal_cards",
    "load_ruleset",
    "read",
    "report",
    "score_deal",
    "score_declarations",
    "simulate",
]


# Modules of the names that are not in :mod:`belot_stats.api`.
_HOMES = {
    "BadRecord": "deal",
    "BelotStatsError": "errors",
    "Deal": "deal",
    "Finding": "findings",
    "RuleSet": "ruleset",
    "Warehouse": "warehouse",
    "load_ruleset": "ruleset",
}


def __getattr__(name: str) -> Any:
    """Names are imported when they are first asked for: every start of the command would wait for the rules."""
    if name not in __all__:
        raise AttributeError(f"module 'belot_stats' has no attribute {name!r}")
    value = getattr(import_module(f"belot_stats.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

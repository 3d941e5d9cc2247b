"""Deals by the million: the rule functions that serve one deal, compiled into loops over rows of deals.

:func:`random_deals` makes the same deals, from the same streams, as the policy ``random`` makes one by one;
:func:`check_records` gives the results of the deals of a log, and says which of them the checker must look at.
:func:`follow_matches` does the same for matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from belot_stats import cards
from belot_stats.record_columns import RecordColumns
from belot_stats.rules import auction, baloot, bidding, declarations, match, play, scoring, table, turn_up
from belot_stats.rules.batch_check import build_check
from belot_stats.rules.batch_loops import build_random, build_settle
from belot_stats.rules.compiling import compiled_twins, rules_record
from belot_stats.rules.deal_rows import DEAL, Rows, new_workspace, record_rows
from belot_stats.rules.match_loop import MatchResults, build_match_loop, new_results
from belot_stats.ruleset import RuleSet

MODULES = (cards, table, auction, bidding, turn_up, play, declarations, baloot, scoring, match)


def random_deals(rules: RuleSet, seed: int, first_deal: int, count: int) -> Rows:
    """Single deals number *first_deal* and following of the policy ``random``, as rows of DEAL."""
    rows = np.empty(count, dtype=DEAL)
    _loops()["random"](rules_record(rules), np.uint64(seed), np.uint64(first_deal), rows, new_workspace(rules))
    return rows


def check_records(rules: RuleSet, records: RecordColumns) -> tuple[Rows, npt.NDArray[np.uint8]]:
    """Results of the deals of a log as rows of DEAL, and which of them are DOUBTFUL and left to the checker."""
    given = record_rows(records)
    rows, status = np.zeros(len(given), dtype=DEAL), np.empty(len(given), dtype=np.uint8)
    _loops()["check"](rules_record(rules), given, rows, new_workspace(rules), status)
    return rows, status


def follow_matches(rulesets: Sequence[RuleSet], deals: Rows, first: npt.NDArray[np.int64]) -> MatchResults:
    """Standings of matches, and which of them are DOUBTFUL and left to the match checker.

    deals: as MATCH_DEAL, by match and number.  first: the first row of each match, and after the last the number of
    rows.
    """
    found = new_results(len(first) - 1, len(deals))
    queue = np.zeros(int(np.diff(first).max(initial=1)), dtype=np.int64)
    records = np.array([rules_record(rules) for rules in rulesets])
    _loops()["match"](records, deals, first, *found, queue)
    return found


@cache
def _loops() -> dict[str, Any]:
    """The compiled loops, made when they are first asked for."""
    twins = compiled_twins(MODULES)
    settle = build_settle(twins)
    return {
        "random": build_random(twins, settle),
        "check": build_check(twins, settle),
        "match": build_match_loop(twins),
    }

"""Deals by the million: the rule functions that serve one deal, compiled into loops over rows of deals.

:func:`random_deals` and :func:`sensible_deals` make the same deals, from the same streams, as the policies do one by
one; :func:`check_records` gives the results of the deals of a log, and says which of them the checker must look at.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from belot_stats.record_columns import RecordColumns
from belot_stats.rules.batch_check import check_rows
from belot_stats.rules.batch_loops import RANDOM, SENSIBLE, make_singles
from belot_stats.rules.compiling import rules_record
from belot_stats.rules.deal_rows import DEAL, Rows, new_workspace, record_rows
from belot_stats.ruleset import RuleSet


def random_deals(rules: RuleSet, seed: int, first_deal: int, count: int) -> Rows:
    """Single deals number *first_deal* and following of the policy ``random``, as rows of DEAL."""
    return single_deals(rules, RANDOM, seed, first_deal, count)


def sensible_deals(rules: RuleSet, seed: int, first_deal: int, count: int) -> Rows:
    """Single deals number *first_deal* and following of the policy ``sensible``, as rows of DEAL."""
    return single_deals(rules, SENSIBLE, seed, first_deal, count)


LOOPS: dict[str, Callable[[RuleSet, int, int, int], Rows]] = {
    "random": random_deals,
    "sensible": sensible_deals,
}


def single_deals(rules: RuleSet, policy: int, seed: int, first_deal: int, count: int) -> Rows:
    """Single deals number *first_deal* and following, as rows of DEAL.

    policy: one bit a seat, set for the sensible ones.
    """
    rows = np.zeros(count, dtype=DEAL)
    place = np.uint64(seed), np.uint64(first_deal)
    make_singles(rules_record(rules), policy or None, *place, rows, new_workspace(rules))
    return rows


def check_records(rules: RuleSet, records: RecordColumns | Rows) -> tuple[Rows, npt.NDArray[np.uint8]]:
    """Results of the deals of a log as rows of DEAL, and which of them are DOUBTFUL and left to the checker.

    records: in columns, or as rows of RECORD.
    """
    given = record_rows(records) if isinstance(records, RecordColumns) else records
    rows, status = np.zeros(len(given), dtype=DEAL), np.empty(len(given), dtype=np.uint8)
    check_rows(rules_record(rules), given, rows, new_workspace(rules), status)
    return rows, status

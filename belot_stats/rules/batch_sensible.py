"""Deals of the policy ``sensible`` by the million: its functions, compiled, in the loops that make deals."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit

from belot_stats.rules import batch
from belot_stats.rules.batch_loops import Choices, build_deals, build_settle
from belot_stats.rules.compiling import compiled_twins, rules_record
from belot_stats.rules.deal_rows import DEAL, Rows, new_workspace
from belot_stats.ruleset import RuleSet
from belot_stats.simulator import sensible_calls, sensible_cards

MODULES = (sensible_calls, sensible_cards)


def sensible_deals(rules: RuleSet, seed: int, first_deal: int, count: int) -> Rows:
    """Single deals number *first_deal* and following of the policy ``sensible``, as rows of DEAL."""
    rows = np.zeros(count, dtype=DEAL)
    _loop()(rules_record(rules), np.uint64(seed), np.uint64(first_deal), rows, new_workspace(rules))
    return rows


@cache
def _loop() -> Any:
    twins = compiled_twins((*batch.MODULES, *MODULES))
    return build_sensible(twins, build_settle(twins))


def build_sensible(twins: dict[str, Any], settle: Any) -> Any:
    """Compiled loop over single deals of the policy ``sensible``."""
    pick_call, look_at, pick_card = twins["pick_call"], twins["look_at"], twins["pick_card"]

    @njit
    def choose_call(rules, auction, legal, hand, turn_up_card, bidders, s):
        return pick_call(rules, auction, legal, hand, turn_up_card, bidders)

    @njit
    def choose_card(
        rules,
        contract,
        declarer,
        seat,
        hand,
        legal,
        unseen,
        voids,
        bidders,
        led,
        best,
        best_seat,
        position,
        worth,
        s,
    ):
        situation = look_at(
            rules,
            contract,
            declarer,
            seat,
            hand,
            unseen,
            voids,
            bidders,
            led,
            best,
            best_seat,
            position,
            worth,
        )
        return pick_card(situation, legal)

    @njit(inline="always")
    def exchanges(s, seat):
        return True

    return build_deals(twins, settle, Choices(choose_call, choose_card, exchanges))

"""The rule functions that compiled loops call, each as its compiled twin. Importing this imports numba."""

from __future__ import annotations

from typing import Any

from belot_stats import cards
from belot_stats.rules import auction, baloot, bidding, declarations, match, play, scoring, table, turn_up
from belot_stats.rules.compiling import compiled_twins
from belot_stats.simulator import sensible_calls, sensible_cards

TWINS: dict[str, Any] = compiled_twins(
    (
        *(cards, table, auction, bidding, turn_up, play, declarations, baloot, scoring, match),
        *(sensible_calls, sensible_cards),
    )
)
after_call = TWINS["after_call"]
after_exchange = TWINS["after_exchange"]
all_pass_contract = TWINS["all_pass_contract"]
beats = TWINS["beats"]
best_combinations = TWINS["best_combinations"]
combination_points = TWINS["combination_points"]
deal_winner = TWINS["deal_winner"]
declarations_count = TWINS["declarations_count"]
exchange_seven = TWINS["exchange_seven"]
hung_taken = TWINS["hung_taken"]
kind_of = TWINS["kind_of"]
lead_mask = TWINS["lead_mask"]
legal_call_mask = TWINS["legal_call_mask"]
level_of = TWINS["level_of"]
look_at = TWINS["look_at"]
match_winner = TWINS["match_winner"]
may_exchange = TWINS["may_exchange"]
may_stand_together = TWINS["may_stand_together"]
next_dealer = TWINS["next_dealer"]
pack_mask = TWINS["pack_mask"]
pick_call = TWINS["pick_call"]
pick_card = TWINS["pick_card"]
raw_total = TWINS["raw_total"]
seat_after = TWINS["seat_after"]
settle_all_pass = TWINS["settle_all_pass"]
settle_deal = TWINS["settle_deal"]
side_count_of = TWINS["side_count"]
side_of = TWINS["side_of"]
sit_down = TWINS["sit_down"]
start_auction = TWINS["start_auction"]
turn_up_receiver = TWINS["turn_up_receiver"]
with_bid = TWINS["with_bid"]
counted_part = TWINS["counted_part"]
lower_part = TWINS["lower_part"]
lowest_run = TWINS["lowest_run"]
contest_after = TWINS["contest_after"]
fate_of = TWINS["fate_of"]
is_apart = TWINS["is_apart"]

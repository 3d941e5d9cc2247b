"""A second, slow rules engine: plain strings, sets and lists, written from RULES.md alone.

It shares no code with the package, so that the two can be compared: where they differ, one of
them (or the text) is wrong.  Clarity comes before speed everywhere.

This module gathers its parts; see also :mod:`tests.naive_deal` and :mod:`tests.naive_baloot`.

Cards are two characters, rank then suit ("TD"); hands are strings ("8H AH 7S") or lists.
Rules are a plain dict: parameter name -> value, named as in RULES.md section 5.
"Q4" and the like name the paragraphs of RULES.md section 3, "1d" its tables.
"""

from tests.naive_auction import auction_result, legal_calls
from tests.naive_declarations import (
    best_declarations,
    carre_points,
    combination_points,
    possible_declarations,
    score_declarations,
)
from tests.naive_play import (
    NATURAL_ORDER,
    SUITS,
    all_sides,
    card_list,
    card_points,
    forbidden,
    lead_cards,
    legal_cards,
    perft,
    side_of,
    suit_of,
    trick_points,
    trick_winner,
)
from tests.naive_scores import (
    add,
    capot_bonus,
    match_state,
    match_winner,
    raw_points,
    round_alone,
    score_deal,
)
from tests.naive_systems import BELOT_BG, BELOT_BG_CLASSIC, BELOTE_FR, SYSTEMS

__all__ = [
    "BELOTE_FR",
    "BELOT_BG",
    "BELOT_BG_CLASSIC",
    "NATURAL_ORDER",
    "SUITS",
    "SYSTEMS",
    "add",
    "all_sides",
    "auction_result",
    "best_declarations",
    "capot_bonus",
    "card_list",
    "card_points",
    "carre_points",
    "combination_points",
    "forbidden",
    "lead_cards",
    "legal_calls",
    "legal_cards",
    "match_state",
    "match_winner",
    "perft",
    "possible_declarations",
    "raw_points",
    "round_alone",
    "score_deal",
    "score_declarations",
    "side_of",
    "suit_of",
    "trick_points",
    "trick_winner",
]

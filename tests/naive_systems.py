"""The slow engine's copy of the matrix (RULES.md 1): the parameters of each system."""


# --- Rule systems: the matrix, section 1 -----------------------------------------------------

BELOT_BG = {
    # table (1a)
    "players": 4,
    "partners": True,
    "direction": "counter-clockwise",
    "lowest_rank": "7",
    "first_packets": [3, 2],
    "second_packets": [3],
    "turn_up": "none",
    "turn_up_to": "nobody",
    "cut_only": False,
    # auction (1b)
    "bidding": "auction",
    "contracts": ["C", "D", "H", "S", "N", "A"],
    "round_two": "none",
    "ashkal": "none",
    "ashkal_on_ace": False,
    "sun_over_ace": "anyone",
    "multipliers": [2, 4],
    "no_trumps_doubling": "all",
    "no_trumps_double_limit": 0,
    "closed_doubling": False,
    "raise_cancels_double": True,
    "redoubled_all_trumps_ends": False,
    "all_pass": "redeal",
    "forced_dealer": False,
    # play (1d)
    "beat_trump_lead": "always",
    "must_ruff": "opponent_holds",
    "must_overruff": True,
    "cannot_overruff": "free",
    "rise_all_trumps": "always",
    "seven_exchange": False,
    "illegal_card": "plays_on",
    "claim_cards": 0,
    "penalty_points": 0,
    "penalty_no_trumps_points": 0,
    # declarations (1e)
    "declarations": "trumps",
    "sequence_points": {3: 20, 4: 50, 5: 100},
    "eight_run_points": 100,
    "sequence_cap": 0,  # Q7: the longer run wins, taken literally
    "long_runs": "whole",
    "carre_points": {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100},
    "carre_order": ["J", "9", "A", "T", "K", "Q"],
    "contest": "separate",
    "equal_points": "top_card",
    "equal_sequences": "void",
    "shared_cards": False,
    "declarations_need_trick": False,  # Q24
    "declare_when": "first_card",
    "four_aces_no_trumps": 0,  # Q25
    # belote (1e)
    "belote_points": 20,
    "belote_when": "lead_follow_ruff",
    "belote_needs_trick": False,
    "belote_kept_when_failed": False,
    "belote_with_hundred": True,
    # deal score (1f)
    "last_trick_points": 10,
    "no_trumps_factor": 2,
    "scaled_total": 0,
    "capot": "raw",
    "capot_points": 90,
    "double_capot_points": 0,
    "capot_no_trumps_points": 0,
    "capot_no_trumps_factor": 1,  # Q2
    "capot_when_doubled": "multiplied",  # Q2
    "made": "more",
    "failed": "all_to_defenders",
    "exact_tie": "hangs",
    "exact_tie_no_trumps": "hangs",
    "hung_to": "deal_winner",
    "hung_policy": "sum",
    "rounding": "shared_tens",
    "multiply_before_rounding": False,  # Q1
    "sun_conversion": "sun_ten_keep5",
    "hokum_conversion": "hokum_complement",
    "made_basis": "raw",
    "kirtik": 0,
    # match (1g)
    "target": 151,
    "both_reach": "higher",
    "no_exit_on_capot": True,
    "no_exit_while_hanging": False,  # Q23
    "declare_out": False,
    "next_dealer": "next",
}

# Q7: the author of the classic text lets a run of six count as a hundred like a run of five.
BELOT_BG_CLASSIC = BELOT_BG | {"sequence_cap": 5}

# The other columns of the matrix, so that every parameter value meets recorded cases.
BELOT_WORLD = BELOT_BG_CLASSIC | {
    "redoubled_all_trumps_ends": True,
    "beat_trump_lead": "not_over_partner",  # Q4, literal
    "must_ruff": "always",  # Q4, literal
    "must_overruff": False,
    "cannot_overruff": "undertrump",
    "rise_all_trumps": "not_over_partner",
    "eight_run_points": 120,
    "long_runs": "eight_apart",  # A302
    "declare_when": "first_trick",
    "belote_when": "any_play",
    "capot": "game",
    "capot_points": 9,
    "capot_no_trumps_factor": 2,  # Q2
    "capot_when_doubled": "deal_not_doubled",  # Q2
    "multiply_before_rounding": True,  # Q1
}
BELOTE_FR = BELOT_BG | {
    "turn_up": "one",
    "turn_up_to": "taker",
    "bidding": "turn_up",
    "contracts": ["C", "D", "H", "S"],
    "round_two": "other_suits",
    "multipliers": [],
    "cannot_overruff": "undertrump",
    "contest": "single",  # Q39
    "equal_sequences": "trump_then_earlier",
    "declare_when": "first_trick",
    "belote_when": "any_play",
    "belote_kept_when_failed": True,  # Q10
    "rounding": "none",  # Q44
    "target": 1000,
    "no_exit_on_capot": False,
}
BELA_4P = BELOT_BG_CLASSIC | {
    "redoubled_all_trumps_ends": True,
    "must_ruff": "always",  # Q5
    "must_overruff": False,  # Q5
    "cannot_overruff": "undertrump",
    "eight_run_points": 120,
    "long_runs": "highest_five",  # A427
    "carre_order": ["J", "9", "A", "K", "Q", "T"],
    "declarations_need_trick": True,
    "capot": "game",
    "capot_points": 9,
    "capot_when_doubled": "bonus_fixed",  # Q2
    "multiply_before_rounding": True,  # Q1
    # A449 ends the deal at an illegal card; an audit goes on, and "ends_deal" is an option.
    "declare_when": "second_trick",  # Q43
}
BELA_3P = BELA_4P | {
    "players": 3,
    "partners": False,
    "lowest_rank": "9",
    "made": "more_than_each",
    "failed": "own_points_split",  # Q27
    "hung_to": "top_scorer",
    "rounding": "each_alone",  # Q27
}
BELA_2P = BELA_4P | {
    "players": 2,
    "partners": False,
    "lowest_rank": "9",
    "first_packets": [3, 3],
    "rounding": "each_alone",  # Q27
}
BELOT_RU_3P = BELOTE_FR | {
    "players": 3,
    "partners": False,
    "direction": "clockwise",
    "first_packets": [3, 3],
    "turn_up_to": "nobody",
    "seven_exchange": True,
    "sequence_cap": 5,
    "shared_cards": True,
    "declarations_need_trick": True,
    "declare_when": "first_card",
    "belote_when": "while_held",
    "belote_needs_trick": True,  # Q16
    "belote_kept_when_failed": False,
    "capot": "players",
    "capot_points": 50,
    "double_capot_points": 100,
    "made": "more_than_each",
    "failed": "own_points_split",
    "hung_to": "top_scorer",
    "target": 501,
    "both_reach": "last_trick",
    "declare_out": True,
    "next_dealer": "top_scorer",
}
BELOT_RU_PAIRS = BELOT_RU_3P | {
    "players": 4,
    "partners": True,
    "first_packets": [3, 2],
    "turn_up_to": "taker_or_dealer",
    "contracts": ["C", "D", "H", "S", "N", "A"],
    "round_two": "other_suits_and_no_suit",
    "all_pass": "play",
    "seven_exchange": False,  # Q45
    "declarations": "all_contracts",  # Q21
    "capot": "none",
    "made": "more",
    "failed": "all_to_defenders",
    "declare_out": False,  # Q11
    "next_dealer": "orderer",  # Q19
    "claim_cards": 8,  # "все мои"
}
BELOT_1001_2P = BELOT_RU_3P | {
    "players": 2,
    "turn_up": "two",
    "round_two": "second_turn_up",  # Q12
    "must_ruff": "never",  # Q13
    "cannot_overruff": "free",
    "seven_exchange": False,
    "sequence_cap": 0,  # Q7
    "carre_points": {"J": 200, "9": 140, "A": 110, "Q": 100, "K": 50, "T": 50},  # Q14
    "declare_when": "on_lead",
    "capot": "none",
    "failed": "all_to_defenders",
    "made": "more",
    "target": 1001,
    "next_dealer": "orderer_after_hanging",  # C20
}
BELOT_1001_3P = BELOT_1001_2P | {
    "players": 3,
    "made": "more_than_each",
    "failed": "own_points_split",
}
SYSTEMS = {
    "belot-bg": BELOT_BG,
    "belot-bg-classic": BELOT_BG_CLASSIC,
    "belot-world": BELOT_WORLD,
    "belote-fr": BELOTE_FR,
    "bela-4p": BELA_4P,
    "bela-3p": BELA_3P,
    "bela-2p": BELA_2P,
    "belot-ru-3p": BELOT_RU_3P,
    "belot-ru-pairs": BELOT_RU_PAIRS,
    "belot-1001-2p": BELOT_1001_2P,
    "belot-1001-3p": BELOT_1001_3P,
}

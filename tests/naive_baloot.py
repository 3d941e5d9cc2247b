"""The slow engine, third part: Baloot's bidding and settlement, from BALOOT.md parts 1 and 2 alone."""

from tests.naive import BELOT_BG

# --- The four profiles: 1a to 1g and 2d; the first is `baloot_pagat` -----------------------------

BALOOT = BELOT_BG | {
    "turn_up": "one",
    "turn_up_to": "taker_or_partner",
    "bidding": "floor_card",
    "contracts": ["C", "D", "H", "S", "N"],
    "round_two": "other_suits_and_no_suit",
    "ashkal": "first_round",
    "ashkal_on_ace": True,
    "multipliers": [2, 3, 4, 0],
    "no_trumps_doubling": "first_level",
    "no_trumps_double_limit": 99,  # less than 100
    "closed_doubling": True,
    "raise_cancels_double": False,
    "beat_trump_lead": "not_over_partner",
    "must_ruff": "unless_partner_led_ace",
    "illegal_card": "penalty_on_claim",
    "claim_cards": 8,
    "penalty_points": 16,
    "penalty_no_trumps_points": 26,
    "declarations": "all_contracts",
    "sequence_cap": 5,
    "carre_points": dict.fromkeys("TJQKA", 100),
    "carre_order": ["A", "K", "Q", "J", "T"],
    "contest": "by_points",
    "equal_points": "carre_first",
    "equal_sequences": "earlier",
    "four_aces_no_trumps": 200,
    "belote_when": "second_card",
    "belote_with_hundred": False,
    "scaled_total": 0,
    "no_trumps_factor": 1,  # Sun has a conversion of its own
    "capot": "fixed",
    "capot_points": 25,
    "capot_no_trumps_points": 44,
    "exact_tie": "keeps",
    "exact_tie_no_trumps": "keeps",
    "rounding": "baloot",
    "target": 152,
    "no_exit_on_capot": False,
}
PROFILES = {
    "baloot": BALOOT,
    "baloot-regulation": BALOOT
    | {
        "ashkal": "both_rounds",
        "sun_over_ace": "first_speaker",
        "must_ruff": "opponent_holds",
        "no_trumps_double_limit": 100,
        "equal_points": "sequence_first",
        "belote_kept_when_failed": True,
        "capot_when_doubled": "bonus_fixed",
        "sun_conversion": "sun_ten_5up",
    },
    "baloot-commercial": BALOOT
    | {
        "must_ruff": "opponent_holds",
        "exact_tie": "fails",
        "hokum_conversion": "hokum_pair",
        "made_basis": "game_then_raw",
    },
    "baloot-archive-server": BALOOT
    | {
        "ashkal": "both_rounds",
        "ashkal_on_ace": False,
        "must_ruff": "opponent_holds",
        "cannot_overruff": "undertrump",
        "claim_cards": 4,
        "equal_points": "top_card",
        "shared_cards": True,
        "belote_with_hundred": True,
        "exact_tie": "fails",
        "exact_tie_no_trumps": "fails",
        "sun_conversion": "sun_fifth",
        "hokum_conversion": "hokum_independent",
        "made_basis": "game",
    },
}

# --- Settlement: part 2 ------------------------------------------------------------------------

SUN_ADDS = {  # 2a, by the last digit of the raw points
    "sun_ten_keep5": [0, 0, 0, 0, 0, 1, 2, 2, 2, 2],
    "sun_ten_5up": [0, 0, 0, 0, 0, 2, 2, 2, 2, 2],
    "sun_fifth": [0, 0, 0, 1, 1, 1, 1, 1, 2, 2],
}


def sun_points(rules, raw):
    return 2 * (raw // 10) + SUN_ADDS[rules["sun_conversion"]][raw % 10]


def hokum_points(raw):
    return raw // 10 + (1 if raw % 10 >= 6 else 0)


def converted(rules, contract, cards, buyer):
    """Game points of the cards, a side."""
    other = 1 - buyer
    score = [0, 0]
    if contract == "N":
        score = [sun_points(rules, raw) for raw in cards]
        if rules["sun_conversion"] == "sun_ten_5up":  # for the other side only
            score[buyer] = 26 - score[other]
        return score
    score = [hokum_points(raw) for raw in cards]
    if rules["hokum_conversion"] == "hokum_complement":
        score[buyer] = 16 - score[other]
    elif rules["hokum_conversion"] == "hokum_pair" and sum(score) == 17:
        score[cards.index(max(cards))] -= 1
    return score


def project_points(contract, raw):
    return 2 * raw // 10 if contract == "N" else raw // 10


def raised_last(level_number, buyer):
    """Double and four are the other side's, triple and gahwa the buyer's (1b)."""
    return 1 - buyer if level_number % 2 == 1 else buyer


def is_made(rules, contract, level_number, cards, projects, baloots, game, buyer):
    """2c; *game*: game points a side with projects and baloots."""
    other = 1 - buyer
    raw = [cards[side] + projects[side] + baloots[side] for side in (0, 1)]
    if rules["made_basis"] == "raw" or (
        rules["made_basis"] == "game_then_raw" and game[buyer] == game[other]
    ):
        mine, theirs = raw[buyer], raw[other]
    else:
        mine, theirs = game[buyer], game[other]
    if mine != theirs:
        return mine > theirs
    if level_number:  # 1f: doubled and equal, whoever raised last loses
        return raised_last(level_number, buyer) != buyer
    return rules["exact_tie_no_trumps" if contract == "N" else "exact_tie"] == "keeps"


def score_deal(rules, contract, level, cards, projects, baloots, buyer, kaboot):
    """-> (score a side, whether the buyer made it).

    cards: raw points of the tricks with the last one's 10, projects and baloots: raw, all a side.
    kaboot: side that took every trick, or None.
    """
    level_number = 0 if level == 1 else 1 + rules["multipliers"].index(level)
    extra = [project_points(contract, raw) for raw in projects]
    held = [raw // 10 for raw in baloots]
    if kaboot is not None:
        return score_kaboot(rules, contract, level, extra, held, kaboot), kaboot == buyer
    game = [a + b + c for a, b, c in zip(converted(rules, contract, cards, buyer), extra, held, strict=True)]
    made = is_made(rules, contract, level_number, cards, projects, baloots, game, buyer)
    if made and level == 1:
        return tuple(game), True
    winner = buyer if made else 1 - buyer
    # Doubled, the loser writes nothing at all (REG, PAG).
    kept = held[buyer] if level == 1 and rules["belote_kept_when_failed"] else 0
    score = [0, 0]
    score[winner] = won_whole(rules, contract, level, game, extra, held) - kept
    score[1 - winner] = kept
    return tuple(score), made


def won_whole(rules, contract, level, game, extra, held):
    """What a side writes that wins everything: all of it times the level, a baloot never doubled."""
    if level == 0:  # gahwa: the match
        return rules["target"]
    whole = sum(game) - sum(extra) - sum(held)  # 26, or 16; 17 where each side rounds for itself
    return (whole + sum(extra)) * level + sum(held)


def score_kaboot(rules, contract, level, extra, held, kaboot):
    """1f: 44 or 25 and the winner's own projects and baloot; the other side nothing."""
    score = [0, 0]
    if level == 0:
        score[kaboot] = rules["target"]
        return tuple(score)
    fixed = rules["capot_no_trumps_points"] if contract == "N" else rules["capot_points"]
    factor = level if rules["capot_when_doubled"] == "multiplied" else 1  # REG 7-7: flat
    score[kaboot] = (fixed + extra[kaboot]) * factor + held[kaboot]
    return tuple(score)


# --- Bidding: 1b -------------------------------------------------------------------------------
#
# The order of speaking that BALOOT.md leaves open: over a suit the others speak once each, in turn, and then its
# caller; doubling follows, from the seat after the buyer's, until all but one have passed in a row.

RAISES = ["X", "XX", "XXX", "XXXX"]


def start_of_bidding(dealer):
    return {
        "stage": "calls",  # calls, over (Sun over a suit), confirming, doubling, closed
        "seat": (dealer + 1) % 4,
        "turns": 0,  # of this stage
        "suit": None,  # the suit called, and who called it
        "caller": None,
        "passed_in_round_two": set(),
        "round": 1,
        "contract": None,
        "declarer": None,
        "ashkal": False,
        "doubles": 0,
        "is_closed": False,
        "passes": 0,
    }


def read_bidding(rules, calls, dealer, floor):
    """Where the bidding stands after legal *calls*; *floor*: the floor card."""
    state = start_of_bidding(dealer)
    for call in calls:
        assert call in open_calls(rules, state, dealer, floor), (calls, call)
        if state["stage"] == "calls":
            take_call(state, call, 1 if rules["round_two"] == "none" else 2)
        else:
            LATER_STAGES[state["stage"]](state, call)
        if state["stage"] not in ("doubling", "closed") or state["turns"]:
            state["seat"] = (state["seat"] + 1) % 4
        if state["stage"] == "doubling" and not state["turns"]:
            state["turns"] = 1
            state["seat"] = (state["declarer"] + 1) % 4
            if not level_count(rules, state["contract"]):
                state["stage"] = "closed"
    return state


def level_count(rules, contract):
    levels = len(rules["multipliers"])
    return min(levels, 1) if contract == "N" and rules["no_trumps_doubling"] == "first_level" else levels


def sun(state, seat, call):
    """Sun ends the bidding; Ashkal is a Sun whose floor card goes to the partner."""
    state |= {"contract": "N", "declarer": seat, "ashkal": call == "AK", "stage": "doubling", "turns": 0}


def take_call(state, call, rounds):
    seat = state["seat"]
    if call in ("N", "AK"):
        sun(state, seat, call)
    elif call != "P":
        state |= {"suit": call, "caller": seat, "stage": "over", "turns": 0}
    else:
        state["turns"] += 1
        if state["round"] == 2:
            state["passed_in_round_two"].add(seat)
        if state["turns"] == 4 and state["round"] < rounds:
            state |= {"round": 2, "turns": 0}
        elif state["turns"] == 4:
            state["stage"] = "closed"


def take_over(state, call):
    if call == "P":
        state["turns"] += 1
        if state["turns"] == 3:
            state["stage"] = "confirming"
    else:
        sun(state, state["seat"], call)


def confirm(state, call):
    if call == "N":
        sun(state, state["caller"], call)
    else:
        state |= {"contract": state["suit"], "declarer": state["caller"], "stage": "doubling", "turns": 0}


def double(state, call):
    if call == "P":
        state["passes"] += 1
        if state["passes"] == 3:
            state["stage"] = "closed"
        return
    # Triple and gahwa are always open.
    state |= {"doubles": state["doubles"] + 1, "passes": 0, "is_closed": call.endswith("-")}


LATER_STAGES = {"over": take_over, "confirming": confirm, "doubling": double}


def may_call_ashkal(rules, state, dealer, floor):
    """Only the dealer and dealer's left, in the rounds and on the floor cards that the rules name."""
    rounds = {"none": (), "both_rounds": (1, 2), "first_round": (1,), "second_round": (2,)}[rules["ashkal"]]
    on_ace = floor[0] != "A" or rules["ashkal_on_ace"]
    return state["seat"] in (dealer, (dealer + 3) % 4) and state["round"] in rounds and on_ace


def may_call_sun(rules, state, dealer, floor):
    """Over a suit on an ace perhaps only dealer's right; in round 2 only where that round has Sun."""
    if state["round"] == 2 and rules["round_two"] != "other_suits_and_no_suit":
        return False
    is_barred = rules["sun_over_ace"] == "first_speaker" and floor[0] == "A" and state["stage"] != "calls"
    return not is_barred or state["seat"] == (dealer + 1) % 4


def open_calls(rules, state, dealer, floor):
    if state["stage"] == "closed":
        return []
    if state["stage"] == "doubling":
        return ["P", *raises(rules, state)]
    ashkal = ["AK"] if may_call_ashkal(rules, state, dealer, floor) else []
    no_suit = ["N"] if may_call_sun(rules, state, dealer, floor) else []
    if state["stage"] == "over":
        may_speak = no_suit or rules["sun_over_ace"] == "anyone" or floor[0] != "A"
        if state["seat"] in state["passed_in_round_two"] or not may_speak:
            return ["P"]
        return ["P", *no_suit, *ashkal]
    if state["stage"] == "confirming":
        return ["P", *no_suit]
    suits = [call for call in rules["contracts"] if call != "N"]
    is_first = state["round"] == 1
    return ["P", *no_suit, *ashkal, *(suit for suit in suits if (suit == floor[1]) == is_first)]


def raises(rules, state):
    """Strictly alternating between the sides; the double and the four may be closed in a suit."""
    levels, contract = level_count(rules, state["contract"]), state["contract"]
    is_buyer = (state["seat"] - state["declarer"]) % 2 == 0
    if state["doubles"] >= levels or is_buyer != (state["doubles"] % 2 == 1):
        return []
    call = RAISES[state["doubles"]]
    can_close = rules["closed_doubling"] and contract != "N" and call in ("X", "XXX")
    return [call, call + "-"] if can_close else [call]


def may_double_sun(rules, totals, buyer):
    """REG 7-2: a side at the limit or below doubles one above it; *totals* before the deal, *buyer* a side."""
    limit = rules["no_trumps_double_limit"]
    return not limit or totals[1 - buyer] <= limit < totals[buyer]


def legal_calls(rules, calls, dealer, floor, totals=None):
    state = read_bidding(rules, calls, dealer, floor)
    found = open_calls(rules, state, dealer, floor)
    if totals and state["contract"] == "N" and not may_double_sun(rules, totals, state["declarer"] % 2):
        return [call for call in found if not call.startswith("X")]
    return found

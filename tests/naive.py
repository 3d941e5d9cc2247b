"""A second, slow rules engine: plain strings, sets and lists, written from RULES.md alone.

It shares no code with the package, so that the two can be compared: where they differ, one of
them (or the text) is wrong.  Clarity comes before speed everywhere.

Cards are two characters, rank then suit ("TD"); hands are strings ("8H AH 7S") or lists.
Rules are a plain dict: parameter name -> value, named as in RULES.md section 5.
"Q4" and the like name the paragraphs of RULES.md section 3, "1d" its tables.
"""

from itertools import chain, combinations

SUITS = "CDHS"
CONTRACTS = ["C", "D", "H", "S", "N", "A"]
NATURAL_ORDER = "789TJQKA"  # lowest first, for sequences
PLAIN_ORDER = "789JQKTA"  # lowest first, 1c
TRUMP_ORDER = "78QKTA9J"  # lowest first, 1c
PLAIN_VALUES = {"7": 0, "8": 0, "9": 0, "T": 10, "J": 2, "Q": 3, "K": 4, "A": 11}
TRUMP_VALUES = {"7": 0, "8": 0, "9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11}

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
    "multipliers": [2, 4],
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
    # declarations (1e)
    "declarations": "trumps",
    "sequence_points": {3: 20, 4: 50, 5: 100},
    "eight_run_points": 100,
    "sequence_cap": 0,  # Q7: the longer run wins, taken literally
    "carre_points": {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100},
    "carre_order": ["J", "9", "A", "T", "K", "Q"],
    "contest": "separate",
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
    # deal score (1f)
    "last_trick_points": 10,
    "no_trumps_factor": 2,
    "capot": "raw",
    "capot_points": 90,
    "double_capot_points": 0,
    "capot_no_trumps_factor": 1,  # Q2
    "capot_when_doubled": "multiplied",  # Q2
    "made": "more",
    "failed": "all_to_defenders",
    "hung_to": "deal_winner",
    "hung_policy": "sum",
    "rounding": "shared_tens",
    "multiply_before_rounding": False,  # Q1
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
    "carre_order": ["J", "9", "A", "K", "Q", "T"],
    "declarations_need_trick": True,
    "capot": "game",
    "capot_points": 9,
    "capot_when_doubled": "bonus_fixed",  # Q2
    "multiply_before_rounding": True,  # Q1
    "illegal_card": "ends_deal",
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
    "next_dealer": "next",
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


# --- Seats, sides, cards ---------------------------------------------------------------------


def side_of(rules, seat):
    return seat % 2 if rules["partners"] else seat


def all_sides(rules):
    return sorted({side_of(rules, seat) for seat in range(rules["players"])})


def card_list(hand):
    return hand.split() if isinstance(hand, str) else list(hand)


def rank_of(card):
    return card[0]


def suit_of(card):
    return card[1]


def is_trump(contract, card):
    return contract == "A" or suit_of(card) == contract


def strength(contract, card):
    """How high a card stands in its own suit."""
    order = TRUMP_ORDER if is_trump(contract, card) else PLAIN_ORDER
    return order.index(rank_of(card))


def card_points(contract, card):
    values = TRUMP_VALUES if is_trump(contract, card) else PLAIN_VALUES
    return values[rank_of(card)]


# --- Play: 1d --------------------------------------------------------------------------------


def beats(contract, card, best):
    """Does *card*, played later, take the trick from *best*?"""
    if suit_of(card) == suit_of(best):
        return strength(contract, card) > strength(contract, best)
    return contract in SUITS and suit_of(card) == contract


def winning_play(contract, trick):
    best = trick[0]
    for play in trick[1:]:
        if beats(contract, play[1], best[1]):
            best = play
    return best


def trick_winner(rules, contract, trick):
    return winning_play(contract, trick)[0]


def trick_points(rules, contract, cards):
    """Single card values: no last trick, and no trumps not yet doubled."""
    return sum(card_points(contract, card) for card in card_list(cards))


def partner_holds(rules, contract, trick, seat):
    winner = trick_winner(rules, contract, trick)
    return rules["partners"] and side_of(rules, winner) == side_of(rules, seat)


def higher_than_table(contract, cards, trick, suit):
    """Cards of *suit* above every card of that suit on the table."""
    on_table = [card for _, card in trick if suit_of(card) == suit]
    return [
        card
        for card in cards
        if suit_of(card) == suit
        and all(strength(contract, card) > strength(contract, other) for other in on_table)
    ]


def forbidden(rules, contract, hand, trick, seat):
    """The cards of *hand* that may not be played, each with the code of its fault."""
    cards = card_list(hand)
    if not trick:
        return {}
    lead_suit = suit_of(trick[0][1])
    if any(suit_of(card) == lead_suit for card in cards):
        return forbidden_when_following(rules, contract, cards, trick, seat, lead_suit)
    # Void at no trumps or at all trumps: any card, there is no ruffing across suits.
    if contract in SUITS and lead_suit != contract:
        return forbidden_when_void(rules, contract, cards, trick, seat)
    return {}


def forbidden_when_following(rules, contract, cards, trick, seat, lead_suit):
    faults = {card: "revoke" for card in cards if suit_of(card) != lead_suit}
    followers = [card for card in cards if suit_of(card) == lead_suit]
    higher = higher_than_table(contract, followers, trick, lead_suit)
    if higher and must_rise(rules, contract, trick, seat, lead_suit):
        faults |= {card: "must-beat" for card in followers if card not in higher}
    return faults


def must_rise(rules, contract, trick, seat, lead_suit):
    if contract == "A":
        duty = rules["rise_all_trumps"]
    elif contract == lead_suit:
        duty = rules["beat_trump_lead"]
    else:
        return False  # a plain suit, even one already ruffed: follow with any card
    return duty == "always" or not partner_holds(rules, contract, trick, seat)


def forbidden_when_void(rules, contract, cards, trick, seat):
    """Void in a plain suit that was led, at a suit contract."""
    trumps = [card for card in cards if suit_of(card) == contract]
    plain = [card for card in cards if suit_of(card) != contract]
    if not trumps or rules["must_ruff"] == "never":
        return {}
    with_partner = partner_holds(rules, contract, trick, seat)
    if with_partner and rules["must_ruff"] == "opponent_holds":
        return {}
    if not any(suit_of(card) == contract for _, card in trick):
        return dict.fromkeys(plain, "must-ruff")
    higher = higher_than_table(contract, trumps, trick, contract)
    if not higher and rules["cannot_overruff"] == "free":
        return {}  # nobody is asked to ruff lower, whoever ruffed before
    # 1d: the duty is to go over an opponent's trump; a partner's trump takes any trump.
    if rules["must_overruff"] and not with_partner:
        if higher:
            return {card: "must-overruff" for card in cards if card not in higher}
        return dict.fromkeys(plain, "must-undertrump")
    return dict.fromkeys(plain, "must-ruff")


def legal_cards(rules, contract, hand, trick, seat):
    faults = forbidden(rules, contract, hand, trick, seat)
    return [card for card in card_list(hand) if card not in faults]


def perft(rules, contract, hands, leader, tricks_left):
    """How many different legal ways there are to play the next *tricks_left* tricks."""
    return count_plays(rules, contract, [card_list(hand) for hand in hands], leader, [], tricks_left)


def count_plays(rules, contract, hands, leader, trick, tricks_left):
    if len(trick) == rules["players"]:
        leader, trick, tricks_left = trick_winner(rules, contract, trick), [], tricks_left - 1
    seat = (leader + len(trick)) % rules["players"]
    if tricks_left == 0 or not hands[seat]:
        return 1
    total = 0
    for card in legal_cards(rules, contract, hands[seat], trick, seat):
        after = [[c for c in hand if c != card] for hand in hands]
        total += count_plays(rules, contract, after, leader, [*trick, (seat, card)], tricks_left)
    return total


# --- Auction: 1b -----------------------------------------------------------------------------

DOUBLES = ["X", "XX", "XXX", "XXXX"]


def start_of_auction():
    return {"calls": 0, "passes": 0, "contract": None, "declarer": None, "doubles": 0, "open": True}


def speaker(rules, state, dealer):
    return (dealer + 1 + state["calls"]) % rules["players"]


def read_auction(rules, auction, dealer, turn_up):
    """The auction so far; an illegal call takes its turn and is neither a pass nor a bid."""
    state = start_of_auction()
    for call in auction:
        if not state["open"]:
            break
        seat = speaker(rules, state, dealer)
        if call in allowed_calls(rules, state, seat, dealer, turn_up):
            make_call(rules, state, seat, call)
        state["calls"] += 1
        state["open"] = not is_closed(rules, state)
    return state


def make_call(rules, state, seat, call):
    state["passes"] = state["passes"] + 1 if call == "P" else 0
    if call in DOUBLES:
        state["doubles"] += 1
    elif call != "P":
        state["contract"], state["declarer"] = call, seat
        # Switched off, the parameter is taken at its word: the level outlives the higher bid.
        if rules["raise_cancels_double"]:
            state["doubles"] = 0


def is_closed(rules, state):
    players = rules["players"]
    if rules["bidding"] == "turn_up":  # one call a round; the first taker ends it
        rounds = 1 if rules["round_two"] == "none" else 2
        return state["contract"] is not None or state["calls"] == rounds * players
    if state["contract"] is None:
        return state["passes"] == players  # Q32
    return state["passes"] == players - 1 or is_topped(rules, state)


def is_topped(rules, state):
    """All trumps redoubled ends the auction, where the rule says so (A279, A385).

    With a third level the end is that level: A379 counts 26 x 8, which is a contract at all
    trumps or no trumps, so the last level must be within reach there.
    """
    if not rules["redoubled_all_trumps_ends"] or state["contract"] != "A":
        return False
    return state["doubles"] >= 2 and state["doubles"] == len(rules["multipliers"])


def allowed_calls(rules, state, seat, dealer, turn_up):
    if rules["bidding"] == "turn_up":
        return turn_up_calls(rules, state, seat, dealer, turn_up)
    return pass_calls(rules, state, seat, dealer) + double_calls(rules, state, seat) + bids(rules, state)


def pass_calls(rules, state, seat, dealer):
    forced = rules["forced_dealer"] and seat == dealer and state["contract"] is None
    if forced and rules["bidding"] == "auction":
        return [] if state["passes"] == rules["players"] - 1 else ["P"]
    if forced:
        return [] if state["calls"] >= last_round_start(rules) else ["P"]
    return ["P"]


def last_round_start(rules):
    return 0 if rules["round_two"] == "none" else rules["players"]


def double_calls(rules, state, seat):
    """Q31: contra by an opponent of the declarer, recontra by the declarer's side, and so on."""
    if state["contract"] is None or state["doubles"] >= len(rules["multipliers"]):
        return []
    of_declarer = side_of(rules, seat) == side_of(rules, state["declarer"])
    turn_of_declarer = state["doubles"] % 2 == 1
    return [DOUBLES[state["doubles"]]] if of_declarer == turn_of_declarer else []


def bids(rules, state):
    """Q38: any seat may bid higher on its turn, over a contra too."""
    contracts = rules["contracts"]
    lowest = 0 if state["contract"] is None else contracts.index(state["contract"]) + 1
    return contracts[lowest:]


def turn_up_calls(rules, state, seat, dealer, turn_up):
    """*turn_up*: the turned cards, as far as known; an unknown one leaves every suit open."""
    suits = [call for call in rules["contracts"] if call in SUITS]
    turned = [suit_of(card) for card in turn_up]
    passing = pass_calls(rules, state, seat, dealer)
    if state["calls"] < rules["players"]:
        return passing + [suit for suit in suits if not turned or suit == turned[0]]
    others = [suit for suit in suits if not turned or suit != turned[0]]
    if rules["round_two"] == "second_turn_up":  # Q12
        return passing + [suit for suit in others if len(turned) < 2 or suit == turned[1]]
    if rules["round_two"] == "other_suits_and_no_suit":
        others += [call for call in rules["contracts"] if call not in SUITS]
    return passing + others


def legal_calls(rules, auction, dealer=0, turn_up=()):
    """Calls open to the next speaker; *turn_up*: list of turned cards, or one card."""
    turned = card_list(turn_up)
    state = read_auction(rules, auction, dealer, turned)
    if not state["open"]:
        return []
    return allowed_calls(rules, state, speaker(rules, state, dealer), dealer, turned)


def auction_result(rules, auction, dealer=0, turn_up=()):
    state = read_auction(rules, auction, dealer, card_list(turn_up))
    doubles = state["doubles"]
    return {
        "open": state["open"],
        "passed": not state["open"] and state["contract"] is None,
        "contract": state["contract"],
        "declarer": state["declarer"],
        "level": rules["multipliers"][doubles - 1] if doubles else 1,
    }


# --- Declarations: 1e ------------------------------------------------------------------------


def is_carre(cards):
    return len({rank_of(card) for card in cards}) == 1


def in_order(cards):
    return sorted(cards, key=lambda card: (SUITS.index(suit_of(card)), NATURAL_ORDER.index(rank_of(card))))


def top_of(run):
    return max(NATURAL_ORDER.index(rank_of(card)) for card in run)


def runs_of(cards):
    """The longest runs of at least three cards of a suit, each a list from low to high."""
    runs = []
    for suit in SUITS:
        ranks = "".join(r if r + suit in cards else " " for r in NATURAL_ORDER)
        runs += [[rank + suit for rank in piece] for piece in ranks.split() if len(piece) >= 3]
    return runs


def carres_of(rules, contract, cards):
    fours = [[rank + suit for suit in SUITS] for rank in NATURAL_ORDER]
    held = [four for four in fours if set(four) <= set(cards)]
    return [four for four in held if carre_points(rules, contract, rank_of(four[0])) > 0]


def carre_points(rules, contract, rank):
    if contract == "N" and rank == "A" and rules["four_aces_no_trumps"]:
        return rules["four_aces_no_trumps"]  # Q25
    return rules["carre_points"].get(rank, 0)


def run_points(rules, length):
    if length == 8:
        return rules["eight_run_points"]
    return rules["sequence_points"][min(length, 5)]


def combination_points(rules, contract, cards):
    if is_carre(cards):
        return carre_points(rules, contract, rank_of(cards[0]))
    return run_points(rules, len(cards))


def playable_declarations(rules, contract, cards):
    """Carres and longest runs that count at this contract."""
    carres, runs = carres_of(rules, contract, cards), runs_of(cards)
    if rules["declarations"] == "none":
        return [], []
    if contract != "N" or rules["declarations"] == "all_contracts":
        return carres, runs
    if rules["four_aces_no_trumps"]:  # Q25: the only combination at no trumps
        return [four for four in carres if rank_of(four[0]) == "A"], []
    return [], []


def possible_declarations(rules, contract, hand):
    """Every single combination; a run may be announced shorter than it is held (Q34)."""
    carres, runs = playable_declarations(rules, contract, card_list(hand))
    pieces = [
        run[start:end] for run in runs for start in range(len(run)) for end in range(start + 3, len(run) + 1)
    ]
    return [frozenset(cards) for cards in carres + pieces]


def best_declarations(rules, contract, hand):
    """The announcement worth most; of equals the one with more carres (Q34: the player chooses)."""
    cards = card_list(hand)
    carres, runs = playable_declarations(rules, contract, cards)
    if rules["shared_cards"]:
        choice = carres + runs
    else:
        options = [announcement(rules, contract, cards, chosen) for chosen in subsets(carres)]
        choice = max(options, key=lambda option: announcement_value(rules, contract, option))
    choice.sort(key=lambda c: seniority(rules, contract, c), reverse=True)
    return [" ".join(in_order(combination)) for combination in choice]


def subsets(items):
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))


def announcement(rules, contract, cards, carres):
    """These carres, and the runs that are left without their cards."""
    left = [card for card in cards if not any(card in four for four in carres)]
    return list(carres) + playable_declarations(rules, contract, left)[1]


def announcement_value(rules, contract, announced):
    points = sum(combination_points(rules, contract, cards) for cards in announced)
    return points, sum(is_carre(cards) for cards in announced)


def seniority(rules, contract, cards):
    """Orders the combinations of one contest; equal runs of two suits are equal here."""
    if is_carre(cards):
        return 2, -(rules["carre_order"] + list(NATURAL_ORDER)).index(rank_of(cards[0]))
    length = len(cards)
    if rules["sequence_cap"]:
        length = min(length, rules["sequence_cap"])  # Q7
    return 1, length, top_of(cards)


def score_declarations(rules, contract, declared, first_leader):
    """{seat: ["8D 9D TD", ...]} -> {side: points}; the trick condition is not applied here."""
    entries = [
        (int(seat), combination.split()) for seat, combos in declared.items() for combination in combos
    ]
    points = dict.fromkeys(all_sides(rules), 0)
    for contest in split_contests(rules, entries):
        winner = contest_winner(rules, contract, contest, first_leader)
        for seat, cards in contest:
            if side_of(rules, seat) == winner:  # the best side scores all of its own
                points[winner] += combination_points(rules, contract, cards)
    return points


def split_contests(rules, entries):
    if rules["contest"] == "single":  # Q8
        return [entries]
    carres = [entry for entry in entries if is_carre(entry[1])]
    return [carres, [entry for entry in entries if entry not in carres]]


def contest_winner(rules, contract, entries, first_leader):
    """The side with the best combination, or None."""
    if not entries:
        return None
    best = max(seniority(rules, contract, cards) for _, cards in entries)
    equals = [entry for entry in entries if seniority(rules, contract, entry[1]) == best]
    sides = {side_of(rules, seat) for seat, _ in equals}
    if len(sides) == 1:
        return sides.pop()
    if rules["equal_sequences"] == "void":
        return None  # Q43: lower runs of these sides, or of a third one, do not count either
    in_trumps = [entry for entry in equals if contract in SUITS and suit_of(entry[1][0]) == contract]
    first = min(in_trumps or equals, key=lambda e: (e[0] - first_leader) % rules["players"])
    return side_of(rules, first[0])


# --- Deal score: 1f and section 2 ------------------------------------------------------------


def raw_points(rules, contract, tricks, declaration_points, belote_points):
    """Raw points a side, as `points` of a record counts them, and the side of a capot.

    tricks: [(winner seat, [cards]), ...] in order of play.
    declaration_points, belote_points: {side: points}; a missing side has none.
    """
    sides = all_sides(rules)
    taken = [side_of(rules, seat) for seat, _ in tricks]
    capot = taken[0] if len(set(taken)) == 1 else None
    points = dict.fromkeys(sides, 0)
    for side, (_, cards) in zip(taken, tricks, strict=True):
        points[side] += trick_points(rules, contract, cards)
    if tricks:
        points[taken[-1]] += rules["last_trick_points"]
    for side in sides:
        if side in taken or not rules["declarations_need_trick"]:
            points[side] += declaration_points.get(side, 0)
        if side in taken or not rules["belote_needs_trick"]:
            points[side] += belote_points.get(side, 0)
    if contract == "N":  # the premiums are doubled too (A562), only the capot is not
        points = {side: rules["no_trumps_factor"] * p for side, p in points.items()}
    if capot is not None and rules["capot"] == "raw":
        points[capot] += capot_bonus(rules, contract)
    return points, capot


def capot_bonus(rules, contract):
    factor = rules["capot_no_trumps_factor"] if contract == "N" else 1
    return factor * rules["capot_points"]


def limit(contract):
    """The last digit from which a side's points round up."""
    return {"A": 4, "N": 5}.get(contract, 6)


def round_at(points, digit):
    return (points + 10 - digit) // 10


def round_alone(rules, contract, points):
    return points if rules["rounding"] == "none" else round_at(points, limit(contract))


def deal_total(rules, contract, points):
    """G of section 2, the game points of the whole deal: the sum, rounded at the limit.

    With all cards in play that is 16 + (sum - 162) / 10 at a suit, 26 + (sum - 258) / 10 at all
    trumps; where cards stay out it is still an integer.
    """
    return round_alone(rules, contract, sum(points))


def is_shared(rules, points):
    """Shared rounding makes two sides add up; more sides can only round each alone (Q27)."""
    return rules["rounding"] == "shared_tens" and len(points) == 2


def written_shares(rules, contract, points):
    """Each side's own points as they are written when a contract is made."""
    if not is_shared(rules, points):
        return [round_alone(rules, contract, p) for p in points]
    low = round_at(min(points), limit(contract))
    high = deal_total(rules, contract, points) - low
    return [low, high] if points[0] < points[1] else [high, low]


def tied_shares(rules, contract, points, declarer):
    """Shares of a tie: the defenders round down at the special digit, the rest hangs."""
    if not is_shared(rules, points):
        return [round_alone(rules, contract, p) for p in points]
    defenders = round_at(points[1 - declarer], limit(contract) + 1)
    rest = deal_total(rules, contract, points) - defenders
    return [rest, defenders] if declarer == 0 else [defenders, rest]


def outcome(points, declarer):
    """True made, False failed, None hanging; more means more than each opponent (Q15, Q27)."""
    best_other = max(p for side, p in enumerate(points) if side != declarer)
    if points[declarer] == best_other:
        return None
    return points[declarer] > best_other


def top_side(points, declarer):
    """Most points; of equals the first after the declarer, he himself last (as Q15, L)."""
    order = [(declarer + step) % len(points) for step in range(1, len(points) + 1)]
    return max(order, key=lambda side: points[side])


def player_bonuses(rules, points, capot, tricks):
    """Bonuses of the `players` capot, beside the points (1f, Q16)."""
    nobody = [0] * len(points)
    if rules["capot"] != "players":
        return nobody
    if tricks is None:
        tricks = [1 if capot in (None, side) else 0 for side in range(len(points))]
    takers = [side for side, count in enumerate(tricks) if count]
    if len(takers) == len(points):
        return nobody
    # One taker among three or more: the double capot.  Two sides know the single one only.
    double = len(takers) == 1 and len(points) > 2
    bonus = rules["double_capot_points"] if double else rules["capot_points"]
    return [bonus if side in takers else 0 for side in range(len(points))]


def game_bonuses(rules, contract, points, capot):
    if capot is None or rules["capot"] != "game":
        return [0] * len(points)
    return [capot_bonus(rules, contract) if side == capot else 0 for side in range(len(points))]


def score_deal(rules, contract, level, points, declarer, capot, hanging, belote=None, tricks=None):
    """-> (score a side, what hangs after the deal, made: True, False or None = hanging).

    points: raw points a side; declarer, capot: sides; hanging: points hung before, or a list
    of them, oldest first, where they are paid one by one; belote, tricks: a side each.
    """
    raw = list(points)
    extra = player_bonuses(rules, raw, capot, tricks)
    raw = [p + e for p, e in zip(raw, extra, strict=True)]
    made = outcome(raw, declarer)
    if level != 1 and capot is not None and rules["capot_when_doubled"] == "deal_not_doubled":
        level = 1  # Q2
    game = game_bonuses(rules, contract, raw, capot)
    if level == 1:
        score, hung = single_score(rules, contract, raw, game, declarer, made, belote)
    else:
        score, hung = doubled_score(rules, contract, level, raw, game, declarer, capot, made, belote)
    score, hanging = settle_hanging(rules, score, hung, hanging, raw, declarer, made)
    return tuple(apply_kirtik(rules, score, declarer, capot, made)), hanging, made


def single_score(rules, contract, raw, game, declarer, made, belote):
    if made is None:
        shares = add(tied_shares(rules, contract, raw, declarer), game)
        hung = shares[declarer]
        return [0 if side == declarer else s for side, s in enumerate(shares)], hung
    if made:
        return add(written_shares(rules, contract, raw), game), 0
    return failed_score(rules, contract, raw, game, declarer, belote), 0


def add(left, right):
    return [a + b for a, b in zip(left, right, strict=True)]


def failed_score(rules, contract, raw, game, declarer, belote):
    kept = kept_belote(rules, declarer, belote)
    score = [0] * len(raw)
    score[declarer] = round_alone(rules, contract, kept)
    if len(raw) == 2:  # one defending side takes all there is
        total = deal_total(rules, contract, raw) + sum(game)
        score[1 - declarer] = total - score[declarer]
        return score
    # Several defenders have no common sheet: they divide the declarer's points (Q15).
    shares = split_among_defenders(raw, declarer, raw[declarer] - kept)
    bonus = split_among_defenders(raw, declarer, game[declarer])
    for side in defenders_in_order(raw, declarer):
        score[side] = round_alone(rules, contract, raw[side] + shares[side]) + game[side] + bonus[side]
    return score


def kept_belote(rules, declarer, belote):
    """Q10: in the French game the belote stays with its holder."""
    return belote[declarer] if belote and rules["belote_kept_when_failed"] else 0


def defenders_in_order(raw, declarer):
    """Most points first, then by seat after the declarer: who gets the odd point (Q15)."""
    seats = [(declarer + step) % len(raw) for step in range(1, len(raw))]
    return sorted(seats, key=lambda side: -raw[side])


def split_among_defenders(raw, declarer, amount):
    order = defenders_in_order(raw, declarer)
    each, odd = divmod(amount, len(order))
    return {side: each + (1 if place < odd else 0) for place, side in enumerate(order)}


def doubled_score(rules, contract, level, raw, game, declarer, capot, made, belote):
    """The winner writes the whole pot times the level; a tie hangs it whole (Q30)."""
    pot = doubled_pot(rules, contract, level, raw, game, capot)
    score = [0] * len(raw)
    if made is None:
        return score, pot
    winner = declarer if made else top_side(raw, declarer)
    if winner != declarer:  # a belote that stays with its holder is not multiplied
        score[declarer] = round_alone(rules, contract, kept_belote(rules, declarer, belote))
    score[winner] = pot - score[declarer] if winner != declarer else pot
    return score, 0


def doubled_pot(rules, contract, level, raw, game, capot):
    if level == 0:  # Q42: the whole match is at stake
        return rules["target"]
    fixed = rules["capot_when_doubled"] == "bonus_fixed" and capot is not None
    apart = capot_bonus(rules, contract) if fixed and rules["capot"] == "raw" else 0
    if rules["multiply_before_rounding"]:  # Q1
        pot = round_alone(rules, contract, (sum(raw) - apart) * level + apart)
    else:
        pot = deal_total(rules, contract, [sum(raw) - apart]) * level
        pot += round_alone(rules, contract, apart)
    return pot + sum(game) * (1 if fixed else level)


def settle_hanging(rules, score, hung, hanging, raw, declarer, made):
    """Pays what hung before, once and never multiplied, or lets it hang on."""
    before = list(hanging) if isinstance(hanging, list) else [hanging] * bool(hanging)
    if made is None:
        before.append(hung)
    elif before:
        # deal_winner and top_scorer differ in name only: more than each is what wins a deal.
        payment = before.pop(0)
        if rules["hung_policy"] == "sum":
            payment, before = payment + sum(before), []
        winner = declarer if made else top_side(raw, declarer)
        score = [s + payment if side == winner else s for side, s in enumerate(score)]
    return score, before if isinstance(hanging, list) else sum(before)


def apply_kirtik(rules, score, declarer, capot, made):
    """A471: ten game points off for failing as declarer, or for taking no trick; once."""
    fined = [
        (side == declarer and made is False) or (capot is not None and side != capot)
        for side in range(len(score))
    ]
    return [s - rules["kirtik"] * f for s, f in zip(score, fined, strict=True)]


# --- Match: 1g -------------------------------------------------------------------------------


def match_state(rules, deals):
    """Totals, whether the match is over, and the winning side (None while it is not).

    Each deal: "score" (a side), "capot" (side or None), "passed" (bool); where the rules ask
    for them also "last_trick" (side that took it) and "hanging" (points hung after the deal).
    Deals after the end are not counted.
    """
    totals = [0] * len(all_sides(rules))
    winner = None
    for deal in deals:
        if winner is not None:
            break
        if not deal["passed"]:
            totals = add(totals, deal["score"])
            winner = match_winner(rules, totals, deal)
    return {"totals": tuple(totals), "over": winner is not None, "winner": winner}


def match_winner(rules, totals, deal):
    """The side that wins with this deal, if any; a passed deal never comes here (Q22)."""
    if rules["no_exit_on_capot"] and deal["capot"] is not None:
        return None  # one more deal, which is neither passed out nor a capot (Q22)
    if rules["no_exit_while_hanging"] and deal.get("hanging"):
        return None  # Q23
    there = [side for side, total in enumerate(totals) if total >= rules["target"]]
    if len(there) <= 1:
        return there[0] if there else None
    if rules["both_reach"] == "last_trick":
        return deal["last_trick"] if deal["last_trick"] in there else None
    best = max(totals)
    leaders = [side for side in there if totals[side] == best]
    return leaders[0] if len(leaders) == 1 else None  # equal: play on

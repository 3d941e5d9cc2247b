"""The slow engine: auctions, and the turned-up card taken or passed (RULES.md 1b)."""

from tests.naive_play import SUITS, card_list, side_of, suit_of

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
        state["contract"], state["declarer"], state["doubles"] = call, seat, 0


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
    if rules["bidding"] == "turn_up":  # a dealer is not forced to what he cannot call
        return turn_up_calls(rules, state, seat, dealer, turn_up) or ["P"]
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
    if state["contract"] is None or state["doubles"] >= level_count(rules, state["contract"]):
        return []
    of_declarer = side_of(rules, seat) == side_of(rules, state["declarer"])
    turn_of_declarer = state["doubles"] % 2 == 1
    return [DOUBLES[state["doubles"]]] if of_declarer == turn_of_declarer else []


def level_count(rules, contract):
    """BALOOT.md 1b: at no trumps (Sun) there may be the first level only."""
    levels = len(rules["multipliers"])
    return min(levels, 1) if contract == "N" and rules["no_trumps_doubling"] == "first_level" else levels


def bids(rules, state):
    """Q38: any seat may bid higher on its turn, over a contra too, where that is allowed at all."""
    if state["doubles"] and not rules["raise_cancels_double"]:
        return []
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

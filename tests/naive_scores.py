"""The slow engine: the score of a deal and the end of a match (RULES.md 1f, 1g and section 2)."""

from tests.naive_play import all_sides, side_of, trick_points

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
    if contract in "NA" and rules["scaled_total"]:  # row 69: cards only, to the nearest whole point
        whole = sum(points.values())
        points = {side: int(p * rules["scaled_total"] / whole + 0.5) for side, p in points.items()}
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


def outcome(rules, contract, points, declarer):
    """True made, False failed, None hanging; more means more than each opponent (Q15, Q27)."""
    best_other = max(p for side, p in enumerate(points) if side != declarer)
    if points[declarer] != best_other:
        return points[declarer] > best_other
    tie = rules["exact_tie_no_trumps"] if contract == "N" else rules["exact_tie"]
    return {"hangs": None, "fails": False, "keeps": True}[tie]


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
    made = outcome(rules, contract, raw, declarer)
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
    for them also "last_trick" (side that took it), "hanging" (points hung after the deal) and
    "whole_match" (the level of this deal staked the match).  Deals after the end are not counted.
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
    if deal.get("whole_match") and max(deal["score"]) > 0:
        return deal["score"].index(max(deal["score"]))  # Q42: whoever won the deal won the match
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

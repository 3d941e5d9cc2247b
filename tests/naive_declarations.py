"""The slow engine: combinations and their contests (RULES.md 1e)."""

from itertools import chain, combinations

from tests.naive_play import NATURAL_ORDER, SUITS, all_sides, card_list, rank_of, side_of, suit_of

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
        choice = carres + announced_runs(rules, runs)
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
    return list(carres) + announced_runs(rules, playable_declarations(rules, contract, left)[1])


def announced_runs(rules, runs):
    """How long runs are named: whole; or eight cards as five and three; or six and seven as five too."""
    named = []
    for run in runs:
        is_eight = len(run) == 8 and rules["long_runs"] != "whole"
        is_cut = len(run) in (6, 7) and rules["long_runs"] == "highest_five"
        named.append(run[-5:] if is_eight or is_cut else run)
        if is_eight:
            named.append(run[:3])
    return named


def announcement_value(rules, contract, announced):
    points = sum(combination_points(rules, contract, cards) for cards in announced)
    return points, sum(is_carre(cards) for cards in announced)


def seniority_by_points(rules, contract, cards):
    """BALOOT.md 1e: the class of value, of equal points the kind that goes first, then the top card."""
    first_kind = {"carre_first": is_carre(cards), "sequence_first": not is_carre(cards), "top_card": 0}
    return combination_points(rules, contract, cards), first_kind[rules["equal_points"]], top_of(cards)


def seniority(rules, contract, cards):
    """Orders the combinations of one contest; equal runs of two suits are equal here."""
    if rules["contest"] == "by_points":
        return seniority_by_points(rules, contract, cards)
    if is_carre(cards):
        return 2, -(rules["carre_order"] + list(NATURAL_ORDER)).index(rank_of(cards[0]))
    length = len(cards)
    if rules["sequence_cap"]:
        length = min(length, rules["sequence_cap"])  # Q7
    return 1, length, top_of(cards)


def score_declarations(rules, contract, declared, first_leader, times=None):
    """{seat: ["8D 9D TD", ...]} -> {side: points}; the trick condition is not applied here.

    times: {seat: cards on the table when it announced}; without them each seat with its first card.
    """
    entries = [
        (int(seat), combination.split()) for seat, combos in declared.items() for combination in combos
    ]
    order = announcing_order(rules, first_leader, times)
    points = dict.fromkeys(all_sides(rules), 0)
    for contest in split_contests(rules, entries):
        winner = contest_winner(rules, contract, contest, order)
        for seat, cards in contest:
            if side_of(rules, seat) == winner:  # the best side scores all of its own
                points[winner] += combination_points(rules, contract, cards)
    return points


def split_contests(rules, entries):
    if rules["contest"] != "separate":  # Q8
        return [entries]
    carres = [entry for entry in entries if is_carre(entry[1])]
    return [carres, [entry for entry in entries if entry not in carres]]


def announcing_order(rules, first_leader, times):
    """Seats in the order in which they announced; Baloot goes by seats alone (BALOOT.md 1e)."""
    seats = [(first_leader + step) % rules["players"] for step in range(rules["players"])]
    if times and rules["equal_sequences"] != "earlier":
        seats.sort(key=lambda seat: times.get(seat, 0))
    return seats


def contest_winner(rules, contract, entries, order):
    """The side with the best combination, or None; *order*: seats as they announced."""
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
    if rules["equal_sequences"] == "earlier":
        in_trumps = []
    first = min(in_trumps or equals, key=lambda entry: order.index(entry[0]))
    return side_of(rules, first[0])

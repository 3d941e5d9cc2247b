"""The slow engine, second part: turned-up cards, the time of announcements, belotes, dealers, early ends.

As :mod:`tests.naive`: plain strings and lists, written from RULES.md (and BALOOT.md where it says so) alone.
``plays`` is a deal's cards as they fell: [(seat, card), ...].
"""

from tests.naive import (
    all_sides,
    card_list,
    legal_cards,
    round_alone,
    side_of,
    suit_of,
    trick_winner,
)

# --- Cards that are dealt, turned up and exchanged: 1a -----------------------------------------


def seats_from(rules, dealer):
    """All seats in the order of dealing, the dealer last."""
    return [(dealer + 1 + step) % rules["players"] for step in range(rules["players"])]


def deal_first(rules, pack, dealer):
    """-> (hands of the auction, turned-up cards, the rest of the pack)."""
    stock = list(pack)
    hands = [[] for _ in range(rules["players"])]
    for size in rules["first_packets"]:
        for seat in seats_from(rules, dealer):
            hands[seat] += stock[:size]
            del stock[:size]
    turned = {"none": 0, "one": 1, "two": 2}[rules["turn_up"]]
    return hands, stock[:turned], stock[turned:]


def turn_up_receiver(rules, contract, declarer, dealer, is_ashkal=False):
    """Seat that takes the turned-up card, or None: it stays on the table, or the deal is not played."""
    if rules["turn_up"] == "none" or rules["turn_up_to"] == "nobody":
        return None
    if contract is None:  # A169: all passed, and only where such a deal is played
        return dealer if rules["all_pass"] == "play" and rules["turn_up_to"] == "taker_or_dealer" else None
    if is_ashkal and rules["turn_up_to"] == "taker_or_partner":
        return (declarer + 2) % rules["players"]
    return declarer


def deal_second(rules, first_hands, turned, rest, dealer, receiver):
    """Hands when play begins: whoever takes the turned-up card is dealt one card less."""
    hands, stock = [list(hand) for hand in first_hands], list(rest)
    if receiver is not None:
        hands[receiver].append(turned[0])
    sizes = list(rules["second_packets"])
    for number, size in enumerate(sizes):
        is_last = number == len(sizes) - 1
        for seat in seats_from(rules, dealer):
            count = size - (1 if is_last and seat == receiver else 0)
            hands[seat] += stock[:count]
            del stock[:count]
    return hands


def all_pass_contract(rules, turned):
    """Q20: the turned-up suit is trump where all passed and the deal is played; else None."""
    return suit_of(turned[0]) if rules["all_pass"] == "play" and turned else None


def may_exchange(rules, contract, declarer, hand, turned):
    """A109: the holder of the trump seven, where the first trump was ordered, for the turned-up card."""
    if not rules["seven_exchange"] or declarer is None or not turned:
        return False
    first_trump = suit_of(turned[0])
    return contract == first_trump and "7" + first_trump in card_list(hand)


def after_exchange(hand, turned):
    seven = "7" + suit_of(turned[0])
    return [turned[0] if card == seven else card for card in card_list(hand)]


# --- When combinations and belotes may be announced: 1e ----------------------------------------


def first_play_of(plays, seat):
    """Index of the seat's first card; past the end where it has played none."""
    return next((index for index, (player, _) in enumerate(plays) if player == seat), len(plays))


def index_of_card(plays, card):
    """Index of the card in the deal; past the end where it was not played."""
    return next((index for index, (_, played) in enumerate(plays) if played == card), len(plays))


def is_late(rules, plays, seat, cards, at):
    """May *seat* not announce *cards* (any more, or yet) with *at* cards on the table?"""
    return declaration_fault(rules, plays, seat, cards, at) is not None


def declaration_fault(rules, plays, seat, cards, at):
    """None, "late-declaration" or "false-declaration"."""
    players = rules["players"]
    if rules["declare_when"] == "on_lead":  # C16, and the cards still in hand
        is_held = all(index_of_card(plays, card) >= at for card in card_list(cards))
        in_time = None if is_held else "false-declaration"
        return in_time if is_on_lead(rules, plays, seat, at) else "late-declaration"
    last = {
        "first_card": first_play_of(plays, seat),  # B59, A574, A44: up to his own first card
        "first_trick": players - 1,  # A298
        "second_trick": 2 * players - 1,  # Q43: late only once two tricks lie on the table
    }[rules["declare_when"]]
    return "late-declaration" if at > last else None


def is_on_lead(rules, plays, seat, at):
    """C16: before one's own lead, the first of the deal or one after a trick that one has won."""
    if at % rules["players"] != 0 or at > len(plays):
        return False
    if at < len(plays):
        return plays[at][0] == seat
    return False  # nobody leads any more: the deal ended here


def belote_fault(rules, contract, hand, plays, seat, suit, at=None):
    """None, "false-belote" or "late-belote".  *hand*: the seat's when play began."""
    king, queen = "K" + suit, "Q" + suit
    if contract not in (suit, "A") or not {king, queen} <= set(card_list(hand)):
        return "false-belote"  # no king and queen of trumps; at no trumps there is none
    first, second = sorted((index_of_card(plays, king), index_of_card(plays, queen)))
    if rules["belote_when"] == "while_held":  # A5, A89: before any play, one of the two still held
        return "late-belote" if at is not None and at > second else None
    if rules["belote_when"] == "second_card":  # BALOOT.md 1e: with the second of the two, and counted there
        return "late-belote" if at is not None and at > second else None
    if at is not None and at > first:
        return "late-belote"
    if rules["belote_when"] == "lead_follow_ruff" and is_discard(rules, contract, plays, first):
        return "false-belote"  # B67, Q40: thrown on another suit it is lost
    return None


def is_discard(rules, contract, plays, index):
    """Was this card neither led, nor of the led suit, nor a ruff?"""
    if index >= len(plays):
        return False
    led_suit, suit = suit_of(plays[index - index % rules["players"]][1]), suit_of(plays[index][1])
    return suit != led_suit and (contract == "A" or suit != contract)


# --- Who deals next: 1g ------------------------------------------------------------------------


def next_dealer(rules, dealer, declarer=None, points=None, is_hanging=False):
    """*declarer*: None where all passed; *points*: raw points a side before any go over (Q17)."""
    following = (dealer + 1) % rules["players"]
    if declarer is None:  # A32, A174, C12: after an all-pass deal the next in turn, played or not
        return following
    if rules["next_dealer"] == "top_scorer":  # A137; of equals the first after the old dealer (Q17)
        return max(seats_from(rules, dealer), key=lambda seat: points[side_of(rules, seat)])
    if rules["next_dealer"] == "orderer":  # Q19
        return declarer
    if rules["next_dealer"] == "orderer_after_hanging":  # C20
        return declarer if is_hanging else following
    return following


# --- Deals that end otherwise ------------------------------------------------------------------


def may_declare_out(rules, contract, plays, seat, at, hand_size, points):
    """Q18: may *seat* end the match with *at* cards on the table?

    points: his match score, his tricks' cards, his accepted declarations and announced belotes together;
    hung points do not count, nor the last trick or a capot, which are settled at recording (A147).
    """
    players = rules["players"]
    if not rules["declare_out"] or at % players or not 0 < at < players * hand_size or at > len(plays):
        return False
    last_trick = plays[at - players : at]
    return trick_winner(rules, contract, last_trick) == seat and points >= rules["target"]


def score_all_pass(rules, cards, declared, belotes, tricks):
    """Q20, a side each: points taken and the others' combinations and belotes count against a side.

    The others' combinations only where the side took a trick; their belotes always.
    """
    score = []
    for side in all_sides(rules):
        others = [other for other in all_sides(rules) if other != side]
        against = cards[side] + sum(belotes[other] for other in others)
        if tricks[side]:
            against += sum(declared[other] for other in others)
        score.append(-against)
    return tuple(score)


def score_offence(rules, contract, level, offender, bonuses):
    """A449: the deal ends, the others write 162 (258, and at no trumps 260) and all that was announced.

    bonuses: points of all declarations and belotes announced in the deal, whoever's; each of several
    opponents writes it all.  An offender writes nothing; a doubled deal is doubled as A461 has it.
    """
    whole = {"N": 120, "A": 248}.get(contract, 152) + rules["last_trick_points"]
    whole *= rules["no_trumps_factor"] if contract == "N" else 1
    amount = (whole + bonuses) * level if rules["multiply_before_rounding"] else whole + bonuses
    written = round_alone(rules, contract, amount)
    if not rules["multiply_before_rounding"]:
        written *= level
    return tuple(0 if side == offender else written for side in all_sides(rules))


def first_illegal_play(rules, contract, hands, plays):
    """Index of the first card that may not be played; None where there is none, or somebody plays out of turn."""
    held, trick = [card_list(hand) for hand in hands], []
    for index, (seat, card) in enumerate(plays):
        turn = plays[0][0] if not index else (plays[index - 1][0] + 1) % rules["players"]
        if len(trick) == rules["players"]:
            turn, trick = trick_winner(rules, contract, trick), []
        if seat != turn:
            return None
        if card not in legal_cards(rules, contract, held[seat], trick, seat):
            return index
        held[seat].remove(card)
        trick.append((seat, card))
    return None


# --- Hung points, deal after deal --------------------------------------------------------------


def hung_payment(rules, hung):
    """What the winner of a deal takes of the amounts that hang, oldest first (C20: options 1 and 2)."""
    return sum(hung[:1]) if rules["hung_policy"] == "one_by_one" else sum(hung)

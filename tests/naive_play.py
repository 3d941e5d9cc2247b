"""The slow engine: seats, cards and the duties of a trick (RULES.md 1c, 1d)."""

SUITS = "CDHS"
CONTRACTS = ["C", "D", "H", "S", "N", "A"]
NATURAL_ORDER = "789TJQKA"  # lowest first, for sequences
PLAIN_ORDER = "789JQKTA"  # lowest first, 1c
TRUMP_ORDER = "78QKTA9J"  # lowest first, 1c
PLAIN_VALUES = {"7": 0, "8": 0, "9": 0, "T": 10, "J": 2, "Q": 3, "K": 4, "A": 11}
TRUMP_VALUES = {"7": 0, "8": 0, "9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11}


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
    if is_ruff_free(rules, contract, trick, seat):
        return {}
    with_partner = partner_holds(rules, contract, trick, seat)
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


def is_ruff_free(rules, contract, trick, seat):
    """Does nobody have to ruff here, because the own side holds the trick?"""
    if rules["must_ruff"] == "always" or not partner_holds(rules, contract, trick, seat):
        return False
    third_player_after_no_ace = len(trick) == 2 and rank_of(trick[0][1]) != "A"
    return rules["must_ruff"] == "opponent_holds" or not third_player_after_no_ace


def lead_cards(contract, hand, is_closed):
    """Baloot, doubled and closed: no trump is led by who holds another suit (BALOOT.md 1b)."""
    cards = card_list(hand)
    plain = [card for card in cards if suit_of(card) != contract]
    return plain if is_closed and plain else cards


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

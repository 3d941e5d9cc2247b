"""Card play of the sensible policy: what a club player does, from the cards that everybody has seen.

Following, each legal card is weighed by one formula: (chance that the own side takes the trick, less the chance that
the other does) times the points in it with this card, less what the card would be worth later. That feeds the
partner's tricks, saves points from the opponents', wins cheaply and keeps winners. Leading has reasons of its own:
draw trumps as declarer, cash sure winners before they are ruffed, come to the partner's suit, lead low otherwise.
Where all passed and every point counts against its taker, the least good card is the best one. Numbers are whole;
chances are per cent.

Everything here takes plain integers and is compiled too. Seats are sets of four bits; a word of such sets, one a suit
from the lowest bits up, says who failed to follow it (``voids``) or who bid it (``bidders``).
"""

from __future__ import annotations

from belot_stats.cards import NO_CARD, NO_SEAT, NO_TRUMPS, Card, CardMask, Contract, Seat, Suit
from belot_stats.rules.play import card_points, card_strength, has_trump_order
from belot_stats.ruleset import RuleSet


def _stronger_mask(contract: Contract, card: Card) -> CardMask:
    suit_cards, strength_of_card = range(card & 24, (card & 24) + 8), card_strength(contract, card)
    return sum(1 << other for other in suit_cards if card_strength(contract, other) > strength_of_card)


# By contract and card, 32 a contract: points, and the cards of its suit that are stronger.
POINTS = tuple(card_points(contract, card) for contract in range(6) for card in range(32))
STRONGER_MASKS = tuple(_stronger_mask(contract, card) for contract in range(6) for card in range(32))

# Chance that none of so many stronger cards lies with the opponent still to play: each is with one of three hands.
CHANCE_UNBEATEN = (100, 67, 45, 30, 20, 13, 9, 6, 4)
ONE_OF_THREE = 101  # in place of a share: an unseen card is with one of three hands
# Chance that nobody ruffs a suit of which so many cards are unseen, while opponents to play may hold trumps.
CHANCE_NOT_RUFFED = (15, 35, 60, 78, 88, 94, 97, 98, 98)
PARTNER_TO_PLAY, PARTNER_CANNOT, PARTNER_MAY_RUFF = 30, 4, 60

# What a card is worth later, in points.
TAKEN_WITH_IT, NEXT_WINNER, TRUMP, GUARDED_TEN = 8, 5, 6, 3
WINNER_WITHOUT_TRUMPS = 80  # per cent: it may never get the lead
LEAST_WEIGHT = -1 << 40
EVERY_SEAT = 0b1111


class Situation:
    """One decision: what the seat knows, and what follows from it for every card.

    In compiled loops it is a record with the same names; so it is filled by a function, and passed by its place.
    """

    players: int
    partners: int
    contract: int
    table: int  # place of the contract's first card in POINTS and STRONGER_MASKS
    trump_mask: int  # 0 at no trumps and all trumps
    seat: int
    own_seats: int  # those of the own side
    declarer_seat: int
    hand_mask: int
    unseen_mask: int
    voids: int
    bidders: int
    led_suit: int
    best_card: int  # NO_CARD where the seat is to lead
    best_seat: int
    beating_mask: int  # cards that take the trick from the best card
    points_on_table: int
    partner_behind: int  # the partner where he is still to play, as a set
    opponents_behind: int  # opponents still to play
    trump_holders: int  # seats that may have a trump: some are unseen, and they have not failed to follow one
    share_elsewhere: int  # per cent of the unseen cards that one opponent does not hold, or ONE_OF_THREE


def sit_down(
    situation: Situation, rules: RuleSet, contract: Contract, declarer_seat: Seat, bidders: int
) -> None:
    """Note in *situation* what stays the same for a whole deal."""
    situation.players, situation.partners = rules.players, rules.partners
    situation.contract, situation.table = contract, 32 * contract
    situation.declarer_seat, situation.bidders = declarer_seat, bidders
    situation.trump_mask = 0xFF << 8 * contract if contract < NO_TRUMPS else 0


def look_at(
    situation: Situation,
    seat: Seat,
    hand_mask: CardMask,
    unseen_mask: CardMask,
    voids: int,
    led_suit: Suit,
    best_card: Card,
    best_seat: Seat,
    trick_size: int,
    points_on_table: int,
) -> None:
    """Note in *situation* what *seat* sees, which is to play the card after *trick_size* others."""
    own_seats = 0b0101 << (seat & 1) if situation.partners else 1 << seat
    behind = seats_behind(situation.players, seat, trick_size)
    situation.seat, situation.own_seats = seat, own_seats
    situation.hand_mask, situation.unseen_mask, situation.voids = hand_mask, unseen_mask, voids
    situation.led_suit, situation.best_card, situation.best_seat = led_suit, best_card, best_seat
    situation.points_on_table = points_on_table
    situation.partner_behind, situation.opponents_behind = behind & own_seats, behind & ~own_seats
    situation.trump_holders = 0
    if unseen_mask & situation.trump_mask:
        situation.trump_holders = EVERY_SEAT & ~(voids >> 4 * situation.contract)
    if best_card != NO_CARD:
        situation.beating_mask = STRONGER_MASKS[situation.table + best_card]
        if not situation.trump_mask >> best_card & 1:
            situation.beating_mask |= situation.trump_mask
    situation.share_elsewhere = ONE_OF_THREE
    if situation.players < 4:  # some cards may be in nobody's hand; held ones are spread over fewer hands
        situation.share_elsewhere = 100 - 100 * hand_mask.bit_count() // max(unseen_mask.bit_count(), 1)


def seats_behind(players: int, seat: Seat, trick_size: int) -> int:
    """Seats that play after *seat*, itself the one after *trick_size* others.

    >>> seats_behind(4, 3, 1) == 0b0011
    True
    """
    behind = (1 << players - 1 - trick_size) - 1 << seat + 1
    return (behind | behind >> players) & (1 << players) - 1


def pick_card(situation: Situation, legal_mask: CardMask) -> Card:
    """Best card of *legal_mask*, by the weights of this module; of equal ones the lowest card number."""
    picked_card, most = NO_CARD, LEAST_WEIGHT
    chance_otherwise = 0 if situation.best_card == NO_CARD else chance_not_beating(situation)
    while legal_mask:
        card = lowest_card(legal_mask)
        legal_mask &= legal_mask - 1
        weight = card_weight(situation, card, chance_otherwise)
        if weight > most:
            picked_card, most = card, weight
    return picked_card


def lowest_card(mask: CardMask) -> Card:
    """Lowest card of *mask*, which is not empty."""
    return ((mask & -mask) - 1).bit_count()


def card_weight(situation: Situation, card: Card, chance_otherwise: int) -> int:
    """Weight of *card* among the legal ones.  chance_otherwise: :func:`chance_not_beating`, where others played."""
    if situation.declarer_seat == NO_SEAT:
        if situation.best_card == NO_CARD:
            return -taking_lead_weight(situation, card)
        return -follow_weight(situation, card, chance_otherwise)
    if situation.best_card == NO_CARD:
        return lead_weight(situation, card)
    return follow_weight(situation, card, chance_otherwise)


# What the unseen cards let one expect.


def unseen_stronger(situation: Situation, card: Card) -> int:
    """How many cards of its suit that beat *card* are neither played nor in the own hand."""
    return (situation.unseen_mask & STRONGER_MASKS[situation.table + card]).bit_count()


def unseen_in_suit(situation: Situation, suit: Suit) -> int:
    """How many cards of *suit* are neither played nor in the own hand."""
    return (situation.unseen_mask >> 8 * suit & 0xFF).bit_count()


def chance_to_hold(situation: Situation, card: Card) -> int:
    """Per cent that *card*, the best of its trick, is beaten by no opponent who is still to play."""
    opponents, suit = situation.opponents_behind, card >> 3
    if opponents == 0:
        return 100
    followers = opponents & ~(situation.voids >> 4 * suit)
    chance = 100
    if followers:
        chance = chance_unbeaten(unseen_stronger(situation, card), situation.share_elsewhere)
    if followers & followers - 1:
        chance = chance * chance // 100
    if situation.trump_mask and not situation.trump_mask >> card & 1:
        chance = chance * chance_not_ruffed(situation, suit) // 100
    return chance


def chance_unbeaten(stronger: int, share_elsewhere: int) -> int:
    """Per cent that an opponent holds none of so many stronger cards."""
    if share_elsewhere == ONE_OF_THREE:
        return CHANCE_UNBEATEN[stronger]
    chance = 100
    for _ in range(stronger):
        chance = chance * share_elsewhere // 100
    return chance


def chance_not_ruffed(situation: Situation, suit: Suit) -> int:
    """Per cent that no opponent who is still to play ruffs a card of *suit*."""
    ruffers = situation.opponents_behind & situation.trump_holders
    if ruffers == 0:
        return 100
    if ruffers & situation.voids >> 4 * suit:
        return CHANCE_NOT_RUFFED[0]
    return CHANCE_NOT_RUFFED[unseen_in_suit(situation, suit)]


def later_worth(situation: Situation, card: Card) -> int:
    """Points that *card* may bring, or save, if it is kept."""
    is_trump = situation.trump_mask >> card & 1
    worth = TRUMP if is_trump else 0
    stronger, points = unseen_stronger(situation, card), POINTS[situation.table + card]
    if stronger == 0:
        chance = 100 if is_trump else chance_to_win_later(situation, card >> 3)
        return worth + (points + TAKEN_WITH_IT) * chance // 100
    if stronger == 1:
        return worth + NEXT_WINNER
    return worth + (GUARDED_TEN if points >= 10 else 0)


def chance_to_win_later(situation: Situation, suit: Suit) -> int:
    """Per cent for the best card of a plain *suit*: it may be ruffed when the suit comes round again."""
    if not situation.unseen_mask & situation.trump_mask:
        return WINNER_WITHOUT_TRUMPS
    return CHANCE_NOT_RUFFED[max(unseen_in_suit(situation, suit) - 3, 0)]


# Following.


def follow_weight(situation: Situation, card: Card, chance_otherwise: int) -> int:
    """Worth of playing *card* to a trick that lies on the table, in hundredths of a point."""
    in_trick = situation.points_on_table + POINTS[situation.table + card]
    chance = chance_otherwise
    if situation.beating_mask >> card & 1:
        chance = with_partner_behind(situation, chance_to_hold(situation, card))
    return (2 * chance - 100) * in_trick - 100 * later_worth(situation, card)


def with_partner_behind(situation: Situation, chance: int) -> int:
    """Per cent that the own side takes the trick, where *chance* is its best card's and the partner may help."""
    return chance + (100 - chance) * PARTNER_TO_PLAY // 200 if situation.partner_behind else chance


def chance_not_beating(situation: Situation) -> int:
    """Per cent that the own side takes the trick though the card played to it does not beat the best card."""
    if situation.own_seats >> situation.best_seat & 1:
        return chance_to_hold(situation, situation.best_card)
    return chance_of_partner(situation) if situation.partner_behind else 0


def chance_of_partner(situation: Situation) -> int:
    """Per cent that the partner, still to play, takes the trick from an opponent."""
    best_suit = situation.best_card >> 3
    if situation.partner_behind & situation.voids >> 4 * situation.led_suit:
        may_ruff = best_suit != situation.contract and situation.partner_behind & situation.trump_holders
        return PARTNER_MAY_RUFF if may_ruff else PARTNER_CANNOT
    if best_suit != situation.led_suit or unseen_stronger(situation, situation.best_card) == 0:
        return PARTNER_CANNOT
    return PARTNER_TO_PLAY


# Leading.


def taking_lead_weight(situation: Situation, card: Card) -> int:
    """Worth of leading *card* for who wants to take points."""
    chance = with_partner_behind(situation, chance_to_hold(situation, card))
    in_trick = POINTS[situation.table + card] + TAKEN_WITH_IT
    return (2 * chance - 100) * in_trick - 100 * later_worth(situation, card)


def lead_weight(situation: Situation, card: Card) -> int:
    """Weight of *card* as a lead."""
    called = bidders_weight(situation, card >> 3)
    if situation.trump_mask == 0:
        return called + lead_without_trumps(situation, card)
    if situation.trump_mask >> card & 1:
        return called + lead_trump(situation, card)
    return called + lead_plain(situation, card)


def bidders_weight(situation: Situation, suit: Suit) -> int:
    """The partner's suits are led to, the opponents' are not."""
    bidders = situation.bidders >> 4 * suit & EVERY_SEAT & ~(1 << situation.seat)
    if bidders == 0 or suit == situation.contract:
        return 0
    return 8 if bidders & situation.own_seats else -8


def lead_without_trumps(situation: Situation, card: Card) -> int:
    """No trumps and all trumps: run the long suit that is good, else make the next card of one good."""
    suit, points = card >> 3, POINTS[situation.table + card]
    suit_mask = situation.hand_mask & 0xFF << 8 * suit
    length = suit_mask.bit_count()
    if unseen_stronger(situation, card) == 0:
        return 60 + 4 * length + points // 2
    is_promoting = length >= 2 and has_trump_order(situation.contract, suit)
    promotes = 10 if is_promoting and fewest_stronger(situation, suit_mask) == 1 else 0
    return 10 + 3 * length + promotes - 2 * points


def fewest_stronger(situation: Situation, held_mask: CardMask) -> int:
    """How many unseen cards beat the best of *held_mask*, cards of one suit, not empty."""
    fewest = 8
    while held_mask:
        fewest = min(fewest, unseen_stronger(situation, lowest_card(held_mask)))
        held_mask &= held_mask - 1
    return fewest


def lead_trump(situation: Situation, card: Card) -> int:
    """The declarer's side draws trumps while opponents may hold some; the others keep theirs for ruffing."""
    points = POINTS[situation.table + card]
    is_declarer = situation.declarer_seat == situation.seat
    if not situation.own_seats >> situation.declarer_seat & 1:
        return -25 - points
    if not situation.opponents_behind & situation.trump_holders:
        return -15
    if unseen_stronger(situation, card) == 0:
        return (90 if is_declarer else 55) + points // 10
    if is_declarer:
        length = (situation.hand_mask & situation.trump_mask).bit_count()
        return (34 if length >= 3 else 5) - points
    return 36 - 2 * points


def lead_plain(situation: Situation, card: Card) -> int:
    """Sure winners while they stand; else low, where the partner may ruff, not away from an ace."""
    suit, points = card >> 3, POINTS[situation.table + card]
    if unseen_stronger(situation, card) == 0:
        return 20 + (2 * chance_to_hold(situation, card) - 100) * (points + 12) // 40
    suit_mask = situation.hand_mask & 0xFF << 8 * suit
    weight = 12 - 2 * points
    if fewest_stronger(situation, suit_mask) == 0:
        weight -= 6
    if suit_mask & suit_mask - 1 == 0 and situation.hand_mask & situation.trump_mask and points < 10:
        weight += 5
    if situation.partner_behind & situation.trump_holders & situation.voids >> 4 * suit:
        weight += 22
    return weight

"""The play of the cards: what may be played, why not, who wins, what it counts.

Source: RULES.md 1c, 1d. Parameters that differ: beat_trump_lead, must_ruff, must_overruff, cannot_overruff,
rise_all_trumps. A trick is known by the suit led, its best card so far, and whether the player's partner holds it.
"""

from __future__ import annotations

from belot_stats import parameters as p
from belot_stats.cards import ACE, ALL_CARDS, ALL_TRUMPS, NO_SUIT, Card, CardMask, Contract, Suit
from belot_stats.ruleset import RuleSet

# By rank 7 8 9 T J Q K A: strength inside the suit, and points.
TRUMP_STRENGTH = (0, 1, 6, 4, 7, 2, 3, 5)
PLAIN_STRENGTH = (0, 1, 2, 6, 3, 4, 5, 7)
TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)
# By rank: the ranks of the same suit that are stronger as trumps, as a byte.
STRONGER_TRUMPS = tuple(
    sum(1 << other for other in range(8) if TRUMP_STRENGTH[other] > TRUMP_STRENGTH[rank]) for rank in range(8)
)

(
    CARD_IS_LEGAL,
    CARD_NOT_IN_HAND,
    REVOKE,
    MUST_BEAT,
    MUST_RUFF,
    MUST_OVERRUFF,
    MUST_UNDERTRUMP,
    CLOSED_LEAD,
) = range(8)


Duty = tuple[CardMask, CardMask]  # who holds any of the first must play one of the second
FREE: Duty = (ALL_CARDS, ALL_CARDS)


def suit_mask(suit: Suit) -> CardMask:
    """All cards of *suit*."""
    return 0xFF << (8 * suit)


def stronger_trumps_mask(card: Card) -> CardMask:
    """Cards of *card*'s suit that beat it as trumps."""
    return STRONGER_TRUMPS[card & 7] << (card & 24)


def has_trump_order(contract: Contract, suit: Suit) -> bool:
    """Whether *suit* ranks J 9 A T K Q 8 7 under *contract*."""
    return contract in (suit, ALL_TRUMPS)


def card_strength(contract: Contract, card: Card) -> int:
    """Strength of *card* within its suit, 0..7."""
    return TRUMP_STRENGTH[card & 7] if has_trump_order(contract, card >> 3) else PLAIN_STRENGTH[card & 7]


def card_points(contract: Contract, card: Card) -> int:
    """Points of *card*; no trumps is not doubled here."""
    return TRUMP_POINTS[card & 7] if has_trump_order(contract, card >> 3) else PLAIN_POINTS[card & 7]


def beats(contract: Contract, card: Card, best_card: Card) -> bool:
    """Whether *card*, played after *best_card*, takes the trick from it."""
    if card >> 3 == best_card >> 3:
        return card_strength(contract, card) > card_strength(contract, best_card)
    return card >> 3 == contract


def lead_mask(contract: Contract, hand_mask: CardMask, is_closed: bool) -> CardMask:
    """Cards of *hand_mask* that may be led; in a deal doubled closed no trump by who holds another suit.

    Source: BALOOT.md 1b.  Returns: non-empty subset of hand_mask.
    """
    if not is_closed or contract > 3:
        return hand_mask
    return hand_mask & ~suit_mask(contract) or hand_mask


def legal_mask(
    rules: RuleSet,
    contract: Contract,
    hand_mask: CardMask,
    led_suit: Suit,
    best_card: Card,
    partner_holds: bool,
    trick_size: int,
) -> CardMask:
    """Cards of *hand_mask* that may be played to this trick.

    hand_mask: 32-bit card set, not empty.  led_suit: 0-3, or NO_SUIT to lead.  best_card: the card that holds the
    trick.  partner_holds: it is the partner's.  trick_size: cards already in the trick.
    Returns: non-empty subset of hand_mask.
    """
    if led_suit == NO_SUIT:
        return hand_mask
    first, second, third = duties(rules, contract, led_suit, best_card, partner_holds, trick_size)
    if hand_mask & first[0]:
        return hand_mask & first[1]
    if hand_mask & second[0]:
        return hand_mask & second[1]
    return hand_mask & third[1] if hand_mask & third[0] else hand_mask


def duties(
    rules: RuleSet,
    contract: Contract,
    led_suit: Suit,
    best_card: Card,
    partner_holds: bool,
    trick_size: int,
) -> tuple[Duty, Duty, Duty]:
    """What a player owes to a trick: the first of three duties that his hand can meet is his; with none he is free.

    A trump lead, and every lead at all trumps, must be risen over where that is possible; a suit must be followed;
    who is void must ruff where there is a duty to, over an opponent's trump where that is possible.
    """
    suit = suit_mask(led_suit)
    follow = (suit, suit)
    if has_trump_order(contract, led_suit):
        rise = rules.rise_all_trumps if contract == ALL_TRUMPS else rules.beat_trump_lead
        if rise == p.NOT_OVER_PARTNER and partner_holds:
            return follow, FREE, FREE
        higher = stronger_trumps_mask(best_card)
        return (higher, higher), follow, FREE
    if contract > 3 or not has_ruff_duty(rules, best_card, partner_holds, trick_size):
        return follow, FREE, FREE
    trumps = suit_mask(contract)
    ruff = (trumps, trumps)
    if best_card >> 3 != contract or partner_holds:
        return follow, ruff, FREE
    higher = stronger_trumps_mask(best_card)
    overruff = (higher, higher if rules.must_overruff else trumps)
    return follow, overruff, ruff if rules.cannot_overruff == p.UNDERTRUMP else FREE


def has_ruff_duty(rules: RuleSet, best_card: Card, partner_holds: bool, trick_size: int) -> bool:
    """Whether a player void in the led plain suit has to trump."""
    if rules.must_ruff == p.RUFF_NEVER:
        return False
    if rules.must_ruff == p.RUFF_ALWAYS or not partner_holds:
        return True
    # The third player's partner led, so the card that holds the trick is the one he led.
    return rules.must_ruff == p.RUFF_UNLESS_PARTNER_LED_ACE and trick_size == 2 and best_card & 7 != ACE


def card_problem(
    rules: RuleSet,
    contract: Contract,
    hand_mask: CardMask,
    card: Card,
    led_suit: Suit,
    best_card: Card,
    partner_holds: bool,
    trick_size: int,
) -> int:
    """Why *card* may not be played: CARD_IS_LEGAL or one of the codes beside it; arguments as in legal_mask."""
    if not hand_mask >> card & 1:
        return CARD_NOT_IN_HAND
    if legal_mask(rules, contract, hand_mask, led_suit, best_card, partner_holds, trick_size) >> card & 1:
        return CARD_IS_LEGAL
    if hand_mask & suit_mask(led_suit):
        return MUST_BEAT if card >> 3 == led_suit else REVOKE
    is_ruffed_by_opponent = best_card >> 3 == contract and not partner_holds
    if not is_ruffed_by_opponent:
        return MUST_RUFF
    if hand_mask & stronger_trumps_mask(best_card):
        return MUST_OVERRUFF if rules.must_overruff else MUST_RUFF
    return MUST_UNDERTRUMP


def deal_card_total(contract: Contract) -> int:
    """Points of all 32 cards without the last trick: 152, 120 or 248."""
    if contract == ALL_TRUMPS:
        return 248
    return 152 if contract < 4 else 120

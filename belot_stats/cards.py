"""Cards, suits, seats, contracts and calls as small integers, and their texts.

A card is ``8*suit + rank``; suits are C D H S = 0..3, ranks 7 8 9 T J Q K A = 0..7; a hand is a 32-bit mask in
which bit ``card`` is set, so that each suit is one byte of it. A contract is 0..3 (that suit is trump), 4 (no
trumps, Sun) or 5 (all trumps). Every ``parse_x`` has its ``format_x``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from belot_stats.errors import CardError

Card: TypeAlias = int
CardMask: TypeAlias = int
Suit: TypeAlias = int
Rank: TypeAlias = int
Seat: TypeAlias = int
Side: TypeAlias = int
Contract: TypeAlias = int
CallCode: TypeAlias = int

SUIT_NAMES = "CDHS"
RANK_NAMES = "789TJQKA"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
NO_SUIT = -1
NO_CARD = -1
NO_SEAT = -1

CARD_NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES)
CARD_NUMBERS: dict[str, Card] = {name: card for card, name in enumerate(CARD_NAMES)}
ALL_CARDS: CardMask = 0xFFFF_FFFF
SUIT_MASKS: tuple[CardMask, ...] = tuple(0xFF << (8 * suit) for suit in range(4))

CONTRACT_NAMES = "CDHSNA"
NO_TRUMPS: Contract = 4
ALL_TRUMPS: Contract = 5
NO_CONTRACT = -1

# Calls: 0..5 name a contract, in the order of CONTRACT_NAMES.
PASS: CallCode = 6
DOUBLE: CallCode = 7
REDOUBLE: CallCode = 8
TRIPLE: CallCode = 9
QUADRUPLE: CallCode = 10
ASHKAL: CallCode = 11
DOUBLE_CLOSED: CallCode = 12
TRIPLE_CLOSED: CallCode = 13
CALL_NAMES = ("C", "D", "H", "S", "N", "A", "P", "X", "XX", "XXX", "XXXX", "AK", "X-", "XXX-")
CALL_NUMBERS: dict[str, CallCode] = {name: call for call, name in enumerate(CALL_NAMES)}

KIND_NAMES = ("tierce", "quarte", "quinte", "carre")


def suit_of(card: Card) -> Suit:
    """Suit 0..3 of *card*."""
    return card >> 3


def rank_of(card: Card) -> Rank:
    """Rank 0..7 of *card*, in natural order."""
    return card & 7


def parse_card(text: str) -> Card:
    """Card named by *text*, rank then suit.

    Raises: CardError when it is none of the 32 names.
    >>> parse_card("TD")
    11
    """
    try:
        return CARD_NUMBERS[text]
    except KeyError:
        raise CardError(
            f"{text!r} is no card: expected a rank of {RANK_NAMES} and a suit of {SUIT_NAMES}, as in 'TD'"
        ) from None


def format_card(card: Card) -> str:
    """Name of *card*.

    >>> format_card(11)
    'TD'
    """
    return CARD_NAMES[card]


def parse_cards(text: str | Iterable[str]) -> list[Card]:
    """Cards named in *text* (separated by blanks) or in a list of names, in their order.

    Raises: CardError for a name that is no card.
    """
    try:
        return [parse_card(name) for name in (text.split() if isinstance(text, str) else text)]
    except TypeError:
        raise CardError(f"{text!r}: expected cards, as in '8H AH 7S'") from None


def format_cards(cards: Iterable[Card]) -> str:
    """Names of *cards*, separated by blanks."""
    return " ".join(CARD_NAMES[card] for card in cards)


def parse_hand(text: str | Iterable[str]) -> CardMask:
    """Card set named by *text*.

    Raises: CardError for a name that is no card, or one named twice.
    >>> format_hand(parse_hand("8H AH 7S"))
    '8H AH 7S'
    """
    mask = 0
    for card in parse_cards(text):
        if mask >> card & 1:
            raise CardError(f"{CARD_NAMES[card]} stands twice in {text!r}")
        mask |= 1 << card
    return mask


def format_hand(mask: CardMask) -> str:
    """Names of the cards of *mask*, by suit and rank."""
    return format_cards(cards_in(mask))


def cards_in(mask: CardMask) -> Iterator[Card]:
    """Cards of *mask*, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Iterable[Card]) -> CardMask:
    """Card set of *cards*."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def parse_contract(text: object) -> Contract:
    """Contract 0..5 named by one of C D H S N A.

    Raises: CardError for anything else.
    """
    if isinstance(text, str) and len(text) == 1 and text in CONTRACT_NAMES:
        return CONTRACT_NAMES.index(text)
    raise CardError(f"{text!r} is no contract: expected one of {', '.join(CONTRACT_NAMES)}")


def format_contract(contract: Contract) -> str:
    """Letter of *contract*."""
    return CONTRACT_NAMES[contract]


def parse_call(text: str) -> CallCode:
    """Call named by *text*.

    Raises: CardError for anything that FORMAT's list of calls does not have.
    """
    try:
        return CALL_NUMBERS[text]
    except KeyError:
        raise CardError(f"{text!r} is no call: expected one of {', '.join(CALL_NAMES)}") from None


def format_call(call: CallCode) -> str:
    """Text of *call*."""
    return CALL_NAMES[call]

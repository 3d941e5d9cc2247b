"""Words for what stands in a deal: cards, seats, contracts, moments, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belot_stats.cards import ASHKAL, DOUBLE_CLOSED, PASS, RANK_NAMES, TRIPLE_CLOSED, cards_in
from belot_stats.deal import Deal
from belot_stats.parameters import ROUND_BALOOT, WHOLE_MATCH
from belot_stats.texts import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belot_stats.checker import Checked
    from belot_stats.ruleset import RuleSet

SUIT_SYMBOLS = "♣♦♥♠"
CONTRACT_WORDS = ("clubs", "diamonds", "hearts", "spades", "no trumps", "all trumps")
BALOOT_WORDS = ("Hokum, clubs", "Hokum, diamonds", "Hokum, hearts", "Hokum, spades", "Sun", "all trumps")
LEVEL_WORDS = {1: "", 2: ", contra", 4: ", recontra", WHOLE_MATCH: ", for the whole match"}
OUTCOME_WORDS = {
    "passed": "passed out",
    "all_pass": "played after all passed",
    "declared_out": "declared out",
}
NAME_WIDTH = 11


def card_text(card: int) -> str:
    """Card as players read it.

    >>> card_text(11)
    '10♦'
    """
    return rank_text(card) + SUIT_SYMBOLS[card >> 3]


def rank_text(card: int) -> str:
    """Rank of a card as players read it."""
    rank = RANK_NAMES[card & 7]
    return "10" if rank == "T" else rank


def cards_text(cards: Iterable[int]) -> str:
    """Cards as players read them."""
    return " ".join(card_text(card) for card in cards)


def hand_text(mask: int) -> str:
    """Cards of a hand, by suit and rank."""
    return cards_text(cards_in(mask))


def suit_text(mask: int, suit: int) -> str:
    """Ranks of one suit of a hand, best first."""
    return " ".join(rank_text(card) for card in reversed(list(cards_in(mask & 0xFF << 8 * suit)))) or "-"


def seat_name(deal: Deal, seat: int) -> str:
    """Seat number, and the player's name where there is one."""
    name = deal.players[seat] if deal.players is not None and seat < len(deal.players) else None
    return f"{seat} {visible(name)}" if name else f"seat {seat}"


def short_name(deal: Deal, seat: int) -> str:
    """Seat and name, cut to the width of a column."""
    name = seat_name(deal, seat)
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…"


def sides_text(values: Iterable[int]) -> str:
    """Values of the sides as players write them; a minus before a number is none between two.

    >>> sides_text((14, 6)), sides_text((-20, 30, 5))
    ('14-6', '-20 : 30 : 5')
    """
    numbers = list(values)
    return (" : " if min(numbers, default=0) < 0 else "-").join(map(str, numbers))


def moment_text(checked: Checked, at: int | None, *, is_between: bool) -> str:
    """When something was announced.

    at: cards already on the table, where *is_between* cards; else the index of a card.
    """
    if at is None:
        return ""
    trick, position = divmod(at, checked.rules.players)
    if is_between and position == 0 and at >= len(checked.deal.plays) > 0:
        return "after the last card"
    if position == 0:
        return f"on lead, trick {trick}"
    return f"trick {trick}, after {position} {'card' if position == 1 else 'cards'}"


def contract_text(checked: Checked) -> str:
    """What the deal is played in, whose contract it is, and its level."""
    computed, deal, rules = checked.computed, checked.deal, checked.rules
    if computed.contract is None:
        return "passed out: the cards are thrown in" if computed.outcome == "passed" else "no contract"
    words = contract_words(rules)[computed.contract]
    if computed.declarer is None:
        return f"all passed: played in {words}, the turned-up suit, without a declarer"
    level = level_text(computed.level)
    return f"{words} by {seat_name(deal, computed.declarer)}{_by_ashkal(deal)}{level}{_closed(deal)}"


def contract_words(rules: RuleSet) -> tuple[str, ...]:
    """Words of the six contracts in the system's own language."""
    return BALOOT_WORDS if rules.rounding == ROUND_BALOOT else CONTRACT_WORDS


def level_text(level: int | None) -> str:
    """Words of a level, beginning with a comma; nothing for an undoubled contract."""
    return "" if level is None else LEVEL_WORDS.get(level, f", times {level}")


def _by_ashkal(deal: Deal) -> str:
    return " (Ashkal)" if ASHKAL in (deal.auction or ()) else ""


def _closed(deal: Deal) -> str:
    doubles = [call for call in deal.auction or () if call > PASS and call != ASHKAL]
    return ", closed" if doubles and doubles[-1] in (DOUBLE_CLOSED, TRIPLE_CLOSED) else ""


def outcome_text(outcome: str) -> str:
    """Words of an outcome."""
    return OUTCOME_WORDS.get(outcome, outcome)


def end_text(deal: Deal) -> str:
    """How the deal ended: who ended it, after how many cards, and why, where the log says so."""
    by = deal.ended_by
    if by is None:
        return f"end: {deal.end}"
    seat = f" by {seat_name(deal, by.seat)}" if by.seat is not None else ""
    after = f" after {by.at} cards" if by.at is not None else ""
    reason = f" ({by.reason})" if by.reason else ""
    return f"end: {deal.end}{seat}{after}{reason}"

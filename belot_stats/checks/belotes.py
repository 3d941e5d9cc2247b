"""The belotes of a deal: which are valid, and which count.

Source: RULES.md 1e, Q9, Q40. Parameters that differ: belote_when, belote_needs_trick, belote_with_hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, KING, NO_TRUMPS, QUEEN, SUIT_NAMES, CardMask, format_hand
from belot_stats.checks.collect import Findings
from belot_stats.checks.play import Played
from belot_stats.deal import Belote, Deal
from belot_stats.rules.table import side_of
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    from belot_stats.checks.declarations import DeclarationResult

STATUS_OF_CODE = {"": "counted", "false-belote": "false", "late-belote": "late"}
HUNDRED = 100


class BeloteResult(msgspec.Struct, frozen=True, kw_only=True):
    """An announced belote and what became of it; names as in the data dictionary."""

    seat: int
    side: int
    suit: int
    at: int | None
    status: str


def check_belotes(
    deal: Deal,
    rules: RuleSet,
    contract: int,
    played: Played,
    tricks_won: Sequence[int],
    declared: Sequence[DeclarationResult],
    findings: Findings,
    is_all_pass: bool = False,
) -> tuple[BeloteResult, ...]:
    """Every belote announced in *deal*, in the record's order.

    is_all_pass: the deal is played after all passed: a belote counts against the others, whoever took tricks (Q20).
    """
    results: list[BeloteResult] = []
    for index, item in enumerate(deal.belotes):
        at, code, expected = _belote_problem(deal, rules, contract, played, item, deal.belotes[:index])
        status = STATUS_OF_CODE[code]
        if code:
            said_at = item.at if item.at is not None else at
            found = f"belote in {SUIT_NAMES[item.suit]} with {said_at} cards on the table"
            findings.add(
                code,
                expected,
                found,
                seat=item.seat,
                card_index=said_at,
                field=f"belotes.{index}",
            )
        elif rules.belote_needs_trick and not is_all_pass and not tricks_won[side_of(rules, item.seat)]:
            status = "no_trick"
        elif not rules.belote_with_hundred and _stands_in_hundred(item, declared):
            status = "not_allowed"
        results.append(
            BeloteResult(seat=item.seat, side=side_of(rules, item.seat), suit=item.suit, at=at, status=status)
        )
    return tuple(results)


def _stands_in_hundred(item: Belote, declared: Sequence[DeclarationResult]) -> bool:
    pair = belote_mask(item.suit)
    hundreds = [d for d in declared if d.seat == item.seat and d.points >= HUNDRED and d.status == "counted"]
    return any(
        d.cards is not None and (d.cards & pair == pair or (d.kind == "carre" and d.cards & pair))
        for d in hundreds
    )


def belote_mask(suit: int) -> CardMask:
    """King and queen of *suit*."""
    return (1 << QUEEN | 1 << KING) << 8 * suit


def _belote_problem(
    deal: Deal, rules: RuleSet, contract: int, played: Played, item: Belote, earlier: Sequence[Belote]
) -> tuple[int | None, str, str]:
    """Index of the first of the two cards played, and the code and expectation of a fault, '' where there is none."""
    pair = belote_mask(item.suit)
    own = [
        i
        for i, card in enumerate(deal.plays)
        if pair >> card & 1 and played.tricks and played.seat_at(i) == item.seat
    ]
    first = own[0] if own else None
    if contract < 0 or contract == NO_TRUMPS or contract not in (item.suit, ALL_TRUMPS):
        return first, "false-belote", "king and queen of trumps"
    if pair & ~played.hands[item.seat] and played.is_known:
        return first, "false-belote", f"both {format_hand(pair)} in the hand of seat {item.seat}"
    if any(other.seat == item.seat and other.suit == item.suit for other in earlier):
        return first, "false-belote", "announced once"
    return first, *_time_problem(deal, rules, contract, own, item.at)


def _time_problem(
    deal: Deal, rules: RuleSet, contract: int, own: Sequence[int], at: int | None
) -> tuple[str, str]:
    """Code and expectation of a belote that is announced at the wrong time or with the wrong card.

    own: indexes of the holder's king and queen among the cards played; at: as the log says it, None = rightly.
    """
    if rules.belote_when == p.BELOTE_WHILE_HELD:
        if at is not None and len(own) == 2 and at > own[1]:
            return "late-belote", f"announced before the second of the two cards, card {own[1]} of the deal"
        return "", ""
    if not own:
        return "", ""
    is_second = rules.belote_when == p.BELOTE_SECOND_CARD and at in own
    if at is not None and at != own[0] and not is_second:
        code = "late-belote" if at > own[0] else "false-belote"
        return code, f"announced with the first of the two cards, {own[0]} cards on the table"
    if rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF and _is_discard(deal, rules, contract, own[0]):
        return "false-belote", "led, following suit, or ruffing with the first of the two cards"
    return "", ""


def _is_discard(deal: Deal, rules: RuleSet, contract: int, index: int) -> bool:
    """At all trumps a card thrown on another suit; in a suit contract a trump always follows or ruffs."""
    led = deal.plays[index - index % rules.players]
    return contract == ALL_TRUMPS and deal.plays[index] >> 3 != led >> 3


def belote_points(results: Sequence[BeloteResult], rules: RuleSet, sides: int) -> tuple[int, ...]:
    """Counted belotes, raw points a side."""
    return tuple(
        rules.belote_points * sum(item.side == side and item.status == "counted" for item in results)
        for side in range(sides)
    )

"""The announcements of a deal: which are valid, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from belot_stats import parameters as p
from belot_stats.cards import (
    ALL_TRUMPS,
    KIND_NAMES,
    KING,
    NO_TRUMPS,
    QUEEN,
    SUIT_NAMES,
    CardMask,
    format_hand,
)
from belot_stats.checks.collect import Findings
from belot_stats.checks.play import Played
from belot_stats.deal import Belote, Deal, Declaration
from belot_stats.rules import declarations as rule
from belot_stats.rules.table import side_of
from belot_stats.ruleset import RuleSet

STATUS_NAMES = {rule.COUNTED: "counted", rule.BEATEN: "beaten", rule.TIED: "tied"}
HUNDRED = 100


class DeclarationResult(msgspec.Struct, frozen=True, kw_only=True):
    """An announced combination and what became of it; names as in the data dictionary."""

    seat: int
    side: int
    kind: str | None
    cards: int | None
    points: int
    at: int | None
    status: str


class BeloteResult(msgspec.Struct, frozen=True, kw_only=True):
    """An announced belote and what became of it; names as in the data dictionary."""

    seat: int
    side: int
    suit: int
    at: int | None
    status: str


class _Valid(msgspec.Struct):
    """An announcement on its way: its place in the record, time, cards, and the status once it is known."""

    index: int
    at: int
    seat: int
    cards: CardMask | None
    kind: str | None
    status: str = ""
    points: int = 0
    is_valid: bool = False


def first_card_index(played: Played, seat: int) -> int | None:
    """Index, in the whole deal, of the first card that *seat* played; None where it played none."""
    if not played.tricks:
        return None
    position = (seat - played.tricks[0].leader_seat) % len(played.hands)
    return position if position < len(played.tricks[0].cards) else None


def check_declarations(
    deal: Deal, rules: RuleSet, contract: int, played: Played, tricks_won: Sequence[int], findings: Findings
) -> tuple[DeclarationResult, ...]:
    """Every announcement of *deal*, in the record's order. One with a finding counts nothing and beats nobody."""
    entries = [_entry(index, item, played) for index, item in enumerate(deal.declarations)]
    if contract >= 0:
        _name_kinds(rules, contract, played, entries)
    for entry in sorted(entries, key=lambda item: (item.at, item.index)):
        _validate(deal, rules, contract, played, entries, entry, findings)
    _settle(rules, contract, played, tricks_won, [entry for entry in entries if not entry.status])
    return tuple(_result(rules, entry, deal.declarations[entry.index]) for entry in entries)


def _entry(index: int, item: Declaration, played: Played) -> _Valid:
    own = first_card_index(played, item.seat)
    at = item.at if item.at is not None else own if own is not None else 0
    return _Valid(index=index, at=at, seat=item.seat, cards=item.cards, kind=item.kind)


def _validate(
    deal: Deal,
    rules: RuleSet,
    contract: int,
    played: Played,
    entries: list[_Valid],
    entry: _Valid,
    findings: Findings,
) -> None:
    """Set the status of *entry* where it has a fault, else its cards and points."""
    earlier = [other.cards or 0 for other in entries if other.seat == entry.seat and other.is_valid]
    clashing = [cards for cards in earlier if not rule.may_stand_together(rules, cards, entry.cards or 0)]
    if contract < 0:
        entry.status = "not_allowed"
    elif not rule.declarations_count(rules, contract):
        _fault(
            entry, findings, "declaration-not-allowed", "not_allowed", "no declarations under this contract"
        )
    elif not _find_cards(rules, contract, played, entry):
        _fault(
            entry,
            findings,
            "false-declaration",
            "false",
            _expected_combination(rules, contract, played, entry),
        )
    elif is_late(rules, played, entry.seat, entry.at):
        _fault(
            entry, findings, "late-declaration", "late", f"announced {_time_limit(rules, played, entry.seat)}"
        )
    elif clashing:
        shared = format_hand(clashing[0] & (entry.cards or 0))
        _fault(
            entry,
            findings,
            "shared-card",
            "shared",
            f"no card of an earlier declaration, but {shared} is in one",
        )
    else:
        entry.is_valid = True
        entry.points = max(rule.combination_points(rules, contract, entry.cards or 0), 0)


def _fault(entry: _Valid, findings: Findings, code: str, status: str, expected: str) -> None:
    entry.status = status
    findings.add(
        code,
        expected,
        _described(entry),
        seat=entry.seat,
        card_index=entry.at,
        field=f"declarations.{entry.index}",
    )


def _described(entry: _Valid) -> str:
    cards = format_hand(entry.cards) if entry.cards is not None else (entry.kind or "nothing")
    return f"{cards} announced with {entry.at} cards on the table"


def _name_kinds(rules: RuleSet, contract: int, played: Played, entries: list[_Valid]) -> None:
    """Cards of announcements that a log gives by kind alone: the best such combinations of the hand, no card twice."""
    for seat in {entry.seat for entry in entries}:
        own = [entry for entry in entries if entry.seat == seat]
        unnamed = sorted(
            (entry for entry in own if entry.cards is None),
            key=lambda entry: -KIND_NAMES.index(entry.kind or ""),
        )
        taken = [entry.cards for entry in own if entry.cards is not None]
        kinds = [KIND_NAMES.index(entry.kind or "") for entry in unnamed]
        for entry, cards in zip(
            unnamed,
            rule.combinations_of_kinds(rules, contract, played.hands[seat], kinds, taken),
            strict=True,
        ):
            entry.cards = cards


def _find_cards(rules: RuleSet, contract: int, played: Played, entry: _Valid) -> bool:
    """Whether the combination is one and is held."""
    if entry.cards is None:
        return not played.is_known
    is_held = entry.cards & ~played.hands[entry.seat] == 0 or not played.is_known
    return is_held and rule.combination_points(rules, contract, entry.cards) >= 0


def _expected_combination(rules: RuleSet, contract: int, played: Played, entry: _Valid) -> str:
    hand_mask = played.hands[entry.seat]
    best = rule.best_combinations(rules, contract, hand_mask)
    best_text = ", ".join(format_hand(cards) for cards in best) or "nothing to announce"
    return f"a combination of the hand {format_hand(hand_mask)} ({best_text})"


def is_late(rules: RuleSet, played: Played, seat: int, at: int) -> bool:
    """Whether an announcement with *at* cards on the table comes too late."""
    own = first_card_index(played, seat)
    if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
        return own is not None and at > own
    return at >= len(played.hands)


def _time_limit(rules: RuleSet, played: Played, seat: int) -> str:
    if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
        return f"with the seat's first card, {first_card_index(played, seat)} cards on the table"
    return "during the first trick"


def _settle(
    rules: RuleSet, contract: int, played: Played, tricks_won: Sequence[int], valid: list[_Valid]
) -> None:
    """Contest of the valid announcements, and the trick that a side may need."""
    known = [entry for entry in valid if entry.cards is not None]
    leader = played.tricks[0].leader_seat if played.tricks else 0
    announcements = [rule.Announcement(entry.seat, entry.cards or 0) for entry in known]
    for entry, fate in zip(
        known, rule.settle_announcements(rules, contract, announcements, leader), strict=True
    ):
        entry.status = STATUS_NAMES[fate]
        if (
            fate == rule.COUNTED
            and rules.declarations_need_trick
            and not tricks_won[side_of(rules, entry.seat)]
        ):
            entry.status = "no_trick"


def _result(rules: RuleSet, entry: _Valid, item: Declaration) -> DeclarationResult:
    kind = rule.kind_of(entry.cards) if entry.cards is not None else rule.NO_KIND
    return DeclarationResult(
        seat=entry.seat,
        side=side_of(rules, entry.seat),
        kind=KIND_NAMES[kind] if kind >= 0 else item.kind,
        cards=entry.cards,
        points=entry.points,
        at=entry.at,
        status=entry.status or "unknown",
    )


def declaration_points(results: Sequence[DeclarationResult], sides: int) -> tuple[int, ...]:
    """Counted declarations, raw points a side."""
    return tuple(
        sum(item.points for item in results if item.side == side and item.status == "counted")
        for side in range(sides)
    )


def check_belotes(
    deal: Deal,
    rules: RuleSet,
    contract: int,
    played: Played,
    tricks_won: Sequence[int],
    declared: Sequence[DeclarationResult],
    findings: Findings,
) -> tuple[BeloteResult, ...]:
    """Every belote announced in *deal*, in the record's order."""
    results: list[BeloteResult] = []
    for index, item in enumerate(deal.belotes):
        at, code, expected = _belote_problem(deal, rules, contract, played, item, deal.belotes[:index])
        status = "counted"
        if code:
            status = "late" if code == "late-belote" else "false"
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
        elif rules.belote_needs_trick and not tricks_won[side_of(rules, item.seat)]:
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
    if (
        item.at is not None
        and first is not None
        and item.at != first
        and not _is_second_card(rules, own, item.at)
    ):
        expected = f"announced with the first of the two cards, {first} cards on the table"
        return first, "late-belote" if item.at > first else "false-belote", expected
    if (
        first is not None
        and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF
        and _is_discard(deal, rules, contract, first)
    ):
        return first, "false-belote", "led, following suit, or ruffing with the first of the two cards"
    return first, "", ""


def _is_second_card(rules: RuleSet, own: Sequence[int], at: int) -> bool:
    return rules.belote_when == p.BELOTE_SECOND_CARD and at in own


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

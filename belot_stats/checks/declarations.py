"""The announcements of a deal: which are valid, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from belot_stats import parameters as p
from belot_stats.cards import KIND_NAMES, CardMask, format_hand
from belot_stats.checks.belotes import BeloteResult, belote_points, check_belotes
from belot_stats.checks.collect import Findings
from belot_stats.checks.moments import (
    announced_at,
    gone_mask,
    hand_when_announced,
    is_late,
    leader_at,
    time_limit,
)
from belot_stats.checks.play import Played
from belot_stats.deal import Deal, Declaration
from belot_stats.rules import declarations as rule
from belot_stats.rules.table import seat_after, side_of
from belot_stats.ruleset import RuleSet

__all__ = [
    "BeloteResult",
    "DeclarationResult",
    "belote_points",
    "check_belotes",
    "check_declarations",
    "declaration_points",
]

STATUS_OF_CODE = {
    "declaration-not-allowed": "not_allowed",
    "false-declaration": "false",
    "late-declaration": "late",
    "shared-card": "shared",
}
STATUS_NAMES = {rule.COUNTED: "counted", rule.BEATEN: "beaten", rule.TIED: "tied"}


class DeclarationResult(msgspec.Struct, frozen=True, kw_only=True):
    """An announced combination and what became of it; names as in the data dictionary."""

    seat: int
    side: int
    kind: str | None
    cards: int | None
    points: int
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


def check_declarations(
    deal: Deal,
    rules: RuleSet,
    contract: int,
    played: Played,
    tricks_won: Sequence[int],
    findings: Findings,
    is_all_pass: bool = False,
) -> tuple[DeclarationResult, ...]:
    """Every announcement of *deal*, in the record's order. One with a finding counts nothing and beats nobody.

    is_all_pass: the deal is played after all passed, where combinations count against the others (RULES.md Q20).
    """
    entries = [_entry(deal, rules, played, index) for index in range(len(deal.declarations))]
    if contract >= 0:
        _name_kinds(deal, rules, contract, played, entries)
    for entry in _in_order(deal, rules, played, entries):
        fault = _fault_of(deal, rules, contract, played, entries, entry)
        if fault is not None:
            _add_fault(entry, findings, *fault)
        elif contract < 0:
            entry.status = "not_allowed"
        else:
            entry.is_valid = True
            entry.points = max(rule.combination_points(rules, contract, entry.cards or 0), 0)
    valid = [entry for entry in _in_order(deal, rules, played, entries) if entry.is_valid]
    _settle(deal, rules, contract, valid, _scoring_sides(rules, tricks_won, is_all_pass))
    return tuple(_result(rules, entry, deal.declarations[entry.index]) for entry in entries)


def _entry(deal: Deal, rules: RuleSet, played: Played, index: int) -> _Valid:
    item = deal.declarations[index]
    at = announced_at(deal, rules, played, item)
    return _Valid(index=index, at=at, seat=item.seat, cards=item.cards, kind=item.kind)


def _in_order(deal: Deal, rules: RuleSet, played: Played, entries: Sequence[_Valid]) -> list[_Valid]:
    """In the order announced: who is on lead speaks before those who answer, whatever the order of the record."""
    is_on_lead = rules.declare_when == p.ANNOUNCE_ON_LEAD

    def order(entry: _Valid) -> tuple[int, bool, int]:
        is_answer = is_on_lead and leader_at(deal, rules, played, entry.at) != entry.seat
        return entry.at, is_answer, entry.index

    return sorted(entries, key=order)


def _fault_of(
    deal: Deal, rules: RuleSet, contract: int, played: Played, entries: Sequence[_Valid], entry: _Valid
) -> tuple[str, str] | None:
    """Code and expectation of what is wrong with *entry*; None where nothing is, or there is no contract."""
    if contract < 0:
        return None
    if not rule.declarations_count(rules, contract):
        return "declaration-not-allowed", "no declarations under this contract"
    if not _is_held(rules, contract, played, entry):
        return "false-declaration", _expected_combination(rules, contract, played, entry)
    is_answer = _is_answer(deal, rules, played, entries, entry)
    if is_late(deal, rules, played, entry.seat, entry.at, is_answer):
        return "late-declaration", f"announced {time_limit(rules, played, entry.seat)}"
    gone = (entry.cards or 0) & gone_mask(deal, entry.at)
    if gone and rules.declare_when == p.ANNOUNCE_ON_LEAD:
        return "false-declaration", f"cards still in hand, but {format_hand(gone)} was played before"
    shared = _shared_cards(rules, entries, entry)
    if shared:
        return "shared-card", f"no card of an earlier declaration, but {format_hand(shared)} is in one"
    return None


def _is_answer(deal: Deal, rules: RuleSet, played: Played, entries: Sequence[_Valid], entry: _Valid) -> bool:
    """Whether the seat on lead, of another side, has announced a combination at the same moment."""
    leader = leader_at(deal, rules, played, entry.at)
    announced = any(other.is_valid and other.at == entry.at and other.seat == leader for other in entries)
    return announced and side_of(rules, leader) != side_of(rules, entry.seat)


def _shared_cards(rules: RuleSet, entries: Sequence[_Valid], entry: _Valid) -> CardMask:
    """Cards of *entry* that stand in an earlier valid announcement beside which it may not stand."""
    for other in entries:
        is_own = other.seat == entry.seat and other.is_valid
        if is_own and not rule.may_stand_together(rules, other.cards or 0, entry.cards or 0):
            return (other.cards or 0) & (entry.cards or 0)
    return 0


def _add_fault(entry: _Valid, findings: Findings, code: str, expected: str) -> None:
    entry.status = STATUS_OF_CODE[code]
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


def _name_kinds(deal: Deal, rules: RuleSet, contract: int, played: Played, entries: Sequence[_Valid]) -> None:
    """Cards of announcements that a log gives by kind alone: the best such combinations of the hand, no card twice.

    On lead those of one moment are looked for in what the hand still holds; a combination that is not there any more
    may have been held before, and is then announced late, or of cards that are gone.
    """
    moments = {(entry.seat, _moment(rules, entry)) for entry in entries}
    for seat, at in sorted(moments):
        own = [entry for entry in entries if (entry.seat, _moment(rules, entry)) == (seat, at)]
        for hand_mask in (hand_when_announced(deal, rules, played, seat, at), played.hands[seat]):
            unnamed = sorted((entry for entry in own if entry.cards is None), key=lambda entry: -_kind(entry))
            taken = [entry.cards for entry in entries if entry.seat == seat and entry.cards is not None]
            kinds = [_kind(entry) for entry in unnamed]
            found = rule.combinations_of_kinds(rules, contract, hand_mask, kinds, taken)
            for entry, cards in zip(unnamed, found, strict=True):
                entry.cards = cards


def _moment(rules: RuleSet, entry: _Valid) -> int:
    """Moment with whose cards the seat's kinds are looked for together; elsewhere than on lead it has only one."""
    return entry.at if rules.declare_when == p.ANNOUNCE_ON_LEAD else 0


def _kind(entry: _Valid) -> int:
    return KIND_NAMES.index(entry.kind or "")


def _is_held(rules: RuleSet, contract: int, played: Played, entry: _Valid) -> bool:
    """Whether the combination is one and was held when play began."""
    if entry.cards is None:
        return not played.is_known
    is_held = entry.cards & ~played.hands[entry.seat] == 0 or not played.is_known
    return is_held and rule.combination_points(rules, contract, entry.cards) >= 0


def _expected_combination(rules: RuleSet, contract: int, played: Played, entry: _Valid) -> str:
    hand_mask = played.hands[entry.seat]
    best = rule.best_combinations(rules, contract, hand_mask)
    best_text = ", ".join(format_hand(cards) for cards in best) or "nothing to announce"
    return f"a combination of the hand {format_hand(hand_mask)} ({best_text})"


def _scoring_sides(rules: RuleSet, tricks_won: Sequence[int], is_all_pass: bool) -> list[bool]:
    """Sides whose standing combinations count: where a trick is needed, those that took one.

    In a deal that is played after all passed a combination counts against the others, who need the trick.
    """
    if not rules.declarations_need_trick:
        return [True] * len(tricks_won)
    if is_all_pass:
        return [any(tricks_won[:side]) or any(tricks_won[side + 1 :]) for side in range(len(tricks_won))]
    return [tricks > 0 for tricks in tricks_won]


def _settle(
    deal: Deal, rules: RuleSet, contract: int, valid: Sequence[_Valid], scoring_sides: Sequence[bool]
) -> None:
    """Contest of the valid announcements, in the order announced."""
    known = [entry for entry in valid if entry.cards is not None]
    announcements = [rule.Announcement(entry.seat, entry.cards or 0, entry.at) for entry in known]
    leader = seat_after(rules, deal.dealer)
    for entry, fate in zip(
        known, rule.settle_announcements(rules, contract, announcements, leader), strict=True
    ):
        entry.status = STATUS_NAMES[fate]
        if fate == rule.COUNTED and not scoring_sides[side_of(rules, entry.seat)]:
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

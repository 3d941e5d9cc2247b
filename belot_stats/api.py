"""The public functions: rules questions about single situations, checking, reading, simulating, reporting.

Cards, calls and contracts are texts here, as the record format writes them; errors are those of
:mod:`belot_stats.errors`. Whatever is heavy is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from belot_stats.cards import (
    ALL_TRUMPS,
    ASHKAL,
    CALL_NAMES,
    DOUBLE,
    DOUBLE_CLOSED,
    NO_CARD,
    NO_SUIT,
    PASS,
    QUADRUPLE,
    TRIPLE_CLOSED,
    cards_in,
    format_card,
    format_hand,
    parse_call,
    parse_card,
    parse_cards,
    parse_contract,
    parse_hand,
)
from belot_stats.checker import Computed, check_deal
from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import CardError, UsageError
from belot_stats.findings import SEVERITY_OF, Finding
from belot_stats.rules import bidding, declarations, play, scoring
from belot_stats.rules.table import NO_SIDE, seat_after, side_count, side_of
from belot_stats.ruleset import RuleResolver, RuleSet, load_ruleset

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from belot_stats.warehouse import Warehouse


AnyRules: TypeAlias = RuleSet | str | Path  # a rule set, a preset's name or a rule file


class Score(NamedTuple):
    """What a deal writes: game points a side, points left hanging, and made (None where the deal hangs)."""

    score: tuple[int, ...]
    hanging: int
    made: bool | None


class CheckedRecord(NamedTuple):
    """Findings of one record, and what the rules give for it; ``deal`` and ``computed`` None where it is unreadable."""

    findings: tuple[Finding, ...]
    computed: Computed | None
    deal: Deal | None


def _ruleset(rules: AnyRules) -> RuleSet:
    return rules if isinstance(rules, RuleSet) else load_ruleset(rules)


def _whole(name: str, value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise UsageError(f"{name} {value!r}: expected a whole number from {least}")
    return int(value)


def _played(ruleset: RuleSet, trick: Sequence[tuple[int, str]]) -> list[tuple[int, int]]:
    """Seats and cards of a trick, which follow each other round the table."""
    try:
        pairs = [(_seat(ruleset, seat), parse_card(card)) for seat, card in trick]
    except (TypeError, ValueError):
        raise UsageError(
            f"trick {trick!r}: expected a list of (seat, card), as in [(0, 'JC'), (1, '7H')]"
        ) from None
    for (seat, _), (following, _) in pairwise(pairs):
        if following != seat_after(ruleset, seat):
            raise UsageError(f"trick {trick!r}: seat {following} does not come after seat {seat}")
    if len({card for _, card in pairs}) < len(pairs):
        raise UsageError(f"trick {trick!r}: a card stands in it twice")
    return pairs


def legal_cards(
    rules: AnyRules, contract: str, hand: str | Iterable[str], trick: Sequence[tuple[int, str]], seat: int
) -> list[str]:
    """Cards of *hand* that *seat* may play to *trick*, by suit and rank.

    contract: one of C D H S N A.  hand: card names.  trick: (seat, card) in the order played, [] to lead.
    Raises: CardError for what is no card or contract; UsageError for an empty hand or a seat outside the table.
    >>> legal_cards(load_ruleset("belot-bg"), contract="H", hand="8H AH 7S", trick=[(0, "JC"), (1, "7H")], seat=2)
    ['8H', 'AH']
    """
    ruleset = _ruleset(rules)
    contract_code, hand_mask = parse_contract(contract), parse_hand(hand)
    played = _played(ruleset, trick)
    if not hand_mask:
        raise UsageError("legal_cards: the hand is empty")
    if len(played) >= ruleset.players or any(hand_mask >> card & 1 for _, card in played):
        raise UsageError("legal_cards: the trick is full, or holds a card of the hand")
    if played and _seat(ruleset, seat) != seat_after(ruleset, played[-1][0]):
        raise UsageError(f"legal_cards: seat {seat} is not the one to play after seat {played[-1][0]}")
    return [
        format_card(card)
        for card in cards_in(_legal_mask(ruleset, contract_code, hand_mask, played, _seat(ruleset, seat)))
    ]


def _legal_mask(
    rules: RuleSet, contract: int, hand_mask: int, played: Sequence[tuple[int, int]], seat: int
) -> int:
    if not played:
        return play.legal_mask(rules, contract, hand_mask, NO_SUIT, NO_CARD, False, 0)
    best_seat, best_card = played[0]
    for player, card in played[1:]:
        if play.beats(contract, card, best_card):
            best_seat, best_card = player, card
    partner_holds = side_of(rules, best_seat) == side_of(rules, seat)
    return play.legal_mask(
        rules, contract, hand_mask, played[0][1] >> 3, best_card, partner_holds, len(played)
    )


def _seat(rules: RuleSet, seat: object) -> int:
    if isinstance(seat, bool) or not isinstance(seat, Integral) or not 0 <= int(seat) < rules.players:
        raise UsageError(f"seat {seat!r}: expected 0 to {rules.players - 1}")
    return int(seat)


def _side(rules: RuleSet, side: object, name: str) -> int:
    if isinstance(side, bool) or not isinstance(side, Integral) or not 0 <= int(side) < side_count(rules):
        raise UsageError(f"{name} {side!r}: expected a side from 0 to {side_count(rules) - 1}")
    return int(side)


def legal_calls(
    rules: AnyRules, auction: Sequence[str], dealer: int = 0, turn_up: str | Sequence[str] = ()
) -> list[str]:
    """Calls that are allowed after *auction*: pass, then doublings, then bids; [] when it is over.

    auction: calls from the first speaker on, the seat after *dealer*.  turn_up: the card turned up, or the two of
    them, in the systems that have one; where it is not given every suit is open.
    Raises: CardError for what is no call or card; UsageError for a call that was not allowed where it stands.
    >>> legal_calls(load_ruleset("belot-bg"), auction=["P", "H", "X"])
    ['P', 'XX', 'S', 'N', 'A']
    >>> legal_calls(load_ruleset("belote-fr"), auction=["P", "P"], turn_up="9H")
    ['P', 'H']
    """
    ruleset = _ruleset(rules)
    state = bidding.start_auction(ruleset, _seat(ruleset, dealer), *_turned(ruleset, turn_up))
    for index, text in enumerate(auction):
        call = parse_call(text)
        if bidding.call_problem(ruleset, state, call) != bidding.CALL_IS_LEGAL:
            raise UsageError(
                f"call {index} {text!r} is not allowed: expected one of {_call_texts(ruleset, state)}"
            )
        state = bidding.after_call(ruleset, state, call)
    return _call_texts(ruleset, state)


def _turned(rules: RuleSet, turn_up: str | Sequence[str]) -> list[int]:
    """Turned-up cards, no more of them than the rules have."""
    cards = parse_cards(turn_up)
    if len(cards) > rules.turn_up:
        raise UsageError(
            f"turn_up: expected at most {rules.turn_up} cards with {rules.name}, found {len(cards)}"
        )
    return cards


def _call_texts(rules: RuleSet, state: bidding.Auction) -> list[str]:
    mask = bidding.legal_call_mask(rules, state)
    doublings = [*range(DOUBLE, QUADRUPLE + 1), DOUBLE_CLOSED, TRIPLE_CLOSED]
    order = [PASS, *doublings, *range(ALL_TRUMPS + 1), ASHKAL]
    return [CALL_NAMES[call] for call in order if mask >> call & 1]


def best_declarations(rules: AnyRules, contract: str, hand: str | Iterable[str]) -> list[str]:
    """Best announcement of *hand*: a list of combinations, each as card names; [] where the contract knows none.

    Where one card may stand in a carré and in a sequence, all of them; else the choice that counts most. A run of more
    than five cards stands as it is announced (``long_runs``).
    Raises: CardError.
    >>> best_declarations(load_ruleset("belot-bg"), "H", "7C 8C 9C KD AD 7S 8S JS")
    ['7C 8C 9C']
    """
    ruleset = _ruleset(rules)
    contract_code, hand_mask = parse_contract(contract), parse_hand(hand)
    if not declarations.declarations_count(ruleset, contract_code):
        return []
    return [format_hand(mask) for mask in declarations.best_combinations(ruleset, contract_code, hand_mask)]


def score_declarations(
    rules: AnyRules, contract: str, declared: Mapping[int, Sequence[str]], first_leader: int
) -> dict[int, int]:
    """Raw points of declarations a side, after their contest; nothing is doubled, no trick is asked for.

    declared: seat -> combinations as card names.  first_leader: seat that leads to the first trick; where of equal
    sequences the earlier wins, the seats announced from there on. Without partners every seat is a side.
    A combination that the rules do not know (four sevens, say) counts nothing.
    Raises: CardError for what is no card; UsageError for cards that are no combination at all.
    >>> rules = load_ruleset("belot-bg")
    >>> score_declarations(rules, contract="H", declared={0: ["8D 9D TD"], 1: ["7C 8C 9C"]}, first_leader=0)
    {0: 20, 1: 0}
    >>> score_declarations("belot-ru-3p", "H", {0: ["8D 9D TD"], 1: ["8C 9C TC"], 2: ["8H 9H TH", "7S 8S 9S"]}, 0)
    {0: 0, 1: 0, 2: 40}
    """
    ruleset = _ruleset(rules)
    contract_code, leader = parse_contract(contract), _seat(ruleset, first_leader)
    points = dict.fromkeys(range(side_count(ruleset)), 0)
    if not declarations.declarations_count(ruleset, contract_code):
        return points
    named = [
        (_seat(ruleset, int(seat)), _combination(cards))
        for seat, several in declared.items()
        for cards in several
    ]
    announcements = [
        declarations.Announcement(seat, mask)
        for seat, mask in named
        if declarations.combination_points(ruleset, contract_code, mask) >= 0
    ]
    fates = declarations.settle_announcements(ruleset, contract_code, announcements, leader)
    for item, fate in zip(announcements, fates, strict=True):
        if fate == declarations.COUNTED:
            points[side_of(ruleset, item.seat)] += declarations.combination_points(
                ruleset, contract_code, item.cards_mask
            )
    return points


def _combination(cards: str) -> int:
    mask = parse_hand(cards)
    if declarations.kind_of(mask) == declarations.NO_KIND:
        raise UsageError(f"{cards!r} is no combination: expected neighbours of one suit, or four of a rank")
    return mask


def score_deal(
    rules: AnyRules,
    contract: str,
    level: int,
    points: Sequence[int],
    declarer: int,
    capot: int | None = None,
    hanging: int = 0,
    tricks: Sequence[int] | None = None,
    belote: Sequence[int] | None = None,
    declared: Sequence[int] | None = None,
) -> Score:
    """Score of a deal.

    level: 1, 2, 4, or 0 for the whole match.  points: raw points a side, everything counted.  declarer, capot: sides.
    hanging: points hanging from before that this deal's winner takes.  tricks, belote, declared: tricks, belote points
    and declaration points a side, for systems whose rules ask for them (a belote that its holder keeps; a bonus where
    a player has no trick; Baloot's conversion of card points alone).
    Raises: CardError; UsageError for sides, levels or points the rules do not have.
    >>> score_deal(load_ruleset("belot-bg"), contract="S", level=1, points=(138, 64), declarer=0)
    Score(score=(14, 6), hanging=0, made=True)
    """
    ruleset = _ruleset(rules)
    contract_code = parse_contract(contract)
    if isinstance(level, bool) or level not in (1, *(n for n in ruleset.multipliers if n >= 0)):
        raise UsageError(f"level {level!r}: expected 1 or one of the rule set's multipliers")
    total, from_belote, from_declared, won = (
        _triple(ruleset, values) for values in (points, belote, declared, tricks)
    )
    cards = (
        total[0] - from_belote[0] - from_declared[0],
        total[1] - from_belote[1] - from_declared[1],
        total[2] - from_belote[2] - from_declared[2],
    )
    parts = scoring.DealPoints(total, cards, from_declared, from_belote, won)
    capot_side = NO_SIDE if capot is None else _side(ruleset, capot, "capot")
    declarer_side, hung = _side(ruleset, declarer, "declarer"), _whole("hanging", hanging)
    settled = scoring.settle_deal(ruleset, contract_code, level, parts, declarer_side, capot_side, hung)
    made = None if settled.result == scoring.HANGING else settled.result == scoring.MADE
    return Score(scoring.side_scores(settled, side_count(ruleset)), settled.hanging, made)


def _triple(rules: RuleSet, values: Sequence[int] | None) -> tuple[int, int, int]:
    if values is None:
        return (0, 0, 0)
    if len(values) != side_count(rules):
        raise UsageError(f"{values!r}: expected {side_count(rules)} numbers, one a side")
    for value in values:
        _whole("points", value)
    return scoring.side_triple(values)


def check(record: Mapping[str, Any] | str | bytes, rules: str | Path | None = None) -> CheckedRecord:
    """Findings of one ``bhh/1`` record, and what the rules give for it.

    record: a dict, or the JSON of one line.  rules: fills the gap where the record names none.
    Raises: RuleSetError for *rules*; nothing for the record, whatever it says: its faults are findings.
    >>> [finding.code for finding in check({"format": "bhh/1"}).findings][:2]
    ['missing-field', 'missing-field']
    """
    from belot_stats.readers.bhh import line_of, read_line
    from belot_stats.readers.reader import ReadOptions

    resolver = RuleResolver(default=rules)
    read_record = read_line(line_of(record), 1, 0, ReadOptions(source=None, resolver=resolver))
    if isinstance(read_record, BadRecord):
        problems = read_record.problems or ((read_record.code, read_record.message),)
        return CheckedRecord(tuple(_record_finding(code, message) for code, message in problems), None, None)
    checked = check_deal(read_record, resolver.resolve(read_record.rules, read_record.options))
    return CheckedRecord(checked.findings, checked.computed, read_record)


def _record_finding(code: str, message: str) -> Finding:
    return Finding(code=code, severity=SEVERITY_OF[code], expected="", found=message)


def read(
    path: str | Path, format: str | None = None, rules: str | Path | None = None, source: str | None = None
) -> Iterator[Deal | BadRecord]:
    """Deals of a log file, in its order; a record that cannot be read comes as a BadRecord with its bytes.

    path: plain or compressed (gzip, zstd, bz2, xz), or "-" for standard input.  format: "bhh" or "baloot-archive";
    found from the content where it is not given.  rules, source: fill gaps of records.
    Raises: InputError for a file that cannot be opened or that no reader takes.
    """
    from belot_stats.readers import read_log
    from belot_stats.readers.reader import ReadOptions

    return read_log(path, format, ReadOptions(source=source, resolver=RuleResolver(default=rules)))


def simulate(
    rules: str | Path | RuleSet,
    deals: int | None = None,
    matches: int | None = None,
    seed: int = 1,
    policy: str = "sensible",
    first: int = 1,
) -> pa.Table:
    """Simulated deals, checked, as a table with the schema of ``deals``.

    deals: number of single deals; or matches: number of whole matches.  first: number of the first of them; the same
    seed and number give the same deal, whatever else is simulated.  policy: "random", "sensible" or "module:name",
    or several of them round the table with commas between.
    Raises: UsageError, RuleSetError.
    """
    from belot_stats.rows import deals_table
    from belot_stats.simulated_rows import is_worth_it, whole_table
    from belot_stats.simulator.job import SimulationJob

    if (deals is None) == (matches is None):
        raise UsageError("simulate: expected either deals=N or matches=N")
    count = _whole("deals or matches", deals if deals is not None else matches)
    ruleset = _ruleset(rules)
    job = SimulationJob(ruleset, policy, seed, "deals" if deals is not None else "matches")
    numbers = range(first, _whole("first", first, 1) + count)
    if is_worth_it(job, count):
        return whole_table(job, numbers)
    return deals_table(check_deal(deal, ruleset) for deal in job(numbers))


def report(
    name: str, warehouse: str | Path | Warehouse, folders: Sequence[str | Path] = (), **parameters: Any
) -> pd.DataFrame:
    """Rows of a report as a data frame.

    name: a shipped report, or one in *folders*.  parameters: as the report's own file lists them, such as
    ``rules="belot-bg"``.
    Raises: ReportError for an unknown report or parameter; WarehouseError.
    """
    from belot_stats.queries import report_frame

    return report_frame(name, warehouse, folders, parameters)


__all__ = [
    "CardError",
    "CheckedRecord",
    "Score",
    "best_declarations",
    "check",
    "legal_calls",
    "legal_cards",
    "load_ruleset",
    "read",
    "report",
    "score_deal",
    "score_declarations",
    "simulate",
]

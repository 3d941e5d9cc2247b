"""The deal pass: a pure function from one record to what the rules make of it, and all that does not agree.

Claims are never believed and never overwritten; an illegal card is a finding, and the deal is scored as played.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from belot_stats.cards import NO_SEAT, NO_TRUMPS
from belot_stats.checks import claims
from belot_stats.checks.auction import Bidding, check_auction
from belot_stats.checks.collect import Findings
from belot_stats.checks.counting import Count, capot_side_of, count_deal, may_declare_out
from belot_stats.checks.declarations import (
    BeloteResult,
    DeclarationResult,
    belote_points,
    check_belotes,
    check_declarations,
    declaration_points,
)
from belot_stats.checks.offences import first_offender, innocent_side, penalty_score
from belot_stats.checks.play import Played, check_play
from belot_stats.checks.reasons import Counted, explain, explain_penalty, penalty_base
from belot_stats.checks.roundings import Settlement, settlement_of
from belot_stats.deal import Deal
from belot_stats.findings import FINDING_BITS, Finding
from belot_stats.parameters import CAPOT_RAW, ENDS_DEAL
from belot_stats.rules import scoring
from belot_stats.rules.scoring import ALL_PASS, FAILED, HANGING, MADE, DealPoints
from belot_stats.rules.table import NO_SIDE, seat_after, side_count, side_of
from belot_stats.ruleset import RuleSet

RESULT_NAMES = {MADE: "made", FAILED: "failed", HANGING: "hanging", ALL_PASS: "all_pass"}


class Computed(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules give for one deal: the computed columns of the table ``deals`` in the data dictionary."""

    outcome: str
    is_scored: bool
    contract: int | None
    declarer: int | None
    declarer_side: int | None
    declarer_position: int | None
    level: int | None
    first_leader: int
    dealt_hands: tuple[int, ...] | None
    trick_leaders: tuple[int, ...]
    trick_winners: tuple[int, ...]
    last_trick_side: int | None
    trick_points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    card_points: tuple[int, ...]
    declaration_points: tuple[int, ...]
    belote_points: tuple[int, ...]
    points: tuple[int, ...]
    capot_side: int | None
    is_made: bool | None
    score: tuple[int, ...]
    hanging: int
    declaration_results: tuple[DeclarationResult, ...]
    belote_results: tuple[BeloteResult, ...]
    illegal_cards: int
    finding_bits: int
    finding_count: int


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A record, the rules it was checked by, its findings, and what the rules give for it."""

    deal: Deal
    rules: RuleSet
    findings: tuple[Finding, ...]
    computed: Computed


class _Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a deal; ``settlement`` None where it was passed out or has none."""

    outcome: str
    points: tuple[int, ...]
    score: tuple[int, ...]
    hanging: int = 0
    capot_side: int = NO_SIDE
    settlement: Settlement | None = None


UNFINISHED = _Outcome(outcome="unfinished", points=(), score=())


def check_deal(deal: Deal, rules: RuleSet) -> Checked:
    """Replay *deal* by *rules*.

    Source: FORMAT "Findings" and "What counts as what". Raises: nothing, whatever the record says.
    """
    findings = Findings(rules)
    bidding = check_auction(deal, rules, findings)
    played = check_play(deal, rules, bidding, findings)
    count = count_deal(deal, rules, bidding, played, findings)
    announced = (bidding.contract, played, count.tricks_won)
    declared = check_declarations(deal, rules, *announced, findings, bidding.is_all_pass)
    belotes = check_belotes(deal, rules, *announced, declared, findings, bidding.is_all_pass)
    offender = first_offender(findings) if rules.illegal_card == ENDS_DEAL else None
    outcome = _outcome(deal, rules, bidding, count, declared, belotes, offender, played)
    _check_claims(deal, rules, bidding, played, outcome, findings)
    if outcome.settlement is not None:
        explain(findings, rules, _counted(rules, outcome.settlement, count), played, deal.claimed)
    elif outcome.outcome == "penalty" and offender is None:
        explain_penalty(
            findings, penalty_base(rules, bidding.contract, bidding.level), declared, deal.claimed
        )
    computed = _computed(deal, rules, bidding, played, count, declared, belotes, outcome, findings.items)
    return Checked(deal=deal, rules=rules, findings=tuple(findings.items), computed=computed)


def _outcome(
    deal: Deal,
    rules: RuleSet,
    bidding: Bidding,
    count: Count,
    declared: Sequence[DeclarationResult],
    belotes: Sequence[BeloteResult],
    offender: int | None,
    played: Played,
) -> _Outcome:
    sides = side_count(rules)
    nothing = (0,) * sides
    if bidding.is_passed:
        return _Outcome(outcome="passed", points=nothing, score=nothing)
    if deal.end == "penalty" and rules.penalty_points > 0:
        return _penalty(deal, rules, bidding, declared)
    points = _deal_points(rules, bidding.contract, count, declared, belotes)
    if offender is not None and bidding.contract >= 0:
        score = penalty_score(rules, bidding.contract, bidding.level, declared, belotes, offender)
        return _Outcome(outcome="penalty", points=nothing, score=score)
    if deal.end == "declared_out" and may_declare_out(deal, rules, played):
        return _Outcome(outcome="declared_out", points=points.total[:sides], score=nothing)
    if not count.is_complete or deal.end not in ("played", "claimed", "passed"):
        return UNFINISHED
    return _settled(rules, bidding, points, capot_side_of(count.tricks_won))


def _settled(rules: RuleSet, bidding: Bidding, points: DealPoints, capot_side: int) -> _Outcome:
    sides, declarer_side = side_count(rules), NO_SIDE
    if bidding.is_all_pass:
        score = scoring.settle_all_pass(rules, points)
    else:
        declarer_side = side_of(rules, bidding.declarer_seat)
        score = scoring.settle_deal(
            rules, bidding.contract, bidding.level, points, declarer_side, capot_side, 0
        )
    settlement = settlement_of(
        rules, bidding.contract, bidding.level, points, declarer_side, capot_side, score.result
    )
    return _Outcome(
        outcome=RESULT_NAMES[score.result],
        points=points.total[:sides],
        score=scoring.side_scores(score, sides),
        hanging=score.hanging,
        capot_side=capot_side,
        settlement=settlement,
    )


def _deal_points(
    rules: RuleSet,
    contract: int,
    count: Count,
    declared: Sequence[DeclarationResult],
    belotes: Sequence[BeloteResult],
) -> DealPoints:
    sides = side_count(rules)
    from_declarations = declaration_points(declared, sides)
    from_belotes = belote_points(belotes, rules, sides)
    capot_side = capot_side_of(count.tricks_won)
    total = [
        scoring.raw_total(
            rules,
            contract,
            count.card_points[side],
            from_declarations[side],
            from_belotes[side],
            side == capot_side,
        )
        for side in range(sides)
    ]
    return DealPoints(
        scoring.side_triple(total),
        scoring.side_triple(count.card_points),
        scoring.side_triple(from_declarations),
        scoring.side_triple(from_belotes),
        scoring.side_triple(count.tricks_won),
    )


def _counted(rules: RuleSet, settlement: Settlement, count: Count) -> Counted:
    """What the deal's points are made of, for guesses at a claimed figure."""
    points, sides, contract = settlement.points, side_count(rules), settlement.contract
    is_raw_capot = settlement.capot_side != NO_SIDE and rules.capot == CAPOT_RAW
    return Counted(
        contract,
        settlement.level,
        settlement.declarer_side,
        points.cards[:sides],
        points.declarations[:sides],
        points.belotes[:sides],
        settlement.capot_side,
        count.last_side,
        points.tricks,
        rules.no_trumps_factor if contract == NO_TRUMPS else 1,
        scoring.capot_bonus(rules, contract) if is_raw_capot else 0,
    )


def _penalty(deal: Deal, rules: RuleSet, bidding: Bidding, declared: Sequence[DeclarationResult]) -> _Outcome:
    """A claimed offence: the innocent side writes the penalty times the level, and its own projects."""
    sides = side_count(rules)
    innocent = innocent_side(deal, rules)
    if innocent is None:
        return UNFINISHED
    base = penalty_base(rules, bidding.contract, bidding.level)
    projects = sum(item.points for item in declared if item.side == innocent and item.status == "counted")
    written = base + (2 * projects if bidding.contract == NO_TRUMPS else projects) // 10
    score = tuple(written if side == innocent else 0 for side in range(sides))
    return _Outcome(outcome="penalty", points=(0,) * sides, score=score)


def _check_claims(
    deal: Deal, rules: RuleSet, bidding: Bidding, played: Played, outcome: _Outcome, findings: Findings
) -> None:
    claims.check_contract_claims(
        deal.claimed, bidding.contract, bidding.declarer_seat, bidding.level, findings
    )
    claims.check_trick_claims(deal.claimed, played.tricks, findings)
    if outcome.settlement is not None:
        claims.check_result_claims(
            deal.claimed, outcome.points, outcome.capot_side, outcome.settlement.result, findings
        )
    if outcome.settlement is not None or outcome.outcome in ("passed", "penalty"):
        claims.check_score_claims(deal, rules, outcome.score, outcome.hanging, outcome.settlement, findings)


def _computed(
    deal: Deal,
    rules: RuleSet,
    bidding: Bidding,
    played: Played,
    count: Count,
    declared: tuple[DeclarationResult, ...],
    belotes: tuple[BeloteResult, ...],
    outcome: _Outcome,
    findings: Sequence[Finding],
) -> Computed:
    has_contract, has_declarer = bidding.contract >= 0, bidding.declarer_seat != NO_SEAT
    sides = side_count(rules)
    bits = 0
    for finding in findings:
        bits |= FINDING_BITS[finding.code]
    return Computed(
        outcome=outcome.outcome,
        is_scored=outcome.outcome in ("made", "failed", "hanging", "penalty", "all_pass"),
        contract=bidding.contract if has_contract else None,
        declarer=bidding.declarer_seat if has_declarer else None,
        declarer_side=side_of(rules, bidding.declarer_seat) if has_declarer else None,
        declarer_position=(bidding.declarer_seat - deal.dealer - 1) % rules.players + 1
        if has_declarer
        else None,
        level=bidding.level if has_contract else None,
        first_leader=seat_after(rules, deal.dealer),
        dealt_hands=played.hands if played.is_known else None,
        trick_leaders=tuple(trick.leader_seat for trick in played.tricks),
        trick_winners=tuple(trick.winner_seat for trick in played.tricks if trick.winner_seat is not None),
        last_trick_side=count.last_side if count.is_complete or outcome.outcome == "declared_out" else None,
        trick_points=count.trick_points,
        tricks_won=count.tricks_won,
        card_points=count.card_points,
        declaration_points=declaration_points(declared, sides),
        belote_points=belote_points(belotes, rules, sides),
        points=outcome.points,
        capot_side=outcome.capot_side if outcome.capot_side != NO_SIDE else None,
        is_made={"made": True, "failed": False}.get(outcome.outcome),
        score=outcome.score,
        hanging=outcome.hanging,
        declaration_results=declared,
        belote_results=belotes,
        illegal_cards=played.illegal_cards,
        finding_bits=bits,
        finding_count=len(findings),
    )

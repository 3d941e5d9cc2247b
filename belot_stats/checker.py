"""The deal pass: a pure function from one record to what the rules make of it, and all that does not agree.

Claims are never believed and never overwritten; an illegal card is a finding, and the deal is scored as played.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from belot_stats.cards import NO_TRUMPS
from belot_stats.checks import claims
from belot_stats.checks.auction import Bidding, check_auction
from belot_stats.checks.collect import Findings
from belot_stats.checks.declarations import (
    BeloteResult,
    DeclarationResult,
    belote_points,
    check_belotes,
    check_declarations,
    declaration_points,
)
from belot_stats.checks.play import Played, check_play, missing_cards
from belot_stats.checks.reasons import Counted, explain, explain_penalty, penalty_base
from belot_stats.checks.roundings import Settlement
from belot_stats.deal import Deal
from belot_stats.findings import FINDING_BITS, Finding
from belot_stats.parameters import CAPOT_RAW
from belot_stats.rules import play as play_rules
from belot_stats.rules import scoring
from belot_stats.rules.scoring import FAILED, HANGING, MADE, DealPoints
from belot_stats.rules.table import NO_SIDE, deal_size, hand_size, pack_mask, seat_after, side_count, side_of
from belot_stats.ruleset import RuleSet

RESULT_NAMES = {MADE: "made", FAILED: "failed", HANGING: "hanging"}


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


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    """Tricks and points of a deal."""

    trick_points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    card_points: tuple[int, ...]
    is_complete: bool


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
    played = check_play(deal, rules, bidding.contract, findings)
    count = _count(deal, rules, bidding, played, findings)
    declared = check_declarations(deal, rules, bidding.contract, played, count.tricks_won, findings)
    belotes = check_belotes(deal, rules, bidding.contract, played, count.tricks_won, declared, findings)
    outcome = _outcome(deal, rules, bidding, count, declared, belotes)
    _check_claims(deal, rules, bidding, played, outcome, findings)
    if outcome.settlement is not None:
        explain(findings, rules, _counted(rules, outcome.settlement, played), played, deal.claimed)
    elif outcome.outcome == "penalty":
        explain_penalty(
            findings, penalty_base(rules, bidding.contract, bidding.level), declared, deal.claimed
        )
    computed = _computed(deal, rules, bidding, played, count, declared, belotes, outcome, findings.items)
    return Checked(deal=deal, rules=rules, findings=tuple(findings.items), computed=computed)


def _count(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played, findings: Findings) -> _Count:
    """Tricks, points of each and of each side, the last trick in them; a sound claim takes the rest."""
    sides = side_count(rules)
    won, points, trick_points = [0] * sides, [0] * sides, []
    for trick in played.tricks:
        if trick.winner_seat is None:
            continue
        worth = sum(play_rules.card_points(bidding.contract, card) for card in trick.cards)
        trick_points.append(worth)
        won[side_of(rules, trick.winner_seat)] += 1
        points[side_of(rules, trick.winner_seat)] += worth
    last_side = (
        side_of(rules, played.tricks[-1].winner_seat)
        if played.tricks and played.tricks[-1].winner_seat is not None
        else NO_SIDE
    )
    is_complete = bidding.contract >= 0 and len(deal.plays) == deal_size(rules)
    if not is_complete:
        claimant = _claimant(deal, rules, bidding, played)
        is_complete = claimant is not None
        if claimant is not None:
            last_side = side_of(rules, claimant)
            won[last_side] += hand_size(rules) - len(trick_points)
            points[last_side] += _points_left(deal, rules, bidding.contract, played)
    if is_complete:
        points[last_side] += rules.last_trick_points
    else:
        _check_complete(deal, rules, bidding, played, findings)
    return _Count(
        trick_points=tuple(trick_points),
        tricks_won=tuple(won),
        card_points=tuple(points),
        is_complete=is_complete,
    )


def _claimant(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played) -> int | None:
    """Seat that claimed the rest where the rules let it: on lead, with few enough cards, and between tricks."""
    if deal.end != "claimed" or bidding.contract < 0 or deal.ended_by is None or deal.ended_by.seat is None:
        return None
    players = rules.players
    if len(deal.plays) % players or hand_size(rules) - len(deal.plays) // players > rules.claim_cards:
        return None
    on_lead = played.tricks[-1].winner_seat if played.tricks else seat_after(rules, deal.dealer)
    return deal.ended_by.seat if deal.ended_by.seat == on_lead else None


def _points_left(deal: Deal, rules: RuleSet, contract: int, played: Played) -> int:
    """Card points not played yet. Every card of the pack is dealt where cards can be claimed."""
    played_mask = sum(1 << card for card in set(deal.plays))
    return sum(
        play_rules.card_points(contract, card)
        for card in range(32)
        if (pack_mask(rules) & ~played_mask) >> card & 1
    )


def _check_complete(deal: Deal, rules: RuleSet, bidding: Bidding, played: Played, findings: Findings) -> None:
    """Cards that are missing need a reason that the rules accept."""
    if bidding.is_passed or bidding.contract < 0 or len(deal.plays) == deal_size(rules):
        return
    if deal.end in ("played", "passed", "claimed"):
        reason = (
            f"end {deal.end!r}"
            if deal.end != "played"
            else f"missing {missing_cards(deal, rules, played.hands)}"
        )
        findings.add(
            "incomplete-deal",
            f"{deal_size(rules)} cards",
            f"{len(deal.plays)} cards, {reason}",
            field="plays",
        )


def _outcome(
    deal: Deal,
    rules: RuleSet,
    bidding: Bidding,
    count: _Count,
    declared: Sequence[DeclarationResult],
    belotes: Sequence[BeloteResult],
) -> _Outcome:
    sides = side_count(rules)
    nothing = (0,) * sides
    if bidding.is_passed:
        return _Outcome(outcome="passed", points=nothing, score=nothing)
    if deal.end == "penalty" and rules.penalty_points > 0:
        return _penalty(deal, rules, bidding, declared)
    if not count.is_complete or deal.end not in ("played", "claimed", "passed"):
        return UNFINISHED
    points = _deal_points(rules, bidding.contract, count, declared, belotes)
    capot_side = _capot_side(count.tricks_won)
    declarer_side = side_of(rules, bidding.declarer_seat)
    score = scoring.settle_deal(rules, bidding.contract, bidding.level, points, declarer_side, capot_side, 0)
    settlement = Settlement(bidding.contract, bidding.level, points, declarer_side, capot_side, score.result)
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
    count: _Count,
    declared: Sequence[DeclarationResult],
    belotes: Sequence[BeloteResult],
) -> DealPoints:
    sides = side_count(rules)
    from_declarations = declaration_points(declared, sides)
    from_belotes = belote_points(belotes, rules, sides)
    capot_side = _capot_side(count.tricks_won)
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
    )


def _counted(rules: RuleSet, settlement: Settlement, played: Played) -> Counted:
    """What the deal's points are made of, for guesses at a claimed figure."""
    points, sides, contract = settlement.points, side_count(rules), settlement.contract
    is_raw_capot = settlement.capot_side != NO_SIDE and rules.capot == CAPOT_RAW
    last_seat = played.tricks[-1].winner_seat if played.tricks else None
    return Counted(
        contract,
        settlement.level,
        settlement.declarer_side,
        points.cards[:sides],
        points.declarations[:sides],
        points.belotes[:sides],
        settlement.capot_side,
        side_of(rules, last_seat) if last_seat is not None else NO_SIDE,
        rules.no_trumps_factor if contract == NO_TRUMPS else 1,
        scoring.capot_bonus(rules, contract) if is_raw_capot else 0,
    )


def _capot_side(tricks_won: Sequence[int]) -> int:
    takers = [side for side, tricks in enumerate(tricks_won) if tricks]
    return takers[0] if len(takers) == 1 else NO_SIDE


def _penalty(deal: Deal, rules: RuleSet, bidding: Bidding, declared: Sequence[DeclarationResult]) -> _Outcome:
    """A claimed offence: the innocent side writes the penalty times the level, and its own projects."""
    sides = side_count(rules)
    innocent = _innocent_side(deal, rules)
    if innocent is None:
        return UNFINISHED
    base = penalty_base(rules, bidding.contract, bidding.level)
    projects = sum(item.points for item in declared if item.side == innocent and item.status == "counted")
    written = base + (2 * projects if bidding.contract == NO_TRUMPS else projects) // 10
    score = tuple(written if side == innocent else 0 for side in range(sides))
    return _Outcome(outcome="penalty", points=(0,) * sides, score=score)


def _innocent_side(deal: Deal, rules: RuleSet) -> int | None:
    """Side that an offence is paid to. Who offended is believed: the offence may be in a card that no log keeps.

    Where the log names no offender, it is the side that the log gives points to.
    """
    if deal.ended_by is not None and deal.ended_by.seat is not None:
        return 1 - side_of(rules, deal.ended_by.seat)
    paid = [side for side, points in enumerate(deal.claimed.score or ()) if points > 0]
    return paid[0] if len(paid) == 1 else None


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
    count: _Count,
    declared: tuple[DeclarationResult, ...],
    belotes: tuple[BeloteResult, ...],
    outcome: _Outcome,
    findings: Sequence[Finding],
) -> Computed:
    has_contract = bidding.contract >= 0
    sides = side_count(rules)
    bits = 0
    for finding in findings:
        bits |= FINDING_BITS[finding.code]
    return Computed(
        outcome=outcome.outcome,
        is_scored=outcome.outcome in ("made", "failed", "hanging", "penalty"),
        contract=bidding.contract if has_contract else None,
        declarer=bidding.declarer_seat if has_contract else None,
        declarer_side=side_of(rules, bidding.declarer_seat) if has_contract else None,
        declarer_position=(bidding.declarer_seat - deal.dealer - 1) % rules.players + 1
        if has_contract
        else None,
        level=bidding.level if has_contract else None,
        first_leader=seat_after(rules, deal.dealer),
        dealt_hands=played.hands if played.is_known else None,
        trick_leaders=tuple(trick.leader_seat for trick in played.tricks),
        trick_winners=tuple(trick.winner_seat for trick in played.tricks if trick.winner_seat is not None),
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

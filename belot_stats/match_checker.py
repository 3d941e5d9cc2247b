"""The match pass: the deals of one match in their order - dealer, hanging points, totals, end and winner.

Source: RULES.md 1g; FORMAT "Findings". What is checked against a claim is always what the rules give; only where a
deal is missing or has no result, so that nobody can know, the log's own word bridges the gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from belot_stats.cards import NO_TRUMPS
from belot_stats.checks import claims
from belot_stats.checks.collect import Findings, format_sides
from belot_stats.checks.dealing_order import DealerOrder, dealer_is_known, expected_dealer
from belot_stats.checks.roundings import Settlement, settlement_of
from belot_stats.deal import Claimed
from belot_stats.findings import FINDING_BITS, SEVERITY_OF, Finding
from belot_stats.match_records import MatchChecked, MatchDeal, MatchFinding, MatchSummary, Standing
from belot_stats.parameters import WHOLE_MATCH
from belot_stats.rules.match import after_hanging, hung_due, match_winner
from belot_stats.rules.scoring import ALL_PASS, FAILED, HANGING, MADE, DealPoints, side_triple
from belot_stats.rules.table import NO_SIDE, side_count

__all__ = ["MatchChecked", "MatchDeal", "MatchFinding", "MatchSummary", "Standing", "check_match"]

MOST_NAMED = 3  # deals in quarantine that a finding names
RESULTS = {"made": MADE, "failed": FAILED, "hanging": HANGING, "all_pass": ALL_PASS}


class _State(msgspec.Struct):
    """Where the match stands before a deal; None = nobody can know."""

    hung: tuple[int, ...] | None = ()  # points that hang, a deal, oldest first
    total: tuple[int, ...] | None = None
    claimed_total: tuple[int, ...] | None = None
    order: DealerOrder = DealerOrder()
    previous: MatchDeal | None = None
    winner: int | None = None
    ended_at: int | None = None


def check_match(deals: Sequence[MatchDeal], unreadable: Mapping[int, int] | None = None) -> MatchChecked:
    """Follow one match.

    deals: at least one, the copies that count, sorted by deal number.  unreadable: deal number -> line of records of
    the match that could not be read, to say where a missing deal is.
    """
    unreadable = unreadable or {}
    sides = side_count(deals[0].rules)
    state = _State(total=(0,) * sides, claimed_total=(0,) * sides)
    findings: list[MatchFinding] = []
    standings: list[Standing] = []
    missing = 0
    for deal in deals:
        missing += _check_gap(deal, state, unreadable, findings)
        standings.append(_follow(deal, state, findings))
        state.previous = deal
    if state.ended_at is None and any(
        deal.claimed_total is not None or deal.claimed_winner is not None for deal in deals
    ):
        expected = f"a deal that ends the match at {deals[-1].rules.target}"
        later = range(deals[-1].deal + 1, max(unreadable, default=0) + 1)
        found = _stand(state, deals[-1]) + _quarantined(unreadable, later)
        findings.append(_finding(None, "match-unfinished", expected, found))
    return MatchChecked(
        findings=findings, standings=standings, summary=_summary(deals, state, missing, standings)
    )


def _stand(state: _State, last: MatchDeal) -> str:
    stand = format_sides(state.total) if state.total is not None else "unknown"
    return f"deal {last.deal} is the last known, at {stand}"


def _finding(
    deal: MatchDeal | None,
    code: str,
    expected: str,
    found: str,
    seat: int | None = None,
    field: str | None = None,
) -> MatchFinding:
    place = (deal.deal, deal.line) if deal is not None else (None, None)
    return MatchFinding(
        code=code,
        severity=SEVERITY_OF[code],
        expected=expected,
        found=found,
        deal=place[0],
        line=place[1],
        seat=seat,
        field=field,
    )


def _check_gap(
    deal: MatchDeal, state: _State, unreadable: Mapping[int, int], findings: list[MatchFinding]
) -> int:
    """Deal numbers that are missing before *deal*; what they did to the totals nobody can know."""
    last = state.previous.deal if state.previous is not None else 0
    missing = deal.deal - last - 1
    if missing > 0:
        numbers = f"deal {last + 1}" if missing == 1 else f"deals {last + 1} to {deal.deal - 1}"
        found = f"deal {deal.deal} after " + (f"deal {last}" if last else "nothing")
        found += _quarantined(unreadable, range(last + 1, deal.deal))
        findings.append(_finding(None, "missing-deal", numbers, found))
        state.hung = state.total = state.claimed_total = state.previous = None
        state.order = DealerOrder()
    return max(missing, 0)


def _quarantined(unreadable: Mapping[int, int], numbers: range) -> str:
    """Which of the deals *numbers* are there, but could not be read; at most a few are named."""
    known = [
        f"deal {number} is in quarantine, line {unreadable[number]}"
        for number in sorted(unreadable)
        if number in numbers
    ]
    more = f"; and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return "".join(f"; {text}" for text in known[:MOST_NAMED]) + more


def _follow(deal: MatchDeal, state: _State, findings: list[MatchFinding]) -> Standing:
    """Check one deal in its place and carry the match on."""
    if state.ended_at is not None:
        findings.append(
            _finding(
                deal, "deal-after-end", f"no deal: deal {state.ended_at} ended the match", f"deal {deal.deal}"
            )
        )
    _check_dealer(deal, state, findings)
    _check_double_limit(deal, state, findings)
    if deal.outcome == "declared_out":
        return _follow_declared_out(deal, state, findings)
    if not deal.is_scored and deal.outcome != "passed":
        return _follow_unknown(deal, state)
    settlement = _settlement(deal)
    winner_of_deal = claims.winning_side(settlement)
    if state.hung is None:
        state.hung = _bridged_hanging(deal, winner_of_deal)
    hung = state.hung
    _check_scores(deal, settlement, hung, findings)
    due = hung_due(deal.rules, hung or ())
    score = tuple(points + (due if side == winner_of_deal else 0) for side, points in enumerate(deal.score))
    if hung is not None or winner_of_deal != NO_SIDE:
        state.hung = after_hanging(deal.rules, hung or (), winner_of_deal != NO_SIDE, deal.hanging)
    _carry_total(deal, state, score, findings)
    winner = _winner(deal, state, winner_of_deal)
    _check_winner(deal, state, winner, findings)
    if winner is not None and state.ended_at is None:
        state.ended_at, state.winner = deal.deal, winner
    return Standing(
        deal=deal.deal,
        hanging_in=_total(hung),
        score=score,
        hanging_out=_total(state.hung),
        total=state.total,
        ends_match=winner is not None and state.ended_at == deal.deal,
        winner=winner if state.ended_at == deal.deal else None,
    )


def _total(hung: tuple[int, ...] | None) -> int | None:
    return sum(hung) if hung is not None else None


def _follow_declared_out(deal: MatchDeal, state: _State, findings: list[MatchFinding]) -> Standing:
    """A deal in which a player declared himself out: with the points the match is his, else he is refused."""
    claimant = deal.last_trick_side
    total = state.total if state.total is not None and len(state.total) == len(deal.points) else None
    has_won = (
        total is not None
        and claimant is not None
        and total[claimant] + deal.points[claimant] >= deal.rules.target
    )
    if total is not None and claimant is not None and not has_won:
        expected = f"{deal.rules.target} points of side {claimant}"
        found = f"{total[claimant]} before the deal and {deal.points[claimant]} in it"
        findings.append(_finding(deal, "false-declare-out", expected, found, seat=claimant, field="ended_by"))
    winner = claimant if has_won else None
    _check_winner(deal, state, winner, findings)
    if has_won and state.ended_at is None:
        state.ended_at, state.winner = deal.deal, winner
    return Standing(
        deal=deal.deal,
        hanging_in=_total(state.hung),
        score=None,
        hanging_out=_total(state.hung),
        total=total,
        ends_match=has_won and state.ended_at == deal.deal,
        winner=winner if state.ended_at == deal.deal else None,
    )


def _check_double_limit(deal: MatchDeal, state: _State, findings: list[MatchFinding]) -> None:
    """Baloot: at Sun a side doubles only with few enough points, and only a side that has more."""
    limit = deal.rules.no_trumps_double_limit
    is_doubled = deal.contract == NO_TRUMPS and deal.level not in (None, 1)
    if not limit or not is_doubled or state.total is None or deal.declarer_side is None:
        return
    ours, theirs = state.total[1 - deal.declarer_side], state.total[deal.declarer_side]
    if ours > limit or theirs <= limit:
        expected = f"no double: the doubling side at {limit} or less, the other above"
        findings.append(
            _finding(deal, "contra-not-allowed", expected, f"{ours} against {theirs}", field="auction")
        )


def _follow_unknown(deal: MatchDeal, state: _State) -> Standing:
    """A deal without a result: its score is unknown unless nothing could have been written."""
    standing = Standing(
        deal=deal.deal,
        hanging_in=_total(state.hung),
        score=None,
        hanging_out=None,
        total=deal.claimed_total,
        ends_match=False,
        winner=None,
    )
    own_sum = deal.claimed_total or _plus(state.claimed_total, deal.claimed_score)
    state.hung, state.total, state.claimed_total = None, deal.claimed_total, own_sum
    return standing


def _check_dealer(deal: MatchDeal, state: _State, findings: list[MatchFinding]) -> None:
    """A seat that the deal before asks for, or the order so far, is right; after a re-deal any seat is."""
    previous = state.previous
    if previous is None or not dealer_is_known(previous):
        state.order = DealerOrder(deal.dealer)
        return
    expected = expected_dealer(previous, previous.dealer)
    chain = expected_dealer(previous, state.order.dealer) if state.order.dealer is not None else expected
    if deal.dealer in (expected, chain):
        state.order = DealerOrder(deal.dealer)
        return
    found = _finding(
        deal, "wrong-dealer", f"seat {expected}", f"seat {deal.dealer}", seat=deal.dealer, field="dealer"
    )
    if not deal.passes_are_logged:
        found = msgspec.structs.replace(found, severity="notice")
    findings.append(found)
    state.order = DealerOrder(chain)


def _settlement(deal: MatchDeal) -> Settlement | None:
    if deal.outcome not in RESULTS or deal.contract is None or deal.level is None:
        return None
    points = DealPoints(
        *(
            side_triple(values)
            for values in (
                deal.points,
                deal.card_points,
                deal.declaration_points,
                deal.belote_points,
                deal.tricks_won,
            )
        )
    )
    capot_side = deal.capot_side if deal.capot_side is not None else NO_SIDE
    declarer_side = deal.declarer_side if deal.declarer_side is not None else NO_SIDE
    return settlement_of(
        deal.rules, deal.contract, deal.level, points, declarer_side, capot_side, RESULTS[deal.outcome]
    )


def _bridged_hanging(deal: MatchDeal, winner_of_deal: int) -> tuple[int, ...] | None:
    """Points hanging before a deal after a gap, as far as the log's own figures of this deal imply them."""
    if winner_of_deal == NO_SIDE:
        known = max(deal.claimed_hanging - deal.hanging, 0) if deal.claimed_hanging is not None else None
    elif deal.claimed_score is None:
        known = None
    else:
        known = claims.implied_hanging(deal.score, deal.claimed_score, winner_of_deal)
    return (known,) if known else None if known is None else ()


def _check_scores(
    deal: MatchDeal,
    settlement: Settlement | None,
    hung: tuple[int, ...] | None,
    findings: list[MatchFinding],
) -> None:
    """Score and hanging points with what is known of the match; what the deal pass said is not said again."""
    if hung is None:
        return
    due, all_hung = hung_due(deal.rules, hung), sum(hung)
    claimed = Claimed(score=deal.claimed_score, hanging=deal.claimed_hanging)
    found = Findings(deal.rules)
    if deal.outcome != "penalty":
        claims.check_score(deal.rules, claimed, deal.score, settlement, due, found)
        claims.check_hanging(
            deal.rules, claimed, deal.hanging, settlement, all_hung, found, left=all_hung - due
        )
    findings.extend(
        _placed(deal, item) for item in found.items if not deal.finding_bits & FINDING_BITS[item.code]
    )


def _placed(deal: MatchDeal, item: Finding) -> MatchFinding:
    return MatchFinding(
        code=item.code,
        severity=item.severity,
        expected=item.expected,
        found=item.found,
        deal=deal.deal,
        line=deal.line,
        field=item.field,
    )


def _carry_total(
    deal: MatchDeal, state: _State, score: tuple[int, ...], findings: list[MatchFinding]
) -> None:
    """Add the score; a stated total must be that, or at least the last stated total and the stated score."""
    state.total = _plus(state.total, score) or deal.claimed_total
    own_sum = _plus(state.claimed_total, deal.claimed_score)
    if deal.claimed_total is None:
        state.claimed_total = own_sum
        return
    if state.total is not None and deal.claimed_total not in (state.total, own_sum):
        expected, found = format_sides(state.total), format_sides(deal.claimed_total)
        findings.append(_finding(deal, "wrong-total", expected, found, field="claimed.total"))
    state.claimed_total = deal.claimed_total


def _plus(total: tuple[int, ...] | None, score: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Sum a side; None where one of them is not known, or the deals of the match are not of the same sides."""
    if total is None or score is None or len(total) != len(score):
        return None
    return tuple(a + b for a, b in zip(total, score, strict=True))


def _winner(deal: MatchDeal, state: _State, winner_of_deal: int) -> int | None:
    """Side that the match is won by with this deal; a deal that was passed out ends none."""
    if deal.outcome == "passed" or state.total is None:
        return None
    winner = match_winner(
        deal.rules,
        side_triple(state.total),
        deal.capot_side is not None,
        sum(state.hung or ()),
        deal.last_trick_side if deal.last_trick_side is not None else NO_SIDE,
        winner_of_deal if deal.level == WHOLE_MATCH else NO_SIDE,
    )
    return winner if winner != NO_SIDE else None


def _check_winner(deal: MatchDeal, state: _State, winner: int | None, findings: list[MatchFinding]) -> None:
    if deal.claimed_winner is None or state.total is None or deal.claimed_winner == winner:
        return
    expected = f"side {winner}" if winner is not None else f"no winner yet at {format_sides(state.total)}"
    findings.append(
        _finding(deal, "wrong-winner", expected, f"side {deal.claimed_winner}", field="claimed.winner")
    )


def _summary(
    deals: Sequence[MatchDeal], state: _State, missing: int, standings: Sequence[Standing]
) -> MatchSummary:
    end = next((item for item in standings if item.ends_match), standings[-1])
    return MatchSummary(
        rules=deals[0].rules.name,
        rules_hash=deals[0].rules.hash,
        players=deals[0].players,
        first_deal=deals[0].deal,
        last_deal=deals[-1].deal,
        deals=len(deals),
        missing_deals=missing,
        total=end.total,
        winner=state.winner,
        is_finished=state.ended_at is not None,
    )

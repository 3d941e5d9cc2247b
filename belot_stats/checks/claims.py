"""What the log claims of a deal, beside what the rules give."""

from __future__ import annotations

from collections.abc import Sequence

from belot_stats import parameters as p
from belot_stats.cards import CONTRACT_NAMES, NO_SEAT
from belot_stats.checks.collect import Findings, format_sides
from belot_stats.checks.play import Trick
from belot_stats.checks.roundings import Settlement, name_rounding
from belot_stats.deal import Claimed, Deal
from belot_stats.rules.scoring import ALL_PASS, FAILED, HANGING, MADE
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet

RESULT_TEXTS = {
    MADE: "made",
    FAILED: "failed",
    HANGING: "neither: the deal hangs",
    ALL_PASS: "neither: all passed",
}


def check_contract_claims(
    claimed: Claimed, contract: int, declarer_seat: int, level: int, findings: Findings
) -> None:
    """Contract, declarer and level as stated, against what the calls give."""
    if contract < 0:
        if claimed.contract is not None:
            findings.add(
                "wrong-contract", "no contract", CONTRACT_NAMES[claimed.contract], field="claimed.contract"
            )
        return
    if claimed.contract not in (None, contract):
        findings.add(
            "wrong-contract",
            CONTRACT_NAMES[contract],
            CONTRACT_NAMES[claimed.contract or 0],
            field="claimed.contract",
        )
    if claimed.declarer not in (None, declarer_seat):
        findings.add(
            "wrong-declarer",
            f"seat {declarer_seat}" if declarer_seat != NO_SEAT else "no declarer: all passed",
            f"seat {claimed.declarer}",
            seat=declarer_seat if declarer_seat != NO_SEAT else None,
            field="claimed.declarer",
        )
    if claimed.level not in (None, level):
        findings.add("wrong-level", str(level), str(claimed.level), field="claimed.level")


def check_trick_claims(claimed: Claimed, tricks: Sequence[Trick], findings: Findings) -> None:
    """Winning seat of each complete trick."""
    for number, trick in enumerate(tricks):
        stated = (
            claimed.tricks[number] if claimed.tricks is not None and number < len(claimed.tricks) else None
        )
        if trick.winner_seat is not None and stated not in (None, trick.winner_seat):
            findings.add(
                "wrong-trick-winner",
                f"seat {trick.winner_seat}",
                f"seat {stated}",
                seat=trick.winner_seat,
                trick=number,
                field="claimed.tricks",
            )


def check_result_claims(
    claimed: Claimed, points: Sequence[int], capot_side: int, result: int, findings: Findings
) -> None:
    """Raw points, capot, and made or failed, of a deal that has a result."""
    if claimed.points is not None and tuple(claimed.points) != tuple(points):
        findings.add(
            "wrong-points", format_sides(points), format_sides(claimed.points), field="claimed.points"
        )
    if claimed.capot not in (None, capot_side):
        expected = "no capot" if capot_side == NO_SIDE else f"side {capot_side}"
        findings.add("wrong-capot", expected, f"side {claimed.capot}", field="claimed.capot")
    if claimed.made is not None and (result in (HANGING, ALL_PASS) or claimed.made != (result == MADE)):
        expected = RESULT_TEXTS[result]
        findings.add("wrong-made", expected, "made" if claimed.made else "failed", field="claimed.made")


def can_hang(rules: RuleSet) -> bool:
    """Whether points can hang over from deal to deal under *rules*."""
    return rules.rounding != p.ROUND_BALOOT and p.TIE_HANGS in (rules.exact_tie, rules.exact_tie_no_trumps)


def check_score_claims(
    deal: Deal,
    rules: RuleSet,
    score: Sequence[int],
    hanging: int,
    settlement: Settlement | None,
    findings: Findings,
) -> None:
    """Score and hanging points as written, where one record decides.

    score, hanging: of this deal alone.  settlement: None for a deal that was passed out.  What hung before is known
    for the first deal of a match; for a later one a claim is refused only where no amount of it explains the claim,
    and the match pass, which knows the amount, does the rest.
    """
    known = 0 if deal.deal == 1 or not can_hang(rules) else None
    check_score(rules, deal.claimed, score, settlement, known, findings)
    check_hanging(rules, deal.claimed, hanging, settlement, known, findings)


def check_score(
    rules: RuleSet,
    claimed: Claimed,
    score: Sequence[int],
    settlement: Settlement | None,
    hanging_in: int | None,
    findings: Findings,
) -> None:
    """Written score; *hanging_in* None where it is not known."""
    if claimed.score is None:
        return
    winner = winning_side(settlement)
    implied = implied_hanging(score, claimed.score, winner)
    if hanging_in is None and implied is not None:
        return
    expected = tuple(points + (hanging_in or 0 if side == winner else 0) for side, points in enumerate(score))
    if tuple(claimed.score) == expected:
        return
    rounding = (
        name_rounding(rules, settlement, tuple(claimed.score), hanging_in or 0)
        if settlement is not None
        else None
    )
    found = format_sides(claimed.score)
    if rounding is not None:
        findings.add("wrong-rounding", format_sides(expected), f"{found}: {rounding}", field="claimed.score")
    else:
        findings.add("wrong-score", format_sides(expected), found, field="claimed.score")


def winning_side(settlement: Settlement | None) -> int:
    """Side that hung points go to, or NO_SIDE."""
    return settlement.winner_side if settlement is not None else NO_SIDE


def implied_hanging(score: Sequence[int], claimed_score: Sequence[int], winner: int) -> int | None:
    """Hung points that would explain a written score, or None where nothing does."""
    implied = claimed_score[winner] - score[winner] if winner != NO_SIDE else 0
    rest_agrees = all(claimed_score[side] == points for side, points in enumerate(score) if side != winner)
    return implied if rest_agrees and implied >= 0 else None


def check_hanging(
    rules: RuleSet,
    claimed: Claimed,
    hanging: int,
    settlement: Settlement | None,
    hanging_in: int | None,
    findings: Findings,
    left: int = 0,
) -> None:
    """Points left hanging after the deal; those of before stay where nobody won the deal.

    left: what the winner of the deal leaves hanging of them, where they go one deal at a time.
    """
    if claimed.hanging is None:
        return
    is_decided = winning_side(settlement) != NO_SIDE
    if hanging_in is None and is_decided and rules.hung_policy == p.HUNG_ONE_BY_ONE:
        return
    if hanging_in is None and not is_decided:
        if claimed.hanging < hanging:
            findings.add(
                "wrong-hanging", f"at least {hanging}", str(claimed.hanging), field="claimed.hanging"
            )
        return
    expected = left if is_decided else hanging + (hanging_in or 0)
    if claimed.hanging != expected:
        findings.add("wrong-hanging", str(expected), str(claimed.hanging), field="claimed.hanging")

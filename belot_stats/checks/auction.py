"""The auction of a deal: its calls, and the contract they give."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import CALL_NAMES, NO_CONTRACT, NO_SEAT, cards_in, format_call
from belot_stats.checks.collect import Findings
from belot_stats.deal import Deal, StatedContract
from belot_stats.parameters import BIDDING_STATED
from belot_stats.rules import bidding
from belot_stats.ruleset import RuleSet

CODES = {
    bidding.CALL_AFTER_END: "call-after-end",
    bidding.BID_TOO_LOW: "bid-too-low",
    bidding.CONTRA_NOT_ALLOWED: "contra-not-allowed",
    bidding.CALL_NOT_OF_SYSTEM: "call-out-of-turn-up",
}
ENDS_BEFORE_PLAY = ("abandoned", "redeal", "penalty", "conceded")


class Bidding(NamedTuple):
    """What the auction gave; contract NO_CONTRACT where nobody bid or nothing is known."""

    contract: int
    declarer_seat: int
    level: int
    is_passed: bool


UNKNOWN_BIDDING = Bidding(NO_CONTRACT, NO_SEAT, 1, False)


def check_auction(deal: Deal, rules: RuleSet, findings: Findings) -> Bidding:
    """Replay the calls of *deal*, or take the contract it states where it logs none."""
    if deal.auction is None or rules.bidding == BIDDING_STATED:
        return _stated(deal, rules, findings)
    auction = bidding.start_auction(rules, deal.dealer)
    for index, call in enumerate(deal.auction):
        problem = bidding.call_problem(rules, auction, call)
        if problem == bidding.CALL_IS_LEGAL:
            auction = bidding.after_call(rules, auction, call)
            continue
        _add_call(findings, rules, auction, index, call, problem)
        if problem != bidding.CALL_AFTER_END:
            auction = bidding.after_illegal_call(rules, auction)
    _check_end(deal, auction, findings)
    is_passed = (
        auction.contract == NO_CONTRACT and not deal.plays and (bool(auction.is_over) or deal.end == "passed")
    )
    return Bidding(
        auction.contract, auction.declarer_seat, bidding.level_of(rules, auction.doubles), is_passed
    )


def _stated(deal: Deal, rules: RuleSet, findings: Findings) -> Bidding:
    if deal.contract is not None:
        return _checked_statement(deal.contract, rules, findings)
    if deal.end == "passed":
        return Bidding(NO_CONTRACT, NO_SEAT, 1, True)
    if deal.end not in ENDS_BEFORE_PLAY or deal.plays:
        findings.add("incomplete-deal", "an auction or a stated contract", "neither", field="auction")
    return UNKNOWN_BIDDING


def _checked_statement(stated: StatedContract, rules: RuleSet, findings: Findings) -> Bidding:
    """A stated contract must be one of the rules' own, at one of their levels; a level that is none counts as 1."""
    if rules.contracts[stated.call] < 0:
        known = " ".join(CALL_NAMES[call] for call in range(6) if rules.contracts[call] >= 0)
        findings.add(
            "bid-too-low", f"one of {known}", CALL_NAMES[stated.call], seat=stated.seat, field="contract"
        )
        return UNKNOWN_BIDDING
    levels = (1, *(level for level in rules.multipliers if level > 0))
    if stated.level not in levels:
        expected = f"a level of {', '.join(map(str, levels))}"
        findings.add(
            "contra-not-allowed", expected, f"level {stated.level}", seat=stated.seat, field="contract"
        )
        return Bidding(stated.call, stated.seat, 1, False)
    return Bidding(stated.call, stated.seat, stated.level, False)


def _add_call(
    findings: Findings, rules: RuleSet, auction: bidding.Auction, index: int, call: int, problem: int
) -> None:
    if problem == bidding.CALL_AFTER_END:
        expected = f"no call: the auction ended after call {index - 1}"
    else:
        mask = bidding.legal_call_mask(rules, auction)
        expected = "one of " + " ".join(CALL_NAMES[legal] for legal in cards_in(mask))
    seat = auction.turn_seat if problem != bidding.CALL_AFTER_END else None
    findings.add(
        CODES[problem],
        expected,
        format_call(call),
        seat=seat,
        call_index=index,
        token=format_call(call),
        field="auction",
    )


def _check_end(deal: Deal, auction: bidding.Auction, findings: Findings) -> None:
    """An auction is closed by passes; without a contract there is nothing to play."""
    calls = len(deal.auction or ())
    if auction.contract == NO_CONTRACT and deal.plays:
        findings.add(
            "auction-not-closed",
            "a contract before the first card",
            f"{calls} calls and no contract",
            field="auction",
        )
    elif not auction.is_over and (deal.plays or deal.end not in ENDS_BEFORE_PLAY):
        findings.add(
            "auction-not-closed",
            f"passes until the auction ends, seat {auction.turn_seat} to call",
            f"{calls} calls",
            field="auction",
        )

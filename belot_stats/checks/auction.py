"""The auction of a deal: its calls, and the contract they give."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import CALL_NAMES, NO_CONTRACT, NO_SEAT, cards_in, format_call
from belot_stats.checks.collect import Findings
from belot_stats.deal import Deal
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
        return _stated(deal, findings)
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


def _stated(deal: Deal, findings: Findings) -> Bidding:
    if deal.contract is not None:
        return Bidding(deal.contract.call, deal.contract.seat, deal.contract.level, False)
    if deal.end == "passed":
        return Bidding(NO_CONTRACT, NO_SEAT, 1, True)
    if deal.end not in ENDS_BEFORE_PLAY or deal.plays:
        findings.add("incomplete-deal", "an auction or a stated contract", "neither", field="auction")
    return UNKNOWN_BIDDING


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

"""The auction of a deal: its calls, and the contract they give."""

from __future__ import annotations

from typing import NamedTuple

from belot_stats.cards import CALL_NAMES, NO_CARD, NO_CONTRACT, NO_SEAT, cards_in, format_call
from belot_stats.checks.collect import Findings
from belot_stats.deal import Deal, StatedContract
from belot_stats.parameters import BIDDING_STATED, NO_LEVEL
from belot_stats.rules import bidding
from belot_stats.rules.turn_up import all_pass_contract, is_played_though_all_passed
from belot_stats.ruleset import RuleSet

CODES = {
    bidding.CALL_AFTER_END: "call-after-end",
    bidding.BID_TOO_LOW: "bid-too-low",
    bidding.CONTRA_NOT_ALLOWED: "contra-not-allowed",
    bidding.CALL_NOT_OF_SYSTEM: "call-out-of-turn-up",
}
ENDS_BEFORE_PLAY = ("abandoned", "redeal", "penalty", "conceded")


class Bidding(NamedTuple):
    """What the auction gave; contract NO_CONTRACT where nobody bid or nothing is known.

    is_all_pass: all passed and the deal is played; contract is then the turned-up suit, and there is no declarer.
    auction: where the calls ended, None where the log states its contract.
    """

    contract: int
    declarer_seat: int
    level: int
    is_passed: bool
    is_all_pass: bool = False
    auction: bidding.Auction | None = None


UNKNOWN_BIDDING = Bidding(NO_CONTRACT, NO_SEAT, 1, False)


def check_auction(deal: Deal, rules: RuleSet, findings: Findings) -> Bidding:
    """Replay the calls of *deal*, or take the contract it states where it logs none."""
    if deal.auction is None or rules.bidding == BIDDING_STATED:
        return _stated(deal, rules, findings)
    auction = opening(deal, rules)
    for index, call in enumerate(deal.auction):
        problem = bidding.call_problem(rules, auction, call)
        if problem == bidding.CALL_IS_LEGAL:
            auction = bidding.after_call(rules, auction, call)
            continue
        _add_call(findings, rules, auction, index, call, problem)
        if problem != bidding.CALL_AFTER_END:
            auction = bidding.after_illegal_call(rules, auction)
    if is_played_though_all_passed(rules, auction):
        return _all_passed(deal, rules, auction, findings)
    _check_end(deal, auction, findings)
    is_passed = (
        auction.contract == NO_CONTRACT and not deal.plays and (bool(auction.is_over) or deal.end == "passed")
    )
    level = bidding.level_of(rules, auction.doubles)
    return Bidding(auction.contract, auction.declarer_seat, level, is_passed, auction=auction)


def opening(deal: Deal, rules: RuleSet) -> bidding.Auction:
    """Auction of *deal* before its first call."""
    first_card, second_card = turned_cards(deal, rules)
    return bidding.start_auction(rules, deal.dealer, first_card, second_card)


def turned_cards(deal: Deal, rules: RuleSet) -> tuple[int, int]:
    """Turned-up cards that the rules know, NO_CARD for each that there is not or that the log does not tell."""
    cards = (deal.turn_up or ())[: rules.turn_up]
    first_card, second_card = (*cards, NO_CARD, NO_CARD)[:2]
    return first_card, second_card


def _all_passed(deal: Deal, rules: RuleSet, auction: bidding.Auction, findings: Findings) -> Bidding:
    """A deal that is played although all passed; it cannot be followed where the turned-up suit is not known."""
    contract = all_pass_contract(rules, auction)
    if contract == NO_CONTRACT and (deal.plays or deal.end not in ENDS_BEFORE_PLAY):
        findings.add("incomplete-deal", "the turned-up card: all passed", "no card", field="turn_up")
    return Bidding(contract, NO_SEAT, 1, False, is_all_pass=True, auction=auction)


def _stated(deal: Deal, rules: RuleSet, findings: Findings) -> Bidding:
    if deal.contract is not None:
        return _checked_statement(deal, deal.contract, rules, findings)
    if deal.end == "passed":
        return Bidding(NO_CONTRACT, NO_SEAT, 1, True)
    if deal.end not in ENDS_BEFORE_PLAY or deal.plays:
        findings.add("incomplete-deal", "an auction or a stated contract", "neither", field="auction")
    return UNKNOWN_BIDDING


def _checked_statement(deal: Deal, stated: StatedContract, rules: RuleSet, findings: Findings) -> Bidding:
    """A stated contract must be one of the rules' own, at one of their levels; a level that is none counts as 1."""
    known = [call for call in range(6) if _can_be_stated(deal, rules, call)]
    if stated.call not in known:
        code = "call-out-of-turn-up" if bidding.has_turn_up_bidding(rules) else "bid-too-low"
        expected = "one of " + " ".join(CALL_NAMES[call] for call in known)
        findings.add(code, expected, CALL_NAMES[stated.call], seat=stated.seat, field="contract")
        return UNKNOWN_BIDDING
    levels = [1, *(level for level in rules.multipliers if level != NO_LEVEL)]
    levels = levels[: 1 + bidding.levels_at(rules, stated.call)]
    if stated.level not in levels:
        expected = f"a level of {', '.join(map(str, levels))}"
        findings.add(
            "contra-not-allowed", expected, f"level {stated.level}", seat=stated.seat, field="contract"
        )
        return Bidding(stated.call, stated.seat, 1, False)
    return Bidding(stated.call, stated.seat, stated.level, False)


def _can_be_stated(deal: Deal, rules: RuleSet, contract: int) -> bool:
    """Whether some auction leads to *contract*, with the cards turned up as far as they are known."""
    if not bidding.has_turn_up_bidding(rules):
        return rules.contracts[contract] >= 0
    start = opening(deal, rules)
    rounds = range(1, bidding.round_count(rules) + 1)
    return any(bidding.is_offered(rules, start._replace(round=number), contract) for number in rounds)


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
            f"calls until the auction ends, seat {auction.turn_seat} to call",
            f"{calls} calls",
            field="auction",
        )

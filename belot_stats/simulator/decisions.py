"""Asking policies, and refusing answers that are not allowed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from belot_stats.cards import CALL_NAMES, CallCode, Card, Seat, cards_in, format_hand
from belot_stats.errors import UsageError
from belot_stats.simulator.policies import CallView, CardView, Policy
from belot_stats.simulator.streams import Stream


def ask_call(policy: Policy, view: CallView, stream: Stream) -> CallCode:
    """Call that *policy* makes.  Raises: UsageError for a policy that fails or answers what is not allowed."""
    try:
        call = _number(policy.choose_call(view, stream))
    except Exception as problem:
        raise _failure(policy, "choose_call", view.seat, problem) from problem
    if call < 0 or not view.legal_calls >> call & 1:
        allowed = " ".join(CALL_NAMES[legal] for legal in cards_in(view.legal_calls))
        _refuse(policy, "choose_call", view.seat, call, f"the code of one of {allowed}")
    return call


def ask_card(policy: Policy, view: CardView, stream: Stream) -> Card:
    """Card that *policy* plays.  Raises: UsageError as :func:`ask_call`."""
    try:
        card = _number(policy.choose_card(view, stream))
    except Exception as problem:
        raise _failure(policy, "choose_card", view.seat, problem) from problem
    if card < 0 or not view.legal_mask >> card & 1:
        _refuse(
            policy, "choose_card", view.seat, card, f"the number of one of {format_hand(view.legal_mask)}"
        )
    return card


def ask_exchange(policy: Policy, view: CardView, stream: Stream) -> bool:
    """Whether *policy* exchanges the seven of trumps for the turned-up card; one that does not say always does.

    Raises: UsageError for a policy that fails.
    """
    choose: Callable[[CardView, Stream], Any] | None = getattr(policy, "choose_exchange", None)
    if choose is None:
        return True
    try:
        return bool(choose(view, stream))
    except Exception as problem:
        raise _failure(policy, "choose_exchange", view.seat, problem) from problem


def _number(answer: Any) -> int:
    """The whole number that a policy answered, whatever its type.  Raises: TypeError."""
    return answer if type(answer) is int else operator.index(answer)


def _failure(policy: Policy, function: str, seat: Seat, problem: Exception) -> UsageError:
    return UsageError(
        f"policy {policy.name!r}: {function} failed for seat {seat}: {type(problem).__name__}: {problem}"
    )


def _refuse(policy: Policy, function: str, seat: Seat, found: object, expected: str) -> NoReturn:
    raise UsageError(
        f"policy {policy.name!r}: {function} answered {found!r} for seat {seat}, expected {expected}"
    )

"""Which mistake gives a claimed figure: what a server left out, or counted by its own wrong trick winners.

Each guess is the deal counted with one mistake; the first that gives the claim is named in the finding. A guess is
never more than that: it says which mistake would explain the figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from belot_stats import parameters as p
from belot_stats.cards import NO_TRUMPS
from belot_stats.checks.collect import Findings
from belot_stats.checks.declarations import DeclarationResult
from belot_stats.checks.play import Played
from belot_stats.deal import Claimed
from belot_stats.rules import play, scoring
from belot_stats.rules.scoring import DealPoints, Sides
from belot_stats.rules.table import NO_SIDE, side_of
from belot_stats.ruleset import RuleSet


class Counted(NamedTuple):
    """What a deal's points are made of, a side; cards with the last trick in them, nothing doubled."""

    contract: int
    level: int
    declarer_side: int
    cards: tuple[int, ...]
    declarations: tuple[int, ...]
    belotes: tuple[int, ...]
    capot_side: int
    last_side: int
    tricks: Sides
    factor: int  # of everything at no trumps
    bonus: int  # of a capot, in raw points


class Guess(NamedTuple):
    """A mistake, and the deal counted with it."""

    mistake: str
    counted: Counted


def guesses(
    rules: RuleSet, counted: Counted, played: Played, stated_tricks: Sequence[int] | None
) -> Iterator[Guess]:
    """The deal counted with one mistake, or with the stated trick winners and one more."""
    yield from _left_out(rules, counted)
    recounts = [("by the stated trick winners", counted.contract)]
    if rules.rounding == p.ROUND_BALOOT and counted.contract != NO_TRUMPS:
        recounts.append(("without any trump", NO_TRUMPS))
    for mistake, contract in recounts:
        recounted = _by_stated_winners(rules, counted, played, stated_tricks, contract)
        if recounted is not None:
            yield Guess(mistake, recounted)
            yield from (
                Guess(f"{mistake}, {guess.mistake}", guess.counted) for guess in _left_out(rules, recounted)
            )


def _left_out(rules: RuleSet, counted: Counted) -> Iterator[Guess]:
    nothing = (0,) * len(counted.cards)
    if any(counted.declarations):
        yield Guess("declarations not counted", counted._replace(declarations=nothing))
    if any(counted.belotes):
        yield Guess("belote not counted", counted._replace(belotes=nothing))
    if any(counted.declarations) and any(counted.belotes):
        yield Guess(
            "declarations and belote not counted", counted._replace(declarations=nothing, belotes=nothing)
        )
    if rules.last_trick_points and counted.last_side != NO_SIDE:
        yield Guess(
            "last trick not counted",
            counted._replace(cards=_with(counted, counted.last_side, -rules.last_trick_points)),
        )
    if counted.factor > 1:
        yield Guess("no trumps not doubled", counted._replace(factor=1))
    if counted.bonus:
        yield Guess("capot not counted", counted._replace(bonus=0))
        if counted.factor > 1:
            yield Guess("capot doubled at no trumps", counted._replace(bonus=counted.bonus * counted.factor))


def _with(counted: Counted, side: int, points: int) -> tuple[int, ...]:
    return tuple(value + (points if index == side else 0) for index, value in enumerate(counted.cards))


def _by_stated_winners(
    rules: RuleSet, counted: Counted, played: Played, stated: Sequence[int] | None, contract: int
) -> Counted | None:
    """The cards counted by the winners that the log states, at their values in *contract*.

    None where that is the right count, or where the log states too few winners.
    """
    winners = [trick.winner_seat for trick in played.tricks]
    if stated is None or len(stated) < len(winners) or None in winners:
        return None
    if contract == counted.contract and list(stated[: len(winners)]) == winners:
        return None
    cards, tricks = [0] * len(counted.cards), [0] * len(counted.cards)
    for trick, seat in zip(played.tricks, stated, strict=False):
        tricks[side_of(rules, seat)] += 1
        cards[side_of(rules, seat)] += sum(play.card_points(contract, card) for card in trick.cards)
    last_side = side_of(rules, stated[len(winners) - 1])
    cards[last_side] += rules.last_trick_points
    sides = {side_of(rules, seat) for seat in stated[: len(winners)]}
    return counted._replace(
        cards=tuple(cards),
        last_side=last_side,
        tricks=scoring.side_triple(tricks),
        capot_side=sides.pop() if len(sides) == 1 else NO_SIDE,
    )


def total_points(counted: Counted) -> tuple[int, ...]:
    """Raw points a side, everything counted."""
    parts = zip(counted.cards, counted.declarations, counted.belotes, strict=True)
    return tuple(
        sum(part) * counted.factor + (counted.bonus if side == counted.capot_side else 0)
        for side, part in enumerate(parts)
    )


def explain_points(guessed: Sequence[Guess], claimed: Sequence[int]) -> str | None:
    """Mistake that gives the claimed raw points, or None."""
    return next((guess.mistake for guess in guessed if total_points(guess.counted) == tuple(claimed)), None)


def explain_score(
    rules: RuleSet, guessed: Sequence[Guess], claimed: Sequence[int], hanging: int
) -> str | None:
    """Mistake that gives the claimed score, or None. hanging: game points won with the deal."""
    for guess in guessed:
        if _score(rules, guess.counted, guess.counted.contract, hanging) == tuple(claimed):
            return guess.mistake
    for guess in guessed if rules.rounding == p.ROUND_BALOOT else ():
        other = 0 if guess.counted.contract == NO_TRUMPS else NO_TRUMPS
        if _score(rules, guess.counted, other, hanging) == tuple(claimed):
            return f"{guess.mistake}, converted as the other kind of contract"
    return None


def _score(rules: RuleSet, counted: Counted, contract: int, hanging: int) -> tuple[int, ...]:
    points = DealPoints(
        scoring.side_triple(total_points(counted)),
        scoring.side_triple(counted.cards),
        scoring.side_triple(counted.declarations),
        scoring.side_triple(counted.belotes),
        counted.tricks,
    )
    score = scoring.settle_deal(
        rules, contract, counted.level, points, counted.declarer_side, counted.capot_side, hanging
    )
    return scoring.side_scores(score, len(counted.cards))


def explain(findings: Findings, rules: RuleSet, counted: Counted, played: Played, claimed: Claimed) -> None:
    """Name, in findings of wrong points and scores, the mistake that gives the figure where there is one."""
    codes = {item.code for item in findings.items}
    if not codes & {"wrong-points", "wrong-score"}:
        return
    guessed = list(guesses(rules, counted, played, claimed.tricks))
    right = Guess("", counted)
    for index, item in enumerate(findings.items):
        mistake = None
        if item.code == "wrong-points" and claimed.points is not None:
            mistake = explain_points(guessed, claimed.points)
        elif item.code == "wrong-score" and claimed.score is not None:
            mistake = explain_score(rules, [right, *guessed], claimed.score, 0)
        if mistake:
            findings.items[index] = msgspec.structs.replace(
                item, found=f"{item.found}, as with {mistake.removeprefix(', ')}"
            )


def penalty_base(rules: RuleSet, contract: int, level: int) -> int:
    """Game points of a claimed offence without the projects of the side it is paid to."""
    return level * (rules.penalty_no_trumps_points if contract == NO_TRUMPS else rules.penalty_points)


def explain_penalty(
    findings: Findings, base: int, declared: Sequence[DeclarationResult], claimed: Claimed
) -> None:
    """Name, in a finding of a wrong penalty, what was done with the declarations."""
    paid = max(claimed.score or (0,))
    raw = {item.points for item in declared} | {sum(item.points for item in declared)}
    mistake = (
        "declarations not counted"
        if paid == base
        else "declarations added in raw points"
        if paid - base in raw
        else ""
    )
    for index, item in enumerate(findings.items):
        if item.code == "wrong-score" and mistake:
            findings.items[index] = msgspec.structs.replace(item, found=f"{item.found}, as with {mistake}")

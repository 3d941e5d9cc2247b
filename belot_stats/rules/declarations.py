"""Declarations: what a hand may announce, what it counts, and whose announcements stand.

Source: RULES.md 1e, Q7, Q8, Q34-Q36, Q39, Q43. Parameters that differ: declarations, sequence_points,
eight_run_points, sequence_cap, long_runs, carre_points, carre_order, contest, equal_points, equal_sequences,
shared_cards, four_aces_no_trumps. A combination is the mask of its cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from belot_stats import parameters as p
from belot_stats.cards import ACE, NO_TRUMPS, CardMask, Contract, Rank, Seat, Side, Suit, cards_in
from belot_stats.rules.table import NO_SIDE, side_of
from belot_stats.ruleset import RuleSet

NO_KIND, TIERCE, QUARTE, QUINTE, CARRE = range(-1, 4)
CARRE_MASK = 0x0101_0101  # the four sevens; shifted by a rank, the four of that rank
COUNTED, BEATEN, TIED = range(3)
RUN_STARTS = 0x3F3F_3F3F  # ranks with two above them
RUN_OF_THREE, RUN_OF_FIVE = 0b111, 0b11111
MOST_COMBINATIONS = 4  # of one hand that are looked for together; no hand holds more side by side
CARRE_HEIGHT = 1_000_000  # above every sequence
AT_FIRST_CARD = -1


class Announcement(NamedTuple):
    """A valid announcement: who, the cards of the combination, and when.

    at: cards on the table when it was made; AT_FIRST_CARD = with the seat's first card. Of those made at the same time
    the one that stands first was made first.
    """

    seat: int
    cards_mask: int
    at: int = AT_FIRST_CARD


def kind_of(cards_mask: CardMask) -> int:
    """TIERCE, QUARTE, QUINTE (five cards or more), CARRE, or NO_KIND where the cards are no combination."""
    length = cards_mask.bit_count()
    if length < 3:
        return NO_KIND
    low = cards_mask & -cards_mask
    if cards_mask == low * CARRE_MASK:
        return CARRE
    is_one_run = (cards_mask + low) & cards_mask == 0 and (low.bit_length() - 1) >> 3 == suit_of_run(
        cards_mask
    )
    return min(length, 5) - 3 if is_one_run else NO_KIND


def top_rank(cards_mask: CardMask) -> Rank:
    """Rank of the highest card of a combination, in natural order."""
    return (cards_mask.bit_length() - 1) & 7


def suit_of_run(cards_mask: CardMask) -> Suit:
    """Suit of a sequence."""
    return (cards_mask.bit_length() - 1) >> 3


def declarations_count(rules: RuleSet, contract: Contract) -> bool:
    """Whether declarations count in *contract* at all."""
    if rules.declarations == p.DECLARE_NONE:
        return False
    return rules.declarations == p.DECLARE_ALL or contract != NO_TRUMPS or rules.four_aces_no_trumps > 0


def combination_points(rules: RuleSet, contract: Contract, cards_mask: CardMask) -> int:
    """Raw points of a combination, not doubled; -1 where the rules do not know it."""
    kind = kind_of(cards_mask)
    if kind == NO_KIND:
        return -1
    if (
        contract == NO_TRUMPS
        and rules.four_aces_no_trumps > 0
        and kind == CARRE
        and top_rank(cards_mask) == ACE
    ):
        return rules.four_aces_no_trumps
    if contract == NO_TRUMPS and rules.declarations != p.DECLARE_ALL:
        return -1
    if kind == CARRE:
        return rules.carre_points[top_rank(cards_mask)]
    return rules.eight_run_points if cards_mask.bit_count() == 8 else rules.sequence_points[kind]


def combination_key(rules: RuleSet, contract: Contract, cards_mask: CardMask) -> int:
    """Height of a combination among those it is compared with: the greater is better, equal keys tie."""
    is_carre = kind_of(cards_mask) == CARRE
    rank = top_rank(cards_mask)
    if rules.contest == p.CONTEST_BY_POINTS:
        first = (rules.equal_points == p.HUNDRED_SEQUENCE_FIRST and not is_carre) or (
            rules.equal_points == p.HUNDRED_CARRE_FIRST and is_carre
        )
        return (combination_points(rules, contract, cards_mask) * 2 + int(first)) * 16 + rank
    if is_carre:
        return CARRE_HEIGHT + rules.carre_order[rank]
    return compared_length(rules, cards_mask.bit_count()) * 16 + rank


def compared_length(rules: RuleSet, length: int) -> int:
    """Length with which a run is compared."""
    return min(length, rules.sequence_cap) if rules.sequence_cap > 0 else length


class Contest(NamedTuple):
    """How a contest stands: the best height so far, when it was announced, and the side whose announcements stand."""

    height: int
    time: int
    side: int


NO_CONTEST = Contest(-1, 0, NO_SIDE)


def settle_announcements(
    rules: RuleSet, contract: Contract, announcements: Sequence[Announcement], first_leader: Seat
) -> list[int]:
    """What becomes of each announcement: COUNTED, BEATEN (lost to a better one) or TIED (cancelled by an equal one).

    announcements: valid ones only, of the whole deal: a later one beats an earlier that is lower, and the side whose
    combination is the best of all scores its lower ones too.  first_leader: seat that leads to the first trick.
    Whether a side took a trick, and whether the contract knows declarations, is not asked here.
    """
    runs = carres = NO_CONTEST
    for item in announcements:
        if is_apart(rules, item.cards_mask):
            carres = contest_after(rules, contract, carres, item, first_leader)
        else:
            runs = contest_after(rules, contract, runs, item, first_leader)
    return [
        fate_of(rules, item.seat, carres.side if is_apart(rules, item.cards_mask) else runs.side)
        for item in announcements
    ]


def is_apart(rules: RuleSet, cards_mask: CardMask) -> bool:
    """Whether a combination is compared with carrés only."""
    return rules.contest == p.CONTEST_SEPARATE and kind_of(cards_mask) == CARRE


def fate_of(rules: RuleSet, seat: Seat, winner: Side) -> int:
    """What becomes of an announcement of *seat*. winner: side whose announcements stand, or NO_SIDE."""
    if winner == NO_SIDE:
        return TIED
    return COUNTED if side_of(rules, seat) == winner else BEATEN


def contest_after(
    rules: RuleSet, contract: Contract, contest: Contest, item: Announcement, first_leader: Seat
) -> Contest:
    """How the contest stands after *item*; the best ones of two sides may cancel each other."""
    height = contest_height(rules, contract, item.cards_mask)
    time = announced_time(rules, item, first_leader)
    side = side_of(rules, item.seat)
    if height > contest.height or (height == contest.height and time < contest.time):
        return Contest(height, time, side)
    if height == contest.height and rules.equal_sequences == p.EQUAL_VOID and contest.side != side:
        return Contest(height, contest.time, NO_SIDE)
    return contest


def contest_height(rules: RuleSet, contract: Contract, cards_mask: CardMask) -> int:
    """Height in the contest: as combination_key, and of equal sequences that of the trump suit above the others."""
    is_trump_run = (
        rules.equal_sequences == p.EQUAL_TRUMP_THEN_EARLIER
        and suit_of_run(cards_mask) == contract
        and kind_of(cards_mask) != CARRE
    )
    return 2 * combination_key(rules, contract, cards_mask) + int(is_trump_run)


def announced_time(rules: RuleSet, item: Announcement, first_leader: Seat) -> int:
    """Of equal combinations the one with the smaller time wins; all are 0 where equal ones cancel each other.

    "earlier" is Baloot's: the seat nearest to the dealer's right, whenever it spoke.
    """
    if rules.equal_sequences == p.EQUAL_VOID:
        return 0
    if rules.equal_sequences == p.EQUAL_EARLIER or item.at == AT_FIRST_CARD:
        return (item.seat - first_leader) % rules.players
    return item.at


def best_combinations(rules: RuleSet, contract: Contract, hand_mask: CardMask) -> list[CardMask]:
    """Best announcement of a hand: carrés first, then sequences by suit and rank, each as the mask of its cards.

    Where no card may stand in two declarations, that choice of carrés is made with which the hand counts most; of
    equal choices the one with more cards of the better contest: see _choice_key.
    """
    carres = held_carres(rules, contract, hand_mask)
    best = counting_runs(rules, contract, hand_mask)
    if rules.shared_cards:
        return carres + best
    best_key = _choice_key(rules, contract, best)
    for chosen in range(1, 1 << len(carres)):
        choice = [carres[i] for i in range(len(carres)) if chosen >> i & 1]
        choice = choice + counting_runs(rules, contract, _without(hand_mask, choice))
        key = _choice_key(rules, contract, choice)
        if key > best_key:
            best, best_key = choice, key
    return best


def held_carres(rules: RuleSet, contract: Contract, hand_mask: CardMask) -> list[CardMask]:
    """Carrés of a hand that the rules know, lowest rank first."""
    carres = [CARRE_MASK << rank for rank in range(8)]
    return [
        mask for mask in carres if mask & ~hand_mask == 0 and combination_points(rules, contract, mask) >= 0
    ]


def counting_runs(rules: RuleSet, contract: Contract, hand_mask: CardMask) -> list[CardMask]:
    """Runs of a hand that the rules know in this contract, as they are announced."""
    return [
        mask for mask in announced_runs(rules, hand_mask) if combination_points(rules, contract, mask) >= 0
    ]


def _without(hand_mask: CardMask, taken: Sequence[CardMask]) -> CardMask:
    for cards_mask in taken:
        hand_mask &= ~cards_mask
    return hand_mask


def _choice_key(rules: RuleSet, contract: Contract, choice: Sequence[CardMask]) -> tuple[int, int]:
    total = carres = 0
    for mask in choice:
        total += combination_points(rules, contract, mask)
        carres += int(kind_of(mask) == CARRE)
    return total, carres


def lowest_run(hand_mask: CardMask) -> CardMask:
    """Run of three or more neighbouring ranks of one suit, as long as it is, with the lowest cards; 0 for none."""
    starts = hand_mask & hand_mask >> 1 & hand_mask >> 2 & RUN_STARTS
    low = starts & -starts
    suit_cards = hand_mask & 0xFF << ((low.bit_length() - 1) & 24) if low else 0
    return suit_cards & ~(suit_cards + low)


def maximal_runs(hand_mask: CardMask) -> list[CardMask]:
    """Runs of three or more neighbouring ranks of one suit, each as long as it is."""
    runs = []
    run = lowest_run(hand_mask)
    while run:
        runs.append(run)
        hand_mask &= ~run
        run = lowest_run(hand_mask)
    return runs


def announced_runs(rules: RuleSet, hand_mask: CardMask) -> list[CardMask]:
    """Runs of a hand as they are announced: whole, or the part of a long one that the rules count."""
    runs = []
    for run in maximal_runs(hand_mask):
        beside = lower_part(rules, run)
        if beside:
            runs.append(beside)
        runs.append(counted_part(rules, run))
    return runs


def lower_part(rules: RuleSet, run: CardMask) -> CardMask:
    """Lowest three of a run of eight, where they are announced by themselves; 0 where they are not."""
    is_split = run.bit_count() == 8 and rules.long_runs != p.RUNS_WHOLE
    return RUN_OF_THREE * (run & -run) if is_split else 0


def counted_part(rules: RuleSet, run: CardMask) -> CardMask:
    """*run*, or its highest five where the rules count no more."""
    length = run.bit_count()
    is_cut = rules.long_runs == p.RUNS_HIGHEST_FIVE or (rules.long_runs == p.RUNS_EIGHT_APART and length == 8)
    return RUN_OF_FIVE * (run & -run) << length - 5 if is_cut and length > 5 else run


def held_combinations(rules: RuleSet, contract: Contract, hand_mask: CardMask, kind: int) -> list[CardMask]:
    """Combinations of *kind* in a hand, best first; a run may be announced shorter than it is."""
    if kind == CARRE:
        found = held_carres(rules, contract, hand_mask)
    else:
        found = [run for long_run in maximal_runs(hand_mask) for run in _runs_of_kind(long_run, kind)]
    return sorted(found, key=lambda mask: -combination_key(rules, contract, mask))


def _runs_of_kind(long_run: CardMask, kind: int) -> list[CardMask]:
    """The run itself where it is of *kind*, and every shorter run in it that is."""
    cards = list(cards_in(long_run))
    lengths = [kind + 3] if kind != QUINTE else range(5, len(cards) + 1)
    return [
        sum(1 << card for card in cards[start : start + length])
        for length in lengths
        for start in range(len(cards) - length + 1)
    ]


def may_stand_together(rules: RuleSet, one_mask: CardMask, other_mask: CardMask) -> bool:
    """Whether one seat may announce both: no card twice, but for a carré and a sequence where the rules share cards."""
    if not one_mask & other_mask:
        return True
    return rules.shared_cards == 1 and (kind_of(one_mask) == CARRE) != (kind_of(other_mask) == CARRE)


def combinations_of_kinds(
    rules: RuleSet, contract: Contract, hand_mask: CardMask, kinds: Sequence[int], taken: Sequence[CardMask]
) -> list[CardMask | None]:
    """Best combinations of *kinds* (longest first) in a hand, no card twice where possible; None where there is none.

    taken: other combinations of the hand that are announced by their cards.
    """
    taken_mask = 0
    for mask in taken:
        taken_mask |= mask
    whole_runs = announced_runs(rules, hand_mask & ~taken_mask)
    held = {kind: held_combinations(rules, contract, hand_mask, kind) for kind in set(kinds)}
    for masks in held.values():
        masks.sort(
            key=lambda mask: mask not in whole_runs
        )  # stable: a whole run before a part of a longer one
    choices: list[list[CardMask | None]] = [[*held[kind]] or [None] for kind in kinds[:MOST_COMBINATIONS]]
    best = min(product(*choices), key=lambda found: _clashes(rules, found, taken), default=())
    more = [held[kind][0] if held[kind] else None for kind in kinds[MOST_COMBINATIONS:]]
    return [*best, *more]


def _clashes(rules: RuleSet, found: Sequence[CardMask | None], taken: Sequence[CardMask]) -> int:
    """How many of *found* are none, or may not stand beside an earlier one."""
    count = 0
    earlier = list(taken)
    for mask in found:
        if mask is None:
            count += 1
            continue
        count += not all(may_stand_together(rules, mask, other) for other in earlier)
        earlier.append(mask)
    return count

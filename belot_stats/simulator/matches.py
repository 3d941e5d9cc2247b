"""Deals and whole matches, made by policies at the table and written as a reader would give them.

The cards of a deal come from (seed, match, deal) alone: the same for every policy, and for every rule set that deals
the same pack in the same packets. Where the pack is cut and not shuffled, the cards of a match's later deals come
also from how the deals before were played. What a policy draws comes from a stream of its own seat. So single deals
depend on (rules, policy, seed, deal number) and matches on (rules, policy, seed, match number): never on a worker, on
the order, or on what was simulated before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from belot_stats import parameters as p
from belot_stats.cards import NO_CONTRACT, NO_SEAT, Card, Seat
from belot_stats.deal import Deal, EndedBy
from belot_stats.errors import UsageError
from belot_stats.rules.match import next_dealer
from belot_stats.rules.table import NO_SIDE
from belot_stats.ruleset import RuleSet, load_ruleset, ruleset_names, ruleset_values
from belot_stats.simulator.dealing import cut_pack, deal_pack, gather_pack, shuffle_pack
from belot_stats.simulator.playing import START, Party, Played, Standing, play_deal
from belot_stats.simulator.policies import PolicyChoice, find_policies, player_names, policy_label
from belot_stats.simulator.settling import Settled, settle
from belot_stats.simulator.streams import DEALING, POLICY, WORD, Stream

SOURCE = "simulation"  # and the policy: what two policies play must not be taken for one table's
SINGLE_DEALS, MATCHES = 0, 1  # single deals and matches of one seed have different cards
MOST_PASSED_IN_A_ROW = 1000


class Room(NamedTuple):
    """What the deals of one simulation have in common."""

    rules: RuleSet
    party: Party
    seed: int
    kind: int  # SINGLE_DEALS or MATCHES
    options: dict[str, Any]
    players: tuple[str, ...]
    prefix: str  # of the names of its matches
    source: str


def simulate_deals(
    rules: RuleSet, policy: PolicyChoice, seed: int, first_deal: int, count: int
) -> Iterator[Deal]:
    """Single deals number *first_deal* and following, *count* of them.

    policy: see :func:`belot_stats.simulator.policies.find_policies`.  seed: 0..2**64-1.  first_deal: from 1.
    Returns: an iterator of records, each deal 1 of a match of its own that claims no totals, with nothing hanging
    from before, and is played to its end; the dealer's seat goes round with the number.
    Raises: UsageError for rules that cannot be simulated, an unknown policy, or numbers out of range.
    """
    room = open_room(rules, policy, seed, SINGLE_DEALS, first_deal, count)
    return (_simulate_single(room, number) for number in range(first_deal, first_deal + count))


def simulate_matches(
    rules: RuleSet, policy: PolicyChoice, seed: int, first_match: int, count: int
) -> Iterator[Deal]:
    """Deals, in their order, of whole matches number *first_match* and following, *count* of them.

    Arguments and errors as in :func:`simulate_deals`. The seat that deals first goes round with the match's number;
    a match ends when the rules say so, passed-out deals being deals of it.
    """
    room = open_room(rules, policy, seed, MATCHES, first_match, count)
    return (
        deal for number in range(first_match, first_match + count) for deal in _simulate_match(room, number)
    )


def _simulate_match(room: Room, number: int) -> Iterator[Deal]:
    rules = room.rules
    dealer_seat, standing, winner = (number - 1) % rules.players, START, NO_SIDE
    deal_number = passed = 0
    pack: list[Card] = []
    played: Played | None = None
    while winner == NO_SIDE:
        deal_number += 1
        stream = Stream(DEALING, room.seed, room.kind, number, deal_number)
        pack = _next_pack(rules, stream, pack, played)
        deal, played, settled = _simulate_deal(room, number, deal_number, pack, dealer_seat, standing)
        yield deal
        standing, winner = settled.standing, settled.winner
        dealer_seat = next_dealer(
            rules, dealer_seat, played.declarer_seat, settled.points, settled.is_hanging
        )
        passed = passed + 1 if played.declarer_seat == NO_SEAT else 0
        if passed == MOST_PASSED_IN_A_ROW:
            raise endless_match(deal.match)


def endless_match(name: str) -> UsageError:
    """The error of a match, called *name*, in which nobody bids any more."""
    return UsageError(
        f"match {name}: {MOST_PASSED_IN_A_ROW} deals in a row were passed out; "
        "a policy that never bids ends no match"
    )


def _next_pack(rules: RuleSet, stream: Stream, pack: list[Card], played: Played | None) -> list[Card]:
    """Pack of the next deal of a match, in which *played* was dealt from *pack*; None before the first deal."""
    if played is None or not rules.cut_only:
        return shuffle_pack(rules, stream)
    return cut_pack(gather_pack(rules, pack, played.plays, played.winners), stream)


def _simulate_single(room: Room, number: int) -> Deal:
    """A deal alone is no match, so it claims no standing of one."""
    pack = shuffle_pack(room.rules, Stream(DEALING, room.seed, room.kind, number, 1))
    deal, _, _ = _simulate_deal(room, number, 1, pack, (number - 1) % room.rules.players, START)
    claimed = msgspec.structs.replace(deal.claimed, total=None, winner=None)
    return msgspec.structs.replace(deal, claimed=claimed)


def _simulate_deal(
    room: Room, match: int, number: int, pack: list[Card], dealer_seat: Seat, standing: Standing
) -> tuple[Deal, Played, Settled]:
    rules, name = room.rules, (room.seed, room.kind, match, number)
    dealt = deal_pack(rules, pack, dealer_seat)
    streams = tuple(Stream(POLICY, *name, seat) for seat in range(rules.players))
    played = play_deal(room.party, streams, dealt, dealer_seat, standing)
    settled = settle(rules, played, dealer_seat, standing)
    is_out = played.out_seat != NO_SEAT
    is_passed = played.contract == NO_CONTRACT
    deal = Deal(
        source=room.source,
        match=f"{room.prefix}{match:08d}",
        deal=number,
        rules=rules.name,
        options=room.options,
        players=room.players,
        dealer=dealer_seat,
        turn_up=played.turn_up or None,
        first_hands=dealt.first_hands,
        auction=played.calls,
        exchange=None if played.exchange_seat == NO_SEAT else played.exchange_seat,
        hands=None if is_passed else played.hands,
        plays=played.plays,
        declarations=played.declarations,
        belotes=played.belotes,
        end="passed" if is_passed else "declared_out" if is_out else "played",
        ended_by=EndedBy(seat=played.out_seat, at=len(played.plays)) if is_out else None,
        claimed=settled.claimed,
    )
    return deal, played, settled


def open_room(rules: RuleSet, policy: PolicyChoice, seed: int, kind: int, first: int, count: int) -> Room:
    """Room of a simulation.  kind: SINGLE_DEALS or MATCHES.  Raises: UsageError as :func:`simulate_deals`."""
    check_rules(rules)
    numbers: tuple[tuple[str, object, int], ...] = (
        ("seed", seed, 0),
        ("first number", first, 1),
        ("count", count, 0),
    )
    for name, number, lowest in numbers:
        if not isinstance(number, int) or not lowest <= number <= WORD:
            raise UsageError(
                f"simulation: {name}: expected a whole number from {lowest} to 2**64-1, found {number!r}"
            )
    policies = find_policies(policy, rules.players)
    options = changed_options(rules)
    prefix = "-".join([_rules_label(rules, options), policy_label(policies), f"s{seed}", "dm"[kind]])
    source = f"{SOURCE}-{policy_label(policies)}"
    party, names = Party(rules, policies, kind == MATCHES), player_names(policies)
    return Room(rules, party, seed, kind, options, names, prefix, source)


def check_rules(rules: RuleSet) -> None:
    """The rules are of a kind that can be simulated.

    Raises: UsageError saying which parameter stands in the way.
    """
    if rules.bidding == p.BIDDING_STATED:
        raise UsageError(
            f'{rules.name}: rules with bidding = "stated" cannot be simulated: they do not say how a contract is found'
        )


def changed_options(rules: RuleSet) -> dict[str, Any]:
    """Parameters in which *rules* differ from the preset of their name, so that a record says what it was played by.

    Rules of a user's own file have no preset: their records name the file's rules and nothing more.
    """
    if rules.name not in ruleset_names():
        return {}
    preset = ruleset_values(load_ruleset(rules.name))
    return {name: value for name, value in ruleset_values(rules).items() if preset[name] != value}


def _rules_label(rules: RuleSet, options: dict[str, Any]) -> str:
    """Name of the rules, with a short hash of what was changed: matches by other rules are other matches."""
    if not options:
        return rules.name
    return f"{rules.name}+{hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()[:6]}"

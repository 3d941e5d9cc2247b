"""Policies: who decides what a seat calls and plays, and what it may know.

A policy has a ``name`` and two functions, ``choose_call`` and ``choose_card``. Each gets a view - what the seat
itself can see: its own hand, the calls, the cards played and turned up, the score - and a stream of random numbers
of its own seat and deal. The same view and the same numbers must give the same answer: a policy that keeps a state
between two decisions, or asks a clock or another source of chance, makes deals that cannot be made again. It is
asked for a card only where more than one is legal. Declarations and belotes are announced by the simulator, which
also declares out as soon as a player may. Where the seven of trumps may be exchanged for the turned-up card, a
policy may have a third function, ``choose_exchange(view, stream)``, with the view of a card and true or false for an
answer; without it the seven is always exchanged.

A user's own policy is named ``module:name``, where *module* can be imported and *name* in it is an object with these
three attributes, or a class that is made one by calling it without arguments::

    class Cautious:
        name = "cautious"
        def choose_call(self, view, stream):
            return 6                            # pass, a call code of belot_stats.cards
        def choose_card(self, view, stream):
            return stream.bit_of(view.legal_mask)
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

from belot_stats.cards import NO_SEAT, CallCode, Card
from belot_stats.errors import UsageError
from belot_stats.rules.bidding import Auction
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.streams import Stream


class CallView(NamedTuple):
    """What a seat knows when it calls."""

    rules: RuleSet
    seat: int
    dealer_seat: int
    hand_mask: int
    calls: tuple[int, ...]  # from the first speaker on, who sits after the dealer
    auction: Auction
    legal_calls: int  # one bit a call code
    totals: tuple[int, int, int]  # points of the match before this deal, a side
    hanging: int  # points that hang from earlier deals
    turn_up: tuple[int, ...] = ()  # cards turned up so far


class CardView(NamedTuple):
    """What a seat knows when it plays a card."""

    rules: RuleSet
    seat: int
    dealer_seat: int
    hand_mask: int
    legal_mask: int
    calls: tuple[int, ...]
    contract: int
    level: int
    declarer_seat: int  # NO_SEAT where all passed: every point counts against its taker
    plays: tuple[int, ...]  # every card played before, in order
    trick: tuple[int, ...]  # those of them that lie on the table, the lead first
    leader_seat: int  # seat that leads, or led, this trick
    led_suit: int  # NO_SUIT where the seat is to lead
    best_card: int  # card that holds the trick, NO_CARD where the seat is to lead
    best_seat: int  # its player
    unseen_mask: int  # cards neither in the own hand, nor played, nor open on the table out of play
    void_suits: tuple[int, ...]  # a seat: suits it has failed to follow, one bit a suit
    totals: tuple[int, int, int]
    hanging: int
    turn_up: tuple[int, ...] = ()  # cards that were turned up
    turn_up_seat: int = NO_SEAT  # seat that took the first of them; NO_SEAT where it lies on the table
    is_closed: bool = False  # no trump is led by who holds another suit


class Policy(Protocol):
    """Decides for a seat."""

    @property
    def name(self) -> str:
        """Name under which its players are recorded."""

    def choose_call(self, view: CallView, stream: Stream) -> CallCode:
        """One of the calls in ``view.legal_calls``."""

    def choose_card(self, view: CardView, stream: Stream) -> Card:
        """One of the cards in ``view.legal_mask``."""


class RandomPolicy:
    """Every legal call and every legal card equally likely.

    Literally: six of seven openings are bids, and a contra has the weight of a pass, so that far more deals than at
    a table of people are doubled, and few are passed out.
    """

    name = "random"

    def choose_call(self, view: CallView, stream: Stream) -> CallCode:
        """Any legal call."""
        return stream.bit_of(view.legal_calls)

    def choose_card(self, view: CardView, stream: Stream) -> Card:
        """Any legal card."""
        return stream.share_of(view.legal_mask)

    def choose_exchange(self, view: CardView, stream: Stream) -> bool:
        """Every other time."""
        return stream.below(2) == 1


def _sensible() -> Policy:
    from belot_stats.simulator.sensible import SensiblePolicy

    return SensiblePolicy()


POLICIES: dict[str, Callable[[], Policy]] = {"random": RandomPolicy, "sensible": _sensible}
PolicyChoice: TypeAlias = str | Policy
SeatPolicies: TypeAlias = tuple[Policy, ...]


def find_policies(choice: PolicyChoice, players: int) -> SeatPolicies:
    """Policy a seat, as *choice* says.

    choice: a policy, its name, ``module:name``, or several names with commas between, which sit round the table in
    turn: ``"sensible,random"`` sets one side against the other.
    Raises: UsageError for a policy that cannot be found or used, or more of them than players.
    """
    if not isinstance(choice, str):
        return (_checked(choice, type(choice).__name__),) * players
    names = [name.strip() for name in choice.split(",")]
    if players % len(names):
        raise UsageError(f"policy {choice!r}: {len(names)} policies cannot be dealt out to {players} players")
    found = [find_policy(name) for name in names]
    return tuple(found[seat % len(found)] for seat in range(players))


def find_policy(name: str) -> Policy:
    """Policy called *name*, or at ``module:name``.

    Raises: UsageError, naming what was looked for and what is known.
    """
    if name in POLICIES:
        return POLICIES[name]()
    module, colon, attribute = name.partition(":")
    if not (colon and module and attribute):
        raise UsageError(
            f"unknown policy {name!r}: expected {', '.join(POLICIES)}, or module:name of your own"
        )
    return _checked(_made(name, module, attribute), name)


def _made(name: str, module: str, attribute: str) -> Any:
    """What a user's module has, whatever may go wrong in it."""
    try:
        found = importlib.import_module(module)
    except ImportError as problem:
        raise UsageError(f"policy {name!r}: the module cannot be imported: {problem}") from None
    except Exception as problem:
        raise _broken(name, "the module", problem) from problem
    if not hasattr(found, attribute):
        raise UsageError(f"policy {name!r}: the module {module} has no {attribute!r}")
    made = getattr(found, attribute)
    try:
        return made() if isinstance(made, type) else made
    except Exception as problem:
        raise _broken(name, "it cannot be made: its class", problem) from problem


def _broken(name: str, what: str, problem: Exception) -> UsageError:
    return UsageError(f"policy {name!r}: {what} fails: {type(problem).__name__}: {problem}")


def _checked(policy: Any, called: str) -> Policy:
    for wanted in ("choose_call", "choose_card"):
        if not callable(getattr(policy, wanted, None)):
            raise UsageError(f"policy {called!r}: it has no function {wanted}(view, stream)")
    if not isinstance(getattr(policy, "name", None), str):
        raise UsageError(f"policy {called!r}: it has no name (a text)")
    return policy  # type: ignore[no-any-return]


def policy_label(policies: SeatPolicies) -> str:
    """Names of *policies* in the order of the seats, or the one name of all of them.

    >>> policy_label((RandomPolicy(),) * 4)
    'random'
    """
    names = [policy.name for policy in policies]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def player_names(policies: SeatPolicies) -> tuple[str, ...]:
    """Names of the players: policy and seat.

    >>> player_names((RandomPolicy(),) * 2)
    ('random-0', 'random-1')
    """
    return tuple(f"{policy.name}-{seat}" for seat, policy in enumerate(policies))

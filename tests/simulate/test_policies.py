"""Policies: how they are found, what they may answer, and that they see nothing but what lies open."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from belot_stats.cards import cards_in, mask_of
from belot_stats.errors import UsageError
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator import CallView, CardView, Policy, find_policies, simulate_deals
from belot_stats.simulator.dealing import Dealt, deal_pack, shuffle_pack
from belot_stats.simulator.playing import Party, play_deal
from belot_stats.simulator.policies import RandomPolicy
from belot_stats.simulator.sensible import SensiblePolicy
from belot_stats.simulator.streams import Stream
from tests.simulate.helpers import START, Bidder, Broken, WrongCall, WrongCard

RULES = load_ruleset("belot-bg")


class Spy:
    """Answers as *policy* does, and remembers what it was asked."""

    name = "spy"

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.asked: list[tuple[CallView | CardView, int, int]] = []

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return self._note(view, stream, self.policy.choose_call(view, Stream(stream.state)))

    def choose_card(self, view: CardView, stream: Stream) -> int:
        return self._note(view, stream, self.policy.choose_card(view, Stream(stream.state)))

    def _note(self, view: CallView | CardView, stream: Stream, answer: int) -> int:
        self.asked.append((view, stream.state, answer))
        return answer


class Stop(Exception):
    """The decision that was waited for, with what was seen and answered."""


class Script:
    """Does what was done before, up to the decision *asked*; there *policy* decides again."""

    name = "script"

    def __init__(self, policy: Policy, calls: tuple[int, ...], asked: CardView | CallView) -> None:
        self.policy, self.calls, self.asked = policy, calls, asked

    def choose_call(self, view: CallView, stream: Stream) -> int:
        if isinstance(self.asked, CallView) and view.calls == self.asked.calls:
            raise Stop(view, self.policy.choose_call(view, Stream(stream.state)))
        return self.calls[len(view.calls)]

    def choose_card(self, view: CardView, stream: Stream) -> int:
        assert isinstance(self.asked, CardView)
        if view.plays == self.asked.plays:
            raise Stop(view, self.policy.choose_card(view, Stream(stream.state)))
        return self.asked.plays[len(view.plays)] if len(view.plays) < len(self.asked.plays) else 99


def decide_again(
    policy: Policy, calls: tuple[int, ...], asked: CallView | CardView, dealt: Dealt
) -> tuple[object, ...] | None:
    """View and answer of the same seat in the same situation with other cards in the hands that it cannot see.

    None where the cards played so far would not have been legal from those hands.
    """
    streams = tuple(Stream(1, seat) for seat in range(4))
    try:
        play_deal(Party(RULES, (Script(policy, calls, asked),) * 4), streams, dealt, asked.dealer_seat, START)
    except UsageError as problem:
        return problem.__cause__.args if isinstance(problem.__cause__, Stop) else None
    return None


def reshuffled(dealt: Dealt, asked: CallView | CardView, stream: Stream) -> Dealt:
    """The same deal, but the cards that the seat has not seen change places among the others."""
    if isinstance(asked, CallView):
        pack = shuffle_pack(RULES, stream)
        others = [card for card in pack if not asked.hand_mask >> card & 1]
        first_hands = [
            asked.hand_mask if seat == asked.seat else mask_of(others[5 * seat : 5 * seat + 5])
            for seat in range(4)
        ]
        return Dealt(tuple(first_hands), dealt.hands)
    others = [card for card in shuffle_pack(RULES, stream) if asked.unseen_mask >> card & 1]
    hands = []
    for seat, hand_mask in enumerate(dealt.hands):
        hidden = hand_mask & asked.unseen_mask if seat != asked.seat else 0
        taken, others = others[: hidden.bit_count()], others[hidden.bit_count() :]
        hands.append(hand_mask & ~hidden | mask_of(taken))
    return Dealt(dealt.first_hands, tuple(hands))


def spied_deals(policy: Policy, count: int) -> Iterator[tuple[Dealt, tuple[int, ...], Spy]]:
    for number in range(count):
        dealt = deal_pack(RULES, shuffle_pack(RULES, Stream(31, number)), number % 4)
        spy = Spy(policy)
        streams = tuple(Stream(1, seat) for seat in range(4))
        played = play_deal(Party(RULES, (spy,) * 4), streams, dealt, number % 4, START)
        yield dealt, played.calls, spy


@pytest.mark.parametrize("policy", [RandomPolicy(), SensiblePolicy()], ids=lambda policy: policy.name)
def test_hidden_cards_change_neither_view_nor_decision(policy: Policy) -> None:
    compared: Counter[str] = Counter()
    for number, (dealt, calls, spy) in enumerate(spied_deals(policy, 12)):
        for place, (asked, _, answer) in enumerate(spy.asked):
            other = reshuffled(dealt, asked, Stream(77, number, place))
            result = decide_again(policy, calls, asked, other)
            if result is None:
                continue
            view, again = result
            assert view == asked
            if policy.name == "sensible":
                assert again == answer
            compared[type(asked).__name__] += other != dealt
    assert compared["CallView"] > 40
    assert compared["CardView"] > 60


def test_a_view_holds_no_card_of_another_hand() -> None:
    for dealt, _, spy in spied_deals(RandomPolicy(), 20):
        for view, _, _ in spy.asked:
            hands = dealt.first_hands if isinstance(view, CallView) else dealt.hands
            played = mask_of(view.plays) if isinstance(view, CardView) else 0
            assert view.hand_mask == hands[view.seat] & ~played
            if isinstance(view, CardView):
                assert view.unseen_mask == 0xFFFF_FFFF & ~view.hand_mask & ~played
                assert view.legal_mask & ~view.hand_mask == 0
                assert view.legal_mask.bit_count() > 1


def test_void_suits_are_those_a_seat_failed_to_follow() -> None:
    seen = 0
    for dealt, _, spy in spied_deals(RandomPolicy(), 20):
        for view, _, _ in spy.asked:
            if isinstance(view, CardView):
                for seat, suits in enumerate(view.void_suits):
                    left = dealt.hands[seat] & ~mask_of(view.plays)
                    assert all(not left >> 8 * suit & 0xFF for suit in cards_in(suits))
                    seen += suits.bit_count()
    assert seen > 50


def test_random_is_uniform_over_legal_calls() -> None:
    """The first call: pass and six contracts, a seventh each."""
    counts = Counter(deal.auction[0] for deal in simulate_deals(RULES, "random", 1, 1, 2_100))
    assert set(counts) == {0, 1, 2, 3, 4, 5, 6}
    assert all(abs(count - 300) < 4 * 16 for count in counts.values())


def test_a_policy_of_the_users_own() -> None:
    deals = list(simulate_deals(RULES, "tests.simulate.helpers:Bidder", 1, 1, 10))
    assert {deal.claimed.contract for deal in deals} == {2}
    assert deals[0].players == ("bidder-0", "bidder-1", "bidder-2", "bidder-3")
    assert list(simulate_deals(RULES, Bidder(), 1, 1, 10)) == deals


def test_policies_sit_round_the_table_in_turn() -> None:
    deal = next(simulate_deals(RULES, "sensible, random", 1, 1, 1))
    assert deal.players == ("sensible-0", "random-1", "sensible-2", "random-3")
    other = next(simulate_deals(RULES, "random,sensible", 1, 1, 1))
    assert deal.match != other.match


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sensibel", "unknown policy 'sensibel': expected random, sensible, or module:name"),
        ("no_such_module:x", "the module cannot be imported"),
        ("tests.simulate.helpers:Nobody", "has no 'Nobody'"),
        ("tests.simulate.helpers:START", "no function choose_call"),
        ("random,random,random", "3 policies cannot be dealt out to 4 players"),
        ("", "unknown policy ''"),
    ],
)
def test_a_policy_that_cannot_be_used_is_named(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        simulate_deals(RULES, name, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = = 1", "policy '.*': the module fails: SyntaxError: invalid syntax"),
        ("raise RuntimeError('not today')", "policy '.*': the module fails: RuntimeError: not today"),
        ("class Own:\n def __init__(self): 1 / 0", "it cannot be made: its class fails: ZeroDivisionError"),
    ],
)
def test_a_module_with_a_mistake_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    module = f"own_{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    (tmp_path / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=told):
        simulate_deals(RULES, f"{module}:Own", 1, 1, 1)


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (
            WrongCall(),
            "'wrong-call': choose_call answered 7 for seat 1, expected the code of one of C D H S N A P",
        ),
        (WrongCard(), "'wrong-card': choose_card answered .* for seat 1, expected the number of one of"),
        (Broken(), "'broken': choose_card failed for seat 1: ZeroDivisionError"),
    ],
)
def test_a_policy_that_errs_is_stopped(policy: Policy, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        list(simulate_deals(RULES, policy, 1, 1, 1))


def test_the_same_policy_object_serves_every_seat() -> None:
    policy = RandomPolicy()
    assert find_policies(policy, 4) == (policy,) * 4

"""Cards that are turned up, exchanged, cut and never seen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from belot_stats.cards import PASS, SEVEN, cards_in, mask_of
from belot_stats.rules.table import first_hand_size, hand_size, pack_mask
from belot_stats.ruleset import load_ruleset, ruleset_names
from belot_stats.simulator import CallView, CardView, simulate_deals, simulate_matches
from belot_stats.simulator.dealing import LEAST_CUT, Dealt, cut_pack, deal_pack, gather_pack, turn_another
from belot_stats.simulator.policies import RandomPolicy
from belot_stats.simulator.streams import Stream
from tests.simulate.helpers import Bidder, Passer, deals_of, matches_of

POLICIES = ("random", "sensible")
TURN_UPS = [name for name in ruleset_names() if load_ruleset(name).turn_up]


# The pack.


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ruleset_names())
def test_every_card_lies_in_one_place(name: str, policy: str) -> None:
    rules, pack = load_ruleset(name), pack_mask(load_ruleset(name))
    for deal in deals_of(name, policy, 60):
        first_hands, turned = deal.first_hands or (), mask_of(deal.turn_up or ())
        assert {hand.bit_count() for hand in first_hands} == {first_hand_size(rules)}
        assert (sum(first_hands) & turned, (sum(first_hands) | turned) & ~pack) == (0, 0)
        if deal.end == "passed":
            continue
        hands = deal.hands or ()
        assert {hand.bit_count() for hand in hands} == {hand_size(rules)}
        together = 0
        for hand in hands:
            assert together & hand == 0
            together |= hand
        assert together & ~pack == 0
        assert mask_of(deal.plays) == together
        assert len(deal.plays) == hand_size(rules) * rules.players


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", TURN_UPS)
def test_the_turned_up_card_goes_to_its_receiver_or_stays_on_the_table(name: str, policy: str) -> None:
    rules, seen = load_ruleset(name), 0
    for deal in deals_of(name, policy):
        assert deal.turn_up is not None
        if deal.hands is None:
            continue
        holders = [seat for seat, hand in enumerate(deal.hands) if hand >> deal.turn_up[0] & 1]
        if rules.turn_up_to:
            ordered = [call for call in deal.auction or () if call != PASS]
            taker = deal.claimed.declarer if ordered else deal.dealer
            assert holders == [((taker or 0) + (2 if 11 in ordered else 0)) % 4]
        elif deal.exchange is not None:
            assert holders == [deal.exchange]
        else:
            assert holders == []
        seen += 1
    assert seen > 60


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["belot-1001-2p", "belot-1001-3p"])
def test_a_second_card_of_another_suit_is_turned_up_after_a_round_of_passes(name: str, policy: str) -> None:
    rules, seconds = load_ruleset(name), 0
    for deal in deals_of(name, policy, 250):
        turned, calls = deal.turn_up or (), deal.auction or ()
        has_second_round = set(calls[: rules.players]) == {PASS}
        assert len(turned) == 1 + has_second_round
        if has_second_round:
            seconds += 1
            assert turned[0] >> 3 != turned[1] >> 3
            assert set(calls[rules.players :]) <= {PASS, turned[1] >> 3}
        assert not mask_of(deal.plays) & mask_of(turned)
    assert seconds > 15


def test_cards_of_the_first_ones_suit_go_under_the_stock() -> None:
    dealt = turn_another(Dealt((), (), (0,), (1, 2, 9, 10)))
    assert (dealt.turn_up, dealt.stock) == ((0, 9), (10, 1, 2))
    only_clubs = Dealt((), (), (0,), (1, 2, 3))
    assert turn_another(only_clubs) == only_clubs


def test_without_another_suit_in_the_stock_the_second_round_is_passed() -> None:
    """Ten cards a player of a pack with four suits of six: the stock of six may be one suit."""
    from belot_stats.simulator.auctioning import START, Party, hold_auction
    from belot_stats.simulator.policies import find_policies

    rules = load_ruleset("belot-1001-2p")
    dealt = Dealt((mask_of(range(8, 14)), mask_of(range(16, 22))), (), (0,), (1, 2, 3, 4, 5, 6))
    called = hold_auction(
        Party(rules, find_policies(SecondRound(), 2)), (Stream(1), Stream(2)), dealt, 0, START
    )
    assert called.calls == (PASS,) * 4
    assert called.dealt.turn_up == (0,)


class SecondRound(Passer):
    """Passes once and takes what it may then."""

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return PASS if view.auction.round == 1 else next(cards_in(view.legal_calls))


def test_the_second_card_is_not_known_before_it_is_turned() -> None:
    class Looker(Passer):
        def choose_call(self, view: CallView, stream: Stream) -> int:
            looked.append((view.auction.round, len(view.turn_up), view.auction.second_suit))
            return PASS

    looked: list[tuple[int, int, int]] = []
    list(simulate_deals(load_ruleset("belot-1001-3p"), Looker(), 1, 1, 20))
    assert {(a, b, c >= 0) for a, b, c in looked} == {(1, 1, False), (2, 2, True)}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_seven_is_exchanged_only_for_the_first_trump(policy: str) -> None:
    exchanged = could = 0
    for deal in deals_of("belot-ru-3p", policy, 400):
        turned = (deal.turn_up or ())[0]
        seven = (turned & 24) + SEVEN
        is_first_trump = deal.hands is not None and deal.claimed.contract == turned >> 3
        assert deal.exchange is None or is_first_trump
        if not is_first_trump or turned == seven:
            continue
        if deal.exchange is not None:
            exchanged += 1
            assert not (deal.hands or ())[deal.exchange] >> seven & 1
            assert seven not in deal.plays
        else:
            could += any(hand >> seven & 1 for hand in deal.hands or ())
    assert exchanged > 30
    assert could == 0 if policy == "sensible" else could > 30


def test_a_policy_without_an_opinion_exchanges_and_one_with_it_is_asked() -> None:
    class Keeper(Bidder):
        def choose_exchange(self, view: CardView, stream: Stream) -> bool:
            assert view.turn_up_seat == -1
            assert not view.unseen_mask >> view.turn_up[0] & 1
            return False

    def exchanges(contract: str, policy: type[Bidder]) -> list[int | None]:
        class Taker(policy):  # type: ignore[valid-type,misc]
            def choose_call(self, view: CallView, stream: Stream) -> int:
                return view.auction.first_suit

        return [deal.exchange for deal in deals_of("belot-ru-3p", Taker(), 60)]

    assert any(seat is not None for seat in exchanges("H", Bidder))
    assert set(exchanges("H", Keeper)) == {None}


class Watcher(RandomPolicy):
    """Looks whether the cards it is said not to have seen are hidden from it."""

    name = "watcher"

    def __init__(self) -> None:
        self.views: list[CardView] = []

    def choose_card(self, view: CardView, stream: Stream) -> int:
        self.views.append(view)
        return super().choose_card(view, stream)


@pytest.mark.parametrize("name", ruleset_names())
def test_unseen_cards_are_all_but_the_own_the_played_and_the_open_ones(name: str) -> None:
    for number in range(1, 16):
        watcher = Watcher()
        [deal] = simulate_deals(load_ruleset(name), watcher, 3, number, 1)
        hands = deal.hands or ()
        for view in watcher.views:
            played = mask_of(view.plays)
            assert view.hand_mask == hands[view.seat] & ~played or deal.exchange == view.seat
            on_table = mask_of(view.turn_up) if view.turn_up_seat < 0 else 0
            if deal.exchange is not None and view.turn_up_seat == deal.exchange:
                on_table = 1 << (view.turn_up[0] & 24) + SEVEN
            assert view.unseen_mask == pack_mask(view.rules) & ~(view.hand_mask | played | on_table)
            assert view.legal_mask & ~view.hand_mask == 0


# Cut and gathered.


def test_a_cut_leaves_cards_on_both_sides() -> None:
    pack = list(range(24))
    places = {cut_pack(pack, Stream(1, number))[0] for number in range(2_000)}
    assert places == set(range(LEAST_CUT, 24 - LEAST_CUT + 1))
    assert sorted(cut_pack(pack, Stream(1))) == pack


def test_tricks_are_gathered_side_after_side_with_the_rest_under_them() -> None:
    rules = load_ruleset("bela-2p")
    pack = [2, 3, 4, 5, 6, 7, 10, 11]
    assert gather_pack(rules, pack, (10, 3, 4, 2), (1, 0)) == [4, 2, 10, 3, 5, 6, 7, 11]
    assert gather_pack(rules, pack, (), ()) == pack


def test_a_cut_pack_is_the_gathered_one() -> None:
    """Each deal of a match, dealt again from the tricks of the deal before."""
    rules = load_ruleset("belot-world", {"cut_only": True})
    for match in matches_of(rules, "sensible", 3):
        for before, after in pairwise(match):
            if before.end == "passed":
                continue
            gathered = gather_pack(rules, list(before.plays), before.plays, before.claimed.tricks or ())
            cuts = [gathered[place:] + gathered[:place] for place in range(LEAST_CUT, 30)]
            assert after.first_hands in [deal_pack(rules, cut, after.dealer).first_hands for cut in cuts]


def test_shuffled_deals_do_not_depend_on_the_deals_before() -> None:
    rules = load_ruleset("belot-world")
    one, other = (list(simulate_matches(rules, policy, 1, 1, 1)) for policy in POLICIES)
    same = [(a, b) for a, b in zip(one, other, strict=False) if a.dealer == b.dealer]
    assert len(same) > 2
    assert all(a.first_hands == b.first_hands for a, b in same)

"""Who announces what on lead, how deals and matches end, and what the match lets a side double."""

from __future__ import annotations

import msgspec
import pytest

from belot_stats.cards import NO_TRUMPS, PASS, cards_in, mask_of
from belot_stats.checker import check_deal
from belot_stats.deal import Deal
from belot_stats.errors import UsageError
from belot_stats.rules.table import side_count
from belot_stats.ruleset import RuleSet, load_ruleset
from belot_stats.simulator import CallView, simulate_matches
from belot_stats.simulator.policies import RandomPolicy
from belot_stats.simulator.sensible import SensiblePolicy
from belot_stats.simulator.streams import Stream
from tests.simulate.helpers import Passer, checked, deals_of, matches_of

POLICIES = ("random", "sensible")


def test_on_lead_a_player_announces_what_he_still_holds() -> None:
    late = 0
    for deal in deals_of("belot-1001-3p", "random", 400):
        leaders = [(deal.dealer + 1) % 3, *(deal.claimed.tricks or ())]
        for item in deal.declarations:
            assert item.at is not None
            assert item.at % 3 == 0
            assert leaders.index(item.seat) == item.at // 3
            assert not (item.cards or 0) & mask_of(deal.plays[: item.at])
            late += item.at > 0
    assert late > 20


# Ends.


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["belot-ru-3p", "belot-1001-2p", "belot-1001-3p"])
def test_out_is_declared_after_the_first_trick_that_is_enough(name: str, policy: str) -> None:
    """The checker's count, which is not the simulator's, of the deal so far and of the same deal a trick before."""
    rules, found = load_ruleset(name), 0
    for match in matches_of(rules, policy, 25):
        last = match[-1]
        assert all(deal.end != "declared_out" for deal in match[:-1])
        if last.end != "declared_out":
            continue
        found += 1
        assert last.ended_by is not None
        seat = last.ended_by.seat or 0
        assert last.ended_by.at == len(last.plays)
        assert last.claimed.winner == seat == (last.claimed.tricks or ())[-1]
        assert (last.claimed.points, last.claimed.score, last.claimed.total) == (None, None, None)
        before = match[-2].claimed.total or (0,) * side_count(rules)
        for tricks in range(1, len(last.plays) // rules.players + 1):
            winner, points = counted_so_far(last, tricks, rules)
            is_enough = before[winner] + points >= rules.target
            assert is_enough == (tricks == len(last.plays) // rules.players)
    assert found > 5


def counted_so_far(deal: Deal, tricks: int, rules: RuleSet) -> tuple[int, int]:
    """Winner of trick number *tricks*, and what he has after it."""
    at, winners = tricks * rules.players, (deal.claimed.tricks or ())[:tricks]
    cut = msgspec.structs.replace(
        deal,
        plays=deal.plays[:at],
        declarations=tuple(item for item in deal.declarations if (item.at or 0) < at),
        belotes=tuple(item for item in deal.belotes if (item.at or 0) < at),
        ended_by=msgspec.structs.replace(deal.ended_by, seat=winners[-1], at=at),
        claimed=msgspec.structs.replace(deal.claimed, tricks=winners),
    )
    computed = check_deal(cut, rules).computed
    assert computed.outcome == "declared_out"
    return winners[-1], computed.points[winners[-1]]


def test_a_single_deal_is_played_to_its_end() -> None:
    """A deal alone is no match: nobody declares out in it, low as the target may be."""
    assert {deal.end for deal in deals_of("belot-ru-3p", "sensible", 60, target=10)} <= {"played", "passed"}
    ends = {
        match[-1].end for match in matches_of(load_ruleset("belot-ru-3p", {"target": 10}), "sensible", 20)
    }
    assert ends == {"declared_out"}


def test_deals_that_all_passed_are_played_against_their_takers() -> None:
    deals = [*deals_of("belot-ru-pairs", AllPass(), 400), *deals_of("belot-ru-pairs", RandomAllPass(), 400)]
    assert [item.findings for item in checked(deals, load_ruleset("belot-ru-pairs")) if item.findings] == []
    assert any(deal.claimed.capot is not None for deal in deals)
    for deal in deals:
        assert deal.auction == (PASS,) * 8
        assert deal.end == "played"
        assert deal.claimed.contract == (deal.turn_up or ())[0] >> 3
        assert (deal.claimed.declarer, deal.claimed.made, deal.claimed.level) == (None, None, 1)
        assert all(points <= 0 for points in deal.claimed.score or ())
        assert sum(deal.claimed.score or ()) <= -162


class AllPass(SensiblePolicy):
    """Plays sensibly and never calls."""

    name = "all-pass"

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return PASS


class RandomAllPass(RandomPolicy):
    """Plays at random and never calls."""

    name = "random-all-pass"

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return PASS


@pytest.mark.parametrize("sensible_side", [0, 1])
def test_sensible_players_avoid_points_where_all_passed(sensible_side: int) -> None:
    names = [f"tests.simulate.test_ends:{cls}" for cls in ("AllPass", "RandomAllPass")]
    deals = deals_of("belot-ru-pairs", ",".join(names if sensible_side == 0 else names[::-1]), 300)
    leads = [
        (deal.claimed.score or ())[sensible_side] - (deal.claimed.score or ())[1 - sensible_side]
        for deal in deals
    ]
    assert sum(leads) / len(leads) > 15


def test_a_match_of_passed_deals_is_given_up_where_they_are_played_too() -> None:
    with pytest.raises(UsageError, match="1000 deals in a row were passed out"):
        list(simulate_matches(load_ruleset("belot-ru-pairs"), RandomAllPass(), 1, 1, 1))


# Doubling.


def test_at_sun_only_a_side_within_the_limit_doubles_one_beyond_it() -> None:
    doubled = 0
    rules = load_ruleset("baloot")
    for match in matches_of(rules, "random", 150):
        totals = (0, 0)
        for deal in match:
            if deal.claimed.contract == NO_TRUMPS and deal.claimed.level != 1:
                side = (deal.claimed.declarer or 0) % 2
                assert totals[1 - side] <= rules.no_trumps_double_limit < totals[side]
                doubled += 1
            totals = deal.claimed.total or totals
    assert doubled >= 3


def test_single_deals_have_no_doubled_sun() -> None:
    """Nobody is beyond the limit before the first deal."""
    levels = {
        deal.claimed.level for deal in deals_of("baloot", "random", 400) if deal.claimed.contract == NO_TRUMPS
    }
    assert levels == {1}


@pytest.mark.parametrize(("name", "options"), [("baloot", {}), ("belot-bg", {"multipliers": [2, 0]})])
def test_the_whole_match_at_stake_ends_it(name: str, options: dict[str, object]) -> None:
    rules, ended = load_ruleset(name, options), 0
    for match in matches_of(rules, "random", 150):
        for deal in match:
            if deal.claimed.level == 0 and deal.claimed.made is not None:
                ended += 1
                side = (deal.claimed.declarer or 0) % 2
                winner = side if deal.claimed.made else 1 - side
                assert deal is match[-1]
                assert (deal.claimed.score or ())[winner] >= rules.target
                assert deal.claimed.winner == winner
    assert ended >= 3


def test_a_closed_lead_is_no_trump_while_another_suit_is_held() -> None:
    closed = 0
    for deal in deals_of("baloot", "random", 500):
        calls = [call for call in deal.auction or () if 7 <= call <= 13 and call != 11]
        if not calls or calls[-1] not in (12, 13):
            continue
        hands, trumps = list(deal.hands or ()), 0xFF << 8 * (deal.claimed.contract or 0)
        leaders = [(deal.dealer + 1) % 4, *(deal.claimed.tricks or ())]
        for place, card in enumerate(deal.plays):
            seat = (leaders[place // 4] + place % 4) % 4
            if place % 4 == 0 and trumps >> card & 1:
                assert hands[seat] & ~trumps == 0
            hands[seat] &= ~(1 << card)
            closed += 1
    assert closed > 20


class Reluctant(Passer):
    """Passes where it may."""

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return PASS if view.legal_calls >> PASS & 1 else next(cards_in(view.legal_calls))


def test_a_forced_dealer_never_lets_a_deal_be_passed_out() -> None:
    for name in ("belot-bg", "belote-fr", "bela-3p", "baloot"):
        deals = deals_of(name, Reluctant(), 30, forced_dealer=True)
        assert all(deal.end == "passed" for deal in deals_of(name, Passer(), 5))
        assert {(deal.end, deal.claimed.declarer == deal.dealer) for deal in deals} == {("played", True)}

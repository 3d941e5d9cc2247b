"""Small policies and checks that several test files use."""

from __future__ import annotations

from collections.abc import Iterable

from belot_stats.cards import NO_CONTRACT, PASS, parse_contract, parse_hand
from belot_stats.checker import Checked, check_deal
from belot_stats.deal import Deal
from belot_stats.match_records import MatchDeal
from belot_stats.ruleset import RuleSet, load_ruleset
from belot_stats.simulator import CallView, CardView, find_policies, simulate_deals, simulate_matches
from belot_stats.simulator.dealing import Dealt
from belot_stats.simulator.playing import START, Party, Played, play_deal
from belot_stats.simulator.policies import PolicyChoice
from belot_stats.simulator.streams import Stream


class Bidder:
    """Bids *contract* when nobody has bid, and passes after that; plays its lowest legal card."""

    name = "bidder"

    def __init__(self, contract: str = "H") -> None:
        self.contract = parse_contract(contract)

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return self.contract if view.auction.contract == NO_CONTRACT else PASS

    def choose_card(self, view: CardView, stream: Stream) -> int:
        return (view.legal_mask & -view.legal_mask).bit_length() - 1


class Passer(Bidder):
    """Never bids."""

    name = "passer"

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return PASS


class WrongCall(Bidder):
    """Doubles when there is nothing to double."""

    name = "wrong-call"

    def choose_call(self, view: CallView, stream: Stream) -> int:
        return 7


class WrongCard(Bidder):
    """Plays cards that it does not hold."""

    name = "wrong-card"

    def choose_card(self, view: CardView, stream: Stream) -> int:
        return (view.unseen_mask & -view.unseen_mask).bit_length() - 1


class Broken(Bidder):
    """Fails."""

    name = "broken"

    def choose_card(self, view: CardView, stream: Stream) -> int:
        return 1 // 0


def hands_of(*texts: str) -> tuple[int, ...]:
    return tuple(parse_hand(text) for text in texts)


def play(rules: RuleSet, policy: object, hands: tuple[int, ...], dealer: int = 3) -> Played:
    """The deal of these hands; the auction is held with them too."""
    policies = find_policies(policy, rules.players)  # type: ignore[arg-type]
    streams = tuple(Stream(1, seat) for seat in range(rules.players))
    return play_deal(Party(rules, policies), streams, Dealt(hands, hands), dealer, START)


def checked(deals: Iterable[Deal], rules: RuleSet) -> list[Checked]:
    return [check_deal(deal, rules) for deal in deals]


def match_deal(item: Checked, line: int) -> MatchDeal:
    """What the match pass takes of a checked deal."""
    deal, computed = item.deal, item.computed
    values = {
        name: getattr(source, name)
        for source in (deal, computed)
        for name in MatchDeal.__struct_fields__
        if name in source.__struct_fields__
    }
    claims = {
        f"claimed_{name}": getattr(deal.claimed, name)
        for name in ("made", "score", "hanging", "total", "winner")
    }
    return MatchDeal(**values | claims | {"line": line, "rules": item.rules})


def deals_of(name: str, policy: PolicyChoice, count: int = 150, **options: object) -> list[Deal]:
    """Single deals of a preset with these options."""
    return list(simulate_deals(load_ruleset(name, options), policy, 12, 1, count))


def matches_of(rules: RuleSet, policy: PolicyChoice, count: int, seed: int = 5) -> list[list[Deal]]:
    """Whole matches, a list of deals each."""
    return [list(simulate_matches(rules, policy, seed, number, 1)) for number in range(1, count + 1)]

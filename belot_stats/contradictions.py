"""Which parameters of a rule set cannot stand together; each function yields sentences for a user."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, NO_TRUMPS

if TYPE_CHECKING:
    from belot_stats.ruleset import RuleValues


def contradictions(rules: RuleValues) -> Iterator[str]:
    """Sentences about parameters of *rules* that cannot stand together."""
    return chain(
        _table(rules), _auction(rules), _sides(rules), _rounding(rules), _capot(rules), _match(rules)
    )


def _cards_a_seat(rules: RuleValues) -> int:
    return sum(map(int, str(rules.first_packets))) + sum(map(int, str(rules.second_packets)))


def _pack_size(rules: RuleValues) -> int:
    return 24 if rules.lowest_rank else 32


def _table(rules: RuleValues) -> Iterator[str]:
    dealt, pack = _cards_a_seat(rules) * rules.players, _pack_size(rules)
    beside = rules.turn_up if rules.turn_up_to == p.TO_NOBODY else max(rules.turn_up - 1, 0)
    if rules.partners and rules.players != 4:
        yield "partners = true needs players = 4"
    if not rules.partners and rules.players == 4:
        yield "four players without partners are not supported: set partners = true"
    if dealt + beside > pack:
        yield (
            f"{rules.players} players cannot be dealt {_cards_a_seat(rules)} cards each of a pack of {pack}"
            + (f" with {beside} turned up that nobody takes" if beside else "")
        )
    if rules.turn_up == p.TURN_UP_NONE and rules.turn_up_to != p.TO_NOBODY:
        yield 'turn_up_to needs a turned-up card: turn_up = "one"'
    if rules.turn_up_to == p.TO_TAKER_OR_PARTNER and not rules.partners:
        yield 'turn_up_to = "taker_or_partner" needs partners = true'
    if rules.seven_exchange and (
        rules.turn_up == p.TURN_UP_NONE or rules.turn_up_to != p.TO_NOBODY or rules.lowest_rank
    ):
        yield (
            'seven_exchange needs a pack with sevens and a turn-up that stays on the table: turn_up = "one", '
            'turn_up_to = "nobody", lowest_rank = "7"'
        )


def _auction(rules: RuleValues) -> Iterator[str]:
    takes_turn_up = rules.bidding in (p.BIDDING_TURN_UP, p.BIDDING_FLOOR_CARD)
    if takes_turn_up and rules.turn_up == p.TURN_UP_NONE:
        yield 'this bidding needs a turned-up card: turn_up = "one"'
    if takes_turn_up and max(rules.contracts[:4]) < 0:
        yield "this bidding needs a suit among contracts: the turned-up suit is what is taken or passed"
    if rules.bidding == p.BIDDING_AUCTION and (rules.turn_up or rules.round_two):
        yield 'bidding = "auction" has no turn-up and no second round: turn_up = "none", round_two = "none"'
    if (rules.round_two == p.ROUND_TWO_SECOND_TURN_UP) != (rules.turn_up == p.TURN_UP_TWO):
        yield 'round_two = "second_turn_up" and turn_up = "two" go together'
    if rules.all_pass == p.ALL_PASS_PLAY and rules.bidding != p.BIDDING_TURN_UP:
        yield 'all_pass = "play" needs bidding = "turn_up": the deal is played in the turned-up suit'
    if rules.all_pass == p.ALL_PASS_PLAY and rules.rounding != p.ROUND_NONE:
        yield 'all_pass = "play" needs rounding = "none": every raw point counts against its taker'
    if rules.all_pass == p.ALL_PASS_PLAY and rules.turn_up_to in (p.TO_TAKER, p.TO_TAKER_OR_PARTNER):
        yield (
            'all_pass = "play" needs turn_up_to = "taker_or_dealer" or "nobody": where all passed there is no taker'
        )
    if rules.bidding == p.BIDDING_FLOOR_CARD and rules.contracts[ALL_TRUMPS] >= 0:
        yield 'bidding = "floor_card" has no all-trumps contract: take "A" out of contracts'
    if rules.bidding == p.BIDDING_FLOOR_CARD and (rules.contracts[NO_TRUMPS] < 0 or not rules.partners):
        yield 'bidding = "floor_card" needs the contract "N" (Sun) and partners = true'
    if rules.ashkal and (rules.bidding != p.BIDDING_FLOOR_CARD or rules.turn_up_to != p.TO_TAKER_OR_PARTNER):
        yield 'ashkal needs bidding = "floor_card" and turn_up_to = "taker_or_partner"'
    if rules.forced_dealer and rules.all_pass == p.ALL_PASS_PLAY:
        yield 'forced_dealer and all_pass = "play" exclude each other: with a forced dealer never all pass'


def _sides(rules: RuleValues) -> Iterator[str]:
    sides = 2 if rules.partners else rules.players
    if sides != 3:
        return
    if rules.made != p.MADE_MORE_THAN_EACH:
        yield 'three sides (players = 3) need made = "more_than_each"'
    if rules.failed != p.OWN_POINTS_SPLIT:
        yield 'three sides need failed = "own_points_split": no single side can write everything'
    if rules.rounding not in (p.ROUND_NONE, p.ROUND_EACH_ALONE):
        yield 'three sides need rounding = "each_alone" or "none"'
    if p.TIE_KEEPS in (rules.exact_tie, rules.exact_tie_no_trumps):
        yield 'three sides need exact_tie and exact_tie_no_trumps = "hangs" or "fails"'


def _rounding(rules: RuleValues) -> Iterator[str]:
    dealt, pack = _cards_a_seat(rules) * rules.players, _pack_size(rules)
    if rules.rounding == p.ROUND_SHARED_TENS and dealt != pack:
        yield f'rounding = "shared_tens" needs the whole pack dealt: {pack} cards, not {dealt}'
    if rules.rounding == p.ROUND_SHARED_TENS and not _works_in_tens(rules):
        yield 'rounding = "shared_tens" needs last_trick_points and a raw capot that are whole tens'
    if rules.rounding == p.ROUND_NEAREST_TEN and dealt != pack:
        yield f'rounding = "nearest_ten" needs the whole pack dealt: {pack} cards, not {dealt}'
    if rules.scaled_total and (rules.rounding == p.ROUND_BALOOT or dealt != pack):
        yield "scaled_total needs the whole pack dealt, and no Baloot: scaled_total = 0"
    if rules.scaled_total and rules.contracts[NO_TRUMPS] >= 0 and rules.no_trumps_factor != 1:
        yield "scaled_total brings no trumps to a total of its own: no_trumps_factor = 1"
    if rules.rounding == p.ROUND_BALOOT and rules.contracts[ALL_TRUMPS] >= 0:
        yield 'rounding = "baloot" has no all-trumps contract: take "A" out of contracts'
    if rules.rounding == p.ROUND_BALOOT and dealt != pack:
        yield f'rounding = "baloot" needs the whole pack dealt: {pack} cards, not {dealt}'


def _works_in_tens(rules: RuleValues) -> bool:
    capot_is_tens = rules.capot not in (p.CAPOT_RAW, p.CAPOT_PLAYERS) or (
        rules.capot_points % 10 == 0 and rules.double_capot_points % 10 == 0
    )
    return rules.last_trick_points % 10 == 0 and capot_is_tens


def _capot(rules: RuleValues) -> Iterator[str]:
    if (rules.capot == p.CAPOT_FIXED) != (rules.rounding == p.ROUND_BALOOT):
        yield 'capot = "fixed" and rounding = "baloot" go together'
    if rules.capot == p.CAPOT_RAW and rules.capot_when_doubled == p.CAPOT_BONUS_FIXED:
        yield 'a raw capot is multiplied with the rest: capot_when_doubled = "multiplied" or "deal_not_doubled"'
    if rules.kirtik and rules.rounding == p.ROUND_BALOOT:
        yield 'rounding = "baloot" knows no kirtik: kirtik = 0'


def _match(rules: RuleValues) -> Iterator[str]:
    if rules.next_dealer == p.DEALS_TOP_SCORER and rules.partners:
        yield 'next_dealer = "top_scorer" needs players without partners: a side is no seat'
    if rules.declare_out and (rules.rounding != p.ROUND_NONE or rules.partners):
        yield 'declare_out needs rounding = "none" and players without partners: raw points are counted in mid-deal'
    if rules.hung_policy == p.HUNG_ONE_BY_ONE and rules.no_exit_while_hanging:
        yield 'no_exit_while_hanging needs hung_policy = "sum"'

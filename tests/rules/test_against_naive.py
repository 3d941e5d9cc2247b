"""The rules engine against the slow one, on random rule sets: cards, calls, announcements.

Each drawn rule set is tried in a number of situations made from a drawn seed. Where RULES.md leaves a corner open, the
situation is passed over and the comment says why.
"""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from belot_stats import api
from belot_stats.cards import (
    CALL_NAMES,
    CARD_NAMES,
    CONTRACT_NAMES,
    NO_CARD,
    NO_SEAT,
    NO_SUIT,
    cards_in,
    format_hand,
    parse_call,
    parse_card,
    parse_cards,
    parse_contract,
    parse_hand,
)
from belot_stats.checks.auction import check_auction
from belot_stats.checks.collect import Findings
from belot_stats.checks.play import CODES as PLAY_CODES
from belot_stats.checks.play import trick_winner
from belot_stats.deal import Deal
from belot_stats.parameters import ALL_PASS_PLAY
from belot_stats.rules import bidding, declarations, play, turn_up
from belot_stats.rules.table import side_count, side_of
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import naive, naive_baloot, naive_deal, strategies
from tests.strategies import SEEDS, Position

HURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def examples(count: int) -> Callable:
    """Settings of a test: this many rule sets."""
    return settings(HURRIED, max_examples=count)


# --- The cards of a trick --------------------------------------------------------------------


def context_of(rules: RuleSet, spot: Position) -> tuple[int, int, bool, int]:
    """Led suit, best card, whether the partner holds the trick, and its size, as the fast engine takes them."""
    if not spot.trick:
        return NO_SUIT, NO_CARD, False, 0
    contract = parse_contract(spot.contract)
    cards = parse_cards(card for _, card in spot.trick)
    winner = trick_winner(contract, spot.trick[0][0], cards, rules.players)
    best = next(parse_card(card) for seat, card in spot.trick if seat == winner)
    return cards[0] >> 3, best, side_of(rules, winner) == side_of(rules, spot.seat), len(cards)


@examples(400)
@given(strategies.rule_sets(), SEEDS)
def test_legal_cards(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(12):
        spot = strategies.position(rules, rng)
        mask = play.legal_mask(
            rules, parse_contract(spot.contract), parse_hand(spot.hand), *context_of(rules, spot)
        )
        expected = naive.legal_cards(names, spot.contract, spot.hand, spot.trick, spot.seat)
        assert [CARD_NAMES[card] for card in cards_in(mask)] == expected, spot


@examples(400)
@given(strategies.rule_sets(), SEEDS)
def test_codes_of_forbidden_cards(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(8):
        spot = strategies.position(rules, rng)
        contract, hand = parse_contract(spot.contract), parse_hand(spot.hand)
        found = {}
        for card in spot.hand:
            problem = play.card_problem(rules, contract, hand, parse_card(card), *context_of(rules, spot))
            if problem != play.CARD_IS_LEGAL:
                found[card] = PLAY_CODES[problem]
        expected = naive.forbidden(names, spot.contract, spot.hand, spot.trick, spot.seat)
        if not rules.must_overruff:
            # Both names are true of a plain card thrown where no trump is high enough.
            found = {card: "must-ruff" if code == "must-undertrump" else code for card, code in found.items()}
        assert found == expected, spot


@examples(60)
@given(strategies.rule_sets(), SEEDS)
def test_card_not_in_hand_comes_before_all_else(rules, seed):
    spot = strategies.position(rules, random.Random(seed))
    hand = parse_hand(spot.hand)
    for card in range(32):
        problem = play.card_problem(
            rules, parse_contract(spot.contract), hand, card, *context_of(rules, spot)
        )
        assert (problem == play.CARD_NOT_IN_HAND) == (not hand >> card & 1)


@examples(150)
@given(strategies.rule_sets(), SEEDS)
def test_trick_winner_and_card_points(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(12):
        contract, leader = strategies.contract_of(rng), rng.randrange(rules.players)
        cards = [hand[0] for hand in strategies.deal_hands(rules, rng, 1)]
        trick = [((leader + place) % rules.players, card) for place, card in enumerate(cards)]
        code = parse_contract(contract)
        won = trick_winner(code, leader, parse_cards(cards), rules.players)
        assert won == naive.trick_winner(names, contract, trick), (contract, trick)
        points = sum(play.card_points(code, card) for card in parse_cards(cards))
        assert points == naive.trick_points(names, contract, cards), (contract, cards)


# --- Auctions --------------------------------------------------------------------------------


@examples(250)
@given(strategies.rule_sets(), SEEDS)
def test_auctions_of_legal_and_illegal_calls(rules, seed):
    """Legal calls after each call, and where the auction stands."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(3):
        dealer, turned = rng.randrange(rules.players), strategies.turned_up(rules, rng)
        calls = strategies.call_string(rules, rng, rng.choice((0.5, 0.9, 1.0)), turned)
        state = bidding.start_auction(rules, dealer, *map(parse_card, turned))
        for count in range(len(calls) + 1):
            mask = bidding.legal_call_mask(rules, state)
            legal = naive.legal_calls(names, calls[:count], dealer, turned)
            assert {CALL_NAMES[call] for call in cards_in(mask)} == set(legal), (turned, calls[:count])
            if count == len(calls):
                break
            call = parse_call(calls[count])
            if bidding.call_problem(rules, state, call) == bidding.CALL_IS_LEGAL:
                state = bidding.after_call(rules, state, call)
            elif not state.is_over:
                state = bidding.after_illegal_call(rules, state)
        assert standing(rules, state) == naive.auction_result(names, calls, dealer, turned), (turned, calls)


def standing(rules: RuleSet, state: bidding.Auction) -> dict:
    """Where an auction stands, as the slow engine says it."""
    has_contract = state.contract >= 0
    return {
        "open": not state.is_over,
        "passed": bool(state.is_over) and not has_contract,
        "contract": CONTRACT_NAMES[state.contract] if has_contract else None,
        "declarer": state.declarer_seat if has_contract else None,
        "level": bidding.level_of(rules, state.doubles),
    }


@examples(200)
@given(strategies.rule_sets(), SEEDS)
def test_checked_auctions(rules, seed):
    """The checker's contract, declarer and level; as many findings as calls the slow engine does not have."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    dealer, turned = rng.randrange(rules.players), strategies.turned_up(rules, rng)
    calls = strategies.call_string(rules, rng, rng.choice((0.5, 0.9, 1.0)), turned)
    deal = Deal(
        source="s",
        match="m",
        deal=1,
        rules=rules.name,
        dealer=dealer,
        turn_up=tuple(map(parse_card, turned)) or None,
        auction=tuple(map(parse_call, calls)),
        end="abandoned",
    )
    findings = Findings(rules)
    got = check_auction(deal, rules, findings)
    expected = naive.auction_result(names, calls, dealer, turned)
    is_played = expected["passed"] and rules.all_pass == ALL_PASS_PLAY
    contract = naive_deal.all_pass_contract(names, turned) if is_played else expected["contract"]
    assert (got.contract, got.declarer_seat, got.level, got.is_all_pass, got.is_passed) == (
        CONTRACT_NAMES.index(contract) if contract else -1,
        NO_SEAT if expected["declarer"] is None else expected["declarer"],
        expected["level"],
        is_played,
        expected["passed"] and not is_played,
    )
    illegal = [
        index
        for index in range(len(calls))
        if calls[index] not in naive.legal_calls(names, calls[:index], dealer, turned)
    ]
    assert [item.call_index for item in findings.items] == illegal, calls


@examples(250)
@given(strategies.floor_card_rules(), SEEDS)
def test_floor_card_bidding(rules, seed):
    """Baloot's two rounds, Ashkal, Sun over a suit, confirmation, open and closed doubling (BALOOT.md 1b)."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(6):
        dealer, floor = rng.randrange(4), rng.choice(("9C", "AC", "KS", "AD"))
        state, calls = bidding.start_auction(rules, dealer, parse_card(floor)), []
        while legal := naive_baloot.legal_calls(names, calls, dealer, floor):
            mask = bidding.legal_call_mask(rules, state)
            assert {CALL_NAMES[call] for call in cards_in(mask)} == set(legal), (floor, dealer, calls)
            calls.append("P" if rng.random() < 0.4 else rng.choice(legal))
            state = bidding.after_call(rules, state, parse_call(calls[-1]))
        slow = naive_baloot.read_bidding(names, calls, dealer, floor)
        assert standing(rules, state) == {
            "open": False,
            "passed": slow["contract"] is None,
            "contract": slow["contract"],
            "declarer": slow["declarer"],
            "level": [1, *names["multipliers"]][slow["doubles"]],
        }
        assert (bool(state.is_ashkal), bool(state.is_closed)) == (slow["ashkal"], slow["is_closed"])
        receiver = naive_deal.turn_up_receiver(
            names, slow["contract"], slow["declarer"], dealer, slow["ashkal"]
        )
        assert turn_up.turn_up_receiver(rules, state) == (NO_SEAT if receiver is None else receiver)


@examples(60)
@given(strategies.rule_sets(), SEEDS)
def test_leads_of_a_closed_deal(rules, seed):
    rng = random.Random(seed)
    for contract in "CDHSN":
        for hand in strategies.deal_hands(rules, rng, rng.randint(1, 5)):
            for is_closed in (False, True):
                mask = play.lead_mask(parse_contract(contract), parse_hand(hand), is_closed)
                expected = naive.lead_cards(contract, hand, is_closed)
                assert [CARD_NAMES[card] for card in cards_in(mask)] == expected


# --- Announcements ---------------------------------------------------------------------------


def test_three_carres_in_one_hand():
    """Twelve cards or more can hold three carrés."""
    rules = load_ruleset(
        "belot-bg",
        strategies.table_values((2, False, "7", [8], [8]))
        | {"carre_points": {"9": 150, "8": 50, "7": 50}, "carre_order": ["9", "8", "7"]},
    )
    hand = parse_hand("7C 8C 9C 7D 8D 9D 7H 8H 9H 7S 8S 9S")
    best = declarations.best_combinations(rules, 2, hand)
    assert sorted(map(format_hand, best)) == ["7C 7D 7H 7S", "8C 8D 8H 8S", "9C 9D 9H 9S"]


@examples(200)
@given(strategies.rule_sets(), SEEDS)
def test_best_declarations(rules, seed):
    """The same combinations, in whatever order, wherever the contract has declarations."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(4):
        contract = strategies.contract_of(rng)
        code = parse_contract(contract)
        for hand in strategies.deal_hands(rules, rng):
            expected = naive.best_declarations(names, contract, hand)
            if not declarations.declarations_count(rules, code):
                assert expected == []
                continue
            best = declarations.best_combinations(rules, code, parse_hand(hand))
            assert sorted(map(format_hand, best)) == sorted(expected), (contract, hand)


@examples(250)
@given(strategies.rule_sets(), SEEDS)
def test_contest_of_declarations(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(6):
        contract, leader = strategies.contract_of(rng), rng.randrange(rules.players)
        declared = strategies.announcements(rules, rng, contract, strategies.deal_hands(rules, rng))
        items = [
            declarations.Announcement(seat, parse_hand(combination))
            for seat, combinations in declared.items()
            for combination in combinations
        ]
        rng.shuffle(items)  # the order in the record decides nothing
        code = parse_contract(contract)
        points = dict.fromkeys(range(side_count(rules)), 0)
        fates = declarations.settle_announcements(rules, code, items, leader)
        for item, fate in zip(items, fates, strict=True):
            if fate == declarations.COUNTED:
                points[side_of(rules, item.seat)] += declarations.combination_points(
                    rules, code, item.cards_mask
                )
        assert points == naive.score_declarations(names, contract, declared, leader), (
            contract,
            declared,
            leader,
        )


@pytest.mark.parametrize("ranks", ["J9ATKQ", "J9TKQ"])
def test_four_aces_at_no_trumps(ranks):
    """A311: an option of belot without declarations at no trumps; the four aces count 200, and nothing else counts."""
    rules = load_ruleset(
        "belot-bg",
        {
            "four_aces_no_trumps": 200,
            "carre_order": list(ranks),
            "carre_points": dict.fromkeys(ranks, 100),
        },
    )
    hand = "QC KC AC AD AH JS QS AS"
    assert api.best_declarations(rules, "N", hand) == ["AC AD AH AS"]
    assert api.score_declarations(rules, "N", {1: ["AC AD AH AS"]}, 0) == {0: 0, 1: 200}
    assert api.score_declarations(rules, "N", {0: ["TS JS QS"]}, 0) == {0: 0, 1: 0}

"""The rules engine against the slow one, on random rule sets: cards, calls, announcements, scores, matches.

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
from belot_stats.errors import RuleSetError
from belot_stats.rules import bidding, declarations, match, play, scoring
from belot_stats.rules.table import NO_SIDE, hand_size, side_count, side_of
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import naive, strategies
from tests.strategies import SEEDS, THREE_SIDED_TABLES, TWO_SIDED_TABLES, WHOLE_PACK_TABLES, Position

# Three sides are refused by load_ruleset until they can be settled; then this is True.
HAS_THREE_SIDES = False
ANY_TABLE = TWO_SIDED_TABLES + (THREE_SIDED_TABLES if HAS_THREE_SIDES else ())
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


def is_open_corner(rules: RuleSet, spot: Position) -> bool:
    """A duty to ruff whoever holds the trick, over a partner who ruffed higher, where nobody has to ruff lower.

    No system joins must_ruff = "always" with cannot_overruff = "free", and RULES.md does not say which of the two
    sentences goes first.
    """
    led, best, partner_holds, size = context_of(rules, spot)
    contract = parse_contract(spot.contract)
    if rules.must_ruff != 2 or rules.cannot_overruff != 0 or not size or contract > 3:
        return False
    trumps = parse_hand(spot.hand) & play.suit_mask(contract)
    over = trumps & play.stronger_trumps_mask(best)
    return led != contract and best >> 3 == contract and partner_holds and not over


@examples(400)
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_legal_cards(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(12):
        spot = strategies.position(rules, rng)
        if is_open_corner(rules, spot):
            continue
        mask = play.legal_mask(
            rules, parse_contract(spot.contract), parse_hand(spot.hand), *context_of(rules, spot)
        )
        expected = naive.legal_cards(names, spot.contract, spot.hand, spot.trick, spot.seat)
        assert [CARD_NAMES[card] for card in cards_in(mask)] == expected, spot


@examples(400)
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_codes_of_forbidden_cards(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(8):
        spot = strategies.position(rules, rng)
        if is_open_corner(rules, spot):
            continue
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
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_card_not_in_hand_comes_before_all_else(rules, seed):
    spot = strategies.position(rules, random.Random(seed))
    hand = parse_hand(spot.hand)
    for card in range(32):
        problem = play.card_problem(
            rules, parse_contract(spot.contract), hand, card, *context_of(rules, spot)
        )
        assert (problem == play.CARD_NOT_IN_HAND) == (not hand >> card & 1)


@examples(150)
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
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
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_auctions_of_legal_and_illegal_calls(rules, seed):
    """Legal calls after each call, and where the auction stands."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(3):
        dealer = rng.randrange(rules.players)
        calls = strategies.call_string(rules, rng, rng.choice((0.5, 0.9, 1.0)))
        state = bidding.start_auction(rules, dealer)
        for count in range(len(calls) + 1):
            mask = bidding.legal_call_mask(rules, state)
            legal = naive.legal_calls(names, calls[:count], dealer)
            assert {CALL_NAMES[call] for call in cards_in(mask)} == set(legal), calls[:count]
            if count == len(calls):
                break
            call = parse_call(calls[count])
            if bidding.call_problem(rules, state, call) == bidding.CALL_IS_LEGAL:
                state = bidding.after_call(rules, state, call)
            elif not state.is_over:
                state = bidding.after_illegal_call(rules, state)
        assert standing(rules, state) == naive.auction_result(names, calls, dealer), calls


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
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_checked_auctions(rules, seed):
    """The checker's contract, declarer and level; as many findings as calls the slow engine does not have."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    dealer = rng.randrange(rules.players)
    calls = strategies.call_string(rules, rng, rng.choice((0.5, 0.9, 1.0)))
    deal = Deal(
        source="s",
        match="m",
        deal=1,
        rules=rules.name,
        dealer=dealer,
        auction=tuple(map(parse_call, calls)),
        end="abandoned",
    )
    findings = Findings(rules)
    got = check_auction(deal, rules, findings)
    expected = naive.auction_result(names, calls, dealer)
    assert (got.contract, got.declarer_seat, got.level) == (
        CONTRACT_NAMES.index(expected["contract"]) if expected["contract"] else -1,
        -1 if expected["declarer"] is None else expected["declarer"],
        expected["level"],
    )
    illegal = [
        index
        for index in range(len(calls))
        if calls[index] not in naive.legal_calls(names, calls[:index], dealer)
    ]
    assert [item.call_index for item in findings.items] == illegal, calls


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
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
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
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
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


# --- Scores ----------------------------------------------------------------------------------


def raw_points_of(
    rules: RuleSet, rng: random.Random, contract: str
) -> tuple[tuple[int, int], int | None, tuple[int, int]]:
    """Raw points of two sides with a sum that a deal can have, the side of a capot, and their belotes.

    Close divisions come often. Side 0 or 1 takes every trick now and then, and then has all the card points.
    """
    cards = {"N": 120, "A": 248}.get(contract, 152) + rules.last_trick_points
    factor = rules.no_trumps_factor if contract == "N" else 1
    capot = rng.choice((None, None, None, 0, 1))
    if capot is None:
        share = rng.choice((rng.randint(0, cards), cards // 2 + rng.randint(-3, 3)))
    else:
        share = cards if capot == 0 else 0
    belotes = [rules.belote_points * rng.choice((0, 0, 1)) for _ in range(2)]
    bonuses = [strategies.bonus_points(rng) for _ in range(2)]
    own = [share, cards - share]
    total = [factor * (own[side] + bonuses[side] + belotes[side]) for side in range(2)]
    if capot is not None and rules.capot == 1:
        total[capot] += scoring.capot_bonus(rules, parse_contract(contract))
    if rng.random() < 0.15 and capot is None and sum(total) % 2 == 0:
        total = [sum(total) // 2] * 2
    return (total[0], total[1]), capot, (belotes[0], belotes[1])


@examples(500)
@given(strategies.rule_sets(), SEEDS)
def test_deal_scores(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    levels = [1, 1, *names["multipliers"]]
    for _ in range(12):
        contract = strategies.contract_of(rng)
        points, capot, belotes = raw_points_of(rules, rng, contract)
        declarer, level = rng.randrange(2), rng.choice(levels)
        hanging = rng.choice((0, 0, 8, 31))
        got = scoring.settle_deal(
            rules,
            parse_contract(contract),
            level,
            scoring.DealPoints((*points, 0), belotes=(*belotes, 0)),
            declarer,
            NO_SIDE if capot is None else capot,
            hanging,
        )
        expected = naive.score_deal(names, contract, level, points, declarer, capot, hanging, belote=belotes)
        made = {scoring.MADE: True, scoring.FAILED: False, scoring.HANGING: None}[got.result]
        assert ((got.score_0, got.score_1), got.hanging, made) == expected, (
            contract, level, points, declarer, capot, hanging, belotes,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("contract", "points", "expected"),
    [
        # side 0 bid, took no trick, and has more points by what it declared
        ("D", (262, 162), (26, 25, 0)),
        ("N", (260, 260), (0, 35, 26)),
    ],
)
def test_capot_in_game_points_goes_to_its_side(contract, points, expected):
    """A331: the premium is for who takes all the tricks, and the opponents keep their declarations."""
    rules = load_ruleset("belot-bg", {"capot": "game", "capot_points": 9})
    got = scoring.settle_deal(rules, parse_contract(contract), 1, scoring.DealPoints((*points, 0)), 0, 1, 0)
    assert (got.score_0, got.score_1, got.hanging) == expected


def loaded(table: tuple, **values: object) -> RuleSet | None:
    """A rule set, or None where ``load_ruleset`` finds a contradiction."""
    try:
        return load_ruleset("belot-bg", strategies.table_values(table) | values)
    except RuleSetError:
        return None


@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_three_sides_are_settled_or_refused(declarer):
    """However three sides share them, no point gets lost."""
    rules = loaded((3, False, "9", [3, 2], [3]), rounding="none")
    if rules is not None:
        points = (60, 70, 40)
        got = scoring.settle_deal(rules, 1, 1, scoring.DealPoints(points), declarer, NO_SIDE, 0)
        assert got.score_0 + got.score_1 + got.score_2 + got.hanging == sum(points)
        assert (got.result == scoring.MADE) == (declarer == 1)


def test_shared_tens_need_the_whole_pack():
    """With six cards out of play the points of a deal are no longer 2 more than tens; 90 is still 9."""
    rules = loaded((2, False, "9", [3, 3], [3]), rounding="shared_tens")
    if rules is not None:
        got = scoring.settle_deal(rules, 1, 1, scoring.DealPoints((90, 68, 0)), 0, NO_SIDE, 0)
        assert (got.score_0, got.score_1) == (9, 7)


@examples(200)
@given(strategies.rule_sets(WHOLE_PACK_TABLES), SEEDS)
def test_points_of_played_deals(rules, seed):
    """Tricks, points, capot: from the cards of deals that were played out."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    played = strategies.play_out(rules, rng)
    code, sides = parse_contract(played.contract), side_count(rules)
    bonuses = {side: strategies.bonus_points(rng) for side in range(sides)}
    belotes = {side: rules.belote_points * rng.choice((0, 1)) for side in range(sides)}
    cards, won = [0] * sides, [0] * sides
    leader = played.leader
    for _, trick in played.tricks:
        leader = trick_winner(code, leader, parse_cards(trick), rules.players)
        cards[side_of(rules, leader)] += sum(play.card_points(code, card) for card in parse_cards(trick))
        won[side_of(rules, leader)] += 1
    cards[side_of(rules, leader)] += rules.last_trick_points
    expected, capot = naive.raw_points(names, played.contract, played.tricks, bonuses, belotes)
    got = {}
    for side in range(sides):
        has_trick = won[side] > 0
        got[side] = scoring.raw_total(
            rules,
            code,
            cards[side],
            bonuses[side] if has_trick or not rules.declarations_need_trick else 0,
            belotes[side] if has_trick or not rules.belote_needs_trick else 0,
            won[side] == hand_size(rules),
        )
    assert got == expected
    assert [side for side in range(sides) if won[side] == hand_size(rules)] == (
        [] if capot is None else [capot]
    )


# --- The match -------------------------------------------------------------------------------


@examples(150)
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_match_winner(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    sides = side_count(rules)
    for _ in range(10):
        best = rules.target + rng.randint(-2, 3)
        totals = [
            rng.choice((best, best - rng.randint(0, 4), rng.randint(0, rules.target))) for _ in range(sides)
        ]
        capot, hanging = rng.choice((None, None, 0)), rng.choice((0, 0, 8))
        deal = {"score": totals, "capot": capot, "passed": False, "hanging": hanging}
        expected = naive.match_state(names, [deal])["winner"]
        winner = match.match_winner(rules, tuple(totals + [0] * (3 - sides)), capot is not None, hanging)
        assert winner == (NO_SIDE if expected is None else expected), (totals, capot, hanging)


@examples(30)
@given(strategies.rule_sets(ANY_TABLE), SEEDS)
def test_dealers_go_round(rules, seed):
    dealer = seed % rules.players
    seats = [dealer]
    for _ in range(rules.players - 1):
        seats.append(match.next_dealer(rules, seats[-1]))
    assert sorted(seats) == list(range(rules.players))
    assert match.next_dealer(rules, dealer) == (dealer + 1) % rules.players

"""What holds for every deal: the points of a pack, the game points of a deal, and that suits are alike."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_stats.cards import cards_in, parse_cards, parse_contract, parse_hand
from belot_stats.checker import check_deal
from belot_stats.deal import Belote, Deal, Declaration, StatedContract
from belot_stats.parameters import ROUND_SHARED_TENS
from belot_stats.rules import scoring
from belot_stats.rules.play import deal_card_total
from belot_stats.rules.scoring import HANGING, MADE, DealPoints
from belot_stats.rules.table import NO_SIDE, side_count
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import strategies
from tests.strategies import SEEDS, WHOLE_PACK_TABLES, PlayedDeal


def base_points(contract):
    """Raw points of a deal without declarations and capot: 162, 260, 258 (RULES.md section 2)."""
    return {4: 260, 5: 258}.get(contract, 162)


def base_game_points(contract):
    """Game points they make."""
    return 26 if contract >= 4 else 16


HURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
PRESETS = [load_ruleset("belot-bg"), load_ruleset("belot-bg-classic")]
# Every contract open, so that any may be stated.
OPEN_AUCTION = {
    "bidding": "auction",
    "contracts": ["C", "D", "H", "S", "N", "A"],
    "turn_up": "none",
    "turn_up_to": "nobody",
    "round_two": "none",
    "all_pass": "redeal",
    "seven_exchange": False,
    "redoubled_all_trumps_ends": False,
}
ALL_OPEN = strategies.rule_values(WHOLE_PACK_TABLES).map(
    lambda values: load_ruleset("belot-bg", values | OPEN_AUCTION)
)
# Points are shared out in tens, and nobody is fined.
SHARED_TENS = (
    strategies.rule_sets(WHOLE_PACK_TABLES)
    .filter(lambda rules: rules.rounding == ROUND_SHARED_TENS)
    .map(lambda rules: load_ruleset(rules, {"kirtik": 0}))
)


def as_deal(rules: RuleSet, played: PlayedDeal, rng: random.Random) -> Deal:
    """A played deal with all it has to announce, its contract stated."""
    declared = strategies.announcements(rules, rng, played.contract, played.hands)
    declarations = tuple(
        Declaration(seat=seat, cards=parse_hand(cards)) for seat, items in declared.items() for cards in items
    )
    pairs = [
        (seat, suit)
        for seat, hand in enumerate(played.hands)
        for suit in range(4)
        if {"K" + "CDHS"[suit], "Q" + "CDHS"[suit]} <= set(hand) and played.contract in ("CDHS"[suit], "A")
    ]
    return Deal(
        source="s",
        match="m",
        deal=1,
        rules=rules.name,
        dealer=(played.leader - 1) % rules.players,
        contract=StatedContract(call=parse_contract(played.contract), seat=rng.randrange(rules.players)),
        hands=tuple(map(parse_hand, played.hands)),
        plays=tuple(card for _, cards in played.tricks for card in parse_cards(cards)),
        declarations=declarations,
        belotes=tuple(Belote(seat=seat, suit=suit) for seat, suit in pairs),
    )


@settings(HURRIED, max_examples=250)
@given(st.sampled_from(PRESETS), SEEDS)
def test_bulgarian_points_of_a_deal(rules, seed):
    """162 in a suit, 258 at all trumps, 260 at no trumps; declarations, belotes and a capot's 90 come on top."""
    rng = random.Random(seed)
    played = strategies.play_out(rules, rng)
    computed = check_deal(as_deal(rules, played, rng), rules).computed
    base = {"N": 260, "A": 258}.get(played.contract, 162)
    capot = 90 if computed.capot_side is not None else 0
    bonuses = sum(computed.declaration_points) + sum(computed.belote_points)
    assert sum(computed.points) == base + bonuses + capot
    assert sum(computed.card_points) == {"N": 130, "A": 258}.get(played.contract, 162)
    assert sum(computed.trick_points) == deal_card_total(parse_contract(played.contract))
    assert sum(computed.tricks_won) == 8
    # With nobody's game points lost: section 2's G, written or left hanging.
    total = base_game_points(parse_contract(played.contract)) + (bonuses + capot) // 10
    assert sum(computed.score) + computed.hanging == total
    assert computed.illegal_cards == 0


@settings(HURRIED, max_examples=150)
@given(ALL_OPEN, SEEDS)
def test_points_of_a_deal_under_any_rules(rules, seed):
    rng = random.Random(seed)
    played = strategies.play_out(rules, rng)
    computed = check_deal(as_deal(rules, played, rng), rules).computed
    contract = parse_contract(played.contract)
    factor = rules.no_trumps_factor if played.contract == "N" else 1
    cards = deal_card_total(contract) + rules.last_trick_points
    bonuses = sum(computed.declaration_points) + sum(computed.belote_points)
    is_raw = rules.capot == 1 and computed.capot_side is not None
    capot = scoring.capot_bonus(rules, contract) if is_raw else 0
    assert sum(computed.points) == factor * (cards + bonuses) + capot
    assert computed.is_scored


@settings(HURRIED, max_examples=150)
@given(SHARED_TENS, SEEDS)
def test_game_points_add_up_to_g(rules, seed):
    """Whoever wins and whatever rounds: the two scores and what hangs are the deal's game points, times the level."""
    rng = random.Random(seed)
    for _ in range(10):
        contract = parse_contract(strategies.contract_of(rng))
        base = base_points(contract)
        bonus = strategies.bonus_points(rng)
        step = 2 if contract == 4 else 1
        points = rng.randrange(0, base + bonus + 1, step)
        level = rng.choice([1, *(n for n in rules.multipliers if n > 1)])
        got = scoring.settle_deal(
            rules,
            contract,
            level,
            DealPoints((points, base + bonus - points, 0)),
            rng.randrange(2),
            NO_SIDE,
            0,
        )
        total = (base_game_points(contract) + bonus // 10) * level
        if rules.multiply_before_rounding and level > 1:
            total = ((base + bonus) * level + 10 - scoring.round_up_digit(contract)) // 10
        assert got.score_0 + got.score_1 + got.hanging == total
        assert min(got[:4]) >= 0


@settings(HURRIED, max_examples=100)
@given(SHARED_TENS, SEEDS, st.integers(1, 60))
def test_hung_points_are_won_once_or_hang_on(rules, seed, hanging):
    rng = random.Random(seed)
    contract, level = (
        parse_contract(strategies.contract_of(rng)),
        rng.choice([1, *(n for n in rules.multipliers if n > 1)]),
    )
    points, declarer = rng.randrange(0, base_points(contract) + 1), rng.randrange(2)
    parts = DealPoints((points, base_points(contract) - points, 0))
    without = scoring.settle_deal(rules, contract, level, parts, declarer, NO_SIDE, 0)
    with_hung = scoring.settle_deal(rules, contract, level, parts, declarer, NO_SIDE, hanging)
    gains = [a - b for a, b in zip(with_hung[:4], without[:4], strict=True)]
    winner = declarer if without.result == MADE else 1 - declarer
    expected = (
        [0, 0, 0, hanging]
        if without.result == HANGING
        else [hanging * (side == winner) for side in range(3)] + [0]
    )
    assert gains == expected


@settings(HURRIED, max_examples=200)
@given(strategies.rule_sets(WHOLE_PACK_TABLES), SEEDS)
def test_the_sides_are_alike(rules, seed):
    """The other side with the same points writes the same."""
    rng = random.Random(seed)
    contract, level = (
        parse_contract(strategies.contract_of(rng)),
        rng.choice([1, *(n for n in rules.multipliers if n > 1)]),
    )
    total = base_points(contract) + strategies.bonus_points(rng)
    first = rng.randrange(total + 1)
    capot = rng.choice((NO_SIDE, 0))
    left = scoring.settle_deal(rules, contract, level, DealPoints((first, total - first, 0)), 0, capot, 8)
    right = scoring.settle_deal(
        rules,
        contract,
        level,
        DealPoints((total - first, first, 0)),
        1,
        1 - capot if capot == 0 else NO_SIDE,
        8,
    )
    assert (left.score_0, left.score_1, left.hanging, left.result) == (
        right.score_1,
        right.score_0,
        right.hanging,
        right.result,
    )


def permuted(mask: int, order: tuple[int, ...]) -> int:
    """A card set with suit s turned into suit order[s]."""
    return sum(1 << (8 * order[card >> 3] + (card & 7)) for card in cards_in(mask))


def permuted_deal(deal: Deal, order: tuple[int, ...]) -> Deal:
    assert deal.contract is not None
    assert deal.hands is not None
    call = deal.contract.call
    return Deal(
        source=deal.source,
        match=deal.match,
        deal=deal.deal,
        rules=deal.rules,
        dealer=deal.dealer,
        contract=StatedContract(call=order[call] if call < 4 else call, seat=deal.contract.seat),
        hands=tuple(permuted(mask, order) for mask in deal.hands),
        plays=tuple(8 * order[card >> 3] + (card & 7) for card in deal.plays),
        declarations=tuple(
            Declaration(seat=item.seat, cards=permuted(item.cards or 0, order)) for item in deal.declarations
        ),
        belotes=tuple(Belote(seat=item.seat, suit=order[item.suit]) for item in deal.belotes),
    )


SAME_UNDER_PERMUTATION = (
    "outcome", "is_made", "points", "score", "hanging", "capot_side", "trick_winners", "trick_points", "tricks_won",
    "card_points", "declaration_points", "belote_points", "illegal_cards", "finding_bits",
)  # fmt: skip


@settings(HURRIED, max_examples=200)
@given(ALL_OPEN, SEEDS, st.permutations(range(4)))
def test_suits_are_alike(rules, seed, order):
    """Another suit in place of each changes nothing, trumps included; half of the deals have illegal cards."""
    rng = random.Random(seed)
    deal = as_deal(rules, strategies.play_out(rules, rng), rng)
    if rng.random() < 0.5:
        plays = list(deal.plays)
        first, second = rng.randrange(len(plays)), rng.randrange(len(plays))
        plays[first], plays[second] = plays[second], plays[first]
        deal = Deal(
            **{name: getattr(deal, name) for name in deal.__struct_fields__} | {"plays": tuple(plays)}
        )
    before, after = check_deal(deal, rules), check_deal(permuted_deal(deal, tuple(order)), rules)
    for name in SAME_UNDER_PERMUTATION:
        assert getattr(before.computed, name) == getattr(after.computed, name), name
    assert [(item.code, item.card_index) for item in before.findings] == [
        (item.code, item.card_index) for item in after.findings
    ]


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
def test_formula_of_section_2_is_the_table_of_digits(rules):
    """Every division of a suit, all-trumps and no-trumps deal with 0 to 100 points of bonuses, by last digits."""
    special = {0: 6, 5: 4, 4: None}
    for contract, digit in special.items():
        base = base_points(contract)
        for bonus in range(0, 101, 10):
            for low in range(0, (base + bonus) // 2 + 1, 2 if contract == 4 else 1):
                high = base + bonus - low
                if low == high:
                    continue
                got = scoring.settle_deal(rules, contract, 1, DealPoints((high, low, 0)), 0, NO_SIDE, 0)
                up = 6 if contract == 0 else 5
                expected = [(value + 10 - up) // 10 if value % 10 != digit else None for value in (high, low)]
                if expected == [None, None]:  # both at the special digit: the smaller up, the larger down
                    expected = [high // 10, low // 10 + 1]
                elif contract == 0:
                    expected = [value // 10 + (value % 10 >= 7) for value in (high, low)]
                assert (got.score_0, got.score_1) == tuple(expected), (contract, high, low)
    assert side_count(rules) == 2

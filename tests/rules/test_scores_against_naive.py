"""Scores and the match, the rules engine against the slow one, on random rule sets: two sides and three, Baloot too."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from belot_stats.cards import NO_SEAT, parse_cards, parse_contract
from belot_stats.checks.play import trick_winner
from belot_stats.errors import RuleSetError
from belot_stats.parameters import CAPOT_DEAL_NOT_DOUBLED, CAPOT_RAW, ROUND_SHARED_TENS
from belot_stats.rules import match, play, scoring
from belot_stats.rules.scoring import side_triple
from belot_stats.rules.table import NO_SIDE, hand_size, side_count, side_of
from belot_stats.ruleset import RuleSet, load_ruleset
from tests import naive, naive_baloot, naive_deal, strategies
from tests.strategies import SEEDS

BALOOT_PRESETS = ("baloot", "baloot-regulation", "baloot-commercial", "baloot-archive-server")
HURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def examples(count: int) -> Callable:
    """Settings of a test: this many rule sets."""
    return settings(HURRIED, max_examples=count)


def won_tricks(rng: random.Random, rules: RuleSet) -> list[int]:
    """Tricks a side; a side without one, or all of one side, comes often."""
    sides, left = side_count(rules), hand_size(rules)
    takers = rng.sample(range(sides), rng.choice((1, sides, sides, rng.randint(1, sides))))
    tricks = [0] * sides
    for side in takers:
        tricks[side] = 1
        left -= 1
    for _ in range(left):
        tricks[rng.choice(takers)] += 1
    return tricks


def shared_out(rng: random.Random, amount: int, takers: list[int], sides: int) -> list[int]:
    """*amount* divided among *takers*, evenly now and then."""
    points = [0] * sides
    for place, side in enumerate(takers):
        rest, many = amount - sum(points), len(takers) - place
        even = rest // many + rng.choice((0, 0, rng.randint(-3, 3)))
        points[side] = rest if many == 1 else max(0, min(rest, rng.choice((even, rng.randint(0, rest)))))
    return points


def deal_points(rng: random.Random, rules: RuleSet, contract: str) -> scoring.DealPoints:
    """What the sides of a deal may bring, as the rules count it; sums of points that a deal can have."""
    sides, names = side_count(rules), strategies.naive_rules(rules)
    cards = {"N": 120, "A": 248}.get(contract, 152) + rules.last_trick_points
    if rules.rounding != ROUND_SHARED_TENS:  # where no points are shared out, cards may stay in the pack
        cards -= rng.choice((0, rng.randint(0, 60)))
    tricks = won_tricks(rng, rules)
    takers = [side for side in range(sides) if tricks[side]]
    own = shared_out(rng, cards, takers, sides)
    declared = [strategies.bonus_points(rng) for _ in range(sides)]
    belotes = [rules.belote_points * rng.choice((0, 0, 1)) for _ in range(sides)]
    for side in range(sides):
        declared[side] *= bool(tricks[side] or not rules.declarations_need_trick)
        belotes[side] *= bool(tricks[side] or not rules.belote_needs_trick)
    factor = rules.no_trumps_factor if contract == "N" else 1
    total = [factor * sum(parts) for parts in zip(own, declared, belotes, strict=True)]
    if rng.random() < 0.15 and len(takers) > 1:  # level, by another division of the cards
        first, second = rng.sample(takers, 2)
        both = own[first] + own[second]
        ahead = declared[first] + belotes[first] - declared[second] - belotes[second]
        if (both - ahead) % 2 == 0 and abs(ahead) <= both:
            own[first], own[second] = (both - ahead) // 2, (both + ahead) // 2
            total = [factor * sum(parts) for parts in zip(own, declared, belotes, strict=True)]
    if len(takers) == 1 and rules.capot == CAPOT_RAW:
        total[takers[0]] += naive.capot_bonus(names, contract)
    return scoring.DealPoints(*(side_triple(part) for part in (total, own, declared, belotes, tricks)))


def capot_of(points: scoring.DealPoints) -> int | None:
    """Side that took every trick."""
    takers = [side for side, count in enumerate(points.tricks) if count]
    return takers[0] if len(takers) == 1 else None


def settled(
    rules: RuleSet,
    contract: str,
    level: int,
    points: scoring.DealPoints,
    declarer: int,
    hanging: int,
) -> tuple:
    """Score a side, what hangs, and made, by the fast engine."""
    capot = capot_of(points)
    got = scoring.settle_deal(
        rules,
        parse_contract(contract),
        level,
        points,
        declarer,
        NO_SIDE if capot is None else capot,
        hanging,
    )
    made = {scoring.MADE: True, scoring.FAILED: False, scoring.HANGING: None}[got.result]
    return got[: side_count(rules)], got.hanging, made


@examples(700)
@given(strategies.rule_sets(), SEEDS)
def test_deal_scores(rules, seed):
    """Two sides and three; every rounding, capot, level and way to fail."""
    rng, names, sides = random.Random(seed), strategies.naive_rules(rules), side_count(rules)
    for _ in range(12):
        contract, level = strategies.contract_of(rng), rng.choice([1, 1, *names["multipliers"]])
        points, declarer = deal_points(rng, rules, contract), rng.randrange(sides)
        hanging, capot = rng.choice((0, 0, 8, 31)), capot_of(points)
        if level == 0 and capot is not None and rules.capot_when_doubled == CAPOT_DEAL_NOT_DOUBLED:
            continue  # whether a capot takes the match off the table again, nothing says
        expected = naive.score_deal(
            names, contract, level, points.total[:sides], declarer, capot, hanging,
            belote=points.belotes[:sides], tricks=points.tricks[:sides],
        )  # fmt: skip
        got = settled(rules, contract, level, points, declarer, hanging)
        assert got == expected, (contract, level, points, declarer, hanging)


@examples(150)
@given(strategies.rule_sets(), SEEDS)
def test_hung_points_over_several_deals(rules, seed):
    """Taken together, or those of one deal at a time, the oldest first (C20)."""
    rng, names, sides = random.Random(seed), strategies.naive_rules(rules), side_count(rules)
    hung: tuple[int, ...] = ()
    for _ in range(8):
        contract, declarer = strategies.contract_of(rng), rng.randrange(sides)
        points = deal_points(rng, rules, contract)
        due = match.hung_due(rules, hung)
        assert due == naive_deal.hung_payment(names, list(hung))
        score, _, made = settled(rules, contract, 1, points, declarer, due)
        before = list(hung)
        expected = naive.score_deal(
            names, contract, 1, points.total[:sides], declarer, capot_of(points), before,
            belote=points.belotes[:sides], tricks=points.tricks[:sides],
        )  # fmt: skip
        hung_now = expected[1][-1] if made is None else 0
        hung = match.after_hanging(rules, hung, made is not None, hung_now)
        assert (score, list(hung), made) == (expected[0], expected[1], expected[2])


@examples(100)
@given(strategies.rule_sets(), SEEDS)
def test_all_pass_deals_that_are_played(rules, seed):
    """Q20: what one takes, and what the others hold, counts against one."""
    rng, names, sides = random.Random(seed), strategies.naive_rules(rules), side_count(rules)
    for _ in range(10):
        points = deal_points(rng, rules, rng.choice("CDHS"))
        got = scoring.settle_all_pass(rules, points)
        expected = naive_deal.score_all_pass(names, *(part[:sides] for part in points[1:]))
        assert got[:sides] == expected, points
        assert (got.hanging, got.result) == (0, scoring.ALL_PASS)


@examples(100)
@given(strategies.rule_sets(), SEEDS)
def test_deals_that_an_illegal_card_ends(rules, seed):
    """A449: the whole deal and all that was announced go to each of the others."""
    rng, names, sides = random.Random(seed), strategies.naive_rules(rules), side_count(rules)
    for _ in range(10):
        contract, level = strategies.contract_of(rng), rng.choice([1, 1, *names["multipliers"]])
        points, offender = deal_points(rng, rules, contract), rng.randrange(sides)
        if level == 0:
            continue
        factor = rules.no_trumps_factor if contract == "N" else 1
        bonuses = factor * (sum(points.declarations) + sum(points.belotes))
        expected = naive_deal.score_offence(names, contract, level, offender, bonuses)
        got = scoring.ended_by_offence(rules, parse_contract(contract), level, points)
        assert got == max(expected), (contract, level, points)


@pytest.mark.parametrize("preset", BALOOT_PRESETS)
@examples(150)
@given(seed=SEEDS)
def test_baloot_scores(preset, seed):
    """BALOOT.md part 2: conversions, who makes it, ties, levels, gahwa and kaboot of all four profiles."""
    rng, rules = random.Random(seed), load_ruleset(preset)
    names = strategies.naive_rules(rules)
    for _ in range(12):
        contract = rng.choice("CDHSNN")
        level = rng.choice([1, 1, 2]) if contract == "N" else rng.choice([1, 1, *names["multipliers"]])
        tricks = won_tricks(rng, rules)
        cards = shared_out(rng, 130 if contract == "N" else 162, [s for s in (0, 1) if tricks[s]], 2)
        projects, baloots = [0, 0], [0, 0]  # one side alone has projects that count
        projects[rng.randrange(2)] = rng.choice((0, 0, 20, 40, 50, 70, 100, 200))
        baloots[rng.randrange(2)] = 20 * (contract != "N" and rng.random() < 0.3)
        total = [sum(parts) for parts in zip(cards, projects, baloots, strict=True)]
        points = scoring.DealPoints(*map(side_triple, (total, cards, projects, baloots, tricks)))
        buyer = rng.randrange(2)
        expected = naive_baloot.score_deal(
            names, contract, level, cards, projects, baloots, buyer, capot_of(points)
        )
        score, hanging, made = settled(rules, contract, level, points, buyer, 0)
        assert (score, made, hanging) == (*expected, 0), (contract, level, points, buyer)


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


@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_no_point_of_three_sides_gets_lost(declarer):
    """Made, failed or hanging, the raw points of three are written or hang."""
    rules = load_ruleset("belot-ru-3p")
    points = (60, 70, 40)
    got = scoring.settle_deal(rules, 1, 1, scoring.DealPoints(points), declarer, NO_SIDE, 0)
    assert got.score_0 + got.score_1 + got.score_2 + got.hanging == sum(points)
    assert (got.result == scoring.MADE) == (declarer == 1)


def test_shared_tens_need_the_whole_pack():
    """With six cards out of play the points of a deal are no longer 2 more than tens."""
    table = strategies.table_values((2, False, "9", [3, 3], [3]))
    with pytest.raises(RuleSetError, match="shared_tens"):
        load_ruleset("belot-bg", table | {"rounding": "shared_tens"})


@examples(200)
@given(strategies.rule_sets(), SEEDS)
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


@examples(200)
@given(strategies.rule_sets(), SEEDS)
def test_match_winner(rules, seed):
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    sides = side_count(rules)
    for _ in range(10):
        best = rules.target + rng.randint(-2, 3)
        totals = [
            rng.choice((best, best - rng.randint(0, 4), rng.randint(0, rules.target))) for _ in range(sides)
        ]
        capot, hanging, last = rng.choice((None, None, 0)), rng.choice((0, 0, 8)), rng.randrange(sides)
        deal = {"score": totals, "capot": capot, "passed": False, "hanging": hanging, "last_trick": last}
        expected = naive.match_state(names, [deal])["winner"]
        winner = match.match_winner(rules, side_triple(totals), capot is not None, hanging, last)
        assert winner == (NO_SIDE if expected is None else expected), (totals, capot, hanging, last)


@pytest.mark.parametrize("preset", ["baloot", *strategies.WHOLE_MATCH_PRESETS])
def test_the_whole_match_at_stake(preset):
    """Q42, BALOOT.md 1f: whoever wins the deal wins the match, whatever the totals were."""
    rules = load_ruleset(preset, strategies.WHOLE_MATCH_PRESETS.get(preset, {}))
    names, target = strategies.naive_rules(rules), rules.target
    for points, winner in (((100, 62), 0), ((62, 100), 1)):
        own = scoring.DealPoints(side_triple(points), side_triple(points), tricks=(4, 4, 0))
        score, hanging, made = settled(rules, "H", 0, own, 0, 0)
        assert (score[winner], score[1 - winner], hanging, made) == (target, 0, 0, winner == 0)
        totals = [0, 0]
        totals[1 - winner] = target + 60  # a capot before, say: the other side is over the target
        totals[winner] = target
        assert match.match_winner(rules, side_triple(totals), False, 0, 0, staked_side=winner) == winner
        deal = {"score": score, "capot": None, "passed": False, "whole_match": True}
        assert naive.match_state(names, [deal])["winner"] == winner


@examples(150)
@given(strategies.rule_sets(), SEEDS)
def test_next_dealer(rules, seed):
    """Next in turn, the top scorer of the deal, the orderer, the orderer of a hanging deal; after a pass the next."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(12):
        dealer, declarer = rng.randrange(rules.players), rng.choice([None, *range(rules.players)])
        points = [rng.choice((60, 60, 81, rng.randint(0, 162))) for _ in range(side_count(rules))]
        hangs = rng.random() < 0.5
        got = match.next_dealer(
            rules, dealer, NO_SEAT if declarer is None else declarer, side_triple(points), hangs
        )
        expected = naive_deal.next_dealer(names, dealer, declarer, points, hangs)
        assert got == expected, (dealer, declarer, points, hangs)

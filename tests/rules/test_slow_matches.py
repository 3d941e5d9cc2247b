"""Matches that the slow engine dealt, bid, announced, played and scored: the checker has nothing to say about them."""

import random

import pytest
from hypothesis import HealthCheck, given, settings

from belot_stats.parameters import ANNOUNCE_ON_LEAD
from belot_stats.ruleset import load_ruleset
from tests import naive, naive_deal, strategies
from tests.check.records import checked, match_of
from tests.slow_match import Match, whole_match
from tests.strategies import SEEDS

HURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
PRESETS = sorted(naive.SYSTEMS)
BALOOT_PRESETS = ("baloot", "baloot-archive-server", "baloot-commercial", "baloot-regulation")


def assert_clean(rules, rng, most):
    """No finding, deal by deal and for the match, which is won by the same side."""
    records, winner = whole_match(rules, rng, most)
    for record in records:
        found = checked(record).findings
        assert found == (), (record, found)
    result = match_of(records)
    wanted = [] if winner is not None else ["match-unfinished"]
    found = [finding for finding in result.findings if finding.code not in wanted]
    assert found == [], (found, [(r["deal"], r["dealer"], r.get("end"), r["claimed"]) for r in records])
    assert result.summary.winner == winner


@pytest.mark.parametrize("preset", PRESETS)
@settings(HURRIED, max_examples=12)
@given(seed=SEEDS)
def test_matches_of_the_presets(preset, seed):
    assert_clean(load_ruleset(preset), random.Random(seed), 40)


@pytest.mark.parametrize("preset", BALOOT_PRESETS)
@settings(HURRIED, max_examples=12)
@given(seed=SEEDS)
def test_matches_of_baloot(preset, seed):
    assert_clean(load_ruleset(preset), random.Random(seed), 25)


@settings(HURRIED, max_examples=150)
@given(strategies.rule_sets(), SEEDS)
def test_matches_under_any_rules(rules, seed):
    assert_clean(rules, random.Random(seed), 8)


# --- Deals with something wrong in them ------------------------------------------------------


def played_record(rules, rng):
    """A deal that was played to the end, without the server's claims; None where all passed or one declared out."""
    match = Match(rules, rng)
    for _ in range(6):
        record = match.next_record()
        if "plays" in record and record.get("end", "played") == "played":
            return {name: value for name, value in record.items() if name != "claimed"}
    return None


def course_of(rules, record):
    """Contract, hands and (seat, card) in the order played, as the slow engine reads the record."""
    names = strategies.naive_rules(rules)
    turned = naive.card_list(record.get("turn_up", []))
    contract = naive.auction_result(names, record["auction"], record["dealer"], turned)["contract"]
    contract = contract or naive_deal.all_pass_contract(names, turned)
    hands = [hand.split() for hand in record["hands"]]
    holder = {card: seat for seat, hand in enumerate(hands) for card in hand}
    return contract, hands, [(holder[card], card) for card in record["plays"].split()]


def codes_of(record, *codes):
    """Findings of *codes*, as (code, seat)."""
    return sorted((item.code, item.seat) for item in checked(record).findings if item.code in codes)


def is_answer(rules, record, plays, item):
    """C16: who is on lead may be answered at once with a better combination; left to tests of its own."""
    at = item["at"]
    on_lead = plays[at][0] if at < len(plays) else None
    return rules.declare_when == ANNOUNCE_ON_LEAD and any(
        other["seat"] == on_lead != item["seat"] and other["at"] == at for other in record["declarations"]
    )


@settings(HURRIED, max_examples=150)
@given(strategies.rule_sets(), SEEDS)
def test_declarations_at_any_time(rules, seed):
    """Late is what the slow engine calls late; on lead the cards are still in hand."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(4):
        record = played_record(rules, rng)
        if record is None or not record["declarations"]:
            continue
        contract, hands, plays = course_of(rules, record)
        for item in record["declarations"]:
            near = rng.randint(0, 2 * rules.players + 1)
            item["at"] = rng.choice((near, rng.randint(0, len(plays)), rules.players, 2 * rules.players))
        items = record["declarations"]
        if any(is_answer(rules, record, plays, item) for item in items):
            continue
        faults = [
            (
                naive_deal.declaration_fault(names, plays, item["seat"], item["cards"], item["at"]),
                item["seat"],
            )
            for item in items
        ]
        expected = sorted((code, seat) for code, seat in faults if code is not None)
        assert codes_of(record, "late-declaration", "false-declaration") == expected, (
            contract,
            hands,
            record,
        )


@settings(HURRIED, max_examples=150)
@given(strategies.rule_sets(), SEEDS)
def test_belotes_at_any_time(rules, seed):
    """Of any seat and suit: false, late, or neither; before its first card only where any time will do."""
    rng, names = random.Random(seed), strategies.naive_rules(rules)
    for _ in range(4):
        record = played_record(rules, rng)
        if record is None:
            continue
        contract, hands, plays = course_of(rules, record)
        record["belotes"], expected = [], []
        for seat, hand in enumerate(hands):
            for suit in "CDHS":
                pair = [naive_deal.index_of_card(plays, rank + suit) for rank in "KQ"]
                first = 0 if names["belote_when"] == "while_held" else min(pair)
                held = {"K" + suit, "Q" + suit} <= set(hand)
                at = rng.choice(
                    (min(pair), max(pair), rng.randint(first, len(plays)), min(len(plays), max(pair) + 1))
                )
                if rng.random() < (0.9 if held else 0.1):
                    record["belotes"].append({"seat": seat, "suit": suit, "at": at})
                    fault = naive_deal.belote_fault(names, contract, hand, plays, seat, suit, at)
                    expected += [(fault, seat)] if fault else []
        assert codes_of(record, "late-belote", "false-belote") == sorted(expected), (contract, hands, record)


@settings(HURRIED, max_examples=120)
@given(strategies.rule_sets(), SEEDS)
def test_an_illegal_card_that_ends_the_deal(rules, seed):
    """A449: each of the others writes the whole deal and all that was announced."""
    rng, rules = (
        random.Random(seed),
        load_ruleset(rules, {"illegal_card": "ends_deal", "declare_when": "first_card"}),
    )
    names = strategies.naive_rules(rules)
    for _ in range(4):
        record = played_record(rules, rng)
        if record is None or not any(
            call not in ("P", "X", "XX", "XXX", "XXXX") for call in record["auction"]
        ):
            continue
        contract, hands, plays = course_of(rules, record)
        level = naive.auction_result(names, record["auction"], record["dealer"], record.get("turn_up", []))[
            "level"
        ]
        swapped = swap_two_cards_of_a_seat(rng, plays, rules.players)
        at = naive_deal.first_illegal_play(names, contract, hands, swapped)
        if at is None or at < rules.players or level == 0:
            continue
        broken = record | {"plays": " ".join(card for _, card in swapped[: at + 1]), "belotes": []}
        record_end = {"end": "penalty", "ended_by": {"seat": swapped[at][0], "at": at + 1}}
        result = checked(broken | record_end)
        declared = {}
        for item in record["declarations"]:
            declared.setdefault(item["seat"], []).append(item["cards"])
        bonuses = sum(
            naive.combination_points(names, contract, c.split()) for cs in declared.values() for c in cs
        )
        bonuses *= names["no_trumps_factor"] if contract == "N" else 1
        offender = naive.side_of(names, swapped[at][0])
        assert result.computed.score == naive_deal.score_offence(names, contract, level, offender, bonuses)


def swap_two_cards_of_a_seat(rng, plays, players):
    """The plays with two cards of one seat exchanged, if they then still follow each other in the seats' order."""
    seat = rng.randrange(players)
    turns = [at for at, (player, _) in enumerate(plays) if player == seat]
    one, other = rng.sample(turns, 2)
    swapped = list(plays)
    swapped[one], swapped[other] = plays[other], plays[one]
    return swapped


@settings(HURRIED, max_examples=60)
@given(strategies.rule_sets(), SEEDS)
def test_the_turned_up_card_in_another_hand(rules, seed):
    """Whoever holds the turned-up card though it is not his, or lacks it though it is."""
    rng = random.Random(seed)
    record = played_record(rules, rng) if rules.turn_up else None
    if record is None or "exchange" in record:
        return
    turned = naive.card_list(record["turn_up"])[0]
    hands = [hand.split() for hand in record["hands"]]
    holder = next((seat for seat, hand in enumerate(hands) if turned in hand), None)
    seat = rng.choice([seat for seat in range(rules.players) if seat != holder])
    first = set(record["first_hands"][seat].split())
    given = rng.choice([card for card in hands[seat] if card not in first])
    hands[seat] = [turned if card == given else card for card in hands[seat]]
    if holder is not None:
        hands[holder] = [given if card == turned else card for card in hands[holder]]
    wrong = record | {"hands": [" ".join(hand) for hand in hands]}
    assert "hand-mismatch" in [finding.code for finding in checked(wrong).findings]

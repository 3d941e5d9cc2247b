"""Deals of any content: whatever a record says, the checker answers, and its answers hang together."""

import random
from functools import cache
from typing import Any

import msgspec
import pytest

from belot_stats.cards import CALL_NAMES, KIND_NAMES, parse_cards, parse_hand
from belot_stats.checker import Checked, check_deal
from belot_stats.deal import END_NAMES, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.findings import FINDING_BITS, FINDING_CODES, SEVERITIES
from belot_stats.match_checker import check_match
from belot_stats.rules.table import hand_size, side_count
from belot_stats.ruleset import RuleSet, load_ruleset, ruleset_names
from tests import strategies
from tests.check.records import match_deal
from tests.strategies import table_values

DEALS = 5_000
BLOCKS = 10
TABLES = (strategies.WHOLE_PACK_TABLES[0], strategies.WHOLE_PACK_TABLES[3], (2, False, "9", [3, 3], [3, 3]))


@cache
def rule_sets() -> list[RuleSet]:
    """All shipped presets for four, and some tables and options besides."""
    four = [rules for rules in map(load_ruleset, ruleset_names()) if rules.players == 4]
    others = [load_ruleset("belot-bg", table_values(table)) for table in TABLES]
    options = (
        {"declarations": "none", "multipliers": []},
        {"declarations": "all_contracts", "contest": "single", "shared_cards": True},
        {"rounding": "none", "capot": "game", "capot_points": 9, "belote_kept_when_failed": True},
        {
            "claim_cards": 9,
            "illegal_card": "penalty_on_claim",
            "penalty_points": 16,
            "belote_when": "second_card",
        },
    )
    return four + others + [load_ruleset("belot-bg", values) for values in options]


def any_deal(rules: RuleSet, rng: random.Random) -> Deal:
    """A deal played by the rules, with an auction, announcements and claims of no particular sense."""
    played = strategies.play_out(rules, rng, rng.choice("CDHSNA" if rules.contracts[5] >= 0 else "CDHSN"))
    players, sides = rules.players, side_count(rules)
    contract = "CDHSNA".index(played.contract)
    declared = strategies.announcements(rules, rng, played.contract, played.hands)
    hands = tuple(map(parse_hand, played.hands))
    return Deal(
        source="s",
        match="m",
        deal=rng.randint(1, 3),
        rules=rules.name,
        dealer=(played.leader - 1) % players,
        auction=(contract,) + (6,) * (players - 1),
        contract=StatedContract(call=contract, seat=rng.randrange(players), level=1),
        hands=hands,
        plays=tuple(card for _, cards in played.tricks for card in parse_cards(cards)),
        declarations=tuple(
            Declaration(seat=seat, cards=parse_hand(cards))
            for seat, items in declared.items()
            for cards in items
        ),
        claimed=Claimed(points=(10,) * sides, score=(0,) * sides, tricks=(0,) * hand_size(rules)),
    )


def mutations(deal: Deal, rules: RuleSet, rng: random.Random) -> dict[str, Any]:
    """New values for a few fields, of shapes that the reader lets through."""
    players, sides, size = rules.players, side_count(rules), hand_size(rules)
    seat, points = rng.randrange(players), lambda: tuple(rng.randint(-500, 500) for _ in range(sides))
    cards = [card for mask in deal.hands or () for card in range(32) if mask >> card & 1]
    shuffled = rng.sample(cards, len(cards)) if cards else rng.sample(range(32), players * size)
    deal_hands = tuple(sum(1 << card for card in shuffled[k * size : (k + 1) * size]) for k in range(players))
    any_mask = sum(1 << card for card in rng.sample(range(32), rng.randint(0, 9)))
    at = rng.choice((None, rng.randint(0, players * size)))
    choices: dict[str, Any] = {
        "dealer": seat,
        "deal": rng.choice((1, 2, 2**40)),
        "auction": rng.choice(
            (None, (), tuple(rng.randrange(len(CALL_NAMES)) for _ in range(rng.randint(0, 9))))
        ),
        "contract": rng.choice(
            (None, StatedContract(call=rng.randrange(6), seat=seat, level=rng.choice((0, 1, 2, 3, 4, 255))))
        ),
        "hands": rng.choice((None, deal_hands)),
        "first_hands": rng.choice((None, tuple(mask & rng.getrandbits(32) for mask in deal_hands))),
        "plays": tuple(
            shuffled[: rng.choice((0, 1, len(shuffled) - 1, rng.randint(0, len(shuffled)), len(shuffled)))]
        ),
        "declarations": (
            *deal.declarations,
            Declaration(seat=seat, cards=any_mask, at=at),
            Declaration(seat=rng.randrange(players), kind=rng.choice(KIND_NAMES), at=at),
        ),
        "belotes": (
            Belote(seat=seat, suit=rng.randrange(4), at=at),
            Belote(seat=seat, suit=rng.randrange(4)),
        ),
        "end": rng.choice(END_NAMES),
        "ended_by": rng.choice((None, EndedBy(), EndedBy(seat=seat, at=at))),
        "claimed": Claimed(
            contract=rng.choice((None, rng.randrange(6))),
            declarer=rng.choice((None, seat)),
            level=rng.choice((None, rng.randint(0, 255))),
            tricks=rng.choice((None, (), tuple(rng.randrange(players) for _ in range(rng.randint(0, 12))))),
            points=rng.choice((None, points())),
            capot=rng.choice((None, rng.randrange(sides))),
            made=rng.choice((None, True, False)),
            score=rng.choice((None, points())),
            hanging=rng.choice((None, rng.randint(-5, 50))),
            total=rng.choice((None, points())),
            winner=rng.choice((None, rng.randrange(sides))),
        ),
        "players": tuple("abcd"[:players]),
        "exchange": rng.choice((None, seat)),
        "turn_up": rng.choice((None, (0,), (0, 9))),
    }
    names = rng.sample(sorted(choices), rng.randint(1, 5))
    return {name: choices[name] for name in names}


def problem_with(result: Checked) -> str | None:
    """What in an answer contradicts itself, if anything."""
    computed, rules = result.computed, result.rules
    bits = 0
    for finding in result.findings:
        bits |= FINDING_BITS[finding.code]
        if finding.severity not in SEVERITIES:
            return f"severity {finding.severity}"
    if (computed.finding_bits, computed.finding_count) != (bits, len(result.findings)):
        return "finding_bits or finding_count"
    if computed.is_scored != (computed.outcome in ("made", "failed", "hanging", "penalty")):
        return "is_scored"
    if (computed.is_made is None) != (computed.outcome not in ("made", "failed")):
        return "is_made"
    if computed.is_scored and len(computed.score) != side_count(rules):
        return "score"
    if sum(computed.tricks_won) > hand_size(rules):
        return "tricks_won"
    if len(computed.declaration_results) != len(result.deal.declarations):
        return "declaration_results"
    if (
        any(item.status == "unknown" for item in computed.declaration_results)
        and computed.dealt_hands is not None
    ):
        return "an announcement without a status"
    return None


@pytest.mark.parametrize("block", range(BLOCKS))
def test_checker_answers_whatever_a_deal_says(block):
    """No exception, and no answer that contradicts itself; the same deals make a match."""
    rng = random.Random(block)
    seen: set[str] = set()
    for _ in range(DEALS // BLOCKS // 5):
        rules = rng.choice(rule_sets())
        original = any_deal(rules, rng)
        results = [
            check_deal(msgspec.structs.replace(original, **mutations(original, rules, rng)), rules)
            for _ in range(5)
        ]
        for result in results:
            assert problem_with(result) is None, (rules, result.deal)
            assert check_deal(result.deal, rules) == result
            seen |= {finding.code for finding in result.findings}
        copies = {result.deal.deal: result for result in results}
        matched = check_match([match_deal(copies[number]) for number in sorted(copies)])
        assert len(matched.standings) == len(copies)
        seen |= {finding.code for finding in matched.findings}
    stages = {row.code for row in FINDING_CODES if row.stage in ("auction", "play", "declaration", "claim")}
    assert len(seen & stages) >= 20  # the mutations reach nearly all there is

"""Turned-up cards, the exchange of the seven, deals that all passed: hands and calls that cannot all be true.

The deals are made here: shuffled, ordered as asked, and played with legal cards of the slow engine.
"""

import json
import random
from typing import Any, NamedTuple

import pytest

from belot_stats.cards import CARD_NAMES, cards_in, parse_contract
from belot_stats.checks.auction import Bidding, check_auction
from belot_stats.checks.collect import Findings
from belot_stats.checks.play import Played, check_play
from belot_stats.deal import Deal
from belot_stats.readers.bhh import read_line
from belot_stats.rules.table import first_hand_size, hand_size, pack_mask
from belot_stats.ruleset import load_ruleset
from tests import naive
from tests.check.records import OPTIONS, RESOLVER, Record

SEEDS = range(6)
NAIVE_BALOOT = naive.BELOT_BG | {"beat_trump_lead": "not_over_partner", "must_ruff": "always"}


class Checked(NamedTuple):
    bidding: Bidding
    played: Played
    findings: list[tuple[str, int | None, str | None]]  # code, seat, field

    @property
    def codes(self) -> list[str]:
        return [code for code, _, _ in self.findings]


def checked(record: Record) -> Checked:
    deal = read_line(json.dumps(record).encode(), 1, 0, OPTIONS)
    assert isinstance(deal, Deal), deal
    rules = RESOLVER.resolve(deal.rules, deal.options)
    findings = Findings(rules)
    bidding = check_auction(deal, rules, findings)
    played = check_play(deal, rules, bidding, findings)
    return Checked(bidding, played, [(item.code, item.seat, item.field) for item in findings.items])


def text(cards: Any) -> str:
    return " ".join(cards)


def made_deal(name: str, seed: int, calls: str, receiver: int | None = None, **options: Any) -> Record:
    """A deal of *name* with the last seat as dealer; *calls* name ``T`` for the turned-up suit, ``O`` for another.

    receiver: seat that takes the turned-up card; None where it stays on the table.
    """
    rules = load_ruleset(name, options)
    players, first, whole = rules.players, first_hand_size(rules), hand_size(rules)
    pack = [CARD_NAMES[card] for card in cards_in(pack_mask(rules))]
    random.Random(seed).shuffle(pack)
    turned = [pack.pop()]
    if rules.turn_up == 2:
        turned.append(next(card for card in pack if card[1] != turned[0][1]))
        pack.remove(turned[1])
    hands = [[pack.pop() for _ in range(first)] for _ in range(players)]
    first_hands = [list(hand) for hand in hands]
    for seat, hand in enumerate(hands):
        hand.extend([turned[0]] if seat == receiver else [])
        hand.extend([pack.pop() for _ in range(whole - len(hand))])
    suits = {
        "T": turned[0][1],
        "O": turned[1][1] if turned[1:] else next(s for s in "CDHS" if s != turned[0][1]),
    }
    auction = [suits.get(call, call) for call in calls.split()]
    contract = next((call for call in auction if call in "CDHSN"), turned[0][1])
    record: Record = {
        "format": "bhh/1",
        "source": "test",
        "match": "m1",
        "deal": 1,
        "rules": name,
        "options": options,
        "dealer": players - 1,
        "turn_up": turned if turned[1:] else turned[0],
        "first_hands": [text(hand) for hand in first_hands],
        "auction": auction,
        "hands": [text(hand) for hand in hands],
    }
    return record | {"plays": legal_plays(name, contract, hands, seed)}


def legal_plays(name: str, contract: str, hands: list[list[str]], seed: int) -> str:
    rules, rng = naive.SYSTEMS.get(name, NAIVE_BALOOT), random.Random(seed)
    left, leader, plays = [list(hand) for hand in hands], 0, []
    while left[leader]:
        trick: list[tuple[int, str]] = []
        for place in range(len(hands)):
            seat = (leader + place) % len(hands)
            card = rng.choice(naive.legal_cards(rules, contract, left[seat], trick, seat))
            left[seat].remove(card)
            trick.append((seat, card))
            plays.append(card)
        leader = naive.trick_winner(rules, contract, trick)
    return text(plays)


def without(record: Record, *fields: str) -> Record:
    return {key: value for key, value in record.items() if key not in fields}


CLEAN = [
    ("belote-fr", "P T", 1),
    ("belote-fr", "P P P P P P O", 2),
    ("belot-ru-pairs", "P P P T", 3),
    ("belot-ru-pairs", "P P P P N", 0),
    ("belot-ru-pairs", "P P P P P P P P", 3),
    ("belot-ru-3p", "T", None),
    ("belot-ru-3p", "P P P P O", None),
    ("belot-1001-2p", "P T", None),
    ("belot-1001-2p", "P P O", None),
    ("belot-1001-3p", "P P P O", None),
]


@pytest.mark.parametrize("gap", [(), ("hands",), ("first_hands",), ("hands", "first_hands"), ("turn_up",)])
@pytest.mark.parametrize(("name", "calls", "receiver"), CLEAN)
def test_what_can_be_true_has_no_finding(name, calls, receiver, gap):
    if "turn_up" in gap and calls.count("P") == 8:
        gap = ()  # an all-pass deal cannot be followed without its trump: tested below
    for seed in SEEDS:
        record = without(made_deal(name, seed, calls, receiver), *gap)
        result = checked(record)
        assert result.findings == []
        assert result.played.is_known


@pytest.mark.parametrize("gap", [(), ("hands",)])
def test_turned_up_card_of_the_taker_in_another_hand(gap):
    for seed in SEEDS:
        record = made_deal("belote-fr", seed, "P T", receiver=2)  # seat 1 took it
        result = checked(without(record, *gap))
        assert ("hand-mismatch", 1, "turn_up") in result.findings
        assert ("card-not-in-hand" in result.codes) == bool(gap)


def test_turned_up_card_that_nobody_takes_in_a_hand():
    for seed in SEEDS:
        record = made_deal("belot-ru-3p", seed, "T", receiver=1)
        assert ("hand-mismatch", 1, "turn_up") in checked(record).findings
        assert ("hand-mismatch", 1, "turn_up") in checked(without(record, "hands")).findings


def test_the_second_turned_card_stays_out_too():
    record = made_deal("belot-1001-3p", 1, "P P P O")
    second, held = record["turn_up"][1], record["hands"][0].split()
    swapped = without(record, "plays") | {"end": "abandoned"}
    swapped["hands"] = [text([*(c for c in held if c in record["first_hands"][0]), second, *held[-2:]])]
    swapped["hands"] += record["hands"][1:]
    assert ("hand-mismatch", 0, "turn_up") in checked(swapped).findings


def test_after_an_illegal_order_nothing_is_said_of_the_turned_up_card():
    record = made_deal("belote-fr", 1, "P O", receiver=1)
    assert checked(record).codes == ["call-out-of-turn-up", "auction-not-closed"]


def test_a_seat_with_more_cards_than_were_dealt_to_it():
    record = made_deal("belot-ru-3p", 3, "T")
    held = {*text(record["hands"]).split(), record["turn_up"]}
    never_dealt = next(card for card in CARD_NAMES if card not in held)
    record["first_hands"][0] = never_dealt + record["first_hands"][0][2:]
    assert checked(record).findings == [("hand-mismatch", 0, "first_hands")]
    assert checked(without(record, "hands")).findings == [("hand-mismatch", 0, "plays")]


# --- Exchange --------------------------------------------------------------------------------


def exchanged(seed: int, calls: str = "T", first: bool = True) -> Record:
    """A deal of belot-ru-3p in which the holder of the seven of the turned-up suit exchanged it."""
    while True:
        record = made_deal("belot-ru-3p", seed, calls)
        turned = record["turn_up"]
        seven = "7" + turned[1]
        place = "first_hands" if first else "hands"
        holders = [seat for seat, hand in enumerate(record[place]) if seven in hand.split()]
        is_late = holders and not first and seven in record["first_hands"][holders[0]].split()
        if holders and not is_late:
            break
        seed += 1000
    hands = [hand.replace(seven, turned).split() for hand in record["hands"]]
    contract = next(call for call in record["auction"] if call != "P")
    plays = legal_plays("belot-ru-3p", contract, hands, seed)
    return record | {
        "exchange": {"seat": holders[0]},
        "hands": [text(hand) for hand in hands],
        "plays": plays,
    }


@pytest.mark.parametrize("gap", [(), ("hands",), ("first_hands",), ("hands", "first_hands"), ("turn_up",)])
@pytest.mark.parametrize("first", [True, False])
def test_an_exchange(gap, first):
    for seed in SEEDS:
        record = without(exchanged(seed, first=first), *gap)
        if gap == ("turn_up",) and first:
            continue  # the seven is missed from the hand, and nothing says where it went
        result = checked(record)
        assert result.findings == []
        assert result.played.is_known


def test_an_exchange_that_the_log_does_not_tell():
    record = exchanged(1)
    seat = record.pop("exchange")["seat"]
    assert set(checked(record).findings) == {
        ("hand-mismatch", seat, "first_hands"),
        ("hand-mismatch", seat, "turn_up"),
    }


def test_an_exchange_by_a_seat_that_did_not_hold_the_seven():
    record = exchanged(1)
    other = (record["exchange"]["seat"] + 1) % 3
    record["exchange"] = {"seat": other}
    assert ("hand-mismatch", other, "exchange") in checked(record).findings
    assert ("hand-mismatch", other, "exchange") in checked(without(record, "first_hands")).findings


def test_an_exchange_after_which_the_seven_is_played():
    record = made_deal("belot-ru-3p", 2, "T")
    seven = "7" + record["turn_up"][1]
    holder = next((seat for seat, hand in enumerate(record["hands"]) if seven in hand), None)
    assert holder is not None
    record["exchange"] = {"seat": holder}
    assert checked(record).codes == ["hand-mismatch"] * len(checked(record).codes) != []
    assert ("hand-mismatch", holder, "exchange") in checked(record).findings
    assert ("hand-mismatch", holder, "exchange") in checked(without(record, "hands")).findings


@pytest.mark.parametrize(
    ("name", "calls", "options"),
    [
        ("belot-ru-3p", "P P P O", {}),
        ("belot-ru-3p", "T", {"seven_exchange": False}),
        ("belot-1001-3p", "T", {}),
        ("belote-fr", "T", {}),
    ],
)
def test_an_exchange_that_the_rules_do_not_allow(name, calls, options):
    receiver = 0 if name == "belote-fr" else None
    record = made_deal(name, 3, calls, receiver, **options) | {"exchange": {"seat": 1}}
    assert checked(record).findings == [("hand-mismatch", 1, "exchange")]


def test_an_exchange_of_a_turned_up_seven():
    seed = next(seed for seed in range(500) if made_deal("belot-ru-3p", seed, "T")["turn_up"][0] == "7")
    record = made_deal("belot-ru-3p", seed, "T") | {"exchange": {"seat": 0}}
    assert checked(record).findings == [("hand-mismatch", 0, "exchange")]


# --- All passed ------------------------------------------------------------------------------


def test_an_all_pass_deal():
    record = made_deal("belot-ru-pairs", 1, "P P P P P P P P", 3)
    result = checked(record)
    assert result.bidding.is_all_pass
    assert not result.bidding.is_passed
    assert result.bidding[:3] == (parse_contract(record["turn_up"][1]), -1, 1)


def test_an_all_pass_deal_whose_trump_is_not_known():
    result = checked(without(made_deal("belot-ru-pairs", 1, "P P P P P P P P", 3), "turn_up"))
    assert result.findings == [("incomplete-deal", None, "turn_up")]


def test_an_all_pass_deal_that_is_thrown_in():
    record = made_deal("belot-ru-pairs", 1, "P P P P P P P P", 3, all_pass="redeal")
    assert checked(record).codes == ["auction-not-closed"]
    passed = without(record, "plays", "hands") | {"end": "passed"}
    result = checked(passed)
    assert (result.findings, result.bidding.is_passed, result.bidding.is_all_pass) == ([], True, False)


# --- Stated contracts ------------------------------------------------------------------------


def stated(name: str, turn_up: Any, call: str, level: int = 1, **options: Any) -> list[str]:
    record = {
        "format": "bhh/1",
        "source": "test",
        "match": "m1",
        "deal": 1,
        "rules": name,
        "options": options,
        "dealer": 0,
        "contract": {"call": call, "seat": 1, "level": level},
        "end": "abandoned",
    }
    return checked(record | ({"turn_up": turn_up} if turn_up else {})).codes


@pytest.mark.parametrize(
    ("codes", "args", "options"),
    [
        ([], ("belote-fr", "9H", "S"), {}),
        ([], ("belote-fr", None, "S"), {"round_two": "none"}),
        (["call-out-of-turn-up"], ("belote-fr", "9H", "S"), {"round_two": "none"}),
        (["call-out-of-turn-up"], ("belote-fr", "9H", "N"), {}),
        ([], ("belot-ru-pairs", "9H", "A"), {}),
        ([], ("belot-1001-2p", ["9H", "9S"], "S"), {}),
        (["call-out-of-turn-up"], ("belot-1001-2p", ["9H", "9S"], "C"), {}),
        (["contra-not-allowed"], ("belote-fr", "9H", "H", 2), {}),
        ([], ("belote-fr", "9H", "H", 2), {"multipliers": [2]}),
        ([], ("baloot", "9H", "H", 0), {}),
        ([], ("baloot", "9H", "N", 2), {}),
        (["contra-not-allowed"], ("baloot", "9H", "N", 3), {}),
        (["call-out-of-turn-up"], ("baloot", "9H", "A"), {}),
        (["bid-too-low"], ("belot-bg", None, "A"), {"contracts": ["C", "D", "H", "S", "N"]}),
    ],
)
def test_stated_contracts(codes, args, options):
    assert stated(*args, **options) == codes


def test_a_stated_taker_holds_the_turned_up_card():
    record = made_deal("belote-fr", 1, "P T", 1)
    contract = {"call": record["turn_up"][1], "seat": 1}
    right = without(record, "auction") | {"contract": contract}
    assert checked(right).findings == []
    wrong = right | {"contract": contract | {"seat": 2}}
    assert ("hand-mismatch", 2, "turn_up") in checked(wrong).findings


# --- Closed doubling (Baloot) ----------------------------------------------------------------


def closed_deal(calls: str, lead: str) -> Record:
    suit = {"H": "7H 8H 9H TH JH QH KH AH"}["H"].split()
    clubs, diamonds, spades = ([rank + s for rank in "789TJQKA"] for s in "CDS")
    hands = [[*suit[:4], *clubs[:4]], [*suit[4:], *clubs[4:]], diamonds, spades]
    first_hands = [hand[:5] for hand in hands]
    first_hands[0] = ["8H", "9H", "TH", "7C", "8C"]
    return {
        "format": "bhh/1", "source": "test", "match": "m1", "deal": 1, "rules": "baloot", "dealer": 3,
        "turn_up": "7H", "first_hands": [text(hand) for hand in first_hands], "auction": calls.split(),
        "hands": [text(hand) for hand in hands], "plays": lead, "end": "abandoned",
    }  # fmt: skip


def test_a_trump_led_in_a_deal_doubled_closed():
    calls = "H P P P P X- P P P"
    assert checked(closed_deal(calls, "8H")).findings == [("closed-lead", 0, "plays")]
    assert checked(closed_deal(calls, "7C")).findings == []
    assert checked(closed_deal("H P P P P X P P P", "8H")).findings == []
    assert checked(closed_deal("H P P P P X- XX P P P", "8H")).findings == []
    assert checked(closed_deal("H P P P P X XX XXX- P P P", "8H")).codes == ["closed-lead"]


def test_ashkal_gives_the_card_to_the_partner():
    calls = "P P AK P P P"  # seat 2 calls, seat 0 gets the card
    assert checked(closed_deal(calls, "7C")).findings == []
    assert checked(closed_deal("P P N P P P", "7C")).findings == [
        ("hand-mismatch", 2, "turn_up"),
    ]

"""How a deal can end otherwise than by its last card, and deals that are played though all passed."""

from typing import Any

import pytest

from tests import naive
from tests.check.records import BASE, Record, checked, claiming, codes

HANDS = [
    "AC KC 8C 7C 8D QH TH KS",
    "QC 9C AD QD TD AH 8S 7S",
    "KH JH 9H 8H AS JS TS 9S",
    "JC TC KD JD 9D 7D 7H QS",
]
FIRST_HANDS = ["KC 7C 8D TH KS", "9C AD QD TD 8S", "8H AS JS TS 9S", "TC KD JD 7H QS"]
HANDS_3P = ["7C 8C 9C TC JC QC KC AC 7D", "8D 9D TD JD QD KD AD 7H 8H", "9H TH JH QH KH AH 7S 8S 9S"]


def played_out(
    rules: str, contract: str, hands: list[str], leader: int, tricks: int = 9
) -> tuple[str, list[int]]:
    """Cards and winners of a deal in which everybody plays his last legal card, by the second engine."""
    system, left = naive.SYSTEMS[rules], [hand.split() for hand in hands]
    plays, winners = [], []
    for _ in range(min(tricks, len(left[0]))):
        trick: list[tuple[int, str]] = []
        for turn in range(len(hands)):
            seat = (leader + turn) % len(hands)
            card = naive.legal_cards(system, contract, " ".join(left[seat]), trick, seat)[-1]
            left[seat].remove(card)
            trick.append((seat, card))
        plays += [card for _, card in trick]
        leader = naive.trick_winner(system, contract, trick)
        winners.append(leader)
    return " ".join(plays), winners


def card_points(contract: str, plays: str, winners: list[int], sides: int) -> list[int]:
    """Points of the cards a side, with ten for the last trick of a whole deal."""
    cards, size = plays.split(), len(plays.split()) // len(winners)
    points = [0] * sides
    for number, winner in enumerate(winners):
        for card in cards[number * size : (number + 1) * size]:
            points[winner % sides] += naive.card_points(contract, card)
    return points


def all_passed(**fields: Any) -> Record:
    """Eight passes over the ace of clubs, which the dealer takes, and the deal played in clubs."""
    plays, _ = played_out("belot-ru-pairs", "C", HANDS, 1)
    record = BASE | {
        "rules": "belot-ru-pairs",
        "dealer": 0,
        "turn_up": "AC",
        "first_hands": FIRST_HANDS,
        "auction": ["P"] * 8,
        "hands": HANDS,
        "plays": plays,
    }
    return record | fields


def test_all_pass_deal_counts_against_its_takers():
    """Q20: what a side took counts minus for it; nothing was announced here."""
    plays, winners = played_out("belot-ru-pairs", "C", HANDS, 1)
    expected = card_points("C", plays, winners, 2)
    expected[winners[-1] % 2] += 10
    computed = checked(all_passed()).computed
    assert codes(all_passed()) == []
    assert (computed.outcome, computed.is_scored, computed.declarer, computed.is_made) == (
        "all_pass",
        True,
        None,
        None,
    )
    assert sum(computed.score) == -162
    assert list(computed.score) == [-points for points in expected]


def test_announcements_of_an_all_pass_deal_count_against_the_others():
    """Q20: the others' combinations, where a side took a trick at all."""
    sequence = {"seat": 2, "cards": "9S TS JS"}
    before, after = checked(all_passed()).computed, checked(all_passed(declarations=[sequence])).computed
    assert after.tricks_won[1] > 0
    assert (after.score[0], after.score[1]) == (before.score[0], before.score[1] - 20)


def test_all_pass_deal_claims_are_checked():
    score = list(checked(all_passed()).computed.score)
    assert codes(claiming(all_passed(), score=score)) == []
    assert codes(claiming(all_passed(), score=[-points for points in score])) == ["wrong-score"]
    assert codes(claiming(all_passed(), declarer=1, made=True)) == ["wrong-declarer", "wrong-made"]


def test_all_pass_deal_must_be_played_where_the_rules_play_it():
    unplayed = {
        key: value for key, value in all_passed(end="passed").items() if key not in ("plays", "hands")
    }
    assert codes(unplayed) == ["incomplete-deal"]
    assert codes(unplayed | {"options": {"all_pass": "redeal"}}) == []


def out(seat: int, tricks: int, **fields: Any) -> Record:
    """A three-player deal in clubs in which *seat* declares itself out after some tricks."""
    plays, _ = played_out("belot-ru-3p", "C", HANDS_3P, 0, tricks)
    record = BASE | {
        "rules": "belot-ru-3p",
        "dealer": 2,
        "turn_up": "TS",
        "auction": ["P", "C"],
        "hands": HANDS_3P,
        "plays": plays,
        "end": "declared_out",
        "ended_by": {"seat": seat, "at": 3 * tricks},
    }
    return record | {"auction": ["P", "P", "P", "C"]} | fields


def test_declaring_out_ends_the_deal_without_a_score():
    """A143: after a trick of one's own; the points of the tricks so far, without the last ten."""
    plays, winners = played_out("belot-ru-3p", "C", HANDS_3P, 0, 3)
    computed = checked(out(winners[-1], 3)).computed
    assert codes(out(winners[-1], 3)) == []
    assert (computed.outcome, computed.is_scored) == ("declared_out", False)
    assert list(computed.points) == card_points("C", plays, winners, 3)


@pytest.mark.parametrize("seat", [1, 2])
def test_only_the_winner_of_the_last_trick_declares_out(seat):
    _, winners = played_out("belot-ru-3p", "C", HANDS_3P, 0, 3)
    assert winners[-1] == 0
    assert codes(out(seat, 3)) == ["false-declare-out"]
    assert checked(out(seat, 3)).computed.outcome == "unfinished"


def test_nobody_declares_out_in_the_middle_of_a_trick_or_where_the_rules_do_not_know_it():
    record = out(0, 3)
    cut = record | {"plays": " ".join(record["plays"].split()[:8]), "ended_by": {"seat": 0, "at": 8}}
    assert codes(cut) == ["false-declare-out"]
    assert codes(record | {"options": {"declare_out": False}}) == ["false-declare-out"]


def spades(plays: str, rules: str = "bela-4p", **fields: Any) -> Record:
    """Spades by seat 2, first led by seat 1."""
    record = BASE | {
        "rules": rules,
        "dealer": 0,
        "auction": ["P", "S", "P", "P", "P"],
        "hands": HANDS,
        "plays": plays,
    }
    return record | {"declarations": [{"seat": 2, "cards": "9S TS JS"}], "end": "abandoned"} | fields


def test_illegal_card_ends_the_deal_where_the_rules_say_so():
    """A449: 162 and everything announced to the other side; seat 3 holds clubs and does not follow."""
    option = {"options": {"illegal_card": "ends_deal"}}
    assert codes(spades("QC AS QS AC")) == ["revoke"]
    computed = checked(spades("QC AS QS AC", **option)).computed
    assert (computed.outcome, computed.score, computed.is_scored) == ("penalty", (18, 0), True)
    assert checked(spades("QC AS QS AC")).computed.outcome == "unfinished"
    assert checked(spades("QC AS", **option)).computed.outcome == "unfinished"


def test_penalty_is_multiplied_with_the_level():
    option = {"options": {"illegal_card": "ends_deal"}, "auction": ["P", "S", "X", "P", "P", "P"]}
    assert checked(spades("QC AS QS AC", **option)).computed.score == (36, 0)


def test_rest_is_claimed_by_the_player_on_lead():
    """All cards not played go to him, and the last ten, of the hands; the five cards out are nobody's."""
    _, winners = played_out("belot-ru-3p", "C", HANDS_3P, 0, 3)
    claim = out(winners[-1], 3, end="claimed", options={"claim_cards": 6})
    computed = checked(claim).computed
    whole = sum(naive.card_points("C", card) for hand in HANDS_3P for card in hand.split())
    assert codes(claim) == []
    assert sum(computed.card_points) == whole + 10
    assert computed.tricks_won[0] == winners.count(0) + 6
    assert computed.last_trick_side == 0
    assert codes(claim | {"options": {"claim_cards": 5}}) == ["incomplete-deal"]


def test_kirtik_is_taken_from_a_failed_declarer():
    """A471: ten game points off for failing."""
    plays, _ = played_out("bela-4p", "D", HANDS, 1)
    failed = spades(plays, end="played", declarations=[], auction=["P", "P", "P", "D", "P", "P", "P"])
    assert codes(failed) == []
    plain = checked(failed).computed
    fined = checked(failed | {"options": {"kirtik": 10}}).computed
    assert plain.outcome == "failed"
    assert fined.score == (plain.score[0] - 10, plain.score[1])


@pytest.mark.parametrize("auction", [["P", "P"], ["N"], None])
def test_declaring_out_of_a_deal_without_a_contract_is_a_finding(auction):
    record = out(0, 3)
    record = {key: value for key, value in record.items() if key != "auction"} | (
        {"auction": auction} if auction else {}
    )
    assert codes(record)
    assert checked(record).computed.outcome == "unfinished"


def test_nobody_declares_out_after_the_last_trick():
    """A143: after a trick of one's own, the last one excepted; that is settled at the recording."""
    plays, winners = played_out("belot-ru-3p", "C", HANDS_3P, 0, 9)
    record = out(winners[-1], 9) | {"plays": plays}
    assert checked(record).computed.outcome == "unfinished"
    assert codes(record) == ["false-declare-out"]

"""What findings do to a deal: illegal calls and cards, refused announcements, partial hands, several faults at once."""

import random
import time

import msgspec
import pytest

from belot_stats.cards import parse_cards, parse_hand
from belot_stats.deal import Deal
from belot_stats.ruleset import load_ruleset
from tests import naive, strategies
from tests.check.records import (
    BASE,
    WHOLE,
    begun,
    bid,
    checked,
    claiming,
    codes,
    deal_of,
    full_hands,
)

FIVE_FAULTS = claiming(
    WHOLE
    | {
        "auction": ["C", "X", "C", "S", "P", "P", "P"],
        "first_hands": ["KC 7C 8D TH QS", "9C AD QD TD 8S", "8H AS JS TS 9S", "TC KD JD 7H KS"],
        "declarations": [{"seat": 2, "cards": "9S TS JS"}, {"seat": 1, "cards": "QC KC AC"}],
        "belotes": [{"seat": 0, "suit": "S", "at": 3}],
    },
    contract="S",
    declarer=1,
    level=2,
    tricks=[2, 1, 2, 2, 2, 2, 2, 3],
    points=[162, 0],
    capot=0,
    made=False,
    score=[0, 16],
    hanging=4,
)  # fmt: skip


def test_all_faults_of_a_record_are_found():
    """C, X, C again (too low), S: the contract is the fourth speaker's."""
    assert codes(FIVE_FAULTS) == sorted(
        [
            "bid-too-low",
            "hand-mismatch",
            "hand-mismatch",
            "false-declaration",
            "false-belote",
            "wrong-declarer",
            "wrong-level",
            "wrong-trick-winner",
            "wrong-points",
            "wrong-capot",
            "wrong-made",
            "wrong-score",
            "wrong-hanging",
        ]
    )


def test_several_faults_of_one_kind():
    record = WHOLE | {
        "plays": "8S JS QS KS 9H 7H TH AH QD TS 9D 8D 9S JD QH 7S AS JC AC 9C KH 7D 7C AD JH KD KC QC TC 8H 8C TD",
        "auction": ["S", "C", "D", "P", "P", "P"],
        "claimed": {"tricks": [1, 1, 1, 1, 1, 1, 1, 1]},
    }  # fmt: skip
    found = codes(record)
    assert found.count("bid-too-low") == 2
    assert found.count("wrong-trick-winner") >= 6
    assert "card-not-in-hand" in found


# --- Illegal calls ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "finding_at", "contract", "declarer", "level"),
    [
        ("C P X P P", [2], 0, 0, 1),  # the third pass is the last call: an illegal one between breaks no run
        ("D C P P P", [1], 1, 0, 1),
        ("C D C P P P", [2], 1, 1, 1),
        ("P X C P P P", [1], 0, 2, 1),
        ("H P XX X P P P", [2], 2, 0, 2),
        ("H X X P P P", [2], 2, 0, 2),
    ],
)
def test_illegal_call_takes_its_turn_and_counts_as_nothing(calls, finding_at, contract, declarer, level):
    result = checked(bid(calls))
    assert [finding.call_index for finding in result.findings] == finding_at
    got = result.computed
    assert (got.contract, got.declarer, got.level) == (contract, declarer, level)


def test_illegal_call_names_seat_and_call():
    (finding,) = checked(bid("C P X P P")).findings
    assert (finding.seat, finding.call_index, finding.token, finding.found) == (2, 2, "X", "X")
    assert finding.expected == "one of D H S N A P"


def test_passed_out_around_an_illegal_call():
    result = checked(BASE | {"auction": ["P", "X", "P", "P", "P"], "end": "passed"})
    assert [finding.code for finding in result.findings] == ["contra-not-allowed"]
    assert result.computed.outcome == "passed"


def test_every_call_after_the_end_is_a_finding():
    assert codes(bid("C P P P P S X")) == ["call-after-end"] * 3


# --- Illegal cards ---------------------------------------------------------------------------


def test_revoke_is_scored_as_played():
    """The led suit was held: the card stays on the table, and the trick is whose it is."""
    hands = full_hands("AC KC", "8C 7D", "9C 7C", "TC QC", without=("", "", "", ""))
    result = checked(begun("H", "AC 7D 9C TC", hands))
    assert [finding.code for finding in result.findings] == ["revoke"]
    (finding,) = result.findings
    assert (finding.seat, finding.trick, finding.card_index, finding.token) == (1, 0, 1, "7D")
    assert result.computed.trick_winners == (0,)
    assert result.computed.trick_points == (21,)
    assert result.computed.illegal_cards == 1


def test_expected_cards_are_named():
    result = checked(begun("H", "AC 7D", full_hands("AC", "8C 9C 7D", without=("", "TC JC QC KC"))))
    assert result.findings[0].expected == "one of 8C 9C"


def test_illegal_cards_punished_on_a_claim_are_irregularities():
    hands = full_hands("AC", "8C 7D")
    record = begun("H", "AC 7D", hands, options={"illegal_card": "penalty_on_claim"})
    (finding,) = checked(record).findings
    assert (finding.code, finding.severity) == ("revoke", "irregularity")


# --- A server that goes on from its own wrong trick winner ------------------------------------


def play_with_wrong_winner(seed: int) -> tuple[dict, int]:
    """A deal whose server gave one trick to the wrong seat, which then led; and the number of that trick."""
    rules = load_ruleset("belot-bg")
    names, rng = strategies.naive_rules(rules), random.Random(seed)
    contract, hands, wrong_at = (
        strategies.contract_of(rng),
        strategies.deal_hands(rules, rng),
        rng.randrange(7),
    )
    left, leader, plays, stated = [list(hand) for hand in hands], 0, [], []
    for number in range(8):
        trick = []
        for place in range(4):
            seat = (leader + place) % 4
            card = rng.choice(naive.legal_cards(names, contract, left[seat], trick, seat))
            left[seat].remove(card)
            trick.append((seat, card))
        leader = naive.trick_winner(names, contract, trick)
        if number == wrong_at:
            leader = (leader + rng.randint(1, 3)) % 4
        stated.append(leader)
        plays += [card for _, card in trick]
    record = BASE | {
        "auction": [contract, "P", "P", "P"],
        "hands": [" ".join(hand) for hand in hands],
        "plays": " ".join(plays),
        "claimed": {"tricks": stated},
    }
    return record, wrong_at


@pytest.mark.parametrize("seed", range(60))
def test_wrong_trick_winner_who_leads(seed):
    """One finding: the cards fit the seat that led, so no card is called foreign to its hand."""
    record, wrong_at = play_with_wrong_winner(seed)
    findings = checked(record).findings
    assert [(finding.code, finding.trick) for finding in findings] == [("wrong-trick-winner", wrong_at)]


def test_points_of_the_wrongly_given_trick_stay_with_its_winner():
    record, wrong_at = play_with_wrong_winner(3)
    computed = checked(record).computed
    assert computed.trick_winners[wrong_at] != record["claimed"]["tricks"][wrong_at]
    assert sum(computed.card_points) == {"N": 130, "A": 258}.get(record["auction"][0], 162)
    assert computed.trick_leaders[wrong_at + 1] == record["claimed"]["tricks"][wrong_at]


# --- Announcements that are refused ----------------------------------------------------------

RUNS = full_hands("8C 9C TC AD", "7C JD QD KD", "KC 7H", "JC 7S", without=("", "C AD TD", "", ""))


def test_refused_announcement_counts_nothing_and_beats_nobody():
    record = begun("H", "8C 7C KC JC", RUNS) | {
        "declarations": [{"seat": 1, "cards": "QD KD AD"}, {"seat": 0, "cards": "8C 9C TC"}]
    }
    computed = checked(record).computed
    assert [item.status for item in computed.declaration_results] == ["false", "counted"]
    assert computed.declaration_points == (20, 0)


def test_late_announcement_beats_nobody():
    record = begun("H", "8C 7C KC JC", RUNS) | {
        "declarations": [{"seat": 1, "cards": "JD QD KD", "at": 4}, {"seat": 0, "cards": "8C 9C TC"}]
    }
    computed = checked(record).computed
    assert [item.status for item in computed.declaration_results] == ["late", "counted"]
    assert computed.declaration_points == (20, 0)


def test_of_two_with_a_common_card_the_one_announced_first_counts():
    hands = full_hands("8C 7S 8S 9S", "7C JC JD JH JS QH KH 8H", "KC", "TC")
    run, four = {"seat": 1, "cards": "JH QH KH"}, {"seat": 1, "cards": "JC JD JH JS"}
    for items, points in (([run, four], 20), ([four, run], 200)):
        computed = checked(begun("H", "8C 7C KC TC", hands) | {"declarations": items}).computed
        assert [item.status for item in computed.declaration_results] == ["counted", "shared"]
        assert computed.declaration_points == (0, points)


def test_announced_first_is_by_time_and_then_by_record():
    hands = full_hands("8C 7S 8S 9S", "7C JC JD JH JS QH KH 8H", "KC", "TC")
    items = [{"seat": 1, "cards": "JH QH KH", "at": 1}, {"seat": 1, "cards": "JC JD JH JS", "at": 0}]
    computed = checked(begun("H", "8C 7C KC TC", hands) | {"declarations": items}).computed
    assert [item.status for item in computed.declaration_results] == ["shared", "counted"]


def test_kind_means_the_best_such_combination():
    hands = full_hands("7C 8C 9C JC QC KC AD", "KD 7D", "", "")
    record = begun("D", "7C", hands) | {
        "declarations": [{"seat": 0, "kind": "tierce"}, {"seat": 0, "kind": "tierce"}]
    }
    result = checked(record)
    assert result.findings == ()
    cards = {item.cards for item in result.computed.declaration_results}
    assert cards == {parse_hand("7C 8C 9C"), parse_hand("JC QC KC")}


def test_kind_of_a_hand_known_in_part_is_unknown():
    """Nothing is known against it, and nothing is known of its cards."""
    record = BASE | {
        "auction": ["H", "P", "P", "P"],
        "plays": "8C 7C KC JC",
        "end": "abandoned",
        "declarations": [{"seat": 0, "kind": "tierce"}],
    }
    result = checked(record)
    assert result.findings == ()
    assert result.computed.declaration_points == (0, 0)


EIGHT = full_hands("7C 8C 9C TC JC QC KC AC", "7D")


@pytest.mark.parametrize("shared_cards", [False, True])
@pytest.mark.parametrize("second", ["8C 9C TC", "9C TC JC"])
def test_two_sequences_never_share_a_card(shared_cards, second):
    """What some systems allow is one card in a carré and in a sequence."""
    record = begun("C", "7C", EIGHT, options={"shared_cards": shared_cards}) | {
        "declarations": [{"seat": 0, "cards": "8C 9C TC"}, {"seat": 0, "cards": second}]
    }
    assert codes(record) == ["shared-card"]
    assert checked(record).computed.declaration_points == (20, 0)


@pytest.mark.parametrize("shared_cards", [False, True])
def test_many_kinds_are_read_in_no_time(shared_cards):
    """Eight tierces in a run of eight: two of them can be, however long one looks."""
    record = begun("C", "7C", EIGHT, options={"shared_cards": shared_cards}) | {
        "declarations": [{"seat": 0, "kind": "tierce"}] * 8
    }
    start = time.perf_counter()
    computed = checked(record).computed
    assert time.perf_counter() - start < 5
    assert computed.declaration_points == (40, 0)


def test_any_number_of_kinds():
    """The reader takes fewer; a reader of another format may not."""
    deal = deal_of(begun("C", "7C", EIGHT) | {"declarations": [{"seat": 0, "kind": "tierce"}]})
    many = msgspec.structs.replace(deal, declarations=deal.declarations * 1_200)
    assert checked(many).computed.declaration_points == (40, 0)


# --- Hands that are not logged ---------------------------------------------------------------


@pytest.mark.parametrize("absent", [("hands",), ("first_hands",), ("hands", "first_hands")])
def test_hands_may_be_left_out(absent):
    record = {key: value for key, value in WHOLE.items() if key not in absent}
    result = checked(record)
    assert result.findings == ()
    assert result.computed.dealt_hands == checked(WHOLE).computed.dealt_hands


def any_cards(seed: int) -> Deal:
    """A deal of cards thrown without regard to any duty; every seat plays its own."""
    rules, rng = load_ruleset("belot-bg"), random.Random(seed)
    hands = strategies.deal_hands(rules, rng)
    contract = strategies.contract_of(rng)
    left, leader, plays = [rng.sample(hand, 8) for hand in hands], 0, []
    for _ in range(8):
        trick = [((leader + place) % 4, left[(leader + place) % 4].pop()) for place in range(4)]
        leader = naive.trick_winner(strategies.naive_rules(rules), contract, trick)
        plays += [card for _, card in trick]
    return Deal(
        source="s",
        match="m",
        deal=1,
        rules="belot-bg",
        dealer=3,
        auction=("CDHSNA".index(contract), 6, 6, 6),
        hands=tuple(map(parse_hand, hands)),
        plays=tuple(parse_cards(plays)),
    )


@pytest.mark.parametrize("seed", range(80))
def test_illegal_cards_are_those_the_slow_engine_forbids(seed):
    """Card by card, with hands logged and with hands known from the cards played alone."""
    deal = any_cards(seed)
    names = naive.BELOT_BG
    expected = []
    contract = "CDHSNA"[deal.auction[0]]
    cards = strategies.mask_text
    left = [cards(mask).split() for mask in deal.hands]
    leader = 0
    texts = [cards(1 << card) for card in deal.plays]
    for number in range(8):
        trick = []
        for place in range(4):
            seat, card = (leader + place) % 4, texts[4 * number + place]
            fault = naive.forbidden(names, contract, left[seat], trick, seat).get(card)
            if fault:
                expected.append((4 * number + place, fault))
            left[seat].remove(card)
            trick.append((seat, card))
        leader = naive.trick_winner(names, contract, trick)
    with_hands = checked(deal)
    assert [(finding.card_index, finding.code) for finding in with_hands.findings] == expected
    assert with_hands.computed.illegal_cards == len(expected)
    assert with_hands.computed.outcome in ("made", "failed", "hanging")
    assert sum(with_hands.computed.card_points) == {"N": 130, "A": 258}.get(contract, 162)
    without = checked(
        Deal(**{name: getattr(deal, name) for name in deal.__struct_fields__ if name != "hands"})
    )
    assert without.findings == with_hands.findings


def test_incomplete_deal_without_hands_shows_what_is_sure():
    """Seat 1 ruffs and follows later: a revoke for certain, though its hand is known in part only."""
    record = BASE | {
        "auction": ["H", "P", "P", "P"],
        "plays": "AC 7D 9C TC KC 8C",
        "end": "abandoned",
    }
    result = checked(record)
    assert [(finding.code, finding.card_index) for finding in result.findings] == [("revoke", 1)]
    assert result.computed.dealt_hands is None
    assert result.computed.outcome == "unfinished"


def test_claims_of_an_unfinished_deal_are_not_judged():
    record = WHOLE | {"plays": " ".join(WHOLE["plays"].split()[:12]), "end": "abandoned"}
    assert codes(claiming(record, points=[1, 2], score=[3, 4], made=False, capot=1)) == []
    assert codes(claiming(record, tricks=[0, 0])) == ["wrong-trick-winner"] * 2


@pytest.mark.parametrize(
    ("stated", "what"),
    [
        ({"call": "S", "seat": 2, "level": 0}, "a level for the whole match"),
        ({"call": "S", "seat": 2, "level": 3}, "a level between"),
    ],
)
def test_stated_level_that_the_rules_do_not_have_is_found(stated, what):
    record = {key: value for key, value in WHOLE.items() if key != "auction"} | {
        "contract": stated,
        "claimed": {},
    }
    assert codes(record) != [], what


def test_stated_contract_that_is_not_open_to_bid_is_found():
    record = {key: value for key, value in WHOLE.items() if key != "auction"} | {
        "contract": {"call": "S", "seat": 2, "level": 1},
        "options": {"contracts": ["C", "D", "H", "N", "A"]},
    }
    assert codes(record) != []

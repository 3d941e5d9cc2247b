"""When combinations and belotes are announced in each system, and what becomes of them; RULES.md 1e, CASES 4 and 9."""

import json

import pytest

from belot_stats.cards import format_hand
from belot_stats.checks.auction import Bidding
from belot_stats.checks.collect import Findings
from belot_stats.checks.declarations import check_belotes, check_declarations
from belot_stats.checks.play import check_play
from belot_stats.readers.bhh import read_line
from belot_stats.ruleset import load_ruleset
from tests.check.records import BASE, OPTIONS

# Three players, hearts; seat 0 leads and takes trick 0, leads again, seat 1 takes tricks 1 and 2.
# Seat 0 holds the tierce 7-9 of clubs, seat 1 the tierce 10-Q of diamonds, seat 2 nothing.
THREE = {
    "dealer": 2,
    "hands": [
        "7C 8C 9C QC 7D KD TH 7S AS",
        "AC TD JD QD AD 9H KH 8S JS",
        "TC JC 8D 9D 8H 9S TS QS KS",
    ],
    "plays": "AS 8S 9S QC AC TC TD 8D 7D",
}
CLUBS, DIAMONDS = "7C 8C 9C", "TD JD QD"


def announced(preset, deal, contract="H", is_all_pass=False, **options):
    """Results and findings of the announcements of a record that breaks off; seat 0 is the declarer."""
    record = BASE | {"rules": preset, "contract": {"call": contract, "seat": 0}, "end": "abandoned"} | deal
    read = read_line(json.dumps(record).encode(), 1, 0, OPTIONS)
    rules = load_ruleset(preset, options)
    findings = Findings(rules)
    bidding = Bidding("CDHSNA".index(contract), 0, 1, False)
    played = check_play(read, rules, bidding, Findings(rules))
    won = [0, 0, 0] if not rules.partners and rules.players == 3 else [0, 0]
    for trick in played.tricks:
        if trick.winner_seat is not None:
            won[trick.winner_seat % len(won)] += 1
    declared = check_declarations(read, rules, bidding.contract, played, won, findings, is_all_pass)
    belotes = check_belotes(
        read, rules, bidding.contract, played, won, declared, findings, is_all_pass=is_all_pass
    )
    return declared, belotes, findings.items


def statuses(preset, deal, **more):
    declared, belotes, _ = announced(preset, deal, **more)
    return [item.status for item in (*declared, *belotes)]


def on_lead(*declarations, **changes):
    """Statuses of (seat, cards or kind[, at]) in the deal of three, by the German rules."""
    items = []
    for seat, what, *at in declarations:
        named = {"cards": what} if " " in what else {"kind": what}
        items.append({"seat": seat} | named | ({"at": at[0]} if at else {}))
    return statuses("belot-1001-3p", THREE | {"declarations": items} | changes)


# --- Until when ----------------------------------------------------------------------------------

FOUR = {
    "dealer": 3,
    "hands": [
        "7C 8C AC 7D 8D 7H 7S 8S", "9C TC JC 9D JD AH 9S TS",
        "QC KC TD QD KD 9H TH JS", "AD 8H JH QH KH QS KS AS",
    ],
    "plays": "AC 9C QC AD 8C TC KC",
}  # fmt: skip
THREE_BELA = {
    "dealer": 2,
    "hands": ["9C TC JC AD 9H TH 9S TS", "QC KC 9D TD QH KH QS KS", "AC JD QD KD JH AH JS AS"],
    "plays": "JC QC AC KD AD 9D TH QH",
}
TWO_BELA = {
    "dealer": 1,
    "hands": ["9C TC JC AD 9H TH 9S TS JS", "AC QC KC 9D TD QH KH QS KS"],
    "plays": "JC AC KS 9S 9D",
}


@pytest.mark.parametrize(
    ("preset", "deal", "seat", "cards", "last"),
    [
        ("bela-4p", FOUR, 1, "9C TC JC", 7),  # Q43: late only after trick 2
        ("bela-3p", THREE_BELA, 0, "9C TC JC", 5),
        ("bela-2p", TWO_BELA, 0, "9C TC JC", 3),
        ("belot-world", FOUR, 1, "9C TC JC", 3),  # A298: during the first trick
        ("belote-fr", FOUR, 1, "9C TC JC", 3),
        ("belot-bg", FOUR, 1, "9C TC JC", 1),  # B59: with the own first card
        ("belot-ru-pairs", FOUR, 1, "9C TC JC", 1),  # A44
        ("belot-ru-3p", THREE, 1, DIAMONDS, 1),
    ],
)
def test_last_moment_to_announce(preset, deal, seat, cards, last):
    def code(at):
        declarations = [{"seat": seat, "cards": cards, "at": at}]
        return [item.code for item in announced(preset, deal | {"declarations": declarations})[2]]

    assert code(last) == []
    assert code(last + 1) == ["late-declaration"]


def test_opening_leader_announces_before_his_lead():
    assert on_lead((0, CLUBS, 0)) == ["counted"]


def test_winner_of_a_trick_announces_before_he_leads():
    assert on_lead((1, DIAMONDS, 6)) == ["counted"]
    assert on_lead((0, CLUBS, 3)) == ["counted"]


@pytest.mark.parametrize(
    ("seat", "cards", "at"), [(1, DIAMONDS, 0), (1, DIAMONDS, 1), (1, DIAMONDS, 3), (0, CLUBS, 1)]
)
def test_who_is_not_on_lead_announces_late(seat, cards, at):
    assert on_lead((seat, cards, at)) == ["late"]


@pytest.mark.parametrize("at", [10, 11, 12, 26, 27])
def test_a_moment_that_the_deal_does_not_have_is_late(at):
    assert on_lead((0, CLUBS, at)) == ["late"]


def test_after_the_last_trick_nobody_is_on_lead():
    hands = ["7H 8H 9H TH JH QH KH AH AC", "7C 8C 9C TC JC 7D 8D 9D TD"]
    plays = "JH 7C 9H 8C AH 9C TH TC KH JC QH 7D 8H 8D 7H 9D AC TD"
    deal = {"dealer": 1, "hands": hands, "plays": plays}
    found = [
        statuses("belot-1001-2p", deal | {"declarations": [{"seat": 0, "cards": "7H 8H 9H", "at": at}]})
        for at in (0, 2, 16, 18)
    ]
    assert found == [["counted"], ["counted"], ["false"], ["late"]]


def test_cards_that_were_played_are_not_announced():
    """Seat 1 leads trick 3 as well, but the ten of diamonds lies on the table."""
    declared, _, (finding,) = announced(
        "belot-1001-3p", THREE | {"declarations": [{"seat": 1, "cards": DIAMONDS, "at": 9}]}
    )
    assert declared[0].status == "false"
    assert finding.code == "false-declaration"
    assert finding.expected == "cards still in hand, but TD was played before"


def test_a_kind_is_made_of_the_cards_still_held():
    declarations = [{"seat": 1, "kind": "tierce", "at": 6}]
    (result,), _, findings = announced("belot-1001-3p", THREE | {"declarations": declarations})
    assert (format_hand(result.cards), result.points, findings) == (DIAMONDS, 20, [])
    assert on_lead((1, "tierce", 9)) == ["false"]
    assert [on_lead((1, "tierce", at)) for at in (4, 8)] == [["late"]] * 2
    assert on_lead((1, "quarte", 6)) == ["false"]


def test_a_kind_is_not_made_of_a_better_combination_that_is_gone():
    """Seat 1 ruffs, and leads the ten of diamonds; with six cards on the table it holds the tierce in spades."""
    hands = ["7C 8C 9C QC 7D KD TH JS AS", "AC TD JD QD 7S 8S 9S 9H KH", "TC JC 8D 9D 8H KC TS QS KS"]
    deal = THREE | {"hands": hands, "plays": "AS KH TS TD 8D 7D"}
    for at, cards in ((3, "TD JD QD"), (6, "7S 8S 9S")):
        (result,), _, findings = announced(
            "belot-1001-3p", deal | {"declarations": [{"seat": 1, "kind": "tierce", "at": at}]}
        )
        assert (format_hand(result.cards), result.status, findings) == (cards, "counted", [])


def test_without_a_time_it_is_the_seat_s_first_lead():
    declared, _, findings = announced(
        "belot-1001-3p",
        THREE | {"declarations": [{"seat": 1, "kind": "tierce"}, {"seat": 0, "cards": CLUBS}]},
    )
    assert [item.at for item in declared] == [6, 0]
    assert findings == []


def test_who_was_never_on_lead_announces_late_without_a_time_too():
    hands = ["7C 8C 9C QC 7D KD TH 7S AS", "AC TD JD 8D AD 9H KH 8S JS", "TC JC QD 9D 8H 9S TS QS KS"]
    assert on_lead((2, "9S TS QS"), hands=hands) == ["false"]
    hands = ["7C 8C 9C QC 7D KD TH 7S AS", "AC TD JD QD AD 9H KH 8S TC", "JS JC 8D 9D 8H 9S TS QS KS"]
    plays = "AS 8S 9S QC AC JC TD 8D 7D"
    assert on_lead((2, "TS JS QS KS"), hands=hands, plays=plays) == ["late"]


# --- The answer to an announcement on lead (C16) ---------------------------------------------------


def test_another_seat_may_answer_at_the_same_moment():
    """Q above 9: the answer beats the tierce of who is on lead; in any order of the record."""
    assert on_lead((0, CLUBS, 0), (1, DIAMONDS, 0)) == ["beaten", "counted"]
    assert on_lead((1, DIAMONDS, 0), (0, CLUBS, 0)) == ["counted", "beaten"]


def test_an_answer_needs_an_announcement_of_who_is_on_lead():
    assert on_lead((0, CLUBS, 0), (1, DIAMONDS, 1)) == ["counted", "late"]
    assert on_lead((0, "7S 8S 9S", 0), (1, DIAMONDS, 0)) == ["false", "late"]


def test_a_third_seat_answers_too():
    hands = ["7C 8C 9C QC 7D KD TH 7S AS", "AC TD JD QD AD 9H KH 8S TC", "JS JC 8D 9D 8H 9S TS QS KS"]
    found = on_lead((1, DIAMONDS, 0), (2, "9S TS JS QS KS", 0), (0, CLUBS, 0), hands=hands, plays="AS 8S 9S")
    assert found == ["beaten", "no_trick", "beaten"]


def test_a_later_announcement_beats_an_earlier_lower_one():
    assert on_lead((0, CLUBS, 0), (1, DIAMONDS, 6)) == ["beaten", "counted"]


def test_of_equal_ones_the_earlier_stands():
    hands = ["7C 8C 9C QC KC KD TH 7S AS", "AC 7D 8D 9D AD 9H KH 8S JS", "TC JC QD TD 8H 9S TS QS KS"]
    changes = {"hands": hands, "plays": "AS 8S 9S QC AC TC"}
    assert on_lead((0, CLUBS, 3), (1, "7D 8D 9D", 6), **changes) == ["counted", "beaten"]
    ruffed = changes | {"plays": "AS KH TS AC TC TH"}
    assert on_lead((0, CLUBS, 6), (1, "7D 8D 9D", 3), **ruffed) == ["beaten", "counted"]
    assert on_lead((1, "7D 8D 9D", 0), (0, CLUBS, 0), **changes) == ["beaten", "counted"]


# --- One card in two declarations --------------------------------------------------------------------

KINGS = {
    "dealer": 3,
    "hands": [
        "KC KD KH KS QS JS TS 9S", "7C 8C 9C TC 7D 8D 9D TD",
        "JC QC AC JD QD AD 7H 8H", "9H TH JH QH AH 7S 8S AS",
    ],
    "plays": "KC 7C AC 9H",
}  # fmt: skip
QUINTE = "9S TS JS QS KS"


@pytest.mark.parametrize(
    ("preset", "second"),
    [
        ("belot-ru-pairs", "counted"), ("bela-4p", "shared"), ("belot-world", "shared"), ("belote-fr", "shared"),
        ("belot-bg", "shared"),
    ],
)  # fmt: skip
def test_a_carre_and_a_sequence_with_one_card(preset, second):
    """A75 allows it, A307 and A591 do not; the others leave it to the table."""
    declarations = [{"seat": 0, "cards": "KC KD KH KS"}, {"seat": 0, "cards": QUINTE}]
    deal = KINGS | {"declarations": declarations, "plays": "KC 7C JC 9H"}
    assert statuses(preset, deal, contract="D")[1] == second


def test_a_shorter_run_may_be_announced():
    declarations = [{"seat": 0, "cards": "KC KD KH KS"}, {"seat": 0, "cards": "9S TS JS QS"}]
    declared, _, findings = announced("bela-4p", KINGS | {"declarations": declarations}, contract="S")
    assert ([item.points for item in declared], findings) == ([100, 50], [])


def test_two_sequences_never_share_a_card():
    declarations = [{"seat": 0, "cards": "9S TS JS"}, {"seat": 0, "cards": "JS QS KS"}]
    deal = KINGS | {"declarations": declarations, "plays": "KC 7C JC 9H"}
    assert statuses("belot-ru-pairs", deal, contract="D") == ["counted", "shared"]


def test_a_belote_s_cards_may_stand_in_a_combination():
    """A437, A77, C16."""
    deal = KINGS | {
        "declarations": [{"seat": 0, "cards": QUINTE}],
        "belotes": [{"seat": 0, "suit": "S", "at": 0}],
        "plays": "KS 7C JC 7S",
    }
    for preset in ("bela-4p", "belot-ru-pairs", "belot-world"):
        assert statuses(preset, deal, contract="S") == ["counted", "counted"]


# --- Long runs ---------------------------------------------------------------------------------------

EIGHT = {
    "dealer": 3,
    "hands": [
        "7C 8C 9C TC JC QC KC AC", "7D 8D 9D TD 7H 8H 9H TH",
        "JD QD KD AD JH QH 7S 8S", "KH AH 9S TS JS QS KS AS",
    ],
    "plays": "AC 7D JD KH",
}  # fmt: skip


@pytest.mark.parametrize(
    ("kinds", "cards", "points"),
    [
        (["quinte"], ["TC JC QC KC AC"], [100]),
        (["tierce", "quinte"], ["7C 8C 9C", "TC JC QC KC AC"], [20, 100]),
    ],
)
def test_kinds_of_an_eight_card_run_in_bela(kinds, cards, points):
    """A427: eight cards count as five and three, and are announced so."""
    declarations = [{"seat": 0, "kind": kind} for kind in kinds]
    declared, _, _ = announced("bela-4p", EIGHT | {"declarations": declarations}, contract="S")
    assert [format_hand(item.cards) for item in declared] == cards
    assert [item.points for item in declared] == points


# --- A trick is needed -------------------------------------------------------------------------------

EQUAL = {
    "dealer": 2,
    "hands": ["9C TC JC AD 9H TH 9S TS", "QC KC 9D TD JD QH QS KS", "AC QD KD KH JH AH JS AS"],
    "declarations": [{"seat": 0, "cards": "9C TC JC", "at": 0}, {"seat": 1, "cards": "9D TD JD", "at": 1}],
    "plays": "AD 9D KD TH QH KH",
}


def test_an_equal_combination_of_a_trickless_side_cancels():
    """Q36; equal ones are void in bela."""
    assert statuses("bela-3p", EQUAL, contract="S") == ["tied", "tied"]


def test_a_better_combination_of_a_trickless_side_blocks_and_counts_nothing():
    """Q36: where diamonds are trumps seat 1 has the trump tierce, and no trick."""
    deal = EQUAL | {"plays": "9H QH AH"}
    options = {"equal_sequences": "trump_then_earlier", "declarations_need_trick": False}
    assert statuses("bela-3p", deal, contract="D", **options) == ["beaten", "counted"]
    options["declarations_need_trick"] = True
    assert statuses("bela-3p", deal, contract="D", **options) == ["beaten", "no_trick"]


def test_no_trick_is_needed_where_the_rules_do_not_ask_for_it():
    deal = FOUR | {"declarations": [{"seat": 1, "cards": "9C TC JC"}], "plays": "AC 9C QC AD"}
    assert statuses("belot-world", deal) == ["counted"]
    assert statuses("bela-4p", deal) == ["no_trick"]


def test_after_all_passed_the_others_need_the_trick():
    """Q20: the combinations of a side count against the other, where that took a trick."""
    deal = FOUR | {"declarations": [{"seat": 1, "cards": "9C TC JC"}], "plays": "AC 9C QC AD"}
    assert statuses("belot-ru-pairs", deal) == ["no_trick"]
    assert statuses("belot-ru-pairs", deal, is_all_pass=True) == ["counted"]
    deal = FOUR | {"declarations": [{"seat": 0, "cards": "7C 8C 9C"}], "plays": "AC TC QC AD"}
    hands = ["7C 8C AC 7D 8D 7H 7S 9C", "8S TC JC 9D JD AH 9S TS", *FOUR["hands"][2:]]
    assert statuses("belot-ru-pairs", deal | {"hands": hands}) == ["counted"]
    assert statuses("belot-ru-pairs", deal | {"hands": hands}, is_all_pass=True) == ["no_trick"]


# --- Belote ------------------------------------------------------------------------------------------

# Seat 2 holds king and queen of spades, the trumps here; it plays them as cards 2 and 5 of the deal.
HELD = THREE | {"plays": "AS 8S KS QC AC QS"}


def belote(at, preset="belot-ru-3p", seat=2, suit="S", deal=HELD, **more):
    item = {"seat": seat, "suit": suit} | ({} if at is None else {"at": at})
    return statuses(preset, deal | {"belotes": [item]}, contract="S", belote_needs_trick=False, **more)


@pytest.mark.parametrize("preset", ["belot-ru-3p", "belot-1001-3p"])
def test_belote_while_one_of_the_two_is_held(preset):
    """A89: before any play; the second of the two is card 5."""
    assert [belote(at, preset) for at in (None, 0, 2, 3, 5)] == [["counted"]] * 5
    assert [belote(at, preset) for at in (6, 7)] == [["late"]] * 2


def test_belote_while_held_where_the_second_card_was_never_played():
    assert belote(5, deal=THREE | {"plays": "AS 8S KS"}) == ["counted"]


@pytest.mark.parametrize("preset", ["bela-3p", "belot-ru-3p"])
def test_false_belote(preset):
    """Clubs are no trumps, and seat 1 has no spade queen."""
    deal = THREE_BELA | {"plays": "JC QC AC"} if preset == "bela-3p" else HELD
    assert belote(0, preset, seat=1, suit="C", deal=deal) == ["false"]
    assert belote(0, preset, seat=0, suit="S", deal=deal) == ["false"]


def test_belote_in_bela_is_said_with_the_first_card():
    deal = THREE_BELA | {"plays": "TS QS JS TH QH JH"}
    assert [belote(at, "bela-3p", seat=1, deal=deal) for at in (1, None)] == [["counted"]] * 2
    assert belote(4, "bela-3p", seat=1, deal=deal) == ["late"]


def test_belote_needs_a_trick_in_the_russian_and_german_games_alone():
    """A131 voids all announcements of who took no trick; A457 exempts belote in bela."""
    deal = THREE | {"plays": "AS 8S KS", "belotes": [{"seat": 2, "suit": "S", "at": 2}]}
    assert statuses("belot-ru-3p", deal, contract="S") == ["no_trick"]
    assert statuses("belot-1001-3p", deal, contract="S") == ["no_trick"]
    deal = THREE_BELA | {"plays": "TS QS AS", "belotes": [{"seat": 1, "suit": "S", "at": 1}]}
    assert statuses("bela-3p", deal, contract="S") == ["counted"]


def test_belote_after_all_passed_needs_no_trick():
    """Q20: it always counts against the others."""
    deal = FOUR | {"belotes": [{"seat": 3, "suit": "H", "at": 3}], "plays": "7H AH 9H QH"}
    assert statuses("belot-ru-pairs", deal) == ["no_trick"]
    assert statuses("belot-ru-pairs", deal, is_all_pass=True) == ["counted"]


def test_no_belote_at_no_trumps_and_each_suit_at_all_trumps():
    deal = FOUR | {"belotes": [{"seat": 3, "suit": "S"}, {"seat": 2, "suit": "D"}], "plays": "AC 9C QC AD"}
    assert statuses("bela-4p", deal, contract="N") == ["false", "false"]
    assert statuses("belot-ru-pairs", deal, contract="N") == ["false", "false"]
    assert statuses("belot-ru-pairs", deal, contract="A", belote_needs_trick=False) == ["counted", "counted"]
    assert statuses("bela-4p", deal, contract="A") == ["counted", "counted"]

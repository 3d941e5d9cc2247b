"""The reader of bhh/1: strict, and with all faults of a record."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from belot_stats.cards import cards_in, format_card, parse_hand
from belot_stats.deal import END_NAMES, BadRecord, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.errors import InputError, UsageError
from belot_stats.readers import READERS, identify_reader
from belot_stats.readers.bhh import BhhReader
from belot_stats.readers.reader import ReadOptions, find_reader
from belot_stats.rules.table import pack_mask
from belot_stats.ruleset import RuleResolver, load_ruleset, ruleset_names
from tests.read.records import CLEAN_LOGS, EXAMPLE, SHARED, codes, example, line, read_bytes, read_one

RECORD_CODES = {
    "unreadable-line", "truncated-line", "not-an-object", "missing-field", "bad-type", "bad-card", "duplicate-card",
    "wrong-card-count", "bad-seat", "bad-call", "unknown-rules", "unknown-option", "unknown-format",
}  # fmt: skip
HANDS = EXAMPLE["hands"]


def deal_of(**changes: Any) -> Deal:
    record = read_one(line(**changes))
    assert isinstance(record, Deal), record
    return record


def faults_of(**changes: Any) -> tuple[tuple[str, str], ...]:
    record = read_one(line(**changes))
    assert isinstance(record, BadRecord), record
    assert (record.code, record.message) == record.problems[0]
    assert record.raw == line(**changes)
    return record.problems


def test_the_example_of_the_format() -> None:
    deal = read_one(line())
    assert isinstance(deal, Deal)
    assert (deal.source, deal.match, deal.deal, deal.rules, deal.dealer) == (
        "example",
        "m1",
        5,
        "belot-bg",
        0,
    )
    assert deal.hands == tuple(parse_hand(hand) for hand in HANDS)
    assert " ".join(map(format_card, deal.plays)) == EXAMPLE["plays"]
    assert deal.auction == (0, 3, 6, 6, 6)
    assert deal.declarations == (Declaration(seat=2, cards=parse_hand("9S TS JS")),)
    assert deal.claimed == Claimed(
        tricks=(2, 1, 2, 2, 2, 2, 2, 2), points=(161, 21), made=True, score=(16, 2), hanging=0, total=(40, 51)
    )
    assert (deal.end, deal.extra, deal.unknown_fields, deal.line, deal.byte) == ("played", {}, (), 1, 0)


def test_what_the_record_leaves_out_stays_unknown() -> None:
    bare = {
        key: ... for key in EXAMPLE if key not in ("format", "source", "match", "deal", "rules", "dealer")
    }
    deal = deal_of(**bare)
    assert deal == Deal(source="example", match="m1", deal=5, rules="belot-bg", dealer=0, line=1)
    assert deal.auction is None
    assert deal_of(auction=[]).auction == ()


def test_rare_fields() -> None:
    deal = deal_of(
        turn_up=["7D", "9D"],
        contract={"call": "H", "seat": 2},
        exchange={"seat": 3},
        belotes=[{"seat": 1, "suit": "H", "at": 4}],
        end="claimed",
        ended_by={"seat": 1, "at": 32, "reason": "the rest"},
        declarations=[{"seat": 0, "kind": "carre"}, {"seat": 1, "cards": "", "at": 3}],
    )
    assert deal.turn_up == (8, 10)
    assert deal.contract == StatedContract(call=2, seat=2, level=1)
    assert deal.exchange == 3
    assert deal.belotes == (Belote(seat=1, suit=2, at=4),)
    assert (deal.end, deal.ended_by) == ("claimed", EndedBy(seat=1, at=32, reason="the rest"))
    assert deal.declarations == (Declaration(seat=0, kind="carre"), Declaration(seat=1, cards=0, at=3))
    assert deal_of(turn_up="7D").turn_up == (8,)


def test_a_claim_of_null_is_no_claim() -> None:
    nothing = dict.fromkeys(
        ("contract", "declarer", "tricks", "points", "capot", "made", "score", "total", "winner")
    )
    assert deal_of(claimed=nothing).claimed == Claimed()


@pytest.mark.parametrize("field", ["format", "source", "match", "deal", "rules", "dealer"])
def test_required_fields(field: str) -> None:
    ((code, message),) = faults_of(**{field: ...})
    assert code == "missing-field"
    assert message.startswith(field)


BAD = [
    ("bad-type", "format", {"format": 1}),
    ("unknown-format", "format", {"format": "bhh/2"}),
    ("unknown-format", "format", {"format": "BHH/1"}),
    ("bad-type", "source", {"source": None}),
    ("bad-type", "match", {"match": 7}),
    ("bad-type", "deal", {"deal": "16"}),
    ("bad-type", "deal", {"deal": 16.0}),
    ("bad-type", "deal", {"deal": True}),
    ("bad-type", "deal", {"deal": 0}),
    ("bad-type", "deal", {"deal": 2**63}),
    ("bad-type", "deal", {"deal": 10**40}),
    ("bad-type", "rules", {"rules": ["belot-bg"]}),
    ("unknown-rules", "rules", {"rules": "belot"}),
    ("unknown-rules", "rules", {"rules": "../belot-bg"}),
    ("bad-type", "options", {"options": []}),
    ("unknown-option", "options", {"options": {"targets": 101}}),
    ("unknown-option", "options", {"options": {"target": "101"}}),
    ("bad-type", "started", {"started": "yesterday"}),
    ("bad-type", "started", {"started": "2026-02-30T10:00:00Z"}),
    ("bad-type", "started", {"started": 1767630000}),
    ("bad-type", "players", {"players": "ann bob cid dee"}),
    ("bad-type", "players", {"players": ["ann", "bob", "cid"]}),
    ("bad-type", "players.1", {"players": ["ann", 2, "cid", "dee"]}),
    ("bad-type", "dealer", {"dealer": "0"}),
    ("bad-type", "dealer", {"dealer": 0.0}),
    ("bad-type", "dealer", {"dealer": False}),
    ("bad-type", "dealer", {"dealer": None}),
    ("bad-seat", "dealer", {"dealer": 4}),
    ("bad-seat", "dealer", {"dealer": -1}),
    ("bad-card", "turn_up", {"turn_up": "10D"}),
    ("bad-type", "turn_up", {"turn_up": ["7D"]}),
    ("bad-type", "turn_up", {"turn_up": "7D 8D"}),
    ("duplicate-card", "turn_up", {"turn_up": ["7D", "7D"]}),
    ("duplicate-card", "turn_up", {"turn_up": "8D"}),
    ("duplicate-card", "turn_up", {"turn_up": ["7D", "8D"]}),
    ("wrong-card-count", "first_hands.3", {"first_hands": [*EXAMPLE["first_hands"][:3], "TC KD JD 7H"]}),
    ("bad-type", "auction", {"auction": "C S P P P"}),
    ("bad-call", "auction.0", {"auction": ["c", "P", "P", "P"]}),
    ("bad-call", "auction.0", {"auction": ["P ", "P", "P", "P"]}),
    ("bad-type", "auction.0", {"auction": [1, "P", "P", "P"]}),
    ("bad-type", "auction.0", {"auction": [["P"], "P", "P", "P"]}),
    ("bad-type", "contract", {"contract": "H"}),
    ("bad-call", "contract.call", {"contract": {"call": "P", "seat": 1}}),
    ("missing-field", "contract.seat", {"contract": {"call": "H"}}),
    ("bad-type", "contract.level", {"contract": {"call": "H", "seat": 1, "level": 1.0}}),
    ("bad-type", "exchange", {"exchange": 2}),
    ("missing-field", "exchange.seat", {"exchange": {}}),
    ("bad-type", "hands", {"hands": {"0": HANDS[0]}}),
    ("bad-type", "hands", {"hands": HANDS[:3]}),
    ("bad-type", "hands.0", {"hands": [HANDS[0].split(), *HANDS[1:]]}),
    ("bad-card", "hands.0", {"hands": ["JX" + HANDS[0][2:], *HANDS[1:]]}),
    ("bad-card", "hands.0", {"hands": ["ac" + HANDS[0][2:], *HANDS[1:]]}),
    ("wrong-card-count", "hands.3", {"hands": [*HANDS[:3], HANDS[3][3:]]}),
    ("wrong-card-count", "hands.3", {"hands": [*HANDS[:3], ""]}),
    ("bad-type", "plays", {"plays": EXAMPLE["plays"].split()}),
    ("bad-card", "plays", {"plays": EXAMPLE["plays"].replace("8S", "8s")}),
    ("bad-card", "plays", {"plays": EXAMPLE["plays"].replace(" ", "\u00a0")}),
    ("duplicate-card", "plays", {"plays": "8S " + EXAMPLE["plays"][3:-2] + "8S"}),
    ("bad-type", "declarations", {"declarations": {}}),
    ("bad-seat", "declarations.0.seat", {"declarations": [{"seat": 4, "cards": "7S 8S 9S"}]}),
    ("missing-field", "declarations.0.seat", {"declarations": [{"cards": "7S 8S 9S"}]}),
    ("missing-field", "declarations.0.cards", {"declarations": [{"seat": 0}]}),
    ("duplicate-card", "declarations.0.cards", {"declarations": [{"seat": 0, "cards": "7S 8S 8S"}]}),
    ("bad-type", "declarations.0.kind", {"declarations": [{"seat": 0, "kind": "quint"}]}),
    ("bad-type", "declarations.0.at", {"declarations": [{"seat": 0, "kind": "carre", "at": 33}]}),
    ("bad-type", "belotes.0.suit", {"belotes": [{"seat": 0, "suit": "N", "at": 1}]}),
    ("bad-type", "end", {"end": "finished"}),
    ("bad-type", "ended_by", {"end": "claimed", "ended_by": 2}),
    ("bad-seat", "ended_by.seat", {"end": "claimed", "ended_by": {"seat": 9}}),
    ("bad-type", "claimed", {"claimed": []}),
    ("bad-call", "claimed.contract", {"claimed": {"contract": "X"}}),
    ("bad-seat", "claimed.tricks.1", {"claimed": {"tricks": [0, 4]}}),
    ("bad-type", "claimed.points", {"claimed": {"points": [1, 2, 3]}}),
    ("bad-type", "claimed.points.0", {"claimed": {"points": [1.0, 2]}}),
    ("bad-type", "claimed.points.1", {"claimed": {"points": [1, 2**31]}}),
    ("bad-seat", "claimed.capot", {"claimed": {"capot": 2}}),
    ("bad-type", "claimed.made", {"claimed": {"made": 1}}),
    ("bad-type", "claimed.hanging", {"claimed": {"hanging": "8"}}),
    ("bad-seat", "claimed.winner", {"claimed": {"winner": 2}}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "path", "changes"), BAD)
def test_a_fault_is_named_with_its_field(code: str, path: str, changes: dict[str, Any]) -> None:
    ((found, message),) = faults_of(**changes)
    assert found == code
    assert message.startswith((f"{path}:", f"{path}: "))


# A deal of three players, each for himself: 24 cards, a level that stakes the match, points taken off.
THREE: dict[str, Any] = {
    "rules": "bela-3p",
    "options": {"multipliers": [2, 0], "kirtik": 10},
    "players": ["ann", "bob", "cid"],
    "first_hands": ...,
    "auction": ["C", "X", "XX", "P", "P"],
    "hands": ["9C TC JC QC KC AC 9D TD", "JD QD KD AD 9H TH JH QH", "KH AH 9S TS JS QS KS AS"],
    "plays": "9C JD KH",
    "declarations": ...,
    "end": "conceded",
    "ended_by": {"seat": 2, "at": 3},
    "claimed": {"level": 0, "points": [1, 2, 3], "score": [-10, 0, 26], "total": [-10, 5, 26], "winner": 2},
}


def test_three_players_with_24_cards() -> None:
    deal = deal_of(**THREE)
    assert [mask.bit_count() for mask in deal.hands or ()] == [8, 8, 8]
    assert (deal.claimed.level, deal.claimed.score, deal.claimed.winner) == (0, (-10, 0, 26), 2)
    assert deal_of(**THREE | {"auction": ..., "contract": {"call": "C", "seat": 0, "level": 0}}).contract == (
        StatedContract(call=0, seat=0, level=0)
    )


@pytest.mark.parametrize(
    ("code", "path", "changes"),
    [
        ("bad-card", "hands.0", {"hands": ["9C TC JC QC KC AC 9D 7D", *THREE["hands"][1:]]}),
        ("bad-card", "plays", {"plays": "9C JD 8H"}),
        ("bad-card", "turn_up", {"turn_up": "7H"}),
        ("wrong-card-count", "hands.0", {"hands": ["9C TC JC QC KC AC 9D", *THREE["hands"][1:]]}),
        ("bad-type", "hands", {"hands": [*THREE["hands"], ""]}),
        ("bad-seat", "dealer", {"dealer": 3}),
        ("bad-seat", "claimed.winner", {"claimed": {"winner": 3}}),
        ("bad-type", "claimed.score", {"claimed": {"score": [16, 0]}}),
        ("bad-type", "players", {"players": ["ann", "bob"]}),
    ],
)
def test_faults_of_three_players(code: str, path: str, changes: dict[str, Any]) -> None:
    ((found, message),) = faults_of(**THREE | changes)
    assert (found, message.split(":")[0]) == (code, path)


@pytest.mark.parametrize(("name", "size"), [("bela-2p", 9), ("belot-1001-2p", 9), ("belot-ru-3p", 9)])
def test_hands_of_nine(name: str, size: int) -> None:
    rules = load_ruleset(name)
    pack = [format_card(card) for card in cards_in(pack_mask(rules))]
    hands = [" ".join(pack[size * seat : size * seat + size]) for seat in range(rules.players)]
    bare: dict[str, Any] = dict.fromkeys(("players", "first_hands", "declarations", "claimed"), ...)
    plays = " ".join(hands)
    deal = deal_of(**bare | {"rules": name, "auction": ["P"], "hands": hands, "plays": plays})
    assert len(deal.plays) == size * rules.players
    short = [hands[0][:-3], *hands[1:]]
    ((code, _),) = faults_of(**bare | {"rules": name, "auction": ["P"], "hands": short, "plays": ""})
    assert code == "wrong-card-count"


@pytest.mark.parametrize("end", END_NAMES)
def test_every_end(end: str) -> None:
    assert deal_of(end=end, ended_by={"seat": 1, "at": 4}).end == end


def test_all_faults_of_a_record_and_not_the_first() -> None:
    faults = faults_of(
        match=...,
        deal="5",
        dealer=7,
        auction=["C", "Z"],
        plays=EXAMPLE["plays"] + " 8S XX",
        hands=[HANDS[1], HANDS[1][3:], HANDS[2], HANDS[3]],
        claimed={"score": [1], "made": "yes"},
        rules="belot-b",
        _note="kept",
        note="kept",
    )
    assert {code for code, _ in faults} == {
        "missing-field", "bad-type", "bad-seat", "bad-call", "bad-card", "duplicate-card", "unknown-rules",
    }  # fmt: skip
    assert len(faults) == 8


def test_more_cards_than_are_dealt() -> None:
    twice = EXAMPLE["plays"] + " 8S"
    assert [code for code, _ in faults_of(plays=twice)] == ["wrong-card-count", "duplicate-card"]


def test_a_card_in_two_hands_names_both() -> None:
    ((code, message),) = faults_of(hands=[HANDS[0][:-2] + "QC", *HANDS[1:]])
    assert (code, message) == ("duplicate-card", "hands.1: QC also in hand 0")


def test_every_message_names_what_was_found_and_expected() -> None:
    for code, path, changes in BAD:
        ((_, message),) = faults_of(**changes)
        assert "expected" in message or code in ("duplicate-card", "unknown-rules", "unknown-option"), (
            path,
            message,
        )


def test_unknown_rules_leave_the_other_checks() -> None:
    faults = faults_of(rules="nobody's", plays="8S 8S", dealer=5, hands=["7C"], claimed={"points": [1, 2, 3]})
    assert [code for code, _ in faults] == ["unknown-rules", "bad-seat", "duplicate-card"]


def test_options_fill_gaps_and_only_gaps() -> None:
    options = ReadOptions("server", RuleResolver(default="belot-bg-classic"))
    filled = read_one(line(source=..., rules=...), options)
    assert isinstance(filled, Deal)
    assert (filled.source, filled.rules) == ("server", "belot-bg-classic")
    kept = read_one(line(), options)
    assert isinstance(kept, Deal)
    assert (kept.source, kept.rules) == ("example", "belot-bg")


def test_forced_rules_make_unknown_ones_readable() -> None:
    deal = read_one(line(rules="house"), ReadOptions(resolver=RuleResolver(force="belot-bg")))
    assert isinstance(deal, Deal)
    assert deal.rules == "house"


def test_unknown_fields_are_kept_by_path() -> None:
    deal = deal_of(
        _table={"no": 4}, table_id=77, declarations=[{"seat": 2, "cards": "9S TS JS", "foo": 1, "_bar": 2}],
        claimed={"note": "n", "score": [16, 2]}, **{"a.b": 3, "claimed.note": 4, "x~y": 5},
    )  # fmt: skip
    assert deal.extra == {
        "_table": {"no": 4}, "table_id": 77, "declarations.0.foo": 1, "declarations.0._bar": 2, "claimed.note": "n",
        "a~1b": 3, "claimed~1note": 4, "x~0y": 5,
    }  # fmt: skip
    assert set(deal.unknown_fields) == set(deal.extra) - {"_table", "declarations.0._bar"}


def test_i06_text_after_the_object_is_one_bad_line() -> None:
    records = read_bytes(line(deal=1) + b"\n" + line(deal=2) + b" TRAILER\n" + line(deal=3) + b"\n")
    assert [codes(record) for record in records] == [[], ["unreadable-line"], []]
    assert "text after the object: 'TRAILER'" in records[1].message  # type: ignore[union-attr]


@pytest.mark.parametrize("token", ["10H", "Th", "H10", "TH\ufe0f", "♥10", "T♥", "T\u2661"])
def test_i16_i18_other_card_forms_are_refused_and_the_right_one_named(token: str) -> None:
    ((code, message),) = faults_of(turn_up=token)
    assert code == "bad-card"
    assert repr(token) in message
    assert message.endswith("this format writes TH")


@pytest.mark.parametrize("token", ["Xh", "1h", "X", "VII", "\U0001f0b1", "HH", "7", "TH.", "TС"])
def test_i16_i18_what_is_no_card_anywhere_is_refused_without_a_guess(token: str) -> None:
    ((code, message),) = faults_of(turn_up=token)
    assert code == "bad-card"
    assert "this format writes" not in message


def test_i18_an_empty_hand_is_void_and_not_misread() -> None:
    assert [code for code, _ in faults_of(hands=["", *HANDS[1:]])] == ["wrong-card-count"]


def test_i19_exchanged_suits_in_the_plays_alone_are_read_for_the_checker_to_find() -> None:
    swapped = EXAMPLE["plays"].translate(str.maketrans("SC", "CS"))
    assert len(set(deal_of(plays=swapped).plays)) == 32


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e400"])
@pytest.mark.parametrize("field", ["deal", "_note", "note"])
def test_i21_numbers_that_are_none(number: str, field: str) -> None:
    text = line(**{field: 1234567}).replace(b"1234567", number.encode())
    record = read_one(text)
    assert codes(record) == ["unreadable-line"]
    assert number in record.message  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text",
    [
        line()[:-1] + b',"deal":5}',
        line(_note={"a": 1}).replace(b'{"a":1}', b'{"a":1,"a":1}'),
        line(claimed={"score": [1, 2]}).replace(b'"score":[1,2]', b'"score":[1,2],"score":[2,1]'),
        line(declarations=[{"seat": 2, "kind": "carre"}]).replace(b'"seat":2', b'"seat":2,"\\u0073eat":2'),
    ],
)
def test_i22_a_key_twice_at_any_depth(text: bytes) -> None:
    record = read_one(text)
    assert codes(record) == ["unreadable-line"]
    assert "stands twice" in record.message  # type: ignore[union-attr]


def test_i23_identities_are_exact_and_textual() -> None:
    matches = ["9007199254740993", "9007199254740992", "007", "7"]
    records = read_bytes(b"\n".join(line(match=match) for match in matches))
    assert [record.match for record in records if isinstance(record, Deal)] == matches
    assert deal_of(deal=9007199254740993).deal == 9007199254740993
    assert deal_of(_id=76561197980428154, _big=10**30).extra == {"_id": 76561197980428154, "_big": 10**30}


def test_i24_a_new_field_late_in_a_file_is_kept_and_named() -> None:
    rows = [line(deal=number) for number in range(1, 10_001)]
    records = read_bytes(b"\n".join([*rows, line(deal=10_001, fresh=1), line(deal=10_002, claimed=...)]))
    assert all(isinstance(record, Deal) for record in records)
    named = [
        (record.line, record.unknown_fields)
        for record in records
        if isinstance(record, Deal) and record.unknown_fields
    ]
    assert named == [(10_001, ("fresh",))]
    assert records[-1].claimed == Claimed()  # type: ignore[union-attr]


def test_i31_a_foreign_last_line_is_one_bad_line() -> None:
    records = read_bytes(line(deal=1) + b"\n" + line(deal=2) + b"\nGenerated 500 hands\n")
    assert [codes(record) for record in records] == [[], [], ["unreadable-line"]]


def test_half_surrogates_are_refused_and_pairs_are_not() -> None:
    pair = line(_note="x").replace(b'"x"', b'"\\ud83d\\ude00"')
    assert read_one(pair).extra == {"_note": "\U0001f600"}  # type: ignore[union-attr]
    for half in (b'"\\ud83d"', b'"\\ude00\\ud83d"'):
        assert codes(read_one(line(_note="x").replace(b'"x"', half))) == ["unreadable-line"]
        assert codes(read_one(line(note=1).replace(b'"note"', half))) == ["unreadable-line"]


def test_integers_of_thousands_of_digits() -> None:
    digits = b"9" * (sys.get_int_max_str_digits() + 1)
    assert codes(read_one(line(deal=1234567).replace(b"1234567", digits))) == ["unreadable-line"]


def test_bad_utf_8_in_a_field_that_nobody_reads() -> None:
    record = read_one(line(_note="xx").replace(b"xx", b"x\xff"))
    assert codes(record) == ["unreadable-line"]
    assert "byte 0xff at offset" in record.message  # type: ignore[union-attr]


def test_line_and_byte_count_in_the_whole_input() -> None:
    rows = [line(deal=number) + b"\n" for number in range(1, 30)]
    data = b"".join(rows)
    for record in read_bytes(data, chunk_bytes=3000):
        assert data[record.byte :].startswith(rows[record.line - 1])


def test_identify() -> None:
    assert identify_reader(line()).name == "bhh"
    assert identify_reader(b'junk\n{"format" : "bhh/7"}').name == "bhh"
    assert identify_reader(b" \n\n").name == "bhh"
    assert identify_reader(b"[1,2]", "baloot-archive").name == "baloot-archive"
    with pytest.raises(InputError, match=r"x\.csv: no reader knows this format; looked for: bhh .*--format"):
        identify_reader(b"a,b\n1,2\n", where="x.csv")
    with pytest.raises(UsageError, match="unknown format 'pbn': expected one of bhh"):
        identify_reader(b"", "pbn")


def test_two_readers_that_claim_a_file_are_both_named() -> None:
    class Other(BhhReader):
        name = "other"

    with pytest.raises(InputError, match="both bhh and other claim this file"):
        find_reader({"bhh": READERS["bhh"], "other": Other()}, line(), None, "x")


def shared_log(name: str) -> bytes:
    path = SHARED / "logs" / name
    if not path.exists():
        pytest.skip("../shared is not there")
    return path.read_bytes()


def all_logs() -> list[str]:
    known = ruleset_names()
    return [
        name for name in (*CLEAN_LOGS, "bela-4p", "belote-fr", "belot-world", "belot-ru-3p") if name in known
    ]


@pytest.mark.parametrize("name", all_logs())
def test_clean_logs_are_read_whole(name: str) -> None:
    data = shared_log(f"{name}.jsonl")
    records = read_bytes(data)
    assert len(records) == data.count(b"\n")
    assert [record for record in records if isinstance(record, BadRecord)] == []


@pytest.mark.parametrize("name", all_logs())
def test_faulty_logs_have_the_record_faults_that_were_put_in_and_no_other(name: str) -> None:
    records = read_bytes(shared_log(f"{name}-faults.jsonl"))
    truth = [json.loads(row) for row in shared_log(f"{name}-faults.truth.jsonl").splitlines()]
    bad = {record.line: set(codes(record)) for record in records if isinstance(record, BadRecord)}
    expected = {row["line"]: set(row["must"]) for row in truth if set(row["must"]) & RECORD_CODES}
    allowed = {row["line"]: set(row["must"]) | set(row["may"]) for row in truth}
    assert bad.keys() == expected.keys()
    assert all(expected[number] <= found <= allowed[number] for number, found in bad.items())


@pytest.mark.parametrize(
    "name", ["bela-2p", "bela-3p", "belot-1001-2p", "belot-ru-pairs", "belote-fr", "belot-world"]
)
def test_clean_logs_of_rules_not_known_here_have_no_other_fault(name: str) -> None:
    found = {tuple(codes(record)) for record in read_bytes(shared_log(f"{name}.jsonl"))}
    assert found == ({()} if name in ruleset_names() else {("unknown-rules",)})


def test_the_example_helper_takes_fields_out() -> None:
    assert "dealer" not in example(dealer=...)

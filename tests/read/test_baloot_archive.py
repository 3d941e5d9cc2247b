"""The reader of a Baloot server's archive, on rounds of that shape and on the archive itself."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from belot_stats.cards import format_cards
from belot_stats.checker import check_deal
from belot_stats.content import content_hash
from belot_stats.deal import BadRecord, Deal, Declaration, EndedBy
from belot_stats.export import export_deal
from belot_stats.readers import READERS, identify_reader
from belot_stats.readers.baloot_archive import count_archive
from belot_stats.readers.bhh import read_line
from belot_stats.readers.reader import Chunk, ReadOptions
from belot_stats.ruleset import RuleResolver
from tests.read import archive
from tests.read.records import SHARED, codes, read_bytes

Round = dict[str, Any]


def read_matches(*matches: Round, options: ReadOptions | None = None) -> list[Deal | BadRecord]:
    return read_bytes(archive.to_lines(list(matches)), "baloot-archive", options=options)


def read_rounds(*rounds: Round) -> list[Deal | BadRecord]:
    return read_matches(archive.match_object(1, "g", list(rounds)))


def read_round(item: Round) -> Deal:
    (record,) = read_rounds(item)
    assert isinstance(record, Deal), record
    return record


def whole_round(contract: str = "N", nested: bool = False, seed: int = 1, dealer: int = 2) -> Round:
    return archive.played_round(random.Random(seed), 3, dealer, contract, 1, nested)


@pytest.mark.parametrize("contract", "CDHSN")
@pytest.mark.parametrize("nested", [False, True])
def test_a_round_played_to_its_end(contract: str, nested: bool) -> None:
    deal = read_round(whole_round(contract, nested))
    assert (deal.source, deal.match, deal.deal, deal.rules) == (
        "baloot-archive",
        "g",
        3,
        "baloot-archive-server",
    )
    assert (deal.dealer, deal.end, deal.ended_by, deal.auction, deal.players) == (
        2,
        "played",
        None,
        None,
        None,
    )
    assert deal.contract is not None
    assert ("CDHSNA"[deal.contract.call], deal.contract.seat, deal.contract.level) == (contract, 1, 1)
    assert len(deal.plays) == 32
    assert deal.claimed.score == deal.claimed.total
    assert sum(deal.claimed.points or ()) == (130 if contract == "N" else 162)
    assert check_deal(deal, archive.RULES).findings == ()


def test_suits_that_a_bid_writes_in_another_way() -> None:
    for suit in (None, "SUN", "S"):
        sun = whole_round("N")
        sun["bid"]["suit"] = suit
        assert read_round(sun).contract.call == 4  # type: ignore[union-attr]
        assert read_round(sun).extra.get("_bid_suit") == suit
    spades = whole_round("S")
    spades["bid"]["suit"] = "S"
    assert read_round(spades).contract.call == 3  # type: ignore[union-attr]


def test_a_round_written_twice_is_two_equal_records_also_at_the_end() -> None:
    first, last = whole_round(), archive.played_round(random.Random(2), 4, 3, "H", 1, False)
    records = read_rounds(first, first, last, last)
    assert [record.deal for record in records if isinstance(record, Deal)] == [3, 3, 4, 4]
    hashes = [content_hash(record) for record in records if isinstance(record, Deal)]
    assert len(set(hashes)) == 2
    assert replace(records[0], byte=0) == replace(records[1], byte=0)
    assert replace(records[2], byte=0) == replace(records[3], byte=0)
    assert (
        count_archive(record for record in records if isinstance(record, Deal))["rounds written twice"] == 2
    )


def test_the_byte_of_a_record_is_where_its_round_begins() -> None:
    matches = archive.sample_matches()
    matches[0]["timestamp"] = "Élodie ♥"
    data = b"\xef\xbb\xbf" + archive.to_lines(matches).replace(b'"rounds": [', b'"rounds" : [ ')
    records = read_bytes(data, "baloot-archive", chunk_bytes=9000)
    places = [record.byte for record in records]
    assert len(set(places)) == len(places)
    for record in records:
        assert isinstance(record, Deal)
        assert data[record.byte :].startswith(f'{{"roundNumber": {record.deal}, '.encode())


def test_two_rounds_of_one_number_are_two_records() -> None:
    records = read_rounds(whole_round(seed=1), whole_round(seed=2))
    assert [record.deal for record in records if isinstance(record, Deal)] == [3, 3]


def test_stubs_and_empty_matches_are_passed_over_and_counted() -> None:
    matches = [
        archive.match_object(1, "a", [{"test": "data"}, whole_round()]),
        archive.match_object(2, "b", []),
        archive.match_object(3, "c", [{"test": "data"}]),
    ]
    data = archive.to_lines(matches) + b"\n"
    assert len(read_bytes(data, "baloot-archive")) == 1
    chunk = Chunk(data=data, first_line=1, first_byte=0, lines=4)
    counted = READERS["baloot-archive"].passed_over(chunk)
    assert counted == {"blank lines": 1, "stubs": 2, "matches without rounds": 2}


@pytest.mark.parametrize("shape", "abc")
@pytest.mark.parametrize("tricks", [0, 3])
def test_a_round_stopped_by_a_penalty(shape: str, tricks: int) -> None:
    deal = read_round(archive.stopped_round(whole_round(), tricks, "them", 26, shape))
    assert (deal.end, deal.ended_by) == ("penalty", EndedBy(at=4 * tricks, reason="qayd"))
    assert (deal.claimed.score, deal.claimed.points, deal.claimed.capot) == ((0, 26), None, None)
    assert deal.extra["_round_winner"] == 1
    assert len(deal.plays) == 4 * tricks


def test_a_round_stopped_while_it_was_bid() -> None:
    deal = read_round(archive.bidding_round(2, 3, "TC"))
    assert (deal.end, deal.contract, deal.hands, deal.plays) == ("penalty", None, None, ())
    assert deal.turn_up == (3,)
    stopped = archive.bidding_round(2, 3, "TC")
    stopped["scores"]["qayd"] = False
    stopped["scores"]["us"] = stopped["scores"]["them"] = {"result": 0, "abnat": 0}
    assert read_round(stopped).end == "abandoned"


@pytest.mark.parametrize("tricks", [6, 7])
def test_a_claim_of_the_rest(tricks: int) -> None:
    whole = whole_round("H", nested=True)
    deal = read_round(archive.claimed_round(whole, tricks))
    claimer = archive.SEATS.index(whole["tricks"][tricks - 1]["winner"])
    assert (deal.end, deal.ended_by) == ("claimed", EndedBy(seat=claimer, at=4 * tricks, reason="sawa"))
    assert len(deal.plays) == 4 * tricks
    assert deal.claimed.tricks is not None
    assert len(deal.claimed.tricks) == tricks
    assert len(deal.extra["_claim"]["cards"].split()) == 32 - 4 * tricks


def test_hands_that_are_not_there_stay_unknown() -> None:
    deal = read_round({**whole_round(), "initialHands": {}})
    assert deal.hands is None
    assert len(deal.plays) == 32


def project(kind: str, *names: str) -> Round:
    return {
        "type": kind,
        "rank": "A",
        "score": 20,
        "cards": [archive.card_object(name) for name in names],
        "kind": "SEQ",
    }


def test_declarations_are_those_announced_then_those_credited() -> None:
    item = whole_round("H")
    announced, credited = project("SIRA", "QD", "KD", "AD"), project("SIRA", "7C", "8C", "9C")
    item["tricks"][0]["metadata"] = [None, {"declarations": [announced]}, {}, None]
    announcer = item["tricks"][0]["playedBy"][1]
    item["declarations"] = {
        "Top": [credited, {"type": "BALOOT", "rank": "K", "score": 20, "suit": "♥", "cards": []}],
        announcer: [announced],
    }
    deal = read_round(item)
    seat = archive.SEATS.index(announcer)
    assert [
        (d.seat, format_cards(c for c in range(32) if d.cards or 0) != "") for d in deal.declarations
    ] == [(seat, True), (2, True)]
    assert deal.declarations[0] == Declaration(seat=seat, cards=0b1110_0000 << 8)
    assert (deal.belotes[0].seat, deal.belotes[0].suit, deal.belotes[0].at) == (2, 2, None)
    assert deal.extra["_credited"] == [{"seat": 2, "cards": "7C 8C 9C"}, {"seat": seat, "cards": "QD KD AD"}]


def test_an_announcement_that_was_lost_is_still_announced() -> None:
    item = whole_round("H")
    item["tricks"][0]["metadata"] = [{"declarations": [project("SIRA", "QD", "KD", "AD")]}, None, None, None]
    deal = read_round(item)
    assert len(deal.declarations) == 1
    assert deal.extra["_credited"] == []


def test_what_could_explain_a_difference_is_kept() -> None:
    item = whole_round("S")
    item["scores"]["project"] = None
    item["bid"] |= {"variant": "OPEN", "isAshkal": True, "doubled": True}
    item["tricks"][1]["metadata"] = [
        None, {"reasoning": "r"},
        {"is_illegal": True, "illegal_reason": "Must follow suit (♦)", "violation_type": "REVOKE",
        "proof_hint": archive.card_object("7D")}, {"cardId": "10♠"},
    ]  # fmt: skip
    deal = read_round(item)
    assert deal.extra["_scored_as"] is None
    assert deal.extra["_scored_bid"]["variant"] is None
    assert (deal.extra["_variant"], deal.extra["_is_ashkal"], deal.extra["_is_doubled"]) == (
        "OPEN",
        True,
        True,
    )
    assert deal.extra["_illegal"] == [
        {
            "at": 6,
            "stands": True,
            "illegal_reason": "Must follow suit (♦)",
            "violation_type": "REVOKE",
            "proof_hint": "7♦",
        }
    ]
    assert deal.extra["_leaders"][0] == 3
    assert deal.extra["_trick_points"] == [trick["points"] for trick in item["tricks"]]
    assert deal.extra["_written"] == "2026-03-01 20:01:00"
    assert "reasoning" not in json.dumps(deal.extra)


def test_fields_that_the_archive_did_not_have_are_kept_and_named() -> None:
    match = archive.match_object(1, "g", [{**whole_round(), "weather": "hot"}]) | {"lobby": 3}
    (record,) = read_matches(match)
    assert isinstance(record, Deal)
    assert record.unknown_fields == ("match.lobby", "round.weather")
    assert (record.extra["match.lobby"], record.extra["round.weather"]) == (3, "hot")


def broken(change: Any) -> Round:
    item = copy.deepcopy(whole_round())
    change(item)
    return item


BAD: list[tuple[str, str, Any]] = [
    ("missing-field", "roundNumber", lambda r: r.pop("roundNumber")),
    ("bad-type", "roundNumber", lambda r: r.update(roundNumber=1.0)),
    ("bad-type", "roundNumber", lambda r: r.update(roundNumber=None)),
    ("missing-field", "bid", lambda r: r.pop("bid")),
    ("bad-call", "bid.type", lambda r: r["bid"].update(type="TAROT")),
    ("bad-call", "bid.suit", lambda r: r["bid"].update(type="HOKUM", suit="X")),
    ("bad-seat", "bid.bidder", lambda r: r["bid"].update(bidder="North")),
    ("bad-seat", "dealerIndex", lambda r: r.update(dealerIndex=4)),
    ("bad-type", "dealerIndex", lambda r: r.update(dealerIndex="0")),
    ("bad-seat", "tricks.0.playedBy.0", lambda r: r.update(dealerIndex=0)),
    ("bad-type", "tricks", lambda r: r.update(tricks={})),
    ("bad-type", "tricks.3", lambda r: r["tricks"].__setitem__(3, 1)),
    ("bad-type", "tricks.3.cards", lambda r: r["tricks"][3]["cards"].pop()),
    ("bad-card", "tricks.3.cards.1", lambda r: r["tricks"][3]["cards"][1].update(rank="6")),
    ("bad-card", "tricks.3.cards.1", lambda r: r["tricks"][3]["cards"][1].update(id="A♠♠")),
    ("bad-type", "tricks.3.cards.1", lambda r: r["tricks"][3]["cards"].__setitem__(1, "A♠")),
    ("duplicate-card", "tricks.3.cards.0", lambda r: r["tricks"][3].update(cards=r["tricks"][2]["cards"])),
    ("bad-seat", "tricks.3.playedBy", lambda r: r["tricks"][3]["playedBy"].reverse()),
    ("bad-seat", "tricks.3.winner", lambda r: r["tricks"][3].update(winner="Nobody")),
    ("missing-field", "tricks.3.playedBy", lambda r: r["tricks"][3].pop("playedBy")),
    ("wrong-card-count", "initialHands.Top", lambda r: r["initialHands"]["Top"].pop()),
    (
        "duplicate-card",
        "initialHands.Left",
        lambda r: r["initialHands"].update(Left=r["initialHands"]["Top"]),
    ),
    ("missing-field", "initialHands.Top", lambda r: r["initialHands"].pop("Top")),
    ("missing-field", "scores.us", lambda r: r["scores"].pop("us")),
    ("missing-field", "scores.us.result", lambda r: r["scores"]["us"].pop("result")),
    ("bad-type", "scores.us.abnat", lambda r: r["scores"]["us"].update(abnat="9")),
    ("bad-type", "declarations", lambda r: r.update(declarations=[])),
    ("bad-seat", "declarations.South", lambda r: r.update(declarations={"South": []})),
    ("bad-type", "declarations.Top.0.type", lambda r: r.update(declarations={"Top": [{"type": "TIERCE"}]})),
    ("bad-card", "floorCard", lambda r: r.update(floorCard={"rank": "1", "suit": "♠"})),
]


@pytest.mark.parametrize(("code", "path", "change"), BAD)
def test_a_bad_round_is_one_bad_record_and_leaves_the_others(code: str, path: str, change: Any) -> None:
    good = archive.played_round(random.Random(5), 4, 3, "N", 0, False)
    bad = broken(change)
    records = read_rounds(good, bad, good)
    assert [type(record) for record in records] == [Deal, BadRecord, Deal]
    record = records[1]
    assert isinstance(record, BadRecord)
    assert (code, f"rounds.1.{path}") in {
        (found, message.split(":")[0]) for found, message in record.problems
    }
    assert json.loads(record.raw)["rounds"] == [bad]
    again = read_bytes(record.raw, "baloot-archive")
    assert [codes(item) for item in again] == [codes(record)]
    assert json.dumps(bad, ensure_ascii=False).encode() in record.raw


def test_a_round_that_is_no_object() -> None:
    match = archive.match_object(1, "g", [whole_round()])
    match["rounds"] += [7, None, "x"]
    records = read_matches(match)
    assert [codes(record) for record in records] == [[], ["bad-type"], ["bad-type"], ["bad-type"]]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "truncated-line"),
        (b"[]", "not-an-object"),
        (b'{"rounds":[]}', "missing-field"),
        (b'{"game_id":"x"}', "missing-field"),
        (b'{"game_id":5,"rounds":[]}', "bad-type"),
        (b'{"game_id":"x","rounds":{}}', "bad-type"),
        (b'{"game_id":"x","rounds":[],"final_score_us":"1"}', "bad-type"),
        (b'{"game_id":"x","game_id":"x","rounds":[]}', "unreadable-line"),
    ],
)
def test_a_line_that_is_no_match_is_one_bad_record_with_its_bytes(line: bytes, code: str) -> None:
    (record,) = read_bytes(line, "baloot-archive")
    assert isinstance(record, BadRecord)
    assert (codes(record), record.raw) == ([code], line)


def test_the_user_names_source_and_rules() -> None:
    match = archive.match_object(1, "g", [whole_round()])
    options = ReadOptions("server", RuleResolver(default="baloot-commercial"))
    (record,) = read_matches(match, options=options)
    assert isinstance(record, Deal)
    assert (record.source, record.rules) == ("server", "baloot-commercial")
    (record,) = read_matches(match, options=ReadOptions(resolver=RuleResolver(force="baloot")))
    assert isinstance(record, Deal)
    assert record.rules == "baloot"


def test_random_damage_to_rounds_never_raises() -> None:
    chance = random.Random(3)
    lines = archive.to_lines(archive.sample_matches()).split(b"\n")[:-1]
    for _ in range(300):
        data = bytearray(chance.choice(lines))
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.choice(b'0123456789{}[]",:xnullTop')
        records = read_bytes(bytes(data), "baloot-archive")
        assert all(isinstance(record, Deal | BadRecord) for record in records)


def test_what_is_read_can_be_written_as_bhh_and_read_again() -> None:
    for record in read_matches(*archive.sample_matches()):
        assert isinstance(record, Deal)
        again = read_line(export_deal(record).encode(), record.line, record.byte, ReadOptions())
        assert again == record


def test_identify() -> None:
    data = archive.to_lines(archive.sample_matches())
    assert identify_reader(data[:2000]).name == "baloot-archive"


def shared_archive() -> list[Deal | BadRecord]:
    path = SHARED / "real" / "baloot_archive.jsonl"
    if not path.exists():
        pytest.skip("../shared is not there")
    return read_bytes(path.read_bytes(), "baloot-archive")


def test_the_whole_archive() -> None:
    records = shared_archive()
    deals = [record for record in records if isinstance(record, Deal)]
    assert len(deals) == len(records) == 621
    assert count_archive(deals) == {
        "rounds": 621, "rounds written twice": 188,
        "penalties (qayd)": 139, "claims (sawa)": 3, "rounds without hands": 11,
    }  # fmt: skip
    copies = Counter((deal.match, deal.deal, content_hash(deal)) for deal in deals)
    assert len(copies) == len({(deal.match, deal.deal) for deal in deals}) == 433
    assert not any(deal.unknown_fields for deal in deals)
    for deal in deals:
        again = read_line(export_deal(deal).encode(), deal.line, deal.byte, ReadOptions())
        assert again == deal


def test_the_final_scores_of_the_archive_stand_on_its_last_rounds() -> None:
    deals = [record for record in shared_archive() if isinstance(record, Deal)]
    last = {deal.match: replace(deal, byte=0) for deal in deals}
    assert all(deal.claimed.total is not None for deal in last.values())
    assert all(
        (deal.claimed.total is not None) == (replace(deal, byte=0) == last[deal.match]) for deal in deals
    )

"""The canonical form and its round trip."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_stats.cards import CALL_NAMES, KIND_NAMES, mask_of
from belot_stats.content import content_hash
from belot_stats.deal import END_NAMES, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.export import export_deal, export_lines
from belot_stats.readers.bhh import CLAIMED_FIELDS, FIELDS, read_line
from belot_stats.readers.reader import ReadOptions
from tests.read.records import CLEAN_LOGS, SHARED, line, read_bytes, read_one

OPTIONS = ReadOptions()
SEAT, SIDE = st.integers(0, 3), st.integers(0, 1)
AT = st.none() | st.integers(0, 32)
POINTS = st.none() | st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2)
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TIMES = st.sampled_from(
    ["2026-01-05T20:15:00+02:00", "2026-01-05t20:15:00.5Z", "2026-01-05 20:15:00", "2016-12-31T23:59:60Z"]
)


DECLARATIONS = st.builds(
    Declaration,
    seat=SEAT,
    cards=st.integers(0, 2**32 - 1),
    kind=st.none() | st.sampled_from(KIND_NAMES),
    at=AT,
)
CONTRACTS = st.builds(StatedContract, call=st.integers(0, 5), seat=SEAT, level=st.integers(0, 4))


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Deals as the reader could give them, with fields it does not know."""
    pack = draw(st.permutations(range(32)))
    declarations = draw(st.lists(DECLARATIONS, max_size=3))
    names = st.text(st.characters(codec="utf-8", exclude_characters=".~"), max_size=8).filter(
        lambda name: name not in FIELDS
    )
    extra: dict[str, Any] = draw(st.dictionaries(names, JSON, max_size=3))
    if declarations:
        extra |= draw(st.just({}) | st.just({"declarations.0.foo": 1}))
    claimed = draw(
        st.builds(
            Claimed, contract=st.none() | st.integers(0, 5), declarer=st.none() | SEAT,
            level=st.none() | st.integers(0, 9), tricks=st.none() | st.lists(SEAT, max_size=8).map(tuple),
            points=POINTS, capot=st.none() | SIDE,
            made=st.none() | st.booleans(), score=POINTS, hanging=st.none() | st.integers(0, 99), total=POINTS,
            winner=st.none() | SIDE,
        )
    )  # fmt: skip
    if draw(st.booleans()):
        extra["claimed.note"] = draw(JSON)
    return Deal(
        source=draw(TEXT), match=draw(TEXT), deal=draw(st.integers(1, 2**63 - 1)), rules="belot-bg", dealer=draw(SEAT),
        options=draw(st.just({}) | st.just({"target": 101})), started=draw(st.none() | TIMES),
        players=draw(st.none() | st.tuples(*[TEXT] * 4)),
        turn_up=draw(st.none() | st.sampled_from([tuple(pack[20:21]), tuple(pack[20:22])])),
        first_hands=draw(st.none() | st.just(tuple(mask_of(pack[5 * s : 5 * s + 5]) for s in range(4)))),
        auction=draw(st.none() | st.lists(st.integers(0, len(CALL_NAMES) - 1), max_size=6).map(tuple)),
        contract=draw(st.none() | CONTRACTS),
        exchange=draw(st.none() | SEAT),
        hands=draw(st.none() | st.just(tuple(mask_of(pack[8 * s : 8 * s + 8]) for s in range(4)))),
        plays=tuple(pack[: draw(st.integers(0, 32))]), declarations=tuple(declarations),
        belotes=draw(st.lists(st.builds(Belote, seat=SEAT, suit=SEAT, at=AT), max_size=2).map(tuple)),
        end=draw(st.sampled_from(END_NAMES)),
        ended_by=draw(st.none() | st.builds(EndedBy, seat=SEAT, at=AT, reason=st.none() | TEXT)),
        claimed=claimed, extra=extra, unknown_fields=tuple(key for key in extra if not key.startswith("_")),
    )  # fmt: skip


def reread(deal: Deal) -> Deal:
    record = read_line(export_deal(deal).encode(), deal.line, deal.byte, OPTIONS)
    assert isinstance(record, Deal), record
    return record


@given(deals())
def test_a_deal_comes_back_from_its_export(deal: Deal) -> None:
    again = reread(deal)
    assert export_deal(again) == export_deal(deal)
    plain = {"extra": {}, "unknown_fields": ()}
    assert msgspec.structs.replace(again, **plain) == msgspec.structs.replace(deal, **plain)
    assert set(again.extra) == set(deal.extra)
    assert set(again.unknown_fields) == set(deal.unknown_fields)


@pytest.mark.parametrize("name", CLEAN_LOGS)
def test_i31_logs_exported_and_read_again_are_equal_to_the_byte(name: str) -> None:
    path = SHARED / "logs" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("../shared is not there")
    first = [record for record in read_bytes(path.read_bytes()) if isinstance(record, Deal)]
    exported = b"".join(export_lines(first))
    second = [record for record in read_bytes(exported) if isinstance(record, Deal)]
    assert b"".join(export_lines(second)) == exported
    assert [msgspec.structs.replace(deal, byte=0) for deal in second] == [
        msgspec.structs.replace(deal, byte=0) for deal in first
    ]


def test_the_canonical_form() -> None:
    deal = read_one(
        b' { "dealer":0, "x":1, "match":"m","deal":5,"source":"s", "format":"bhh/1", "rules":"belot-bg",'
        b'"end":"played",'
        b'"declarations":[{"cards":"JS  TS 9S","foo":[1.50],"seat":2}],"contract":{"seat":1,"call":"H","c.d":null},'
        b'"claimed":{"made":null,"capot":null},"options":{},"plays":"" } '
    )
    assert isinstance(deal, Deal)
    assert export_deal(deal) == (
        '{"format":"bhh/1","source":"s","match":"m","deal":5,"rules":"belot-bg","dealer":0,'
        '"contract":{"call":"H","seat":1,"level":1,"c.d":null},'
        '"declarations":[{"seat":2,"cards":"9S TS JS","foo":[1.5]}],"x":1}'
    )


def test_fields_stand_in_the_order_of_the_format() -> None:
    record = read_one(line(contract={"call": "H", "seat": 1}, turn_up="7D", exchange={"seat": 1}, options={"target": 9},
                           end="claimed", ended_by={"seat": 1}, belotes=[{"seat": 1, "suit": "H"}]))  # fmt: skip
    assert isinstance(record, Deal)
    exported = json.loads(export_deal(record))
    assert tuple(exported) == FIELDS
    assert tuple(Claimed.__struct_fields__) == CLAIMED_FIELDS


def test_the_content_hash_leaves_out_what_is_not_known_and_nothing_else() -> None:
    def hashed(**changes: Any) -> int:
        record = read_one(line(**changes))
        assert isinstance(record, Deal)
        return content_hash(record)

    same = hashed()
    assert same == hashed(_table=1, note="x", claimed={**json.loads(line())["claimed"], "note": 1})
    assert 0 <= same < 2**64
    others = {
        hashed(started=...),
        hashed(deal=6),
        hashed(claimed=...),
        hashed(players=...),
        hashed(auction=...),
    }
    assert len(others | {same}) == 6


def test_the_content_hash_stays_the_same_from_version_to_version() -> None:
    record = read_one(line())
    assert isinstance(record, Deal)
    assert content_hash(record) == CONTENT_HASH_OF_THE_EXAMPLE


CONTENT_HASH_OF_THE_EXAMPLE = 8808895289801419839

"""Rows of deals, as compiled loops leave them, turned into the Arrow table ``deals`` without a Python object a deal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.record_columns import AT_NOT_SAID, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.rules.declarations import CARRE_MASK
from belot_stats.rules.table import NO_SIDE, hand_size, side_count
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows

Numbers = npt.NDArray[Any]
OUTCOMES = ("failed", "made", "hanging", "all_pass", "passed", "declared_out")  # by result
ENDS = ("played", "passed", "declared_out")
FATES = ("counted", "beaten", "tied", "no_trick", "not_allowed")
KINDS = ("tierce", "quarte", "quinte", "carre")


class RowTexts(NamedTuple):
    """What a row has no place for: an Arrow array with a value a row, or one value for all."""

    source: pa.Array | str
    match: pa.Array
    line: Numbers
    byte: Numbers
    content_hash: Numbers
    options: dict[str, Any]
    started: pa.Array | None
    started_at: pa.Array | None
    players: pa.Array | tuple[str, ...]
    total: Numbers | None  # int32 [n, sides], NUMBER_NOT_SAID
    winner: Numbers | None  # NOT_SAID
    rules_name: str
    extra: pa.Array | None = None


def deals_table(rules: RuleSet, records: Rows, rows: Rows, texts: RowTexts) -> pa.Table:
    """Table ``deals`` of clean rows: *records* as the log says them, *rows* as the rules give them."""
    import pyarrow as pa

    from belot_stats.schema import schema

    columns = {**_texts(rules, records, texts), **_said(rules, records), **_given(rules, records, rows)}
    count = len(records)
    wanted = schema("deals")
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(count, field.type) for field in wanted
    ]
    return pa.Table.from_arrays(
        [
            array if array.type == field.type else array.cast(field.type)
            for array, field in zip(arrays, wanted, strict=True)
        ],
        schema=wanted,
    )


def _texts(rules: RuleSet, records: Rows, texts: RowTexts) -> dict[str, pa.Array]:
    import pyarrow as pa

    count = len(records)
    options = json.dumps(texts.options, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    columns = {
        "source": pa.repeat(texts.source, count) if isinstance(texts.source, str) else texts.source,
        "match": texts.match,
        "line": pa.array(texts.line, pa.int64()),
        "byte": pa.array(texts.byte, pa.int64()),
        "content_hash": pa.array(texts.content_hash, pa.uint64()),
        "rules": pa.repeat(texts.rules_name, count),
        "rules_hash": pa.repeat(rules.hash, count),
        "players": _players(texts.players, count),
        "end": _words(records["end"], ENDS),
    }
    if texts.options:
        columns["options"] = pa.repeat(options, count)
    if texts.started is not None:
        columns["started"] = texts.started
    if texts.started_at is not None:
        columns["started_at"] = texts.started_at
    if texts.extra is not None:
        columns["extra"] = texts.extra
    if texts.total is not None:
        columns["claimed_total"] = _sides(texts.total, texts.total[:, 0] == NUMBER_NOT_SAID)
    if texts.winner is not None:
        columns["claimed_winner"] = _or_null(texts.winner)
    return columns


def _players(players: Any, count: int) -> pa.Array:
    import pyarrow as pa

    if isinstance(players, tuple):
        return pa.repeat(pa.scalar(list(players), pa.list_(pa.string())), count)
    return players


def _said(rules: RuleSet, records: Rows) -> dict[str, pa.Array]:
    """What the log says."""
    import pyarrow as pa

    seats, sides = rules.players, side_count(rules)
    no_turn_up = records["turn_up"][:, 0] == NOT_SAID
    return {
        "deal": pa.array(records["deal"]),
        "dealer": pa.array(records["dealer"].astype(np.uint8)),
        "turn_up": _lists(
            records["turn_up"].astype(np.uint8), (records["turn_up"] != NOT_SAID).sum(axis=1), no_turn_up
        ),
        "first_hands": _fixed(records["first_hands"], seats, records["has_first_hands"] == 0),
        "auction": _lists(records["calls"], records["call_count"]),
        "exchange_seat": _or_null(records["exchange"]),
        "hands": _fixed(records["hands"], seats, records["has_hands"] == 0),
        "plays": _lists(records["plays"], records["play_count"]),
        "declarations": _structs(
            records["declared_count"],
            seat=_plain(records["declared_seat"]),
            cards=_plain(records["declared_mask"]),
            kind=None,
            at=_moment(records["declared_at"]),
        ),
        "belotes": _structs(
            records["belote_count"],
            seat=_plain(records["belote_seat"]),
            suit=_plain(records["belote_suit"]),
            at=_moment(records["belote_at"]),
        ),
        "claimed_contract": _or_null(records["claimed_contract"]),
        "claimed_declarer": _or_null(records["claimed_declarer"]),
        "claimed_level": _or_null(records["claimed_level"]),
        "claimed_tricks": _lists(
            records["claimed_tricks"],
            np.maximum(records["claimed_trick_count"], 0),
            records["claimed_trick_count"] == NOT_SAID,
        ),
        "claimed_points": _claimed(records["claimed_points"], sides),
        "claimed_capot": _or_null(records["claimed_capot"]),
        "claimed_made": _or_null(records["claimed_made"]).cast(pa.bool_()),
        "claimed_score": _claimed(records["claimed_score"], sides),
        "claimed_hanging": pa.array(
            records["claimed_hanging"], mask=records["claimed_hanging"] == NUMBER_NOT_SAID
        ),
    }


def _given(rules: RuleSet, records: Rows, rows: Rows) -> dict[str, pa.Array]:
    """What the rules give."""
    import pyarrow as pa

    seats, sides, tricks = rules.players, side_count(rules), hand_size(rules)
    count = len(rows)
    result = rows["result"]
    is_passed, is_out = result == OUTCOMES.index("passed"), result == OUTCOMES.index("declared_out")
    is_decided = result <= OUTCOMES.index("made")
    dealer = rows["dealer"] if len(records) == 0 else records["dealer"]
    leader = ((dealer.astype(np.int64) + 1) % seats).astype(np.uint8)
    declarer = rows["declarer"].astype(np.int64)
    no_declarer = declarer < 0
    side = declarer % 2 if rules.partners else declarer
    position = (declarer - dealer - 1) % seats + 1
    winners = rows["winners"][:, :tricks]
    leaders = np.concatenate([leader[:, None], winners[:, :-1]], axis=1)
    played = np.where(is_out, records["play_count"] // seats, np.where(is_passed, 0, tricks))
    last = winners[np.arange(count), played - 1].astype(np.int64)
    last_side = (last % 2 if rules.partners else last).astype(np.uint8)
    lists = {
        name: np.where(is_passed[:, None], 0, rows[name][:, :sides])
        for name in ("tricks_won", "card_points", "declaration_points", "belote_points", "points", "score")
    }
    columns = {
        "outcome": _words(result, OUTCOMES),
        "is_scored": pa.array(~(is_passed | is_out)),
        "contract": _or_null(rows["contract"]),
        "declarer": _or_null(rows["declarer"]),
        "declarer_side": pa.array(side.astype(np.uint8), mask=no_declarer),
        "declarer_position": pa.array(position.astype(np.uint8), mask=no_declarer),
        "level": pa.array(rows["level"], mask=is_passed),
        "first_leader": pa.array(leader),
        "dealt_hands": _fixed(rows["hands"], seats, is_passed),
        "trick_leaders": _lists(leaders, played),
        "trick_winners": _lists(winners, played),
        "last_trick_side": pa.array(last_side, mask=is_passed),
        "trick_points": _lists(rows["trick_points"], played),
        "capot_side": pa.array(rows["capot"].astype(np.uint8), mask=(rows["capot"] == NO_SIDE) | is_passed),
        "is_made": pa.array(result == OUTCOMES.index("made"), mask=~is_decided),
        "hanging": pa.array(rows["hanging"]),
        "declaration_results": _declaration_results(rules, rows),
        "belote_results": _structs(
            rows["belote_count"],
            seat=_plain(rows["belote_seat"]),
            side=_plain(_side_of(rules, rows["belote_seat"])),
            suit=_plain(rows["belote_suit"]),
            at=_plain(rows["belote_at"]),
            status=_named(rows["belote_fate"], FATES),
        ),
        "illegal_cards": pa.array(np.zeros(count, dtype=np.uint8)),
        "finding_bits": pa.array(np.zeros(count, dtype=np.uint64)),
        "finding_count": pa.array(np.zeros(count, dtype=np.uint32)),
        **{name: _fixed(values, sides) for name, values in lists.items()},
    }
    if is_out.any():
        columns["ended_by_seat"] = pa.array(last.astype(np.uint8), mask=~is_out)
        columns["ended_by_at"] = pa.array(records["play_count"], mask=~is_out)
    for name in ("points", "score"):
        columns |= {f"{name}_{place}": pa.array(lists[name][:, place]) for place in range(sides)}
    return columns


def _side_of(rules: RuleSet, seats: Numbers) -> Numbers:
    return (seats % 2 if rules.partners else seats).astype(np.uint8)


def _declaration_results(rules: RuleSet, rows: Rows) -> pa.Array:
    """Results in the order of the record; rows hold them in the order announced."""
    names = ("seat", "mask", "at", "fate", "points")
    order = rows["declared_place"].astype(np.int64)
    width = order.shape[1]
    is_there = np.arange(width) < rows["declared_count"][:, None]
    order = np.where(is_there, order, np.arange(width))
    placed = {}
    for name in names:
        values = np.zeros_like(rows[f"declared_{name}"])
        np.put_along_axis(values, order, rows[f"declared_{name}"], axis=1)
        placed[name] = values
    return _structs(
        rows["declared_count"],
        seat=_plain(placed["seat"]),
        side=_plain(_side_of(rules, placed["seat"])),
        kind=_named(_kinds(placed["mask"]), KINDS),
        cards=_plain(placed["mask"]),
        points=_plain(placed["points"]),
        at=_plain(placed["at"]),
        status=_named(placed["fate"], FATES),
    )


def _kinds(masks: Numbers) -> Numbers:
    """Place in KINDS of each combination."""
    size = np.bitwise_count(masks)
    low = masks & (~masks + np.uint32(1))
    is_carre = (size == 4) & (masks == low * np.uint32(CARRE_MASK))
    return np.where(is_carre, 3, np.clip(size, 3, 5) - 3)


class _Column(NamedTuple):
    """Values of a field of a list's structs, a row of places a deal; null where *absent*, words where named."""

    values: Numbers
    absent: Numbers | None = None
    words: tuple[str, ...] | None = None


def _plain(values: Numbers) -> _Column:
    return _Column(values)


def _moment(values: Numbers) -> _Column:
    return _Column(values, values == AT_NOT_SAID)


def _named(values: Numbers, words: tuple[str, ...]) -> _Column:
    return _Column(values, None, words)


def _structs(counts: Numbers, **fields: _Column | None) -> pa.Array:
    """Lists of structs; a field that is None is null throughout."""
    import pyarrow as pa

    wide = next(column for column in fields.values() if column is not None).values
    is_there = np.arange(wide.shape[1]) < counts[:, None]
    total = int(counts.sum(dtype=np.int64))
    arrays = []
    for column in fields.values():
        if column is None:
            arrays.append(pa.nulls(total, pa.string()))
        elif column.words is not None:
            arrays.append(_words(column.values[is_there], column.words))
        else:
            absent = column.absent[is_there] if column.absent is not None else None
            arrays.append(pa.array(column.values[is_there], mask=absent))
    return pa.ListArray.from_arrays(_offsets(counts), pa.StructArray.from_arrays(arrays, names=list(fields)))


def _offsets(counts: Numbers) -> pa.Array:
    import pyarrow as pa

    return pa.array(np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int32))


def _lists(values: Numbers, counts: Numbers, absent: Numbers | None = None) -> pa.Array:
    """Lists of the first so many values of each row; null where *absent*."""
    import pyarrow as pa

    is_there = np.arange(values.shape[1]) < counts[:, None]
    mask = pa.array(absent) if absent is not None and absent.any() else None
    return pa.ListArray.from_arrays(_offsets(counts), pa.array(values[is_there]), mask=mask)


def _fixed(values: Numbers, width: int, absent: Numbers | None = None) -> pa.Array:
    """Lists of the first *width* values of each row; null, and empty, where *absent*."""
    counts = np.full(len(values), width, dtype=np.int64)
    if absent is not None:
        counts = np.where(absent, 0, counts)
    return _lists(values[:, :width], counts, absent)


def _claimed(values: Numbers, sides: int) -> pa.Array:
    return _fixed(values, sides, values[:, 0] == NUMBER_NOT_SAID)


def _sides(values: Numbers, absent: Numbers) -> pa.Array:
    return _fixed(values, values.shape[1], absent)


def _or_null(values: Numbers) -> pa.Array:
    import pyarrow as pa

    return pa.array(np.maximum(values, 0).astype(np.uint8), mask=values < 0)


def _words(places: Numbers, words: tuple[str, ...]) -> pa.Array:
    """The word at each place."""
    import pyarrow as pa

    return pa.array(words).take(pa.array(places.astype(np.int32)))

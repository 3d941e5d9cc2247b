"""Rows of deals, as compiled loops leave them, turned into the Arrow table ``deals`` without a Python object a deal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.record_columns import AT_NOT_SAID, NUMBER_NOT_SAID
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.batch_columns import Columns
    from belot_stats.rules.deal_rows import Rows

Numbers = npt.NDArray[Any]
OUTCOMES = ("failed", "made", "hanging", "all_pass", "passed", "declared_out")  # by result
ENDS = ("played", "passed", "declared_out")
FATES = ("counted", "beaten", "tied", "no_trick", "not_allowed")
KINDS = ("tierce", "quarte", "quinte", "carre")
WORDS = {"end": ENDS, "outcome": OUTCOMES}
BOOLS = ("claimed_made", "is_scored", "is_made")
OWN_COLUMNS = ("points", "score")  # a side


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

    from belot_stats.rules.batch_columns import columns_of
    from belot_stats.schema import schema

    filled, count = columns_of(rules, records, rows), len(records)
    columns = {**_texts(rules, records, texts), **_small(filled), **_lists(filled), **_sides(filled)}
    columns |= _announced(filled) | _numbers(records, rows)
    wanted = schema("deals")
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(count, field.type) for field in wanted
    ]
    return pa.Table.from_arrays(arrays, schema=wanted)


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
    }
    if texts.options:
        columns["options"] = pa.repeat(options, count)
    for name in ("started", "started_at", "extra"):
        if getattr(texts, name) is not None:
            columns[name] = getattr(texts, name)
    if texts.total is not None:
        columns["claimed_total"] = _totals(texts.total)
    if texts.winner is not None:
        columns["claimed_winner"] = number_array(texts.winner.astype(np.uint8), texts.winner >= 0)
    return columns


def _players(players: Any, count: int) -> pa.Array:
    import pyarrow as pa

    if not isinstance(players, tuple):
        return players
    names = pa.DictionaryArray.from_arrays(
        np.tile(np.arange(len(players), dtype=np.int32), count), list(players)
    )
    return pa.ListArray.from_arrays(_every(len(players), count), names.dictionary_decode())


def _numbers(records: Rows, rows: Rows) -> dict[str, pa.Array]:
    """Columns of numbers that a byte does not hold, or that are the same in every clean row."""
    import pyarrow as pa

    hanging, level = records["claimed_hanging"], records["claimed_level"]
    return {
        "deal": pa.array(records["deal"].copy()),
        "claimed_level": number_array(level.astype(np.uint8), level >= 0),
        "claimed_hanging": number_array(hanging.copy(), hanging != NUMBER_NOT_SAID),
        "hanging": pa.array(rows["hanging"].copy()),
        "illegal_cards": pa.array(np.zeros(len(rows), dtype=np.uint8)),
        "finding_bits": pa.array(np.zeros(len(rows), dtype=np.uint64)),
        "finding_count": pa.array(np.zeros(len(rows), dtype=np.uint32)),
    }


def _small(filled: Columns) -> dict[str, pa.Array]:
    from belot_stats.rules.batch_columns import ABSENT, SMALL

    columns = {}
    for name, values in zip(SMALL, filled.small, strict=True):
        if name in WORDS:
            columns[name] = _words(values, WORDS[name])
        else:
            columns[name] = number_array(values, values != ABSENT, is_bool=name in BOOLS)
    return columns


def _lists(filled: Columns) -> dict[str, pa.Array]:
    from belot_stats.rules.batch_columns import BYTES, CLAIMS, HANDS, SAID

    begins = filled.starts.tolist()
    values = [filled.bytes[start:] for start in begins] + [*filled.hands, *filled.claims]
    said = dict(zip(SAID, filled.said, strict=True))
    return {
        name: _list(offsets, number_array(flat[: offsets[-1]]), said.get(name))
        for name, offsets, flat in zip((*BYTES, *HANDS, *CLAIMS), filled.offsets, values, strict=False)
    }


def _sides(filled: Columns) -> dict[str, pa.Array]:
    """Lists of a number a side, and the columns that some of them have for each side."""
    from belot_stats.rules.batch_columns import SIDES

    every = _every(filled.tricks_won.shape[1], len(filled.tricks_won))
    columns = {"tricks_won": _list(every, number_array(filled.tricks_won.reshape(-1)))}
    for name, values in zip(SIDES, filled.sides, strict=True):
        columns[name] = _list(every, number_array(values.reshape(-1)))
        if name in OWN_COLUMNS:
            columns |= {
                f"{name}_{side}": number_array(np.ascontiguousarray(own)) for side, own in enumerate(values.T)
            }
    return columns


def _announced(filled: Columns) -> dict[str, pa.Array]:
    from belot_stats.rules.batch_columns import ANNOUNCED, BELOTES, DECLARED

    ends = filled.offsets[-len(ANNOUNCED) :, -1].tolist()
    sizes = dict(zip(ANNOUNCED, ends, strict=True))
    given = dict(zip(DECLARED, filled.declared, strict=True))
    given |= {"cards": filled.masks[0], "result_cards": filled.masks[1], "result_points": filled.worth}
    belotes = dict(zip(BELOTES, filled.belotes, strict=True))
    fields = {
        "declarations": _record_fields(given, ("seat", "cards", "kind", "at"), sizes["declarations"]),
        "declaration_results": _result_fields(
            given, ("seat", "side", "kind", "cards", "points", "at", "status"), sizes["declaration_results"]
        ),
        "belotes": _record_fields(belotes, ("seat", "suit", "at"), sizes["belotes"]),
        "belote_results": _result_fields(
            belotes, ("seat", "side", "suit", "at", "status"), sizes["belote_results"]
        ),
    }
    return {
        name: _list(offsets, _struct(fields[name]))
        for name, offsets in zip(ANNOUNCED, filled.offsets[-len(ANNOUNCED) :], strict=True)
    }


def _record_fields(given: dict[str, Numbers], names: tuple[str, ...], size: int) -> dict[str, pa.Array]:
    """Fields of announcements as a record has them: their kind is not said, when they were made may not be."""
    import pyarrow as pa

    fields = {name: number_array(given[name][:size]) for name in names if name in given}
    if "kind" in names:
        fields["kind"] = pa.nulls(size, pa.string())
    at = given["at"][:size]
    fields["at"] = number_array(at, at != AT_NOT_SAID)
    return {name: fields[name] for name in names}


def _result_fields(given: dict[str, Numbers], names: tuple[str, ...], size: int) -> dict[str, pa.Array]:
    words = {"kind": KINDS, "status": FATES}
    values = {name: given[f"result_{name}"][:size] for name in names}
    return {
        name: _words(codes, words[name]) if name in words else number_array(codes)
        for name, codes in values.items()
    }


def _struct(fields: dict[str, pa.Array]) -> pa.Array:
    import pyarrow as pa

    return pa.StructArray.from_arrays(list(fields.values()), names=list(fields))


def _every(width: int, count: int) -> Numbers:
    """Offsets of lists of *width* values each."""
    return np.arange(0, width * count + 1, width, dtype=np.int32)


def _list(offsets: Numbers, values: pa.Array, said: Numbers | None = None) -> pa.Array:
    """Lists of *values* between the *offsets*; null where not *said*."""
    import pyarrow as pa

    valid = None if said is None or said.all() else _bits(said)
    buffers = [valid, pa.py_buffer(offsets)]
    return pa.ListArray.from_buffers(pa.list_(values.type), len(offsets) - 1, buffers, children=[values])


def number_array(values: Numbers, said: Numbers | None = None, is_bool: bool = False) -> pa.Array:
    """Numbers, or truths, as they are in contiguous *values*; null where not *said*."""
    import pyarrow as pa

    valid = None if said is None or said.all() else _bits(said)
    kind = pa.bool_() if is_bool else pa.from_numpy_dtype(values.dtype)
    data = _bits(values) if is_bool else pa.py_buffer(values)
    return pa.Array.from_buffers(kind, len(values), [valid, data])


def _bits(values: Numbers) -> pa.Buffer:
    import pyarrow as pa

    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _totals(total: Numbers) -> pa.Array:
    said = total[:, 0] != NUMBER_NOT_SAID
    counts = np.where(said, total.shape[1], 0)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return _list(offsets, number_array(total[said].reshape(-1)), said)


def _words(places: Numbers, words: tuple[str, ...]) -> pa.Array:
    """The word at each place."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(places.view(np.int8), list(words)).dictionary_decode()

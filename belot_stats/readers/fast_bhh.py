"""The fast way through a log in ``bhh/1``: pieces of a chunk become records in columns, a group for each rule set.

It takes only lines it understands to the last byte. All others it names as slow lines: those the strict reader
(:mod:`belot_stats.readers.bhh`) reads and judges. A record of a group is equal, field by field, to what the strict
reader makes of its line, and has neither a fault nor a field that is unknown; where a start time has no offset,
``started_at`` is null beside ``started``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_stats.content import row_words
from belot_stats.errors import RuleSetError
from belot_stats.readers.bhh_fields import Scan, Table, table_of
from belot_stats.readers.lines import LineProblem, is_blank, parse_object
from belot_stats.readers.reader import Chunk, ReadOptions
from belot_stats.rows import _json_or_null
from belot_stats.ruleset import RuleSet

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.rules.deal_rows import Rows

Column = npt.NDArray[Any]
PIECE_BYTES = 8 * 1024 * 1024
PIECE_ROWS = 16 * 1024
PIECE_SLOW = 16 * 1024
MOST_SIDES = 3  # that rows have places for
_MOST_KEPT = 10_000


class FastGroup(NamedTuple):
    """Records of one piece that name the same rules and change them alike, in the order of their lines."""

    rules: RuleSet
    rules_name: str  # as the records write it; the rule set's own where they name none
    options: dict[str, Any]
    line: Column  # int64 [n]: in the chunk, from 1
    byte: Column  # int64 [n]: in the chunk
    records: Rows  # of RECORD
    source: pa.StringArray
    match: pa.StringArray
    started: pa.StringArray  # null where the record has none
    started_at: pa.Array  # timestamp[us, UTC], null where there is no offset too
    players: pa.ListArray  # of strings; null where the record has none
    extra: pa.StringArray  # JSON by path, as the table deals has it; null where there is none
    claimed_total: Column  # int32 [n, sides]: NUMBER_NOT_SAID in the first place where there is no such claim
    claimed_winner: Column  # int8 [n]: NOT_SAID
    content_hash: Column  # uint64 [n]


class FastPiece(NamedTuple):
    """A piece of a chunk: its groups, the lines for the strict reader, and how many lines are blank."""

    groups: list[FastGroup]
    slow_lines: list[tuple[int, int, bytes]]  # line and byte in the chunk, and its bytes without the LF
    blank_lines: int


class _Known(NamedTuple):
    """What the rules and options of a group come to."""

    rules: RuleSet
    name: str
    options: dict[str, Any]
    between: Column  # name and options as they stand in a record's head, as uint8


class _Scanned(NamedTuple):
    """Rows of a scan."""

    data: Column
    cells: Column
    wide: Column

    def at(self, place: Any) -> _Scanned:
        return _Scanned(self.data, self.cells[place], self.wide[place])


class FastReader:
    """Reads chunks of ``bhh/1`` as far as that can be done fast; keeps what it has looked up for the next one."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._known: dict[tuple[bytes | None, bytes], _Known | None] = {}
        self._extras: dict[bytes, str | None] = {}

    def read(self, chunk: Chunk, piece_bytes: int = PIECE_BYTES) -> Iterator[FastPiece]:
        """Pieces of *chunk*, in their order, each of about *piece_bytes*; every line is in one of them."""
        from belot_stats.readers.fast_layout import MOST_GROUPS, ROW, WIDE_CELLS
        from belot_stats.readers.fast_scan import scan_lines

        cells = np.empty((PIECE_ROWS, ROW.size), dtype=np.int32)
        wide = np.zeros((PIECE_ROWS, WIDE_CELLS), dtype=np.int64)
        slow = np.zeros((PIECE_SLOW, 3), dtype=np.int64)
        groups = np.zeros((MOST_GROUPS, 4), dtype=np.int32)
        line, byte = 0, 0
        while byte < len(chunk.data):
            data, at = _piece(chunk.data, byte, piece_bytes), 0
            while at < data.size - 1:
                found = scan_lines(data, at, line, cells, wide, slow, groups)
                rows, slows, kinds, blank, at, line = found
                scanned = _Scanned(data, cells[:rows], wide[:rows])
                yield self._make_piece(chunk.data, byte, scanned, slow[:slows], groups[:kinds], blank)
            byte += data.size - 1

    def _make_piece(
        self, chunk: bytes, byte: int, rows: _Scanned, slow: Column, groups: Column, blank: int
    ) -> FastPiece:
        """Groups of the *rows* scanned from *byte* of the chunk on; those that do not fit their rules are slow."""
        is_slow = np.zeros(len(rows.cells), dtype=bool)
        extra = self._extra(rows, is_slow)
        made = []
        for number, places in enumerate(groups.tolist()):
            mine = np.flatnonzero(rows.cells[:, 0] == number)
            known = self._resolve(rows.data, *places)
            if known is None:
                is_slow[mine] = True
                continue
            is_slow[mine] |= ~self._fit(rows.at(mine), table_of(known.rules))
            taken = mine[~is_slow[mine]]
            if taken.size:
                made.append(
                    self._make_group(byte, rows.at(taken), known, [extra.get(row) for row in taken.tolist()])
                )
        late = rows.wide[is_slow, 2:]
        lines, blank_here = _slow_lines(chunk, byte, np.concatenate([slow, late]) if late.size else slow)
        return FastPiece(made, lines, blank + blank_here)

    def _make_group(self, byte: int, rows: _Scanned, known: _Known, extra: list[str | None]) -> FastGroup:
        import pyarrow as pa

        sides, records = table_of(known.rules).sides, _records(rows)
        source = (self._options.source or "").encode()
        return FastGroup(
            rules=known.rules,
            rules_name=known.name,
            options=known.options,
            line=rows.wide[:, 2].copy(),
            byte=rows.wide[:, 3] + byte,
            records=records,
            source=_texts(rows, 0, source),
            match=_texts(rows, 1),
            started=_texts(rows, 3),
            started_at=pa.array(
                rows.wide[:, 1], pa.timestamp("us", "UTC"), mask=_cell(rows, "time_kind") != 2
            ),
            players=_players(rows),
            extra=pa.array(extra, pa.string()),
            claimed_total=_block(rows, "claimed_total", sides).copy(),
            claimed_winner=_cell(rows, "claimed_winner").astype(np.int8),
            content_hash=_hashes(rows, source, known, records),
        )

    def _fit(self, rows: _Scanned, table: Table) -> Column:
        """Which rows fit the table, and say where they come from."""
        fits = _fit(rows, table)
        return fits if self._options.source is not None else fits & (_spans(rows, 0)[0] >= 0)

    def _resolve(
        self, data: Column, rules: int, rules_end: int, options: int, options_end: int
    ) -> _Known | None:
        """Rules by their name and options as written; None where the strict reader has something to say."""
        name = data[rules:rules_end].tobytes() if rules >= 0 else None
        key = name, data[options:options_end].tobytes() if options >= 0 else b"{}"
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[key] = self._look_up(*key)
        return self._known[key]

    def _look_up(self, name: bytes | None, changed: bytes) -> _Known | None:
        try:
            options = parse_object(changed)
            text = name.decode() if name is not None else None
            rules = self._options.resolver.resolve(text, options)
        except (LineProblem, RuleSetError):
            return None
        text = rules.name if text is None else text
        head = json.dumps([text, options], sort_keys=True, separators=(",", ":"))
        return _Known(rules, text, options, np.frombuffer(f",{head[1:-1]},".encode(), dtype=np.uint8))

    def _extra(self, rows: _Scanned, is_slow: Column) -> dict[int, str]:
        """Row -> the fields that are the writer's own, as JSON by path; rows where they are no JSON become slow."""
        found = {}
        counts = _cell(rows, "extra_count")
        place = _place("extras")
        for row in np.flatnonzero(counts).tolist():
            spans = rows.cells[row, place : place + 2 * counts[row]].reshape(-1, 2).tolist()
            raw = b"{%s}" % b",".join(rows.data[start:end].tobytes() for start, end in spans)
            if raw not in self._extras:
                if len(self._extras) >= _MOST_KEPT:
                    self._extras.clear()
                self._extras[raw] = _extra_text(raw)
            text = self._extras[raw]
            if text is None:
                is_slow[row] = True
            else:
                found[row] = text
        return found


def _piece(chunk: bytes, byte: int, size: int) -> Column:
    """Whole lines from *byte* on, with a last LF after the last line's own if it has one; they may be written to."""
    end = chunk.find(b"\n", min(byte + size, len(chunk)) - 1) + 1 or len(chunk)
    data = np.empty(end - byte + 1, dtype=np.uint8)
    data[:-1] = np.frombuffer(chunk, dtype=np.uint8, count=end - byte, offset=byte)
    data[-1] = ord("\n")
    return data


def _slow_lines(chunk: bytes, byte: int, lines: Column) -> tuple[list[tuple[int, int, bytes]], int]:
    """Slow lines in their order, and how many of them are blank: a byte order mark alone."""
    found = [
        (line, byte + start, chunk[byte + start : byte + end])
        for line, start, end in lines[np.argsort(lines[:, 0])].tolist()
    ]
    kept = [item for item in found if item[2][:1] == b"{" or not is_blank(item[2])]
    return kept, len(found) - len(kept)


def _extra_text(raw: bytes) -> str | None:
    """Members that are the writer's own, as the table deals has them; None where the strict reader must judge them."""
    scan = Scan()
    try:
        scan.keep_unknown(parse_object(raw), ())
    except LineProblem:
        return None
    return None if scan.unknown else _json_or_null(scan.extra)


@cache
def _place(name: str) -> int:
    from belot_stats.readers.fast_layout import PLACES

    place: int = PLACES[name]
    return place


def _cell(rows: _Scanned, name: str) -> Column:
    cells: Column = rows.cells[:, _place(name)]
    return cells


def _block(rows: _Scanned, name: str, width: int) -> Column:
    cells: Column = rows.cells[:, _place(name) : _place(name) + width]
    return cells


def _fit(rows: _Scanned, table: Table) -> Column:
    """Which rows name only seats, sides, cards and counts that the table has."""
    seat, side, at = _block(rows, "highest", 3).T
    outside = np.uint32(~table.pack & 0xFFFFFFFF)
    fits: Column = (table.sides <= MOST_SIDES) & (seat < table.seats) & (side < table.sides)
    fits &= (at <= table.most_plays) & (_cell(rows, "play_count") <= table.most_plays)
    fits &= (_cell(rows, "cards").view(np.uint32) & outside) == 0
    fits &= _cell(rows, "claimed_trick_count") <= (table.hand_cards or 0)
    fits &= _is_said_as(_cell(rows, "player_count"), table.seats)
    for count in _block(rows, "side_counts", 3).T:
        fits &= _is_said_as(count, table.sides)
    for name, size in (("first_hand_sizes", table.first_cards), ("hand_sizes", table.hand_cards)):
        count, least, most = _block(rows, name, 3).T
        fits &= (count < 0) | ((count == table.seats) & (least == size) & (most == size))
    return fits


def _is_said_as(count: Column, right: int) -> Column:
    said: Column = (count < 0) | (count == right)
    return said


def _records(rows: _Scanned) -> Rows:
    """Rows of RECORD: what the scan found, in the widths that the compiled loops read."""
    from belot_stats.rules.deal_rows import RECORD

    records = np.zeros(len(rows.cells), dtype=RECORD)
    for name in RECORD.names or ():
        shape = RECORD[name].shape
        if name == "deal":
            records[name] = rows.wide[:, 0]
        elif name in ("has_first_hands", "has_hands"):
            records[name] = _cell(rows, name[4:-1] + "_sizes") >= 0
        else:
            cells = _block(rows, name, shape[0]) if shape else _cell(rows, name)
            records[name] = cells.astype(RECORD[name].base)
    return records


def _spans(rows: _Scanned, number: int) -> tuple[Column, Column]:
    place = _place("texts") + 2 * number
    return rows.cells[:, place], rows.cells[:, place + 1]


def _texts(rows: _Scanned, number: int, instead: bytes | None = None) -> pa.StringArray:
    """Text *number* of each row; where it is not said: null, or *instead*."""
    import pyarrow.compute as pc

    starts, ends = _spans(rows, number)
    texts = _strings(rows.data, starts, ends)
    return texts if instead is None or not texts.null_count else pc.fill_null(texts, instead.decode())


def _strings(data: Column, starts: Column, ends: Column) -> pa.StringArray:
    """Strings of pieces of *data*; null where a piece begins nowhere."""
    import pyarrow as pa

    from belot_stats.readers.fast_text import gather_texts

    offsets = np.zeros(starts.size + 1, dtype=np.int32)
    np.cumsum(ends - starts, out=offsets[1:])
    out = np.empty(int(offsets[-1]), dtype=np.uint8)
    gather_texts(data, np.ascontiguousarray(starts), np.ascontiguousarray(ends), out)
    said = starts >= 0
    valid = None if said.all() else pa.py_buffer(np.packbits(said, bitorder="little").tobytes())
    return pa.StringArray.from_buffers(starts.size, pa.py_buffer(offsets), pa.py_buffer(out), valid, -1)


def _players(rows: _Scanned) -> pa.ListArray:
    """Names a seat; null where there are none."""
    import pyarrow as pa

    from belot_stats.readers.fast_layout import PLAYERS, SEATS

    counts = np.maximum(_cell(rows, "player_count"), 0)
    place = _place("texts") + 2 * PLAYERS
    spans = rows.cells[:, place : place + 2 * SEATS].reshape(-1, SEATS, 2)
    named = spans[np.arange(SEATS) < counts[:, None]]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    names = _strings(rows.data, named[:, 0], named[:, 1])
    missing = pa.array(_cell(rows, "player_count") < 0)
    return pa.ListArray.from_arrays(pa.array(offsets), names, mask=missing)


def _hashes(rows: _Scanned, source: bytes, known: _Known, records: Rows) -> Column:
    """Hash of each row's content, as :func:`belot_stats.content.content_hash` gives it for its deal."""
    from belot_stats.readers.fast_text import LONGEST_ESCAPE, LONGEST_FIXED, write_texts
    from belot_stats.rules.batch_hash import hash_rows

    count = len(records)
    line_bytes = int((rows.wide[:, 4] - rows.wide[:, 3]).sum())
    filled = np.frombuffer(json.dumps(source.decode()).encode(), dtype=np.uint8)
    each = LONGEST_FIXED + filled.size + known.between.size
    out, ends = np.empty(LONGEST_ESCAPE * line_bytes + count * each, np.uint8), np.empty(count, np.int64)
    write_texts(rows.data, rows.cells, filled, known.between, out, ends)
    hashes = np.empty(count, dtype=np.uint64)
    hash_rows(out, ends, row_words(records), hashes)
    return hashes

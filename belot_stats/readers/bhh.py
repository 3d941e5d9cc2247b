"""Reader of the project's own format, ``bhh/1``: one JSON object a line, one deal a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from belot_stats.cards import KIND_NAMES, SUIT_NAMES, format_card
from belot_stats.deal import END_NAMES, BadRecord, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.errors import RuleSetError, UnknownRulesError, UsageError
from belot_stats.readers import bhh_fields as f
from belot_stats.readers.bhh_fields import Scan
from belot_stats.readers.lines import (
    LineProblem,
    count_blank_lines,
    is_blank,
    lines_of,
    parse_object,
    split_lines,
)
from belot_stats.readers.reader import CHUNK_BYTES, Chunk, ReadOptions, Source
from belot_stats.readers.times import TIME_EXAMPLE, is_time

FORMAT = "bhh/1"
FIELDS = (
    "format", "source", "match", "deal", "rules", "options", "started", "players", "dealer", "turn_up", "first_hands",
    "auction", "contract", "exchange", "hands", "plays", "declarations", "belotes", "end", "ended_by", "claimed",
)  # fmt: skip
REQUIRED = ("format", "source", "match", "deal", "rules", "dealer")
CONTRACT_FIELDS = ("call", "seat", "level")
EXCHANGE_FIELDS = ("seat",)
DECLARATION_FIELDS = ("seat", "cards", "kind", "at")
BELOTE_FIELDS = ("seat", "suit", "at")
ENDED_BY_FIELDS = ("seat", "at", "reason")
CLAIMED_FIELDS = (
    "contract", "declarer", "level", "tricks", "points", "capot", "made", "score", "hanging", "total", "winner",
)  # fmt: skip
MOST_DEAL = 2**63 - 1
MOST_LEVEL = 255

_KNOWN = frozenset(FIELDS)
MOST_ANNOUNCED = 64  # declarations, or belotes, of one deal: many times what can be held
_IDENTIFY = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\{[^\n]*"format"\s*:\s*"bhh\b', re.MULTILINE)


class BhhReader:
    """``bhh/1``."""

    name = "bhh"
    passes_are_logged = True
    title = 'JSON Lines whose records say "format":"bhh/1"'

    def identify(self, head: bytes) -> bool:
        """*head* holds a record that names the format, in whatever version."""
        return _IDENTIFY.search(head) is not None

    def split(self, stream: Source, chunk_bytes: int = CHUNK_BYTES) -> Iterator[Chunk]:
        """Chunks of whole lines."""
        return split_lines(stream, chunk_bytes)

    def read(self, chunk: Chunk, options: ReadOptions) -> Iterator[Deal | BadRecord]:
        """One record a line that is not blank."""
        for number, byte, raw in lines_of(chunk.data):
            if raw[:1] == b"{" or not is_blank(raw):
                yield read_line(raw, number, byte, options)

    def passed_over(self, chunk: Chunk) -> dict[str, int]:
        """``{"blank lines": count}``."""
        return {"blank lines": count_blank_lines(chunk.data)}


def read_line(raw: bytes, line: int, byte: int, options: ReadOptions) -> Deal | BadRecord:
    """Record of one line of ``bhh/1``, its LF not included. Raises: nothing."""
    try:
        members = parse_object(raw)
    except LineProblem as problem:
        return bad_record([(problem.code, problem.message)], raw, line, byte)
    scan = Scan()
    values = read_members(scan, members, options)
    if scan.faults:
        return bad_record(scan.faults, raw, line, byte)
    return Deal(**values, extra=scan.extra, unknown_fields=tuple(scan.unknown), line=line, byte=byte)


def bad_record(faults: list[tuple[str, str]], raw: bytes, line: int, byte: int) -> BadRecord:
    """Quarantined record with all its *faults*, the first of them in front."""
    code, message = faults[0]
    return BadRecord(code=code, message=message, raw=raw, line=line, byte=byte, problems=tuple(faults))


def read_members(scan: Scan, members: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    """Field values of a ``Deal``, as far as *members* give them; faults and unknown fields go to *scan*."""
    found = members.get("format", FORMAT)
    if found != FORMAT:
        scan.wrong("format", repr(FORMAT), found, "unknown-format" if type(found) is str else "bad-type")
        return {}
    if "format" not in members:
        _missing(scan, "format", repr(FORMAT))
    values = _identity(scan, members, options)
    values["rules"], values["options"] = _rules(scan, members, options)
    for key, value in members.items():
        read_field = _FIELD_READERS.get(key)
        if read_field is not None:
            values[key] = read_field(scan, value, key)
    _check_turned_apart(scan, values)
    if "dealer" not in members:
        _missing(scan, "dealer", "the seat of the dealer")
    if not members.keys() <= _KNOWN:
        scan.keep_unknown(members, _KNOWN)
    return values


def _missing(scan: Scan, path: str, expected: str) -> None:
    scan.fault("missing-field", path, f"missing, expected {expected}")


def _identity(scan: Scan, members: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    """source, match and deal."""
    source: str | None = options.source
    if "source" in members:
        source = f.text_of(scan, members["source"], "source")
    elif source is None:
        _missing(scan, "source", "the server or program that wrote the record (or name it with --source)")
    match, deal = None, None
    if "match" in members:
        match = f.text_of(scan, members["match"], "match")
    else:
        _missing(scan, "match", "a text")
    if "deal" in members:
        deal = f.int_of(scan, members["deal"], "deal", 1, MOST_DEAL)
    else:
        _missing(scan, "deal", "the number of the deal in its match")
    return {"source": source, "match": match, "deal": deal}


def _rules(scan: Scan, members: dict[str, Any], options: ReadOptions) -> tuple[str | None, dict[str, Any]]:
    """Name of the rules as written (or as filled in) and the options; the table goes to *scan*."""
    changed = members.get("options", {})
    if type(changed) is not dict:
        scan.wrong("options", "an object of rule parameters", changed)
        changed = {}
    name = f.text_of(scan, members["rules"], "rules") if "rules" in members else None
    if name is None and "rules" in members:
        return None, changed
    try:
        rules = options.resolver.resolve(name, changed)
    except UnknownRulesError as problem:
        if name is None:
            _missing(scan, "rules", "the name of a rule set (or name it with --rules)")
        else:
            scan.fault("unknown-rules", "rules", str(problem))
        return name, changed
    except RuleSetError as problem:
        scan.faults.append(
            ("unknown-option", str(problem))
        )  # its text begins with "options" or the rules' name
        return name, changed
    scan.table = f.table_of(rules)
    return (rules.name if name is None else name), changed


def _started(scan: Scan, value: Any, path: str) -> str | None:
    if type(value) is not str or not is_time(value):
        scan.wrong(path, f"an RFC 3339 time, as in {TIME_EXAMPLE}", value)
        return None
    return value


def _players(scan: Scan, value: Any, path: str) -> tuple[str, ...] | None:
    names = f.array_of(scan, value, path, "names, one a seat", f.seat_count(scan))
    if names is None:
        return None
    for seat, name in enumerate(names):
        f.text_of(scan, name, f"{path}.{seat}")
    return tuple(names)


def _turn_up(scan: Scan, value: Any, path: str) -> tuple[int | None, ...] | None:
    if type(value) is not list:
        return (f.card_of(scan, value, path),)
    if len(value) != 2:
        scan.wrong(path, "one card, or an array of two", value)
        return None
    cards = tuple([f.card_of(scan, card, f"{path}.{index}") for index, card in enumerate(value)])
    if cards[0] is not None and cards[0] == cards[1]:
        scan.fault("duplicate-card", path, f"{value[0]} was turned up twice")
    return cards


def _check_turned_apart(scan: Scan, values: dict[str, Any]) -> None:
    """A turned-up card is in nobody's hand during the auction."""
    hands, cards = values.get("first_hands"), values.get("turn_up")
    for card in dict.fromkeys(cards or ()):
        for seat, mask in enumerate(hands or ()):
            if card is not None and mask >> card & 1:
                message = f"{format_card(card)} also stands in first_hands.{seat}"
                scan.fault("duplicate-card", "turn_up", message)


def _first_hands(scan: Scan, value: Any, path: str) -> tuple[int, ...] | None:
    return f.hands_of(scan, value, path, scan.table.first_cards)


def _hands(scan: Scan, value: Any, path: str) -> tuple[int, ...] | None:
    return f.hands_of(scan, value, path, scan.table.hand_cards)


def _part(
    scan: Scan,
    members: dict[str, Any],
    path: str,
    key: str,
    read_part: Callable[..., Any],
    expected: str = "",
) -> Any:
    """Value of one part of an object; None where it is absent, which is a fault where something is *expected*."""
    if key in members:
        return read_part(scan, members[key], f"{path}.{key}")
    if expected:
        _missing(scan, f"{path}.{key}", expected)
    return None


def _at(scan: Scan, value: Any, path: str) -> int | None:
    return f.int_of(scan, value, path, 0, scan.table.most_plays)


def _level(scan: Scan, value: Any, path: str) -> int | None:
    return f.int_of(scan, value, path, 0, MOST_LEVEL)


def _contract(scan: Scan, value: Any, path: str) -> StatedContract | None:
    members = f.object_of(scan, value, path, CONTRACT_FIELDS)
    if members is None:
        return None
    call = _part(scan, members, path, "call", f.contract_of, "a contract")
    seat = _part(scan, members, path, "seat", f.seat_of, "the declarer's seat")
    level = _part(scan, members, path, "level", _level) if "level" in members else 1
    return StatedContract(call=call, seat=seat, level=level)


def _exchange(scan: Scan, value: Any, path: str) -> int | None:
    members = f.object_of(scan, value, path, EXCHANGE_FIELDS)
    seat: int | None = None if members is None else _part(scan, members, path, "seat", f.seat_of, "a seat")
    return seat


def _declarations(scan: Scan, value: Any, path: str) -> tuple[Declaration | None, ...] | None:
    items = f.array_of(scan, value, path, "objects with seat and cards")
    if items is None or f.is_too_long(scan, items, path, MOST_ANNOUNCED):
        return None
    return tuple([_declaration(scan, item, f"{path}.{index}") for index, item in enumerate(items)])


def _declaration(scan: Scan, value: Any, path: str) -> Declaration | None:
    members = f.object_of(scan, value, path, DECLARATION_FIELDS)
    if members is None:
        return None
    seat = _part(scan, members, path, "seat", f.seat_of, "a seat")
    kind = _part(scan, members, path, "kind", _kind)
    cards = _part(scan, members, path, "cards", f.cards_of, "" if "kind" in members else "cards, or a kind")
    return Declaration(seat=seat, cards=cards, kind=kind, at=_part(scan, members, path, "at", _at))


def _kind(scan: Scan, value: Any, path: str) -> str | None:
    return f.choice_of(scan, value, path, KIND_NAMES)


def _belotes(scan: Scan, value: Any, path: str) -> tuple[Belote | None, ...] | None:
    items = f.array_of(scan, value, path, "objects with seat and suit")
    if items is None or f.is_too_long(scan, items, path, MOST_ANNOUNCED):
        return None
    return tuple([_belote(scan, item, f"{path}.{index}") for index, item in enumerate(items)])


def _belote(scan: Scan, value: Any, path: str) -> Belote | None:
    members = f.object_of(scan, value, path, BELOTE_FIELDS)
    if members is None:
        return None
    seat = _part(scan, members, path, "seat", f.seat_of, "a seat")
    suit = _part(scan, members, path, "suit", _suit, f"a suit of {SUIT_NAMES}")
    return Belote(seat=seat, suit=suit, at=_part(scan, members, path, "at", _at))


def _suit(scan: Scan, value: Any, path: str) -> int | None:
    name = f.choice_of(scan, value, path, tuple(SUIT_NAMES))
    return None if name is None else f.SUIT_NUMBERS[name]


def _end(scan: Scan, value: Any, path: str) -> str | None:
    return f.choice_of(scan, value, path, END_NAMES)


def _ended_by(scan: Scan, value: Any, path: str) -> EndedBy | None:
    members = f.object_of(scan, value, path, ENDED_BY_FIELDS)
    if members is None:
        return None
    return EndedBy(
        seat=_part(scan, members, path, "seat", f.seat_of),
        at=_part(scan, members, path, "at", _at),
        reason=_part(scan, members, path, "reason", f.text_of),
    )


def _claimed(scan: Scan, value: Any, path: str) -> Claimed | None:
    members = f.object_of(scan, value, path, CLAIMED_FIELDS)
    if members is None:
        return None
    parts = {}
    for key, part in members.items():
        if part is not None and key in _CLAIM_READERS:  # a server that writes null has not claimed it
            read_part, part_path = _CLAIM_READERS[key]
            parts[key] = read_part(scan, part, part_path)
    return Claimed(**parts)


def _made(scan: Scan, value: Any, path: str) -> bool | None:
    if type(value) is bool:
        return value
    scan.wrong(path, "true, false or null", value)
    return None


_CLAIM_READERS: dict[str, tuple[Callable[[Scan, Any, str], Any], str]] = {
    "contract": (f.contract_of, "claimed.contract"),
    "declarer": (f.seat_of, "claimed.declarer"),
    "level": (_level, "claimed.level"),
    "tricks": (f.seats_of, "claimed.tricks"),
    "points": (f.points_of, "claimed.points"),
    "capot": (f.side_of, "claimed.capot"),
    "made": (_made, "claimed.made"),
    "score": (f.points_of, "claimed.score"),
    "hanging": (f.points_number_of, "claimed.hanging"),
    "total": (f.points_of, "claimed.total"),
    "winner": (f.side_of, "claimed.winner"),
}
_FIELD_READERS: dict[str, Callable[[Scan, Any, str], Any]] = {
    "started": _started,
    "players": _players,
    "dealer": f.seat_of,
    "turn_up": _turn_up,
    "first_hands": _first_hands,
    "auction": f.calls_of,
    "contract": _contract,
    "exchange": _exchange,
    "hands": _hands,
    "plays": f.plays_of,
    "declarations": _declarations,
    "belotes": _belotes,
    "end": _end,
    "ended_by": _ended_by,
    "claimed": _claimed,
}


def line_of(record: Mapping[str, Any] | str | bytes) -> bytes:
    """Line of a record given as a dict, a text or bytes.  Raises: UsageError for what JSON cannot hold."""
    if isinstance(record, bytes):
        return record
    if isinstance(record, str):
        return record.encode("utf-8", "surrogatepass")
    try:
        return json.dumps(dict(record), ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError) as problem:
        raise UsageError(f"check: the record is not JSON-able: {problem}") from None

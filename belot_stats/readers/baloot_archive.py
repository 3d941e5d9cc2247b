"""Reader of a Baloot server's archive: JSON Lines, one match a line, one record a round.

Identity: ``game_id`` is the match, ``roundNumber`` the deal. A round written twice gives two records, and two rounds
of one number give two records of one deal, so that nothing is lost and what follows can report them. Records have
the line of their match; their byte is where the round itself begins, and so no two records have the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import RuleSetError
from belot_stats.readers import bhh_fields as f
from belot_stats.readers.baloot_round import new_scan, read_round
from belot_stats.readers.baloot_tricks import items_of
from belot_stats.readers.bhh import bad_record
from belot_stats.readers.bhh_fields import Scan
from belot_stats.readers.lines import (
    LineProblem,
    count_blank_lines,
    is_blank,
    lines_of,
    parse_object,
    split_lines,
    without_mark,
)
from belot_stats.readers.reader import CHUNK_BYTES, Chunk, ReadOptions, Source

DEFAULT_SOURCE = "baloot-archive"
DEFAULT_RULES = "baloot-archive-server"
STUB_KEYS = {"test"}
MATCH_FIELDS = ("id", "game_id", "timestamp", "final_score_us", "final_score_them", "rounds")
COUNTED = ("rounds", "rounds written twice", "penalties (qayd)", "claims (sawa)", "rounds without hands")
TOTAL_FIELDS = ("final_score_us", "final_score_them")


class Match(NamedTuple):
    """What the rounds of one line have in common."""

    game_id: str
    source: str
    rules: str
    total: tuple[int, int] | None
    extra: dict[str, Any]
    unknown: list[str]


class BalootArchiveReader:
    """The archive of a Baloot server."""

    name = "baloot-archive"
    passes_are_logged = False  # deals that everybody passed are not recorded
    title = 'JSON Lines of matches with "game_id" and "rounds"'

    def identify(self, head: bytes) -> bool:
        """*head* names a match and its rounds as the archive does."""
        return b'"game_id"' in head and b'"rounds"' in head and b'"final_score_us"' in head

    def split(self, stream: Source, chunk_bytes: int = CHUNK_BYTES) -> Iterator[Chunk]:
        """Chunks of whole lines, and so of whole matches."""
        return split_lines(stream, chunk_bytes)

    def read(self, chunk: Chunk, options: ReadOptions) -> Iterator[Deal | BadRecord]:
        """One record a round; one for a line that is no match."""
        for number, byte, raw in lines_of(chunk.data):
            if not is_blank(raw):
                yield from read_match(raw, number, byte, options)

    def passed_over(self, chunk: Chunk) -> dict[str, int]:
        """What is no record: blank lines, stubs among the rounds, matches without rounds."""
        counts = Counter(
            {"blank lines": count_blank_lines(chunk.data), "stubs": 0, "matches without rounds": 0}
        )
        for _, _, raw in lines_of(chunk.data):
            try:
                rounds = parse_object(raw).get("rounds")
            except LineProblem:
                continue
            if isinstance(rounds, list):
                counts["stubs"] += sum(map(is_stub, rounds))
                counts["matches without rounds"] += all(map(is_stub, rounds))
        return dict(counts)


def is_stub(item: Any) -> bool:
    """An element of the round list that is no round, such as ``{"test": "data"}``."""
    return isinstance(item, dict) and item.keys() == STUB_KEYS


def read_match(raw: bytes, line: int, byte: int, options: ReadOptions) -> Iterator[Deal | BadRecord]:
    """Records of the rounds of one line. Raises: nothing."""
    try:
        members = parse_object(raw)
    except LineProblem as problem:
        yield bad_record([(problem.code, problem.message)], raw, line, byte)
        return
    scan = new_scan("")
    match = _match(scan, members, options)
    rounds = items_of(scan, members, "rounds", "", "rounds")
    if scan.faults or match is None:
        yield bad_record(scan.faults, raw, line, byte)
        return
    last = next((item for item in reversed(rounds) if not is_stub(item)), None)
    for index, (item, (start, text)) in enumerate(zip(rounds, round_texts(raw), strict=True)):
        if not is_stub(item):
            total = match.total if item == last else None  # a round written twice is the last one twice
            yield _record(match, item, total, f"rounds.{index}", text, line, byte + start)


def _match(scan: Scan, members: dict[str, Any], options: ReadOptions) -> Match | None:
    game_id = f.text_of(scan, members["game_id"], "game_id") if "game_id" in members else None
    if "game_id" not in members:
        scan.fault("missing-field", "game_id", "missing, expected the name of the match")
    total = [f.points_number_of(scan, members[key], key) for key in TOTAL_FIELDS if key in members]
    rules = _rules_name(scan, options)
    if game_id is None or rules is None:
        return None
    scan.keep_unknown(members, MATCH_FIELDS, "match.")
    told = {"_archive_id": members.get("id"), "_written": members.get("timestamp")}
    extra = {**{key: value for key, value in told.items() if value is not None}, **scan.extra}
    final = (
        (total[0], total[1]) if len(total) == 2 and total[0] is not None and total[1] is not None else None
    )
    return Match(game_id, options.source or DEFAULT_SOURCE, rules, final, extra, scan.unknown)


def _rules_name(scan: Scan, options: ReadOptions) -> str | None:
    """Name of the rules: what the user named, else the rules of the server that wrote the archive."""
    resolver = options.resolver
    name = DEFAULT_RULES if resolver.default is None else None
    try:
        return resolver.resolve(name, {}).name
    except RuleSetError as problem:
        scan.fault("unknown-option", "rules", str(problem))
        return None


def _record(
    match: Match, item: Any, total: tuple[int, int] | None, path: str, text: str, line: int, byte: int
) -> Deal | BadRecord:
    """Record of one round, whose JSON is *text*."""
    scan = new_scan(match.rules)
    if type(item) is not dict:
        scan.wrong(path, "a round object", item)
        return bad_record(scan.faults, framed_round(text, match), line, byte)
    values = read_round(scan, item, path)
    if scan.faults:
        return bad_record(scan.faults, framed_round(text, match), line, byte)
    if total is not None:
        values["claimed"] = replace(values["claimed"], total=total)
    return Deal(
        **values, source=match.source, match=match.game_id, rules=match.rules, line=line, byte=byte,
        extra={**match.extra, **scan.extra}, unknown_fields=tuple(dict.fromkeys([*match.unknown, *scan.unknown])),
    )  # fmt: skip


def framed_round(text: str, match: Match) -> bytes:
    """The round *text*, unchanged, in a match of its own that can be read again."""
    frame: dict[str, Any] = {"id": match.extra.get("_archive_id"), "game_id": match.game_id}
    frame["timestamp"] = match.extra.get("_written")
    return f'{json.dumps(frame, ensure_ascii=False)[:-1]}, "rounds": [{text}]}}'.encode()


def round_texts(raw: bytes) -> list[tuple[int, str]]:
    """Byte offset and text of each element of the array ``rounds`` of the line *raw*, which is a valid match."""
    decoder = json.JSONDecoder()
    text = without_mark(raw).decode()
    key, place = decoder.raw_decode(text, _next(text, text.index("{") + 1))
    while key != "rounds":
        _, place = decoder.raw_decode(text, _next(text, place))
        key, place = decoder.raw_decode(text, _next(text, place))
    before, byte = 0, len(raw) - len(without_mark(raw))
    place = _next(text, _next(text, place) + 1)
    found = []
    while text[place] != "]":
        _, end = decoder.raw_decode(text, place)
        byte, before = byte + len(text[before:place].encode()), place
        found.append((byte, text[place:end]))
        place = _next(text, end)
    return found


def _next(text: str, place: int) -> int:
    """First place from *place* on that is no blank, comma or colon."""
    while text[place] in " \t\r\n,:":
        place += 1
    return place


def count_archive(deals: Iterable[Deal]) -> dict[str, int]:
    """What a closing report says of an archive's *deals*, in their order: how many of each kind to know about."""
    counts = dict.fromkeys(COUNTED, 0)
    before: Deal | None = None
    for deal in deals:
        counts["rounds"] += 1
        counts["rounds written twice"] += before is not None and deal == replace(before, byte=deal.byte)
        counts["penalties (qayd)"] += deal.end == "penalty"
        counts["claims (sawa)"] += deal.end == "claimed"
        counts["rounds without hands"] += deal.hands is None
        before = deal
    return counts

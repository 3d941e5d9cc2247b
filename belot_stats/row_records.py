"""What the compiled loops made, as records that claim what the rules give, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from belot_stats.deal import Belote, Claimed, Deal, Declaration, EndedBy
from belot_stats.rules.deal_rows import DECLARED_OUT, PASSED_OUT
from belot_stats.rules.scoring import MADE
from belot_stats.rules.table import side_count
from belot_stats.simulator.matches import MATCHES, Room

if TYPE_CHECKING:
    from belot_stats.rules.deal_rows import Rows

LISTS = (
    *("calls", "plays", "winners", "first_hands", "hands", "turn_up", "points"),
    *("declared_seat", "declared_mask", "declared_at", "belote_seat", "belote_suit", "belote_at"),
)
NUMBERS = ("dealer", "exchange", "contract", "declarer", "level", "result", "capot")
COUNTS = ("call_count", "play_count", "declared_count", "belote_count")


def row_deals(room: Room, rows: Rows, standings: Rows, first_line: int = 1) -> Iterator[Deal]:
    """Deals of *rows*, just as the simulator makes them one by one; lines count from *first_line*."""
    columns = {name: rows[name].tolist() for name in (*LISTS, *NUMBERS, *COUNTS)}
    columns |= {name: standings[name].tolist() for name in ("match", "deal", "score", "hanging")}
    columns |= {"total": standings["total"].tolist(), "match_winner": standings["winner"].tolist()}
    for line, values in enumerate(zip(*columns.values(), strict=True), first_line):
        yield _deal(room, dict(zip(columns, values, strict=True)), line)


def _deal(room: Room, row: dict[str, Any], line: int) -> Deal:
    seats, at = room.rules.players, row["play_count"]
    is_passed, is_out = row["result"] == PASSED_OUT, row["result"] == DECLARED_OUT
    return Deal(
        source=room.source,
        match=f"{room.prefix}{row['match']:08d}",
        deal=row["deal"],
        rules=room.rules.name,
        options=room.options,
        players=room.players,
        dealer=row["dealer"],
        turn_up=tuple(card for card in row["turn_up"] if card >= 0) or None,
        first_hands=tuple(row["first_hands"][:seats]),
        auction=tuple(row["calls"][: row["call_count"]]),
        exchange=_or_none(row["exchange"]),
        hands=None if is_passed else tuple(row["hands"][:seats]),
        plays=tuple(row["plays"][:at]),
        declarations=tuple(Declaration(seat=s, cards=c, at=a) for s, c, a in _announced(row)),
        belotes=tuple(Belote(seat=s, suit=u, at=a) for s, u, a in _belotes(row)),
        end="passed" if is_passed else "declared_out" if is_out else "played",
        ended_by=EndedBy(seat=row["winners"][at // seats - 1], at=at) if is_out else None,
        claimed=_claimed(room, row, is_passed, is_out),
        line=line,
    )


def _announced(row: dict[str, Any]) -> Iterator[tuple[int, int, int]]:
    names = ("declared_seat", "declared_mask", "declared_at")
    return zip(*(row[name][: row["declared_count"]] for name in names), strict=True)


def _belotes(row: dict[str, Any]) -> Iterator[tuple[int, int, int]]:
    names = ("belote_seat", "belote_suit", "belote_at")
    return zip(*(row[name][: row["belote_count"]] for name in names), strict=True)


def _claimed(room: Room, row: dict[str, Any], is_passed: bool, is_out: bool) -> Claimed:
    sides, is_match = side_count(room.rules), room.kind == MATCHES
    standing: dict[str, Any] = {
        "score": None if is_out else tuple(row["score"][:sides]),
        "hanging": None if is_out else row["hanging"],
        "total": None if is_out or not is_match else tuple(row["total"][:sides]),
        "winner": _or_none(row["match_winner"]) if is_match else None,
    }
    if is_passed:
        return Claimed(**standing)
    return Claimed(
        contract=row["contract"],
        declarer=_or_none(row["declarer"]),
        level=row["level"],
        tricks=tuple(row["winners"][: row["play_count"] // room.rules.players]),
        points=None if is_out else tuple(row["points"][:sides]),
        capot=_or_none(row["capot"]),
        made=row["result"] == MADE if row["result"] <= MADE else None,
        **standing,
    )


def _or_none(value: int) -> int | None:
    return None if value < 0 else value

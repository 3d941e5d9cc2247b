"""Rows of the tables deals, findings and quarantine from what the reader and the checker give, and deals back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.deal import BadRecord, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.findings import Finding
from belot_stats.readers.times import started_at

if TYPE_CHECKING:
    import pyarrow as pa

    from belot_stats.checker import Checked

_COPIED = (
    "source",
    "match",
    "deal",
    "line",
    "byte",
    "started",
    "players",
    "dealer",
    "turn_up",
    "first_hands",
    "auction",
    "hands",
    "plays",
    "end",
)
_CLAIMED_FIELDS = Claimed.__struct_fields__
_SIDE_LISTS = ("points", "score")
_STRUCT_LISTS = ("declaration_results", "belote_results")


def deal_row(checked: Checked, content_hash: int) -> dict[str, Any]:
    """Row of the table deals: the record, what the log claims, what the rules give.

    content_hash: hash of the record's content, 64 bits unsigned.
    """
    deal = checked.deal
    row = {name: getattr(deal, name) for name in _COPIED}
    row["content_hash"] = content_hash
    row["rules"], row["rules_hash"] = checked.rules.name, checked.rules.hash
    row["options"], row["extra"] = _json_or_null(deal.options), _json_or_null(deal.extra)
    row["started_at"] = started_at(deal.started)
    row["declarations"] = [msgspec.structs.asdict(item) for item in deal.declarations]
    row["belotes"] = [msgspec.structs.asdict(item) for item in deal.belotes]
    row["exchange_seat"] = deal.exchange
    row.update(_stated(deal), **_ended_by(deal))
    row.update({f"claimed_{name}": getattr(deal.claimed, name) for name in _CLAIMED_FIELDS})
    row.update(_computed(checked.computed))
    return row


def deals_table(checked: Iterable[Checked]) -> pa.Table:
    """Checked deals as one Arrow table with the schema of ``deals``; lines count from 1."""
    from belot_stats.content import content_hash
    from belot_stats.schema import TableBuilder

    builder = TableBuilder("deals")
    for line, item in enumerate(checked, start=1):
        builder.add(deal_row(item, content_hash(item.deal)) | {"line": line, "byte": 0})
    return builder.finish()


def _json_or_null(value: Mapping[str, Any]) -> str | None:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) if value else None


def _stated(deal: Deal) -> dict[str, Any]:
    stated = deal.contract
    if stated is None:
        return {}
    return {"stated_contract": stated.call, "stated_declarer": stated.seat, "stated_level": stated.level}


def _ended_by(deal: Deal) -> dict[str, Any]:
    if deal.ended_by is None:
        return {}
    return {f"ended_by_{name}": value for name, value in msgspec.structs.asdict(deal.ended_by).items()}


def _computed(computed: msgspec.Struct) -> dict[str, Any]:
    row = msgspec.structs.asdict(computed)
    for name in _STRUCT_LISTS:
        row[name] = [msgspec.structs.asdict(item) for item in row[name]]
    for name in _SIDE_LISTS:  # a column of its own for each side too
        row.update({f"{name}_{side}": value for side, value in enumerate(row[name])})
    return row


def finding_row(deal: Deal, finding: Finding) -> dict[str, Any]:
    """Row of the table findings: *finding* of the deal pass about *deal*."""
    row = msgspec.structs.asdict(finding)
    row.update(source=deal.source, match=deal.match, deal=deal.deal, line=deal.line, byte=deal.byte)
    return row


def quarantine_row(bad: BadRecord) -> dict[str, Any]:
    """Row of the table quarantine: a record that could not be read, with its bytes."""
    problems = bad.problems or ((bad.code, bad.message),)
    row = {"line": bad.line, "byte": bad.byte, "code": bad.code, "message": bad.message, "raw": bad.raw}
    return {**row, "problems": [{"code": code, "message": message} for code, message in problems]}


def deal_of(row: Mapping[str, Any]) -> Deal:
    """The record that a row of deals was made from: what the log says, without anything computed.

    row: column name -> Python value, as ``pyarrow.Table.to_pylist`` gives it.
    Where the record named no rules of its own, the rule set it was checked by stands in their place.
    """
    plain = {name: _as_tuple(row[name]) for name in _COPIED}
    extra = json.loads(row["extra"]) if row["extra"] else {}
    return Deal(
        **plain,
        rules=row["rules"],
        options=json.loads(row["options"]) if row["options"] else {},
        contract=_stated_of(row),
        exchange=row["exchange_seat"],
        declarations=tuple(Declaration(**item) for item in row["declarations"]),
        belotes=tuple(Belote(**item) for item in row["belotes"]),
        ended_by=_ended_by_of(row),
        claimed=Claimed(**{name: _as_tuple(row[f"claimed_{name}"]) for name in _CLAIMED_FIELDS}),
        extra=extra,
        unknown_fields=tuple(
            path for path in extra if not any(part.startswith("_") for part in path.split("."))
        ),
    )


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _stated_of(row: Mapping[str, Any]) -> StatedContract | None:
    if row["stated_contract"] is None:
        return None
    return StatedContract(call=row["stated_contract"], seat=row["stated_declarer"], level=row["stated_level"])


def _ended_by_of(row: Mapping[str, Any]) -> EndedBy | None:
    fields = {name: row[f"ended_by_{name}"] for name in ("seat", "at", "reason")}
    return EndedBy(**fields) if any(value is not None for value in fields.values()) else None

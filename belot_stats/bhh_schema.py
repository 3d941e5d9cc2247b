"""JSON Schema of ``bhh/1``, made from the names and bounds that the reader itself uses.

``data/schema/bhh-1.schema.json`` is :func:`schema_text`; a test keeps it so. A schema cannot say everything: that no
card stands twice, how many cards the rules deal and which options there are is checked by the reader alone.
"""

from __future__ import annotations

import json
from typing import Any

from belot_stats.cards import CALL_NAMES, CONTRACT_NAMES, KIND_NAMES, RANK_NAMES, SUIT_NAMES
from belot_stats.deal import END_NAMES
from belot_stats.readers import bhh
from belot_stats.readers import bhh_fields as f

SCHEMA_FILE = "schema/bhh-1.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_CARD = f"[{RANK_NAMES}][{SUIT_NAMES}]"
_TIME = r"^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$"

_MEANINGS = {
    "format": "this format and its version",
    "source": "server or program that wrote the record (--source fills a gap); identity with match and deal",
    "match": "match, as the source names it",
    "deal": "number of the deal in its match, from 1",
    "rules": "rule set by preset name (--rules fills a gap)",
    "options": "rule parameters that this table changed from the preset",
    "started": "RFC 3339 time; without an offset it is kept as written",
    "players": "a name or id a seat",
    "dealer": "seat of the dealer",
    "turn_up": "turned-up card; the second of two is the one turned after a round of passes",
    "first_hands": "cards held a seat during the auction",
    "auction": "calls from the first speaker on, passes included",
    "contract": "only where the source logs no auction",
    "exchange": "seat that exchanged the trump seven for the turn-up",
    "hands": "cards held a seat when play begins",
    "plays": "cards in the order played",
    "declarations": "combinations as announced; at = cards already on the table in the whole deal",
    "belotes": "king and queen of trumps as announced; at = index of the first of the two cards",
    "end": "how the deal ended; played when absent",
    "ended_by": "claimant, offender or leaver; cards on the table; free text",
    "claimed": "what the server wrote: never trusted, never overwritten; null = not claimed",
}


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one record."""
    fields = _field_schemas()
    properties = {name: {"description": _MEANINGS[name], **fields[name]} for name in bhh.FIELDS}
    return {
        "$schema": DIALECT,
        "title": "Belot Hand History, bhh/1: one deal",
        "description": "One line of a log. Other fields are kept; those beginning with _ are the writer's own.",
        "type": "object",
        "required": list(bhh.REQUIRED),
        "properties": properties,
        "$defs": _definitions(),
    }


def schema_text() -> str:
    """The schema as it stands in ``data/schema``."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _or_null(part: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [part, {"type": "null"}]}


def _array(items: dict[str, Any], low: int | None = None, high: int | None = None) -> dict[str, Any]:
    bounds = {"minItems": low, "maxItems": high}
    return {
        "type": "array",
        "items": items,
        **{key: value for key, value in bounds.items() if value is not None},
    }


def _object(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def _definitions() -> dict[str, Any]:
    return {
        "text": {"type": "string"},
        "card": {"type": "string", "pattern": f"^ *{_CARD} *$"},
        "cards": {"type": "string", "pattern": f"^ *({_CARD}( +{_CARD})*)? *$"},
        "seat": {"type": "integer", "minimum": 0, "maximum": f.MOST_SEATS - 1},
        "side": {"type": "integer", "minimum": 0, "maximum": f.MOST_SEATS - 1},
        "at": {"type": "integer", "minimum": 0, "maximum": f.MOST_CARDS},
        "level": {"type": "integer", "minimum": 0, "maximum": bhh.MOST_LEVEL},
        "contract": {"enum": list(CONTRACT_NAMES)},
        "points": {"type": "integer", "minimum": f.LEAST_POINTS, "maximum": f.MOST_POINTS},
        "points_a_side": _array(_ref("points"), 2, f.MOST_SEATS),
    }


def _field_schemas() -> dict[str, dict[str, Any]]:
    seats = (2, f.MOST_SEATS)
    return {
        "format": {"const": bhh.FORMAT},
        "source": _ref("text"),
        "match": _ref("text"),
        "deal": {"type": "integer", "minimum": 1, "maximum": bhh.MOST_DEAL},
        "rules": _ref("text"),
        "options": {"type": "object"},
        "started": {"type": "string", "pattern": _TIME},
        "players": _array(_ref("text"), *seats),
        "dealer": _ref("seat"),
        "turn_up": {"anyOf": [_ref("card"), _array(_ref("card"), 2, 2)]},
        "first_hands": _array(_ref("cards"), *seats),
        "auction": _array({"enum": list(CALL_NAMES)}),
        "contract": _object(
            {"call": _ref("contract"), "seat": _ref("seat"), "level": _ref("level")}, ("call", "seat")
        ),
        "exchange": _object({"seat": _ref("seat")}, ("seat",)),
        "hands": _array(_ref("cards"), *seats),
        "plays": _ref("cards"),
        "declarations": _array(_declaration()),
        "belotes": _array(
            _object(
                {"seat": _ref("seat"), "suit": {"enum": list(SUIT_NAMES)}, "at": _ref("at")}, ("seat", "suit")
            )
        ),
        "end": {"enum": list(END_NAMES)},
        "ended_by": _object({"seat": _ref("seat"), "at": _ref("at"), "reason": _ref("text")}),
        "claimed": _object({name: _or_null(part) for name, part in _claim_schemas().items()}),
    }


def _declaration() -> dict[str, Any]:
    properties = {
        "seat": _ref("seat"),
        "cards": _ref("cards"),
        "kind": {"enum": list(KIND_NAMES)},
        "at": _ref("at"),
    }
    return {**_object(properties, ("seat",)), "anyOf": [{"required": ["cards"]}, {"required": ["kind"]}]}


def _claim_schemas() -> dict[str, dict[str, Any]]:
    parts: dict[str, dict[str, Any]] = {
        "contract": _ref("contract"),
        "declarer": _ref("seat"),
        "level": _ref("level"),
        "tricks": _array(_ref("seat")),
        "points": _ref("points_a_side"),
        "capot": _ref("side"),
        "made": {"type": "boolean"},
        "score": _ref("points_a_side"),
        "hanging": _ref("points"),
        "total": _ref("points_a_side"),
        "winner": _ref("side"),
    }
    return {name: parts[name] for name in bhh.CLAIMED_FIELDS}

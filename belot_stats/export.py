"""Deals as canonical ``bhh/1``: fields in the format's order, no needless blanks, defaults left out.

``export(read(export(x))) = export(x)``: fields the format does not know go back to the end of the object they were
found in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from belot_stats.cards import SUIT_NAMES, format_call, format_card, format_cards, format_contract, format_hand
from belot_stats.deal import NOTHING_CLAIMED, Belote, Claimed, Deal, Declaration, EndedBy, StatedContract
from belot_stats.readers.bhh import FORMAT
from belot_stats.readers.bhh_fields import unescape_key


def export_deal(deal: Deal) -> str:
    """Canonical line of *deal*, without a line end."""
    return _dump(deal_record(deal))


def export_lines(deals: Iterable[Deal]) -> Iterable[bytes]:
    """Canonical lines of *deals* in UTF-8, each with its line end."""
    for deal in deals:
        yield export_deal(deal).encode() + b"\n"


def canonical_text(deal: Deal) -> str:
    """Canonical line of *deal* without the fields the format does not know."""
    return _dump(known_record(deal))


def deal_record(deal: Deal) -> dict[str, Any]:
    """Canonical record of *deal* as JSON values, unknown fields included."""
    record = known_record(deal)
    for path, value in deal.extra.items():
        _put_back(record, path, value)
    return record


def known_record(deal: Deal) -> dict[str, Any]:
    """Canonical record of *deal* as JSON values, without the fields the format does not know."""
    claimed = {} if deal.claimed is NOTHING_CLAIMED else _claimed(deal.claimed)
    members: dict[str, Any] = {
        "format": FORMAT,
        "source": deal.source,
        "match": deal.match,
        "deal": deal.deal,
        "rules": deal.rules,
        "options": deal.options or None,
        "started": deal.started,
        "players": None if deal.players is None else list(deal.players),
        "dealer": deal.dealer,
        "turn_up": None if deal.turn_up is None else _turn_up(deal.turn_up),
        "first_hands": None if deal.first_hands is None else [_hand(hand) for hand in deal.first_hands],
        "auction": None if deal.auction is None else [format_call(call) for call in deal.auction],
        "contract": None if deal.contract is None else _contract(deal.contract),
        "exchange": None if deal.exchange is None else {"seat": deal.exchange},
        "hands": None if deal.hands is None else [_hand(hand) for hand in deal.hands],
        "plays": format_cards(deal.plays) or None,
        "declarations": [_declaration(declaration) for declaration in deal.declarations] or None,
        "belotes": [_belote(belote) for belote in deal.belotes] or None,
        "end": None if deal.end == "played" else deal.end,
        "ended_by": None if deal.ended_by is None else _ended_by(deal.ended_by) or None,
        "claimed": claimed or None,
    }
    return _given(members)


def _given(members: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value is not None}


def _hand(mask: int) -> str:
    """Cards of *mask* by suit and rank, put together from ready texts a suit."""
    texts = _suit_texts()
    parts = (
        texts[0][mask & 255],
        texts[1][mask >> 8 & 255],
        texts[2][mask >> 16 & 255],
        texts[3][mask >> 24],
    )
    return " ".join([part for part in parts if part])


@cache
def _suit_texts() -> tuple[tuple[str, ...], ...]:
    """Texts of all 256 sets of cards of each suit."""
    return tuple(tuple(format_hand(cards << 8 * suit) for cards in range(256)) for suit in range(4))


def _turn_up(cards: tuple[int, ...]) -> str | list[str]:
    names = [format_card(card) for card in cards]
    return names[0] if len(names) == 1 else names


def _contract(contract: StatedContract) -> dict[str, Any]:
    return {"call": format_contract(contract.call), "seat": contract.seat, "level": contract.level}


def _declaration(declaration: Declaration) -> dict[str, Any]:
    cards = None if declaration.cards is None else _hand(declaration.cards)
    return _given({"seat": declaration.seat, "cards": cards, "kind": declaration.kind, "at": declaration.at})


def _belote(belote: Belote) -> dict[str, Any]:
    return _given({"seat": belote.seat, "suit": SUIT_NAMES[belote.suit], "at": belote.at})


def _ended_by(ended_by: EndedBy) -> dict[str, Any]:
    return _given(msgspec.structs.asdict(ended_by))


def _claimed(claimed: Claimed) -> dict[str, Any]:
    parts = {
        key: list(part) if isinstance(part, tuple) else part
        for key, part in msgspec.structs.asdict(claimed).items()
    }
    if claimed.contract is not None:
        parts["contract"] = format_contract(claimed.contract)
    return _given(parts)


def _put_back(record: dict[str, Any], path: str, value: Any) -> None:
    """Set the field at *path*, as ``declarations.0.note``; objects that are not there are made."""
    steps = path.split(".")
    place: Any = record
    for step, following in zip(steps, [*steps[1:], ""], strict=True):
        key: Any = int(step) if isinstance(place, list) else unescape_key(step)
        if following == "":
            place[key] = value
        elif isinstance(place, dict):
            place = place.setdefault(key, {})
        else:
            place = place[key]


def _dump(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))

"""Tricks, seats and cards as a Baloot archive writes them.

Cards are flat or nested objects, with who played them beside or inside. The last trick may be a claim block: all
cards not yet played, marked with the claimer, standing for all tricks that remained.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from belot_stats.cards import CARD_NUMBERS, SPADES, format_card, format_cards
from belot_stats.readers import bhh_fields as f
from belot_stats.readers.bhh_fields import Scan

SEAT_NAMES = ("Bottom", "Right", "Top", "Left")
SEAT_NUMBERS = {name: seat for seat, name in enumerate(SEAT_NAMES)}
SUIT_LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
RANK_LETTERS = {"7": "7", "8": "8", "9": "9", "10": "T", "J": "J", "Q": "Q", "K": "K", "A": "A"}
SEATS, HAND_CARDS, FIRST_CARDS = 4, 8, 5
TRICK_FIELDS = ("winner", "points", "cards", "playedBy", "metadata")


class Tricks(NamedTuple):
    """The trick list: cards of complete tricks in order, who led and won each, and a claim block's seat and cards."""

    plays: tuple[int, ...] = ()
    leaders: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    points: tuple[Any, ...] = ()
    claimer: int | None = None
    claim: dict[str, Any] | None = None


def required_of(scan: Scan, members: dict[str, Any], key: str, path: str) -> Any:
    """Number *key*; None, with a fault, where it is missing or null."""
    if key not in members:
        scan.fault("missing-field", f"{path}.{key}", "missing, expected a number")
    elif members[key] is None:
        scan.wrong(f"{path}.{key}", "a number", None)
    return members.get(key)


def members_of(
    scan: Scan, members: dict[str, Any], key: str, path: str, known: Collection[str]
) -> dict[str, Any]:
    """Object *key*, empty where it is missing or none; members that are not *known* are kept."""
    value = members.get(key)
    if key not in members:
        scan.fault("missing-field", f"{path}.{key}", "missing, expected an object")
    elif type(value) is not dict:
        scan.wrong(f"{path}.{key}", "an object", value)
    else:
        if known:
            scan.keep_unknown(value, known, f"{key}.")
        return value
    return {}


def items_of(
    scan: Scan, members: dict[str, Any], key: str, path: str, what: str, count: int | None = None
) -> list[Any]:
    """Array *key*, empty where it is missing or none."""
    where = f"{path}.{key}" if path else key
    if key not in members:
        scan.fault("missing-field", where, f"missing, expected an array of {what}")
        return []
    return f.array_of(scan, members[key], where, what, count) or []


def seat_of(scan: Scan, value: Any, path: str) -> int | None:
    """Seat that a name stands for."""
    if type(value) is str and value in SEAT_NUMBERS:
        return SEAT_NUMBERS[value]
    scan.wrong(
        path, f"one of {', '.join(SEAT_NAMES)}", value, "bad-seat" if type(value) is str else "bad-type"
    )
    return None


def card_of(scan: Scan, value: Any, path: str) -> int | None:
    """Card of a flat or nested card object, whose id, where there is one, must agree."""
    if type(value) is dict and "card" in value:
        value = value["card"]
    if type(value) is not dict:
        scan.wrong(path, "a card object", value)
        return None
    rank, suit = value.get("rank"), value.get("suit")
    name = RANK_LETTERS.get(str(rank), "?") + SUIT_LETTERS.get(str(suit), "?")
    if name not in CARD_NUMBERS or value.get("id", f"{rank}{suit}") != f"{rank}{suit}":
        found = f"rank {rank!r}, suit {suit!r}, id {value.get('id')!r}"
        expected = f"a rank of {' '.join(RANK_LETTERS)} and a suit of {' '.join(SUIT_LETTERS)}"
        scan.fault("bad-card", path, f"expected {expected}, found {found}")
        return None
    return CARD_NUMBERS[name]


def cards_of(scan: Scan, value: list[Any], path: str) -> list[int]:
    cards = [card_of(scan, item, f"{path}.{index}") for index, item in enumerate(value)]
    return [card for card in cards if card is not None]


def suit_of(scan: Scan, value: Any, path: str) -> int | None:
    if value == "S":  # the archive's other name of spades
        return SPADES
    if type(value) is str and value in SUIT_LETTERS:
        return f.SUIT_NUMBERS[SUIT_LETTERS[value]]
    scan.wrong(path, f"a suit of {' '.join(SUIT_LETTERS)}", value, "bad-call")
    return None


def tricks_of(scan: Scan, members: dict[str, Any], dealer: int | None, path: str) -> Tricks:
    tricks = Tricks()
    items = items_of(scan, members, "tricks", path, "tricks")
    if len(items) > HAND_CARDS:
        scan.wrong(f"{path}.tricks", f"at most {HAND_CARDS} tricks", items)
    for index, item in enumerate(items):
        where = f"{path}.tricks.{index}"
        if type(item) is not dict:
            scan.wrong(where, "a trick object", item)
        elif "playedBy" in item:
            tricks = _with_trick(scan, tricks, item, where)
        elif index == len(items) - 1:
            tricks = _with_claim(scan, tricks, item, where)
        else:
            scan.fault(
                "missing-field", f"{where}.playedBy", "missing, and only the last trick can be a claim block"
            )
    if tricks.leaders and dealer is not None and tricks.leaders[0] != (dealer + 1) % SEATS:
        expected, found = SEAT_NAMES[(dealer + 1) % SEATS], SEAT_NAMES[tricks.leaders[0]]
        where = f"{path}.tricks.0.playedBy.0"
        scan.fault("bad-seat", where, f"expected {expected}, who leads after the dealer, found {found}")
    return tricks


def _with_trick(scan: Scan, tricks: Tricks, item: dict[str, Any], path: str) -> Tricks:
    """*tricks* with one complete trick more."""
    scan.keep_unknown(item, TRICK_FIELDS, "trick.")
    cards = cards_of(scan, items_of(scan, item, "cards", path, "cards", SEATS), f"{path}.cards")
    names = items_of(scan, item, "playedBy", path, "seats", SEATS)
    seats = [seat_of(scan, name, f"{path}.playedBy.{index}") for index, name in enumerate(names)]
    winner = seat_of(scan, item.get("winner"), f"{path}.winner")
    if len(cards) != SEATS or len(seats) != SEATS or None in seats or winner is None:
        return tricks
    leader = seats[0] or 0
    if seats != [(leader + turn) % SEATS for turn in range(SEATS)]:
        found = ", ".join(map(str, names))
        scan.fault("bad-seat", f"{path}.playedBy", f"expected four seats in the order of play, found {found}")
    _check_new(scan, tricks.plays, cards, path)
    _keep_metadata(scan, item.get("metadata"), cards, len(tricks.plays), path)
    return tricks._replace(
        plays=tricks.plays + tuple(cards),
        leaders=(*tricks.leaders, leader),
        winners=(*tricks.winners, winner),
        points=(*tricks.points, item.get("points")),
    )


def _check_new(scan: Scan, plays: tuple[int, ...], cards: list[int], path: str) -> None:
    for index, card in enumerate(cards):
        if card in plays or card in cards[:index]:
            scan.fault("duplicate-card", f"{path}.cards.{index}", f"{format_card(card)} was played before")


def _with_claim(scan: Scan, tricks: Tricks, item: dict[str, Any], path: str) -> Tricks:
    """*tricks* with the claim block that stands for all tricks not played."""
    scan.keep_unknown(item, TRICK_FIELDS, "trick.")
    cards = cards_of(scan, items_of(scan, item, "cards", path, "cards"), f"{path}.cards")
    claimer = seat_of(scan, item.get("winner"), f"{path}.winner")
    _check_new(scan, tricks.plays, cards, path)
    missing = SEATS * HAND_CARDS - len(tricks.plays)
    if len(cards) != missing:
        found = f"a claim block of {len(cards)} cards: expected the {missing} not yet played"
        scan.fault("wrong-card-count", f"{path}.cards", found)
    return tricks._replace(
        claimer=claimer, claim={"cards": format_cards(cards), "points": item.get("points")}
    )


def _keep_metadata(scan: Scan, metadata: Any, cards: list[int], played: int, path: str) -> None:
    """Judgements and other clicks that a trick's metadata tells go to ``_illegal`` and ``_clicked``."""
    if metadata is None:
        return
    items = f.array_of(scan, metadata, f"{path}.metadata", "objects or null", SEATS) or []
    for turn, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        if "is_illegal" in item:
            scan.extra.setdefault("_illegal", []).append(_judgement(item, played + turn))
        clicked = str(item.get("cardId") or "")
        name = RANK_LETTERS.get(clicked[:-1], "") + SUIT_LETTERS.get(clicked[-1:], "")
        if clicked and CARD_NUMBERS.get(name) != cards[turn]:
            scan.extra.setdefault("_clicked", []).append({"at": played + turn, "card": name or clicked})


def _judgement(item: dict[str, Any], at: int) -> dict[str, Any]:
    """What the server judged of the card at index *at*: ``stands`` false = it was cleared later."""
    told: dict[str, Any] = {"at": at, "stands": item["is_illegal"]}
    for key in ("illegal_reason", "violation_type", "proof_hint"):
        if item.get(key) is not None:
            proof = item[key]
            told[key] = proof.get("id") if isinstance(proof, dict) else proof
    return told

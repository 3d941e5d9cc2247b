"""One round of a Baloot archive, as field values of a ``Deal``.

Seats are named, in the order of play, Bottom, Right, Top, Left = 0 to 3; "us" is side 0, "them" side 1. Free text of
automatic players (``reasoning``) is not kept; everything else that a difference could be explained by is, in
``extra`` under names that begin with ``_``.
"""

from __future__ import annotations

from typing import Any

from belot_stats.cards import NO_TRUMPS, format_cards, format_hand, mask_of
from belot_stats.deal import Belote, Claimed, Declaration, EndedBy, StatedContract
from belot_stats.readers import bhh_fields as f
from belot_stats.readers.baloot_tricks import (
    FIRST_CARDS,
    HAND_CARDS,
    SEAT_NAMES,
    SEAT_NUMBERS,
    SEATS,
    SUIT_LETTERS,
    Tricks,
    card_of,
    cards_of,
    items_of,
    members_of,
    required_of,
    seat_of,
    suit_of,
    tricks_of,
)
from belot_stats.readers.bhh_fields import Scan, Table

TEAM_NAMES = ("us", "them")
PROJECT_TYPES = ("SIRA", "FIFTY", "HUNDRED", "FOUR_HUNDRED")
BALOOT = "BALOOT"
MOST_ROUND = 2**31 - 1

ROUND_FIELDS = (
    "roundNumber",
    "bid",
    "scores",
    "tricks",
    "dealerIndex",
    "floorCard",
    "declarations",
    "initialHands",
)
BID_FIELDS = ("type", "bidder", "doubled", "suit", "level", "variant", "isAshkal", "isTentative")
SCORE_FIELDS = ("roundNumber", "bid", "us", "them", "winner", "baida", "project", "qayd")


def new_scan(rules_name: str) -> Scan:
    """Scan for a round at a Baloot table."""
    scan = Scan()
    scan.table = Table(SEATS, 2, HAND_CARDS, FIRST_CARDS, rules_name=rules_name)
    return scan


def read_round(scan: Scan, members: dict[str, Any], path: str) -> dict[str, Any]:
    """Field values that one round gives; faults go to *scan*, whose ``extra`` gets what explains differences."""
    scan.keep_unknown(members, ROUND_FIELDS, "round.")
    dealer = required_of(scan, members, "dealerIndex", path)
    deal = required_of(scan, members, "roundNumber", path)
    bid = members_of(scan, members, "bid", path, BID_FIELDS)
    scores = members_of(scan, members, "scores", path, SCORE_FIELDS)
    values: dict[str, Any] = {
        "deal": f.int_of(scan, deal, f"{path}.roundNumber", 1, MOST_ROUND) if deal is not None else None,
        "dealer": f.seat_of(scan, dealer, f"{path}.dealerIndex") if dealer is not None else None,
        "contract": _contract(scan, bid, f"{path}.bid"),
        "hands": _hands(scan, members, path),
    }
    if members.get("floorCard") is not None:
        values["turn_up"] = (card_of(scan, members["floorCard"], f"{path}.floorCard"),)
    tricks = tricks_of(scan, members, values["dealer"], path)
    announced, credited, values["belotes"] = _declarations(scan, members, path)
    if announced and set(announced) != set(credited):
        scan.extra["_credited"] = [
            {"seat": item.seat, "cards": format_hand(item.cards or 0)} for item in credited
        ]
    values["declarations"] = announced + tuple(project for project in credited if project not in announced)
    values["plays"] = tricks.plays
    values["end"], values["ended_by"] = _end(bid, scores, tricks)
    values["claimed"] = _claimed(scan, scores, tricks, f"{path}.scores")
    _keep_explanations(scan, bid, scores, tricks)
    return values


def _contract(scan: Scan, bid: dict[str, Any], path: str) -> StatedContract | None:
    """Contract of the bid: SUN is no trumps, whatever its suit says; None while nobody has bid."""
    kind = bid.get("type")
    if kind is None:
        return None
    call: int | None = NO_TRUMPS
    if kind == "HOKUM":
        call = suit_of(scan, bid.get("suit"), f"{path}.suit")
    elif kind != "SUN":
        scan.wrong(f"{path}.type", "SUN, HOKUM or null", kind, "bad-call")
    seat = seat_of(scan, bid.get("bidder"), f"{path}.bidder")
    level = f.int_of(scan, bid.get("level", 1), f"{path}.level", 0, 255)
    return (
        None
        if call is None or seat is None or level is None
        else StatedContract(call=call, seat=seat, level=level)
    )


def _hands(scan: Scan, members: dict[str, Any], path: str) -> tuple[int, ...] | None:
    """Card sets a seat; None where the archive has none (``{}``)."""
    hands = members_of(scan, members, "initialHands", path, ())
    if not hands:
        return None
    masks, held = [], 0
    for name in SEAT_NAMES:
        where = f"{path}.initialHands.{name}"
        cards = cards_of(scan, items_of(scan, hands, name, f"{path}.initialHands", "cards"), where)
        if len(cards) != HAND_CARDS:
            scan.fault("wrong-card-count", where, f"{len(cards)} cards: expected {HAND_CARDS}")
        mask = mask_of(cards)
        if mask & held or mask.bit_count() != len(cards):
            scan.fault(
                "duplicate-card", where, f"a card twice among {format_cards(cards)} and the hands before"
            )
        masks.append(mask)
        held |= mask
    return tuple(masks)


def _declarations(
    scan: Scan, members: dict[str, Any], path: str
) -> tuple[tuple[Declaration, ...], tuple[Declaration, ...], tuple[Belote, ...]]:
    """Projects as announced with the first cards, projects as credited, and belotes (which are only credited)."""
    credited: list[Declaration] = []
    belotes: list[Belote] = []
    for name, items in members_of(scan, members, "declarations", path, ()).items():
        where = f"{path}.declarations.{name}"
        seat = seat_of(scan, name, where)
        for index, item in enumerate(f.array_of(scan, items, where, "projects") or []):
            _take_project(scan, item, seat, f"{where}.{index}", credited, belotes)
    announced: list[Declaration] = []
    for seat_name, items, where in _announcements(members, path):
        for index, item in enumerate(f.array_of(scan, items, where, "projects") or []):
            _take_project(scan, item, SEAT_NUMBERS.get(seat_name), f"{where}.{index}", announced, belotes)
    return tuple(announced), tuple(credited), tuple(belotes)


def _announcements(members: dict[str, Any], path: str) -> list[tuple[str, Any, str]]:
    """Seat name, projects and path of each announcement in the metadata of the first trick."""
    tricks = members.get("tricks")
    first = tricks[0] if isinstance(tricks, list) and tricks and isinstance(tricks[0], dict) else {}
    metadata, names = first.get("metadata"), first.get("playedBy")
    if not isinstance(metadata, list) or not isinstance(names, list):
        return []
    return [
        (str(name), item["declarations"], f"{path}.tricks.0.metadata.{turn}.declarations")
        for turn, (name, item) in enumerate(zip(names, metadata, strict=False))
        if isinstance(item, dict) and "declarations" in item
    ]


def _take_project(
    scan: Scan, item: Any, seat: int | None, path: str, projects: list[Declaration], belotes: list[Belote]
) -> None:
    """Add one project to *projects* or *belotes*."""
    if type(item) is not dict:
        scan.wrong(path, "a project object", item)
        return
    kind = f.choice_of(scan, item.get("type"), f"{path}.type", (*PROJECT_TYPES, BALOOT))
    if kind == BALOOT:
        suit = suit_of(scan, item.get("suit"), f"{path}.suit")
        if seat is not None and suit is not None:
            belotes.append(Belote(seat=seat, suit=suit))
        return
    cards = cards_of(scan, items_of(scan, item, "cards", path, "cards"), f"{path}.cards")
    if len(set(cards)) != len(cards):
        scan.fault("duplicate-card", f"{path}.cards", f"a card twice among {format_cards(cards)}")
    if seat is not None:
        projects.append(Declaration(seat=seat, cards=mask_of(cards)))


def _end(bid: dict[str, Any], scores: dict[str, Any], tricks: Tricks) -> tuple[str, EndedBy | None]:
    """How the round ended. The archive does not say who claimed a penalty, nor against whom."""
    if scores.get("qayd"):
        return "penalty", EndedBy(at=len(tricks.plays), reason="qayd")
    if tricks.claim is not None:
        return "claimed", EndedBy(seat=tricks.claimer, at=len(tricks.plays), reason="sawa")
    if bid.get("type") is None:
        return "abandoned", EndedBy(at=len(tricks.plays), reason="no contract")
    return "played", None


def _claimed(scan: Scan, scores: dict[str, Any], tricks: Tricks, path: str) -> Claimed:
    """What the archive wrote of a round; the card points and capot of a penalty round mean nothing and are left out."""
    teams = [members_of(scan, scores, team, path, ()) for team in TEAM_NAMES]
    is_penalty = bool(scores.get("qayd"))
    capot = [side for side, team in enumerate(teams) if team.get("isKaboot") is True]
    return Claimed(
        tricks=tricks.winners or None,
        points=None if is_penalty else _a_side(scan, teams, path, "abnat"),
        capot=capot[0] if len(capot) == 1 and not is_penalty else None,
        score=_a_side(scan, teams, path, "result", "gamePoints"),
    )


def _a_side(scan: Scan, teams: list[dict[str, Any]], path: str, *keys: str) -> tuple[int, int] | None:
    """Points a side: the first of *keys* that a team's block has."""
    points = []
    for team, name in zip(teams, TEAM_NAMES, strict=True):
        key = next((key for key in keys if key in team), keys[0])
        if key not in team:
            scan.fault("missing-field", f"{path}.{name}.{key}", "missing")
            return None
        points.append(f.points_number_of(scan, team[key], f"{path}.{name}.{key}"))
    if points[0] is None or points[1] is None:
        return None
    return points[0], points[1]


def _keep_explanations(scan: Scan, bid: dict[str, Any], scores: dict[str, Any], tricks: Tricks) -> None:
    """What a difference between claimed and computed could come from."""
    extra = scan.extra
    told = {
        "_leaders": list(tricks.leaders) or None,
        "_trick_points": list(tricks.points) or None,
        "_claim": tricks.claim,
        "_round_winner": TEAM_NAMES.index(scores["winner"]) if scores.get("winner") in TEAM_NAMES else None,
        "_is_ashkal": True if bid.get("isAshkal") else None,
        "_variant": bid.get("variant"),
        "_bid_suit": bid.get("suit") if bid.get("suit") not in (None, *SUIT_LETTERS) else None,
        "_is_doubled": True if bid.get("doubled") else None,
    }
    extra.update({key: value for key, value in told.items() if value is not None})
    if "project" in scores and scores["project"] != bid.get("type"):
        extra["_scored_as"] = scores["project"]  # null: the scorer had lost the mode
    if "bid" in scores and scores["bid"] != bid:
        extra["_scored_bid"] = scores["bid"]

"""Values of one record, each checked for itself: type, range, cards, seats; every fault is kept, not only the first.

A function ``x_of(scan, value, path)`` returns what *value* means, or None after noting its faults on *scan*.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any, NamedTuple

from belot_stats.cards import (
    ALL_CARDS,
    CALL_NUMBERS,
    CARD_NAMES,
    CARD_NUMBERS,
    CONTRACT_NAMES,
    RANK_NAMES,
    SUIT_NAMES,
    CardMask,
    format_hand,
)
from belot_stats.rules.table import first_hand_size, hand_size, pack_mask, side_count
from belot_stats.ruleset import RuleSet

CARD_BITS = {name: 1 << card for name, card in CARD_NUMBERS.items()}
CONTRACT_NUMBERS = {name: contract for contract, name in enumerate(CONTRACT_NAMES)}
SUIT_NUMBERS = {name: suit for suit, name in enumerate(SUIT_NAMES)}
MOST_SEATS = 4
MOST_CARDS = 32
LEAST_POINTS, MOST_POINTS = -(2**31), 2**31 - 1
CARD_FORM = f"a rank of {RANK_NAMES}, then a suit of {SUIT_NAMES}, as in 'TD'"

_BIT_OF = CARD_BITS.__getitem__
_OTHER_SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"}


class Table(NamedTuple):
    """What the rules say about the table; with unknown rules, what holds for every system (sizes None)."""

    seats: int = MOST_SEATS
    sides: int = MOST_SEATS
    hand_cards: int | None = None
    first_cards: int | None = None
    pack: CardMask = ALL_CARDS
    rules_name: str = ""

    @property
    def most_plays(self) -> int:
        """Most cards that can be played."""
        return MOST_CARDS if self.hand_cards is None else self.hand_cards * self.seats


UNKNOWN_TABLE = Table()


@lru_cache(maxsize=1024)
def table_of(rules: RuleSet) -> Table:
    """Table of *rules*."""
    return Table(
        rules.players,
        side_count(rules),
        hand_size(rules),
        first_hand_size(rules),
        pack_mask(rules),
        rules.name,
    )


class Scan:
    """What was met while one record was read: faults as (code, message), and fields the format does not know."""

    __slots__ = ("extra", "faults", "table", "unknown")

    def __init__(self) -> None:
        self.faults: list[tuple[str, str]] = []
        self.extra: dict[str, Any] = {}
        self.unknown: list[str] = []
        self.table = UNKNOWN_TABLE

    def fault(self, code: str, path: str, message: str) -> None:
        """Note a fault of the field at *path*."""
        self.faults.append((code, f"{path}: {message}"))

    def wrong(self, path: str, expected: str, value: Any, code: str = "bad-type") -> None:
        """Note that *value* at *path* is not what was *expected*."""
        self.faults.append((code, f"{path}: expected {expected}, found {show(value)}"))

    def keep_unknown(self, members: dict[str, Any], known: Collection[str], prefix: str = "") -> None:
        """Keep the *members* that are not *known*, by their path; report those that do not begin with ``_``."""
        for key, value in members.items():
            if key not in known:
                path = prefix + escape_key(key)
                self.extra[path] = value
                if not key.startswith("_"):
                    self.unknown.append(path)


def escape_key(key: str) -> str:
    """*key* as one step of a path: ``~`` and ``.`` in it are written ``~0`` and ``~1``."""
    return key.replace("~", "~0").replace(".", "~1") if "." in key or "~" in key else key


def unescape_key(step: str) -> str:
    """Key that a step of a path stands for."""
    return step.replace("~1", ".").replace("~0", "~")


def show(value: Any) -> str:
    """Short text of a JSON value for a message."""
    names = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        return names[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    text = (
        repr(value)
        if not isinstance(value, int) or abs(value) < 10**30
        else "an integer of more than 30 digits"
    )
    return text if len(text) <= 60 else text[:60] + "…"


def text_of(scan: Scan, value: Any, path: str) -> str | None:
    """*value* as a text; a number is none."""
    if type(value) is str:
        return value
    scan.wrong(path, "a text", value)
    return None


def int_of(scan: Scan, value: Any, path: str, low: int, high: int) -> int | None:
    """*value* as an integer from *low* to *high*; 16.0, "16" and true are none."""
    if type(value) is int and low <= value <= high:
        return value
    scan.wrong(path, f"an integer from {low} to {high}", value)
    return None


def seat_of(scan: Scan, value: Any, path: str) -> int | None:
    """*value* as a seat of the table."""
    return _place_of(scan, value, path, "seat", scan.table.seats)


def side_of(scan: Scan, value: Any, path: str) -> int | None:
    """*value* as a side."""
    return _place_of(scan, value, path, "side", scan.table.sides)


def _place_of(scan: Scan, value: Any, path: str, kind: str, count: int) -> int | None:
    if type(value) is not int:
        scan.wrong(path, f"the number of a {kind}", value)
    elif not 0 <= value < count:
        scan.wrong(path, f"a {kind} from 0 to {count - 1}", value, "bad-seat")
    else:
        return value
    return None


def object_of(scan: Scan, value: Any, path: str, known: Collection[str]) -> dict[str, Any] | None:
    """*value* as an object; members that are not *known* are kept."""
    if type(value) is not dict:
        scan.wrong(path, f"an object with {', '.join(known)}", value)
        return None
    if not value.keys() <= set(known):
        scan.keep_unknown(value, known, path + ".")
    return value


def array_of(scan: Scan, value: Any, path: str, what: str, count: int | None = None) -> list[Any] | None:
    """*value* as an array, of *count* items where that is given."""
    if type(value) is not list:
        scan.wrong(path, f"an array of {what}", value)
    elif count is not None and len(value) != count:
        scan.wrong(path, f"an array of {count} {what}", value)
    else:
        return value
    return None


def is_too_long(scan: Scan, items: list[Any], path: str, most: int) -> bool:
    """Whether an array has more items than any deal can have; that is a fault."""
    if len(items) > most:
        scan.fault("bad-type", path, f"expected at most {most} items, found {len(items)}")
    return len(items) > most


def seat_count(scan: Scan) -> int | None:
    """Seats an array a seat must have; None where the rules are unknown."""
    return None if scan.table.hand_cards is None else scan.table.seats


def side_total(scan: Scan) -> int | None:
    """Sides an array a side must have; None where the rules are unknown."""
    return None if scan.table.hand_cards is None else scan.table.sides


def tokens_of(scan: Scan, value: Any, path: str) -> list[str] | None:
    """Card names of *value*, separated by blanks, none of them wrong."""
    if type(value) is not str:
        scan.wrong(path, "cards separated by blanks in one text, as in '8D 9D TD'", value)
        return None
    tokens = value.split(" ")
    if "" in tokens:
        tokens = [token for token in tokens if token]
    wrong = [token for token in tokens if token not in CARD_NUMBERS]
    for token in wrong:
        scan.fault("bad-card", path, f"{token!r} is no card: expected {CARD_FORM}{card_hint(token)}")
    return None if wrong else tokens


def card_hint(token: str) -> str:
    """How *token*, a card as other programs write it, is written here; empty where it is not plain."""
    plain = token.upper().replace("\ufe0f", "").replace("10", "T")
    plain = "".join(_OTHER_SUITS.get(letter, letter) for letter in plain)
    for guess in (plain, plain[::-1]):
        if guess in CARD_NUMBERS:
            return f"; this format writes {guess}"
    return ""


def mask_of_tokens(scan: Scan, tokens: list[str], path: str) -> CardMask:
    """Card set of *tokens*; a card twice, or not in the pack, is noted."""
    mask = sum(map(_BIT_OF, tokens))
    if mask.bit_count() != len(tokens):  # two equal bits carry
        _note_twice(scan, tokens, path)
        mask = sum(map(_BIT_OF, set(tokens)))
    if mask & ~scan.table.pack:
        _note_outside_pack(scan, mask, path)
    return mask


def _note_twice(scan: Scan, tokens: list[str], path: str) -> None:
    for token in dict.fromkeys(tokens):
        if tokens.count(token) > 1:
            places = [str(place) for place, other in enumerate(tokens) if other == token]
            scan.fault("duplicate-card", path, f"{token} stands {len(places)} times, at {', '.join(places)}")


def _note_outside_pack(scan: Scan, mask: CardMask, path: str) -> None:
    outside = format_hand(mask & ~scan.table.pack)
    lowest = CARD_NAMES[(scan.table.pack & -scan.table.pack).bit_length() - 1][0]
    scan.fault(
        "bad-card",
        path,
        f"{outside}: no card of this pack, which {scan.table.rules_name} begins at rank {lowest}",
    )


def card_of(scan: Scan, value: Any, path: str) -> int | None:
    """One card."""
    tokens = tokens_of(scan, value, path)
    if tokens is None:
        return None
    if len(tokens) != 1:
        scan.wrong(path, "one card", value)
        return None
    mask_of_tokens(scan, tokens, path)
    return CARD_NUMBERS[tokens[0]]


def cards_of(scan: Scan, value: Any, path: str) -> CardMask | None:
    """Card set of a text of any number of cards, no card twice."""
    tokens = tokens_of(scan, value, path)
    return None if tokens is None else mask_of_tokens(scan, tokens, path)


def hands_of(scan: Scan, value: Any, path: str, size: int | None) -> tuple[int, ...] | None:
    """Card sets a seat, of *size* cards each, no card in two of them."""
    hands = array_of(scan, value, path, "hands", seat_count(scan))
    if hands is None:
        return None
    masks = tuple([_hand_of(scan, hand, path, seat, size) for seat, hand in enumerate(hands)])
    held = 0
    for seat, mask in enumerate(masks):
        if mask & held:
            other = next(before for before in range(seat) if masks[before] & mask)
            scan.fault("duplicate-card", f"{path}.{seat}", f"{format_hand(mask & held)} also in hand {other}")
        held |= mask
    return masks


def _hand_of(scan: Scan, value: Any, path: str, seat: int, size: int | None) -> CardMask:
    try:
        mask = sum(map(_BIT_OF, value.split(" ")))
        if (
            size is not None
            and mask.bit_count() == size
            and len(value) == 3 * size - 1
            and not mask & ~scan.table.pack
        ):
            return mask
    except (AttributeError, KeyError):
        pass  # told below, with all there is to tell
    return _faulty_hand(scan, value, f"{path}.{seat}", size)


def _faulty_hand(scan: Scan, value: Any, path: str, size: int | None) -> CardMask:
    tokens = tokens_of(scan, value, path)
    if tokens is None:
        return 0
    if size is not None and len(tokens) != size:
        scan.fault(
            "wrong-card-count",
            path,
            f"{len(tokens)} cards: expected {size}, as {scan.table.rules_name} deals",
        )
    return mask_of_tokens(scan, tokens, path)


def plays_of(scan: Scan, value: Any, path: str) -> tuple[int, ...] | None:
    """Cards in the order played, none twice, no more than are dealt."""
    tokens = tokens_of(scan, value, path)
    if tokens is None:
        return None
    if len(tokens) > scan.table.most_plays:
        scan.fault("wrong-card-count", path, f"{len(tokens)} cards: expected at most {scan.table.most_plays}")
    mask_of_tokens(scan, tokens, path)
    return tuple(map(CARD_NUMBERS.__getitem__, tokens))


def calls_of(scan: Scan, value: Any, path: str) -> tuple[int | None, ...] | None:
    """Calls in their order."""
    calls = array_of(scan, value, path, "calls")
    if calls is None:
        return None
    try:
        return tuple(map(CALL_NUMBERS.__getitem__, calls))
    except (KeyError, TypeError):
        return tuple([call_of(scan, call, f"{path}.{index}") for index, call in enumerate(calls)])


def call_of(scan: Scan, value: Any, path: str) -> int | None:
    """Call of that name."""
    return _name_of(scan, value, path, CALL_NUMBERS, "call")


def contract_of(scan: Scan, value: Any, path: str) -> int | None:
    """Contract of that letter."""
    return _name_of(scan, value, path, CONTRACT_NUMBERS, "contract")


def _name_of(scan: Scan, value: Any, path: str, names: dict[str, int], kind: str) -> int | None:
    if type(value) is not str:
        scan.wrong(path, f"a {kind}", value)
    elif value not in names:
        scan.wrong(path, f"a {kind} ({' '.join(names)})", value, "bad-call")
    else:
        return names[value]
    return None


def choice_of(scan: Scan, value: Any, path: str, choices: Collection[str]) -> str | None:
    """*value*, which must be one of *choices*."""
    if type(value) is str and value in choices:
        return value
    scan.wrong(path, f"one of {', '.join(choices)}", value)
    return None


def seats_of(scan: Scan, value: Any, path: str) -> tuple[int, ...] | None:
    """Seats, as many as there are."""
    items = array_of(scan, value, path, "seats")
    if items is None:
        return None
    count = scan.table.seats
    for index, item in enumerate(items):
        if type(item) is not int or not 0 <= item < count:
            seat_of(scan, item, f"{path}.{index}")
    return tuple(items)


def points_of(scan: Scan, value: Any, path: str) -> tuple[int, ...] | None:
    """Points a side."""
    items = array_of(scan, value, path, "points, one a side", side_total(scan))
    if items is None:
        return None
    for index, item in enumerate(items):
        if type(item) is not int or not LEAST_POINTS <= item <= MOST_POINTS:
            points_number_of(scan, item, f"{path}.{index}")
    return tuple(items)


def points_number_of(scan: Scan, value: Any, path: str) -> int | None:
    """One number of points."""
    return int_of(scan, value, path, LEAST_POINTS, MOST_POINTS)

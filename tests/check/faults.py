"""Single faults put into clean matches: each changes one thing in one record, and must be noticed somewhere."""

import copy
import random
from collections.abc import Callable
from typing import Any

from belot_stats.rules.table import deal_size, hand_size, side_count
from belot_stats.ruleset import RuleSet, load_ruleset

Match = list[dict[str, Any]]
Fault = Callable[[Match, random.Random], bool]


def _some(match: Match, rng: random.Random, accept: Callable[[dict], bool]) -> dict[str, Any] | None:
    records = [record for record in match if accept(record)]
    return rng.choice(records) if records else None


def _claims(record: dict, part: str) -> bool:
    return record.get("claimed", {}).get(part) is not None


def _rules(record: dict) -> RuleSet:
    return load_ruleset(record["rules"])


def _is_played(record: dict) -> bool:
    whole = deal_size(_rules(record))
    return record.get("end", "played") == "played" and len(record.get("plays", "").split()) == whole


def _other_seat(record: dict, seat: int, rng: random.Random) -> int:
    players = _rules(record).players
    return (seat + rng.randint(1, players - 1)) % players


def _change_side(part: str) -> Fault:
    """One side's number in a claim, a little more or less."""

    def fault(match: Match, rng: random.Random) -> bool:
        record = _some(match, rng, lambda record: _claims(record, part))
        if record is not None:
            record["claimed"][part][rng.randrange(side_count(_rules(record)))] += rng.choice(
                (-10, -1, 1, 2, 10)
            )
        return record is not None

    return fault


def claimed_made(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _claims(record, "made"))
    if record is not None:
        record["claimed"]["made"] = not record["claimed"]["made"]
    return record is not None


def claimed_hanging(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _claims(record, "hanging"))
    if record is not None:
        record["claimed"]["hanging"] += rng.choice((1, 8))
    return record is not None


def claimed_trick(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _is_played(record) and _claims(record, "tricks"))
    if record is not None:
        tricks = record["claimed"]["tricks"]
        number = rng.randrange(len(tricks))
        tricks[number] = _other_seat(record, tricks[number], rng)
    return record is not None


def claimed_capot(match: Match, rng: random.Random) -> bool:
    def may(record: dict) -> bool:
        sides = side_count(_rules(record))
        takers = {seat % sides for seat in record.get("claimed", {}).get("tricks", ())}
        return _is_played(record) and len(takers) > 1

    record = _some(match, rng, may)
    if record is not None:
        record["claimed"]["capot"] = rng.randrange(side_count(_rules(record)))
    return record is not None


def claimed_winner(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _claims(record, "winner"))
    if record is not None:
        sides = side_count(_rules(record))
        record["claimed"]["winner"] = (record["claimed"]["winner"] + rng.randint(1, sides - 1)) % sides
    return record is not None


def winner_too_early(match: Match, rng: random.Random) -> bool:
    record = _some(match[:-1], rng, lambda record: "claimed" in record and not _claims(record, "winner"))
    if record is not None:
        record["claimed"]["winner"] = rng.randrange(side_count(_rules(record)))
    return record is not None


def dealer(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, _is_played)
    if record is not None:
        record["dealer"] = _other_seat(record, record["dealer"], rng)
    return record is not None


def two_plays_exchanged(match: Match, rng: random.Random) -> bool:
    """Two cards of one trick that two seats played change places."""
    record = _some(match, rng, lambda record: _is_played(record) and "hands" in record)
    if record is not None:
        plays = record["plays"].split()
        players = _rules(record).players
        trick = players * rng.randrange(len(plays) // players)
        first, second = rng.sample(range(trick, trick + players), 2)
        plays[first], plays[second] = plays[second], plays[first]
        record["plays"] = " ".join(plays)
    return record is not None


def two_held_cards_exchanged(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _is_played(record) and "hands" in record)
    if record is not None:
        hands = [hand.split() for hand in record["hands"]]
        size = hand_size(_rules(record))
        one, other = rng.sample(range(len(hands)), 2)
        i, j = rng.randrange(size), rng.randrange(size)
        hands[one][i], hands[other][j] = hands[other][j], hands[one][i]
        record["hands"] = [" ".join(hand) for hand in hands]
    return record is not None


def card_missing(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, _is_played)
    if record is not None:
        record["plays"] = " ".join(record["plays"].split()[: -rng.randint(1, 5)])
    return record is not None


def pass_missing(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _is_played(record) and record.get("auction", [])[-1:] == ["P"])
    if record is not None:
        record["auction"] = record["auction"][:-1]
    return record is not None


def pass_too_many(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: _is_played(record) and record.get("auction"))
    if record is not None:
        record["auction"] = [*record["auction"], rng.choice(("P", "X", "A"))]
    return record is not None


def bid_repeated(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: any(call in "CDHSNA" for call in record.get("auction", [])))
    if record is not None:
        calls = record["auction"]
        at = next(index for index, call in enumerate(calls) if call in "CDHSNA")
        record["auction"] = [*calls[: at + 1], calls[at], *calls[at + 1 :]]
    return record is not None


def declaration_of_others_cards(match: Match, rng: random.Random) -> bool:
    """A sequence announced one seat further than it is held."""
    record = _some(
        match,
        rng,
        lambda record: any("cards" in item for item in record.get("declarations", [])) and "hands" in record,
    )
    if record is not None:
        item = rng.choice([item for item in record["declarations"] if "cards" in item])
        item["seat"] = _other_seat(record, item["seat"], rng)
        item.pop("at", None)
    return record is not None


def belote_of_another_seat(match: Match, rng: random.Random) -> bool:
    record = _some(match, rng, lambda record: bool(record.get("belotes")) and "hands" in record)
    if record is not None:
        item = rng.choice(record["belotes"])
        item["seat"] = _other_seat(record, item["seat"], rng)
    return record is not None


def deal_missing(match: Match, rng: random.Random) -> bool:
    if len(match) > 1:
        del match[rng.randrange(len(match) - 1)]
        return True
    return False


def last_deal_missing(match: Match, rng: random.Random) -> bool:
    if len(match) > 1 and _claims(match[-1], "winner") and _claims(match[-2], "total"):
        del match[-1]
        return True
    return False


def deal_twice(match: Match, rng: random.Random) -> bool:
    match.append(copy.deepcopy(rng.choice(match)))
    return True


FAULTS: tuple[Fault, ...] = (
    _change_side("points"), _change_side("score"), _change_side("total"), claimed_made, claimed_hanging,
    claimed_trick, claimed_capot, claimed_winner, winner_too_early, dealer, two_plays_exchanged,
    two_held_cards_exchanged, card_missing, pass_missing, pass_too_many, bid_repeated,
    declaration_of_others_cards, belote_of_another_seat, deal_missing, last_deal_missing, deal_twice,
)  # fmt: skip
NAMES = ("points", "score", "total", *(fault.__name__ for fault in FAULTS[3:]))

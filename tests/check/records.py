"""Records for the checker's tests: small ones made up here, read by the real reader, checked by the real checker."""

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from belot_stats.cards import CARD_NAMES, SUIT_NAMES
from belot_stats.checker import Checked, check_deal
from belot_stats.deal import Deal
from belot_stats.match_checker import MatchChecked, MatchDeal, check_match
from belot_stats.readers.bhh import read_line
from belot_stats.readers.reader import ReadOptions
from belot_stats.ruleset import RuleResolver

RESOLVER = RuleResolver()
OPTIONS = ReadOptions(source=None, resolver=RESOLVER)
Record = dict[str, Any]

# Seat 3 deals, so that seat 0 speaks and leads first, and card k of the first trick is seat k's.
BASE: Record = {
    "format": "bhh/1",
    "source": "test",
    "match": "m1",
    "deal": 1,
    "rules": "belot-bg",
    "dealer": 3,
}

# A whole deal, as the description of the format shows one: spades, seat 2, 16-2, with a tierce of the declarer.
WHOLE: Record = {
    "format": "bhh/1",
    "source": "example",
    "match": "m1",
    "deal": 1,
    "rules": "belot-bg",
    "dealer": 0,
    "first_hands": ["KC 7C 8D TH KS", "9C AD QD TD 8S", "8H AS JS TS 9S", "TC KD JD 7H QS"],
    "auction": ["C", "S", "P", "P", "P"],
    "hands": [
        "AC KC 8C 7C 8D QH TH KS",
        "QC 9C AD QD TD AH 8S 7S",
        "KH JH 9H 8H AS JS TS 9S",
        "JC TC KD JD 9D 7D 7H QS",
    ],
    "plays": "8S JS QS KS 9H 7H TH AH QD TS 9D 8D 9S JD QH 7S "
    "AS JC AC 9C KH 7D 7C AD JH KD KC QC 8H TC 8C TD",
    "declarations": [{"seat": 2, "cards": "9S TS JS"}],
    "claimed": {
        "tricks": [2, 1, 2, 2, 2, 2, 2, 2],
        "points": [161, 21],
        "made": True,
        "score": [16, 2],
        "hanging": 0,
    },
}  # fmt: skip


def deal_of(record: Record) -> Deal:
    """*record* through the reader, which has to take it."""
    deal = read_line(json.dumps(record, ensure_ascii=False).encode(), 1, 0, OPTIONS)
    assert isinstance(deal, Deal), deal
    return deal


def checked(record: Record | Deal) -> Checked:
    """*record* through reader and checker."""
    deal = record if isinstance(record, Deal) else deal_of(record)
    return check_deal(deal, RESOLVER.resolve(deal.rules, deal.options))


def codes(record: Record | Deal) -> list[str]:
    """Codes of all findings of *record*, in order of the alphabet."""
    return sorted(finding.code for finding in checked(record).findings)


def full_hands(*wanted: str, without: Sequence[str] = ("", "", "", "")) -> list[str]:
    """Four hands of eight cards: each seat holds its *wanted* cards and nothing of *without* (suits or cards)."""
    held = [text.split() for text in wanted] + [[]] * (4 - len(wanted))
    refused = [{card for token in text.split() for card in _cards_named(token)} for text in without]
    refused += [set()] * (4 - len(refused))
    free = [card for card in CARD_NAMES if not any(card in hand for hand in held)]
    for attempt in range(5000):
        rng = random.Random(attempt)
        rest = sorted(free, key=lambda card: (-sum(card in no for no in refused), rng.random()))
        hands = [list(hand) for hand in held]
        for card in rest:
            open_seats = [seat for seat in range(4) if len(hands[seat]) < 8 and card not in refused[seat]]
            if not open_seats:
                break
            hands[rng.choice(open_seats)].append(card)
        else:
            return [" ".join(hand) for hand in hands]
    raise ValueError(f"no such hands: {wanted} without {without}")


def _cards_named(token: str) -> Iterable[str]:
    return [card for card in CARD_NAMES if card == token or (token in SUIT_NAMES and card[1] == token)]


def begun(contract: str, plays: str, hands: list[str], **fields: Any) -> Record:
    """A deal that was abandoned after some cards: seat 0 bid *contract*, all passed, seat 0 led."""
    auction = [contract, "P", "P", "P"]
    return BASE | {"auction": auction, "hands": hands, "plays": plays, "end": "abandoned"} | fields


def bid(calls: str, **fields: Any) -> Record:
    """An auction, and nothing after it."""
    return BASE | {"auction": calls.split(), "end": "abandoned"} | fields


def claiming(record: Record = WHOLE, **claims: Any) -> Record:
    """*record* with some claims replaced."""
    return record | {"claimed": record.get("claimed", {}) | claims}


def match_deal(record: Record | Deal | Checked, line: int | None = None) -> MatchDeal:
    """What the match pass takes of one deal."""
    result = record if isinstance(record, Checked) else checked(record)
    deal, computed = result.deal, result.computed
    computed_names = (
        "outcome", "is_scored", "contract", "level", "declarer", "declarer_side", "points", "tricks_won",
        "card_points", "declaration_points", "belote_points", "capot_side", "score", "hanging", "finding_bits",
        "last_trick_side",
    )  # fmt: skip
    claims = deal.claimed
    return MatchDeal(
        source=deal.source,
        match=deal.match,
        deal=deal.deal,
        line=line if line is not None else deal.line,
        rules=result.rules,
        dealer=deal.dealer,
        end=deal.end,
        players=deal.players,
        claimed_made=claims.made,
        claimed_score=claims.score,
        claimed_hanging=claims.hanging,
        claimed_total=claims.total,
        claimed_winner=claims.winner,
        **{name: getattr(computed, name) for name in computed_names},
    )


def match_of(records: Iterable[Record | Deal]) -> MatchChecked:
    """The match pass over *records*, which are in the order of their deals."""
    return check_match([match_deal(record, line) for line, record in enumerate(records, start=1)])


def match_codes(records: Iterable[Record | Deal]) -> list[str]:
    """Codes of the findings of the match pass, in order of the alphabet."""
    return sorted(finding.code for finding in match_of(records).findings)

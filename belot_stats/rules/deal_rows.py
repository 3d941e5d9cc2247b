"""Deals in rows of fixed width: what the compiled loops read and write, one numpy record a deal.

A column of all deals is ``rows["points"]``; a compiled function gets one row as a record and reads ``row.points[0]``.
The widths hold every rule set, so that loops are compiled once for all of them. Seats, sides, suits, cards, calls and
contracts are numbered as everywhere; of lists only the first so many places are filled, as their counts say.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from belot_stats.record_columns import MOST_BELOTES, MOST_DECLARATIONS, RecordColumns
from belot_stats.rules import play, table
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.sensible_cards import Situation
from belot_stats.simulator.streams import shuffle_steps

Rows = npt.NDArray[np.void]
PASSED_OUT, DECLARED_OUT = 4, 5  # results beside FAILED, MADE, HANGING, ALL_PASS
SEATS, CARDS, TRICKS, SIDES = 4, 32, 16, 3
CALLS = 136  # more than any auction has
RANDOM_STREAMS = SEATS + 1  # one a seat, one for the pack
SIDE_BY_SIDE = 8  # deals that are played together
SHUFFLE_STEPS = 8  # more than any pack has
DUTY_WORDS = 8  # three duties of two masks, and two words that make a row a power of two
AUCTIONS = 2048  # in the table of auctions: a power of two
CALL_CODES = 16

DEAL = np.dtype(
    [
        ("dealer", "i1"),
        ("turn_up", "i1", (2,)),
        ("first_hands", "u4", (SEATS,)),
        ("hands", "u4", (SEATS,)),
        ("exchange", "i1"),
        ("calls", "u1", (CALLS,)),
        ("call_count", "u1"),
        ("plays", "u1", (CARDS,)),
        ("play_count", "u1"),
        ("winners", "u1", (TRICKS,)),
        ("trick_points", "u1", (TRICKS,)),
        ("declared_seat", "u1", (MOST_DECLARATIONS,)),
        ("declared_mask", "u4", (MOST_DECLARATIONS,)),
        ("declared_at", "u1", (MOST_DECLARATIONS,)),
        ("declared_fate", "u1", (MOST_DECLARATIONS,)),  # COUNTED, BEATEN, TIED, NO_TRICK
        ("declared_points", "u2", (MOST_DECLARATIONS,)),
        (
            "declared_place",
            "u1",
            (MOST_DECLARATIONS,),
        ),  # in the record; the others are in the order announced
        ("declared_count", "u1"),
        ("belote_seat", "u1", (MOST_BELOTES,)),
        ("belote_suit", "u1", (MOST_BELOTES,)),
        ("belote_at", "u1", (MOST_BELOTES,)),
        ("belote_fate", "u1", (MOST_BELOTES,)),  # COUNTED, NO_TRICK, NOT_ALLOWED
        ("belote_count", "u1"),
        ("contract", "i1"),
        ("declarer", "i1"),
        ("level", "u1"),
        ("result", "u1"),  # FAILED, MADE, HANGING, ALL_PASS, PASSED_OUT, DECLARED_OUT
        ("tricks_won", "u1", (SIDES,)),
        ("card_points", "i4", (SIDES,)),
        ("declaration_points", "i4", (SIDES,)),
        ("belote_points", "i4", (SIDES,)),
        ("points", "i4", (SIDES,)),
        ("capot", "i1"),
        ("score", "i4", (SIDES,)),
        ("hanging", "i4"),
    ],
    align=True,
)

STANDING = np.dtype(  # of a match after a deal
    [
        ("match", "u8"),
        ("deal", "i8"),
        ("score", "i4", (SIDES,)),  # with the hung points that were won
        ("hanging", "i4"),
        ("total", "i8", (SIDES,)),
        ("winner", "i1"),
    ],
    align=True,
)

MATCH = np.dtype(  # under way; its totals are in the workspace
    [
        ("match", "u8"),
        ("left", "i8"),  # matches to be made, this one included
        ("deal", "i8"),
        ("dealer", "i8"),
        ("hanging", "i8"),
        ("hung_count", "i8"),  # deals of which points hang, where they are won one by one
        ("passed", "i8"),  # deals in a row
        ("pack", "i8", (CARDS,)),  # before it is cut
    ],
    align=True,
)

SITUATION = np.dtype([(name, "i8") for name in Situation.__annotations__], align=True)

AUCTION = np.dtype([("key", "i8"), ("legal", "i4"), ("next", "i2", (CALL_CODES,))], align=True)

WAITING = np.dtype(  # a deal that is played beside others
    [
        ("row", "i8"),
        ("dealer", "i8"),
        ("stock", "i8"),
        ("pack", "u1", (CARDS,)),
        ("states", "u8", (SEATS,)),
        ("rests", "u8", (SEATS,)),
        ("key", "i8"),  # of the auction, and its place in the table
        ("place", "i8"),
        ("hands", "i8", (SEATS,)),
        ("contract", "i8"),
        ("is_closed", "i8"),
        ("leader", "i8"),
        ("seat", "i8"),  # that played the last card
        ("trick", "i8"),  # contract and suit led, as the tables count them
        ("holder", "i8"),
        ("best", "i8"),
        ("power", "i8"),
        ("worth", "i8"),
        ("tricks_won", "i8", (SIDES,)),
        ("card_points", "i8", (SIDES,)),
        ("place_of", "u1", (CARDS,)),
        ("plays", "u1", (CARDS,)),
        ("winners", "u1", (TRICKS,)),
        ("trick_points", "u1", (TRICKS,)),
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("tricks", "i8"),
        ("cards", "i8"),
        ("pack_size", "i8"),
        ("new_pack", "u1", (CARDS,)),
        ("pack", "u1", (CARDS,)),
        ("aside", "i8", (CARDS,)),
        ("stock", "i8"),  # place of its first card in the pack
        ("first_packets", "i8", (5,)),  # filled up with 0
        ("second_packets", "i8", (5,)),
        ("states", "u8", (RANDOM_STREAMS,)),
        ("rests", "u8", (SEATS,)),  # of the words by which cards are chosen
        ("hands", "i8", (SEATS,)),
        ("waiting", WAITING, (SIDE_BY_SIDE,)),
        ("shuffle_steps", "i8"),
        ("shuffle_last", "i8", (SHUFFLE_STEPS,)),  # as in ShuffleStep
        ("shuffle_cards", "i8", (SHUFFLE_STEPS,)),
        ("shuffle_refused", "u8", (SHUFFLE_STEPS,)),
        ("auction_count", "i8"),
        # By contract, suit led and card: which card takes the trick, the greater, and 256 times its points.
        ("values", "u2", (6 * 4 * CARDS,)),
        # By contract, suit led, best card, and whether it is the third to play and the partner holds the trick.
        ("duties", "u4", (6 * 4 * CARDS * 4, DUTY_WORDS)),
        ("situation", SITUATION),  # of a policy that is to choose a card
        ("tricks_won", "i8", (SIDES,)),
        ("card_points", "i8", (SIDES,)),
        ("declared", "i8", (SIDES,)),
        ("belotes", "i8", (SIDES,)),
        ("seat_at", "i8", (CARDS,)),  # seat that played each card of the deal
        ("place_of", "i8", (CARDS,)),  # place of each card among those played
        ("is_match", "i8"),  # deals stand in matches
        ("totals", "i8", (SIDES,)),  # of the match before the deal
        ("auction_places", "i2", (2 * AUCTIONS,)),  # by the key's hash, counted from 1; 0: nothing
        ("auctions", AUCTION, (AUCTIONS,)),
    ],
    align=True,
)


def new_workspace(rules: RuleSet) -> Any:
    """What a loop works in, with what it has to know of *rules* beforehand."""
    return _workspace(rules).copy()[0]


@lru_cache(maxsize=32)
def _workspace(rules: RuleSet) -> Rows:
    space = np.zeros(1, dtype=WORKSPACE)
    pack = [card for card in range(CARDS) if table.pack_mask(rules) >> card & 1]
    space["tricks"], space["cards"] = table.hand_size(rules), table.deal_size(rules)
    space["pack_size"] = len(pack)
    space["new_pack"][0, : len(pack)] = pack
    for name in ("first_packets", "second_packets"):
        digits = [int(digit) for digit in str(getattr(rules, name))]
        space[name][0, : len(digits)] = digits
    tricks = [(contract, led) for contract in range(6) for led in range(4)]
    space["values"][0] = np.concatenate([_values(contract, led) for contract, led in tricks])
    space["duties"][0, :, :6] = np.concatenate([_duties(rules, contract, led) for contract, led in tricks])
    steps = shuffle_steps(len(pack))
    space["shuffle_steps"] = len(steps)
    for name in ("last", "cards", "refused"):
        space[f"shuffle_{name}"][0, : len(steps)] = [getattr(step, name) for step in steps]
    return space


def _values(contract: int, led: int) -> list[int]:
    """What each card does in a trick: how many of those that can take it the card beats, and 256 times its points."""
    rivals = [card for card in range(CARDS) if card >> 3 in (led, contract)]
    return [
        sum(play.beats(contract, card, rival) for rival in rivals) + 256 * play.card_points(contract, card)
        for card in range(CARDS)
    ]


def _duties(rules: RuleSet, contract: int, led: int) -> list[list[int]]:
    """Duties of a trick, a row for each best card, for the third to play or another, the partner holding it or not."""
    return [
        [mask for duty in play.duties(rules, contract, led, best, holds, size) for mask in duty]
        for best in range(CARDS)
        for size in (1, 2)
        for holds in (False, True)
    ]


RECORD = np.dtype(
    [
        ("deal", "i8"),
        ("dealer", "i1"),
        ("turn_up", "i1", (2,)),
        ("has_first_hands", "u1"),
        ("first_hands", "u4", (SEATS,)),
        ("calls", "u1", (64,)),
        ("call_count", "u1"),
        ("exchange", "i1"),
        ("has_hands", "u1"),
        ("hands", "u4", (SEATS,)),
        ("plays", "u1", (CARDS,)),
        ("play_count", "u1"),
        ("declared_seat", "u1", (MOST_DECLARATIONS,)),
        ("declared_mask", "u4", (MOST_DECLARATIONS,)),
        ("declared_at", "u1", (MOST_DECLARATIONS,)),
        ("declared_count", "u1"),
        ("belote_seat", "u1", (MOST_BELOTES,)),
        ("belote_suit", "u1", (MOST_BELOTES,)),
        ("belote_at", "u1", (MOST_BELOTES,)),
        ("belote_count", "u1"),
        ("end", "u1"),
        ("claimed_contract", "i1"),
        ("claimed_declarer", "i1"),
        ("claimed_level", "i2"),
        ("claimed_tricks", "u1", (TRICKS,)),
        ("claimed_trick_count", "i1"),
        ("claimed_points", "i4", (SIDES,)),
        ("claimed_capot", "i1"),
        ("claimed_made", "i1"),
        ("claimed_score", "i4", (SIDES,)),
        ("claimed_hanging", "i4"),
    ],
    align=True,
)


def record_rows(records: RecordColumns) -> Rows:
    """*records* in rows."""
    rows = np.zeros(len(records.dealer), dtype=RECORD)
    for name, column in records._asdict().items():
        if column.ndim == 1:
            rows[name] = column
        else:
            rows[name][:, : column.shape[1]] = column
    return rows

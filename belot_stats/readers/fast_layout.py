"""What a line of ``bhh/1`` becomes on the fast way: cells of a row, and the words it is made of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from belot_stats.readers.fast_tokens import FAIL, code_of

NOT_SAID = -1
NUMBER_NOT_SAID = -(2**31)
AT_NOT_SAID = 255
SEATS, CARDS, CALLS, DECLARATIONS, BELOTES = 4, 32, 64, 12, 4  # most of them in a record
MOST_POINTS = 2**31 - 2  # of numbers in claims, and the least is as far from 0
EXTRAS = 4
LONGEST_LINE = 2**20
MOST_GROUPS = 64  # pairs of rules and options in one piece

# What a row holds: name -> how many cells, and what they hold where the record says nothing.
LAYOUT: dict[str, tuple[int, int]] = {
    "group": (1, 0),
    "texts": (2 * 8, NOT_SAID),  # begin and end of source, match, rules, started and the players' names
    "options": (2, NOT_SAID),
    "extras": (2 * EXTRAS, 0),  # begin and end of each member that is the writer's own
    "extra_count": (1, 0),
    "player_count": (1, NOT_SAID),
    "dealer": (1, NOT_SAID),
    "turn_up": (2, NOT_SAID),
    "first_hands": (SEATS, 0),
    "first_hand_sizes": (3, NOT_SAID),  # hands, fewest and most cards in one of them
    "calls": (CALLS, 0),
    "call_count": (1, NOT_SAID),
    "exchange": (1, NOT_SAID),
    "hands": (SEATS, 0),
    "hand_sizes": (3, NOT_SAID),
    "plays": (CARDS, 0),
    "play_count": (1, 0),
    "declared_seat": (DECLARATIONS, 0),
    "declared_mask": (DECLARATIONS, 0),
    "declared_at": (DECLARATIONS, 0),
    "declared_count": (1, 0),
    "belote_seat": (BELOTES, 0),
    "belote_suit": (BELOTES, 0),
    "belote_at": (BELOTES, 0),
    "belote_count": (1, 0),
    "end": (1, 0),
    "claimed_contract": (1, NOT_SAID),
    "claimed_declarer": (1, NOT_SAID),
    "claimed_level": (1, NOT_SAID),
    "claimed_tricks": (CARDS, 0),
    "claimed_trick_count": (1, NOT_SAID),
    "claimed_points": (SEATS, 0),
    "claimed_capot": (1, NOT_SAID),
    "claimed_made": (1, NOT_SAID),
    "claimed_score": (SEATS, 0),
    "claimed_hanging": (1, NUMBER_NOT_SAID),
    "claimed_total": (SEATS, 0),
    "claimed_winner": (1, NOT_SAID),
    "side_counts": (3, NOT_SAID),  # sides in claimed points, score and total
    "highest": (3, 0),  # seat, side and number of cards on the table that the record names
    "cards": (1, 0),  # every card it names
    "time_kind": (1, 0),  # 2 with an offset, 1 without
}
_WIDTHS = [width for width, _ in LAYOUT.values()]
PLACES = dict(zip(LAYOUT, np.cumsum([0, *_WIDTHS[:-1]]).tolist(), strict=True))
ROW = np.repeat(np.array([value for _, value in LAYOUT.values()], dtype=np.int32), _WIDTHS)
for _name in ("claimed_points", "claimed_score", "claimed_total"):
    ROW[PLACES[_name]] = NUMBER_NOT_SAID
(
    GROUP, TEXTS, OPTIONS, EXTRA_PLACES, EXTRA_COUNT, PLAYER_COUNT, DEALER, TURN_UP, FIRST_HANDS, FIRST_HAND_SIZES,
    CALLED, CALL_COUNT, EXCHANGE, HANDS, HAND_SIZES, PLAYS, PLAY_COUNT, DECLARED_SEAT, DECLARED_MASK, DECLARED_AT,
    DECLARED_COUNT, BELOTE_SEAT, BELOTE_SUIT, BELOTE_AT, BELOTE_COUNT, END, CONTRACT, DECLARER, LEVEL, TRICKS,
    TRICK_COUNT, POINTS, CAPOT, MADE, SCORE, HANGING, TOTAL, WINNER, SIDE_COUNTS, HIGHEST, NAMED, TIME_KIND,
) = PLACES.values()  # fmt: skip
POINT_COUNT, SCORE_COUNT, TOTAL_COUNT = range(SIDE_COUNTS, SIDE_COUNTS + 3)
HIGHEST_SEAT, HIGHEST_SIDE, HIGHEST_AT = range(HIGHEST, HIGHEST + 3)
CONTRACTS = 6
RULES, STARTED = TEXTS + 2 * 2, TEXTS + 2 * 3
PLAYERS = 4  # number of the first name among the texts
WIDE_CELLS = 5
DEAL, STARTED_AT, LINE, BYTE, LINE_END = range(WIDE_CELLS)  # cells of the wide row, 64 bits each


def _codes(words: str) -> npt.NDArray[np.int64]:
    return np.array([code_of(name) for name in words.split()])


KEYS = _codes(
    "format source match deal rules options started players dealer turn_up first_hands auction exchange hands plays "
    "declarations belotes end claimed"
)  # fmt: skip
(
    K_FORMAT, K_SOURCE, K_MATCH, K_DEAL, K_RULES, K_OPTIONS, K_STARTED, K_PLAYERS, K_DEALER, K_TURN_UP, K_FIRST_HANDS,
    K_AUCTION, K_EXCHANGE, K_HANDS, K_PLAYS, K_DECLARATIONS, K_BELOTES, K_END, K_CLAIMED,
) = range(len(KEYS))  # fmt: skip
REQUIRED = sum(1 << key for key in (K_FORMAT, K_MATCH, K_DEAL, K_DEALER, K_AUCTION))
CLAIM_KEYS = _codes(
    "contract declarer level tricks points capot made score hanging total winner"
)  # fmt: skip
(
    C_CONTRACT, C_DECLARER, C_LEVEL, C_TRICKS, C_POINTS, C_CAPOT, C_MADE, C_SCORE, C_HANGING, C_TOTAL, C_WINNER,
) = range(len(CLAIM_KEYS))  # fmt: skip
PART_KEYS = _codes("seat cards suit at")
P_SEAT, P_CARDS, P_SUIT, P_AT = range(4)
FORMAT_WORD = np.frombuffer(b"bhh/1", dtype=np.uint8)
PLAYED_WORD, PASSED_WORD = (np.frombuffer(name, dtype=np.uint8) for name in (b"played", b"passed"))
TEXT_OF = np.array(
    [{K_SOURCE: 0, K_MATCH: 1, K_RULES: 2, K_STARTED: 3}.get(field, FAIL) for field in range(len(KEYS))]
)
NULL, TRUE, FALSE = (np.frombuffer(name, dtype=np.uint8) for name in (b"null", b"true", b"false"))

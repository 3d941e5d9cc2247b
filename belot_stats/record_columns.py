"""Records in columns: what a log says of many deals that are checked by one rule set, one row a deal.

The fast reader fills them, the compiled deal pass reads them. What a record leaves out is NOT_SAID where 0 could be
said. A record that does not fit (more calls, announcements or cards than there are places, an announcement by its kind
alone) never gets here: it is read and checked one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]
NOT_SAID = -1
NUMBER_NOT_SAID = np.iinfo(np.int32).min
AT_NOT_SAID = 255
MOST_CALLS = 64
MOST_DECLARATIONS = 12
MOST_BELOTES = 4
MOST_TRICKS = 16
END_PLAYED, END_PASSED, END_OTHER = range(3)


class RecordColumns(NamedTuple):
    """Deals of a log. Seats, sides, suits, cards, calls and contracts as everywhere; hands are card masks."""

    deal: Column  # int64 [n]: number in its match
    dealer: Column  # int8 [n]
    turn_up: Column  # int8 [n, 2]: NOT_SAID
    has_first_hands: Column  # uint8 [n]
    first_hands: Column  # uint32 [n, players]
    calls: Column  # uint8 [n, MOST_CALLS]
    call_count: Column  # uint8 [n]
    exchange: Column  # int8 [n]: NOT_SAID
    has_hands: Column  # uint8 [n]
    hands: Column  # uint32 [n, players]
    plays: Column  # uint8 [n, cards of a whole deal]
    play_count: Column  # uint8 [n]
    declared_seat: Column  # uint8 [n, MOST_DECLARATIONS], in the record's order
    declared_mask: Column  # uint32 [n, MOST_DECLARATIONS]
    declared_at: Column  # uint8 [n, MOST_DECLARATIONS]: AT_NOT_SAID
    declared_count: Column  # uint8 [n]
    belote_seat: Column  # uint8 [n, MOST_BELOTES]
    belote_suit: Column  # uint8 [n, MOST_BELOTES]
    belote_at: Column  # uint8 [n, MOST_BELOTES]: AT_NOT_SAID
    belote_count: Column  # uint8 [n]
    end: Column  # uint8 [n]: END_PLAYED, END_PASSED; END_OTHER is checked one by one
    claimed_contract: Column  # int8 [n]: NOT_SAID
    claimed_declarer: Column  # int8 [n]: NOT_SAID
    claimed_level: Column  # int16 [n]: NOT_SAID
    claimed_tricks: Column  # uint8 [n, tricks]
    claimed_trick_count: Column  # int8 [n]: NOT_SAID where there is no such claim
    claimed_points: (
        Column  # int32 [n, sides]: NUMBER_NOT_SAID in the first place where there is no such claim
    )
    claimed_capot: Column  # int8 [n]: NOT_SAID
    claimed_made: Column  # int8 [n]: 0, 1, NOT_SAID
    claimed_score: Column  # int32 [n, sides]: as claimed_points
    claimed_hanging: Column  # int32 [n]: NUMBER_NOT_SAID

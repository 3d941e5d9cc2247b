"""How many deals a log says it holds: in a header, a footer or a comment, which are no records themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from belot_stats.deal import BadRecord
from belot_stats.ledger import LedgerFinding

# "Generated 500 hands", "# deals: 10", {"deals": 10}
_WORDS = rb"deals?|hands?|records?|games?|rounds?"
_COUNT_FIRST = re.compile(rb"(?<![\w.])(\d{1,12})\s+(?:" + _WORDS + rb")\b", re.IGNORECASE)
_WORD_FIRST = re.compile(
    rb"\b(?:" + _WORDS.replace(b"?", b"") + rb"|count)[\"']?\s*[:=]\s*(\d{1,12})(?![\w.])", re.IGNORECASE
)
_RECORD_FIELDS = re.compile(rb"\"(?:plays|auction|dealer|hands)\"\s*:")
_LONGEST = 1000  # bytes of a line that can be a header or footer


class StatedCount(msgspec.Struct, frozen=True, kw_only=True):
    """A line, counted in its chunk, that says how many deals there are."""

    line: int
    deals: int


def stated_count(bad: BadRecord) -> StatedCount | None:
    """Number of deals that a line which is no record states, or None."""
    if len(bad.raw) > _LONGEST or _RECORD_FIELDS.search(bad.raw):
        return None
    found = _COUNT_FIRST.search(bad.raw) or _WORD_FIRST.search(bad.raw)
    return StatedCount(line=bad.line, deals=int(found[1])) if found else None


def count_findings(stated: Sequence[StatedCount], records: int) -> list[LedgerFinding]:
    """The finding count-mismatch, where neither one statement nor their sum is the number of records.

    stated: lines counted in the file.  records: records of the file, those lines not among them.
    """
    numbers = [item.deals for item in stated]
    if not numbers or records in numbers or sum(numbers) == records:
        return []
    expected = f"{numbers[0]} deals, as line {stated[0].line} says"
    return [
        LedgerFinding(
            code="count-mismatch", line=stated[0].line, expected=expected, found=f"{records} records"
        )
    ]

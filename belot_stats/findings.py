"""Finding codes: their order, stage, severity and one line of meaning each.

The order is the bit order of the column ``finding_bits`` and may only be added to at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class FindingCode(NamedTuple):
    """One kind of finding."""

    code: str
    stage: str  # record, file, deal, auction, play, declaration, claim, match
    severity: str  # error, illegal, mismatch, irregularity, notice
    meaning: str


FINDING_CODES: tuple[FindingCode, ...] = tuple(
    FindingCode(*row)
    for row in (
        (
            "unreadable-line",
            "record",
            "error",
            "the line is no JSON: text after the object, a key twice, NaN or Infinity, not UTF-8",
        ),
        ("truncated-line", "record", "error", "the JSON ends at the end of the line"),
        ("not-an-object", "record", "error", "the line is JSON, but no object"),
        ("missing-field", "record", "error", "a required field is absent"),
        ("bad-type", "record", "error", "a field has another type or range than the format says"),
        ("bad-card", "record", "error", "a token is none of the 32 cards"),
        ("duplicate-card", "record", "error", "a card stands twice where it can stand once"),
        (
            "wrong-card-count",
            "record",
            "error",
            "a hand or the list of plays has another number of cards than the rules deal",
        ),
        ("bad-seat", "record", "error", "a seat or side outside the table"),
        ("bad-call", "record", "error", "a token that is no call"),
        ("unknown-rules", "record", "error", "the rule set is not known here"),
        ("unknown-option", "record", "error", "an option that is no rule parameter, or not with this value"),
        ("unknown-format", "record", "error", "the field format names another format"),
        ("incomplete-file", "file", "error", "a compressed file breaks off"),
        ("foreign-tail", "file", "error", "bytes after a compressed stream"),
        ("count-mismatch", "file", "error", "the file states another number of deals than it holds"),
        ("unknown-field", "record", "notice", "a field that the format does not have; kept"),
        ("no-time-zone", "record", "notice", "a time without an offset; kept as written"),
        (
            "ambiguous-time",
            "record",
            "notice",
            "a time that runs against the order of the deals or exists twice",
        ),
        ("incomplete-deal", "deal", "error", "cards are missing and nothing says why the deal ended"),
        ("hand-mismatch", "deal", "error", "first hands, hands and plays cannot all be true"),
        ("bid-too-low", "auction", "illegal", "a bid not above the last one, or not open to bid"),
        (
            "contra-not-allowed",
            "auction",
            "illegal",
            "a contra or recontra by the wrong side or at the wrong time",
        ),
        ("call-after-end", "auction", "illegal", "a call after the auction had ended"),
        ("auction-not-closed", "auction", "illegal", "the auction stops before its end"),
        ("call-out-of-turn-up", "auction", "illegal", "a call that the turn-up system does not have"),
        ("card-not-in-hand", "play", "illegal", "the seat does not hold the card it plays"),
        ("revoke", "play", "illegal", "the led suit was held and not followed"),
        ("must-beat", "play", "illegal", "a higher card was held and not played"),
        ("must-ruff", "play", "illegal", "a trump was held and had to be played"),
        ("must-overruff", "play", "illegal", "a higher trump was held and had to be played"),
        (
            "must-undertrump",
            "play",
            "illegal",
            "a trump was held and had to be played although it could not win",
        ),
        ("false-declaration", "declaration", "illegal", "the announced combination was not held or is none"),
        ("late-declaration", "declaration", "illegal", "announced after the time the rules give"),
        ("shared-card", "declaration", "illegal", "one card in two declarations"),
        (
            "declaration-not-allowed",
            "declaration",
            "illegal",
            "these rules or this contract know no declarations",
        ),
        (
            "false-belote",
            "declaration",
            "illegal",
            "belote announced without both cards, in a wrong suit, or on a discard",
        ),
        ("late-belote", "declaration", "illegal", "belote not announced with the first of the two cards"),
        ("wrong-contract", "claim", "mismatch", "the log states another contract than its auction gives"),
        ("wrong-declarer", "claim", "mismatch", "the log states another declarer than its auction gives"),
        ("wrong-level", "claim", "mismatch", "the log states another level than its auction gives"),
        (
            "wrong-trick-winner",
            "claim",
            "mismatch",
            "the log gives a trick to another seat than the cards do",
        ),
        (
            "wrong-points",
            "claim",
            "mismatch",
            "the log states other raw points than the cards and declarations give",
        ),
        ("wrong-capot", "claim", "mismatch", "the log states another capot than the tricks give"),
        ("wrong-made", "claim", "mismatch", "the log says made or failed where the points say otherwise"),
        ("wrong-score", "claim", "mismatch", "the log writes another score than the rules give"),
        ("wrong-rounding", "claim", "mismatch", "the score written is what another rounding gives"),
        ("wrong-hanging", "claim", "mismatch", "the log leaves other points hanging than the rules give"),
        ("missing-deal", "match", "error", "a deal number is missing from the match"),
        ("duplicate-deal", "match", "error", "the same deal stands twice in one file"),
        ("conflicting-deal", "match", "error", "two records of one deal differ"),
        ("deal-after-end", "match", "error", "a deal after the match was won"),
        ("match-unfinished", "match", "error", "the last deal known does not end the match"),
        (
            "false-declare-out",
            "match",
            "illegal",
            "a player declared himself out without the points, or when he might not",
        ),
        ("wrong-dealer", "match", "mismatch", "another seat dealt than the rules say"),
        ("wrong-total", "match", "mismatch", "the running total is not the sum of the scores"),
        ("wrong-winner", "match", "mismatch", "the log names another winner than the totals give"),
        (
            "closed-lead",
            "play",
            "illegal",
            "a trump was led in a deal doubled closed, and another suit was held",
        ),
    )
)
FINDING_BITS: dict[str, int] = {row.code: 1 << bit for bit, row in enumerate(FINDING_CODES)}
SEVERITIES = ("error", "illegal", "mismatch", "irregularity", "notice")
SEVERITY_OF: dict[str, str] = {row.code: row.severity for row in FINDING_CODES}
MEANING_OF: dict[str, str] = {row.code: row.meaning for row in FINDING_CODES}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One check that failed: what, where inside the deal, expected and found.

    ``trick``, ``card`` (its index in the whole deal) and ``call`` count from 0; ``token`` is the card or call itself.
    """

    code: str
    severity: str
    expected: str
    found: str
    seat: int | None = None
    trick: int | None = None
    card_index: int | None = None
    call_index: int | None = None
    token: str | None = None
    field: str | None = None

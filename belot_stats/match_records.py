"""What the match pass takes and gives: the deals of a match, and its findings, standings and summary."""

from __future__ import annotations

import msgspec

from belot_stats.ruleset import RuleSet


class MatchDeal(msgspec.Struct, frozen=True, kw_only=True):
    """What the match pass needs of one deal that counts; fields as in the data dictionary, line within the file."""

    source: str
    match: str
    deal: int
    line: int
    rules: RuleSet
    dealer: int
    end: str
    outcome: str
    is_scored: bool
    players: tuple[str, ...] | None = None
    contract: int | None = None
    level: int | None = None
    declarer: int | None = None
    declarer_side: int | None = None
    points: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] = ()
    last_trick_side: int | None = None
    card_points: tuple[int, ...] = ()
    declaration_points: tuple[int, ...] = ()
    belote_points: tuple[int, ...] = ()
    capot_side: int | None = None
    score: tuple[int, ...] = ()
    hanging: int = 0
    finding_bits: int = 0
    claimed_made: bool | None = None
    claimed_score: tuple[int, ...] | None = None
    claimed_hanging: int | None = None
    claimed_total: tuple[int, ...] | None = None
    claimed_winner: int | None = None
    passes_are_logged: bool = True


class MatchFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of the match pass; deal and line None where it is about the whole match."""

    code: str
    severity: str
    expected: str
    found: str
    deal: int | None = None
    line: int | None = None
    seat: int | None = None
    field: str | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A deal in its match: the table ``standings`` of the data dictionary."""

    deal: int
    hanging_in: int | None
    score: tuple[int, ...] | None
    hanging_out: int | None
    total: tuple[int, ...] | None
    ends_match: bool
    winner: int | None


class MatchSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The match as a whole: the table ``matches`` of the data dictionary, without has_conflict and finding_count."""

    rules: str
    rules_hash: str
    players: tuple[str, ...] | None
    first_deal: int
    last_deal: int
    deals: int
    missing_deals: int
    total: tuple[int, ...] | None
    winner: int | None
    is_finished: bool


class MatchChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Findings, standings and summary of one match."""

    findings: list[MatchFinding]
    standings: list[Standing]
    summary: MatchSummary

"""The rule parameters: name, group, type, and how a readable value becomes the integers the rules work on.

A parameter exists where two systems differ or a source names a local option. Values are checked here one by one;
contradictions between parameters are found in :mod:`belot_stats.ruleset`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from belot_stats.cards import CONTRACT_NAMES, RANK_NAMES

GROUPS = ("table", "auction", "play", "declarations", "belote", "deal_score", "match")
LEVEL_SLOTS = 4  # contra, recontra and the two levels after them
NO_LEVEL = -1
SHOWN = 80  # characters of a wrong value that a message repeats

# Codes of the enumerated parameters, as the rules compare them.
COUNTER_CLOCKWISE, CLOCKWISE = range(2)
BIDDING_AUCTION, BIDDING_STATED = range(2)
TURN_UP_NONE, TURN_UP_ONE = range(2)
NOT_OVER_PARTNER, ALWAYS = range(2)
RUFF_NEVER, RUFF_OPPONENT_HOLDS, RUFF_ALWAYS, RUFF_UNLESS_PARTNER_LED_ACE = range(4)
FREE, UNDERTRUMP = range(2)
PLAYS_ON, PENALTY_ON_CLAIM = range(2)
DECLARE_NONE, DECLARE_TRUMPS, DECLARE_ALL = range(3)
CONTEST_SEPARATE, CONTEST_SINGLE, CONTEST_BY_POINTS = range(3)
HUNDRED_TOP_CARD, HUNDRED_SEQUENCE_FIRST, HUNDRED_CARRE_FIRST = range(3)
EQUAL_VOID, EQUAL_TRUMP_THEN_EARLIER, EQUAL_EARLIER = range(3)
ANNOUNCE_FIRST_CARD, ANNOUNCE_FIRST_TRICK = range(2)
BELOTE_LEAD_FOLLOW_RUFF, BELOTE_ANY_PLAY, BELOTE_SECOND_CARD = range(3)
CAPOT_NONE, CAPOT_RAW, CAPOT_GAME, CAPOT_FIXED = range(4)
CAPOT_MULTIPLIED, CAPOT_BONUS_FIXED, CAPOT_DEAL_NOT_DOUBLED = range(3)
ROUND_SHARED_TENS, ROUND_NONE, ROUND_BALOOT = range(3)
SUN_TEN_KEEP5, SUN_TEN_5UP, SUN_FIFTH = range(3)
HOKUM_COMPLEMENT, HOKUM_PAIR, HOKUM_INDEPENDENT = range(3)
BASIS_RAW, BASIS_GAME, BASIS_GAME_THEN_RAW = range(3)
TIE_HANGS, TIE_KEEPS, TIE_FAILS = range(3)


class ValueProblem(ValueError):
    """A value that its parameter does not take; the text says what was expected."""


class Parameter(NamedTuple):
    """One rule parameter; *encode* turns a readable value into the rules' integers, *decode* turns it back."""

    name: str
    group: str
    expects: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    meaning: str
    default: Any = None  # value of a local option that is off; None = every rule file must say


def _problem(value: object, expects: str) -> ValueProblem:
    found = repr(value)
    return ValueProblem(f"expected {expects}, found {found if len(found) <= SHOWN else found[:SHOWN] + '…'}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(
    name: str, group: str, low: int, high: int, meaning: str, default: int | None = None
) -> Parameter:
    expects = f"a whole number from {low} to {high}"

    def encode(value: Any) -> int:
        if not _is_int(value) or not low <= value <= high:
            raise _problem(value, expects)
        return int(value)

    return Parameter(name, group, expects, encode, int, meaning, default)


def _flag(name: str, group: str, meaning: str, default: bool | None = None) -> Parameter:
    expects = "true or false"

    def encode(value: Any) -> int:
        if not isinstance(value, bool):
            raise _problem(value, expects)
        return int(value)

    return Parameter(name, group, expects, encode, bool, meaning, default)


def _choice(
    name: str, group: str, choices: tuple[str, ...], meaning: str, default: str | None = None
) -> Parameter:
    expects = "one of " + ", ".join(f'"{choice}"' for choice in choices)

    def encode(value: Any) -> int:
        if not isinstance(value, str) or value not in choices:
            raise _problem(value, expects)
        return choices.index(value)

    return Parameter(name, group, expects, encode, choices.__getitem__, meaning, default)


def _rank(name: str, group: str, choices: str, meaning: str) -> Parameter:
    expects = "one of " + ", ".join(f'"{choice}"' for choice in choices)

    def encode(value: Any) -> int:
        if not isinstance(value, str) or len(value) != 1 or value not in choices:
            raise _problem(value, expects)
        return RANK_NAMES.index(value)

    return Parameter(name, group, expects, encode, RANK_NAMES.__getitem__, meaning)


def _packets(name: str, group: str, meaning: str) -> Parameter:
    expects = "a list of packet sizes from 1 to 9, as in [3, 2]"

    def encode(value: Any) -> int:
        if (
            not isinstance(value, list)
            or not 1 <= len(value) <= 4
            or not all(_is_int(n) and 1 <= n <= 9 for n in value)
        ):
            raise _problem(value, expects)
        return int("".join(map(str, value)))

    return Parameter(name, group, expects, encode, lambda code: [int(digit) for digit in str(code)], meaning)


def _contracts(name: str, group: str, meaning: str) -> Parameter:
    expects = f"a list of different contracts of {', '.join(CONTRACT_NAMES)}, lowest first"

    def encode(value: Any) -> tuple[int, ...]:
        known = (
            isinstance(value, list)
            and value
            and all(isinstance(c, str) and len(c) == 1 and c in CONTRACT_NAMES for c in value)
        )
        if not known or len(set(value)) != len(value):
            raise _problem(value, expects)
        return tuple(value.index(c) if c in value else -1 for c in CONTRACT_NAMES)

    def decode(order: Any) -> list[str]:
        return [
            c
            for _, c in sorted((rank, c) for rank, c in zip(order, CONTRACT_NAMES, strict=True) if rank >= 0)
        ]

    return Parameter(name, group, expects, encode, decode, meaning)


def _multipliers(name: str, group: str, meaning: str) -> Parameter:
    expects = "a rising list of at most four multipliers from 2 to 16, as in [2, 4]; [] = no doubling"

    def encode(value: Any) -> tuple[int, ...]:
        good = (
            isinstance(value, list)
            and len(value) <= LEVEL_SLOTS
            and all(_is_int(n) and 2 <= n <= 16 for n in value)
        )
        if not good or sorted(set(value)) != value:
            raise _problem(value, expects)
        return tuple(value) + (NO_LEVEL,) * (LEVEL_SLOTS - len(value))

    return Parameter(
        name, group, expects, encode, lambda levels: [n for n in levels if n != NO_LEVEL], meaning
    )


def _sequence_points(name: str, group: str, meaning: str) -> Parameter:
    expects = "points of a run of 3, 4 and 5, as in {3 = 20, 4 = 50, 5 = 100}"

    def encode(value: Any) -> tuple[int, ...]:
        if not isinstance(value, dict) or {str(key) for key in value} != {"3", "4", "5"}:
            raise _problem(value, expects)
        points = {str(key): number for key, number in value.items()}
        if not all(_is_int(number) and 0 <= number <= 1000 for number in points.values()):
            raise _problem(value, expects)
        return tuple(points[length] for length in "345")

    return Parameter(
        name, group, expects, encode, lambda points: dict(zip("345", points, strict=True)), meaning
    )


def _carre_points(name: str, group: str, meaning: str) -> Parameter:
    expects = "points a rank, as in {J = 200, 9 = 150}; a rank left out makes no carré"

    def encode(value: Any) -> tuple[int, ...]:
        if not isinstance(value, dict) or not all(
            len(str(key)) == 1 and str(key) in RANK_NAMES for key in value
        ):
            raise _problem(value, expects)
        points = {str(key): number for key, number in value.items()}
        if not all(_is_int(number) and 0 <= number <= 1000 for number in points.values()):
            raise _problem(value, expects)
        return tuple(points.get(rank, -1) for rank in RANK_NAMES)

    def decode(points: Any) -> dict[str, int]:
        return {rank: number for rank, number in zip(RANK_NAMES, points, strict=True) if number >= 0}

    return Parameter(name, group, expects, encode, decode, meaning)


def _rank_order(name: str, group: str, meaning: str) -> Parameter:
    expects = 'a list of different ranks, best first, as in ["J", "9", "A"]'

    def encode(value: Any) -> tuple[int, ...]:
        known = isinstance(value, list) and all(
            isinstance(r, str) and len(r) == 1 and r in RANK_NAMES for r in value
        )
        if not known or len(set(value)) != len(value):
            raise _problem(value, expects)
        return tuple(len(value) - value.index(rank) if rank in value else 0 for rank in RANK_NAMES)

    def decode(order: Any) -> list[str]:
        return [
            rank
            for _, rank in sorted(
                ((-height, rank) for height, rank in zip(order, RANK_NAMES, strict=True) if height)
            )
        ]

    return Parameter(name, group, expects, encode, decode, meaning)


PARAMETERS: tuple[Parameter, ...] = (
    _number("players", "table", 2, 4, "number of players"),
    _flag("partners", "table", "players opposite each other are one side"),
    _choice("direction", "table", ("counter-clockwise", "clockwise"), "direction of deal and play"),
    _rank("lowest_rank", "table", "79", "lowest rank of the pack: 7 of 32 cards, 9 of 24"),
    _packets("first_packets", "table", "packets dealt before the auction"),
    _packets("second_packets", "table", "packets dealt after it"),
    _choice("turn_up", "table", ("none", "one"), "cards turned up for the auction"),
    _choice(
        "bidding",
        "auction",
        ("auction", "stated"),
        "how the contract is found; stated = the log names it and has no calls",
    ),
    _contracts("contracts", "auction", "contracts, lowest first"),
    _multipliers("multipliers", "auction", "multipliers of contra, recontra and the levels after them"),
    _flag("raise_cancels_double", "auction", "a higher bid may follow a contra and cancels it"),
    _flag(
        "redoubled_all_trumps_ends",
        "auction",
        "a recontra on the highest contract ends the auction at once",
        False,
    ),
    _choice("beat_trump_lead", "play", ("not_over_partner", "always"), "a trump lead must be risen over"),
    _choice(
        "must_ruff",
        "play",
        ("never", "opponent_holds", "always", "unless_partner_led_ace"),
        "who is void in the led suit must play a trump; unless_partner_led_ace = as opponent_holds, "
        "and the third player also over a partner who led anything but an ace",
    ),
    _flag("must_overruff", "play", "who has to ruff must beat an opponent's trump where he can"),
    _choice("cannot_overruff", "play", ("free", "undertrump"), "who has to ruff and cannot overruff"),
    _choice(
        "rise_all_trumps",
        "play",
        ("not_over_partner", "always"),
        "at all trumps a higher card must be played",
    ),
    _choice("illegal_card", "play", ("plays_on", "penalty_on_claim"), "what an illegal card does"),
    _number(
        "claim_cards",
        "play",
        0,
        9,
        "a player on lead may claim the rest with so many cards or fewer; 0 = no claims",
        0,
    ),
    _number(
        "penalty_points",
        "play",
        0,
        1000,
        "game points the innocent side writes for a claimed offence at a suit contract",
        0,
    ),
    _number("penalty_no_trumps_points", "play", 0, 1000, "the same at no trumps (Sun)", 0),
    _choice(
        "declarations",
        "declarations",
        ("none", "trumps", "all_contracts"),
        "contracts in which declarations count",
    ),
    _sequence_points("sequence_points", "declarations", "points of sequences"),
    _number("eight_run_points", "declarations", 0, 1000, "points of a run of all eight cards of a suit"),
    _number(
        "sequence_cap",
        "declarations",
        0,
        8,
        "runs longer than this count and compare as if they had this length; 0 = no cap",
    ),
    _carre_points("carre_points", "declarations", "points of four of a kind"),
    _rank_order("carre_order", "declarations", "ranks of four of a kind, best first"),
    _choice(
        "contest",
        "declarations",
        ("separate", "single", "by_points"),
        "sequences and carrés compared apart, together with the carré on top, or by points and then top card",
    ),
    _choice(
        "equal_points",
        "declarations",
        ("top_card", "sequence_first", "carre_first"),
        "which is better of a sequence and a carré of equal points, where the contest goes by points",
        "top_card",
    ),
    _choice(
        "equal_sequences",
        "declarations",
        ("void", "trump_then_earlier", "earlier"),
        "what equal best sequences of two sides do",
    ),
    _flag("shared_cards", "declarations", "one card may stand in a carré and in a sequence"),
    _flag("declarations_need_trick", "declarations", "a side without a trick scores no declarations"),
    _choice("declare_when", "declarations", ("first_card", "first_trick"), "when declarations are announced"),
    _number(
        "four_aces_no_trumps",
        "declarations",
        0,
        1000,
        "points of four aces at no trumps; 0 = as declarations says",
        0,
    ),
    _number("belote_points", "belote", 0, 100, "points of king and queen of trumps"),
    _choice(
        "belote_when",
        "belote",
        ("lead_follow_ruff", "any_play", "second_card"),
        "with which card, and played how, belote is announced",
    ),
    _flag("belote_needs_trick", "belote", "a side without a trick scores no belote"),
    _flag("belote_kept_when_failed", "belote", "belote of a failed declarer stays with its holder"),
    _flag(
        "belote_with_hundred",
        "belote",
        "belote counts beside a declaration of 100 that holds both its cards",
        True,
    ),
    _number("last_trick_points", "deal_score", 0, 100, "raw points of the last trick"),
    _number("no_trumps_factor", "deal_score", 1, 4, "factor on raw points at no trumps"),
    _choice(
        "capot",
        "deal_score",
        ("none", "raw", "game", "fixed"),
        "what taking every trick pays: nothing, raw points, game points, or a fixed score in place of the cards",
    ),
    _number("capot_points", "deal_score", 0, 1000, "points of the capot"),
    _number("capot_no_trumps_points", "deal_score", 0, 1000, "points of a fixed capot at no trumps (Sun)", 0),
    _number("capot_no_trumps_factor", "deal_score", 1, 4, "factor on the capot's points at no trumps", 1),
    _choice(
        "capot_when_doubled",
        "deal_score",
        ("multiplied", "bonus_fixed", "deal_not_doubled"),
        "contra and the capot's points",
    ),
    _choice(
        "exact_tie",
        "deal_score",
        ("hangs", "keeps", "fails"),
        "equal points: the declarer's hang, each side writes its own, or the contract fails",
    ),
    _choice("exact_tie_no_trumps", "deal_score", ("hangs", "keeps", "fails"), "the same at no trumps (Sun)"),
    _choice("rounding", "deal_score", ("shared_tens", "none", "baloot"), "how raw points become game points"),
    _flag("multiply_before_rounding", "deal_score", "a doubled total is multiplied before it is rounded"),
    _choice(
        "sun_conversion",
        "deal_score",
        ("sun_ten_keep5", "sun_ten_5up", "sun_fifth"),
        "Baloot: raw points to game points in Sun",
        "sun_ten_keep5",
    ),
    _choice(
        "hokum_conversion",
        "deal_score",
        ("hokum_complement", "hokum_pair", "hokum_independent"),
        "Baloot: the same in Hokum",
        "hokum_complement",
    ),
    _choice(
        "made_basis",
        "deal_score",
        ("raw", "game", "game_then_raw"),
        "points that decide made or failed",
        "raw",
    ),
    _number("target", "match", 1, 100_000, "points that win the match"),
    _flag("no_exit_on_capot", "match", "a match is not won with a capot: one more deal"),
    _flag("no_exit_while_hanging", "match", "a match is not won while points hang", False),
)
PARAMETER_OF: dict[str, Parameter] = {parameter.name: parameter for parameter in PARAMETERS}

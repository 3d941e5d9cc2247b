"""What hypothesis tries: rule sets, and deals, tricks, auctions and announcements of a seeded generator.

Rule sets are drawn value by value, so that a failure shrinks to the parameter that matters. Situations under a rule
set come from ``random.Random(seed)`` with the seed drawn: many of them a drawn rule set, and quick.

Every parameter is varied; Baloot's settlement and floor card have rule sets of their own. Corners that RULES.md
leaves open are named where they are cut off, below and in the tests.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from belot_stats.cards import CARD_NAMES, CONTRACT_NAMES, cards_in, format_cards
from belot_stats.errors import RuleSetError
from belot_stats.rules.table import hand_size, pack_mask
from belot_stats.ruleset import RuleSet, load_ruleset, ruleset_from_values, ruleset_values
from tests import naive

CALLS = ("C", "D", "H", "S", "N", "A", "P", "X", "XX", "XXX", "XXXX")

# players, partners, lowest rank, first and second packets. The first ones deal the whole pack.
WHOLE_PACK_TABLES = (
    (4, True, "7", [3, 2], [3]),
    (4, True, "7", [4], [4]),
    (4, True, "7", [2, 3], [1, 2]),
    (4, True, "9", [3], [3]),
    (4, True, "9", [3, 2], [1]),
    (2, False, "7", [8], [8]),
    (2, False, "9", [3, 3], [3, 3]),
)
PART_PACK_TABLES = (
    (2, False, "9", [3, 3], [3]),
    (2, False, "7", [3, 3], [3]),
    (4, True, "7", [3], [3]),
)
THREE_SIDED_TABLES = (
    (3, False, "9", [3, 2], [3]),
    (3, False, "7", [3, 3], [3]),
    (3, False, "7", [5], [5]),
)
TWO_SIDED_TABLES = WHOLE_PACK_TABLES + PART_PACK_TABLES
ALL_TABLES = TWO_SIDED_TABLES + THREE_SIDED_TABLES

FLAGS = st.booleans()
LEVELS = st.sampled_from(([2, 4], [2, 4], [2], [], [2, 3, 4], [3, 9], [2, 4, 0], [2, 3, 4, 0]))
CONTRACT_LISTS = st.one_of(
    st.just(list(CONTRACT_NAMES)),
    st.lists(st.sampled_from(CONTRACT_NAMES), min_size=1, max_size=6, unique=True),
)
SUIT_LISTS = st.lists(st.sampled_from("CDHS"), min_size=1, max_size=4, unique=True)

PLAY = {
    "beat_trump_lead": st.sampled_from(("always", "not_over_partner")),
    "must_ruff": st.sampled_from(("never", "opponent_holds", "always", "unless_partner_led_ace")),
    "must_overruff": FLAGS,
    "cannot_overruff": st.sampled_from(("free", "undertrump")),
    "rise_all_trumps": st.sampled_from(("always", "not_over_partner")),
    "illegal_card": st.sampled_from(("plays_on", "ends_deal")),
}
DECLARATIONS = {
    "declarations": st.sampled_from(("none", "trumps", "trumps", "all_contracts")),
    "sequence_points": st.sampled_from(({"3": 20, "4": 50, "5": 100}, {"3": 10, "4": 40, "5": 150})),
    "eight_run_points": st.sampled_from((100, 120, 200)),
    # Caps below five would make a quarte compare as a tierce: no source has them.
    "sequence_cap": st.sampled_from((0, 5, 6, 7, 8)),
    "long_runs": st.sampled_from(("whole", "whole", "eight_apart", "highest_five")),
    "equal_sequences": st.sampled_from(("void", "trump_then_earlier", "earlier")),
    "shared_cards": FLAGS,
    "declarations_need_trick": FLAGS,
    "declare_when": st.sampled_from(("first_card", "first_trick", "second_trick", "on_lead")),
    "four_aces_no_trumps": st.sampled_from((0, 0, 200)),
}
BELOTE = {
    "belote_points": st.sampled_from((20, 20, 0, 30)),
    "belote_when": st.sampled_from(("lead_follow_ruff", "any_play", "while_held")),
    "belote_needs_trick": FLAGS,
    "belote_kept_when_failed": FLAGS,
}
DEAL_SCORE = {
    "last_trick_points": st.sampled_from((10, 10, 0, 20)),
    "no_trumps_factor": st.sampled_from((2, 2, 1, 3)),
    "capot_points": st.sampled_from((90, 100, 10)),
    "double_capot_points": st.sampled_from((0, 100)),
    "capot_no_trumps_factor": st.sampled_from((1, 2)),
    "multiply_before_rounding": FLAGS,
    "hung_to": st.sampled_from(("deal_winner", "top_scorer")),
    "exact_tie": st.sampled_from(("hangs", "hangs", "fails")),
    "exact_tie_no_trumps": st.sampled_from(("hangs", "hangs", "fails")),
    "kirtik": st.sampled_from((0, 0, 10)),
}


def table_values(table: Sequence[Any]) -> dict[str, Any]:
    """Parameters of one of the tables above."""
    names = ("players", "partners", "lowest_rank", "first_packets", "second_packets")
    return dict(zip(names, table, strict=True))


def side_count_of(table: Sequence[Any]) -> int:
    """Sides of one of the tables above."""
    return 2 if table[1] else table[0]


def cards_left(table: Sequence[Any]) -> int:
    """Cards of the pack that nobody is dealt."""
    return (32 if table[2] == "7" else 24) - table[0] * (sum(table[3]) + sum(table[4]))


@st.composite
def carre_values(draw: Any) -> dict[str, Any]:
    """Ranks that make a carré, their points, and their order; the contest.

    A rank has points and a place in the order, or neither: nothing says how a carré of no points or of no place
    compares. Where a contest goes by points, carrés of equal points compare as their top cards do (BALOOT.md 1e).
    """
    ranks = draw(st.lists(st.sampled_from("789TJQKA"), min_size=1, max_size=8, unique=True))
    contest = draw(st.sampled_from(("separate", "single", "by_points")))
    if contest == "by_points":
        ranks.sort(key="AKQJT987".index)
    points = draw(
        st.lists(st.sampled_from((50, 100, 140, 150, 200)), min_size=len(ranks), max_size=len(ranks))
    )
    return {
        "carre_order": ranks,
        "carre_points": {rank: points[ranks.index(rank)] for rank in sorted(ranks)},
        "contest": contest,
        "equal_points": draw(st.sampled_from(("top_card", "sequence_first", "carre_first"))),
    }


@st.composite
def auction_values(draw: Any) -> dict[str, Any]:
    """Bidding by higher bids: contracts, levels and the end of the auction.

    Corner cut off: with redoubled_all_trumps_ends all trumps is the highest contract and recontra the last level, as
    in A259-279 and A366-385.
    """
    contracts, levels = draw(CONTRACT_LISTS), draw(LEVELS)
    ends = draw(FLAGS) and len(levels) <= 2
    if ends:
        contracts = [call for call in contracts if call != "A"] + ["A"]
    return {
        "bidding": "auction",
        "contracts": contracts,
        "multipliers": levels,
        "redoubled_all_trumps_ends": ends,
        "raise_cancels_double": draw(FLAGS),
        "no_trumps_doubling": draw(st.sampled_from(("all", "all", "first_level"))),
        "forced_dealer": draw(st.sampled_from((False, False, True))),
    }


@st.composite
def turn_up_values(draw: Any, table: Sequence[Any]) -> dict[str, Any]:
    """Bidding for a turned-up card, in one round or two; nobody doubles (RULES.md 1b, S4 to S11)."""
    left = cards_left(table)
    turn_up = draw(st.sampled_from(("one", "one", "two"))) if left >= 2 else "one"
    receivers = ("nobody", "taker", "taker_or_dealer") if left else ("taker", "taker_or_dealer")
    round_two = draw(st.sampled_from(("none", "other_suits", "other_suits", "other_suits_and_no_suit")))
    if turn_up == "two":  # what becomes of the second card where the first is taken, nothing says
        receivers, round_two = ("nobody",), "second_turn_up"
    suits = draw(st.one_of(st.just(list("CDHS")), st.just(list("CDHS")), SUIT_LISTS))
    more = draw(st.sampled_from(([], ["N"], ["N", "A"]))) if round_two == "other_suits_and_no_suit" else []
    receiver = draw(st.sampled_from(receivers))
    return {
        "bidding": "turn_up",
        "turn_up": turn_up,
        "turn_up_to": receiver,
        "round_two": round_two,
        "contracts": suits + more,
        "multipliers": [],
        "all_pass": draw(st.sampled_from(("redeal", "play"))),
        "seven_exchange": receiver == "nobody" and table[2] == "7" and draw(FLAGS),
        "forced_dealer": draw(st.sampled_from((False, False, True))),
    }


@st.composite
def capot_values(draw: Any) -> dict[str, Any]:
    """The capot and what doubling does to it.

    Corners cut off: a raw capot with a bonus that is not doubled is a contradiction to the fast engine; a deal that
    is not doubled because of a capot that pays nothing is no rule of anybody's; and the players' bonuses come from
    systems without doubling.
    """
    capot = draw(st.sampled_from(("none", "raw", "game", "players")))
    doubled = {
        "none": ("multiplied",),
        "raw": ("multiplied", "deal_not_doubled"),
        "game": ("multiplied", "bonus_fixed", "deal_not_doubled"),
        "players": ("multiplied",),
    }[capot]
    return {"capot": capot, "capot_when_doubled": draw(st.sampled_from(doubled))}


@st.composite
def side_values(draw: Any, table: Sequence[Any]) -> dict[str, Any]:
    """What makes a contract, who writes a failed one, and how points are rounded."""
    if side_count_of(table) == 3:
        rounding = draw(st.sampled_from(("none", "each_alone")))
        return {"made": "more_than_each", "failed": "own_points_split", "rounding": rounding}
    # Shared tens are defined where the whole pack is played, between two sides.
    roundings = ("shared_tens", "shared_tens", "none", "each_alone")
    return {
        "made": draw(st.sampled_from(("more", "more_than_each"))),
        "failed": draw(st.sampled_from(("all_to_defenders", "own_points_split"))),
        "rounding": draw(st.sampled_from(roundings if cards_left(table) == 0 else roundings[2:])),
    }


@st.composite
def match_values(draw: Any, table: Sequence[Any], rounding: str) -> dict[str, Any]:
    """The end of the match, hung points of several deals, the next dealer."""
    dealers = ["next", "orderer", "orderer_after_hanging"] + ["top_scorer"] * (not table[1])
    policy = draw(st.sampled_from(("sum", "one_by_one")))
    can_declare_out = rounding == "none" and not table[1]
    return {
        "target": draw(st.sampled_from((151, 101, 301))),
        "both_reach": draw(st.sampled_from(("higher", "last_trick"))),
        "no_exit_on_capot": draw(FLAGS),
        "no_exit_while_hanging": policy == "sum" and draw(FLAGS),
        "hung_policy": policy,
        "declare_out": can_declare_out and draw(FLAGS),
        "next_dealer": draw(st.sampled_from(dealers)),
    }


@st.composite
def rule_values(draw: Any, tables: Sequence[Sequence[Any]] = ALL_TABLES) -> dict[str, Any]:
    """Parameters that differ from ``belot-bg``, as overrides of it."""
    table = draw(st.sampled_from(list(tables)))
    values = table_values(table)
    for group in (PLAY, DECLARATIONS, BELOTE, DEAL_SCORE):
        values |= {name: draw(value) for name, value in group.items()}
    if values["must_ruff"] == "always":
        # Whether one who must ruff over his partner's ruff, and cannot go over it, must ruff lower even where nobody
        # has to: no system joins the two, and RULES.md does not say which sentence goes first.
        values["cannot_overruff"] = "undertrump"
    values |= draw(carre_values()) | draw(capot_values()) | draw(side_values(table))
    values |= draw(match_values(table, values["rounding"]))
    values |= draw(turn_up_values(table)) if draw(FLAGS) else draw(auction_values())
    if values.get("forced_dealer") or values["rounding"] != "none":
        values["all_pass"] = "redeal"
    if values.get("turn_up_to") == "taker":  # without a taker a hand would be a card short
        values["all_pass"] = "redeal"
    return values


def loaded(values: dict[str, Any]) -> RuleSet | None:
    """Rule set of *values* over ``belot-bg``, None where they contradict each other."""
    try:
        return ruleset_from_values("drawn", BELOT_BG | values)
    except RuleSetError:
        return None


BELOT_BG = ruleset_values(load_ruleset("belot-bg"))


def rule_sets(tables: Sequence[Sequence[Any]] = ALL_TABLES) -> st.SearchStrategy[RuleSet]:
    """Rule sets that ``ruleset_from_values`` accepts: nearly all that are drawn."""
    return rule_values(tables).map(loaded).filter(lambda rules: rules is not None)


def floor_card_rules() -> st.SearchStrategy[RuleSet]:
    """Baloot with its bidding varied."""
    return st.fixed_dictionaries(
        {
            "ashkal": st.sampled_from(("none", "both_rounds", "first_round", "second_round")),
            "ashkal_on_ace": FLAGS,
            "sun_over_ace": st.sampled_from(("anyone", "first_speaker")),
            "closed_doubling": FLAGS,
            "no_trumps_doubling": st.sampled_from(("all", "first_level")),
            "round_two": st.sampled_from(("none", "other_suits", "other_suits_and_no_suit")),
            "multipliers": st.sampled_from(([2, 3, 4, 0], [2, 3, 4, 0], [2], [])),
        }
    ).map(lambda values: load_ruleset("baloot", values))


# Presets with a level that stakes the match, as a local option (Q42).
WHOLE_MATCH_PRESETS: dict[str, dict[str, Any]] = {"belot-world": {"multipliers": [2, 4, 0]}}
SEEDS = st.integers(0, 2**32 - 1)


def naive_rules(rules: RuleSet) -> dict[str, Any]:
    """The dict of the slow engine for *rules*."""
    values = ruleset_values(rules)
    values["sequence_points"] = {int(length): points for length, points in values["sequence_points"].items()}
    return values


class Position(NamedTuple):
    """A trick under way: cards as names, who is to play, and his hand."""

    contract: str
    hand: list[str]
    trick: list[tuple[int, str]]
    seat: int


class PlayedDeal(NamedTuple):
    """A deal played out by the slow engine's rules: hands and tricks as card names."""

    contract: str
    leader: int
    hands: list[list[str]]
    tricks: list[tuple[int, list[str]]]  # (winner, cards in the order played)


def contract_of(rng: random.Random) -> str:
    """Any contract; suits more often, since their rules have most cases."""
    return rng.choice("CDHSCDHSNA")


def deal_hands(rules: RuleSet, rng: random.Random, size: int | None = None) -> list[list[str]]:
    """Hands of *size* cards a seat (whole ones by default); some packs are badly shuffled, for long runs and voids."""
    cards = [CARD_NAMES[card] for card in cards_in(pack_mask(rules))]
    if rng.random() < 0.5:
        rng.shuffle(cards)
    else:
        for _ in range(rng.randint(4, 24)):
            first, second = rng.randrange(len(cards)), rng.randrange(len(cards))
            cards[first], cards[second] = cards[second], cards[first]
        if rng.random() < 0.3:  # by rank: carrés
            cards.sort(key=lambda card: (card[0], rng.random()))
    size = hand_size(rules) if size is None else size
    return [sorted_hand(cards[seat * size : (seat + 1) * size]) for seat in range(rules.players)]


def sorted_hand(cards: Sequence[str]) -> list[str]:
    """Cards by suit and rank."""
    return sorted(cards, key=CARD_NAMES.index)


def position(rules: RuleSet, rng: random.Random) -> Position:
    """A trick of any cards, legal or not, and the next player's hand; hands are short so that suits are missing."""
    hands = deal_hands(rules, rng, rng.randint(1, min(hand_size(rules), 8)))
    leader, on_table = rng.randrange(rules.players), rng.randrange(rules.players)
    trick = []
    for place in range(on_table):
        seat = (leader + place) % rules.players
        trick.append((seat, rng.choice(hands[seat])))
    seat = (leader + on_table) % rules.players
    return Position(contract_of(rng), hands[seat], trick, seat)


def play_out(rules: RuleSet, rng: random.Random, contract: str | None = None) -> PlayedDeal:
    """A whole deal of legal cards, chosen at random."""
    names = naive_rules(rules)
    contract = contract_of(rng) if contract is None else contract
    hands = deal_hands(rules, rng)
    leader = start = rng.randrange(rules.players)
    left = [list(hand) for hand in hands]
    tricks = []
    for _ in range(hand_size(rules)):
        trick: list[tuple[int, str]] = []
        for place in range(rules.players):
            seat = (leader + place) % rules.players
            card = rng.choice(naive.legal_cards(names, contract, left[seat], trick, seat))
            left[seat].remove(card)
            trick.append((seat, card))
        leader = naive.trick_winner(names, contract, trick)
        tricks.append((leader, [card for _, card in trick]))
    return PlayedDeal(contract, start, hands, tricks)


def turned_up(rules: RuleSet, rng: random.Random) -> list[str]:
    """As many turned-up cards as the rules have, now and then one less: a log that shows only the first, or none."""
    cards = [CARD_NAMES[card] for card in cards_in(pack_mask(rules))]
    first = rng.choice(cards)
    second = rng.choice([card for card in cards if card[1] != first[1]])
    return [first, second][: max(rules.turn_up - (rng.random() < 0.2), 0)]


def call_string(
    rules: RuleSet, rng: random.Random, legal_share: float, turned: Sequence[str] = ()
) -> list[str]:
    """Calls in a row, a share of them chosen among the legal ones, the others among all there are."""
    names, calls = naive_rules(rules), []
    for _ in range(rng.randint(1, 4 * rules.players + 6)):
        legal = naive.legal_calls(names, calls, 0, turned)
        if legal and rng.random() < legal_share:
            calls.append("P" if rng.random() < 0.35 else rng.choice(legal))
        else:
            calls.append(rng.choice(CALLS))
    return calls


def announcements(
    rules: RuleSet, rng: random.Random, contract: str, hands: list[list[str]]
) -> dict[int, list[str]]:
    """Announcements by seats: the best ones, or some of them, or a piece of a run."""
    names, declared = naive_rules(rules), {}
    for seat, hand in enumerate(hands):
        best = naive.best_declarations(names, contract, hand)
        chosen = [combination for combination in best if rng.random() < 0.85]
        if rng.random() < 0.2:
            possible = sorted(naive.possible_declarations(names, contract, hand), key=sorted)
            chosen = [" ".join(sorted_hand(rng.choice(possible)))] if possible else []
        if chosen:
            declared[seat] = chosen
    return declared


def bonus_points(rng: random.Random) -> int:
    """Raw points of declarations and belotes that a side may bring: whole tens, small ones more often."""
    return 10 * rng.choice((0, 0, 0, 2, 2, 4, 5, 7, 10, 12, 15, 20, 30, 40))


def record_of(played: PlayedDeal, rules_name: str, options: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A ``bhh/1`` record of a deal played out; *fields* replace or add."""
    players = len(played.hands)
    record = {
        "format": "bhh/1",
        "source": "test",
        "match": "m1",
        "deal": 1,
        "rules": rules_name,
        "options": options,
        "dealer": (played.leader - 1) % players,
        "hands": [" ".join(hand) for hand in played.hands],
        "plays": " ".join(card for _, cards in played.tricks for card in cards),
    }
    return record | fields


def mask_text(mask: int) -> str:
    """Names of a card set."""
    return format_cards(cards_in(mask))

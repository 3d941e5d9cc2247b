"""Values of rule parameters in words, for people who play by them."""

from __future__ import annotations

from typing import Any

from belot_stats.cards import CONTRACT_NAMES
from belot_stats.parameters import GROUPS

GROUP_TITLES = dict(
    zip(
        GROUPS,
        (
            "The table",
            "The auction",
            "The play",
            "Declarations and their contest",
            "The belote",
            "The score of a deal",
            "The match",
        ),
        strict=True,
    )
)
CONTRACT_WORDS = dict(
    zip(CONTRACT_NAMES, ("clubs", "diamonds", "hearts", "spades", "no trumps", "all trumps"), strict=True)
)
RANK_WORDS = {"T": "10"}
NOTHING = {0: "nothing"}
WORDS: dict[str, dict[Any, str]] = {
    "partners": {True: "partners opposite each other", False: "everybody for himself"},
    "lowest_rank": {"7": "32 cards, from the seven", "9": "24 cards, from the nine"},
    "turn_up": {
        "none": "no card",
        "one": "one card",
        "two": "one card, and a second after a round of passes",
    },
    "turn_up_to": {
        "nobody": "nobody",
        "taker": "who takes",
        "taker_or_dealer": "who takes; the dealer where all passed",
        "taker_or_partner": "who takes; his partner after Ashkal",
    },
    "cut_only": {True: "only cut", False: "shuffled"},
    "bidding": {
        "auction": "higher and higher bids",
        "stated": "as the log states it",
        "turn_up": "the turned-up suit is taken or passed, then another",
        "floor_card": "Baloot's two rounds over the floor card",
    },
    "round_two": {
        "none": "no second round",
        "other_suits": "any other suit",
        "other_suits_and_no_suit": "any other suit, no trumps, all trumps where there are",
        "second_turn_up": "the suit of a second turned-up card",
    },
    "ashkal": {
        "none": "no",
        "both_rounds": "in both rounds",
        "first_round": "in the first round",
        "second_round": "in the second round",
    },
    "sun_over_ace": {"anyone": "anyone", "first_speaker": "only who speaks first"},
    "no_trumps_doubling": {"all": "all levels", "first_level": "the first level alone"},
    "no_trumps_double_limit": {0: "no limit"},
    "all_pass": {
        "redeal": "thrown in, and dealt again",
        "play": "played in the turned-up suit, points count against",
    },
    "beat_trump_lead": {"always": "always", "not_over_partner": "not where the partner holds the trick"},
    "must_ruff": {
        "never": "never",
        "opponent_holds": "where an opponent holds the trick",
        "always": "always",
        "unless_partner_led_ace": (
            "where an opponent holds the trick; the third player also over a partner's lead that is no ace"
        ),
    },
    "cannot_overruff": {"free": "any card", "undertrump": "a lower trump still"},
    "rise_all_trumps": {"always": "always", "not_over_partner": "not where the partner holds the trick"},
    "illegal_card": {
        "plays_on": "is reported, the deal scored as played",
        "penalty_on_claim": "costs a penalty where the others claim it",
        "ends_deal": "ends the deal, the others write all of it",
    },
    "claim_cards": {0: "no claims"},
    "declarations": {
        "none": "none",
        "trumps": "in contracts with trumps",
        "all_contracts": "in every contract",
    },
    "sequence_cap": {0: "no cap"},
    "long_runs": {
        "whole": "whole",
        "eight_apart": "eight cards as five and three",
        "highest_five": "six and seven as the highest five, eight as five and three",
    },
    "contest": {
        "separate": "sequences and carrés each among themselves",
        "single": "together, a carré above any sequence",
        "by_points": "together, by points and then the top card",
    },
    "equal_points": {
        "top_card": "the one with the higher card",
        "sequence_first": "the sequence",
        "carre_first": "the carré",
    },
    "equal_sequences": {
        "void": "nobody scores",
        "trump_then_earlier": "trumps are better, else who announced first",
        "earlier": "who announced first, by turn",
    },
    "declare_when": {
        "first_card": "with one's first card",
        "first_trick": "during the first trick",
        "second_trick": "during the first two tricks",
        "on_lead": "when on lead",
    },
    "four_aces_no_trumps": {0: "as other carrés"},
    "belote_when": {
        "lead_follow_ruff": "with the first of the two, led, followed with or ruffed with",
        "any_play": "with the first of the two, however played",
        "second_card": "with the second of the two",
        "while_held": "at any time before the second is played",
    },
    "capot": {
        "none": "nothing",
        "raw": "raw points",
        "game": "game points",
        "fixed": "a fixed score in place of the cards",
        "players": "points to each who took tricks, where a player took none",
    },
    "capot_when_doubled": {
        "multiplied": "multiplied with the rest",
        "bonus_fixed": "the bonus is not multiplied, the deal is",
        "deal_not_doubled": "nothing of the deal is multiplied",
    },
    "made": {"more": "more than the other side", "more_than_each": "more than each of the others"},
    "failed": {
        "all_to_defenders": "the defenders write everything",
        "own_points_split": "each other writes his own and an equal share of the declarer's",
    },
    "exact_tie": {
        "hangs": "the declarer's points hang",
        "keeps": "each side writes its own",
        "fails": "fails",
    },
    "hung_to": {
        "deal_winner": "the winner of the next decided deal",
        "top_scorer": "who has most in the next deal",
    },
    "hung_policy": {"sum": "taken together", "one_by_one": "those of one deal at a time, the oldest first"},
    "rounding": {
        "shared_tens": "tens, both sides together writing the whole deal",
        "each_alone": "tens, each side alone",
        "none": "no rounding: raw points",
        "baloot": "Baloot's conversions",
        "nearest_ten": "raw points in whole tens, the smaller side to the nearest",
    },
    "multiply_before_rounding": {True: "multiply, then round", False: "round, then multiply"},
    "sun_conversion": {
        "sun_ten_keep5": "tens twice, a five counts one",
        "sun_ten_5up": "tens twice, a five counts two",
        "sun_fifth": "nearest fifth",
    },
    "hokum_conversion": {
        "hokum_complement": "the other side rounded, the buyer the rest of 16",
        "hokum_pair": "both rounded, one off the larger where they give 17",
        "hokum_independent": "both rounded alone",
    },
    "made_basis": {
        "raw": "raw points",
        "game": "game points",
        "game_then_raw": "game points, then raw points",
    },
    "kirtik": {0: "off"},
    "both_reach": {"higher": "who has more", "last_trick": "who of them took the last trick"},
    "next_dealer": {
        "next": "the next seat",
        "top_scorer": "who had most points in the deal",
        "orderer": "the declarer",
        "orderer_after_hanging": "the next seat; the declarer where the deal hangs",
    },
}
WORDS["exact_tie_no_trumps"] = WORDS["exact_tie"]
WHOLE_MATCH = "the whole match"


def in_words(parameter: str, value: Any) -> str:
    """*value* of *parameter* as a player says it.

    >>> in_words("must_ruff", "opponent_holds"), in_words("multipliers", [2, 0]), in_words("carre_points", {"T": 100})
    ('where an opponent holds the trick', 'x2, the whole match', '10 100')
    """
    if not isinstance(value, list | dict) and value in WORDS.get(parameter, {}):
        return WORDS[parameter][value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{RANK_WORDS.get(key, key)} {points}" for key, points in value.items()) or "none"
    if parameter == "contracts" and value[:4] == list(CONTRACT_NAMES[:4]):
        return ", ".join(["the suits", *(CONTRACT_WORDS[item] for item in value[4:])])
    if isinstance(value, list):
        return ", ".join(_item(parameter, item) for item in value) or "none"
    return str(value)


def _item(parameter: str, item: Any) -> str:
    if parameter == "multipliers":
        return f"x{item}" if item else WHOLE_MATCH
    if parameter == "contracts":
        return CONTRACT_WORDS[item]
    return RANK_WORDS.get(item, str(item))

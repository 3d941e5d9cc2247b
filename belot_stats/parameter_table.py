"""The table of rule parameters, in the order in which rule sets hold their values."""

from __future__ import annotations

from belot_stats import parameter_kinds as kinds
from belot_stats.parameter_kinds import Parameter

PARAMETERS: tuple[Parameter, ...] = (
    kinds.number("players", "table", 2, 4, "number of players"),
    kinds.flag("partners", "table", "players opposite each other are one side"),
    kinds.choice("direction", "table", ("counter-clockwise", "clockwise"), "direction of deal and play"),
    kinds.rank("lowest_rank", "table", "79", "lowest rank of the pack: 7 of 32 cards, 9 of 24"),
    kinds.packets("first_packets", "table", "packets dealt before the auction"),
    kinds.packets("second_packets", "table", "packets dealt after it"),
    kinds.choice("turn_up", "table", ("none", "one", "two"), "cards turned up for the auction"),
    kinds.choice(
        "turn_up_to",
        "table",
        ("nobody", "taker", "taker_or_dealer", "taker_or_partner"),
        "who takes the turned-up card in place of one of his last cards; taker_or_dealer = the dealer when all passed "
        "and the deal is played, taker_or_partner = the taker's partner after Ashkal",
        "nobody",
    ),
    kinds.flag("cut_only", "table", "the pack is gathered and cut between deals, never shuffled", False),
    kinds.choice(
        "bidding",
        "auction",
        ("auction", "stated", "turn_up", "floor_card"),
        "how the contract is found: by higher bids; stated = the log names it and has no calls; turn_up = the "
        "turned-up suit is taken or passed; floor_card = Baloot's two rounds, in which Sun may be called over a suit",
    ),
    kinds.contracts("contracts", "auction", "contracts, lowest first"),
    kinds.choice(
        "round_two",
        "auction",
        ("none", "other_suits", "other_suits_and_no_suit", "second_turn_up"),
        "what may be taken after a round of passes, in turn-up bidding",
        "none",
    ),
    kinds.choice(
        "ashkal",
        "auction",
        ("none", "both_rounds", "first_round", "second_round"),
        "Baloot: rounds in which the dealer and the player before him may call Ashkal, a Sun whose floor card goes to "
        "the partner",
        "none",
    ),
    kinds.flag("ashkal_on_ace", "auction", "Baloot: Ashkal may be called on an ace as floor card", False),
    kinds.choice(
        "sun_over_ace",
        "auction",
        ("anyone", "first_speaker"),
        "Baloot: who may call Sun over a suit that was called on an ace as floor card",
        "anyone",
    ),
    kinds.multipliers(
        "multipliers",
        "auction",
        "multipliers of contra, recontra and the levels after them; 0, the last of them, stakes the whole match",
    ),
    kinds.choice(
        "no_trumps_doubling",
        "auction",
        ("all", "first_level"),
        "levels that exist at no trumps (Sun)",
        "all",
    ),
    kinds.number(
        "no_trumps_double_limit",
        "auction",
        0,
        100_000,
        "at no trumps (Sun) only a side with so many points or fewer may double, and only one with more; 0 = no limit",
        0,
    ),
    kinds.flag(
        "closed_doubling",
        "auction",
        "Baloot: double and four may be closed: no trump is led by a player who holds another suit",
        False,
    ),
    kinds.flag("raise_cancels_double", "auction", "a higher bid may follow a contra and cancels it"),
    kinds.flag(
        "redoubled_all_trumps_ends",
        "auction",
        "a recontra on the highest contract ends the auction at once",
        False,
    ),
    kinds.choice(
        "all_pass",
        "auction",
        ("redeal", "play"),
        "what follows when all passed: the cards are thrown in, or the deal is played in the turned-up suit and every "
        "point counts against its taker",
        "redeal",
    ),
    kinds.flag("forced_dealer", "auction", "the dealer may not pass when all others did", False),
    kinds.choice(
        "beat_trump_lead", "play", ("not_over_partner", "always"), "a trump lead must be risen over"
    ),
    kinds.choice(
        "must_ruff",
        "play",
        ("never", "opponent_holds", "always", "unless_partner_led_ace"),
        "who is void in the led suit must play a trump; unless_partner_led_ace = as opponent_holds, "
        "and the third player also over a partner who led anything but an ace",
    ),
    kinds.flag("must_overruff", "play", "who has to ruff must beat an opponent's trump where he can"),
    kinds.choice("cannot_overruff", "play", ("free", "undertrump"), "who has to ruff and cannot overruff"),
    kinds.choice(
        "rise_all_trumps",
        "play",
        ("not_over_partner", "always"),
        "at all trumps a higher card must be played",
    ),
    kinds.flag(
        "seven_exchange",
        "play",
        "who holds the seven of the turned-up suit may exchange it for the turn-up before his first card, where that "
        "suit was taken",
        False,
    ),
    kinds.choice(
        "illegal_card",
        "play",
        ("plays_on", "penalty_on_claim", "ends_deal"),
        "what an illegal card does: nothing, a penalty where it is claimed, or the deal ends and the other side "
        "writes all of it",
    ),
    kinds.number(
        "claim_cards",
        "play",
        0,
        9,
        "a player on lead may claim the rest with so many cards or fewer; 0 = no claims",
        0,
    ),
    kinds.number(
        "penalty_points",
        "play",
        0,
        1000,
        "game points the innocent side writes for a claimed offence at a suit contract",
        0,
    ),
    kinds.number("penalty_no_trumps_points", "play", 0, 1000, "the same at no trumps (Sun)", 0),
    kinds.choice(
        "declarations",
        "declarations",
        ("none", "trumps", "all_contracts"),
        "contracts in which declarations count",
    ),
    kinds.sequence_points("sequence_points", "declarations", "points of sequences"),
    kinds.number("eight_run_points", "declarations", 0, 1000, "points of a run of all eight cards of a suit"),
    kinds.number(
        "sequence_cap",
        "declarations",
        0,
        8,
        "runs longer than this count and compare as if they had this length; 0 = no cap",
    ),
    kinds.choice(
        "long_runs",
        "declarations",
        ("whole", "eight_apart", "highest_five"),
        "how runs of more than five cards are announced: whole; eight cards as the highest five and the lowest three; "
        "or so, and six or seven cards as the highest five too",
        "whole",
    ),
    kinds.carre_points("carre_points", "declarations", "points of four of a kind"),
    kinds.rank_order("carre_order", "declarations", "ranks of four of a kind, best first"),
    kinds.choice(
        "contest",
        "declarations",
        ("separate", "single", "by_points"),
        "sequences and carrés compared apart, together with the carré on top, or by points and then top card",
    ),
    kinds.choice(
        "equal_points",
        "declarations",
        ("top_card", "sequence_first", "carre_first"),
        "which is better of a sequence and a carré of equal points, where the contest goes by points",
        "top_card",
    ),
    kinds.choice(
        "equal_sequences",
        "declarations",
        ("void", "trump_then_earlier", "earlier"),
        "what equal best sequences of two sides do",
    ),
    kinds.flag("shared_cards", "declarations", "one card may stand in a carré and in a sequence"),
    kinds.flag("declarations_need_trick", "declarations", "a side without a trick scores no declarations"),
    kinds.choice(
        "declare_when",
        "declarations",
        ("first_card", "first_trick", "second_trick", "on_lead"),
        "until when declarations are announced; on_lead = by the opening leader before his lead, by others when they "
        "are on lead after a trick of theirs, with the cards still in hand",
    ),
    kinds.number(
        "four_aces_no_trumps",
        "declarations",
        0,
        1000,
        "points of four aces at no trumps; 0 = as declarations says",
        0,
    ),
    kinds.number("belote_points", "belote", 0, 100, "points of king and queen of trumps"),
    kinds.choice(
        "belote_when",
        "belote",
        ("lead_follow_ruff", "any_play", "second_card", "while_held"),
        "with which card, and played how, belote is announced; while_held = at any time before the second is played",
    ),
    kinds.flag("belote_needs_trick", "belote", "a side without a trick scores no belote"),
    kinds.flag("belote_kept_when_failed", "belote", "belote of a failed declarer stays with its holder"),
    kinds.flag(
        "belote_with_hundred",
        "belote",
        "belote counts beside a declaration of 100 that holds both its cards, or is four of one of them",
        True,
    ),
    kinds.number("last_trick_points", "deal_score", 0, 100, "raw points of the last trick"),
    kinds.number("no_trumps_factor", "deal_score", 1, 4, "factor on raw points at no trumps"),
    kinds.number(
        "scaled_total",
        "deal_score",
        0,
        1000,
        "card points at no trumps and all trumps are scaled so that the deal has this total; 0 = they are not",
        0,
    ),
    kinds.choice(
        "capot",
        "deal_score",
        ("none", "raw", "game", "fixed", "players"),
        "what taking every trick pays: nothing, raw points, game points, or a fixed score in place of the cards; "
        "players = points to each who took tricks where a player took none",
    ),
    kinds.number("capot_points", "deal_score", 0, 1000, "points of the capot"),
    kinds.number(
        "double_capot_points", "deal_score", 0, 1000, "points where one of three players took every trick", 0
    ),
    kinds.number(
        "capot_no_trumps_points", "deal_score", 0, 1000, "points of a fixed capot at no trumps (Sun)", 0
    ),
    kinds.number(
        "capot_no_trumps_factor", "deal_score", 1, 4, "factor on the capot's points at no trumps", 1
    ),
    kinds.choice(
        "capot_when_doubled",
        "deal_score",
        ("multiplied", "bonus_fixed", "deal_not_doubled"),
        "contra and the capot's points",
    ),
    kinds.choice(
        "made",
        "deal_score",
        ("more", "more_than_each"),
        "a contract is made with more points than the other side, or than each of the others",
        "more",
    ),
    kinds.choice(
        "failed",
        "deal_score",
        ("all_to_defenders", "own_points_split"),
        "a failed contract: the defenders write everything, or each his own and an equal share of the declarer's",
        "all_to_defenders",
    ),
    kinds.choice(
        "exact_tie",
        "deal_score",
        ("hangs", "keeps", "fails"),
        "equal points: the declarer's hang, each side writes its own, or the contract fails",
    ),
    kinds.choice(
        "exact_tie_no_trumps", "deal_score", ("hangs", "keeps", "fails"), "the same at no trumps (Sun)"
    ),
    kinds.choice(
        "hung_to",
        "deal_score",
        ("deal_winner", "top_scorer"),
        "who takes hanging points: the winner of the next decided deal, or who has most points in it",
        "deal_winner",
    ),
    kinds.choice(
        "hung_policy",
        "deal_score",
        ("sum", "one_by_one"),
        "points of several deals that hang are taken together, or those of one deal at a time, the oldest first",
        "sum",
    ),
    kinds.choice(
        "rounding",
        "deal_score",
        ("shared_tens", "none", "baloot", "each_alone", "nearest_ten"),
        "how raw points become game points; nearest_ten = raw points in whole tens, the smaller side to the nearest",
    ),
    kinds.flag(
        "multiply_before_rounding", "deal_score", "a doubled total is multiplied before it is rounded"
    ),
    kinds.choice(
        "sun_conversion",
        "deal_score",
        ("sun_ten_keep5", "sun_ten_5up", "sun_fifth"),
        "Baloot: raw points to game points in Sun",
        "sun_ten_keep5",
    ),
    kinds.choice(
        "hokum_conversion",
        "deal_score",
        ("hokum_complement", "hokum_pair", "hokum_independent"),
        "Baloot: the same in Hokum",
        "hokum_complement",
    ),
    kinds.choice(
        "made_basis",
        "deal_score",
        ("raw", "game", "game_then_raw"),
        "points that decide made or failed",
        "raw",
    ),
    kinds.number(
        "kirtik",
        "deal_score",
        0,
        100,
        "game points taken off a declarer who fails and a side without a trick; 0 = off",
        0,
    ),
    kinds.number("target", "match", 1, 100_000, "points that win the match"),
    kinds.choice(
        "both_reach",
        "match",
        ("higher", "last_trick"),
        "who wins when several reach the target: the higher total, or who of them took the last trick",
        "higher",
    ),
    kinds.flag("no_exit_on_capot", "match", "a match is not won with a capot: one more deal"),
    kinds.flag("no_exit_while_hanging", "match", "a match is not won while points hang", False),
    kinds.flag(
        "declare_out",
        "match",
        "a player may end the match after a trick of his when his points reach the target",
        False,
    ),
    kinds.choice(
        "next_dealer",
        "match",
        ("next", "top_scorer", "orderer", "orderer_after_hanging"),
        "who deals next: the next seat, the player with most points in the deal, the declarer, or the declarer of a "
        "deal that hangs; always the next seat after a deal that all passed",
        "next",
    ),
)
PARAMETER_OF: dict[str, Parameter] = {parameter.name: parameter for parameter in PARAMETERS}

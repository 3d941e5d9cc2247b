"""Each finding code of the deal pass: a record that has it, and one as close to it as can be that has none."""

from typing import NamedTuple

import pytest

from belot_stats.findings import SEVERITY_OF
from tests.check.records import (
    BASE,
    WHOLE,
    Record,
    begun,
    bid,
    checked,
    claiming,
    codes,
    full_hands,
)

WHOLE_PLAYS = WHOLE["plays"].split()
UNDERTRUMP = {"options": {"cannot_overruff": "undertrump"}}


class Case(NamedTuple):
    """A record with a fault, all codes it has, and a record without the fault that has none."""

    code: str
    what: str
    faulty: Record
    near: Record
    codes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}: {self.what}"

    @property
    def expected(self) -> list[str]:
        return sorted(self.codes or (self.code,))


def play_case(
    code: str,
    what: str,
    contract: str,
    faulty: str,
    near: str,
    faulty_hands: list[str],
    near_hands: list[str] | None = None,
    **fields: object,
) -> Case:
    """The first cards of a deal; seat 0 leads."""
    return Case(
        code,
        what,
        begun(contract, faulty, faulty_hands, **fields),
        begun(contract, near, near_hands or faulty_hands, **fields),
    )


AUCTION = [
    Case("bid-too-low", "clubs over diamonds", bid("D C P P P"), bid("C D P P P")),
    Case("bid-too-low", "the same contract again", bid("S S P P P"), bid("S N P P P")),
    Case("bid-too-low", "below a contract that was doubled", bid("H X D P P P"), bid("H X S P P P")),
    Case(
        "bid-too-low",
        "a contract that is not open to bid",
        bid("A P P P P", options={"contracts": ["C", "D", "H", "S", "N"]}),
        bid("N P P P", options={"contracts": ["C", "D", "H", "S", "N"]}),
    ),
    Case("contra-not-allowed", "by the partner", bid("C P X P P"), bid("C P P X P P P")),
    Case("contra-not-allowed", "before any bid", bid("X P P P P"), bid("C X P P P")),
    Case("contra-not-allowed", "the partner has bid since", bid("C D H P X P P"), bid("C D H X P P P")),
    Case("contra-not-allowed", "a second contra", bid("C X P X P P"), bid("C X XX P P P")),
    Case("contra-not-allowed", "recontra by the side of the contra", bid("H X P XX P P"), bid("H X P P P")),
    Case("contra-not-allowed", "recontra without contra", bid("H XX P P P"), bid("H X XX P P P")),
    Case(
        "contra-not-allowed", "a level these rules do not have", bid("H X XX XXX P P P"), bid("H X XX P P P")
    ),
    Case("call-after-end", "a fourth pass after a bid", bid("C P P P P"), bid("C P P P")),
    Case("call-after-end", "a bid after four passes", bid("P P P P C"), bid("P P P C P P P")),
    Case(
        "auction-not-closed", "two passes only, then cards", WHOLE | {"auction": ["C", "S", "P", "P"]}, WHOLE
    ),
    Case(
        "auction-not-closed",
        "three passes and no contract",
        BASE | {"auction": ["P"] * 3, "end": "passed"},
        BASE | {"auction": ["P"] * 4, "end": "passed"},
    ),
    Case(
        "auction-not-closed",
        "cards without a contract",
        WHOLE | {"auction": ["P"] * 4, "claimed": {}, "declarations": []},
        WHOLE | {"claimed": {}, "declarations": []},
    ),
    Case("call-out-of-turn-up", "ashkal at an auction", bid("C AK P P P"), bid("C A P P P")),
    Case("call-out-of-turn-up", "a double that closes the lead", bid("H X- P P P"), bid("H X P P P")),
]

PLAY = [
    play_case(
        "card-not-in-hand", "another seat holds it", "H", "AC 7C", "AC 8C", full_hands("AC", "8C", "7C")
    ),
    play_case(
        "revoke",
        "a plain card instead of the led suit",
        "H",
        "AC 7D",
        "AC 7D",
        full_hands("AC", "8C 7D"),
        full_hands("AC", "7D", without=("", "C H")),
    ),
    play_case("revoke", "a ruff instead of the led suit", "H", "AC 7H", "AC 8C", full_hands("AC", "8C 7H")),
    play_case("revoke", "no trumps", "N", "AC 7D", "AC 8C", full_hands("AC", "8C 7D")),
    play_case(
        "must-beat",
        "a trump lead",
        "H",
        "9H 7H",
        "9H 7H",
        full_hands("9H", "7H JH"),
        full_hands("9H", "7H AH", without=("", "JH")),
    ),
    play_case(
        "must-beat",
        "over the partner",
        "H",
        "9H 8H 7H",
        "9H 8H JH",
        full_hands("9H", "8H", "7H JH"),
    ),
    play_case("must-beat", "all trumps", "A", "QC 8C", "QC KC", full_hands("QC", "8C KC")),
    play_case(
        "must-beat",
        "all trumps, over the highest of the led suit and not over a card of another",
        "A",
        "QC KC JD 8C",
        "QC KC JD 8C",
        full_hands("QC", "KC", "JD", "TC 8C", without=("", "", "C")),
        full_hands("QC", "KC", "JD", "8C", without=("", "", "C", "AC TC 9C JC")),
    ),
    play_case(
        "must-ruff",
        "void, an opponent holds the trick",
        "H",
        "AC 7D",
        "AC 7D",
        full_hands("AC", "7D 8H", without=("", "C")),
        full_hands("AC", "7D", without=("", "C H")),
    ),
    play_case(
        "must-ruff",
        "void, the partner led and an opponent went over",
        "H",
        "KC AC 7D",
        "AC KC 7D",
        full_hands("KC", "AC", "7D 8H", without=("", "", "C")),
        full_hands("AC", "KC", "7D 8H", without=("", "", "C")),
    ),
    play_case(
        "must-overruff",
        "a lower trump",
        "H",
        "AC 9H 7H",
        "AC 9H 7H",
        full_hands("AC", "9H", "7H JH", without=("", "C", "C")),
        full_hands("AC", "9H", "7H", without=("", "C", "C JH")),
    ),
    play_case(
        "must-overruff",
        "a plain card",
        "H",
        "AC 9H 7D",
        "AC 9H 7D",
        full_hands("AC", "9H", "7D JH", without=("", "C", "C")),
        full_hands("AC", "9H", "7D 8H", without=("", "C", "C JH")),
    ),
    play_case(
        "must-undertrump",
        "where the rules ask for it",
        "H",
        "AC 9H 7D",
        "AC 9H 8H",
        full_hands("AC", "9H", "7D 8H", without=("", "C", "C JH")),
        **UNDERTRUMP,
    ),
    play_case(
        "must-undertrump",
        "under an opponent's ruff, not under the partner's",
        "H",
        "AC 8C 9H 7D",
        "AC 9H 8C 7D",
        full_hands("AC", "8C", "9H", "7D 8H", without=("", "", "C", "C JH")),
        full_hands("AC", "9H", "8C", "7D 8H", without=("", "C", "", "C")),
        **UNDERTRUMP,
    ),
]

RUNS = full_hands("8C 9C TC AD", "7C JD QD KD", "KC 7H", "JC 7S", without=("", "C AD TD", "", ""))
FOURS = full_hands("8C 7S 8S 9S", "7C JC JD JH JS QH KH 8H", "KC", "TC")


def announced(
    contract: str, *entries: tuple, hands: list[str] = RUNS, plays: str = "8C 7C KC", **fields: object
) -> Record:
    """Announcements (seat, cards or kind, at) beside the first cards of a deal."""
    items = []
    for seat, named, *at in entries:
        key = "kind" if named.islower() else "cards"
        items.append({"seat": seat, key: named} | ({"at": at[0]} if at else {}))
    return begun(contract, plays, hands, declarations=items) | fields


DECLARATIONS = [
    Case(
        "false-declaration",
        "a card that another seat holds",
        announced("H", (0, "TC JC QC")),
        announced("H", (0, "8C 9C TC")),
    ),
    Case(
        "false-declaration",
        "no neighbours",
        announced("H", (1, "7C JD QD")),
        announced("H", (1, "JD QD KD")),
    ),
    Case(
        "false-declaration",
        "two cards",
        announced("H", (1, "JD QD")),
        announced("H", (1, "JD QD KD")),
    ),
    Case(
        "false-declaration",
        "four sevens count nowhere",
        announced("H", (1, "7C 7D 7H 7S"), hands=full_hands("8C", "7C 7D 7H 7S", "KC")),
        announced("H", (1, "TC TD TH TS"), hands=full_hands("8C", "TC TD TH TS 7C", "KC")),
    ),
    Case(
        "false-declaration",
        "a kind that the hand does not have",
        announced("H", (0, "quarte")),
        announced("H", (0, "tierce")),
    ),
    Case(
        "late-declaration",
        "after the seat's first card",
        announced("H", (1, "JD QD KD", 2)),
        announced("H", (1, "JD QD KD", 1)),
    ),
    Case(
        "late-declaration",
        "after the first trick, where the rules give that long",
        announced("H", (1, "JD QD KD", 4), plays="8C 7C KC JC", options={"declare_when": "first_trick"}),
        announced("H", (1, "JD QD KD", 3), plays="8C 7C KC JC", options={"declare_when": "first_trick"}),
    ),
    Case(
        "shared-card",
        "the jack of a carré and of a sequence",
        announced("H", (1, "JC JD JH JS"), (1, "JH QH KH"), hands=FOURS),
        announced("H", (1, "JC JD JH JS"), (0, "7S 8S 9S"), hands=FOURS),
    ),
    Case(
        "shared-card",
        "in record order, whatever comes first there",
        announced("H", (1, "JH QH KH"), (1, "JC JD JH JS"), hands=FOURS),
        announced("H", (1, "JH QH KH"), (1, "JC JD JH JS"), hands=FOURS, options={"shared_cards": True}),
    ),
    Case(
        "declaration-not-allowed",
        "no trumps",
        announced("N", (0, "8C 9C TC")),
        announced("S", (0, "8C 9C TC")),
    ),
    Case(
        "declaration-not-allowed",
        "rules without declarations",
        announced("H", (0, "8C 9C TC"), options={"declarations": "none"}),
        announced("H", (0, "8C 9C TC"), options={"declarations": "all_contracts"}),
    ),
]

PAIR = full_hands("KH QH 8C", "7H 7D", "TH AH 9H JH", "8H 8D")
PAIR_PLAYED = "KH 7H JH 8H 9H 8D QH 7D"
DISCARD = full_hands("8C", "KH QH", "7C", "JC", without=("", "C", "C", ""))
FOLLOWED = full_hands("7H", "KH QH", "7C", "JC")


def belote(
    contract: str, *entries: tuple[int, str, int], hands: list[str] = PAIR, plays: str = PAIR_PLAYED
) -> Record:
    """Belotes (seat, suit, at) beside the first cards of a deal."""
    items = [{"seat": seat, "suit": suit, "at": at} for seat, suit, at in entries]
    return begun(contract, plays, hands, belotes=items)


BELOTES = [
    Case("false-belote", "without either card", belote("H", (2, "H", 2)), belote("H", (0, "H", 0))),
    Case(
        "false-belote",
        "without the queen",
        belote(
            "H", (0, "H", 0), hands=full_hands("KH 8C", "QH 7D", "TH AH 9H JH", "8H 8D"), plays="KH QH JH"
        ),
        belote("H", (0, "H", 0), plays="KH 7H JH"),
    ),
    Case(
        "false-belote",
        "king and queen of a plain suit",
        belote("H", (0, "C", 0), hands=full_hands("KC QC"), plays="KC"),
        belote("C", (0, "C", 0), hands=full_hands("KC QC"), plays="KC"),
    ),
    Case(
        "false-belote",
        "no trumps",
        belote("N", (0, "H", 0), plays="KH 7H JH"),
        belote("A", (0, "H", 0), plays="KH 7H JH"),
    ),
    Case(
        "false-belote",
        "thrown on another suit at all trumps",
        belote("A", (1, "H", 1), hands=DISCARD, plays="8C KH 7C JC"),
        belote("A", (1, "H", 1), hands=FOLLOWED, plays="7H KH"),
    ),
    Case("false-belote", "twice", belote("H", (0, "H", 0), (0, "H", 0)), belote("H", (0, "H", 0))),
    Case(
        "false-belote",
        "before its first card",
        belote("H", (1, "H", 0), hands=FOLLOWED, plays="7H KH"),
        belote("H", (1, "H", 1), hands=FOLLOWED, plays="7H KH"),
    ),
    Case(
        "late-belote", "with the second of the two cards", belote("H", (0, "H", 6)), belote("H", (0, "H", 0))
    ),
    Case("late-belote", "one card later", belote("H", (0, "H", 1)), belote("H", (0, "H", 0))),
]

HANDS_SWAPPED = WHOLE | {
    "first_hands": ["KC 7C 8D TH QS", "9C AD QD TD 8S", "8H AS JS TS 9S", "TC KD JD 7H KS"]
}
RECORD = [
    Case(
        "hand-mismatch",
        "first hands against hands",
        HANDS_SWAPPED,
        WHOLE,
        ("hand-mismatch", "hand-mismatch"),
    ),
    Case(
        "hand-mismatch",
        "first hands against the cards played",
        {key: value for key, value in HANDS_SWAPPED.items() if key != "hands"},
        {key: value for key, value in WHOLE.items() if key != "hands"},
        ("card-not-in-hand", "card-not-in-hand", "hand-mismatch", "hand-mismatch"),
    ),
    Case(
        "incomplete-deal",
        "the last card is missing",
        WHOLE | {"plays": " ".join(WHOLE_PLAYS[:-1])},
        WHOLE | {"plays": " ".join(WHOLE_PLAYS[:-1]), "end": "abandoned"},
    ),
    Case(
        "incomplete-deal",
        "no card at all",
        WHOLE | {"plays": "", "declarations": [], "claimed": {}},
        WHOLE | {"plays": "", "declarations": [], "claimed": {}, "end": "redeal"},
    ),
    Case(
        "incomplete-deal",
        "neither auction nor contract",
        {key: value for key, value in WHOLE.items() if key not in ("auction", "declarations", "claimed")},
        {key: value for key, value in WHOLE.items() if key != "auction"}
        | {"contract": {"call": "S", "seat": 2, "level": 1}},
    ),
    Case(
        "incomplete-deal",
        "claimed where the rules know no claims",
        WHOLE | {"plays": " ".join(WHOLE_PLAYS[:28]), "end": "claimed", "ended_by": {"seat": 2, "at": 28}},
        WHOLE
        | {
            "plays": " ".join(WHOLE_PLAYS[:28]),
            "end": "claimed",
            "ended_by": {"seat": 2, "at": 28},
            "options": {"claim_cards": 1},
        },
    ),
]

DOUBLED = WHOLE | {
    "auction": ["C", "S", "X", "P", "P", "P"],
    "claimed": WHOLE["claimed"] | {"score": [36, 0], "level": 2},
}
CLAIMS = [
    Case("wrong-contract", "another suit", claiming(contract="H"), claiming(contract="S")),
    Case(
        "wrong-contract",
        "where all passed",
        BASE | {"auction": ["P"] * 4, "end": "passed", "claimed": {"contract": "C", "score": [0, 0]}},
        BASE | {"auction": ["P"] * 4, "end": "passed", "claimed": {"score": [0, 0]}},
    ),
    Case("wrong-declarer", "the partner", claiming(declarer=0), claiming(declarer=2)),
    Case("wrong-level", "not doubled", claiming(level=2), claiming(level=1)),
    Case("wrong-level", "doubled", claiming(DOUBLED, level=1), DOUBLED),
    Case(
        "wrong-trick-winner",
        "the third trick",
        claiming(tricks=[2, 1, 0, 2, 2, 2, 2, 2]),
        claiming(tricks=[2, 1, 2]),
    ),
    Case("wrong-points", "ten more", claiming(points=[171, 21]), claiming(points=[161, 21])),
    Case("wrong-points", "the sides exchanged", claiming(points=[21, 161]), claiming(points=None)),
    Case("wrong-capot", "with one trick lost", claiming(capot=0), claiming(capot=None)),
    Case("wrong-made", "failed", claiming(made=False), claiming(made=None)),
    Case("wrong-score", "one point too many", claiming(score=[16, 3]), claiming(score=[16, 2])),
    Case("wrong-score", "not doubled", claiming(DOUBLED, score=[16, 2]), DOUBLED),
    Case(
        "wrong-score",
        "in a later deal, less than the deal itself gives",
        claiming(WHOLE | {"deal": 2}, score=[15, 2]),
        claiming(WHOLE | {"deal": 2}, score=[19, 2]),
    ),
    Case(
        "wrong-score",
        "points for a deal that was passed out",
        BASE | {"auction": ["P"] * 4, "end": "passed", "claimed": {"score": [1, 0]}},
        BASE | {"auction": ["P"] * 4, "end": "passed", "claimed": {"score": [0, 0], "hanging": 0}},
    ),
    Case("wrong-rounding", "both sides up", claiming(score=[17, 3]), claiming(score=[16, 2])),
    Case("wrong-hanging", "after a deal that was won", claiming(hanging=2), claiming(hanging=0)),
    Case(
        "wrong-hanging",
        "after a pass-out at the start",
        BASE | {"auction": ["P"] * 4, "end": "passed", "claimed": {"hanging": 8}},
        BASE | {"deal": 2, "auction": ["P"] * 4, "end": "passed", "claimed": {"hanging": 8}},
    ),
]

CASES = AUCTION + PLAY + DECLARATIONS + BELOTES + RECORD + CLAIMS


@pytest.mark.parametrize("case", CASES, ids=str)
def test_finding(case):
    assert codes(case.faulty) == case.expected


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_finding(case):
    assert codes(case.near) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_finding_says(case):
    """Severity of the code, a place, and texts for people."""
    for finding in checked(case.faulty).findings:
        assert finding.severity == SEVERITY_OF[finding.code]
        assert finding.field
        assert finding.expected
        assert finding.found
        assert finding.expected != finding.found

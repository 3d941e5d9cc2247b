"""The recorded cases and the reported troubles, through the slow engine.

The case tables lie beside the project, in ../shared/cases; where they are absent the tests that
need them are skipped.  Every row of every system runs, since each of the rule parameters needs
rows that use it.
"""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests import naive

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases"
EXPECTED_ROWS = {
    ("legal", "belot-bg"): 400,
    ("declarations", "belot-bg"): 300,
    ("scores", "belot-bg"): 400,
}
BG, CLASSIC = naive.BELOT_BG, naive.BELOT_BG_CLASSIC


@cache
def table(name):
    """{system: rows} of one table; empty where the table is absent."""
    path = CASES / f"{name}.jsonl"
    rows = defaultdict(list)
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows[row["rules"]].append(row)
    return dict(rows)


def each_system(*names):
    """One test for each table and each system that has rows in it."""
    pairs = [(name, system) for name in names for system in table(name)]
    absent = pytest.mark.skip(reason=f"{CASES} is not there: the cases are kept outside the project")
    if not pairs:
        pairs = [pytest.param(names[0], "belot-bg", marks=absent)]
    return pytest.mark.parametrize(("name", "system"), pairs)


def rows_of(name, system):
    rows = table(name)[system]
    assert len(rows) >= EXPECTED_ROWS.get((name, system), 1)
    return rows


def wrong(rows, answer, expected):
    """The rows that the engine answers otherwise."""
    return [(row["id"], answer(row), expected(row)) for row in rows if answer(row) != expected(row)]


@each_system("legal", "legal-low")
def test_legal_cards(name, system):
    rules = naive.SYSTEMS[system]

    def answer(row):
        return naive.legal_cards(rules, row["contract"], row["hand"], row["trick"], row["seat"])

    assert wrong(rows_of(name, system), answer, lambda row: row["legal"]) == []


@each_system("legal", "legal-low")
def test_codes_of_forbidden_cards(name, system):
    """A plain card thrown where one could overruff: FORMAT.md accepts both names."""
    rules = naive.SYSTEMS[system]

    def answer(row):
        return naive.forbidden(rules, row["contract"], row["hand"], row["trick"], row["seat"])

    def expected(row):
        precise = answer(row)
        return {
            card: "must-overruff" if (code, precise.get(card)) == ("must-ruff", "must-overruff") else code
            for card, code in row["excluded"].items()
        }

    assert wrong(rows_of(name, system), answer, expected) == []


@each_system("declarations", "declarations-low")
def test_best_declarations(name, system):
    rules = naive.SYSTEMS[system]

    def answer(row):
        declared = {}
        for seat, hand in enumerate(row["hands"]):
            best = naive.best_declarations(rules, row["contract"], hand)
            if best:
                declared[str(seat)] = sorted(best)
        return declared

    def expected(row):
        return {seat: sorted(combinations) for seat, combinations in row["declared"].items()}

    assert wrong(rows_of(name, system), answer, expected) == []


@each_system("declarations", "declarations-low")
def test_declared_combinations_are_possible(name, system):
    rules = naive.SYSTEMS[system]
    for row in rows_of(name, system):
        for seat, combinations in row["declared"].items():
            possible = naive.possible_declarations(rules, row["contract"], row["hands"][int(seat)])
            assert {frozenset(c.split()) for c in combinations} <= set(possible), row["id"]


@each_system("declarations", "declarations-low")
@pytest.mark.parametrize("source", ["as declared in the row", "as chosen from the hands"])
def test_score_declarations(name, source, system):
    rules = naive.SYSTEMS[system]

    def declared(row):
        if source == "as declared in the row":
            return row["declared"]
        best = [naive.best_declarations(rules, row["contract"], hand) for hand in row["hands"]]
        return dict(enumerate(best))

    def answer(row):
        return naive.score_declarations(rules, row["contract"], declared(row), row["first_leader"])

    def expected(row):
        return {int(side): points for side, points in row["scored"].items()}

    assert wrong(rows_of(name, system), answer, expected) == []


@each_system("scores", "scores-low")
def test_score_deal(name, system):
    rules = naive.SYSTEMS[system]

    def answer(row):
        return naive.score_deal(
            rules,
            row["contract"],
            row["level"],
            row["points"],
            row["declarer"],
            row["capot"],
            row["hanging_in"],
            belote=row.get("belote"),
            tricks=row.get("tricks"),
        )

    def expected(row):
        return tuple(row["score"]), row["hanging_out"], row["made"]

    assert wrong(rows_of(name, system), answer, expected) == []


# --- TROUBLES.md part (a): P1..P4 are seats 0..3 ---------------------------------------------

ANY = "any"
LEGAL_TROUBLES = [
    ("R01", BG, "H", "JC 7H", "8H AH 7S", "8H AH"),
    ("R01", BG, "H", "JC 8C 7H", "8H 7S", "8H"),
    ("R03", BG, "C", "7C", "8C TC AC 8D QH", "8C TC AC"),
    ("R03", BG, "H", "7H", "8H JH", "8H JH"),
    ("R03", BG, "H", "8H", "7H JH", "JH"),
    ("R05", BG, "D", "9D", "JD 7D AC", "JD"),
    ("R05", BG, "D", "9D", "TD 7D", ANY),
    ("R06", BG, "H", "JH 7C", "7D 8H", "8H"),
    ("R06", BG, "H", "TH 9H", "AH JD", "AH"),
    ("R07", BG, "A", "9H TC", "JH 8H", "JH"),
    ("R07", BG, "A", "9H 8H QH", "JC TH", "TH"),
    ("R09a", BG, "S", "QD 8S AD", "QC KC 7S 8H QH", ANY),
    ("R09b", BG, "S", "QD AD KD", "QC KC 7S 8H QH", ANY),
    ("R09c", BG, "S", "QD AD KS", "QC KC 7S 8H QH", ANY),
    ("R10", naive.BELOTE_FR, "S", "QD AD KS", "QC KC 7S 8H QH", "7S"),
    ("R11", BG, "S", "TH", "AH 7H", ANY),
    ("R11", BG, "S", "AH 7H", "7S 8C", ANY),
    ("R12", BG, "D", "7C TD JD", "AD 9D 7S", ANY),
    ("R12", naive.BELOTE_FR, "D", "7C TD JD", "AD 9D 7S", "AD 9D"),
]


@pytest.mark.parametrize(("trouble", "rules", "contract", "table_cards", "hand", "legal"), LEGAL_TROUBLES)
def test_troubles_legal_cards(trouble, rules, contract, table_cards, hand, legal):
    trick = list(enumerate(table_cards.split()))
    expected = hand if legal == ANY else legal
    assert naive.legal_cards(rules, contract, hand, trick, len(trick)) == expected.split()


@pytest.mark.parametrize(
    ("trouble", "contract", "cards", "winner"),
    [
        ("R04", "C", "7S TH 8S JH", 2),
        ("R04", "C", "7S TH 8S 9S", 3),
        ("R08", "A", "7H JS 8H QH", 3),
        ("R08", "N", "TS KH AC 9S", 0),
        ("R08", "S", "JC KD 7C 8C", 0),
    ],
)
def test_troubles_trick_winner(trouble, contract, cards, winner):
    assert naive.trick_winner(BG, contract, list(enumerate(cards.split()))) == winner


@pytest.mark.parametrize(
    ("trouble", "rules", "contract", "declared", "scored"),
    [
        ("R13", BG, "C", {0: ["7S 8S 9S"], 2: ["TH JH QH"]}, [40, 0]),
        ("R14", BG, "C", {0: ["QH KH AH"], 1: ["QS KS AS"]}, [0, 0]),
        ("R14", BG, "C", {0: ["QH KH AH"], 2: ["QS KS AS"]}, [40, 0]),
        ("R14", naive.BELOTE_FR, "S", {0: ["QH KH AH"], 1: ["QS KS AS"]}, [0, 20]),
        ("R14", naive.BELOTE_FR, "C", {0: ["QH KH AH"], 1: ["QS KS AS"]}, [20, 0]),
        ("R15", BG, "D", {0: ["7D 8D 9D"], 1: ["8S 9S TS"]}, [0, 20]),
        ("R18", BG, "H", {0: ["QC QD QH QS"], 1: ["7S 8S 9S TS JS"]}, [100, 100]),
        ("R18", naive.BELOTE_FR, "H", {0: ["QC QD QH QS"], 1: ["7S 8S 9S TS JS"]}, [100, 0]),
        ("R19", BG, "H", {0: ["QC QD QH QS", "KC KD KH KS"], 1: ["9C 9D 9H 9S"]}, [0, 150]),
        ("R21", BG, "D", {0: ["7S 8S 9S TS JS QS"], 1: ["TH JH QH KH AH"]}, [100, 0]),
        ("R21", CLASSIC, "D", {0: ["7S 8S 9S TS JS QS"], 1: ["TH JH QH KH AH"]}, [0, 100]),
    ],
)
def test_troubles_declarations(trouble, rules, contract, declared, scored):
    assert naive.score_declarations(rules, contract, declared, 0) == dict(enumerate(scored))


@pytest.mark.parametrize(
    ("trouble", "contract", "hand", "best"),
    [
        ("R20", "H", "JH QH KH JS JD JC 7S 8S", ["JC JD JH JS"]),
        ("R20", "H", "KS QS JS TS 9S KH KD KC", ["KC KD KH KS", "9S TS JS QS"]),
        ("R22", "H", "7C 7D 7H 7S 8C 8D 8H 8S", []),
        ("R22", "N", "QH KH AH 7C 8C 9C TC JC", []),
    ],
)
def test_troubles_best_declarations(trouble, contract, hand, best):
    assert naive.best_declarations(BG, contract, hand) == best


# R43, R44, R45: dealer 3, so that P1 = seat 0 speaks first
@pytest.mark.parametrize(
    ("trouble", "auction", "result"),
    [
        ("R43", "P P S P P H", (True, False, "S", 2, 1)),
        ("R43", "P P C P P H", (True, False, "H", 1, 1)),
        ("R43", "P C P P P", (False, False, "C", 1, 1)),
        ("R43", "P P P P", (False, True, None, None, 1)),
        ("R44", "C D H P X", (True, False, "H", 2, 1)),
        ("R44", "H X P XX", (True, False, "H", 0, 2)),
        ("R45", "P H X P P P", (False, False, "H", 1, 2)),
    ],
)
def test_troubles_auction(trouble, auction, result):
    names = ("open", "passed", "contract", "declarer", "level")
    assert naive.auction_result(BG, auction.split(), 3) == dict(zip(names, result, strict=True))


def test_legal_calls_after_contra():
    assert naive.legal_calls(BG, ["P", "H", "X"]) == ["P", "XX", "S", "N", "A"]


def test_three_passes_close_after_a_recontra_too():
    assert naive.legal_calls(BG, ["H", "X", "XX", "P", "P"]) == ["P", "S", "N", "A"]
    assert naive.legal_calls(BG, ["H", "X", "XX", "P", "P", "P"]) == []


@pytest.mark.parametrize(
    ("contract", "declared", "points"),
    [("H", 20, [272, 0]), ("A", 0, [348, 0]), ("N", 0, [350, 0])],  # R25, R29, R31
)
def test_troubles_raw_points_of_a_capot(contract, declared, points):
    tricks = [(0, [rank + suit for suit in "CDHS"]) for rank in naive.NATURAL_ORDER]
    expected = (dict(enumerate(points)), 0)
    assert naive.raw_points(BG, contract, tricks, {}, {0: declared}) == expected


def test_raw_points_of_a_divided_deal():
    """Suit 152 + 10, all trumps 248 + 10, no trumps (120 + 10) x 2; the last trick is side 1's."""
    tricks = [(seat % 4, [rank + suit for suit in "CDHS"]) for seat, rank in enumerate(naive.NATURAL_ORDER)]
    for contract, total in (("C", 162), ("A", 258), ("N", 260)):
        points, capot = naive.raw_points(BG, contract, tricks, {}, {})
        assert (sum(points.values()), capot) == (total, None)


def test_perft_of_two_tricks():
    """Counted by hand: hearts trumps; seat 0 leads one of two cards, all others are forced."""
    assert naive.perft(BG, "H", ["AC KC", "7C 8D", "QC 9D", "8C 7S"], 0, 2) == 2
    assert naive.perft(BG, "H", ["AC", "7C", "QC", "8C"], 0, 1) == 1

"""The recorded cases of ../shared/cases through the public functions: every row of every preset that is shipped.

A preset that is added to the package joins by itself, as soon as the tables have rows of it.
"""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from belot_stats import api
from belot_stats.cards import cards_in, parse_card, parse_contract, parse_hand
from belot_stats.checks.play import CODES, trick_winner
from belot_stats.rules import play
from belot_stats.rules.table import side_of
from belot_stats.ruleset import load_ruleset, ruleset_names

CASES = Path(__file__).resolve().parents[2] / ".." / "shared" / "cases"
SHIPPED = ruleset_names()
LEAST_ROWS = {"legal": 400, "declarations": 300, "scores": 400}
# Where a player could overruff but threw a plain card, or could not and threw one, two names are fair.
FAIR = {"must-overruff": {"must-ruff"}, "must-undertrump": {"must-ruff"}}


@cache
def table(name):
    """{preset: rows} of one table, shipped presets only; empty where the table is absent."""
    path = CASES / f"{name}.jsonl"
    rows = defaultdict(list)
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["rules"] in SHIPPED:
                rows[row["rules"]].append(row)
    return dict(rows)


def each_preset(kind):
    """A test for each table of *kind* and each shipped preset that has rows in it."""
    pairs = [(name, preset) for name in (kind, f"{kind}-low") for preset in table(name)]
    absent = pytest.mark.skip(reason=f"{CASES} is not there: the cases are kept outside the project")
    return pytest.mark.parametrize(
        ("name", "preset"), pairs or [pytest.param(kind, "belot-bg", marks=absent)]
    )


def rows_of(name, preset):
    rows = table(name)[preset]
    assert len(rows) >= LEAST_ROWS.get(name, 1)
    return rows


def options_of(row):
    return load_ruleset(row["rules"], row.get("options"))


def wrong(rows, answer, expected):
    """Rows that are answered otherwise: id, answer, expected."""
    return [(row["id"], answer(row), expected(row)) for row in rows if answer(row) != expected(row)]


@pytest.mark.skipif(not CASES.exists(), reason=f"{CASES} is not there")
def test_the_bulgarian_presets_have_rows():
    for kind in LEAST_ROWS:
        assert {"belot-bg", "belot-bg-classic"} <= set(table(kind))


@each_preset("legal")
def test_legal_cards(name, preset):
    def answer(row):
        trick = [(seat, card) for seat, card in row["trick"]]
        return api.legal_cards(options_of(row), row["contract"], row["hand"], trick, row["seat"])

    assert wrong(rows_of(name, preset), answer, lambda row: row["legal"]) == []


def problem_of(row, card):
    """Code of *card* of a row's hand, or None where it is legal."""
    rules, contract = options_of(row), parse_contract(row["contract"])
    if not row["trick"]:
        return None
    cards = [parse_card(played) for _, played in row["trick"]]
    winner = trick_winner(contract, row["trick"][0][0], cards, rules.players)
    best = next(parse_card(played) for seat, played in row["trick"] if seat == winner)
    holds = side_of(rules, winner) == side_of(rules, row["seat"])
    problem = play.card_problem(
        rules, contract, parse_hand(row["hand"]), card, cards[0] >> 3, best, holds, len(cards)
    )
    return CODES.get(problem)


@each_preset("legal")
def test_codes_of_forbidden_cards(name, preset):
    for row in rows_of(name, preset):
        for card in row["hand"].split():
            found, expected = problem_of(row, parse_card(card)), row["excluded"].get(card)
            assert found == expected or expected in FAIR.get(found, ()), (row["id"], card)


@each_preset("declarations")
def test_best_declarations(name, preset):
    def answer(row):
        best = [api.best_declarations(options_of(row), row["contract"], hand) for hand in row["hands"]]
        return {str(seat): sorted(combinations) for seat, combinations in enumerate(best) if combinations}

    def expected(row):
        return {seat: sorted(combinations) for seat, combinations in row["declared"].items()}

    assert wrong(rows_of(name, preset), answer, expected) == []


@each_preset("declarations")
def test_score_declarations(name, preset):
    def answer(row):
        return api.score_declarations(options_of(row), row["contract"], row["declared"], row["first_leader"])

    def expected(row):
        return {int(side): points for side, points in row["scored"].items()}

    assert wrong(rows_of(name, preset), answer, expected) == []


@each_preset("scores")
def test_score_deal(name, preset):
    def answer(row):
        return tuple(
            api.score_deal(
                options_of(row),
                contract=row["contract"],
                level=row["level"],
                points=row["points"],
                declarer=row["declarer"],
                capot=row["capot"],
                hanging=row["hanging_in"],
                tricks=row.get("tricks"),
                belote=row.get("belote"),
            )
        )

    def expected(row):
        return tuple(row["score"]), row["hanging_out"], row["made"]

    assert wrong(rows_of(name, preset), answer, expected) == []


@each_preset("legal")
def test_rows_have_what_they_say(name, preset):
    """A row whose legal cards are not part of its hand would prove nothing."""
    for row in rows_of(name, preset):
        legal, hand = parse_hand(row["legal"]), parse_hand(row["hand"])
        assert legal
        assert not legal & ~hand
        assert sum(1 for _ in cards_in(hand & ~legal)) == len(row["excluded"])

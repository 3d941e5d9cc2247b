"""Reads worked_examples.txt and runs its rows through any engine given as two functions.

score_deal(rules, contract, level, points, declarer, capot, hanging, belote=…, tricks=…)
    -> (score a side, hanging after the deal, made); belote and tricks a side
match_state(rules, deals) -> {"totals": ..., "over": ..., "winner": ...}
    each deal a dict with "score", "capot" and "passed"
"""

import re
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("worked_examples.txt")
PRESETS = {
    "S1": "belot-bg",
    "S2": "belot-bg-classic",
    "S3": "belot-world",
    "S4": "belote-fr",
    "S5": "bela-4p",
    "S8": "belot-ru-3p",
    "S9": "belot-ru-pairs",
    "S10": "belot-1001-2p",
}
DEAL = re.compile(
    r"(?P<contract>suit|N|A) x(?P<level>\d) D(?P<d>\d+) F(?P<f>\d+)"
    r"(?: belote (?P<belote>\d+))?(?: capot (?P<capot>[DF]))?(?: hung (?P<hung>\d+))?"
)
THREE = re.compile(r"three D(\d+) F(\d+) G(\d+) tricks (\d) (\d) (\d)")
THREE_SCORES = re.compile(r"(\d+) (\d+) (\d+)(?: H(\d+))?")
SERIES_DEAL = re.compile(r"D(?P<d>\d+) F(?P<f>\d+)")
MATCH_DEAL = re.compile(r"(?P<first>\d+)-(?P<second>\d+)(?: capot (?P<capot>\d))?")
SCORE = re.compile(r"(?P<d>\d+)-(?P<f>\d+)(?: H(?P<hung>\d+))?")
TOTALS = re.compile(r"(?P<first>\d+)-(?P<second>\d+) (?:over (?P<winner>\d)|on)")


class Example(NamedTuple):
    """One row for one preset; *line* counts from 1."""

    id: str
    preset: str
    input: str
    expected: str
    source: str
    line: int

    def __str__(self):
        return f"{self.id}-{self.preset}"


def read_examples(path=TABLE):
    """All rows of the table, one Example for each system that a row names."""
    examples = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        row_id, systems, given, expected, source = (cell.strip() for cell in line.split("|"))
        examples.extend(
            Example(row_id, PRESETS[system], given, expected, source, number) for system in systems.split()
        )
    return examples


def differences(example, rules, score_deal, match_state):
    """What the engine says otherwise than the row: a list of strings, empty where they agree."""
    kind = example.input.split()[0]
    if kind == "match":
        return match_differences(example, rules, match_state)
    if kind == "total":
        return total_differences(example, rules, score_deal)
    if kind == "three":
        return three_differences(example, rules, score_deal)
    if kind == "series":
        return series_differences(example, rules, score_deal)
    return deal_differences(example, rules, score_deal)


def fields(pattern, text):
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(f"not understood: {text!r}")
    return found.groupdict()


def contracts(name):
    return "CDHS" if name == "suit" else name


def by_side(declarer, of_declarer, of_other):
    """The declarer's and the other value in the order of the sides."""
    return (of_declarer, of_other) if declarer == 0 else (of_other, of_declarer)


def expected_score(text, declarer):
    """(score a side, hanging after the deal)"""
    cells = fields(SCORE, text)
    return by_side(declarer, int(cells["d"]), int(cells["f"])), int(cells["hung"] or 0)


def made_of(d, f):
    return None if d == f else d > f


def unequal(what, got, expected):
    return [] if got == expected else [f"{what}: {got}, expected {expected}"]


def deal_differences(example, rules, score_deal):
    deal = fields(DEAL, example.input)
    d, f = int(deal["d"]), int(deal["f"])
    found = []
    for contract in contracts(deal["contract"]):
        for declarer in (0, 1):
            capot = {None: None, "D": declarer, "F": 1 - declarer}[deal["capot"]]
            points, hung = by_side(declarer, d, f), int(deal["hung"] or 0)
            belote = by_side(declarer, int(deal["belote"] or 0), 0)
            score, hanging, made = score_deal(
                rules, contract, int(deal["level"]), points, declarer, capot, hung, belote=belote
            )
            expected = (*expected_score(example.expected, declarer), made_of(d, f))
            found += unequal(f"{contract}, declarer {declarer}", (tuple(score), hanging, made), expected)
    return found


def three_differences(example, rules, score_deal):
    """Each of the three in turn as the declarer."""
    numbers = [int(number) for number in THREE.fullmatch(example.input).groups()]
    *wanted, hung = [int(number or 0) for number in THREE_SCORES.fullmatch(example.expected).groups()]
    takers = [place for place, count in enumerate(numbers[3:]) if count]
    found = []
    for contract in "CDHS":
        for declarer in range(3):
            points, tricks, expected = (
                [values[(side - declarer) % 3] for side in range(3)]
                for values in (numbers[:3], numbers[3:], wanted)
            )
            capot = (takers[0] + declarer) % 3 if len(takers) == 1 else None
            score, hanging, _ = score_deal(rules, contract, 1, points, declarer, capot, 0, tricks=tricks)
            found += unequal(f"{contract}, declarer {declarer}", (list(score), hanging), (expected, hung))
    return found


def series_differences(example, rules, score_deal):
    name, *steps = (step.strip() for step in example.input.removeprefix("series ").split(";"))
    wanted = [step.strip() for step in example.expected.split(";")]
    found = []
    for contract in contracts(name):
        hanging = 0
        for step, expected in zip(steps, wanted, strict=True):
            if step == "pass":  # nothing is written and nothing is taken
                found += unequal(f"{contract}, pass", f"pass H{hanging}", expected)
                continue
            deal = fields(SERIES_DEAL, step)
            points = (int(deal["d"]), int(deal["f"]))
            score, hanging, _ = score_deal(rules, contract, 1, points, 0, None, hanging)
            found += unequal(f"{contract}, {step}", (tuple(score), hanging), expected_score(expected, 0))
    return found


def total_differences(example, rules, score_deal):
    _, name, total = example.input.split()
    step = 2 if name == "N" else 1
    found = []
    for contract in contracts(name):
        for d in range(0, int(total) + 1, step):
            score, hanging, _ = score_deal(rules, contract, 1, (d, int(total) - d), 0, None, 0)
            found += unequal(f"{contract} D{d}", sum(score) + hanging, int(example.expected))
    return found


def match_deal(text):
    if text == "pass":
        return {"score": (0, 0), "capot": None, "passed": True}
    cells = fields(MATCH_DEAL, text)
    capot = None if cells["capot"] is None else int(cells["capot"])
    return {"score": (int(cells["first"]), int(cells["second"])), "capot": capot, "passed": False}


def match_differences(example, rules, match_state):
    deals = [match_deal(text.strip()) for text in example.input.removeprefix("match ").split(";")]
    state = match_state(rules, deals)
    cells = fields(TOTALS, example.expected)
    winner = None if cells["winner"] is None else int(cells["winner"])
    expected = ((int(cells["first"]), int(cells["second"])), winner is not None, winner)
    return unequal("match", (tuple(state["totals"]), state["over"], state["winner"]), expected)

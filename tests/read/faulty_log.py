"""Makes ``data/samples/bhh/belot-bg-faulty.jsonl``: nine matches of a server that makes nine mistakes.

Each mistake is put into one deal by hand, so what an audit must say of its line is known without the checker.
``python -m tests.read.faulty_log FOLDER`` writes the log and its expected findings.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import naive
from tests.read.sample_logs import clean_records, line_of

Record = dict[str, Any]
Mistake = Callable[[Record], bool]


def rounds_each_side_alone(record: Record) -> bool:
    """Nearest ten for each side, five up, where that is not the deal's sum."""
    claimed = record["claimed"]
    alone = [(points + 5) // 10 for points in claimed["points"]]
    if not claimed.get("made") or "X" in record["auction"] or sum(alone) == sum(claimed["score"]):
        return False
    claimed["score"] = alone
    return True


def adds_a_point(record: Record) -> bool:
    """A score that no rounding gives."""
    if not record["claimed"].get("made") or "X" in record["auction"] or record["claimed"]["score"][0] < 3:
        return False
    record["claimed"]["score"] = [record["claimed"]["score"][0] + 3, record["claimed"]["score"][1] - 3]
    return record["claimed"]["score"][1] >= 0


def forgets_declarations(record: Record) -> bool:
    """Raw points without a declaration that nobody contests."""
    declared = record.get("declarations", [])
    if len(declared) != 1 or declared[0].get("cards", "").count(" ") != 2 or "N" in record["auction"]:
        return False
    record["claimed"]["points"][declared[0]["seat"] % 2] -= 20
    return True


def gives_a_trick_away(record: Record) -> bool:
    record["claimed"]["tricks"][4] = (record["claimed"]["tricks"][4] + 1) % 4
    return True


def lets_an_illegal_card_pass(record: Record) -> bool:
    """Two cards of the last two tricks of one seat change places, and the first of them is forbidden."""
    plays, hands = record["plays"].split(), [hand.split() for hand in record["hands"]]
    contract = next(call for call in reversed(record["auction"]) if call in naive.BELOT_BG["contracts"])
    winners = record["claimed"]["tricks"]
    lead = winners[5]
    for position in range(1, 4):
        seat = (lead + position) % 4
        first = 24 + position
        second = 28 + (seat - winners[6]) % 4
        held = [card for card in hands[seat] if card not in plays[:24]]
        trick = [((lead + place) % 4, plays[24 + place]) for place in range(position)]
        forbidden = naive.forbidden(naive.BELOT_BG, contract, " ".join(held), trick, seat)
        if forbidden.get(plays[second]) == "revoke":
            plays[first], plays[second] = plays[second], plays[first]
            record["plays"] = " ".join(plays)
            del record["claimed"]
            return True
    return False


def says_failed(record: Record) -> bool:
    if not record["claimed"].get("made"):
        return False
    record["claimed"]["made"] = False
    return True


def adds_up_wrong(record: Record) -> bool:
    record["claimed"]["total"][0] += 10
    return "winner" not in record["claimed"]


def announces_late(record: Record) -> bool:
    if not record.get("declarations"):
        return False
    record["declarations"][0]["at"] = 8
    del record["claimed"]
    return "N" not in record["auction"]


def leaves_points_hanging(record: Record) -> bool:
    if record["claimed"].get("made") is None:
        return False
    record["claimed"]["hanging"] = 8
    return True


MISTAKES: tuple[tuple[str, Mistake], ...] = (
    ("wrong-rounding", rounds_each_side_alone),
    ("wrong-score", adds_a_point),
    ("wrong-points", forgets_declarations),
    ("wrong-trick-winner", gives_a_trick_away),
    ("revoke", lets_an_illegal_card_pass),
    ("wrong-made", says_failed),
    ("wrong-total", adds_up_wrong),
    ("late-declaration", announces_late),
    ("wrong-hanging", leaves_points_hanging),
)


def faulty_lines() -> tuple[list[str], list[Record]]:
    """Lines of the log, and the codes that an audit must give, each with its line."""
    records = [{**record, "source": "faulty-server"} for record in clean_records(9, seed=12)]
    expected = []
    for number, (code, mistake) in enumerate(MISTAKES, start=1):
        for index, changed in _tries(records, f"club-{number}", mistake):
            records[index] = changed
            expected.append({"line": index + 1, "code": code})
            break
    return list(map(line_of, records)), sorted(expected, key=lambda row: int(row["line"]))


def _tries(records: list[Record], match: str, mistake: Mistake) -> Iterator[tuple[int, Record]]:
    """Played deals of *match*, but not its first and last, into which the mistake can be put."""
    own = [index for index, record in enumerate(records) if record["match"] == match]
    for index in own[1:-1]:
        changed = copy.deepcopy(records[index])
        if changed.get("end") != "passed" and changed["claimed"].get("capot") is None and mistake(changed):
            yield index, changed


def write_faulty(folder: Path) -> None:
    """Write the log and what is expected of it to *folder*."""
    lines, expected = faulty_lines()
    (folder / "belot-bg-faulty.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rows = "".join(json.dumps(row) + "\n" for row in expected)
    (folder / "belot-bg-faulty.expected.jsonl").write_text(rows, encoding="utf-8")


if __name__ == "__main__":
    write_faulty(Path(sys.argv[1]))

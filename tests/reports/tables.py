"""Raw tables of a warehouse, written out by hand or made at random, in a DuckDB connection."""

from __future__ import annotations

import datetime as dt
import json
import random
from typing import Any

import duckdb
import pyarrow as pa

from belot_stats.cards import mask_of, parse_hand
from belot_stats.ruleset import load_ruleset, ruleset_values
from belot_stats.schema import schema

Row = dict[str, Any]
NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)
HANDS = tuple(mask_of(range(8 * seat, 8 * seat + 8)) for seat in range(4))

# h2 and h9 stand for other values of the same parameters
RULES_OF_HASH = {
    "h1": "belot-bg", "h2": "belot-bg-classic", "h3": "belot-ru-3p", "h4": "belot-ru-pairs", "h5": "bela-2p",
    "h6": "bela-3p", "h7": "belot-1001-3p", "h8": "baloot", "h9": "belot-bg",
}  # fmt: skip

EMPTY: dict[str, Any] = {
    "string": "", "bool": False, "timestamp[us, tz=UTC]": NOON, "binary": b"",
}  # fmt: skip


def empty_value(field: pa.Field) -> Any:
    if field.nullable:
        return None
    if pa.types.is_list(field.type):
        return []
    return EMPTY.get(str(field.type), 0)


def full_row(table: str, values: Row) -> Row:
    row = {field.name: empty_value(field) for field in schema(table)}
    if "part" in values and "byte" in row:
        row["byte"] = 0  # a record of the deal pass always has its place
    unknown = values.keys() - row.keys() - {"part", "file"}
    assert not unknown, f"{table} has no columns {unknown}"
    return row | values


def deal_row(match: str, deal: int, **values: Any) -> Row:
    """A deal of four players in pairs, all tricks complete, made at hearts by seat 1, unless *values* say otherwise."""
    plain: Row = {
        "source": "srv", "match": match, "deal": deal, "line": deal, "part": "p1", "rules": "belot-bg",
        "rules_hash": "h1",
        "players": ["ann", "bob", "cid", "dee"], "dealer": 0, "first_leader": 1, "end": "played",
        "plays": [card for trick in range(8) for card in (trick, 8 + trick, 16 + trick, 24 + trick)],
        "auction": [2, 6, 6, 6], "dealt_hands": HANDS, "trick_leaders": [1] * 8,
        "trick_winners": [1] * 7 + [0], "trick_points": [0] * 8,
        "tricks_won": [1, 7], "outcome": "made", "is_scored": True, "contract": 2, "declarer": 1, "declarer_side": 1,
        "declarer_position": 1, "level": 1, "is_made": True, "points": [62, 100], "score": [6, 10],
    }  # fmt: skip
    row = plain | values
    for name in ("points", "score"):
        for side, value in enumerate(row[name]):
            row[f"{name}_{side}"] = value
    return row


def passed_row(match: str, deal: int, **values: Any) -> Row:
    """A deal in which nobody bid."""
    plain: Row = {
        "outcome": "passed", "end": "passed", "is_scored": False, "plays": [], "auction": [6, 6, 6, 6],
        "dealt_hands": None, "trick_winners": [], "trick_points": [], "tricks_won": [0, 0], "contract": None,
        "declarer": None, "declarer_side": None, "declarer_position": None, "level": None, "is_made": None,
        "points": [], "score": [], "points_0": None, "points_1": None, "score_0": None, "score_1": None,
    }  # fmt: skip
    return deal_row(match, deal, **(plain | values))


def chunk(part: str, first_line: int = 1, **values: Any) -> Row:
    return {
        "part": part, "first_line": first_line, "first_byte": 0, "lines": 100, "bytes": 1, "sha256": "", "stored": 0,
        "quarantined": 0,
    } | values  # fmt: skip


def ledger_row(file: str, chunks: list[Row], **values: Any) -> Row:
    plain: Row = {
        "file": file, "names": [f"/logs/{file}.jsonl"], "format": "bhh/1", "chunks": chunks, "finished_at": NOON,
        "rulesets": [
            {"hash": key, "name": name, "values": json.dumps(ruleset_values(load_ruleset(name)))}
            for key, name in RULES_OF_HASH.items()
        ],
    }  # fmt: skip
    return plain | values


def connect(
    *, deals: list[Row] = (), ledger: list[Row] | None = None, **tables: list[Row]
) -> duckdb.DuckDBPyConnection:  # type: ignore[assignment]
    """Connection with the raw tables: *deals*, a ledger that names their parts, and whatever *tables* hold."""
    if ledger is None:
        parts = sorted({row["part"] for row in deals}) or ["p1"]
        ledger = [ledger_row("f1", [chunk(part) for part in parts], read=len(deals), stored=len(deals))]
    contents = {"deals": deals, "ledger": ledger} | tables
    connection = duckdb.connect()
    add(connection, "deals", contents, part=True)
    add(connection, "findings", contents, part=True)
    add(connection, "quarantine", contents, part=True)
    for name in ("ledger", "duplicates", "standings", "matches"):
        add(connection, name, contents)
    add(connection, "match_findings", contents, like="findings", file=True)
    return connection


def add(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    contents: dict[str, list[Row]],
    like: str = "",
    **more: bool,
) -> None:
    layout = schema(like or name)
    for column in more:
        if column not in layout.names:
            layout = layout.append(pa.field(column, pa.string()))
    rows = [full_row(like or name, row) for row in contents.get(name, ())]
    table = pa.Table.from_pylist(rows, layout)
    connection.register("arrow_rows", table)
    connection.execute(f"create table raw_{name} as select * from arrow_rows")
    connection.unregister("arrow_rows")


def hand(text: str) -> int:
    return parse_hand(text)


# -- at random: plausible in shape, not played by any rules ------------------------------------------------------------

PLAYERS = [
    "ana",
    "Боян",
    "zahari",
    "Élodie",
    "simo",
    "<script>alert(1)</script>",
    '=cmd("calc")',
    "dee\nnewline",
]


def random_tables(count: int, seed: int = 1) -> dict[str, list[Row]]:
    """Deals of matches of twelve deals each, with declarations, findings, standings and matches beside them."""
    randomness = random.Random(seed)
    tables: dict[str, list[Row]] = {
        name: [] for name in ("deals", "standings", "matches", "findings", "quarantine")
    }
    line = 0
    for number in range(1, count // 12 + 1):
        _random_match(randomness, f"m{number:05}", line, tables)
        line += 12
    tables["ledger"] = [
        ledger_row(
            "f1",
            [chunk("p1")],
            read=line + 3,
            stored=line,
            quarantined=3,
            size_bytes=line * 900,
            elapsed_ms=840,
        )
    ]
    tables["quarantine"] = [
        {"part": "p1", "line": line + n, "code": code, "message": f"{code} here", "raw": b"{"}
        for n, code in enumerate(("bad-card", "bad-card", "truncated-line"), 1)
    ]
    return tables


def _random_match(randomness: random.Random, match: str, line: int, tables: dict[str, list[Row]]) -> None:
    players = randomness.sample(PLAYERS, 4)
    rules, rules_hash = randomness.choice(
        [("belot-bg", "h1"), ("belot-bg", "h1"), ("belot-bg-classic", "h2")]
    )
    total = [0, 0]
    for deal in range(1, 13):
        row = _random_deal(randomness, match, deal) | {
            "players": players, "rules": rules, "rules_hash": rules_hash, "line": line + deal,
        }  # fmt: skip
        tables["deals"].append(row)
        score = row["score"] or [0, 0]
        total = [total[0] + score[0], total[1] + score[1]]
        tables["standings"].append(
            {"source": "srv", "match": match, "deal": deal, "hanging_in": 0, "hanging_out": 0, "score": score,
             "score_0": score[0], "score_1": score[1], "total": total, "total_0": total[0], "total_1": total[1],
             "ends_match": deal == 12, "winner": None}
        )  # fmt: skip
        if randomness.random() < 0.03:
            code = randomness.choice(
                ["wrong-rounding", "wrong-score", "revoke", "wrong-trick-winner", "bid-too-low"]
            )
            severity = "illegal" if code in ("revoke", "bid-too-low") else "mismatch"
            tables["findings"].append(
                {"part": "p1", "source": "srv", "match": match, "deal": deal, "line": line + deal, "code": code,
                 "severity": severity, "expected": "8-8", "found": "9-8"}
            )  # fmt: skip
    tables["matches"].append(
        {"source": "srv", "match": match, "rules": rules, "rules_hash": rules_hash, "players": players, "first_deal": 1,
         "last_deal": 12, "deals": 12, "total": total, "winner": int(total[1] > total[0]), "is_finished": True}
    )  # fmt: skip


def _random_deal(randomness: random.Random, match: str, deal: int) -> Row:
    cards = randomness.sample(range(32), 32)
    first = [mask_of(cards[8 * seat : 8 * seat + 5]) for seat in range(4)]
    full = [mask_of(cards[8 * seat : 8 * seat + 8]) for seat in range(4)]
    dealer = deal % 4
    if randomness.random() < 0.08:
        return passed_row(match, deal, dealer=dealer, first_hands=first)
    contract = randomness.choices(range(6), (2, 2, 3, 4, 3, 4))[0]
    position = randomness.randint(1, 4)
    declarer = (dealer + position) % 4
    side = declarer % 2
    strength = (first[declarer] >> (8 * contract) & 0xFF).bit_count() if contract < 4 else 3
    base = (162, 162, 162, 162, 260, 258)[contract]
    own = min(base, max(0, int(randomness.gauss(0.50 + 0.03 * strength, 0.16) * base)))
    points = [base - own, own] if side else [own, base - own]
    game = (base + 5) // 10
    low = (min(points) + 4) // 10
    level = randomness.choices((1, 2, 4), (88, 11, 1))[0]
    if 2 * own == base:
        outcome, score = "hanging", [0, game // 2] if side == 0 else [game // 2, 0]
    elif 2 * own > base and level == 1:
        outcome, score = "made", [game - low, low] if points[0] > points[1] else [low, game - low]
    else:
        winner = side if 2 * own > base else 1 - side
        outcome, score = "made" if winner == side else "failed", [0, 0]
        score[winner] = game * level
    calls = (
        [6] * (position - 1)
        + [contract]
        + ([7] if level > 1 else [])
        + ([8] if level == 4 else [])
        + [6, 6, 6]
    )
    return deal_row(
        match, deal, dealer=dealer, contract=contract, declarer=declarer, declarer_side=side,
        declarer_position=position,
        level=level, outcome=outcome, is_made=outcome == "made", points=points, score=score, first_hands=first,
        dealt_hands=full, auction=calls, plays=cards, illegal_cards=int(randomness.random() < 0.004),
        capot_side=side if own == base else None, tricks_won=[4, 4], trick_winners=[0, 1] * 4,
        declaration_results=_random_declarations(randomness), belote_results=_random_belotes(randomness, contract),
    )  # fmt: skip


def _random_declarations(randomness: random.Random) -> list[Row]:
    found = []
    for seat in range(4):
        kind = randomness.choices(("", "tierce", "quarte", "quinte", "carre"), (772, 190, 29, 4, 5))[0]
        if kind:
            cards = (
                0x10101010
                if kind == "carre" and randomness.random() < 0.2
                else 0x80808080
                if kind == "carre"
                else 7
            )
            status = randomness.choices(("counted", "beaten", "tied"), (80, 18, 2))[0]
            found.append(
                {
                    "seat": seat,
                    "side": seat % 2,
                    "kind": kind,
                    "cards": cards,
                    "points": 20,
                    "at": seat,
                    "status": status,
                }
            )
    return found


def _random_belotes(randomness: random.Random, contract: int) -> list[Row]:
    if contract == 4 or randomness.random() > 0.2:
        return []
    seat = randomness.randrange(4)
    suit = contract if contract < 4 else randomness.randrange(4)
    return [{"seat": seat, "side": seat % 2, "suit": suit, "at": 9, "status": "counted"}]

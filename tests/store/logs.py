"""Logs for the tests of the store, all made from one match of ten deals, of which deals 1 and 4 hang.

``match.jsonl`` was written by an independent engine from the rule texts; it has no finding.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from belot_stats.storage import open_storage
from belot_stats.warehouse import Warehouse

PROJECT = Path(__file__).resolve().parents[2]
MATCH = [json.loads(line) for line in (Path(__file__).parent / "match.jsonl").read_text("utf-8").splitlines()]
Record = dict[str, Any]


def match(name: str = "m1", source: str = "test", deals: Iterable[int] = range(1, 11)) -> list[Record]:
    """Records of the match under another name, the deals of these numbers, in this order."""
    return [record(number, match=name, source=source) for number in deals]


def record(number: int, **changes: object) -> Record:
    """Record of one deal of the match, with fields changed; None takes one away."""
    changed = {"match": "m1", "source": "test", **copy.deepcopy(MATCH[number - 1] | {})}
    changed.update({"match": "m1", "source": "test"} | changes)
    return {key: value for key, value in changed.items() if value is not None}


def other_score(original: Record) -> Record:
    """The same deal, with another claim."""
    return {**original, "claimed": {**original["claimed"], "score": [1, 1]}}


def cut_off(original: Record, cards: int = 20) -> Record:
    """The same deal, abandoned after so many cards."""
    plays = " ".join(original["plays"].split()[:cards])
    ended = {"end": "abandoned", "ended_by": {"seat": 1, "at": cards, "reason": "left"}}
    return {**{key: original[key] for key in original if key != "claimed"}, "plays": plays, **ended}


def lines(records: Iterable[Record | str]) -> str:
    """JSON Lines; a text is a line as it stands."""
    texts = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in records]
    return "".join(text + "\n" for text in texts)


def write_log(path: Path, records: Iterable[Record | str]) -> Path:
    path.write_text(lines(records), encoding="utf-8")
    return path


def parts_of(warehouse: Path | str, folder: str = "deals") -> dict[str, bytes]:
    """Files of a folder of the warehouse: name -> bytes."""
    storage = open_storage(warehouse)
    return {file.name: storage.read(f"{folder}/{file.name}") for file in storage.listing(folder)}


def count(warehouse: Path | str | Warehouse, relation: str) -> int:
    """Rows of a relation."""
    (row,) = query(warehouse, f"select count(*) from {relation}")
    return int(row[0])


def query(warehouse: Path | str | Warehouse, sql: str) -> list[tuple[Any, ...]]:
    store = warehouse if isinstance(warehouse, Warehouse) else Warehouse(warehouse)
    return store.sql(sql).fetchall()


def codes(warehouse: Path | str | Warehouse) -> list[tuple[str, int | None]]:
    """Findings of all passes as (code, line), sorted."""
    found = query(warehouse, "select code, line from findings")
    return sorted(found, key=lambda item: (item[0], item[1] or 0))


SCRIPT = """
import json, sys
from belot_stats.errors import BelotStatsError
from belot_stats.ingest import ingest

if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    try:
        report = ingest(options.pop("inputs"), options.pop("warehouse"), **options)
    except KeyboardInterrupt:
        sys.exit(130)
    except BelotStatsError as problem:
        sys.exit(f"{type(problem).__name__}: {problem}")
    print(json.dumps([report.total("read"), report.total("accepted"), report.total("skipped")]))
"""


def ingest_command(
    folder: Path, inputs: Sequence[Path], warehouse: Path | str, **options: object
) -> list[str]:
    """Command that ingests in a process of its own; its script is written to *folder*."""
    script = folder / "ingest_script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    arguments: Mapping[str, object] = {
        "inputs": list(map(str, inputs)),
        "warehouse": str(warehouse),
        **options,
    }
    return [sys.executable, "-W", "error", str(script), json.dumps(arguments)]


def start_ingest(
    folder: Path, inputs: Sequence[Path], warehouse: Path | str, **options: object
) -> subprocess.Popen[str]:
    """Ingest in a process of its own, from the project's folder."""
    command = ingest_command(folder, inputs, warehouse, **options)
    return subprocess.Popen(
        command,
        cwd=PROJECT,
        env=None,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )

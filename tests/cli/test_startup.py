"""A small log is answered soon: what takes longer to load than to read the log is left out, and found when needed."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from belot_stats.asking import Filter, list_findings
from belot_stats.ingest import ingest
from belot_stats.relations import relation_names, relations_for
from belot_stats.resources import resource
from belot_stats.warehouse import Warehouse

LOG = resource("data", "samples/bhh/belot-bg.jsonl")
FAULTY = resource("data", "samples/bhh/belot-bg-faulty.jsonl")
LEFT_OUT = ("pandas", "numba", "pyarrow.compute", "concurrent.futures.process", "rich", "matplotlib")
COMMANDS = """
import json, sys
from belot_stats.cli import run
codes = [run(arguments) for arguments in json.loads(sys.argv[1])]
"""


def python(code: str, *arguments: str) -> str:
    """What a process of its own prints on running *code*."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def audit_of(log: Path, warehouse: Path) -> str:
    """The commands that audit one log, as JSON."""
    store = ["-w", str(warehouse)]
    return json.dumps(
        [["ingest", str(log), *store, "-j", "2", "-q"], ["audit", *store, "-q"], ["findings", *store]]
    )


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_audit_of_one_small_log_loads_nothing_that_it_can_do_without(tmp_path: Path, ending: str) -> None:
    log = tmp_path / f"log.jsonl{ending}"
    log.write_bytes(gzip.compress(LOG.read_bytes()) if ending else LOG.read_bytes())
    code = COMMANDS + f"print(codes, [name for name in {LEFT_OUT} if name in sys.modules])"
    assert python(code, audit_of(log, tmp_path / "w")) == "[0, 0, 0] []\n"


def test_data_frames_are_there_when_pandas_was_left_out_before(tmp_path: Path) -> None:
    code = COMMANDS + (
        "import belot_stats as bs\n"
        "assert 'pandas' not in sys.modules\n"
        "frame = bs.report('overview', sys.argv[2])\n"
        "import pandas as pd, pyarrow as pa\n"
        "assert isinstance(frame, pd.DataFrame) and len(frame)\n"
        "assert pa.Table.from_pandas(frame).num_rows == len(frame)\n"
        "print(pa.array(pd.Series([1, None])).null_count)\n"
    )
    assert python(code, audit_of(LOG, tmp_path / "w"), str(tmp_path / "w")) == "1\n"


def test_who_has_pandas_already_keeps_it() -> None:
    code = """
import pandas as pd, pyarrow as pa
from belot_stats.startup import leave_pandas_out
leave_pandas_out()
print(pa.array(pd.Categorical(["a", "b"])).type)
"""
    assert python(code).startswith("dictionary<")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faulty") / "w"
    ingest(FAULTY, path)
    return path


@pytest.mark.parametrize("name", relation_names())
def test_relation_is_asked_without_those_it_is_not_built_on(faulty: Path, name: str) -> None:
    query = f"select count(*) from {name}"
    some, all_of_them = Warehouse(faulty), Warehouse(faulty)
    connection = some.connection(relations=relations_for(query))
    assert connection.execute(query).fetchall() == all_of_them.sql(query).fetchall()
    assert some.sql("select count(*) from problems").fetchall() != [
        (0,)
    ]  # the others are made when asked for


def test_findings_are_the_same_whether_doubts_are_looked_for_or_not(faulty: Path, tmp_path: Path) -> None:
    ingest(LOG, tmp_path / "w")  # whose findings, none, rest on nothing
    for warehouse in (faulty, tmp_path / "w"):
        listed = list_findings(Warehouse(warehouse), Filter()).select(["line", "code", "doubt"]).to_pylist()
        asked = Warehouse(warehouse).sql("select line, code from problems").fetchall()
        assert sorted((row["line"], row["code"]) for row in listed) == sorted(asked)
        assert [row["doubt"] for row in listed] == [None] * len(asked)  # belot-bg settles all of this

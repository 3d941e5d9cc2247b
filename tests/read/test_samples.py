"""The samples that are shipped read as their SOURCE.txt says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from belot_stats.checker import check_deal
from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import InputError
from belot_stats.export import export_deal
from belot_stats.ingest import ingest
from belot_stats.readers import identify_reader, open_stream, read_log
from belot_stats.readers.inputs import find_inputs
from belot_stats.resources import resource
from belot_stats.ruleset import load_ruleset, ruleset_names
from belot_stats.warehouse import Warehouse
from tests.read.faulty_log import MISTAKES, faulty_lines


def test_the_clean_sample_has_no_finding_and_is_canonical() -> None:
    path = resource("data", "samples/bhh/belot-bg.jsonl")
    records = list(read_log(path))
    rules = load_ruleset("belot-bg")
    assert all(isinstance(record, Deal) and not check_deal(record, rules).findings for record in records)
    exported = "".join(f"{export_deal(record)}\n" for record in records if isinstance(record, Deal))
    assert exported == path.read_text(encoding="utf-8")


def test_the_sample_of_other_systems_has_no_finding() -> None:
    records = list(read_log(resource("data", "samples/bhh/other-systems.jsonl")))
    rules = {record.rules for record in records if isinstance(record, Deal)}
    assert rules | {"belot-bg", "belot-bg-classic"} == {
        name for name in ruleset_names() if not name.startswith("baloot-")
    }
    for record in records:
        assert isinstance(record, Deal)
        assert check_deal(record, load_ruleset(record.rules)).findings == ()


def test_the_damaged_sample_shows_every_record_code() -> None:
    expected = resource("data", "samples/bhh/belot-bg-damaged.expected.jsonl").read_text(encoding="utf-8")
    records = read_log(resource("data", "samples/bhh/belot-bg-damaged.jsonl"))
    found = [
        {"line": record.line, "code": code}
        for record in records
        if isinstance(record, BadRecord)
        for code, _ in record.problems
    ]
    assert found == [json.loads(row) for row in expected.splitlines()]
    assert len(found) == 13


def test_the_archive_sample_shows_every_end() -> None:
    records = list(read_log(resource("data", "samples/baloot-archive/archive.jsonl")))
    assert Counter(record.end for record in records if isinstance(record, Deal)) == {
        "played": 5,
        "penalty": 4,
        "claimed": 1,
    }
    assert not any(isinstance(record, BadRecord) for record in records)


@pytest.mark.parametrize("folder", ["bhh", "baloot-archive"])
def test_what_is_no_log_in_a_sample_folder_is_claimed_by_no_reader(folder: str) -> None:
    for item in find_inputs([resource("data", f"samples/{folder}")]):
        with open_stream(item.path) as stream:
            head = stream.head()
        if item.path.endswith((".txt", ".expected.jsonl")):
            assert not item.is_named
            with pytest.raises(InputError):
                identify_reader(head)
        else:
            assert identify_reader(head).name == folder


def test_the_faulty_sample_is_made_as_its_source_says() -> None:
    lines, expected = faulty_lines()
    folder = resource("data", "samples/bhh")
    assert (folder / "belot-bg-faulty.jsonl").read_text(encoding="utf-8").splitlines() == lines
    assert len(expected) == len(MISTAKES)


def test_an_audit_finds_every_mistake_of_the_faulty_sample(tmp_path: Path) -> None:
    folder = resource("data", "samples/bhh")
    ingest(folder / "belot-bg-faulty.jsonl", tmp_path / "warehouse")
    found = Warehouse(tmp_path / "warehouse").sql("select line, code from problems").fetchall()
    expected = (folder / "belot-bg-faulty.expected.jsonl").read_text(encoding="utf-8")
    assert {(row["line"], row["code"]) for row in map(json.loads, expected.splitlines())} <= set(found)

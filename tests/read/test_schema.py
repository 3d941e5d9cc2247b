"""The JSON Schema of bhh/1: the file is current, takes what the reader takes, and refuses what a schema can refuse."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from belot_stats.bhh_schema import SCHEMA_FILE, schema, schema_text
from belot_stats.deal import Deal
from belot_stats.export import deal_record
from belot_stats.readers.bhh import FIELDS
from belot_stats.resources import resource
from tests.read.records import CLEAN_LOGS, SHARED, example, read_one
from tests.read.test_bhh import BAD
from tests.read.test_export import deals

VALIDATOR = jsonschema.Draft202012Validator(schema())
ONLY_THE_READER_SEES = ("unknown-rules", "unknown-option", "duplicate-card", "wrong-card-count")


def test_the_file_is_current() -> None:
    assert resource("data", SCHEMA_FILE).read_text(encoding="utf-8") == schema_text()


def test_it_is_a_schema_of_all_fields() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert tuple(schema()["properties"]) == FIELDS


@pytest.mark.parametrize("name", CLEAN_LOGS)
def test_it_takes_clean_logs(name: str) -> None:
    path = SHARED / "logs" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("../shared is not there")
    for row in path.read_text(encoding="utf-8").split("\n")[:100]:
        VALIDATOR.validate(json.loads(row))


@given(deals())
def test_it_takes_what_is_exported(deal: Deal) -> None:
    VALIDATOR.validate(deal_record(deal))


def seen_by_schema(code: str, path: str, changes: dict[str, Any]) -> bool:
    whole_number = any(isinstance(value, float) for value in changes.values()) or ".0" in json.dumps(changes)
    sides = path in (
        "claimed.capot",
        "claimed.winner",
        "claimed.points",
        "claimed.points.0",
        "players",
        "hands",
    )
    return code not in ONLY_THE_READER_SEES and not whole_number and not sides and "02-30" not in str(changes)


@pytest.mark.parametrize(("code", "path", "changes"), [row for row in BAD if seen_by_schema(*row)])
def test_it_refuses_what_the_reader_refuses(code: str, path: str, changes: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(example(**changes)), (code, path)


def test_the_example_passes_both() -> None:
    VALIDATOR.validate(example())
    assert isinstance(read_one(json.dumps(example()).encode()), Deal)

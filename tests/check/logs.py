"""The shared logs, read whole: reader, deal pass, copies, match pass, with no warehouse between."""

import importlib.util
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from belot_stats.deal import BadRecord, Deal
from belot_stats.match_checker import check_match
from belot_stats.readers.bhh import BhhReader
from belot_stats.ruleset import ruleset_names
from tests.check.records import OPTIONS, checked, match_deal

LOGS = Path(__file__).resolve().parents[2] / ".." / "shared" / "logs"
PRESETS = [name for name in ruleset_names() if (LOGS / f"{name}.jsonl").exists()]
ABSENT = f"{LOGS} is not there: the logs are kept outside the project"


def read_records(data: bytes) -> list[Deal | BadRecord]:
    """Records of a log, with their lines."""
    reader = BhhReader()
    return [record for chunk in reader.split(io.BytesIO(data)) for record in reader.read(chunk, OPTIONS)]


def findings_of(data: bytes) -> list[dict[str, Any]]:
    """All findings of a log: code, line, match."""
    found: list[dict[str, Any]] = []
    matches: dict[tuple[str, str], dict[int, Deal]] = {}
    for record in read_records(data):
        if isinstance(record, BadRecord):
            problems = record.problems or ((record.code, record.message),)
            found += [{"code": code, "line": record.line, "match": None} for code, _ in problems]
            continue
        here = {"line": record.line, "match": record.match}
        found += [{"code": "unknown-field"} | here for _ in record.unknown_fields]
        found += [{"code": finding.code} | here for finding in checked(record).findings]
        deals = matches.setdefault((record.source, record.match), {})
        if record.deal in deals:
            is_copy = _content(deals[record.deal]) == _content(record)
            found.append({"code": "duplicate-deal" if is_copy else "conflicting-deal"} | here)
        else:
            deals[record.deal] = record
    for (_, match), deals in matches.items():
        found += match_findings(match, deals)
    return found


def match_findings(match: str, deals: dict[int, Deal]) -> list[dict[str, Any]]:
    """Findings of the match pass."""
    result = check_match([match_deal(deals[number]) for number in sorted(deals)])
    return [{"code": finding.code, "line": finding.line, "match": match} for finding in result.findings]


def _content(deal: Deal) -> Deal:
    return msgspec.structs.replace(deal, line=0, byte=0)


def load_compare() -> Callable[[list[dict], list[dict]], list[str]]:
    """The shared folder's own comparison of findings with the truth."""
    spec = importlib.util.spec_from_file_location("shared_logs_compare", LOGS / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.compare


def truth_of(preset: str) -> list[dict[str, Any]]:
    """What is wrong with a preset's faulty log."""
    text = (LOGS / f"{preset}-faults.truth.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def matches_of(preset: str) -> list[list[dict[str, Any]]]:
    """Matches of a clean log, each the list of its records in order."""
    matches: dict[str, list[dict[str, Any]]] = {}
    for line in (LOGS / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        matches.setdefault(record["match"], []).append(record)
    return [sorted(records, key=lambda record: record["deal"]) for records in matches.values()]

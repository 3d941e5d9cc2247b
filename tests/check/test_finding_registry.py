"""Every finding code is raised by some test, and nearly raised by another.

The codes of the deal and match passes are in the tables of this folder. The others belong to whoever reads and stores:
for these the tests are looked up, and it is checked that they exist and name the code.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from belot_stats.findings import FINDING_CODES
from tests.check import test_deal_findings, test_match_findings

TESTS = Path(__file__).resolve().parents[1]
IN_TABLES = {case.code for case in [*test_deal_findings.CASES, *test_match_findings.CASES]}
# Codes of reading, of files, of copies of a deal, and of rules that few systems have: where their tests are.
ELSEWHERE = {
    "unreadable-line": ["read/test_bhh.py", "read/test_lines.py"],
    "truncated-line": ["read/test_bhh.py", "read/test_lines.py"],
    "not-an-object": ["read/test_bhh.py", "read/test_lines.py"],
    "missing-field": ["read/test_bhh.py"],
    "bad-type": ["read/test_bhh.py"],
    "bad-card": ["read/test_bhh.py"],
    "duplicate-card": ["read/test_bhh.py"],
    "wrong-card-count": ["read/test_bhh.py"],
    "bad-seat": ["read/test_bhh.py"],
    "bad-call": ["read/test_bhh.py"],
    "unknown-rules": ["read/test_bhh.py"],
    "unknown-option": ["read/test_bhh.py"],
    "unknown-format": ["read/test_bhh.py"],
    "incomplete-file": ["read", "store"],
    "foreign-tail": ["read", "store"],
    "count-mismatch": ["read", "store"],
    "unknown-field": ["read", "store"],
    "no-time-zone": ["read", "store"],
    "ambiguous-time": ["read", "store"],
    "duplicate-deal": ["store"],
    "conflicting-deal": ["store"],
    "false-declare-out": ["check/test_match_systems.py", "check/test_deal_ends.py"],
    "closed-lead": ["check/test_turn_up.py"],
}


@cache
def texts_of_tests(path: Path) -> frozenset[str]:
    """Texts that stand in a test module as values; comments and docstrings do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    )


def modules(places: list[str]) -> list[Path]:
    """Test modules in *places*, files or folders of the tests."""
    found: list[Path] = []
    for place in places:
        path = TESTS / place
        found += sorted(path.glob("test_*.py")) if path.is_dir() else [path] if path.exists() else []
    return found


def test_every_code_has_its_place():
    assert IN_TABLES.isdisjoint(ELSEWHERE)
    assert {row.code for row in FINDING_CODES} == IN_TABLES | set(ELSEWHERE)


@pytest.mark.parametrize("code", ELSEWHERE)
def test_codes_of_reading_and_storing_are_tested_there(code):
    word = re.compile(rf"(?<![\w-]){code}(?![\w-])")
    naming = [
        path for path in modules(ELSEWHERE[code]) if any(word.search(text) for text in texts_of_tests(path))
    ]
    assert naming, f"no test of {code} in {', '.join(ELSEWHERE[code])}"


@pytest.mark.parametrize("code", sorted(IN_TABLES))
def test_codes_of_the_checker_are_raised_and_nearly_raised(code):
    """The tables' own tests run both; here only that neither record of a case is the other."""
    cases = [case for case in [*test_deal_findings.CASES, *test_match_findings.CASES] if case.code == code]
    assert all(case.faulty != case.near for case in cases)
    assert all(code in case.expected for case in cases)

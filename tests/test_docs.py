"""The documentation is current: the reference page, and what the README shows."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import belot_stats
from belot_stats.findings import FINDING_CODES
from belot_stats.parameters import PARAMETERS
from belot_stats.report_files import list_reports
from belot_stats.ruleset import ruleset_names

PROJECT = Path(__file__).resolve().parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def reference() -> str:
    """The reference page as it should be."""
    spec = importlib.util.spec_from_file_location("reference", PROJECT / "tools" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.page())


def test_the_reference_page_is_current() -> None:
    assert (PROJECT / "docs" / "REFERENCE.md").read_text(encoding="utf-8") == reference()


def test_every_code_parameter_and_report_is_in_the_reference() -> None:
    page = reference()
    names = [*(row.code for row in FINDING_CODES), *(item.name for item in PARAMETERS)]
    assert [name for name in names if f"`{name}`" not in page] == []
    assert [item.name for item in list_reports() if f"### {item.name}\n" not in page] == []


def test_the_readme_names_every_rule_set() -> None:
    assert [name for name in ruleset_names() if f"`{name}`" not in README] == []


def test_pictures_and_files_of_the_readme_exist() -> None:
    paths = re.findall(r"\]\(([^)#:]+)\)", README)
    assert paths
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_public_names_have_docstrings() -> None:
    documented = [getattr(belot_stats, name).__doc__ for name in belot_stats.__all__ if name != "__version__"]
    assert all(documented)


SHOWN = [line for line in README.splitlines() if re.match(r"bs\..*  # [\[(]", line)]


@pytest.mark.parametrize("line", SHOWN)
def test_python_lines_of_the_readme_give_what_they_say(line: str) -> None:
    code, _, value = line.partition("  #")
    result = eval(code, {"bs": belot_stats, "rules": belot_stats.load_ruleset("belot-bg")})
    assert repr(result) == value.strip()

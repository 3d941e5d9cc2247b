"""The page of rules is current and whole; every rule file says of each value where it stands and how sure it is."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from belot_stats.parameters import PARAMETERS
from belot_stats.resources import resource_folder
from belot_stats.rule_tables import confidence_counts, players_text
from belot_stats.rule_words import WORDS
from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names

PROJECT = Path(__file__).resolve().parents[1]
SOURCES = PROJECT.parent / "shared" / "sources"
SOURCE_FILES = {
    "A": "000_4ad2490839f395cb.txt",
    "B": "002_cf41c1f17f3af012.txt",
    "C": "003_16f812430c58ae6c.txt",
}
QUOTE = re.compile(r'\b([ABC])(\d+) "((?:[^"]|"(?=\w))+)"')  # A247 "so many words"
NAMES = ruleset_names()


def rules_page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rules_page", PROJECT / "tools" / "rules_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_rules_is_current() -> None:
    assert (PROJECT / "docs" / "RULES.md").read_text(encoding="utf-8") == rules_page().page()


def test_the_page_has_every_system_and_parameter() -> None:
    page = rules_page().page()
    headings = set(re.findall(r"^#+ (.+)$", page, re.MULTILINE))
    assert set(NAMES) | {item.name for item in PARAMETERS} <= headings


def test_links_of_the_page_lead_to_headings() -> None:
    page = rules_page().page()
    slugs = [
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    ]
    assert len(set(slugs)) == len(slugs)
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(slugs)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_rule_file_has_a_source_and_a_confidence(name: str) -> None:
    document = tomllib.loads((resource_folder("rulesets") / f"{name}.toml").read_text(encoding="utf-8"))
    entries = {k: v for group in document.values() if isinstance(group, dict) for k, v in group.items()}
    bare = [
        k for k, v in entries.items() if not (isinstance(v, dict) and v.get("source") and "confidence" in v)
    ]
    assert bare == []


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_low_confidence_says_why(name: str) -> None:
    rule_file = read_rule_file(name)
    low = [k for k, confidence in rule_file.confidence.items() if confidence == "low"]
    silent = [k for k in low if not rule_file.notes[k] and not rule_file.sources[k].startswith("not stated")]
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_parameters_without_an_off_default_are_all_stated(name: str) -> None:
    rule_file = read_rule_file(name)
    assert [
        item.name for item in PARAMETERS if item.default is None and not rule_file.sources[item.name]
    ] == []


def test_every_enumerated_value_has_words() -> None:
    enumerated = [
        item for item in PARAMETERS if item.expects.startswith("one of") and item.name != "direction"
    ]
    choices = {item.name: set(re.findall(r'"([^"]+)"', item.expects)) for item in enumerated}
    assert choices == {name: set(WORDS.get(name, {})) for name in choices}


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the source texts are not beside the project")
@pytest.mark.parametrize("name", NAMES)
def test_words_quoted_from_a_source_stand_in_the_line_named(name: str) -> None:
    lines = {
        key: (SOURCES / file).read_text(encoding="utf-8").splitlines() for key, file in SOURCE_FILES.items()
    }
    rule_file = read_rule_file(name)
    wrong = []
    for parameter, source in rule_file.sources.items():
        for key, number, quoted in QUOTE.findall(f"{source} {rule_file.notes[parameter]}"):
            text = plain(lines[key][int(number) - 1])
            wrong += [
                f"{parameter}: {key}{number} {part}" for part in quoted.split("…") if plain(part) not in text
            ]
    assert wrong == []


def plain(text: str) -> str:
    """*text* with single blanks, and none before a comma or colon."""
    return re.sub(r" ([,:])", r"\1", " ".join(text.split()))


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_has_a_row_of_every_system(name: str) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    row = next(line for line in readme.splitlines() if line.startswith(f"| `{name}` | "))
    rules, counts = load_ruleset(name), confidence_counts(read_rule_file(name))
    said = ", ".join(map(str, counts.values()))
    assert [cell.strip() for cell in row.strip("|").split("|")][2:] == [
        players_text(rules),
        str(rules.target),
        said,
    ]

"""Write docs/RULES.md: what each system plays, side by side, and where that is said, from the rule files."""

from __future__ import annotations

from pathlib import Path

from belot_stats.parameters import GROUPS, PARAMETERS, Parameter
from belot_stats.rule_tables import RuleRow, confidence_counts, players_text, rule_rows, toml_text
from belot_stats.rule_words import GROUP_TITLES, in_words
from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names, ruleset_values
from belot_stats.texts import markdown_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "RULES.md"
MARKS = {"high": "", "medium": " (m)", "low": " (l)", "": " (–)"}
GLANCE = {
    "bidding": "bidding",
    "contracts": "contracts",
    "multipliers": "doubling",
    "must_ruff": "who is void must trump",
    "declarations": "declarations",
    "capot": "capot pays",
    "rounding": "rounding",
}

INTRODUCTION = """\
# The rules, system by system

Made by `python tools/rules_page.py` from the rule files in `belot_stats/rulesets`; do not edit.

A rule set is a list of named parameters. [At a glance](#at-a-glance) tells the systems apart,
[Parameter by parameter](#parameter-by-parameter) says who plays what, and
[System by system](#system-by-system) where that is said.

How sure a value is stands beside it:

| mark | confidence | meaning |
|---|---|---|
| none | high | the source says it |
| (m) | medium | said and partly inferred, or said by a source at second hand |
| (l) | low | the source does not settle it: a reading or a decision, and a note says what else it could be |
| (–) | | no source of that system speaks of it: the default |

Where a finding of `belot-stats audit` or `belot-stats findings` depends on a value of low confidence, it says so.

Sources: A, B and C are texts, and A247 is line 247 of A. A is a compilation in Russian and Bulgarian, partly a machine
translation: Russian belot for three (lines 1-159) and in pairs (161-212), the encyclopedia's international belote
(214-333) with its French section (335-352), "Rules of Belot" or Bela (354-492), the classic Bulgarian text (505-614).
B is the rules page of Belot Arena. C is a German text. FFB is the French federation's rules of 2016, FPC a Russian rule
page. Of Baloot: REG is the General Regulation of the Saudi Mind Sports Federation, PAG pagat.com, JAW jawaker.com, WIK
Wikipedia, COM a commercial app known by its scores, SPC and SA1 two published engines, SRV the server that wrote an
archive of rounds, DATA that archive.

## A table that plays otherwise

One parameter, for one command: `--set`, which may be given again.

```
belot-stats ingest logs --set target=101 --set cannot_overruff=undertrump
belot-stats rules diff belot-bg belot-ru-pairs
```

One record of a log: the field `options`, as in `"options": {"all_pass": "redeal"}`. The order is preset, then
`options`, then `--set`.

A file of your own, `my-club.toml`, which starts from a preset and may say where each value is said:

```toml
name = "my-club"
title = "Belot as our club plays it"
based_on = "belot-bg"
target = 101

[deal_score]
capot_points = { value = 100, confidence = "high", source = "club rules, 2024" }
```

Use it with `--rules my-club.toml` for records that name no rules or `my-club`, with `--force-rules my-club.toml` for
all of them; `belot-stats rules show my-club.toml` shows what it comes to. Values are written as in the column "write"
below. A file that contradicts itself is refused with a sentence that says why. Every parameter with the values it
takes is in [REFERENCE.md](REFERENCE.md).
"""


def glance() -> list[str]:
    """The systems, one a row."""
    header = ["rule set", "system", "players", "to", *GLANCE.values(), "high, medium, low"]
    rows = []
    for name in ruleset_names():
        rules, rule_file = load_ruleset(name), read_rule_file(name)
        values = ruleset_values(rules)
        words = [in_words(key, values[key]) for key in GLANCE]
        counts = ", ".join(map(str, confidence_counts(rule_file).values()))
        link = f"[`{name}`](#{name})"
        rows.append([link, rule_file.title, players_text(rules), rules.target, *words, counts])
    return ["## At a glance", "", *markdown_table(header, rows)]


def parameters() -> list[str]:
    """Who plays what, a table a parameter."""
    rows = {name: {row.parameter: row for row in rule_rows(name)} for name in ruleset_names()}
    lines = ["## Parameter by parameter", ""]
    for group in GROUPS:
        lines += [f"### {GROUP_TITLES[group]}", ""]
        for item in PARAMETERS:
            if item.group == group:
                lines += parameter(item, {name: found[item.name] for name, found in rows.items()})
    return lines


def parameter(item: Parameter, rows: dict[str, RuleRow]) -> list[str]:
    """One parameter: its values, and the systems that have each."""
    by_value: dict[tuple[str, str], list[str]] = {}
    for name, row in rows.items():
        mark = MARKS[row.confidence]
        by_value.setdefault((row.words, row.value), []).append(f"`{name}`{mark}")
    table = [(words, f"`{value}`", ", ".join(names)) for (words, value), names in by_value.items()]
    default = "" if item.default is None else f" Default: `{toml_text(item.default)}`."
    meaning = item.meaning[0].upper() + item.meaning[1:]
    return [
        f"#### {item.name}",
        "",
        f"{meaning}.{default}",
        "",
        *markdown_table(["value", "write", "systems"], table),
    ]


def systems() -> list[str]:
    """Where it is said, a section a system; what no source of it speaks of is left out."""
    lines = ["## System by system", ""]
    for name in ruleset_names():
        lines += [f"### {name}", "", f"{read_rule_file(name).title}.", ""]
        rows = [row for row in rule_rows(name) if row.confidence]
        table = [
            (f"[{row.parameter}](#{row.parameter})", row.words, row.confidence, row.source, row.note)
            for row in rows
        ]
        lines += markdown_table(["parameter", "value", "sure", "source", "note"], table)
    return lines


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *glance(), *parameters(), *systems()])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

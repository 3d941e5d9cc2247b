"""Write docs/REFERENCE.md: finding codes, rule parameters, reports, relations, from the code and data they stand in."""

from __future__ import annotations

import tomllib
from pathlib import Path

from belot_stats.findings import FINDING_CODES
from belot_stats.parameters import GROUPS, PARAMETERS
from belot_stats.relations import relation_names, relation_sql
from belot_stats.report_files import list_reports
from belot_stats.resources import resource
from belot_stats.ruleset import read_rule_file, ruleset_names
from belot_stats.summaries import parameters_of, summary_defaults, summary_sql
from belot_stats.texts import markdown_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "REFERENCE.md"


def findings() -> list[str]:
    rows: list[tuple[object, ...]] = [
        (f"`{row.code}`", row.stage, row.severity, row.meaning) for row in FINDING_CODES
    ]
    intro = "Where a rule set punishes illegal cards on a claim only, the codes of play are irregularities."
    return [
        "## Finding codes",
        "",
        intro,
        "",
        *markdown_table(("code", "stage", "severity", "meaning"), rows),
    ]


def parameters() -> list[str]:
    lines = ["## Rule parameters", "", "For rule files, `--set NAME=VALUE`, and a record's `options`.", ""]
    for group in GROUPS:
        rows: list[tuple[object, ...]] = [
            (f"`{item.name}`", item.meaning, item.expects) for item in PARAMETERS if item.group == group
        ]
        lines += [
            f"### {group.replace('_', ' ')}",
            "",
            *markdown_table(("parameter", "meaning", "takes"), rows),
        ]
    return lines


def rule_sets() -> list[str]:
    rows: list[tuple[object, ...]] = [(f"`{name}`", read_rule_file(name).title) for name in ruleset_names()]
    return [
        "## Rule sets",
        "",
        "Their values, sources and confidence are in [RULES.md](RULES.md).",
        "",
        *markdown_table(("name", "system"), rows),
    ]


def reports() -> list[str]:
    lines = ["## Reports", ""]
    for report in list_reports():
        lines += [f"### {report.name}", "", f"{report.question} Grain: {report.grain}.", ""]
        rows: list[tuple[object, ...]] = [
            (f"`{name}`", item.type, item.default, item.help) for name, item in report.parameters.items()
        ]
        lines += markdown_table(("parameter", "type", "default", "meaning"), rows) if rows else []
    return lines


def relations() -> list[str]:
    lines = ["## Relations", "", "What `belot-stats sql` and reports can ask.", ""]
    rows: list[tuple[object, ...]] = []
    for name in relation_names():
        header = relation_sql(name).splitlines()
        grain = next((line.partition(":")[2].strip() for line in header if line.startswith("-- Grain:")), "")
        rows.append((f"`{name}`", grain))
    return [*lines, *markdown_table(("relation", "grain"), rows)]


def summaries() -> list[str]:
    intro = (
        "Steps that reports of one's own may begin with, too: a report whose twin says "
        '`summaries = ["contract_counts"]` reads `from contract_counts`; its filters apply there. Parameters that '
        "it does not have are at their defaults. In a warehouse of many deals the rows for the defaults are kept."
    )
    lines = ["## Summaries", "", intro, ""]
    rows: list[tuple[object, ...]] = [
        (f"`{name}`", _grain(summary_sql(name)), ", ".join(f"`{item}`" for item in parameters_of(name)))
        for name in sorted(summary_defaults())
    ]
    return [*lines, *markdown_table(("summary", "grain", "parameters"), rows)]


def _grain(sql: str) -> str:
    """What the header of a query says of its rows."""
    header = [line for line in sql.splitlines() if line.startswith("--")]
    places = [place for place, line in enumerate(header) if line.startswith("-- ") and line[3] != " "]
    start = next(place for place in places if header[place].startswith("-- Grain:"))
    end = next((place for place in places if place > start), len(header))
    words = " ".join(line.removeprefix("--").strip() for line in header[start:end])
    return words.partition(":")[2].strip()


def tables() -> list[str]:
    dictionary = tomllib.loads(resource("data", "schema/dictionary.toml").read_text(encoding="utf-8"))
    lines = ["## Stored tables", ""]
    for name, item in dictionary["tables"].items():
        rows: list[tuple[object, ...]] = [
            (f"`{column}`", field["type"], field.get("unit", ""), field["meaning"])
            for column, field in item["columns"].items()
        ]
        lines += [
            f"### {name}",
            "",
            f"{item['grain']}.",
            "",
            *markdown_table(("column", "type", "unit", "meaning"), rows),
        ]
    return lines


def page() -> str:
    """The whole page."""
    intro = [
        "# Reference",
        "",
        "Made by `python tools/reference.py` from the code and data; do not edit.",
        "",
    ]
    return "\n".join(
        [*intro, *findings(), *rule_sets(), *parameters(), *reports(), *relations(), *summaries(), *tables()]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
